"""The static site, which needs no game server: playing, learning, analysing and designing, both online and offline."""

import re
from collections.abc import Callable

import pytest
from browser_solver import Solver
from browser_visitor import Visitor, check_with_axe, until
from playwright.sync_api import Page, Route, expect

pytest.importorskip("gridlock.web.static_site", reason="this version has no site without a server")
from browser_static import StaticSite

pytestmark = pytest.mark.slow
START = ".cell.playable"


@pytest.fixture
def guest(visit: Callable[..., Visitor], static_site: StaticSite) -> Visitor:
    """One browser window on the site."""
    return visit(static_site)


def opened(visitor: Visitor, path: str, ready: str) -> Page:
    """Open a page of the site, and wait for an element."""
    visitor.page.goto(f"{visitor.site.address}/{path}")
    expect(visitor.page.locator(ready).first).to_be_visible()
    return visitor.page


# -- one page at a time ------------------------------------------------------------------------------------------------
# Python starts anew on every page, which takes seconds: each test opens as few pages as it can.


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
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("#hint")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    guest.count_is(0)


@pytest.mark.deep
def test_two_levels_play_and_the_game_is_watched(guest: Visitor) -> None:
    guest.start("keepaway", "levels", board="2x3")
    expect(guest.page.locator("#status.over")).to_be_visible()


def test_a_board_in_another_page(guest: Visitor) -> None:
    page = opened(guest, "embed.html?at=trails/4x5/orthogonal/1/0/0,1", "#actions a")
    page.locator(START).first.click()
    expect(page.locator("#words")).not_to_be_empty()


def test_an_unknown_address_finds_the_site(guest: Visitor) -> None:
    guest.excuse("404")
    page = opened(guest, "a/missing/page.html", "main")  # where a host would show 404.html
    expect(page.get_by_role("link", name="Start a new game")).to_have_attribute("href", "/some/folder/")
    until(page, "getComputedStyle(document.querySelector('main a')).display === 'inline-flex'")  # it has its style


@pytest.mark.parametrize(
    ("name", "status"),
    [("pyodide.asm.wasm", 200), ("pyodide.asm.wasm", 404), ("packages.bin", 200), ("engine.json", 404)],
)
def test_an_engine_that_cannot_be_loaded_is_reported(guest: Visitor, name: str, status: int) -> None:
    guest.excuse("404|wasm|WebAssembly")
    guest.page.route(f"**/engine/{name}", lambda route: route.fulfill(status=status, body="<p>Sign in to the network."))
    page = opened(guest, "analyse.html?at=showdown/4x4/king/1/0/2,2", "#engine")
    expect(page.locator("#engine")).to_have_text(
        "The engine could not be loaded. Check your connection, then reload the page."
    )
    expect(page.locator("#verdict")).to_contain_text("The engine could not be loaded.")
    page.unroute(f"**/engine/{name}")


NO_STORAGE = """for (const name of ["localStorage", "sessionStorage"]) {
  Object.defineProperty(window, name, { get() { throw new DOMException("denied", "SecurityError"); } });
}"""


def test_a_browser_that_stores_nothing_is_told_so(guest: Visitor) -> None:
    guest.page.add_init_script(NO_STORAGE)
    guest.excuse("problems|denied")  # recording errors needs storage, too
    page = opened(guest, "", START)
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator("#problem")).to_contain_text("storage for this site is blocked or full")
    page.goto(f"{guest.site.address}/analyse.html?at=showdown/4x4/king/1/0/2,2")
    expect(page.locator("#board .win, #board .loss").first).to_be_visible()


DAMAGE = """async () => {
  await caches.delete("engine-snapshots");
  const cache = await caches.open((await caches.keys()).find((name) => name.startsWith("gridlock-")));
  await cache.put("engine/packages.bin", new Response("<p>Sign in to the network."));
}"""


@pytest.mark.deep
def test_a_damaged_file_in_the_cache_is_loaded_again(visit: Callable[..., Visitor], static_site: StaticSite) -> None:
    guest = visit(static_site, service_workers="allow")
    page = opened(guest, "analyse.html?at=showdown/4x4/king/1/0/2,2", "#board .win, #board .loss")
    until(page, "Boolean(navigator.serviceWorker.controller) && caches.match('engine/pyodide.asm.wasm').then(Boolean)")
    page.evaluate(DAMAGE)
    page.reload()
    expect(page.locator("#announcements")).to_contain_text("The engine could not be loaded.")
    page.reload()  # a page also tries again with its next question
    expect(page.locator("#board .win, #board .loss").first).to_be_visible()


def test_a_host_may_give_the_engine_any_type(guest: Visitor) -> None:
    def untyped(route: Route) -> None:
        route.fulfill(response=route.fetch(), headers={"Content-Type": "application/octet-stream"})

    guest.page.route("**/engine/*.wasm", untyped)
    opened(guest, "analyse.html?at=showdown/4x4/king/1/0/2,2", "#board .win, #board .loss")


# -- offline -----------------------------------------------------------------------------------------------------------


def test_a_whole_visit_without_a_network(visit: Callable[..., Visitor], static_site: StaticSite) -> None:
    guest = visit(static_site, service_workers="allow")
    page = opened(guest, "analyse.html?at=showdown/4x4/king/1/0/2,2", "#verdict[aria-busy=false]")
    expect(page.locator("#board .win, #board .loss").first).to_be_visible()
    until(page, "Boolean(navigator.serviceWorker.controller) && caches.match('engine/pyodide.asm.wasm').then(Boolean)")
    guest.context.set_offline(True)

    opened(guest, "design.html", "#board .win")
    expect(page.get_by_role("button", name="Invite a friend")).to_have_count(0)
    page.get_by_role("button", name="More ways to play").click()  # which saves the design
    expect(page.locator(".game.own")).to_have_count(1)
    until(page, "document.querySelector('.game.own img').naturalWidth > 0")
    guest.pick("level", "random")
    guest.unfold()
    for field in ("Rows", "Columns"):
        page.get_by_label(field, exact=True).fill("3")
    page.get_by_label("Your name").fill("Ada")
    page.get_by_role("button", name="Start the game").click()
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
    expect(page.get_by_label("Link to this position")).to_have_value(re.compile(r"/some/folder/analyse\.html\?at="))
    with page.expect_download() as saved:
        page.locator("#share").get_by_text("Save as GIF").click()
    assert saved.value.path().read_bytes().startswith(b"GIF89a")

    opened(guest, "games.html", "#groups a")
    expect(page.locator("#groups")).to_contain_text("against Computer, random")
    expect(page.locator("#carrying")).to_contain_text("Your games stay in this browser.")
    check_with_axe(page, "your games")
    opened(guest, "lessons.html", "#course button")
    opened(guest, "atlas.html?game=trails&board=7x8", "#board .row")
    solve_a_puzzle(guest)
    expect(page.locator("#engine")).to_have_count(0)


def solve_a_puzzle(guest: Visitor) -> None:
    """Solve the daily puzzle."""
    page = opened(guest, "puzzles.html", "#actions button")
    expect(page.locator("#title")).to_have_text("Today's puzzle")
    start, _, day = page.url.partition("?day=")
    assert start == f"{guest.site.address}/puzzles.html"
    assert isinstance(guest.site, StaticSite)
    solver = Solver(guest.site, page, guest.site.puzzle(day))
    while not solver.play():
        pass
    expect(page.locator("#result")).to_contain_text("Solved without a mistake")
