// Tests of what the analysis board and the atlas show: the values of moves, positions as text, and patterns in tables.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { installPage } from "./page.js";

installPage();
const { drawValue, strengths } = await import("../../src/gridlock/web/static/values.js");
const { written } = await import("../../src/gridlock/web/static/editor.js");
const { isPositionLine } = await import("../../src/gridlock/web/static/notation.js");
const { durationWords, evidenceWords, miniMap, patternWords } = await import("../../src/gridlock/web/static/atlas-map.js");

const { side, tables } = JSON.parse(readFileSync(new URL("../../src/gridlock/web/operations/atlas.json", import.meta.url), "utf8"));
const values = (...all) => new Map(all.map(([verdict, distance], cell) => [cell, { verdict, distance }]));
const strong = (...all) => [...strengths(values(...all)).values()];

test("the quickest win is strongest, and losing moves beside it are quiet", () => {
  assert.deepEqual(strong(["win", 9], ["win", 3], ["win", 5], ["loss", 8], ["loss", 2]), [1, 4, 2, 2, 1]);
  assert.deepEqual(strong(["win", 7], ["win", 7]), [4, 4]);
});

test("if every move loses, the one that holds out longest is strongest, unless all are equal", () => {
  assert.deepEqual(strong(["loss", 2], ["loss", 8], ["loss", 4]), [1, 4, 2]);
  assert.deepEqual(strong(["loss", 8], ["loss", 8]), [2, 2]);
});

test("moves without a number are drawn, too, and an unknown move is only a dot", () => {
  assert.deepEqual(strong(["win", null], ["loss", null], ["unknown", null]), [3, 2, 1]);
  const [dot, ...more] = drawValue({ verdict: "unknown", distance: null });
  assert.equal(dot.getAttribute("class"), "unknown");
  assert.deepEqual(more, []);
});

test("a win and a loss differ in shape, not only in colour", () => {
  const shapes = ["win", "loss"].map((verdict) => drawValue({ verdict, distance: 4 }, 2)[0].children[0].getAttribute("d"));
  assert.notEqual(shapes[0], shapes[1]);
});

const board = { rows: 2, cols: 3, origin: 1, marks: ["X", "O"], adjacency: "king" };

test("a set-up board is written as one line", () => {
  const cells = [..."X..O.."];
  assert.equal(written({ game: "showdown" }, board, cells, "X", null), "showdown king X2/O2 X ? ? -");
  assert.equal(written({ game: "keepaway" }, board, cells, "X", 3), "keepaway king X2/O2 X ? 2,1 -");
  assert.equal(written({ game: "chain", swap: true }, board, [..."......"], "O", null), "chain king 3/3 O - - swap");
  const pawns = { ...board, marks: ["A", "B"], origin: 0 };
  assert.equal(written({ game: "trails" }, pawns, [..."aA...B"], "B", null), "trails king aA1/2B B ? ? -");
});

test("a pasted position is told from moves and records", () => {
  assert.ok(isPositionLine("showdown king 5/2X2/5/5/O4 X 3,3 5,1 -"));
  assert.ok(isPositionLine("showdown:king:5/2X2/5/5/O4:X:3,3:5,1:-"));
  for (const text of ["3,3 1,1", "3 3 / 1 1", '[GridLock "1"]', "{}", "king size"]) assert.ok(!isPositionLine(text), text);
});

test("the atlas says how long a search took", () => {
  assert.deepEqual([1, 99, 157, 5400, 7200].map(durationWords), ["1 s", "99 s", "3 min", "90 min", "2.0 h"]);
});

test("the atlas says the pattern of every table in a sentence that is true", () => {
  const said = Object.fromEntries(tables.map(({ game, adjacency, boards }) => [`${game} ${adjacency}`, patternWords(boards)]));
  const odd = "The first player wins if the number of cells is odd, the second if it is even";
  assert.deepEqual(said, {
    "keepaway king": `${odd}, except on 1x2, 2x2 and 2x3.`,
    "keepaway orthogonal": `${odd}, except on 1x2.`,
    "chain orthogonal": `${odd}.`,
    "chain king": `${odd}.`,
    "scatter king": "The second player wins on every board, as far as we know, except on 1x1.",
    "scatter orthogonal": "The second player wins on every board, as far as we know, except on 1x1.",
    "trails orthogonal": `${odd}.`,
    "trails king": `${odd}, as far as we know.`,
    "showdown king": "The first player wins on every board.",
    "showdown orthogonal": "The first player wins unless both dimensions are even.",
  });
  const random = [[1, 1], [3, 3], [5, 5], [7, 7], [2, 2], [4, 4], [6, 6], [8, 8]].map(([rows, cols], index) => ({ rows, cols, winner: index < 4 ? 2 : 1, evidence: "search" }));
  assert.equal(patternWords(random), "The first player wins on 4 boards, the second on 4.");
});

test("the atlas says how its results are known", () => {
  const counts = Object.entries({ theorem: 6, mirror: 46, search: 11, open: 3 });
  const boards = counts.flatMap(([evidence, count]) => Array(count).fill({ evidence, winner: evidence === "open" ? null : 2 }));
  assert.equal(evidenceWords(boards), "Of 66 boards, 6 by theorem, 46 by mirror strategy, 11 by search; 3 are unsolved.");
  assert.equal(evidenceWords(tables.find((one) => one.game === "showdown").boards), "All 66 boards are solved by a mirror strategy.");
});

test("a small map has every board, and its rotation", () => {
  for (const { boards } of tables) {
    const drawn = miniMap(boards, side).children.map((path) => path.getAttribute("d").split("M").length - 1);
    const count = (winner) => boards.filter((one) => one.winner === winner).reduce((sum, { rows, cols }) => sum + (rows === cols ? 1 : 2), 0);
    assert.deepEqual(drawn, [count(1), count(2), count(null)]);
  }
});

const { areaLegend, areasOf, drawArea } = await import("../../src/gridlock/web/static/regions.js");
const found = {
  verdict: "X is to move and wins.",
  regions: [
    { letter: "A", cells: [0, 1, 3], words: "A", heat: 3, best: 1, name: "", thermograph: "" },
    { letter: "B", cells: [2], words: "B", heat: null, best: null, name: "", thermograph: "" },
  ],
  closing: [],
  free: [[4], []],
};

test("a region is outlined where it ends, and a free move has an owner", () => {
  const areas = areasOf(found, board);
  assert.deepEqual([...areas].map(([cell, { letter, edges }]) => [cell, letter, edges]), [[0, "A", "nw"], [1, "A", "nes"], [3, "A", "esw"], [2, "B", "nesw"], [4, "", ""]]);
  assert.equal(areas.get(1).isBest, true);
  assert.equal(areas.get(4).free, "X");
  assert.equal(areasOf("busy", board).size + areasOf(null, board).size, 0);
});

test("every heat has its own pattern, not only its own colour", () => {
  const drawn = [0, 1, 2, 3].map((heat) => drawArea({ letter: "A", heat, edges: "", isBest: false, free: null }, ["X", "O"]));
  assert.equal(new Set(drawn.map((parts) => parts[1].getAttribute("d"))).size, 4);
  const unknown = drawArea({ letter: "A", heat: null, edges: "", isBest: false, free: null }, ["X", "O"]);
  assert.equal(unknown[0].getAttribute("class"), "area heat-unknown");
});

test("the legend has only what is on the board", () => {
  assert.deepEqual(areaLegend(found).map(([, words]) => words), ["hot: temperature above 3", "not worked out in time", "the region's best cell for the player to move"]);
  assert.deepEqual(areaLegend(null), []);
});
