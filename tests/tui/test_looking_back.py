"""Tests that looking at earlier positions during a game does not change the game."""

import pytest
from thinkers import LateThinker

from gridlock.core.match import Match
from gridlock.core.rules import rule_book, variant
from gridlock.tui.home import HomePage
from gridlock.tui.play import PlayPage
from tiers import mostly_deep

pytestmark = pytest.mark.slow


def match(**settings):
    return Match(variant(rule_book("scatter"), "5x5"), **settings)


async def three_moves(stage):
    for cell in ("1 1", "5 5", "1 5"):
        await stage.press(*(key if key != " " else "space" for key in cell), "enter")
    return stage.app.screen


def markers(page):
    position = page.board.picture.position
    return (position.mine | position.theirs).bit_count()


@pytest.mark.parametrize(("back", "on"), [("[", "]"), ("pageup", "pagedown")])
def test_there_and_back(play, back, on):
    async def scene(stage):
        page = await three_moves(stage)
        await stage.press(back)
        assert markers(page) == 2
        assert "You're viewing move 2 of 3." in stage.said("#words")
        assert "(looking back)" in stage.said("#players")
        assert stage.said("#moves").split("\n")[1].startswith(">")
        assert stage.said("#moves").count(">") == 1
        await stage.press(back, back, back)
        assert markers(page) == 0
        assert "the start of the game" in stage.said("#words")
        await stage.press(on)
        assert markers(page) == 1
        await stage.press("home")
        assert markers(page) == 0
        await stage.press(on, on, on, on)
        assert page.look is None
        assert markers(page) == 3
        assert "Looking" not in stage.text()
        assert ">" not in stage.said("#moves")
        assert len(page.live.game.moves) == 3  # nothing was undone

    play(scene, match=match())


@pytest.mark.parametrize("key", mostly_deep(["enter", "space", "end", "escape", "q"], "enter", "escape"))
def test_every_way_back_to_the_game(play, key):
    async def scene(stage):
        page = await three_moves(stage)
        await stage.press("[", "[")
        await stage.press(key)
        assert stage.app.screen is page
        assert page.look is None
        assert len(page.live.game.moves) == 3
        await stage.press("escape")
        assert isinstance(stage.app.screen, HomePage)

    play(scene, match=match())


def test_no_move_is_made_in_an_earlier_position(play):
    async def scene(stage):
        page = await three_moves(stage)
        before = list(page.live.game.moves)
        await stage.press("[", "3", "colon", "1")
        assert page.typed is None
        for key in "uvwhrso":
            await stage.press(key)
            assert stage.app.screen is page
            assert page.look == 2
        assert page.live.game.moves == before
        assert "undo" not in stage.lines()[-1]
        await stage.pilot.click("Board", offset=(12, 8))
        assert page.look is None  # a click returns, and takes nothing
        assert page.live.game.moves == before
        await stage.press("u")
        assert page.live.game.moves == before[:-1]

    play(scene, match=match(swap=True))


def test_the_computers_answer_is_announced_and_throws_nobody_out(play):
    async def scene(stage):
        page = stage.app.screen
        opponent = stage.app.state.opponent = LateThinker()
        await stage.press("1", "space", "1", "enter")
        await stage.press("[")
        assert "has moved" not in stage.text()
        opponent.may_answer.set()
        await stage.until(lambda: len(page.live.game.moves) == 2)
        await stage.sees("The computer (O) has moved: O ")
        assert page.look == 0
        assert markers(page) == 0
        assert "of 2" not in stage.said("#words")  # at the start there is no move to number
        await stage.press("]")
        assert page.look == 1
        assert "move 1 of 2" in stage.said("#words")
        await stage.press("enter")
        assert page.look is None
        assert markers(page) == 2
        assert "your move" in stage.said("#words")

    play(scene, match=match(kinds=("human", "easy")))


def test_the_end_of_the_game_is_announced_too(play):
    async def scene(stage):
        page = stage.app.screen
        opponent = stage.app.state.opponent = LateThinker()
        await stage.press("enter")
        await stage.press("[")
        opponent.may_answer.set()
        await stage.sees("You lose: ")
        assert page.look == 0

    played = Match(variant(rule_book("chain"), "1x2"), kinds=("human", "easy"))
    play(scene, match=played)


def test_a_move_in_the_list_is_clicked(play):
    async def scene(stage):
        page = await three_moves(stage)
        await stage.pilot.click("#moves", offset=(3, 0))
        assert page.look == 1
        await stage.pilot.click("#moves", offset=(3, 2))
        assert page.look is None

    play(scene, match=match())


def test_looking_back_after_the_end_and_a_new_game(play):
    async def scene(stage):
        page = await three_moves(stage)
        await stage.press("g")
        await stage.press("y")
        await stage.press("[")
        assert page.look == 2
        assert "resigned" in stage.said("#words")
        await stage.press("n")
        assert page.look is None
        assert not page.live.game.moves
        assert isinstance(stage.app.screen, PlayPage)
        await stage.press("[")
        assert page.look is None

    play(scene, match=match())


@pytest.mark.parametrize("size", [(40, 12), (24, 8)])
def test_a_small_window_says_so_too(play, size):
    async def scene(stage):
        await three_moves(stage)
        await stage.press("[")
        assert "You're viewing" in stage.text()

    play(scene, size, match())
