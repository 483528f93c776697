"""A server that sends browsers the engine, too: they play, solve and analyse while it can't be reached."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from browser_static import need_downloads
from browser_visitor import Site, Visitor, check_with_axe, until
from playwright.sync_api import expect

pytestmark = pytest.mark.slow
EXCUSED = "ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|WebSocket|Failed to fetch"
START = ".cell.playable"


@pytest.fixture
def generous(tmp_path: Path) -> Iterator[Site]:
    """A server with the engine for browsers, which a test stops."""
    started = Site(tmp_path, "--offline", "--downloads", str(need_downloads()))
    yield started
    if started.process.poll() is None:
        started.stop()


def test_a_visit_goes_on_while_the_server_is_stopped(generous: Site, visit: Callable[..., Visitor]) -> None:
    visitor = visit(generous, service_workers="allow")
    visitor.excuse(EXCUSED)
    page, away = visitor.page, visitor.page.locator("#offline")
    page.goto(generous.address)
    until(page, "Boolean(navigator.serviceWorker.controller) && caches.match('engine/pyodide.asm.wasm').then(Boolean)")
    expect(away).to_have_count(0)
    visitor.open(generous.game({"game": "showdown", "board": "4x4"}, "easy", name="Ada"))
    visitor.place()
    visitor.count_is(2)

    generous.stop()
    expect(page.locator("#connection")).to_contain_text("Connection lost.")
    check_with_axe(page, "a game whose server has stopped")
    page.get_by_role("button", name="Continue in this browser").click()
    until(
        page, "document.querySelectorAll('#moves button').length === 2 && !document.body.classList.contains('offline')"
    )
    expect(page.locator("#players")).to_contain_text("Ada")
    visitor.place()
    visitor.count_is(4)
    kept = page.url

    page.goto(f"{generous.address}/puzzles")
    expect(away).to_contain_text("The server can't be reached. You can still play the computer")
    page.locator(START).first.click()
    expect(page.locator("#squares > *, #words").first).to_be_visible()
    page.goto(f"{generous.address}/analyse?at=showdown/4x4/king/1/0/2,2")
    expect(page.locator("#board .win, #board .loss").first).to_be_visible()
    check_with_axe(page, "an analysis without the server")

    generous.start()
    expect(away).to_have_count(0)
    page.goto(kept)  # which stays in this browser
    visitor.count_is(4)
    visitor.place()
    visitor.count_is(6)
    visitor.start("showdown", "link")
    expect(page.locator("#words")).to_have_text("Waiting for an opponent to join.")
