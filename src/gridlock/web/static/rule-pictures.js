// Small pictures of what each choice on the design page allows.

import { PICTURES } from "./design-rules.js";
import { s } from "./dom.js";
import { marker, shape } from "./marks.js";

const SIDE = 3; // cells
const MARKS = { X: ["X", "O"], O: ["X", "O"], A: ["A", "B"] };

/** Draw a picture for each choice in the form.
 *
 * @param {HTMLFormElement} form
 * @param {string} adjacency
 */
export function drawChoices(form, adjacency) {
  /** @type {NodeListOf<HTMLInputElement>} */
  const inputs = form.querySelectorAll(".way input");
  for (const input of inputs) {
    const choice = input.type === "radio" ? input.value : input.name;
    input.parentElement?.querySelector("svg")?.replaceWith(picture(PICTURES[adjacency][choice]));
  }
}

/** @param {string} cells */
function picture(cells) {
  const parts = [...cells].map((content, cell) => {
    const place = `translate(${(cell % SIDE) * 60} ${Math.floor(cell / SIDE) * 60})`;
    return s("g", { transform: place }, s("path", { d: "M0 0h60v60h-60z", class: content === "-" ? "shut" : "free" }), ...inside(content));
  });
  return s("svg", { viewBox: "-2 -2 184 184", class: "choice", "aria-hidden": "true" }, ...parts);
}

/** @param {string} content */
function inside(content) {
  if (content === "-") return [shape("dash", "dash")];
  if (content === ".") return [shape("dot", "open")];
  if (content === "#") return [shape("square", "shade"), shape("hatch", "hatch plain")];
  return marker(content, MARKS[/** @type {keyof typeof MARKS} */ (content)]);
}
