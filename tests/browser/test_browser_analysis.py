"""The analysis board in the browser."""

import re

import pytest
from browser_visitor import Site, Visitor
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.slow

POSITION = "/analyse#showdown/5x5/king/1/0/3,3_1,1"


def values_for_all_legal_cells(page: Page) -> None:
    """Wait until every playable cell shows its value."""
    expect(page.locator("#verdict")).to_have_attribute("aria-busy", "false")
    playable = page.locator(".cell.playable").count()
    assert playable
    expect(page.locator(".cell.playable :is(.win, .loss, .unknown)")).to_have_count(playable)


def test_every_legal_cell_shows_its_worth(visitor: Visitor) -> None:
    page = visitor.page
    page.goto(visitor.site.url(POSITION))
    values_for_all_legal_cells(page)
    expect(page.locator("#verdict-words")).to_have_text("X is to move and wins.")
    expect(page.locator("#explanation")).not_to_be_empty()
    labels = [cell.get_attribute("aria-label") or "" for cell in page.locator(".cell.playable").all()]
    assert all(re.search(r"(wins|loses)( in \d+)?(, answered by .*)?$|unknown$", label) for label in labels)
    assert (
        page.locator(".win").count() + page.locator(".loss").count()
        > page.locator("#legend .win, #legend .loss").count()
    )
    visitor.pick("overlay", "nothing")
    expect(page.locator(".cells .win")).to_have_count(0)
    assert "wins" in visitor.said


def test_moves_can_be_tried_and_stepped_through(visitor: Visitor) -> None:
    page = visitor.page
    page.goto(visitor.site.url(POSITION))
    values_for_all_legal_cells(page)
    page.get_by_role("gridcell", name="5,5").click()
    visitor.count_is(3)
    expect(page.locator("#words")).to_have_text("Player 2 (O) is to move.")
    assert page.url.endswith("3,3_1,1_5,5")
    values_for_all_legal_cells(page)
    page.get_by_role("button", name="Go to the start").click()
    expect(page.locator(".count")).to_have_text("0 / 3")
    page.keyboard.press("]")
    expect(page.locator(".count")).to_have_text("1 / 3")
    page.get_by_role("gridcell", name="1,1").click()
    expect(page.locator(".count")).to_have_text("2 / 3")
    page.get_by_role("gridcell", name="1,2").click()
    expect(page.locator("#note")).to_contain_text("adjacent to your opponent's marker")
    expect(page.locator(".cause")).to_have_count(1)
    page.reload()
    expect(page.locator(".count")).to_have_text("2 / 2")


def test_the_pairing_is_drawn(visitor: Visitor) -> None:
    page = visitor.page
    page.goto(visitor.site.url("/analyse#chain/4x4/orthogonal/1/0/"))
    expect(page.locator(".capsule")).to_have_count(8)
    expect(page.locator("#explanation")).to_contain_text("pair")
    page.get_by_label("Show the pairs of cells").uncheck()
    expect(page.locator(".capsule")).to_have_count(0)


def test_move_lists_and_records_can_be_pasted(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    visitor.excuse("422|400")
    page.goto(visitor.site.url("/analyse"))
    values_for_all_legal_cells(page)
    page.get_by_text("Paste", exact=True).click()
    box = page.get_by_label("A record, a position, or a list of moves")
    box.fill("3,3 1,1; 5 5")
    page.get_by_role("button", name="Load it").click()
    visitor.count_is(3)
    for text, problem in (
        ("3,3 3,3", "Move 2 (3,3) is not possible: the cell is already occupied."),
        ("  ", "Paste a record, a position or a list of moves first."),
        ("{}", "This is not a GridLock record."),
        ("showdown king 5/2XO1/5/5/5 X ? ? -", "X at 2,3 and O at 2,4 touch: opposing markers must not touch."),
        ("chess king 5/5/5/5/5 X - - -", "The games are Keep-Away, Chain, Scatter, Trails, Showdown."),
    ):
        box.fill(text)
        page.get_by_role("button", name="Load it").click()
        expect(page.locator("#paste-problem")).to_contain_text(problem)
    visitor.count_is(3)
    box.fill("3 3 / 1 1")
    page.get_by_role("button", name="Load it").click()
    visitor.count_is(2)
    box.fill("keepaway king X2/3/2O X 1,1 3,3 -")
    page.get_by_role("button", name="Load it").click()
    expect(page.get_by_role("gridcell", name="3,3, O")).to_be_visible()
    visitor.count_is(0)
    other = page.context.new_page()
    game = site.game({"game": "trails", "moves": ["0,1", "1,2"]}, "screen")
    visitor.store_games()
    other.goto(game)
    other.get_by_text("Share", exact=True).click()
    with other.expect_download() as downloading:
        other.get_by_role("button", name="Download record").click()
    box.fill(downloading.value.path().read_text())
    page.get_by_role("button", name="Load it").click()
    visitor.count_is(2)
    assert "#trails/3x3/orthogonal/1/0/0,1_1,2" in page.url


def test_another_board_can_be_set_up(visitor: Visitor) -> None:
    page = visitor.page
    page.goto(visitor.site.url("/analyse"))
    values_for_all_legal_cells(page)
    page.get_by_role("button", name="Set up a position").click()
    page.get_by_text("Game and board").click()
    page.get_by_label("Game", exact=True).select_option("scatter")
    page.get_by_role("spinbutton", name="Rows").fill("3")
    page.get_by_role("spinbutton", name="Columns").fill("4")
    page.get_by_role("button", name="Analyse", exact=True).click()
    expect(page.locator("#editor")).to_be_hidden()
    expect(page.get_by_role("gridcell")).to_have_count(12)
    assert "#scatter/3x4/king/1/0/" in page.url
    values_for_all_legal_cells(page)


def test_a_position_becomes_a_game_against_the_computer(visitor: Visitor) -> None:
    page = visitor.page
    page.goto(visitor.site.url(POSITION))
    values_for_all_legal_cells(page)
    page.get_by_text("Play from here").click()
    visitor.pick("level", "easy")
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator("#status.mine")).to_contain_text("Your turn.")
    visitor.count_is(2)
    visitor.play_to_the_end()


