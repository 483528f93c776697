"""Take screenshots of the web pages for use in the documentation: python docs/pictures.py

The script starts its own server and needs Chromium and the test-all extra.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

IMAGES = Path(__file__).parent / "images"
SIZE = ViewportSize(width=1240, height=830)
PATIENCE = 60_000  # milliseconds
LARGEST = 150_000  # bytes per picture


@contextmanager
def served() -> Iterator[str]:
    """Run a server while the pictures are taken, and yield its address."""
    with tempfile.TemporaryDirectory() as home:
        server = subprocess.Popen(
            [sys.executable, "-m", "gridlock", "serve", "--port", "0"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # discards the server's log
            text=True,
            env=os.environ | {"GRIDLOCK_HOME": home},
        )
        try:
            assert server.stdout
            address = re.search(r"http://[\d.]+:\d+", server.stdout.readline())
            assert address, "the server did not start"
            yield address[0]
        finally:
            server.terminate()
            server.wait()


def play(page: Page, address: str) -> None:
    """Show a game in which the player has just chosen an illegal cell."""
    setup = {"game": "showdown", "board": "5x5", "moves": ["3,3", "1,1", "5,3", "1,5", "4,1", "3,5"]}
    body = json.dumps({"setup": setup, "opponent": "hard", "name": "Ada"}).encode()
    request = urllib.request.Request(f"{address}/api/games", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        game = json.load(answer)
    page.goto(f"{address}/play#{game['id']}/{game['token']}")
    expect(page.locator(".cell.playable").first).to_be_visible()
    page.get_by_role("gridcell", name="2,4").click()
    expect(page.locator(".cause")).to_have_count(2)


def analysis(page: Page, address: str) -> None:
    """Show the value of every move in a position."""
    page.goto(f"{address}/analyse#showdown/5x5/king/1/0/3,3_1,1_5,3")
    expect(page.locator("#verdict")).to_have_attribute("aria-busy", "false")
    numbers = page.locator(".cell.playable :is(.win-number, .loss-number)").filter(has_text=re.compile(r"\d"))
    expect(numbers).to_have_count(page.locator(".cell.playable").count())


def take(browser: Browser, address: str) -> None:
    """Take both pictures: the game in the light theme, and the analysis in the dark theme."""
    for show in (play, analysis):
        theme: Literal["light", "dark"] = "light" if show is play else "dark"
        page = browser.new_page(viewport=SIZE, color_scheme=theme, reduced_motion="reduce")
        show(page, address)
        page.mouse.move(0, 0)
        picture = page.screenshot(animations="disabled", caret="hide")
        assert len(picture) <= LARGEST, f"{show.__name__}.png has {len(picture):,} bytes"
        (IMAGES / f"{show.__name__}.png").write_bytes(picture)
        page.close()


def main() -> None:
    """Retake all pictures."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    expect.set_options(timeout=PATIENCE)
    with served() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        take(browser, address)
        browser.close()


if __name__ == "__main__":
    main()
