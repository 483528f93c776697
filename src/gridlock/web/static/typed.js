// Moves that are typed, in any form that players use: the server reads them, as it reads a pasted game.

/** @import { Position } from "../answers" */
/** @import { Cell, Setup } from "../page" */

import { api, Failure } from "./api.js";

/** The cell of a typed move, or null for a swap; an error, with words, if it is none or not possible.
 *
 * @param {Setup} setup
 * @param {string} text
 * @returns {Promise<Cell | null>}
 */
export async function readTyped(setup, text) {
  if (!text.trim()) throw new Error("Type a row and a column, such as 2 3.");
  /** @type {Position} */
  const then = await asked(setup, text);
  const made = then.setup.moves.slice(setup.moves.length);
  if (made.length !== 1) throw new Error("One move at a time, please.");
  return made[0] === "swap" ? null : then.board.last;
}

/**
 * @param {Setup} setup
 * @param {string} text
 */
async function asked(setup, text) {
  try {
    return await api("/api/position", { body: { setup, text } });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // Of a list the server says which move it is about; here there is only one, so the reason alone has to be said.
    const [, reason] = /^Move 1 .*? (?:cannot be read|is not possible): (.*)$/.exec(error.message) ?? ["", error.message];
    throw new Error(reason[0].toUpperCase() + reason.slice(1));
  }
}
