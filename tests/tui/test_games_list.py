"""Tests of the keyboard shortcuts in the list of games: open, review, save, delete and search."""

import os

import pytest

from gridlock.core.match import Match
from gridlock.core.records import loads
from gridlock.core.rules import variant
from gridlock.tui.home import HomePage
from gridlock.tui.play import PlayPage, WatchPage
from gridlock.tui.review import ReviewPage
from gridlock.tui.saved_games import SavedGamesPage
from gridlock.userdata.saves import Saved, Slot, dump, entries, folder

pytestmark = pytest.mark.slow


def keep(name, changed, game, kinds, *moves, board=None, names=("", "")):
    """Save a game with these moves; the move None means that player 2 resigns."""
    match = Match(variant(game, board), kinds=kinds, names=names)
    for move in moves:
        if move is None:
            match.current().resign(2)
        else:
            match.current().push(move)
    match.current()
    folder().mkdir(exist_ok=True)
    path = folder() / f"{name}.json"
    path.write_text(dump(Saved(match, None)))
    os.utime(path, (changed, changed))


@pytest.fixture(autouse=True)
def games(home):
    """Save six games, from oldest to newest: finished, unfinished, watched, two-player, damaged and not yet started."""
    keep("a", 100, "keepaway", ("human", "easy"), 4)
    keep("b", 200, "chain", ("human", "hard"), 0, 1)
    keep("c", 300, "trails", ("perfect", "hard"), 1, 5)
    keep("d", 400, "scatter", ("human", "human"), 0, None, names=("Zoë [red]", "Bo [/]"))
    (folder() / "e.json").write_text("rubbish")
    os.utime(folder() / "e.json", (500, 500))
    keep("f", 600, "showdown", ("human", "easy"))
    assert home.is_dir()


def listed(stage):
    """Return the entries in the list of games, one line each."""
    menu = stage.app.screen.menu
    return [str(menu.get_option_at_index(at).prompt) for at in range(menu.option_count)]


async def opened(stage):
    """Open the list of games from the start page."""
    await stage.press("g")
    assert isinstance(stage.app.screen, SavedGamesPage)
    await stage.until(lambda: stage.app.screen.complete)


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (40, 12)])
def test_all_games_are_listed_and_those_without_moves_come_last(play, size):
    async def scene(stage):
        await opened(stage)
        assert stage.said("#title") == "Your games: 6"
        assert listed(stage) == [
            "e: damaged",
            "scatter 5x5, two players, Zoë [red] won",
            "trails 3x3, watched, perfect against hard, 2 moves",
            "chain 4x4, against hard, 2 moves",
            "keepaway 3x3, against easy, won",
            "showdown 5x5, against easy, 0 moves",
        ]
        for key in ("/ search", "e review", "f save", "d delete")[: 4 if size[0] >= 60 else 0]:
            assert key in stage.lines()[-1]
        await stage.press("down")
        assert "Finished. Last played 1970-01-01" in stage.said("#about")
        assert "Zoë [red] beat Bo [/]." in stage.said("#about")

    play(scene, size)


def test_the_first_page_offers_no_game_without_moves_and_marks_watched_ones(play):
    async def scene(stage):
        lines = [item.line for item in stage.app.screen.items if not isinstance(item, str) and item.key.isdigit()]
        assert [line.rpartition(", ")[0] for line in lines] == ["trails 3x3, watched", "chain 4x4"]

    play(scene)


def test_games_are_opened_and_reviewed(play):
    async def scene(stage):
        await opened(stage)
        await stage.press("enter")
        assert "This game cannot be opened: line 1: this is not JSON" in stage.said("#words")
        await stage.press("down", "enter")
        assert isinstance(stage.app.screen, PlayPage)
        assert stage.app.screen.live.match.finished
        await stage.press("escape")
        await stage.until(lambda: stage.app.screen.complete)
        await stage.press("e")
        assert isinstance(stage.app.screen, ReviewPage)
        await stage.press("escape", "down", "enter")
        assert isinstance(stage.app.screen, WatchPage)
        await stage.press("escape")
        await stage.until(lambda: stage.app.screen.complete)
        await stage.press("end", "e")
        assert stage.said("#words") == "Nothing to review: no moves were made."
        await stage.press("up", "up", "enter")
        page = stage.app.screen
        assert page.live.game.moves == [0, 1]
        await stage.until(lambda: page.live.persons_turn)
        await stage.press(*"1 3", "enter")
        await stage.until(lambda: len(page.live.game.moves) >= 3)
        await stage.press("escape")
        await stage.until(lambda: stage.app.screen.complete)
        assert listed(stage)[0].startswith("chain 4x4"), "the one played last comes first"
        await stage.press("escape")
        assert isinstance(stage.app.screen, HomePage)

    play(scene)


