// QR codes for links, made in the browser so that no other service sees a seat's token.
// Codes follow ISO/IEC 18004: byte mode, medium error correction, and the smallest of versions 1 to 25 that fits.

import { s } from "./dom.js";

// For each version: the number of error correction codewords per block, and the number of blocks.
const CORRECTION = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28, 28, 28];
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21];
/** @type {((row: number, col: number) => number)[]} */
const MASKS = [
  (row, col) => (row + col) % 2,
  (row) => row % 2,
  (_row, col) => col % 3,
  (row, col) => (row + col) % 3,
  (row, col) => (Math.floor(row / 2) + Math.floor(col / 3)) % 2,
  (row, col) => ((row * col) % 2) + ((row * col) % 3),
  (row, col) => (((row * col) % 2) + ((row * col) % 3)) % 2,
  (row, col) => (((row + col) % 2) + ((row * col) % 3)) % 2,
];
const LIKE_A_FINDER = ["10111010000", "00001011101"];

/** Return the number of codewords in a version, including error correction.
 *
 * @param {number} version
 */
function wordsIn(version) {
  const align = version < 2 ? 0 : Math.floor(version / 7) + 2;
  const bits = (16 * version + 128) * version + 64 - (align ? (25 * align - 10) * align - 55 : 0) - (version < 7 ? 0 : 36);
  return Math.floor(bits / 8);
}

/** @param {number} version */
function room(version) {
  return wordsIn(version) - CORRECTION[version - 1] * BLOCKS[version - 1];
}

/** Return whether a string fits in a QR code.
 *
 * @param {string} text
 */
export function fitsCode(text) {
  return new TextEncoder().encode(text).length + 3 <= room(CORRECTION.length);
}

/** @type {(one: number, other: number) => number} */
function times(one, other) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    product ^= ((other >> bit) & 1) * one;
  }
  return product;
}

/** @param {number} degree */
function generator(degree) {
  const factors = [...Array(degree - 1).fill(0), 1];
  let root = 1;
  for (let turn = 0; turn < degree; turn += 1) {
    for (let index = 0; index < degree; index += 1) factors[index] = times(factors[index], root) ^ (factors[index + 1] ?? 0);
    root = times(root, 2);
  }
  return factors;
}

/** Return the error correction codewords: the remainder of a polynomial division.
 *
 * @type {(words: number[], divisor: number[]) => number[]}
 */
function correction(words, divisor) {
  let rest = divisor.map(() => 0);
  for (const word of words) {
    const factor = word ^ rest[0];
    rest = [...rest.slice(1), 0].map((one, index) => one ^ times(divisor[index], factor));
  }
  return rest;
}

/** @type {(bytes: Uint8Array, version: number) => number[]} */
function packed(bytes, version) {
  const bits = [[4, 4], [bytes.length, version < 10 ? 8 : 16], ...Array.from(bytes, (byte) => [byte, 8])]
    .map(([value, length]) => value.toString(2).padStart(length, "0"))
    .join("");
  const whole = bits.padEnd(Math.min(bits.length + 4, room(version) * 8), "0");
  const words = (whole.padEnd(Math.ceil(whole.length / 8) * 8, "0").match(/.{8}/g) ?? []).map((word) => Number.parseInt(word, 2));
  for (let pad = 0xec; words.length < room(version); pad ^= 0xec ^ 0x11) words.push(pad);
  return words;
}

/** Return the codewords in drawing order: one from each block in turn.
 *
 * @type {(bytes: Uint8Array, version: number) => number[]}
 */
function interleaved(bytes, version) {
  const [count, degree] = [BLOCKS[version - 1], CORRECTION[version - 1]];
  const words = packed(bytes, version);
  const short = Math.floor(words.length / count);
  const divisor = generator(degree);
  const blocks = [];
  for (let index = 0, at = 0; index < count; index += 1) {
    const length = short + (index < count - (words.length % count) ? 0 : 1);
    blocks.push(words.slice(at, at + length));
    at += length;
  }
  const corrections = blocks.map((block) => correction(block, divisor));
  const inTurn = (/** @type {number[][]} */ rows, /** @type {number} */ most) =>
    Array.from({ length: most }, (_, index) => rows.filter((row) => index < row.length).map((row) => row[index])).flat();
  return [...inTurn(blocks, short + 1), ...inTurn(corrections, degree)];
}

/** @typedef {{ size: number, dark: number[][], fixed: boolean[][] }} Matrix */

/** @type {(matrix: Matrix, row: number, col: number, dark: boolean | number) => void} */
function fix({ size, dark, fixed }, row, col, value) {
  if (Math.min(row, col) < 0 || Math.max(row, col) >= size) return;
  dark[row][col] = Number(value);
  fixed[row][col] = true;
}

