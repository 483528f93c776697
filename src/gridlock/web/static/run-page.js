// A timed run on the page: its clock, its puzzles one after the other, and its result.

/** @import { Puzzle } from "../answers" */
/** @import { PositionBoard } from "./position.js" */

import { urlOf } from "./address.js";
import { api, wordsOf } from "./api.js";
import { $, announce, h, keepFocus, setText, show } from "./dom.js";
import { full } from "./links.js";
import { countRun, statistics } from "./progress.js";
import { PuzzleGame } from "./puzzle-game.js";
import { button, link, showResult } from "./puzzle-panel.js";
import { shareButton, shareText } from "./puzzle-share.js";
import { drawSquares, grade } from "./puzzle-view.js";
import { clockTime, MISTAKES, Run } from "./run.js";

const BEAT = 300; // milliseconds between moves that are played out
const PAUSE = { solved: 500, wrong: 1200 }; // milliseconds before the next puzzle
const WORDS = "How many puzzles can you solve in three minutes? Three mistakes end the run.";
const CLOCK = "The clock stops while your opponent plays.";

/** Let the browser ask whether to leave the page, because that would end the run. @param {Event} event */
function askFirst(event) {
  event.preventDefault();
}

export class RunPage {
  /** @type {Run | null} */
  run = null;
  /** @type {Promise<Puzzle> | null} */
  next = null;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  timer = undefined;
  round = 0; // so that nothing continues after the run was left

  /** `finished` is called when a result may have changed the statistics.
   *
   * @param {PositionBoard} board
   * @param {() => unknown} finished
   */
  constructor(board, finished) {
    this.board = board;
    this.finished = finished;
    const count = (/** @type {string} */ marks) => this.run?.count(!marks.includes("x"));
    this.game = new PuzzleGame(board, { changed: () => this.changed(), counted: count, beat: BEAT, mistakes: 0 });
  }

  /** Offer to start a run, and show an empty board. @param {string} today */
  async offer(today) {
    this.leave();
    const mine = this.round;
    const { run: best } = statistics(today);
    setText($("title"), "Three-minute run");
    setText($("subtitle"), best ? `Your best: ${best}` : "");
    this.say(WORDS);
    this.tell("", CLOCK);
    showResult("");
    $("squares").replaceChildren();
    keepFocus($("actions"), button("Start", () => this.start(), "primary"));
    this.next = this.request(1);
    try {
      const { position } = await this.next;
      const board = { ...position.board, cells: ".".repeat(position.board.cells.length), legal: [], last: null, causes: [] };
      if (mine === this.round && !this.run) this.board.show({ ...position, board }, { isOpen: false });
    } catch {
      // Pressing Start shows the error.
    }
  }

  /** @param {number} difficulty @returns {Promise<Puzzle>} */
  request(difficulty) {
    const asked = api(`/api/puzzle?difficulty=${difficulty}`);
    asked.catch(() => {}); // callers handle a failure
    return asked;
  }

  /** Leave the timed run, if there is one. */
  leave() {
    this.round += 1;
    this.game.begin(null);
    this.run = null;
    this.next = null;
    clearInterval(this.timer);
    show($("timer"), false);
    removeEventListener("beforeunload", askFirst);
  }

  async start() {
    const first = this.next;
    this.leave();
    this.run = new Run();
    this.next = first;
    addEventListener("beforeunload", askFirst);
    this.timer = setInterval(() => this.tick(), 200);
    showResult("");
    keepFocus($("actions"), this.endButton());
    this.board.board.takeFocus();
    await this.advance();
  }

  endButton() {
    return button("End the run", () => this.end("You ended the run."));
  }

  /** Go to the next puzzle. */
  async advance() {
    const { run, round } = this;
    if (!run) return;
    this.next ??= this.request(run.difficulty());
    try {
      const puzzle = await this.next;
      if (round !== this.round) return;
      this.next = this.request(run.difficulty(1)); // ready when this one is solved
      $("subtitle").replaceChildren(grade(puzzle.difficulty));
      this.tell(`${puzzle.position.board.title}.`, puzzle.rule);
      this.game.begin(puzzle);
      if (document.activeElement === document.body) this.board.board.takeFocus(); // a board of another size is a new one
      announce(`${puzzle.position.board.title}. ${puzzle.words}`);
    } catch (error) {
      if (round !== this.round) return;
      this.next = null;
      this.say(wordsOf(error));
      keepFocus($("actions"), button("Continue", () => this.advance(), "primary"), this.endButton());
    }
  }

  changed() {
    const { run, game, round } = this;
    const { stage, puzzle } = game;
    if (!run || !puzzle) return;
    run.tick(stage === "asking", performance.now());
    this.tick();
    this.say(game.words, stage);
    $("squares").replaceChildren(...drawSquares(`${run.marks}${game.result ? "" : "?"}`));
    if (stage !== "solved" && stage !== "wrong") return;
    announce(game.words);
    setTimeout(() => {
      if (round !== this.round) return;
      if (run.isOver(performance.now())) this.end("Three mistakes.");
      else this.advance();
    }, PAUSE[stage]);
  }

  tick() {
    const { run } = this;
    if (!run) return;
    const now = performance.now();
    const lives = Array.from({ length: MISTAKES }, (_, at) => h("i", { class: at < run.mistakes ? "gone" : null }));
    const words = h("span", { class: "unseen" }, `${run.solved} solved, ${run.mistakes} of ${MISTAKES} mistakes`);
    $("timer").replaceChildren(h("b", {}, clockTime(run.time(now))), h("span", { class: "lives", "aria-hidden": "true" }, ...lives), words);
    show($("timer"), true);
    if (run.time(now) === 0) this.end("Time's up.");
  }

  /** @param {string} words */
  end(words) {
    const { run } = this;
    if (!run) return;
    this.leave();
    const { solved, marks } = run;
    const best = countRun(solved);
    this.say(`${words} ${solved} solved.`, "shown");
    announce(`${words} ${solved} solved.`);
    const title = best === 0 ? "The run is over" : solved === best ? "Your best run" : `Your best: ${best}`;
    showResult(marks, title, [solved, "solved"]);
    setText($("title"), "Three-minute run");
    $("squares").replaceChildren();
    this.board.show(this.board.position, { isOpen: false });
    const text = () => shareText({ title: `three-minute run: ${solved} solved`, marks, words: "", link: full(urlOf("/puzzles?run")) });
    const again = () => this.start();
    keepFocus($("actions"), shareButton("Share", text), button("Run again", again, "primary"), link("Today's puzzle", urlOf("/puzzles")));
    this.finished();
  }

  /** @param {string} words @param {string} stage */
  say(words, stage = "asking") {
    setText($("words"), words);
    $("status").className = `status ${{ asking: "mine", wrong: "wrong", solved: "over won", shown: "over" }[stage] ?? ""}`;
  }

  /** @param {string} title @param {string} rule */
  tell(title, rule) {
    setText($("game-title"), title);
    setText($("told"), rule);
    setText($("standing"), "");
  }
}
