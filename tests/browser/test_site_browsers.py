"""Tests of a static site in all browsers: the engine without a server, and offline visits."""

import json
import time
from typing import Any

import pytest
from browser_settings import DEEP_STATIC
from browser_static import StaticSite
from browser_visitor import Site
from browser_windows import PATIENCE, Window
from test_other_browsers import play_to_the_end

pytestmark = pytest.mark.slow
START = ".cell.playable"
everywhere = pytest.mark.parametrize("setting", DEEP_STATIC, indirect=True)


def awaited(window: Window, script: str) -> Any:
    """Run an asynchronous function on the page, and return its result."""
    keep = "(told) => { outcome = [told]; }, (error) => { outcome = [null, String(error)]; }"
    window.evaluate(f"(globalThis.outcome = null, void ({script})().then({keep}), 0)")
    told, *errors = window.wait("outcome")
    assert not errors, errors
    return told


# The states of the service workers, and the number of files in each cache.
SERVICE_WORKERS = """async () => {
  const known = await navigator.serviceWorker.getRegistrations();
  const stateOf = (worker) => worker?.state ?? "";
  const caching = async (name) => [name, (await (await caches.open(name)).keys()).length];
  return [
    stateOf(navigator.serviceWorker.controller),
    known.map((one) => [one.installing, one.waiting, one.active].map(stateOf)),
    await Promise.all((await caches.keys()).map(caching)),
  ];
}"""


def until_stored(window: Window) -> None:
    """Wait until the page works offline."""
    if not window.evaluate("Boolean(navigator.serviceWorker)"):
        pytest.skip("this browser has no service workers in a private window")
    stored = (
        "async () => [Boolean(navigator.serviceWorker.controller && await caches.match('engine/pyodide.asm.wasm'))]"
    )
    deadline = time.monotonic() + PATIENCE
    while not awaited(window, stored)[0]:
        assert time.monotonic() < deadline, f"not stored: {awaited(window, SERVICE_WORKERS)}"
        time.sleep(0.1)


ENGINE = """
  const { Engine } = await import("./static/engine.js");
  const base = new URL("engine/", location.href).href;
  const games = { all: () => ({}), keep() {} };
  let started = 0;
  const restored = [];
  const start = () => (started++, new Worker("static/engine-worker.js", { type: "module" }));
  const tell = (update) => update.type === "ready" && restored.push(update.isRestored);
  const made = (moment) => new Engine({ start, base, games, tell, moment });
  const ask = (engine, path, setup, signal) => engine.ask({ method: "POST", path, body: { setup }, signal });
  const pause = () => new Promise((resolve) => setTimeout(resolve, 20));
"""
TWICE = f"""async () => {{ {ENGINE}
  await caches.delete("engine-snapshots"); // verdicts are compared, because distances depend on time
  const answers = [];
  for (const _ of [1, 2]) {{
    const engine = made(2000);
    const {{ analysis }} = await (await ask(engine, "/api/analyse", {{ game: "trails", board: "4x5" }})).json();
    answers.push([analysis.verdict, ...analysis.moves.map((move) => [move.cell, move.verdict])]);
    while (!(await (await caches.open("engine-snapshots")).keys()).length) await pause();
    engine.stop();
  }}
  return [answers, restored];
}}"""
CANCELLED = f"""async () => {{ {ENGINE}
  const engine = made(100);
  await ask(engine, "/api/position", {{ game: "chain" }});
  const [long, waiting] = [new AbortController(), new AbortController()];
  const analyse = (game, board, signal) => ask(engine, "/api/analyse", {{ game, board }}, signal);
  const first = analyse("scatter", "9x9", long.signal).catch((error) => error.name);
  const second = analyse("trails", "9x9", waiting.signal).catch((error) => error.name);
  const third = analyse("chain", "3x3");
  while (!engine.running) await pause();
  waiting.abort();
  long.abort();
  return [await first, await second, (await (await third).json()).analysis.verdict, started];
}}"""


@everywhere
def test_the_second_start_is_restored_and_answers_the_same(window: Window) -> None:
    window.open("/404", "main")
    answers, restored = awaited(window, TWICE)
    assert restored == [False, True]
    assert answers[0] == answers[1]
    assert answers[0][0] in ("win", "loss")


@everywhere
def test_a_cancelled_question_costs_the_worker_its_place(window: Window) -> None:
    window.open("/404", "main")
    assert awaited(window, CANCELLED) == ["AbortError", "AbortError", "win", 2], "the waiting question is repeated"


@everywhere
def test_hints_undo_and_a_record_out_and_in(window: Window) -> None:
    window.open("/", START)
    window.click("#board [data-cell='12']")
    window.count_is("#moves button", 2)  # on the page of the game, with the computer's answer
    window.sees("#status.mine")
    window.press("h")
    window.sees("#hint button", "Close the hint")  # if every move wins, there is no "Where?"
    window.press("u")
    window.count_is("#moves button", 0)
    window.click(START)
    window.count_is("#moves button", 2)
    window.evaluate("(URL.createObjectURL = (blob) => (blob.text().then((text) => { saved = text; }), '#'), 0)")
    window.evaluate("(globalThis.saved = '', HTMLAnchorElement.prototype.click = () => undefined, 0)")
    window.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    window.click("button", "Download record")
    record = window.wait("saved")
    window.open("/analyse", "#verdict[aria-busy=false]")
    window.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    window.evaluate(f"(document.querySelector('#pasted').value = {json.dumps(record)}, 0)")
    window.click("button", "Load it")
    window.count_is("#moves button", 2)


@everywhere
def test_a_design_is_saved_and_played(window: Window) -> None:
    window.open("/design", "#board .win")
    window.click("button", "More ways to play")  # which saves the design
    window.sees(".game.own")
    window.click("label:has(input[value=random])")
    window.click("#start")
    window.sees("#players")
    assert play_to_the_end(window)


@everywhere
@pytest.mark.new_browser("WebKit empties a site's caches between windows, but keeps its service worker")
def test_a_visit_without_a_network(window: Window, place: Site) -> None:
    assert isinstance(place, StaticSite)
    window.open("/analyse?at=showdown/4x4/king/1/0/2,2", "#board .win, #board .loss")
    until_stored(window)
    place.stop()
    try:
        window.open("/analyse?at=trails/4x4/king/1/0/1,1", "#verdict[aria-busy=false]")
        window.sees("#board .win, #board .loss")
        window.open("/lessons?game=chain&lesson=2", "#course button")
        window.click("[data-cell='0']")
        window.sees("#words", "Right!")
        window.open("/", START)
        window.click("label:has(input[value=random])")
        window.click("#start")
        window.sees("#players")
        assert play_to_the_end(window)
        window.click(":is(#result, #actions) button", "Review")
        window.sees("#review .swing")
        window.open("/puzzles", "#actions button")
        window.open("/design", "#board .win")
        assert not window.count("#engine")
    finally:
        place.serve()
