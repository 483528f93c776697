// Tests of the one-sentence status of a game, as players and spectators read it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { installPage } from "./page.js";

installPage();
const { Match } = await import("../../src/gridlock/web/static/match.js");
const { swapNote } = await import("../../src/gridlock/web/static/announcements.js");
const { waitWords } = await import("../../src/gridlock/web/static/presence.js");
const { mute } = await import("../../src/gridlock/web/static/storage.js");
const { titled } = await import("../../src/gridlock/web/static/notifications.js");

const WORDS = "Grace (O) is to move.";

/** Return a game between Ada and Grace, as shown to a user who controls the given seats (none, one or both). */
function match(seats, more = {}, may = []) {
  const one = new Match({ game: "g", token: "t", ply: null });
  const players = ["Ada", "Grace"].map((name, index) => ({ player: index + 1, name, mark: "XO"[index], kind: "person", joined: true }));
  one.state = { words: WORDS, outcome: null, opponent: "link", players, moves: [], you: { seats, may }, ...more };
  return one;
}

const ended = (winner, termination, both = false) => ({ outcome: { winner, loser: 3 - winner, termination, words: WORDS, both } });

test("the player to move reads 'Your turn', others read the server's words", () => {
  assert.equal(match([1], {}, ["move"]).words, "Your turn.");
  assert.equal(match([1]).words, WORDS);
  assert.equal(match([]).words, WORDS);
  assert.equal(match([1, 2], {}, ["move"]).words, WORDS); // the name matters if both players share a screen
});

test("the end of a game addresses the winner or the loser, with the reason", () => {
  const cases = {
    stuck: ["You win: Grace has no move left.", "You lose: you have no move left."],
    resigned: ["You win: Grace resigned.", "You lose: you resigned."],
    time: ["You win: Grace ran out of time.", "You lose: you ran out of time."],
    left: ["You win: Grace left.", "You lose: you left."],
  };
  for (const [termination, [won, lost]] of Object.entries(cases)) {
    assert.equal(match([1], ended(1, termination)).words, won);
    assert.equal(match([1], ended(2, termination)).words, lost);
    assert.equal(match([2], ended(2, termination)).words, won.replace("Grace", "Ada"));
    for (const seats of [[], [1, 2]]) assert.equal(match(seats, ended(1, termination)).words, WORDS);
  }
});

test("the result of a game has a title and one sentence that says why, for everyone", () => {
  const told = (...given) => Object.values(match(...given).ending);
  assert.deepEqual(told([], ended(2, "time")), ["Grace wins", "Ada ran out of time."]);
  assert.deepEqual(told([1, 2], ended(1, "stuck")), ["Ada wins", "Grace has no move left."]);
  assert.deepEqual(told([1], ended(1, "stuck", true)), ["You win", "neither player has a move left, and you moved last."]);
  assert.deepEqual(told([1], ended(2, "stuck", true)), ["You lose", "neither player has a move left, and Grace moved last."]);
  const computer = { opponent: "easy", players: [{ name: "Ada", kind: "person" }, { name: "Computer, easy", kind: "easy" }] };
  assert.deepEqual(told([1], { ...computer, ...ended(1, "stuck") }), ["You win", "the computer has no move left."]);
  assert.equal(match([1], { ...computer, ...ended(1, "stuck") }).words, "You win: the computer has no move left.");
  assert.deepEqual(told([], { ...computer, opponent: "levels", ...ended(1, "stuck") }), ["Ada wins", "Computer, easy has no move left."]);
  assert.deepEqual(told([1], { cancelled: true, words: "The game was cancelled." }), ["Game cancelled", "The game was cancelled."]);
  assert.equal(match([1]).ending, null);
});

test("the engine is not available while two people play each other online", () => {
  assert.ok(!match([1], {}, ["move"]).mayHint);
  assert.ok(match([1], { opponent: "easy" }, ["move"]).mayHint);
  assert.ok(!match([1], { opponent: "easy" }).mayHint);
  assert.ok(match([1], ended(1, "stuck")).mayAnalyse);
});

test("a cancelled game is over, and the opponent's requests for a takeback can be muted", () => {
  assert.ok(!match([1], { cancelled: false }).isOver);
  assert.ok(match([1], { cancelled: true }).isOver);
  const offer = (what, player) => ({ offer: { what, player, words: "" } });
  const isShown = (seats, what, player) => match(seats, offer(what, player)).offer !== null;
  assert.ok(isShown([1], "takeback", 2));
  mute(true);
  assert.ok(!isShown([1], "takeback", 2));
  assert.ok(isShown([2], "takeback", 2)); // the user's own
  assert.ok(isShown([1], "rematch", 2));
  assert.ok(isShown([], "takeback", 2)); // a spectator cannot be nagged
  mute(false);
});

test("a long wait is given in hours", () => {
  assert.equal(waitWords(42_000), "0:42");
  assert.equal(waitWords(59_999), "1:00");
  assert.equal(waitWords(86_399_000), "24 hours");
});

test("the opponent's swap gets a note, the user's own does not", () => {
  const swap = [{ kind: "swap", player: 2, words: "Grace takes over the other side" }];
  assert.equal(swapNote(match([1]).state, swap)?.words, "Grace takes over the other side. You now play X.");
  assert.equal(swapNote(match([2]).state, swap), null);
  assert.equal(swapNote(match([1, 2]).state, swap), null);
  assert.equal(swapNote(match([1]).state, [{ kind: "move", player: 2 }]), null);
});

test("the title of a hidden page shows that it is your turn", () => {
  assert.equal(titled("Chain", false), "Chain · GridLock");
  assert.equal(titled("Chain", true), "Your turn · Chain · GridLock");
  document.hidden = true;
  assert.equal(titled("Chain", true), "● Your turn · Chain · GridLock");
  assert.equal(titled("Chain", false), "Chain · GridLock");
});
