// Tests of games, seats and lessons in local storage, and of moving seats to another browser.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { installPage } from "./page.js";

const kept = installPage();
const { forgetGame, nonceFor, read, rememberGame, rememberedGames, seatIn, takeGames, updateGame, write } = await import(
  "../../src/gridlock/web/static/storage.js"
);
const { learned, rememberLesson, statistics } = await import(
  "../../src/gridlock/web/static/progress.js"
);
const { readSeats, readSeatsLink, seatsFile, seatsLink } = await import("../../src/gridlock/web/static/seats.js");

const seat = (number, more = {}) => ({
  game: String(number).padStart(22, "g"), token: String(number).padStart(32, "t"), title: "Chain", against: "against Bo", size: "5 × 5", ...more,
});

beforeEach(() => kept.clear());

test("the latest game comes first, and a round replaces the previous one", () => {
  for (const number of [1, 2, 3]) rememberGame(seat(number));
  rememberGame(seat(1, { standing: "your turn" }));
  assert.deepEqual(rememberedGames().map((one) => one.game), [1, 3, 2].map((number) => seat(number).game));
  rememberGame({ ...seat(9), token: seat(1).token }); // the next round of a match has the same token
  assert.deepEqual(rememberedGames().map((one) => one.game), [9, 3, 2].map((number) => seat(number).game));
  assert.equal(seatIn(seat(3).game)?.token, seat(3).token);
  assert.equal(seatIn(seat(1).game), undefined);
  updateGame(seat(3, { standing: "you won" }));
  updateGame(seat(7)); // not in the list, so it is not added
  assert.deepEqual(rememberedGames().map((one) => one.standing), [undefined, "you won", undefined]);
  forgetGame(seat(3).game);
  assert.equal(rememberedGames().length, 2);
});

test("if there are too many games, finished ones are dropped first and the newest stays", () => {
  write("gridlock.games", Array.from({ length: 500 }, (_, number) => seat(number, { over: number === 100 || number === 300 })));
  rememberGame(seat(1000));
  assert.equal(rememberedGames().length, 500);
  assert.equal(seatIn(seat(300).game), undefined);
  rememberGame(seat(1001));
  assert.equal(seatIn(seat(100).game), undefined);
  rememberGame(seat(1002)); // none is finished, so none may go
  assert.equal(rememberedGames().length, 501);
  assert.equal(seatIn(seat(499).game)?.token, seat(499).token);
});

test("of the finished games, the oldest imported one is dropped first", () => {
  const over = { over: true };
  write("gridlock.games", Array.from({ length: 500 }, (_, number) => seat(number, number % 2 ? over : { ...over, imported: number < 100 })));
  rememberGame(seat(1000));
  assert.equal(seatIn(seat(98).game), undefined);
  rememberGame(seat(98)); // opened here, so it counts as the user's own
  assert.equal(seatIn(seat(98).game)?.imported, undefined);
  assert.equal(seatIn(seat(96).game), undefined);
  assert.ok(seatIn(seat(499).game));
});

test("only new games are added", () => {
  rememberGame(seat(1));
  const { added, left } = takeGames([seat(1), seat(2), seat(2)]);
  assert.deepEqual([added.map((one) => one.game), left], [[seat(2).game], 0]);
  assert.equal(rememberedGames().length, 2);
  assert.deepEqual(takeGames([seat(1), seat(2)]), { added: [], left: 0 });
});

