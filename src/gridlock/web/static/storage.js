// This browser's local storage: the user's name, preferences and seats in games. Nothing is sent to the server.

/** @import { Remembered } from "../page" */

import { keepGame } from "./engine-games.js";

const GAMES = "gridlock.games";
const NAME = "gridlock.name";
const MUTED = "gridlock.muted";
const BACK = "gridlock.back.";
const KEYS = "gridlock.keys";
const THEME = "gridlock.theme";
const CONFIRM = "gridlock.confirm";
const NUMBERS = "gridlock.numbers"; // also read by theme.js
const CHOICES = "gridlock.choices";
export const KEPT = 500; // games of a few hundred bytes each; local storage holds a few megabytes

/** Return the value of a key, or `otherwise` if there is no readable value.
 *
 * @param {string} key
 * @param {unknown} otherwise
 */
export function read(key, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null") ?? otherwise;
  } catch {
    return otherwise; // storage is unavailable, or the value is not JSON
  }
}

/** Set the value of a key, and return true; if storage rejects the value, keep the old one and return false.
 *
 * @param {string} key
 * @param {unknown} value
 */
export function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false; // Storage is unavailable or full. The address bar still contains the link to the game.
  }
}

/** Return the games played in this browser, latest first.
 *
 * @returns {Remembered[]}
 */
export function rememberedGames() {
  const games = read(GAMES, []);
  return Array.isArray(games) ? games : [];
}

/** Remember a game: its id, its token, and the details shown in lists. All rounds of a match share one token.
 *
 * If there are too many games, finished games are dropped: imported ones first, then the oldest. An unfinished
 * game is never dropped, because its seat may be stored nowhere else.
 *
 * @param {Remembered} entry
 */
export function rememberGame(entry) {
  const others = rememberedGames().filter((one) => one.game !== entry.game && one.token !== entry.token);
  const stay = dropped(others, (one) => one.over === true, KEPT - 1);
  write(GAMES, [entry, ...stay]);
  for (const one of others) if (!stay.includes(one)) keepGame(`game/${one.game}`, null);
}

/** Return the games to keep, at most `most` if possible; drop imported games first, then the oldest.
 *
 * @param {Remembered[]} games
 * @param {(one: Remembered) => boolean} mayGo
 * @param {number} most
 */
function dropped(games, mayGo, most) {
  const order = [...games].reverse().filter(mayGo).sort((one, other) => Number(other.imported ?? false) - Number(one.imported ?? false));
  const gone = new Set(order.slice(0, Math.max(0, games.length - most)));
  return games.filter((one) => !gone.has(one));
}

/** Return this browser's seat in a game, if any.
 *
 * @param {string} game
 */
export function seatIn(game) {
  return rememberedGames().find((one) => one.game === game);
}

/** Update a game without moving it in the list.
 *
 * @param {Remembered} entry
 */
export function updateGame(entry) {
  write(GAMES, rememberedGames().map((one) => (one.game === entry.game ? entry : one)));
}

/** Add games from another browser while there is room; return the games added and the number that did not fit.
 *
 * Anyone can create a link or file that contains many games. Games from a link or file are therefore listed last. If
 * the list is full, imported games replace only older imported games that are over or no longer available.
 *
 * @param {Remembered[]} games
 */
export function takeGames(games) {
  const own = rememberedGames();
  const known = new Set(own.map((one) => one.game));
  const fresh = [...new Map(games.map((one) => [one.game, one])).values()].filter((one) => !known.has(one.game));
  const rest = dropped(own, (one) => one.imported === true && one.over === true, Math.max(0, KEPT - fresh.length));
  const added = fresh.slice(0, Math.max(0, KEPT - rest.length)).map((one) => ({ ...one, imported: true }));
  const isStored = added.length > 0 && write(GAMES, [...rest, ...added]);
  return { added: isStored ? added : [], left: fresh.length - (isStored ? added.length : 0) };
}

/** Forget some games.
 *
 * @param {...string} games
 */
export function forgetGame(...games) {
  const gone = new Set(games);
  write(GAMES, rememberedGames().filter((one) => !gone.has(one.game)));
  for (const game of games) keepGame(`game/${game}`, null);
}

/** Forget all games. */
export function forgetGames() {
  forgetGame(...rememberedGames().map((one) => one.game));
}

/** Return whether single-key shortcuts are on. */
export function usesKeys() {
  return read(KEYS, true) !== false;
}

/** Turn single-key shortcuts on or off.
 *
 * @param {boolean} on
 */
export function useKeys(on) {
  write(KEYS, on);
}

/** Return whether the option "sound" or "notify" is on; both options are off by default.
 *
 * @param {"sound" | "notify"} what
 */
export function isOn(what) {
  return read(`gridlock.${what}`, false) === true;
}

/** Turn an option on or off.
 *
 * @param {"sound" | "notify"} what
 * @param {boolean} on
 */
export function turn(what, on) {
  write(`gridlock.${what}`, on);
}

/** Return the setting for confirming moves: "always", "never", or "" (confirm only if the cells are small). */
export function rememberedConfirm() {
  return String(read(CONFIRM, ""));
}

/** Remember the setting for confirming moves.
 *
 * @param {string} when
 */
export function rememberConfirm(when) {
  write(CONFIRM, when);
}

/** Return whether boards show their row and column numbers. */
export function showsNumbers() {
  return read(NUMBERS, true) !== false;
}

/** Remember whether boards show their row and column numbers.
 *
 * @param {boolean} on
 */
export function rememberNumbers(on) {
  write(NUMBERS, on);
}

/** Return the chosen colour theme; "" follows the system. */
export function rememberedTheme() {
  return String(read(THEME, ""));
}

/** Remember the colour theme.
 *
 * @param {string} theme
 */
export function rememberTheme(theme) {
  write(THEME, theme);
}

/** Return the choices made for the last game, keyed by form field.
 *
 * @returns {Record<string, string>}
 */
export function rememberedChoices() {
  const choices = read(CHOICES, {});
  return typeof choices === "object" ? choices : {};
}

/** Remember the user's choices for a new game.
 *
 * @param {Record<string, string>} choices
 */
export function rememberChoices(choices) {
  write(CHOICES, choices);
}

/** Return the token with which this tab can rejoin a game, or "" if there is none.
 *
 * @param {string} game
 */
export function readBack(game) {
  try {
    return sessionStorage.getItem(BACK + game) ?? "";
  } catch {
    return ""; // storage is unavailable
  }
}

/** Remember the token with which this tab can rejoin a game.
 *
 * @param {string} game
 * @param {string} back
 */
export function rememberBack(game, back) {
  try {
    if (back) sessionStorage.setItem(BACK + game, back);
  } catch {
    // Storage is unavailable or full. The token is only needed after a reload.
  }
}

/** Return whether reactions and takeback requests are muted. */
export function isMuted() {
  return read(MUTED, false) === true;
}

/** Mute or unmute reactions and takeback requests.
 *
 * @param {boolean} on
 */
export function mute(on) {
  write(MUTED, on);
}

/** Return the user's name. */
export function rememberedName() {
  return String(read(NAME, ""));
}

/** Remember the user's name.
 *
 * @param {string} name
 */
export function rememberName(name) {
  write(NAME, name);
}

/** Return this browser's nonce for joining a game. The nonce never changes, so joining twice is harmless.
 *
 * @param {string} game
 */
export function nonceFor(game) {
  const key = `gridlock.nonce.${game}`;
  const kept = read(key, null);
  if (kept) return kept;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const fresh = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  write(key, fresh);
  return fresh;
}
