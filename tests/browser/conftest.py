"""A real Chromium and a real server for the browser tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:  # if playwright is not installed, the tests themselves say so when they are skipped
    from browser_visitor import Site, Visitor
    from playwright.sync_api import Browser


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, headless."""
    from browser_visitor import PATIENCE, launched
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        chromium = launched(playwright.chromium)
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
    """A server for a single test."""
    from browser_visitor import Site

    started = Site(tmp_path)
    yield started
    started.stop()


@pytest.fixture
def visit(browser: Browser, site: Site) -> Iterator[Callable[..., Visitor]]:
    """Open browser windows; at the end, none of them may have seen a forbidden event."""
    from browser_visitor import PATIENCE, Visitor

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
