// The start page: choose a game, a board and an opponent.

/** @import { Book, Catalogue, Created, Level } from "../answers" */
/** @import { Remembered } from "../page" */

import { api, catalogue, wordsOf } from "./api.js";
import { $, h, setText, show } from "./dom.js";
import { setUpHelp } from "./help.js";
import { gameLink, isLocal } from "./links.js";
import { showLobby } from "./lobby.js";
import { forgetGames, rememberChoices, rememberedChoices, rememberedGames, rememberedName, rememberName } from "./storage.js";

const form = $("new-game");
const swapRule = /** @type {HTMLInputElement} */ ($("swap"));
const LEVEL = "medium"; // a fair opponent for a newcomer
const FEW = 6; // games in the list before "show more"
const CHOSEN = ["opponent", "level", "adjacency", "starts", "clock"]; // choices that are remembered, besides the game
/** @type {Record<string, [string, string]>} */
const STARTERS = {
  computer: ["You", "The computer"],
  screen: ["Player 1", "Player 2"],
  link: ["You", "Your friend"],
  levels: ["First level", "Second level"],
};
let isLong = false;

/** Return the checked value of a group in the form; every group has one.
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

/**
 * @param {Book} game
 * @param {boolean} checked
 */
function gameCard(game, checked) {
  return h(
    "label",
    { class: "option game" },
    h("input", { type: "radio", name: "game", value: game.name, checked }),
    h(
      "span",
      { class: "face" },
      h("img", { src: `/pictures/${encodeURIComponent(game.name)}.svg`, alt: "", width: 200, height: 200 }),
      h("b", {}, game.title),
      h("small", {}, game.summary),
    ),
  );
}

/** @param {Level} level */
function levelSegment({ name, summary }) {
  return h(
    "label",
    { class: "segment" },
    h("input", { type: "radio", name: "level", value: name, checked: name === LEVEL, title: summary }),
    h("span", {}, name[0].toUpperCase() + name.slice(1)),
  );
}

function showRecent() {
  const games = rememberedGames().sort((one, other) => Number(one.over ?? false) - Number(other.over ?? false));
  const rest = isLong ? 0 : games.length - FEW;
  show($("recent"), games.length > 0);
  $("recent-list").replaceChildren(...games.slice(0, isLong ? games.length : FEW).map(entry));
  show($("more"), rest > 0);
  setText($("more"), `Show ${rest} more`);
}

/** Create a list entry: the game, the opponent, the status, and when it was last seen.
 *
 * @param {Remembered} one
 */
function entry({ game, token, title, against, size, standing, seen }) {
  const date = seen ? new Date(seen).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" }) : "";
  const about = [size, standing, date].filter(Boolean).join(" · ");
  return h("li", {}, h("a", { href: gameLink(game, token) }, title, h("small", {}, against), h("small", {}, about)));
}

/** Ask before clearing the list, because without it, the user needs each game's link to return. */
function confirmForgetting() {
  const dialog = $("confirm");
  const count = rememberedGames().length;
  const yes = h("button", { type: "button", class: "button danger" }, count === 1 ? "Forget it" : "Forget them");
  const no = h("button", { type: "button", class: "button", onclick: () => dialog.close() }, count === 1 ? "Keep it" : "Keep them");
  yes.addEventListener("click", () => {
    dialog.close();
    forgetGames();
    showRecent();
    $("new-game").querySelector("input")?.focus();
  });
  dialog.replaceChildren(
    h("h2", { id: "confirm-title" }, count === 1 ? "Forget this game?" : `Forget all ${count} games?`),
    h("p", {}, "This list is your way back to your games. Without it, you need a game's link to continue."),
    h("div", { class: "actions" }, no, yes),
  );
  dialog.showModal();
}

function adapt() {
  const opponent = chosen("opponent");
  show($("level-choice"), opponent === "computer");
  show($("levels-choice"), opponent === "levels");
  show($("public-choice"), opponent === "link");
  show($("clock-choice"), opponent !== "levels");
  show($("other-name-label"), opponent === "screen");
  show($("clock-other"), chosen("clock") === "other");
  for (const id of /** @type {const} */ (["minutes", "increment"])) $(id).disabled = chosen("clock") !== "other";
  show($("local"), opponent === "link" && isLocal());
  const [first, second] = STARTERS[opponent];
  setText($("starts-1"), first);
  setText($("starts-2"), second);
}

