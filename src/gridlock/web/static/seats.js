// The seats that this browser holds, as they are listed, and as they travel to another browser: in a file or in a link.

/** @import { State } from "../answers" */
/** @import { Remembered } from "../page" */

import { readGame } from "./links.js";

const KIND = "seats of GridLock games";
const LONGEST = 400; // letters of a text from a file that somebody may have written by hand

/** A game as a list remembers it.
 *
 * @param {State} state
 * @param {string} token
 * @returns {Remembered}
 */
export function remembering(state, token) {
  const others = state.players.filter((player) => !state.you.seats.includes(player.player));
  const { title, rows, cols, cells, marks, last } = state.board;
  return {
    game: state.game,
    token,
    title,
    against: others.length ? `against ${others[0].name}` : "on one screen",
    size: `${rows} × ${cols}`,
    standing: standing(state),
    over: state.outcome !== null,
    mine: state.you.seats.length === 1 && state.you.may.includes("move"),
    seen: Date.now(),
    board: { rows, cols, cells, marks: [...marks], last },
  };
}

/** How a game stands for whoever sits here, in the few words of a list.
 *
 * @param {State} state
 */
function standing(state) {
  const isAlone = state.you.seats.length === 1;
  if (state.outcome && isAlone) return state.outcome.winner === state.you.seats[0] ? "you won" : "you lost";
  if (state.outcome) return `${state.players[state.outcome.winner - 1].name} won`;
  if (state.players.some((player) => !player.joined)) return "waiting for an opponent";
  if (isAlone) return state.you.may.includes("move") ? "your turn" : "waiting for your opponent";
  return state.ply === 1 ? "1 move" : `${state.ply} moves`;
}

/** Seats as a file.
 *
 * @param {Remembered[]} games
 */
export function seatsFile(games) {
  return `${JSON.stringify({ kind: KIND, games }, null, 1)}\n`;
}

/** The seats in a file; an error, with words, if it holds something else.
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
    // No JSON at all: said below.
  }
  if (read?.kind !== KIND || !Array.isArray(read.games)) throw new Error("No games in this file. Export them in the other browser first.");
  return read.games.filter(isSeat).map(plain);
}

/** @param {any} one */
function isSeat(one) {
  return typeof one?.game === "string" && typeof one.token === "string" && readGame(`#${one.game}/${one.token}`) !== null;
}

/** What a file says of a game, and nothing else; how it stands, the server says.
 *
 * @param {any} one
 * @returns {Remembered}
 */
function plain({ game, token, title, against, size }) {
  const text = (/** @type {unknown} */ value) => (typeof value === "string" ? value.slice(0, LONGEST) : "");
  return { game, token, title: text(title) || "A game", against: text(against), size: text(size), seen: Date.now() };
}

/** A link that hands seats to another browser. They stand behind the #, which no server ever sees.
 *
 * @param {Pick<Remembered, "game" | "token">[]} games
 */
export function seatsLink(games) {
  return `/games#take/${games.map(({ game, token }) => `${game}/${token}`).join(",")}`;
}

/** The seats of such a link, or null.
 *
 * @param {string} hash
 * @returns {Remembered[] | null}
 */
export function readSeatsLink(hash) {
  if (!hash.startsWith("#take/")) return null;
  const seats = hash.slice(6).split(",").map((one) => readGame(`#${one}`));
  return seats.filter((one) => one !== null).map((one) => plain(one));
}
