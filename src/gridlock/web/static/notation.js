// Typed moves and positions, in any notation players use; the server parses them.

/** @import { Why } from "../answers" */
/** @import { Setup } from "../page" */

import { api } from "./api.js";

/** Parse a move. Return "swap", or the cell and any reason why the move is illegal. Throw an error if parsing fails.
 *
 * @param {Setup} setup
 * @param {string} text
 * @returns {Promise<Why | "swap">}
 */
export async function readMove(setup, text) {
  if (!text.trim()) throw new Error("Type a row and a column, such as 2 3.");
  return text.trim().toLowerCase() === "swap" ? "swap" : api("/api/why", { body: { setup, text } });
}

/** Return whether pasted text is a one-line position, such as `showdown king 5/2X2/5/5/O4 X 2,3 5,1 -`.
 *
 * @param {string} text
 */
export function isPositionLine(text) {
  return /^\w+[\s:]+(king|orthogonal)[\s:]/.test(text);
}
