// New games from any position, against the computer or a friend.

/** @import { Created, State } from "../answers" */
/** @import { Player, Setup } from "../page" */

import { api, Failure } from "./api.js";
import { isHere, isSaved } from "./engine-games.js";
import { gameLink } from "./links.js";
import { remembering } from "./seats.js";
import { saveSnapshot } from "./snapshots.js";
import { rememberedChoices, rememberedName, rememberGame } from "./storage.js";

const UNSAVED = "This browser can't save your game: storage for this site is blocked or full. Allow storage or free up space, then try again.";
const LEVEL = "medium"; // if the user has never chosen a level

/** Start a game at the last chosen level, and open it.
 *
 * @param {Setup} setup
 * @param {Player} seat
 */
export async function playComputer(setup, seat = 1) {
  const opponent = rememberedChoices().level ?? LEVEL;
  await launch({ setup, opponent, seat });
}

/** Start a game with an open seat, and open its page, which shows an invitation link.
 *
 * @param {Setup} setup
 */
export async function inviteFriend(setup) {
  await launch({ setup, opponent: "link" });
}

/** Start a game, under the user's name by default, and open it.
 *
 * @param {{ setup: Setup, opponent: string, seat?: Player, name?: string, other_name?: string }} wish
 */
export async function launch(wish) {
  /** @type {Created} */
  const made = await api("/api/games", { body: { name: rememberedName(), ...wish } });
  await openGame(made);
}

/** Open a new game. If the game runs in this browser, first save a snapshot and a list entry. The snapshot lets the
 * page show the game while the engine loads. The list entry keeps the game in the user's list even if the user leaves
 * at once.
 *
 * @param {Created} made
 */
export async function openGame({ id, token }) {
  if (isHere(id)) {
    if (!isSaved(id)) throw new Failure("storage", UNSAVED);
    /** @type {State} */
    const state = await api(`/api/games/${id}`, { token });
    saveSnapshot(state);
    rememberGame(remembering(state, token));
  }
  location.assign(gameLink(id, token));
}
