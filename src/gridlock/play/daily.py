"""The daily puzzle: made from the date alone, so that it is the same for everybody."""

from datetime import date
from random import Random

from gridlock.core.rules import BUILT_IN, RULE_BOOKS
from gridlock.engine.clock import MEBIBYTE, Clock, cancellation
from gridlock.engine.engine import Engine
from gridlock.play.puzzles import Plan, Puzzle, make_puzzle, plan_for

MEMORY = 64 * MEBIBYTE  # fixed, since it may decide which positions are given up
WEEKEND = 5  # the first day of it, Monday being 0: there is more time for a hard one


def plan(day: date) -> Plan:
    """The game, the board and the difficulty of a day: the games in turn, and on weekends a hard one."""
    books = [book for name, book in RULE_BOOKS.items() if name in BUILT_IN]  # not what happens to be installed here
    return plan_for(books[day.toordinal() % len(books)], is_hard(day))


def is_hard(day: date) -> bool:
    """Whether the puzzle of a day is a hard one."""
    return day.weekday() >= WEEKEND


def puzzle_of(day: date) -> Puzzle:
    """The puzzle of a day."""
    variant, level = plan(day)
    engine = Engine(variant, MEMORY)
    tries = 0
    while True:  # no clock: what is found must not depend on how fast a machine is
        made = make_puzzle(engine, Random(f"puzzle of {day.isoformat()}, {tries}"), level, Clock())
        cancellation.check()
        if made is not None:
            return made
        tries += 1
