"""Tests of users' own games in full-screen mode, and of the settings chosen before a game."""

import pytest

from gridlock.core.grid import Adjacency
from gridlock.tui.page import Note
from gridlock.tui.play import PlayPage, WatchPage
from gridlock.tui.setup import SetupPage
from gridlock.userdata.library import folder

pytestmark = pytest.mark.slow

HERMIT = 'title = "Hermit"\nadjacency = "orthogonal"\n[shape]\ncloses_own = true\ncloses_other = true\n'


def test_own_games_are_listed_played_and_watched(play):
    folder().mkdir()
    (folder() / "hermit.toml").write_text(HERMIT)
    (folder() / "broken.toml").write_text("title = 3")

    async def scene(stage):
        await stage.sees("Your own games")
        items = [item for item in stage.app.screen.items if not isinstance(item, str)]
        (hermit,) = [item for item in items if item.line.startswith("hermit")]
        assert len({item.key for item in items if item.key}) == len(items) - 1, "the broken one has no key"
        await stage.press(hermit.key)
        assert isinstance(stage.app.screen, SetupPage)
        await stage.press("enter")
        assert isinstance(stage.app.screen, PlayPage)
        assert stage.app.screen.live.match.variant.book.title == "Hermit"
        await stage.press("enter", "escape")
        await stage.press("w", "6", "enter")
        assert isinstance(stage.app.screen, WatchPage)
        await stage.press("escape")
        menu = stage.app.screen.query_one("OptionList")
        menu.highlighted = next(
            at for at, item in enumerate(stage.app.screen.items) if getattr(item, "line", "").startswith("broken.toml")
        )
        await stage.press("enter")
        assert isinstance(stage.app.screen, Note)
        await stage.sees("broken.toml, line 1: title must be text in quotes.")

    play(scene)


@pytest.mark.parametrize("size", [(80, 24), (40, 12)])
def test_the_neighbours_and_the_friends_name_are_chosen(play, size):
    async def scene(stage):
        await stage.press("c")
        page = stage.app.screen
        while "human" not in page.kinds:
            await stage.press("down", "left", "up")
        assert [choice.name for choice in page.choices][:4] == ["against", "friend's name", "board", "cells touch"]
        await stage.press("down", "down", "enter", *"Zoë [red]"[:2], "x", "enter")
        assert page.friend.chosen == "Zox"
        await stage.press("right", *["backspace"] * 3, *"Bo [b]", "enter")
        assert page.friend.chosen == "Bo [b]"
        await stage.press("down", "down", "right")
        assert page.touching.chosen == "at sides and corners"
        await stage.press("home", "enter")
        match = stage.app.screen.live.match
        assert match.names == ("", "Bo [b]")
        assert match.variant.grid.adjacency is Adjacency.KING
        assert match.kinds == ("human", "human")

    play(scene, size)


def test_a_refused_board_is_said_on_its_own_page_only(play):
    async def scene(stage):
        await stage.press("c", "b", *["backspace"] * 5, *"abc", "enter")
        await stage.sees("'abc' is not a board.")
        await stage.press("escape")
        assert "abc" not in stage.text()
        await stage.press("c", "b", *["backspace"] * 5, *"abc", "enter")
        await stage.sees("'abc' is not a board.")
        await stage.press("down", "right")
        assert "abc" not in stage.text(), "nor once something else was chosen"

    play(scene)


@pytest.mark.parametrize("size", [(60, 20), (40, 12), (24, 8)])
def test_lines_of_the_first_page_are_not_broken(play, size):
    async def scene(stage):
        lines = stage.lines()
        assert [line.split()[0] for line in lines[2:5]] == ["k", "c", "s"]

    play(scene, size)


def test_a_small_window_shows_what_is_chosen(play):
    async def scene(stage):
        await stage.press("c")
        await stage.sees("against: medium")
        await stage.sees("board: 4x4")
        await stage.press("down", "down", "right")
        await stage.sees(f"board: {stage.app.screen.board.chosen}")

    play(scene, (24, 8))


@pytest.mark.parametrize("columns", [40, 48, 56])
def test_no_choice_is_cut(play, columns):
    async def scene(stage):
        await stage.press("c")
        page = stage.app.screen
        for chosen in page.side.values:
            page.side.chosen = chosen
            page._show_choices()
            await stage.pilot.pause()
            assert chosen in stage.text()

    play(scene, (columns, 16))
