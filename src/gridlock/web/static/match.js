// What the page of a game knows: the game, which part of it is looked at, and what whoever sits here may do.

/** @import { Position, Presence, Review, State, Termination, Welcome } from "../answers" */
/** @import { Ability, Note, View } from "../page" */
/** @import { readGame } from "./links.js" */

/** @typedef {NonNullable<ReturnType<typeof readGame>>} Link */

/** @type {Note} */
export const NOTHING = { words: "", causes: [], cell: null };

/** How a game ended, by the way the loser's turn did: for a winner who reads it, and for a loser.
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
  // Nothing but connecting happens before these two are there: the first state begins everything else.
  welcome = /** @type {Welcome} */ (/** @type {unknown} */ (null));
  state = /** @type {State} */ (/** @type {unknown} */ (null));
  /** @type {Position | null} */
  looking = null; // an earlier position, while one is shown
  /** @type {View["pending"]} */
  pending = null; // a move on its way
  /** @type {Note} */
  note = NOTHING; // why a cell is closed
  /** @type {Review | null} */
  found = null; // the review
  /** @type {Presence | null} */
  presence = null; // who is there
  presenceSince = 0;

  /** @param {Link} link the game and the token that opens it */
  constructor(link) {
    this.link = link;
  }

  /** What is on the board. */
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

  /** Whether both seats are taken. */
  get isFull() {
    return this.state.players.every((player) => player.joined);
  }

  /** Whether whoever sits here has lost; on one screen somebody has always won. */
  get isLost() {
    return this.state.you.seats.length === 1 && this.state.outcome?.winner !== this.state.you.seats[0];
  }

  /** The game's status in one sentence: addressed to the player, if one person sits here. */
  get words() {
    const { outcome, players, you, words } = this.state;
    if (this.yourTurn) return "Your turn.";
    if (!outcome || you.seats.length !== 1) return words;
    const { won, lost } = ENDINGS[outcome.termination];
    return this.isLost ? `You lose: ${lost}.` : `You win: ${won(players[outcome.loser - 1].name)}.`;
  }

  /** Whether the engine may be asked: while two people play each other, it keeps out of it. */
  get mayAnalyse() {
    return this.state.outcome !== null || this.state.opponent !== "link";
  }

  get mayHint() {
    return this.may("move") && this.mayAnalyse && !this.looking;
  }
}
