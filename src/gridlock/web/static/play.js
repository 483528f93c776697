// The page of a game: playing it, watching it, and looking at it when it is over.

import { api } from "./api.js";
import { Board } from "./board.js";
import { Connection } from "./connection.js";
import { $, announce, copyButton, h, setText, show } from "./dom.js";
import { isWriting, setUpHelp } from "./help.js";
import { full, gameLink, readGame, setupLink } from "./links.js";
import { nonceFor, rememberedGames, rememberedName, rememberGame, rememberName } from "./memory.js";
import { showMoves, showSteps } from "./moves.js";
import { showPlayers } from "./players.js";
import { betterAt, mistakesOf, showReview } from "./review.js";

let link = readGame(location.hash); // the game and the token that opens it
let connection = null;
let welcome = null;
let state = null;
let looking = null; // an earlier position, while one is shown
let pending = null; // a move on its way
let note = { words: "", causes: [] }; // why a cell is closed
let found = null; // the review
let board = null;

// -- what the server says ---------------------------------------------------------------------------------------

function connect() {
  connection = new Connection(link.game, link.token, {
    welcome: (message) => {
      welcome = message;
    },
    state: receive,
    connected: showConnection,
    closed: (words) => showMessage("No game here", words),
  });
}

function receive(next) {
  const before = state;
  state = next;
  if (before && (before.ply !== next.ply || before.line !== next.line)) {
    pending = null;
    note = { words: "", causes: [] };
    found = null;
    if (before.line !== next.line) looking = null;
  }
  if (!before) begin();
  speak(before);
  draw();
  if (before && !before.rematch && next.rematch) follow(next.rematch);
}

/** The first state has come: the page can be shown. */
function begin() {
  show($("table"), true);
  show($("message"), false);
  board ??= new Board($("board"), choose);
  if (link.ply !== null && link.ply < state.ply) look(link.ply);
  remember();
}

function remember() {
  if (!state.you.seats.length) return;
  const others = state.players.filter((player) => !state.you.seats.includes(player.player));
  const against = others.length ? `against ${others[0].name}` : "on one screen";
  rememberGame({ game: link.game, token: link.token, title: state.board.title, against });
}

/** Say what has happened to those who cannot see it. */
function speak(before) {
  const heard = before && before.line === state.line ? before.moves.length : state.moves.length - 1;
  const news = before ? state.moves.slice(heard).filter((move) => move.kind !== "pass").map((move) => `${move.words}.`) : [];
  if (before && before.line !== state.line) news.push("A move was taken back.");
  if (state.pass) news.push(state.pass.words);
  if (state.offer && state.offer.words !== before?.offer?.words) news.push(state.offer.words);
  if (!before || before.words !== state.words) news.push(yourTurn() ? `Your turn. ${state.words}` : state.words);
  if (news.length) announce(news.join(" "));
}

/** Go on to the next round; the same token opens it. */
function follow(game) {
  location.hash = gameLink(game, link.token).split("#")[1];
}

function showConnection(connected) {
  document.body.classList.toggle("offline", !connected);
  setText($("connection"), connected ? "" : "Connection lost. Reconnecting…");
}

function showMessage(title, words) {
  show($("table"), false);
  show($("message"), true);
  setText($("message-title"), title);
  setText($("message-words"), words);
  document.title = `${title} · GridLock`;
}

// -- what the user does -----------------------------------------------------------------------------------------

function may(what) {
  return state.you.may.includes(what);
}

function yourTurn() {
  return may("move") && state.you.seats.length === 1;
}

/** A cell was chosen: play it, or learn why not. */
async function choose(cell) {
  if (looking) {
    tell("You are looking at an earlier position. Step to the end to play on.");
  } else if (pending) {
    tell(connection.open ? "Your move is on its way." : "Your move will be sent as soon as the connection is back.");
  } else if (may("move") && state.board.legal.includes(cell)) {
    await play(cell);
  } else if (state.you.seats.length && state.to_move !== null && !may("move")) {
    tell(state.words);
  } else {
    const answer = await connection.request({ type: "why", cell });
    if (!answer.legal) tell(answer.words, answer.causes);
  }
}

async function play(cell) {
  const mark = state.players.find((player) => player.player === state.to_move).mark;
  pending = { cell, mark };
  note = { words: "", causes: [] };
  draw();
  await act({ type: "move", cell, ply: state.ply, line: state.line });
}

