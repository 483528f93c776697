// What this browser remembers: the games it holds seats in, and the name its user goes by. Nothing leaves it.

/** @import { Remembered } from "../page" */

const GAMES = "gridlock.games";
const NAME = "gridlock.name";
const MUTED = "gridlock.muted";
const KEYS = "gridlock.keys";
const THEME = "gridlock.theme";
const CHOICES = "gridlock.choices";
const KEPT = 500; // of a few hundred bytes each; storage holds some megabytes

/** What was written under a key, if it can be had.
 *
 * @param {string} key
 * @param {unknown} otherwise
 */
export function read(key, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null") ?? otherwise;
  } catch {
    return otherwise; // storage is closed or holds something else
  }
}

/** Keep something under a key, if it can be kept.
 *
 * @param {string} key
 * @param {unknown} value
 */
export function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Closed or full: the address bar still holds the way back to the game.
  }
}

/** The games this browser has played, the latest first.
 *
 * @returns {Remembered[]}
 */
export function rememberedGames() {
  const games = read(GAMES, []);
  return Array.isArray(games) ? games : [];
}

/** Remember a game as it stands: its id and token, and what a list says of it. The rounds of a match share their token.
 *
 * Where there are too many, those go first that are over: nobody has a turn in them.
 *
 * @param {Remembered} entry
 */
export function rememberGame(entry) {
  const games = [entry, ...rememberedGames().filter((one) => one.game !== entry.game && one.token !== entry.token)];
  while (games.length > KEPT) games.splice(Math.max(games.findLastIndex((one) => one.over), 1), 1);
  write(GAMES, games);
}

/** The seat that this browser holds in a game, if any.
 *
 * @param {string} game
 */
export function seatIn(game) {
  return rememberedGames().find((one) => one.game === game);
}

/** Bring a game in the list up to date, where it stands in it.
 *
 * @param {Remembered} entry
 */
export function updateGame(entry) {
  write(GAMES, rememberedGames().map((one) => (one.game === entry.game ? entry : one)));
}

/** Add games from elsewhere; those that were not here before are told.
 *
 * @param {Remembered[]} games
 */
export function takeGames(games) {
  const known = new Set(rememberedGames().map((one) => one.game));
  const fresh = games.filter((one) => !known.has(one.game));
  write(GAMES, [...fresh, ...rememberedGames()].slice(0, KEPT));
  return fresh;
}

/** Forget one game.
 *
 * @param {string} game
 */
export function forgetGame(game) {
  write(GAMES, rememberedGames().filter((one) => one.game !== game));
}

/** Forget all games. */
export function forgetGames() {
  write(GAMES, []);
}

/** Whether single keys do something. */
export function usesKeys() {
  return read(KEYS, true) !== false;
}

/** Turn single keys on or off.
 *
 * @param {boolean} on
 */
export function useKeys(on) {
  write(KEYS, on);
}

/** Whether something is on that is off until somebody wants it.
 *
 * @param {"sound" | "notify"} what
 */
export function isOn(what) {
  return read(`gridlock.${what}`, false) === true;
}

/** Turn such a thing on or off.
 *
 * @param {"sound" | "notify"} what
 * @param {boolean} on
 */
export function turn(what, on) {
  write(`gridlock.${what}`, on);
}

/** The colours that were chosen; "" follows the system. */
export function rememberedTheme() {
  return String(read(THEME, ""));
}

/** Remember colours.
 *
 * @param {string} theme
 */
export function rememberTheme(theme) {
  write(THEME, theme);
}

/** What was chosen for the last game, by the names of the form's fields.
 *
 * @returns {Record<string, string>}
 */
export function rememberedChoices() {
  const choices = read(CHOICES, {});
  return typeof choices === "object" ? choices : {};
}

/** Remember what was chosen.
 *
 * @param {Record<string, string>} choices
 */
export function rememberChoices(choices) {
  write(CHOICES, choices);
}

/** Whether what other players say is not to be shown. */
export function isMuted() {
  return read(MUTED, false) === true;
}

/** Mute the others, or listen to them again.
 *
 * @param {boolean} on
 */
export function mute(on) {
  write(MUTED, on);
}

/** The user's name. */
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

/** A number that makes a repeated join of a game harmless: the same one each time in this browser.
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
