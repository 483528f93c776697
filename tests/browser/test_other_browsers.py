"""Tests that play every game with the mouse and the keyboard, and open every page.

Servers are tested in Firefox and WebKit, and static sites in all browsers.
"""

import json
import re
from collections.abc import Callable, Iterable
from itertools import cycle

import pytest
from browser_settings import DEEP_STATIC, SERVED, STATIC
from browser_static import StaticSite
from browser_visitor import GAMES, Site, played
from browser_windows import Window
from test_browser_layout import FONTS, SIZES, STICKING_OUT
from test_browser_learning import READY

from tiers import mostly_deep

pytestmark = pytest.mark.slow
everywhere = pytest.mark.parametrize("setting", SERVED + DEEP_STATIC, indirect=True)
PAGES = {
    "/": ".game img",
    "/play": "#message",
    "/games": "#none",
    "/analyse?at=keepaway/4x4/king/1/0/2,2": "#verdict[aria-busy=false]",
    "/offline": "main",
    "/foo": "main",
    **READY,
}
# The full tier divides these games and pages between two browsers; the deep tier adds all other combinations.
DIVIDED = {"showdown": "firefox", "trails": "webkit"} | dict(zip(PAGES, cycle(["firefox", "webkit"]), strict=False))


def divided(name: str, parts: Iterable[str]) -> pytest.MarkDecorator:
    """Parametrize a test with every combination of a browser setting and one of the given games or pages."""
    pairs = [
        pytest.param(
            *one.values, part, id=f"{one.id}-{part}", marks=() if DIVIDED.get(part) == one.id else pytest.mark.deep
        )
        for one in SERVED + STATIC
        for part in parts
    ]
    return pytest.mark.parametrize(("setting", name), pairs, indirect=["setting"])


def by_keyboard(window: Window, cell: int) -> None:
    """Move to a cell with the arrow keys, and press Enter."""
    at = window.evaluate("Number(document.querySelector('.cell[tabindex=\"0\"]').dataset.cell)")
    cols = window.count(".across span")
    window.evaluate("document.querySelector('.cell[tabindex=\"0\"]').focus()")
    down, across = cell // cols - at // cols, cell % cols - at % cols
    steps = ["ArrowDown" if down > 0 else "ArrowUp"] * abs(down)
    steps += ["ArrowRight" if across > 0 else "ArrowLeft"] * abs(across)
    window.press(*steps, "Enter")


def play_to_the_end(window: Window, by_touch: bool = False) -> int:
    """Play the first playable cell whenever it is this window's turn; return the number of moves made.

    Make every move by touch, or alternate between mouse and keyboard.
    """
    made = 0
    while True:
        window.wait("document.querySelector('#status.over, .cell.playable') !== null")
        if window.count("#status.over"):
            return made
        before = window.count("#moves button")
        if by_touch:
            window.tap(".cell.playable")
        elif made % 2:
            by_keyboard(window, window.evaluate("Number(document.querySelector('.cell.playable').dataset.cell)"))
        else:
            window.click(".cell.playable")
        window.wait(f"document.querySelectorAll('#moves button').length > {before}")
        made += 1


# -- playing ------------------------------------------------------------------------------------------------------


@divided("game", GAMES)
def test_a_whole_game_and_its_review(window: Window, game: str) -> None:
    window.resize(1280, 800)
    window.open("/", ".game img")
    window.click(f".game:has(input[value={game}])")
    window.click("label:has(input[value=easy])")
    window.click("#start")
    window.sees("#players")
    assert play_to_the_end(window)
    assert re.match(r"You (win|lose): .* move left", window.text("#words"))
    assert window.text("#words") in window.text("#announcements")
    window.click(":is(#result, #actions) button", "Review")
    window.sees("#review .swing")
    window.click("#review-link")
    window.wait(r"/\/review(\.html)?$/.test(location.pathname)")  # the game's page also has a curve and steps
    window.sees("main .swing")
    window.press("[")
    window.sees("#steps .count")


