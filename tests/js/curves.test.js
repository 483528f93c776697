// Tests of how pairs of cells are drawn: distinguishable curves, capsules around adjacent cells, and mirror images.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { areBeside, curvesFor, middle } from "../../src/gridlock/web/static/curves.js";
import { classed, dice, installPage, seed } from "./page.js";

installPage();
const { isCrowded, Pairs } = await import("../../src/gridlock/web/static/pairs.js");
const { pairings } = JSON.parse(readFileSync(new URL("vectors.json", import.meta.url), "utf8"));
const far = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

for (const { board, rows, cols, pairs } of pairings) {
  test(`curves run neither along each other nor over other cells: ${board}`, () => {
    const apart = pairs.filter((pair) => !areBeside(pair, cols));
    const curves = curvesFor(apart, rows, cols);
    assert.ok(curves.length > 0);
    assert.deepEqual(curves.map(({ pair }) => pair.join()).sort(), apart.map((pair) => pair.join()).sort());
    for (const { pair, points, d } of curves) {
      const [from, to] = pair.map((cell) => middle(cell, cols));
      assert.ok(far(points[0], from) < 1e-9 && far(points.at(-1), to) < 1e-9);
      assert.ok(d.startsWith(`M${from.x} ${from.y}C`) && d.endsWith(` ${to.x} ${to.y}`));
      for (const point of points) {
        assert.ok(point.x >= 0 && point.y >= 0 && point.x <= cols * 60 && point.y <= rows * 60, "off the board");
        for (let cell = 0; cell < rows * cols; cell += 1) {
          if (!pair.includes(cell)) assert.ok(far(point, middle(cell, cols)) > 12, `${pair} runs over ${cell}`); // a curve is 4 wide
        }
      }
      for (const other of curves) {
        if (other.pair === pair) continue;
        const shared = points.filter((point) => other.points.some((one) => far(point, one) < 5)).length * 5;
        assert.ok(shared <= 20, `${pair} runs along ${other.pair} for ${shared}`); // of a cell's 60, so curves may cross but not overlap
      }
    }
  });
}

test("adjacent cells share a side, and do not wrap around the board", () => {
  assert.ok(areBeside([0, 1], 4) && areBeside([5, 1], 4));
  assert.ok(!areBeside([3, 4], 4) && !areBeside([0, 5], 4) && !areBeside([2, 2], 4) && !areBeside([0, 2], 4));
  assert.deepEqual(middle(7, 4), { x: 210, y: 90 });
});

test("every pair in any pairing gets a curve from cell to cell", () => {
  const roll = dice(seed());
  for (let round = 0; round < 20; round += 1) {
    const [rows, cols] = [2 + roll(6), 2 + roll(6)];
    const cells = Array.from({ length: rows * cols }, (_, cell) => cell);
    const pairs = [];
    while (cells.length > 1) pairs.push([...cells.splice(roll(cells.length), 1), ...cells.splice(roll(cells.length), 1)]);
    const apart = pairs.filter((pair) => !areBeside(pair, cols));
    const curves = curvesFor(apart, rows, cols);
    assert.equal(curves.length, apart.length);
    for (const { pair, points } of curves) {
      assert.ok(far(points[0], middle(pair[0], cols)) < 1e-9 && far(points.at(-1), middle(pair[1], cols)) < 1e-9);
    }
  }
});

/** Return a drawing of the given pairs and mirror images on a board. */
function shown(rows, cols, pairs, mirror = []) {
  const board = new Pairs();
  board.resize(rows, cols);
  board.take(pairs, mirror);
  board.draw();
  return board;
}

test("adjacent pairs share a capsule, others are joined by a curve, and both cells answer each other", () => {
  const board = shown(3, 3, [[0, 1], [2, 8]]);
  assert.equal(classed(board.links, "capsule").length, 1);
  assert.deepEqual(classed(board.links, "curve").map((one) => one.getAttribute("data-pair")), ["2,8"]);
  assert.equal(classed(board.links, "end").length, 2);
  assert.deepEqual([...board.answers].sort(), [[0, 1], [1, 0], [2, 8], [8, 2]]);
  board.take([], []);
  board.draw();
  assert.equal(board.links.getAttribute("hidden"), "");
  assert.equal(board.answers.size, 0);
});

test("on a crowded board, only the pairs near the pointer are drawn", () => {
  const cols = 12;
  const pairs = Array.from({ length: 72 }, (_, index) => [index, 143 - index]); // each with its image through the centre
  assert.ok(isCrowded(pairs, cols));
  assert.ok(!isCrowded(pairs.slice(0, 60), cols));
  const board = shown(12, cols, pairs);
  for (const cell of [0, 40, 110]) {
    board.point(cell);
    const curves = classed(board.links, "curve").map((one) => one.getAttribute("data-pair").split(",").map(Number));
    const near = (other) => Math.abs(Math.floor(other / cols) - Math.floor(cell / cols)) <= 2 && Math.abs((other % cols) - (cell % cols)) <= 2;
    const wanted = pairs.filter((pair) => pair.some(near));
    assert.deepEqual(curves.map(String).sort(), wanted.map(String).sort());
    assert.deepEqual(classed(board.links, "pointed").map((one) => one.getAttribute("data-pair")), [pairs.find((pair) => pair.includes(cell)).join()]);
  }
});

test("a mirror shows the image of the cell under the pointer", () => {
  const board = shown(5, 5, [], [[0, 24], [2, 22], [7, 17]]);
  const line = () => classed(board.images, "curve")[0].getAttribute("d");
  assert.equal(line(), "M30 30L270 270"); // initially, the first cell that has an image
  board.point(22);
  assert.equal(line(), "M150 270L150 30");
  assert.deepEqual(classed(board.images, "image").map((one) => [one.getAttribute("x"), one.getAttribute("y")]), [["124", "244"], ["124", "4"]]);
  board.point(12); // without an image
  assert.equal(line(), "M30 30L270 270");
});
