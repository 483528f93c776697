// The forms on the analysis page: the game, the board, and the opponent to continue against.

/** @import { Book, Created, Level, Position, SetUp } from "../answers" */
/** @import { Setup } from "../page" */

import { api, wordsOf } from "./api.js";
import { $, h, setText, show } from "./dom.js";
import { openGame } from "./launch.js";
import { isPositionLine } from "./notation.js";
import { rememberedName } from "./storage.js";

const FRIEND = "screen"; // the opponent who uses the same screen
const DESCRIBED = ""; // the option for a game that came with a record and is not on the server's list

/** @type {(group: string, value: string | number, label: string, checked: boolean, title?: string) => HTMLElement} */
function segment(group, value, label, checked, title = "") {
  return h("label", { class: "segment" }, h("input", { type: "radio", name: group, value, checked, ...(title && { title }) }), h("span", {}, label));
}

/** @param {string} name */
export function chosen(name) {
  return /** @type {HTMLInputElement} */ (document.querySelector(`input[name="${name}"]:checked`)).value;
}

/** @param {Level[]} levels */
export function fillLevels(levels) {
  const label = (/** @type {string} */ name) => name[0].toUpperCase() + name.slice(1);
  $("levels").append(...levels.map(({ name, summary }) => segment("level", name, label(name), name === "hard", summary)), segment("level", FRIEND, "A friend, here", false));
  $("levels").addEventListener("change", () => show($("sides-choice"), chosen("level") !== FRIEND));
}

/** Make the analysis page's forms match the current game.
 *
 * @param {Position} position
 * @param {Book[]} games
 */
export function fillForms({ setup, board }, games) {
  const foreign = setup.definition ? [h("option", { value: DESCRIBED }, `${board.title} (custom game)`)] : [];
  $("game").replaceChildren(...games.map((game) => h("option", { value: game.name }, game.title)), ...foreign);
  $("game").value = setup.definition ? DESCRIBED : setup.game;
  $("rows").value = String(board.rows);
  $("cols").value = String(board.cols);
  $("swap-rule").checked = setup.swap;
  chooseAdjacency(setup.adjacency);
  $("sides").replaceChildren(
    segment("side", "to-move", "The side to move", true),
    segment("side", "other", "The other side", false),
  );
}

/** Fill in the chosen game's defaults.
 *
 * @param {Book[]} games
 */
export function changeGame(games) {
  const game = games.find((one) => one.name === $("game").value);
  if (!game) return;
  [$("rows").value, $("cols").value] = game.board.split("x");
  chooseAdjacency(game.adjacency);
}

/** Return the setup that the form describes, before the first move.
 *
 * @param {Setup} current the game on the board, which may not be on the server's list
 * @returns {Setup}
 */
export function emptySetup(current) {
  const isDescribed = $("game").value === DESCRIBED;
  return {
    game: isDescribed ? current.game : $("game").value,
    definition: isDescribed ? current.definition : undefined,
    board: `${$("rows").value}x${$("cols").value}`,
    adjacency: chosen("adjacency"),
    starts: 1,
    swap: $("swap-rule").checked,
    moves: [],
  };
}

/** @param {string | undefined} adjacency */
function chooseAdjacency(adjacency) {
  /** @type {HTMLInputElement} */ (document.querySelector(`input[name="adjacency"][value="${adjacency}"]`)).checked = true;
}

/** Start a game from a position, against the chosen opponent.
 *
 * @param {Position} position
 */
export async function playOn(position) {
  setText($("play-problem"), "");
  const mover = position.to_move ?? 1;
  const opponent = chosen("level");
  const seat = opponent === FRIEND || chosen("side") === "to-move" ? mover : 3 - mover;
  try {
    /** @type {Created} */
    const made = await api("/api/games", { body: { setup: position.setup, opponent, seat, name: rememberedName() } });
    await openGame(made);
  } catch (error) {
    setText($("play-problem"), wordsOf(error));
  }
}

/** Return the position that a pasted record, position or list of moves describes, or throw an error that says what is wrong.
 *
 * @param {string} text
 * @param {Setup} current the game on the board, for a list of moves
 * @returns {Promise<Position>}
 */
export async function readPasted(text, current) {
  if (!text) throw new Error("Paste a record, a position or a list of moves first.");
  const { position: _, ...plain } = current;
  if (isPositionLine(text)) {
    const own = text.startsWith(`${plain.game} `) ? { definition: plain.definition } : {};
    /** @type {SetUp} */
    const { position, words } = await api("/api/setup", { body: { line: text, ...own } });
    if (!position) throw new Error(words);
    return position;
  }
  const isRecord = text.startsWith("[") || text.startsWith("{");
  return api("/api/position", { body: isRecord ? { record: text } : { setup: { ...plain, moves: [] }, text } });
}
