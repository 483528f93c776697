// The analysis board: any position, what every move in it is worth, and why.

/** @import { Analysis, Book, Created, Entry, Findings, Position, Why } from "../answers" */
/** @import { Cell, Note, Setup } from "../page" */

import { api, catalogue, isAborted, wordsOf } from "./api.js";
import { Board, cellName } from "./board.js";
import { $, announce, copyButton, h, setText, show } from "./dom.js";
import { setUpHelp, shortcut } from "./help.js";
import { full, gameLink, openLink, readAt, readSetup, setupLink } from "./links.js";
import { rememberedName } from "./memory.js";
import { showMoves, showSteps } from "./moves.js";
import { showLegend, showSwap, showVerdict } from "./verdict.js";

const LONG = 10; // seconds for somebody who asks for more
const MOMENT = 120; // milliseconds that a position must stay before the engine is asked
const LINGER = 300; // and that its verdicts must stay before somebody seems to care how long it lasts
/** @type {Note} */
const NOTHING = { words: "", causes: [], cell: null };
const DESCRIBED = ""; // in the list of games, one that came with a record and that the server does not offer

/** @type {Book[]} */
let games = [];
let position = /** @type {Position} */ (/** @type {unknown} */ (null)); // until the first has come
/** @type {string[]} */
let ahead = []; // moves that were stepped back over
/** @type {Entry[]} */
let moves = []; // the whole list, those ahead included
/** @type {Findings | null} */
let analysis = null;
/** @type {string | null} */
let trouble = null; // why there is no analysis
let isCounting = false; // whether distances are on their way
/** @type {AbortController | null} */
let asking = null; // aborts the question that is on its way
/** @type {Promise<unknown>} */
let turn = Promise.resolve();
/** @type {Map<string, Findings>} */
const answers = new Map(); // analyses by the link of their position, so that stepping through a game asks only once
let note = NOTHING;
const board = new Board($("board"), choose);

// -- positions --------------------------------------------------------------------------------------------------

/** Ask for a position and show it; what is ahead of it can be stepped to.
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
  if (!isSameGame) fillForms();
  const last = shown.moves.findLast((move) => move.kind !== "pass");
  announce([last ? `${last.words}.` : "", shown.pass?.words ?? "", shown.words].join(" ").trim());
  analyse();
}

/** One step after the other, however fast somebody clicks.
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

/** The same from the list, which may be far below the board.
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

// -- analysis ---------------------------------------------------------------------------------------------------

/** Ask the engine about the position: first for verdicts, then, where some are missing, for distances. */
async function analyse(longer = false) {
  asking?.abort();
  const mine = new AbortController();
  asking = mine;
  const key = setupLink(position.setup);
  analysis = (!longer && answers.get(key)) || null;
  trouble = null;
  isCounting = false;
  draw();
  if (position.outcome) return;
  const body = { setup: position.setup, ...(longer ? { seconds: LONG } : {}) };
  if (!analysis && !(await judge(key, body, mine.signal))) return;
  if (analysis?.countable) await count(key, body, analysis, mine.signal);
}

/** @typedef {{ setup: Setup, seconds?: number, distances?: boolean }} Question */

/**
 * @param {Question} body
 * @param {AbortSignal} signal
 * @returns {Promise<Findings>}
 */
async function ask(body, signal) {
  /** @type {Analysis} */
  const answer = await api("/api/analyse", { body, signal });
  return answer.analysis;
}

/** Wait, and say whether the position is still the same.
 *
 * @param {number} milliseconds
 * @param {AbortSignal} signal
 */
async function stays(milliseconds, signal) {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  return !signal.aborted;
}

/** Show who wins; tells whether it came to that.
 *
 * @param {string} key
 * @param {Question} body
 * @param {AbortSignal} signal
 */
async function judge(key, body, signal) {
  if (!(await stays(MOMENT, signal))) return false;
  try {
    analysis = await ask(body, signal);
    answers.set(key, analysis);
    announce(`${analysis.words} ${analysis.explanation}`);
  } catch (error) {
    if (isAborted(error)) return false;
    trouble = wordsOf(error);
    announce(trouble);
  }
  draw();
  return analysis !== null;
}

/** Add how long it takes, to verdicts that stand whether it comes to that or not.
 *
 * @param {string} key
 * @param {Question} body
 * @param {Findings} judged
 * @param {AbortSignal} signal
 */
async function count(key, body, judged, signal) {
  if (!(await stays(LINGER, signal))) return;
  isCounting = true;
  draw();
  try {
    const counted = await ask({ ...body, distances: true }, signal);
    const isLess = counted.moves.some((move, index) => move.verdict === "unknown" && judged.moves[index].verdict !== "unknown");
    analysis = { ...(isLess ? judged : counted), countable: false }; // more cannot be had in that time
    answers.set(key, analysis);
    if (analysis.distance !== null) announce(`${analysis.distance} moves until the loser is stuck.`);
  } catch (error) {
    if (isAborted(error)) return;
  }
  isCounting = false;
  draw();
}

// -- what is shown ----------------------------------------------------------------------------------------------

