// The forms on the analysis page: the game, the board, who starts, and the opponent to continue against.

/** @import { Book, Level, Position } from "../answers" */
/** @import { Setup } from "../page" */

import { $, h } from "./dom.js";

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
  $("levels").append(...levels.map(({ name, summary }) => segment("level", name, label(name), name === "hard", summary)));
}

/** Fill the forms with the game on the board.
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
  fillStarters(board.marks, setup.starts);
  $("sides").replaceChildren(
    segment("side", "to-move", "The side to move", true),
    segment("side", "other", "The other side", false),
  );
}

/** Fill in the defaults of the game that the user has chosen.
 *
 * @param {Book[]} games
 */
export function changeGame(games) {
  const game = games.find((one) => one.name === $("game").value);
  if (!game) return;
  [$("rows").value, $("cols").value] = game.board.split("x");
  chooseAdjacency(game.adjacency);
  fillStarters(game.marks, 1);
}

/** Return the setup in the form, without moves.
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
    starts: Number(chosen("starts")),
    swap: $("swap-rule").checked,
    moves: [],
  };
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
