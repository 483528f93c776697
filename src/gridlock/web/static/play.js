// The page of a game: playing it, watching it, and looking at it when it is over.

/** @import { State } from "../answers" */
/** @import { Link } from "./match.js" */

import { Actions } from "./actions.js";
import { announceChange, signalChange, swapNote } from "./announcements.js";
import { catalogue } from "./api.js";
import { Connection } from "./connection.js";
import { $, setText, show } from "./dom.js";
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
import { GameView } from "./view.js";

const match = new Match(/** @type {Link} */ (readGame(location.hash))); // without a link, nothing is done with it
let connection = /** @type {Connection} */ (/** @type {unknown} */ (null)); // until there is one
const queue = new StateQueue(receive);
const draw = () => view.draw();
const actions = new Actions(match, new Hint($("hint"), draw), { connection: () => connection, flush: () => queue.flush(), draw });
const requests = new Requests(match, actions);
const view = new GameView(match, actions, requests);
const attention = watchAttention(() => connection);
let saving = 0; // the timer, while there is something to remember

// -- what the server says ---------------------------------------------------------------------------------------

function connect() {
  connection = new Connection(match.link.game, match.link.token, {
    welcome: (message) => {
      match.welcome = message;
      match.presence = null;
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
  saving ||= setTimeout(save); // nobody waits for it
  announceChange(match, before);
  signalChange(match, before);
  draw();
  if (before && !before.rematch && next.rematch) follow(next.rematch);
}

/** The first state has come: the page can be shown. */
function begin() {
  const { link, state } = match;
  show($("table"), true);
  show($("message"), false);
  if (link.ply !== null && link.ply < state.ply) requests.look(link.ply);
  learnAddress();
}

/** How others reach the server: links are to show it. */
async function learnAddress() {
  try {
    const { address } = await catalogue();
    if (address) draw();
  } catch {
    // The server does not answer just now, which the page says already.
  }
}

/** Remember the game, and how it stands for when there is no network. */
function save() {
  saving = 0;
  const { state, link } = match;
  if (state?.you.seats.length) rememberGame(remembering(state, link.token));
  if (state) saveSnapshot(state);
}

/** Go on to the next round; the same token opens it.
 *
 * @param {string} game
 */
function follow(game) {
  location.hash = gameLink(game, match.link.token).split("#")[1];
}

/** @param {boolean} connected */
function showConnection(connected) {
  document.body.classList.toggle("offline", !connected);
  setText($("connection"), connected ? "" : "Connection lost. Reconnecting…");
  if (!connected && !match.state) showSnapshot();
}

/** Without the server, the game as it was seen last. */
function showSnapshot() {
  const { game } = match.link;
  const snapshot = readSnapshot(game);
  if (!snapshot) return;
  match.welcome = { type: "welcome", game, role: "watching", seats: [], watch: null, invitation: null, rule: "" };
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

/** Somebody has taken the open seat here: from now on the page is theirs.
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
  const { ply } = match.shown;
  const key = shortcut(event);
  if (key === "[" && ply > 0) requests.look(ply - 1);
  else if (key === "]" && match.looking) requests.look(ply + 1);
  else if (key === "u" && match.may("takeback")) actions.undo();
  else if (key === "h" && match.mayHint) actions.askHint();
}

function open() {
  setUpHelp(() => match.state?.setup ?? null);
  window.addEventListener("hashchange", () => location.reload());
  window.addEventListener("pagehide", () => saving && save());
  document.addEventListener("keydown", pressed);
  document.addEventListener("visibilitychange", () => match.state && draw()); // for the title
  $("typed").addEventListener("submit", (event) => actions.submitTyped(event));
  $("join").addEventListener("submit", (event) => requests.join(event, sit));
  if (match.link) connect();
  else showMessage("No game here", "This link is incomplete. It may have been cut off when it was copied.");
}

open();