/** Do something to the game; if it is refused, say why. */
async function act(message) {
  const answer = await connection.request(message);
  if (answer.type !== "refused") return;
  pending = null;
  tell(answer.words, answer.causes);
}

function tell(words, causes = []) {
  note = { words, causes };
  announce(words);
  draw();
}

function now(type, extra = {}) {
  return { type, ply: state.ply, line: state.line, ...extra };
}

async function look(ply) {
  note = { words: "", causes: [] };
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

function confirmResign() {
  const dialog = $("confirm");
  const yes = h("button", { type: "button", class: "button danger" }, "Resign");
  const no = h("button", { type: "button", class: "button" }, "Play on");
  yes.addEventListener("click", () => {
    dialog.close();
    act({ type: "resign" });
  });
  no.addEventListener("click", () => dialog.close());
  dialog.replaceChildren(
    h("h2", { id: "confirm-title" }, "Resign this game?"),
    h("p", {}, "Your opponent wins."),
    h("div", { class: "actions" }, no, yes),
  );
  dialog.showModal();
}

async function review(button) {
  button.disabled = true;
  setText(button, "Looking through…");
  const { setup } = state;
  try {
    const answer = await api("/api/review", { body: { setup } });
    if (setup.moves.join() === state.setup.moves.join()) found = answer;
    announce(`Review. ${answer.summary}`);
  } catch (error) {
    tell(error.message);
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
    tell(error.message);
  }
}

async function join(event) {
  event.preventDefault();
  const name = $("join-name").value;
  rememberName(name);
  $("join-button").disabled = true;
  setText($("join-problem"), "");
  try {
    const nonce = nonceFor(link.game);
    const seat = await api(`/api/games/${link.game}/join`, { token: link.token, body: { name, nonce } });
    connection.end();
    link = { game: seat.id, token: seat.token, ply: null };
    history.replaceState(null, "", gameLink(link.game, link.token));
    state = null;
    connect();
  } catch (error) {
    setText($("join-problem"), error.message);
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
  const round = state.round > 1 ? ` · round ${state.round}` : "";
  setText($("subtitle"), `${size}, ${adjacency === "king" ? 8 : 4} neighbours${state.setup.swap ? ", swap rule" : ""}${round}`);
  document.title = `${yourTurn() ? "Your turn · " : ""}${title} · GridLock`;
  showPlayers($("players"), state);
  drawStatus(shown);
  const mover = state.players.find((player) => player.player === state.to_move);
  board.show({
    board: shown.board,
    mine: !looking && may("move"),
    mark: looking ? looking.mark : (mover?.mark ?? null),
    pending: looking ? null : pending,
    causes: note.causes.length ? note.causes : shown.board.causes,
    better: looking ? betterAt(found, looking.ply) : [],
  });
  setText($("note"), note.words || shown.pass?.words || "");
  showSteps($("steps"), shown.ply, state.ply, look);
  showMoves($("moves"), state.moves, state.board.marks, shown.ply, mistakesOf(found), look);
  drawInvitation();
  drawOffer();
  drawResult();
  drawActions();
  drawReview(shown);
  drawShare(shown);
}

function drawStatus(shown) {
  const finished = !looking && state.outcome;
  $("status").className = `status${looking ? " past" : finished ? " over" : yourTurn() ? " mine" : ""}`;
  const lead = looking ? `After move ${looking.ply} of ${state.ply}. ` : yourTurn() ? "Your turn. " : "";
  setText($("words"), lead + shown.words);
}

function drawInvitation() {
  const open = state.players.some((player) => !player.joined);
  const invitation = open && welcome.invitation;
  show($("invite"), Boolean(invitation));
  if (invitation && !$("invite-link").children.length) $("invite-link").append(...linkRow("Invitation", gameLink(link.game, invitation)));
  show($("join"), may("join"));
  if (may("join") && !$("join-name").value) $("join-name").value = rememberedName();
}

function linkRow(label, address) {
  const field = h("input", { type: "text", readonly: true, "aria-label": label, value: full(address) });
  field.addEventListener("focus", () => field.select());
  return [field, copyButton(field)];
}

function drawOffer() {
  const { offer } = state;
  show($("offer"), offer !== null);
  if (!offer) return;
  const button = (label, accept, style) =>
    h("button", { type: "button", class: `button ${style}`, onclick: () => act(now("answer", { accept })) }, label);
  const buttons = may("answer")
    ? [button("Agree", true, "primary"), button("Decline", false, "")]
    : may("withdraw")
      ? [button("Withdraw", false, "")]
      : [];
  keepFocus($("offer"), h("p", {}, offer.words), h("div", { class: "actions" }, ...buttons));
}

function drawResult() {
  const { outcome, you } = state;
  show($("result"), outcome !== null);
  if (!outcome) return;
  const player = state.players[outcome.winner - 1];
  const mine = you.seats.length === 1;
  setText($("result-title"), mine ? (you.seats[0] === outcome.winner ? "You win" : "You lose") : `${player.name} wins`);
  setText($("result-words"), outcome.words);
}

/** Put new children into an element; if one of the old had the focus, the one at the same place gets it. */
function keepFocus(place, ...children) {
  const buttons = () => [...place.querySelectorAll("button, a")];
  const focused = buttons().indexOf(document.activeElement);
  place.replaceChildren(...children);
  if (focused >= 0) buttons()[Math.min(focused, buttons().length - 1)]?.focus();
}

function drawActions() {
  const actions = [];
  const add = (label, run, style = "") => {
    const button = h("button", { type: "button", class: `button ${style}` }, label);
    button.addEventListener("click", () => run(button));
    actions.push(button);
  };
  if (may("swap")) add("Swap: take over the other side", () => act(now("swap")), "primary");
  if (may("rematch")) add("Play again, sides swapped", () => act(now("ask", { what: "rematch" })), "primary");
  if (state.rematch) actions.push(h("a", { class: "button primary", href: gameLink(state.rematch, link.token) }, "Next round"));
  if (state.outcome && !found && state.setup.moves.length) add("Review", review);
  if (may("takeback")) add(state.opponent === "link" ? "Ask to take back" : "Undo", undo);
  if (may("resign")) add("Resign", confirmResign);
  if (state.outcome) add("Download record", download);
  const mine = rememberedGames().find((entry) => entry.game === link.game && entry.token !== link.token);
  if (mine && state.you.role === "watching") {
    actions.push(h("a", { class: "button", href: gameLink(mine.game, mine.token) }, "Go to your seat"));
  }
  keepFocus($("actions"), ...actions);
  show($("actions"), actions.length > 0);
}

function undo() {
  act(now("ask", { what: "takeback" }));
}

function drawReview(shown) {
  show($("review"), found !== null);
  if (found) showReview($("review-body"), found, state.board, shown.ply, look);
}

function drawShare(shown) {
  const token = welcome.watch ?? link.token;
  const ply = looking ? looking.ply : state.ply;
  const rows = [
    h("h3", {}, "To watch this game"),
    h("div", { class: "copy" }, ...linkRow("Link to watch", gameLink(link.game, token))),
    h("h3", {}, "To the position on the board"),
    h("div", { class: "copy" }, ...linkRow("Link to this position", gameLink(link.game, token, ply))),
    h("div", { class: "actions" },
      h("a", { class: "button", href: setupLink(shown.setup) }, "Analyse this position"),
      h("button", { type: "button", class: "button", onclick: download }, "Download record")),
  ];
  const key = `${link.game} ${ply} ${setupLink(shown.setup)}`;
  if ($("share").dataset.key === key) return;
  $("share").dataset.key = key;
  $("share-body").replaceChildren(...rows);
}

// -- the page ---------------------------------------------------------------------------------------------------

function pressed(event) {
  if (!state || isWriting(event)) return;
  const ply = (looking ?? state).ply;
  if (event.key === "[" && ply > 0) look(ply - 1);
  else if (event.key === "]" && looking) look(ply + 1);
  else if (event.key === "u" && may("takeback")) undo();
}

function open() {
  setUpHelp(() => state?.setup.game ?? null);
  window.addEventListener("hashchange", () => location.reload());
  document.addEventListener("keydown", pressed);
  $("join").addEventListener("submit", join);
  if (link) connect();
  else showMessage("No game here", "This link is not complete. It may have been cut short when it was copied.");
}

open();
