// Helpers for building the page. All content is set as text, so a player's input is never parsed as markup.

/** @import { Attributes, Child, ElementOf } from "../page" */

const SVG = "http://www.w3.org/2000/svg";

/** Set an element's attributes and children.
 *
 * @template {Element} E
 * @param {E} element
 * @param {Attributes} attributes
 * @param {Child[]} children
 * @returns {E}
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (name === "value") Object.assign(element, { value });
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => typeof child === "string" || child instanceof Node));
  return element;
}

/** Create an HTML element; attributes that start with "on" are listeners.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} attributes
 * @param {Child[]} children
 */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** Let the browser save text as a file.
 *
 * @param {string} name
 * @param {string} text
 * @param {string} type
 */
export function saveFile(name, text, type) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000); // some browsers read the text only after this function has ended
}

/** Create an SVG element.
 *
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} attributes
 * @param {Child[]} children
 */
export function s(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** Return the element with this id, which must exist.
 *
 * @template {string} Id
 * @param {Id} id
 */
export function $(id) {
  return /** @type {ElementOf<Id>} */ (document.getElementById(id));
}

/** Show or hide an element.
 *
 * @param {HTMLElement | SVGElement} element
 * @param {boolean} visible
 */
export function show(element, visible) {
  element.toggleAttribute("hidden", !visible);
}

/** Set an element's text only if the new text differs from the old, so that nothing is drawn or read out twice.
 *
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Replace an element's children; if an old child had the focus, focus the new child with the same id or text.
 *
 * If no new child has the old child's id or text, the parent gets the focus, so that Enter cannot trigger an unintended
 * action.
 *
 * @param {HTMLElement} place
 * @param {(Node | string)[]} children
 */
export function keepFocus(place, ...children) {
  const buttons = () => [.../** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll("button, a"))];
  const focused = buttons().find((one) => one === document.activeElement);
  place.replaceChildren(...children);
  if (!focused) return;
  place.tabIndex = -1;
  (buttons().find((one) => (focused.id ? one.id === focused.id : one.textContent === focused.textContent)) ?? place).focus({ preventScroll: true });
}

/** Announce text to screen readers. Repeated text is announced again.
 *
 * @param {string} text
 */
export function announce(text) {
  const region = $("announcements");
  region.append(h("p", {}, text));
  while (region.children.length > 4) region.firstChild?.remove();
}

/** Create a copy button for a field; if there is no clipboard, the button selects the text for manual copying.
 *
 * @param {HTMLInputElement} field
 * @param {string} label
 */
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
      announce(copied ? "Copied." : "Press Ctrl+C to copy the selected text.");
    }
    setTimeout(() => setText(button, label), 2000);
  });
  return button;
}
