// The analysis board: any position, what every move in it is worth, and why.

import { api, catalogue } from "./api.js";
import { Board, cellName } from "./board.js";
import { $, announce, copyButton, h, setText, show } from "./dom.js";
import { isWriting, setUpHelp } from "./help.js";
import { full, gameLink, readSetup, setupLink } from "./links.js";
import { rememberedName } from "./memory.js";
import { showMoves, showSteps } from "./moves.js";
import { showLegend, showVerdict } from "./verdict.js";

const LONG = 10; // seconds for somebody who asks for more
const MOMENT = 120; // milliseconds that a position must stay before the engine is asked
const NOTHING = { words: "", causes: [], cell: null };
const FIRST = { game: "showdown", starts: 1, swap: false, moves: [] };

let games = [];
let position = null;
let ahead = []; // moves that were stepped back over
let moves = []; // the whole list, those ahead included
let analysis = null;
let trouble = null; // why there is no analysis
let asking = null; // aborts the question that is on its way
let turn = Promise.resolve();
const answers = new Map(); // analyses by the link of their position, so that stepping through a game asks only once
let note = NOTHING;
const board = new Board($("board"), choose);

// -- positions --------------------------------------------------------------------------------------------------

/** Ask for a position and show it; what is ahead of it can be stepped to. */
async function setUp(body, next = []) {
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

/** One step after the other, however fast somebody clicks. */
function inTurn(task) {
  turn = turn.then(task);
  return turn;
}

async function play(names) {
  const { setup } = position;
  try {
    const follows = names.every((name, index) => ahead[index] === name);
    await setUp({ setup: { ...setup, moves: [...setup.moves, ...names] } }, follows ? ahead.slice(names.length) : []);
  } catch (error) {
    tell(error.message);
  }
}

async function go(ply) {
  const { setup } = position;
  const all = [...setup.moves, ...ahead];
  try {
    await setUp({ setup: { ...setup, moves: all.slice(0, ply) } }, all.slice(ply));
  } catch (error) {
    tell(error.message);
  }
}

async function explainOrPlay(cell) {
  if (position.board.legal.includes(cell)) {
    await play([cellName(position.board, cell)]);
    return;
  }
  try {
    const answer = await api("/api/why", { body: { setup: position.setup, cell } });
    tell(answer.words, answer.causes, cell);
  } catch (error) {
    tell(error.message);
  }
}

function choose(cell) {
  if (position) inTurn(() => explainOrPlay(cell));
}

function step(ply) {
  inTurn(() => go(ply));
}

function tell(words, causes = [], cell = null) {
  note = { words, causes, cell };
  announce(words);
  draw();
}

// -- analysis ---------------------------------------------------------------------------------------------------

async function analyse(longer = false) {
  asking?.abort();
  const mine = new AbortController();
  asking = mine;
  const key = setupLink(position.setup);
  analysis = (!longer && answers.get(key)) || null;
  trouble = null;
  draw();
  if (analysis || position.outcome) return;
  await new Promise((resolve) => setTimeout(resolve, MOMENT));
  if (mine.signal.aborted) return;
  try {
    const body = { setup: position.setup, ...(longer ? { seconds: LONG } : {}) };
    ({ analysis } = await api("/api/analyse", { body, signal: mine.signal }));
    answers.set(key, analysis);
    announce(`${analysis.words} ${analysis.explanation}`);
  } catch (error) {
    if (error.name === "AbortError") return;
    trouble = error.message;
    announce(trouble);
  }
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
  });
  setText($("words"), position.words);
  $("status").className = `status${position.outcome ? " over" : ""}`;
  setText($("note"), note.words || position.pass?.words || "");
  showSteps($("steps"), position.ply, position.ply + ahead.length, step);
  showMoves($("moves"), moves, shown.marks, position.ply, new Set(), step);
  show($("swap"), position.can_swap);
  showVerdict({ position, analysis, trouble, think: analyse, play: (names) => inTurn(() => play(names)) });
  const field = $("share").querySelector("input");
  field.value = full(setupLink(position.setup));
}

