// The analysis page: enter a position or play moves to see each move's value and the reasons for it.

/** @import { Book, Entry, Position, Why } from "../answers" */
/** @import { Cell, LineStep, Note, Setup } from "../page" */

import { api, catalogue, wordsOf } from "./api.js";
import { Board, cellName } from "./board.js";
import { $, announce, copyButton, h, setText, show } from "./dom.js";
import { SetupCard } from "./editing.js";
import { EngineFindings } from "./findings.js";
import { chosen, fillForms, fillLevels, playOn, readPasted } from "./forms.js";
import { setUpHelp, shortcut } from "./help.js";
import { full, openLink, readAt, readSetup, setupLink } from "./links.js";
import { showMoves, showSteps } from "./moves.js";
import { areasOf, RegionFinder, showRegions } from "./regions.js";
import { showLegend, showSwap, showVerdict } from "./verdict.js";

/** @type {Note} */
const NOTHING = { words: "", causes: [], cell: null };
const EDIT = "#set-up"; // the link that opens the set-up board

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
/** @type {{ cells: Cell[], steps: Map<Cell, LineStep> }} */
let bestLine = { cells: [], steps: new Map() }; // the latest one that was worked out
const board = new Board($("board"), choose);
const card = new SetupCard(board, { shown: () => position, games: () => games, take, draw });
const findings = new EngineFindings(draw);
const finder = new RegionFinder(draw);

// -- positions --------------------------------------------------------------------------------------------------

/** Request a position and show it; `next` lists the moves after it.
 *
 * @param {{ setup?: Setup, text?: string, record?: string }} body
 * @param {string[]} next
 */
async function setUp(body, next = []) {
  take(await api("/api/position", { body }), next);
}

/** Show a position from the server.
 *
 * @param {Position} shown
 * @param {string[]} next
 */
function take(shown, next = []) {
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
  turn = turn.then(task).catch((error) => tell(wordsOf(error)));
  return turn;
}

/** @param {string[]} names */
async function play(names) {
  const { setup } = position;
  const follows = names.every((name, index) => ahead[index] === name);
  await setUp({ setup: { ...setup, moves: [...setup.moves, ...names] } }, follows ? ahead.slice(names.length) : []);
}

/** @param {number} ply */
async function go(ply) {
  const { setup } = position;
  const all = [...setup.moves, ...ahead];
  await setUp({ setup: { ...setup, moves: all.slice(0, ply) } }, all.slice(ply));
}

/** @param {Cell} cell */
async function explainOrPlay(cell) {
  const inLine = overlay() === "line" ? bestLine.steps.get(cell) : undefined;
  if (inLine) {
    await play(bestLine.cells.slice(0, inLine.number).map((one) => cellName(position.board, one)));
  } else if (position.board.legal.includes(cell)) {
    await play([cellName(position.board, cell)]);
  } else {
    /** @type {Why} */
    const answer = await api("/api/why", { body: { setup: position.setup, cell } });
    tell(answer.words, answer.causes, cell);
  }
}

/** @param {Cell} cell */
function choose(cell) {
  if (card.isOpen) card.editor.use(cell);
  else if (position) inTurn(() => explainOrPlay(cell));
}

/** @param {number} ply */
function step(ply) {
  return inTurn(() => go(ply));
}

/** Step to a ply, then scroll to the board, because the move list may be far below it.
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
  if (position) draw();
}

// -- drawing ----------------------------------------------------------------------------------------------------

/** Return what the user wants drawn on the board: "values", "line", "regions" or "nothing". */
function overlay() {
  const wanted = chosen("overlay");
  return wanted === "line" && !findings.analysis?.line.length ? "values" : wanted;
}

/** Ask the server who makes each move of the best line.
 *
 * The players do not always alternate, because a player who cannot move may have to pass.
 *
 * @param {Cell[]} cells
 */
async function readLine(cells) {
  const { setup, ply, board: shown } = position;
  bestLine = { cells, steps: new Map() };
  /** @type {Position} */
  const after = await api("/api/position", { body: { setup: { ...setup, moves: [...setup.moves, ...cells.map((cell) => cellName(shown, cell))] } } });
  const played = after.moves.filter((move) => move.kind === "move" && move.ply > ply);
  bestLine = { cells, steps: new Map(played.map(({ cell, mark }, index) => [/** @type {Cell} */ (cell), { mark, number: index + 1 }])) };
  draw();
}

