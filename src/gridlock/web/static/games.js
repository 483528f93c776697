// The page of your games: every seat in this browser with its board, and ways to move seats to another browser.

/** @import { State } from "../answers" */
/** @import { Remembered } from "../page" */

import { api, catalogue, Failure, wordsOf } from "./api.js";
import { $, announce, h, s, setText, show } from "./dom.js";
import { setUpHelp } from "./help.js";
import { full, gameLink } from "./links.js";
import { marker, shape } from "./marks.js";
import { linkRow } from "./panels.js";
import { exportedProgress, importProgress, shortProgress } from "./progress-export.js";
import { fitsCode, qrCode } from "./qr.js";
import { progressIn, progressInLink, readSeats, readSeatsLink, remembering, seatsFile, seatsLink } from "./seats.js";
import { forgetGame, KEPT, rememberedGames, takeGames, updateGame } from "./storage.js";

const ASKED = 40; // games in progress to refresh when the page opens, latest first
const GROUPS = [
  { title: "Your turn", holds: (/** @type {Remembered} */ one) => !one.over && one.mine === true },
  { title: "Waiting", holds: (/** @type {Remembered} */ one) => !one.over && one.mine !== true },
  { title: "Finished", holds: (/** @type {Remembered} */ one) => one.over === true },
];

// -- the list -----------------------------------------------------------------------------------------------------

/** Create a small picture of a board.
 *
 * @param {NonNullable<Remembered["board"]>} board
 */
function miniature({ rows, cols, cells, marks, last }) {
  const lines = [
    ...Array.from({ length: cols + 1 }, (_, col) => `M${col * 60} 0v${rows * 60}`),
    ...Array.from({ length: rows + 1 }, (_, row) => `M0 ${row * 60}h${cols * 60}`),
  ];
  const parts = [...cells].flatMap((content, cell) => {
    if (content === "." && cell !== last) return [];
    /** @type {SVGElement[]} */
    const inside = cell === last ? [shape("frame", "last")] : [];
    if (content === "#") inside.push(shape("square", "shade"), shape("hatch", "hatch plain"));
    else if (content !== ".") inside.push(...marker(content, marks));
    return [s("g", { transform: `translate(${(cell % cols) * 60} ${Math.floor(cell / cols) * 60})` }, ...inside)];
  });
  const box = `-3 -3 ${cols * 60 + 6} ${rows * 60 + 6}`;
  return s("svg", { viewBox: box, class: "miniature", "aria-hidden": "true" }, s("path", { d: lines.join(""), class: "lines" }), ...parts);
}

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
      one.board ? miniature(one.board) : s("svg", { viewBox: "0 0 60 60", class: "miniature", "aria-hidden": "true" }),
      h("span", { class: "who" }, h("b", {}, one.title), h("small", {}, one.against), h("small", {}, one.standing), h("small", {}, [one.size, date].filter(Boolean).join(" · "))),
    ),
    h("div", { class: "actions" }, button("Send to device", () => carry([one], one.title)), button("Remove", () => askRemoval(one))),
  );
}

function showGames() {
  const games = rememberedGames();
  show($("none"), games.length === 0);
  $("export").disabled = $("carry-all").disabled = games.length === 0 && Object.keys(exportedProgress()).length === 0;
  const sections = GROUPS.map(({ title, holds }) => ({ title, games: games.filter(holds) })).filter((group) => group.games.length);
  $("groups").replaceChildren(
    ...sections.map((group) => h("section", {}, h("h2", {}, group.title), h("ul", { class: "mines" }, ...group.games.map(entry)))),
  );
}

/** Update games from the server, because other players may have moved.
 *
 * @param {Remembered[]} games
 */
async function refresh(games) {
  for (const one of games) {
    try {
      /** @type {State} */
      const state = await api(`/api/games/${one.game}`, { token: one.token });
      updateGame({ ...remembering(state, one.token), seen: one.seen, ...(one.imported && { imported: true }) });
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== "token") return; // the server is down or busy, so keep the rest
      updateGame({ ...one, standing: "no longer on this server", over: true, mine: false });
    }
  }
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
  const words = one.over
    ? "It will no longer be listed here. Anyone with its link can still view it."
    : "This list is your way back to the game. Without it, you need the game's link to continue.";
  ask(`Remove ${one.title}, ${one.against}?`, words, [], [closing("Keep it", ""), closing("Remove it", "danger", remove)]);
}

/** Show the link that opens the same seats on another device, and its QR code.
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
  const words = "Open this link on the other device, or point its camera at the code. Whoever has it can play for you.";
  ask(`Send to another device: ${title}`, words, [linkRow("Link to your seat", link), code], [closing("Close", "")]);
}

function exportFile() {
  const address = URL.createObjectURL(new Blob([seatsFile(rememberedGames(), exportedProgress())], { type: "application/json" }));
  h("a", { href: address, download: "gridlock-seats.json" }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/**
 * @param {Remembered[]} seats
 * @param {unknown} progress
 */
async function take(seats, progress) {
  const { added, left } = takeGames(seats);
  const words = importProgress(progress) ? ["Your progress with puzzles and lessons was added."] : [];
  if (added.length || (!left && (seats.length || !words.length))) words.push(added.length === 1 ? "1 game added." : added.length ? `${added.length} games added.` : "These games were already here.");
  if (left && rememberedGames().length < KEPT) words.push("This browser's storage is full or turned off, so nothing was added.");
  else if (left) words.push(`There was no room for ${left} more: this list holds ${KEPT} games, and none of yours was removed. Remove games that you no longer need, then try again.`);
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
    await take(readSeats(text), progressIn(text));
  } catch (error) {
    setText($("told"), wordsOf(error));
  } finally {
    $("import").value = ""; // so that the user can choose the same file again
  }
}

/** Ask before adding the seats in a link, because anyone can make such a link. */
function offerFromLink() {
  const seats = readSeatsLink(location.hash);
  const progress = progressInLink(location.hash);
  if (!seats) return;
  history.replaceState(null, "", "/games"); // hide the tokens
  if (!seats.length && !progress) {
    setText($("told"), "This link contains no games. It may have been cut off when it was copied.");
    return;
  }
  const count = seats.length === 1 ? "a game" : `${seats.length} games`;
  const words = `${seats.length === 1 ? "It" : "They"} will be listed here, and you can play in this browser.`;
  const more = progress ? "Your progress with puzzles and lessons will be added, too." : "";
  const title = seats.length ? `Add ${count} to this browser?` : "Add your progress to this browser?";
  ask(title, seats.length ? `${words} ${more}` : more, [], [closing("Cancel", ""), closing("Add", "primary", () => take(seats, progress))]);
}

async function open() {
  setUpHelp();
  showGames();
  window.addEventListener("pageshow", showGames);
  window.addEventListener("hashchange", offerFromLink);
  $("export").addEventListener("click", exportFile);
  $("import").addEventListener("change", importFile);
  $("carry-all").addEventListener("click", () => carry(rememberedGames(), "all games", shortProgress()));
  offerFromLink();
  catalogue().catch(() => {}); // sets the address at which other machines reach this server
  await refresh(rememberedGames().filter((one) => !one.over).slice(0, ASKED));
  showGames();
}

open();
