// Checks a certificate line by line, by the rules in docs/certificates.md. Loaded only when somebody opens one.

/** @typedef {{ a: bigint, b: bigint, c: bigint, x: number, star: number }} Claim p, q, or free cells and two heads */

const UNIT = 65536;

class Refused extends Error {}

/** @type {(so: unknown, why: string) => asserts so} */
function need(so, why) {
  if (!so) throw new Refused(why);
}

/** @type {(text: string, most: number) => number} */
function decimal(text, most) {
  need(/^(0|[1-9]\d{0,14})$/.test(text) && Number(text) <= most, `'${text.slice(0, 20)}' is not a number that fits here`);
  return Number(text);
}

/** @param {bigint} set */
function count(set) {
  let n = 0;
  for (let rest = set; rest; rest &= rest - 1n) n++;
  return n;
}

/** @type {(set: bigint) => number[]} */
function cellsOf(set) {
  const found = [];
  const digits = set.toString(2);
  for (let i = digits.length - 1; i >= 0; i--) if (digits[i] === "1") found.push(digits.length - 1 - i);
  return found;
}

/** @param {number} cell */
const bit = (cell) => 1n << BigInt(cell);

export class Checker {
  records = 0;
  line = 0;
  result = "";
  /** @type {string[]} */
  head = [];
  /** @type {((words: string[]) => void)[]} */
  #steps = [(w) => this.#title(w), (w) => this.#board(w), (w) => this.#marker(w), (w) => this.#position(w), (w) => this.#slots(w)];

  /** Check one line, without its end. Throws an error with a sentence if it does not follow. @param {string} text */
  take(text) {
    this.line++;
    need(text.length < UNIT && !text.includes("\0"), "the line is too long");
    if (text.startsWith("#")) return;
    const words = text.split(" ");
    need(words.every(Boolean), "words are separated by single spaces");
    need(!this.result, "there is a line after the result");
    const step = this.#steps.shift();
    if (step) step(words);
    else if (words[0] === "loses" || words[0] === "wins") this.#end(words);
    else {
      this.#record(words);
      this.records++;
    }
  }

  /** Say that the file is at its end. */
  end() {
    this.line++;
    need(this.result, "the certificate ends before its result");
  }

  // The head

