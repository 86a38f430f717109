// SPDX-License-Identifier: Apache-2.0
// Points and lines over two axes, drawn anew whenever the room or the data change.
//
// A chart is { axes: [title, title], log: [x, y], label, series: [series], pareto: [[x, y]] }. A series is { name,
// colour, symbol, hollow, printed, joined, marks }; a mark { x, y, label, weight, tip, href, id }. Labels are placed
// by weight, the heaviest first, where they meet neither marks, nor lines, nor each other; those without room appear
// with the pointer or the keyboard.

const SYMBOLS = ["circle", "square", "triangle", "diamond", "cross"];
const RADIUS = 5.5;

function symbol(kind, x, y, attributes, r = RADIUS) {
  if (kind === "circle") return svg("circle", { cx: x, cy: y, r, ...attributes });
  const shapes = {
    square: [[-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]],
    triangle: [[0, -1.15], [1.1, 0.85], [-1.1, 0.85]],
    diamond: [[0, -1.25], [1.25, 0], [0, 1.25], [-1.25, 0]],
    cross: [[-1.1, -0.4], [-0.4, -0.4], [-0.4, -1.1], [0.4, -1.1], [0.4, -0.4], [1.1, -0.4],
      [1.1, 0.4], [0.4, 0.4], [0.4, 1.1], [-0.4, 1.1], [-0.4, 0.4], [-1.1, 0.4]],
  };
  const points = shapes[kind].map(([dx, dy]) => `${(x + dx * r).toFixed(1)},${(y + dy * r).toFixed(1)}`);
  return svg("polygon", { points: points.join(" "), ...attributes });
}

// An axis: the place of a value on a given length, and ticks at round numbers that have room.
function scale(values, logarithmic, length, apart, only) {
  const low = Math.min(...values), high = Math.max(...values);
  if (logarithmic) {
    let [a, b] = [Math.log10(low), Math.log10(high)];
    const room = Math.max(0.07 * (b - a), 0.05);
    [a, b] = [a - room, b + room];
    const place = value => ((Math.log10(value) - a) / (b - a)) * length;
    const powers = [];
    for (let power = Math.floor(a); power <= Math.ceil(b); power++) powers.push(10 ** power);
    for (const digits of [[1, 1.5, 2, 3, 4, 5, 6, 8], [1, 2, 3, 5], [1, 2, 5], [1, 3], [1]]) {
      const ticks = (only ?? powers.flatMap(power => digits.map(digit => digit * power)))
        .filter(tick => place(tick) >= 0 && place(tick) <= length);
      const near = ticks.some((tick, i) => i && place(tick) - place(ticks[i - 1]) < apart);
      if (!near || only || digits.length === 1) return { place, ticks };
    }
  }
  const from = Math.min(low, 0), span = (high - from) * 1.06 || 1;
  const place = value => ((value - from) / span) * length;
  if (only) return { place, ticks: only };
  const rough = span / Math.max(length / (apart * 1.6), 2);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map(digit => digit * power).find(width => width >= rough);
  const ticks = [];
  for (let tick = Math.ceil(from / step) * step; tick <= from + span; tick += step) ticks.push(tick);
  return { place, ticks };
}

const ruler = document.createElement("canvas").getContext("2d");
function textWidth(text, size = 11.5) {
  ruler.font = `${size}px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif`;
  return ruler.measureText(text).width;
}

const overlap = (a, b) =>
  Math.max(0, Math.min(a[2], b[2]) - Math.max(a[0], b[0])) * Math.max(0, Math.min(a[3], b[3]) - Math.max(a[1], b[1]));

