"""Tests of the engine in a separate process: answers, failures, and questions cancelled at any moment."""

import asyncio
import os
import random
import signal
import sys
import time
from collections.abc import Awaitable, Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import slow_questions

from gridlock.core.game import Game
from gridlock.core.rules import rule_book, variant
from gridlock.play.match import choose_move
from gridlock.play.puzzles import puzzles_from
from gridlock.play.review import review_game
from gridlock.play.thinking import process, questions
from gridlock.play.thinking.process import LONGEST_ANSWER, Failed, Thinker
from gridlock.play.thinking.worker import frame

PATIENCE = 60.0  # seconds for what takes a moment, on a busy machine
LONG = 600.0  # seconds; no test waits this long


@pytest.fixture(autouse=True)
def _questions_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent), prepend=os.pathsep)


def play(scene: Callable[[Thinker], Awaitable[None]], grace: float = PATIENCE) -> None:
    """Run a test's coroutine with a new `Thinker` (a client for a worker process), which is stopped afterwards."""

    async def whole() -> None:
        thinker = Thinker(grace=grace)
        try:
            await scene(thinker)
        finally:
            await thinker.stop()
        assert thinker.pid is None

    asyncio.run(whole())


async def ask_and_cancel(thinker: Thinker, pause: float, question: Callable[..., object], *args: object) -> None:
    """Make a request that takes a long time, cancel it after a while, and check that the caller stops waiting."""
    asking = asyncio.create_task(thinker.ask(question, *args))
    await asyncio.sleep(pause)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking


def test_one_process_answers_many_questions_and_survives_a_failure() -> None:
    async def scene(thinker: Thinker) -> None:
        first = await thinker.ask(os.getpid)
        assert first == thinker.pid != os.getpid()
        with pytest.raises(Failed, match="ZeroDivisionError"):
            await thinker.ask(divmod, 1, 0)
        with pytest.raises(Failed, match="pickle"):
            await thinker.ask(open, os.devnull)
        with pytest.raises(Failed, match="EOFError"):
            await thinker.ask(input)  # the next question is not for it
        await thinker.ask(print, "this goes nowhere")
        await thinker.ask(os.write, 1, b"and so does this")
        assert await thinker.ask(os.getpid) == first

    play(scene)


def test_an_agent_that_ends_its_process_is_a_failure_and_not_the_end() -> None:
    async def scene(thinker: Thinker) -> None:
        for question in (sys.exit, os._exit, signal.raise_signal):
            with pytest.raises(Failed, match="has ended"):
                await thinker.ask(question, signal.SIGTERM)
            assert await thinker.ask(abs, -1) == 1
        first = await thinker.ask(os.getpid)
        await thinker.ask(signal.raise_signal, signal.SIGINT)  # Ctrl-C does not reach the worker
        assert await thinker.ask(os.getpid) == first

    play(scene)


def test_a_question_that_needs_more_memory_than_there_may_be_is_a_failure_and_not_the_end() -> None:
    async def run() -> None:
        thinker = Thinker(memory=1 << 30)
        try:
            first = await thinker.ask(os.getpid)
            for size in (1 << 31, 1 << 40):
                with pytest.raises(Failed, match="MemoryError"):
                    await thinker.ask(bytes, size)
            with pytest.raises(Failed, match="has ended"):  # an answer that nothing has room for
                await thinker.ask(bytes, LONGEST_ANSWER + 1)
            assert await thinker.ask(slow_questions.state, 1) == (1, True, "win")
            assert await thinker.ask(os.getpid) != first
        finally:
            await thinker.stop()

    asyncio.run(run())


SLOW = [
    slow_questions.lock_again_and_again,
    slow_questions.import_again_and_again,
    slow_questions.compute_again_and_again,
    slow_questions.search_again_and_again,
]


@pytest.mark.slow
def test_a_worker_answers_rightly_after_any_cancel() -> None:
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")
    rng = random.Random(seed)

    async def scene(thinker: Thinker) -> None:
        first = await thinker.ask(os.getpid)
        for number in range(150):
            for _ in range(rng.choice((1, 1, 1, 3))):  # now and then several, one right after another
                await ask_and_cancel(
                    thinker, rng.choice((0.0, 0.001, 0.01, 0.05)) * rng.random(), rng.choice(SLOW), LONG
                )
            if rng.random() < 0.5:
                assert await thinker.ask(slow_questions.state, number) == (number, True, "win")
        assert await thinker.ask(slow_questions.state, 0) == (0, True, "win")
        assert await thinker.ask(os.getpid) == first  # no worker had to be replaced

    play(scene)


def a_game(name: str, board: str, moves: int) -> Game:
    """Return a game after this many random moves, or fewer if the game ends first."""
    game, rng = Game(variant(rule_book(name), board)), random.Random(1)
    while not game.outcome and len(game.moves) < moves:
        game.push(rng.choice(game.variant.legal_cells(game.position)))
    return game


