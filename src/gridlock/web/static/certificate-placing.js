// Certificate rules for games where a marker may go on any open cell. A claim says that the player to move
// loses. The cells in p are open to the player to move, who also has x/UNIT extra moves; the cells in q are open to
// the opponent. A star is one extra move that either player may make.

/** @import { Board } from "./certificate-cells.js" */
/** @typedef {{ p: bigint, q: bigint, x: number, star: number }} Claim */

import { bit, cellsOf, count, decimal, need, Slots, turnOf } from "./certificate-cells.js";

const UNIT = 65536;

export class Placing {
  /**
   * @param {Board} board
   * @param {Set<string>} marker
   * @param {number} slots
   */
  constructor(board, marker, slots) {
    this.board = board;
    this.own = marker.has("own");
    this.other = marker.has("other");
    this.isCol = this.own && !this.other;
    this.isSnort = this.other && !this.own;
    /** @type {Slots<{ x: number, star: number }>} */
    this.slots = new Slots(board, slots);
  }

  // Records

  /** Check a record. @param {string[]} words */
  record([slot, p, q, number, rule, ...rest]) {
    /** @type {Claim} */
    const g = { p: this.board.set(p), q: this.board.set(q), ...readNumber(number) };
    if (rule === "m") this.#moves(g, rest);
    else if (rule === "t") {
      need(this.isCol && g.star && rest.length === 1, "the rule t does not apply");
      this.#answered({ ...g, star: 0 }, rest[0]);
    } else {
      need(!rest.length, "this reason takes one word");
      this.#holds(g, rule);
    }
    this.slots.keep(slot, [g.p, g.q], { x: g.x, star: g.star });
  }

  /** Check the result: the player to move loses, or wins with a given move. @type {(mine: bigint, theirs: bigint, heads: bigint[], wins: string | undefined, reason: string) => void} */
  result(mine, theirs, _heads, wins, reason) {
    const empty = this.board.all & ~(mine | theirs);
    const [p, q] = [this.board.touch(mine), this.board.touch(theirs)];
    const g = { p: empty & ~this.#closed(p, q), q: empty & ~this.#closed(q, p), x: 0, star: 0 };
    if (wins === undefined) return this.#holds(g, reason);
    const cell = this.board.cell(wins);
    need(g.p & bit(cell), "the winning move is not legal");
    const after = this.#played(g, cell, true);
    this.#holds({ ...after, p: after.q, q: after.p }, reason);
  }

  /** Check the opponent's replies to all moves. @type {(g: Claim, answers: string[]) => void} */
  #moves(g, answers) {
    const cells = cellsOf(g.p);
    const step = g.x % UNIT ? g.x & -g.x : UNIT;
    const inNumber = g.x > 0 || step < UNIT;
    need(answers.length === cells.length + g.star + Number(inNumber), "the answers do not match the moves");
    let [skipped, kept] = [0n, 0n];
    for (const [i, cell] of cells.entries()) {
      if (answers[i][0] === "<") {
        const best = this.board.cell(answers[i].slice(1));
        need(this.#isBetter(g, best, cell), "a move is left out for one that is not better");
        skipped |= bit(cell);
        kept |= bit(best);
      } else this.#answered(this.#played(g, cell, true), answers[i]);
    }
    need(!(skipped & kept), "a move is left out for one that is itself left out");
    if (g.star) this.#answered({ ...g, star: 0 }, answers[cells.length]);
    if (inNumber) this.#answered({ ...g, x: g.x - step }, answers[answers.length - 1]);
  }

  /** Check that the opponent wins with a given reply. @type {(g: Claim, answer: string) => void} */
  #answered(g, answer) {
    if (answer[0] === ">") this.#holds(g, answer.slice(1), 1);
    else if (answer[0] === "*" && g.star) this.#holds({ ...g, star: 0 }, answer.slice(1));
    else {
      const at = answer.indexOf("=");
      need(at > 0, "an answer is expected");
      const cell = this.board.cell(answer.slice(0, at));
      need(g.q & bit(cell), "an answer is not open");
      this.#holds(this.#played(g, cell, false), answer.slice(at + 1));
    }
  }

