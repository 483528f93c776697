// The page for designing your own game: four properties, a board, and the rules that follow from them.

/** @import { Analysis, Book, Position } from "../answers" */
/** @import { Setup } from "../page" */

import { api, catalogue, isAborted, wordsOf } from "./api.js";
import { cellName } from "./board.js";
import { $, announce, copyButton, h, keepFocus, setText } from "./dom.js";
import { setUpHelp } from "./help.js";
import { playComputer } from "./launch.js";
import { designLink, full, readDefinition, setupLink } from "./links.js";
import { PositionBoard } from "./position.js";

const MOMENT = 250; // milliseconds without a change before the server is asked
const form = /** @type {HTMLFormElement} */ (/** @type {unknown} */ ($("design")));
const title = /** @type {HTMLInputElement} */ ($("title-field"));
/** @type {Book[]} */
let games = [];
/** @type {AbortController | null} */
let asking = null;
/** @type {Position | null} */
let start = null; // the game's empty board, once the server has accepted the game
const positionBoard = new PositionBoard(play);

/** @param {string} name */
function chosen(name) {
  return /** @type {HTMLInputElement} */ (form.querySelector(`input[name="${name}"]:checked`)).value;
}

/** @type {(name: string, value: string) => void} */
function choose(name, value) {
  /** @type {NodeListOf<HTMLInputElement>} */
  const inputs = form.querySelectorAll(`input[name="${name}"]`);
  for (const input of inputs) input.checked = input.value === value;
}

/** @param {string} name */
function box(name) {
  return /** @type {HTMLInputElement} */ (form.querySelector(`input[name="${name}"]`));
}

/** Return an unused identifier made from the title. */
function gameName() {
  const letters = title.value.toLowerCase().normalize("NFKD").replace(/[^a-z0-9]+/g, "_").replace(/^[^a-z]+|_+$/g, "");
  const name = letters.slice(0, 28) || "game";
  return games.some((game) => game.name === name) ? `${name}_own` : name;
}

/** Return the game's definition; the server derives everything else from the shape. */
function definition() {
  const follows = chosen("follows");
  const shape = {
    ...(box("closes_own").checked ? { closes_own: true } : {}),
    ...(box("closes_other").checked ? { closes_other: true } : {}),
    ...(follows ? { follows } : {}),
    ...(box("pawn").checked ? { pawn: true } : {}),
  };
  return {
    name: gameName(),
    title: title.value.trim() || "My game",
    board: `${$("rows").value}x${$("cols").value}`,
    adjacency: chosen("adjacency"),
    ...(box("passes").checked ? { passes: true } : {}),
    shape,
  };
}

/** Return the definition as a file for `gridlock play`. */
function toml() {
  const { shape, name, ...rest } = definition();
  const line = (/** @type {[string, unknown]} */ [key, value]) => `${key} = ${JSON.stringify(value)}`;
  const lines = (/** @type {object} */ table) => Object.entries(table).map(line).join("\n");
  return `# ${name}.toml\n${lines(rest)}\n\n[shape]\n${lines(shape)}\n`;
}

async function changed() {
  asking?.abort();
  const mine = new AbortController();
  asking = mine;
  await new Promise((resolve) => setTimeout(resolve, MOMENT));
  if (mine.signal.aborted) return;
  const described = definition();
  /** @type {Setup} */
  const setup = { game: described.name, definition: described, starts: 1, swap: false, moves: [] };
  try {
    show(await api("/api/position", { body: { setup }, signal: mine.signal }));
    await judge(mine.signal);
  } catch (error) {
    if (!isAborted(error)) refuse(wordsOf(error));
  }
}

/** @param {Position} position */
function show(position) {
  start = position;
  $("stage").classList.remove("coming");
  positionBoard.show(position);
  const told = /** @type {{ rules: string, summary: string }} */ (/** @type {unknown} */ (position.setup.definition));
  setText($("words"), told.summary);
  $("status").className = "status";
  setText($("told"), told.rules);
  setText($("verdict"), "Working out who wins…");
  const link = full(designLink(definition()));
  history.replaceState(null, "", designLink(definition()));
  const field = $("share").querySelector("input");
  if (field) field.value = link;
  setText($("file"), toml());
  buttons(true);
}

/** @param {string} words */
function refuse(words) {
  start = null;
  $("stage").classList.remove("coming");
  setText($("words"), words);
  $("status").className = "status over";
  setText($("told"), "These rules can't be played yet.");
  setText($("verdict"), "");
  positionBoard.isOpen = false;
  announce(words);
  buttons(false);
}

/** @param {AbortSignal} signal */
async function judge(signal) {
  if (!start) return;
  /** @type {Analysis} */
  const { position, analysis } = await api("/api/analyse", { body: { setup: start.setup, seconds: 2 }, signal });
  positionBoard.show(position, { values: new Map(analysis.moves.map((move) => [move.cell, move])) });
  const who = {
    win: "On this board, the first player wins.",
    loss: "On this board, the second player wins.",
    unknown: "This board is too large to solve quickly.",
  };
  setText($("verdict"), `${who[analysis.verdict]} ${analysis.explanation}`);
  announce(`${$("words").textContent} ${who[analysis.verdict]}`);
}

/** Open the analysis after a first move on the board. @param {number} cell */
function play(cell) {
  if (!start) return;
  location.assign(setupLink({ ...start.setup, moves: [cellName(start.board, cell)] }));
}

/** @param {boolean} isPlayable */
function buttons(isPlayable) {
  const against = async () => {
    try {
      if (start) await playComputer(start.setup);
    } catch (error) {
      refuse(wordsOf(error));
    }
  };
  const disabled = !isPlayable;
  keepFocus(
    $("actions"),
    h("button", { type: "button", class: "button primary", disabled, onclick: against }, "Play the computer"),
    h("button", { type: "button", class: "button", disabled, onclick: () => start && location.assign(setupLink(start.setup)) }, "Analyse"),
  );
}

/** Fill the form with a game from a link. @param {Record<string, any>} described */
function fill(described) {
  title.value = String(described.title ?? "");
  [$("rows").value, $("cols").value] = String(described.board ?? "5x5").split("x");
  choose("adjacency", described.adjacency ?? "king");
  for (const name of ["closes_own", "closes_other", "pawn"]) box(name).checked = described.shape?.[name] === true;
  choose("follows", described.shape?.follows ?? "");
  box("passes").checked = described.passes === true;
}

async function open() {
  setUpHelp(() => start);
  const field = h("input", { type: "text", readonly: true, "aria-label": "Link to this design" });
  $("share").append(field, copyButton(field));
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", changed);
  const described = readDefinition(location.hash);
  if (described) fill(described);
  buttons(false);
  try {
    ({ games } = await catalogue());
  } catch {
    // The first request to the server will show what is wrong.
  }
  await changed();
}

open();
