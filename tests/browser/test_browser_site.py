"""The site without a server, in a folder of static files: play, learn, analyse and design, also offline."""

import re
from collections.abc import Callable, Iterator

import pytest
from browser_firefox import Firefox
from browser_visitor import PATIENCE, Visitor, check_with_axe
from browser_webkit import WebKit
from browser_windows import Browser, Window
from playwright.sync_api import Page, Route, expect

pytest.importorskip("gridlock.web.static_site", reason="this version has no site without a server")
from browser_static import StaticSite

pytestmark = pytest.mark.slow
START = ".cell.playable"


@pytest.fixture(scope="module")
def static_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StaticSite]:
    """The site, written once."""
    started = StaticSite(tmp_path_factory.mktemp("static"))
    yield started
    started.stop()


@pytest.fixture
def guest(visit: Callable[..., Visitor], static_site: StaticSite) -> Visitor:
    """One browser window on the site."""
    return visit(static_site)


def until(page: Page, condition: str) -> None:
    """Wait for a condition."""
    for _ in range(PATIENCE // 100):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(100)
    pytest.fail(f"never: {condition}")


def opened(visitor: Visitor, path: str, ready: str) -> Page:
    """Open a page of the site, and wait for an element."""
    visitor.page.goto(f"{visitor.site.address}/{path}")
    expect(visitor.page.locator(ready).first).to_be_visible()
    return visitor.page


# -- playing -----------------------------------------------------------------------------------------------------------


def test_the_first_move_is_made_before_the_engine_is_there(guest: Visitor) -> None:
    held: list[Route] = []
    is_held = True
    guest.page.route("**/engine/*", lambda route: held.append(route) if is_held else route.continue_())
    page = opened(guest, "", START)
    expect(page.get_by_text("Friend online")).to_be_hidden()
    page.locator("[data-cell='12']").click()
    expect(page.locator(".pending")).to_have_count(1)
    expect(page.locator("#engine[role=status]")).to_contain_text("Loading the engine…")
    check_with_axe(page, "the start page while the engine loads")
    is_held = False
    for route in held:
        route.continue_()
    guest.count_is(2)  # on the page of the game, with the computer's answer
    assert "/some/folder/play.html#" in page.url
    expect(page.locator("#engine")).to_have_count(0)


def test_a_game_its_reload_its_review_and_its_picture(guest: Visitor) -> None:
    guest.start("showdown", level="random", name="Ada", board="3x3")
    page = guest.page
    assert guest.wait_for_turn()
    guest.place()
    before = guest.moves()
    page.reload()
    expect(page.locator("#moves button").first).to_be_visible()
    assert guest.moves()[: len(before)] == before
    guest.play_to_the_end()
    page.locator(":is(#result, #actions) button", has_text="Review").first.click()
    expect(page.locator("#review .swing")).to_be_visible()
    page.get_by_text("Share", exact=True).last.click()
    expect(page.get_by_label("Link to watch")).to_have_count(0)
    with page.expect_download() as saved:
        page.locator("#share").get_by_text("Save as GIF").click()
    assert saved.value.path().read_bytes().startswith(b"GIF89a")
    page.goto(f"{guest.site.address}/games.html")
    expect(page.locator("#groups")).to_contain_text("against Computer, random")
    expect(page.locator("#carrying")).to_contain_text("Your games stay in this browser.")
    check_with_axe(page, "your games")


def test_two_people_at_one_screen_undo_and_ask_for_a_hint(guest: Visitor) -> None:
    guest.start("chain", "screen", board="4x4")
    page = guest.page
    for count in (1, 2):
        guest.place()
        guest.count_is(count)
    page.get_by_role("button", name="Undo").click()
    guest.count_is(1)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("#hint")).to_be_visible()
    page.get_by_role("gridcell").first.click()
    expect(page.locator("#note, .toast p").first).not_to_be_empty()


def test_two_levels_play_and_the_game_is_watched(guest: Visitor) -> None:
    guest.start("keepaway", "levels", board="2x3")
    expect(guest.page.locator("#status.over")).to_be_visible()


# -- learning, analysing and designing ---------------------------------------------------------------------------------