  /** @param {string[]} words */
  #title(words) {
    need(words.join(" ") === "gridlock certificate 1", "this is not a certificate");
  }

  /** @param {string[]} words */
  #board(words) {
    need(words.length === 4 && words[0] === "board" && ["king", "orthogonal"].includes(words[3]), "a board is expected");
    this.rows = decimal(words[1], 128);
    this.cols = decimal(words[2], 128);
    this.size = this.rows * this.cols;
    this.king = words[3] === "king";
    need(this.size >= 1 && this.size <= 128, "a board has 1 to 128 cells");
    this.all = bit(this.size) - 1n;
    this.wide = BigInt(this.cols);
    for (let cell = 0; cell < this.size; cell++) {
      if (cell % this.cols) this.inner |= bit(cell);
      if (this.#colour(cell)) this.dark |= bit(cell);
    }
    this.zone = Array.from({ length: this.size }, (_, cell) => this.#touch(bit(cell)) | bit(cell));
    this.head.push(`${this.rows}x${this.cols}`, words[3]);
  }

  rows = 0;
  cols = 0;
  size = 0;
  king = false;
  all = 0n;
  inner = 0n;
  dark = 0n;
  wide = 0n;
  /** @type {bigint[]} */
  zone = [];
  own = false;
  other = false;
  near = false;
  away = false;
  pawn = false;
  follows = false;
  mine = 0n;
  theirs = 0n;
  heads = [0n, 0n];
  /** @type {(Claim | undefined)[]} */
  slots = [];
  slotCount = 0;

  /** @param {number} cell */
  #colour(cell) {
    return (Math.floor(cell / this.cols) + (cell % this.cols)) % 2 === 1;
  }

  /** @param {string[]} words */
  #marker(words) {
    const said = words.slice(1);
    const [own, other, near, away, pawn] = ["own", "other", "near", "away", "pawn"].map((word) => said.includes(word));
    const known = ["own", "other", "near", "away", "pawn"].filter((word) => said.includes(word)).join(" ") || "none";
    this.own = own;
    this.other = other;
    this.near = near;
    this.away = away;
    this.pawn = pawn;
    this.follows = near || away;
    need(words[0] === "marker" && said.join(" ") === known, "a marker is expected");
    need(!(near && away) && !(this.follows && (own || other)) && !(pawn && !near), "there are no rules for such a marker");
    this.head.push(known);
  }

  /** @param {string[]} words */
  #position(words) {
    need(words.length === 5 && words[0] === "position", "a position is expected");
    this.mine = this.#set(words[1]);
    this.theirs = this.#set(words[2]);
    this.heads = [this.#head(words[3]), this.#head(words[4])];
    need(!(this.mine & this.theirs), "a cell has two markers");
    if (this.follows) need(!(this.heads[0] & ~this.mine) && !(this.heads[1] & ~this.theirs), "a head is not on a marker");
    need(!this.pawn || (this.heads[0] && this.heads[1]), "a pawn is missing");
  }

  /** @param {string[]} words */
  #slots(words) {
    need(words.length === 2 && words[0] === "slots", "a number of slots is expected");
    this.slotCount = decimal(words[1], 1 << 26);
  }

  // Sets of cells

  /** @type {(text: string) => bigint} */
  #set(text) {
    need(/^(0|[1-9a-f][0-9a-f]{0,31})$/.test(text), "a set of cells is expected");
    const set = BigInt(`0x${text}`);
    need(!(set & ~this.all), "a cell is not on the board");
    return set;
  }

  /** @type {(text: string) => bigint} */
  #head(text) {
    return text === "-" ? 0n : bit(this.#cell(text));
  }

  /** @type {(text: string) => number} */
  #cell(text) {
    return decimal(text, this.size - 1);
  }

  /** @type {(text: string) => number[]} */
  #list(text) {
    need(/^([0-9a-f]{2})*$/.test(text) && text.length < 8192, "a list of cells is expected");
    const cells = (text.match(/../g) ?? []).map((two) => Number.parseInt(two, 16));
    need(cells.every((cell) => cell < this.size), "a cell is not on the board");
    return cells;
  }

  /** @param {bigint} set */
  #touch(set) {
    const sides = ((set << 1n) & this.inner) | ((set & this.inner) >> 1n);
    const tall = this.king ? set | sides : set;
    return (sides | (tall << this.wide) | (tall >> this.wide)) & this.all;
  }

  /** @param {number} cell */
  #reach(cell) {
    if (this.near) return this.zone[cell] & ~bit(cell);
    return this.all & ~(this.away ? this.zone[cell] : bit(cell));
  }

  /** @param {bigint} set */
  #box(set) {
    const cells = set ? cellsOf(set) : [0];
    const rows = cells.map((cell) => Math.floor(cell / this.cols));
    const cols = cells.map((cell) => cell % this.cols);
    const [row, col] = [Math.min(...rows), Math.min(...cols)];
    return { row, col, height: Math.max(...rows) - row, width: Math.max(...cols) - col };
  }

  /** @type {(set: bigint, box: { row: number, col: number, height: number, width: number }, turn: number, row: number, col: number) => bigint} */
  #moved(set, box, turn, row, col) {
    const [tall, wide] = turn & 4 ? [box.width, box.height] : [box.height, box.width];
    need(row + tall < this.rows && col + wide < this.cols, "a pattern leaves the board");
    let found = 0n;
    for (const cell of cellsOf(set)) {
      let r = Math.floor(cell / this.cols) - box.row;
      let c = (cell % this.cols) - box.col;
      if (turn & 1) r = box.height - r;
      if (turn & 2) c = box.width - c;
      found |= bit(turn & 4 ? (row + c) * this.cols + col + r : (row + r) * this.cols + col + c);
    }
    return found;
  }

  /** @type {(set: bigint, whole: bigint, turn: number) => bigint} */
  #mirrored(set, whole, turn) {
    const box = this.#box(whole);
    need([1, 2, 3].includes(turn) || ([4, 7].includes(turn) && box.height === box.width), "the turn is not its own inverse");
    return this.#moved(set, box, turn, box.row, box.col);
  }

  /** @type {(letter: string) => number} */
  #turn(letter) {
    need(/^[a-h]$/.test(letter), "a turn is a letter from a to h");
    return letter.charCodeAt(0) - 97;
  }

  /** Return the claim of a record, moved and turned. @type {(text: string, where: bigint, anywhere: boolean) => Claim} */
  #refer(text, where, anywhere) {
    const found = /^(\d+)([a-h]?)(?:@(\d+))?$/.exec(text);
    need(found && (anywhere || found[3] === undefined), "a reference is expected");
    const slot = this.slots[decimal(found[1], this.slotCount - 1)];
    need(slot, "a slot is empty");
    const turn = found[2] ? this.#turn(found[2]) : 0;
    let { row, col } = this.#box(where);
    if (found[3] !== undefined) {
      const corner = this.#cell(found[3]);
      row = Math.floor(corner / this.cols);
      col = corner % this.cols;
    }
    const box = this.#box(slot.a | slot.b | slot.c);
    const [a, b, c] = [slot.a, slot.b, slot.c].map((set) => this.#moved(set, box, turn, row, col));
    return { ...slot, a, b, c };
  }

  // Games in which a marker may go on any open cell

  /** @type {(text: string) => [number, number]} */
  #number(text) {
    const found = /^(-?)(\d+)(?:\/(\d+))?(\*?)$/.exec(text);
    need(found, "a number of moves is expected");
    const top = decimal(found[2], (1 << 26) - 1);
    const bottom = found[3] === undefined ? 1 : decimal(found[3], UNIT);
    need(found[3] === undefined || (bottom > 1 && !(bottom & (bottom - 1)) && top % 2), "a fraction is not in lowest terms");
    need(top < 1024 * bottom && !(found[1] && !top), "a number is too large, or minus zero");
    return [(found[1] ? -1 : 1) * top * (UNIT / bottom), found[4] ? 1 : 0];
  }

  /** @type {(g: Claim, cell: number, mine: boolean) => Claim} */
  #played(g, cell, mine) {
    const keeps = ~(this.own ? this.zone[cell] : bit(cell));
    const leaves = ~(this.other ? this.zone[cell] : bit(cell));
    return { ...g, a: g.a & (mine ? keeps : leaves), b: g.b & (mine ? leaves : keeps) };
  }

  /** @type {(g: Claim) => Claim} */
  #reduced(g) {
    const [p, q] = [this.#touch(g.a), this.#touch(g.b)];
    const hit = (g.a & ((this.own ? p : 0n) | (this.other ? q : 0n))) | (g.b & ((this.own ? q : 0n) | (this.other ? p : 0n)));
    const alone = (g.a | g.b) & ~hit;
    const x = g.x + UNIT * (count(alone & g.a & ~g.b) - count(alone & g.b & ~g.a));
    return { a: g.a & ~alone, b: g.b & ~alone, c: 0n, x, star: g.star ^ (count(alone & g.a & g.b) & 1) };
  }

  /** @type {(g: Claim, best: number, cell: number) => boolean} */
  #better(g, best, cell) {
    const { zone } = this;
    if (best === cell || !(g.a & bit(best))) return false;
    if (this.own && !this.other) {
      if (!(g.b & bit(cell))) return !(zone[best] & g.a & ~zone[cell] & ~bit(best));
      return Boolean(g.b & zone[cell] & bit(best)) && !(zone[best] & (g.a | g.b) & ~zone[cell]);
    }
    return this.other && !this.own && !(zone[cell] & g.b & ~zone[best]);
  }

  /** @type {(whole: Claim, reason: string, turn?: number) => void} */
  #placed(whole, reason, turn = 0) {
    const g = this.#reduced(whole);
    if (reason[0] === "k") {
      this.#switches(g, this.#list(reason.slice(1)), turn);
      return;
    }
    if (reason[0] === "b") this.#cliques(g, reason.slice(1));
    else if (reason[0] === "/" || reason[0] === "o") this.#mirror(g, reason);
    else this.#sum(g, reason);
    need(g.x < 0 || (g.x === 0 && g.star === turn), "the bound is too weak");
  }

  /** @type {(g: Claim, reason: string) => void} */
  #sum(g, reason) {
    let [mine, theirs] = [0n, 0n];
    for (const word of reason === "." ? [] : reason.split("+")) {
      const part = this.#refer(word, g.a | g.b, true);
      need(!((part.a | part.b) & (mine | theirs)), "two parts of a sum overlap");
      const [p, q] = [this.#touch(part.a), this.#touch(part.b)];
      need(!(this.own && q & theirs) && !(this.other && (q & mine || p & theirs)), "two parts of a sum affect each other");
      mine |= part.a;
      theirs |= part.b;
      g.x -= part.x;
      g.star ^= part.star;
    }
    need(!(g.a & ~mine) && !(theirs & ~g.b), "the records referred to do not cover the position");
  }

  /** @type {(g: Claim, reason: string) => void} */
  #mirror(g, reason) {
    const turn = this.#turn(reason[1] ?? "");
    const image = this.#mirrored(g.a, g.a | g.b, turn);
    need(!(image & ~g.b), "the image of an open cell is not open to the other player");
    const stray = cellsOf(g.a).filter((cell) => {
      const there = this.#mirrored(bit(cell), g.a | g.b, turn);
      return there === bit(cell) || (this.other && there & this.zone[cell]);
    });
    if (reason[0] === "/") {
      need(!stray.length && reason.length === 2, "the image of a move is no answer to it");
      return;
    }
    const waiting = this.#cell(reason.slice(2));
    need(this.own && !this.other && stray.length === 1 && waiting !== stray[0], "the centre rule does not apply");
    const around = this.zone[stray[0]];
    need(image & around & bit(waiting) && !(this.zone[waiting] & image & ~around), "the answer to the centre is none");
  }

  /** @type {(g: Claim, text: string) => void} */
  #cliques(g, text) {
    const lists = text.split(".");
    need(this.own && !this.other && lists.length === 3, "the rule b does not apply");
    let [kept, rest] = [0n, g.a];
    for (const cell of this.#list(lists[2])) {
      need(g.b & ~kept & ~this.#touch(kept) & bit(cell), "the cells kept are not open, or touch");
      kept |= bit(cell);
      if (!(g.a & bit(cell))) g.x -= UNIT;
    }
    for (const down of [0, 1])
      for (const cell of this.#list(lists[down])) {
        let group = bit(cell);
        if (!down && (cell + 1) % this.cols) group |= group << 1n;
        if (down || this.king) group |= group << this.wide;
        group &= rest;
        rest &= ~group;
        if (count(group) === 1 && group & kept) g.star ^= 1;
        else if (group) g.x += group & kept ? UNIT / 2 : UNIT;
      }
    need(!rest, "the groups do not cover the open cells");
  }

  /** @type {(g: Claim, chosen: number[], first: number) => void} */
  #switches(g, chosen, first) {
    need(this.other && !this.own, "the rule k does not apply");
    let [used, turn, total] = [0n, first, g.x];
    const stakes = chosen.map((cell) => {
      const group = this.zone[cell] & g.a;
      need(g.b & bit(cell) && group && !(group & used), "the chosen cells are not open or close the same cell");
      used |= group;
      const rest = g.a & ~group;
      const freed = count(g.b & ~bit(cell) & this.#touch(group) & ~this.#touch(rest) & ~rest);
      return [count(group) - 1, freed];
    });
    total += UNIT * count(g.a & ~used);
    for (const [gain, loss] of stakes.sort((one, two) => two[0] + two[1] - one[0] - one[1])) {
      total += UNIT * (turn ? -loss : gain);
      turn = 1 - turn;
    }
    need(total < 0 || (total === 0 && turn === g.star), "the chosen cells are not enough");
  }

  /** The other player is to move, and wins. @type {(g: Claim, answer: string) => void} */
  #answered(g, answer) {
    if (answer[0] === ">") this.#placed(g, answer.slice(1), 1);
    else if (answer[0] === "*" && g.star) this.#placed({ ...g, star: 0 }, answer.slice(1));
    else {
      const at = answer.indexOf("=");
      need(at > 0, "an answer is expected");
      const cell = this.#cell(answer.slice(0, at));
      need(g.b & bit(cell), "an answer is not open");
      this.#placed(this.#played(g, cell, false), answer.slice(at + 1));
    }
  }

  // Games in which a move follows a marker

  /** @param {Claim} g */
  #moves(g) {
    return g.a & (g.b ? this.#reach(cellsOf(g.b)[0]) : this.all);
  }

  /** @type {(g: Claim, cell: number) => Claim} */
  #stepped(g, cell) {
    const [b, c] = this.pawn ? [g.c, bit(cell)] : [bit(cell), 0n];
    return { a: g.a & ~bit(cell), b, c, x: 0, star: 0 };
  }

  /** @type {(g: Claim) => Claim} */
  #reached(g) {
    if (!this.pawn) return g;
    let seen = 0n;
    for (let more = this.#touch(g.b | g.c) & g.a; more; more = this.#touch(more) & g.a & ~seen) seen |= more;
    return { ...g, a: seen };
  }

  /** @type {(block: bigint, start: number, end: number) => number} */
  #through(block, start, end) {
    const total = count(block);
    const same = count(block & (this.#colour(start) ? this.dark : ~this.dark & this.all));
    const rest = total - same;
    if (this.king) return total - 1;
    if (end < 0) return Math.min(2 * same - 1, 2 * rest);
    return this.#colour(start) === this.#colour(end) ? 2 * Math.min(same - 1, rest) : 2 * Math.min(same, rest) - 1;
  }

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
      for (const next of cellsOf(this.zone[cell] & (room | at) & ~bit(cell))) {
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

  /** @type {(room: bigint, at: bigint, most: number, reason: string) => void} */
  #bounded(room, at, most, reason) {
    const g = this.#reached({ a: room, b: at, c: 0n, x: 0, star: 0 });
    if (reason === ".") need(this.#most(g.a, at) <= most, "a path may be too long");
    else {
      const same = this.#refer(reason, g.a | at, false);
      need(same.x && same.x - 1 <= most && same.a === g.a && same.b === at, "a record is about another path");
    }
  }

  /** @type {(whole: Claim, reason: string) => void} */
  #walked(whole, reason) {
    const g = this.#reached(whole);
    const every = g.a | g.b | g.c;
    if (reason[0] === "/" && this.pawn) {
      const turn = this.#turn(reason.slice(1));
      need(this.#mirrored(g.b, every, turn) === g.c && this.#mirrored(g.a, every, turn) === g.a, "it is not its own image");
      for (const cell of cellsOf(g.a)) need(this.#mirrored(bit(cell), every, turn) !== bit(cell), "an image is no answer");
    } else if (reason[0] === "w" && this.pawn) {
      const colon = reason.indexOf(":");
      const walk = this.#list(reason.slice(1, colon < 0 ? undefined : colon));
      let [open, haunt, at] = [g.a, g.b, g.c];
      for (const cell of walk) {
        haunt |= this.#touch(haunt) & open;
        need(this.#touch(at) & open & ~haunt & bit(cell), "the walk cannot be sure of a cell");
        at = bit(cell);
        open &= ~at;
      }
      for (let grown = 0n; grown !== haunt; ) {
        grown = haunt;
        haunt |= this.#touch(haunt) & open;
      }
      this.#bounded(haunt & ~g.b, g.b, walk.length, colon < 0 ? "." : reason.slice(colon + 1));
    } else if (reason[0] === "p" && !this.pawn) this.#pairs(g, this.#list(reason.slice(1)));
    else {
      const same = this.#refer(reason, every, false);
      need(!same.x && same.a === g.a && same.b === g.b && same.c === g.c, "a record is about another position");
    }
  }

  /** @type {(g: Claim, cells: number[]) => void} */
  #pairs(g, cells) {
    need(cells.length % 2 === 0, "a cell has no partner");
    /** @type {Map<number, number>} */
    const partner = new Map();
    for (let i = 0; i < cells.length; i += 2) {
      const [one, two] = [cells[i], cells[i + 1]];
      const free = one !== two && g.a & bit(one) && g.a & bit(two) && !partner.has(one) && !partner.has(two);
      need(free && this.#reach(one) & bit(two), "two cells are not a pair");
      partner.set(one, two).set(two, one);
    }
    let seen = 0n;
    for (let todo = this.#moves(g); todo; todo &= ~seen) {
      const cell = cellsOf(todo)[0];
      const answer = partner.get(cell);
      need(answer !== undefined, "a cell has no partner");
      seen |= bit(cell);
      todo |= this.#reach(answer) & g.a;
    }
  }

  // Records

  /** @type {(g: Claim, reason: string) => void} */
  #holds(g, reason) {
    if (!this.follows) this.#placed(g, reason);
    else if (g.x) this.#bounded(g.a, g.b, g.x - 1, reason);
    else this.#walked(g, reason);
  }

  /** @param {string[]} words */
  #record(words) {
    need(words.length >= 5, "a record is too short");
    const slot = decimal(words[0], this.slotCount - 1);
    /** @type {Claim} */
    const g = { a: this.#set(words[1]), b: 0n, c: 0n, x: 0, star: 0 };
    if (this.follows) {
      g.b = this.#head(words[2]);
      if (this.pawn && words[3][0] === "=") g.x = decimal(words[3].slice(1), this.size) + 1;
      else g.c = this.#head(words[3]);
      const heads = this.pawn === Boolean(g.c || g.x) && g.b !== g.c;
      need(heads && !((g.b | g.c) & g.a), "the heads do not fit this game");
    } else {
      g.b = this.#set(words[2]);
      [g.x, g.star] = this.#number(words[3]);
    }
    if (words[4] === "m") this.#movesOf(g, words.slice(5));
    else if (words[4] === "t" && !this.follows) {
      need(this.own && !this.other && g.star && words.length === 6, "the rule t does not apply");
      this.#answered({ ...g, star: 0 }, words[5]);
    } else {
      need(words.length === 5, "this reason takes one word");
      this.#holds(g, words[4]);
    }
    this.slots[slot] = this.follows ? this.#reached(g) : g;
  }

  /** @type {(g: Claim, answers: string[]) => void} */
  #movesOf(g, answers) {
    const cells = cellsOf(this.follows ? this.#moves(g) : g.a);
    const step = g.x % UNIT ? g.x & -g.x : UNIT;
    const inNumber = !this.follows && (g.x > 0 || step < UNIT);
    need(answers.length === cells.length + (this.follows ? 0 : g.star + Number(inNumber)), "the answers do not match the moves");
    let [skipped, kept] = [0n, 0n];
    for (const [i, cell] of cells.entries()) {
      const answer = answers[i];
      if (this.follows && g.x) this.#bounded(g.a & ~bit(cell), bit(cell), g.x - 2, answer);
      else if (this.follows) {
        const [reply, then, at] = [answer.split("=", 1)[0], this.#stepped(g, cell), answer.indexOf("=")];
        need(at > 0 && this.#moves(then) & bit(this.#cell(reply)), "an answer is not a move");
        this.#walked(this.#stepped(then, this.#cell(reply)), answer.slice(at + 1));
      } else if (answer[0] === "<") {
        const best = this.#cell(answer.slice(1));
        need(this.#better(g, best, cell), "a move is left out for one that is not better");
        skipped |= bit(cell);
        kept |= bit(best);
      } else this.#answered(this.#played(g, cell, true), answer);
    }
    need(!(skipped & kept), "a move is left out for one that is itself left out");
    if (this.follows) return;
    if (g.star) this.#answered({ ...g, star: 0 }, answers[cells.length]);
    if (inNumber) this.#answered({ ...g, x: g.x - step }, answers[answers.length - 1]);
  }

  /** @param {string[]} words */
  #end(words) {
    const wins = words[0] === "wins";
    need(words.length === (wins ? 3 : 2), "the result needs a reason");
    const empty = this.all & ~(this.mine | this.theirs);
    /** @type {Claim} */
    let g = { a: empty, b: this.pawn ? this.heads[0] : this.heads[1], c: this.pawn ? this.heads[1] : 0n, x: 0, star: 0 };
    if (!this.follows) {
      const [p, q] = [this.#touch(this.mine), this.#touch(this.theirs)];
      g.a = empty & ~((this.own ? p : 0n) | (this.other ? q : 0n));
      g.b = empty & ~((this.own ? q : 0n) | (this.other ? p : 0n));
      g.c = 0n;
    }
    if (wins) {
      const cell = this.#cell(words[1]);
      need((this.follows ? this.#moves(g) : g.a) & bit(cell), "the winning move is not legal");
      if (this.follows) g = this.#stepped(g, cell);
      else {
        const after = this.#played(g, cell, true);
        g = { ...after, a: after.b, b: after.a };
      }
    }
    this.#holds(g, words[words.length - 1]);
    this.result = words[0];
  }
}

/** Check a whole certificate, in steps, so that the page stays alive; return a sentence. @type {(file: Blob) => Promise<string>} */
export async function checkFile(file) {
  const checker = new Checker();
  try {
    const decoder = new TextDecoder("latin1");
    let rest = "";
    const reader = file.stream().getReader();
    for (;;) {
      const { done, value } = await reader.read();
      const lines = (rest + (value ? decoder.decode(value, { stream: true }) : "")).split("\n");
      rest = lines.pop() ?? "";
      for (const [i, line] of lines.entries()) {
        checker.take(line);
        if (i % 200 === 199) await new Promise((resume) => setTimeout(resume));
      }
      if (rest.length >= UNIT || (done && rest)) {
        checker.line += 1; // which is not complete, so the checker has not seen it
        throw new Refused("the line is cut off or too long");
      }
      if (done) break;
    }
    checker.end();
  } catch (why) {
    if (!(why instanceof Refused)) throw why;
    return `Not valid. Line ${Math.max(1, checker.line)}: ${why.message}.`;
  }
  const [board, adjacency] = checker.head;
  const records = `${checker.records.toLocaleString("en")} record${checker.records === 1 ? "" : "s"}`;
  return `Every step follows: the player to move ${checker.result} on ${board} (${adjacency}). ${records} checked.`;
}
