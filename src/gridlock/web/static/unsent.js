// A move that has not reached the server yet. The browser saves the move, and sends it once there is a connection.

/** @import { State } from "../answers" */
/** @import { Cell } from "../page" */

import { read, write } from "./storage.js";

const MOVE = "gridlock.unsent";

/** @typedef {{ game: string, cell: Cell, ply: number, line: number }} Unsent */

/** Remember a move until the server responds to it.
 *
 * @param {Unsent} move
 */
export function rememberMove(move) {
  write(MOVE, move);
}

export function forgetMove() {
  write(MOVE, null);
}

/** Return the unsent move of a game, or null.
 *
 * @param {string} game
 * @returns {Unsent | null}
 */
export function unsentMove(game) {
  const move = read(MOVE, null);
  return move?.game === game ? move : null;
}

/** Return "send" if an unsent move should still be sent, "made" if the move has already been made, or "late" if it is
 * too late to send it.
 *
 * @param {Unsent} move
 * @param {Pick<State, "ply" | "line" | "moves">} state
 */
export function fateOf({ cell, ply, line }, state) {
  if (ply === state.ply && line === state.line) return "send";
  const isMade = line === state.line && state.moves.some((move) => move.kind === "move" && move.ply === ply + 1 && move.cell === cell);
  return isMade ? "made" : "late";
}
