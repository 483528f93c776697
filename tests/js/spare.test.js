// Tests of the fallback engine, which runs in the browser and answers when the server cannot be reached.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { installPage } from "./page.js";

const stored = installPage();
const listeners = new Map();
const lines = []; // the messages that the page shows
globalThis.document.querySelector = (selector) => (selector.includes("spare") ? { getAttribute: () => "engine/" } : selector === "main" ? { before: (line) => lines.push(line) } : null);
globalThis.document.getElementById = (id) => (id === "offline" && lines.length ? { remove: () => lines.pop() } : null);
globalThis.document.body = { append() {} };
globalThis.window = { addEventListener: (name, listener) => listeners.set(name, listener), removeEventListener: (name) => listeners.delete(name) };
Object.defineProperty(globalThis, "navigator", { value: { onLine: true } });
globalThis.location = new URL("http://localhost:8000/play");
mock.timers.enable({ apis: ["setInterval"] });

let server; // the function that answers requests
let asked; // the questions to the engine
globalThis.fetch = async (path) => server(path);
globalThis.Worker = class {
  postMessage(message) {
    if (message.type === "start") setTimeout(() => this.onmessage({ data: { type: "ready", seconds: 1 } }));
    if (message.type !== "ask") return;
    asked.push(message.path);
    this.onmessage({ data: { type: "answer", id: message.id, status: 200, kind: "application/json", body: '{"from":"engine"}' } });
  }
};
const { api } = await import("../../src/gridlock/web/static/api.js");
const { hasSpare, isSite } = await import("../../src/gridlock/web/static/address.js");

const BODY = { setup: { game: "chain" } };
const up = () => Response.json({ from: "server" });
const down = () => {
  throw new TypeError("Failed to fetch");
};
const settled = () => new Promise((resolve) => setTimeout(resolve));

async function comeBack() {
  server = up;
  mock.timers.tick(4000);
  await settled();
}

beforeEach(() => {
  server = up;
  asked = [];
});

test("the server answers while it can be reached", async () => {
  assert.deepEqual([hasSpare, isSite], [true, false]);
  assert.deepEqual(await api("/api/analyse", { body: BODY }), { from: "server" });
  assert.deepEqual([asked, lines], [[], []]);
});

test("the engine answers while it can't be reached, and the page says so", async () => {
  for (const broken of [down, () => new Response("Bad gateway", { status: 502 })]) {
    server = broken;
    assert.deepEqual(await api("/api/analyse", { body: BODY }), { from: "engine" });
    assert.match(lines[0].children[0], /^The server can't be reached. You can still play/);
    server = () => assert.fail("it is not asked again");
    assert.deepEqual(await api("/api/puzzle/try", { body: BODY }), { from: "engine" });
    await comeBack();
    assert.deepEqual(lines, []);
    assert.deepEqual(await api("/api/analyse", { body: BODY }), { from: "server" });
  }
});

test("answers that the service worker keeps come from there", async () => {
  server = down;
  await api("/api/analyse", { body: BODY });
  server = up;
  assert.deepEqual(await api("/api/lessons/chain"), { from: "server" });
  assert.equal(lines.length, 1); // it is no sign of the server
  await comeBack();
});

test("what other people take part in is never asked of the engine", async () => {
  server = down;
  await assert.rejects(api("/api/lobby"), { code: "network" });
  await assert.rejects(api("/api/games", { body: { ...BODY, opponent: "link" } }), { code: "network" });
  await assert.rejects(api("/api/games/theirs", { token: "secret" }), { code: "network" });
  assert.deepEqual([asked, lines], [[], []]);
});

test("a game that was begun here stays here", async () => {
  stored.set("gridlock.engine.game/mine", "{}");
  assert.deepEqual(await api("/api/games/mine/record", { token: "secret" }), { from: "engine" });
  assert.deepEqual(await api("/api/games/theirs", { token: "secret" }), { from: "server" });
  assert.deepEqual([asked, lines], [["/api/games/mine/record"], []]);
});

test("a refusal is an answer, and a cancelled request is no sign", async () => {
  server = () => Response.json({ error: "busy", words: "Too busy." }, { status: 503 });
  await assert.rejects(api("/api/analyse", { body: BODY }), { message: "Too busy." });
  const cancelling = new AbortController();
  server = () => {
    cancelling.abort();
    throw cancelling.signal.reason;
  };
  await assert.rejects(api("/api/analyse", { body: BODY, signal: cancelling.signal }), { name: "AbortError" });
  assert.deepEqual([asked, lines], [[], []]);
});
