// SPDX-License-Identifier: Apache-2.0
// Recordings to step through: a column for each clock cycle, a lane for each signal.

const LANE = 26, PAD = 5;

// The numbers that a label of steps names: "3-5", "5, 6".
function numbersOf(label) {
  const found = new Set();
  for (const [, from, to] of label.matchAll(/(\d+)(?:\s*[-–]\s*(\d+))?/g))
    for (let step = Number(from); step <= Number(to ?? from); step++) found.add(step);
  return found;
}

function runs(values) {
  const found = [];
  values.forEach((value, cycle) => {
    if (cycle && value === values[cycle - 1]) found.at(-1).end = cycle + 1;
    else found.push({ value, start: cycle, end: cycle + 1 });
  });
  return found;
}

// A text in the middle of a run, and of each part of one that is long, so that some are always in sight.
const REPEAT = 16;
function told(start, end, column, y, text) {
  const parts = Math.ceil((end - start) / REPEAT);
  return Array.from({ length: parts }, (_, part) =>
    svg("text", { x: (start + ((part + 0.5) * (end - start)) / parts) * column, y }, text));
}

function unpacked(signal, cycles) {
  const values = [];
  signal.changes.forEach(([start, value], i) => {
    const end = signal.changes[i + 1]?.[0] ?? cycles;
    for (let cycle = start; cycle < end; cycle++) values.push(value);
  });
  return values;
}

function showWave(holder) {
  const { cycles, steps, signals } = data.recordings[holder.dataset.core];
  const lanes = signals.map(signal => ({ ...signal, values: unpacked(signal, cycles) }));
  const digits = Math.max(2, ...lanes.flatMap(lane => lane.values.map(value => value?.length ?? 0)));
  const column = Math.min(Math.max(26, digits * 7.2 + 12), 96);
  const width = cycles * column, height = (lanes.length + 2) * LANE;
  const drawing = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img",
    "aria-label": `${lanes.length} signals over ${cycles} clock cycles; the values of one cycle stand beside their names.` });

  for (let cycle = 0; cycle < cycles; cycle++) {
    drawing.append(svg("line", { class: "edge", x1: cycle * column, x2: cycle * column, y1: LANE, y2: height }));
    drawing.append(svg("text", { class: "tick", x: (cycle + 0.5) * column, y: 17 }, String(cycle)));
  }
  const kinds = [...new Set(steps.filter(Boolean))];
  for (const { value, start, end } of runs(steps)) {
    if (!value) continue;
    drawing.append(svg("rect", { class: `step${kinds.indexOf(value) % 3}`, x: start * column, y: LANE + PAD - 2, width: (end - start) * column, height: LANE - 2 * PAD + 4 }));
    drawing.append(...told(start, end, column, LANE + 17, value));
  }
  lanes.forEach((lane, index) => {
    const top = (index + 2) * LANE + PAD, bottom = (index + 3) * LANE - PAD;
    if (lane.bits === 1) {
      const level = value => (value === "1" ? top : bottom);
      const path = lane.values.map((value, cycle) => `${cycle ? "V" : "M0 "}${level(value)}H${(cycle + 1) * column}`);
      drawing.append(svg("path", { class: "bit", d: path.join("") }));
      return;
    }
    for (const { value, start, end } of runs(lane.values)) {
      const [left, right, middle] = [start * column, end * column, (top + bottom) / 2];
      if (value === null) {
        drawing.append(svg("rect", { class: "void", x: left, y: middle - 3, width: right - left, height: 6 }));
        continue;
      }
      drawing.append(svg("polygon", { class: `bus ${lane.kind}`,
        points: `${left},${middle} ${left + 4},${top} ${right - 4},${top} ${right},${middle} ${right - 4},${bottom} ${left + 4},${bottom}` }));
      drawing.append(...told(start, end, column, middle + 4, value));
    }
  });
  const cursor = svg("rect", { class: "cursor", y: 0, width: column, height });
  drawing.append(cursor);

  const outputs = lanes.map(() => html("output"));
  const names = html("div", { class: "names" },
    html("div", {}, "clock cycle"), html("div", {}, "steps"),
    ...lanes.map((lane, i) => html("div", {}, lane.name, outputs[i])));
  const strip = html("div", { class: "lanes", tabindex: 0, role: "group", "aria-label": "Waveform" }, drawing);
  const slider = html("input", { type: "range", min: 0, max: cycles - 1, value: 0, "aria-label": "Clock cycle" });
  const says = html("p", { class: "says", role: "status" });
  const explained = all("table", holder.parentElement)
    .filter(table => table.rows[0].cells[0].textContent.trim() === "step")
    .flatMap(table => all("tbody tr", table))
    .map(row => [row, numbersOf(row.cells[0].textContent)]);

  const go = cycle => {
    const now = Math.min(Math.max(cycle, 0), cycles - 1);
    slider.value = now;
    slider.setAttribute("aria-valuetext", `cycle ${now}`);
    cursor.setAttribute("x", now * column);
    lanes.forEach((lane, i) => { outputs[i].textContent = lane.values[now] ?? "–"; });
    const label = steps[now], wantedSteps = numbersOf(label ?? "");
    for (const [row, numbers] of explained)
      row.classList.toggle("now", [...numbers].some(number => wantedSteps.has(number)));
    says.textContent = `Clock cycle ${now} of ${cycles - 1}${label ? `: ${/\d/.test(label) ? "step " : ""}${label}` : ""}`;
    if (now * column < strip.scrollLeft) strip.scrollLeft = Math.max(0, (now - 1) * column);
    if ((now + 1) * column > strip.scrollLeft + strip.clientWidth)
      strip.scrollLeft = (now + 2) * column - strip.clientWidth;
  };
  const key = (text, name, to) => {
    const button = html("button", { type: "button", "aria-label": name, title: name }, text);
    button.addEventListener("click", () => go(to()));
    return button;
  };
  const now = () => Number(slider.value);
  slider.addEventListener("input", () => go(now()));
  drawing.addEventListener("click", event =>
    go(Math.floor((event.clientX - drawing.getBoundingClientRect().left) / column)));
  holder.replaceChildren(
    html("div", { class: "keys" }, key("|◀", "first cycle", () => 0), key("◀", "cycle before", () => now() - 1),
      key("▶", "next cycle", () => now() + 1), key("▶|", "last cycle", () => cycles - 1), slider),
    says, html("div", { class: "view" }, names, strip));
  go(0);
}

for (const core of all("details.core")) {
  core.addEventListener("toggle", () => {
    const holder = one(".wave", core);
    if (core.open && holder && !one(".view", holder)) showWave(holder);
  });
}

// A link to a core opens it.
function open() {
  const target = location.hash.startsWith("#core-") && document.getElementById(location.hash.slice(1));
  if (target) {
    target.open = true;
    target.scrollIntoView();
  }
}
addEventListener("hashchange", open);
open();
