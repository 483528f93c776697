// Typed moves, in any notation that players use; the server parses them.

/** @import { Why } from "../answers" */
/** @import { Setup } from "../page" */

import { api } from "./api.js";

/** Return a typed move's cell and why it is illegal, if it is, or "swap"; throw an error if it cannot be parsed.
 *
 * @param {Setup} setup
 * @param {string} text
 * @returns {Promise<Why | "swap">}
 */
export async function readMove(setup, text) {
  if (!text.trim()) throw new Error("Type a row and a column, such as 2 3.");
  return text.trim().toLowerCase() === "swap" ? "swap" : api("/api/why", { body: { setup, text } });
}
