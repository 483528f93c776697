// The page of a game: playing it, watching it, and looking at it when it is over.

/** @import { Entry, Position, Presence, Review, Said, Seat, State, Welcome } from "../answers" */
/** @import { Ability, Action, AnswerTo, Cell, Note, View } from "../page" */

import { api, catalogue, wordsOf } from "./api.js";
import { Board } from "./board.js";
import { Clocks, clockWords } from "./clock.js";
import { Connection } from "./connection.js";
import { $, announce, h, keepFocus, setText, show } from "./dom.js";
import { setUpHelp, shortcut } from "./help.js";
import { Hint } from "./hint.js";
import { keepState, keptState } from "./kept.js";
import { gameLink, isLocal, readGame } from "./links.js";
import { nonceFor, rememberedName, rememberGame, rememberName, seatIn } from "./memory.js";
import { showMoves, showSteps } from "./moves.js";
import { confirmResign, showInvitation, showOffer, showShare } from "./panels.js";
import { showPlayers } from "./players.js";
import { notify, titled } from "./notice.js";
import { Pacer } from "./pacer.js";
import { Leaving, watchAttention } from "./presence.js";
import { Reactions } from "./reactions.js";
import { betterAt, mistakesOf, showReview } from "./review.js";
import { remembering } from "./seats.js";
import { sound } from "./sound.js";
import { readTyped } from "./typed.js";

/** @type {Note} */
const NOTHING = { words: "", causes: [], cell: null };
const TRIES = 5; // to take back what is not quite done yet
const MEANWHILE = 100; // milliseconds between them
const EARLIER = "You are looking at an earlier position. Step to the end to play on.";

/** @typedef {NonNullable<ReturnType<typeof readGame>>} Link */
let link = /** @type {Link} */ (readGame(location.hash)); // the game and the token that opens it
/** @type {Position | null} */
let looking = null; // an earlier position, while one is shown
/** @type {View["pending"]} */
let pending = null; // a move on its way
const pacer = new Pacer(receive);
const hint = new Hint($("hint"), () => draw());
let note = NOTHING; // why a cell is closed
/** @type {Review | null} */
let found = null; // the review
// Nothing but connecting happens before these are there: the first state begins everything else.
let connection = /** @type {Connection} */ (/** @type {unknown} */ (null));
let welcome = /** @type {Welcome} */ (/** @type {unknown} */ (null));
let state = /** @type {State} */ (/** @type {unknown} */ (null));
let board = /** @type {Board} */ (/** @type {unknown} */ (null));
const clocks = new Clocks();
/** @type {Presence | null} */
let presence = null; // who is there
let presenceSince = 0;
const leaving = new Leaving($("left"), () => act({ type: "claim" }));
const reactions = new Reactions($("talk"), say);
const attention = watchAttention(() => connection);

// -- what the server says ---------------------------------------------------------------------------------------

function connect() {
  connection = new Connection(link.game, link.token, {
    welcome: (message) => {
      welcome = message;
      presence = null;
      attention.again();
    },
    presence: (message) => {
      [presence, presenceSince] = [message, performance.now()];
      if (state) draw();
    },
    reaction: (message) => reactions.hear(message),
    state: (message) => pacer.take(message),
    connected: showConnection,
    closed: (words) => showMessage("No game here", words),
  });
}

/** @param {State} next */
function receive(next) {
  /** @type {State | null} */
  const before = state;
  state = next;
  clocks.receive(next);
  if (before && (before.ply !== next.ply || before.line !== next.line)) {
    pending = null;
    hint.forget();
    if (!note.stays) note = NOTHING;
    found = null;
    if (before.line !== next.line) looking = null;
  }
  if (next.outcome && !before?.outcome) endHint(); // also after a resignation
  if (next.declined && before && !before.declined) note = { ...NOTHING, words: next.declined.words };
  if (before && before.line === next.line) noticeSwap(next.moves.slice(before.moves.length));
  if (!before) begin();
  setTimeout(keep); // nobody waits for it
  speak(before);
  sing(before);
  draw();
  if (before && !before.rematch && next.rematch) follow(next.rematch);
}

/** Nothing is said of what is over. */
function endHint() {
  hint.forget();
  note = NOTHING;
}

