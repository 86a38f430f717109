// SPDX-License-Identifier: Apache-2.0
// Tables that sort by the heading that is pressed: missing values last either way, equal ones in their old order.

for (const table of all("table.data")) {
  const heads = all("thead th", table);
  heads.forEach((head, index) => {
    const key = row => row.cells[index].dataset.order ?? row.cells[index].textContent.trim();
    const numeric = head.classList.contains("number");
    const button = html("button", { type: "button", class: "sort" });
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const rows = [...table.tBodies[0].rows];
      const places = new Map(rows.map((row, place) => [row, place]));
      const compare = (a, b) => (numeric ? a - b : Number(a > b) - Number(a < b));
      rows.sort((one, other) => {
        const [a, b] = [key(one), key(other)];
        if (a === "" || b === "") return (a === "") - (b === "") || places.get(one) - places.get(other);
        return (up ? 1 : -1) * compare(a, b) || places.get(one) - places.get(other);
      });
      table.tBodies[0].append(...rows);
    });
  });
}