/** Return the chosen time control for the server, or null. */
function clock() {
  const choice = chosen("clock");
  if (choice === "none") return null;
  const [seconds, increment] = choice.split("+").map(Number);
  if (choice !== "other") return { seconds, increment };
  return { seconds: 60 * Number($("minutes").value), increment: Number($("increment").value) };
}

/** @param {SubmitEvent} event */
async function start(event) {
  event.preventDefault();
  const opponent = chosen("opponent");
  const starts = chosen("starts");
  const name = $("name").value;
  rememberName(name);
  const choices = Object.fromEntries(["game", ...CHOSEN].map((one) => [one, chosen(one)]));
  rememberChoices({ ...choices, rows: $("rows").value, cols: $("cols").value, swap: swapRule.checked ? "yes" : "no", minutes: $("minutes").value, increment: $("increment").value });
  $("start").disabled = true;
  setText($("problem"), "");
  try {
    /** @type {Created} */
    const made = await api("/api/games", {
      body: {
        setup: {
          game: chosen("game"),
          board: `${$("rows").value}x${$("cols").value}`,
          adjacency: chosen("adjacency"),
          swap: swapRule.checked,
        },
        opponent: opponent === "computer" ? chosen("level") : opponent,
        starts: starts === "random" ? starts : Number(starts),
        name,
        other_name: $("other-name").value,
        clock: opponent === "levels" ? null : clock(),
        public: opponent === "link" && $("public").checked,
        levels: opponent === "levels" ? [$("level-1").value, $("level-2").value] : null,
      },
    });
    location.assign(gameLink(made.id, made.token));
  } catch (error) {
    setText($("problem"), wordsOf(error));
  } finally {
    $("start").disabled = false;
  }
}

async function open() {
  setUpHelp();
  showRecent();
  showLobby(() => $("name").value);
  window.addEventListener("pageshow", showRecent); // also when Back restores the page from the cache
  $("forget").addEventListener("click", confirmForgetting);
  $("more").addEventListener("click", () => {
    isLong = true;
    showRecent();
    /** @type {HTMLElement | undefined} */ ($("recent-list").querySelectorAll("a")[FEW])?.focus();
  });
  const offered = new URLSearchParams(location.hash.slice(1)); // from the settings of the person who ran gridlock serve --open
  $("name").value = rememberedName() || (offered.get("name") ?? "");
  /** @type {Catalogue} */
  let known;
  try {
    known = await catalogue();
  } catch (error) {
    setText($("problem"), wordsOf(error));
    return;
  } finally {
    form.classList.remove("coming");
  }
  $("games").replaceChildren(...known.games.map((game) => gameCard(game, game.name === known.first)));
  $("levels").replaceChildren(...known.levels.map(levelSegment));
  for (const id of /** @type {const} */ (["level-1", "level-2"])) {
    $(id).replaceChildren(...known.levels.map(({ name, summary }) => h("option", { value: name, selected: name === LEVEL, title: summary }, name)));
  }
  for (const id of /** @type {const} */ (["rows", "cols"])) $(id).max = String(known.limits.side);
  const useDefaults = () => {
    const game = known.games.find((one) => one.name === chosen("game"));
    if (!game) return;
    [$("rows").value, $("cols").value] = game.board.split("x");
    choose("adjacency", game.adjacency);
  };
  const last = rememberedChoices();
  choose("game", last.game);
  useDefaults();
  choose("level", last.level ?? offered.get("level"));
  if (last.game === chosen("game")) {
    for (const name of CHOSEN) choose(name, last[name]);
    for (const id of /** @type {const} */ (["rows", "cols"])) if (Number(last[id]) <= known.limits.side) $(id).value = last[id];
    for (const id of /** @type {const} */ (["minutes", "increment"])) if (Number(last[id]) >= 0) $(id).value = last[id];
    swapRule.checked = last.swap === "yes";
  }
  adapt();
  $("games").addEventListener("change", useDefaults);
  form.addEventListener("change", adapt);
  form.addEventListener("submit", start);
}

open();
