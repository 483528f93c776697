"""Tests of seats: browsers remember and list their users' seats, and no seat is taken by accident."""

import re
from collections.abc import Callable, Iterator

import pytest
from browser_visitor import CHROMIUM, PATIENCE, Site, Visitor, launched
from playwright.sync_api import Browser, expect

pytestmark = pytest.mark.slow

MANY = 14


@pytest.fixture
def remembering(browser: Browser) -> Iterator[Browser]:
    """Chromium with the back/forward cache, which users' browsers have but the browser in the other tests lacks."""
    whole = CHROMIUM[1:]  # the headless shell keeps no pages
    started = launched(browser.browser_type, whole, ignore_default_args=["--disable-back-forward-cache"])
    yield started
    started.close()


def test_back_shows_the_game_that_was_just_begun(site: Site, remembering: Browser) -> None:
    visitor = Visitor(remembering, site, PATIENCE)
    page = visitor.page
    visitor.start("showdown", "screen")
    page.go_back(wait_until="commit")  # a page from the back/forward cache is not loaded
    expect(page.locator("#new-game")).to_be_visible()
    assert page.evaluate("performance.getEntriesByType('navigation')[0].type") == "navigate"  # restored, not loaded
    expect(page.locator("#recent li")).to_have_count(1)
    visitor.leave()


