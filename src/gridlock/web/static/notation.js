// Moves that are typed, in any form that players use: the server reads them.

/** @import { Why } from "../answers" */
/** @import { Setup } from "../page" */

import { api } from "./api.js";

/** The cell of a typed move and why it cannot be played, or "swap"; an error, with words, if it cannot be read.
 *
 * @param {Setup} setup
 * @param {string} text
 * @returns {Promise<Why | "swap">}
 */
export async function readMove(setup, text) {
  if (!text.trim()) throw new Error("Type a row and a column, such as 2 3.");
  return text.trim().toLowerCase() === "swap" ? "swap" : api("/api/why", { body: { setup, text } });
}
