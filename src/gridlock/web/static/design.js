// The page for designing your own game: pick its rules and its board, see who wins, then play it and share it.

/** @import { Analysis, Book, Position } from "../answers" */
/** @import { OwnGame, Setup } from "../page" */

import { isSite } from "./address.js";
import { api, catalogue, Failure, isAborted, wordsOf } from "./api.js";
import { cellName } from "./board.js";
import { adapt, chosenWay, definition, fillForm, form, keepName } from "./design-form.js";
import { boardProblem, tomlOf } from "./design-rules.js";
import { $, announce, copyButton, h, keepFocus, saveFile, setText } from "./dom.js";
import { setUpHelp } from "./help.js";
import { inviteFriend, playComputer } from "./launch.js";
import { designLink, full, ownGameLink, setupLink } from "./links.js";
import { ownGameOf, rememberOwnGame } from "./own-games.js";
import { showOwnGames } from "./own-list.js";
import { PositionBoard } from "./position.js";

const MOMENT = 250; // milliseconds without a change before the server is asked
const WHO = {
  win: "On this board, the first player wins.",
  loss: "On this board, the second player wins.",
  unknown: "This board is too large to solve quickly.",
};
const link = h("input", { type: "text", readonly: true, "aria-label": "Link to this game" });
const positionBoard = new PositionBoard(play);
/** @type {Book[]} */
let games = []; // the server's
let longest = 30; // the longest side of a board
/** @type {AbortController | null} */
let asking = null;
/** @type {{ setup: Setup, board: Position["board"], game: OwnGame } | null} */
let start = null; // the game before its first move, once it can be played

// -- the designed game --------------------------------------------------------------------------------------------

async function changed() {
  adapt();
  asking?.abort();
  const mine = new AbortController();
  asking = mine;
  clear();
  const problem = boardProblem($("rows").value, $("cols").value, chosenWay(), longest);
  if (problem) return refuse("board-problem", problem);
  await new Promise((resolve) => setTimeout(resolve, MOMENT));
  if (mine.signal.aborted) return;
  const own = definition(games);
  /** @type {Setup} */
  const setup = { game: own.name, definition: own, starts: 1, swap: false, moves: [] };
  try {
    const position = await api("/api/position", { body: { setup }, signal: mine.signal });
    if (!show(position, own)) return;
  } catch (error) {
    if (isAborted(error)) return;
    // The page offers only rules and boards that the server accepts, so only the title can be rejected.
    const isTitle = error instanceof Failure && error.code === "illegal";
    refuse(isTitle ? "title-problem" : "problem", wordsOf(error));
    return;
  }
  try {
    await judge(mine.signal);
  } catch (error) {
    if (!isAborted(error)) setText($("verdict"), wordsOf(error)); // the game can be played all the same
  }
}

/** Remove everything about the old rules from the page. */
function clear() {
  start = null;
  const { position } = positionBoard;
  if (position) positionBoard.show({ ...position, board: { ...position.board, legal: [], causes: [] } }, { isOpen: false });
  for (const id of ["title-problem", "board-problem", "problem", "verdict"]) setText($(id), "");
  buttons();
}

/** Show, beside a control, why the game can't be played.
 *
 * @param {"title-problem" | "board-problem" | "problem"} place
 * @param {string} words
 */
function refuse(place, words) {
  $("stage").classList.remove("coming");
  setText($("words"), "This game can't be played yet.");
  setText($(place), words);
  $(place).scrollIntoView({ block: "nearest" });
  setText($("told"), "");
  announce(words);
}

/** Show the empty board, and return whether a first move is possible.
 *
 * @param {Position} position
 * @param {ReturnType<typeof definition>} own
 */
function show(position, own) {
  $("stage").classList.remove("coming");
  positionBoard.show(position);
  history.replaceState(null, "", designLink(own));
  if (position.outcome) {
    refuse("board-problem", "Nobody can make a first move on this board. Make it larger.");
    return false;
  }
  const told = /** @type {{ rules: string, summary: string }} */ (/** @type {unknown} */ (position.setup.definition));
  start = { setup: position.setup, board: position.board, game: ownGameOf(own, position) };
  setText($("words"), start.game.summary);
  setText($("told"), told.rules);
  setText($("verdict"), "Working out who wins…");
  link.value = full(ownGameLink(own));
  setText($("file"), tomlOf({ ...own, title: position.board.title }));
  buttons();
  return true;
}

/** @param {AbortSignal} signal */
async function judge(signal) {
  if (!start) return;
  /** @type {Analysis} */
  const { position, analysis } = await api("/api/analyse", { body: { setup: start.setup, seconds: 2 }, signal });
  positionBoard.show(position, { values: new Map(analysis.moves.map((move) => [move.cell, move])) });
  setText($("verdict"), `${WHO[analysis.verdict]} ${because(analysis)}`);
  announce(`${$("words").textContent} ${WHO[analysis.verdict]}`);
}

/** State the winning strategy or, if none is known, how long the win takes. @param {Analysis["analysis"]} analysis */
function because({ explanation, mirror, pairing, distance }) {
  if (mirror.length || pairing.length) return explanation;
  return distance === null ? "" : `With perfect play, it takes ${distance} ${distance === 1 ? "move" : "moves"}.`;
}

/** Analyse the position after a first move. @param {number} cell */
function play(cell) {
  if (start) location.assign(setupLink({ ...start.setup, moves: [cellName(start.board, cell)] }));
}

// -- playing the game ---------------------------------------------------------------------------------------------

function buttons() {
  const disabled = start === null;
  /** @type {(label: string, style: string, run: (setup: Setup, game: OwnGame) => unknown) => HTMLElement} */
  const button = (label, style, run) => h("button", { type: "button", class: `button ${style}`, disabled, onclick: () => save(run) }, label);
  keepFocus(
    $("actions"),
    button("Play the computer", "primary", (setup) => playComputer(setup)),
    ...(isSite ? [] : [button("Invite a friend", "", (setup) => inviteFriend(setup))]),
    button("More ways to play", "", (_, game) => location.assign(ownGameLink(game.definition))),
    button("Analyse", "", (setup) => location.assign(setupLink(setup))),
  );
}

/** Add the game to the user's own games, then call `run` with the game's setup and list entry.
 *
 * @param {(setup: Setup, game: OwnGame) => unknown} run
 */
async function save(run) {
  if (!start) return;
  const { setup, game } = start;
  rememberOwnGame(game);
  keepName(game.name);
  showOwnGames();
  try {
    await run(setup, game);
  } catch (error) {
    setText($("problem"), wordsOf(error));
    announce(wordsOf(error));
  }
}

function download() {
  if (!start) return;
  saveFile(`${start.game.name}.toml`, $("file").textContent ?? "", "application/toml");
}

/** Show the game in the form; if the link didn't contain a readable one, say so. @param {string} problem */
async function showLinked(problem) {
  await changed();
  if (!problem) return;
  setText($("problem"), problem);
  announce(problem);
}

async function open() {
  setUpHelp(() => start);
  $("share").append(link, copyButton(link));
  $("download").addEventListener("click", download);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", changed);
  const problem = fillForm();
  adapt();
  buttons();
  showOwnGames();
  window.addEventListener("pageshow", showOwnGames); // also when Back restores the page from the cache
  window.addEventListener("hashchange", () => {
    showLinked(fillForm());
  });
  try {
    const known = await catalogue();
    games = known.games;
    longest = known.limits.side;
  } catch {
    // Ignore this error: changed() also sends a request, and shows an error if that request fails, too.
  }
  await showLinked(problem);
}

open();
