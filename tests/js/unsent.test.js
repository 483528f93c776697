// Tests of unsent moves, of the pace at which a spectator sees a game, and of the sentences in a review.

import assert from "node:assert/strict";
import { test } from "node:test";
import { installPage } from "./page.js";

installPage();
const { fateOf, forgetMove, rememberMove, unsentMove } = await import("../../src/gridlock/web/static/unsent.js");
const { StateQueue } = await import("../../src/gridlock/web/static/queue.js");
const { heatCurve, keptWords, practice } = await import("../../src/gridlock/web/static/report.js");

test("an unsent move is sent, dropped if it was made, or reported as late", () => {
  const move = { game: "g", cell: 4, ply: 2, line: 0 };
  rememberMove(move);
  assert.deepEqual(unsentMove("g"), move);
  assert.equal(unsentMove("another"), null);
  const made = (cell) => [{ kind: "move", ply: 1, cell: 0 }, { kind: "move", ply: 2, cell: 8 }, { kind: "move", ply: 3, cell }];
  assert.equal(fateOf(move, { ply: 2, line: 0, moves: made(4).slice(0, 2) }), "send");
  assert.equal(fateOf(move, { ply: 3, line: 0, moves: made(4) }), "made");
  assert.equal(fateOf(move, { ply: 3, line: 0, moves: made(5) }), "late");
  assert.equal(fateOf(move, { ply: 2, line: 1, moves: [] }), "late");
  forgetMove();
  assert.equal(unsentMove("g"), null);
});

test("while a game between two levels is paused, nothing new is shown", () => {
  const shown = [];
  const queue = new StateQueue(({ ply }) => shown.push(ply));
  const state = (ply) => ({ game: "g", ply, opponent: "levels", clock: null, moves: [], players: [] });
  queue.take(state(0));
  queue.pause(true);
  queue.take(state(2)); // a jump, which is not delayed
  assert.deepEqual(shown, [0]);
  queue.pause(false);
  assert.deepEqual(shown, [0, 2]);
});

/** Return a review with one step for each given pair [winner before the step, winner after the step]. */
function review(...winners) {
  const steps = winners.map(([before, after], index) => {
    const player = (index % 2) + 1;
    const mistake = before === player && after === 3 - player;
    return { ply: index + 1, player, who: "", cell: index, before, after, mistake, better: mistake ? [9] : [] };
  });
  return { players: [{ name: "Ada", mark: "X" }, { name: "Grace", mark: "O" }], steps };
}

test("a review says which share of the moves kept the win, and only of those that could", () => {
  const found = review([1, 1], [1, 1], [1, 2], [2, 2], [2, 2], [2, 1]);
  assert.equal(keptWords(found, 1), "Ada kept the win in 1 of 2 winning positions (50%).");
  assert.equal(keptWords(found, 2), "Grace kept the win in 1 of 2 winning positions (50%).");
  assert.equal(keptWords(review([1, 1], [1, 1], [1, 1]), 1), "Flawless: Ada kept the win in all 2 winning positions.");
  assert.equal(keptWords(review([1, 1], [1, 1], [1, 1]), 2), "Grace was never in a winning position on their turn.");
  assert.equal(keptWords(review([2, 2], [2, 2], [2, null]), 2), "Grace had one chance to keep the win, and took it.");
  assert.equal(keptWords(review([null, null], [null, null]), 1), "Ada was never in a winning position on their turn.");
});

test("each mistake becomes a puzzle with the position before it", () => {
  const setup = { game: "chain", board: "4x4", adjacency: "king", starts: 1, swap: false, moves: ["1,1", "1,2", "2,2", "3,3"] };
  const found = review([1, 2], [2, 2], [2, 2], [2, 1]);
  assert.deepEqual(practice(found, setup, [1, 2]).map((one) => [one.ply, one.link]), [
    [1, "/puzzles?at=chain/4x4/king/1/0/&from=game"],
    [4, "/puzzles?at=chain/4x4/king/1/0/1,1_1,2_2,2&from=game"],
  ]);
  assert.deepEqual(practice(found, setup, [2]).map((one) => one.ply), [4]);
});

test("the temperature curve has a point for each position whose temperature is known", () => {
  const [curve] = heatCurve([null, 4.5, 3, 0]);
  const points = curve.children[1].getAttribute("points").split(" ").map((point) => point.split(",").map(Number));
  assert.deepEqual(points.map(([x]) => x), [31, 49, 67]);
  assert.ok(points[0][1] < points[1][1] && points[1][1] < points[2][1]);
  assert.deepEqual(heatCurve([]), []);
  assert.deepEqual(heatCurve([0, 0]), []);
});
