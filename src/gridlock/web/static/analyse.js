// The analysis page: any position, the value of every move, and why.

/** @import { Book, Created, Entry, Position, Why } from "../answers" */
/** @import { Cell, Note, Setup } from "../page" */

import { api, catalogue, wordsOf } from "./api.js";
import { Board, cellName } from "./board.js";
import { $, announce, copyButton, h, setText, show } from "./dom.js";
import { EngineFindings } from "./findings.js";
import { changeGame, chosen, emptySetup, fillForms, fillLevels } from "./forms.js";
import { setUpHelp, shortcut } from "./help.js";
import { full, gameLink, openLink, readAt, readSetup, setupLink } from "./links.js";
import { showMoves, showSteps } from "./moves.js";
import { rememberedName } from "./storage.js";
import { showLegend, showSwap, showVerdict } from "./verdict.js";

/** @type {Note} */
const NOTHING = { words: "", causes: [], cell: null };

/** @type {Book[]} */
let games = [];
let position = /** @type {Position} */ (/** @type {unknown} */ (null)); // until the first position arrives
/** @type {string[]} */
let ahead = []; // moves after the shown position
/** @type {Entry[]} */
let moves = []; // all moves, including those ahead
/** @type {Promise<unknown>} */
let turn = Promise.resolve();
let note = NOTHING;
const board = new Board($("board"), choose);
const findings = new EngineFindings(draw);

// -- positions --------------------------------------------------------------------------------------------------

/** Request a position and show it; `next` are the moves that the user can step forward to.
 *
 * @param {{ setup?: Setup, text?: string, record?: string }} body
 * @param {string[]} next
 */
async function setUp(body, next = []) {
  /** @type {Position} */
  const shown = await api("/api/position", { body });
  const isSameGame = position && JSON.stringify({ ...shown.setup, moves: 0 }) === JSON.stringify({ ...position.setup, moves: 0 });
  position = shown;
  ahead = next;
  if (!next.length) moves = shown.moves;
  note = NOTHING;
  history.replaceState(null, "", setupLink(shown.setup));
  if (!isSameGame) fillForms(position, games);
  const last = shown.moves.findLast((move) => move.kind !== "pass");
  announce([last ? `${last.words}.` : "", shown.pass?.words ?? "", shown.words].join(" ").trim());
  findings.analyse(position);
}

/** Run tasks one at a time, however fast the user clicks.
 *
 * @param {() => Promise<unknown>} task
 */
function inTurn(task) {
  turn = turn.then(task);
  return turn;
}

/** @param {string[]} names */
async function play(names) {
  const { setup } = position;
  try {
    const follows = names.every((name, index) => ahead[index] === name);
    await setUp({ setup: { ...setup, moves: [...setup.moves, ...names] } }, follows ? ahead.slice(names.length) : []);
  } catch (error) {
    tell(wordsOf(error));
  }
}

/** @param {number} ply */
async function go(ply) {
  const { setup } = position;
  const all = [...setup.moves, ...ahead];
  try {
    await setUp({ setup: { ...setup, moves: all.slice(0, ply) } }, all.slice(ply));
  } catch (error) {
    tell(wordsOf(error));
  }
}

/** @param {Cell} cell */
async function explainOrPlay(cell) {
  if (position.board.legal.includes(cell)) {
    await play([cellName(position.board, cell)]);
    return;
  }
  try {
    /** @type {Why} */
    const answer = await api("/api/why", { body: { setup: position.setup, cell } });
    tell(answer.words, answer.causes, cell);
  } catch (error) {
    tell(wordsOf(error));
  }
}

/** @param {Cell} cell */
function choose(cell) {
  if (position) inTurn(() => explainOrPlay(cell));
}

/** @param {number} ply */
function step(ply) {
  return inTurn(() => go(ply));
}

/** Step to a ply, then scroll to the board, because the list may be far below it.
 *
 * @param {number} ply
 */
async function stepFromAfar(ply) {
  await step(ply);
  $("board").scrollIntoView({ block: "nearest" });
}

/**
 * @param {string} words
 * @param {Cell[]} causes
 * @param {Cell | null} cell
 */
function tell(words, causes = [], cell = null) {
  note = { words, causes, cell };
  announce(words);
  draw();
}

// -- drawing ----------------------------------------------------------------------------------------------------

