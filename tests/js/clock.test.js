// Tests of the clocks: formatting times, and counting down between the server's messages.

import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Clocks, clockWords, shown } from "../../src/gridlock/web/static/clock.js";

test("times are formatted as on a clock", () => {
  const cases = [
    [-5, "0:00.0"], [0, "0:00.0"], [1, "0:00.1"], [100, "0:00.1"], [101, "0:00.2"], [999, "0:01.0"], [9_950, "0:10.0"],
    [19_900, "0:19.9"], [19_999, "0:20.0"], [20_000, "0:20"], [20_001, "0:21"], [59_999, "1:00"], [60_000, "1:00"],
    [61_000, "1:01"], [3_599_001, "1:00:00"], [3_600_000, "1:00:00"], [35_999_000, "9:59:59"], [36_000_000, "10:00:00"],
  ];
  for (const [milliseconds, text] of cases) assert.equal(shown(milliseconds), text, String(milliseconds));
});

test("a clock never jumps up while it runs down", () => {
  const seconds = (text) => text.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
  let before = Number.POSITIVE_INFINITY;
  for (let left = 3_700_000; left >= 0; left -= 37) {
    const now = seconds(shown(left));
    assert.ok(now <= before, `${left}: ${shown(left)}`);
    assert.ok(now >= left / 1000 && now - left / 1000 <= 1, `${left}: ${shown(left)}`); // rounded up, so that a clock never shows zero too early
    before = now;
  }
});

test("a time control is described in words", () => {
  assert.equal(clockWords({ seconds: 60, increment: 0 }), "1 min");
  assert.equal(clockWords({ seconds: 180, increment: 2 }), "3 min + 2 s per move");
  assert.equal(clockWords({ seconds: 90, increment: 0 }), "90 s");
  assert.equal(clockWords({ seconds: 5, increment: 600 }), "5 s + 600 s per move");
});

test("only the running clock counts down, after the wait, and never below zero", () => {
  const clocks = new Clocks();
  assert.equal(clocks.left(1), null);
  let now = 1000;
  const time = mock.method(performance, "now", () => now);
  clocks.receive({ clock: { seconds: 60, increment: 0, left: [30_000, 20_000], runs: 1, wait: 500 } });
  for (const [later, first] of [[0, 30_000], [500, 30_000], [1500, 29_000], [30_500, 0], [99_000, 0]]) {
    now = 1000 + later;
    assert.equal(clocks.left(1), first, String(later));
    assert.equal(clocks.left(2), 20_000);
  }
  clocks.receive({ clock: { seconds: 60, increment: 0, left: [30_000, null], runs: null, wait: 0 } });
  now += 5000;
  assert.equal(clocks.left(1), 30_000); // no clock is running
  assert.equal(clocks.left(2), null); // a computer has no clock
  clocks.receive({ clock: null });
  assert.equal(clocks.left(1), null);
  time.mock.restore();
});
