"""Whole games in the browser: against the computer, and between two windows with a third as a spectator."""

import re
from collections.abc import Callable

import pytest
from browser_visitor import SOME_GAMES, Site, Visitor
from playwright.sync_api import expect

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("game", SOME_GAMES)
def test_a_game_against_the_computer(visitor: Visitor, game: str) -> None:
    visitor.start(game, level="easy", name="Ada")
    visitor.play_to_the_end()
    words = visitor.page.locator("#words").inner_text()
    both = r"You (win|lose): neither player has a move left, and (you|the computer) moved last\."
    one = r"You win: the computer has no move left\.|You lose: you have no move left\."
    assert re.fullmatch(both if game == "scatter" else one, words)
    assert words in visitor.said
    mine, theirs = (score[-1] for score in visitor.page.locator(".score").all_inner_texts())
    assert (mine, theirs) == (("1", "0") if words.startswith("You win") else ("0", "1"))


@pytest.mark.parametrize("game", SOME_GAMES)
@pytest.mark.served("two players")
def test_a_game_between_two_windows_with_a_spectator(visit: Callable[..., Visitor], game: str) -> None:
    ada, grace, watcher = visit(), visit(), visit()
    ada.start(game, "link", name="Ada", board="3x4")
    grace.open(ada.page.get_by_label("Invitation").input_value())
    expect(grace.page.get_by_role("heading", name=re.compile("Ada invites you to play"))).to_be_visible()
    grace.page.get_by_label("Your name").fill("Grace")
    grace.page.get_by_role("button", name="Join the game").click()
    ada.page.get_by_text("Share", exact=True).click()
    watcher.open(ada.page.get_by_label("Link to watch").input_value())
    expect(watcher.page.locator(".player", has_text="Grace")).to_be_visible()
    placed = 0
    while not ada.over:
        mover = ada if ada.page.locator("#status.mine").count() else grace
        expect(mover.page.locator("#status.mine")).to_be_visible()
        mover.place()
        placed += 1
        for one in (ada, grace, watcher):
            one.count_is(placed)
    assert watcher.page.locator(".cell.playable").count() == 0
    expect(watcher.page.locator("#status.over")).to_be_visible()
    assert ada.moves() == grace.moves() == watcher.moves()
    leads = {one.page.locator("#words").inner_text().split(":")[0] for one in (ada, grace)}
    assert leads == {"You win", "You lose"}
    ada.page.get_by_role("button", name="Rematch").click()
    grace.page.get_by_role("button", name="Accept").click()
    for one in (ada, grace, watcher):
        expect(one.page.locator("#subtitle")).to_contain_text("round 2")
        one.count_is(0)
    expect(grace.page.locator(".player").first).to_contain_text("Grace")
    assert sum(int(score[-1]) for score in watcher.page.locator(".score").all_inner_texts()) == 1


def test_two_players_on_one_screen_with_the_swap_rule(site: Site, visitor: Visitor) -> None:
    setup = {"game": "showdown", "swap": True}
    visitor.open(site.game(setup, "screen", name="Ada", other_name="Grace"))
    visitor.place()
    visitor.page.get_by_role("button", name="Swap").click()
    visitor.count_is(2)
    expect(visitor.page.locator(".player").first).to_contain_text(re.compile(r"Ada\s*O$"))
    expect(visitor.page.locator(".player.turn")).to_contain_text("Ada")
    visitor.play_to_the_end()
    assert visitor.page.locator("#words").inner_text().startswith(("Ada", "Grace"))


def test_the_review_of_a_swapped_and_resigned_game_names_the_players(site: Site, visitor: Visitor) -> None:
    setup = {"game": "chain", "board": "3x3", "swap": True, "moves": ["1,2", "swap", "1,1", "2,1"]}
    visitor.open(site.game(setup, "screen", name="Ada", other_name="Grace"))
    page = visitor.page
    page.get_by_role("button", name="Resign").click()
    page.locator("#confirm").get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Review").click()
    expect(page.locator("#review-body p >> nth=0")).to_have_text("Decided when Ada (O) resigned.")
    expect(page.locator("#review .hint")).to_contain_text(
        "Above the middle, Grace (X) was winning; below it, Ada (O) was."
    )
    assert page.locator(".swing .column.one").count() == 3  # at the start, after the first move, and in the end
    assert page.locator(".swing .column.two").count() == 3
    assert page.get_by_role("button", name="takes over the other side: a mistake").count() == 1
    expect(page.locator(".finding").last).to_have_text(
        "Ada (O) resigns: gives away the win. These moves keep the win: 2,2  3,1."
    )
    page.get_by_role("button", name="Move 2, Grace (O) swap").click()
    expect(page.locator(".better")).to_have_count(3)


def test_a_pass_is_announced(site: Site, visitor: Visitor) -> None:
    visitor.open(site.game({"game": "scatter", "board": "1x3", "moves": ["1,2"]}, "screen"))
    visitor.page.get_by_role("gridcell", name="1,1").click()
    expect(visitor.page.locator("#moves .pass")).to_have_count(1)
    expect(visitor.page.locator("#note")).to_have_text("Player 1 (X) has no cell to play and must pass.")
    assert "must pass" in visitor.said


