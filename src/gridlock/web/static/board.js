// A board that is drawn as in `gridlock show` and works with keyboards and screen readers.

/** @import { Board as BoardView } from "../answers" */
/** @import { Cell, View } from "../page" */

import { Closing } from "./closing.js";
import { Confirm } from "./confirm.js";
import { cellName, describe } from "./description.js";
import { h, s } from "./dom.js";
import { marker, middleText, shape } from "./marks.js";
import { Pairs } from "./pairs.js";
import { drawArea } from "./regions.js";
import { Toast } from "./toast.js";
import { drawStep, drawValue, strengths } from "./values.js";
import { Zoom } from "./zoom.js";

export { cellName };

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const FAR = 1000;
/** @type {Record<string, number[]>} */
const STEPS = {
  ...ARROWS,
  Home: [0, -FAR],
  End: [0, FAR],
  PageUp: [-FAR, 0],
  PageDown: [FAR, 0],
};

/** @type {Omit<View, "board">} */
const PLAIN = {
  mine: false, mark: null, pending: null, causes: [], refused: null, values: new Map(), line: new Map(), better: [], pairs: [], mirror: [],
  region: [], areas: new Map(), hint: null, note: null, winner: null, isLost: false, isStuck: false,
  confirm: () => "never",
};

export class Board {
  /** @type {HTMLElement[]} */
  cells = [];
  /** @type {string[]} */
  drawn = [];
  view = /** @type {View} */ (/** @type {unknown} */ (null)); // until the first view is shown
  rows = 0;
  cols = 0;
  origin = 0;
  /** @type {Cell | null} */
  fresh = null;
  /** @type {Map<Cell, number>} */
  strengths = new Map(); // how strongly to draw each value

  /** Create a board inside an element; `choose` is called with each cell that the user selects.
   *
   * @param {HTMLElement} place
   * @param {(cell: Cell) => unknown} choose
   */
  constructor(place, choose) {
    this.choose = choose;
    this.focus = 0;
    this.grid = h("div", { class: "cells", role: "grid", "aria-label": "Board" });
    this.pairs = new Pairs();
    this.across = h("div", { class: "across", "aria-hidden": "true" });
    this.down = h("div", { class: "down", "aria-hidden": "true" });
    const field = h("div", { class: "field" }, this.pairs.links, this.pairs.images, this.grid);
    this.frame = h("div", { class: "frame coming" }, this.across, this.down, field);
    const scroller = h("div", { class: "scroller" }, this.frame);
    place.replaceChildren(scroller);
    this.toast = new Toast(place);
    this.zoom = new Zoom(place, scroller, this.frame, () => this.zoom.reveal(this.cells[this.view?.board.last ?? this.focus]));
    this.confirm = new Confirm(this.zoom, (cell) => this.play(cell), () => this.show(this.view));
    this.closing = new Closing();
    this.grid.addEventListener("click", (event) => this.clicked(event));
    this.grid.addEventListener("keydown", (event) => this.pressed(event));
    for (const type of ["pointerover", "focusin"]) this.grid.addEventListener(type, (event) => this.point(event.target));
  }

