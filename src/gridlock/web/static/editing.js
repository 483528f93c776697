// The analysis page's card for setting up a position.

/** @import { Book, Position } from "../answers" */
/** @import { Board } from "./board.js" */

import { api, wordsOf } from "./api.js";
import { $, announce, show } from "./dom.js";
import { Editor } from "./editor.js";
import { changeGame, emptySetup } from "./forms.js";

const PRESS = 10_000; // milliseconds after which a press no longer delays a change, in case its end is never reported

export class SetupCard {
  /** @type {Promise<unknown>} */
  turn = Promise.resolve(); // changes of the board, one at a time
  /** @type {Promise<unknown>} */
  press = Promise.resolve(); // the last press on a button of the page, until it ends
  release = () => {};

  /**
   * @param {Board} board
   * @param {object} page
   * @param {() => Position} page.shown the position on the analysis board
   * @param {() => Book[]} page.games
   * @param {(position: Position) => unknown} page.take shows another one
   * @param {() => unknown} page.draw
   */
  constructor(board, page) {
    this.board = board;
    this.page = page;
    this.editor = new Editor(board);
    addEventListener("pointerdown", ({ button, target }) => {
      if (button !== 0 || !(target instanceof Element && target.closest("button"))) return;
      this.press = new Promise((resolve) => {
        this.release = () => resolve(null);
        setTimeout(resolve, PRESS);
      });
    });
    for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => this.release());
    $("setup").addEventListener("submit", (event) => event.preventDefault());
    $("setup").addEventListener("change", (event) => {
      if (event.target === $("game")) changeGame(page.games());
      this.change(true);
    });
    /** @type {[string, () => unknown][]} */
    const buttons = [
      ["edit", () => page.shown() && this.open()],
      ["leave", () => this.close()],
      ["empty", () => this.change(false)],
      ["use-analyse", () => this.use(null)],
      ["use-play", () => this.use("play-card")],
      ["use-share", () => this.use("share-card")],
    ];
    for (const [id, run] of buttons) $(id).addEventListener("click", run);
  }

  get isOpen() {
    return this.editor.isOpen;
  }

  async open() {
    this.show(true);
    const opening = this.editor.open(this.page.shown());
    this.board.takeFocus();
    await opening;
  }

  /** Return to the position that was shown before editing. */
  close() {
    this.editor.close();
    this.show(false);
    this.page.draw();
    $("edit").focus({ preventScroll: true });
  }

  /** @param {boolean} isOpen */
  show(isOpen) {
    $("board").classList.toggle("editing", isOpen);
    $("verdict").classList.remove("first"); // the cards below it need not wait for a verdict any more
    for (const part of document.querySelectorAll(".analysing, #steps, #edit")) show(/** @type {HTMLElement} */ (part), !isOpen);
    show($("editor"), isOpen);
  }

  /** Set up the chosen game and board; `keeps` says whether the markers stay.
   *
   * Pressing a button after typing a size changes the board, which may move the button. Wait until the press ends, so that
   * the button is still under the pointer and gets its click.
   *
   * @param {boolean} keeps
   */
  change(keeps) {
    this.turn = this.turn.then(async () => {
      const { editor } = this;
      try {
        await this.press;
        await editor.renew(await api("/api/position", { body: { setup: emptySetup(editor.position.setup) } }), keeps);
      } catch (error) {
        editor.words = wordsOf(error);
        announce(editor.words);
        editor.show();
      }
    });
    return this.turn;
  }

  /** Analyse the edited position and open the given card, if any; if the position is impossible, say why.
   *
   * @param {"play-card" | "share-card" | null} card
   */
  async use(card) {
    await this.turn;
    const made = await this.editor.check();
    this.editor.show();
    if (!made) {
      announce(this.editor.words);
      return;
    }
    this.editor.close();
    this.show(false);
    this.page.take(made);
    if (card) {
      $(card).setAttribute("open", "");
      $(card).scrollIntoView({ block: "nearest" });
      $(card).querySelector("summary")?.focus();
    } else this.board.takeFocus();
  }
}
