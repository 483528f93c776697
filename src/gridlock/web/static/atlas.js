// The atlas page: who wins on each board, and with which first moves.

/** @import { Analysis, Atlas, AtlasBoard, AtlasTable } from "../answers" */
/** @import { Setup } from "../page" */

import { urlOf } from "./address.js";
import { api, isAborted, wordsOf } from "./api.js";
import { durationWords, EVIDENCE, evidenceWords, kindsIn, miniMap, patternWords, sign, styleOf } from "./atlas-map.js";
import { setUpCheck } from "./certificate-card.js";
import { $, announce, h, keepFocus, setText } from "./dom.js";
import { setUpHelp } from "./help.js";
import { playComputer } from "./launch.js";
import { setupLink } from "./links.js";
import { PositionBoard } from "./position.js";

const SECONDS = 5; // time limit for analysing a board's first moves
const form = $("which");
let atlas = /** @type {Atlas} */ (/** @type {unknown} */ (null)); // until it arrives
let board = ""; // such as 5x6
/** @type {AbortController | null} */
let asking = null;
/** @type {Setup | null} */
let setup = null;
const positionBoard = new PositionBoard(openAfter);

/** @param {string} name */
function chosen(name) {
  return /** @type {HTMLInputElement} */ (form.querySelector(`input[name="${name}"]:checked`)).value;
}

/** @type {(name: string, value: string) => void} */
function choose(name, value) {
  /** @type {NodeListOf<HTMLInputElement>} */
  const inputs = form.querySelectorAll(`input[name="${name}"]`);
  for (const input of inputs) if (input.value === value) input.checked = true;
}

/** @returns {AtlasTable} */
function table() {
  const found = atlas.tables.find((one) => one.game === chosen("game") && one.adjacency === chosen("adjacency"));
  return found ?? atlas.tables[0];
}

/** @param {AtlasBoard} one */
function words({ rows, cols, winner, evidence, seconds }) {
  const took = seconds ? `, ${durationWords(seconds)}` : "";
  const who = winner === null ? "unsolved" : `the ${winner === 1 ? "first" : "second"} player wins (${EVIDENCE[evidence]}${took})`;
  return `${rows}x${cols}: ${who}`;
}

/** Return the table's entry for a board or its 90-degree rotation. @type {(rows: number, cols: number) => AtlasBoard | undefined} */
function boardOf(rows, cols) {
  const found = table().boards.find((one) => [one.rows, one.cols].sort().join() === [rows, cols].sort().join());
  return found && { ...found, rows, cols };
}

/** Return a table cell, with a symbol for the kind of evidence if `signs` is true or the board is unsolved.
 *
 * @type {(row: number, col: number, signs: boolean) => HTMLElement}
 */
function square(row, col, signs) {
  const found = boardOf(row, col);
  if (!found) return h("td", {});
  const size = `${row}x${col}`;
  const button = h(
    "button",
    { type: "button", class: styleOf(found.winner), "aria-label": words(found), "aria-pressed": String(size === board), title: words(found), "data-size": size },
    signs || found.winner === null ? sign(found.evidence) : null,
  );
  button.addEventListener("click", () => pick(size));
  return h("td", {}, button);
}

function showTable() {
  const { title, adjacency, own, boards } = table();
  setText($("table-title"), patternWords(boards));
  setText($("sums"), `${title}, ${adjacency === "king" ? "diagonals count" : "no diagonals"}${own ? "" : " (not the default)"}. ${evidenceWords(boards)}`);
  const signs = kindsIn(boards).filter((kind) => kind !== "open").length > 1;
  const sides = Array.from({ length: atlas.side }, (_, index) => index + 1);
  $("boards").replaceChildren(
    h("caption", { class: "unseen" }, "Rows down, columns across"),
    h("thead", {}, h("tr", {}, h("td", {}), ...sides.map((side) => h("th", { scope: "col" }, String(side))))),
    h(
      "tbody",
      {},
      ...sides.map((row) =>
        h("tr", {}, h("th", { scope: "row" }, String(row)), ...sides.map((col) => square(row, col, signs))),
      ),
    ),
  );
  showLegend(boards, signs);
}

