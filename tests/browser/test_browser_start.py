"""The start page: a board that is ready for play, all controls on the first screen, today's puzzle and live games."""

import json
import re
from collections.abc import Callable

import pytest
from browser_answers import Answers
from browser_visitor import GAMES, Site, Visitor, check_with_axe
from playwright.sync_api import Page, ViewportSize, expect

pytestmark = pytest.mark.slow

SIZES: dict[str, ViewportSize] = {
    "1280x720": {"width": 1280, "height": 720},
    "390x844": {"width": 390, "height": 844},
    "844x390": {"width": 844, "height": 390},
    "320x568": {"width": 320, "height": 568},
}
FIRST_SCREEN = ["#new-game .cells", "input[name=game]:checked + .face", ".opponents", "#level-choice", "#opponent-line"]
FIRST_SCREEN += ["#options-summary", "#start"]
# The points of an element that are outside the window or covered by another element.
UNSEEN = """(element) => {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const points = [[left + 3, top + 3], [right - 3, bottom - 3], [(left + right) / 2, (top + bottom) / 2]];
  const isSeen = ([x, y]) => {
    const there = document.elementFromPoint(x, y);
    return there && (element.contains(there) || there.contains(element) || element.parentElement.contains(there));
  };
  return points.filter((point) => !isSeen(point));
}"""


def ready(page: Page) -> None:
    """Wait until a move can be made on the board."""
    expect(page.locator("#new-game .cell.playable").first).to_be_visible()


def test_a_click_on_the_board_is_the_first_move(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    page.goto(site.address)
    ready(page)
    expect(page.get_by_role("grid")).to_have_accessible_name("Showdown board, 5 rows by 5 columns")
    visitor.pick("game", "chain")
    expect(page.get_by_role("grid")).to_have_accessible_name("Chain board, 4 rows by 4 columns")
    expect(page.locator("#game-rule")).to_have_text("Play next to the last marker placed.")
    visitor.pick("level", "easy")
    expect(page.locator("#opponent-line")).to_have_text("Nearly every move is a guess.")
    page.locator("[data-cell='5']").click()
    expect(page.locator("#players")).to_contain_text("Computer, easy")
    expect(page.locator("#moves button").first).to_contain_text("2,2")
    page.go_back()
    ready(page)
    expect(page.locator("input[value=chain]")).to_be_checked()  # and the board is as it was
    expect(page.locator("#recent")).to_contain_text("Chain")
    page.locator(".cell[tabindex='0']").focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.locator("#moves button").first).to_contain_text("2,3")


