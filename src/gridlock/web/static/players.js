// Player cards: each player's name, mark, turn and score.

/** @import { Presence, Seated, State } from "../answers" */

import { h } from "./dom.js";
import { glyph } from "./marks.js";
import { presenceWords } from "./presence.js";

/** @type {(player: Seated, state: State, presence: Presence | null) => string} */
function facts(player, state, presence) {
  const you = state.you.seats.length === 1 && state.you.seats[0] === player.player;
  return [player.mark, !player.joined && "not joined yet", you && "you", !you && presenceWords(presence, player.player)].filter(Boolean).join(" · ");
}

/** @type {(player: Seated, state: State, presence: Presence | null) => HTMLElement} */
function card(player, state, presence) {
  const toMove = state.to_move === player.player;
  const won = state.outcome?.winner === player.player;
  const score = state.score[player.player - 1];
  return h(
    "div",
    { class: `player${toMove ? " turn" : ""}${won ? " won" : ""}` },
    glyph(player.mark, state.board.marks),
    h("div", { class: "who" }, h("b", {}, player.name), h("small", {}, facts(player, state, presence))),
    state.clock?.left[player.player - 1] != null
      ? h("span", { class: "clock", role: "timer", "aria-label": `${player.name}'s clock`, "data-player": player.player })
      : null,
    state.thinking && toMove ? h("span", { class: "thinking", "aria-hidden": "true" }, h("i"), h("i"), h("i")) : null,
    state.round > 1 || state.outcome
      ? h("span", { class: "score" }, h("span", { class: "unseen" }, "Rounds won: "), String(score))
      : null,
  );
}

/** Show both players.
 *
 * @param {Element} place
 * @param {State} state
 * @param {Presence | null} presence
 */
export function showPlayers(place, state, presence) {
  place.replaceChildren(...state.players.map((player) => card(player, state, presence)));
}
