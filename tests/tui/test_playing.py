"""Tests that play whole games in full-screen mode: with the arrow keys, with the mouse, and by typing moves."""

import pytest
from tui_moves import by_keys, by_mouse, match, to_the_end, typed

from gridlock.core.game import Game
from gridlock.core.rules import RULE_BOOKS
from gridlock.play.results import collect, other_lines
from gridlock.tui.play import PlayPage
from gridlock.userdata.diary import Diary
from gridlock.userdata.saves import Slot, entries, find
from tiers import mostly_deep

pytestmark = pytest.mark.slow

WAYS = [(by_keys, (60, 20)), (by_mouse, (60, 20)), (typed, (60, 20)), (by_mouse, (80, 24)), (by_mouse, (200, 60))]
# By default, each game is tested with one input method and one window size; the deep tier adds the rest of `WAYS`.
GAMES_AND_WAYS = [
    pytest.param(name, *way, marks=() if number == place else pytest.mark.deep)
    for number, way in enumerate(WAYS)
    for place, name in enumerate(RULE_BOOKS)
]


@pytest.mark.parametrize(("name", "take", "size"), GAMES_AND_WAYS)
def test_a_whole_game(play, name, take, size):
    async def scene(stage):
        game = await to_the_end(stage, take)
        await stage.sees("wins")
        assert stage.said("#moves").count("\n") + 1 == len(list(game.history()))

    play(scene, size, match(name))
    saved = next(entries()).saved.match
    assert saved.finished
    again = Game(saved.variant)
    for move in saved.games[0].moves:
        again.push(move)
    assert again.outcome == saved.games[0].outcome


@pytest.mark.parametrize("name", mostly_deep(RULE_BOOKS, "showdown", "trails"))
def test_a_whole_game_against_the_computer(play, name):
    async def scene(stage):
        game = await to_the_end(stage, by_keys)
        assert game.outcome

    play(scene, match=match(name, kinds=("human", "easy"), seed=5))


def test_the_computer_moves_as_it_would_at_the_prompt(play):
    """The computer makes the same random choices in full-screen mode as in line mode.

    Random choices depend only on the seed and the turn, so a game begun in full-screen mode can continue in line mode,
    and vice versa.
    """
    from random import Random

    from gridlock.players import agents

    async def scene(stage):
        await by_keys(stage, stage.app.screen.board, 12)
        await stage.until(lambda: len(stage.app.screen.live.game.moves) == 2)

    played = match("showdown", kinds=("human", "easy"), seed=77)
    play(scene, match=played)
    before = played.games[0].at(1)
    assert played.games[0].moves[1] == agents["easy"](before, Random("77/1/1"), played.think)


def test_a_refused_cell_shows_the_marker_that_forbids_it(play):
    async def scene(stage):
        page = stage.app.screen
        await by_keys(stage, page.board, 12)
        await by_keys(stage, page.board, 13)
        assert len(page.live.game.moves) == 1
        assert "adjacent to your opponent's marker" in stage.text()
        assert "! ╲╱ !" in stage.text()
        await stage.press("right")
        assert "! ╲╱ !" not in stage.text()
        await typed(stage, page.board, 12)
        assert "already occupied" in stage.text()
        await stage.press("9", "space", "9", "enter")
        assert "outside the grid" in stage.text()
        await stage.press("9", "enter")
        assert "Enter a row and a column" in stage.text()

    play(scene, match=match("showdown"))


def test_what_is_typed_can_be_rubbed_out_and_left(play):
    async def scene(stage):
        await stage.press("1", "2", "backspace", "space", "3")
        assert "Your move: 1 3_" in stage.text()
        await stage.press("escape")
        assert "Your move:" not in stage.text()
        assert isinstance(stage.app.screen, PlayPage)
        assert not stage.app.screen.live.game.moves

    play(scene, match=match("scatter"))


