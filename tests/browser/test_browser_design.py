"""Tests of the page for designing a game: it offers only playable rules, and games can be played, saved and shared."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from browser_answers import Answers
from browser_visitor import Site, Visitor, check_with_axe
from playwright.sync_api import Page, expect
from test_browser_layout import stays_inside

from gridlock.userdata.library import own_games

pytestmark = pytest.mark.slow

WAYS = ("anywhere", "next", "away", "step", "leap")


def in_sight(page: Page, selector: str) -> bool:
    """Return whether the full height of an element is visible at the window's current scroll position."""
    return page.locator(selector).evaluate(
        """one => {
          const { top, bottom } = one.getBoundingClientRect();
          return top >= 0 && bottom > top && bottom <= innerHeight;
        }"""
    )


def own(page: Page) -> list[str]:
    """Return the titles of the games that the browser has saved."""
    saved = page.evaluate("JSON.parse(localStorage.getItem('gridlock.own') ?? '[]')")
    return [game["title"] for game in saved]


def test_impossible_choices_are_disabled_with_the_reason(site: Site, visit: Callable[..., Visitor]) -> None:
    visitor = visit(viewport={"width": 1280, "height": 720})
    page = visitor.page
    page.goto(site.url("/design#%7Bhalf"))
    expect(page.locator("#words")).to_have_text("Never put a marker next to one of your opponent's.")
    visitor.pick("passes", "yes")
    expect(page.locator("#told")).to_contain_text("the player who placed the last one wins")
    passing, apart = page.locator("input[name=passes][value=yes]"), page.locator("input[name=closes_own]")
    for way in WAYS:
        visitor.pick("moves", way)
        page.wait_for_function(
            "way => decodeURIComponent(location.hash).includes(way)",
            arg={"next": '"near"', "away": '"away"', "step": '"pawn"', "leap": '"pawn"'}.get(way, '"closes_other"'),
        )
        assert passing.is_disabled() == (way != "anywhere"), way
        assert apart.is_disabled() == (way == "step"), way
    visitor.pick("moves", "step")
    expect(page.locator("#words")).to_contain_text("Move your pawn one step")
    expect(page.locator("#closes_own-misfit")).to_have_text("A step always ends next to your own trail.")
    expect(page.locator("#passes-misfit")).to_have_text("To allow passing, choose 'anywhere' above.")
    expect(page.locator("input[name=passes][value='']")).to_be_checked()
    for selector in ("#closes_own-misfit", "#words", "#board"):
        assert in_sight(page, selector), selector
    check_with_axe(page, "choices that are not possible")
    stays_inside(page, "choices that are not possible")


def test_a_damaged_link_says_so_until_the_game_is_changed(site: Site, visitor: Visitor) -> None:
    page = visitor.page
    page.goto(site.url("/design#%7Bhalf"))
    expect(page.locator("#problem")).to_have_text(
        "This game link can't be read. The link may have been cut off when copied."
    )
    visitor.pick("moves", "next")
    expect(page.locator("#problem")).to_have_text("")
    page.evaluate("location.hash = '%7Bhalf'")
    expect(page.locator("#problem")).to_contain_text("This game link can't be read.")
    page.goto(site.url("/design"))
    expect(page.locator("#board .win").first).to_be_visible()
    expect(page.locator("#problem")).to_have_text("")


def test_a_board_without_a_game_says_so_and_shows_no_old_numbers(site: Site, visit: Callable[..., Visitor]) -> None:
    visitor = visit(viewport={"width": 1280, "height": 720})
    page = visitor.page
    page.goto(site.url("/design"))
    expect(page.locator("#board .win").first).to_be_visible()
    for rows in ("0", "99", ""):
        page.locator("#rows").fill(rows)
        expect(page.locator("#board-problem")).to_have_text("A board has 1 to 30 rows and 1 to 30 columns.")
        assert in_sight(page, "#board-problem")
        assert page.locator("#board :is(.win, .loss, .unknown)").count() == 0
        expect(page.get_by_role("button", name="Play the computer")).to_be_disabled()
    page.locator("#rows").fill("2")
    page.locator("#cols").fill("2")
    expect(page.locator("#board-problem")).to_be_hidden()
    visitor.pick("moves", "step")
    expect(page.locator("#board-problem")).to_have_text("Nobody can make a first move on this board. Make it larger.")
    expect(page.locator("#verdict")).to_have_text("")
    expect(page.get_by_role("button", name="Play the computer")).to_be_disabled()
    assert "Nobody can make a first move" in visitor.said
    check_with_axe(page, "no first move")
    page.locator("#rows").fill("3")
    expect(page.get_by_role("button", name="Play the computer")).to_be_enabled()
    assert page.locator("#board-problem").text_content() == ""
    page.get_by_label("Title").fill("")
    page.wait_for_url(re.compile("%22title%22%3A%22My%20game%22"))
    expect(page.get_by_role("button", name="Play the computer")).to_be_enabled()


