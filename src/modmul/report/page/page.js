// SPDX-License-Identifier: Apache-2.0
// What all scripts of a page share: the data, elements, numbers, the theme.

const data = JSON.parse(document.getElementById("data").textContent);
const one = (selector, within = document) => within.querySelector(selector);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];

function put(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  element.append(...children);
  return element;
}
const html = (name, attributes = {}, ...children) => put(document.createElement(name), attributes, children);
const svg = (name, attributes = {}, ...children) =>
  put(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);

// Three significant digits, thousands in groups, no needless zeros.
const brief = value => value.toLocaleString("en", { maximumSignificantDigits: value >= 1000 ? 21 : 3, maximumFractionDigits: 4 });

// Of many links the Tab key finds one; arrow keys, Home and End walk from there.
function walkable(links) {
  links.forEach((link, i) => {
    link.setAttribute("tabindex", i ? -1 : 0);
    link.addEventListener("keydown", event => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      const to = event.key === "Home" ? links[0] : event.key === "End" ? links.at(-1) : step && links[i + step];
      if (!to) return;
      event.preventDefault();
      link.setAttribute("tabindex", -1);
      to.setAttribute("tabindex", 0);
      to.focus();
    });
  });
}

const theme = one(".theme");
if (theme) {
  const kinds = ["system", "light", "dark"];
  const show = kind => {
    if (kind === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = kind;
    theme.textContent = `Theme: ${kind}`;
  };
  let kind = "system";
  try { kind = localStorage.getItem("modmul-theme") ?? kind; } catch { /* a page from a file may keep nothing */ }
  show(kinds.includes(kind) ? kind : "system");
  theme.hidden = false;
  theme.addEventListener("click", () => {
    kind = kinds[(kinds.indexOf(kind) + 1) % kinds.length];
    show(kind);
    try { localStorage.setItem("modmul-theme", kind); } catch { /* as above */ }
  });
}
