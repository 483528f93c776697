// Describes cells for screen readers, with the most important facts first.

/** @import { Board } from "../answers" */
/** @import { Cell, View } from "../page" */

import { valueWords } from "./values.js";

/** Return a cell's name, as players type it.
 *
 * @param {Pick<Board, "cols" | "origin">} board
 * @param {Cell} cell
 */
export function cellName(board, cell) {
  return `${Math.floor(cell / board.cols) + board.origin},${(cell % board.cols) + board.origin}`;
}

/** Describe a cell.
 *
 * @param {View} view
 * @param {Cell} cell
 * @param {object} about
 * @param {boolean} about.legal
 * @param {boolean} about.cause
 * @param {boolean} about.better
 * @param {boolean} about.isPending
 * @param {boolean} about.isChosen
 * @param {Cell | undefined} about.answer the cell that answers it
 */
export function describe(view, cell, { legal, cause, better, isPending, isChosen, answer }) {
  const { board, mine } = view;
  const content = board.cells[cell];
  const words = [cellName(board, cell)];
  if (isPending) words.push("being placed");
  else if (content === "#") words.push("blocked");
  else if (content !== ".") words.push(content);
  else if (legal) words.push(mine ? "you can play here" : "free");
  else words.push(board.legal.length || view.isStuck ? "closed" : "empty");
  if (isChosen) words.push("chosen");
  const value = view.values.get(cell);
  if (value) words.push(valueWords(value));
  const step = view.line.get(cell);
  if (step) words.push(`move ${step.number} of the best line, ${step.mark}`);
  const area = view.areas.get(cell);
  if (area?.letter) words.push(`region ${area.letter}${area.isBest ? ", its best cell" : ""}`);
  else if (area) words.push(`free move for ${area.free}`);
  if (better) words.push("would have kept the win");
  if (view.hint === cell) words.push("hint");
  else if (view.region.includes(cell)) words.push("the move is one of these");
  if (answer !== undefined) words.push(`answered by row ${cellName(board, answer).replace(",", " column ")}`);
  if (board.last === cell) words.push("last move");
  if (cause) words.push(view.winner === null ? "in the way" : "locks the loser");
  return words.join(", ");
}
