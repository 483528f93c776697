// The games in this browser that are not over, and their current state on the server.

/** @import { State } from "../answers" */
/** @import { Remembered } from "../page" */

import { api, Failure } from "./api.js";
import { isHere } from "./engine-games.js";
import { remembering } from "./seats.js";
import { rememberedGames, updateGame } from "./storage.js";

/** Return the unfinished games: first those in which it is the user's turn, then all others. */
export function liveGames() {
  const live = rememberedGames().filter((one) => !one.over);
  return [...live.filter((one) => one.mine), ...live.filter((one) => !one.mine)];
}

/** Fetch each game's current state from the server, because other players may have moved.
 *
 * @param {Remembered[]} games
 */
export async function refresh(games) {
  for (const one of games) {
    try {
      /** @type {State} */
      const state = await api(`/api/games/${one.game}`, { token: one.token });
      updateGame({ ...remembering(state, one.token), seen: one.seen, ...(one.imported && { imported: true }) });
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== "token") return; // the server is down or busy, so keep the rest
      updateGame({ ...one, standing: `no longer ${isHere(one.game) ? "in this browser" : "on this server"}`, over: true, mine: false });
    }
  }
}
