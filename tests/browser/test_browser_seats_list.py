"""Tests of the list of your games: showing boards, removing games, and moving seats to another browser."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from browser_visitor import Site, Visitor, check_with_axe
from playwright.sync_api import expect

from gridlock.web.pages.files import STATIC

pytestmark = pytest.mark.slow

PROGRESS = """() => {
  localStorage.setItem("gridlock.lessons", '{"chain":[1,2]}');
  localStorage.setItem("gridlock.puzzles", '{"days":{"2026-11-15":true},"streak":0,"best":0}');
}"""


def test_games_are_listed_with_boards_and_one_can_be_removed(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    page.goto(site.url("/games"))
    expect(page.locator("#none")).to_be_visible()
    for setup, opponent in (
        ({"game": "showdown", "moves": ["3,3", "1,1"]}, "easy"),
        ({"game": "trails"}, "screen"),
        ({"game": "keepaway", "board": "1x1", "moves": []}, "screen"),
    ):
        visitor.open(site.game(setup, opponent))
        if setup["game"] == "keepaway":
            visitor.place()
        page.goto(site.url("/games"))  # from game to game, a page reloads itself with the previous board in view
    for group, title, standing in (
        ("Your turn", "Showdown", "your turn"),
        ("Waiting", "Trails", "0 moves"),
        ("Finished", "Keep-Away", "Player 1 won"),
    ):
        section = page.locator("section", has=page.get_by_role("heading", name=group, exact=True))
        expect(section.locator(".mine")).to_have_count(1)
        expect(section.locator(".mine")).to_contain_text(title)
        expect(section.locator(".mine")).to_contain_text(standing)
    expect(page.locator(".miniature .stroke")).to_have_count(3)  # two markers of one game, one of another
    check_with_axe(page, "your games")
    page.get_by_role("button", name="Remove: Trails").click()
    check_with_axe(page, "removing")
    page.get_by_role("button", name="Keep it").click()
    expect(page.locator(".mine")).to_have_count(3)
    page.get_by_role("button", name="Remove: Trails").click()
    page.get_by_role("button", name="Remove it").click()
    expect(page.locator(".mine")).to_have_count(2)
    page.reload()
    expect(page.locator(".mine")).to_have_count(2)


@pytest.mark.served("two players")
def test_a_friends_move_is_seen_in_the_list(site: Site, visit: Callable[..., Visitor]) -> None:
    ada, grace = visit(), visit()
    ada.open(site.game({"game": "showdown"}, "link", name="Ada"))
    grace.open(ada.page.get_by_label("Invitation").input_value())
    grace.page.get_by_role("button", name="Join the game").click()
    expect(grace.page.get_by_role("button", name="Resign")).to_be_visible()
    assert ada.wait_for_turn()
    grace.page.goto(site.url("/games"))
    expect(grace.page.locator(".mine")).to_contain_text("waiting for your opponent")
    ada.place()
    grace.page.reload()
    expect(grace.page.locator(".mine")).to_contain_text("your turn")


def test_a_seat_is_remembered_however_soon_one_leaves(site: Site, visitor: Visitor) -> None:
    visitor.page.add_init_script(
        "const later = setTimeout; globalThis.setTimeout = (work, wait = 3600000) => later(work, wait);"
    )  # an hour's work has only a moment
    visitor.open(site.game({"game": "chain"}, "screen"))
    visitor.page.goto(site.url("/games"))
    expect(visitor.page.locator(".mine")).to_have_count(1)


@pytest.mark.served("seats that another browser can take")
def test_seats_travel_by_link_and_ask_before_they_settle(site: Site, visit: Callable[..., Visitor]) -> None:
    ada, phone = visit(), visit()
    asked: list[str] = []
    phone.page.on("request", lambda request: asked.append(request.url))
    for game in ("chain", "showdown"):
        ada.open(site.game({"game": game}, "screen"))
        ada.page.goto(site.url("/games"))
    ada.page.evaluate(PROGRESS)
    ada.page.get_by_role("button", name="Link to all games").click()
    expect(ada.page.get_by_role("img", name="QR code for the link")).to_be_visible()
    link = ada.page.get_by_label("Link to your seat").input_value()
    check_with_axe(ada.page, "carrying")
    phone.page.goto(link)
    phone.page.get_by_role("button", name="Add", exact=True).click()
    expect(phone.page.locator(".mine")).to_have_count(2)
    expect(phone.page.locator("#told")).to_contain_text("2 games added.")
    assert phone.page.evaluate("localStorage.getItem('gridlock.lessons')") == '{"chain":[1,2]}'
    expect(phone.page.locator(".mine", has_text="Showdown")).to_contain_text("0 moves")
    assert phone.page.url == site.url("/games")
    token = re.findall(r"/([\w-]{32})", link)[0]
    assert not [address for address in asked if token in address.partition("#")[0]]
    phone.page.locator(".mine a", has_text="Showdown").click()
    phone.place()
    ada.page.goto(site.url("/games#take/nonsense"))
    expect(ada.page.locator("#told")).to_contain_text("This link contains no games.")


@pytest.mark.served("seats that another browser can take")
def test_seats_travel_in_a_file(site: Site, visit: Callable[..., Visitor], tmp_path: Path) -> None:
    ada, other = visit(), visit()
    ada.open(site.game({"game": "chain"}, "screen", name="<b>Ada</b>"))
    ada.page.goto(site.url("/games"))
    ada.page.evaluate(PROGRESS)
    with ada.page.expect_download() as saved:
        ada.page.get_by_role("button", name="Export to a file").click()
    file = tmp_path / "seats.json"
    saved.value.save_as(file)
    other.page.goto(site.url("/games"))
    choose = other.page.get_by_label("Import from a file")
    choose.set_input_files({"name": "a.json", "mimeType": "application/json", "buffer": b"no JSON"})
    expect(other.page.locator("#told")).to_contain_text("No games in this file.")
    seats = json.loads(file.read_text())
    seats["games"] += [{"game": "short", "token": "x"}, 7, None]
    choose.set_input_files({"name": "a.json", "mimeType": "", "buffer": json.dumps(seats).encode()})
    expect(other.page.locator("#told")).to_contain_text(
        "Your puzzle and lesson progress is now saved in this browser. 1 game added."
    )
    assert other.page.evaluate("JSON.parse(localStorage.getItem('gridlock.puzzles')).days['2026-11-15']") is True
    expect(other.page.locator(".mine")).to_contain_text("Chain")
    choose.set_input_files(file)
    expect(other.page.locator("#told")).to_have_text("These games were already here.")


@pytest.mark.served("seats that another browser can take")
def test_a_link_with_invented_seats_removes_none_of_yours(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    few = (STATIC / "storage.js").read_text().replace("KEPT = 500", "KEPT = 20")  # so that a short list is full
    assert "KEPT = 20" in few
    page.route("**/storage.js", lambda route: route.fulfill(body=few, content_type="text/javascript"))
    visitor.open(site.game({"game": "trails"}, "screen"))
    page.goto(site.url("/games"))
    expect(page.locator(".mine")).to_have_count(1)
    visitor.excuse("status of 4(01|29)")  # for invented seats, and because there are many of them
    invented = ",".join(f"{number:022}/{number:032}" for number in range(20))
    page.goto(site.url(f"/games#take/{invented}"))
    page.get_by_role("button", name="Add", exact=True).click()
    told = page.locator("#told")
    expect(told).to_contain_text("19 games added. This list holds at most 20 games, so 1 could not be added.")
    expect(told).to_contain_text("None of your games was removed")
    expect(page.locator(".mine", has_text="Trails")).to_have_count(1)
    expect(page.locator(".mine").first).to_contain_text("Trails")  # yours come first
    check_with_axe(page, "a full list")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".mine")).to_have_count(1)
    page.reload()
    page.locator(".mine a", has_text="Trails").click()
    visitor.place()  # the seat is as good as before
