// Tests of puzzles: stored results, the calendar, playback, text for sharing, addresses and timed runs.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, test } from "node:test";
import { dice, installPage, seed } from "./page.js";
import { dateWords, weeksOf } from "../../src/gridlock/web/static/calendar.js";
import { frames } from "../../src/gridlock/web/static/playback.js";
import {
  countResult, countRun, dateOf, daysInARow, firstResult, openPuzzle, PROGRESS_KEYS, rememberLesson, rememberOpen, rememberWrong,
  solvedInTheEnd, solvedOn, statistics, written, wrongMoves,
} from "../../src/gridlock/web/static/progress.js";
import { choiceOf, nameOf, readWish } from "../../src/gridlock/web/static/puzzle-address.js";
import { PuzzleGame } from "../../src/gridlock/web/static/puzzle-game.js";
import { puzzleText } from "../../src/gridlock/web/static/puzzle-share.js";
import { clockTime, Run } from "../../src/gridlock/web/static/run.js";

const TODAY = "2026-11-17";
let kept = installPage();
beforeEach(() => {
  kept = installPage();
});

/** Record whether the daily puzzle for a date was solved. */
function daily(day, right, today = day) {
  countResult({ day, name: `/puzzles?day=${day}`, game: "chain", today }, right ? "1" : "x");
}

/** Record whether a puzzle other than a daily puzzle was solved. */
function other(name, right, game = "chain") {
  countResult({ day: null, name, game, today: TODAY }, right ? "12" : "1x");
}

test("days and streaks that older pages stored are taken over", () => {
  kept.set("gridlock.puzzles", JSON.stringify({ days: { "2026-11-14": true, "2026-11-15": true, "2026-11-16": true, "2026-11-10": false }, streak: 3, best: 8 }));
  const { solved, tried, days, bestDays, streak, best } = statistics(TODAY);
  assert.deepEqual({ solved, tried, days, bestDays, streak, best }, { solved: 3, tried: 4, days: 3, bestDays: 3, streak: 3, best: 8 });
  daily(TODAY, true);
  assert.equal(daysInARow(TODAY), 4);
  assert.equal(statistics(TODAY).solved, 4);
  other("/puzzles?at=a", true);
  assert.equal(statistics(TODAY).streak, 4);
  assert.deepEqual(["2026-11-16", "2026-11-10", "2026-11-09"].map((day) => firstResult({ day, name: "" })), ["1", "x", ""]);
});

test("damaged storage counts as empty", () => {
  for (const text of ["{", "3", "[]", '"x"', "null", '{"days":[],"streak":"x","marks":[],"open":[],"wrong":3,"games":7}']) {
    kept.set("gridlock.puzzles", text);
    assert.equal(statistics(TODAY).solved, 0, text);
    daily(TODAY, true);
    assert.equal(daysInARow(TODAY), 1, text);
  }
});

test("only the first result on the day itself counts for the daily streak", () => {
  daily(TODAY, false);
  daily(TODAY, true);
  assert.equal(solvedOn(TODAY), false);
  assert.equal(daysInARow(TODAY), 0);
  solvedInTheEnd(TODAY);
  assert.equal(solvedOn(TODAY), "later");
  assert.equal(daysInARow(TODAY), 0);
  assert.equal(firstResult({ day: TODAY, name: "" }), "x");
  daily("2026-11-16", true, TODAY);
  solvedInTheEnd("2026-11-16");
  assert.equal(solvedOn("2026-11-16"), "later"); // solved a day late
  daily("2026-11-15", true);
  solvedInTheEnd("2026-11-15"); // again, for practice
  assert.equal(solvedOn("2026-11-15"), true);
  assert.equal(solvedOn("2026-11-14"), undefined);
});

test("wrong moves are remembered until there is a result", () => {
  rememberWrong("/puzzles?at=a", [0, 1]);
  rememberWrong("/puzzles?at=b", [2]);
  assert.deepEqual(wrongMoves("/puzzles?at=a"), [0, 1]);
  other("/puzzles?at=a", true);
  assert.deepEqual([wrongMoves("/puzzles?at=a"), wrongMoves("/puzzles?at=b")], [[], [2]]);
});