  /** Draw the board that the server sent, with extras such as a hint.
   *
   * `mine`: the user may play the legal cells. `pending`: a move being sent, with its mark. `causes`:
   * markers to highlight as the reason why the cell `refused` is closed. `values`: each cell's verdict and distance.
   * `line`: moves to show as numbered ghosts. `areas`: the regions. `better`: cells to mark with a star. `hint`: the cell to play. `region`: the region to play in. `pairs`: cells to
   * join with curves. `mirror`: cells and their mirror images; only the cell under the pointer shows its image. `note`:
   * text to show on the board, away from the refused cell or the last move. `confirm`: returns the setting for
   * confirming moves.
   *
   * @param {Partial<View> & { board: BoardView }} view
   */
  show(view) {
    const before = /** @type {View | null} */ (this.view);
    this.view = { ...PLAIN, ...view };
    this.fresh = this.freshCell(before);
    this.frame.dataset.ended = this.view.winner === null ? "" : this.view.isLost ? "lost" : "won";
    const { board } = this.view;
    if (board.rows !== this.rows || board.cols !== this.cols || board.origin !== this.origin) this.build(board);
    this.grid.setAttribute("aria-label", `${board.title} board, ${board.rows} rows by ${board.cols} columns`);
    this.grid.dataset.mine = String(this.view.mine);
    this.grid.dataset.side = this.view.mark === null ? "" : this.view.mark === board.marks[0] ? "one" : "two";
    const legal = new Set(board.legal);
    this.confirm.check(this.view);
    const closing = this.closing.next(this.view);
    const causes = new Set(this.view.causes);
    const better = new Set(this.view.better);
    this.pairs.take(this.view.pairs, this.view.mirror);
    this.strengths = strengths(this.view.values);
    for (let cell = 0; cell < this.cells.length; cell += 1) {
      this.draw(cell, { legal: legal.has(cell), cause: causes.has(cell), better: better.has(cell), isClosing: closing.has(cell) });
    }
    this.pairs.draw();
    const at = this.confirm.cell ?? this.view.refused ?? board.last ?? 0;
    this.toast.show(this.confirm.cell === null ? this.view.note : this.confirm.question, at >= this.cells.length / 2);
    if (board.last !== null && board.last !== before?.board.last) this.zoom.reveal(this.cells[board.last]);
  }

  /** Return the cell to animate (another player's new move), or null.
   *
   * @param {View | null} before
   */
  freshCell(before) {
    const { last, cells, rows, cols } = this.view.board;
    if (last === null || !before || before.board.rows !== rows || before.board.cols !== cols) return null;
    return before.board.cells[last] !== cells[last] && before.pending?.cell !== last ? last : null;
  }

  /** Move the keyboard focus to the board. */
  takeFocus() {
    this.cells[this.focus]?.focus();
  }

  /** @param {BoardView} board */
  build(board) {
    const { rows, cols, origin } = board;
    Object.assign(this, { rows, cols, origin });
    this.frame.classList.remove("coming");
    this.frame.style.setProperty("--rows", String(rows));
    this.frame.style.setProperty("--cols", String(cols));
    document.body.style.setProperty("--shape", String(cols / rows));
    this.across.replaceChildren(...Array.from({ length: cols }, (_, col) => h("span", {}, String(col + origin))));
    this.down.replaceChildren(...Array.from({ length: rows }, (_, row) => h("span", {}, String(row + origin))));
    this.cells = [];
    this.drawn = [];
    const lines = Array.from({ length: rows }, () => {
      const line = h("div", { role: "row", class: "row" });
      for (let col = 0; col < cols; col += 1) {
        const cell = h("div", { role: "gridcell", class: "cell", tabindex: "-1", "data-cell": this.cells.length });
        this.cells.push(cell);
        line.append(cell);
      }
      return line;
    });
    this.grid.replaceChildren(...lines);
    this.pairs.resize(rows, cols);
    this.focus = Math.min(Math.floor(rows / 2) * cols + Math.floor(cols / 2), this.cells.length - 1);
    this.cells[this.focus].tabIndex = 0;
    this.confirm.cell = null;
    this.zoom.reset();
  }

