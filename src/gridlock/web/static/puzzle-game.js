// One puzzle, played out on the board: the user's moves, the opponent's replies, refutations and the solution.

/** @import { Position, Puzzle, Tried } from "../answers" */
/** @import { Cell } from "../page" */
/** @import { PositionBoard } from "./position.js" */

import { api, wordsOf } from "./api.js";
import { cellName } from "./board.js";
import { frames } from "./playback.js";
import { sound } from "./sound.js";

const BEAT = 550; // milliseconds between moves that are played out
export const MISTAKES = 2; // that a solved puzzle may have

/** @param {number} milliseconds */
function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** `asking`: the user is to move. `playing`: moves are being checked or played out. `wrong`: the last move loses.
 * `solved`, `shown`: the puzzle is over.
 *
 * @typedef {"asking" | "playing" | "wrong" | "solved" | "shown"} Stage
 */

export class PuzzleGame {
  /** @type {Puzzle | null} */
  puzzle = null;
  /** @type {Stage} */
  stage = "asking";
  words = "";
  question = ""; // the words for `position`
  /** @type {number[]} */
  wrong = []; // wrong moves, by step
  steps = 0; // found so far
  result = ""; // the marks of the first result, once there is one; what follows is practice
  round = 0; // so that answers to an earlier puzzle or attempt are dropped
  position = /** @type {Position} */ (/** @type {unknown} */ (null)); // at the user's latest turn

  /** `changed` is called after every change, `slipped` after a wrong move, and `counted` once, with the first result.
   *
   * @param {PositionBoard} board
   * @param {object} page
   * @param {() => unknown} page.changed
   * @param {(marks: string) => unknown} page.counted
   * @param {(wrong: number[]) => unknown} [page.slipped]
   * @param {number} [page.beat]
   * @param {number} [page.mistakes]
   */
  constructor(board, { changed, counted, slipped = () => {}, beat = BEAT, mistakes = MISTAKES }) {
    this.board = board;
    this.changed = changed;
    this.counted = counted;
    this.slipped = slipped;
    this.beat = beat;
    this.mistakes = mistakes;
  }

  /** Whether the puzzle is over. */
  get isOver() {
    return this.stage === "solved" || this.stage === "shown";
  }

  /** The marks so far: 1 for a move found at once, 2 for one found later, x for one shown.
   * The current step is marked "?", or "!" after a wrong move.
   */
  get marks() {
    return this.found + { asking: "?", playing: "?", wrong: "!", solved: "", shown: "x" }[this.stage];
  }

  /** The digits in `marks`, one per solved step. */
  get found() {
    return Array.from({ length: this.steps }, (_, step) => (this.wrong[step] ? "2" : "1")).join("");
  }

  /** The number of wrong moves. */
  get slips() {
    return this.wrong.reduce((sum, count) => sum + count, 0);
  }

  /** Begin a puzzle, or drop the current one.
   *
   * @param {Puzzle | null} puzzle
   * @param {string} result the first result, if there is one already
   * @param {number[]} wrong the wrong moves before the page was left
   */
  begin(puzzle, result = "", wrong = []) {
    this.round += 1;
    this.puzzle = puzzle;
    this.result = result;
    this.wrong = result ? [] : wrong;
    this.steps = 0;
    if (puzzle) this.ask(puzzle.position, puzzle.words);
  }

  /** Go back to the position before the wrong move. */
  retry() {
    if (this.stage === "wrong") this.ask(this.position, this.question);
  }

  /** @param {Position} position @param {string} words */
  ask(position, words) {
    this.round += 1;
    this.position = position;
    this.question = words;
    this.board.show(position);
    this.become("asking", words);
  }

  /** @param {Stage} stage @param {string} words */
  become(stage, words) {
    this.stage = stage;
    this.words = words;
    this.changed();
  }

  /** Record the first result: the solved steps, and the missed step, if any. @param {string} end */
  count(end) {
    if (this.result) return;
    this.result = this.found + end;
    this.counted(this.result);
  }

  /** Play a cell. @param {Cell} cell */
  async choose(cell) {
    if (!this.puzzle || this.stage !== "asking") return;
    const { board, mark } = this.position;
    const pending = mark === null ? null : { cell, mark };
    this.board.show({ ...this.position, board: { ...board, legal: [], last: null } }, { isOpen: false, pending });
    await this.send([...this.since(), cellName(board, cell)], false);
  }

  /** Play out the solution. */
  async giveUp() {
    if (!this.puzzle || this.isOver || this.stage === "playing") return;
    this.board.show(this.position, { isOpen: false });
    await this.send(this.since(), true);
  }

  /** Return the moves since the puzzle's first position. */
  since() {
    return this.position.setup.moves.slice(this.puzzle?.position.setup.moves.length);
  }

  /** @param {string[]} moves @param {boolean} isOver */
  async send(moves, isOver) {
    const { puzzle, position } = this;
    if (!puzzle) return;
    const mine = ++this.round;
    this.become("playing", this.words);
    try {
      /** @type {Tried} */
      const told = await api("/api/puzzle/try", { body: { setup: puzzle.position.setup, moves, give_up: isOver, kind: puzzle.kind } });
      if (mine === this.round) await this.take(told, isOver);
    } catch (error) {
      if (mine !== this.round) return;
      this.board.show(position);
      this.become("asking", this.question);
      this.board.tell(wordsOf(error));
    }
  }

  /** Record the result of a move. @param {Tried} told @param {boolean} isShown */
  note({ right, done }, isShown) {
    if (isShown) this.count("x");
    else if (right) {
      this.steps += 1;
      if (done) this.count("");
    } else {
      this.wrong[this.steps] = (this.wrong[this.steps] ?? 0) + 1;
      this.slipped(this.wrong);
      if (this.slips > this.mistakes) this.count("x");
    }
  }

  /** Play out the moves in the server's answer. @param {Tried} told @param {boolean} isShown */
  async take(told, isShown) {
    const { round: mine, position } = this;
    const isRight = told.right && !isShown;
    const before = this.result;
    this.note(told, isShown);
    const isLast = !before && this.result !== "" && this.mistakes > 0;
    this.changed();
    const winner = isRight && told.done ? position.mark : null;
    await this.playOut(told.position, mine, { isShown, winner });
    if (mine !== this.round) return;
    if (isShown) this.become("shown", told.words);
    else if (!isRight) this.become("wrong", isLast ? `${told.words} That was one mistake too many, but you can play on.` : told.words);
    else if (told.done) this.become("solved", told.words);
    else this.ask(told.position, told.words);
    sound(this.stage === "solved" ? "win" : isRight || isShown ? "theirs" : "no");
  }

  /** @param {Position} after @param {number} mine @param {{ isShown: boolean, winner: string | null }} how */
  async playOut(after, mine, { isShown, winner }) {
    const boards = frames(this.position, after);
    for (const [index, board] of boards.entries()) {
      if (index > 0 || isShown) await pause(this.beat);
      if (mine !== this.round) return;
      const isLast = index === boards.length - 1;
      this.board.show({ ...after, board }, { isOpen: false, ...(isLast && { winner, isStuck: after.outcome !== null }) });
      if (!isLast) sound("mine");
    }
  }
}