def test_no_seat_is_lost_among_many(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    for number in range(MANY):
        visitor.open(site.game({"game": "showdown"}, "screen", name=f"Ada {number}"))
        expect(page.locator("#players")).to_contain_text(f"Ada {number}")
    page.goto(site.address)
    expect(page.locator("#recent a")).to_have_count(3)
    page.get_by_role("link", name=f"All your games ({MANY})").click()
    entries = page.locator(".mine a")
    expect(entries).to_have_count(MANY)
    entries.last.click()
    expect(page.locator("#players")).to_contain_text("Ada 0")


@pytest.mark.served("two players")
def test_the_list_distinguishes_games_and_stays_current(site: Site, visit: Callable[..., Visitor]) -> None:
    ada, grace = visit(), visit()
    link = site.game({"game": "showdown", "board": "5x4"}, "link", name="Ada")
    ada.open(link)
    invitation = ada.page.get_by_label("Invitation link").input_value()
    finished = site.game({"game": "showdown"}, "screen", name="Ada")
    grace.open(invitation)
    grace.page.get_by_label("Your name").fill("Grace")
    grace.page.get_by_role("button", name="Join the game").click()
    expect(ada.page.locator("#status.mine")).to_be_visible()
    ada.page.goto(site.address)
    entry = ada.page.locator("#recent a")
    expect(entry).to_contain_text("against Grace")
    expect(entry).to_contain_text("your turn")
    ada.open(finished)
    ada.page.get_by_role("button", name="Resign").click()
    ada.page.locator("#confirm").get_by_role("button", name="Resign").click()
    expect(ada.page.locator("#status.over")).to_be_visible()
    ada.page.goto(site.address)
    expect(entry).to_have_count(1)  # the game that is over is only among all your games
    expect(entry).to_contain_text("your turn")
    ada.page.get_by_role("link", name="All your games (2)").click()
    expect(ada.page.locator(".mine").last).to_contain_text("Player 2 won")


def test_seats_are_forgotten_only_after_a_question(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    visitor.open(site.game({"game": "showdown"}, "screen"))
    page.goto(site.url("/games"))
    page.get_by_role("button", name="Clear this list").click()
    expect(page.locator("#confirm")).to_contain_text("Forget this game?")
    page.get_by_role("button", name="Keep it").click()
    expect(page.locator(".mine")).to_have_count(1)
    page.get_by_role("button", name="Clear this list").click()
    page.get_by_role("button", name="Forget it").click()
    expect(page.locator("#none")).to_be_visible()
    page.goto(site.address)
    expect(page.locator(".game").first).to_be_visible()
    expect(page.locator("#recent")).to_be_hidden()


@pytest.mark.served("an invitation")
def test_your_own_invitation_is_not_taken_by_accident(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    link = site.game({"game": "showdown"}, "link", name="Ada")
    visitor.open(link)
    visitor.open(page.get_by_label("Invitation link").input_value())
    expect(page.locator("#join-title")).to_have_text("This is your invitation")
    expect(page.get_by_label("Your name")).to_have_value("")
    page.get_by_role("link", name="Go to your seat").click()
    expect(page.get_by_label("Invitation link")).to_be_visible()
    visitor.open(page.get_by_label("Invitation link").input_value())
    page.get_by_role("button", name="Take the other seat as well").click()  # anyone who wants to, can
    expect(page.locator("#join")).to_be_hidden()
    expect(page.locator(".who b")).to_have_text(["Ada", "Player 2"])


@pytest.mark.served("an invitation")
def test_a_link_that_works_only_here_says_so(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    page.goto(site.address)
    expect(page.locator(".game").first).to_be_visible()
    expect(page.locator("#opponent-line")).not_to_contain_text("this computer")
    visitor.pick("opponent", "link")
    expect(page.locator("#opponent-line")).to_contain_text("can only be reached from this computer")
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator("#invite")).to_contain_text("gridlock serve --lan")


def test_unnamed_players_keep_their_default_names(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    visitor.open(site.game({"game": "showdown"}, "screen"))
    page.get_by_role("button", name="Resign").click()
    page.locator("#confirm").get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Rematch").click()
    expect(page.locator("#subtitle")).to_contain_text("round 2")
    expect(page.locator(".who b")).to_have_text(["Player 2", "Player 1"])  # who won the first round
    expect(page.locator(".score")).to_have_text([re.compile("1$"), re.compile("0$")])


@pytest.mark.served("an unknown address, which a static site leaves to its host")
def test_an_address_without_a_page_says_so_in_words(site: Site, visitor: Visitor) -> None:
    visitor.excuse("404")
    visitor.page.goto(site.url("/foo"))
    expect(visitor.page.get_by_role("heading", name="Page not found")).to_be_visible()
    visitor.page.get_by_role("link", name="Start a new game").click()
    expect(visitor.page.locator("#new-game")).to_be_visible()


def test_a_board_without_moves_is_rejected(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    visitor.excuse("422")
    page.goto(site.address)
    visitor.pick("game", "trails")
    visitor.unfold()
    page.get_by_label("Rows", exact=True).fill("1")
    page.get_by_label("Columns", exact=True).fill("2")
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator("#problem")).to_have_text("That board is too small: there is no legal move.")


def test_a_picture_made_of_several_stays_one(visitor: Visitor) -> None:
    family, rainbow = "\u200d".join("👩👩👧👦"), "\u200d".join("🏳🌈")
    visitor.start("showdown", "screen", name=f"{family} & {rainbow}")
    expect(visitor.page.locator(".who b").first).to_have_text(f"{family} & {rainbow}")


def test_the_last_choices_are_there_again(visitor: Visitor) -> None:
    page = visitor.page
    page.goto(visitor.site.address)
    visitor.pick("game", "scatter")
    visitor.pick("opponent", "screen")
    visitor.unfold()
    page.get_by_label("Rows", exact=True).fill("4")
    page.locator("#swap").check()
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator("#title")).to_have_text("Scatter")
    expect(page.locator("#rule")).to_have_text("Never put a token next to one of your own.")
    page.goto(visitor.site.address)
    expect(page.locator("input[name=game][value=scatter]")).to_be_checked()
    expect(page.locator("input[name=opponent][value=screen]")).to_be_checked()
    expect(page.locator("#options-summary")).to_have_text(re.compile("^4 . 5 · diagonals count · swap rule$"))
    expect(page.get_by_role("button", name="Start the game")).to_be_in_viewport()
    visitor.unfold()
    expect(page.locator("#other-name")).to_be_visible()
    expect(page.get_by_label("Rows", exact=True)).to_have_value("4")
    expect(page.locator("#swap")).to_be_checked()
    visitor.pick("game", "showdown")
    expect(page.get_by_label("Rows", exact=True)).to_have_value("5")  # another game has its own board


def test_the_hosts_settings_are_offered_once(visitor: Visitor) -> None:
    page = visitor.page
    page.goto(visitor.site.url("/#name=Ada%20%26%20Bo&level=hard"))
    expect(page.locator("input[name=level][value=hard]")).to_be_checked()
    expect(page.locator("#name")).to_have_value("Ada & Bo")
    visitor.unfold()
    page.locator("#name").fill("Cy")
    visitor.pick("level", "easy")
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator(".who b").first).to_have_text("Cy")
    page.goto(visitor.site.url("/#name=Ada&level=hard"))
    expect(page.locator("input[name=level][value=easy]")).to_be_checked()  # the choice made here takes precedence
    expect(page.locator("#name")).to_have_value("Cy")
