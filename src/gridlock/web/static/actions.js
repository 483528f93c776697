// What somebody does to a game: moves by click, key or text, taking back, asking, and hearing why not.

/** @import { Said } from "../answers" */
/** @import { Action, AnswerTo, Cell } from "../page" */
/** @import { Connection } from "./connection.js" */
/** @import { Hint } from "./hint.js" */
/** @import { Match } from "./match.js" */

import { wordsOf } from "./api.js";
import { $, announce } from "./dom.js";
import { NOTHING } from "./match.js";
import { readMove } from "./notation.js";
import { sound } from "./sound.js";

const TRIES = 5; // to take back what is not quite done yet
const MEANWHILE = 100; // milliseconds between them
const EARLIER = "You're viewing an earlier position. Step to the end to continue.";
const SENDING = "Your move is being sent.";

/** The page page it: its connection, the state it holds back for a moment, and drawing.
 *
 * @typedef {{ connection: () => Connection, flush: () => unknown, draw: () => unknown }} Page
 */

export class Actions {
  /**
   * @param {Match} match
   * @param {Hint} hint
   * @param {Page} page
   */
  constructor(match, hint, page) {
    this.match = match;
    this.hint = hint;
    this.page = page;
  }

  /** A cell was chosen: play it, or learn why not.
   *
   * @param {Cell} cell
   */
  async choose(cell) {
    const { state } = this.match;
    const connection = this.page.connection();
    if (this.match.looking) {
      this.tell(EARLIER);
    } else if (this.match.pending) {
      this.tell(connection.open ? SENDING : "Your move will be sent when you're back online.");
    } else if (this.match.may("move") && state.board.legal.includes(cell)) {
      await this.play(cell);
    } else if (state.you.seats.length && state.to_move !== null && !this.match.may("move")) {
      this.tell(state.words);
    } else {
      const answer = await connection.request({ type: "why", cell });
      if (!answer.legal) this.tell(answer.words, answer.causes, cell);
    }
  }

  /** @param {Cell} cell */
  async play(cell) {
    const { state } = this.match;
    const mark = state.players.find((player) => player.player === state.to_move)?.mark ?? "";
    this.match.pending = { cell, mark };
    this.match.note = NOTHING;
    this.page.draw();
    await this.act({ type: "move", cell, ...this.now() });
  }

  /** A move was typed: play it like one that was clicked.
   *
   * @param {SubmitEvent} event
   */
  async submitTyped(event) {
    event.preventDefault();
    const { looking, pending, state } = this.match;
    if (looking || pending || !this.match.may("move")) {
      this.tell(looking ? EARLIER : pending ? SENDING : state.words);
      return;
    }
    try {
      const typed = await readMove(state.setup, $("typed-move").value);
      if (typed !== "swap" && (!typed.legal || typed.cell === null)) return this.tell(typed.words, typed.causes, typed.cell);
      $("typed-move").value = "";
      if (typed === "swap") await this.act({ type: "swap", ...this.now() });
      else if (typed.cell !== null) await this.play(typed.cell);
    } catch (error) {
      this.tell(wordsOf(error));
    }
  }

  /** Do something to the game; if it is refused, say why.
   *
   * @param {Action} message
   */
  async act(message) {
    this.heed(await this.page.connection().request(message), message.type === "move" ? message.cell : null);
  }

  async undo() {
    for (let tries = 1; tries < TRIES; tries++) { // the computer may move meanwhile: that is taken back, too
      const answer = await this.page.connection().request({ type: "ask", what: "takeback", ...this.now() });
      if (answer.type !== "refused" || answer.reason !== "stale" || this.match.state.opponent === "link") return this.heed(answer);
      await new Promise((resolve) => setTimeout(resolve, MEANWHILE));
    }
    await this.act({ type: "ask", what: "takeback", ...this.now() });
  }

  /** Say something to the others.
   *
   * @param {Said["what"]} what
   */
  async say(what) {
    const answer = await this.page.connection().request({ type: "react", what });
    if (answer.type === "refused") this.tell(answer.words);
  }

  askHint() {
    this.match.note = NOTHING;
    this.hint.more(this.match.state.setup);
  }

  closeHint() {
    this.hint.forget();
    this.page.draw();
  }

  /** Nothing is said of what is over. */
  endHint() {
    this.hint.forget();
    this.match.note = NOTHING;
  }

  /**
   * Tell what was refused.
   * @param {AnswerTo<Action>} answer
   * @param {Cell | null} cell that was to be taken
   */
  heed(answer, cell = null) {
    if (answer.type !== "refused") return;
    this.match.pending = null;
    const isLate = cell !== null && answer.reason === "stale";
    this.tell(isLate ? `Your move was not made. ${answer.words}` : answer.words, answer.causes, isLate ? null : cell);
    this.match.note.stays = isLate; // the state that comes along with it must not wipe it out unread
  }

  /**
   * @param {string} words
   * @param {Cell[]} causes
   * @param {Cell | null} cell
   */
  tell(words, causes = [], cell = null) {
    this.match.note = { words, causes, cell };
    sound("no");
    announce(words);
    this.page.draw();
  }

  /** Where the game stands, for whoever does something to it. */
  now() {
    this.page.flush();
    return { ply: this.match.state.ply, line: this.match.state.line };
  }
}
