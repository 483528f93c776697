// Certificate rules for games where the last marker or a pawn limits each move. A claim says
// that the player to move loses; it names the free cells and either the last marker's cell or both pawns' cells.
// In games with pawns, a claim may instead say that no path from a given cell through the free cells has more than
// n moves.

/** @import { Board } from "./certificate-cells.js" */
/** @typedef {{ free: bigint, mine: bigint, theirs: bigint }} Spot */

import { bit, cellsOf, count, decimal, need, Slots, turnOf } from "./certificate-cells.js";

export class Walking {
  /**
   * @param {Board} board
   * @param {Set<string>} marker
   * @param {number} slots
   */
  constructor(board, marker, slots) {
    this.board = board;
    this.pawn = marker.has("pawn");
    const { all, size, zone } = board;
    this.reach = zone.map((around, cell) => (marker.has("near") ? around & ~bit(cell) : all & ~around));
    this.dark = Array.from({ length: size }, (_, cell) => (Math.floor(cell / board.cols) + (cell % board.cols)) % 2 === 1);
    /** @type {Slots<number | null>} */
    this.slots = new Slots(board, slots); // the bound of a path, or null for a position
  }

  // Records

  /** Check a record. @param {string[]} words */
  record([slot, free, mine, theirs, rule, ...rest]) {
    const { board } = this;
    const spot = { free: board.set(free), mine: board.head(mine), theirs: 0n };
    const most = this.pawn && theirs[0] === "=" ? decimal(theirs.slice(1), board.size) : null;
    if (most === null) spot.theirs = board.head(theirs);
    const heads = this.pawn === (Boolean(spot.theirs) || most !== null) && spot.mine !== spot.theirs;
    need(heads && !((spot.mine | spot.theirs) & spot.free), "the heads do not fit this game");
    if (rule === "m") this.#moves(spot, most, rest);
    else {
      need(!rest.length, "this reason takes one word");
      if (most === null) this.#holds(spot, rule);
      else this.#path(spot.free, spot.mine, most, rule);
    }
    const near = this.#reduced(spot);
    this.slots.keep(slot, [near.free, near.mine, near.theirs], most);
  }

  /** Check the result: the player to move loses, or wins with a given move. @type {(mine: bigint, theirs: bigint, heads: bigint[], wins: string | undefined, reason: string) => void} */
  result(mine, theirs, heads, wins, reason) {
    need(!(heads[0] & ~mine) && !(heads[1] & ~theirs), "a head is not on a marker");
    need(!this.pawn || (heads[0] && heads[1]), "a pawn is missing");
    const free = this.board.all & ~(mine | theirs);
    const spot = this.pawn ? { free, mine: heads[0], theirs: heads[1] } : { free, mine: heads[1], theirs: 0n };
    if (wins === undefined) return this.#holds(spot, reason);
    const cell = this.board.cell(wins);
    need(this.#options(spot) & bit(cell), "the winning move is not legal");
    this.#holds(this.#after(spot, cell), reason);
  }

  /** Check the reply to each move; for a claim that bounds a path's length, check the bound after each
   * possible first step.
   *
   * @type {(spot: Spot, most: number | null, answers: string[]) => void}
   */
  #moves(spot, most, answers) {
    const cells = cellsOf(this.#options(spot));
    need(answers.length === cells.length, "the answers do not match the moves");
    for (const [i, cell] of cells.entries()) {
      if (most !== null) {
        this.#path(spot.free & ~bit(cell), bit(cell), most - 1, answers[i]);
        continue;
      }
      const [then, at] = [this.#after(spot, cell), answers[i].indexOf("=")];
      need(at > 0, "an answer is expected");
      const reply = this.board.cell(answers[i].slice(0, at));
      need(this.#options(then) & bit(reply), "an answer is not a move");
      this.#holds(this.#after(then, reply), answers[i].slice(at + 1));
    }
  }

  // The game

  /** Return the cells that the player can move to. @param {Spot} spot */
  #options(spot) {
    return spot.free & (spot.mine ? this.reach[cellsOf(spot.mine)[0]] : this.board.all);
  }

  /** @type {(spot: Spot, cell: number) => Spot} */
  #after(spot, cell) {
    const free = spot.free & ~bit(cell);
    return this.pawn ? { free, mine: spot.theirs, theirs: bit(cell) } : { free, mine: bit(cell), theirs: 0n };
  }

  /** Drop the cells that no pawn can reach. @type {(spot: Spot) => Spot} */
  #reduced(spot) {
    if (!this.pawn) return spot;
    let free = 0n;
    for (let more = this.board.touch(spot.mine | spot.theirs) & spot.free; more; more = this.board.touch(more) & spot.free & ~free) free |= more;
    return { ...spot, free };
  }

  // Reasons

  /** @type {(whole: Spot, reason: string) => void} */
  #holds(whole, reason) {
    const spot = this.#reduced(whole);
    if (reason[0] === "/" && this.pawn) this.#mirror(spot, turnOf(reason.slice(1)));
    else if (reason[0] === "w" && this.pawn) this.#wall(spot, reason.slice(1));
    else if (reason[0] === "p" && !this.pawn) this.#pairs(spot, this.board.list(reason.slice(1)));
    else need(this.#referred(spot, reason) === null, "a record about a path does not decide a position");
  }

