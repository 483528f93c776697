"""Tests that the text below the board never changes the board's size or position."""

from dataclasses import replace

import pytest

from gridlock.core.game import Game
from gridlock.core.match import Match
from gridlock.core.rules import rule_book, variant
from gridlock.play.puzzle_sources import Series
from gridlock.tui.bars import Words
from gridlock.tui.board import Board
from gridlock.tui.page import Note
from gridlock.tui.review import ReviewPage
from gridlock.tui.training import LessonPage, PuzzlePage

pytestmark = pytest.mark.slow

SIZES = [(80, 24), (60, 20), (40, 12), (24, 8), (120, 40)]
LONG = "A sentence that is long enough to need several lines, even in a wide window. " * 12


def place(stage):
    """Return the board's position and the size of its cells."""
    board = stage.app.screen.query_one(Board)
    layout = board._layout()
    return board.region, layout.size, layout.left, layout.top


@pytest.mark.parametrize("size", SIZES)
def test_the_words_of_a_game_move_nothing(play, size):
    async def scene(stage):
        page = stage.app.screen
        before = place(stage)
        await stage.press("enter")
        for said in ("", "Short.", LONG, f"{LONG}\n" * 5, "日本語" * 100):
            page.said = said
            page.show()
            await stage.pilot.pause()
            assert place(stage) == before, said[:40]

    play(scene, size, Match(variant(rule_book("showdown"))))


def test_a_refused_cell_beside_the_values_moves_nothing(play):
    """In an earlier version, three lines of text below a 3x3 board made every cell smaller."""

    async def scene(stage):
        before = place(stage)
        assert before[1][:2] == (11, 5)  # as large as the window allows
        await stage.press("1", "space", "1", "enter", "v")
        await stage.sees("every move wins")
        assert place(stage) == before
        await stage.press("1", "space", "1", "enter")
        await stage.sees("Invalid move.")
        assert place(stage) == before

    play(scene, (80, 24), Match(variant(rule_book("keepaway"), "3x3")))


def puzzle(state):
    return PuzzlePage(state, Series(rule_book("keepaway"), seed=3))


def lesson(state):
    return LessonPage(state, rule_book("showdown"))


@pytest.mark.parametrize(("made", "size"), [(puzzle, (80, 24)), (puzzle, (60, 20)), (lesson, (60, 20))])
def test_a_question_and_its_answer_have_one_board(play, made, size):
    async def scene(stage):
        page = made(stage.app.state)
        stage.app.push_screen(page)
        await stage.until(lambda: stage.app.screen is page and (made is lesson or page.solving))
        before = place(stage)
        page.present(LONG)
        await stage.pilot.pause()
        assert place(stage) == before
        await stage.press("s")
        await stage.sees("The answer is" if made is lesson else "The winning move")
        assert place(stage) == before

    play(scene, size)


def test_every_step_of_a_review_has_one_board(play):
    game = Game(variant(rule_book("showdown"), "4x4"))
    for cell in (0, 15, 1):
        game.push(cell)

    async def scene(stage):
        page = ReviewPage(stage.app.state, game, 0.2)
        stage.app.push_screen(page)
        await stage.pilot.pause()
        before = place(stage)
        await stage.until(lambda: page.review)
        for key in ("home", *["right"] * 3):
            await stage.press(key)
            assert place(stage) == before

    play(scene, (80, 24))


@pytest.mark.parametrize("size", SIZES)
def test_words_that_are_cut_can_be_read_whole(play, size):
    async def scene(stage):
        page = stage.app.screen
        page.said = LONG
        page.show()
        await stage.pilot.pause()
        assert "(d)" in stage.text()
        assert str(stage.app.screen.query_one(Words).content) == LONG
        await stage.press("d")
        assert isinstance(stage.app.screen, Note)
        assert LONG in "\n".join(stage.app.screen.lines)
        await stage.press("escape")
        page.said = "Short."
        page.show()
        await stage.pilot.pause()
        assert "(d)" not in stage.text()
        await stage.pilot.click(Words)
        assert isinstance(stage.app.screen, Note)

    play(scene, size, Match(variant(rule_book("showdown"))))


@pytest.mark.parametrize("size", [(24, 8), (10, 5)])
def test_a_small_window_says_why_a_cell_is_refused(play, size):
    async def scene(stage):
        await stage.press("enter")
        await stage.press("enter")
        shown = "Already occupied." if size[0] > 10 else "Already occu"
        assert shown in stage.text()
        if size[0] == 10:
            await stage.press("d")
            assert stage.app.screen.lines == ["Already occupied."]

    play(scene, size, Match(variant(rule_book("showdown"))))


def test_pairs_do_not_hide_values(play):
    """A cell shows both its value and the letter of its pair, and the hinted move still shows its value."""

    async def scene(stage):
        page = stage.app.screen
        await stage.press("h", "h", "h", "h", "v")
        await stage.until(lambda: page.coach.advice)
        move = page.coach.advice.move
        texts = page.board.picture.texts
        assert texts[move][0].startswith("*+")
        assert not page.board.picture.pairs  # the move ends the game: there is nothing to answer
        assert "answer each other" not in stage.text()
        assert texts[move][0] in stage.text()
        page.board.show(replace(page.board.picture, pairs={0: 8, 8: 0}, texts={0: ("-4", "loss"), 8: ("-4", "loss")}))
        await stage.pilot.pause()
        assert stage.text().count("-4a") == 2

    play(scene, match=Match(variant(rule_book("keepaway"), "3x3")))
