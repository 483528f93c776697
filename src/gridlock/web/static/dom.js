// Building parts of the page. Text is only ever set as text: nothing that comes from a player is read as markup.

/** @import { Attributes, Child, ElementOf } from "../page" */

const SVG = "http://www.w3.org/2000/svg";

/** Give an element its attributes and children.
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

/** An HTML element; attributes that start with "on" are listeners.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} attributes
 * @param {Child[]} children
 */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element.
 *
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} attributes
 * @param {Child[]} children
 */
export function s(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** The element with an id, which the page is known to have.
 *
 * @template {string} Id
 * @param {Id} id
 */
export function $(id) {
  return /** @type {ElementOf<Id>} */ (document.getElementById(id));
}

/** Show an element or hide it, also from screen readers.
 *
 * @param {HTMLElement | SVGElement} element
 * @param {boolean} visible
 */
export function show(element, visible) {
  element.toggleAttribute("hidden", !visible);
}

/** Set text only where it differs, so that nothing is drawn or read out twice.
 *
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Put new children into an element; if one of the old had the focus, the one with the same words gets it.
 *
 * Where there is none, the element itself does: Enter must not do what somebody has not chosen.
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
  (buttons().find((one) => one.textContent === focused.textContent) ?? place).focus({ preventScroll: true });
}

/** Say something to those who listen to the page. The same words twice are said twice.
 *
 * @param {string} text
 */
export function announce(text) {
  const region = $("announcements");
  region.append(h("p", {}, text));
  while (region.children.length > 4) region.firstChild?.remove();
}

/** A copy button for the text of a field; where the clipboard is closed, the text is selected for copying by hand.
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
      announce(copied ? "Copied." : "The link is selected. Press Control C to copy it.");
    }
    setTimeout(() => setText(button, label), 2000);
  });
  return button;
}