function segment(group, value, label, checked) {
  return h("label", { class: "segment" }, h("input", { type: "radio", name: group, value, checked }), h("span", {}, label));
}

/** The forms show the game that is on the board. */
function fillForms() {
  const { setup, board: shown } = position;
  const game = games.find((one) => one.name === setup.game);
  $("game").value = setup.game;
  $("rows").value = shown.rows;
  $("cols").value = shown.cols;
  $("swap-rule").checked = setup.swap;
  document.querySelector(`input[name="adjacency"][value="${setup.adjacency}"]`).checked = true;
  fillStarters(game, setup.starts);
  $("sides").replaceChildren(
    segment("side", "to-move", "The player to move", true),
    segment("side", "other", "The other", false),
  );
}

function fillStarters(game, starts) {
  const labels = [1, 2].map((player) => segment("starts", player, game.marks[player - 1], player === starts));
  $("starters").replaceChildren(...labels);
}

function chosen(name) {
  return document.querySelector(`input[name="${name}"]:checked`).value;
}

// -- the forms --------------------------------------------------------------------------------------------------

function emptySetup() {
  return {
    game: $("game").value,
    board: `${$("rows").value}x${$("cols").value}`,
    adjacency: chosen("adjacency"),
    starts: Number(chosen("starts")),
    swap: $("swap-rule").checked,
    moves: [],
  };
}

async function changeBoard(event) {
  event.preventDefault();
  try {
    await setUp({ setup: emptySetup() });
  } catch (error) {
    tell(error.message);
  }
}

async function paste(event) {
  event.preventDefault();
  const text = $("pasted").value.trim();
  setText($("paste-problem"), "");
  try {
    const isRecord = text.startsWith("[") || text.startsWith("{");
    await setUp(isRecord ? { record: text } : { setup: emptySetup(), text });
    board.takeFocus();
  } catch (error) {
    setText($("paste-problem"), error.message);
  }
}

async function playOn(event) {
  event.preventDefault();
  setText($("play-problem"), "");
  const mover = position.to_move ?? 1;
  try {
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
    setText($("play-problem"), error.message);
  }
}

// -- the page ---------------------------------------------------------------------------------------------------

function pressed(event) {
  if (!position || isWriting(event)) return;
  if ((event.key === "[" || event.key === "u") && position.ply > 0) step(position.ply - 1);
  else if (event.key === "]" && ahead.length) step(position.ply + 1);
}

function changeGame() {
  const game = games.find((one) => one.name === $("game").value);
  [$("rows").value, $("cols").value] = game.board.split("x");
  document.querySelector(`input[name="adjacency"][value="${game.adjacency}"]`).checked = true;
  fillStarters(game, 1);
}

async function open() {
  setUpHelp(() => position?.setup.game ?? null);
  showLegend();
  const field = h("input", { type: "text", readonly: true, "aria-label": "Link to this position" });
  $("share").append(field, copyButton(field));
  try {
    const known = await catalogue();
    ({ games } = known);
    $("game").append(...games.map((game) => h("option", { value: game.name }, game.title)));
    const label = (level) => level[0].toUpperCase() + level.slice(1);
    $("levels").append(...known.levels.map((level) => segment("level", level, label(level), level === "hard")));
    await setUp({ setup: readSetup(location.hash) ?? FIRST });
  } catch (error) {
    setText($("words"), error.message);
    setText($("verdict-words"), "Nothing to analyse");
    if (games.length) await setUp({ setup: FIRST });
    tell(error.message);
    return;
  }
  $("game").addEventListener("change", changeGame);
  $("setup").addEventListener("submit", changeBoard);
  $("paste").addEventListener("submit", paste);
  $("play-on").addEventListener("submit", playOn);
  $("swap").addEventListener("click", () => inTurn(() => play(["swap"])));
  for (const id of ["show-values", "show-pairs"]) $(id).addEventListener("change", draw);
  window.addEventListener("hashchange", () => location.reload());
  document.addEventListener("keydown", pressed);
}

open();
