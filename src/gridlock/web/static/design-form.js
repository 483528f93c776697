// The form on the design page: the title, the rules and the board.

/** @import { Book } from "../answers" */

import { described, misfit, rulesOf } from "./design-rules.js";
import { $, setText } from "./dom.js";
import { readDefinition, UNREADABLE_GAME } from "./links.js";
import { ownGames } from "./own-games.js";
import { drawChoices } from "./rule-pictures.js";

const TITLE = "My game";
const MISFITS = /** @type {const} */ (["closes_own", "passes"]); // the choices that some movement rules exclude
export const form = /** @type {HTMLFormElement} */ (/** @type {unknown} */ ($("design")));
const title = /** @type {HTMLInputElement} */ ($("title-field"));
let saved = { name: "", title: "" }; // the game in the form, if it has a name already

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
  return /** @type {HTMLInputElement} */ (form.querySelector(`input[name="${name}"]:not([value=""])`));
}

/** Disable choices that the movement rule excludes, show the reasons, and draw the effect of each choice. */
export function adapt() {
  for (const name of MISFITS) {
    const reason = misfit(name, chosenWay());
    box(name).disabled = reason !== "";
    if (reason && name === "passes") choose(name, "");
    else if (reason) box(name).checked = false;
    setText($(`${name}-misfit`), reason);
  }
  drawChoices(form, chosen("adjacency"));
}

/** Return a unique identifier made from the title. @param {Book[]} games the server's */
function gameName(games) {
  if (saved.name && title.value.trim() === saved.title) return saved.name;
  const letters = title.value.toLowerCase().normalize("NFKD").replace(/[^a-z0-9]+/g, "_").replace(/^[^a-z]+|_+$/g, "");
  const taken = new Set([...games, ...ownGames()].map((game) => game.name));
  const first = letters.slice(0, 28) || "game";
  let name = first;
  for (let number = 2; taken.has(name); number += 1) name = `${first}_${number}`;
  return name;
}

/** Return the chosen movement rule. */
export function chosenWay() {
  return chosen("moves");
}

/** Return the game's definition, from which the server derives everything else.
 *
 * @param {Book[]} games the server's
 */
export function definition(games) {
  return {
    name: gameName(games),
    title: title.value.trim() || TITLE,
    board: `${Number($("rows").value)}x${Number($("cols").value)}`,
    adjacency: chosen("adjacency"),
    ...described({ moves: chosenWay(), closes_own: box("closes_own").checked, closes_other: box("closes_other").checked, passes: box("passes").checked }),
  };
}

/** Use the given name as the game's identifier until the user changes the game's title. @param {string} name */
export function keepName(name) {
  saved = { name, title: title.value.trim() };
}

/** Fill in the form from the game in the URL; if the URL contains no game, fill in only an unused title. Return a message
 * if the game in the URL can't be read, or an empty string.
 */
export function fillForm() {
  const given = readDefinition(location.hash);
  const titles = new Set(ownGames().map((game) => game.title));
  let number = 1;
  const numbered = () => (number === 1 ? TITLE : `${TITLE} ${number}`);
  while (titles.has(numbered())) number += 1;
  title.value = given ? String(given.title ?? TITLE) : numbered();
  if (!given) return location.hash.length > 1 ? UNREADABLE_GAME : "";
  keepName(String(given.name ?? ""));
  const rules = rulesOf(given);
  [$("rows").value, $("cols").value] = String(given.board ?? "5x5").split("x");
  choose("adjacency", given.adjacency === "orthogonal" ? "orthogonal" : "king");
  choose("moves", rules.moves);
  box("closes_own").checked = rules.closes_own;
  box("closes_other").checked = rules.closes_other;
  choose("passes", rules.passes ? "yes" : "");
  return "";
}
