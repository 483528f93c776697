// The help dialog for all pages, with its header button and shortcut `?`.

/** @import { Board, Book } from "../answers" */
/** @import { Setup } from "../page" */
/** @typedef {{ setup: Setup, board?: Board }} Shown */

import { urlOf } from "./address.js";
import { catalogue } from "./api.js";
import { $, h, s } from "./dom.js";
import { marker, middleText, shape } from "./marks.js";
import { keepPages } from "./offline.js";
import { setUpSettings } from "./settings.js";
import { useKeys, usesKeys } from "./storage.js";

/** @param {SVGElement[]} parts */
function sample(...parts) {
  return s("svg", { viewBox: "0 0 60 60", class: "sample", "aria-hidden": "true" }, ...parts);
}

/** @param {[SVGElement, string][]} entries */
function legend(entries) {
  return h("ul", { class: "legend" }, ...entries.map(([picture, words]) => h("li", {}, picture, h("span", {}, words))));
}

/** @param {[string[], string][]} entries */
function keys(entries) {
  const rows = entries.map(([names, words]) => {
    const keycaps = names.map((name) => h("kbd", {}, name));
    return h("div", {}, h("dt", {}, ...keycaps), h("dd", {}, words));
  });
  return h("dl", { class: "keys" }, ...rows);
}

/** Create the switch for single-key shortcuts, which get in the way of users who dictate or often press keys by accident. */
function keySwitch() {
  const box = h("input", { type: "checkbox", checked: usesKeys() });
  box.addEventListener("change", () => useKeys(box.checked));
  return h("label", { class: "check" }, box, h("span", {}, "Single-key shortcuts: [ ] u h ?"));
}

/** Create a description of a game's rules, with a picture of every kind of cell.
 *
 * @param {Book} game
 * @param {boolean} isOnly whether the help is about this game only, and its title has the game's name
 */
function ruleOf(game, isOnly) {
  const picture = h("img", { src: urlOf(`/pictures/${encodeURIComponent(game.name)}.svg`), alt: "", width: 112, height: 112 });
  const title = isOnly ? null : h("h3", {}, game.title);
  return h("div", { class: "game-rule" }, picture, h("div", {}, title, h("p", {}, h("b", {}, game.summary)), h("p", {}, game.rules)));
}

const MARKS = ["X", "O"];

/**
 * @param {Book[]} games
 * @param {Shown | null} current
 */
function content(games, current) {
  const described = /** @type {Pick<Book, "title" | "rules"> | undefined} */ (/** @type {unknown} */ (current?.setup.definition));
  const shown = described ?? games.find((game) => game.name === current?.setup.game);
  return [
    h("h2", { id: "help-title" }, shown ? `How to play ${shown.title}` : "How to play"),
    ...(described
      ? [h("p", {}, `This is a custom game. Its rule: ${current?.board?.own_rule ?? ""}`), h("h3", {}, "In the author's words"), h("p", {}, described.rules)]
      : games.filter((game) => !shown || game === shown).map((game) => ruleOf(game, Boolean(shown)))),
    h("h3", {}, "On the board"),
    legend([
      [sample(shape("dot", "open")), "You can play here: click, tap or press Enter to place your marker."],
      [sample(shape("hollow", "open theirs")), "Your opponent can play here."],
      [sample(shape("frame", "last"), ...marker("X", MARKS)), "The last move."],
      [sample(...marker("O", MARKS), shape("corners", "cause")), "The marker that closes the cell you chose."],
      [sample(shape("square", "shade"), shape("hatch", "hatch plain")), "Blocked for good."],
    ]),
    h("h3", {}, "In the analysis"),
    legend([
      [sample(shape("disc", "win"), middleText("9", "win-number")), "Wins in 9 moves."],
      [sample(shape("diamond", "loss"), middleText("8", "loss-number")), "Loses."],
      [sample(shape("dot", "unknown")), "Unknown: the engine ran out of time."],
      [sample(shape("star", "better")), "This move would have kept the win."],
    ]),
    h("h3", {}, "Keys"),
    keys([
      [["←", "↑", "↓", "→"], "move around the board"],
      [["Home", "End"], "go to the ends of a row"],
      [["Enter"], "play the cell, or ask why it is closed"],
      [["←", "["], "previous move (when the focus is not on the board)"],
      [["→", "]"], "next move"],
      [["u"], "undo, or ask for a takeback"],
      [["h"], "hint; press again for more"],
      [["?"], "this help"],
      [["Esc"], "close the hint, or this help"],
    ]),
    keySwitch(),
  ];
}

/** @type {() => Shown | null} */
let currentGame = () => null;

/** Open the help for the current game or, if no game is open, for all games. */
async function openHelp() {
  const dialog = $("help");
  if (dialog.open) return;
  const close = h("button", { type: "button", class: "button close", onclick: () => dialog.close() }, "Close");
  /** @type {Book[]} */
  let games = [];
  try {
    ({ games } = await catalogue());
  } catch {
    // Without the server there are no rules to show, but the list of keys is still useful.
  }
  dialog.replaceChildren(close, ...content(games, currentGame()));
  dialog.showModal();
  dialog.scrollTop = 0;
}

const WRITTEN_IN = "input:not([type=radio], [type=checkbox]), textarea, select, dialog";
const MOVED_IN = `${WRITTEN_IN}, input, [role=grid], .scroller`; // places in which the arrow keys have another meaning
/** @type {Record<string, string>} */
const ARROWS = { ArrowLeft: "[", ArrowRight: "]" };

/** Return the shortcut for a key press, or "" if the press belongs to a text field or a dialog.
 *
 * @param {KeyboardEvent} event
 */
export function shortcut(event) {
  const arrow = ARROWS[event.key];
  const isTyped = "[]".includes(event.key); // many keyboards need Alt for these
  const isHeld = event.metaKey || (!isTyped && (event.ctrlKey || event.altKey)) || (event.ctrlKey && !event.altKey);
  const at = event.target instanceof Element ? event.target.closest(arrow ? MOVED_IN : WRITTEN_IN) : null;
  if (isHeld || at) return "";
  return arrow ?? (event.key.length === 1 && usesKeys() ? event.key : "");
}

/** Move the focus past the header to the board or, on a page without a board, to the main content. */
function skip() {
  const main = /** @type {HTMLElement} */ (document.querySelector("main:not([hidden])"));
  const cell = /** @type {HTMLElement | null} */ (main.querySelector(".cell[tabindex='0']"));
  main.tabIndex = -1; // focusable, but skipped by Tab
  (cell ?? main).focus();
}

/** Let the header's button and the `?` key open the help; `game` returns the page's current game, if any.
 *
 * @param {() => Shown | null} [game]
 */
export function setUpHelp(game) {
  if (game) currentGame = game;
  keepPages();
  setUpSettings();
  const dialog = $("help");
  $("skip-button").addEventListener("click", skip);
  $("help-button").addEventListener("click", openHelp);
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.addEventListener("keydown", (event) => {
    if (shortcut(event) !== "?") return;
    event.preventDefault();
    openHelp();
  });
}
