"""Tests that games defined in TOML files can be listed, played, analysed, shared and saved in the browser."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from browser_answers import Answers
from browser_visitor import Site, Visitor, check_with_axe
from playwright.sync_api import expect

pytestmark = pytest.mark.slow

HERMIT = """
title = "Hermit"
board = "6x6"
adjacency = "orthogonal"
[shape]
closes_own = true
closes_other = true
"""
SIZES = {"desk": {"width": 1280, "height": 800}, "phone": {"width": 390, "height": 844}}


@pytest.fixture(scope="module")
def offering(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server with a folder of games."""
    folder = tmp_path_factory.mktemp("offering")
    (folder / "hermit.toml").write_text(HERMIT)
    started = Site(folder, "--games", str(folder))
    yield started
    started.stop()


@pytest.mark.served("the server's own games")
def test_it_is_offered_with_a_picture_and_played_to_the_end(offering: Site, visit: Callable[..., Visitor]) -> None:
    visitor = visit(offering, viewport=SIZES["phone"])
    page = visitor.page
    page.goto(offering.address)
    pictures = page.locator(".option.game img")
    expect(pictures).to_have_count(6)
    for picture in pictures.all():
        picture.scroll_into_view_if_needed()
        expect(picture).to_have_js_property("complete", True)
        assert picture.evaluate("image => image.naturalWidth") > 100, picture.get_attribute("src")
    visitor.pick("game", "hermit")
    expect(page.locator("#game-rule")).to_have_text("Never put a marker next to another marker.")
    for size in (SIZES["desk"], SIZES["phone"]):
        page.set_viewport_size(size)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    visitor.start("hermit", level="hard", name="Ada")
    visitor.play_to_the_end()
    expect(page.locator("#words")).to_contain_text(re.compile(r"You (win|lose): "))
    page.get_by_role("button", name="Review").click()
    expect(page.locator(".swing")).to_be_visible()
    page.get_by_role("button", name="Go to the start").click()
    page.get_by_text("Share", exact=True).click()
    page.get_by_role("link", name="Analyse this position").click()
    expect(page.locator("#verdict-words")).to_have_text(re.compile(r"X is to move and loses\."))
    assert "#hermit/6x6/orthogonal/1/0/" in page.url
    page.get_by_role("button", name="Help").click()
    expect(page.locator("#help-title")).to_have_text("How to play Hermit")
    for name, size in SIZES.items():
        page.set_viewport_size(size)
        check_with_axe(page, f"analysis of hermit, {name}")


@pytest.mark.served("the server's own games")
def test_it_is_analysed_and_a_mirror_decides_it(offering: Site, visit: Callable[..., Visitor]) -> None:
    visitor = visit(offering)
    page = visitor.page
    page.goto(offering.url("/analyse#hermit/6x6/orthogonal/1/0/"))
    expect(page.locator("#verdict-words")).to_have_text("X is to move and loses.")
    expect(page.locator("#explanation")).to_contain_text("opposite")
    page.goto("about:blank")
    page.goto(offering.url("/analyse#hermit/3x3/orthogonal/1/0/2,2"))
    expect(page.locator(".cells .loss-number")).to_have_text(["4", "4", "4", "4"])
    page.get_by_role("gridcell", name="1,1").click()
    expect(page.locator(".cells .win-number")).to_have_text(["3", "3", "3"])


