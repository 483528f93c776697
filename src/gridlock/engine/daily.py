"""The puzzle of the day: made from the date alone, so that it is the same for everybody."""

from datetime import date
from random import Random

from gridlock.engine.analysis import Analysis
from gridlock.engine.clock import MEBIBYTE, Clock
from gridlock.engine.engine import Engine
from gridlock.engine.puzzle import level_for, make_puzzle
from gridlock.game import Game
from gridlock.rules import BUILT_IN, RULE_BOOKS, variant

MEMORY = 64 * MEBIBYTE  # fixed, since it may decide which positions are given up
WEEKEND = 5  # the first day of it, Monday being 0: there is more time for a hard one


def puzzle_of(day: date) -> tuple[Engine, Game, Analysis]:
    """A position with exactly one winning move, of the games in turn, and on weekends a hard one."""
    books = [book for name, book in RULE_BOOKS.items() if name in BUILT_IN]  # not what happens to be installed here
    book = books[day.toordinal() % len(books)]
    assert book.shape is not None  # all of these have one
    level = level_for(book.shape, day.weekday() >= WEEKEND)
    engine = Engine(variant(book, level.board), MEMORY)
    made = None
    tries = 0
    while made is None:  # no clock: what is found must not depend on how fast a machine is
        made = make_puzzle(engine, Random(f"puzzle of {day.isoformat()}, {tries}"), level, Clock())
        tries += 1
    return engine, *made
