// SPDX-License-Identifier: Apache-2.0
// Filters that act on the best builds, the charts and the table together.

const COLOURS = { plain: "c0", montgomery: "c1" };
const DOMAINS = { plain: "x·y mod M", montgomery: "x·y·R⁻¹ mod M" };
const form = one("#filters"), rows = data.rows;
rows.forEach((row, id) => { row.id = id; row.element = one(`#row-${id}`); });

function wanted() {
  const asked = new FormData(form);
  const text = (asked.get("text") ?? "").trim().toLowerCase();
  const budgets = all("input[type=range]", form).map(slider => {
    const values = slider.dataset.values.split(" ").map(Number), texts = slider.dataset.texts.split(" ");
    const at = Number(slider.value), least = slider.dataset.least === "1";
    const free = at === (least ? 0 : values.length - 1);
    const told = free ? "any" : `${least ? "≥" : "≤"} ${texts[at]}`;
    one("output", slider.parentElement).textContent = told;
    slider.setAttribute("aria-valuetext", told);
    return { key: slider.name, free, fits: value => (least ? value >= values[at] : value <= values[at]) };
  }).filter(budget => !budget.free);
  return {
    beyond: asked.get("beyond") ?? "apart",
    fits: row =>
      row.label.toLowerCase().includes(text) &&
      (!asked.get("domain") || row.domain === asked.get("domain")) &&
      (!asked.get("field") || row.fields.includes(asked.get("field"))) &&
      (row.reduced || asked.get("beyond") !== "none") &&
      budgets.every(budget => row.values[budget.key] !== null && budget.fits(row.values[budget.key])),
  };
}

// The best of some rows, and what is better still with results beyond M-1; `page/comparison.py` says the same.
function winners(shown, goal, mixed) {
  const sign = goal.largest ? -1 : 1;
  const known = shown.filter(row => row.measured && row.values[goal.key] !== null)
    .sort((a, b) => sign * (a.values[goal.key] - b.values[goal.key]) || b.reduced - a.reduced || a.id - b.id);
  const reduced = known.filter(row => row.reduced);
  if (!known.length || mixed || known[0].reduced || !reduced.length) return [known[0]];
  return [reduced[0], known[0]];
}

const unit = key => data.columns[key].split(", ").at(-1);
const competing = (shown, mixed) =>
  mixed || !shown.some(row => row.reduced) ? shown : shown.filter(row => row.reduced);

function showBest(shown, mixed) {
  one("#best").replaceChildren(...data.goals.flatMap(goal => {
    const [winner, beyond] = winners(shown, goal, mixed);
    if (!winner) return [];
    const item = html("li", { "data-goal": goal.key }, html("span", { class: "quality" }, goal.title), " ",
      html("a", { class: "winner", href: `#row-${winner.id}` }, winner.short), " ",
      html("span", { class: "value" }, `${winner.texts[goal.key]} ${unit(goal.key)}`));
    if (!winner.reduced) item.append(" ", html("span", { class: "beyond" }, `results to ${winner.results}`));
    if (beyond)
      item.append(html("div", { class: "beaten" },
        `${beyond.texts[goal.key]} with results beyond M−1 (to ${beyond.results}): ${beyond.short}`));
    return [item];
  }));
}

function pareto(shown, axis) {
  const sign = axis.largest ? -1 : 1;
  const line = [];
  const place = row => [row.values.lut_equivalents, sign * row.values[axis.key]];
  for (const row of [...shown].sort((a, b) => place(a)[0] - place(b)[0] || place(a)[1] - place(b)[1]))
    if (!line.length || place(row)[1] < place(line.at(-1))[1]) line.push(row);
  return line;
}

function tell(row) {
  const lines = [row.label];
  const told = ["lut_equivalents", "time_us", "throughput_mops", "operations_per_s", "operations_per_kluteq"];
  for (const key of [...told, "area_time_per_bit", "interval"])
    if (row.texts[key] !== undefined) lines.push(`${data.columns[key]}: ${row.texts[key]}`);
  lines.push(`${DOMAINS[row.domain] ?? row.domain}, results to ${row.results || "?"}`);
  return lines.join("\n");
}

