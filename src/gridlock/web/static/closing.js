// Finds the cells that have closed since the player's last turn, so that the board can animate them.

/** @import { Board } from "../answers" */
/** @import { Cell, View } from "../page" */

/** @param {Board} board */
function count(board) {
  return [...board.cells].filter((content) => content !== ".").length;
}

export class Closing {
  /** @type {Board | null} */
  board = null; // the last board seen
  /** @type {Set<Cell>} */
  cells = new Set(); // cells that close
  /** @type {Map<string, Board>} */
  turns = new Map(); // each side's last turn

  /** Return the cells that close when the next view is shown.
   *
   * Return the same cells for the same board, and none for an earlier or unrelated position.
   *
   * @param {View} view
   */
  next({ board, mark }) {
    if (board === this.board) return this.cells;
    const before = mark === null ? undefined : this.turns.get(mark);
    const made = before ? count(board) - count(before) : 0;
    const isNext = before?.cells.length === board.cells.length && made > 0 && made <= 2;
    const isOpen = new Set(board.legal);
    const lost = isNext && board.legal.length ? before.legal.filter((cell) => board.cells[cell] === "." && !isOpen.has(cell)) : [];
    this.board = board;
    this.cells = new Set(lost);
    if (mark !== null) this.turns.set(mark, board);
    return this.cells;
  }
}
