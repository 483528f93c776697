"""Two people at one game in two browsers: who is there, and a few words."""

from collections.abc import Callable

import pytest
from browser_visitor import Site, Visitor, check_with_axe
from playwright.sync_api import expect
from test_browser_layout import SIZES, stays_inside

pytestmark = pytest.mark.slow


def test_words_are_heard_muted_and_who_leaves_is_said(site: Site, visit: Callable[..., Visitor]) -> None:
    ada, grace = visit(), visit(viewport=SIZES["320"])
    ada.open(site.game({"game": "showdown"}, "link", name="Ada"))
    grace.open(ada.page.get_by_label("Invitation").input_value())
    grace.page.get_by_label("Your name").fill("Grace")
    grace.page.get_by_role("button", name="Join the game").click()
    assert ada.wait_for_turn()
    ada.page.get_by_text("Say something").click()
    ada.page.get_by_role("button", name="Good luck!").click()
    expect(grace.page.locator("#said")).to_have_text("Ada: Good luck!")
    assert "Ada: Good luck!" in grace.said
    expect(grace.page.locator("#said")).to_be_empty()  # after a moment
    grace.page.get_by_text("Say something").click()
    grace.page.get_by_label("Do not show me what others say").check()
    check_with_axe(grace.page, "saying something")
    grace.page.reload()
    grace.page.get_by_text("Say something").click()
    expect(grace.page.get_by_label("Do not show me what others say")).to_be_checked()
    ada.page.get_by_role("button", name="Wow!").click()
    expect(ada.page.locator("#said")).to_have_text("Ada: Wow!")
    expect(grace.page.locator("#said")).to_be_empty()
    for name, size in SIZES.items():
        grace.page.set_viewport_size(size)
        stays_inside(grace.page, f"saying something at {name}")
    grace.page.goto(site.address)
    expect(ada.page.locator("#left")).to_contain_text("Grace is not connected. In ")
    expect(ada.page.locator("#players")).to_contain_text("not connected")
    check_with_axe(ada.page, "left alone")
    for name, size in SIZES.items():
        ada.page.set_viewport_size(size)
        stays_inside(ada.page, f"left alone at {name}")
    grace.page.go_back()
    expect(ada.page.locator("#left")).to_be_hidden()
