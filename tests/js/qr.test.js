// Check that QR codes match those of segno, square by square (vectors.py writes the expected codes).

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { codeFor, fitsCode } from "../../src/gridlock/web/static/qr.js";

const { codes } = JSON.parse(readFileSync(new URL("vectors.json", import.meta.url), "utf8"));

for (const { text, mask, size, rows } of codes) {
  test(`a code of ${size} modules, mask ${mask}`, () => {
    const drawn = codeFor(text, [mask]);
    const wanted = rows.map((row) => BigInt(`0x${row}`).toString(2).padStart(size, "0"));
    assert.deepEqual(drawn.map((row) => row.join("")), wanted);
  });
}

/** Read the bytes of a QR code (ISO/IEC 18004) of version 1, 2 or 3, with mask 0 and a single data block. */
function bytesOf(dark) {
  const size = dark.length;
  const isFixed = (row, col) =>
    row === 6 || col === 6 || (row < 9 && (col < 9 || col >= size - 8)) || (col < 9 && row >= size - 8) ||
    (size > 21 && Math.abs(row - size + 7) <= 2 && Math.abs(col - size + 7) <= 2);
  let bits = "";
  for (let right = size - 1, isUp = true; right > 0; right -= 2, isUp = !isUp) {
    if (right === 6) right -= 1; // the column of the timing pattern
    for (let turn = 0; turn < size; turn += 1) {
      const row = isUp ? size - 1 - turn : turn;
      for (const col of [right, right - 1]) if (!isFixed(row, col)) bits += dark[row][col] ^ Number((row + col) % 2 === 0);
    }
  }
  return bits.match(/.{8}/g).map((byte) => Number.parseInt(byte, 2));
}

test("a code with free space is padded as the standard requires", () => {
  for (const [text, room] of [["", 16], ["x", 16], ["gridlock", 16], ["héé 孤独", 16], ["x".repeat(20), 28], ["x".repeat(41), 44]]) {
    const bytes = [...new TextEncoder().encode(text)];
    const read = bytesOf(codeFor(text, [0])).slice(0, room).map((byte) => byte.toString(16).padStart(2, "0")).join("");
    const hex = (/** @type {number} */ byte) => byte.toString(16).padStart(2, "0");
    const wanted = `4${hex(bytes.length)}${bytes.map(hex).join("")}0`; // byte mode, the length, the bytes, and the terminator
    assert.equal(read, wanted + "ec11".repeat(room).slice(0, 2 * room - wanted.length), text);
  }
});

test("one of the eight masks is chosen if none is given", () => {
  const text = "http://localhost:8000/play#abc";
  const all = Array.from({ length: 8 }, (_, mask) => String(codeFor(text, [mask])));
  assert.equal(new Set(all).size, 8);
  assert.ok(all.includes(String(codeFor(text))));
});

test("a string is encoded up to the maximum length, and no further", () => {
  for (const length of [0, 1, 14, 15, 996, 997]) {
    assert.ok(fitsCode("x".repeat(length)));
    assert.equal(codeFor("x".repeat(length)).length % 4, 1);
  }
  assert.equal(codeFor("x".repeat(14)).length, 21);
  assert.equal(codeFor("x".repeat(15)).length, 25);
  for (const text of ["x".repeat(998), "é".repeat(499)]) {
    assert.ok(!fitsCode(text));
    assert.throws(() => codeFor(text), { message: "That is too long for a QR code." });
  }
});
