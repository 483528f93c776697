"""The engine in a process of its own: answers, failures, and questions that nobody waits for any more."""

import asyncio
import os
import time

import pytest

from gridlock.core.game import Game
from gridlock.core.rules import rule_book, variant
from gridlock.play.thinking import questions
from gridlock.play.thinking.process import Failed, Thinker


def game_of(name, board=None, moves=(), **settings):
    game = Game(variant(rule_book(name), board), **settings)
    for move in moves:
        game.push(move)
    return game


def test_one_process_answers_many_questions_and_survives_a_failure():
    async def scene():
        thinker = Thinker()
        try:
            first = await thinker.ask(os.getpid)
            assert first != os.getpid()
            with pytest.raises(Failed, match="ZeroDivisionError"):
                await thinker.ask(divmod, 1, 0)
            await thinker.ask(print, "this goes nowhere")
            assert await thinker.ask(os.getpid) == first
        finally:
            thinker.end()

    asyncio.run(scene())


def test_a_question_that_is_dropped_ends_its_process_and_the_next_has_another():
    async def scene():
        thinker = Thinker()
        first = await thinker.ask(os.getpid)
        waiting = asyncio.create_task(thinker.ask(time.sleep, 600))
        await asyncio.sleep(0.1)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        second = await thinker.ask(os.getpid)
        assert second != first
        with pytest.raises(ProcessLookupError):
            os.kill(first, 0)
        thinker.end()

    asyncio.run(scene())


def test_a_process_that_is_killed_is_told_of():
    async def scene():
        thinker = Thinker()
        process = await thinker.ask(os.getpid)
        waiting = asyncio.create_task(thinker.ask(time.sleep, 600))
        await asyncio.sleep(0.1)
        os.kill(process, 9)
        with pytest.raises(Failed, match="has ended"):
            await waiting
        assert await thinker.ask(abs, -1) == 1
        thinker.end()

    asyncio.run(scene())


def test_puzzles_from_a_game_have_one_winning_move_each():
    game = game_of("showdown", "4x4", [0, 15, 1, 7, 4])
    for puzzle in questions.puzzles_from(game, 2.0):
        assert len(puzzle.advice.winning) == 1
        assert puzzle.game.moves == game.moves[: len(puzzle.game.moves)]