@pytest.mark.parametrize(
    ("link", "words"),
    [
        ("showdown/5x5/king/1/0/3,3_3,3", "3,3"),
        ("chess/5x5/king/1/0/", "chess"),
        ("showdown/99x99/king/1/0/", "1x1 to 30x30"),
        ("showdown/5x5/king/1/0/%E0%A4%A", "cut off"),
        ("showdown/5x5", "cut off"),
    ],
)
def test_a_broken_link_says_so_and_leaves_everything_at_work(visitor: Visitor, link: str, words: str) -> None:
    page = visitor.page
    visitor.excuse("422")
    page.goto(visitor.site.url(f"/analyse#{link}"))
    expect(page.locator("#note")).to_contain_text(words)
    expect(page.get_by_role("gridcell")).to_have_count(25)
    page.get_by_role("gridcell", name=re.compile("^3,3")).click()
    visitor.count_is(1)
    page.keyboard.press("u")
    expect(page.locator("#steps .count")).to_have_text("0 / 1")
    page.get_by_text("Paste", exact=True).click()
    page.locator("#pasted").fill("3,3 1,1")
    page.get_by_role("button", name="Load it").click()
    visitor.count_is(2)
    page.get_by_role("button", name="Set up a position").click()
    page.get_by_role("button", name="Clear").click()
    page.get_by_text("Game and board").click()
    page.get_by_role("spinbutton", name="Rows").fill("3")
    page.keyboard.press("Enter")
    expect(page.get_by_role("gridcell")).to_have_count(15)
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator("#title")).to_have_text("Showdown")


def test_the_end_of_a_review_shows_closed_cells_and_only_the_markers_that_lock_the_loser(
    site: Site, visitor: Visitor
) -> None:
    page = visitor.page
    page.goto(site.url("/review?at=scatter/3x3/king/1/0/1,1_1,2_1,3_3,1_3,2_3,3"))
    expect(page.locator("#review-body .swing")).to_be_visible()
    expect(page.locator("#words")).not_to_be_empty()
    expect(page.locator(".cause")).to_have_count(1)  # of six: the last one closes the rest
    expect(page.locator(".closed")).not_to_have_count(0)
    page.get_by_role("button", name="Previous move").click()
    expect(page.locator(".closed")).to_have_count(0)


def test_regions_are_outlined_lettered_and_listed(visitor: Visitor) -> None:
    page = visitor.page
    page.goto(visitor.site.url("/analyse#showdown/6x6/king/1/0/3,2_5,4_2,3_1,6_6,6_2,6"))
    expect(page.locator("#verdict")).to_have_attribute("aria-busy", "false")
    visitor.pick("overlay", "regions")
    expect(page.locator("#regions details")).to_have_count(3)
    expect(page.locator("#regions > p")).to_have_text(["Hottest: A. 5,2 wins.", "Free moves: X 2, O 1."])
    expect(page.locator(".cells .area")).to_have_count(24)
    expect(page.locator(".cells .heat-3")).to_have_count(8)
    expect(page.get_by_role("gridcell", name="5,2, you can play here, region A, its best cell")).to_be_visible()
    expect(page.get_by_role("gridcell", name="1,3, you can play here, free move for X")).to_be_visible()
    page.locator("#regions summary").first.click()
    picture = page.get_by_alt_text("Thermograph of region A")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.complete && image.naturalWidth > 0")
    expect(page.locator("#regions details[open]")).to_contain_text("Its value is ±5. X is Left, and O is Right.")
    opened = page.get_by_role("group", name="Region A, move by move")
    move = opened.get_by_role("button", name="X 5,2 leaves 5")
    move.focus()
    page.keyboard.press("Enter")
    expect(opened).to_contain_text("After X 5,2: 5.")
    expect(opened).to_contain_text("Right (O) has no move here.")
    expect(opened.get_by_role("button", name="Back")).to_be_focused()
    page.keyboard.press("Enter")
    expect(move).to_be_focused()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    visitor.pick("overlay", "nothing")
    expect(page.locator(".cells .area")).to_have_count(0)
    expect(page.locator("#regions")).to_be_hidden()


def test_a_game_without_values_says_so(visitor: Visitor) -> None:
    page = visitor.page
    page.goto(visitor.site.url("/analyse#chain/3x3/orthogonal/1/0/"))
    expect(page.locator("#verdict")).to_have_attribute("aria-busy", "false")
    visitor.pick("overlay", "regions")
    expect(page.locator("#regions")).to_contain_text("have regions.")
