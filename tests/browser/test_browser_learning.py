"""Puzzles, lessons and the atlas, as people use them."""

import json
import re
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from browser_visitor import Site, Visitor, check_with_axe
from playwright.sync_api import Page, expect
from test_browser_layout import stays_inside

from gridlock.play.share import puzzle_lines

pytestmark = pytest.mark.slow
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def got(site: Site, path: str) -> dict[str, Any]:
    with urllib.request.urlopen(site.address + path, timeout=30) as response:
        answer: dict[str, Any] = json.load(response)
    return answer


def click(page: Page, cell: int) -> None:
    page.locator(f"[data-cell='{cell}']").click()


# -- puzzles ------------------------------------------------------------------------------------------------------


def today(page: Page) -> str:
    page.goto("about:blank")
    return str(page.evaluate("new Date().toLocaleDateString('sv')"))


MARKERS = ".cell[aria-label*=', X'], .cell[aria-label*=', O'], .cell[aria-label*=', A'], .cell[aria-label*=', B']"


class Solver:
    """Solves a puzzle on the page with the server's help."""

    def __init__(self, site: Site, page: Page, puzzle: dict[str, Any]) -> None:
        self.site, self.page = site, page
        self.position = puzzle["position"]
        self.setup = self.position["setup"]
        self.moves: list[str] = []

    def winning(self) -> list[int]:
        """Return the moves that win now."""
        told = self.site.ask("/api/puzzle/try", {"setup": self.setup, "moves": self.moves, "give_up": True})
        winning: list[int] = told["winning"]
        return winning

    def wrong(self) -> int:
        """Return a move that loses now."""
        winning = self.winning()
        legal: list[int] = self.position["board"]["legal"]
        return next(cell for cell in legal if cell not in winning)

    def play(self, choose: Callable[[Page, int], None] = click) -> bool:
        """Make a winning move on the page, and return whether that solves the puzzle."""
        cell, board = self.winning()[0], self.position["board"]
        name = f"{cell // board['cols'] + board['origin']},{cell % board['cols'] + board['origin']}"
        told = self.site.ask("/api/puzzle/try", {"setup": self.setup, "moves": [*self.moves, name]})
        choose(self.page, cell)
        expect(self.page.locator("#words")).to_have_text(told["words"])
        self.position = told["position"]
        self.moves = self.position["setup"]["moves"][len(self.setup["moves"]) :]
        done: bool = told["done"]
        return done


def puzzle_on(page: Page, site: Site) -> Solver:
    """Return a solver for the puzzle in the page's address."""
    expect(page).to_have_url(re.compile(r"\?at="))
    path = page.evaluate("decodeURIComponent(location.search)").removeprefix("?at=").partition("&")[0]
    game, board, adjacency, starts, swap, moves = path.split("/")
    setup = {"game": game, "board": board, "adjacency": adjacency, "starts": int(starts), "swap": swap == "1"}
    opened = site.ask("/api/puzzle", {"setup": setup | {"moves": moves.split("_") if moves else []}})
    expect(page.locator("#words")).to_have_text(opened["words"])
    return Solver(site, page, opened)