test("old results of puzzles without a date are forgotten, those of days are not", () => {
  daily(TODAY, true);
  for (let at = 0; at < 400; at += 1) other(`/puzzles?at=${at}`, true);
  assert.deepEqual(["399", "100", "99"].map((at) => firstResult({ day: null, name: `/puzzles?at=${at}` })), ["12", "12", ""]);
  assert.equal(firstResult({ day: TODAY, name: "" }), "1");
  assert.equal(statistics(TODAY).streak, 400);
});

test("the daily streak continues across months, years and daylight saving time", () => {
  for (const [today, days] of [["2027-01-02", 40], ["2028-03-01", 5], ["2026-03-30", 3], ["2026-10-26", 3]]) {
    kept.clear();
    const [year, month, day] = today.split("-").map(Number);
    for (let back = 1; back <= days; back += 1) daily(written(new Date(year, month - 1, day - back)), true);
    assert.equal(daysInARow(today), days, "today's is still open");
    daily(today, true);
    assert.equal(daysInARow(today), days + 1);
    daily(today, false); // the first result counts
    assert.equal(daysInARow(today), days + 1);
  }
  assert.equal(written(new Date(2026, 0, 5)), "2026-01-05");
});

test("streaks are those of a plain count, across months and leap years", () => {
  const roll = dice(seed());
  for (let round = 0; round < 200; round += 1) {
    kept.clear();
    const first = new Date(2024, roll(12), 1 + roll(28));
    const results = Array.from({ length: 60 }, () => [true, true, true, false, null][roll(5)]);
    const day = (/** @type {number} */ at) => written(new Date(first.getFullYear(), first.getMonth(), first.getDate() + at));
    for (const [at, right] of results.entries()) if (right !== null) daily(day(at), right);
    const runs = results.map((right) => (right === true ? "g" : " ")).join("").split(/ +/).map((run) => run.length);
    assert.equal(statistics(day(59)).bestDays, Math.max(...runs));
    let streak = 0;
    for (let at = results[59] === null ? 58 : 59; results[at] === true; at -= 1) streak += 1;
    assert.equal(daysInARow(day(59)), streak);
  }
});

test("a puzzle without a date counts once, and stays open until it is answered", () => {
  rememberOpen("difficulty=3", "/puzzles?at=hard");
  assert.equal(openPuzzle("difficulty=3"), "/puzzles?at=hard");
  other("/puzzles?at=easy", true);
  assert.equal(openPuzzle("difficulty=3"), "/puzzles?at=hard");
  other("/puzzles?at=hard", false);
  other("/puzzles?at=hard", true);
  assert.equal(firstResult({ day: null, name: "/puzzles?at=hard" }), "1x");
  assert.equal(openPuzzle("difficulty=3"), "");
  other("/puzzles?at=third", true, "trails");
  const { streak, best, solved, tried, games } = statistics(TODAY);
  assert.deepEqual({ streak, best, solved, tried }, { streak: 1, best: 1, solved: 2, tried: 3 });
  assert.deepEqual(games, { chain: { solved: 1, tried: 2 }, trails: { solved: 1, tried: 1 } });
});

test("all progress is stored under the keys that are exported", () => {
  daily(TODAY, true);
  other("a", false);
  rememberOpen("difficulty=1", "b");
  countRun(7);
  rememberLesson("chain", 2);
  assert.deepEqual([...kept.keys()].sort(), [...PROGRESS_KEYS].sort());
});

test("only dates that exist are dates", () => {
  for (const text of ["2026-02-31", "foo", "2026-2-1", "2025-02-29", "2026-13-01", ""]) assert.equal(dateOf(text), null, text);
  assert.equal(dateOf("2024-02-29")?.getDate(), 29);
});

test("a month has its days in weeks that begin on Monday", () => {
  const weeks = weeksOf(2026, 10);
  assert.equal(weeks.length, 6);
  assert.deepEqual(weeks[0], [null, null, null, null, null, null, "2026-11-01"]);
  assert.deepEqual(weeks[5], ["2026-11-30", null, null, null, null, null, null]);
  assert.deepEqual(weeksOf(2024, 1).flat().filter(Boolean).length, 29);
  assert.equal(weeksOf(2026, -1).flat().filter(Boolean)[0], "2025-12-01");
  assert.equal(dateWords("2026-11-05", TODAY), "5 November");
  assert.equal(dateWords("2025-11-05", TODAY), "5 November 2025");
});

