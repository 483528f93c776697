// Tests of the engine in a worker: the order of answers, cancellation, failures, restarts and continued games.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import "./page.js";

const { Engine } = await import("../../src/gridlock/web/static/engine.js");
const { Connection } = await import("../../src/gridlock/web/static/connection.js");

const MOMENT = 15;
/** @type {FakeWorker[]} */
let workers;
let updates;
const kept = new Map();

/** A fake worker that stores one game, and that answers the next question whenever the test tells it to. */
class FakeWorker {
  constructor() {
    Object.assign(this, { received: [], waiting: [], running: null, isStopped: false });
    workers.push(this);
  }

  postMessage(message) {
    assert.ok(!this.isStopped, "a message to a worker that was stopped");
    this.received.push(structuredClone(message));
    if (message.type === "ask") this.waiting.push(message);
    if (message.type === "cancel") this.waiting = this.waiting.filter((one) => one.id !== message.id);
    if (message.type === "kept") this.games = { ...message.entries };
    if (message.type === "send") {
      this.games.game = `${this.games.game ?? ""}${message.message.cell}`;
      this.say({ type: "keep", key: "game", value: this.games.game });
      this.say({ type: "message", id: message.id, message: { type: "accepted", re: message.message.id } });
    }
    if (message.type === "open") this.say({ type: "message", id: message.id, message: { type: "welcome", back: null, moves: this.games.game ?? "" } });
  }

  say(message) {
    if (!this.isStopped) this.onmessage({ data: structuredClone(message) });
  }

  ready() {
    this.say({ type: "ready", seconds: 1 });
  }

  begin() {
    this.running = this.waiting.shift();
    this.say({ type: "begun", id: this.running.id });
  }

  finish(status = 200, body = JSON.stringify({ path: this.running.path })) {
    const { id } = this.running;
    this.running = null;
    this.say({ type: "answer", id, status, kind: "application/json", body });
  }

  /** Answer all pending questions. */
  work() {
    if (this.running) this.finish();
    while (this.waiting.length) {
      this.begin();
      this.finish();
    }
  }

  terminate() {
    this.isStopped = true;
  }

  types() {
    return this.received.map((one) => one.type);
  }
}

function engine() {
  const games = { all: () => Object.fromEntries(kept), keep: (key, value) => (value === null ? kept.delete(key) : kept.set(key, value)) };
  return new Engine({ start: () => new FakeWorker(), base: "http://localhost/engine/", games, tell: (update) => updates.push(update.type), moment: MOMENT });
}

const ask = (one, path, signal) => one.ask({ method: "GET", path, signal });
const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));
const isAborted = { name: "AbortError" };

/** Return 0 if an engine is idle, or a positive number if it still has questions, messages or open connections. */
function leftovers(one) {
  return one.asked.size + one.waiting.size + one.sockets.size + one.running;
}

beforeEach(() => {
  workers = [];
  updates = [];
  kept.clear();
});

test("questions wait for the engine, and are answered in their order", async () => {
  const one = engine();
  assert.equal(workers.length, 0); // nothing is loaded before it is needed
  const paths = ["/api/a", "/api/b?x=1", "/api/c"];
  const answers = paths.map((path) => ask(one, path));
  assert.deepEqual(workers[0].types(), ["start", "kept"]);
  assert.equal(workers[0].received[0].base, "http://localhost/engine/");
  workers[0].say({ type: "progress", done: 1, of: 2 });
  workers[0].ready();
  assert.deepEqual(workers[0].waiting.map((question) => question.path), paths);
  workers[0].work();
  const got = await Promise.all((await Promise.all(answers)).map((answer) => answer.json()));
  assert.deepEqual(got.map((answer) => answer.path), paths);
  assert.deepEqual(updates, ["loading", "progress", "ready"]);
  assert.equal(leftovers(one), 0);
});

test("an answer has the status, the kind and the bytes that the worker sent", async () => {
  const one = engine();
  const picture = ask(one, "/picture.gif");
  const refused = one.ask({ method: "POST", path: "/api/games", body: { setup: {} }, token: "t" });
  workers[0].ready();
  assert.deepEqual(workers[0].received.at(-1), { type: "ask", id: 2, method: "POST", path: "/api/games", body: { setup: {} }, token: "t" });
  workers[0].say({ type: "answer", id: 1, status: 200, kind: "image/gif", body: new Uint8Array([71, 73, 70]) });
  workers[0].say({ type: "answer", id: 2, status: 422, kind: "application/json", body: '{"error":"setup","words":"No."}' });
  assert.equal((await picture).headers.get("Content-Type"), "image/gif");
  assert.deepEqual(new Uint8Array(await (await picture).arrayBuffer()), new Uint8Array([71, 73, 70]));
  assert.equal((await refused).status, 422);
  assert.deepEqual(await (await refused).json(), { error: "setup", words: "No." });
});

test("a question cancelled before the engine is there never reaches it", async () => {
  const one = engine();
  const control = new AbortController();
  const gone = ask(one, "/api/gone", control.signal);
  const stays = ask(one, "/api/stays");
  control.abort();
  await assert.rejects(gone, isAborted);
  await assert.rejects(ask(one, "/api/never", control.signal), isAborted);
  workers[0].ready();
  assert.deepEqual(workers[0].types(), ["start", "kept", "ask"]);
  workers[0].work();
  assert.equal((await stays).status, 200);
});

test("a cancelled question that stops in time costs nothing", async () => {
  const one = engine();
  const control = new AbortController();
  const gone = ask(one, "/api/gone", control.signal);
  const stays = ask(one, "/api/stays");
  workers[0].ready();
  workers[0].begin();
  control.abort();
  await assert.rejects(gone, isAborted);
  assert.equal(workers[0].types().at(-1), "cancel");
  workers[0].finish(499);
  workers[0].work();
  assert.equal((await stays).status, 200);
  await pause(3 * MOMENT);
  assert.equal(workers.length, 1);
  assert.equal(leftovers(one), 0);
});

