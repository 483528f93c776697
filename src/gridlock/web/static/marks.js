// The shapes on a board, as in the pictures of `gridlock show`: a cell is 60 by 60, with its middle at 30,30.

import { s } from "./dom.js";

const SHAPES = {
  cross: "M30 30m-13-13l26 26m0-26l-26 26",
  ring: "M30 30m-15 0a15 15 0 1 0 30 0a15 15 0 1 0-30 0z",
  disc: "M30 30m-20 0a20 20 0 1 0 40 0a20 20 0 1 0-40 0z",
  square: "M5 5h50v50h-50z",
  frame: "M30 30m-17-25h34a8 8 0 0 1 8 8v34a8 8 0 0 1-8 8h-34a8 8 0 0 1-8-8v-34a8 8 0 0 1 8-8z",
  dot: "M30 30h0",
  hollow: "M30 30m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
  hatch: "M30 30m-22-6l16-16m-16 30l30-30m-30 44l44-44m-30 44l30-30m-16 30l16-16",
  corners: "M4 17v-7a6 6 0 0 1 6-6h7M43 4h7a6 6 0 0 1 6 6v7M56 43v7a6 6 0 0 1-6 6h-7M17 56h-7a6 6 0 0 1-6-6v-7",
  dash: "M23 30h14",
  diamond: "M30 8L52 30L30 52L8 30z",
  star: "M30 11l5.6 12.2 13.4 1.6-9.9 9.1 2.6 13.2-11.7-6.5-11.7 6.5 2.6-13.2-9.9-9.1 13.4-1.6z",
};

const DRAWN = new Set(["cross", "ring"]); // shapes whose strokes are animated

/** Create an SVG path that draws a shape in a cell of the board.
 *
 * @param {keyof typeof SHAPES} name
 * @param {string} style
 */
export function shape(name, style) {
  return s("path", { d: SHAPES[name], class: style, pathLength: DRAWN.has(name) ? 100 : null });
}

/** Create SVG text in the middle of a cell of the board.
 *
 * @param {string} text
 * @param {string} style
 */
export function middleText(text, style) {
  return s("text", { x: 30, y: 30, class: style, "text-anchor": "middle", "dominant-baseline": "central" }, text);
}

/** Create a player's marker: strokes for X or O, otherwise a letter on a disc. The first side's disc is filled.
 *
 * @param {string} mark
 * @param {string[]} marks
 */
export function marker(mark, marks) {
  const side = mark === marks[0] ? "one" : "two";
  if (mark === "X") return [shape("cross", `${side} stroke`)];
  if (mark === "O") return [shape("ring", `${side} stroke`)];
  return [shape("disc", `${side} pawn`), middleText(mark, `${side} letter`)];
}

/** Create a marker as a small picture, for lists and labels.
 *
 * @param {string} mark
 * @param {string[]} marks
 */
export function glyph(mark, marks) {
  return s("svg", { viewBox: "8 8 44 44", class: "glyph", "aria-hidden": "true" }, ...marker(mark, marks));
}
