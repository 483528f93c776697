// Announcements of changes in a game: screen-reader messages, sounds and notifications.

/** @import { Entry, State } from "../answers" */
/** @import { Note } from "../page" */
/** @import { Match } from "./match.js" */

import { announce } from "./dom.js";
import { notify } from "./notifications.js";
import { sound } from "./sound.js";

/** Tell screen readers what has changed.
 *
 * @param {Match} match
 * @param {State | null} before
 */
export function announceChange({ state, words, offer }, before) {
  const isSameLine = before?.line === state.line;
  const fresh = isSameLine ? state.moves.slice(before?.moves.length) : [];
  const news = fresh.filter((move) => move.kind !== "pass").map((move) => `${move.words}.`);
  if (before && !isSameLine) news.push("A move was undone.");
  if (state.pass && !(isSameLine && before?.ply === state.ply)) news.push(state.pass.words);
  if (offer && offer.words !== before?.offer?.words) news.push(offer.words);
  if (state.declined && before && !before.declined) news.push(state.declined.words);
  if (!before || before.words !== state.words) news.push(words);
  if (news.length) announce(news.join(" "));
}

/** Play a sound if the game changes, and notify a user on another tab.
 *
 * @param {Match} match
 * @param {State | null} before
 */
export function signalChange({ state, yourTurn }, before) {
  if (!before || before.game !== state.game) return;
  const isMine = (/** @type {number} */ player) => state.you.seats.includes(player);
  const last = state.moves.at(-1);
  if (state.outcome && !before.outcome) sound(!state.you.seats.length || isMine(state.outcome.winner) ? "win" : "loss");
  else if (last && state.ply > before.ply) sound(isMine(last.player) ? "mine" : "theirs");
  if (yourTurn && before.to_move !== state.to_move) notify(`Your turn · ${state.board.title}`, last ? `${last.words}.` : "");
}

/** Return a note about the opponent's swap, because the changed marks alone are easy to miss.
 *
 * @param {State} state
 * @param {Entry[]} fresh
 * @returns {Note | null}
 */
export function swapNote(state, fresh) {
  const swap = fresh.find((move) => move.kind === "swap");
  const seat = state.you.seats.length === 1 ? state.you.seats[0] : null;
  if (!swap || seat === null || swap.player === seat) return null;
  return { words: `${swap.words}. You now play ${state.players[seat - 1].mark}.`, causes: [], cell: null };
}
