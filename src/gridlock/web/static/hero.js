// The board on the start page: it shows the chosen game and how it is played, and accepts the first move.

/** @import { Board, Position } from "../answers" */
/** @import { Cell, Setup } from "../page" */

import { api, isAborted, wordsOf } from "./api.js";
import { cellName } from "./board.js";
import { $, setText } from "./dom.js";
import { PositionBoard } from "./position.js";

const BEAT = 700; // milliseconds between the moves of a demonstration
const MOVES = 3; // in a demonstration
const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Hero {
  /** @type {Position | null} */
  position = null; // before the first move
  isOpen = false; // whether the user makes the first move
  /** @type {AbortController | null} */
  showing = null;

  /** Create the board in the page's board element; `play` starts a game with a first move, or throws an error.
   *
   * @param {(move: string) => Promise<void>} play
   */
  constructor(play) {
    this.play = play;
    this.board = new PositionBoard((cell) => this.place(cell));
    $("board").addEventListener("focusin", () => this.reset());
  }

  /** Show a game before its first move; if it has just been chosen, demonstrate it.
   *
   * @param {Setup} setup
   * @param {boolean} isOpen
   * @param {boolean} isNew
   */
  async show(setup, isOpen, isNew) {
    this.showing?.abort();
    this.showing = new AbortController();
    const { signal } = this.showing;
    this.isOpen = isOpen;
    try {
      /** @type {Position} */
      const position = await api("/api/position", { body: { setup }, signal });
      this.position = position;
      this.draw();
      if (!isNew || still.matches) return;
      $("board").animate([{ opacity: 0, transform: "scale(0.97)" }, {}], { duration: 250, easing: "ease-out" });
      await this.demonstrate(position, signal);
    } catch (error) {
      if (!isAborted(error)) this.refuse(wordsOf(error));
    }
  }

  /** Show the position before the first move, even if a demonstration is running. */
  reset() {
    if (!this.position) return;
    this.showing?.abort();
    this.draw();
  }

  draw() {
    const { position, isOpen } = this;
    if (position) this.board.show(position, { isOpen: isOpen && !position.outcome });
  }

  /** Demonstrate a few moves, each as near to the previous move as the rules allow, then clear the board.
   *
   * During the demonstration, the board still accepts the user's first move.
   *
   * @param {Position} start
   * @param {AbortSignal} signal
   */
  async demonstrate(start, signal) {
    let position = start;
    for (let made = 0; made < MOVES && position.board.legal.length; made += 1) {
      await pause(BEAT);
      if (signal.aborted) return;
      const moves = [...position.setup.moves, cellName(position.board, nearest(position.board))];
      position = await api("/api/position", { body: { setup: { ...start.setup, moves } }, signal });
      this.board.board.show({ board: position.board });
    }
    await pause(2 * BEAT);
    if (!signal.aborted) this.draw();
  }

  /** Start a game with a first move on the given cell. If the server rejects the move, reset the board and say why.
   *
   * @param {Cell} cell
   */
  async place(cell) {
    const { position } = this;
    if (!position?.mark) return;
    this.showing?.abort();
    this.board.show(position, { isOpen: false, pending: { cell, mark: position.mark } });
    try {
      await this.play(cellName(position.board, cell));
    } catch (error) {
      this.draw();
      this.refuse(wordsOf(error));
    }
  }

  /** @param {string} words */
  refuse(words) {
    if (this.position) this.board.tell(words);
    else setText($("note"), words);
  }
}

/** Return the legal cell nearest to the last move or, before the first move, to the middle of the board.
 *
 * @param {Board} board
 */
function nearest({ rows, cols, legal, last }) {
  const [row, col] = last === null ? [(rows - 1) / 2, (cols - 1) / 2] : [Math.floor(last / cols), last % cols];
  const far = (/** @type {Cell} */ cell) => Math.hypot(Math.floor(cell / cols) - row, (cell % cols) - col);
  return legal.reduce((best, cell) => (far(cell) < far(best) ? cell : best));
}

/** @param {number} time */
function pause(time) {
  return new Promise((resolve) => setTimeout(resolve, time));
}
