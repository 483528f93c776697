// Tests of links: the contents of every link can be read back, and anything else is rejected with a message.

import assert from "node:assert/strict";
import { test } from "node:test";
import { dice, installPage, seed } from "./page.js";
import {
  designLink, full, gameLink, isLocal, learnAddress, openLink, ownGameLink, readAt, readDefinition, readGame, readOwn, readSetup, setupLink,
} from "../../src/gridlock/web/static/links.js";

installPage();
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
const ODD = ["/", "#", "%", "&", "?", "_", " ", "\"", "é", "孤", "👩‍👧", "\u2028", "\\"];

/** Return a random setup that a server could send. */
function anySetup(roll) {
  const text = () => Array.from({ length: 1 + roll(8) }, () => (roll(2) ? ODD[roll(ODD.length)] : LETTERS[roll(62)])).join("");
  const number = () => 1 + roll(30);
  return {
    game: `g${LETTERS[26 + roll(26)]}_${roll(99)}`,
    board: `${number()}x${number()}`,
    adjacency: roll(2) ? "king" : "orthogonal",
    starts: 1 + roll(2),
    swap: roll(2) === 1,
    moves: Array.from({ length: roll(40) }, () => (roll(9) ? `${number()},${number()}` : "swap")),
    definition: roll(2) ? { title: text(), shape: { closes_own: roll(2) === 1 }, words: [text(), text()] } : undefined,
    position: roll(3) ? undefined : text(),
  };
}

test("a setup can be read back from every kind of link", () => {
  const start = seed();
  const roll = dice(start);
  for (let round = 0; round < 2000; round += 1) {
    const setup = anySetup(roll);
    const hash = setupLink(setup).slice("/analyse".length);
    assert.deepEqual(readSetup(hash), setup);
    for (const page of ["/analyse", "/review", "/embed"]) {
      const link = openLink(page, setup);
      assert.ok(link.startsWith(`${page}?at=`));
      const { search, hash: rest } = new URL(link, "http://localhost"); // as a browser parses it
      assert.equal(rest, "");
      assert.deepEqual(readAt(search), setup);
      assert.deepEqual(readAt(`${search}&theme=dark`), setup);
    }
    if (setup.definition) {
      assert.deepEqual(readDefinition(new URL(designLink(setup.definition), "http://localhost").hash), setup.definition);
      const own = new URL(ownGameLink(setup.definition), "http://localhost");
      assert.equal(own.pathname + own.search, "/"); // the server never sees the game
      assert.deepEqual(readOwn(own), setup.definition);
    }
  }
});

test("a game link can be read back, with and without a ply", () => {
  const roll = dice(seed());
  const token = (length) => Array.from({ length }, () => LETTERS[roll(64)]).join("");
  for (let round = 0; round < 500; round += 1) {
    const [game, secret, ply] = [token(22), token(32), roll(2) ? roll(99_999) : null];
    const link = new URL(gameLink(game, secret, ply), "http://localhost");
    assert.equal(link.pathname + link.search, "/play"); // the server never sees the token
    assert.deepEqual(readGame(link.hash), { game, token: secret, ply });
  }
});

test("an incomplete link opens no game", () => {
  const whole = gameLink("g".repeat(22), "t".repeat(32), 12345).slice("/play".length);
  for (let length = 0; length < whole.length; length += 1) {
    const found = readGame(whole.slice(0, length));
    const isToTheToken = length === 56; // "#", 22 characters, "/", 32 characters: a game without its ply
    const isShorterPly = length > 57;
    assert.equal(found !== null, isToTheToken || isShorterPly, whole.slice(0, length));
  }
  for (const wrong of ["", "#", "#take/x", `${whole}/1`, `${whole}x`, `#${"g".repeat(22)}/${"t".repeat(33)}`]) assert.equal(readGame(wrong), null);
});

test("an unreadable position link throws an error that says so", () => {
  const unreadable = { message: "This position link can't be read. The link may have been cut off when copied." };
  for (const wrong of ["#showdown", "#showdown/5x5", "#showdown/5x5/king/3/0/", "#showdown/5x5/king/1/2/", "#showdown/5x/king/1/0/", "#a/5x5/king/1/0/%E0%A4%A", "#a/5x5/king/1/0//{half"]) {
    assert.throws(() => readSetup(wrong), unreadable, wrong);
  }
  assert.throws(() => readSetup(""), { message: "This page needs a link with a game or a position." });
  assert.throws(() => readSetup("#"), { message: "This page needs a link with a game or a position." });
  assert.throws(() => readAt("?theme=dark"), { message: "This page needs a link with a game or a position." });
  assert.throws(() => readAt("?at=half"), unreadable);
});

test("an unreadable design is null", () => {
  for (const wrong of ["", "#", "#%7Bhalf", "#7", "#%E0", "#null", "#[]"]) assert.equal(readDefinition(wrong), null, wrong);
});

test("an incomplete link to an own game throws an error that says so, and other links to the start page have none", () => {
  const whole = ownGameLink({ name: "hermit", shape: { closes_own: true } }).slice(1);
  for (let length = "#own=".length; length < whole.length; length += 1) {
    assert.throws(() => readOwn({ hash: whole.slice(0, length) }), /can't be read/);
  }
  for (const hash of ["", "#", "#name=Ada", "#ownership"]) assert.equal(readOwn({ hash }), null);
});

test("links contain the address at which other machines reach the server", () => {
  assert.ok(isLocal());
  assert.equal(full("/play"), "http://localhost:8000/play");
  learnAddress("http://192.168.7.5:8000");
  assert.ok(!isLocal());
  assert.equal(full("/play"), "http://192.168.7.5:8000/play");
  for (const [hostname, isOwn] of [["127.0.0.1", true], ["127.9.8.7", true], ["[::1]", true], ["127.0.0.1.example.org", false], ["games.example", false]]) {
    globalThis.location = { hostname, origin: `http://${hostname}` };
    assert.equal(full("/x"), isOwn ? "http://192.168.7.5:8000/x" : `http://${hostname}/x`);
  }
  learnAddress("");
});
