"""Clocks on the page."""

from collections.abc import Callable

import pytest
from browser_visitor import Site, Visitor, check_with_axe
from playwright.sync_api import expect
from test_browser_layout import SIZES, stays_inside

from tiers import mostly_deep

pytestmark = pytest.mark.slow


def test_a_game_with_a_clock_from_the_start_page_to_the_fallen_flag(visitor: Visitor) -> None:
    page = visitor.page
    page.goto(visitor.site.address)
    visitor.pick("game", "scatter")
    visitor.pick("opponent", "screen")
    visitor.unfold()
    visitor.pick("clock", "other")
    page.get_by_label("Minutes per player").fill("2")
    page.get_by_label("Extra seconds per move").fill("3")
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator("#subtitle")).to_contain_text("2 min + 3 s per move · no takebacks")
    faces = page.get_by_role("timer")
    expect(faces).to_have_text(["2:00", "2:00"])
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)
    before = page.locator(".player").first.bounding_box()
    visitor.place()
    expect(faces.nth(1)).not_to_have_text("2:00")
    expect(faces.nth(1)).to_have_class("clock runs")
    expect(faces.first).to_have_text("2:00")
    visitor.place()
    expect(faces.nth(1)).to_have_class("clock")
    after = page.locator(".player").first.bounding_box()
    assert (before or {})["height"] == (after or {})["height"]
    page.goto(visitor.site.address)  # the last choice is selected again
    expect(page.locator("input[name=clock][value=other]")).to_be_checked()
    assert page.get_by_label("Minutes per player").input_value() == "2"


def test_a_fallen_flag_is_announced_and_reviewed(site: Site, visitor: Visitor) -> None:
    wishes = {"name": "Ada", "other_name": "Bo", "clock": {"seconds": 12, "increment": 0}}
    visitor.open(site.game({"game": "scatter"}, "screen", **wishes))
    visitor.place()
    page = visitor.page
    expect(page.get_by_role("timer").nth(1)).to_contain_text("0:09.")
    assert "You have 10 seconds left." in visitor.said
    expect(page.locator("#words")).to_have_text("Bo (O) runs out of time. Ada (X) wins!")
    expect(page.get_by_role("timer").nth(1)).to_have_text("0:00.0")
    page.get_by_role("button", name="Review").click()
    expect(page.locator("#review-body p >> nth=0")).to_contain_text("ran out of time")
    check_with_axe(page, "lost on time")


@pytest.mark.parametrize("size", mostly_deep(["320", "1280"], "320"))
def test_clocks_stay_inside(site: Site, visit: Callable[..., Visitor], size: str) -> None:
    visitor = visit(viewport=SIZES[size])
    wishes = {"name": "W" * 32, "other_name": "Gräfin" * 5, "clock": {"seconds": 36_000, "increment": 600}}
    visitor.open(site.game({"game": "showdown"}, "screen", **wishes))
    visitor.place()
    expect(visitor.page.get_by_role("timer").nth(1)).to_have_text("9:59:59")
    stays_inside(visitor.page, "a game with a clock")
    check_with_axe(visitor.page, "a game with a clock")
    visitor.page.goto(site.address)
    expect(visitor.page.locator(".game img").first).to_be_visible()
    visitor.unfold()
    visitor.pick("clock", "other")
    stays_inside(visitor.page, "choosing a clock")