function draw() {
  if (card.isOpen) return;
  const { board: shown, mark } = position;
  const { analysis, trouble, isCounting } = findings;
  const wanted = overlay();
  const line = analysis?.line ?? [];
  if (wanted === "line" && line.join() !== bestLine.cells.join()) readLine(line).catch((error) => tell(wordsOf(error)));
  const regions = wanted === "regions" ? finder.about(position) : null;
  const hasPairs = wanted === "values" || wanted === "nothing";
  const showsPairs = $("show-pairs").checked && hasPairs;
  board.show({
    board: shown,
    mine: !position.outcome,
    mark,
    causes: note.causes.length ? note.causes : shown.causes,
    refused: note.cell,
    note: note.words ? note : position.pass,
    values: new Map(wanted === "values" ? (analysis?.moves ?? []).map((move) => [move.cell, move]) : []),
    line: wanted === "line" ? bestLine.steps : new Map(),
    areas: areasOf(regions, shown),
    pairs: showsPairs ? (analysis?.pairing ?? []) : [],
    mirror: showsPairs ? (analysis?.mirror ?? []) : [],
  });
  setText($("words"), position.words);
  $("status").className = `status${position.outcome ? " over" : ""}`;
  showSteps($("steps"), position.ply, position.ply + ahead.length, step);
  showMoves($("moves"), moves, shown.marks, position.ply, new Set(), stepFromAfar);
  showSwap(position, wanted === "values" ? analysis : null);
  const think = (longer = false) => findings.analyse(position, longer);
  showVerdict({ position, analysis, trouble, isCounting, think, play: (names) => inTurn(() => play(names)) });
  show($("overlay-line"), line.length > 0);
  show($("show-pairs-label"), hasPairs && Boolean(analysis?.pairing.length || analysis?.mirror.length));
  showLegend(wanted, analysis, regions);
  showRegions($("regions"), wanted === "regions", regions, position);
  drawShare();
}

function drawShare() {
  const { analysis } = findings;
  $("review-moves").setAttribute("href", openLink("/review", { ...position.setup, moves: [...position.setup.moves, ...ahead] }));
  show($("review-moves"), moves.length > 0);
  const [link, puzzle, code] = ["share", "puzzle", "embed"].map((id) => $(id).querySelector("input"));
  const count = analysis?.winning.length ?? 0;
  show($("puzzle-share"), count > 0);
  setText($("puzzle-words"), count === 1 ? "Only one move wins, so this is a good puzzle." : `${count} moves win, so there is more than one answer.`);
  if (link) link.value = full(openLink("/analyse", position.setup));
  if (puzzle) puzzle.value = full(openLink("/puzzles", position.setup));
  if (code) code.value = `<iframe src="${full(openLink("/embed", position.setup))}" width="480" height="640" title="${position.board.title}"></iframe>`;
}

async function paste() {
  setText($("paste-problem"), "");
  try {
    take(await readPasted($("pasted").value.trim(), position.setup));
    if (card.isOpen) card.close();
    board.takeFocus();
  } catch (error) {
    setText($("paste-problem"), wordsOf(error));
  }
}

// -- the page ---------------------------------------------------------------------------------------------------

/** @param {KeyboardEvent} event */
function pressed(event) {
  if (!position || card.isOpen) return;
  const key = shortcut(event);
  if ((key === "[" || key === "u") && position.ply > 0) step(position.ply - 1);
  else if (key === "]" && ahead.length) step(position.ply + 1);
}

/** Return the position in the URL, or null. */
function opened() {
  if (location.hash.length > 1 && location.hash !== EDIT) return readSetup(location.hash);
  return location.search.includes("at=") ? readAt(location.search) : null;
}

async function open() {
  setUpHelp(() => (card.isOpen ? card.editor.position : position));
  listen();
  for (const [id, label, words] of [["share", "Link to this position", "Copy"], ["puzzle", "Link to this puzzle", "Copy"], ["embed", "Embed code", "Copy embed code"]]) {
    const field = h("input", { type: "text", readonly: true, "aria-label": label });
    $(id).append(field, copyButton(field, words));
  }
  let first = "";
  const start = () => ({ game: first, starts: 1, swap: false, moves: [] });
  const isEditing = location.hash === EDIT;
  try {
    const known = await catalogue();
    ({ games, first } = known);
    fillLevels(known.levels);
    await setUp({ setup: opened() ?? start() });
    if (isEditing) await card.open();
  } catch (error) {
    setText($("words"), wordsOf(error));
    setText($("verdict-words"), "Nothing to analyse");
    if (!games.length) return;
    await setUp({ setup: start() });
    tell(wordsOf(error));
  } finally {
    $("edit").disabled = !position; // until then there is no board to set up
    $("side").classList.remove("coming");
  }
}

/** Attach the page's event listeners. If the first position fails to load, the user can still set up another. */
function listen() {
  /** @type {["paste" | "play-on", () => unknown][]} */
  const forms = [["paste", paste], ["play-on", () => playOn(position)]];
  for (const [id, submit] of forms) {
    $(id).addEventListener("submit", (event) => {
      event.preventDefault();
      if (position) submit();
      else location.reload(); // the server did not answer
    });
  }
  $("swap").addEventListener("click", () => inTurn(() => play(["swap"])));
  for (const id of ["overlay", "show-pairs"]) $(id).addEventListener("change", () => position && draw());
  window.addEventListener("hashchange", () => location.reload());
  document.addEventListener("keydown", pressed);
}

open();