  /** Check that a record describes `spot`; return its limit on the path length, or null if the record is not about a path. @type {(spot: Spot, reason: string) => number | null} */
  #referred(spot, reason) {
    const { sets, said } = this.slots.refer(reason, spot.free | spot.mine | spot.theirs, false);
    const [free, mine, theirs] = sets;
    need(free === spot.free && mine === spot.mine && theirs === spot.theirs, "a record is about another position");
    return said;
  }

  /** Check that no path from a cell exceeds `most` moves. @type {(room: bigint, at: bigint, most: number, reason: string) => void} */
  #path(room, at, most, reason) {
    const spot = this.#reduced({ free: room, mine: at, theirs: 0n });
    if (reason === ".") need(this.#most(spot.free, at) <= most, "a path may be too long");
    else {
      const bound = this.#referred(spot, reason);
      need(bound !== null && bound <= most, "a record is not about a path, or its bound is too weak");
    }
  }

  /** @type {(spot: Spot, turn: number) => void} */
  #mirror(spot, turn) {
    const every = spot.free | spot.mine | spot.theirs;
    const images = this.board.images(every, every, turn);
    const image = (/** @type {bigint} */ set) => cellsOf(set).reduce((found, cell) => found | bit(images.get(cell) ?? cell), 0n);
    need(image(spot.mine) === spot.theirs && image(spot.free) === spot.free, "the position is not its own image");
    need(cellsOf(spot.free).every((cell) => images.get(cell) !== cell), "the image of a move is no answer to it");
  }

  /** @type {(spot: Spot, text: string) => void} */
  #wall(spot, text) {
    const colon = text.indexOf(":");
    const walk = this.board.list(colon < 0 ? text : text.slice(0, colon));
    let { free, mine: area, theirs: at } = spot;
    for (const cell of walk) {
      area |= this.board.touch(area) & free;
      need(this.board.touch(at) & free & ~area & bit(cell), "the walk cannot be sure of a cell");
      at = bit(cell);
      free &= ~at;
    }
    for (let grown = 0n; grown !== area; ) {
      grown = area;
      area |= this.board.touch(area) & free;
    }
    this.#path(area & ~spot.mine, spot.mine, walk.length, colon < 0 ? "." : text.slice(colon + 1));
  }

  /** @type {(spot: Spot, cells: number[]) => void} */
  #pairs(spot, cells) {
    need(cells.length % 2 === 0, "a cell has no partner");
    /** @type {Map<number, number>} */
    const partner = new Map();
    for (let i = 0; i < cells.length; i += 2) {
      const [one, two] = [cells[i], cells[i + 1]];
      const isFree = one !== two && spot.free & bit(one) && spot.free & bit(two) && !partner.has(one) && !partner.has(two);
      need(isFree && this.reach[one] & bit(two), "two cells are not a pair");
      partner.set(one, two).set(two, one);
    }
    let seen = 0n;
    for (let todo = this.#options(spot); todo; todo &= ~seen) {
      const cell = cellsOf(todo)[0];
      const answer = partner.get(cell);
      need(answer !== undefined, "a cell has no partner");
      seen |= bit(cell);
      todo |= this.reach[answer] & spot.free;
    }
  }

  // Bounds on the length of a path

  /** @type {(room: bigint, at: bigint) => number} */
  #most(room, at) {
    /** @type {Map<number, { seen: number, low: number, onward: number }>} */
    const met = new Map();
    /** @type {number[]} */
    const pile = [];
    /** @type {(cell: number) => { seen: number, low: number, onward: number }} */
    const visit = (cell) => {
      const here = { seen: met.size, low: met.size, onward: 0 };
      met.set(cell, here);
      pile.push(cell);
      for (const next of cellsOf(this.board.zone[cell] & (room | at) & ~bit(cell))) {
        const known = met.get(next);
        const link = known ? known.seen : visit(next).low;
        here.low = Math.min(here.low, link);
        if (known || link < here.seen) continue;
        const inside = pile.splice(pile.indexOf(next));
        const block = inside.reduce((set, one) => set | bit(one), bit(cell));
        const sums = inside.map((one) => {
          const onward = met.get(one)?.onward ?? 0;
          return onward ? this.#through(block, cell, one) + onward : 0;
        });
        here.onward = Math.max(here.onward, this.#through(block, cell, -1), ...sums);
      }
      return here;
    };
    return visit(cellsOf(at)[0]).onward;
  }

  /** @type {(block: bigint, start: number, end: number) => number} */
  #through(block, start, end) {
    const total = count(block);
    if (this.board.king) return total - 1;
    const same = cellsOf(block).filter((cell) => this.dark[cell] === this.dark[start]).length;
    const rest = total - same;
    if (end < 0) return Math.min(2 * same - 1, 2 * rest);
    return this.dark[start] === this.dark[end] ? 2 * Math.min(same - 1, rest) : 2 * Math.min(same, rest) - 1;
  }
}
