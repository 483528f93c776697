// Tests of requests from a page on a static site: their addresses, and what answers them (a file or the engine).

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import "./page.js";

globalThis.document.querySelector = () => ({ getAttribute: () => "engine/" }); // the mark of a static site
globalThis.document.getElementById = () => null;
globalThis.window = { addEventListener() {} };
globalThis.document.body = { append() {} };
globalThis.location = new URL("http://localhost:8000/some/folder/play.html?x=1#y");
const { isSite, pathOf, urlOf } = await import("../../src/gridlock/web/static/address.js");
const { api } = await import("../../src/gridlock/web/static/api.js");

const ROOT = "/some/folder/";
const position = (game, starts, swap) => ({ type: "position", setup: { game, board: "5x5", adjacency: "king", starts, swap, moves: [] } });
const FILES = {
  [`${ROOT}api/games.json`]: { games: [], address: "" },
  [`${ROOT}api/lessons/chain.json`]: { game: "chain" },
  [`${ROOT}api/boards.json`]: [position("chain", 1, false), position("chain", 2, false), position("chain", 2, true)],
};
let fetched;
let asked;
let started = 0;
let refused; // the status and the body of every answer, if a test sets them

globalThis.fetch = async (path) => {
  fetched.push(path);
  return path in FILES ? Response.json(FILES[path]) : new Response("", { status: 404 });
};

globalThis.Worker = class {
  constructor(url, options) {
    started += 1;
    assert.deepEqual([url, options], [`${ROOT}static/engine-worker.js`, { type: "module" }]);
  }

  postMessage(message) {
    if (message.type === "start") {
      assert.equal(message.base, `http://localhost:8000${ROOT}engine/`);
      setTimeout(() => this.onmessage({ data: { type: "ready", seconds: 1 } }));
    }
    if (message.type !== "ask") return;
    asked.push(message);
    const [status, body] = refused ?? [200, '{"from":"engine"}'];
    this.onmessage({ data: { type: "answer", id: message.id, status, kind: "application/json", body } });
  }
};

beforeEach(() => {
  fetched = [];
  asked = [];
});

test("pages are files in the folder of this page", () => {
  assert.ok(isSite);
  const pages = { "/": "", "/puzzles": "puzzles.html", "/puzzles?day=2026-11-17": "puzzles.html?day=2026-11-17", "/#own=%7B": "#own=%7B" };
  for (const [path, file] of Object.entries(pages)) assert.equal(urlOf(path), ROOT + file);
  for (const path of ["/static/icon.svg", "/pictures/chain.svg", "/api/boards.json"]) assert.equal(urlOf(path), ROOT + path.slice(1));
  for (const path of ["/", "/puzzles", "/play"]) assert.equal(pathOf(new URL(urlOf(path), location.href).href), path);
});

test("answers that never change are files, and the engine is not started for them", async () => {
  assert.deepEqual(await api("/api/games"), FILES[`${ROOT}api/games.json`]);
  assert.deepEqual(await api("/api/lessons/chain"), { game: "chain" });
  const setup = { game: "chain", board: "5x5", adjacency: "king", starts: 2, swap: true, moves: [], definition: undefined };
  assert.deepEqual(await api("/api/position", { body: { setup } }), position("chain", 2, true));
  assert.deepEqual(await api("/api/position", { body: { setup: { game: "chain" } } }), position("chain", 1, false)); // with the defaults
  assert.equal(fetched.length, 3);
  assert.equal(started, 0);
});

test("everything else is a question to the engine", async () => {
  const setup = { game: "chain", board: "5x5", adjacency: "king", starts: 1, swap: false, moves: [] };
  const other = [
    { setup: { ...setup, moves: ["3,3"] } },
    { setup: { ...setup, board: "5x6" } },
    { setup: { ...setup, definition: { name: "chain" } } },
    { setup: { ...setup, position: "x" } },
    { setup, text: "3,3" },
    { record: "[Game]" },
  ];
  for (const body of other) assert.deepEqual(await api("/api/position", { body }), { from: "engine" });
  assert.deepEqual(await api("/api/lessons/unknown"), { from: "engine" }); // which says what is wrong
  assert.deepEqual(await api("/api/games/g/record", { token: "secret" }), { from: "engine" });
  assert.deepEqual(await api("/api/games", { body: { setup } }), { from: "engine" });
  assert.deepEqual(asked.slice(0, other.length).map((one) => one.body), other);
  assert.deepEqual(asked.slice(other.length).map(({ method, path, token }) => [method, path, token]), [
    ["GET", "/api/lessons/unknown", undefined],
    ["GET", "/api/games/g/record", "secret"],
    ["POST", "/api/games", undefined],
  ]);
  assert.equal(started, 1);
});

test("a refusal has the engine's own words", async () => {
  refused = [422, '{"error":"puzzle","words":"It is no puzzle."}'];
  await assert.rejects(api("/api/puzzle", { body: {} }), { code: "puzzle", message: "It is no puzzle." });
  refused = [500, "{}"];
  await assert.rejects(api("/api/puzzle", { body: {} }), { code: "broken", message: "Something went wrong." });
});
