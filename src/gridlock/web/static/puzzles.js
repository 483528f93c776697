// The puzzles page: the daily puzzle, or any number of others. Only the first answer to each counts.

/** @import { Puzzle } from "../answers" */
/** @import { Cell } from "../page" */

import { api, catalogue, wordsOf } from "./api.js";
import { $, announce, h, keepFocus, setText, show } from "./dom.js";
import { setUpHelp, shortcut } from "./help.js";
import { setupLink } from "./links.js";
import { PositionBoard } from "./position.js";
import { answered, answeredOn, daysInARow, solvedOn, streaks, written } from "./progress.js";

const form = $("which");
/** @type {Puzzle | null} */
let puzzle = null;
let isAnswered = false;
let asked = 0; // the number of requested puzzles, used to ignore answers to outdated requests
const positionBoard = new PositionBoard(answer);
const today = () => written(new Date());

/** @returns {string} day, usual or hard */
function kind() {
  return /** @type {HTMLInputElement} */ (form.querySelector("input[name=kind]:checked")).value;
}

function address() {
  if (kind() === "day") return `day=${encodeURIComponent($("day").value || today())}`;
  const game = $("game").value ? `&game=${encodeURIComponent($("game").value)}` : "";
  return `hard=${kind() === "hard" ? 1 : 0}${game}`;
}

async function make() {
  const mine = ++asked;
  show($("day-label"), kind() === "day");
  show($("game-label"), kind() !== "day");
  try {
    /** @type {Puzzle} */
    const made = await api(`/api/puzzle?${address()}`);
    if (mine !== asked) return;
    puzzle = made;
    isAnswered = false;
    history.replaceState(null, "", `/puzzles?${address()}`);
    ask();
  } catch (error) {
    if (mine !== asked) return;
    puzzle = null;
    setText($("words"), wordsOf(error));
    setText($("told-title"), "No puzzle");
    setText($("told"), "");
    announce(wordsOf(error));
    buttons();
  } finally {
    for (const id of ["stage", "side"]) $(id).classList.remove("coming");
  }
}

function ask() {
  if (!puzzle) return;
  const { position, rule, words, day, hard } = puzzle;
  positionBoard.show(position);
  setText($("words"), words);
  setText($("title"), day ? (day === today() ? "Today's puzzle" : `Daily puzzle, ${day}`) : "Puzzles");
  setText($("told-title"), `${position.board.title}${hard ? ", hard" : ""}`);
  setText($("told"), rule);
  $("status").className = "status mine";
  announce(`${position.board.title}: ${rule} ${words}`);
  standing();
  buttons();
}

function standing() {
  const day = puzzle?.day;
  const { streak, best } = streaks();
  if (!day) {
    setText($("standing"), `Streak: ${streak}${best > streak ? ` (best: ${best})` : ""}.`);
    return;
  }
  const before = solvedOn(day);
  const tried = before === undefined ? "" : before ? "Solved. " : "Missed. ";
  const row = daysInARow(today());
  setText($("standing"), `${tried}Streak: ${row} ${row === 1 ? "day" : "days"}.`);
}

/** Record an answer; of the daily puzzles, only today's counts. @param {boolean} isRight */
function count(isRight) {
  const day = puzzle?.day;
  if (!day) answered(isRight);
  else if (day === today()) answeredOn(day, isRight);
}

/** @param {Cell | null} cell null if the user gives up */
function answer(cell) {
  if (!puzzle || isAnswered) return;
  const { position, analysis, replies } = puzzle;
  const isRight = cell !== null && analysis.winning.includes(cell);
  isAnswered = true;
  count(isRight);
  standing();
  positionBoard.show(position, {
    isOpen: false,
    values: new Map(analysis.moves.map((move) => [move.cell, move])),
    pairs: analysis.pairing,
    mirror: analysis.mirror,
  });
  const words = replies.find((reply) => reply.cell === cell)?.words ?? "";
  setText($("words"), words);
  $("status").className = "status";
  setText($("told"), analysis.explanation);
  announce(`${words} ${analysis.explanation}`);
  buttons();
}

function buttons() {
  /** @type {(label: string, run: () => unknown, style?: string) => HTMLElement} */
  const button = (label, run, style = "") => h("button", { type: "button", class: `button ${style}`, onclick: run }, label);
  const parts = [];
  if (!puzzle) parts.push(button("Try again", make, "primary"));
  else if (!isAnswered) parts.push(button("Show the answer", () => answer(null)));
  else {
    if (kind() === "day") parts.push(button("More puzzles", () => practise(), "primary"));
    else parts.push(button("Next puzzle", make, "primary"));
    parts.push(h("a", { class: "button", href: setupLink(puzzle.position.setup) }, "Analyse"));
  }
  keepFocus($("actions"), ...parts);
}

function practise() {
  choose("usual");
  make();
}

/** @param {string} value */
function choose(value) {
  /** @type {NodeListOf<HTMLInputElement>} */
  const inputs = form.querySelectorAll("input[name=kind]");
  for (const input of inputs) input.checked = input.value === value;
}

async function open() {
  setUpHelp(() => puzzle?.position ?? null);
  const wish = new URLSearchParams(location.search);
  $("day").value = wish.get("day") ?? today(); // which empties the field if there is no such date
  const wrong = $("day").value ? "" : `There is no date ${wish.get("day")}, so this is today's puzzle.`;
  if (wish.has("hard")) choose(wish.get("hard") === "1" ? "hard" : "usual");
  form.addEventListener("change", make);
  form.addEventListener("submit", (event) => event.preventDefault());
  document.addEventListener("keydown", (event) => {
    if (shortcut(event) === "n" && isAnswered && kind() !== "day") make();
  });
  try {
    const { games } = await catalogue();
    $("game").append(...games.map((game) => h("option", { value: game.name }, game.title)));
    $("game").value = wish.get("game") ?? "";
  } catch {
    // The request for the puzzle will show what is wrong.
  }
  await make();
  if (wrong && puzzle) positionBoard.tell(wrong);
}

open();