def test_a_design_is_played_kept_edited_and_forgotten(site: Site, visit: Callable[..., Visitor]) -> None:
    ada = visit()
    page = ada.page
    ada.excuse("status of 503")
    analyses = Answers(ada, "/api/analyse")
    analyses.replace(503, {"error": "busy", "words": "Busy."})
    page.goto(site.url("/design"))
    page.get_by_label("Title").fill("孤独 Hermit")
    page.locator("label", has=page.locator("input[name=closes_own]")).click()
    page.locator("#rows").fill("3")
    page.locator("#cols").fill("3")
    expect(page.locator("#words")).to_have_text("Never put a marker next to another marker.")
    expect(page.locator("#verdict")).to_have_text("Busy.")  # the game can be played all the same
    analyses.restore()
    if site.online:
        page.get_by_role("button", name="Invite a friend").click()
        expect(page.get_by_label("Invitation link")).to_be_visible()
        grace = visit()
        grace.open(page.get_by_label("Invitation link").input_value())
        grace.page.get_by_role("button", name="Join the game").click()
    else:
        page.get_by_role("button", name="Play the computer").click()
        expect(page.locator("#players")).to_be_visible()  # the board of the design page has the same cells
        grace = ada
    assert ada.wait_for_turn()
    page.get_by_role("gridcell", name="2,2").click()
    expect(page.locator("#moves button").first).to_contain_text("2,2")
    start_page = re.compile(f"^{re.escape(site.address)}/#own=%7B.*Hermit")  # with the game chosen
    rules = grace.page.locator("#share-body a", has_text="New game with these rules")
    expect(rules).to_be_attached()
    assert start_page.match(rules.evaluate("(link) => link.href"))  # for her own list
    page.go_back()
    expect(page.locator("#own-list li")).to_contain_text("孤独 Hermit")
    assert own(page) == ["孤独 Hermit"]
    page.get_by_text("Share", exact=True).click()
    expect(page.get_by_label("Link to this game")).to_have_value(start_page)
    # Saving a second game does not overwrite the first. An edited game replaces its earlier version.
    page.goto(site.url("/design"))
    expect(page.get_by_label("Title")).to_have_value("My game")
    page.get_by_role("button", name="Analyse", exact=True).click()
    page.wait_for_url("**/analyse*#my_game/5x5/king/**")
    page.goto(site.url("/design"))
    expect(page.get_by_label("Title")).to_have_value("My game 2")
    check_with_axe(page, "own games")
    page.get_by_role("link", name="Edit: 孤独 Hermit").click()
    expect(page.get_by_label("Title")).to_have_value("孤独 Hermit")
    page.locator("#rows").fill("4")
    page.get_by_role("button", name="Play the computer").click()
    expect(page.get_by_role("heading", name="孤独 Hermit")).to_be_visible()
    assert own(page) == ["孤独 Hermit", "My game"]
    page.goto(site.url("/design"))
    page.get_by_role("button", name="Forget: My game").click()
    assert own(page) == ["孤独 Hermit"]
    page.get_by_role("button", name="Undo").click()
    assert own(page) == ["My game", "孤独 Hermit"]


def test_its_file_is_a_game_in_the_terminal(
    site: Site, visit: Callable[..., Visitor], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitor = visit()
    page = visitor.page
    title = 'The "Odd" \\ Hermit'
    definition = {"name": "odd", "title": title, "board": "4x6", "adjacency": "orthogonal", "passes": True, "shape": {}}
    page.goto(site.url(f"/design#{json.dumps(definition)}"))
    expect(page.get_by_role("button", name="Play the computer")).to_be_enabled()
    page.get_by_text("As a file").click()
    expect(page.locator("details[open]")).to_contain_text("own-games")
    with page.expect_download() as downloading:
        page.get_by_role("button", name="Download").click()
    folder = tmp_path / "own-games"
    folder.mkdir()
    downloading.value.save_as(folder / downloading.value.suggested_filename)
    monkeypatch.setenv("GRIDLOCK_HOME", str(tmp_path))
    (found,) = own_games()
    assert (found.file, found.problem) == ("odd.toml", "")
    assert (found.book.title, found.book.board, found.book.adjacency) == (title, (4, 6), "orthogonal")
    assert found.book.passes
