// Draw the pairs of cells in a pairing or mirror strategy, in which a player answers a move on one cell of a pair with
// a move on the other cell.

/** @import { Cell } from "../page" */

import { areBeside, curvesFor, middle } from "./curves.js";
import { s, show } from "./dom.js";

const CROWD = 60; // with more curves than this, only those near the pointer are drawn, to keep them distinct
const NEAR = 2; // cells in each direction

/** Return whether a board has so many pairs that only those near the pointer are drawn.
 *
 * @param {Cell[][]} pairs
 * @param {number} cols
 */
export function isCrowded(pairs, cols) {
  return pairs.filter((pair) => !areBeside(pair, cols)).length > CROWD;
}

export class Pairs {
  links = s("svg", { class: "pairs", "aria-hidden": "true" });
  images = s("svg", { class: "pairs images", "aria-hidden": "true" });
  /** @type {Map<Cell, Cell>} */
  answers = new Map(); // from each cell to its partner or mirror image
  /** @type {Cell | null} */
  pointed = null; // the cell under the pointer or the keyboard focus
  /** @type {Cell[][]} */
  pairs = [];
  /** @type {Cell[][]} */
  mirror = [];
  rows = 0;
  cols = 0;
  drawn = "";

  /** Adapt to a different board size.
   *
   * @param {number} rows
   * @param {number} cols
   */
  resize(rows, cols) {
    Object.assign(this, { rows, cols, pointed: null, drawn: "" });
    for (const layer of [this.links, this.images]) layer.setAttribute("viewBox", `0 0 ${cols * 60} ${rows * 60}`);
  }

  /** Choose which pairs and mirror images to draw.
   *
   * @param {Cell[][]} pairs
   * @param {Cell[][]} mirror
   */
  take(pairs, mirror) {
    Object.assign(this, { pairs, mirror });
    this.answers = new Map([...pairs, ...mirror].flatMap(([one, other]) => [[one, other], [other, one]]));
  }

  /** @param {Cell} cell */
  point(cell) {
    this.pointed = cell;
    if (this.mirror.length) this.drawImage();
    if (isCrowded(this.pairs, this.cols)) this.drawPairs();
  }

  draw() {
    this.drawPairs();
    this.drawImage();
  }

  /** Draw pairs of adjacent cells as capsules, and other pairs as curves. */
  drawPairs() {
    show(this.links, this.pairs.length > 0);
    const isThin = isCrowded(this.pairs, this.cols);
    const key = `${this.pairs.join(" ")} ${isThin ? this.centre() : ""}`;
    if (this.drawn === key) return;
    this.drawn = key;
    const beside = this.pairs.filter((pair) => areBeside(pair, this.cols));
    const apart = this.pairs.filter((pair) => !areBeside(pair, this.cols) && (!isThin || pair.some((cell) => this.isNear(cell))));
    const style = (/** @type {Cell[]} */ pair) => (isThin ? `curve bold${pair.includes(this.centre()) ? " pointed" : ""}` : "curve");
    this.links.replaceChildren(
      ...beside.flatMap((pair) => capsule(pair.map((cell) => middle(cell, this.cols)))),
      ...curvesFor(apart, this.rows, this.cols).map(({ d, pair }) => s("path", { d, class: style(pair), "data-pair": pair.join() })),
      ...apart.flat().map((cell) => {
        const { x, y } = middle(cell, this.cols);
        return s("circle", { cx: x, cy: y, r: 8, class: "end" });
      }),
    );
  }

  /** Return the cell under the pointer; initially, the cell in the middle of the board. */
  centre() {
    return this.pointed ?? Math.floor(this.rows / 2) * this.cols + Math.floor(this.cols / 2);
  }

  /** @param {Cell} cell */
  isNear(cell) {
    const at = this.centre();
    const down = Math.floor(cell / this.cols) - Math.floor(at / this.cols);
    return Math.abs(down) <= NEAR && Math.abs((cell % this.cols) - (at % this.cols)) <= NEAR;
  }

  /** Draw the mirror image of the cell under the pointer or, if that cell is not in `mirror`, of the first cell in
   * `mirror`.
   */
  drawImage() {
    const { mirror } = this;
    show(this.images, mirror.length > 0);
    const from = mirror.some((pair) => pair.includes(this.pointed ?? -1)) ? this.pointed : mirror[0]?.[0];
    const to = this.answers.get(from ?? -1);
    if (!mirror.length || typeof from !== "number" || to === undefined) return;
    const [a, b] = [middle(from, this.cols), middle(to, this.cols)];
    this.images.replaceChildren(
      s("path", { d: `M${a.x} ${a.y}L${b.x} ${b.y}`, class: "curve dotted" }),
      ...[a, b].map(({ x, y }) => s("rect", { x: x - 26, y: y - 26, width: 52, height: 52, rx: 10, class: "image" })),
    );
  }
}

/** @param {{ x: number, y: number }[]} ends */
function capsule([a, b]) {
  const d = `M${a.x} ${a.y}L${b.x} ${b.y}`;
  return [s("path", { d, class: "capsule" }), s("path", { d, class: "inside" })];
}
