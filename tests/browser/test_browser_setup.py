"""Tests for setting up a position, and for the analysis drawn on the board."""

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

import pytest
from browser_answers import Answers
from browser_visitor import Site, Visitor, check_with_axe
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.slow

SMALL = {"viewport": {"width": 320, "height": 568}, "has_touch": True, "is_mobile": True}


def cell(page: Page, name: str) -> None:
    """Click the cell with the given name."""
    page.get_by_role("gridcell", name=re.compile(f"^{name},")).click()


def test_a_position_is_set_up_refused_repaired_analysed_and_shared(site: Site, visitor: Visitor) -> None:
    page, keys = visitor.page, visitor.page.keyboard
    page.goto(site.url("/analyse#keepaway/4x4/king/1/0/"))
    page.get_by_role("button", name="Set up a position").click()
    expect(page.get_by_role("radio", name="Last marker")).to_have_count(1)
    cell(page, "1,1")
    expect(page.get_by_role("gridcell", name="1,1, X")).to_be_visible()
    expect(page.locator("input[name=turn][value=O]")).to_be_checked()  # X has placed one marker more than O
    visitor.pick("tool", "O")
    cell(page, "1,2")
    expect(page.locator("#setup-problem")).to_have_text(
        "O's last marker, 1,2, touches X's last marker, so it was not a legal move."
    )
    expect(page.locator(".cause")).to_have_count(2)
    page.get_by_role("button", name="Analyse", exact=True).click()
    expect(page.locator("#editor")).to_be_visible()  # it stays open until the position is possible
    check_with_axe(page, "an impossible position")
    cell(page, "1,2")  # the same marker again removes it
    page.get_by_role("gridcell", name="1,2, empty").focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "Enter"):
        keys.press(key)
    expect(page.get_by_role("gridcell", name="3,3, O, last move")).to_be_visible()
    expect(page.locator("#setup-problem")).to_be_empty()
    page.get_by_role("button", name="Share", exact=True).click()
    expect(page.locator("#editor")).to_be_hidden()
    expect(page.locator("#verdict[aria-busy=false]")).to_be_visible()
    link = page.get_by_label("Link to this position").input_value()
    written = unquote(link.partition("?at=")[2])
    assert written == 'keepaway/4x4/king/1/0//{"position":"keepaway king X3/4/2O1/4 X 1,1 3,3 -"}'
    expect(page.get_by_label("Link to this puzzle")).to_have_value(
        link.replace(site.url("/analyse"), site.url("/puzzles"))
    )
    page.goto(link)
    expect(page.get_by_role("gridcell", name="3,3, O")).to_be_visible()
    page.get_by_role("button", name="Set up a position").click()
    visitor.pick("tool", "last")
    cell(page, "1,1")
    expect(page.locator("input[name=turn][value=O]")).to_be_checked()
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("#words")).to_have_text("Player 1 (X) is to move.")


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)], ids=["desktop", "phone"])
def test_a_button_pressed_right_after_typing_a_size_works(
    site: Site, visit: Callable[..., Visitor], size: tuple[int, int]
) -> None:
    page = visit(viewport={"width": size[0], "height": size[1]}).page
    page.goto(site.url("/analyse#keepaway/4x4/king/1/0/"))
    page.get_by_role("button", name="Set up a position").click()
    page.get_by_text("Game and board").click()
    page.get_by_role("spinbutton", name="Rows").select_text()
    page.keyboard.type("9")
    play = page.get_by_role("button", name="Play", exact=True)
    play.hover()
    page.mouse.down()
    page.wait_for_timeout(1000)  # the new board would move the button
    page.mouse.up()
    expect(page.get_by_role("button", name="Start the game")).to_be_visible()
    expect(page.get_by_role("row")).to_have_count(9)


