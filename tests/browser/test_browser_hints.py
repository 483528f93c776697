"""Tests of step-by-step hints on a game's page, including drawings of pairs, mirror images and lines of play."""

import re
from collections.abc import Callable

import pytest
from browser_answers import Answers
from browser_visitor import Site, Visitor, check_with_axe
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.slow


def press_for_more(page: Page, words: str) -> None:
    """Ask for the next step of a hint."""
    page.keyboard.press("h")
    expect(page.locator("#hint p").first).to_contain_text(words)


def test_a_hint_says_more_each_time(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    visitor.open(site.game({"game": "showdown"}, "easy"))
    press_for_more(page, "You can win: 1 of 25 moves wins.")
    assert page.locator(".region, .better").count() == 0
    press_for_more(page, "Look in the middle.")
    expect(page.locator(".region")).to_have_count(4)
    press_for_more(page, "Try 3,3: it wins.")
    expect(page.locator(".better")).to_have_count(1)
    expect(page.get_by_role("gridcell", name="3,3, you can play here, hint")).to_be_visible()
    press_for_more(page, "answered with the cell opposite")
    assert "answered with the cell opposite" in visitor.said
    check_with_axe(page, "a hint")
    page.get_by_role("gridcell", name="1,2").hover()
    frames = page.locator(".images .image")
    expect(frames).to_have_count(2)
    box, image = page.get_by_role("gridcell", name="5,4").bounding_box(), frames.nth(1).bounding_box()
    assert box
    assert image
    assert abs(box["x"] + box["width"] / 2 - image["x"] - image["width"] / 2) < 2
    assert abs(box["y"] + box["height"] / 2 - image["y"] - image["height"] / 2) < 2
    page.get_by_role("gridcell", name="3,3").click()
    expect(page.locator("#hint")).to_be_hidden()
    expect(page.locator(".better, .image:visible")).to_have_count(0)


def test_the_keyboard_points_at_cells_as_well(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    visitor.open(site.game({"game": "showdown"}, "screen"))
    page.get_by_role("button", name="Hint").click()
    for label in ("Where?", "Which cell?", "Why?"):
        page.get_by_role("button", name=label).click()
    page.get_by_role("gridcell", name="3,3").focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(page.get_by_role("gridcell", name=re.compile("^1,3, .*answered by row 5 column 3$"))).to_be_focused()
    line = page.locator(".images .curve")
    expect(line).to_have_attribute("d", "M150 30L150 270")
    page.get_by_role("button", name="Close the hint").click()
    expect(page.locator("#hint")).to_be_hidden()
    expect(page.locator(".images")).to_be_hidden()


@pytest.mark.parametrize("size", [(390, 844), (320, 568), (640, 360), (1280, 720)])
def test_a_hint_moves_nothing_and_hides_no_cell(
    site: Site, visit: Callable[..., Visitor], size: tuple[int, int]
) -> None:
    visitor = visit(viewport={"width": size[0], "height": size[1]})
    page = visitor.page
    visitor.open(site.game({"game": "showdown", "moves": ["1,1", "1,5", "5,1"]}, "screen"))

    def places() -> list[object]:
        rest = page.locator("#board, #steps, #players, #actions, #moves")
        return rest.evaluate_all(
            "(all) => all.map((one) => { const { x, y } = one.getBoundingClientRect(); return [x, y] })"
        )

    before = places()
    for _ in range(4):
        page.keyboard.press("h")
        expect(page.locator("#hint button").first).to_be_visible()
        assert places() == before
        hint, board = page.locator("#hint").bounding_box(), page.locator(".frame").bounding_box()
        assert hint
        assert board
        assert hint["y"] >= board["y"] + board["height"] or hint["x"] >= board["x"] + board["width"]
    page.keyboard.press("Escape")
    expect(page.locator("#hint")).to_be_hidden()
    assert places() == before


@pytest.mark.served("two players")
def test_no_hints_between_two_people(site: Site, visit: Callable[..., Visitor]) -> None:
    ada, grace = visit(), visit()
    ada.open(site.game({"game": "showdown"}, "link", name="Ada"))
    grace.open(ada.page.get_by_label("Invitation").input_value())
    grace.page.get_by_role("button", name="Join the game").click()
    assert ada.wait_for_turn()
    ada.page.keyboard.press("h")
    expect(ada.page.get_by_role("button", name="Hint")).to_have_count(0)
    expect(ada.page.locator("#hint")).to_be_hidden()


def test_an_unavailable_hint_says_why(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    visitor.excuse("503")
    hints = Answers(visitor, "/api/hint")
    visitor.open(site.game({"game": "showdown"}, "easy"))
    hints.replace(503, {"error": "busy", "words": "The engine is busy. Try again in a moment."})
    press_for_more(page, "The engine is busy. Try again in a moment.")
    hints.restore()
    press_for_more(page, "You can win")


def test_on_a_large_board_the_pairs_near_the_pointer_are_drawn(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    setup = {"game": "keepaway", "board": "30x30", "moves": ["1,1"]}
    pairs = site.ask("/api/analyse", {"setup": setup})["analysis"]["pairing"]
    partner = {one: other for pair in pairs for one, other in (pair, pair[::-1])}
    page.goto(site.url("/analyse#keepaway/30x30/king/1/0/1,1"))
    expect(page.get_by_label("Show the pairs of cells near the pointer")).to_be_visible()
    for cell in (94, 812):
        page.locator(f"[data-cell='{cell}']").hover()
        pointed = page.locator(".curve.pointed")
        expect(pointed).to_have_count(1)
        joined = {int(one) for one in str(pointed.get_attribute("data-pair")).split(",")}
        assert joined == {cell, partner[cell]}
        assert 5 < page.locator(".pairs .curve").count() <= 25
    page.get_by_label("Show the pairs of cells near the pointer").uncheck()
    expect(page.locator(".pairs .curve")).to_have_count(0)


def test_pairs_that_are_apart_are_joined_by_curves(site: Site, visitor: Visitor) -> None:
    setup = {"game": "keepaway", "board": "5x5", "adjacency": "king", "moves": ["1,1", "3,3", "5,5"]}
    pairs = site.ask("/api/analyse", {"setup": setup})["analysis"]["pairing"]
    far = [sum(abs(a - b) for a, b in zip(divmod(one, 5), divmod(other, 5), strict=True)) for one, other in pairs]
    apart = {f"{one},{other}" for (one, other), steps in zip(pairs, far, strict=True) if steps > 1}
    visitor.page.goto(site.url("/analyse#keepaway/5x5/king/1/0/1,1_3,3_5,5"))
    expect(visitor.page.locator("#verdict[aria-busy=false]")).to_be_visible()
    curves = visitor.page.locator(".pairs .curve")
    assert {str(one.get_attribute("data-pair")) for one in curves.all()} == apart
    assert apart


def test_a_line_of_play_is_shown_on_the_board_move_by_move(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    visitor.open(site.game({"game": "scatter", "board": "4x5", "moves": ["1,1", "1,5"]}, "screen"))
    for words in ("Every move loses", "Look", "Try", "Every move loses"):
        press_for_more(page, words)
    counted = r" \(within \d+ moves\)" + ("" if site.online else "|, as a search shows")  # a browser counts slowly
    expect(page.locator("#hint p").first).to_have_text(re.compile(rf"^Every move loses({counted})\.$"))
    chips = page.locator("#hint .chip")
    assert chips.count() > 3
    chips.nth(1).click()
    expect(page.locator(".cell .stroke")).to_have_count(4)
    expect(chips.nth(1)).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".cell.playable")).to_have_count(0)
    check_with_axe(page, "a line of play")
    chips.nth(1).click()
    expect(page.locator(".cell.playable")).to_have_count(15)
    page.get_by_role("button", name="Close the hint").click()
    visitor.place()


def test_a_hint_ends_where_every_move_wins(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    visitor.open(site.game({"game": "keepaway", "board": "1x2"}, "screen"))
    press_for_more(page, "You can win: every move wins.")
    expect(page.locator("#hint button")).to_have_text(["Close the hint"])
    press_for_more(page, "You can win: every move wins.")
