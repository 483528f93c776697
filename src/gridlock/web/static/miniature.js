// A small picture of a board, for lists.

/** @import { Remembered } from "../page" */

import { s } from "./dom.js";
import { marker, shape } from "./marks.js";

/** Create a small picture of a board.
 *
 * @param {NonNullable<Remembered["board"]>} board
 */
export function miniature({ rows, cols, cells, marks, last }) {
  const lines = [
    ...Array.from({ length: cols + 1 }, (_, col) => `M${col * 60} 0v${rows * 60}`),
    ...Array.from({ length: rows + 1 }, (_, row) => `M0 ${row * 60}h${cols * 60}`),
  ];
  const parts = [...cells].flatMap((content, cell) => {
    if (content === "." && cell !== last) return [];
    /** @type {SVGElement[]} */
    const inside = cell === last ? [shape("frame", "last")] : [];
    if (content === "#") inside.push(shape("square", "shade"), shape("hatch", "hatch plain"));
    else if (content !== ".") inside.push(...marker(content, marks));
    return [s("g", { transform: `translate(${(cell % cols) * 60} ${Math.floor(cell / cols) * 60})` }, ...inside)];
  });
  const box = `-3 -3 ${cols * 60 + 6} ${rows * 60 + 6}`;
  return s("svg", { viewBox: box, class: "miniature", "aria-hidden": "true" }, s("path", { d: lines.join(""), class: "lines" }), ...parts);
}

/** Create an empty placeholder for a board that is not known yet. */
export function noMiniature() {
  return s("svg", { viewBox: "0 0 60 60", class: "miniature", "aria-hidden": "true" });
}
