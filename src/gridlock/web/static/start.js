// The start page: choose a game, an opponent and a board, and play the first move at once.

/** @import { Book, Catalogue, Created } from "../answers" */
/** @import { OwnGame, Setup } from "../page" */

import { isSite } from "./address.js";
import { api, catalogue, wordsOf } from "./api.js";
import { $, setText, show } from "./dom.js";
import { setUpHelp } from "./help.js";
import { Hero } from "./hero.js";
import { openGame } from "./launch.js";
import { isLocal, readOwn } from "./links.js";
import { cost, howToStart, playsFirst, starters, summary } from "./options.js";
import { describeOwnGame, ownGames, rememberOwnGame } from "./own-games.js";
import { rememberChoices, rememberedChoices, rememberedName, rememberName } from "./storage.js";
import { gameTile, levelOption, levelSegment, ownTile } from "./tiles.js";
import { showToday } from "./today.js";

/** @typedef {Book | OwnGame} Game one of the server's games, or the user's own */

const form = $("new-game");
const swapRule = /** @type {HTMLInputElement} */ ($("swap"));
const LEVEL = "medium"; // a fair opponent for a newcomer
const CHOSEN = ["opponent", "level", "adjacency", "starts", "clock"]; // choices that are remembered, besides the game
const hero = new Hero((move) => begin([move]));
/** @type {Map<string, Game>} */
const games = new Map();
/** @type {Map<string, string>} */
const levels = new Map(); // what each level does
let wantsSwap = false; // in games with people: a game that is only watched does not take over the swap rule
let shown = ""; // the setup on the board

/** Return the value of a group's checked radio button.
 *
 * @param {string} name
 */
function chosen(name) {
  return /** @type {HTMLInputElement} */ (form.querySelector(`input[name="${name}"]:checked`))?.value;
}

/** @type {(name: string, value: string) => void} */
function choose(name, value) {
  /** @type {NodeListOf<HTMLInputElement>} */
  const inputs = form.querySelectorAll(`input[name="${name}"]`);
  for (const input of inputs) if (input.value === value) input.checked = true;
}

/** Show only the options that apply to the chosen opponent, and summarise the choices. */
function adapt() {
  const opponent = chosen("opponent");
  const starts = chosen("starts");
  show($("level-choice"), opponent === "computer");
  show($("levels-choice"), opponent === "levels");
  show($("public-choice"), opponent === "link");
  show($("clock-choice"), opponent !== "levels");
  show($("other-name-label"), opponent === "screen");
  show($("clock-other"), chosen("clock") === "other");
  for (const id of /** @type {const} */ (["minutes", "increment"])) $(id).disabled = chosen("clock") !== "other";
  const [first, second] = starters(opponent);
  setText($("starts-1"), first);
  setText($("starts-2"), second);
  setText($("opponent-line"), [opponentLine(opponent), isSite && cost(opponent, $("rows").value, $("cols").value)].filter(Boolean).join(" "));
  setText($("caption"), howToStart(opponent, starts));
  const choices = { opponent, starts, rows: $("rows").value, cols: $("cols").value, adjacency: chosen("adjacency") };
  setText($("options-summary"), summary({ ...choices, clock: clock(), swap: swapRule.checked, name: $("name").value }));
}

/** @param {string} opponent */
function opponentLine(opponent) {
  if (opponent === "computer") return levels.get(chosen("level")) ?? "";
  if (opponent === "screen") return "You take turns on this screen.";
  if (opponent === "link") return isLocal() ? "This server can only be reached from this computer." : "";
  return "The computer plays itself.";
}

/** Show the chosen game on the board, unless it is already there. */
function showBoard() {
  const game = games.get(chosen("game"));
  const isFilled = [$("rows"), $("cols")].every((field) => field.checkValidity());
  if (!game || !isFilled) return;
  const isOpen = playsFirst(chosen("opponent"), chosen("starts"));
  const setup = { ...chosenSetup(game), starts: Number(chosen("starts")) || 1, moves: [] };
  const next = JSON.stringify([setup, isOpen]);
  if (next === shown) return;
  const isNew = shown === "" ? !rememberedChoices().game : !shown.startsWith(`[{"game":${JSON.stringify(game.name)},`);
  shown = next;
  hero.show(setup, isOpen, isNew);
}

/** @param {Game} game */
function chosenSetup(game) {
  return {
    game: game.name,
    definition: "definition" in game ? game.definition : undefined,
    board: `${$("rows").value}x${$("cols").value}`,
    adjacency: chosen("adjacency"),
    swap: swapRule.checked,
  };
}

/** Use the chosen game's default board, and describe the game. */
function useDefaults() {
  const game = games.get(chosen("game"));
  if (!game) return;
  [$("rows").value, $("cols").value] = game.board.split("x");
  choose("adjacency", game.adjacency);
  setText($("game-title"), game.title);
  setText($("game-rule"), game.summary);
  const tile = /** @type {HTMLElement} */ (form.querySelector(".game:has(:checked)"));
  $("games").scrollLeft = tile.offsetLeft - ($("games").clientWidth - tile.offsetWidth) / 2;
}

