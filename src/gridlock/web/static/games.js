// The games page: a list of the user's games with their boards, and ways to transfer games to another browser.

/** @import { Remembered } from "../page" */

import { isSite, urlOf } from "./address.js";
import { catalogue, wordsOf } from "./api.js";
import { $, announce, h, saveFile, setText, show } from "./dom.js";
import { isHere } from "./engine-games.js";
import { setUpHelp } from "./help.js";
import { full, gameLink } from "./links.js";
import { liveGames, refresh } from "./live-games.js";
import { miniature, noMiniature } from "./miniature.js";
import { linkRow } from "./panels.js";
import { exportedProgress, importProgress, shortProgress } from "./progress-export.js";
import { fitsCode, qrCode } from "./qr.js";
import { results } from "./results.js";
import { progressIn, progressInLink, readSeats, readSeatsLink, seatsFile, seatsLink } from "./seats.js";
import { forgetGame, forgetGames, KEPT, rememberedGames, takeGames } from "./storage.js";

const ASKED = 40; // games in progress to refresh when the page opens, latest first
const GROUPS = [
  { title: "Your turn", kind: "running", holds: (/** @type {Remembered} */ one) => !one.over && one.mine === true },
  { title: "Waiting", kind: "running", holds: (/** @type {Remembered} */ one) => !one.over && one.mine !== true },
  { title: "Finished", kind: "finished", holds: (/** @type {Remembered} */ one) => one.over === true },
];

// -- the list -----------------------------------------------------------------------------------------------------

/** @param {Remembered} one */
function entry(one) {
  const date = one.seen ? new Date(one.seen).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" }) : "";
  const about = `${one.title} ${one.against}`;
  /** @type {(label: string, run: () => unknown) => HTMLElement} */
  const button = (label, run) => h("button", { type: "button", class: "button", "aria-label": `${label}: ${about}`, onclick: run }, label);
  return h(
    "li",
    { class: "card mine" },
    h(
      "a",
      { href: gameLink(one.game, one.token) },
      one.board ? miniature(one.board) : noMiniature(),
      h("span", { class: "who" }, h("b", {}, one.title), h("small", {}, one.against), h("small", {}, one.standing), h("small", {}, [one.size, date].filter(Boolean).join(" · "))),
    ),
    h("div", { class: "actions" }, isHere(one.game) ? null : button("Send to device", () => carry([one], one.title)), button("Remove", () => askRemoval(one))),
  );
}

function showGames() {
  const games = rememberedGames();
  const kind = /** @type {HTMLInputElement} */ ($("filter").querySelector(":checked")).value;
  show($("none"), games.length === 0);
  show($("filter"), games.length > 0);
  $("export").disabled = $("carry-all").disabled = movable().length === 0 && Object.keys(exportedProgress()).length === 0;
  const wanted = GROUPS.filter((group) => kind === "all" || kind === group.kind);
  const sections = wanted.map(({ title, holds }) => ({ title, games: games.filter(holds) })).filter((group) => group.games.length);
  $("groups").replaceChildren(
    ...sections.map((group) => h("section", {}, h("h2", {}, group.title), h("ul", { class: "mines" }, ...group.games.map(entry)))),
    ...(games.length && !sections.length ? [h("p", {}, kind === "running" ? "No games in progress." : "No finished games yet.")] : []),
  );
  showResults(games);
}

/** Show the user's wins and losses against each level.
 *
 * @param {Remembered[]} games
 */
function showResults(games) {
  const { levels, rows } = results(games);
  show($("results"), rows.length > 0);
  const cell = (/** @type {{ won: number, lost: number } | undefined} */ one) => (one ? h("td", {}, h("b", {}, `${one.won} won`), ` ${one.lost} lost`) : h("td", {}, "–"));
  $("results-table").replaceChildren(
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Game"), ...levels.map((level) => h("th", { scope: "col" }, level)))),
    h("tbody", {}, ...rows.map(({ title, counts }) => h("tr", {}, h("th", { scope: "row" }, title), ...levels.map((level) => cell(counts.get(level)))))),
  );
}

// -- removing, exporting and importing ----------------------------------------------------------------------------

/** @type {(title: string, words: string, parts: Node[], buttons: HTMLElement[]) => HTMLDialogElement} */
function ask(title, words, parts, buttons) {
  const dialog = $("confirm");
  dialog.replaceChildren(h("h2", { id: "confirm-title" }, title), h("p", {}, words), ...parts, h("div", { class: "actions" }, ...buttons));
  dialog.showModal();
  return dialog;
}

/** @type {(label: string, style: string, run?: () => unknown) => HTMLElement} */
function closing(label, style, run = () => {}) {
  const button = h("button", { type: "button", class: `button ${style}` }, label);
  button.addEventListener("click", () => {
    $("confirm").close();
    run();
  });
  return button;
}

/** @param {Remembered} one */
function askRemoval(one) {
  const remove = () => {
    forgetGame(one.game);
    showGames();
    announce("Removed.");
    $("title").focus();
  };
  const kept = one.over
    ? "The game will no longer be listed here, but anyone with its link can view it."
    : "If you remove the game from this list, you'll need its link to resume it.";
  const words = isHere(one.game) ? "Only this browser has this game, so removing the game deletes it for good." : kept;
  ask(`Remove ${one.title}, ${one.against}?`, words, [], [closing("Keep it", ""), closing("Remove it", "danger", remove)]);
}

