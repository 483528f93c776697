"""A simulated person who uses pages in a browser, and watches for errors and warnings."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

pytest.importorskip("playwright", reason="playwright is not installed (the test-all extra)")
pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed (the test-all extra)")
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import (
    Browser,
    BrowserContext,
    BrowserType,
    ConsoleMessage,
    Error,
    Locator,
    Page,
    Request,
    expect,
)

from gridlock.core.game import Game
from gridlock.core.grid import cells_of
from gridlock.core.rules import variant
from tiers import mostly_deep

PATIENCE = 60_000  # milliseconds until a test gives up waiting: machines that test are busy
WITHOUT = ["gpu", "quic", "background-networking", "component-update", "sync"]
# Chromium's headless shell uses half the processor time of the full browser.
CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
ARGUMENTS = ["--no-sandbox", "--no-first-run", *(f"--disable-{what}" for what in WITHOUT)]
GAMES = ["keepaway", "chain", "scatter", "trails", "showdown"]
# The games for tests that play a whole game: one with markers and one with pawns, or all five in the deep tier.
SOME_GAMES = mostly_deep(GAMES, "showdown", "trails")


def launched(kind: BrowserType, names: tuple[str, ...] = CHROMIUM, **options: Any) -> Browser:
    """Debian's Chromium, headless."""
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        pytest.skip(f"no Chromium is installed (Debian: apt-get install {names[0]})")
    return kind.launch(executable_path=found, args=ARGUMENTS, **options)


def played(game: str, board: str, count: int) -> dict[str, Any]:
    """Return the setup of a game with this many moves, each on the first available cell."""
    chosen = variant(game, board)
    going = Game(chosen)
    while len(going.moves) < count:
        going.push(cells_of(going.legal)[0])
    return {"game": game, "board": board, "moves": [chosen.name(move) for move in going.moves]}


