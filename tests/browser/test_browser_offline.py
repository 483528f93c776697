"""Pages can be read offline, and a new version of the site appears when a page is next loaded."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from browser_visitor import PATIENCE, Site, Visitor, check_with_axe
from playwright.sync_api import Page, expect

from gridlock.web.pages.files import STATIC

pytestmark = pytest.mark.slow
EXCUSED = "ERR_INTERNET_DISCONNECTED|ERR_FAILED|WebSocket|Failed to fetch|503"


def kept(page: Page) -> None:
    """Wait until the service worker has cached the pages and controls the current page."""
    until(page, "Boolean(navigator.serviceWorker.controller) && caches.match('/play').then(Boolean)")


def until(page: Page, condition: str, *given: object) -> None:
    """Wait for a condition by polling, because the page's security policy forbids Playwright's own method."""
    for _ in range(PATIENCE // 100):
        if page.evaluate(condition, *given):
            return
        page.wait_for_timeout(100)
    pytest.fail(f"never: {condition}")


@pytest.mark.served("a lost connection")
def test_pages_and_the_last_games_are_read_without_a_network(site: Site, visit: Callable[..., Visitor]) -> None:
    visitor = visit(service_workers="allow")
    visitor.excuse(EXCUSED)
    page = visitor.page
    page.goto(site.address)
    kept(page)
    page.reload()
    expect(page.locator(".game")).to_have_count(5)
    visitor.open(site.game({"game": "showdown", "moves": ["3,3"]}, "screen", name="Ada"))
    visitor.place()
    visitor.count_is(2)
    visitor.context.set_offline(True)
    page.reload()
    expect(page.locator("#connection")).to_contain_text("Connection lost.")
    expect(page.locator("#offline")).to_be_hidden()  # one message is enough
    visitor.count_is(2)
    expect(page.locator("#players")).to_contain_text("Ada")
    expect(page.locator(".cell.playable")).to_have_count(0)
    check_with_axe(page, "a game without a network")
    page.goto(site.address)
    expect(page.locator(".game")).to_have_count(5)
    expect(page.locator("#offline")).to_contain_text("You're offline.")
    page.goto(f"{site.address}/play#{'x' * 22}/{'y' * 32}")  # a game that this browser has never shown
    expect(page.locator("#offline")).to_be_visible()
    expect(page.locator("#connection")).to_be_hidden()
    page.goto(f"{site.address}/puzzles")
    expect(page.locator("#words")).to_have_text("Can't reach the server. Check your connection.")
    page.goto(f"{site.address}/never-seen")
    expect(page.get_by_role("heading", name="You're offline")).to_be_visible()
    visitor.context.set_offline(False)
    page.goto(site.address)
    expect(page.locator("#offline")).to_have_count(0)


@pytest.mark.served("a lost connection")
def test_it_is_still_your_turn_without_a_network(site: Site, visit: Callable[..., Visitor]) -> None:
    visitor = visit(service_workers="allow")
    visitor.excuse(EXCUSED)
    page = visitor.page
    page.goto(site.address)
    kept(page)
    visitor.open(site.game({"game": "showdown"}, "easy", name="Ada"))
    expect(page.locator("#words")).to_have_text("Your turn.")
    visitor.context.set_offline(True)
    page.reload()
    expect(page.locator("#words")).to_have_text("It's your turn, but you're offline.")
    expect(page.get_by_role("button", name="Resign")).to_be_disabled()
    page.goto(f"{site.address}/games")
    expect(page.locator("#groups")).to_contain_text("your turn")
    visitor.context.set_offline(False)
    page.go_back()
    expect(page.locator("#words")).to_have_text("Your turn.")
    expect(page.get_by_role("button", name="Resign")).to_be_enabled()
    visitor.place()


@pytest.mark.served("a lost connection")
def test_a_move_without_a_connection_says_that_it_will_be_sent(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    visitor.excuse(EXCUSED)
    visitor.open(site.game({"game": "showdown"}, "screen"))
    visitor.context.set_offline(True)
    expect(page.locator("#connection")).to_have_text("Connection lost. Reconnecting…")
    expect(page.locator("#offline")).to_be_hidden()
    page.get_by_role("gridcell", name="3,3").click()
    expect(page.locator("#connection")).to_contain_text("Your move will be sent when you're back online")
    visitor.context.set_offline(False)
    visitor.count_is(1)
    expect(page.locator("#connection")).to_be_empty()


class Changing(Site):
    """A server whose pages can be changed while it runs."""

    def __init__(self, folder: Path) -> None:
        self.static = folder / "static"
        shutil.copytree(STATIC, self.static)
        patched = f"import pathlib, gridlock.web.pages.files as f; f.STATIC = pathlib.Path({str(self.static)!r})"
        self.program = ("-c", f"{patched}; from gridlock.entry import main; main()")
        super().__init__(folder)


@pytest.mark.served("a new version of the server")
def test_a_new_version_shows_at_the_next_load(tmp_path: Path, visit: Callable[..., Visitor]) -> None:
    site = Changing(tmp_path)
    try:
        visitor = visit(site, service_workers="allow")
        visitor.excuse("ERR_CONNECTION_REFUSED")  # the start page may still ask when the server stops
        page = visitor.page
        page.goto(site.address)
        kept(page)
        page.reload()
        before = page.evaluate("caches.keys()")
        assert len(before) == 1
        index, module = site.static / "index.html", site.static / "start.js"
        index.write_text(index.read_text().replace("Leave your opponent no move.", "A new page."))
        module.write_text(module.read_text() + "\ndocument.documentElement.dataset.version = 'new';\n")
        page.reload()
        expect(page.get_by_role("heading", name="A new page.")).to_be_visible()
        expect(page.locator("html[data-version=new]")).to_have_count(1)
        page.evaluate("navigator.serviceWorker.getRegistration().then((one) => one.update())")
        until(page, "([old]) => caches.keys().then((keys) => keys.length === 1 && keys[0] !== old)", before)
    finally:
        site.stop()