test("no link, no file and no full storage removes a seat", (context) => {
  const lost = (/** @type {ReturnType<typeof seat>[]} */ own) => own.filter((one) => seatIn(one.game)?.token !== one.token).length;
  const invented = Array.from({ length: 500 }, (_, number) => seat(10_000 + number));
  const figures = [];
  for (const count of [1, 20, 499, 500]) {
    kept.clear();
    const own = Array.from({ length: count }, (_, number) => seat(number, { over: number % 3 === 0 }));
    for (const one of own) rememberGame(one);
    const { added, left } = takeGames(readSeatsLink(seatsLink(invented).slice("/games".length)) ?? []);
    assert.deepEqual([added.length, left], [500 - count, count]);
    takeGames(readSeats(seatsFile(Array.from({ length: 60_000 }, (_, number) => seat(20_000 + (number % 100))))));
    figures.push(lost(own));
    assert.equal(rememberedGames().length, 500);
  }
  const full = globalThis.localStorage.setItem;
  globalThis.localStorage.setItem = () => { throw new Error("full"); };
  assert.deepEqual(takeGames([seat(30_000)]), { added: [], left: 1 });
  globalThis.localStorage.setItem = full;
  figures.push(500 - rememberedGames().length);
  context.diagnostic(`seats removed by links, files and full storage: ${figures.join(", ")}`);
  assert.deepEqual(figures, [0, 0, 0, 0, 0]);
});

test("new imports take the place of imported games that the server does not know", () => {
  write("gridlock.games", [...Array.from({ length: 300 }, (_, number) => seat(number)), ...Array.from({ length: 200 }, (_, number) => seat(1000 + number, { imported: true, over: true }))]);
  const { added, left } = takeGames(Array.from({ length: 250 }, (_, number) => seat(2000 + number)));
  assert.deepEqual([added.length, left, rememberedGames().length], [200, 50, 500]);
  assert.ok(Array.from({ length: 300 }, (_, number) => seatIn(seat(number).game)).every(Boolean));
});

test("unavailable storage and foreign values cause no errors", () => {
  for (const odd of ["{half", "7", "null", '"text"']) {
    kept.set("gridlock.games", odd);
    assert.deepEqual(rememberedGames(), []);
    kept.set("gridlock.puzzles", odd);
    assert.equal(statistics("2026-11-17").streak, 0);
    kept.set("gridlock.lessons", odd);
    assert.equal(learned("chain").size, 0);
  }
  const { localStorage } = globalThis;
  globalThis.localStorage = { getItem: () => { throw new Error("closed"); }, setItem: () => { throw new Error("full"); } };
  rememberGame(seat(1));
  assert.equal(read("gridlock.name", "nobody"), "nobody");
  globalThis.localStorage = localStorage;
});

test("joining again sends the same nonce, and joining another game a different one", () => {
  const first = nonceFor("a");
  assert.match(first, /^[0-9a-f]{32}$/);
  assert.equal(nonceFor("a"), first);
  assert.notEqual(nonceFor("b"), first);
});

test("lessons are remembered once, in order", () => {
  for (const number of [3, 1, 3]) rememberLesson("chain", number);
  rememberLesson("trails", 2);
  assert.deepEqual([...learned("chain")], [1, 3]);
  assert.deepEqual([...learned("trails")], [2]);
});

test("seats can be read back from a file and a link, without any other data", () => {
  const games = [seat(1, { standing: "you won", extra: "<b>" }), seat(2)];
  for (const travelled of [readSeats(seatsFile(games)), readSeatsLink(seatsLink(games).slice("/games".length))]) {
    assert.deepEqual(travelled?.map(({ game, token }) => ({ game, token })), games.map(({ game, token }) => ({ game, token })));
    assert.ok(travelled?.every((one) => !("extra" in one) && !("standing" in one) && one.title));
  }
  const [long] = readSeats(seatsFile([seat(1, { title: "W".repeat(9999), against: 7 })]));
  assert.deepEqual([long.title.length, long.against], [400, ""]);
});

test("a file or a link without seats is rejected", () => {
  const wrong = { message: "No games in this file. Export your games from the other browser first." };
  for (const text of ["no JSON", "[]", "null", "7", '{"kind": "seats of GridLock games"}', '{"kind": "something", "games": []}']) {
    assert.throws(() => readSeats(text), wrong, text);
  }
  assert.deepEqual(readSeats('{"kind": "seats of GridLock games", "games": [7, null, {"game": "short", "token": "x"}]}'), []);
  assert.equal(readSeatsLink("#elsewhere"), null);
  assert.deepEqual(readSeatsLink("#take/nonsense,,x"), []);
});