def until(page: Page, condition: str) -> None:
    """Wait for a condition by polling, because the page's security policy forbids Playwright's own method."""
    for _ in range(PATIENCE // 100):
        try:
            if page.evaluate(condition):
                return
        except Error as error:
            if "context was destroyed" not in error.message:  # the page is being replaced by another
                raise
        page.wait_for_timeout(100)
    pytest.fail(f"never: {condition}")


class Site:
    """A real server on a free local port."""

    program: tuple[str, ...] = ("-m", "gridlock")
    kept: dict[str, str] = {}  # noqa: RUF012  # what a browser must store before it opens a page; a server saves games
    online = True  # whether two people can play by link

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder = folder
        self.options = options
        self.port = 0
        self.process: subprocess.Popen[str]
        self.start()

    def start(self) -> None:
        """Start the server, on its previous port if it had one."""
        limits = [f"--{what}-per-client=100000" for what in ("games", "connections", "thinking")]
        command = [
            sys.executable,
            *self.program,
            "serve",
            "--port",
            str(self.port),
            "--share-per-client=100",
            *limits,
            *self.options,
        ]
        env = os.environ | {"GRIDLOCK_HOME": str(self.folder)}
        env.pop("COVERAGE_PROCESS_CONFIG", None)  # the server's own tests measure coverage
        with (self.folder / "log").open("a") as log:
            self.process = subprocess.Popen(
                command,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env=env,
            )
        assert self.process.stdout
        line = self.process.stdout.readline()
        found = re.search(r"http://[\d.]+:(\d+)", line)
        assert found, f"the server says {line!r}; its log: {(self.folder / 'log').read_text()[-2000:]}"
        self.address, self.port = found[0], int(found[1])

    def stop(self) -> None:
        """Stop the server as an operator would."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(20)
        assert self.process.stdout
        self.process.stdout.close()

    def url(self, path: str) -> str:
        """Return the address of a page."""
        return self.address + path

    def puzzle(self, day: str) -> dict[str, Any]:
        """Return the daily puzzle."""
        with urllib.request.urlopen(f"{self.address}/api/puzzle?day={day}", timeout=30) as response:
            answer: dict[str, Any] = json.load(response)
        return answer

    def ask(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Post a JSON body to the HTTP API, and return the answer."""
        request = urllib.request.Request(
            self.address + path, json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=30) as response:
            answer: dict[str, Any] = json.load(response)
        return answer

    def game(self, setup: dict[str, Any], opponent: str, **wishes: Any) -> str:
        """Create a game and return the link to the creator's seat."""
        made = self.ask("/api/games", {"setup": setup, "opponent": opponent, **wishes})
        return self.url(f"/play#{made['id']}/{made['token']}")


class Visitor:
    """One browser window with its own storage."""

    def __init__(self, browser: Browser, site: Site, patience: int, **options: Any) -> None:
        self.site = site
        self.problems: list[str] = []
        self.excused = re.compile(r"$^")
        options = {"service_workers": "block", **options}  # which would hide a page's requests
        self.context: BrowserContext = browser.new_context(**options)
        self.context.set_default_timeout(patience)
        self.page: Page = self.context.new_page()
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.problems.append(f"uncaught: {error}"))
        self.page.on("request", self._requested)
        self.page.on("dialog", lambda dialog: (self.problems.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        # This script logs violations of the content security policy to the console, in case Chromium does not.
        self.page.add_init_script(
            "addEventListener('securitypolicyviolation', (e) => console.error('CSP', e.violatedDirective))"
        )

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and "blocked by Playwright" not in message.text:
            self.problems.append(f"{message.type}: {message.text} ({message.location['url']})")

    def _requested(self, request: Request) -> None:
        address = urlsplit(request.url)
        if address.scheme in ("http", "https", "ws", "wss") and address.netloc != f"127.0.0.1:{self.site.port}":
            self.problems.append(f"a request to {address.netloc}")

    def excuse(self, pattern: str) -> None:
        """Allow the console errors that a test causes on purpose."""
        self.excused = re.compile(pattern)

    def leave(self) -> None:
        """Close the window, and check that no errors or warnings occurred in it."""
        self.context.close()
        problems = [problem for problem in self.problems if not self.excused.search(problem)]
        assert not problems, problems

    # -- on the start page ------------------------------------------------------------------------------------

    def start(self, game: str, opponent: str = "computer", level: str = "", name: str = "", board: str = "") -> None:
        """Start a game from the start page."""
        page = self.page
        page.goto(f"{self.site.address}/")
        self.pick("game", game)
        self.pick("opponent", opponent)
        if level:
            self.pick("level", level)
        self.unfold()
        if board:
            for field, side in zip(("Rows", "Columns"), board.split("x"), strict=True):
                page.get_by_label(field, exact=True).fill(side)
        page.get_by_label("Your name").fill(name)
        page.get_by_role("button", name="Start the game").click()
        expect(page.locator("#players")).to_be_visible()

    def unfold(self) -> None:
        """Expand the options on the start page."""
        self.page.locator("#options").evaluate("(options) => { options.open = true; }")

    def pick(self, group: str, value: str) -> None:
        """Select a radio button, given by its group and value."""
        self.select(self.page.locator(f"input[name={group}][value='{value}']"))

    def select(self, choice: Locator) -> None:
        """Select a button shown as a picture or a word, even if the bar with the start button covers it."""
        choice.evaluate("(input) => input.scrollIntoView({ block: 'center' })")
        self.page.locator("label", has=choice).click()  # the label, because it covers the button
        expect(choice).to_be_checked()

    def open(self, link: str) -> None:
        """Open a link to a game."""
        self.store_games()
        self.page.goto(link)
        expect(self.page.get_by_role("grid")).to_be_visible()

    def store_games(self) -> None:
        """On a static site, save new games in the browser's storage, because there is no server to save them."""
        if self.site.kept:
            self.run_beside("(kept) => void Object.assign(localStorage, kept)", self.site.kept)
            self.site.kept.clear()

    def run_beside(self, script: str, given: object) -> None:
        """Run a script in a new tab, so that the open page does not change."""
        tab = self.context.new_page()
        tab.goto(f"{self.site.address}/static/icon.svg")
        tab.evaluate(script, given)
        tab.close()

    # -- in a game --------------------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Return whether the page says that the game is over."""
        return self.page.locator("#status.over").count() > 0

    def moves(self) -> list[str]:
        """Return the list of moves as text; its white space depends on the layout, which may still be loading."""
        return [" ".join(text.split()) for text in self.page.locator("#moves button").all_inner_texts()]

    def count_is(self, count: int) -> None:
        """Wait until this many moves are listed."""
        expect(self.page.locator("#moves button")).to_have_count(count)

    def wait_for_turn(self) -> bool:
        """Wait for this window's turn; return False if the game is over."""
        expect(self.page.locator("#status.over, .cell.playable").first).to_be_visible()
        return not self.over

    def place(self) -> None:
        """Place a marker on the first playable cell."""
        before = self.page.locator("#moves button").count()
        self.page.locator(".cell.playable").first.click()
        expect(self.page.locator("#moves button")).not_to_have_count(before)

    def play_to_the_end(self) -> None:
        """Play whenever it is this window's turn, until the game is over."""
        while self.wait_for_turn():
            self.place()

    @property
    def said(self) -> str:
        """Return what a screen reader has announced recently."""
        return self.page.locator("#announcements").inner_text()


def check_with_axe(page: Page, where: str, options: dict[str, Any] | None = None) -> None:
    """Check the page's accessibility once all animations have ended, because text lacks contrast while it fades in."""
    page.evaluate("Promise.allSettled(document.getAnimations().map((one) => one.finished)).then(() => null)")
    results = Axe().run(page, options={"resultTypes": ["violations"], **(options or {})})
    assert results.violations_count == 0, f"{where}: {results.generate_report()}"
