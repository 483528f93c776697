// A queue that delays the computer's moves, because an instant answer looks like part of the user's own move.
// Spectators of a computer-only game can set its pace.

/** @import { State } from "../answers" */

const MOMENT = 420; // milliseconds after the state before it
const WATCHED = 1200; // likewise, if two computer players play each other

/** A queue of states in order of arrival; a state with a new computer move is shown after a short delay. */
export class StateQueue {
  /** @type {State[]} */
  waiting = [];
  /** @type {State | null} */
  shown = null;
  since = 0;
  /** @type {number | undefined} */
  timer;
  isPaused = false;
  speed = 1;

  /** @param {(state: State) => void} show */
  constructor(show) {
    this.show = show;
  }

  /** @param {State} state */
  take(state) {
    this.waiting.push(state);
    if (this.timer === undefined) this.next();
  }

  /** Show all queued states immediately, because the user is about to act on the current position. */
  flush() {
    clearTimeout(this.timer);
    this.timer = undefined;
    while (this.waiting.length) this.hand();
  }

  /** Pause or resume the queue.
   *
   * @param {boolean} isPaused
   */
  pause(isPaused) {
    this.isPaused = isPaused;
    this.next();
  }

  next() {
    clearTimeout(this.timer);
    this.timer = undefined;
    while (this.waiting.length && !this.isPaused) {
      const moment = this.waiting[0].opponent === "levels" ? WATCHED / this.speed : MOMENT;
      const wait = this.isAnswer(this.waiting[0]) ? this.since + moment - performance.now() : 0;
      if (wait > 0) {
        this.timer = setTimeout(() => this.next(), wait);
        return;
      }
      this.hand();
    }
  }

  hand() {
    const [state] = this.waiting.splice(0, 1);
    this.shown = state;
    this.since = performance.now();
    this.show(state);
  }

  /** Return whether a state contains a new computer move that the user can watch.
   *
   * @param {State} state
   */
  isAnswer(state) {
    const last = state.moves.findLast((move) => move.kind !== "pass");
    const isNew = this.shown !== null && this.shown.game === state.game && state.ply === this.shown.ply + 1;
    if (state.clock) return false; // a delay would cost the user time
    return isNew && !document.hidden && last !== undefined && state.players[last.player - 1].kind !== "person";
  }
}