def test_a_refused_first_move_is_explained_by_the_board_and_loses_nothing(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    visitor.excuse("503|422")
    games = Answers(visitor, "/api/games")
    page.goto(site.address)
    ready(page)
    games.replace(503, {"error": "stopping", "words": "The server is stopping. Try again in a moment."})
    page.get_by_role("gridcell", name="3,3").click()
    expect(page.locator(".hero")).to_contain_text("The server is stopping. Try again in a moment.")
    assert "The server is stopping." in visitor.said
    expect(page.locator("#new-game .pending")).to_have_count(0)
    games.restore()
    page.get_by_role("gridcell", name="3,3").click()
    expect(page.locator("#moves button").first).to_contain_text("3,3")


def test_the_board_waits_if_another_player_starts(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    page.goto(site.address)
    ready(page)
    expect(page.locator("#caption")).to_have_text("Pick a cell to start the game.")
    visitor.unfold()
    visitor.pick("starts", "2")
    expect(page.locator("#new-game .cell.playable")).to_have_count(0)
    expect(page.locator("#caption")).to_have_text("The computer plays first. Start the game.")
    page.locator("[data-cell='0']").click()
    assert page.url == site.url("/")
    visitor.pick("opponent", "screen")
    page.locator("#new-game .cell.playable").first.click()
    expect(page.locator("#moves button")).to_have_count(1)
    expect(page.locator("#status")).to_contain_text("Player 1")  # the other player's turn


@pytest.mark.parametrize("size", SIZES)
def test_the_first_screen_has_everything_to_start(site: Site, visit: Callable[..., Visitor], size: str) -> None:
    visitor = visit(viewport=SIZES[size])
    page = visitor.page
    for game in (GAMES[0], GAMES[-1]):  # the first and the last tile
        page.goto(site.address)
        visitor.pick("game", game)
        page.evaluate("scrollTo(0, 0)")
        page.wait_for_load_state("networkidle")
        for part in FIRST_SCREEN:
            expect(page.locator(part)).to_be_in_viewport(ratio=0.98)
            assert page.locator(part).evaluate(UNSEEN) == [], f"{part} at {size}"
        page.locator("#start").click()
        expect(page.locator("#players")).to_be_visible()


def test_a_chosen_game_shows_how_it_moves_unless_motion_is_reduced(site: Site, visit: Callable[..., Visitor]) -> None:
    lively, calm = visit(), visit(reduced_motion="reduce")
    for visitor in (lively, calm):
        visitor.page.goto(site.address)
        ready(visitor.page)
        visitor.page.evaluate(
            """() => {
              globalThis.most = 0;
              const board = document.getElementById("board");
              const markers = ".cell > svg > g:not(.ghost) > .stroke";
              const count = () => { most = Math.max(most, board.querySelectorAll(markers).length); };
              new MutationObserver(count).observe(board, { childList: true, subtree: true });
            }"""
        )
        visitor.pick("game", "scatter")
    expect(lively.page.locator("#new-game .stroke:not(.ghost *)")).to_have_count(3)
    ready(lively.page)  # and then the board is the user's
    assert lively.page.evaluate("most") == 3
    assert calm.page.evaluate("most") == 0
    lively.page.get_by_role("gridcell", name="1,1").click()
    expect(lively.page.locator("#moves button").first).to_contain_text("1,1")


def test_today_has_the_puzzle_and_live_games_but_no_finished_ones(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    page.goto(site.address)
    daily = page.locator("#daily")
    expect(daily.locator(".stroke, .pawn").first).to_be_visible()
    expect(daily).to_contain_text("New every day")
    page.evaluate(
        """() => {
          const day = (back) => {
            const date = new Date(Date.now() - back * 86400000);
            const two = (number) => String(number).padStart(2, "0");
            return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
          };
          localStorage.setItem("gridlock.puzzles", JSON.stringify({ days: { [day(1)]: true, [day(2)]: true } }));
        }"""
    )
    visitor.open(site.game({"game": "trails"}, "easy"))
    visitor.open(site.game({"game": "showdown"}, "easy"))
    expect(page.locator("#title")).to_have_text("Showdown")
    page.get_by_role("button", name="Resign").click()
    page.locator("#confirm").get_by_role("button", name="Resign").click()
    expect(page.locator("#status.over")).to_be_visible()
    page.goto(site.address)
    expect(daily).to_contain_text("Streak: 2 days")
    expect(page.locator("#recent li")).to_have_count(1)
    expect(page.locator("#recent")).to_contain_text(re.compile("Trails.*your turn"))
    expect(page.locator("#today")).not_to_contain_text("you lost")
    ready(page)
    check_with_axe(page, "the start page with games")
    page.get_by_role("link", name="All your games (2)").click()
    expect(page.locator("#results")).to_contain_text(re.compile("Showdown.*0 won 1 lost"))
    visitor.pick("kind", "running")
    expect(page.locator(".mine")).to_have_count(1)
    expect(page.locator(".mine")).to_contain_text("Trails")
    visitor.pick("kind", "finished")
    expect(page.locator(".mine")).to_contain_text("Showdown")
    check_with_axe(page, "your games with results")
    page.goto(site.address)
    daily.click()
    expect(page).to_have_url(re.compile("/puzzles"))


def test_watching_takes_no_swap_rule_along(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    page.goto(site.address)
    visitor.unfold()
    page.locator("#swap").check()
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator("#subtitle")).to_contain_text("swap rule")
    page.goto(site.address)
    expect(page.locator("#options-summary")).to_contain_text("swap rule")
    visitor.pick("opponent", "levels")
    expect(page.locator("#options-summary")).not_to_contain_text("swap rule")
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator(".who b")).to_have_text(["Computer 1, medium", "Computer 2, medium"])
    expect(page.locator("#subtitle")).to_have_text(re.compile("diagonals"))
    expect(page.locator("#subtitle")).not_to_contain_text("swap rule")
    page.goto(site.address)
    expect(page.locator("#options-summary")).not_to_contain_text("swap rule")
    visitor.pick("opponent", "computer")
    expect(page.locator("#options-summary")).to_contain_text("swap rule")  # as in the last game with a person


def test_a_game_of_your_own_has_a_tile_and_starts(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    definition = {"name": "hermits", "title": "Hermits", "board": "4x5", "shape": {"closes_own": True}}
    page.goto(site.url(f"/#own={json.dumps(definition)}"))
    expect(page.get_by_role("radio", name="Hermits Your own")).to_be_checked()
    expect(page.locator("#game-rule")).to_have_text("Never put a marker next to one of your own.")
    expect(page.get_by_role("grid")).to_have_accessible_name("Hermits board, 4 rows by 5 columns")
    check_with_axe(page, "a game of your own on the start page")
    page.get_by_role("gridcell", name="2,2").click()
    expect(page.locator("#subtitle")).to_contain_text("custom game")
    expect(page.locator("#moves button").first).to_contain_text("2,2")
    page.goto(site.address)
    expect(page.get_by_role("radio", name="Hermits Your own")).to_be_checked()  # it is remembered


def test_a_wrong_option_is_unfolded(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    page.goto(site.address)
    ready(page)
    visitor.unfold()
    page.get_by_label("Rows", exact=True).fill("0")
    page.locator("#options summary").click()
    expect(page.get_by_label("Rows", exact=True)).to_be_hidden()
    page.get_by_role("button", name="Start the game").click()
    expect(page.get_by_label("Rows", exact=True)).to_be_focused()
