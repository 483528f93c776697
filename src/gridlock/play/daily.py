"""The puzzle of the day: made from the date alone, so that it is the same for everybody."""

from datetime import date
from random import Random

from gridlock.core.game import Game
from gridlock.core.rulebook import Variant
from gridlock.core.rules import BUILT_IN, RULE_BOOKS, variant
from gridlock.engine.analysis import Analysis
from gridlock.engine.clock import MEBIBYTE, Clock, cancellation
from gridlock.engine.engine import Engine
from gridlock.play.puzzles import Level, level_for, make_puzzle

MEMORY = 64 * MEBIBYTE  # fixed, since it may decide which positions are given up
WEEKEND = 5  # the first day of it, Monday being 0: there is more time for a hard one


def plan(day: date) -> tuple[Variant, Level]:
    """The game, the board and the difficulty of a day: the games in turn, and on weekends a hard one."""
    books = [book for name, book in RULE_BOOKS.items() if name in BUILT_IN]  # not what happens to be installed here
    book = books[day.toordinal() % len(books)]
    assert book.shape is not None  # all of these have one
    level = level_for(book.shape, is_hard(day))
    return variant(book, level.board), level


def is_hard(day: date) -> bool:
    """Whether the puzzle of a day is a hard one."""
    return day.weekday() >= WEEKEND


def puzzle_of(day: date) -> tuple[Engine, Game, Analysis]:
    """A position with exactly one winning move."""
    chosen, level = plan(day)
    engine = Engine(chosen, MEMORY)
    made = None
    tries = 0
    while made is None:  # no clock: what is found must not depend on how fast a machine is
        made = make_puzzle(engine, Random(f"puzzle of {day.isoformat()}, {tries}"), level, Clock())
        cancellation.check()
        tries += 1
    return engine, *made
