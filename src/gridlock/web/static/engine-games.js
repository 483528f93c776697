// The games that the engine in this browser plays. They are saved here, so that they continue after a reload.

const KEY = "gridlock.engine.";

/** Return all saved games, as the engine wrote them. */
export function allGames() {
  /** @type {Record<string, string>} */
  const games = {};
  try {
    for (const [key, value] of Object.entries(localStorage)) if (key.startsWith(KEY)) games[key.slice(KEY.length)] = value;
  } catch {
    // Storage is not available, so a game lasts as long as its page.
  }
  return games;
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
    // Storage is not available or full. The game continues until the page is closed.
  }
}
