// Finds the cells to animate: those that have closed since the player's last turn.

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

  /** Return the empty cells that have closed to the player to move since that player's last turn.
   *
   * If the board is the same as in the previous call, return the same cells again; if the position is earlier or
   * unrelated, return an empty set.
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
