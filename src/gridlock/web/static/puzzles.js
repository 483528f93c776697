// The puzzles page: daily puzzles, practice puzzles, puzzles from links, and timed runs.

/** @import { Book, Puzzle } from "../answers" */
/** @import { Setup } from "../page" */

import { pathOf, urlOf } from "./address.js";
import { api, catalogue, wordsOf } from "./api.js";
import { Calendar, dateWords } from "./calendar.js";
import { $, announce, h, keepFocus, setText, show } from "./dom.js";
import { setUpHelp, shortcut } from "./help.js";
import { readAt, setupLink } from "./links.js";
import { PositionBoard } from "./position.js";
import { countResult, firstResult, rememberOpen, rememberWrong, solvedInTheEnd, written, wrongMoves } from "./progress.js";
import { askPuzzle, choiceOf, isPassing, nameOf, readWish } from "./puzzle-address.js";
import { PuzzleGame } from "./puzzle-game.js";
import { button, link, nextAddress, showActions, showOutcome, showResult, showStatistics } from "./puzzle-panel.js";
import { drawSquares, grade, gradeWords, HARDEST } from "./puzzle-view.js";
import { areasOf, RegionFinder } from "./regions.js";
import { RunPage } from "./run-page.js";

const FIRST_CHOICE = "2"; // the initial difficulty
/** @type {Record<string, string>} */
const KINDS = { win: "Practice", hottest: "Find the hottest region", trap: "The hottest region is a trap" };
const STYLES = { asking: "mine", playing: "", wrong: "wrong", solved: "over won", shown: "over" };
const today = () => written(new Date());
let wish = readWish("", today());
const positionBoard = new PositionBoard((cell) => (wish.kind === "run" ? run.game : game).choose(cell));
const game = new PuzzleGame(positionBoard, { changed: draw, counted: count, slipped });
const run = new RunPage(positionBoard, () => showStatistics(today(), books));
const finder = new RegionFinder(draw);
const calendar = new Calendar($("calendar"));
/** @type {Book[]} */
let books = [];
let asked = 0; // the number of requested puzzles, used to ignore answers to outdated requests

/** Open the puzzle described by a URL. @param {string} search */
async function open(search) {
  const mine = ++asked;
  wish = readWish(search, today());
  run.leave();
  game.begin(null);
  fillForm();
  $("stage").setAttribute("aria-busy", "true");
  try {
    if (wish.kind === "run") {
      showDays(null);
      await run.offer(today());
      return;
    }
    const puzzle = await askPuzzle(wish);
    if (mine === asked) begin(puzzle);
  } catch (error) {
    if (mine === asked) await refuse(error);
  } finally {
    if (mine === asked) {
      $("stage").setAttribute("aria-busy", "false");
      for (const id of ["stage", "side"]) $(id).classList.remove("coming");
    }
  }
}

/** @param {Puzzle} puzzle */
function begin(puzzle) {
  const { position, rule, day, difficulty, words } = puzzle;
  const name = nameOf(puzzle);
  const isPractice = wish.kind === "practice";
  const choice = choiceOf(wish.difficulty, wish.game, wish.asks);
  const result = firstResult({ day, name });
  if (isPractice && !result) rememberOpen(choice, name);
  history.replaceState(null, "", `${urlOf(name)}${isPractice ? `&${choiceOf(wish.difficulty, wish.game)}` : wish.own ? "&from=game" : ""}`);
  setText($("title"), titleOf(day));
  $("subtitle").replaceChildren(grade(difficulty));
  setText($("game-title"), `${position.board.title}.`);
  setText($("told"), rule);
  announce(`${titleOf(day)}. ${position.board.title}, ${gradeWords(difficulty)}. ${rule} ${words}`);
  game.begin(puzzle, result, wrongMoves(name));
  showDays(day);
  if (wish.wrong) positionBoard.tell(wish.wrong);
}

/** @param {string | null} day */
function titleOf(day) {
  if (day) return day === today() ? "Today's puzzle" : `Daily puzzle, ${dateWords(day, today())}`;
  if (wish.kind === "practice" || wish.asks !== "win") return KINDS[wish.asks] ?? KINDS.win;
  return wish.own ? "From your game" : "A puzzle from a friend";
}

/** @param {string | null} day */
function showDays(day) {
  calendar.show(day ?? today(), today());
  showStatistics(today(), books);
}