def test_undo_and_redo_between_friends_and_against_the_computer(play):
    async def friends(stage):
        game = stage.app.screen.live.game
        await by_keys(stage, stage.app.screen.board, 0)
        await by_keys(stage, stage.app.screen.board, 24)
        await stage.press("u")
        assert game.moves == [0]
        await stage.press("r")
        assert game.moves == [0, 24]
        await stage.press("u", "u", "u")
        assert game.moves == []

    async def computer(stage):
        game = stage.app.screen.live.game
        await by_keys(stage, stage.app.screen.board, 12)
        await stage.until(lambda: len(game.moves) == 2)
        moves = list(game.moves)
        await stage.press("u")
        assert game.moves == []
        await stage.press("r")
        assert game.moves == moves

    play(friends, match=match("scatter"))
    play(computer, match=match("showdown", kinds=("human", "easy")))


def test_the_swap_rule(play):
    async def scene(stage):
        page = stage.app.screen
        await by_keys(stage, page.board, 12)
        assert "take over the other side" in stage.text()
        await stage.press("s")
        assert page.live.game.swapped
        assert "swap" in stage.said("#moves")
        assert "Player 2 takes over the other side and now plays X." in stage.text()

    play(scene, match=match("showdown", swap=True))


def test_giving_up_needs_confirmation(play):
    async def scene(stage):
        page = stage.app.screen
        await stage.press("g")
        await stage.press("n")
        assert page.live.game.outcome is None
        await stage.press("g")
        await stage.press("y")
        await stage.sees("resigned")

    play(scene, match=match("chain"))


def test_rounds_a_score_another_match_and_the_other_side(play):
    async def scene(stage):
        page = stage.app.screen
        for number in (1, 2):
            await stage.press("g")
            await stage.press("y")
            assert f" n {'next round' if number == 1 else 'again'} " in stage.text()
            if number == 1:
                await stage.press("n")
                assert "Round 2 of 2, score 0 - 1" in stage.text()
        await stage.sees("The match is a tie, 1 to 1.")
        first = page.live.match
        await stage.press("o")
        assert page.live.match.names == ("Bo", "Ada")
        assert page.live.match is not first
        await stage.press("g")
        await stage.press("y")

    play(scene, match=match("chain", rounds=2, names=("Ada", "Bo")))
    assert len(list(entries())) == 2


def test_resizing_loses_nothing(play):
    async def scene(stage):
        page = stage.app.screen
        await by_keys(stage, page.board, 12)
        await stage.press("1", "space")
        for size in ((24, 8), (10, 4), (200, 60), (60, 20)):
            await stage.pilot.resize_terminal(*size)
            await stage.pilot.pause()
        assert page.typed == "1 "
        assert page.board.cursor == 12
        await stage.press("1", "enter")
        assert page.live.game.moves == [12, 0]
        await to_the_end(stage, by_mouse)

    play(scene, match=match("showdown"))


def test_a_board_larger_than_the_window_follows_the_cursor(play):
    async def scene(stage):
        page = stage.app.screen
        for cell in (0, 99, 9999, 5050):
            page.board.point(cell)
            await stage.pilot.pause()
            row, _ = page.live.match.variant.coordinates(cell)
            assert page.board._layout().corner(cell)
            assert any(line.split("<")[0].split(" ")[-1] == str(row) or f"{row} " in line for line in stage.lines())
            await typed(stage, page.board, cell)
        assert len(page.live.game.moves) == 4

    play(scene, (60, 20), match("scatter", "100x100"))


def test_a_move_is_on_disk_before_the_screen_shows_it(play):
    async def scene(stage):
        page = stage.app.screen
        await by_keys(stage, page.board, 7)
        saved = find(page.live.slot.name).saved.match
        assert saved.games[0].moves == [7]

    play(scene, match=match("scatter"))
    entry = next(entries())
    slot = Slot(entry.name)  # it is no longer held
    assert slot.load().games[0].moves == [7]
    slot.release()


