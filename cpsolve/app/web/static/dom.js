// Elements without innerHTML: what a server or a visitor says is always text.

export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in element && typeof value !== "string") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export function svgOf(text) {
  return document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
}

export function say(words) {
  document.getElementById("live").textContent = words;
}

export function save(name, blob) {
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

let fields = 0;

export function field(label, control, note = "") {
  control.id ||= `field-${++fields}`;
  return h("div", { class: "field" }, h("label", { for: control.id }, label), control, note && h("small", {}, note));
}

export function select(options, value, change, attributes = {}) {
  return h(
    "select",
    { ...attributes, onchange: (event) => change(event.target.value) },
    options.map(([name, words]) => h("option", { value: String(name), selected: String(name) === String(value) }, words)),
  );
}

export function check(label, value, change) {
  const box = h("input", { type: "checkbox", checked: value, onchange: (event) => change(event.target.checked) });
  return h("label", { class: "check" }, box, label);
}
