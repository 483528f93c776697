// Tests of transferring the user's puzzle and lesson progress to another browser.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { installPage } from "./page.js";

const kept = installPage();
const { read, write } = await import("../../src/gridlock/web/static/storage.js");
const { exportedProgress, importProgress, shortProgress } = await import("../../src/gridlock/web/static/progress-export.js");
const { daysInARow, learned, rememberLesson } = await import("../../src/gridlock/web/static/progress.js");
const { progressIn, progressInLink, readSeats, readSeatsLink, seatsFile, seatsLink } = await import("../../src/gridlock/web/static/seats.js");

const DAYS = { "2026-11-13": true, "2026-11-14": true, "2026-11-15": true };
const seat = { game: "g".repeat(22), token: "t".repeat(32), title: "Chain", against: "", size: "" };

beforeEach(() => kept.clear());

test("a file brings days in a row, streaks and lessons, and the same file twice changes nothing", () => {
  write("gridlock.puzzles", { days: DAYS, streak: 2, best: 7, games: { chain: { solved: 3, tried: 4 } } });
  rememberLesson("chain", 2);
  const file = seatsFile([], exportedProgress());
  kept.clear();
  assert.deepEqual(readSeats(file), []);
  assert.equal(importProgress(progressIn(file)), true);
  assert.equal(daysInARow("2026-11-15"), 3);
  assert.deepEqual(read("gridlock.puzzles", {}).games, { chain: { solved: 3, tried: 4 } });
  assert.deepEqual([...learned("chain")], [2]);
  assert.equal(importProgress(progressIn(file)), false);
});

test("a link brings days in a row and lessons beside the seats", () => {
  write("gridlock.puzzles", { days: DAYS, streak: 2, best: 7, done: ["x".repeat(9000)] });
  rememberLesson("trails", 1);
  const hash = seatsLink([seat], shortProgress()).slice("/games".length);
  assert.ok(hash.length < 600);
  kept.clear();
  assert.deepEqual(readSeatsLink(hash)?.map((one) => one.game), [seat.game]);
  assert.equal(importProgress(progressInLink(hash)), true);
  assert.equal(daysInARow("2026-11-15"), 3);
  assert.deepEqual([...learned("trails")], [1]);
  assert.equal(progressInLink(seatsLink([seat]).slice("/games".length)), null);
});

test("nothing of this browser's progress is lost", () => {
  write("gridlock.puzzles", { days: { "2026-11-15": true, "2026-11-14": false }, streak: 5, best: 9 });
  rememberLesson("chain", 1);
  importProgress({ "gridlock.puzzles": { days: { "2026-11-15": false, "2026-11-14": true }, streak: 1, best: 12 }, "gridlock.lessons": { chain: [2, 1], scatter: [3] } });
  assert.deepEqual(read("gridlock.puzzles", {}), { days: { "2026-11-15": true, "2026-11-14": true }, streak: 5, best: 12 });
  assert.deepEqual([...learned("chain")], [1, 2]);
  assert.deepEqual([...learned("scatter")], [3]);
});

test("a file of any shape does no harm", () => {
  rememberLesson("chain", 1);
  const before = exportedProgress();
  const deep = JSON.parse(`${'{"a":'.repeat(60)}1${"}".repeat(60)}`);
  for (const odd of [null, 3, "x", [], { "gridlock.games": [seat] }, { "gridlock.lessons": 4 }, { "gridlock.lessons": [1] }]) {
    assert.equal(importProgress(odd), false, JSON.stringify(odd));
  }
  assert.deepEqual(exportedProgress(), before);
  importProgress({ "gridlock.puzzles": { days: deep }, "gridlock.lessons": JSON.parse('{"__proto__": {"polluted": [1]}, "chain": ["x", {}]}') });
  assert.equal({}.polluted, undefined);
  assert.ok(learned("chain").has(1));
  assert.ok(JSON.stringify(exportedProgress()).length < 500);
  assert.equal(progressIn("{"), null);
  assert.equal(progressInLink("#take/progress~%E0%A4%A"), null);
});
