// The game page, for playing and watching a game and for reviewing it afterwards.

/** @import { State } from "../answers" */
/** @import { Link } from "./match.js" */

import { Actions } from "./actions.js";
import { hasSpare } from "./address.js";
import { announceChange, signalChange, swapNote } from "./announcements.js";
import { catalogue, wordsOf } from "./api.js";
import { Connection } from "./connection.js";
import { $, setText, show } from "./dom.js";
import { isHere } from "./engine-games.js";
import { setUpHelp, shortcut } from "./help.js";
import { Hint } from "./hint.js";
import { gameLink, readGame } from "./links.js";
import { Match, NOTHING } from "./match.js";
import { watchAttention } from "./presence.js";
import { StateQueue } from "./queue.js";
import { Requests } from "./requests.js";
import { remembering } from "./seats.js";
import { readSnapshot, saveSnapshot } from "./snapshots.js";
import { rememberGame } from "./storage.js";
import { unsentMove } from "./unsent.js";
import { GameView } from "./view.js";

const match = new Match(/** @type {Link} */ (readGame(location.hash))); // not used if there is no link
let connection = /** @type {Connection} */ (/** @type {unknown} */ (null)); // until connected
const queue = new StateQueue(receive);
const draw = () => {
  view.draw();
  drawConnection();
};
const actions = new Actions(match, new Hint($("hint"), draw), { connection: () => connection, queue, draw });
const requests = new Requests(match, actions);
const view = new GameView(match, actions, requests);
const attention = watchAttention(() => connection);
const offerContinuing = hasSpare ? (await import("./continuing.js")).continuing(match, (error) => actions.tell(wordsOf(error))) : null;
/** @type {Pick<State["you"], "role" | "seats">} */
const WATCHING = { role: "watching", seats: [] };
let isResumed = false; // whether a move from before a reload has been dealt with
let saving = 0; // the timer, while there are unsaved changes

// -- messages from the server -----------------------------------------------------------------------------------

function connect() {
  connection = new Connection(match.link.game, match.link.token, {
    welcome: (message) => {
    match.welcome = message;
      match.presence = null;
      match.isSnapshot = false;
      attention.again();
    },
    presence: (message) => {
      [match.presence, match.presenceSince] = [message, performance.now()];
      if (match.state) draw();
    },
    reaction: (message) => view.reactions.hear(message),
    notice: ({ words }) => {
      match.note = { ...NOTHING, words, stays: true };
      if (match.state) draw();
    },
    state: (message) => queue.take(message),
    connected: showConnection,
    closed: (words) => showMessage("No game here", words),
  });
}

/** @param {State} next */
function receive(next) {
  /** @type {State | null} */
  const before = match.state;
  const wasOver = before && match.isOver;
  match.state = next;
  view.clocks.receive(next);
  if (before && (before.ply !== next.ply || before.line !== next.line)) {
    match.pending = null;
    actions.hint.forget();
    if (!match.note.stays) match.note = NOTHING;
    match.found = null;
    if (before.line !== next.line) match.looking = null;
  }
  if (next.outcome && !before?.outcome) actions.endHint(); // also after a resignation
  if (next.declined && before && !before.declined) match.note = { ...NOTHING, words: next.declined.words };
  if (before && before.line === next.line) match.note = swapNote(next, next.moves.slice(before.moves.length)) ?? match.note;
  if (!before) begin();
  if (!match.isSnapshot) saving ||= setTimeout(save); // deferred, so that drawing does not wait for it
  announceChange(match, before);
  signalChange(match, before);
  const isEnd = before && !wasOver && match.isOver;
  if (isEnd) view.result.open();
  draw();
  if (isEnd) $("status").scrollIntoView({ block: "nearest" }); // resigning happens below it
  if (before && !before.rematch && next.rematch) follow(next.rematch);
  if (!match.isSnapshot && !isResumed) {
    isResumed = true;
    actions.resume();
  }
}

