// A line of play that explains a hint: its moves as buttons, and the position after the chosen move.

/** @import { Position } from "../answers" */
/** @import { Setup } from "../page" */

import { api, wordsOf } from "./api.js";
import { announce, h } from "./dom.js";

export class Line {
  /** @type {Position | null} */
  position = null; // the one on display, if the user has chosen a move
  chosen = -1; // that move
  trouble = "";

  /**
   * @param {Setup} setup
   * @param {string[]} names the moves
   * @param {() => unknown} drawn called when the board must be redrawn
   */
  constructor(setup, names, drawn) {
    this.setup = setup;
    this.names = names;
    this.drawn = drawn;
  }

  /** Create the buttons; if a move can't be shown, say why. */
  chips() {
    const chips = this.names.map((name, index) => {
      const isShown = index === this.chosen;
      return h("button", { type: "button", class: "chip", "aria-pressed": String(isShown), onclick: () => this.go(isShown ? -1 : index) }, name);
    });
    return h("div", { class: "chips", role: "group", "aria-label": "One line of play" }, ...chips, this.trouble);
  }

  /** Show the position after a move, or the game's position for -1.
   *
   * @param {number} index
   */
  async go(index) {
    this.chosen = index;
    this.trouble = "";
    /** @type {Position | null} */
    let position = null;
    try {
      const moves = [...this.setup.moves, ...this.names.slice(0, index + 1)];
      if (index >= 0) position = await api("/api/position", { body: { setup: { ...this.setup, moves } } });
    } catch (error) {
      this.trouble = wordsOf(error);
    }
    if (this.chosen !== index) return;
    this.position = position;
    announce(position ? `After ${this.names[index]}. ${position.words}` : this.trouble || "Back to the game.");
    this.drawn();
  }
}
