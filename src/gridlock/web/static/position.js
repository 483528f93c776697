// A board that shows positions from the server, and explains why cells are closed.

/** @import { Position, Why } from "../answers" */
/** @import { Cell, Note, View } from "../page" */

import { api, wordsOf } from "./api.js";
import { Board } from "./board.js";
import { $, announce } from "./dom.js";

/** @type {Note} */
const NOTHING = { words: "", causes: [], cell: null };

export class PositionBoard {
  position = /** @type {Position} */ (/** @type {unknown} */ (null)); // until a position is shown
  /** @type {Partial<View>} */
  extra = {};
  note = NOTHING;
  isOpen = false; // whether the user can play cells

  /** Create a board in the page's board element; `choose` is called with the legal cell the user chooses.
   *
   * @param {(cell: Cell) => unknown} choose
   */
  constructor(choose) {
    this.choose = choose;
    this.board = new Board($("board"), (cell) => this.chosen(cell));
  }

  /** Show a position; `extra` overrides parts of the view.
   *
   * @param {Position} position
   * @param {Partial<View> & { isOpen?: boolean }} extra
   */
  show(position, { isOpen = !position.outcome, ...extra } = {}) {
    this.position = position;
    this.extra = extra;
    this.isOpen = isOpen;
    this.note = NOTHING;
    this.draw();
  }

  draw() {
    const { board, mark } = this.position;
    this.board.show({
      board,
      mine: this.isOpen,
      mark,
      causes: this.note.causes.length ? this.note.causes : board.causes,
      ...this.extra,
      refused: this.note.cell,
      note: this.note,
    });
  }

  /** Show a note on the board, and announce it.
   *
   * @param {string} words
   * @param {Cell[]} causes
   * @param {Cell | null} cell
   */
  tell(words, causes = [], cell = null) {
    this.note = { words, causes, cell };
    announce(words);
    this.draw();
  }

  /** @param {Cell} cell */
  async chosen(cell) {
    const { position } = this;
    if (!position || !this.isOpen) return;
    if (position.board.legal.includes(cell)) {
      await this.choose(cell);
      return;
    }
    try {
      /** @type {Why} */
      const answer = await api("/api/why", { body: { setup: position.setup, cell } });
      if (this.position === position) this.tell(answer.words, answer.causes, cell);
    } catch (error) {
      this.tell(wordsOf(error));
    }
  }
}