@pytest.mark.served("the server's own games")
def test_two_play_it_by_link_and_it_is_set_up_by_hand(offering: Site, visit: Callable[..., Visitor]) -> None:
    ada, grace = visit(offering), visit(offering)
    ada.open(offering.game({"game": "hermit", "board": "3x3"}, "link", name="Ada"))
    grace.open(ada.page.get_by_label("Invitation").input_value())
    expect(grace.page.locator("#join-title")).to_have_text("Ada invites you to play Hermit")
    grace.page.get_by_role("button", name="Join the game").click()
    assert ada.wait_for_turn()
    ada.page.get_by_role("gridcell", name="2,2").click()
    assert grace.wait_for_turn()
    grace.page.get_by_role("gridcell", name="1,2").click()
    expect(grace.page.locator("#note")).to_contain_text("adjacent to a marker")
    ada.page.goto(offering.url("/analyse"))
    ada.page.get_by_role("button", name="Set up a position").click()
    ada.page.get_by_text("Game and board").click()
    ada.page.get_by_label("Game", exact=True).select_option("hermit")
    ada.page.get_by_role("button", name="Analyse", exact=True).click()
    expect(ada.page.locator("#editor")).to_be_hidden()
    expect(ada.page.get_by_role("gridcell")).to_have_count(36)
    assert "#hermit/6x6/orthogonal/1/0/" in ada.page.url


def test_a_record_brings_its_game_to_a_server_without_it(
    offering: Site, site: Site, visit: Callable[..., Visitor]
) -> None:
    kept = visit(offering)
    kept.open(offering.game({"game": "hermit", "board": "3x3", "moves": ["2,2"]}, "screen"))
    kept.page.get_by_text("Share", exact=True).click()
    with kept.page.expect_download() as downloading:
        kept.page.get_by_role("button", name="Download record").click()
    record = downloading.value.path().read_text().replace("Hermit", "<b>Hermit</b>")
    record = re.sub(r'\[Check "\w+"\]\n', "", record)
    visitor = visit(site)
    page = visitor.page
    page.goto(site.url("/analyse"))
    expect(page.locator("#verdict")).to_have_attribute("aria-busy", "false")
    page.get_by_text("Paste", exact=True).click()
    page.get_by_label("A record, a position, or a list of moves").fill(record)
    page.get_by_role("button", name="Load it").click()
    expect(page.locator(".cells .loss-number")).to_have_text(["4", "4", "4", "4"])
    page.get_by_role("gridcell", name="1,1").click()
    visitor.count_is(2)
    page.reload()  # the link contains the game, too
    visitor.count_is(2)
    expect(page.locator(".cells .win-number")).to_have_count(3)
    expect(page.locator("#game")).to_have_js_property("value", "")
    page.get_by_role("button", name="Set up a position").click()
    page.get_by_text("Game and board").click()
    expect(page.locator("#game option:checked")).to_have_text("<b>Hermit</b> (custom game)")
    page.get_by_role("button", name="Clear").click()
    page.get_by_role("button", name="Analyse", exact=True).click()
    visitor.count_is(0)
    page.get_by_role("button", name="Help").click()
    expect(page.locator("#help-title")).to_have_text("How to play <b>Hermit</b>")
    page.keyboard.press("Escape")
    page.get_by_text("Play from here").click()
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator("#title")).to_have_text("<b>Hermit</b>")
    visitor.play_to_the_end()


# -- the swap rule, and distances that follow ---------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
def test_the_analysis_of_a_swap_game_is_true(site: Site, visit: Callable[..., Visitor], size: str) -> None:
    visitor = visit(site, viewport=SIZES[size])
    page = visitor.page
    visitor.open(site.game({"game": "showdown", "swap": True, "moves": ["3,3"]}, "screen"))
    page.get_by_text("Share", exact=True).click()
    page.get_by_role("link", name="Analyse this position").click()
    expect(page.locator("#verdict-words")).to_have_text("O is to move and wins by swapping.")
    assert "/king/1/1/3,3" in page.url  # the swap rule goes along
    expect(page.locator("#swap-worth")).to_have_text("Swapping wins.")
    expect(page.locator("#swap-worth .win")).to_be_visible()
    expect(page.locator(".cells .loss")).to_have_count(16)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    check_with_axe(page, f"a swap, {size}")
    page.get_by_role("button", name="Swap: take over").click()
    visitor.count_is(2)
    expect(page.locator("#swapping")).to_be_hidden()
    expect(page.locator("#verdict-words")).to_have_text("O is to move and loses.")
    page.get_by_role("button", name="Go to the start").click()
    expect(page.locator("#verdict-words")).to_have_text("X is to move and loses.")
    expect(page.locator("#explanation")).to_contain_text("No first move wins")
    expect(page.locator(".cells .loss")).to_have_count(25)
    page.get_by_role("gridcell", name="1,1").click()
    expect(page.locator("#verdict-words")).to_have_text("O is to move and wins by playing on.")
    expect(page.locator("#swap-worth")).to_have_text("Swapping loses: play on.")
    expect(page.locator("#swap-worth .loss")).to_be_visible()
    visitor.pick("overlay", "nothing")
    expect(page.locator("#swap-worth")).to_be_hidden()
    expect(page.get_by_role("button", name="Swap: take over")).to_be_visible()


