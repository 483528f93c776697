// A hint in steps: who wins, roughly where to play, which move to make, and why. The server sends all steps at once.

/** @import { Board as BoardView, Hint as Advice, Position } from "../answers" */
/** @import { Setup, View } from "../page" */

import { api, isAborted, wordsOf } from "./api.js";
import { cellName } from "./board.js";
import { announce, h, keepFocus, show } from "./dom.js";
import { Line } from "./line.js";

const OPINION = 1;
const REGION = 2;
const MOVE = 3;
const WHY = 4;

export class Hint {
  /** @type {Advice | null} */
  advice = null;
  /** @type {AbortController | null} */
  asking = null;
  step = 0;
  trouble = "";
  /** @type {Line | null} */
  line = null; // the line of play that shows why, if there is one

  /** Create a hint in an element; `drawn` is called when the board must be redrawn.
   *
   * @param {HTMLElement} place
   * @param {() => unknown} drawn
   */
  constructor(place, drawn) {
    this.place = place;
    this.drawn = drawn;
  }

  /** Ask for a hint, or show its next step.
   *
   * @param {Setup} setup
   * @param {BoardView} board
   */
  async more(setup, board) {
    if (this.asking) return;
    if (this.advice) {
      this.step = Math.min(this.last, this.step + 1);
      this.tell();
      return;
    }
    const mine = new AbortController();
    this.asking = mine;
    this.trouble = "";
    this.drawn();
    try {
      this.advice = /** @type {Advice} */ (await api("/api/hint", { body: { setup }, signal: mine.signal }));
      this.step = OPINION;
      const names = this.advice.line.map((cell) => cellName(board, cell));
      if (names.length) this.line = new Line(setup, names, this.drawn);
    } catch (error) {
      if (isAborted(error)) return;
      this.trouble = wordsOf(error);
    }
    this.asking = null;
    this.tell();
  }

  /** Drop the hint: the user has closed it, or the position has changed. */
  forget() {
    this.asking?.abort();
    this.asking = null;
    this.advice = null;
    this.step = 0;
    this.trouble = "";
    this.line = null;
  }

  /** The number of the hint's last step. If every move wins, the hint has only one step, which says so. */
  get last() {
    return this.advice?.all_win ? OPINION : WHY;
  }

  /** The position to show instead of the current one while the user views a line of play.
   *
   * @returns {Position | null}
   */
  get preview() {
    return this.line?.position ?? null;
  }

  /** The text of the current step. */
  get words() {
    if (this.asking) return "Thinking…";
    if (!this.advice) return this.trouble;
    const { opinion, where, naming, reason, brief } = this.advice;
    return ["", opinion, where, naming, brief || reason][this.step];
  }

  /** The board's highlights for the current step.
   *
   * @returns {Partial<View>}
   */
  get view() {
    const { advice, step } = this;
    if (!advice) return {};
    return {
      region: step === REGION ? advice.region : [],
      hint: step >= MOVE ? advice.move : null,
      pairs: step === WHY ? advice.pairing : [],
      mirror: step === WHY ? advice.mirror : [],
    };
  }

  tell() {
    announce(this.words);
    this.drawn();
  }

  /** Show the hint below the board; the buttons call `more` and `close`.
   *
   * @param {() => unknown} more
   * @param {() => unknown} close
   */
  show(more, close) {
    const { words } = this;
    show(this.place, words !== "");
    if (!words) return this.place.replaceChildren();
    /** @type {(label: string, run: () => unknown) => HTMLElement} */
    const button = (label, run) => h("button", { type: "button", class: "button", onclick: run }, label);
    const buttons = [];
    if (this.advice && this.step < this.last) buttons.push(button(["", "Where?", "Which cell?", "Why?"][this.step], more));
    if (!this.asking) buttons.push(button("Close the hint", close));
    keepFocus(this.place, h("p", {}, words), ...this.legend(), h("div", { class: "actions" }, ...buttons));
  }

  /** Explain what the curves and frames on the board mean. */
  legend() {
    if (this.step !== WHY || !this.advice) return [];
    const { pairing, mirror } = this.advice;
    if (this.line) return [h("p", { class: "hint" }, "One line of play. Choose a move to see it on the board."), this.line.chips()];
    if (pairing.length) return [h("p", { class: "hint" }, "On the board, a line joins each move to its reply.")];
    if (mirror.length) return [h("p", { class: "hint" }, "Point at a cell to see the reply to a move there.")];
    return [];
  }
}
