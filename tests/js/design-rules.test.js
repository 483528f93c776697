// Tests that the design page offers exactly the rules that the server accepts (see vectors.json).

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { boardProblem, described, misfit, PICTURES, rulesOf, WAYS } from "../../src/gridlock/web/static/design-rules.js";

const { designs, boards, pictures } = JSON.parse(readFileSync(new URL("vectors.json", import.meta.url)));

/** Return the name that the page uses for the movement rule with the given properties, or undefined if the page does
 * not offer that rule. */
const wayOf = ({ follows, pawn }) => Object.keys(WAYS).find((way) => (WAYS[way].follows ?? null) === follows && Boolean(WAYS[way].pawn) === pawn);

test("the page offers exactly the rules that the server lets people play", () => {
  assert.equal(designs.length, 48);
  for (const design of designs) {
    const moves = wayOf(design);
    const isOffered = moves !== undefined && ["closes_own", "closes_other", "passes"].every((choice) => !design[choice] || !misfit(choice, moves));
    assert.equal(isOffered, design.playable, JSON.stringify(design));
    if (!moves) continue;
    const { closes_own, closes_other, passes } = design;
    const rules = rulesOf(described({ moves, closes_own, closes_other, passes }));
    if (isOffered) assert.deepEqual(rules, { moves, closes_own, closes_other, passes });
    for (const choice of ["closes_own", "passes"]) assert.ok(!rules[choice] || !misfit(choice, rules.moves)); // also from a link
  }
  for (const wrong of [{}, { shape: null }, { shape: 5 }, { shape: { follows: "near", pawn: "yes" } }, { shape: { pawn: true } }]) {
    assert.ok(WAYS[rulesOf(wrong).moves]);
  }
});

test("the page accepts exactly the boards that the server accepts, and says what to change", () => {
  for (const { rows, cols, pawn, accepted } of boards) {
    const words = boardProblem(rows, cols, pawn ? "leap" : "anywhere", 30);
    assert.equal(words === "", accepted, `${rows}x${cols}`);
  }
  assert.equal(boardProblem("0", "5", "anywhere", 30), "A board has 1 to 30 rows and 1 to 30 columns.");
  for (const wrong of ["", "2.5", "1e1", "five"]) assert.ok(boardProblem("5", wrong, "anywhere", 30));
});

test("the picture of every choice shows what the rules allow", () => {
  assert.equal(pictures.length, 14);
  for (const { adjacency, choice, picture } of pictures) assert.equal(PICTURES[adjacency][choice], picture, `${choice}, ${adjacency}`);
});
