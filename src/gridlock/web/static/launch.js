// New games from any position, against the computer or a friend.

/** @import { Created } from "../answers" */
/** @import { Player, Setup } from "../page" */

import { isSite } from "./address.js";
import { api } from "./api.js";
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

/** @param {{ setup: Setup, opponent: string, seat?: Player }} wish */
async function launch(wish) {
  /** @type {Created} */
  const made = await api("/api/games", { body: { ...wish, name: rememberedName() } });
  await openGame(made);
}

/** Open a new game. On a static site, its page shows it before the engine has loaded.
 *
 * @param {Created} made
 */
export async function openGame({ id, token }) {
  if (isSite) saveSnapshot(await api(`/api/games/${id}`, { token }));
  location.assign(gameLink(id, token));
}
