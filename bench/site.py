"""Measure how quickly the static site answers in Chromium, and how many bytes its pages load.

The script measures how long it takes to show the first board, to show the first exact answer, and to analyse large
boards.

    python -m bench.site              all figures, the best of three runs
    python -m bench.site --runs 1     less steady figures, in a third of the time
    python -m bench.site --no-boards  without the large boards

The script needs Chromium, Playwright (in the `test-all` extra) and, for its first run, npm. Seconds are wall-clock time
from the start of the navigation; CPU seconds cover all of the browser's processes. Other work on the machine can only
increase these times, so the script reports the shortest time of several runs. The exit code is 1 if a target is missed.
"""

import argparse
import gzip
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserType, Page, Request, sync_playwright

from gridlock.web.static_site.downloads import fetched
from gridlock.web.static_site.folder import Files, site, write_site

CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
BOARD, ANSWER = ".cell.playable", "#board .win, #board .loss"
POSITION = "analyse.html?at=showdown/5x5/king/1/0/3,3"
PAGES = ("", POSITION, "puzzles.html", "lessons.html", "atlas.html", "design.html", "games.html")
LARGE = ["keepaway 9x9", "chain 10x10", "scatter 9x9", "trails 9x9", "showdown 9x9"]
STORED = """(async () => {
  const snapshots = await (await caches.open("engine-snapshots")).keys();
  const wasm = await caches.match("engine/pyodide.asm.wasm");
  return Boolean(navigator.serviceWorker.controller && wasm && snapshots.length);
})()"""
TARGETS = {"first board": 1, "first exact answer, cold": 6, "first exact answer, warm": 2}  # seconds
PATIENCE = 120_000  # milliseconds
# Records when an element first appears, in milliseconds since the navigation began.
NOTE = """(selector) => {
  const look = () => {
    if (document.querySelector(selector)) globalThis.first = performance.now();
    else setTimeout(look, 5);
  };
  look();
}"""
ASK = """async (boards) => {
  const { Engine } = await import("./static/engine.js");
  const start = () => new Worker("static/engine-worker.js", { type: "module" });
  const games = { all: () => ({}), keep() {} };
  const engine = new Engine({ start, base: new URL("engine/", location.href).href, games });
  const ask = async (game, board) => {
    const began = performance.now();
    const answer = await engine.ask({ method: "POST", path: "/api/analyse", body: { setup: { game, board } } });
    const { analysis } = await answer.json();
    return [(performance.now() - began) / 1000, analysis.verdict !== "unknown"];
  };
  await ask("chain", "2x2");
  const all = [];
  for (const one of boards) all.push(await ask(...one.split(" ")));
  return all;
}"""


class Cost(NamedTuple):
    """The wall-clock time and the CPU time of an action, in seconds."""

    wall: float
    cpu: float


@contextmanager
def served(made: Files) -> Iterator[str]:
    """Write the site into a folder, and serve it."""
    with tempfile.TemporaryDirectory() as folder:
        write_site(Path(folder, "site"), made)
        command = [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1"]
        quiet = subprocess.DEVNULL
        server = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=quiet, text=True)
        try:
            assert server.stdout
            yield f"http://127.0.0.1:{int(server.stdout.readline().split(' port ')[1].split()[0])}/site/"
        finally:
            server.terminate()
            server.wait()


def spent(page: Page) -> dict[int, float]:
    """Return the CPU time, in seconds, that each of the browser's processes has used."""
    browser = page.context.browser
    assert browser
    session = browser.new_browser_cdp_session()
    found: list[dict[str, Any]] = session.send("SystemInfo.getProcessInfo")["processInfo"]
    session.detach()
    return {one["id"]: one["cpuTime"] for one in found}


def opened(page: Page, address: str, wanted: str) -> Cost:
    """Open a page, and return the wall-clock time and the CPU time that the page takes to show an element."""
    before = spent(page)
    page.goto(address, wait_until="commit")
    page.evaluate(NOTE, wanted)
    page.wait_for_selector(wanted)
    wall: float = page.evaluate("first")
    after = spent(page)
    return Cost(wall / 1000, sum(cpu - before.get(one, 0.0) for one, cpu in after.items()))