  /**
   * @param {Cell} cell
   * @param {Record<"legal" | "cause" | "better" | "isClosing", boolean>} about
   */
  draw(cell, { legal, cause, better, isClosing }) {
    const { board, mine, mark, pending } = this.view;
    const content = board.cells[cell];
    const trail = content === "#" ? board.trails?.findIndex((cells) => cells.includes(cell)) ?? -1 : -1;
    const value = this.view.values.get(cell);
    const strength = this.strengths.get(cell);
    const step = this.view.line.get(cell);
    const area = this.view.areas.get(cell);
    const placing = pending?.cell === cell ? pending : null;
    const isRefused = this.view.refused === cell;
    const isChosen = this.confirm.cell === cell;
    const key = [content, trail, legal, cause, better, mine, mark, board.last === cell, placing !== null, isRefused, isChosen, value?.verdict,
      value?.distance, strength, step?.mark, step?.number, ...Object.values(area ?? {}), this.view.hint === cell, this.view.region.includes(cell), this.pairs.answers.get(cell),
      content === this.view.winner, this.view.isStuck, this.fresh === cell, isClosing].join();
    if (this.drawn[cell] === key) return;
    this.drawn[cell] = key;
    /** @type {SVGElement[]} */
    const parts = [];
    if (content === "#") {
      parts.push(shape("square", "shade"), shape("hatch", `hatch ${["one", "two falling"][trail] ?? "plain"}`));
    }
    if (board.last === cell) parts.push(shape("frame", cause ? "last quiet" : "last"));
    const isWinner = content === this.view.winner;
    const isClosed = this.view.isStuck && content === ".";
    if (content !== "." && content !== "#") {
      const state = `${this.fresh === cell ? "fresh " : ""}${isWinner ? "winner" : ""}`;
      parts.push(s("g", { class: state || null }, ...marker(content, board.marks)));
    }
    if (isClosed) parts.push(s("g", { class: "closed" }, shape("square", "shade"), shape("dash", "dash")));
    if (isChosen && mark) parts.push(shape("frame", "chosen"), s("g", { class: "pending" }, ...marker(mark, board.marks)));
    else if (placing) parts.push(s("g", { class: "pending" }, ...marker(placing.mark, board.marks)));
    else if (step) parts.push(...drawStep(step, board.marks));
    else if (value) parts.push(...drawValue(value, strength));
    else if (area) parts.push(...drawArea(area, board.marks));
    else if (better || this.view.hint === cell) parts.push(shape("star", "better"));
    else if (this.view.region.includes(cell)) parts.push(middleText("?", "region"));
    else if (legal) {
      parts.push(shape(mine ? "dot" : "hollow", mine ? "open" : "open theirs"));
      if (mine && mark) parts.push(s("g", { class: "ghost" }, ...marker(mark, board.marks)));
    }
    else if (isClosing) parts.push(shape("dot", "open closing"));
    if (cause) parts.push(shape("corners", `cause ${this.lockSide()}`));
    if (isRefused) parts.push(shape("frame", "refused"));
    const element = this.cells[cell];
    element.replaceChildren(s("svg", { viewBox: "0 0 60 60", "aria-hidden": "true" }, ...parts));
    element.classList.toggle("playable", (legal && mine) || step !== undefined);
    const answer = this.pairs.answers.get(cell);
    element.setAttribute("aria-label", describe(this.view, cell, { legal, cause, better, isPending: placing !== null, isChosen, answer }));
  }

  /** Return the winner's side ("one" or "two"), or "" if there is no winner. Markers that lock the loser out are framed
   * in the winner's colour.
   */
  lockSide() {
    const { board, winner } = this.view;
    return winner === null ? "" : winner === board.marks[0] ? "one" : "two";
  }

  /** @param {EventTarget | null} target */
  point(target) {
    const cell = target instanceof Element ? /** @type {HTMLElement | null} */ (target.closest("[data-cell]")) : null;
    if (cell) this.pairs.point(Number(cell.dataset.cell));
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    const at = /** @type {Element} */ (event.target);
    const cell = /** @type {HTMLElement | null} */ (at.closest("[data-cell]"));
    if (!cell) return;
    const number = Number(cell.dataset.cell);
    this.moveFocus(number, { preventScroll: true });
    if (this.confirm.isNeeded(this.view, number)) this.confirm.ask(this.view, number);
    else this.play(number);
  }

  /** @param {Cell} cell */
  play(cell) {
    this.confirm.cell = null;
    this.choose(cell);
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const step = STEPS[event.key];
    if (step) {
      const row = clamp(Math.floor(this.focus / this.cols) + step[0], this.rows);
      const col = clamp((this.focus % this.cols) + step[1], this.cols);
      this.moveFocus(row * this.cols + col);
      event.preventDefault();
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      if (!event.repeat) this.play(this.focus);
    }
  }

  /**
   * @param {Cell} cell
   * @param {FocusOptions} [options]
   */
  moveFocus(cell, options) {
    this.cells[this.focus].tabIndex = -1;
    this.focus = cell;
    this.cells[cell].tabIndex = 0;
    this.cells[cell].focus(options);
  }
}

/** @type {(number: number, size: number) => number} */
function clamp(number, size) {
  return Math.max(0, Math.min(size - 1, number));
}