def test_a_puzzle_and_a_lesson(guest: Visitor) -> None:
    page = opened(guest, "puzzles.html", "#actions button")
    expect(page.locator("#title")).to_have_text("Today's puzzle")
    page.locator(START).first.click()
    expect(page.locator("#squares > *, #words").first).to_be_visible()
    assert page.url.startswith(f"{guest.site.address}/puzzles.html?day=")
    page = opened(guest, "lessons.html?game=showdown", "#course button")
    page.locator(START).first.click()
    expect(page.locator("#words")).not_to_be_empty()


def test_a_position_is_analysed_and_a_long_analysis_is_cancelled(guest: Visitor) -> None:
    page = opened(guest, "analyse.html?at=showdown/4x4/king/1/0/2,2", "#verdict[aria-busy=false]")
    expect(page.locator("#board .win, #board .loss").first).to_be_visible()
    page = opened(guest, "atlas.html?game=trails&board=7x8", "#board .row")
    page.goto(f"{guest.site.address}/atlas.html?game=trails&board=4x5")
    expect(page.locator("#board .loss").first).to_be_visible()
    page = opened(guest, "review.html?at=chain/3x3/orthogonal/1/0/2,2_1,2_1,1", ".swing")
    expect(page.get_by_label("Link to this review")).to_have_value(
        re.compile(r"/some/folder/review\.html\?at=chain/3x3")
    )


def test_an_own_game_is_designed_listed_and_played(guest: Visitor) -> None:
    page = opened(guest, "design.html", "#board .win")
    expect(page.get_by_role("button", name="Invite a friend")).to_have_count(0)
    page.get_by_role("button", name="More ways to play").click()
    expect(page.locator(".game.own")).to_have_count(1)
    until(page, "document.querySelector('.game.own img').naturalWidth > 0")
    page.locator(START).first.click()
    guest.count_is(2)
    expect(page.get_by_text("No game here")).to_be_hidden()


def test_links_of_another_browser_say_what_is_missing(guest: Visitor) -> None:
    page = opened(guest, f"play.html#{'g' * 22}/{'t' * 32}", "#message")
    expect(page.locator("#message-words")).to_contain_text("This game isn't saved in this browser.")


def test_a_board_in_another_page(guest: Visitor) -> None:
    page = opened(guest, "embed.html?at=trails/4x5/orthogonal/1/0/0,1", "#actions a")
    page.locator(START).first.click()
    expect(page.locator("#words")).not_to_be_empty()


# -- offline -----------------------------------------------------------------------------------------------------------


def test_a_whole_visit_without_a_network(visit: Callable[..., Visitor], static_site: StaticSite) -> None:
    guest = visit(static_site, service_workers="allow")
    page = opened(guest, "", START)
    until(page, "Boolean(navigator.serviceWorker.controller) && caches.match('engine/pyodide.asm.wasm').then(Boolean)")
    guest.context.set_offline(True)
    guest.start("showdown", level="random", board="3x3")
    guest.play_to_the_end()
    page.locator(":is(#result, #actions) button", has_text="Review").first.click()
    expect(page.locator("#review .swing")).to_be_visible()
    opened(guest, "puzzles.html", "#actions button")
    opened(guest, "lessons.html", "#course button")
    opened(guest, "design.html", "#board .win")
    opened(guest, "analyse.html?at=showdown/4x4/king/1/0/2,2", "#verdict[aria-busy=false]")
    expect(page.locator("#engine")).to_have_count(0)


# -- other browsers ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=[Firefox, WebKit], ids=["firefox", "webkit"])
def other(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser other than Chromium."""
    browser = request.param(tmp_path_factory.mktemp("browser"))
    yield browser
    browser.stop()


@pytest.fixture
def window(other: Browser, static_site: StaticSite) -> Iterator[Window]:
    """One window, in which nothing forbidden may happen."""
    opened = other.window(static_site)
    yield opened
    problems = opened.problems()
    opened.close()
    assert not problems


def test_a_game_in_another_browser(window: Window) -> None:
    window.open("/", START)
    window.click("[data-cell='12']")
    window.count_is("#moves button", 2)
    window.click(START)
    window.count_is("#moves button", 4)


def test_an_analysis_in_another_browser(window: Window) -> None:
    window.open("/analyse.html?at=showdown/4x4/king/1/0/2,2", "#verdict[aria-busy=false]")
    window.sees("#board .win, #board .loss")
