"""A real Chromium and a real server for the browser tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:  # if playwright is not installed, the tests themselves say so when they are skipped
    from browser_static import StaticSite
    from browser_visitor import Site, Visitor
    from browser_windows import Browser as AnyBrowser
    from browser_windows import Window
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


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """If a test suits both kinds of site, run it on a server and, in the deep tier, also on a static site.

    A test that needs a server either has the mark `served`, whose argument says what the server is needed for, or
    starts its own server.
    """
    needed = set(metafunc.fixturenames)
    if (
        "site" in needed
        and not needed & {"own_site", "static_site"}
        and not any(metafunc.definition.iter_markers("served"))
    ):
        static = pytest.param("static_site", id="static", marks=pytest.mark.deep)
        metafunc.parametrize("site", [pytest.param("server", id=pytest.HIDDEN_PARAM), static], indirect=True)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server that many tests share."""
    from browser_visitor import Site

    started = Site(tmp_path_factory.mktemp("site"))
    yield started
    started.stop()


@pytest.fixture
def site(request: pytest.FixtureRequest) -> Site:
    """The site named by the test's parameters: the shared server or the static site."""
    shared: Site = request.getfixturevalue(getattr(request, "param", "server"))
    return shared


@pytest.fixture
def own_site(tmp_path: Path) -> Iterator[Site]:
    """A server for a single test."""
    from browser_visitor import Site

    started = Site(tmp_path)
    yield started
    started.stop()


@pytest.fixture(scope="session")
def snapshot(browser: Browser, static_site: StaticSite) -> str:
    """The key under which browsers store a snapshot of the static site's engine.

    The engine starts much faster from a snapshot.
    """
    with browser.new_context(service_workers="block") as context:
        return static_site.save_snapshot(context.new_page())


@pytest.fixture
def visit(request: pytest.FixtureRequest, browser: Browser, site: Site) -> Iterator[Callable[..., Visitor]]:
    """Provide a function that opens browser windows; at the end, check that no errors or warnings occurred."""
    from browser_static import RESTORE
    from browser_visitor import PATIENCE, Visitor

    visitors: list[Visitor] = []

    def visit(at: Site = site, **options: Any) -> Visitor:
        visitors.append(Visitor(browser, at, PATIENCE, **options))
        if at is site and not site.online:
            visitors[-1].run_beside(RESTORE, request.getfixturevalue("snapshot"))
        return visitors[-1]

    yield visit
    for visitor in visitors:
        visitor.leave()


@pytest.fixture
def visitor(visit: Callable[..., Visitor]) -> Visitor:
    """One browser window."""
    return visit()


# -- tests that run in several browsers, and on a server and a static site ---------------------------------------------


@pytest.fixture(scope="session")
def static_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StaticSite]:
    """The static site, which is generated once for all tests."""
    from browser_static import StaticSite

    started = StaticSite(tmp_path_factory.mktemp("static"))
    yield started
    started.stop()


@pytest.fixture(scope="session")
def started(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[str, str], tuple[AnyBrowser, Site]]]:
    """Return a function that starts a browser and a site; each starts only once, and runs until the tests end."""
    from browser_settings import browser_named, site_named

    browsers: dict[str, AnyBrowser] = {}
    sites: dict[str, Site] = {}

    def started(browser: str, site: str) -> tuple[AnyBrowser, Site]:
        if browser not in browsers:
            browsers[browser] = browser_named(browser, request, tmp_path_factory.mktemp(browser))
        if site not in sites:
            sites[site] = site_named(site, tmp_path_factory.mktemp(site))
        return browsers[browser], sites[site]

    yield started
    for one in [*sites.values(), *browsers.values()]:
        one.stop()


@pytest.fixture
def setting(
    request: pytest.FixtureRequest, started: Callable[[str, str], tuple[AnyBrowser, Site]], tmp_path: Path
) -> Iterator[tuple[AnyBrowser, Site]]:
    """The browser and the site named in the test's parameters; the site's pages record their errors and warnings.

    For a test with the mark `new_browser`, the browser starts anew.
    """
    from browser_settings import browser_named

    browser, site = started(*request.param)
    if request.node.get_closest_marker("new_browser") is None:
        yield browser, site
        return
    alone = browser_named(request.param[0], request, tmp_path)
    yield alone, site
    alone.stop()


@pytest.fixture
def look(setting: tuple[AnyBrowser, Site]) -> Iterator[Callable[[], Window]]:
    """Provide a function that opens windows; at the end, check that no errors or warnings occurred.

    The windows share the same local storage, which is empty when the first window opens.
    """
    browser, site = setting
    windows: list[Window] = []

    def look() -> Window:
        window = browser.window(site)
        window.go(f"{site.address}/static/icon.svg")
        if not windows:
            window.evaluate("localStorage.clear()")
        windows.append(window)
        return window

    yield look
    problems = {
        at: [one for one in window.problems() if not window.excused.search(one)] for at, window in enumerate(windows)
    }
    for window in windows:
        window.close()
    assert not any(problems.values()), problems


@pytest.fixture
def window(look: Callable[[], Window]) -> Window:
    """One browser window with empty storage."""
    return look()


@pytest.fixture
def place(setting: tuple[AnyBrowser, Site]) -> Site:
    """The site that the test's browser windows visit."""
    return setting[1]