def test_a_game_that_another_window_has_open_is_left_alone(play):
    held = Slot("b")

    async def scene(stage):
        await opened(stage)
        await stage.press("down", "down", "down", "enter")
        await stage.sees("is open in another window")
        await stage.press("escape", "d", "y")
        await stage.sees("is open in another window")
        await stage.press("escape")
        assert stage.said("#title") == "Your games: 6"

    try:
        play(scene)
    finally:
        held.release()
    assert len(list(entries())) == 6


def test_a_game_is_deleted_after_a_question(play):
    async def scene(stage):
        await opened(stage)
        await stage.press("down", "d")
        await stage.sees("Delete this game for good?")
        assert "scatter 5x5, two players, Zoë [red] won" in stage.text()
        await stage.press("n")
        assert len(listed(stage)) == 6
        await stage.press("delete", "y")
        assert stage.said("#title") == "Your games: 5"
        assert stage.said("#words").startswith("Deleted: scatter 5x5")
        for _ in range(5):
            await stage.press("d", "y")
        assert stage.said("#words") == "There are no games yet."
        await stage.press("d", "e", "f", "enter")
        assert isinstance(stage.app.screen, SavedGamesPage)

    play(scene)
    assert list(entries()) == []


def test_a_game_that_is_deleted_elsewhere_is_said_to_be_gone(play):
    async def scene(stage):
        await opened(stage)
        (folder() / "d.json").unlink()
        await stage.press("down")
        for key in ("enter", "e", "f", "d"):
            await stage.press(key)
            assert stage.said("#words") == "This game has since been deleted."

    play(scene)


def test_a_game_is_written_to_a_file(play, home):
    async def scene(stage):
        await opened(stage)
        await stage.press("down", "f")
        await stage.press(*["backspace"] * 10, *"kept.txt", "enter")
        assert stage.said("#words") == "Saved to kept.txt."

    play(scene)
    assert loads((home / "kept.txt").read_text())[0].variant.book.name == "scatter"


def test_typing_finds_games(play):
    async def scene(stage):
        await opened(stage)
        await stage.press("/", *"hard")
        assert stage.said("#title") == "Your games: 2 of 6"
        await stage.press(*" unfinished tr")
        assert listed(stage) == ["trails 3x3, watched, perfect against hard, 2 moves"]
        await stage.press(*"xx")
        assert "No game matches" in stage.said("#words")
        await stage.press("enter", "e", "d", "enter")
        assert isinstance(stage.app.screen, SavedGamesPage)
        await stage.press("escape")
        assert stage.said("#title") == "Your games: 6"
        assert len(listed(stage)) == 6
        await stage.press("/", *"ZO", "down", "enter")
        assert stage.app.screen.live.match.names[0] == "Zoë [red]"
        await stage.press("escape", "escape", "escape")
        assert isinstance(stage.app.screen, HomePage)

    play(scene)


def test_a_thousand_games_are_listed_while_keys_work(play):
    text = (folder() / "a.json").read_text()
    for number in range(1000):
        (folder() / f"20250101-000000-{number:06x}.json").write_text(text)

    async def scene(stage):
        await stage.press("g")
        await stage.press("down", "down", "/", *"chain")
        assert isinstance(stage.app.screen, SavedGamesPage)
        await stage.until(lambda: stage.app.screen.complete)
        assert listed(stage) == ["chain 4x4, against hard, 2 moves"], "typed while the games were read"
        await stage.press("escape")
        assert stage.said("#title") == "Your games: 1006"
        await stage.press("end")
        assert stage.app.screen.menu.highlighted == 1005

    play(scene)


def test_the_page_lists_its_keys_before_it_has_been_drawn(play):
    async def scene(stage):
        page = SavedGamesPage(stage.app.state)
        drawn = stage.app.push_screen(page)
        assert stage.app.screen is page
        assert "search" in page.key_list()
        assert "delete" not in page.key_list()
        await drawn
        await stage.until(lambda: page.complete)
        assert "delete" in page.key_list()

    play(scene)
