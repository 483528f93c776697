// A button to continue a game in this browser while the game's server can't be reached.

/** @import { State } from "../answers" */
/** @import { Match } from "./match.js" */

import { $, h, show } from "./dom.js";
import { launch } from "./launch.js";

/** Create the button; `failed` is called with any error. Return a function that shows or hides the button.
 *
 * @param {Match} match
 * @param {(error: unknown) => unknown} failed
 */
export function continuing(match, failed) {
  /** @type {HTMLButtonElement} */
  const button = h("button", { type: "button", class: "act", id: "continue", hidden: true }, "Continue in this browser");
  button.addEventListener("click", async () => {
    button.disabled = true;
    await continueGame(match.state).catch(failed);
    button.disabled = false;
  });
  $("connection").after(button);
  return () => {
    const { isOnline, state } = match;
    show(button, !isOnline && Boolean(state) && !match.isOver && state.opponent !== "link" && state.you.seats.length > 0);
  };
}

/** Continue a game as a new game without a clock.
 *
 * @param {State} state
 */
async function continueGame({ setup, opponent, players, you }) {
  const [seat] = you.seats;
  await launch({ setup, opponent, seat, name: players[seat - 1].name, other_name: players[2 - seat].name });
}