def test_unsaved_work_is_reported(play, home):
    async def scene(stage):
        page = stage.app.screen
        (home / "games").rename(home / "elsewhere")
        (home / "games").write_text("no folder")
        await by_keys(stage, page.board, 7)
        assert "cannot be saved" in stage.text()
        (home / "games").unlink()
        (home / "elsewhere").rename(home / "games")

    play(scene, match=match("scatter"))


def test_directions_and_other_words_are_typed_after_a_colon(play):
    async def scene(stage):
        page = stage.app.screen
        game = page.live.game
        assert page.board.cursor == 0
        await stage.press("colon", *"up")
        assert "Your move: up_" in stage.text()
        assert not game.moves  # letters that are keys on other pages are letters here
        await stage.press("enter")
        assert "outside the grid" in stage.text()
        await stage.press("colon", *"right", "enter")
        assert game.moves == [1]
        assert page.board.cursor == 8  # the other pawn, which is next
        await stage.press("colon", "w", "enter")
        await stage.press("down", "enter")
        assert game.moves == [1, 5, 4]
        await stage.press("colon", *"row 0 column 2", "enter")
        assert game.moves == [1, 5, 4, 2]
        await stage.press("colon", "backspace", "u")
        assert game.moves == [1, 5, 4]
        await stage.press("colon", *"hello", "enter")
        assert "Enter a row and a column" in stage.text()

    play(scene, match=match("trails"))


def test_a_click_goes_before_what_is_being_typed(play):
    async def scene(stage):
        await stage.press("1", "space")
        await by_mouse(stage, stage.app.screen.board, 7)
        assert stage.app.screen.live.game.moves == [7]
        assert "Your move" not in stage.text()

    play(scene, match=match("scatter"))


def test_sides_are_changed_in_the_middle_of_a_game(play):
    async def scene(stage):
        page = stage.app.screen
        game = page.live.game
        await stage.press("o")  # before the first move: the computer starts
        assert page.live.match.kinds == ("easy", "human")
        await stage.until(lambda: len(game.moves) == 1)
        assert not page.live.match.practice
        await stage.press("o")
        await stage.sees("The game won't count towards your results.")
        await stage.press("n")
        assert page.live.match.kinds == ("easy", "human")
        await stage.press("o")
        await stage.press("y")
        await stage.until(lambda: len(game.moves) == 2)
        assert page.live.match.kinds == ("human", "easy")
        assert game.player_name(1) == "Ada"
        assert game.comments[1] == "The players change sides."
        await stage.press("g")
        await stage.press("y")
        await stage.sees("You lose: you resigned.")

    play(scene, match=match("showdown", kinds=("human", "easy"), names=("Ada", ""), rounds=1))
    (entry,) = entries()
    assert entry.saved.match.practice
    assert entry.saved.match.names == ("Ada", "")
    found = collect([entry])
    assert (found.total.played, found.practice) == (0, 1)
    assert "With sides changed: 1." in other_lines(found, Diary())[0]


def test_friends_and_a_match_with_a_score_keep_their_sides(play):
    async def friends(stage):
        assert "change sides" not in stage.text()
        await stage.press("o")
        assert stage.app.screen.live.match.kinds == ("human", "human")

    async def second_round(stage):
        page = stage.app.screen
        await stage.press("g")
        await stage.press("y")
        await stage.press("n")
        await stage.press("o")
        assert page.live.match.kinds == ("human", "easy")

    play(friends, match=match("chain"))
    play(second_round, match=match("chain", kinds=("human", "easy"), rounds=2))


def test_no_letter_of_an_overlong_move_is_a_key(play):
    async def scene(stage):
        await stage.press("enter")
        await stage.press(":", *"u" * 45)
        assert stage.app.screen.typed == "u" * 40
        assert len(stage.app.screen.live.game.moves) == 1
        await stage.press("escape")
        assert stage.app.screen.typed is None

    play(scene, match=match("showdown"))
