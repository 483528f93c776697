// Puzzle addresses: links to a daily puzzle, a position, practice puzzles or a timed run.

/** @import { Puzzle } from "../answers" */

import { api, Failure } from "./api.js";
import { queryOf, readAt } from "./links.js";
import { dateOf, openPuzzle, rememberOpen } from "./progress.js";

/** The puzzles that a URL requests. The kind is `day` for the puzzle of one day, `practice` for puzzles of a given
 * difficulty (from all games, or from one), `sent` for a position that a friend has sent, and `run` for a timed run. `at`
 * is the query with the position, if any.
 *
 * @typedef {object} Wish
 * @property {"day" | "practice" | "sent" | "run"} kind
 * @property {string} day
 * @property {string} difficulty
 * @property {string} game
 * @property {string} asks what the puzzle asks for: "win", "hottest" or "trap"
 * @property {string} at
 * @property {boolean} own whether the position comes from the user's own game
 * @property {string} wrong what is wrong with the date
 */

/** Parse a query string. @param {string} search @param {string} today @returns {Wish} */
export function readWish(search, today) {
  const query = new URLSearchParams(search);
  const value = (/** @type {string} */ name) => query.get(name) ?? "";
  const [difficulty, day] = [value("difficulty"), value("day") || today];
  const kind = query.has("run") ? "run" : difficulty ? "practice" : query.has("at") ? "sent" : "day";
  const wrong = kind === "day" && !dateOf(day) ? `${day} isn't a valid date, so this is today's puzzle.` : "";
  const [at, own] = [query.has("at") ? search : "", value("from") === "game"];
  return { kind, day: wrong ? today : day, difficulty, game: value("game"), asks: value("kind") || "win", at, own, wrong };
}

/** Return a puzzle's path; a puzzle without a date is identified by this path. @param {Puzzle} puzzle */
export function nameOf({ day, kind, position }) {
  return `/puzzles${day ? `?day=${day}` : `${queryOf(position.setup)}${asking(kind)}`}`;
}

/** Return the query for puzzles of a given difficulty, game ("" for all) and kind.
 *
 * @param {string} difficulty
 * @param {string} game
 * @param {string} asks
 */
export function choiceOf(difficulty, game, asks = "win") {
  return `difficulty=${encodeURIComponent(difficulty)}${game ? `&game=${encodeURIComponent(game)}` : ""}${asking(asks)}`;
}

/** @param {string} kind */
function asking(kind) {
  return kind === "win" ? "" : `&kind=${encodeURIComponent(kind)}`;
}

/** Ask the server for the puzzle that a URL specifies.
 *
 * For each combination of difficulty, game and kind, the puzzle stays the same until the user answers it, even after a
 * reload.
 *
 * @param {Wish} wish
 * @returns {Promise<Puzzle>}
 */
export async function askPuzzle(wish) {
  const { asks: kind } = wish;
  if (wish.at) return api("/api/puzzle", { body: { setup: readAt(wish.at), kind } });
  if (wish.kind === "day") return api(`/api/puzzle?day=${encodeURIComponent(wish.day)}`);
  const choice = choiceOf(wish.difficulty, wish.game, kind);
  const open = openPuzzle(choice);
  if (open) {
    try {
      return await api("/api/puzzle", { body: { setup: readAt(open), kind } });
    } catch (error) {
      if (isPassing(error)) throw error;
      rememberOpen(choice, ""); // a server of another version may reject it
    }
  }
  return api(`/api/puzzle?${choice}`);
}

/** Return whether retrying a request may help. @param {unknown} error */
export function isPassing(error) {
  return error instanceof Failure && ["network", "busy", "too-many", "stopping", "broken"].includes(error.code);
}