# WebKitGTK's driver turns touches into mouse clicks, so touch is tested only in Chromium and Firefox.
@pytest.mark.parametrize("setting", DEEP_STATIC[:2], indirect=True)
def test_a_game_is_played_by_touch(window: Window) -> None:
    window.resize(390, 844)
    window.open("/", ".game img")
    window.evaluate("addEventListener('pointerdown', (event) => { globalThis.lastPointer = event.pointerType; }) ?? 0")
    window.tap("label:has(input[value=easy])")
    window.wait("document.querySelector('input[value=easy]').checked")
    assert window.evaluate("lastPointer") == "touch"
    window.tap("#start")
    window.sees("#players")
    assert play_to_the_end(window, by_touch=True)
    assert re.match(r"You (win|lose): .* move left", window.text("#words"))
    window.tap(":is(#result, #actions) button", "Review")
    window.sees("#review .swing")


@pytest.mark.parametrize("setting", SERVED, indirect=True)
def test_two_tabs_play_each_other_and_know_of_each_other(look: Callable[[], Window], place: Site) -> None:
    ada, grace = look(), look()
    ada.open(place.game({"game": "showdown", "board": "3x3"}, "link", name="Ada"), "#invite input")
    grace.open(ada.evaluate("document.querySelector('#invite input').value"), "#join")
    grace.evaluate("document.querySelector('#join-name').focus()")
    grace.press(*"Grace")
    grace.click("#join-button")
    grace.sees("#players", "Grace")
    ada.sees("#players", "Grace")
    ada.wait("document.querySelector('#status.mine') !== null")
    made = 0
    while not ada.count("#status.over"):
        mover = ada if ada.count("#status.mine") else grace
        mover.wait("document.querySelector('#status.mine') !== null")
        mover.click(".cell.playable")
        made += 1
        for one in (ada, grace):
            one.wait(f"document.querySelectorAll('#moves button').length >= {made}")
    leads = {one.text("#words").split(":")[0] for one in (ada, grace)}
    assert leads == {"You win", "You lose"}
    grace.open("/", ".game img")
    ada.sees("#players", "not connected")


@everywhere
def test_the_same_seat_in_two_tabs(look: Callable[[], Window], place: Site) -> None:
    link = place.game({"game": "showdown", "swap": True}, "screen")
    one, other = look(), look()
    for tab in (one, other):
        tab.open(link, ".cell.playable")
    one.click("[data-cell='12']")
    other.sees("#swap button", "Swap")
    other.click("#swap button", "Swap")
    one.count_is("#moves button", 2)
    one.evaluate("document.querySelector('#typed-move').focus()")
    one.press(*"1 1", "Enter")
    other.count_is("#moves button", 3)
    other.press("u")
    one.count_is("#moves button", 2)


@pytest.mark.parametrize("setting", SERVED + STATIC[:1] + DEEP_STATIC[1:], indirect=True)
def test_back_from_a_game_shows_it_in_the_list(window: Window) -> None:
    window.open("/", ".game img")
    window.misses("#recent")
    window.click("#start")
    window.sees("#players")
    window.evaluate("void setTimeout(() => history.back(), 50)")  # at once, the page could be gone before it answers
    window.sees("#recent", "against")
    window.sees(".game img")  # the page has its answers, so leaving it cancels no request
    assert window.count("#recent li") == 1


@everywhere
def test_a_closed_cell_says_why_and_a_swap_is_offered(window: Window, place: Site) -> None:
    window.open(place.game({"game": "showdown", "moves": ["3,3", "1,1"]}, "easy"), ".cell.playable")
    window.click("[data-cell='1']")
    window.sees("#note", "The cell is adjacent to your opponent's marker.")
    assert window.count(".cause") == 1
    window.press("?")
    window.sees("dialog[open]")
    window.press("Escape")
    window.misses("dialog[open]")
    window.press("h")
    window.sees("#hint button", "Where?")


# -- analysing and learning ---------------------------------------------------------------------------------------


@everywhere
def test_an_analysis_is_stepped_through(window: Window) -> None:
    window.open("/analyse#chain/4x4/orthogonal/1/0/", "#verdict[aria-busy=false]")
    window.count_is(".capsule", 8)
    window.count_is(".cell .loss", 16)
    window.click("[data-cell='5']")
    window.wait("location.hash === '#chain/4x4/orthogonal/1/0/2,2'")
    window.sees("#verdict[aria-busy=false]", "wins")
    by_keyboard(window, 6)
    window.sees("#steps .count", "2 / 2")
    window.press("[")
    window.sees("#steps .count", "1 / 2")
    window.open("/analyse#keepaway/4x4/king/1/0/", "#verdict[aria-busy=false]")
    window.wait("document.querySelectorAll('.curve, .image').length > 0")