test("an address says what it asks for, and what is wrong with it", () => {
  assert.equal(readWish("", TODAY).day, TODAY);
  assert.deepEqual([readWish("?day=2026-11-01", TODAY).kind, readWish("?day=2026-11-01", TODAY).day], ["day", "2026-11-01"]);
  for (const day of ["2026-02-31", "foo"]) {
    const { wrong, day: shown } = readWish(`?day=${day}`, TODAY);
    assert.deepEqual([wrong, shown], [`${day} isn't a valid date, so this is today's puzzle.`, TODAY]);
  }
  assert.equal(readWish("?difficulty=3&game=chain", TODAY).kind, "practice");
  assert.equal(readWish("?at=chain/3x3/king/1/0/", TODAY).kind, "sent");
  assert.equal(readWish("?run", TODAY).kind, "run");
  const setup = { game: "chain", board: "3x3", adjacency: "king", starts: 1, swap: false, moves: ["2,2"] };
  assert.equal(nameOf({ day: null, kind: "win", position: { setup } }), "/puzzles?at=chain/3x3/king/1/0/2,2");
  assert.equal(nameOf({ day: null, kind: "trap", position: { setup } }), "/puzzles?at=chain/3x3/king/1/0/2,2&kind=trap");
  assert.deepEqual([readWish("?difficulty=3&kind=trap", TODAY).asks, readWish("?difficulty=3", TODAY).asks], ["trap", "win"]);
  assert.equal(choiceOf("3", "", "hottest"), "difficulty=3&kind=hottest");
  assert.equal(choiceOf("3", "chain"), "difficulty=3&game=chain");
  assert.equal(nameOf({ day: TODAY, position: { setup } }), `/puzzles?day=${TODAY}`);
});

/** Return a position with the given cells, reached by the given moves (each a cell and a mark). */
function position(cells, ...moves) {
  return { board: { cells, marks: ["X", "O"], last: moves.at(-1)?.[0] ?? null, legal: [1], causes: [2] }, moves: moves.map(([cell, mark]) => ({ kind: "move", cell, mark })) };
}

test("moves are played out one at a time, and the last board is the server's", () => {
  const before = position("X...", [0, "X"]);
  const after = position("XO.X", [0, "X"], [3, "X"], [1, "O"]);
  const [first, last, ...more] = frames(before, after);
  assert.deepEqual([first.cells, first.last, first.legal, first.causes], ["X..X", 3, [], []]);
  assert.equal(last, after.board);
  assert.equal(more.length, 0);
  assert.deepEqual(frames(after, after), [after.board]); // nothing to play out
});

test("pawns leave blocked cells behind, and passes show nothing", () => {
  const before = position("A.......B", [0, "A"], [8, "B"]);
  const after = position("##A.#B..#", [0, "A"], [8, "B"], [1, "A"], [4, "B"], [2, "A"], [5, "B"]);
  after.moves.splice(4, 0, { kind: "pass", cell: null, mark: "A" });
  assert.deepEqual(frames(before, after).map(({ cells }) => cells), ["#A......B", "#A..B...#", "##A.B...#", "##A.#B..#"]);
});

/** Play a puzzle in which each step offers two moves, the second of which is wrong. Each letter stands for one
 * thing the player does: answer right (R) or wrong (W), try again (T), give up (G) or play again (P). */
async function played(letters, { wrong = [], mistakes = 2, steps = 3 } = {}) {
  const at = (count) => ({
    ...position("....", ...Array.from({ length: count }, () => [0, "X"])), mark: "X", outcome: null,
    setup: { moves: Array.from({ length: count }, () => "1,1") },
  });
  globalThis.fetch = async (_path, { body }) => {
    const { moves, give_up: isOver } = JSON.parse(body);
    const right = !isOver && moves.at(-1) === "1,1";
    const done = isOver || (right && moves.length === 2 * steps - 1);
    const told = { right, done, words: "", position: at(moves.length + 1) };
    return { ok: true, headers: new Headers({ "Content-Type": "application/json" }), json: async () => told };
  };
  const log = { counted: [], slipped: [] };
  const board = { show: () => {}, tell: (words) => assert.fail(words) };
  const game = new PuzzleGame(board, {
    changed: () => {}, counted: (marks) => log.counted.push(marks), slipped: (list) => log.slipped.push([...list]), beat: 0, mistakes,
  });
  const puzzle = { position: at(0), words: "" };
  puzzle.position.board = { ...puzzle.position.board, rows: 2, cols: 2, origin: 1 };
  game.begin(puzzle, "", wrong);
  for (const letter of letters) {
    game.position.board = puzzle.position.board;
    if (letter === "R") await game.choose(0);
    if (letter === "W") await game.choose(3);
    if (letter === "T") game.retry();
    if (letter === "G") await game.giveUp();
    if (letter === "P") game.begin(puzzle, game.result);
  }
  return { ...log, marks: game.marks, stage: game.stage };
}

