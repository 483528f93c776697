// This browser's local storage: the user's seats in games, name and preferences. Nothing is sent to the server.

/** @import { Remembered } from "../page" */

const GAMES = "gridlock.games";
const NAME = "gridlock.name";
const MUTED = "gridlock.muted";
const BACK = "gridlock.back.";
const KEYS = "gridlock.keys";
const THEME = "gridlock.theme";
const CHOICES = "gridlock.choices";
const KEPT = 500; // games of a few hundred bytes each; local storage holds a few megabytes

/** Return the value of a key, or `otherwise` if there is none that can be read.
 *
 * @param {string} key
 * @param {unknown} otherwise
 */
export function read(key, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null") ?? otherwise;
  } catch {
    return otherwise; // storage is not available, or the value is not JSON
  }
}

/** Set the value of a key, if storage allows it.
 *
 * @param {string} key
 * @param {unknown} value
 */
export function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Storage is not available or full. The address bar still has the link to the game.
  }
}

/** Return the games that this browser has played, latest first.
 *
 * @returns {Remembered[]}
 */
export function rememberedGames() {
  const games = read(GAMES, []);
  return Array.isArray(games) ? games : [];
}

/** Remember a game: its id, its token, and its entry in lists. All rounds of a match have the same token.
 *
 * If there are too many games, finished games are dropped first.
 *
 * @param {Remembered} entry
 */
export function rememberGame(entry) {
  const games = [entry, ...rememberedGames().filter((one) => one.game !== entry.game && one.token !== entry.token)];
  while (games.length > KEPT) games.splice(Math.max(games.findLastIndex((one) => one.over), 1), 1);
  write(GAMES, games);
}

/** Return this browser's seat in a game, if it has one.
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

/** Add games from another browser, and return those that are new.
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

/** Return whether an option is on that is off by default.
 *
 * @param {"sound" | "notify"} what
 */
export function isOn(what) {
  return read(`gridlock.${what}`, false) === true;
}

/** Turn on or off an option whose default is off.
 *
 * @param {"sound" | "notify"} what
 * @param {boolean} on
 */
export function turn(what, on) {
  write(`gridlock.${what}`, on);
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

/** Return the choices for the last game, by the names of the form's fields.
 *
 * @returns {Record<string, string>}
 */
export function rememberedChoices() {
  const choices = read(CHOICES, {});
  return typeof choices === "object" ? choices : {};
}

/** Remember the choices for a game.
 *
 * @param {Record<string, string>} choices
 */
export function rememberChoices(choices) {
  write(CHOICES, choices);
}

/** Return what the server gave this tab to come back to a game with; empty if there is none.
 *
 * @param {string} game
 */
export function readBack(game) {
  try {
    return sessionStorage.getItem(BACK + game) ?? "";
  } catch {
    return ""; // storage is not available
  }
}

/** Remember what this tab can come back to a game with.
 *
 * @param {string} game
 * @param {string} back
 */
export function rememberBack(game, back) {
  try {
    if (back) sessionStorage.setItem(BACK + game, back);
  } catch {
    // Storage is not available or full. It is only needed after a reload.
  }
}

/** Return whether reactions and requests for a takeback are muted. */
export function isMuted() {
  return read(MUTED, false) === true;
}

/** Mute or unmute reactions and requests for a takeback.
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

/** Return this browser's nonce for joining a game. It never changes, so joining twice is harmless.
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