def verdicts_only(visitor: Visitor) -> Answers:
    """Hold back each answer to a request for distances, unchanged; remove the distances from all other answers."""

    def remove_distances(body: dict[str, Any]) -> None:
        for move in body["analysis"]["moves"]:
            move["distance"] = None
        body["analysis"].update(distance=None, countable=True)

    answers = Answers(visitor, "/api/analyse")
    answers.hold(lambda question: question.get("distances"))
    answers.change(remove_distances)
    return answers


def test_distances_follow_without_disturbing_anybody(visitor: Visitor) -> None:
    page = visitor.page
    answers = verdicts_only(visitor)
    page.goto(visitor.site.url("/analyse#showdown/4x4/king/1/0/1,1"))
    expect(page.locator("#facts")).to_have_text("Counting the moves to the end…")
    expect(page.locator(".cells .win")).not_to_have_count(0)
    assert page.locator(".cells :is(.win-number, .loss-number)").all_text_contents() == [""] * 12
    page.locator(".cells .cell.playable").last.focus()
    page.evaluate(
        "window.was = document.activeElement; window.words = document.getElementById('verdict-words').firstChild"
    )
    answers.wait_for_held().release()
    expect(page.locator("#facts")).to_contain_text(re.compile("(Wins|Loses) in "))
    numbers = page.locator(".cells :is(.win-number, .loss-number)").all_text_contents()
    assert all(number.isdigit() for number in numbers)
    assert page.evaluate("document.activeElement === window.was")  # the same cell, redrawn in place
    assert page.evaluate("document.getElementById('verdict-words').firstChild === window.words")
    assert "Wins in 7 moves." in visitor.said
    # Stepping forward and back sends no requests, because known answers are cached.
    asked = len(answers.seen)
    page.get_by_role("button", name="Go to the start").click()
    expect(page.locator("#facts")).to_contain_text("Counting")
    late = answers.wait_for_held()
    page.get_by_role("button", name="Go to the end").click()
    expect(page.locator("#facts")).to_contain_text("Wins in ")
    assert (len(answers.seen), answers.held) == (asked + 1, 0)
    # A late answer has no effect if its position is no longer shown.
    before = page.locator(".cells").inner_html()
    late.fail()
    expect(page.locator(".count")).to_have_text("1 / 1")
    assert page.locator(".cells").inner_html() == before


def test_a_verdict_stands_where_no_distance_comes(visitor: Visitor) -> None:
    page = visitor.page
    visitor.excuse("ERR_FAILED")
    answers = verdicts_only(visitor)
    page.goto(visitor.site.url("/analyse#showdown/4x4/king/1/0/1,1"))
    expect(page.locator("#facts")).to_contain_text("Counting")
    words = page.locator("#verdict-words").inner_text()
    answers.wait_for_held().fail()
    expect(page.locator("#facts")).not_to_contain_text("Counting")
    assert page.locator("#verdict-words").inner_text() == words
    expect(page.locator("#verdict-actions button")).to_have_count(0)
