// The game tiles and the choice of levels on the start page.

/** @import { Book, Level } from "../answers" */
/** @import { OwnGame } from "../page" */

import { urlOf } from "./address.js";
import { h, s } from "./dom.js";
import { miniature } from "./miniature.js";
import { pictureOf } from "./pictures.js";

/** @type {(name: string, checked: boolean, own: boolean, ...parts: (Node | string)[]) => HTMLElement} */
function tile(name, checked, own, ...parts) {
  const input = h("input", { type: "radio", name: "game", value: name, checked });
  return h("label", { class: own ? "option game own" : "option game" }, input, h("span", { class: "face" }, ...parts));
}

/**
 * @param {Book} game
 * @param {boolean} checked
 */
export function gameTile({ name, title }, checked) {
  const picture = h("img", { src: urlOf(`/pictures/${encodeURIComponent(name)}.svg`), alt: "", width: 200, height: 200 });
  return tile(name, checked, false, picture, h("b", {}, title));
}

/** @param {OwnGame & { picture?: string }} game */
export function ownTile({ name, title, board, picture }) {
  const [rows, cols] = board.split("x").map(Number);
  const empty = () => miniature({ rows, cols, cells: ".".repeat(rows * cols), marks: ["X", "O"], last: null });
  return tile(name, false, true, picture ? pictureOf(picture, { alt: "", width: 200, height: 200 }) : empty(), h("b", {}, title), h("small", {}, "Your own"));
}

/** Create a button for a level, with a strength icon.
 *
 * @param {Level} level
 * @param {number} strength
 * @param {boolean} checked
 */
export function levelSegment({ name, summary }, strength, checked) {
  const bars = [1, 2, 3, 4, 5].map((bar) => s("path", { d: `M${bar * 5 - 3} 13v${-2 * bar - 1}`, class: bar > strength ? "weak" : null }));
  const mark = s("svg", { viewBox: "0 0 24 14", class: "strength", "aria-hidden": "true" }, ...bars);
  return h("label", { class: "segment" }, h("input", { type: "radio", name: "level", value: name, checked, title: summary }), h("span", {}, mark, capital(name)));
}

/**
 * @param {Level} level
 * @param {boolean} selected
 */
export function levelOption({ name, summary }, selected) {
  return h("option", { value: name, selected, title: summary }, capital(name));
}

/** @param {string} name */
function capital(name) {
  return name[0].toUpperCase() + name.slice(1);
}