/** Return the chosen time control, or null for no clock. */
function clock() {
  const choice = chosen("clock");
  if (choice === "none" || chosen("opponent") === "levels") return null;
  const [seconds, increment] = choice.split("+").map(Number);
  if (choice !== "other") return { seconds, increment };
  return { seconds: 60 * Number($("minutes").value), increment: Number($("increment").value) };
}

/** Start a game and open it, or throw an error with a message for the user.
 *
 * @param {Setup["moves"]} moves the first move, if it was made on this page
 */
async function begin(moves = []) {
  const game = games.get(chosen("game"));
  if (!game) return;
  const opponent = chosen("opponent");
  const starts = chosen("starts");
  const name = $("name").value;
  rememberName(name);
  const choices = Object.fromEntries(["game", ...CHOSEN].map((one) => [one, chosen(one)]));
  rememberChoices({ ...choices, rows: $("rows").value, cols: $("cols").value, swap: wantsSwap ? "yes" : "no", minutes: $("minutes").value, increment: $("increment").value });
  /** @type {Created} */
  const made = await api("/api/games", {
    body: {
      setup: { ...chosenSetup(game), moves },
      opponent: opponent === "computer" ? chosen("level") : opponent,
      starts: starts === "random" ? starts : Number(starts),
      name,
      other_name: $("other-name").value,
      clock: clock(),
      public: opponent === "link" && $("public").checked,
      levels: opponent === "levels" ? [$("level-1").value, $("level-2").value] : null,
    },
  });
  if ("definition" in game) rememberOwnGame(game);
  await openGame(made);
}

/** @param {SubmitEvent} event */
async function start(event) {
  event.preventDefault();
  $("start").disabled = true;
  setText($("problem"), "");
  try {
    await begin();
  } catch (error) {
    setText($("problem"), wordsOf(error));
  } finally {
    $("start").disabled = false;
  }
}

/** Add the game from a link to the list, and select it. A game from a link is not saved until the user plays it. */
async function takeFromLink() {
  try {
    const definition = readOwn(location);
    if (!definition) return;
    const game = await describeOwnGame(definition);
    if (!games.has(game.name)) $("games").append(ownTile(game));
    games.set(game.name, game);
    choose("game", game.name);
    useDefaults();
  } catch (error) {
    setText($("problem"), wordsOf(error));
  }
}

/** @param {Catalogue} known */
function fill(known) {
  for (const game of [...known.games, ...ownGames()]) games.set(game.name, game);
  for (const { name, summary: words } of known.levels) levels.set(name, words);
  $("games").replaceChildren(...known.games.map((game) => gameTile(game, game.name === known.first)), ...ownGames().map(ownTile));
  $("levels").replaceChildren(...known.levels.map((level, at) => levelSegment(level, at + 1, level.name === LEVEL)));
  for (const id of /** @type {const} */ (["level-1", "level-2"])) $(id).replaceChildren(...known.levels.map((level) => levelOption(level, level.name === LEVEL)));
  for (const id of /** @type {const} */ (["rows", "cols"])) $(id).max = String(known.limits.side);
}

/** Preselect the choices from the last game.
 *
 * @param {URLSearchParams} offered the settings of the person who ran gridlock serve --open
 * @param {number} side the longest side of a board
 */
function remember(offered, side) {
  const last = rememberedChoices();
  choose("game", last.game);
  useDefaults();
  choose("level", last.level ?? offered.get("level"));
  if (last.game !== chosen("game")) return;
  for (const name of CHOSEN) choose(name, last[name]);
  for (const id of /** @type {const} */ (["rows", "cols"])) if (Number(last[id]) <= side) $(id).value = last[id];
  for (const id of /** @type {const} */ (["minutes", "increment"])) if (Number(last[id]) >= 0) $(id).value = last[id];
  wantsSwap = last.swap === "yes";
  swapRule.checked = wantsSwap && chosen("opponent") !== "levels";
}

/** @param {Event} event */
function changed({ target }) {
  const { name } = /** @type {HTMLInputElement} */ (target);
  if (name === "game") useDefaults();
  if (name === "opponent") swapRule.checked = wantsSwap && chosen("opponent") !== "levels";
  if (target === swapRule && chosen("opponent") !== "levels") wantsSwap = swapRule.checked;
  adapt();
  showBoard();
}

async function open() {
  setUpHelp();
  showToday(() => $("name").value);
  window.addEventListener("pageshow", () => hero.reset()); // without the move of a game that Back has left
  const offered = new URLSearchParams(location.hash.slice(1));
  $("name").value = rememberedName() || (offered.get("name") ?? "");
  try {
    const known = await catalogue();
    fill(known);
    remember(offered, known.limits.side);
    await takeFromLink();
    adapt();
  } catch (error) {
    setText($("problem"), wordsOf(error));
    return;
  } finally {
    form.classList.remove("coming");
  }
  showBoard();
  window.addEventListener("hashchange", () => takeFromLink().then(adapt).then(showBoard));
  form.addEventListener("change", changed);
  form.addEventListener("submit", start);
  form.addEventListener("invalid", () => $("options").setAttribute("open", ""), true); // a field that is wrong must be seen
}

open();