test("a puzzle is played out with a mark for each step, and only its first result counts", async () => {
  assert.deepEqual(await played(""), { counted: [], slipped: [], marks: "?", stage: "asking" });
  assert.deepEqual(await played("RRR"), { counted: ["111"], slipped: [], marks: "111", stage: "solved" });
  assert.deepEqual(await played("RW"), { counted: [], slipped: [[undefined, 1]], marks: "1!", stage: "wrong" });
  assert.deepEqual((await played("RWR")).marks, "1!"); // nothing can be played before trying again
  const later = await played("RWTRR");
  assert.deepEqual([later.counted, later.marks], [["121"], "121"]);
  const third = await played("WTRWTWTRR");
  assert.deepEqual([third.counted, third.marks, third.stage], [["2x"], "221", "solved"]); // the rest is practice
  const given = await played("RGPRRR");
  assert.deepEqual([given.counted, given.marks], [["1x"], "111"]);
  assert.deepEqual((await played("RWG")).marks, "1x");
  const left = await played("RWTR", { wrong: [0, 1] }); // a wrong move before a reload
  assert.deepEqual([left.slipped, left.marks], [[[0, 2]], "12?"]);
  assert.deepEqual((await played("W", { mistakes: 0 })).counted, ["x"]); // in a run
});

test("a run gets harder, and ends after three mistakes or three minutes of thinking", () => {
  const run = new Run();
  run.tick(true, 1000);
  assert.equal(run.time(61_000), 120_000);
  run.tick(false, 61_000);
  assert.equal(run.time(999_000), 120_000); // nothing passes while the opponent plays
  for (let count = 0; count < 3; count += 1) run.count(true);
  assert.deepEqual([run.difficulty(), run.difficulty(2), run.difficulty(3), run.solved, run.mistakes], [2, 2, 3, 3, 0]);
  for (let count = 0; count < 30; count += 1) run.count(true);
  assert.equal(run.difficulty(), 5);
  run.count(false);
  run.count(false);
  assert.equal(run.isOver(999_000), false);
  run.count(false);
  assert.equal(run.isOver(999_000), true);
  const slow = new Run();
  slow.tick(true, 0);
  assert.equal(slow.isOver(179_999), false);
  assert.equal(slow.isOver(180_000), true);
  assert.deepEqual([180_000, 61_001, 1, 0].map(clockTime), ["3:00", "1:02", "0:01", "0:00"]);
  assert.deepEqual([countRun(4), countRun(3), countRun(5)], [4, 4, 5]);
  assert.equal(statistics(TODAY).run, 5);
});

test("a shared result is the same as the terminal's, with the link", () => {
  const link = "http://localhost/puzzles?day=2026-11-17";
  for (const { day, title, board, difficulty, marks, days, lines } of JSON.parse(readFileSync(new URL("vectors.json", import.meta.url), "utf8")).shares) {
    const [rows, cols] = board.split("x").map(Number);
    const puzzle = { day, kind: "win", difficulty, position: { board: { title, rows, cols } } };
    assert.equal(puzzleText(puzzle, { marks, days, link }), [...lines, link].join("\n"));
    assert.equal(puzzleText({ ...puzzle, day: null }, { marks: "", days: 0, link }), `GridLock puzzle: ${title} ${board}, difficulty ${difficulty} of 5\n${link}`);
    assert.ok(puzzleText({ ...puzzle, day: null, kind: "trap" }, { marks: "", days: 0, link }).startsWith("GridLock puzzle (the hottest region is a trap): "));
  }
});
