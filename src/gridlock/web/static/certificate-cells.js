// Sets of cells as written in certificates, for use by `certificate-placing.js` and `certificate-walking.js`.

/** @typedef {{ row: number, col: number, height: number, width: number }} Box height and width are 0 for a single cell */

export class Refused extends Error {}

/** @type {(so: unknown, why: string) => asserts so} */
export function need(so, why) {
  if (!so) throw new Refused(why);
}

/** @type {(text: string, most: number) => number} */
export function decimal(text, most) {
  need(/^(0|[1-9]\d{0,14})$/.test(text) && Number(text) <= most, `'${text.slice(0, 20)}' is not a number that fits here`);
  return Number(text);
}

/** Read a symmetry. @type {(letter: string) => number} */
export function turnOf(letter) {
  need(/^[a-h]$/.test(letter), "a turn is a letter from a to h");
  return letter.charCodeAt(0) - 97;
}

/** @type {(set: bigint) => number[]} */
export function cellsOf(set) {
  const found = [];
  for (let rest = set, first = 0; rest; rest >>= 32n, first += 32)
    for (let word = Number(rest & 0xffffffffn) | 0; word; word &= word - 1) found.push(first + 31 - Math.clz32(word & -word));
  return found;
}

/** @type {(set: bigint) => number} */
export function count(set) {
  let found = 0;
  for (let rest = set; rest; rest >>= 32n) for (let word = Number(rest & 0xffffffffn) | 0; word; word &= word - 1) found++;
  return found;
}

const BITS = Array.from({ length: 129 }, (_, cell) => 1n << BigInt(cell));

/** @param {number} cell */
export const bit = (cell) => BITS[cell];

/** The cells of a board. In a set, bit n represents cell n. */
export class Board {
  /**
   * @param {number} rows
   * @param {number} cols
   * @param {boolean} king
   */
  constructor(rows, cols, king) {
    this.rows = rows;
    this.cols = cols;
    this.size = rows * cols;
    this.king = king;
    need(this.size >= 1 && this.size <= 128, "a board has 1 to 128 cells");
    this.all = bit(this.size) - 1n;
    this.wide = BigInt(cols);
    const cells = Array.from({ length: this.size }, (_, cell) => cell);
    this.inner = cells.filter((cell) => cell % cols).reduce((set, cell) => set | bit(cell), 0n); // not in the first column
    this.zone = cells.map((cell) => this.touch(bit(cell)) | bit(cell));
  }

  /** Return the cells that have a neighbour in the set. @param {bigint} set */
  touch(set) {
    const sides = ((set << 1n) & this.inner) | ((set & this.inner) >> 1n);
    const tall = this.king ? set | sides : set;
    return (sides | (tall << this.wide) | (tall >> this.wide)) & this.all;
  }

  /** Return a set's bounding box, or the bounding box of cell 0 if the set is empty. @type {(set: bigint) => Box} */
  box(set) {
    let [row, col, bottom, right] = [this.rows, this.cols, 0, 0];
    for (const cell of set ? cellsOf(set) : [0]) {
      const [r, c] = [Math.floor(cell / this.cols), cell % this.cols];
      row = Math.min(row, r);
      col = Math.min(col, c);
      bottom = Math.max(bottom, r);
      right = Math.max(right, c);
    }
    return { row, col, height: bottom - row, width: right - col };
  }

