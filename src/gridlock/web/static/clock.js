// The players' clocks. The server's clocks are authoritative; between messages, the page counts down.

/** @import { Clock, State } from "../answers" */

import { announce, setText } from "./dom.js";

const OFTEN = 100; // milliseconds between updates of a clock that shows tenths of a second
const TENTHS = 20_000; // milliseconds left below which a clock shows tenths
const SAID = [60_000, 10_000]; // milliseconds left when the screen reader warns the player

/** Format a time for the clock.
 *
 * @param {number} milliseconds
 */
export function shown(milliseconds) {
  const tenths = Math.max(0, Math.ceil(milliseconds / 100));
  const seconds = milliseconds < TENTHS ? Math.floor(tenths / 10) : Math.ceil(milliseconds / 1000);
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const last = `${String(rest).padStart(2, "0")}${milliseconds < TENTHS ? `.${tenths % 10}` : ""}`;
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${last}` : `${minutes}:${last}`;
}

/** Describe a time control.
 *
 * @param {Pick<Clock, "seconds" | "increment">} clock
 */
export function clockWords({ seconds, increment }) {
  const time = seconds % 60 ? `${seconds} s` : `${seconds / 60} min`;
  return increment ? `${time} + ${increment} s per move` : time;
}

export class Clocks {
  /** @type {State | null} */
  state = null;
  since = 0; // when the state arrived
  /** @type {number | undefined} */
  timer;

  /** Store a new state.
   *
   * @param {State} state
   */
  receive(state) {
    this.state = state;
    this.since = performance.now();
  }

  /** Return an estimate of a player's remaining time in milliseconds, or null if there is no clock.
   *
   * @param {number} player
   */
  left(player) {
    const clock = this.state?.clock;
    const left = clock?.left[player - 1] ?? null;
    if (!clock || left === null || clock.runs !== player) return left;
    return Math.max(0, left - Math.max(0, performance.now() - this.since - clock.wait));
  }

  /** Show the remaining times, and keep updating them.
   *
   * @param {Element} place
   */
  show(place) {
    clearTimeout(this.timer);
    const runs = this.state?.clock?.runs ?? null;
    for (const face of place.querySelectorAll(".clock")) {
      const player = Number(face.getAttribute("data-player"));
      const left = this.left(player);
      if (left === null) continue;
      setText(face, shown(left));
      face.classList.toggle("runs", runs === player);
      face.classList.toggle("short", left < TENTHS);
      if (runs === player && this.state?.you.seats.includes(player)) this.say(left);
    }
    if (runs !== null) this.timer = setTimeout(() => this.show(place), OFTEN);
  }

  /** Warn a player that time is running out, giving each warning once per move.
   *
   * @param {number} left
   */
  say(left) {
    const passed = SAID.filter((one) => left <= one && left > one - 3 * OFTEN && one < this.total());
    const mark = passed.at(-1);
    const key = `${this.state?.ply} ${mark}`;
    if (mark === undefined || key === this.said) return;
    this.said = key;
    announce(mark === 60_000 ? "You have one minute left." : `You have ${mark / 1000} seconds left.`);
  }

  said = "";

  total() {
    return (this.state?.clock?.seconds ?? 0) * 1000;
  }
}
