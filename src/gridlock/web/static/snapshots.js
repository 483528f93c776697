// Snapshots of the most recent games, for viewing offline.

/** @import { State } from "../answers" */

import { isHere } from "./engine-games.js";
import { read, write } from "./storage.js";

const GAMES = "gridlock.kept";
const MOST = 20; // games
const LARGEST = 100_000; // characters per game; local storage holds a few million

/** @returns {State[]} */
function snapshots() {
  const states = read(GAMES, []);
  return Array.isArray(states) ? states : [];
}

/** Save the current state of a game.
 *
 * @param {State} state
 */
export function saveSnapshot(state) {
  if (JSON.stringify(state).length > LARGEST) return;
  write(GAMES, [state, ...snapshots().filter((one) => one.game !== state.game)].slice(0, MOST));
}

/** Return a game's last saved state, or null. The state is read-only if the game is on a server.
 *
 * @param {string} game
 * @returns {State | null}
 */
export function readSnapshot(game) {
  const state = snapshots().find((one) => one.game === game);
  if (!state || isHere(game)) return state ?? null;
  return { ...state, you: { ...state.you, may: [] } };
}
