"""Tests of presence and reactions, with two people in one game, each in their own browser."""

from collections.abc import Callable

import pytest
from browser_visitor import Site, Visitor, check_with_axe
from playwright.sync_api import expect
from test_browser_layout import SIZES, stays_inside

pytestmark = pytest.mark.slow


@pytest.mark.served("two players")
def test_reactions_arrive_can_be_muted_and_departures_show(site: Site, visit: Callable[..., Visitor]) -> None:
    ada, grace = visit(), visit(viewport=SIZES["320"])
    ada.open(site.game({"game": "showdown"}, "link", name="Ada"))
    grace.open(ada.page.get_by_label("Invitation").input_value())
    grace.page.get_by_label("Your name").fill("Grace")
    grace.page.get_by_role("button", name="Join the game").click()
    assert ada.wait_for_turn()
    ada.page.get_by_text("Reactions", exact=True).click()
    ada.page.get_by_role("button", name="Good luck!").click()
    expect(grace.page.locator("#said")).to_have_text("Ada: Good luck!")
    assert "Ada: Good luck!" in grace.said
    expect(grace.page.locator("#said")).to_be_empty()  # after a moment
    grace.page.get_by_text("Reactions", exact=True).click()
    grace.page.get_by_label("Mute reactions").check()
    check_with_axe(grace.page, "saying something")
    grace.page.reload()
    grace.page.get_by_text("Reactions", exact=True).click()
    expect(grace.page.get_by_label("Mute reactions")).to_be_checked()
    ada.page.get_by_role("button", name="Wow!").click()
    expect(ada.page.locator("#said")).to_have_text("Ada: Wow!")
    expect(grace.page.locator("#said")).to_be_empty()
    stays_inside(grace.page, "saying something")
    grace.page.goto(site.address)
    expect(ada.page.locator("#players")).to_contain_text("not connected")
    expect(ada.page.locator("#left")).to_be_hidden()  # it is Ada's turn, and no clock runs
    ada.place()
    expect(ada.page.locator("#left")).to_contain_text("Grace is not connected. You can claim the win in 24 hours.")
    check_with_axe(ada.page, "left alone")
    stays_inside(ada.page, "left alone")
    grace.page.go_back()
    expect(ada.page.locator("#left")).to_be_hidden()


@pytest.mark.served("two players")
def test_joining_raises_no_alarm(site: Site, visit: Callable[..., Visitor]) -> None:
    ada, grace = visit(), visit()
    ada.open(site.game({"game": "showdown"}, "link", name="Ada"))
    ada.page.evaluate(
        """() => {
          globalThis.alarms = [];
          const look = () => {
            const left = document.getElementById("left");
            if (!left.hidden) alarms.push(left.textContent);
            const said = document.getElementById("announcements").textContent;
            if (said.includes("not connected")) alarms.push(said);
          };
          new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
        }"""
    )
    grace.open(ada.page.get_by_label("Invitation").input_value())
    grace.page.get_by_role("button", name="Join the game").click()
    assert ada.wait_for_turn()
    expect(ada.page.locator("#players")).not_to_contain_text("not connected")
    ada.place()
    grace.count_is(1)
    assert ada.page.evaluate("alarms") == []


def test_an_open_game_is_taken_by_one_click_and_watched(own_site: Site, visit: Callable[..., Visitor]) -> None:
    ada, grace, eve = visit(own_site), visit(own_site), visit(own_site)
    ada.page.goto(own_site.address)
    ada.pick("game", "showdown")
    ada.pick("opponent", "link")
    ada.page.get_by_label("Open to anyone").check()
    ada.unfold()
    ada.page.get_by_label("Your name").fill("Ada " + "W" * 28)
    ada.page.get_by_role("button", name="Start the game").click()
    expect(ada.page.locator("#invite")).to_contain_text("listed on the start page")
    grace.page.goto(own_site.address)
    grace.unfold()
    grace.page.get_by_label("Your name").fill("Grace")
    expect(grace.page.locator("#lobby")).to_contain_text("is waiting for an opponent")
    check_with_axe(grace.page, "an open game")
    stays_inside(grace.page, "an open game")
    grace.page.get_by_role("button", name="Play Ada").click()
    expect(grace.page.locator("#players")).to_contain_text("you")
    assert ada.wait_for_turn()
    eve.page.goto(own_site.address)
    eve.page.get_by_role("link", name="Watch Showdown").click()
    expect(eve.page.locator("#subtitle")).to_contain_text("you're watching")


def test_two_levels_are_watched(visitor: Visitor) -> None:
    page = visitor.page
    page.goto(visitor.site.address)
    visitor.pick("game", "chain")
    visitor.pick("opponent", "levels")
    page.get_by_role("combobox", name="First level").select_option("easy")
    page.get_by_role("combobox", name="Second level").select_option("perfect")
    visitor.unfold()
    expect(page.get_by_role("radio", name="First level")).to_be_checked()  # who starts: there are no people here
    check_with_axe(page, "choosing two levels")
    stays_inside(page, "choosing two levels")
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator("#players")).to_contain_text("Computer, perfect")
    visitor.count_is(2)
    check_with_axe(page, "watching two levels")


def test_a_custom_game_is_marked_wherever_it_is_listed(own_site: Site, visit: Callable[..., Visitor]) -> None:
    ada, grace = visit(own_site), visit(own_site, viewport=SIZES["320"])
    lie = "Never put a marker next to one of your opponent's."
    described = {"name": "hermits", "title": "Hermits", "summary": lie, "rules": lie, "shape": {"closes_own": True}}
    setup = {"game": "hermits", "definition": described}
    ada.open(own_site.game(setup, "link", name="Ada", public=True))
    truth = "Never put a marker next to one of your own."
    expect(ada.page.locator("#rule")).to_have_text(truth)
    expect(ada.page.locator("#subtitle")).to_contain_text("custom game")
    grace.page.goto(own_site.address)
    expect(grace.page.locator("#lobby")).to_contain_text(f"Custom game: {truth}")
    check_with_axe(grace.page, "a custom game in the lobby")
    stays_inside(grace.page, "a custom game in the lobby")
    grace.page.get_by_role("button", name="Play Ada").click()
    expect(grace.page.locator("#rule")).to_have_text(truth)
    grace.page.keyboard.press("?")
    expect(grace.page.locator("#help")).to_contain_text(f"This is a custom game. Its rule: {truth}")
    expect(grace.page.locator("#help")).to_contain_text("In the author's words")
    check_with_axe(grace.page, "the rules of a custom game")
    grace.page.goto(own_site.url("/games"))
    expect(grace.page.locator(".mine")).to_contain_text("custom game")


def test_a_reserved_name_is_refused_with_a_sentence(visitor: Visitor) -> None:
    page = visitor.page
    page.goto(visitor.site.address)
    visitor.pick("opponent", "screen")
    visitor.unfold()
    page.get_by_label("Your name").fill("Computer, perfect")
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator("#problem")).to_have_text("The name 'Computer, perfect' is reserved. Choose another name.")
    page.goto(visitor.site.url("/design"))
    visitor.excuse("status of 422")
    page.locator("#title-field").fill("Show Down")
    expect(page.locator("#title-problem")).to_have_text(
        "The title 'Show Down' looks like Showdown, a built-in game. Choose another title."
    )