/** @param {string} size */
async function pick(size) {
  board = size;
  setText($("problem"), "");
  for (const one of $("boards").querySelectorAll("button")) {
    one.setAttribute("aria-pressed", String(one.dataset.size === size));
  }
  history.replaceState(null, "", urlOf(`/atlas?game=${encodeURIComponent(chosen("game"))}&adjacency=${chosen("adjacency")}&board=${size}`));
  asking?.abort();
  asking = new AbortController();
  const { signal } = asking;
  setText($("told"), "Analysing the first moves…");
  setText($("facts"), "");
  try {
    const wish = { game: chosen("game"), adjacency: chosen("adjacency"), board: size, starts: 1, swap: false, moves: [] };
    setup = wish;
    const [rows, cols] = size.split("x").map(Number);
    const found = boardOf(rows, cols);
    setText($("told-title"), found ? words(found) : size);
    positionBoard.show(await api("/api/position", { body: { setup: wish }, signal }), { isOpen: false });
    /** @type {Analysis} */
    const { position, analysis } = await api("/api/analyse", { body: { setup: wish, seconds: SECONDS }, signal });
    positionBoard.show(position, { isOpen: true, values: new Map(analysis.moves.map((move) => [move.cell, move])) });
    setText($("told"), analysis.explanation);
    const unknown = analysis.moves.filter((move) => move.verdict === "unknown").length;
    const wins = `${analysis.winning.length} of ${analysis.moves.length} first moves ${analysis.winning.length === 1 ? "wins" : "win"}`;
    setText($("facts"), `${wins}${unknown ? `; ${unknown} ${unknown === 1 ? "is" : "are"} unsolved` : ""}. To analyse a move, choose its cell.`);
    announce(`${wins}. ${analysis.explanation}`);
  } catch (error) {
    if (isAborted(error)) return;
    setText($("told"), wordsOf(error));
    announce(wordsOf(error));
  }
}

/** Open the analysis page at the position after a first move. @param {number} cell */
function openAfter(cell) {
  if (!setup) return;
  const { cols, origin } = positionBoard.position.board;
  const name = `${Math.floor(cell / cols) + origin},${(cell % cols) + origin}`;
  location.assign(setupLink({ ...setup, moves: [name] }));
}

async function play() {
  if (!setup) return;
  try {
    await playComputer(setup);
  } catch (error) {
    setText($("problem"), wordsOf(error));
  }
}

/** Explain what a table's squares and symbols mean.
 *
 * @param {AtlasBoard[]} boards
 * @param {boolean} signs
 */
function showLegend(boards, signs) {
  /** @type {[number | null, string][]} */
  const winners = [[1, "first player wins"], [2, "second player wins"], [null, "unsolved"]];
  const entry = (/** @type {Node} */ picture, /** @type {string} */ said) => h("li", {}, picture, h("span", {}, said));
  const shown = winners.filter(([winner]) => boards.some((one) => one.winner === winner));
  const kinds = signs ? kindsIn(boards).filter((kind) => kind !== "open") : [];
  $("legend").replaceChildren(
    ...shown.map(([winner, said]) => entry(h("span", { class: `key ${styleOf(winner)}`, "aria-hidden": "true" }, winner === null ? sign("open") : null), said)),
    ...kinds.map((kind) => entry(h("span", { class: "key", "aria-hidden": "true" }, sign(kind)), `by ${EVIDENCE[kind]}`)),
  );
}

function changed() {
  showTable();
  pick($("boards").querySelector(`[data-size="${board}"]`) ? board : "5x5");
}

/** Return a message if the atlas lacks what the link asks for, so that something else is shown. @param {URLSearchParams} wish */
function misses(wish) {
  const shown = { game: chosen("game"), adjacency: chosen("adjacency"), board };
  const missing = Object.entries(shown).flatMap(([name, value]) => ((wish.get(name) || value) === value ? [] : [`no ${name} '${wish.get(name)}'`]));
  return missing.length ? `The atlas has ${missing.join(" and ")}, so this is ${table().title} on ${board}.` : "";
}

async function open() {
  setUpHelp(() => (setup ? { setup } : null));
  const wish = new URLSearchParams(location.search);
  try {
    atlas = await api("/api/atlas");
  } catch (error) {
    setText($("problem"), wordsOf(error));
    return;
  }
  const games = [...new Map(atlas.tables.map((one) => [one.game, one.title]))];
  const tile = (/** @type {string} */ game, /** @type {string} */ title, /** @type {boolean} */ checked) => {
    const boards = atlas.tables.find((one) => one.game === game && one.own)?.boards ?? [];
    const input = h("input", { type: "radio", name: "game", value: game, checked });
    return h("label", { class: "option" }, input, h("span", { class: "face" }, miniMap(boards, atlas.side), h("b", {}, title)));
  };
  $("games").replaceChildren(...games.map(([game, title], index) => tile(game, title, index === 0)));
  const own = () => atlas.tables.find((one) => one.game === chosen("game") && one.own)?.adjacency ?? "king";
  choose("game", wish.get("game") ?? "");
  choose("adjacency", own());
  choose("adjacency", wish.get("adjacency") ?? "");
  board = /^\d+x\d+$/.exec(wish.get("board") ?? "")?.[0] ?? "5x5";
  keepFocus(
    $("actions"),
    h("button", { type: "button", class: "button primary", onclick: play }, "Play the computer"),
    h("button", { type: "button", class: "button", onclick: () => setup && location.assign(setupLink(setup)) }, "Analyse"),
  );
  $("games").addEventListener("change", () => choose("adjacency", own()));
  form.addEventListener("change", changed);
  changed();
  setText($("problem"), misses(wish));
  $("map").classList.remove("coming");
}

setUpCheck();
open();
