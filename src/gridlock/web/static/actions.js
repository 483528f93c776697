// A player's actions in a game: clicked and typed moves, undo, hints and reactions, with reasons for rejections.

/** @import { Said } from "../answers" */
/** @import { Action, AnswerTo, Cell } from "../page" */
/** @import { Connection } from "./connection.js" */
/** @import { Hint } from "./hint.js" */
/** @import { Match } from "./match.js" */
/** @import { StateQueue } from "./queue.js" */

import { wordsOf } from "./api.js";
import { $, announce } from "./dom.js";
import { NOTHING } from "./match.js";
import { readMove } from "./notation.js";
import { sound } from "./sound.js";
import { fateOf, forgetMove, rememberMove, unsentMove } from "./unsent.js";

const TRIES = 5; // attempts to undo while the computer is still moving
const MEANWHILE = 100; // milliseconds between attempts
const EARLIER = "You're viewing an earlier position. Go to the last move to continue playing.";
const SENDING = "Your move is being sent.";

/** The game page: its connection, its queue of states to show, and a redraw function.
 *
 * @typedef {{ connection: () => Connection, queue: StateQueue, draw: () => unknown }} Page
 */

export class Actions {
  isSending = false;

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

  /** Take the chosen cell, or explain why it is closed.
   *
   * @param {Cell} cell
   */
  async choose(cell) {
    const { state } = this.match;
    const connection = this.page.connection();
    if (this.match.looking) {
      this.tell(EARLIER);
    } else if (this.hint.preview) {
      this.tell("This is only a preview. Close the hint to continue.");
    } else if (this.match.pending) {
      this.tell(connection.open ? SENDING : connection.isHere ? "Your move will be made when the engine is ready." : "Your move will be sent when you're back online.");
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
    const now = this.now();
    rememberMove({ game: state.game, cell, ...now });
    this.isSending = true;
    await this.act({ type: "move", cell, ...now });
    this.isSending = false;
    forgetMove();
  }

  /** Send the move that a reload interrupted, or say that it is too late. */
  async resume() {
    const { state } = this.match;
    const move = unsentMove(state.game);
    if (!move || this.isSending) return; // made on this page, while the engine was loading
    const fate = this.match.may("move") || state.ply > move.ply ? fateOf(move, state) : "late";
    if (fate === "send") {
      await this.play(move.cell);
      return;
    }
    forgetMove();
    this.match.pending = null;
    if (fate === "late") this.tell("Your move was not made. The game has moved on since then.");
  }

  /** Play a typed move.
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

  /** Send an action; if the server rejects it, show why.
   *
   * @param {Action} message
   */
  async act(message) {
    this.heed(await this.page.connection().request(message), message.type === "move" ? message.cell : null);
  }

  async undo() {
    for (let tries = 1; tries < TRIES; tries++) { // if the computer moves meanwhile, undo its move, too
      const answer = await this.page.connection().request({ type: "ask", what: "takeback", ...this.now() });
      if (answer.type !== "refused" || answer.reason !== "stale" || this.match.state.opponent === "link") return this.heed(answer);
      await new Promise((resolve) => setTimeout(resolve, MEANWHILE));
    }
    await this.act({ type: "ask", what: "takeback", ...this.now() });
  }

  /** Send a reaction to the other players.
   *
   * @param {Said["what"]} what
   */
  async say(what) {
    const answer = await this.page.connection().request({ type: "react", what });
    if (answer.type === "refused") this.tell(answer.words);
  }

  askHint() {
    this.match.note = NOTHING;
    this.hint.more(this.match.state.setup, this.match.state.board);
  }

  closeHint() {
    this.hint.forget();
    this.page.draw();
  }

  /** Drop the hint and the note, because the game has ended or another position will be shown. */
  endHint() {
    this.hint.forget();
    this.match.note = NOTHING;
  }

  /**
   * Show why the server rejected an action.
   * @param {AnswerTo<Action>} answer
   * @param {Cell | null} cell the cell of a rejected move
   */
  heed(answer, cell = null) {
    if (answer.type !== "refused") return;
    this.match.pending = null;
    const isLate = cell !== null && answer.reason === "stale";
    this.tell(isLate ? `Your move was not made. ${answer.words}` : answer.words, answer.causes, isLate ? null : cell);
    this.match.note.stays = isLate; // the state that follows must not clear this note before it is read
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

  /** Show all queued states, and return the current ply and takeback count. */
  now() {
    this.page.queue.flush();
    return { ply: this.match.state.ply, line: this.match.state.line };
  }
}
