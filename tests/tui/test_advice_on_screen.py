"""Tests of the engine in full-screen mode: hints, values, pairs, reviews, and cancelled questions."""

import asyncio
import os

import pytest
from tui_moves import PATIENCE, by_keys, match, to_the_end

from gridlock.core.game import Game
from gridlock.core.rules import rule_book, variant
from gridlock.drawing.text import printed_width
from gridlock.play.review import review_game
from gridlock.tui.board import Board
from gridlock.tui.review import ReviewPage, swing
from gridlock.tui.training import PuzzlePage

pytestmark = pytest.mark.slow


def test_undo_while_the_computer_thinks_drops_its_move(play):
    async def scene(stage):
        page, opponent = stage.app.screen, stage.app.state.opponent
        opponent._grace = 60.0  # on a busy machine
        process = await opponent.ask(os.getpid)
        await by_keys(stage, page.board, 0)
        assert page.live.programs_turn
        await stage.press("u")
        assert page.live.game.moves == []
        await by_keys(stage, page.board, 60)
        await stage.until(lambda: len(page.live.game.moves) == 2)
        assert page.live.game.moves[0] == 60
        assert opponent.pid == process  # which remembers its results

    play(scene, match=match("showdown", "11x11", kinds=("human", "perfect"), think=1.0))


def test_leaving_a_page_cancels_its_question_but_not_the_next_pages(play):
    game = Game(variant(rule_book("scatter"), "9x9"))
    for cell in (0, 2, 4):
        game.push(cell)

    async def scene(stage):
        adviser = stage.app.state.adviser
        adviser._grace = 60.0
        process = await adviser.ask(os.getpid)
        page = ReviewPage(stage.app.state, game, 10 * PATIENCE)
        await stage.app.push_screen(page)
        await stage.until(lambda: adviser._sent == 2)
        await stage.press("escape")
        await stage.until(lambda: stage.app.screen is not page)
        assert await asyncio.wait_for(adviser.ask(os.getpid), PATIENCE) == process

    play(scene)


def test_a_hint_in_steps(play):
    async def scene(stage):
        page = stage.app.screen
        await stage.press("h")
        await stage.sees("moves win")
        assert "*" not in "".join(stage.lines())
        await stage.press("h")
        await stage.sees("Look ")
        assert "?" in "".join(stage.lines()[:-1])
        await stage.press("h")
        name = page.live.game.variant.name(page.coach.advice.move)
        await stage.sees(f"Try {name}: it wins.")
        assert "*" in "".join(stage.lines())
        await stage.press("h")
        assert page.coach.advice.reason.split(":")[0] in stage.text()
        await by_keys(stage, page.board, page.coach.advice.move)
        assert page.coach.advice is None

    play(scene, match=match("showdown"))


def test_values_stay_on_from_move_to_move(play):
    async def scene(stage):
        page = stage.app.screen
        await stage.press("v")
        await stage.sees("+5")
        await by_keys(stage, page.board, 4)
        await stage.until(lambda: page.coach.advice)
        shown = {text for text, _ in page.coach.advice.values.values()}
        assert any(text in stage.text() for text in shown)
        await stage.press("v")
        assert not page.board.picture.texts

    play(scene, match=match("trails", "3x3"))


def test_pairs_are_joined_by_lines(play):
    async def scene(stage):
        page = stage.app.screen
        await stage.press("w")
        await stage.until(lambda: page.board.picture.pairs)
        assert page.board.picture.joined
        drawn = "".join(stage.lines())
        assert "━·" in drawn or "┃" in drawn
        assert "answer each other" in stage.text()
        await stage.press("w")
        assert not page.board.picture.pairs

    play(scene, match=match("chain"))


def test_the_mirror_image_of_the_cell_under_the_cursor(play):
    async def scene(stage):
        page = stage.app.screen
        await by_keys(stage, page.board, 12)  # the middle: from then on every move has an image
        await stage.press("w")
        await stage.until(lambda: page.board.picture.pairs)
        for cell in list(page.board.picture.pairs)[:4]:
            page.board.point(cell)
            await stage.pilot.pause()
            assert "= · =" in stage.text() or "=·=" in stage.text()

    play(scene, match=match("showdown"))


def test_after_a_game_review_save_and_puzzles(play, home):
    async def scene(stage):
        await to_the_end(stage, by_keys)
        await stage.press("f")
        await stage.press(*["backspace"] * 10, *str(home / "kept.txt"), "enter")
        await stage.sees("Saved to")
        await stage.press("e")
        page = stage.app.screen
        assert isinstance(page, ReviewPage)
        await stage.until(lambda: page.review)
        assert "^" in stage.said("#swing")
        mistakes = page.review.mistakes
        assert mistakes
        assert page.at == mistakes[0]
        assert "gives away the win" in stage.text()
        assert "the win:" in stage.text()
        assert ("+", "win") in page.query_one(Board).picture.texts.values()
        await stage.press("home")
        assert page.at == 0
        await stage.press("n")
        assert page.at == mistakes[0]
        await stage.press("end", "b")
        assert page.at == max(number for number in mistakes if number < len(page.review.steps))
        await stage.press("z")
        assert isinstance(stage.app.screen, PuzzlePage), "the mistakes, from the review"
        await stage.press("escape", "escape")
        await stage.press("z")
        page = stage.app.screen
        assert isinstance(page, PuzzlePage)
        await stage.until(lambda: page.solving or "has no puzzles" in stage.text())

    play(scene, (80, 30), match("showdown", "4x4"))
    assert '[Game "showdown"]' in (home / "kept.txt").read_text()


def test_regions_in_a_frame(play):
    async def scene(stage):
        page = stage.app.screen
        for cell in (12, 0, 22, 2):
            page.live.push(cell)
        page.proceed()
        await stage.press("a")
        await stage.sees("Free moves: you 1, opponent 1.")
        assert "A, 7 cells: hot, 3¼. First there, you come out 3 ahead" in " ".join("".join(stage.lines()).split())
        assert any("│ A   A │ X │ B   B │" in line for line in stage.lines())
        assert page.live.match.hints[-1] == 1
        await stage.press("escape")
        assert stage.app.screen is page

    play(scene, (80, 40), match=match("showdown", "5x5"))


def test_regions_of_a_game_without_values(play):
    async def scene(stage):
        await stage.press("a")
        await stage.sees("have regions.")
        assert "\n\n\n" not in "\n".join(stage.app.screen.lines)

    play(scene, match=match("chain", "3x3"))


def test_regions_in_a_narrow_window_are_words(play):
    async def scene(stage):
        await stage.press("a")
        await stage.sees("Free moves")
        assert not any("A   A" in line for line in stage.lines())

    play(scene, (30, 40), match=match("showdown", "5x8"))


def test_the_bars_of_a_review_stand_in_line_beside_wide_names():
    game = Game(variant(rule_book("showdown"), "3x3"), names=("山田太郎と申します", "Bob"))
    game.push(0)
    game.push(8)
    review = review_game(game, 5.0)
    lines = swing(review, 0, 40)
    labels = [line[: len(line) - len(review.winners)] for line in lines]
    assert [label.rstrip() for label in labels] == ["", "山田太郎と申", "Bob", ""]
    assert [printed_width(label) for label in labels] == [13] * 4