  /** Rotate or flip a pattern, and move its bounding box to the given row and column. @type {(sets: bigint[], box: Box, turn: number, row: number, col: number) => bigint[]} */
  moved(sets, box, turn, row, col) {
    const [tall, wide] = turn & 4 ? [box.width, box.height] : [box.height, box.width];
    need(row + tall < this.rows && col + wide < this.cols, "a pattern leaves the board");
    const shift = BigInt((row - box.row) * this.cols + col - box.col);
    if (!turn) return sets.map((set) => (shift < 0n ? set >> -shift : set << shift));
    return sets.map((set) => cellsOf(set).reduce((found, cell) => found | bit(this.#turned(cell, box, turn, row, col)), 0n));
  }

  /** @type {(cell: number, box: Box, turn: number, row: number, col: number) => number} */
  #turned(cell, box, turn, row, col) {
    let r = Math.floor(cell / this.cols) - box.row;
    let c = (cell % this.cols) - box.col;
    if (turn & 1) r = box.height - r;
    if (turn & 2) c = box.width - c;
    return turn & 4 ? (row + c) * this.cols + col + r : (row + r) * this.cols + col + c;
  }

  /** Return the image of each cell of a set under a self-inverse symmetry.
   *
   * @type {(set: bigint, whole: bigint, turn: number) => Map<number, number>}
   */
  images(set, whole, turn) {
    const box = this.box(whole);
    need([1, 2, 3].includes(turn) || ([4, 7].includes(turn) && box.height === box.width), "the turn is not its own inverse");
    return new Map(cellsOf(set).map((cell) => [cell, this.#turned(cell, box, turn, box.row, box.col)]));
  }

  /** Read a set of cells. @type {(text: string) => bigint} */
  set(text) {
    need(/^(0|[1-9a-f][0-9a-f]{0,31})$/.test(text), "a set of cells is expected");
    const set = BigInt(`0x${text}`);
    need(!(set & ~this.all), "a cell is not on the board");
    return set;
  }

  /** Read a cell. @type {(text: string) => number} */
  cell(text) {
    return decimal(text, this.size - 1);
  }

  /** Read a set of one cell, or the empty set if the text is "-". @type {(text: string) => bigint} */
  head(text) {
    return text === "-" ? 0n : bit(this.cell(text));
  }

  /** Read a list of cells. @type {(text: string) => number[]} */
  list(text) {
    need(/^([0-9a-f]{2})*$/.test(text) && text.length < 8192, "a list of cells is expected");
    const cells = (text.match(/../g) ?? []).map((two) => Number.parseInt(two, 16));
    need(cells.every((cell) => cell < this.size), "a cell is not on the board");
    return cells;
  }
}

/** Numbered slots, each storing a proved claim about sets of cells.
 *
 * @template Said
 */
export class Slots {
  /** @type {({ sets: bigint[], box: Box, said: Said } | undefined)[]} */
  #slots = [];

  /**
   * @param {Board} board
   * @param {number} size
   */
  constructor(board, size) {
    this.board = board;
    this.size = size;
  }

  /** Remember a claim. @type {(slot: string, sets: bigint[], said: Said) => void} */
  keep(slot, sets, said) {
    const box = this.board.box(sets.reduce((whole, set) => whole | set, 0n));
    this.#slots[decimal(slot, this.size - 1)] = { sets, box, said };
  }

  /** Return the proved claim that `text` refers to, with its cells transformed (rotated or reflected, then moved) as `text` says. If
   * `text` does not specify a corner, use the top-left corner of the bounding box of `where`.
   *
   * @type {(text: string, where: bigint, anywhere: boolean) => { sets: bigint[], said: Said }}
   */
  refer(text, where, anywhere) {
    const found = /^(\d+)([a-h]?)(?:@(\d+))?$/.exec(text);
    need(found && (anywhere || found[3] === undefined), "a reference is expected");
    const slot = this.#slots[decimal(found[1], this.size - 1)];
    need(slot, "a slot is empty");
    let { row, col } = found[3] === undefined ? this.board.box(where) : { row: 0, col: 0 };
    if (found[3] !== undefined) {
      const corner = this.board.cell(found[3]);
      row = Math.floor(corner / this.board.cols);
      col = corner % this.board.cols;
    }
    return { sets: this.board.moved(slot.sets, slot.box, found[2] ? turnOf(found[2]) : 0, row, col), said: slot.said };
  }
}
