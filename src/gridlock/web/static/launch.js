// New games from any position, against the computer or a friend.

/** @import { Created } from "../answers" */
/** @import { Player, Setup } from "../page" */

import { api } from "./api.js";
import { isHere } from "./engine-games.js";
import { gameLink } from "./links.js";
import { saveSnapshot } from "./snapshots.js";
import { rememberedChoices, rememberedName } from "./storage.js";

const LEVEL = "medium"; // if the user has never chosen a level

/** Start a game at the most recently chosen level, and open it.
 *
 * @param {Setup} setup
 * @param {Player} seat
 */
export async function playComputer(setup, seat = 1) {
  const opponent = rememberedChoices().level ?? LEVEL;
  await launch({ setup, opponent, seat });
}

/** Start a game with an open seat, and open it; it shows the invitation to send.
 *
 * @param {Setup} setup
 */
export async function inviteFriend(setup) {
  await launch({ setup, opponent: "link" });
}

/** Start a game with the user's name, if no other is given, and open it.
 *
 * @param {{ setup: Setup, opponent: string, seat?: Player, name?: string, other_name?: string }} wish
 */
export async function launch(wish) {
  /** @type {Created} */
  const made = await api("/api/games", { body: { name: rememberedName(), ...wish } });
  await openGame(made);
}

/** Open a new game. If it is in this browser's engine, its page shows it before the engine has loaded.
 *
 * @param {Created} made
 */
export async function openGame({ id, token }) {
  if (isHere(id)) saveSnapshot(await api(`/api/games/${id}`, { token }));
  location.assign(gameLink(id, token));
}