test("a cancelled question that does not stop costs the worker its place, and the others are asked again", async () => {
  const one = engine();
  const control = new AbortController();
  const gone = ask(one, "/api/gone", control.signal);
  const others = ["/api/b", "/api/c"].map((path) => ask(one, path));
  workers[0].ready();
  workers[0].begin();
  control.abort();
  await assert.rejects(gone, isAborted);
  await pause(3 * MOMENT);
  assert.ok(workers[0].isStopped);
  assert.equal(workers.length, 2);
  workers[1].ready();
  assert.deepEqual(workers[1].waiting.map((question) => question.path), ["/api/b", "/api/c"]);
  workers[1].work();
  assert.deepEqual(await Promise.all(others.map(async (answer) => (await (await answer).json()).path)), ["/api/b", "/api/c"]);
  assert.equal(leftovers(one), 0);
});

test("a question that is wanted is never stopped by the cancelling of another", async () => {
  const one = engine();
  const control = new AbortController();
  const wanted = ask(one, "/api/wanted");
  const gone = ask(one, "/api/gone", control.signal);
  workers[0].ready();
  workers[0].begin();
  control.abort();
  await assert.rejects(gone, isAborted);
  await pause(3 * MOMENT);
  assert.equal(workers.length, 1);
  workers[0].work();
  assert.equal((await wanted).status, 200);
});

test("10,000 cancelled questions leave nothing behind", async () => {
  const one = engine();
  for (let round = 0; round < 10_000; round += 1) {
    const control = new AbortController();
    const { signal } = control;
    const answer = ask(one, "/api/x", signal).catch((error) => error);
    if (round === 100) workers[0].ready();
    if (round > 100 && round % 3 === 0) workers[0].begin();
    if (round > 100 && round % 3 === 1) workers[0].work(); // the answer comes first, so this one is not cancelled
    if (round <= 100 || round % 3 !== 1) control.abort();
    if (round > 100 && round % 3 === 0) workers[0].finish(499);
    await answer;
  }
  await pause(3 * MOMENT);
  assert.equal(leftovers(one), 0);
  assert.equal(workers.length, 1);
  assert.equal(workers[0].waiting.length, 0);
});

test("a failure answers every question with its words, and the next question tries again", async () => {
  const one = engine();
  const answers = ["/api/a", "/api/b"].map((path) => ask(one, path));
  workers[0].say({ type: "failed", words: "The engine needs WebAssembly." });
  for (const answer of answers) {
    assert.equal((await answer).status, 503);
    assert.deepEqual(await (await answer).json(), { error: "engine", words: "The engine needs WebAssembly." });
  }
  assert.ok(workers[0].isStopped);
  const again = ask(one, "/api/a");
  workers[1].ready();
  workers[1].work();
  assert.equal((await again).status, 200);
  assert.deepEqual(updates, ["loading", "failed", "loading", "ready"]);
});

test("a game that changes in another window reaches the worker, if there is one", async () => {
  const one = engine();
  one.update({ game: "1" });
  assert.equal(workers.length, 0);
  const answer = ask(one, "/api/a");
  one.update({ game: "12" });
  workers[0].ready();
  workers[0].work();
  assert.equal((await answer).status, 200);
  assert.deepEqual(workers[0].types(), ["start", "kept", "kept", "ask"]);
  assert.deepEqual(workers[0].games, { game: "12" });
});

test("a worker that breaks is reported in words", async () => {
  const one = engine();
  const answer = ask(one, "/api/a");
  workers[0].onerror();
  assert.match((await (await answer).json()).words, /could not be loaded/);
  assert.equal(leftovers(one), 0);
});

test("a game continues with another worker, and its unanswered move is sent again", async (context) => {
  globalThis.window = { addEventListener() {}, removeEventListener() {} };
  globalThis.document.addEventListener = globalThis.document.removeEventListener = () => {};
  globalThis.sessionStorage = { getItem: () => null, setItem() {} };
  const one = engine();
  const heard = [];
  globalThis.WebSocket = function Socket() {
    return one.socket();
  };
  const ignore = () => {};
  const listeners = { welcome: (message) => heard.push(message.moves), state: ignore, presence: ignore, reaction: ignore, notice: ignore, closed: ignore };
  const connection = new Connection("game", "token", { ...listeners, connected: (yes) => heard.push(yes) });
  context.after(() => connection.end());
  const first = connection.request({ type: "move", cell: 3, ply: 0, line: 0 });
  await pause(0);
  workers[0].ready();
  assert.deepEqual(workers[0].types(), ["start", "kept", "open", "send"]);
  assert.equal((await first).type, "accepted");
  assert.equal(kept.get("game"), "3");
  const control = new AbortController();
  const gone = ask(one, "/api/analyse", control.signal);
  workers[0].begin();
  control.abort();
  await assert.rejects(gone, isAborted);
  await pause(3 * MOMENT);
  const second = connection.request({ type: "move", cell: 5, ply: 1, line: 0 });
  workers[1].ready();
  assert.equal((await second).type, "accepted"); // after the connection's own wait
  assert.deepEqual(workers[1].types().slice(0, 4), ["start", "kept", "open", "send"]);
  assert.equal(kept.get("game"), "35");
  assert.deepEqual(heard, ["", true, false, "3", true]);
  connection.end();
  assert.equal(workers[1].types().at(-1), "shut");
  assert.equal(leftovers(one), 0);
});
