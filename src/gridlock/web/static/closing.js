// Finds the cells to animate: the empty cells that the player to move could have taken on their previous turn, but
// can no longer take.

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
  cells = new Set(); // the cells returned last
  /** @type {Map<string, Board>} */
  turns = new Map(); // the board on each side's latest turn

  /** Return the empty cells that the player to move could have taken on their previous turn, but can no longer take.
   *
   * If the board is the same as in the previous call, return the same cells again. If the player has no legal move, or
   * the position does not directly follow the player's previous turn, return an empty set.
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