// Places for labels: [x, y, anchor] of each mark that has room for one.
function labels(marks, lines, width, height) {
  const taken = [...marks.map(mark => [mark.px - 7, mark.py - 7, mark.px + 7, mark.py + 7]), ...lines];
  const placed = new Map();
  const half = 7;
  for (const mark of marks.filter(mark => mark.label).sort((a, b) => (b.weight ?? 0) - (a.weight ?? 0))) {
    const wide = textWidth(mark.label) + 4;
    const tries = [];
    for (const rise of [0, -13, 13, -20, 20, ...(mark.weight > 1 ? [-30, 30, -42, 42] : [])])
      for (const side of [1, -1]) tries.push([side * (Math.abs(rise) > 15 ? 3 : 10), rise, side > 0 ? "start" : "end"]);
    tries.splice(2, 0, [0, -16, "middle"], [0, 16, "middle"]);
    for (const [dx, dy, anchor] of tries) {
      const x = mark.px + dx, y = mark.py + dy;
      const left = anchor === "start" ? x : anchor === "end" ? x - wide : x - wide / 2;
      const box = [left, y - half, left + wide, y + half];
      if (box[0] < 0 || box[1] < 0 || box[2] > width || box[3] > height) continue;
      if (taken.some(other => overlap(box, other) > 0)) continue;
      taken.push(box);
      placed.set(mark, [x, y, anchor]);
      break;
    }
  }
  return placed;
}

function pieces(points) {
  const boxes = [];
  for (let i = 1; i < points.length; i++) {
    const [[ax, ay], [bx, by]] = [points[i - 1], points[i]];
    const count = Math.max(1, Math.ceil(Math.hypot(bx - ax, by - ay) / 6));
    for (let k = 0; k < count; k++) {
      const x = ax + ((bx - ax) * (k + 0.5)) / count, y = ay + ((by - ay) * (k + 0.5)) / count;
      boxes.push([x - 2, y - 2, x + 2, y + 2]);
    }
  }
  return boxes;
}

function legend(element, series) {
  element.replaceChildren(...series.filter(one => one.marks.length).map(one =>
    html("li", {}, svg("svg", { width: 16, height: 14 },
      symbol(one.symbol, 8, 7, { class: `mark${one.hollow ? " hollow" : ""}`, style: `--tone: var(--${one.colour}); stroke: var(--tone); fill: ${one.hollow ? "none" : "var(--tone)"}` }, 5)),
      one.name)));
}

