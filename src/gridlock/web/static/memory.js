// What this browser remembers: the games it holds seats in, and the name its user goes by. Nothing leaves it.

/** @import { Remembered } from "../page" */

const GAMES = "gridlock.games";
const NAME = "gridlock.name";
const KEPT = 12;

/**
 * @param {string} key
 * @param {unknown} otherwise
 */
function read(key, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null") ?? otherwise;
  } catch {
    return otherwise; // storage is closed or holds something else
  }
}

/**
 * @param {string} key
 * @param {unknown} value
 */
function write(key, value) {
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

/** Remember a game: its id and token, and what to call it in a list. The rounds of a match share their token.
 *
 * @param {Remembered} entry
 */
export function rememberGame(entry) {
  const others = rememberedGames().filter((one) => one.game !== entry.game && one.token !== entry.token);
  write(GAMES, [entry, ...others].slice(0, KEPT));
}

/** Forget all games. */
export function forgetGames() {
  write(GAMES, []);
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
