// The state of a game page: the game, the position on display, and what the user may do.

/** @import { Position, Presence, Review, State, Termination, Welcome } from "../answers" */
/** @import { Ability, Note, View } from "../page" */
/** @import { readGame } from "./links.js" */

import { isMuted } from "./storage.js";

/** @typedef {NonNullable<ReturnType<typeof readGame>>} Link */

/** @type {Note} */
export const NOTHING = { words: "", causes: [], cell: null };

/** The reason for a game's end, phrased for the winner and for the loser.
 *
 * @type {Record<Termination, { won: (name: string) => string, lost: string }>}
 */
const ENDINGS = {
  stuck: { won: (name) => `${name} has no move left`, lost: "you have no move left" },
  resigned: { won: (name) => `${name} resigned`, lost: "you resigned" },
  time: { won: (name) => `${name} ran out of time`, lost: "you ran out of time" },
  left: { won: (name) => `${name} left`, lost: "you left" },
};

export class Match {
  // Both are set before anything but the connection uses them, because the first state starts everything else.
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

  /** The state or position on the board. */
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

  /** The open request, unless the user has muted the opponent's. */
  get offer() {
    const { offer, you } = this.state;
    const isTheirs = you.seats.length === 1 && offer?.player !== you.seats[0];
    return offer?.what === "takeback" && isTheirs && isMuted() ? null : offer;
  }

  /** Whether both seats are taken. */
  get isFull() {
    return this.state.players.every((player) => player.joined);
  }

  /** Whether the user has lost; never true for spectators or if both players share this screen. */
  get isLost() {
    return this.state.you.seats.length === 1 && this.state.outcome?.winner !== this.state.you.seats[0];
  }

  /** The game's status in one sentence, which addresses the user if they hold one seat. */
  get words() {
    const { outcome, players, you, words } = this.state;
    const canSwap = this.may("swap");
    if (this.yourTurn) return canSwap ? "Your move, or swap." : "Your turn.";
    if (canSwap) return `${words} A swap is possible.`;
    if (this.isSnapshot && you.seats.length === 1 && this.state.to_move === you.seats[0]) return "Your turn, once you're back online.";
    if (!outcome || you.seats.length !== 1) return words;
    const { won, lost } = ENDINGS[outcome.termination];
    return this.isLost ? `You lose: ${lost}.` : `You win: ${won(players[outcome.loser - 1].name)}.`;
  }

  /** Whether the user may ask the engine, which is not allowed while two people play each other. */
  get mayAnalyse() {
    return this.isOver || this.state.opponent !== "link";
  }

  get mayHint() {
    return this.may("move") && this.mayAnalyse && !this.looking;
  }
}
