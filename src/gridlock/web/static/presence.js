// Shows which players are present, and offers to end the game if the opponent leaves or does not make the first move.

/** @import { Presence, State } from "../answers" */
/** @import { Connection } from "./connection.js" */

import { shown } from "./clock.js";
import { announce, h, keepFocus, setText, show } from "./dom.js";

const IDLE = 120_000; // milliseconds without input after which the user counts as away
const GRACE = 3000; // milliseconds of absence before the page mentions it, because players reconnect when they join or reload
const WORDS = { here: "", away: "away", gone: "not connected" };

const ENDS = { win: "claim the win", cancel: "cancel the game" };

/** Return the message that offers the user a choice between ending the game and waiting.
 *
 * @param {Presence} presence
 * @param {string} name the opponent's
 * @param {boolean} isGone
 */
function nowWords({ prize }, name, isGone) {
  if (prize === "win") return `${name} has left. Claim the win, or wait.`;
  return `${name} ${isGone ? "is not connected" : "hasn't made the first move"}. Cancel the game, or wait. Neither player wins a cancelled game.`;
}

/** Describe a waiting time in minutes and seconds, or in hours if it is long.
 *
 * @param {number} milliseconds
 */
export function waitWords(milliseconds) {
  const hours = milliseconds / 3_600_000;
  if (hours > 1) return `${Math.ceil(hours)} hours`;
  return shown(Math.ceil(milliseconds / 1000) * 1000).replace(/\.0$/, "");
}

/** Describe a player as "away" or "not connected"; return "" if the player is present.
 *
 * @param {Presence | null} presence
 * @param {number} player
 */
export function presenceWords(presence, player) {
  return presence ? WORDS[presence.seats[player - 1]] : "";
}

/** Report to the server when the user leaves this page or becomes idle, and when they return.
 *
 * @param {() => Connection} connection
 */
export function watchAttention(connection) {
  /** @type {number | undefined} */
  let timer;
  let away = false;
  const tell = () => connection()?.tell({ type: "away", away });
  /** @param {boolean} now */
  const set = (now) => {
    if (now === away) return;
    away = now;
    tell();
  };
  const alive = () => {
    clearTimeout(timer);
    timer = setTimeout(() => set(true), IDLE);
    set(document.visibilityState === "hidden");
  };
  for (const sign of ["pointerdown", "pointermove", "keydown", "visibilitychange"]) document.addEventListener(sign, alive, { passive: true });
  alive();
  return { again: () => away && tell() }; // to repeat the report after reconnecting
}

/** A prompt that offers a choice between ending the game and waiting.
 *
 * The prompt is shown if the opponent has left or has not made the first move.
 */
export class Absence {
  /** @type {number | undefined} */
  timer;
  said = false;
  /** @type {number | null} */
  began = null; // when the page first learned that the opponent is not connected
  waits = false; // after choosing to wait, the user is not asked again until the opponent has returned

  /**
   * @param {HTMLElement} place
   * @param {() => unknown} claim
   */
  constructor(place, claim) {
    this.place = place;
    this.claim = claim;
    this.words = h("p", {});
    this.buttons = h("div", { class: "actions" });
    place.replaceChildren(this.words, this.buttons);
  }

  /** Show how long the user must wait, then show buttons to end the game.
   *
   * @param {Presence | null} presence
   * @param {number} since when the presence message arrived
   * @param {State} state
   */
  show(presence, since, state) {
    clearTimeout(this.timer);
    const wait = presence?.claim ?? null;
    const isAsked = wait !== null && !state.outcome && !state.offer && state.you.seats.length === 1;
    if (wait === null) [this.said, this.waits] = [false, false];
    const { player, name } = state.players[2 - (state.you.seats[0] ?? 1)];
    const isGone = presence?.seats[player - 1] === "gone";
    this.began = isGone ? (this.began ?? performance.now()) : null;
    if (!presence || !isAsked || this.waits) {
      show(this.place, false);
      return;
    }
    const left = wait - (performance.now() - since);
    const isNow = left <= 0;
    // Show nothing while a connected opponent thinks about the first move, or right after an opponent disconnects.
    const isTold = isNow || (this.began !== null && performance.now() - this.began >= GRACE);
    show(this.place, isTold);
    if (!isNow) this.timer = setTimeout(() => this.show(presence, since, state), 500);
    if (!isTold) return;
    setText(this.words, isNow ? nowWords(presence, name, isGone) : `${name} is not connected. You can ${ENDS[presence.prize ?? "win"]} in ${waitWords(left)}.`);
    if (isNow !== this.said || !this.buttons.dataset.drawn) {
      this.buttons.dataset.drawn = "yes";
      this.said = isNow;
      keepFocus(this.buttons, ...(isNow ? this.choice(presence) : []));
      announce(this.words.textContent ?? "");
    }
  }

  /** @param {Presence} presence */
  choice({ prize }) {
    const wait = h("button", { type: "button", class: "button" }, "Wait");
    wait.addEventListener("click", () => {
      this.waits = true;
      show(this.place, false);
    });
    return [h("button", { type: "button", class: "button primary", onclick: () => this.claim() }, prize === "cancel" ? "Cancel the game" : "Claim the win"), wait];
  }
}