/** Sides exchanged by the other are said on the page, too: the marks alone leave one wondering.
 *
 * @param {Entry[]} fresh
 */
function noticeSwap(fresh) {
  const swap = fresh.find((move) => move.kind === "swap");
  const seat = state.you.seats.length === 1 ? state.you.seats[0] : null;
  if (!swap || seat === null || swap.player === seat) return;
  note = { words: `${swap.words}: you play ${state.players[seat - 1].mark} from now on.`, causes: [], cell: null };
}

/** The first state has come: the page can be shown. */
function begin() {
  show($("table"), true);
  show($("message"), false);
  board ??= new Board($("board"), choose);
  if (link.ply !== null && link.ply < state.ply) look(link.ply);
  showRule();
}

/** The game's one rule: somebody who was invited may never have heard of it. */
async function showRule() {
  const { game, definition } = state.setup;
  try {
    const { games, address } = await catalogue();
    const rule = definition ? definition.summary : games.find((one) => one.name === game)?.summary;
    setText($("rule"), String(rule ?? ""));
    if (address) draw(); // links are to show it
  } catch {
    // The server does not answer just now, which the page says already.
  }
}

/** Remember the game, and how it stands for when there is no network. */
function keep() {
  if (state?.you.seats.length) rememberGame(remembering(state, link.token));
  if (state) keepState(state);
}

/** Say what has happened to those who cannot see it.
 *
 * @param {State | null} before
 */
function speak(before) {
  const isSameLine = before?.line === state.line;
  const fresh = isSameLine ? state.moves.slice(before?.moves.length) : [];
  const news = fresh.filter((move) => move.kind !== "pass").map((move) => `${move.words}.`);
  if (before && !isSameLine) news.push("A move was taken back.");
  if (state.pass && !(isSameLine && before?.ply === state.ply)) news.push(state.pass.words);
  if (state.offer && state.offer.words !== before?.offer?.words) news.push(state.offer.words);
  if (state.declined && before && !before.declined) news.push(state.declined.words);
  if (!before || before.words !== state.words) news.push(yourTurn() ? `Your turn. ${state.words}` : state.words);
  if (news.length) announce(news.join(" "));
}

/** The same for the ears, and for whoever looks elsewhere.
 *
 * @param {State | null} before
 */
function sing(before) {
  if (!before || before.game !== state.game) return;
  const isMine = (/** @type {number} */ player) => state.you.seats.includes(player);
  const last = state.moves.at(-1);
  if (state.outcome && !before.outcome) sound(!state.you.seats.length || isMine(state.outcome.winner) ? "win" : "loss");
  else if (last && state.ply > before.ply) sound(isMine(last.player) ? "mine" : "theirs");
  if (yourTurn() && before.to_move !== state.to_move) notify(`Your turn · ${state.board.title}`, state.words);
}

/** Go on to the next round; the same token opens it.
 *
 * @param {string} game
 */
function follow(game) {
  location.hash = gameLink(game, link.token).split("#")[1];
}

/** @param {boolean} connected */
function showConnection(connected) {
  document.body.classList.toggle("offline", !connected);
  setText($("connection"), connected ? "" : "Connection lost. Reconnecting…");
  if (!connected && !state) showKept();
}

