// The set-up board: markers are placed by hand, and the server says whether the position can arise in play.

/** @import { Position, SetUp } from "../answers" */
/** @import { Board } from "./board.js" */
/** @import { Cell, Setup } from "../page" */

import { api, wordsOf } from "./api.js";
import { cellName } from "./board.js";
import { $, announce, h, setText, show } from "./dom.js";
import { glyph } from "./marks.js";

const EMPTY = ".";
const ERASE = "erase";
const LAST = "last";
const MOMENT = 200; // milliseconds without a change before the server is asked

/** Write a position as one line, with ? for an unknown last marker.
 *
 * @param {Setup} setup
 * @param {{ rows: number, cols: number, origin: number, marks: string[], adjacency: string }} board
 * @param {string[]} cells
 * @param {string} turn
 * @param {Cell | null} last
 */
export function written(setup, board, cells, turn, last) {
  const { rows, cols, origin, marks } = board;
  const lines = Array.from({ length: rows }, (_, row) => cells.slice(row * cols, (row + 1) * cols).join("").replace(/\.+/g, (run) => String(run.length)));
  const name = (/** @type {Cell} */ cell) => `${Math.floor(cell / cols) + origin},${(cell % cols) + origin}`;
  const lasts = marks.map((mark) => (!cells.includes(mark) ? "-" : last !== null && cells[last] === mark ? name(last) : "?"));
  return [setup.game, board.adjacency, lines.join("/"), turn, ...lasts, setup.swap ? "swap" : "-"].join(" ");
}