function draw() {
  const { board: shown, mark } = position;
  const values = new Map();
  if ($("show-values").checked) for (const move of analysis?.moves ?? []) values.set(move.cell, move);
  board.show({
    board: shown,
    mine: !position.outcome,
    mark,
    causes: note.causes.length ? note.causes : shown.causes,
    refused: note.cell,
    values,
    pairs: $("show-pairs").checked ? (analysis?.pairing ?? []) : [],
    mirror: $("show-pairs").checked ? (analysis?.mirror ?? []) : [],
  });
  setText($("words"), position.words);
  $("status").className = `status${position.outcome ? " over" : ""}`;
  setText($("note"), note.words || position.pass?.words || "");
  showSteps($("steps"), position.ply, position.ply + ahead.length, step);
  showMoves($("moves"), moves, shown.marks, position.ply, new Set(), stepFromAfar);
  showSwap(position, $("show-values").checked ? analysis : null);
  showVerdict({ position, analysis, trouble, isCounting, think: analyse, play: (names) => inTurn(() => play(names)) });
  $("review-moves").setAttribute("href", openLink("/review", { ...position.setup, moves: [...position.setup.moves, ...ahead] }));
  show($("review-moves"), moves.length > 0);
  const [link, code] = ["share", "embed"].map((id) => $(id).querySelector("input"));
  if (link) link.value = full(openLink("/analyse", position.setup));
  if (code) code.value = `<iframe src="${full(openLink("/embed", position.setup))}" width="480" height="640" title="${shown.title}"></iframe>`;
}

/** @type {(group: string, value: string | number, label: string, checked: boolean) => HTMLElement} */
function segment(group, value, label, checked) {
  return h("label", { class: "segment" }, h("input", { type: "radio", name: group, value, checked }), h("span", {}, label));
}

/** The forms show the game that is on the board. */
function fillForms() {
  const { setup, board: shown } = position;
  const foreign = setup.definition ? [h("option", { value: DESCRIBED }, shown.title)] : [];
  $("game").replaceChildren(...games.map((game) => h("option", { value: game.name }, game.title)), ...foreign);
  $("game").value = setup.definition ? DESCRIBED : setup.game;
  $("rows").value = String(shown.rows);
  $("cols").value = String(shown.cols);
  $("swap-rule").checked = setup.swap;
  chooseAdjacency(setup.adjacency);
  fillStarters(shown.marks, setup.starts);
  $("sides").replaceChildren(
    segment("side", "to-move", "The player to move", true),
    segment("side", "other", "The other", false),
  );
}

/** @type {(marks: string[], starts: number) => void} */
function fillStarters(marks, starts) {
  const labels = [1, 2].map((player) => segment("starts", player, marks[player - 1], player === starts));
  $("starters").replaceChildren(...labels);
}

/** @param {string | undefined} adjacency */
function chooseAdjacency(adjacency) {
  /** @type {HTMLInputElement} */ (document.querySelector(`input[name="adjacency"][value="${adjacency}"]`)).checked = true;
}

/** @param {string} name */
function chosen(name) {
  return /** @type {HTMLInputElement} */ (document.querySelector(`input[name="${name}"]:checked`)).value;
}

// -- the forms --------------------------------------------------------------------------------------------------

function emptySetup() {
  const isDescribed = $("game").value === DESCRIBED;
  return {
    game: isDescribed ? position.setup.game : $("game").value,
    definition: isDescribed ? position.setup.definition : undefined,
    board: `${$("rows").value}x${$("cols").value}`,
    adjacency: chosen("adjacency"),
    starts: Number(chosen("starts")),
    swap: $("swap-rule").checked,
    moves: [],
  };
}

async function changeBoard() {
  try {
    await setUp({ setup: emptySetup() });
  } catch (error) {
    tell(wordsOf(error));
  }
}

async function paste() {
  const text = $("pasted").value.trim();
  setText($("paste-problem"), "");
  try {
    const isRecord = text.startsWith("[") || text.startsWith("{");
    await setUp(isRecord ? { record: text } : { setup: emptySetup(), text });
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

function changeGame() {
  const game = games.find((one) => one.name === $("game").value);
  if (!game) return;
  [$("rows").value, $("cols").value] = game.board.split("x");
  chooseAdjacency(game.adjacency);
  fillStarters(game.marks, 1);
}

/** The position that the address names, if it names one. */
function opened() {
  if (location.hash.length > 1) return readSetup(location.hash);
  return location.search.includes("at=") ? readAt(location.search) : null;
}

async function open() {
  setUpHelp(() => position?.setup ?? null);
  listen();
  showLegend();
  const field = h("input", { type: "text", readonly: true, "aria-label": "Link to this position" });
  $("share").append(field, copyButton(field));
  const code = h("input", { type: "text", readonly: true, "aria-label": "Code for a page of your own" });
  $("embed").append(code, copyButton(code, "Copy embed code"));
  let first = "";
  const start = () => ({ game: first, starts: 1, swap: false, moves: [] });
  try {
    const known = await catalogue();
    ({ games, first } = known);
    const label = (/** @type {string} */ level) => level[0].toUpperCase() + level.slice(1);
    $("levels").append(...known.levels.map((level) => segment("level", level, label(level), level === "hard")));
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

/** Whatever the first position comes to, the forms and keys work: they are the way out of a bad one. */
function listen() {
  $("game").addEventListener("change", changeGame);
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
