// Tests of the user's statistics for games against the computer.

import assert from "node:assert/strict";
import { test } from "node:test";
import { results } from "../../src/gridlock/web/static/results.js";

const game = (title, against, standing, over = true) => ({ game: "", token: "", title, against, standing, over });

test("games are counted by game and level, weaker levels first, and only finished ones against the computer", () => {
  const { levels, rows } = results([
    game("Trails", "against Computer, perfect", "you lost"),
    game("Trails", "against Computer, easy", "you won"),
    game("Trails", "against Computer, easy", "you won"),
    game("Trails", "against Computer, easy", "you lost"),
    game("Chain", "against Computer, robot", "you won"),
    game("Chain", "against Computer, easy", "your turn", false),
    game("Chain", "against Computer, easy", "no longer on this server"),
    game("Chain", "against Grace", "you won"),
    game("Chain", "on one screen", "Player 1 won"),
  ]);
  assert.deepEqual(levels, ["easy", "perfect", "robot"]);
  assert.deepEqual(rows.map(({ title, counts }) => [title, Object.fromEntries(counts)]), [
    ["Chain", { robot: { won: 1, lost: 0 } }],
    ["Trails", { perfect: { won: 0, lost: 1 }, easy: { won: 2, lost: 1 } }],
  ]);
  assert.deepEqual(results([]), { levels: [], rows: [] });
});
