// Converts the user's seats in games to entries for a list, and to a file or link that transfers the seats to another
// browser.

/** @import { State } from "../answers" */
/** @import { Remembered } from "../page" */

import { urlOf } from "./address.js";
import { readGame } from "./links.js";

const KIND = "seats of GridLock games";
const PROGRESS = "progress~"; // before progress with puzzles and lessons in a link
const LONGEST = 400; // characters of a string from a file, which may have been written by hand

/** Return a game's list entry.
 *
 * @param {State} state
 * @param {string} token
 * @returns {Remembered}
 */
export function remembering(state, token) {
  const others = state.players.filter((player) => !state.you.seats.includes(player.player));
  const { title, own_rule, rows, cols, cells, marks, last } = state.board;
  return {
    game: state.game,
    token,
    title,
    against: others.length ? `against ${others[0].name}` : "on one screen",
    size: `${rows} × ${cols}${own_rule === null ? "" : " · custom game"}`,
    standing: standing(state),
    over: state.outcome !== null || state.cancelled,
    mine: state.you.seats.length === 1 && state.you.may.includes("move"),
    seen: Date.now(),
    board: { rows, cols, cells, marks: [...marks], last },
  };
}

/** Describe a game's status in a few words.
 *
 * @param {State} state
 */
function standing(state) {
  const isAlone = state.you.seats.length === 1;
  if (state.outcome && isAlone) return state.outcome.winner === state.you.seats[0] ? "you won" : "you lost";
  if (state.outcome) return `${state.players[state.outcome.winner - 1].name} won`;
  if (state.cancelled) return "cancelled";
  if (state.players.some((player) => !player.joined)) return "waiting for an opponent";
  if (isAlone) return state.you.may.includes("move") ? "your turn" : "waiting for your opponent";
  return state.ply === 1 ? "1 move" : `${state.ply} moves`;
}

/** Return the text of a file that stores seats and progress.
 *
 * @param {Remembered[]} games
 * @param {object} progress
 */
export function seatsFile(games, progress = {}) {
  return `${JSON.stringify({ kind: KIND, games, progress }, null, 1)}\n`;
}

/** Return the progress saved in a file, or null.
 *
 * @param {string} text
 */
export function progressIn(text) {
  return parsed(text)?.progress ?? null;
}

/** @type {(text: string) => any} */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Return the seats from a file, or throw an error with a message for the user.
 *
 * @param {string} text
 * @returns {Remembered[]}
 */
export function readSeats(text) {
  const read = parsed(text);
  if (read?.kind !== KIND || !Array.isArray(read.games)) throw new Error("No games in this file. Export your games from the other browser first.");
  return read.games.filter(isSeat).map(plain);
}

/** @param {any} one */
function isSeat(one) {
  return typeof one?.game === "string" && typeof one.token === "string" && readGame(`#${one.game}/${one.token}`) !== null;
}

/** Return the list entry for a game from a file or link; the game's status must be requested from the server.
 *
 * @param {any} one
 * @returns {Remembered}
 */
function plain({ game, token, title, against, size }) {
  const text = (/** @type {unknown} */ value) => (typeof value === "string" ? value.slice(0, LONGEST) : "");
  return { game, token, title: text(title) || "A game", against: text(against), size: text(size), seen: Date.now() };
}

/** Return a link that moves seats and progress to another browser. No server sees the part of the link after the #.
 *
 * @param {Pick<Remembered, "game" | "token">[]} games
 * @param {object} progress
 */
export function seatsLink(games, progress = {}) {
  const more = Object.keys(progress).length ? [PROGRESS + encodeURIComponent(JSON.stringify(progress))] : [];
  return urlOf(`/games#take/${[...games.map(({ game, token }) => `${game}/${token}`), ...more].join(",")}`);
}

/** Return a link's progress data, or null if it has none.
 *
 * @param {string} hash
 */
export function progressInLink(hash) {
  const found = hash.split(",").map((one) => one.replace("#take/", "")).find((one) => one.startsWith(PROGRESS));
  try {
    return found ? parsed(decodeURIComponent(found.slice(PROGRESS.length))) : null;
  } catch {
    return null; // the link was cut off
  }
}

/** Return the seats in a #take/ link, or null.
 *
 * @param {string} hash
 * @returns {Remembered[] | null}
 */
export function readSeatsLink(hash) {
  if (!hash.startsWith("#take/")) return null;
  const seats = hash.slice(6).split(",").map((one) => readGame(`#${one}`));
  return seats.filter((one) => one !== null).map((one) => plain(one));
}