/** @type {(matrix: Matrix, version: number) => void} */
function drawPatterns(matrix, version) {
  const { size } = matrix;
  for (let index = 0; index < size; index += 1) {
    fix(matrix, 6, index, index % 2 === 0);
    fix(matrix, index, 6, index % 2 === 0);
  }
  const square = (/** @type {number} */ row, /** @type {number} */ col, /** @type {number} */ reach) => {
    for (let down = -reach; down <= reach; down += 1) {
      for (let across = -reach; across <= reach; across += 1) {
        const ring = Math.max(Math.abs(down), Math.abs(across));
        fix(matrix, row + down, col + across, reach === 2 ? ring !== 1 : ring !== 2 && ring !== 4);
      }
    }
  };
  for (const [row, col] of [[3, 3], [3, size - 4], [size - 4, 3]]) square(row, col, 4);
  const count = version < 2 ? 0 : Math.floor(version / 7) + 2;
  const step = count && Math.floor((version * 8 + count * 3 + 5) / (count * 4 - 4)) * 2;
  const places = Array.from({ length: count }, (_, index) => (index ? size - 7 - (count - 1 - index) * step : 6));
  for (const row of places) {
    for (const col of places) {
      const isFinder = (row === 6 && (col === 6 || col === size - 7)) || (row === size - 7 && col === 6);
      if (!isFinder) square(row, col, 2);
    }
  }
  drawFormat(matrix, 0); // reserves the modules; the mask is not known yet
  if (version < 7) return;
  let rest = version;
  for (let turn = 0; turn < 12; turn += 1) rest = (rest << 1) ^ ((rest >> 11) * 0x1f25);
  const bits = (version << 12) | rest;
  for (let index = 0; index < 18; index += 1) {
    const [a, b] = [size - 11 + (index % 3), Math.floor(index / 3)];
    fix(matrix, b, a, (bits >> index) & 1);
    fix(matrix, a, b, (bits >> index) & 1);
  }
}

/** @type {(matrix: Matrix, mask: number) => void} */
function drawFormat(matrix, mask) {
  const { size } = matrix;
  let rest = mask; // medium error correction is 0
  for (let turn = 0; turn < 10; turn += 1) rest = (rest << 1) ^ ((rest >> 9) * 0x537);
  const bits = ((mask << 10) | rest) ^ 0x5412;
  const bit = (/** @type {number} */ index) => (bits >> index) & 1;
  for (let index = 0; index < 6; index += 1) fix(matrix, index, 8, bit(index));
  fix(matrix, 7, 8, bit(6));
  fix(matrix, 8, 8, bit(7));
  fix(matrix, 8, 7, bit(8));
  for (let index = 9; index < 15; index += 1) fix(matrix, 8, 14 - index, bit(index));
  for (let index = 0; index < 8; index += 1) fix(matrix, 8, size - 1 - index, bit(index));
  for (let index = 8; index < 15; index += 1) fix(matrix, size - 15 + index, 8, bit(index));
  fix(matrix, size - 8, 8, true);
}

/** @type {(matrix: Matrix, words: number[]) => void} */
function drawWords({ size, dark, fixed }, words) {
  let at = 0;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    for (let turn = 0; turn < size; turn += 1) {
      for (const col of [right, right - 1]) {
        const row = (right + 1) & 2 ? turn : size - 1 - turn;
        if (fixed[row][col] || at >= words.length * 8) continue;
        dark[row][col] = (words[at >> 3] >> (7 - (at & 7))) & 1;
        at += 1;
      }
    }
  }
}

/** Score a QR code by the four penalty rules of ISO/IEC 18004.
 *
 * @param {number[][]} dark
 */
function penalty(dark) {
  const size = dark.length;
  const lines = [...dark, ...dark.map((_, col) => dark.map((row) => row[col]))].map((line) => line.join(""));
  let cost = 0;
  for (const line of lines) {
    for (const run of line.match(/(.)\1{4,}/g) ?? []) cost += run.length - 2;
    for (let at = 0; at + 11 <= size; at += 1) if (LIKE_A_FINDER.includes(line.slice(at, at + 11))) cost += 40;
  }
  for (let row = 1; row < size; row += 1) {
    for (let col = 1; col < size; col += 1) {
      const sum = dark[row][col] + dark[row - 1][col] + dark[row][col - 1] + dark[row - 1][col - 1];
      if (sum % 4 === 0) cost += 3;
    }
  }
  const share = (dark.flat().reduce((one, other) => one + other) * 100) / (size * size);
  return cost + Math.floor(Math.abs(share - 50) / 5) * 10;
}

/** Return the modules of a QR code (1 for dark), using the mask in `masks` with the lowest penalty.
 *
 * @param {string} text
 * @param {number[]} masks
 */
export function codeFor(text, masks = MASKS.map((_, index) => index)) {
  const bytes = new TextEncoder().encode(text);
  const version = CORRECTION.findIndex((_, index) => bytes.length + (index < 9 ? 2 : 3) <= room(index + 1)) + 1;
  if (!version) throw new Error("That is too long for a QR code.");
  const size = version * 4 + 17;
  const grid = (/** @type {any} */ value) => Array.from({ length: size }, () => Array(size).fill(value));
  const plain = { size, dark: grid(0), fixed: grid(false) };
  drawPatterns(plain, version);
  drawWords(plain, interleaved(bytes, version));
  const codes = masks.map((mask) => {
    const dark = plain.dark.map((line, row) =>
      line.map((/** @type {number} */ one, /** @type {number} */ col) => (plain.fixed[row][col] || MASKS[mask](row, col) ? one : 1 - one)),
    );
    drawFormat({ ...plain, dark }, mask);
    return { dark, cost: penalty(dark) };
  });
  return codes.reduce((one, other) => (other.cost < one.cost ? other : one)).dark;
}

/** Draw a QR code: dark on light in every theme, with the margin that scanners need.
 *
 * @param {string} text
 * @param {string} label
 */
export function qrCode(text, label) {
  const dark = codeFor(text);
  const size = dark.length + 8;
  const d = dark.flatMap((line, row) => line.map((one, col) => (one ? `M${col + 4} ${row + 4}h1v1h-1z` : ""))).join("");
  return s(
    "svg",
    { viewBox: `0 0 ${size} ${size}`, class: "code", role: "img", "aria-label": label, "shape-rendering": "crispEdges" },
    s("path", { d: `M0 0h${size}v${size}h-${size}z`, fill: "#fff" }),
    s("path", { d, fill: "#000" }),
  );
}
