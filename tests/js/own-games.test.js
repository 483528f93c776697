// Tests of the user's own games in local storage: newest first, limited in number, and never replaced by a friend's
// game.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { installPage } from "./page.js";

const kept = installPage();
const { MOST, describeOwnGame, forgetOwnGame, ownGames, rememberOwnGame } = await import("../../src/gridlock/web/static/own-games.js");

const game = (name, shape = { closes_own: true }) => ({
  name, title: name.toUpperCase(), board: "5x5", adjacency: "king", definition: { name, title: name.toUpperCase(), shape }, summary: "Keep apart.",
});
const names = () => ownGames().map((one) => one.name);

/** Imitate the server's answers about the available games and about a position. */
function answerAsServer() {
  const asked = [];
  const headers = new Map([["Content-Type", "application/json"]]);
  globalThis.fetch = async (path, { body }) => {
    if (path === "/api/games") return { ok: true, headers, json: async () => ({ games: [{ name: "offered" }], address: "" }) };
    const { setup } = JSON.parse(body);
    asked.push([path, setup]);
    const board = { title: setup.definition.title, own_rule: "Never put a marker next to one of your own.", rows: 4, cols: 6, adjacency: "orthogonal" };
    const answered = { ...setup, board: "4x6", adjacency: "orthogonal", starts: 1, swap: false, moves: [], definition: { ...setup.definition, example: [[2, 3]] } };
    return { ok: true, headers, json: async () => ({ board, setup: answered }) };
  };
  return asked;
}

beforeEach(() => kept.clear());

test("the newest game comes first, and replaces one of the same name", () => {
  for (const name of ["a", "b", "c"]) assert.ok(rememberOwnGame(game(name)));
  assert.deepEqual(names(), ["c", "b", "a"]);
  rememberOwnGame(game("a", { closes_other: true }));
  assert.deepEqual(names(), ["a", "c", "b"]);
  assert.deepEqual(ownGames()[0].definition.shape, { closes_other: true });
  forgetOwnGame("c");
  forgetOwnGame("unknown");
  assert.deepEqual(names(), ["a", "b"]);
});

test("there are never too many, and nothing too long or damaged is kept", () => {
  for (let number = 0; number < MOST + 5; number += 1) rememberOwnGame(game(`g${number}`));
  assert.equal(names().length, MOST);
  assert.equal(names()[0], `g${MOST + 4}`);
  assert.ok(!names().includes("g4"));
  const long = game("long");
  long.definition.rules = "x".repeat(9000);
  assert.equal(rememberOwnGame(long), false);
  assert.ok(!names().includes("long"));
  for (const damaged of ["{", "7", '{"a": 1}', '[null, 5, {"name": 3}, {"name": "a"}]']) {
    kept.set("gridlock.own", damaged);
    assert.deepEqual(ownGames(), []);
  }
});

test("a friend's game gets a name of its own, and the same game keeps its name", async () => {
  const asked = answerAsServer();
  rememberOwnGame(game("mine"));
  const friends = await describeOwnGame(game("mine", { closes_other: true }).definition);
  assert.equal(friends.name, "mine_2");
  assert.equal(friends.definition.name, "mine_2");
  assert.deepEqual(asked, [["/api/position", { game: "mine_2", definition: friends.definition }]]);
  rememberOwnGame(friends);
  assert.deepEqual(names(), ["mine_2", "mine"]);
  assert.equal((await describeOwnGame(game("mine").definition)).name, "mine");
  assert.equal((await describeOwnGame(game("mine", { closes_other: true }).definition)).name, "mine_2");
  assert.ok(friends.picture.startsWith("/picture.svg?at=mine_2/4x6/orthogonal/1/0/2,3/"));
  assert.equal((await describeOwnGame(game("offered").definition)).name, "offered_2");
  const onAnotherBoard = { ...game("mine").definition, board: "9x9", passes: false, summary: "As the server completes it." };
  assert.equal((await describeOwnGame(onAnotherBoard)).name, "mine");
  const { board, adjacency, title, summary } = friends;
  assert.deepEqual({ board, adjacency, title, summary }, { board: "4x6", adjacency: "orthogonal", title: "MINE", summary: "Never put a marker next to one of your own." });
});