function askClearing() {
  const count = rememberedGames().length;
  const clear = () => {
    forgetGames();
    showGames();
    announce("Removed.");
    $("title").focus();
  };
  ask(
    count === 1 ? "Forget this game?" : `Forget all ${count} games?`,
    isSite ? "Only this browser has your games, so forgetting them deletes them for good." : "If you remove a game from this list, you'll need its link to resume it.",
    [],
    [closing(count === 1 ? "Keep it" : "Keep them", ""), closing(count === 1 ? "Forget it" : "Forget them", "danger", clear)],
  );
}

/** Show a link, with a QR code, that opens these seats on another device.
 *
 * @param {Remembered[]} games
 * @param {string} title
 * @param {object} progress with puzzles and lessons
 */
function carry(games, title, progress = {}) {
  const link = games.length === 1 && !Object.keys(progress).length ? gameLink(games[0].game, games[0].token) : seatsLink(games, progress);
  const code = fitsCode(full(link))
    ? h("div", { class: "picture" }, qrCode(full(link), "QR code for the link"))
    : h("p", { class: "hint" }, "That's too many games for a QR code. Use the link, or export a file.");
  const words = `Open this link on the other device, or point its camera at the code.${games.length ? " Anyone with the link can play for you." : ""}`;
  ask(`Send to another device: ${title}`, words, [linkRow(games.length ? "Link to your seat" : "Link to your progress", link), code], [closing("Close", "")]);
}

/** Return the games that run on the server; other browsers can open only these games. */
function movable() {
  return rememberedGames().filter((one) => !isHere(one.game));
}

function exportFile() {
  saveFile("gridlock-seats.json", seatsFile(movable(), exportedProgress()), "application/json");
}

/**
 * @param {Remembered[]} seats
 * @param {unknown} progress
 */
async function take(seats, progress) {
  const { added, left } = takeGames(seats);
  const words = importProgress(progress) ? ["Your puzzle and lesson progress is now saved in this browser."] : [];
  if (added.length || (!left && (seats.length || !words.length))) words.push(added.length === 1 ? "1 game added." : added.length ? `${added.length} games added.` : "These games were already here.");
  if (left && rememberedGames().length < KEPT) words.push("This browser's storage is full or turned off, so nothing was added.");
  else if (left) words.push(`This list holds at most ${KEPT} games, so ${left} could not be added. None of your games was removed. Remove games you no longer need, then try again.`);
  setText($("told"), words.join(" "));
  const undo = () => {
    forgetGame(...added.map((one) => one.game));
    showGames();
    setText($("told"), "Removed again.");
    $("title").focus();
  };
  if (added.length) $("told").append(" ", h("button", { type: "button", class: "button", onclick: undo }, "Undo"));
  showGames();
  await refresh(added);
  showGames();
}

async function importFile() {
  const file = $("import").files?.[0];
  if (!file) return;
  try {
    const text = await file.text();
    const seats = readSeats(text);
    await take(isSite ? [] : seats, progressIn(text));
  } catch (error) {
    setText($("told"), wordsOf(error));
  } finally {
    $("import").value = ""; // so that the user can choose the same file again
  }
}

/** Ask before adding seats from a link, since anyone can make links. */
function offerFromLink() {
  const found = readSeatsLink(location.hash);
  const progress = progressInLink(location.hash);
  if (!found) return;
  const seats = isSite ? [] : found; // games on a server can't be opened here
  history.replaceState(null, "", urlOf("/games")); // hide the tokens
  if (!seats.length && !progress) {
    setText($("told"), "This link contains no games. The link may have been cut off when copied.");
    return;
  }
  const count = seats.length === 1 ? "a game" : `${seats.length} games`;
  const words = `${seats.length === 1 ? "It" : "They"} will be listed here and can be played in this browser.`;
  const more = progress ? "The puzzle and lesson progress in the link will be combined with the progress in this browser." : "";
  const title = seats.length ? `Add ${count} to this browser?` : "Add the progress from this link?";
  ask(title, seats.length ? `${words} ${more}` : more, [], [closing("Cancel", ""), closing("Add", "primary", () => take(seats, progress))]);
}

async function open() {
  setUpHelp();
  if (isSite) setText($("carrying"), "Take your puzzle and lesson progress with you, by link or file. Your games stay in this browser.");
  if (isSite) setText($("carry-all"), "Link to your progress");
  showGames();
  window.addEventListener("pageshow", showGames);
  window.addEventListener("hashchange", offerFromLink);
  $("export").addEventListener("click", exportFile);
  $("import").addEventListener("change", importFile);
  $("filter").addEventListener("change", showGames);
  $("forget").addEventListener("click", askClearing);
  $("carry-all").addEventListener("click", () => carry(movable(), isSite ? "your progress" : "all games", shortProgress()));
  offerFromLink();
  catalogue().catch(() => {}); // sets the address at which other machines reach this server
  await refresh(liveGames().slice(0, ASKED));
  showGames();
}

open();