/** Without the server, the game as it was seen last. */
function showKept() {
  const kept = keptState(link.game);
  if (!kept) return;
  welcome = { type: "welcome", game: link.game, role: "watching", seats: [], watch: null, invitation: null };
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

// -- what the user does -----------------------------------------------------------------------------------------

/** @param {Ability} what */
function may(what) {
  return state.you.may.includes(what);
}

function yourTurn() {
  return may("move") && state.you.seats.length === 1;
}

/** A cell was chosen: play it, or learn why not.
 *
 * @param {Cell} cell
 */
async function choose(cell) {
  if (looking) {
    tell(EARLIER);
  } else if (pending) {
    tell(connection.open ? "Your move is on its way." : "Your move will be sent as soon as the connection is back.");
  } else if (may("move") && state.board.legal.includes(cell)) {
    await play(cell);
  } else if (state.you.seats.length && state.to_move !== null && !may("move")) {
    tell(state.words);
  } else {
    const answer = await connection.request({ type: "why", cell });
    if (!answer.legal) tell(answer.words, answer.causes, cell);
  }
}

/** Say something to the others.
 *
 * @param {Said["what"]} what
 */
async function say(what) {
  const answer = await connection.request({ type: "react", what });
  if (answer.type === "refused") tell(answer.words);
}

/** @param {Cell} cell */
async function play(cell) {
  const mark = state.players.find((player) => player.player === state.to_move)?.mark ?? "";
  pending = { cell, mark };
  note = NOTHING;
  draw();
  await act({ type: "move", cell, ...now() });
}

/** A move was typed: play it like one that was clicked.
 *
 * @param {SubmitEvent} event
 */
async function submitTyped(event) {
  event.preventDefault();
  if (looking || pending || !may("move")) {
    tell(looking ? EARLIER : pending ? "Your move is on its way." : state.words);
    return;
  }
  try {
    const typed = await readTyped(state.setup, $("typed-move").value);
    if (typed !== "swap" && (!typed.legal || typed.cell === null)) return tell(typed.words, typed.causes, typed.cell);
    $("typed-move").value = "";
    if (typed === "swap") await act({ type: "swap", ...now() });
    else if (typed.cell !== null) await play(typed.cell);
  } catch (error) {
    tell(wordsOf(error));
  }
}

/** Do something to the game; if it is refused, say why.
 *
 * @param {Action} message
 */
async function act(message) {
  heed(await connection.request(message), message.type === "move" ? message.cell : null);
}

/**
 * Tell what was refused.
 * @param {AnswerTo<Action>} answer
 * @param {Cell | null} cell that was to be taken
 */
function heed(answer, cell = null) {
  if (answer.type !== "refused") return;
  pending = null;
  const isLate = cell !== null && answer.reason === "stale";
  tell(isLate ? `Your move was not made. ${answer.words}` : answer.words, answer.causes, isLate ? null : cell);
  note.stays = isLate; // the state that comes along with it must not wipe it out unread
}

/**
 * @param {string} words
 * @param {Cell[]} causes
 * @param {Cell | null} cell
 */
function tell(words, causes = [], cell = null) {
  note = { words, causes, cell };
  sound("no");
  announce(words);
  draw();
}

/** Where the game stands, for whoever does something to it. */
function now() {
  pacer.flush();
  return { ply: state.ply, line: state.line };
}

/** @param {number} ply */
async function look(ply) {
  endHint();
  if (ply >= state.ply) {
    looking = null;
  } else {
    const answer = await connection.request({ type: "look", ply });
    looking = answer.ply < state.ply ? answer : null;
  }
  const shown = looking ?? state;
  const last = shown.moves.findLast((move) => move.kind !== "pass");
  announce(last ? `After move ${shown.ply}: ${last.words}.` : "The start of the game.");
  draw();
}

/** The same from a list that may be far below the board: what it leads to comes into sight.
 *
 * @param {number} ply
 */
async function lookFromAfar(ply) {
  await look(ply);
  $("board").scrollIntoView({ block: "nearest" });
}

/** @param {HTMLButtonElement} button */
async function review(button) {
  button.disabled = true;
  setText(button, "Looking through…");
  const { setup } = state;
  try {
    const record = await api(`/api/games/${link.game}/record`, { token: link.token });
    /** @type {Review} */
    const answer = await api("/api/review", { body: { record } });
    if (setup.moves.join() === state.setup.moves.join()) found = answer;
    announce(`Review. ${answer.summary}`);
  } catch (error) {
    tell(wordsOf(error));
  }
  draw();
}

async function download() {
  try {
    const record = await api(`/api/games/${link.game}/record`, { token: link.token });
    const address = URL.createObjectURL(new Blob([record], { type: "text/plain" }));
    h("a", { href: address, download: `${state.setup.game}-${link.game.slice(0, 8)}.txt` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  } catch (error) {
    tell(wordsOf(error));
  }
}

/** @param {SubmitEvent} event */
async function join(event) {
  event.preventDefault();
  const name = $("join-name").value;
  rememberName(name);
  $("join-button").disabled = true;
  setText($("join-problem"), "");
  try {
    const nonce = nonceFor(link.game);
    /** @type {Seat} */
    const seat = await api(`/api/games/${link.game}/join`, { token: link.token, body: { name, nonce } });
    connection.end();
    link = { game: seat.id, token: seat.token, ply: null };
    history.replaceState(null, "", gameLink(link.game, link.token));
    state = /** @type {State} */ (/** @type {unknown} */ (null));
    connect();
  } catch (error) {
    setText($("join-problem"), wordsOf(error));
  } finally {
    $("join-button").disabled = false;
  }
}

// -- what is shown ----------------------------------------------------------------------------------------------

function draw() {
  const shown = looking ?? state;
  const { title, adjacency } = state.board;
  const size = `${state.board.rows} × ${state.board.cols}`;
  setText($("title"), title);
  const facts = [`${size}, ${adjacency === "king" ? 8 : 4} neighbours`];
  if (state.setup.swap) facts.push("swap rule");
  if (state.clock) facts.push(clockWords(state.clock));
  if (state.round > 1) facts.push(`round ${state.round}`);
  if (state.you.role === "watching") facts.push("you are watching");
  setText($("subtitle"), facts.join(" · "));
  document.title = titled(title, yourTurn());
  showPlayers($("players"), state, presence);
  leaving.show(presence, presenceSince, state);
  reactions.show(state);
  clocks.show($("players"));
  drawStatus(shown);
  const mover = state.players.find((player) => player.player === state.to_move);
  const waiting = state.players.some((player) => !player.joined);
  board.show({
    board: waiting ? { ...shown.board, legal: [] } : shown.board,
    mine: !looking && may("move"),
    mark: looking ? looking.mark : (mover?.mark ?? null),
    pending: looking ? null : pending,
    causes: note.causes.length ? note.causes : shown.board.causes,
    refused: note.cell,
    better: looking ? betterAt(found, looking.ply) : [],
    ...(looking ? {} : hint.view),
    ...(!looking && state.outcome ? ending(state.outcome) : {}),
  });
  hint.show(askHint, closeHint);
  setText($("note"), note.words || shown.pass?.words || "");
  showSteps($("steps"), shown.ply, state.ply, look);
  showMoves($("moves"), state.moves, state.board.marks, shown.ply, mistakesOf(found), lookFromAfar);
  drawInvitation();
  drawOffer();
  drawActions();
  drawReview(shown);
  drawShare(shown);
}

/** How the board shows who has won, and that there is nothing left for the other.
 *
 * @param {NonNullable<State["outcome"]>} outcome
 */
function ending({ winner, termination }) {
  return { winner: state.players[winner - 1].mark, isLost: lostHere(), isStuck: termination === "stuck" };
}

/** Whether whoever sits here has lost; on one screen somebody has always won. */
function lostHere() {
  return state.you.seats.length === 1 && state.outcome?.winner !== state.you.seats[0];
}

/** @param {State | Position} shown */
function drawStatus(shown) {
  const finished = !looking && state.outcome;
  $("status").className = `status${looking ? " past" : finished ? ` over ${lostHere() ? "lost" : "won"}` : yourTurn() ? " mine" : ""}`;
  const won = state.outcome?.winner === state.you.seats[0];
  let lead = yourTurn() ? "Your turn. " : "";
  if (looking) lead = `After move ${looking.ply} of ${state.ply}. `;
  else if (finished && state.you.seats.length === 1) lead = won ? "You win. " : "You lose. ";
  setText($("words"), lead + shown.words);
}

function drawInvitation() {
  const isOpen = state.players.some((player) => !player.joined);
  const invitation = isOpen && welcome.invitation;
  show($("invite"), Boolean(invitation));
  if (invitation) showInvitation($("invite-link"), gameLink(link.game, invitation));
  show($("invite-local"), isLocal());
  show($("join"), may("join"));
  if (!may("join")) return;
  const host = state.players.find((player) => player.joined);
  const mine = seatIn(link.game);
  setText($("join-title"), mine ? "This is your own invitation" : `${host?.name} invites you to play ${state.board.title}`);
  show($("own-invitation"), Boolean(mine));
  if (mine) $("own-seat").setAttribute("href", gameLink(mine.game, mine.token));
  setText($("join-button"), mine ? "Take the other seat as well" : "Join the game");
  $("join-button").classList.toggle("primary", !mine);
  if (!mine && !$("join-name").value) $("join-name").value = rememberedName();
}

function drawOffer() {
  show($("offer"), state.offer !== null);
  if (state.offer) showOffer($("offer"), state.offer, may, (accept) => act({ type: "answer", accept, ...now() }));
}

function drawActions() {
  /** @type {HTMLElement[]} */
  const actions = [];
  /** @type {(label: string, run: (button: HTMLButtonElement) => unknown, style?: string, able?: boolean) => void} */
  const add = (label, run, style = "", able = true) => {
    const button = h("button", { type: "button", class: `button ${style}`, "aria-disabled": able ? null : "true" }, label);
    if (able) button.addEventListener("click", () => run(button));
    actions.push(button);
  };
  // Undo and Resign keep their places as long as a game lasts: nothing may slide under a pointer that clicks again.
  const isPlaying = state.you.seats.length > 0 && !state.outcome && state.players.every((player) => player.joined);
  show($("typed"), isPlaying);
  if (may("takeback") || (isPlaying && !state.clock)) add(state.opponent === "link" ? "Ask to take back" : "Undo", undo, "", may("takeback"));
  if (isPlaying && mayAnalyse()) add("Hint", askHint, "", mayHint());
  if (state.outcome && !found && state.setup.moves.length) add("Review", review);
  if (isPlaying) add("Resign", () => confirmResign(() => act({ type: "resign" })), "last-action");
  if (may("swap")) add("Swap: take over the other side", () => act({ type: "swap", ...now() }), "primary");
  if (may("rematch")) add("Play again, sides swapped", () => act({ type: "ask", what: "rematch", ...now() }), "primary");
  if (state.rematch) actions.push(h("a", { class: "button primary", href: gameLink(state.rematch, link.token) }, "Next round"));
  const mine = seatIn(link.game);
  if (mine && state.you.role === "watching") {
    actions.push(h("a", { class: "button", href: gameLink(mine.game, mine.token) }, "Go to your seat"));
  }
  keepFocus($("actions"), ...actions);
  show($("actions"), actions.length > 0);
}

async function undo() {
  for (let tries = 1; tries < TRIES; tries++) { // the computer may move meanwhile: that is taken back, too
    const answer = await connection.request({ type: "ask", what: "takeback", ...now() });
    if (answer.type !== "refused" || answer.reason !== "stale" || state.opponent === "link") return heed(answer);
    await new Promise((resolve) => setTimeout(resolve, MEANWHILE));
  }
  await act({ type: "ask", what: "takeback", ...now() });
}

/** Whether the engine may be asked: while two people play each other, it keeps out of it. */
function mayAnalyse() {
  return state.outcome !== null || state.opponent !== "link";
}

function mayHint() {
  return may("move") && mayAnalyse() && !looking;
}

function askHint() {
  note = NOTHING;
  hint.more(state.setup);
}

function closeHint() {
  hint.forget();
  draw();
}

/** @param {State | Position} shown */
function drawReview(shown) {
  show($("review"), found !== null);
  if (found) showReview($("review-body"), found, state.board, shown.ply, lookFromAfar);
  $("review-link").setAttribute("href", `/review#${link.game}/${welcome?.watch ?? link.token}`);
}

/** @param {State | Position} shown */
function drawShare(shown) {
  const token = welcome.watch ?? link.token;
  showShare($("share-body"), { game: link.game, token, ply: shown.ply, setup: shown.setup, mayAnalyse: mayAnalyse(), download });
}

// -- the page ---------------------------------------------------------------------------------------------------

/** @param {KeyboardEvent} event */
function pressed(event) {
  if (!state) return;
  const ply = (looking ?? state).ply;
  const key = shortcut(event);
  if (key === "[" && ply > 0) look(ply - 1);
  else if (key === "]" && looking) look(ply + 1);
  else if (key === "u" && may("takeback")) undo();
  else if (key === "h" && mayHint()) askHint();
}

function open() {
  setUpHelp(() => state?.setup ?? null);
  window.addEventListener("hashchange", () => location.reload());
  document.addEventListener("keydown", pressed);
  document.addEventListener("visibilitychange", () => state && draw()); // for the title
  $("typed").addEventListener("submit", submitTyped);
  $("join").addEventListener("submit", join);
  if (link) connect();
  else showMessage("No game here", "This link is not complete. It may have been cut short when it was copied.");
}

open();