export class Editor {
  isOpen = false;
  position = /** @type {Position} */ (/** @type {unknown} */ (null)); // the game, and its board before any change
  /** @type {string[]} */
  cells = []; // empty, a mark, or a pawn's mark in lower case for its trail
  /** @type {Cell[]} */
  order = []; // the cells with markers, the latest last
  turn = "";
  tool = "";
  /** @type {SetUp | null} */
  answer = null;
  words = ""; // what is wrong
  timer = 0;
  asked = 0;

  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    $("tools").addEventListener("change", (event) => {
      this.tool = /** @type {HTMLInputElement} */ (event.target).value;
    });
    $("turns").addEventListener("change", (event) => {
      this.turn = /** @type {HTMLInputElement} */ (event.target).value;
      this.changed();
    });
  }

  /** Edit a position. @param {Position} position */
  async open(position) {
    this.take(position);
    this.isOpen = true;
    this.show();
    await this.check();
    this.show();
  }

  close() {
    this.isOpen = false;
    clearTimeout(this.timer);
    this.asked += 1; // ignore an answer that is still on its way
  }

  /** Edit another game or board; if `keeps` is true, keep the markers that fit on the new board.
   *
   * @param {Position} position
   * @param {boolean} keeps
   */
  async renew(position, keeps) {
    const { cells, order, position: before } = this;
    const { board, setup } = position;
    this.take(position);
    if (keeps && before.setup.game === setup.game && !this.answer?.pawns) {
      const moved = (/** @type {Cell} */ cell) => {
        const [row, col] = [Math.floor(cell / before.board.cols), cell % before.board.cols];
        return row < board.rows && col < board.cols ? row * board.cols + col : -1;
      };
      for (const cell of order) if (moved(cell) >= 0) this.cells[moved(cell)] = cells[cell];
      this.order = order.map(moved).filter((cell) => cell >= 0);
    }
    this.answer = null;
    await this.check();
    this.show();
  }

  /** @param {Position} position */
  take(position) {
    const { board, setup, moves } = position;
    const trail = (/** @type {Cell} */ cell) => board.marks[board.trails[0].includes(cell) ? 0 : 1].toLowerCase();
    this.position = position;
    this.cells = [...board.cells].map((content, cell) => (content === "#" ? trail(cell) : content));
    this.turn = position.mark ?? board.marks[(moves.length + setup.starts - 1) % 2];
    this.tool = board.marks[0];
    const heads = (setup.position?.split(" ").slice(4, 6) ?? []).map((name) => this.cells.findIndex((_, cell) => cellName(board, cell) === name));
    const marked = this.cells.flatMap((content, cell) => (board.marks.includes(content) ? [cell] : []));
    this.order = [...new Set([...moves.map((move) => move.cell ?? -1), ...heads].reverse())].reverse().filter((cell) => marked.includes(cell));
    this.order.unshift(...marked.filter((cell) => !this.order.includes(cell)));
  }

  /** Return the other side's latest marker, which the side to move must follow. */
  last() {
    if (!this.answer?.follows || this.answer.pawns) return null;
    return this.order.findLast((cell) => this.cells[cell] !== this.turn) ?? null;
  }

  /** Use the chosen tool on a cell. @param {Cell} cell */
  use(cell) {
    const { cells, tool } = this;
    const { marks } = this.position.board;
    const content = cells[cell];
    const isMarker = marks.includes(content);
    if (tool === LAST && !isMarker) {
      announce("Choose the marker that was placed last.");
      return;
    }
    if (tool === LAST) this.turn = marks[content === marks[0] ? 1 : 0];
    else if (tool === ERASE || content === tool) cells[cell] = EMPTY;
    else this.place(cell);
    this.order = this.order.filter((one) => one !== cell && marks.includes(cells[one]));
    if (marks.includes(cells[cell])) this.order.push(cell);
    const [first, second] = marks.map((mark) => cells.filter((inside) => inside.toUpperCase() === mark).length);
    if (tool !== LAST && Math.abs(first - second) === 1) this.turn = marks[first > second ? 1 : 0];
    else if (first === second && cells[cell] === tool) this.turn = marks[tool === marks[0] ? 1 : 0]; // it was placed last
    const placed = cells[cell] === EMPTY ? "empty" : marks.includes(cells[cell]) ? cells[cell] : `trail of ${cells[cell].toUpperCase()}`;
    announce(`${cellName(this.position.board, cell)}, ${tool === LAST ? "last marker" : placed}`);
    this.changed();
  }

  /** Place a marker, or move a pawn, which leaves a trail on its old cell. @param {Cell} cell */
  place(cell) {
    const { cells, tool } = this;
    const before = this.answer?.pawns ? cells.indexOf(tool) : -1;
    if (before >= 0) cells[before] = tool.toLowerCase();
    cells[cell] = tool;
  }

  changed() {
    this.asked += 1;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.check().then(() => this.show()), MOMENT);
    this.show();
  }

  /** Ask the server whether a game can reach the position; if so, return the position.
   *
   * @returns {Promise<Position | null>}
   */
  async check() {
    clearTimeout(this.timer);
    this.asked += 1;
    const mine = this.asked;
    const { setup, board } = this.position;
    const before = this.words;
    try {
      const line = written(setup, board, this.cells, this.turn, this.last());
      /** @type {SetUp} */
      const answer = await api("/api/setup", { body: { line, definition: setup.definition } });
      if (mine !== this.asked) return null;
      const isFirst = this.answer === null;
      [this.answer, this.words] = [answer, answer.words];
      if (isFirst && answer.follows && this.last() !== null) return this.check(); // now with the last marker
    } catch (error) {
      if (mine !== this.asked) return null;
      this.words = wordsOf(error);
      if (this.answer) this.answer = { ...this.answer, position: null, cells: [] };
    }
    if (this.words !== before) announce(this.words || "This position is legal.");
    return this.answer?.position ?? null;
  }

  // -- drawing ------------------------------------------------------------------------------------------------------

  show() {
    if (!this.isOpen) return;
    const { board } = this.position;
    const { cells, answer } = this;
    this.board.show({
      board: {
        ...board,
        cells: cells.map((content) => (content === EMPTY || board.marks.includes(content) ? content : "#")).join(""),
        trails: /** @type {[Cell[], Cell[]]} */ (board.marks.map((mark) => cells.flatMap((content, cell) => (content === mark.toLowerCase() ? [cell] : [])))),
        legal: [],
        last: this.last(),
      },
      causes: answer?.cells ?? [],
      mark: this.turn,
    });
    setText($("words"), "Place markers on the board.");
    $("status").className = "status";
    setText($("setup-problem"), this.words);
    show($("setup-possible"), this.words === "" && answer?.position !== null);
    setText($("setup-possible"), answer?.position?.outcome?.words ?? `${this.turn} is to move.`);
    this.showTools();
  }

  showTools() {
    const { marks } = this.position.board;
    const pawns = this.answer?.pawns ?? false;
    const follows = !pawns && (this.answer?.follows ?? false);
    const key = [...marks, pawns, follows].join();
    if ($("tools").dataset.key !== key) {
      $("tools").dataset.key = key;
      const trails = pawns ? marks.map((mark) => /** @type {[string, string, boolean]} */ ([mark.toLowerCase(), `Trail of ${mark}`, false])) : [];
      /** @type {[string, string, boolean][]} */
      const tools = [...marks.map((mark) => /** @type {[string, string, boolean]} */ ([mark, mark, true])), ...trails];
      if (follows) tools.push([LAST, "Last marker", false]);
      tools.push([ERASE, "Erase", false]);
      $("tools").replaceChildren(...tools.map(([value, label, isMark]) => choice("tool", value, label, isMark ? marks : null)));
      $("turns").replaceChildren(...marks.map((mark) => choice("turn", mark, mark, marks)));
    }
    for (const [name, value] of [["tool", this.tool], ["turn", this.turn]]) {
      const input = /** @type {HTMLInputElement | null} */ (document.querySelector(`input[name="${name}"][value="${value}"]`));
      if (input) input.checked = true;
    }
  }
}

/** @type {(group: string, value: string, label: string, marks: string[] | null) => HTMLElement} */
function choice(group, value, label, marks) {
  const picture = marks ? glyph(value, marks) : null;
  return h("label", { class: "segment" }, h("input", { type: "radio", name: group, value, "aria-label": label }), h("span", {}, picture, marks ? "" : label));
}
