// Requests to join a game, and requests for its earlier positions, its record or its review.

/** @import { Review, Seat } from "../answers" */
/** @import { Actions } from "./actions.js" */
/** @import { Link, Match } from "./match.js" */

import { api, wordsOf } from "./api.js";
import { $, announce, saveFile, setText } from "./dom.js";
import { nonceFor, rememberName } from "./storage.js";

export class Requests {
  /**
   * @param {Match} match
   * @param {Actions} actions
   */
  constructor(match, actions) {
    this.match = match;
    this.actions = actions;
  }

  /** @param {number} ply */
  async look(ply) {
    this.actions.endHint();
    if (ply >= this.match.state.ply) {
      this.match.looking = null;
    } else {
      const answer = await this.actions.page.connection().request({ type: "look", ply });
      this.match.looking = answer.ply < this.match.state.ply ? answer : null;
    }
    const { shown } = this.match;
    const last = shown.moves.findLast((move) => move.kind !== "pass");
    announce(last ? `After move ${shown.ply}: ${last.words}.` : "The start of the game.");
    this.actions.page.draw();
  }

  /** Show an earlier position, then scroll to the board, because the move list may be far below.
   *
   * @param {number} ply
   */
  async lookFromAfar(ply) {
    await this.look(ply);
    $("board").scrollIntoView({ block: "nearest" });
  }

  /** @returns {Promise<string>} */
  record() {
    const { game, token } = this.match.link;
    return api(`/api/games/${game}/record`, { token });
  }

  /** @param {HTMLButtonElement} button */
  async review(button) {
    button.disabled = true;
    setText(button, "Reviewing…");
    const { setup } = this.match.state;
    try {
      const record = await this.record();
      /** @type {Review} */
      const answer = await api("/api/review", { body: { record } });
      if (setup.moves.join() === this.match.state.setup.moves.join()) this.match.found = answer;
      announce(`Review. ${answer.summary}`);
    } catch (error) {
      this.actions.tell(wordsOf(error));
    }
    this.actions.page.draw();
    if (this.match.found) $("review").scrollIntoView({ block: "nearest" });
  }

  async download() {
    try {
      saveFile(`${this.match.state.setup.game}-${this.match.link.game.slice(0, 8)}.txt`, await this.record(), "text/plain");
    } catch (error) {
      this.actions.tell(wordsOf(error));
    }
  }

  /** Take the open seat, then call `seated` with the seat's link.
   *
   * @param {SubmitEvent} event
   * @param {(link: Link) => unknown} seated
   */
  async join(event, seated) {
    event.preventDefault();
    const { game, token } = this.match.link;
    const name = $("join-name").value;
    rememberName(name);
    $("join-button").disabled = true;
    setText($("join-problem"), "");
    try {
      /** @type {Seat} */
      const seat = await api(`/api/games/${game}/join`, { token, body: { name, nonce: nonceFor(game) } });
      seated({ game: seat.id, token: seat.token, ply: null });
    } catch (error) {
      setText($("join-problem"), wordsOf(error));
    } finally {
      $("join-button").disabled = false;
    }
  }
}
