// The card that appears when a game ends: the result, the reason, the score, and what to do next.

/** @import { Actions } from "./actions.js" */
/** @import { Match } from "./match.js" */
/** @import { Requests } from "./requests.js" */

import { urlOf } from "./address.js";
import { $, h, keepFocus, s, show } from "./dom.js";
import { gameLink } from "./links.js";
import { glyph } from "./marks.js";
import { showOffer } from "./panels.js";
import { shareGame } from "./sharing.js";

const MOMENT = 900; // milliseconds before the card appears, because the last move deserves a look
const SPARKS = 10;
const MARGIN = 8; // pixels above the card

export class ResultCard {
  isOpen = false;
  isComing = false; // whether it opens in a moment; the buttons below it make room at once, so that none vanishes under a click
  drawn = "";
  /** @type {number | undefined} */
  timer;

  /**
   * @param {HTMLElement} place
   * @param {Match} match
   * @param {Actions} actions
   * @param {Requests} requests
   */
  constructor(place, match, actions, requests) {
    this.place = place;
    this.match = match;
    this.actions = actions;
    this.requests = requests;
    this.body = h("div", { class: "result-body" });
    place.append(this.body, h("button", { type: "button", class: "button round quiet shut", "aria-label": "Close", onclick: () => this.close() }, cross()));
    addEventListener("resize", () => this.lower());
  }

  /** Open the card a moment after the game ends. */
  open() {
    clearTimeout(this.timer);
    this.isComing = true;
    this.timer = setTimeout(() => {
      this.isComing = false;
      this.isOpen = this.match.isOver && !this.match.looking;
      this.actions.page.draw();
      if (!this.isOpen) return;
      if (!document.querySelector("dialog[open]")) this.place.focus({ preventScroll: true });
      $("board").scrollIntoView({ block: "nearest" });
      this.place.scrollIntoView({ block: "nearest" });
    }, MOMENT);
  }

  /** Close the card; the focus returns to the board. */
  close() {
    clearTimeout(this.timer);
    if (!this.isOpen && !this.isComing) return;
    this.isComing = false;
    const hadFocus = this.place.contains(document.activeElement);
    this.isOpen = false;
    this.actions.page.draw();
    if (hadFocus) /** @type {HTMLElement | null} */ ($("board").querySelector("[tabindex='0']"))?.focus({ preventScroll: true });
  }

  draw() {
    const { match, place } = this;
    const { ending, state } = match;
    if (!ending || match.looking) this.isOpen = false;
    show(place, this.isOpen);
    $("actions").classList.toggle("behind", this.isOpen || this.isComing);
    const key = this.isOpen ? JSON.stringify([ending, state.score, match.offer, state.you.may, state.rematch]) : "";
    if (this.drawn === key) return; // drawing again would start the animation again
    this.drawn = key;
    if (!this.isOpen || !ending) return this.body.replaceChildren();
    const winner = state.outcome && state.players[state.outcome.winner - 1];
    place.className = `result${winner && !match.isLost ? " won" : ""}`;
    keepFocus(
      this.body,
      h("div", { class: "medal", "aria-hidden": "true" }, winner && glyph(winner.mark, state.board.marks), winner && !match.isLost && sparks()),
      h("h2", { id: "result-title" }, ending.title),
      h("p", { class: "why" }, capitalised(ending.why)),
      this.score(),
      ...this.offer(),
      h("div", { class: "actions" }, ...this.buttons()),
    );
    this.lower();
  }

  /** Keep the card on the page: above the board, it grows upwards, and a tall card must cover part of the board instead. */
  lower() {
    const { place } = this;
    place.style.removeProperty("--lower");
    const top = place.offsetTop + (place.offsetParent?.getBoundingClientRect().top ?? 0) + scrollY - MARGIN;
    if (top < 0) place.style.setProperty("--lower", `${top}px`);
  }

  /** The score over all rounds. */
  score() {
    const { players, score, board } = this.match.state;
    const [one, other] = players.map(({ mark, name }) => h("span", { class: "side-of" }, glyph(mark, board.marks), h("b", {}, name)));
    const label = `Rounds won: ${players.map(({ name }, index) => `${name} ${score[index]}`).join(", ")}`;
    return h("p", { class: "tally", "aria-label": label, role: "img" }, one, h("span", { class: "points" }, `${score[0]} – ${score[1]}`), other);
  }

  /** A rematch request, with answer buttons. */
  offer() {
    const { match, actions } = this;
    if (match.offer?.what !== "rematch") return [];
    const place = h("div", { class: "asked" });
    showOffer(place, match.offer, (what) => match.may(what), (accept) => actions.act({ type: "answer", accept, ...actions.now() }));
    return [place];
  }

  buttons() {
    const { match, actions } = this;
    const { state, link, welcome } = match;
    /** @type {(label: string, run: (button: HTMLButtonElement) => unknown, style?: string) => HTMLElement} */
    const button = (label, run, style = "") => {
      const made = h("button", { type: "button", class: `button ${style}` }, label);
      made.addEventListener("click", () => run(made));
      return made;
    };
    const buttons = [];
    if (match.may("rematch")) buttons.push(button("Rematch", () => actions.act({ type: "ask", what: "rematch", ...actions.now() }), "primary"));
    if (state.rematch) buttons.push(h("a", { class: "button primary", href: gameLink(state.rematch, link.token) }, "Next round"));
    if (state.outcome && state.ply) buttons.push(button("Review", (made) => this.review(made)));
    if (state.ply) buttons.push(button("Share", () => shareGame(state.setup, link.game, welcome.watch ?? link.token)));
    buttons.push(h("a", { class: "button", href: urlOf("/") }, "New game"));
    return buttons;
  }

  /** Show the game's review on this page, and close the result card.
   *
   * @param {HTMLButtonElement} button
   */
  async review(button) {
    await this.requests.review(button);
    this.close();
    if (this.match.found) $("review").focus({ preventScroll: true });
  }
}

/** @param {string} words */
function capitalised(words) {
  return words[0].toUpperCase() + words.slice(1);
}

function cross() {
  return s("svg", { viewBox: "0 0 24 24", class: "icon line", "aria-hidden": "true" }, s("path", { d: "M6 6l12 12m0-12L6 18" }));
}

/** Short rays that fly out from the winner's mark. */
function sparks() {
  const rays = Array.from({ length: SPARKS }, (_, index) => s("path", { d: "M0-40v-7", transform: `rotate(${(index * 360) / SPARKS})` }));
  return s("svg", { viewBox: "-50 -50 100 100", class: "sparks" }, ...rays);
}