def test_a_closed_cell_says_why_and_shows_the_markers(site: Site, visitor: Visitor) -> None:
    visitor.open(site.game({"game": "showdown", "moves": ["3,3", "1,1"]}, "easy"))
    visitor.page.get_by_role("gridcell", name="1,2").click()
    expect(visitor.page.locator("#note")).to_have_text("The cell is adjacent to your opponent's marker.")
    expect(visitor.page.get_by_role("gridcell", name="1,1, O, last move, in the way")).to_have_count(1)
    assert visitor.page.locator(".cause").count() == 1
    assert "adjacent to your opponent's marker" in visitor.said
    visitor.page.get_by_role("gridcell", name="3,3").click()
    expect(visitor.page.locator("#note")).to_contain_text("occupied")
    visitor.page.get_by_role("button", name="Resign").click()
    visitor.page.locator("#confirm").get_by_role("button", name="Resign").click()
    expect(visitor.page.locator("#words")).to_have_text("You lose: you resigned.")
    expect(visitor.page.locator("#note")).to_be_empty()
    expect(visitor.page.locator(".cause")).to_have_count(0)


def test_undo_resign_and_rematch_against_the_computer(site: Site, visitor: Visitor) -> None:
    visitor.open(site.game({"game": "showdown"}, "easy"))
    visitor.place()
    visitor.count_is(2)
    visitor.page.get_by_role("button", name="Undo").click()
    visitor.count_is(0)
    assert "A move was undone." in visitor.said
    visitor.place()
    visitor.page.get_by_role("button", name="Resign").click()
    visitor.page.get_by_role("button", name="Keep playing").click()
    assert not visitor.over
    visitor.page.get_by_role("button", name="Resign").click()
    visitor.page.locator("#confirm").get_by_role("button", name="Resign").click()
    expect(visitor.page.locator("#words")).to_have_text("You lose: you resigned.")
    visitor.page.get_by_role("button", name="Rematch").click()
    expect(visitor.page.locator("#subtitle")).to_contain_text("round 2")
    expect(visitor.page.locator(".player").nth(1)).to_contain_text("you")


@pytest.mark.served("two players")
def test_a_takeback_online_needs_consent(site: Site, visit: Callable[..., Visitor]) -> None:
    ada, grace = visit(), visit()
    ada.open(site.game({"game": "chain"}, "link", name="Ada"))
    grace.open(ada.page.get_by_label("Invitation").input_value())
    grace.page.get_by_role("button", name="Join the game").click()
    assert ada.wait_for_turn()
    ada.place()
    ada.page.get_by_role("button", name="Ask for a takeback").click()
    expect(grace.page.locator("#offer")).to_contain_text("Ada asks to take back a move.")
    grace.page.get_by_role("button", name="Decline").click()
    expect(ada.page.locator("#offer")).to_be_hidden()
    ada.count_is(1)
    grace.place()
    ada.count_is(2)
    ada.page.get_by_role("button", name="Ask for a takeback").click()
    grace.page.get_by_role("button", name="Accept").click()
    ada.count_is(0)
    grace.count_is(0)


def test_a_finished_game_is_reviewed_downloaded_and_shared(
    site: Site, visitor: Visitor, visit: Callable[..., Visitor]
) -> None:
    moves = ["1,1", "3,3", "2,1", "1,3", "3,1", "1,2"]
    visitor.open(site.game({"game": "keepaway", "moves": moves}, "screen", name="Ada", other_name="Grace"))
    visitor.play_to_the_end()
    page = visitor.page
    page.get_by_role("button", name="Review").click()
    expect(page.locator(".swing")).to_be_visible()
    expect(page.locator("#review-body p >> nth=0")).to_contain_text("Decided at move 6, Grace (O) 1,2.")
    assert page.get_by_role("button", name=re.compile("a mistake")).count() == 2
    page.get_by_role("button", name="Move 6, Grace (O) 1,2").click()
    expect(page.locator(".better")).to_have_count(1)
    expect(page.get_by_role("gridcell", name="2,3")).to_have_attribute(
        "aria-label", re.compile("would have kept the win")
    )
    expect(page.locator("#words")).to_contain_text("After move 5 of 7.")
    page.get_by_text("Share", exact=True).click()
    link = page.get_by_label("Link to this position").input_value()
    with page.expect_download() as downloading:
        page.get_by_role("button", name="Download record").click()
    record = downloading.value.path().read_text()
    assert record.startswith("[GridLock")
    assert "Ada" in record
    page.get_by_role("button", name="Go to the end").click()
    expect(page.locator("#status.over")).to_be_visible()
    other = visit()
    other.open(link)
    if site.online:
        expect(other.page.locator("#words")).to_contain_text("After move 5 of 7.")
        other.page.keyboard.press("]")
        expect(other.page.locator(".count")).to_have_text("6 / 7")
    else:  # the game stays in the browser that played it, so the link opens the position alone
        expect(other.page.locator("#words")).to_have_text("Player 2 (O) is to move.")
        expect(other.page.locator(".count")).to_have_text("5 / 5")
