// The last games as they were seen last, to be read where there is no network.

/** @import { State } from "../answers" */

import { read, write } from "./storage.js";

const GAMES = "gridlock.kept";
const MOST = 20; // games
const LARGEST = 100_000; // characters of one: storage holds some millions

/** @returns {State[]} */
function snapshots() {
  const states = read(GAMES, []);
  return Array.isArray(states) ? states : [];
}

/** Keep a game as it stands.
 *
 * @param {State} state
 */
export function saveSnapshot(state) {
  if (JSON.stringify(state).length > LARGEST) return;
  write(GAMES, [state, ...snapshots().filter((one) => one.game !== state.game)].slice(0, MOST));
}

/** A game as it was seen last; nothing can be done in it.
 *
 * @param {string} game
 * @returns {State | null}
 */
export function readSnapshot(game) {
  const state = snapshots().find((one) => one.game === game);
  return state ? { ...state, you: { ...state.you, may: [] } } : null;
}