@everywhere
def test_the_puzzle_of_the_day_is_solved(window: Window, place: Site) -> None:
    today = window.evaluate("new Date().toLocaleDateString('sv')")
    puzzle = place.puzzle(today)
    window.open("/puzzles", "#actions button")
    assert window.text("#words") == puzzle["words"]
    setup, moves = puzzle["position"]["setup"], puzzle["position"]["setup"]["moves"]
    done = False
    while not done:
        wish = {"setup": setup, "moves": moves[len(setup["moves"]) :]}
        cell = place.ask("/api/puzzle/try", {**wish, "give_up": True})["winning"][0]
        window.click(f"[data-cell='{cell}']")
        board = puzzle["position"]["board"]
        name = f"{cell // board['cols'] + board['origin']},{cell % board['cols'] + board['origin']}"
        told = place.ask("/api/puzzle/try", {**wish, "moves": [*wish["moves"], name]})
        window.sees("#words", told["words"])
        done, moves = told["done"], told["position"]["setup"]["moves"]
    window.sees("#result", "1 day in a row")


@everywhere
def test_a_lesson_is_played(window: Window) -> None:
    window.open("/lessons?game=chain&lesson=2", "#course button")
    window.click("[data-cell='2']")
    window.sees("#words", "does not win")
    window.click("[data-cell='0']")
    window.sees("#words", "Right!")
    window.click("#actions button", "Next lesson")
    window.sees("#lesson-title", "3. Dominoes")


# -- looks --------------------------------------------------------------------------------------------------------


def stays_inside(window: Window, where: str) -> None:
    """Check that nothing overflows at any window size, even with all sections expanded."""
    window.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })")
    window.evaluate(f"document.documentElement.style.setProperty('--font', {json.dumps(repr(FONTS[0]))})")
    for name, size in SIZES.items():
        window.resize(size["width"], size["height"])
        assert window.evaluate(f"({STICKING_OUT})()") == [], f"{where} at {name}"


@divided("path", PAGES)
def test_every_page_stays_inside(window: Window, place: Site, path: str) -> None:
    unknown = path == "/foo" and isinstance(place, StaticSite)
    window.open(f"{place.address}/a/missing/page.html" if unknown else path, PAGES[path])
    stays_inside(window, path)


@everywhere
@pytest.mark.parametrize(
    "size", mostly_deep([(1280, 720), (1920, 1080), (640, 360), (390, 844)], (1280, 720), (390, 844))
)
def test_a_board_that_fits_has_no_scrollbars(window: Window, place: Site, size: tuple[int, int]) -> None:
    window.resize(*size)
    game = place.game({"game": "trails"}, "screen")
    for path in ("/analyse?at=keepaway/6x6/king/1/0/2,2", "/lessons?game=chain", game):
        window.open(path, ".cell")
        extra = "(box => [box.scrollWidth - box.clientWidth, box.scrollHeight - box.clientHeight])"
        assert window.evaluate(f"{extra}(document.querySelector('#board .scroller'))") == [0, 0], path


@everywhere
def test_the_lines_between_cells_lie_where_the_cells_meet(window: Window) -> None:
    window.resize(1280, 762)
    window.open("/analyse#showdown/5x5/king/1/0/", ".cell .loss")
    rect = "document.querySelector('{}').getBoundingClientRect()"
    cell = window.evaluate(f"{rect.format('.cell')}.width")
    assert cell == int(cell)  # otherwise WebKit draws each line a little further from its cells
    assert abs(window.evaluate(f"{rect.format('.cells')}.width") - 5 * cell) < 0.01


@everywhere
@pytest.mark.parametrize("length", mostly_deep([2, 60], 60))
def test_games_stay_inside(window: Window, place: Site, length: int) -> None:
    setup = played("chain", "8x8", length)
    window.open(place.game(setup, "screen", name="W" * 32, other_name="Grace"), ".cell.playable")
    stays_inside(window, "a game")
    window.click("#actions button", "Resign")
    window.click("#confirm button", "Resign")
    window.click(":is(#result, #actions) button", "Review")
    window.sees("#review .swing")
    stays_inside(window, "a review")
