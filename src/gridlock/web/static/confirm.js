// Tap confirmation, on by default for small cells: one tap chooses a cell; a second tap or a button plays it.

/** @import { Cell, View } from "../page" */
/** @import { Note } from "./toast.js" */
/** @import { Zoom } from "./zoom.js" */

import { cellName } from "./description.js";
import { announce } from "./dom.js";
import { usesFinger } from "./zoom.js";

const ASKS = "Small cells need two taps (see Settings).";

export class Confirm {
  /** @type {Cell | null} */
  cell = null; // the chosen cell
  /** @type {Note | null} */
  question = null; // asks whether to play it
  hasAsked = false;

  /**
   * @param {Zoom} zoom
   * @param {(cell: Cell) => unknown} play
   * @param {() => unknown} draw
   */
  constructor(zoom, play, draw) {
    this.zoom = zoom;
    this.play = play;
    this.draw = draw;
  }

  /** Return whether a tap only selects a cell.
   *
   * @param {View} view
   * @param {Cell} cell
   */
  isNeeded({ confirm, mine, board }, cell) {
    if (!mine || !board.legal.includes(cell) || this.cell === cell) return false;
    const wanted = confirm();
    return wanted === "always" || (wanted === "" && usesFinger() && this.zoom.isSmall);
  }

  /** Mark a tapped cell as chosen, and ask the player whether to play it.
   *
   * @param {View} view
   * @param {Cell} cell
   */
  ask({ board, confirm }, cell) {
    const words = `Tap ${cellName(board, cell)} again to play it.${this.hasAsked || confirm() ? "" : ` ${ASKS}`}`;
    this.hasAsked = true;
    this.question = { words, label: "Play", act: () => this.play(cell), closed: () => this.choose(null) };
    announce(words);
    this.choose(cell);
  }

  /** @param {Cell | null} cell */
  choose(cell) {
    this.cell = cell;
    this.draw();
  }

  /** Drop the chosen cell if it can no longer be played.
   *
   * @param {View} view
   */
  check({ mine, board }) {
    if (this.cell !== null && !(mine && board.legal.includes(this.cell))) this.cell = null;
  }
}