def test_the_daily_puzzle_is_played_out_shared_and_counts_once(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    page.add_init_script("navigator.share = async ({ text }) => { globalThis.shared = text; }")
    now = today(page)
    puzzle = got(site, f"/api/puzzle?day={now}")
    board = puzzle["position"]["board"]
    page.goto(f"{site.address}/puzzles")
    expect(page.get_by_role("heading", name="Today's puzzle")).to_be_visible()
    expect(page.locator("#words")).to_have_text(puzzle["words"])
    expect(page.locator("#standing")).to_have_text("Daily streak: 0 days")
    expect(page.locator("#subtitle .full")).to_have_count(puzzle["difficulty"])
    assert puzzle["choices"] == len(board["legal"]) == page.locator(".cell.playable").count()
    assert f"day={now}" in page.url
    click(page, next(cell for cell in range(99) if cell not in board["legal"]))
    expect(page.locator("#note")).to_contain_text("The cell is")
    solver = Solver(site, page, puzzle)
    steps = 1
    while not solver.play():
        expect(page.locator("#squares .first")).to_have_count(steps)
        expect(page.locator("#squares .next")).to_have_count(1)
        steps += 1
    expect(page.locator("#result")).to_contain_text("Solved without a mistake")
    expect(page.locator("#result .first")).to_have_count(steps)
    expect(page.locator("#result")).to_contain_text("1 day in a row")
    expect(page.locator(".day.today.solved")).to_have_count(1)
    assert "Solved!" in visitor.said
    page.get_by_role("button", name="Share").click()
    size = f"{board['title']} {board['rows']}x{board['cols']}"
    lines = puzzle_lines(now, size, puzzle["difficulty"], "1" * steps, 1)
    assert page.evaluate("shared").splitlines() == [*lines, f"{site.address}/puzzles?day={now}"]
    page.reload()
    expect(page.locator("#result")).to_contain_text("You solved this one")
    click(page, Solver(site, page, puzzle).wrong())  # for practice: the first attempt counts
    expect(page.locator("#words")).to_contain_text("loses")
    expect(page.locator("#standing")).to_have_text("Daily streak: 1 day")
    page.locator(".calendar .button").first.click()
    page.locator("a.day").first.click()
    expect(page.get_by_role("heading", name="Daily puzzle, 1 ")).to_be_visible()
    page.get_by_role("link", name="Today's puzzle", exact=True).click()
    expect(page.locator("#result")).to_contain_text("You solved this one")
    page.go_back()
    expect(page.get_by_role("heading", name="Daily puzzle, 1 ")).to_be_visible()


def test_a_wrong_move_is_refuted_and_a_reload_skips_no_puzzle(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    choice = f"{site.address}/puzzles?difficulty=2&game=keepaway"
    standing, answer = page.locator("#standing"), page.get_by_role("button", name="Show the answer")
    page.goto(choice)
    solver = puzzle_on(page, site)
    while not solver.play():
        pass
    expect(page.locator("#result")).to_contain_text("1 in a row")
    page.get_by_role("link", name="Next puzzle").click()
    expect(answer).to_be_visible()
    expect(standing).to_have_text("In a row: 1")
    solver = puzzle_on(page, site)
    address = page.url
    markers = page.locator(MARKERS)
    before = markers.count()
    click(page, solver.wrong())
    expect(page.locator("#words")).to_have_text(re.compile(r"\S+ loses to \S+"))
    assert markers.count() >= before + 2  # the move and its refutation
    expect(page.locator("#squares .missed")).to_have_count(1)
    page.get_by_role("button", name="Try again").click()
    expect(markers).to_have_count(before)
    for again in (address, choice):  # neither a reload nor another start brings another puzzle, or takes a mistake back
        page.goto("about:blank")
        page.goto(again)
        expect(answer).to_be_visible()
        expect(page).to_have_url(address)
        expect(standing).to_have_text("Mistakes: 1 of 2. In a row: 1")
    for _ in range(2):
        click(page, solver.wrong())
        page.get_by_role("button", name="Try again").click()
    expect(standing).to_have_text("In a row: 0 (best: 1)")
    while not solver.play():  # for practice
        pass
    expect(page.locator("#result .later")).to_have_count(1)
    page.get_by_role("button", name="Play again").click()
    expect(page.locator("#result")).to_contain_text("You missed this one")
    answer.click()
    expect(page.locator("#words")).to_have_text(re.compile(r"The winning moves? (is|are) "))
    assert markers.count() > before
    page.get_by_role("link", name="Analyse", exact=True).click()
    expect(page.locator("#verdict[aria-busy=false]")).to_be_visible()
    page.go_back()
    expect(page).to_have_url(address)
    expect(page.locator("#game")).to_have_value("keepaway")
    expect(page.locator("#result")).to_contain_text("You missed this one")


@pytest.mark.parametrize("day", ["2026-02-31", "foo"])
def test_a_date_that_does_not_exist_is_reported(site: Site, visitor: Visitor, day: str) -> None:
    page = visitor.page
    now = today(page)
    page.goto(f"{site.address}/puzzles?day={day}")
    expect(page.locator("#note")).to_contain_text(f"There is no date {day}, so this is today's puzzle.")
    expect(page.locator("#title")).to_have_text("Today's puzzle")
    assert f"day={now}" in page.url


def test_any_position_is_a_puzzle_if_the_engine_confirms_it(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    visitor.excuse("422")
    page.goto(f"{site.address}/puzzles?at=chain/3x3/orthogonal/1/0/")
    expect(page.get_by_role("heading", name="A puzzle from a friend")).to_be_visible()
    solver = puzzle_on(page, site)
    while not solver.play():
        pass
    expect(page.locator("#result")).to_contain_text("Solved without a mistake")
    page.goto(f"{site.address}/puzzles?at=chain/3x3/orthogonal/1/0/1,2")  # which is lost
    expect(page.locator("#words")).to_contain_text("so it is no puzzle.")
    expect(page.get_by_role("grid")).to_be_visible()
    expect(page.locator(".cell.playable")).to_have_count(0)
    page.get_by_role("link", name="Analyse", exact=True).click()
    expect(page.locator("#verdict[aria-busy=false]")).to_be_visible()
    page.goto(f"{site.address}/puzzles?at=half")
    expect(page.locator("#words")).to_contain_text("This position link can't be read.")
    page.get_by_role("link", name="Today's puzzle", exact=True).click()
    expect(page.get_by_role("heading", name="Today's puzzle")).to_be_visible()


def press(page: Page, cell: int) -> None:
    """Choose a cell with the keyboard; the focus is on the board."""
    cols = page.locator(".row").first.locator(".cell").count()
    keys = ["PageUp", "Home", *["ArrowDown"] * (cell // cols), *["ArrowRight"] * (cell % cols), "Enter"]
    for key in keys:
        page.keyboard.press(key)


def test_a_timed_run_by_keyboard(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    answers: list[dict[str, Any]] = []
    page.on("response", lambda one: answers.append(one.json()) if "/api/puzzle?" in one.url else None)
    page.goto(f"{site.address}/puzzles?run")
    page.get_by_role("button", name="Start").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#timer")).to_contain_text("3:00")
    for number in range(4):  # the first is solved, and the others are missed
        expect(page.locator("#squares .next")).to_have_count(1)
        expect(page.locator("#squares li")).to_have_count(number + 1)
        expect(page.locator(".lives .gone")).to_have_count(max(0, number - 1))
        puzzle = answers[number]  # each is requested when the one before it has come
        solver = Solver(site, page, puzzle)
        if number:
            press(page, solver.wrong())
        else:
            while not solver.play(press):
                pass
    expect(page.locator("#result")).to_contain_text("1 solved")
    expect(page.locator("#result .missed")).to_have_count(3)
    expect(page.locator("#result")).to_contain_text("Your best run")
    expect(page.locator("#words")).to_have_text("Three mistakes. 1 solved in three minutes.")
    page.reload()
    expect(page.locator("#subtitle")).to_have_text("Your best: 1")


def test_the_board_and_the_question_are_in_sight(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    for path in ("/puzzles", "/puzzles?difficulty=5&game=showdown"):
        page.goto(site.address + path)
        expect(page.get_by_role("button", name="Show the answer")).to_be_visible()
        for width, height in ((390, 844), (844, 390), (320, 568), (1280, 720)):
            page.set_viewport_size({"width": width, "height": height})
            for part in ("#words", "#title", ".field"):
                expect(page.locator(part)).to_be_in_viewport(ratio=0.99)


# -- lessons ------------------------------------------------------------------------------------------------------


def test_a_lesson_is_played_to_its_end_and_remembered(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    page.goto(f"{site.address}/lessons?game=chain&lesson=2")
    expect(page.locator("#lesson-title")).to_have_text("2. A dead end")
    page.get_by_role("gridcell", name="1,4").click()
    expect(page.locator("#note")).to_contain_text("not adjacent to the last marker")
    page.get_by_role("gridcell", name="1,3").click()
    expect(page.locator("#words")).to_contain_text("1,3 does not win.")
    page.get_by_role("gridcell", name="1,1").click()
    expect(page.locator("#words")).to_contain_text("Right! The path ends")
    page.get_by_role("button", name="Next lesson").click()
    expect(page.locator("#lesson-title")).to_have_text("3. Dominoes")
    page.get_by_role("gridcell", name="2,2").click()
    while "Right!" not in page.locator("#words").inner_text():
        expect(page.locator("#words")).to_contain_text(re.compile("Keep going|Right!"))
        if page.locator(".cell.playable").count():
            before = page.locator("#words").inner_text()
            page.locator(".cell.playable").first.click()
            expect(page.locator("#words")).not_to_have_text(before)
    page.reload()
    expect(page.locator("#course button", has_text="done")).to_have_count(2)
    expect(page.locator("#courses a[aria-current]")).to_contain_text("2 of 6 done")
    page.goto(f"{site.address}/lessons?game=chain")
    expect(page.locator("#lesson-title")).to_contain_text("1. ")
    page.get_by_role("button", name="Show me").click()
    expect(page.locator("#words")).to_contain_text("The answer is 1,2 or 2,1 or 2,3 or 3,2.")
    expect(page.locator(".better")).to_have_count(4)
    expect(page.locator("#course button", has_text="done")).to_have_count(2)


def test_show_me_answers_the_position_on_the_board(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    page.goto(f"{site.address}/lessons?game=keepaway&lesson=4")
    page.get_by_role("button", name="Show me").click()
    expect(page.locator("#words")).to_have_text(
        re.compile(r"^The answer is \d,\d( or \d,\d)*\. You always have an answer")
    )
    stars = page.locator(".cell:has(.better)")
    first = str(stars.first.get_attribute("data-cell"))
    page.get_by_role("button", name="Try again").click()
    click(page, int(first))
    expect(page.locator("#words")).to_contain_text("Keep going.")
    markers = page.locator(".cell[aria-label*=', X'], .cell[aria-label*=', O']")
    before = markers.count()
    page.get_by_role("button", name="Show me").click()
    expect(page.locator("#words")).to_have_text(re.compile(r"^From here, \d,\d( or \d,\d)* wins\.$"))
    assert markers.count() == before  # the moves are still there
    for star in stars.all():
        assert str(star.get_attribute("aria-label")).split(",", 2)[0] in page.locator("#words").inner_text()
    expect(page.locator("#course button", has_text="done")).to_have_count(0)


def test_the_last_lesson_ends_the_course_and_leads_to_a_game_and_the_next_one(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    page.goto(f"{site.address}/lessons?game=keepaway&lesson=1")
    expect(page.locator("#lesson-title")).to_contain_text("1. ")
    count = page.locator("#course button").count()
    done = {"keepaway": list(range(2, count + 1)), "chain": [1, 2, 3, 4, 5, 6]}
    page.evaluate("(done) => localStorage.setItem('gridlock.lessons', JSON.stringify(done))", done)
    page.reload()
    expect(page.locator("#finish")).to_be_hidden()
    page.get_by_role("button", name="Show me").click()
    stars = page.locator(".cell:has(.better)")
    first = str(stars.first.get_attribute("data-cell"))
    expect(page.locator("#finish")).to_be_hidden()  # a lesson that was shown is not done
    page.get_by_role("button", name="Try again").click()
    click(page, int(first))
    expect(page.locator("#finish-words")).to_have_text("You have finished Keep-Away. Play it, or go on with Scatter.")
    assert "You have finished Keep-Away." in visitor.said
    check_with_axe(page, "the end of a course")
    page.get_by_role("link", name="Learn Scatter").click()
    expect(page.locator("#title")).to_contain_text("Scatter in ")
    page.go_back()
    expect(page.locator("#lesson-title")).to_contain_text("1. ")
    click(page, int(first))
    page.get_by_role("button", name="Play Keep-Away").click()
    expect(page.locator("#players")).to_be_visible()


# -- the atlas ----------------------------------------------------------------------------------------------------


def test_an_atlas_board_is_viewed_played_and_analysed(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    page.goto(f"{site.address}/atlas?game=scatter")
    expect(page.locator("#table-title")).to_have_text(
        "The second player wins on every board, as far as we know, except on 1x1."
    )
    expect(page.locator("#boards .sign.search")).not_to_have_count(0)
    assert set(page.locator("#boards button").all_inner_texts()) == {""}  # no codes to look up
    expect(page.locator("#games .mini-map")).to_have_count(5)
    expect(page.locator("#told-title")).to_have_text("5x5: the second player wins (search)")
    page.get_by_role("radio", name="Chain").check(force=True)
    page.get_by_role("button", name="3x3: the first player wins (theorem)", exact=True).click()
    expect(page.locator("#facts")).to_contain_text("5 of 9 first moves win.")
    expect(page.locator("#board .win")).to_have_count(5)
    link = page.url
    page.locator("#board [data-cell='4']").click()
    expect(page.locator("#verdict[aria-busy=false]")).to_be_visible()
    visitor.count_is(1)
    page.goto(link)
    expect(page.locator("#facts")).to_contain_text("5 of 9 first moves win.")
    page.get_by_role("button", name="Play the computer").click()
    expect(page.locator("#players")).to_be_visible()
    assert visitor.wait_for_turn()
    expect(page.locator(".cell.playable")).to_have_count(9)


# -- a review -------------------------------------------------------------------------------------------------------


def test_a_review_has_a_link_that_survives_a_reload(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    moves = ["1,1", "3,3", "2,1", "1,3", "3,1", "1,2"]
    visitor.open(site.game({"game": "keepaway", "moves": moves}, "screen", name="Ada", other_name="Grace"))
    visitor.play_to_the_end()
    page.get_by_role("button", name="Review").click()
    page.get_by_role("link", name="Open as a page").click()
    for _ in range(2):
        expect(page.locator(".swing")).to_be_visible()
        expect(page.locator("#subtitle")).to_have_text("Ada (X) against Grace (O)")
        page.reload()
    expect(page.locator(".swing")).to_be_visible()
    seen = len(visitor.moves())
    assert seen
    page.get_by_role("button", name="Go to the start").click()
    expect(page.locator(".count")).to_have_text(f"0 / {seen}")
    page.locator(".mistakes button").first.click()
    expect(page.locator(".better").first).to_be_visible()
    page.get_by_role("link", name="Back to the game").click()
    expect(page.locator("#subtitle")).to_contain_text("watching")  # a person with this link has no seat
    page.goto(f"{site.address}/analyse?at=keepaway/3x3/king/1/0/{'_'.join(moves)}")
    page.get_by_role("link", name="Review these moves").click()
    expect(page.locator(".swing")).to_be_visible()
    visitor.count_is(len(moves))
    visitor.excuse("401")
    page.goto(f"{site.address}/review#{'x' * 22}/{'y' * 32}")
    expect(page.locator("#words")).to_have_text("This link doesn't open a game.")
    page.goto(f"{site.address}/review?at=half")
    expect(page.locator("#words")).to_contain_text("This position link can't be read.")
    page.goto(f"{site.address}/review")
    expect(page.locator("#words")).to_have_text("There is no position in this link.")
    page.locator("#actions").get_by_role("link", name="Your games").click()
    expect(page.get_by_role("heading", name="Your games")).to_be_visible()


def test_what_takes_long_says_so(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    page.route("**/api/puzzle*", lambda _route: None)  # and no answer comes
    page.goto(f"{site.address}/puzzles")
    words = """() => {
      const { content, opacity } = getComputedStyle(document.querySelector(".heading"), "::after");
      return [content, opacity];
    }"""
    for _ in range(100):
        content, opacity = page.evaluate(words)
        if opacity == "1":
            break
        page.wait_for_timeout(100)
    assert (content, opacity) == ('"One moment…"', "1")


def test_a_board_can_be_embedded_in_another_page(site: Site, visitor: Visitor, tmp_path: Path) -> None:
    page = visitor.page
    visitor.excuse("a request to 127|404|[Cc]lipboard")
    page.goto(f"{site.address}/analyse?at=showdown/5x5/king/1/0/3,3")
    expect(page.locator("#verdict[aria-busy=false]")).to_be_visible()
    page.locator("#share-card summary").click()
    code = page.get_by_label("Embed code").input_value()
    assert "<iframe src=" in code
    page.get_by_role("button", name="Copy embed code").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    (tmp_path / "index.html").write_text(f"<!doctype html><title>x</title><h1>My lesson</h1>{code}")
    with teachers_page(tmp_path) as address:
        page.goto(address)
        tries_moves(page)
    page.goto(f"{site.address}/embed?at=half")
    expect(page.locator("#words")).to_contain_text("This position link can't be read.")


@contextmanager
def teachers_page(folder: Path) -> Iterator[str]:
    """A page on another server."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def tries_moves(page: Page) -> None:
    board = page.frame_locator("iframe")
    expect(board.locator("#words")).to_have_text("Player 2 (O) is to move.")
    board.get_by_role("gridcell", name="3,4").click()
    expect(board.locator("#note")).to_contain_text("The cell is adjacent to")
    board.get_by_role("gridcell", name="1,1").click()
    expect(board.locator("#words")).to_have_text("Player 1 (X) is to move.")
    board.get_by_role("button", name="Start over").click()
    expect(board.locator("#words")).to_have_text("Player 2 (O) is to move.")
    assert page.frames[1].evaluate("localStorage.length + sessionStorage.length") == 0


# -- all of them --------------------------------------------------------------------------------------------------

READY = {
    "/puzzles": "#actions button",
    "/puzzles?difficulty=4": "#actions button",
    "/puzzles?run": "#board .row",
    "/lessons": "#course button",
    "/atlas?game=trails&board=4x5": "#board .loss",
    "/design": "#board .win",
    "/embed?at=trails/4x5/orthogonal/1/0/0,1": "#actions a",
    "/review?at=chain/3x3/orthogonal/1/0/2,2_1,2_1,1": ".swing",
}


def test_these_pages_stay_inside(site: Site, visitor: Visitor) -> None:
    for path, ready in READY.items():
        visitor.page.goto(site.address + path)
        expect(visitor.page.locator(ready).first).to_be_visible()
        stays_inside(visitor.page, path)


@pytest.mark.parametrize(("scheme", "options"), [("light", {}), ("dark", PHONE)], ids=["light", "dark phone"])
def test_axe_finds_nothing_on_these_pages(
    site: Site, visit: Callable[..., Visitor], scheme: str, options: dict[str, object]
) -> None:
    visitor = visit(color_scheme=scheme, **options)
    visitor.excuse("422")
    page = visitor.page
    for path, ready in READY.items():
        page.goto(site.address + path)
        expect(page.locator(ready).first).to_be_visible()
        check_with_axe(page, path)
        for label in ("Show the answer", "Show me"):
            if page.get_by_role("button", name=label).count():
                page.get_by_role("button", name=label).click()
                check_with_axe(page, f"{path}, answered")
    page.goto(f"{site.address}/lessons?game=nothing")
    expect(page.locator("#words")).to_contain_text("There is no game called 'nothing'.")
    check_with_axe(page, "no lesson")
