// A game page's view: the board and everything around it.

/** @import { State } from "../answers" */
/** @import { Ability } from "../page" */
/** @import { Actions } from "./actions.js" */
/** @import { Match } from "./match.js" */
/** @import { Requests } from "./requests.js" */

import { urlOf } from "./address.js";
import { Board } from "./board.js";
import { Clocks, clockWords } from "./clock.js";
import { $, h, keepFocus, setText, show } from "./dom.js";
import { gameLink, isLocal } from "./links.js";
import { showMoves, showSteps } from "./moves.js";
import { titled } from "./notifications.js";
import { confirmResign, showInvitation, showOffer } from "./panels.js";
import { showPlayers } from "./players.js";
import { Absence } from "./presence.js";
import { Reactions } from "./reactions.js";
import { betterAt, mistakesOf, showReview } from "./report.js";
import { ResultCard } from "./result.js";
import { showShare } from "./sharing.js";
import { rememberedConfirm, rememberedName, seatIn } from "./storage.js";
import { watchingButtons } from "./watching.js";

export class GameView {
  clocks = new Clocks();
  /** @type {Board | null} */
  board = null;

  /**
   * @param {Match} match
   * @param {Actions} actions
   * @param {Requests} requests
   */
  constructor(match, actions, requests) {
    this.match = match;
    this.actions = actions;
    this.requests = requests;
    this.absence = new Absence($("left"), () => actions.act({ type: "claim" }));
    this.reactions = new Reactions($("talk"), (what) => actions.say(what), () => this.draw());
    this.result = new ResultCard($("result"), match, actions, requests);
    this.look = (/** @type {number} */ ply) => requests.look(ply);
    this.lookFromAfar = (/** @type {number} */ ply) => requests.lookFromAfar(ply);
  }

  draw() {
    const { match, actions } = this;
    const { state, shown, presence } = match;
    this.drawHeading();
    showPlayers($("players"), state, presence);
    this.absence.show(presence, match.presenceSince, state);
    this.reactions.show(state);
    this.clocks.show($("players"));
    this.drawStatus();
    this.drawBoard();
    actions.hint.show(() => actions.askHint(), () => actions.closeHint());
    showSteps($("steps"), shown.ply, state.ply, this.look);
    showMoves($("moves"), state.moves, state.board.marks, shown.ply, mistakesOf(match.found), this.lookFromAfar);
    this.drawInvitation();
    this.result.draw();
    this.drawOffer();
    this.drawActions();
    this.drawReview();
    this.drawShare();
  }

  drawHeading() {
    const { state, yourTurn } = this.match;
    const { title, own_rule, adjacency, rows, cols } = state.board;
    const facts = [`${rows} × ${cols}, ${adjacency === "king" ? "diagonals count" : "no diagonals"}`];
    if (own_rule !== null) facts.unshift("custom game");
    if (state.setup.swap) facts.push("swap rule");
    if (state.clock) facts.push(clockWords(state.clock), "no takebacks");
    if (state.round > 1) facts.push(`round ${state.round}`);
    if (state.you.role === "watching") facts.push("you're watching");
    setText($("title"), title);
    setText($("subtitle"), facts.join(" · "));
    setText($("rule"), this.match.welcome.rule);
    document.title = titled(title, yourTurn);
  }

  drawBoard() {
    const { match } = this;
    const { state, looking, note } = match;
    const { preview } = this.actions.hint;
    const shown = preview ?? match.shown;
    this.board ??= new Board($("board"), (cell) => this.actions.choose(cell));
    const mover = state.players.find((player) => player.player === state.to_move);
    this.board.show({
      board: match.isFull && !state.cancelled ? shown.board : { ...shown.board, legal: [] },
      mine: !looking && !preview && match.may("move"),
      mark: looking ? looking.mark : (mover?.mark ?? null),
      pending: looking ? null : match.pending,
      causes: note.causes.length ? note.causes : shown.board.causes,
      refused: note.cell,
      note: note.words ? note : shown.pass,
      confirm: rememberedConfirm,
      better: looking ? betterAt(match.found, looking.ply) : [],
      ...(looking || preview ? {} : this.actions.hint.view),
      ...(!looking && state.outcome ? this.ending(state.outcome) : {}),
    });
  }

  /** Return the final board's highlights: the winner's markers and the cells closed to the loser.
   *
   * @param {NonNullable<State["outcome"]>} outcome
   */
  ending({ winner, termination }) {
    return { winner: this.match.state.players[winner - 1].mark, isLost: this.match.isLost, isStuck: termination === "stuck" };
  }

  drawStatus() {
    const { state, looking, words, yourTurn, isLost } = this.match;
    const finished = !looking && state.outcome;
    $("status").className = `status${looking ? " past" : finished ? ` over ${isLost ? "lost" : "won"}` : yourTurn ? " mine" : ""}`;
    setText($("words"), looking ? `After move ${looking.ply} of ${state.ply}. ${looking.words}` : words);
    this.drawSwap();
  }

