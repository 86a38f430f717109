// SPDX-License-Identifier: Apache-2.0
// The redrawn figures.

for (const [name, chart] of Object.entries(data.charts)) {
  const holder = document.getElementById(name);
  legend(holder.previousElementSibling, chart.series);
  whenResized(holder, () => plot(holder, chart, chart.named ? 440 : 340));
}
document.documentElement.dataset.ready = "";