/** Say why there is no puzzle, and show the position if it is known. @param {unknown} error */
async function refuse(error) {
  const words = wordsOf(error);
  const isLasting = !isPassing(error);
  setText($("title"), isLasting ? "No puzzle here" : "Puzzles");
  for (const id of ["subtitle", "game-title", "told", "standing"]) setText($(id), "");
  setText($("words"), words);
  $("status").className = "status";
  $("squares").replaceChildren();
  showResult("");
  announce(words);
  showDays(null);
  const again = button("Try again", () => open(location.search), "primary");
  const way = isLasting ? link("Today's puzzle", urlOf("/puzzles"), "primary") : again;
  keepFocus($("actions"), way);
  const setup = isLasting && wish.at ? await positionAt(wish.at) : null;
  if (setup) keepFocus($("actions"), way, link("Analyse", setupLink(setup)));
}

/** Show the position that a link encodes, even if the position is not a puzzle, and return its setup. @param {string} at @returns {Promise<Setup | null>} */
async function positionAt(at) {
  const mine = asked;
  try {
    const position = await api("/api/position", { body: { setup: readAt(at) } });
    if (mine !== asked) return null;
    positionBoard.show(position, { isOpen: false });
    return position.setup;
  } catch {
    return null; // the link has no position either, as the message says
  }
}

/** @param {string} marks */
function count(marks) {
  if (!game.puzzle) return;
  const { day, position } = game.puzzle;
  countResult({ day, name: nameOf(game.puzzle), game: position.setup.game, today: today() }, marks);
}

/** @param {number[]} wrong */
function slipped(wrong) {
  if (game.puzzle && !game.result) rememberWrong(nameOf(game.puzzle), wrong);
}

function draw() {
  const { puzzle, stage, words, marks } = game;
  if (!puzzle) return;
  setText($("words"), words);
  $("status").className = `status ${STYLES[stage]}`;
  if (stage !== "playing" && words !== puzzle.words) announce(words);
  $("squares").replaceChildren(...(stage === "solved" ? [] : drawSquares(marks)));
  if (stage === "solved" && puzzle.day) solvedInTheEnd(puzzle.day);
  if (stage !== "asking" && stage !== "playing") showDays(puzzle.day);
  if (game.isOver && puzzle.kind !== "win") showRegions(puzzle);
  showOutcome(game, today());
  showActions(game, wish, today());
}

/** Show the regions once a puzzle about regions is over. @param {Puzzle} puzzle */
function showRegions({ position }) {
  positionBoard.show(position, { isOpen: false, areas: areasOf(finder.about(position), position.board) });
}

function fillForm() {
  const chosen = wish.difficulty || FIRST_CHOICE;
  const parts = Array.from({ length: HARDEST }, (_, at) => {
    const input = h("input", { type: "radio", name: "difficulty", value: at + 1, checked: String(at + 1) === chosen });
    return h("label", { class: "segment" }, input, h("span", {}, grade(at + 1)));
  });
  $("difficulties").replaceChildren(...parts);
  $("game").value = wish.game;
  $("kind").value = wish.asks in KINDS ? wish.asks : "win";
  chooseKind();
}

/** Offer a choice of game only for the kind of puzzle that is available in every game. */
function chooseKind() {
  show($("which-game"), $("kind").value === "win");
}

/** Open another puzzle on this page, with its own history entry. @param {string} address */
async function go(address) {
  if (run.run) return location.assign(address); // the browser asks first (see RunPage)
  history.pushState(null, "", address);
  scrollTo(0, 0);
  await open(location.search);
  if (game.puzzle) positionBoard.board.takeFocus();
}

/** Follow a link to another puzzle without loading the page again. @param {MouseEvent} event */
function follow(event) {
  const to = event.target instanceof Element ? event.target.closest("a") : null;
  const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  if (!to || !isPlain || pathOf(to.href) !== "/puzzles") return;
  event.preventDefault();
  go(to.href);
}

async function start() {
  setUpHelp(() => positionBoard.position);
  $("main").addEventListener("click", follow);
  addEventListener("popstate", () => (run.run ? location.reload() : open(location.search)));
  $("which").addEventListener("submit", (event) => {
    event.preventDefault();
    const fields = new FormData(/** @type {HTMLFormElement} */ (event.currentTarget));
    const asks = String(fields.get("kind"));
    go(urlOf(`/puzzles?${choiceOf(String(fields.get("difficulty")), asks === "win" ? String(fields.get("game")) : "", asks)}`));
  });
  $("kind").addEventListener("change", chooseKind);
  document.addEventListener("keydown", (event) => {
    if (shortcut(event) === "n" && game.isOver) go(nextAddress(wish, game.puzzle));
  });
  try {
    books = (await catalogue()).games;
    $("game").append(...books.map((one) => h("option", { value: one.name }, one.title)));
  } catch {
    // If the server is down, `open` will say so.
  }
  await open(location.search);
}

start();
