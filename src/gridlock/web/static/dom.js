// Building parts of the page. Text is only ever set as text: nothing that comes from a player is read as markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** An HTML element; attributes that start with "on" are listeners. */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function s(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** The element with an id. */
export function $(id) {
  return document.getElementById(id);
}

/** Show an element or hide it, also from screen readers. */
export function show(element, visible) {
  element.hidden = !visible;
}

/** Set text only where it differs, so that nothing is drawn or read out twice. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Put new children into an element; if one of the old had the focus, the one at the same place gets it. */
export function keepFocus(place, ...children) {
  const buttons = () => [...place.querySelectorAll("button, a")];
  const focused = buttons().indexOf(document.activeElement);
  place.replaceChildren(...children);
  if (focused >= 0) buttons()[Math.min(focused, buttons().length - 1)]?.focus();
}

/** Say something to those who listen to the page. The same words twice are said twice. */
export function announce(text) {
  const region = $("announcements");
  region.append(h("p", {}, text));
  while (region.children.length > 4) region.firstChild.remove();
}

/** A copy button for the text of a field; where the clipboard is closed, the text is selected for copying by hand. */
export function copyButton(field, label = "Copy") {
  const button = h("button", { type: "button", class: "button" }, label);
  button.addEventListener("click", async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      button.textContent = "Copied";
      announce("Copied.");
    } catch {
      const copied = document.execCommand("copy");
      button.textContent = copied ? "Copied" : "Press Ctrl+C";
      announce(copied ? "Copied." : "The link is selected. Copy it with Control C.");
    }
    setTimeout(() => setText(button, label), 2000);
  });
  return button;
}