// Fills `holder` with the chart; `height` in pixels. Returns the marks with their place.
function plot(holder, chart, height) {
  const width = Math.max(holder.clientWidth, 260);
  const marks = chart.series.flatMap(series => series.marks.map(mark => ({ ...mark, series })));
  holder.replaceChildren();
  if (!marks.length) {
    holder.append(html("p", { class: "soft" }, "Nothing to draw."));
    return [];
  }
  const [right, top, bottom] = [12, 10, 44];
  const tall = height - top - bottom;
  const y = scale(marks.map(mark => mark.y), chart.log[1], tall, 22);
  const left = 28 + Math.ceil(Math.max(...y.ticks.map(tick => textWidth(brief(tick)))));
  const margin = { left, right, top, bottom }, inner = [width - left - right, tall];
  const x = scale(marks.map(mark => mark.x), chart.log[0], inner[0], 44, chart.ticks);
  for (const mark of marks) [mark.px, mark.py] = [x.place(mark.x), inner[1] - y.place(mark.y)];

  const root = svg("g", { transform: `translate(${margin.left} ${margin.top})` });
  const axis = svg("g", { class: "axis", "aria-hidden": "true" });
  for (const tick of x.ticks) {
    const at = x.place(tick);
    axis.append(svg("line", { class: "grid", x1: at, x2: at, y1: 0, y2: inner[1] }));
    axis.append(svg("text", { x: at, y: inner[1] + 16, "text-anchor": "middle" }, brief(tick)));
  }
  for (const tick of y.ticks) {
    const at = inner[1] - y.place(tick);
    axis.append(svg("line", { class: "grid", x1: 0, x2: inner[0], y1: at, y2: at }));
    axis.append(svg("text", { x: -7, y: at + 4, "text-anchor": "end" }, brief(tick)));
  }
  axis.append(svg("path", { class: "frame", d: `M0 0V${inner[1]}H${inner[0]}` }));
  axis.append(svg("text", { x: inner[0] / 2, y: inner[1] + 36, "text-anchor": "middle" }, chart.axes[0]));
  axis.append(svg("text", { transform: `translate(${-margin.left + 12} ${inner[1] / 2}) rotate(-90)`, "text-anchor": "middle" }, chart.axes[1]));
  root.append(axis);

  const lines = [];
  if (chart.pareto?.length > 1) {
    const points = chart.pareto.map(([px, py]) => [x.place(px), inner[1] - y.place(py)]);
    const stairs = points.flatMap(([px, py], i) => (i ? [[px, points[i - 1][1]], [px, py]] : [[px, py]]));
    root.append(svg("polyline", { class: "pareto", points: stairs.join(" ") }));
    lines.push(...pieces(stairs));
  }
  for (const series of chart.series.filter(series => series.joined && series.marks.length > 1)) {
    const points = marks.filter(mark => mark.series === series).map(mark => [mark.px, mark.py]);
    root.append(svg("polyline", { class: `line${series.printed ? " printed" : ""}`, style: `--tone: var(--${series.colour})`, points: points.join(" ") }));
    lines.push(...pieces(points));
  }

  const placed = labels(marks, lines, inner[0], inner[1]);
  const walk = [];
  for (const mark of marks) {
    const { series } = mark;
    const shape = symbol(series.symbol, mark.px, mark.py, { class: `mark${series.hollow ? " hollow" : ""}`, style: `--tone: var(--${series.colour})` });
    if (mark.href) {
      mark.element = svg("a", { href: mark.href, "aria-label": mark.tip.replaceAll("\n", ", "), "data-id": mark.id }, shape);
      walk.push(mark);
    } else mark.element = shape;
    root.append(mark.element);
  }
  for (const [mark, [lx, ly, anchor]] of placed)
    root.append(svg("text", { class: "label", x: lx, y: ly + 4, "text-anchor": anchor, "aria-hidden": "true" }, mark.label));

  const element = svg("svg", {
    viewBox: `0 0 ${width} ${height}`, width, height, role: walk.length ? "group" : "img", "aria-label": chart.label,
  }, root);
  const tip = html("div", { class: "tip", hidden: true, "aria-hidden": "true" });
  holder.append(element, tip);
  const show = mark => {
    tip.replaceChildren(...(mark ? [html("b", {}, mark.tip.split("\n")[0]), mark.tip.split("\n").slice(1).join("\n")] : []));
    tip.hidden = !mark;
    if (!mark) return;
    const at = [mark.px + margin.left + 12, mark.py + margin.top + 12];
    tip.style.left = `${Math.max(0, Math.min(at[0], width - tip.offsetWidth - 4))}px`;
    tip.style.top = `${at[1] + tip.offsetHeight > height ? at[1] - tip.offsetHeight - 24 : at[1]}px`;
  };
  element.addEventListener("pointermove", event => {
    const box = element.getBoundingClientRect();
    const zoom = box.width / width;
    const [px, py] = [(event.clientX - box.left) / zoom - margin.left, (event.clientY - box.top) / zoom - margin.top];
    const near = marks.map(mark => [Math.hypot(mark.px - px, mark.py - py), mark]).sort((a, b) => a[0] - b[0])[0];
    const found = near[0] < 22 ? near[1] : undefined;
    show(found);
    chart.point?.(found?.id);
  });
  element.addEventListener("pointerleave", () => { show(); chart.point?.(); });

  walk.sort((a, b) => a.px - b.px);
  walkable(walk.map(mark => mark.element));
  for (const mark of walk) {
    mark.element.addEventListener("focus", () => show(mark));
    mark.element.addEventListener("blur", () => show());
    mark.element.addEventListener("keydown", event => { if (event.key === "Escape") show(); });
  }
  return marks;
}

// Calls `draw` now and whenever the width of the element changes.
function whenResized(element, draw) {
  let before = 0;
  new ResizeObserver(() => {
    if (element.clientWidth === before) return;
    before = element.clientWidth;
    draw();
  }).observe(element);
}
