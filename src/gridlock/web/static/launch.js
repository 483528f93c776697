// New games against the computer from any position.

/** @import { Created } from "../answers" */
/** @import { Player, Setup } from "../page" */

import { api } from "./api.js";
import { gameLink } from "./links.js";
import { rememberedChoices, rememberedName } from "./storage.js";

const LEVEL = "medium"; // if the user has never chosen a level

/** Start a game at the most recently chosen level, and open it.
 *
 * @param {Setup} setup
 * @param {Player} seat
 */
export async function playComputer(setup, seat = 1) {
  const opponent = rememberedChoices().level ?? LEVEL;
  /** @type {Created} */
  const made = await api("/api/games", { body: { setup, opponent, seat, name: rememberedName() } });
  location.assign(gameLink(made.id, made.token));
}
