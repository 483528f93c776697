// The page of a game: playing it, watching it, and looking at it when it is over.

/** @import { State } from "../answers" */
/** @import { Link } from "./match.js" */

import { Acting } from "./acting.js";
import { catalogue } from "./api.js";
import { Connection } from "./connection.js";
import { $, setText, show } from "./dom.js";
import { Errands } from "./errands.js";
import { setUpHelp, shortcut } from "./help.js";
import { Hint } from "./hint.js";
import { keepState, keptState } from "./kept.js";
import { gameLink, readGame } from "./links.js";
import { Match, NOTHING } from "./match.js";
import { rememberGame } from "./memory.js";
import { Pacer } from "./pacer.js";
import { watchAttention } from "./presence.js";
import { Scene } from "./scene.js";
import { remembering } from "./seats.js";
import { sing, speak, swapNote } from "./spoken.js";

const match = new Match(/** @type {Link} */ (readGame(location.hash))); // without a link, nothing is done with it
let connection = /** @type {Connection} */ (/** @type {unknown} */ (null)); // until there is one
const pacer = new Pacer(receive);
const draw = () => scene.draw();
const acting = new Acting(match, new Hint($("hint"), draw), { connection: () => connection, flush: () => pacer.flush(), draw });
const errands = new Errands(match, acting);
const scene = new Scene(match, acting, errands);
const attention = watchAttention(() => connection);
let keeping = 0; // the timer, while there is something to remember

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
    reaction: (message) => scene.reactions.hear(message),
    notice: ({ words }) => {
      match.note = { ...NOTHING, words, stays: true };
      if (match.state) draw();
    },
    state: (message) => pacer.take(message),
    connected: showConnection,
    closed: (words) => showMessage("No game here", words),
  });
}

/** @param {State} next */
function receive(next) {
  /** @type {State | null} */
  const before = match.state;
  match.state = next;
  scene.clocks.receive(next);
  if (before && (before.ply !== next.ply || before.line !== next.line)) {
    match.pending = null;
    acting.hint.forget();
    if (!match.note.stays) match.note = NOTHING;
    match.found = null;
    if (before.line !== next.line) match.looking = null;
  }
  if (next.outcome && !before?.outcome) acting.endHint(); // also after a resignation
  if (next.declined && before && !before.declined) match.note = { ...NOTHING, words: next.declined.words };
  if (before && before.line === next.line) match.note = swapNote(next, next.moves.slice(before.moves.length)) ?? match.note;
  if (!before) begin();
  keeping ||= setTimeout(keep); // nobody waits for it
  speak(match, before);
  sing(match, before);
  draw();
  if (before && !before.rematch && next.rematch) follow(next.rematch);
}

/** The first state has come: the page can be shown. */
function begin() {
  const { link, state } = match;
  show($("table"), true);
  show($("message"), false);
  if (link.ply !== null && link.ply < state.ply) errands.look(link.ply);
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
function keep() {
  keeping = 0;
  const { state, link } = match;
  if (state?.you.seats.length) rememberGame(remembering(state, link.token));
  if (state) keepState(state);
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
  if (!connected && !match.state) showKept();
}

/** Without the server, the game as it was seen last. */
function showKept() {
  const { game } = match.link;
  const kept = keptState(game);
  if (!kept) return;
  match.welcome = { type: "welcome", game, role: "watching", seats: [], watch: null, invitation: null, rule: "" };
  receive(kept);
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
  if (key === "[" && ply > 0) errands.look(ply - 1);
  else if (key === "]" && match.looking) errands.look(ply + 1);
  else if (key === "u" && match.may("takeback")) acting.undo();
  else if (key === "h" && match.mayHint) acting.askHint();
}

function open() {
  setUpHelp(() => match.state?.setup ?? null);
  window.addEventListener("hashchange", () => location.reload());
  window.addEventListener("pagehide", () => keeping && keep());
  document.addEventListener("keydown", pressed);
  document.addEventListener("visibilitychange", () => match.state && draw()); // for the title
  $("typed").addEventListener("submit", (event) => acting.submitTyped(event));
  $("join").addEventListener("submit", (event) => errands.join(event, sit));
  if (match.link) connect();
  else showMessage("No game here", "This link is incomplete. It may have been cut off when it was copied.");
}

open();
