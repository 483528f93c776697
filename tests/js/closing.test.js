// Tests that newly closed cells are detected.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Closing } from "../../src/gridlock/web/static/closing.js";

/** @type {(cells: string, legal: number[], mark: string) => any} */
const view = (cells, legal, mark) => ({ board: { cells, legal }, mark });

test("cells close that the same side could play at its last turn", () => {
  const closing = new Closing();
  assert.deepEqual(closing.next(view(".........", [0, 1, 2, 3, 4, 5, 6, 7, 8], "X")), new Set());
  assert.deepEqual(closing.next(view("X........", [2, 5, 6, 7, 8], "O")), new Set()); // O has not had a turn yet
  const third = view("X.......O", [1, 2, 3, 6], "X");
  assert.deepEqual(closing.next(third), new Set([4, 5, 7]));
  assert.deepEqual(closing.next(third), new Set([4, 5, 7]), "drawn again, it still closes them");
  assert.deepEqual(closing.next(view("XX......O", [5, 7], "O")), new Set([2, 6]));
});

test("nothing closes when moves are undone, skipped, or the game is over", () => {
  const closing = new Closing();
  closing.next(view(".........", [0, 1, 2], "X"));
  assert.deepEqual(closing.next(view("XOX......", [5], "X")), new Set(), "three moves later");
  assert.deepEqual(closing.next(view("X........", [1], "X")), new Set(), "earlier");
  assert.deepEqual(closing.next(view("XO.......", [], "X")), new Set(), "over");
});
