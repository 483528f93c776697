// Who plays: names, marks, whose turn it is and the score.

import { h } from "./dom.js";
import { glyph } from "./marks.js";

function role(player, state) {
  if (!player.joined) return "not here yet";
  if (state.you.seats.length === 1 && state.you.seats[0] === player.player) return "you";
  return player.kind === "person" ? "" : "computer";
}

function card(player, state) {
  const toMove = state.to_move === player.player;
  const won = state.outcome?.winner === player.player;
  const score = state.score[player.player - 1];
  const turn = won ? "wins" : toMove ? (state.thinking ? "is thinking" : "to move") : "";
  return h(
    "div",
    { class: `player${toMove ? " turn" : ""}${won ? " won" : ""}` },
    glyph(player.mark, state.board.marks),
    h("div", { class: "who" }, h("b", {}, player.name), h("small", {}, [role(player, state), turn].filter(Boolean).join(" · "))),
    state.thinking && toMove ? h("span", { class: "thinking", "aria-hidden": "true" }, h("i"), h("i"), h("i")) : null,
    state.round > 1 || state.outcome
      ? h("span", { class: "score" }, h("span", { class: "unseen" }, "Rounds won: "), String(score))
      : null,
  );
}

/** Show both players. */
export function showPlayers(place, state) {
  place.replaceChildren(...state.players.map((player) => card(player, state)));
}
