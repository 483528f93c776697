// Replay a series of moves on a board, one at a time, given the positions before the first move and after the last.

/** @import { Board, Entry, Position } from "../answers" */

/** Return the board after each of the moves that lead from `before` to `after`.
 *
 * Moves can be replayed without the game's rules: a move marks its own cell, and a cell becomes blocked only when a
 * pawn leaves it.
 *
 * @param {Position} before
 * @param {Position} after
 * @returns {Board[]}
 */
export function frames(before, after) {
  const moves = after.moves.slice(before.moves.length).filter((entry) => entry.kind === "move");
  let { cells } = before.board;
  const boards = moves.map((move) => {
    cells = played(cells, move, after.board.cells);
    return { ...after.board, cells, last: move.cell, legal: [], causes: [] };
  });
  return [...boards.slice(0, -1), after.board];
}

/** @type {(cells: string, move: Entry, end: string) => string} */
function played(cells, { cell, mark }, end) {
  return Array.from(cells, (content, at) => {
    if (at === cell) return mark;
    return content === mark && end[at] !== mark ? "#" : content;
  }).join("");
}
