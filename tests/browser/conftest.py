"""A real Chromium and a real server for the tests of the page."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:  # where playwright is not installed, the tests themselves say so when they are skipped
    from browser_visitor import Site, Visitor
    from playwright.sync_api import Browser

PATIENCE = 30_000  # milliseconds until a test gives up waiting: machines that test are busy
WITHOUT = ["gpu", "quic", "background-networking", "component-update", "sync"]
ARGUMENTS = ["--no-sandbox", "--no-first-run", *(f"--disable-{what}" for what in WITHOUT)]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, without a screen."""
    from playwright.sync_api import expect, sync_playwright

    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        pytest.skip("no Chromium is installed (Debian: apt-get install chromium)")
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=found, args=ARGUMENTS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server that many tests share."""
    from browser_visitor import Site

    started = Site(tmp_path_factory.mktemp("site"))
    yield started
    started.stop()


@pytest.fixture
def own_site(tmp_path: Path) -> Iterator[Site]:
    """A server for one test alone."""
    from browser_visitor import Site

    started = Site(tmp_path)
    yield started
    started.stop()


@pytest.fixture
def visit(browser: Browser, site: Site) -> Iterator[Callable[..., Visitor]]:
    """Open browser windows; at the end, nothing bad may have happened in any of them."""
    from browser_visitor import Visitor

    visitors: list[Visitor] = []

    def visit(at: Site = site, **options: Any) -> Visitor:
        visitors.append(Visitor(browser, at, PATIENCE, **options))
        return visitors[-1]

    yield visit
    for visitor in visitors:
        visitor.leave()


@pytest.fixture
def visitor(visit: Callable[..., Visitor]) -> Visitor:
    """One browser window."""
    return visit()