  // The game

  /** Return the cells closed to a player, given the cells next to each player's markers. @type {(own: bigint, other: bigint) => bigint} */
  #closed(own, other) {
    return (this.own ? own : 0n) | (this.other ? other : 0n);
  }

  /** @type {(g: Claim, cell: number, mine: boolean) => Claim} */
  #played(g, cell, mine) {
    const keeps = ~(this.own ? this.board.zone[cell] : bit(cell));
    const leaves = ~(this.other ? this.board.zone[cell] : bit(cell));
    return { ...g, p: g.p & (mine ? keeps : leaves), q: g.q & (mine ? leaves : keeps) };
  }

  /** Replace isolated cells with their values. @type {(g: Claim) => Claim} */
  #reduced(g) {
    const [p, q] = [this.board.touch(g.p), this.board.touch(g.q)];
    const alone = (g.p | g.q) & ~((g.p & this.#closed(p, q)) | (g.q & this.#closed(q, p)));
    if (!alone) return { ...g };
    const x = g.x + UNIT * (count(alone & g.p & ~g.q) - count(alone & g.q & ~g.p));
    return { p: g.p & ~alone, q: g.q & ~alone, x, star: g.star ^ (count(alone & g.p & g.q) & 1) };
  }

  /** @type {(g: Claim, best: number, cell: number) => boolean} */
  #isBetter(g, best, cell) {
    const { zone } = this.board;
    if (best === cell || !(g.p & bit(best))) return false;
    if (this.isCol) {
      if (!(g.q & bit(cell))) return !(zone[best] & g.p & ~zone[cell] & ~bit(best));
      return Boolean(g.q & zone[cell] & bit(best)) && !(zone[best] & (g.p | g.q) & ~zone[cell]);
    }
    return this.isSnort && !(zone[cell] & g.q & ~zone[best]);
  }

  // Reasons

  /** Check the reason why the player to move loses or, if `turn` is 1, why the opponent wins when moving first.
   *
   * @type {(whole: Claim, reason: string, turn?: number) => void}
   */
  #holds(whole, reason, turn = 0) {
    const g = this.#reduced(whole);
    if (reason[0] === "k") return this.#switches(g, this.board.list(reason.slice(1)), turn);
    if (reason[0] === "b") this.#cliques(g, reason.slice(1));
    else if (reason[0] === "/" || reason[0] === "o") this.#mirror(g, reason);
    else this.#sum(g, reason);
    need(g.x < 0 || (g.x === 0 && g.star === turn), "the bound is too weak");
  }

  /** @type {(g: Claim, reason: string) => void} */
  #sum(g, reason) {
    let [mine, theirs] = [0n, 0n];
    for (const word of reason === "." ? [] : reason.split("+")) {
      const { sets, said } = this.slots.refer(word, g.p | g.q, true);
      const [p, q] = sets;
      need(!((p | q) & (mine | theirs)), "two parts of a sum overlap");
      const [nearP, nearQ] = [this.board.touch(p), this.board.touch(q)];
      need(!(this.own && nearQ & theirs) && !(this.other && (nearQ & mine || nearP & theirs)), "two parts of a sum affect each other");
      mine |= p;
      theirs |= q;
      g.x -= said.x;
      g.star ^= said.star;
    }
    need(!(this.#withoutSpare(g.p, mine, theirs) & ~mine) && !(theirs & ~g.q), "the records referred to do not cover the position");
  }

  /** Return p without its spare cells (see docs/certificates.md). @type {(p: bigint, mine: bigint, theirs: bigint) => bigint} */
  #withoutSpare(p, mine, theirs) {
    const { zone } = this.board;
    let left = p;
    for (const cell of this.isCol ? cellsOf(p & ~mine & ~theirs) : []) {
      const rivals = cellsOf(left & zone[cell] & ~theirs & ~bit(cell));
      if (rivals.some((one) => !(zone[one] & left & ~zone[cell]))) left &= ~bit(cell);
    }
    return left;
  }

  /** @type {(g: Claim, reason: string) => void} */
  #mirror(g, reason) {
    const images = this.board.images(g.p, g.p | g.q, turnOf(reason[1] ?? ""));
    let image = 0n;
    for (const there of images.values()) image |= bit(there);
    need(!(image & ~g.q), "the image of an open cell is not open to the other player");
    const stray = cellsOf(g.p).filter((cell) => {
      const there = images.get(cell) ?? cell;
      return there === cell || (this.other && bit(there) & this.board.zone[cell]);
    });
    if (reason[0] === "/") {
      need(!stray.length && reason.length === 2, "the image of a move is no answer to it");
      return;
    }
    const waiting = this.board.cell(reason.slice(2));
    need(this.isCol && stray.length === 1 && waiting !== stray[0], "the centre rule does not apply");
    const around = this.board.zone[stray[0]];
    need(image & around & bit(waiting) && !(this.board.zone[waiting] & image & ~around), "the answer to the centre is not valid");
  }

  /** @type {(g: Claim, text: string) => void} */
  #cliques(g, text) {
    const lists = text.split(".");
    need(this.isCol && lists.length === 3, "the rule b does not apply");
    const { board } = this;
    let [kept, rest] = [0n, g.p];
    for (const cell of board.list(lists[2])) {
      need(g.q & ~kept & ~board.touch(kept) & bit(cell), "the cells kept are not open, or touch");
      kept |= bit(cell);
      if (!(g.p & bit(cell))) g.x -= UNIT;
    }
    for (const down of [0, 1])
      for (const cell of board.list(lists[down])) {
        let group = bit(cell);
        if (!down && (cell + 1) % board.cols) group |= group << 1n;
        if (down || board.king) group |= group << board.wide;
        group &= rest;
        rest &= ~group;
        if (count(group) === 1 && group & kept) g.star ^= 1;
        else if (group) g.x += group & kept ? UNIT / 2 : UNIT;
      }
    need(!rest, "the groups do not cover the open cells");
  }

  /** @type {(g: Claim, chosen: number[], first: number) => void} */
  #switches(g, chosen, first) {
    need(this.isSnort, "the rule k does not apply");
    let [used, turn, total] = [0n, first, g.x];
    const stakes = chosen.map((cell) => {
      const group = this.board.zone[cell] & g.p;
      need(g.q & bit(cell) && group && !(group & used), "the chosen cells are not open or close the same cell");
      used |= group;
      const rest = g.p & ~group;
      const freed = count(g.q & ~bit(cell) & this.board.touch(group) & ~this.board.touch(rest) & ~rest);
      return [count(group) - 1, freed];
    });
    total += UNIT * count(g.p & ~used);
    for (const [gain, loss] of stakes.sort((one, two) => two[0] + two[1] - one[0] - one[1])) {
      total += UNIT * (turn ? -loss : gain);
      turn = 1 - turn;
    }
    need(total < 0 || (total === 0 && turn === g.star), "the chosen cells are not enough");
  }
}

/** Read a number of moves, such as 2, -1/2 or 0*. @type {(text: string) => { x: number, star: number }} */
function readNumber(text) {
  const found = /^(-?)(\d+)(?:\/(\d+))?(\*?)$/.exec(text);
  need(found, "a number of moves is expected");
  const top = decimal(found[2], (1 << 26) - 1);
  const bottom = found[3] === undefined ? 1 : decimal(found[3], UNIT);
  need(found[3] === undefined || (bottom > 1 && !(bottom & (bottom - 1)) && top % 2), "a fraction is not in lowest terms");
  need(top < 1024 * bottom && !(found[1] && !top), "a number is too large, or minus zero");
  return { x: (found[1] ? -1 : 1) * top * (UNIT / bottom), star: found[4] ? 1 : 0 };
}
