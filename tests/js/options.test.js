// Tests of how the start page describes the player's choices.

import assert from "node:assert/strict";
import { test } from "node:test";
import { cost, howToStart, playsFirst, summary } from "../../src/gridlock/web/static/options.js";

const USUAL = { opponent: "computer", rows: "5", cols: "6", adjacency: "king", starts: "1", clock: null, swap: false, name: "" };

test("the summary names the board, and every choice that is not the usual one", () => {
  assert.equal(summary(USUAL), "5 × 6 · diagonals count");
  const all = { ...USUAL, adjacency: "orthogonal", starts: "2", clock: { seconds: 180, increment: 2 }, swap: true, name: "Ada" };
  assert.equal(summary(all), "5 × 6 · no diagonals · swap rule · 3 + 2 clock · the computer starts · as Ada");
  assert.match(summary({ ...all, opponent: "screen" }), / · Player 2 starts · /);
  assert.match(summary({ ...all, opponent: "link" }), / · your friend starts · /);
  assert.match(summary({ ...all, opponent: "levels" }), / · second level starts · /);
  assert.match(summary({ ...all, starts: "random" }), / · random start · /);
});

test("only a player who sits here and is known to start plays the first move on the start page", () => {
  const open = (opponent) => ["1", "2", "random"].filter((starts) => playsFirst(opponent, starts));
  assert.deepEqual(["computer", "screen", "link", "levels"].map(open), [["1"], ["1", "2"], ["1"], []]);
});

test("the words below the board invite a move exactly when it can be made", () => {
  for (const opponent of ["computer", "screen", "link", "levels"]) {
    for (const starts of ["1", "2", "random"]) {
      assert.equal(howToStart(opponent, starts).startsWith("Pick a cell"), playsFirst(opponent, starts), `${opponent} ${starts}`);
    }
  }
  assert.equal(howToStart("link", "2"), "Your friend plays first. Start the game.");
});

test("only a large board has a cost, and only if the computer plays", () => {
  assert.equal(cost("computer", "8", "8"), "");
  assert.match(cost("computer", "8", "9"), /about 2 seconds per move/);
  assert.match(cost("levels", "30", "30"), /about 2 seconds per move/);
  assert.equal(cost("screen", "30", "30"), "");
});