def test_trails_are_walked_on_a_small_screen_and_played_with_a_friend(
    site: Site, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(**SMALL)
    page = visitor.page
    page.goto(site.url("/analyse#trails/3x3/orthogonal/1/0/"))
    page.get_by_role("button", name="Set up a position").tap()
    expect(page.get_by_role("radio", name="Trail of A")).to_have_count(1)
    for name in ("0,1", "1,1"):  # the pawn leaves a trail
        page.get_by_role("gridcell", name=re.compile(f"^{name},")).tap()
    expect(page.locator(".cell[aria-label$=blocked]")).to_have_count(2)
    expect(page.locator("#setup-problem")).to_contain_text("A has 3 cells and B has 1")
    visitor.pick("tool", "B")
    page.get_by_role("gridcell", name=re.compile("^2,1,")).tap()
    expect(page.locator("#setup-problem")).to_be_empty()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    small = page.eval_on_selector_all(
        "#editor :is(button, .segment)",
        "(all) => all.filter((one) => one.offsetHeight && one.offsetHeight < 43.5).length",
    )
    assert small == 0
    check_with_axe(page, "the set-up board at 320 px")
    page.get_by_role("button", name="Play", exact=True).tap()
    visitor.pick("level", "screen")
    expect(page.locator("#sides-choice")).to_be_hidden()
    page.get_by_role("button", name="Start the game").tap()
    expect(page.locator("#title")).to_have_text("Trails")
    visitor.place()
    expect(page.locator(".cell[aria-label*=blocked]")).to_have_count(4)


def test_every_cell_shows_what_the_engine_says(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    for at, setup in (
        ("showdown/4x4/king/1/0/1,1", {"game": "showdown", "board": "4x4", "moves": ["1,1"]}),
        ("trails/3x3/orthogonal/1/0/0,1", {"game": "trails", "board": "3x3", "moves": ["0,1"]}),
    ):
        said = site.ask("/api/analyse", {"setup": setup, "seconds": 5, "distances": True})
        values = {move["cell"]: (move["verdict"], move["distance"]) for move in said["analysis"]["moves"]}
        assert all(distance is not None for _, distance in values.values())
        page.goto("about:blank")
        page.goto(site.url(f"/analyse#{at}"))
        expect(page.locator(".cells :is(.win-number, .loss-number)").first).to_have_text(re.compile(r"\d"))
        assert page.locator(".cell:has(.win, .loss, .unknown)").count() == len(values)
        for number, (verdict, distance) in values.items():
            at_cell = page.locator(f"[data-cell='{number}']")
            words = {"win": "wins", "loss": "loses"}[verdict]
            expect(at_cell).to_have_attribute("aria-label", re.compile(rf", {words} in {distance}(,|$)"))
            expect(at_cell.locator(f".{verdict}")).to_have_count(1)
            expect(at_cell.locator(f".{verdict}-number")).to_have_text(str(distance))
        wins = [distance for verdict, distance in values.values() if verdict == "win"]
        for number, (verdict, distance) in values.items():
            fastest = page.locator(f"[data-cell='{number}'] .fastest")
            expect(fastest).to_have_count(int(verdict == "win" and distance == min(wins)))


def test_the_best_line_is_drawn_as_ghosts_that_can_be_played(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    setup = {"game": "scatter", "board": "3x4", "moves": ["1,1"]}
    line = site.ask("/api/analyse", {"setup": setup, "seconds": 5, "distances": True})["analysis"]["line"]
    assert len(line) > 2
    page.goto(site.url("/analyse#scatter/3x4/king/1/0/1,1"))
    expect(page.locator("#verdict[aria-busy=false]")).to_be_visible()
    visitor.pick("overlay", "line")
    expect(page.locator(".ghost-step")).to_have_count(len(line) + 1)  # one is in the legend
    expect(page.locator(".cells :is(.win, .loss)")).to_have_count(0)
    chips = page.locator("#line .chip").all_inner_texts()
    for number, name in enumerate(chips, 1):
        expect(page.get_by_role("gridcell", name=re.compile(f"^{name},"))).to_have_attribute(
            "aria-label", re.compile(f"move {number} of the best line, [XO]")
        )
    cell(page, chips[2])
    visitor.count_is(4)
    assert page.url.endswith("_".join(["1,1", *chips[:3]]))


def test_unknown_moves_are_dots(site: Site, visitor: Visitor) -> None:
    page = visitor.page

    def leave_undecided(body: dict[str, Any]) -> None:
        for move in body["analysis"]["moves"]:
            move.update(verdict="unknown", distance=None)

    Answers(visitor, "/api/analyse").change(leave_undecided)
    page.goto(site.url("/analyse#showdown/4x4/king/1/0/1,1"))
    expect(page.locator(".cells .unknown")).to_have_count(12)
    expect(page.locator(".cells text")).to_have_count(0)
    expect(page.locator("#legend li")).to_have_text(["unknown"])