LASTING: dict[str, Callable[[], tuple[Any, ...]]] = {
    "move": lambda: (choose_move, a_game("showdown", "11x11", 3), "perfect", "1", LONG),
    "analysis": lambda: (questions.analyse, a_game("trails", "9x9", 0), LONG, True),
    "large analysis": lambda: (questions.analyse, a_game("scatter", "100x100", 3), LONG),
    "advice": lambda: (questions.advise, a_game("scatter", "9x9", 3), LONG),
    "review": lambda: (review_game, a_game("scatter", "9x9", 100), LONG),
    "large review": lambda: (review_game, a_game("keepaway", "60x60", 5000), LONG),
    "puzzles from a game": lambda: (puzzles_from, a_game("keepaway", "60x60", 5000), LONG),
    "puzzles": lambda: (slow_questions.puzzles_without_end, "scatter"),
    "days": lambda: (slow_questions.every_day, date(2026, 1, 1)),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", LASTING)
def test_everything_that_takes_long_can_be_cancelled(what: str) -> None:
    async def scene(thinker: Thinker) -> None:
        first = await thinker.ask(os.getpid)
        await ask_and_cancel(thinker, 0.3, *LASTING[what]())
        assert await thinker.ask(os.getpid) == first

    play(scene)


def test_a_cancel_does_not_hit_the_next_question() -> None:
    async def scene(thinker: Thinker) -> None:
        assert not await thinker.ask(slow_questions.stopped_at_once, LONG)
        assert thinker._process is not None
        assert thinker._process.stdin is not None
        for late in range(1, 20):
            thinker._process.stdin.write(frame(late))  # its question is over, or is the latest one
            assert not await thinker.ask(slow_questions.stopped_at_once, LONG)
        await ask_and_cancel(thinker, 0.05, slow_questions.lock_again_and_again, LONG)
        assert not await thinker.ask(slow_questions.stopped_at_once, LONG)
        asking = asyncio.create_task(thinker.ask(slow_questions.lock_again_and_again, 0.5))
        await asyncio.sleep(0.1)
        thinker._process.stdin.write(frame(thinker._asked - 1))  # while the next one is being answered
        await asking

    play(scene)


def test_a_queued_client_can_leave() -> None:
    async def scene(thinker: Thinker) -> None:
        first = asyncio.create_task(thinker.ask(slow_questions.lock_again_and_again, LONG))
        await asyncio.sleep(0)
        await ask_and_cancel(thinker, 0.01, os.getpid)
        assert not first.done()
        third = asyncio.create_task(thinker.ask(abs, -3))
        first.cancel()
        assert await third == 3

    play(scene)


def test_a_worker_that_ignores_the_clock_is_replaced() -> None:
    async def scene(thinker: Thinker) -> None:
        first = await thinker.ask(os.getpid)
        await ask_and_cancel(thinker, 0.1, slow_questions.ignore_the_clock)
        second = await thinker.ask(os.getpid)
        assert second != first
        assert not Path(f"/proc/{first}").exists()
        await ask_and_cancel(thinker, 0.1, time.sleep, LONG)
        assert await thinker.ask(os.getpid) != second

    play(scene, grace=0.2)


def test_a_question_that_is_cancelled_while_its_worker_starts_is_not_asked() -> None:
    async def scene(thinker: Thinker) -> None:
        for _ in range(3):
            await ask_and_cancel(thinker, 0.0, slow_questions.ignore_the_clock)
        assert await thinker.ask(abs, -1) == 1

    play(scene)


def test_a_process_that_is_killed_is_replaced() -> None:
    async def scene(thinker: Thinker) -> None:
        first = await thinker.ask(os.getpid)
        waiting = asyncio.create_task(thinker.ask(time.sleep, LONG))
        await asyncio.sleep(0.1)
        os.kill(first, 9)
        with pytest.raises(Failed, match="has ended"):
            await waiting
        assert await thinker.ask(abs, -1) == 1

    play(scene)


def test_a_thinker_that_is_stopped_leaves_nothing_behind() -> None:
    async def scene(thinker: Thinker) -> None:
        first = await thinker.ask(os.getpid)
        asked = [asyncio.create_task(thinker.ask(time.sleep, LONG)) for _ in range(3)]
        await asyncio.sleep(0.1)
        await thinker.stop()
        for one in asked:
            with pytest.raises(Failed, match="has ended"):
                await one
        assert not Path(f"/proc/{first}").exists()
        with pytest.raises(Failed):
            await thinker.ask(abs, -1)

    play(scene)


def test_a_worker_that_cannot_start_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene(thinker: Thinker) -> None:
        for wrong in (["/nowhere/python"], [*process.WORKER[:1], "-c", "print('no frame at all')"]):
            with monkeypatch.context() as patch:
                patch.setattr(process, "WORKER", wrong)
                with pytest.raises(Failed, match="has ended"):
                    await thinker.ask(abs, -1)
        assert await thinker.ask(abs, -1) == 1

    play(scene)
