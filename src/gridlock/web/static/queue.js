// The computer's moves come after a moment: an answer in no time at all looks like part of one's own move.

/** @import { State } from "../answers" */

const MOMENT = 420; // milliseconds after what was shown before

/** Hands states on in the order they come, those with a new move of the computer after a moment. */
export class StateQueue {
  /** @type {State[]} */
  waiting = [];
  /** @type {State | null} */
  shown = null;
  since = 0;
  /** @type {number | undefined} */
  timer;

  /** @param {(state: State) => void} show */
  constructor(show) {
    this.show = show;
  }

  /** @param {State} state */
  take(state) {
    this.waiting.push(state);
    if (this.timer === undefined) this.next();
  }

  /** Show everything that has come: somebody wants to do something, and must see what there is. */
  flush() {
    clearTimeout(this.timer);
    this.timer = undefined;
    while (this.waiting.length) this.hand();
  }

  next() {
    this.timer = undefined;
    while (this.waiting.length) {
      const wait = this.isAnswer(this.waiting[0]) ? this.since + MOMENT - performance.now() : 0;
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

  /** Whether a state brings a move of the computer that somebody can watch.
   *
   * @param {State} state
   */
  isAnswer(state) {
    const last = state.moves.findLast((move) => move.kind !== "pass");
    const isNew = this.shown !== null && this.shown.game === state.game && state.ply === this.shown.ply + 1;
    if (state.clock) return false; // whose time runs already
    return isNew && !document.hidden && last !== undefined && state.players[last.player - 1].kind !== "person";
  }
}
