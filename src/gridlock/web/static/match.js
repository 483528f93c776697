// The state of a game page: the game, the position on display, and what the user may do.

/** @import { Position, Presence, Review, State, Termination, Welcome } from "../answers" */
/** @import { Ability, Note, Player, View } from "../page" */
/** @import { readGame } from "./links.js" */

import { isMuted } from "./storage.js";

/** @typedef {NonNullable<ReturnType<typeof readGame>>} Link */

/** @type {Note} */
export const NOTHING = { words: "", causes: [], cell: null };

/** For each way that a game can end, a function that returns a clause about the loser, such as "Ada resigned".
 *
 * @type {Record<Termination, (loser: string, has: string) => string>}
 */
const ENDINGS = {
  stuck: (loser, has) => `${loser} ${has} no move left`,
  resigned: (loser) => `${loser} resigned`,
  time: (loser) => `${loser} ran out of time`,
  left: (loser) => `${loser} left`,
};

export class Match {
  // The welcome message and the state are null until the server sends them.
  welcome = /** @type {Welcome} */ (/** @type {unknown} */ (null));
  state = /** @type {State} */ (/** @type {unknown} */ (null));
  /** @type {Position | null} */
  looking = null; // the earlier position on display, if any
  /** @type {View["pending"]} */
  pending = null; // a move being sent
  /** @type {Note} */
  note = NOTHING; // why a cell is closed
  /** @type {Review | null} */
  found = null; // the review
  /** @type {Presence | null} */
  presence = null; // who is connected
  presenceSince = 0;
  isOnline = true; // until a connection fails
  isSnapshot = false; // whether the state is an old one, shown because there is no connection

  /** @param {Link} link the game and the token that opens it */
  constructor(link) {
    this.link = link;
  }

  /** The current state, or the earlier position on display. */
  get shown() {
    return this.looking ?? this.state;
  }

  /** @param {Ability} what */
  may(what) {
    return this.state.you.may.includes(what);
  }

  get yourTurn() {
    return this.may("move") && this.state.you.seats.length === 1;
  }

  /** Whether the game has ended, with or without a winner. */
  get isOver() {
    return this.state.outcome !== null || this.state.cancelled;
  }

  /** The open request, unless it is a muted request for a takeback. */
  get offer() {
    const { offer, you } = this.state;
    const isTheirs = you.seats.length === 1 && offer?.player !== you.seats[0];
    return offer?.what === "takeback" && isTheirs && isMuted() ? null : offer;
  }

  /** Whether both seats are taken. */
  get isFull() {
    return this.state.players.every((player) => player.joined);
  }

  /** Whether the user has lost a finished game; false for spectators and on a shared screen. */
  get isLost() {
    return this.state.you.seats.length === 1 && this.state.outcome?.winner !== this.state.you.seats[0];
  }

  /** Return how to refer to a player in messages to the user.
   *
   * @param {Player} player
   */
  named(player) {
    const { opponent, players, you } = this.state;
    if (you.seats.length === 1 && you.seats[0] === player) return "you";
    const { name, kind } = players[player - 1];
    return kind === "person" || opponent === "levels" ? name : "the computer";
  }

  /** The result and the reason for it, each in a few words; null while the game is in progress. */
  get ending() {
    const { cancelled, outcome, players, you, words } = this.state;
    if (cancelled) return { title: "Game cancelled", why: words };
    if (!outcome) return null;
    const { winner, loser, termination, both } = outcome;
    const title = you.seats.length === 1 ? (this.isLost ? "You lose" : "You win") : `${players[winner - 1].name} wins`;
    const who = this.named(loser);
    const why = both ? `neither player has a move left, and ${this.named(winner)} moved last` : ENDINGS[termination](who, who === "you" ? "have" : "has");
    return { title, why: `${why}.` };
  }

  /** A short message about the game's status, addressed to the user if they have just one seat. */
  get words() {
    const { ending } = this;
    const { outcome, you, words } = this.state;
    const canSwap = this.may("swap");
    if (this.yourTurn) return canSwap ? "Your turn: move or swap sides." : "Your turn.";
    if (canSwap) return `${words} You can swap.`;
    if (this.isSnapshot && you.seats.length === 1 && this.state.to_move === you.seats[0]) return "It's your turn, but you're offline.";
    return ending && outcome && you.seats.length === 1 ? `${ending.title}: ${ending.why}` : words;
  }

  /** Whether help from the engine is allowed: always, except while two people are playing each other online. */
  get mayAnalyse() {
    return this.isOver || this.state.opponent !== "link";
  }

  get mayHint() {
    return this.may("move") && this.mayAnalyse && !this.looking;
  }
}