function draw() {
  const { board: shown, mark } = position;
  const { analysis, trouble, isCounting } = findings;
  const values = new Map();
  if ($("show-values").checked) for (const move of analysis?.moves ?? []) values.set(move.cell, move);
  board.show({
    board: shown,
    mine: !position.outcome,
    mark,
    causes: note.causes.length ? note.causes : shown.causes,
    refused: note.cell,
    note: note.words ? note : position.pass,
    values,
    pairs: $("show-pairs").checked ? (analysis?.pairing ?? []) : [],
    mirror: $("show-pairs").checked ? (analysis?.mirror ?? []) : [],
  });
  setText($("words"), position.words);
  $("status").className = `status${position.outcome ? " over" : ""}`;
  showSteps($("steps"), position.ply, position.ply + ahead.length, step);
  showMoves($("moves"), moves, shown.marks, position.ply, new Set(), stepFromAfar);
  showSwap(position, $("show-values").checked ? analysis : null);
  const think = (longer = false) => findings.analyse(position, longer);
  showVerdict({ position, analysis, trouble, isCounting, think, play: (names) => inTurn(() => play(names)) });
  $("review-moves").setAttribute("href", openLink("/review", { ...position.setup, moves: [...position.setup.moves, ...ahead] }));
  show($("review-moves"), moves.length > 0);
  const [link, code] = ["share", "embed"].map((id) => $(id).querySelector("input"));
  if (link) link.value = full(openLink("/analyse", position.setup));
  if (code) code.value = `<iframe src="${full(openLink("/embed", position.setup))}" width="480" height="640" title="${shown.title}"></iframe>`;
}

// -- the forms --------------------------------------------------------------------------------------------------

async function changeBoard() {
  try {
    await setUp({ setup: emptySetup(position.setup) });
  } catch (error) {
    tell(wordsOf(error));
  }
}

async function paste() {
  const text = $("pasted").value.trim();
  setText($("paste-problem"), text ? "" : "Paste a record or a list of moves first.");
  if (!text) return;
  try {
    const isRecord = text.startsWith("[") || text.startsWith("{");
    await setUp(isRecord ? { record: text } : { setup: emptySetup(position.setup), text });
    board.takeFocus();
  } catch (error) {
    setText($("paste-problem"), wordsOf(error));
  }
}

async function playOn() {
  setText($("play-problem"), "");
  const mover = position.to_move ?? 1;
  try {
    /** @type {Created} */
    const made = await api("/api/games", {
      body: {
        setup: position.setup,
        opponent: chosen("level"),
        seat: chosen("side") === "to-move" ? mover : 3 - mover,
        name: rememberedName(),
      },
    });
    location.assign(gameLink(made.id, made.token));
  } catch (error) {
    setText($("play-problem"), wordsOf(error));
  }
}

// -- the page ---------------------------------------------------------------------------------------------------

/** @param {KeyboardEvent} event */
function pressed(event) {
  if (!position) return;
  const key = shortcut(event);
  if ((key === "[" || key === "u") && position.ply > 0) step(position.ply - 1);
  else if (key === "]" && ahead.length) step(position.ply + 1);
}

/** Return the position in the URL, or null. */
function opened() {
  if (location.hash.length > 1) return readSetup(location.hash);
  return location.search.includes("at=") ? readAt(location.search) : null;
}

async function open() {
  setUpHelp(() => position);
  listen();
  showLegend();
  const field = h("input", { type: "text", readonly: true, "aria-label": "Link to this position" });
  $("share").append(field, copyButton(field));
  const code = h("input", { type: "text", readonly: true, "aria-label": "Embed code" });
  $("embed").append(code, copyButton(code, "Copy embed code"));
  let first = "";
  const start = () => ({ game: first, starts: 1, swap: false, moves: [] });
  try {
    const known = await catalogue();
    ({ games, first } = known);
    fillLevels(known.levels);
    await setUp({ setup: opened() ?? start() });
  } catch (error) {
    setText($("words"), wordsOf(error));
    setText($("verdict-words"), "Nothing to analyse");
    if (!games.length) return;
    await setUp({ setup: start() });
    tell(wordsOf(error));
  } finally {
    $("side").classList.remove("coming");
  }
}

/** Connect the forms and keys. They must work even if the first position fails, so that the user can set up another. */
function listen() {
  $("game").addEventListener("change", () => changeGame(games));
  /** @type {["setup" | "paste" | "play-on", () => unknown][]} */
  const forms = [["setup", changeBoard], ["paste", paste], ["play-on", playOn]];
  for (const [id, submit] of forms) {
    $(id).addEventListener("submit", (event) => {
      event.preventDefault();
      if (position) submit();
      else location.reload(); // the server did not answer
    });
  }
  $("swap").addEventListener("click", () => inTurn(() => play(["swap"])));
  for (const id of ["show-values", "show-pairs"]) $(id).addEventListener("change", () => position && draw());
  window.addEventListener("hashchange", () => location.reload());
  document.addEventListener("keydown", pressed);
}

open();
