"""Tests that solve puzzles in a browser: the daily puzzle, a puzzle from any position, and a timed run."""

import re

import pytest
from browser_answers import Answers
from browser_solver import Solver, click
from browser_visitor import Site, Visitor
from playwright.sync_api import Page, expect

from gridlock.play.share import puzzle_lines

pytestmark = pytest.mark.slow


def today(page: Page) -> str:
    page.goto("about:blank")
    return str(page.evaluate("new Date().toLocaleDateString('sv')"))


MARKERS = ".cell[aria-label*=', X'], .cell[aria-label*=', O'], .cell[aria-label*=', A'], .cell[aria-label*=', B']"


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
    puzzle = site.puzzle(now)
    board = puzzle["position"]["board"]
    page.goto(site.url("/puzzles"))
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
    assert page.evaluate("shared").splitlines() == [*lines, site.url(f"/puzzles?day={now}")]
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
    choice = site.url("/puzzles?difficulty=2&game=keepaway")
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


@pytest.mark.parametrize("day", ["2026-02-31", "9" * 60], ids=["impossible", "long"])
def test_a_date_that_does_not_exist_is_reported(site: Site, visitor: Visitor, day: str) -> None:
    page = visitor.page
    now = today(page)
    page.goto(site.url(f"/puzzles?day={day}"))
    expect(page.locator("#note")).to_contain_text(f"{day} isn't a valid date, so this is today's puzzle.")
    assert page.locator(".toast").evaluate("(toast) => toast.scrollWidth <= toast.clientWidth")
    expect(page.locator("#title")).to_have_text("Today's puzzle")
    assert f"day={now}" in page.url


