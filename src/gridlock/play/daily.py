"""The daily puzzle: made from the date alone, so that it is the same for everyone."""

from datetime import date
from random import Random

from gridlock.core.rules import BUILT_IN, RULE_BOOKS
from gridlock.engine.clock import MEBIBYTE, Clock, cancellation
from gridlock.engine.engine import Engine
from gridlock.play.puzzles import Plan, Puzzle, make_puzzle, plan_for

MEMORY = 64 * MEBIBYTE  # fixed, since it may decide which positions are given up
WEEKEND = 5  # its first day, with Monday as 0


def plan(day: date) -> Plan:
    """Return the plan for a day's puzzle: the games take turns, and weekends are hard."""
    books = [book for name, book in RULE_BOOKS.items() if name in BUILT_IN]  # installed packages make no difference
    return plan_for(books[day.toordinal() % len(books)], is_hard(day))


def is_hard(day: date) -> bool:
    """Return whether a day's puzzle is a hard one."""
    return day.weekday() >= WEEKEND


def puzzle_of(day: date) -> Puzzle:
    """Return a day's puzzle; there is no time limit, since the puzzle must not depend on the machine's speed."""
    variant, level = plan(day)
    engine = Engine(variant, MEMORY)
    tries = 0
    while True:
        made = make_puzzle(engine, Random(f"puzzle of {day.isoformat()}, {tries}"), level, Clock())
        cancellation.check()
        if made is not None:
            return made
        tries += 1