function showTradeOff(shown, mixed) {
  const axis = data.axes[Number(one("#axis").value)];
  const drawn = shown.filter(row => row.measured && row.values.lut_equivalents && row.values[axis.key]);
  const front = pareto(competing(drawn, mixed), axis);
  const series = [];
  for (const domain of new Set(rows.map(row => row.domain)))
    for (const reduced of [true, false])
      series.push({
        name: `${DOMAINS[domain] ?? domain}${reduced ? "" : ", results beyond M−1"}`,
        colour: COLOURS[domain] ?? "c2", symbol: domain === "plain" ? "circle" : domain === "montgomery" ? "square" : "triangle",
        hollow: !reduced,
        marks: drawn.filter(row => row.domain === domain && row.reduced === reduced).map(row => ({
          x: row.values.lut_equivalents, y: row.values[axis.key], label: row.short, id: row.id,
          weight: front.includes(row) ? 2 : reduced ? 1 : 0, tip: tell(row), href: `#row-${row.id}`,
        })),
      });
  series.push({
    name: "others' cores, measured here", colour: "c2", symbol: "diamond", hollow: false,
    marks: (drawn.length ? data.others : []).filter(other => other.values.lut_equivalents && other.values[axis.key]).map(other => ({
      x: other.values.lut_equivalents, y: other.values[axis.key], label: other.label.split(" ")[0], weight: 1,
      tip: `${other.label}\n${other.source}`,
    })),
  });
  if (one("#with-published")?.checked)
    series.push({
      name: "published, on the authors' devices", colour: "printed", symbol: "triangle", hollow: true,
      marks: data.overlays.filter(overlay => overlay.values.lut_equivalents && overlay.values[axis.key]).map(overlay => ({
        x: overlay.values.lut_equivalents, y: overlay.values[axis.key], label: "", tip: `${overlay.label}\n${overlay.source}`,
      })),
    });
  one("#advice").textContent = `${axis.largest ? "Up" : "Down"} and to the left is better.`;
  legend(one("#trade-off-legend"), series);
  const holder = one("#trade-off");
  plot(holder, {
    axes: ["LUT-equivalents", axis.title], log: [true, true], series,
    label: `${axis.title} against LUT-equivalents: ${drawn.length} builds, ${front.length} on the Pareto line. The table has the numbers.`,
    pareto: front.map(row => [row.values.lut_equivalents, row.values[axis.key]]),
    point: highlight,
  }, holder.clientWidth < 520 ? 400 : 560);
}

function showRanking(shown, mixed) {
  const goal = data.goals[Number(one("#goal").value)];
  const sign = goal.largest ? -1 : 1;
  const known = shown.filter(row => row.measured && row.values[goal.key])
    .sort((a, b) => sign * (a.values[goal.key] - b.values[goal.key]) || a.id - b.id);
  if (!known.length) return one("#ranking").replaceChildren(html("li", { class: "soft" }, "Nothing to draw."));
  const best = competing(known, mixed)[0].values[goal.key];
  const times = row => (goal.largest ? best / row.values[goal.key] : row.values[goal.key] / best);
  const least = Math.log(Math.min(...known.map(times))), span = Math.log(Math.max(...known.map(times))) - least;
  one("#ranking").replaceChildren(...known.map(row => {
    const colour = COLOURS[row.domain] ?? "c2";
    const mark = svg("svg", { width: 12, height: 12, viewBox: "-6 -6 12 12", "aria-hidden": "true" },
      symbol(row.domain === "montgomery" ? "square" : "circle", 0, 0,
        { style: `stroke: var(--${colour}); stroke-width: 1.6; fill: ${row.reduced ? `var(--${colour})` : "var(--paper)"}` }, 4.5));
    const at = span ? ((Math.log(times(row)) - least) / span) * 100 : 0;
    return html("li", { "data-id": row.id },
      html("a", { href: `#row-${row.id}`, title: row.label }, row.short),
      html("span", { class: "track", style: `--at: ${at.toFixed(1)}%` }, mark),
      html("span", { class: "times", title: `${row.texts[goal.key]} ${unit(goal.key)}` }, `×${times(row) < 9.995 ? times(row).toFixed(2) : times(row).toFixed(1)}`));
  }));
  walkable(all("#ranking a"));
}

function highlight(id) {
  for (const element of all(".hot")) element.classList.remove("hot");
  if (id === undefined) return;
  for (const element of [rows[id].element, ...all(`[data-id="${id}"]`)]) element.classList.add("hot");
}

function update() {
  const { fits, beyond } = wanted();
  const shown = rows.filter(fits), mixed = beyond === "all";
  for (const row of rows) row.element.hidden = !shown.includes(row);
  one("#count").textContent = shown.length === rows.length ? "All builds" : `${shown.length} of ${rows.length} builds`;
  showBest(shown, mixed);
  showTradeOff(shown, mixed);
  showRanking(shown, mixed);
}

one("#axis").append(...data.axes.map((axis, i) => html("option", { value: i }, axis.title)));
one("#goal").append(...data.goals.map((goal, i) => html("option", { value: i }, goal.title.toLowerCase())));
form.hidden = one("#charts").hidden = false;
form.addEventListener("input", update);
form.addEventListener("submit", event => event.preventDefault());
form.addEventListener("reset", () => setTimeout(update));
for (const id of ["#axis", "#goal", "#with-published"]) one(id)?.addEventListener("change", update);
for (const row of rows) {
  row.element.addEventListener("pointerenter", () => highlight(row.id));
  row.element.addEventListener("pointerleave", () => highlight());
}
one("#ranking").addEventListener("pointerover", event => {
  const item = event.target.closest("li");
  if (item) highlight(Number(item.dataset.id));
});
one("#ranking").addEventListener("pointerleave", () => highlight());
whenResized(one("#trade-off"), update);
document.documentElement.dataset.ready = "";