def test_any_position_is_a_puzzle_if_the_engine_confirms_it(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    visitor.excuse("422")
    page.goto(site.url("/puzzles?at=chain/3x3/orthogonal/1/0/"))
    expect(page.get_by_role("heading", name="A puzzle from a friend")).to_be_visible()
    solver = puzzle_on(page, site)
    while not solver.play():
        pass
    expect(page.locator("#result")).to_contain_text("Solved without a mistake")
    page.goto(site.url("/puzzles?at=chain/3x3/orthogonal/1/0/1,2"))  # which is lost
    expect(page.locator("#words")).to_contain_text("so this position is not a puzzle.")
    expect(page.get_by_role("grid")).to_be_visible()
    expect(page.locator(".cell.playable")).to_have_count(0)
    page.get_by_role("link", name="Analyse", exact=True).click()
    expect(page.locator("#verdict[aria-busy=false]")).to_be_visible()
    page.goto(site.url("/puzzles?at=half"))
    expect(page.locator("#words")).to_contain_text("This position link can't be read.")
    page.get_by_role("link", name="Today's puzzle", exact=True).click()
    expect(page.get_by_role("heading", name="Today's puzzle")).to_be_visible()


def press(page: Page, cell: int) -> None:
    """Choose a cell with the keyboard, assuming that the board has the focus."""
    cols = page.locator(".row").first.locator(".cell").count()
    keys = ["PageUp", "Home", *["ArrowDown"] * (cell // cols), *["ArrowRight"] * (cell % cols), "Enter"]
    for key in keys:
        page.keyboard.press(key)


def test_a_timed_run_by_keyboard(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    puzzles = Answers(visitor, "/api/puzzle")
    page.goto(site.url("/puzzles?run"))
    page.get_by_role("button", name="Start").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#timer")).to_contain_text("3:00")
    for number in range(4):  # the first is solved, and the others are missed
        expect(page.locator("#squares .next")).to_have_count(1)
        expect(page.locator("#squares li")).to_have_count(number + 1)
        expect(page.locator(".lives .gone")).to_have_count(max(0, number - 1))
        puzzle = puzzles.seen[number]  # each is requested when the one before it has come
        solver = Solver(site, page, puzzle)
        if number:
            press(page, solver.wrong())
        else:
            while not solver.play(press):
                pass
    expect(page.locator("#result")).to_contain_text("1 solved")
    expect(page.locator("#result .missed")).to_have_count(3)
    expect(page.locator("#result")).to_contain_text("Your best run")
    expect(page.locator("#words")).to_have_text("Three mistakes. 1 solved.")
    page.reload()
    expect(page.locator("#subtitle")).to_have_text("Your best: 1")


def test_a_run_without_a_solution_is_not_called_the_best(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    page.goto(site.url("/puzzles?run"))
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#squares .next")).to_have_count(1)
    page.get_by_role("button", name="End the run").click()
    expect(page.locator("#words")).to_have_text("You ended the run. 0 solved.")
    expect(page.locator("#result")).to_contain_text("The run is over")


def test_leaving_a_timed_run_needs_confirmation(site: Site, visitor: Visitor) -> None:
    page, timer = visitor.page, visitor.page.locator("#timer")
    page.goto(site.url("/puzzles"))
    expect(page.locator("#stage")).to_have_attribute("aria-busy", "false")
    page.get_by_role("link", name="Three-minute run").click()
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#squares .next")).to_have_count(1)
    visitor.excuse("^dialog: $")  # visitors decline every question
    for leave in (
        lambda: page.evaluate("setTimeout(() => location.reload())"),
        lambda: page.locator(".calendar a").first.click(),
        lambda: page.get_by_role("button", name="New puzzle").click(),
        lambda: page.evaluate("history.back()"),
    ):
        with page.expect_event("dialog") as question:
            leave()
        assert question.value.type == "beforeunload"
        expect(timer).to_be_visible()
    page.get_by_role("button", name="End the run").click()
    page.reload()
    expect(page.locator("#stage")).to_have_attribute("aria-busy", "false")
    assert len(visitor.problems) == 4  # a run that has ended needs no question


def test_the_board_and_the_question_are_in_sight(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    for path in ("/puzzles", "/puzzles?difficulty=5&game=showdown"):
        page.goto(site.url(path))
        expect(page.get_by_role("button", name="Show the answer")).to_be_visible()
        for width, height in ((390, 844), (844, 390), (320, 568), (1280, 720)):
            page.set_viewport_size({"width": width, "height": height})
            for part in ("#words", "#title", ".field"):
                expect(page.locator(part)).to_be_in_viewport(ratio=0.99)


HOTTEST = "/puzzles?at=showdown/5x5/orthogonal/1/0/4,3_5,1_1,3_3,4_1,1_2,4_5,4_2,5_2,1_4,1_2,2&kind=hottest"


def test_the_hottest_region_is_asked_for_explained_and_shown(visitor: Visitor) -> None:
    page = visitor.page
    page.goto(visitor.site.url(HOTTEST))
    expect(page.locator("#title")).to_have_text("Find the hottest region")
    expect(page.locator("#words")).to_contain_text("Where does moving first gain the most?")
    click(page, 4)
    expect(page.locator("#words")).to_have_text("1,5 is a free move: only you can play there, so there is no hurry.")
    page.get_by_role("button", name="Try again").click()
    click(page, 14)
    expect(page.locator("#words")).to_contain_text("Right: A, 3 cells: hot, 1.")
    expect(page.locator(".cells .heat-1")).to_have_count(3)
    expect(page.locator("#result")).to_contain_text("Solved")
    assert page.locator("#words").is_visible()


def test_a_kind_can_be_chosen_and_has_its_own_address(visitor: Visitor) -> None:
    page = visitor.page
    page.goto(visitor.site.url("/puzzles"))
    expect(page.locator("#stage")).to_have_attribute("aria-busy", "false")
    page.get_by_label("Kind").select_option("trap")
    expect(page.get_by_label("Game", exact=True)).to_be_hidden()
    page.get_by_role("button", name="New puzzle").click()
    expect(page.locator("#words")).to_contain_text("Careful: the hottest region is a trap.")
    expect(page).to_have_url(re.compile(r"/puzzles(\.html)?\?at=showdown/.*&kind=trap&difficulty=2$"))
    page.get_by_role("button", name="Show the answer").click()
    expect(page.locator("#words")).to_contain_text("But every move in A loses")
    expect(page.locator(".cells .area-edge").first).to_be_visible()
