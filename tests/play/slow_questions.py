"""Slow functions, used to test that a worker stays intact when its function is cancelled.

If an exception interrupted a function at the wrong moment, it could corrupt the worker's state.
"""

import importlib
import re
import sys
import threading
import time
from datetime import date, timedelta
from decimal import Decimal, localcontext
from itertools import count

from gridlock.core.game import Game
from gridlock.core.rules import rule_book, variant
from gridlock.engine.clock import Clock, cancellation
from gridlock.play.puzzle_making import plan_for
from gridlock.play.puzzle_sources import puzzle_of
from gridlock.play.thinking import questions

LOCK = threading.Lock()


def lock_again_and_again(seconds: float) -> None:
    """Repeatedly acquire and release a lock, as libraries do; check the clock only while the lock is free."""
    clock = Clock(seconds)
    while not clock(0):
        with LOCK:
            sum(range(100))


def import_again_and_again(seconds: float) -> None:
    """Keep importing modules, so that an import lock is held most of the time."""
    clock = Clock(seconds)
    while not clock(0):
        for name in ("colorsys", "fractions", "graphlib"):
            sys.modules.pop(name, None)
            importlib.import_module(name)


def compute_again_and_again(seconds: float) -> None:
    """Keep using the `re` module's cache and the `decimal` module's context until the time is up."""
    clock, number = Clock(seconds), 0
    while not clock(0):
        number += 1
        re.compile(f"a{number}(b|c)*d").search("a" * 50)
        with localcontext() as context:
            context.prec = 200
            Decimal(number).sqrt()


def search_again_and_again(seconds: float) -> None:
    """Analyse a board that is too large to be solved."""
    questions.analyse(Game(variant(rule_book("scatter"), "9x9"), swap=False), seconds, distances=True)


def state(argument: int) -> tuple[int, bool, str]:
    """Return data that shows whether a worker still works correctly.

    The tuple contains the function's argument, whether `LOCK` is free, and the engine's verdict on a small board.
    """
    free = LOCK.acquire(timeout=5)
    if free:
        LOCK.release()
    game = Game(variant(rule_book("showdown"), "3x4"))
    return argument, free, str(questions.analyse(game, 20.0).verdict)


def ignore_the_clock() -> None:
    """Sleep forever without checking a clock, as an agent's code might."""
    while True:
        time.sleep(0.01)


def stopped_at_once(seconds: float) -> bool:
    """Return whether a new clock with the given time limit expires at once.

    The clock expires at once if the question that starts it has been cancelled.
    """
    return Clock(seconds).expired


def every_day(day: date) -> None:
    """Generate daily puzzles until cancelled, starting from the given date."""
    while True:
        puzzle_of(day)
        cancellation.check()
        day += timedelta(1)


def puzzles_without_end(game: str) -> None:
    """Generate hard puzzles for a game until cancelled."""
    for number in count():
        plan_for(rule_book(game), difficulty=5).make(str(number), 600.0)
        cancellation.check()
