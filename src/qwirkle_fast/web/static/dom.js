// Making elements.  Text is always text here: nothing is ever read as HTML.

/** An element with attributes (`on…` are listeners, true and false as for `hidden`) and children, text or elements. */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

export function button(text, onclick, attributes = {}) {
  return make("button", { type: "button", onclick, ...attributes }, text);
}

/** A labelled choice; `options` are [value, text]. */
export function choice(label, options, value, onchange) {
  const select = make("select", { onchange: () => onchange(select.value) });
  for (const [key, text] of options) select.append(make("option", { value: key }, text));
  select.value = value;
  return field(label, select);
}

let fields = 0;

/** An input with its label beside it. */
export function field(label, input, shape = "") {
  input.id = `field-${++fields}`;
  return make("div", { class: `field ${shape}` }, make("label", { for: input.id }, label), input);
}

export function panel(title, ...children) {
  return make("section", { class: "panel" }, make("h2", {}, title), ...children);
}

/** Say something to who does not see the page. */
export function say(text) {
  document.getElementById("spoken").textContent = text;
}
