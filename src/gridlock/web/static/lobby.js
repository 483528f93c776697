// The lobby: public games that anyone can join or watch.

/** @import { Challenge, Lobby, Seat, Watched } from "../answers" */

import { api, wordsOf } from "./api.js";
import { clockWords } from "./clock.js";
import { $, h, keepFocus, setText, show } from "./dom.js";
import { gameLink } from "./links.js";
import { nonceFor, seatIn } from "./storage.js";

const OFTEN = 5000; // milliseconds between updates while the page is visible

/** @param {Challenge | Watched} game */
function about({ board, swap, clock, own_rule }) {
  const facts = [board.replace("x", " × "), swap && "swap rule", clock && clockWords(clock)].filter(Boolean).join(" · ");
  return own_rule === null ? [h("small", {}, facts)] : [h("small", {}, facts), h("small", {}, `Custom game: ${own_rule}`)];
}

/**
 * @param {Challenge} one
 * @param {() => string} name
 */
function challenge(one, name) {
  const mine = seatIn(one.game);
  const who = mine ? "Your open game. Anyone can join" : `${one.name} is waiting for an opponent`;
  const words = h("span", { class: "who" }, h("b", {}, one.title), h("small", {}, who), ...about(one));
  if (mine) return h("li", {}, h("a", { class: "today-card", href: gameLink(mine.game, mine.token) }, words));
  const button = h("button", { type: "button", class: "button" }, `Play ${one.name}`);
  button.addEventListener("click", () => take(one, name()));
  return h("li", { class: "today-card" }, words, button);
}

/** @param {Watched} one */
function watched(one) {
  const [first, second] = one.names;
  const words = h("span", { class: "who" }, h("b", {}, `Watch ${one.title}`), h("small", {}, `${first} against ${second}`), ...about(one));
  return h("li", {}, h("a", { class: "today-card", href: gameLink(one.game, one.watch) }, words));
}

/**
 * @param {Challenge} one
 * @param {string} name
 */
async function take(one, name) {
  try {
    /** @type {Seat} */
    const seat = await api(`/api/games/${one.game}/join`, { token: one.invitation, body: { name, nonce: nonceFor(one.game) } });
    location.assign(gameLink(seat.id, seat.token));
  } catch (error) {
    setText($("lobby-problem"), wordsOf(error));
  }
}

/** Show the lists, and keep them up to date.
 *
 * @param {() => string} name
 */
export async function showLobby(name) {
  let last = "";
  const look = async () => {
    if (document.visibilityState === "hidden") return;
    try {
      /** @type {Lobby} */
      const lobby = await api("/api/lobby");
      if (JSON.stringify(lobby) === last) return;
      last = JSON.stringify(lobby);
      show($("lobby"), lobby.challenges.length + lobby.games.length > 0);
      keepFocus($("lobby"), ...lobby.challenges.map((one) => challenge(one, name)), ...lobby.games.map(watched));
    } catch {
      // The server is not answering. Submitting the form shows an error.
    }
  };
  setInterval(look, OFTEN);
  await look();
}
