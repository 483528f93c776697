// This browser's seats as list entries, and as a file or a link for moving them to another browser.

/** @import { State } from "../answers" */
/** @import { Remembered } from "../page" */

import { readGame } from "./links.js";

const KIND = "seats of GridLock games";
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

/** Describe a game's status for the user, in a few words.
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

/** Return the contents of a file with seats.
 *
 * @param {Remembered[]} games
 */
export function seatsFile(games) {
  return `${JSON.stringify({ kind: KIND, games }, null, 1)}\n`;
}

/** Return the seats in a file, or throw an error with a message for the user.
 *
 * @param {string} text
 * @returns {Remembered[]}
 */
export function readSeats(text) {
  /** @type {any} */
  let read = null;
  try {
    read = JSON.parse(text);
  } catch {
    // Not JSON, which is reported below.
  }
  if (read?.kind !== KIND || !Array.isArray(read.games)) throw new Error("No games in this file. Export them in the other browser first.");
  return read.games.filter(isSeat).map(plain);
}

/** @param {any} one */
function isSeat(one) {
  return typeof one?.game === "string" && typeof one.token === "string" && readGame(`#${one.game}/${one.token}`) !== null;
}

/** Return only the known fields of a game in a file; its status comes from the server.
 *
 * @param {any} one
 * @returns {Remembered}
 */
function plain({ game, token, title, against, size }) {
  const text = (/** @type {unknown} */ value) => (typeof value === "string" ? value.slice(0, LONGEST) : "");
  return { game, token, title: text(title) || "A game", against: text(against), size: text(size), seen: Date.now() };
}

/** Return a link that moves seats to another browser. The seats follow the #, so no server ever sees them.
 *
 * @param {Pick<Remembered, "game" | "token">[]} games
 */
export function seatsLink(games) {
  return `/games#take/${games.map(({ game, token }) => `${game}/${token}`).join(",")}`;
}

/** Return the seats in a link that moves seats, or null.
 *
 * @param {string} hash
 * @returns {Remembered[] | null}
 */
export function readSeatsLink(hash) {
  if (!hash.startsWith("#take/")) return null;
  const seats = hash.slice(6).split(",").map((one) => readGame(`#${one}`));
  return seats.filter((one) => one !== null).map((one) => plain(one));
}
