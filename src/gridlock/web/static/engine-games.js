// The games that the engine in this browser plays, saved here so that they can continue after a reload.

import { hasSpare, isSite } from "./address.js";

const KEY = "gridlock.engine.";

/** Return all saved games, as the engine wrote them. */
export function allGames() {
  /** @type {Record<string, string>} */
  const games = {};
  try {
    for (const [key, value] of Object.entries(localStorage)) if (key.startsWith(KEY)) games[key.slice(KEY.length)] = value;
  } catch {
    // Storage is unavailable, so there are no saved games.
  }
  return games;
}

/** Whether this browser's engine runs a game: true on a static site; elsewhere, only if the engine has saved the game.
 *
 * @param {string} game
 */
export function isHere(game) {
  return isSite || (hasSpare && isSaved(game));
}

/** Whether this browser's engine has saved a game; if it has, any page of the site can open the game.
 *
 * @param {string} game
 */
export function isSaved(game) {
  try {
    return localStorage.getItem(`${KEY}game/${game}`) !== null;
  } catch {
    return false; // storage is unavailable
  }
}

/** Call a function whenever a game changes in another window of this browser.
 *
 * @param {(games: Record<string, string>) => void} changed
 */
export function watchGames(changed) {
  window.addEventListener("storage", ({ key, newValue }) => {
    if (key?.startsWith(KEY) && newValue !== null) changed({ [key.slice(KEY.length)]: newValue });
  });
}

/** Save a game, or remove it.
 *
 * @param {string} key
 * @param {string | null} value
 */
export function keepGame(key, value) {
  try {
    if (value === null) localStorage.removeItem(KEY + key);
    else localStorage.setItem(KEY + key, value);
  } catch {
    // Storage is unavailable or full. The user can play on, but cannot resume the game after closing its page.
  }
}