  /** Offer the swap beside the status, which is visible on every screen. */
  drawSwap() {
    const { match, actions } = this;
    const swap = () => actions.act({ type: "swap", ...actions.now() });
    const may = match.may("swap") && !match.looking;
    const title = "Take over the other side";
    keepFocus($("swap"), ...(may ? [h("button", { type: "button", class: "button primary", title, onclick: swap }, "Swap sides")] : []));
  }

  drawInvitation() {
    const { match } = this;
    const { state, link, welcome } = match;
    const invitation = !match.isFull && welcome.invitation;
    show($("invite"), Boolean(invitation));
    if (invitation) showInvitation($("invite-link"), gameLink(link.game, invitation));
    show($("invite-public"), welcome.public);
    show($("invite-local"), isLocal());
    show($("join"), match.may("join"));
    if (!match.may("join")) return;
    const host = state.players.find((player) => player.joined);
    const mine = seatIn(link.game);
    setText($("join-title"), mine ? "This is your invitation" : `${host?.name} invites you to play ${state.board.title}`);
    show($("own-invitation"), Boolean(mine));
    if (mine) $("own-seat").setAttribute("href", gameLink(mine.game, mine.token));
    setText($("join-button"), mine ? "Take the other seat as well" : "Join the game");
    $("join-button").classList.toggle("primary", !mine);
    if (!mine && !$("join-name").value) $("join-name").value = rememberedName();
  }

  drawOffer() {
    const { match, actions } = this;
    const { offer } = match;
    show($("offer"), offer !== null && !this.result.isOpen); // the card shows it as well
    const may = (/** @type {Ability} */ what) => match.may(what);
    if (offer) showOffer($("offer"), offer, may, (accept) => actions.act({ type: "answer", accept, ...actions.now() }));
  }

  drawActions() {
    const { match, actions, requests } = this;
    const { state, link } = match;
    /** @type {HTMLElement[]} */
    const buttons = [];
    /** @type {(label: string, run: (button: HTMLButtonElement) => unknown, style?: string, able?: boolean) => void} */
    const add = (label, run, style = "", able = true) => {
      const button = h("button", { type: "button", class: `button ${style}`, "aria-disabled": able ? null : "true" }, label);
      if (able) button.addEventListener("click", () => run(button));
      buttons.push(button);
    };
    // Undo and Resign stay in place during a game, so that a second click never hits another button.
    const isPlaying = state.you.seats.length > 0 && !match.isOver && match.isFull;
    show($("typed"), isPlaying);
    const back = state.opponent === "link" ? "Ask for a takeback" : "Undo";
    if (match.may("takeback") || (isPlaying && !state.clock)) add(back, () => actions.undo(), "", match.may("takeback") && match.isOnline);
    if (isPlaying && match.mayAnalyse) add("Hint", () => actions.askHint(), "", match.mayHint && match.isOnline);
    if (state.outcome && !match.found && state.setup.moves.length) add("Review", (button) => {
      this.result.close();
      return requests.review(button);
    });
    if (isPlaying) add("Resign", () => confirmResign(() => actions.act({ type: "resign" })), "last-action", match.may("resign") && match.isOnline);
    const again = () => actions.act({ type: "ask", what: "rematch", ...actions.now() });
    if (match.may("rematch")) add("Rematch", again, "primary");
    if (state.rematch) buttons.push(h("a", { class: "button primary", href: gameLink(state.rematch, link.token) }, "Next round"));
    if (match.isOver) buttons.push(h("a", { class: "button", href: urlOf("/") }, "New game"));
    if (state.opponent === "levels" && !match.isOver) buttons.push(...watchingButtons(actions.page.queue, () => this.draw()));
    const mine = seatIn(link.game);
    if (mine && state.you.role === "watching") {
      buttons.push(h("a", { class: "button", href: gameLink(mine.game, mine.token) }, "Go to your seat"));
    }
    keepFocus($("actions"), ...buttons);
    show($("actions"), buttons.length > 0);
  }

  drawReview() {
    const { found, state, shown, link, welcome } = this.match;
    show($("review"), found !== null);
    if (found) showReview($("review-body"), found, state.board, shown.ply, this.lookFromAfar, state.setup, state.you.seats);
    $("review-link").setAttribute("href", urlOf(`/review#${link.game}/${welcome?.watch ?? link.token}`));
  }

  drawShare() {
    const { link, welcome, shown, mayAnalyse } = this.match;
    const token = welcome.watch ?? link.token;
    const download = () => this.requests.download();
    showShare($("share-body"), { game: link.game, token, ply: shown.ply, setup: shown.setup, mayAnalyse, download });
  }
}