def visits(kind: BrowserType, site: str) -> dict[str, Cost]:
    """Measure how long visitors wait for a board and for an answer.

    The wait for an answer is measured separately for new and returning visitors. The wait for a board is measured
    only for new visitors.
    """
    with profile(kind) as page:
        board = opened(page, site, BOARD)
    with profile(kind) as page:
        cold = opened(page, site + POSITION, ANSWER)
        until = time.monotonic() + PATIENCE / 1000
        while not page.evaluate(STORED) and time.monotonic() < until:
            page.wait_for_timeout(100)
        page.reload()  # the first page that the service worker controls, as usual from now on
        page.wait_for_selector(ANSWER)
        page.wait_for_timeout(3000)  # time for the browser to store its compiled code
        warm = opened(page, site + POSITION, ANSWER)
    return {"first board": board, "first exact answer, cold": cold, "first exact answer, warm": warm}


@contextmanager
def profile(kind: BrowserType) -> Iterator[Page]:
    """Start a browser with a profile on disk, because browsers store less data in a private profile."""
    program = next(filter(None, map(shutil.which, CHROMIUM)), None)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        context = kind.launch_persistent_context(folder, executable_path=program, args=["--no-sandbox"])
        context.set_default_timeout(PATIENCE)
        yield context.pages[0]
        context.close()


def weight(browser: Browser, site: str, made: Files) -> dict[str, int]:
    """Return how many compressed bytes each page loads before it loads the engine."""
    weights = {}
    for path in PAGES:
        context = browser.new_context(service_workers="block")
        page = context.new_page()
        asked: list[str] = []
        page.on("request", partial(_note, asked))
        page.route("**/engine/*", lambda route: route.abort())
        page.goto(site + path, wait_until="networkidle")
        context.close()
        names = {urlsplit(url).path.removeprefix("/site/") or "index.html" for url in asked}
        loaded = {name for name in names if not name.startswith("engine/")} & set(made)
        weights[path.partition("?")[0] or "index.html"] = sum(len(gzip.compress(made[name])) for name in loaded)
    return weights


def _note(asked: list[str], request: Request) -> None:
    asked.append(request.url)


def large(browser: Browser, site: str) -> list[tuple[float, bool]]:
    """Return how long an analysis of each large board takes, and whether it finds the winner."""
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(f"{site}404.html")
    return [(seconds, solved) for seconds, solved in page.evaluate(ASK, LARGE)]


def main() -> int:
    """Measure and print everything, and compare it with the targets."""
    parser = argparse.ArgumentParser(description="The site without a server, in Chromium.")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--no-boards", action="store_true", help="leave the large boards out")
    parser.add_argument("--downloads", type=Path, help="as for gridlock site")
    asked = parser.parse_args()
    made = site(*fetched(asked.downloads))
    program = next(filter(None, map(shutil.which, CHROMIUM)), None)
    with served(made) as address, sync_playwright() as playwright:
        results = [visits(playwright.chromium, address) for _ in range(asked.runs)]
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        pages = weight(browser, address, made)
        boards = [] if asked.no_boards else large(browser, address)
        browser.close()
    missed = 0
    for what, target in TARGETS.items():
        least = Cost(min(one[what].wall for one in results), min(one[what].cpu for one in results))
        missed += least.wall > target
        print(f"{what}: {least.wall:.2f} s, {least.cpu:.2f} s CPU (target: {target} s)")
    name, most = max(pages.items(), key=lambda one: one[1])
    total = sum(len(gzip.compress(body)) for body in made.values())
    missed += (most > 100 * 1024) + (total > 9_000_000)
    print(f"page before the engine: {most / 1024:.0f} KiB compressed ({name}, the largest; target: 100 KiB)")
    print(f"everything: {total / 1e6:.1f} MB compressed (target: 9 MB)")
    for board, (seconds, solved) in zip(LARGE, boards, strict=False):
        print(f"analysis of {board}: {seconds:.1f} s, the winner {'is known' if solved else 'is not known'}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