/** Reveal the page once the first state has arrived. */
function begin() {
  const { link, state } = match;
  show($("table"), true);
  show($("message"), false);
  if (link.ply !== null && link.ply < state.ply) requests.look(link.ply);
  learnAddress();
}

/** Fetch the server's address, for use in links that other machines can open. */
async function learnAddress() {
  try {
    const { address } = await catalogue();
    if (address) draw();
  } catch {
    // Ignore the error: the page already shows that the server is not answering.
  }
}

/** Remember the game, and save a snapshot for offline use. */
function save() {
  saving = 0;
  const { state, link } = match;
  if (state?.you.seats.length) rememberGame(remembering(state, link.token));
  if (state) saveSnapshot(state);
}

/** Open the next round, using the same token.
 *
 * @param {string} game
 */
function follow(game) {
  location.hash = gameLink(game, match.link.token).split("#")[1];
}

/** @param {boolean} connected */
function showConnection(connected) {
  match.isOnline = connected || isHere(match.link.game); // an engine that is loading will answer soon
  if (match.state) draw();
  else drawConnection();
  if (!connected && !match.state) showSnapshot();
}

function drawConnection() {
  const isLost = !match.isOnline && (Boolean(match.state) || navigator.onLine); // without a game, "You're offline" is enough
  const words = match.pending ? "Your move will be sent when you're back online." : "Reconnecting…";
  setText($("connection"), isLost ? `Connection lost. ${words}` : "");
  show(/** @type {HTMLElement} */ ($("connection").parentElement), isLost); // WebKit misses changes to :has(:empty)
  document.body.classList.toggle("offline", isLost); // hides "You're offline"
  offerContinuing?.();
}

/** Show the last snapshot of the game while there is no connection, or while the engine is loading. */
function showSnapshot() {
  const { game } = match.link;
  const snapshot = readSnapshot(game);
  if (!snapshot) return;
  const { role, seats } = isHere(game) ? snapshot.you : WATCHING;
  match.welcome = { type: "welcome", game, role, seats, watch: null, invitation: null, public: false, rule: "", back: null };
  match.isSnapshot = true;
  const unsent = unsentMove(game);
  if (unsent?.ply === snapshot.ply) match.pending = { cell: unsent.cell, mark: snapshot.players.find((one) => one.player === snapshot.to_move)?.mark ?? "" };
  receive(snapshot);
}

/** @type {(title: string, words: string) => void} */
function showMessage(title, words) {
  show($("table"), false);
  show($("message"), true);
  setText($("message-title"), title);
  setText($("message-words"), words);
  document.title = `${title} · GridLock`;
}

/** Reconnect with the token of the seat that the user has just taken.
 *
 * @param {Link} link
 */
function sit(link) {
  connection.end();
  match.link = link;
  history.replaceState(null, "", gameLink(link.game, link.token));
  match.state = /** @type {State} */ (/** @type {unknown} */ (null));
  connect();
}

// -- the page ---------------------------------------------------------------------------------------------------

/** @param {KeyboardEvent} event */
function pressed(event) {
  if (!match.state) return;
  if (event.key === "Escape" && !document.querySelector("dialog[open]")) {
    actions.closeHint();
    view.result.close();
  }
  const { ply } = match.shown;
  const key = shortcut(event);
  if (key === "[" && ply > 0) requests.look(ply - 1);
  else if (key === "]" && match.looking) requests.look(ply + 1);
  else if (key === "u" && match.may("takeback")) actions.undo();
  else if (key === "h" && match.mayHint) actions.askHint();
}

function open() {
  setUpHelp(() => match.state);
  window.addEventListener("hashchange", () => location.reload());
  window.addEventListener("pagehide", () => saving && save());
  document.addEventListener("keydown", pressed);
  document.addEventListener("visibilitychange", () => match.state && draw()); // because the title depends on it
  $("typed").addEventListener("submit", (event) => actions.submitTyped(event));
  $("join").addEventListener("submit", (event) => requests.join(event, sit));
  if (match.link) connect();
  else showMessage("No game here", "This link is incomplete. The link may have been cut off when copied.");
}

open();
