// A timed run: as many puzzles as possible in three minutes. Only the user's thinking time counts.

export const MINUTES = 3;
export const MISTAKES = 3; // that end a run
const STEP = 3; // puzzles solved before they become more difficult
const HARDEST = 5;

export class Run {
  left = MINUTES * 60_000;
  /** @type {number | null} */
  since = null; // when the clock was started, or null while it is stopped
  marks = ""; // one for each puzzle: 1 if it was solved, otherwise x

  /** Return the milliseconds left. @param {number} now */
  time(now) {
    return Math.max(0, this.left - (this.since === null ? 0 : now - this.since));
  }

  /** Start or stop the clock. @param {boolean} runs @param {number} now */
  tick(runs, now) {
    this.left = this.time(now);
    this.since = runs ? now : null;
  }

  /** Count a puzzle. @param {boolean} isRight */
  count(isRight) {
    this.marks += isRight ? "1" : "x";
  }

  get solved() {
    return this.marks.replaceAll("x", "").length;
  }

  get mistakes() {
    return this.marks.length - this.solved;
  }

  /** Return the difficulty (1 to 5) of the puzzle that comes after `more` further puzzles have been solved.
   *
   * @param {number} more
   */
  difficulty(more = 0) {
    return Math.min(HARDEST, 1 + Math.floor((this.solved + more) / STEP));
  }

  /** @param {number} now */
  isOver(now) {
    return this.mistakes >= MISTAKES || this.time(now) === 0;
  }
}

/** Write a time in minutes and seconds, rounded up to a whole second. @param {number} milliseconds */
export function clockTime(milliseconds) {
  const seconds = Math.ceil(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
