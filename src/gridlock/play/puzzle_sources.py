"""Sources of puzzles: a series, the daily puzzle, or a game that was just played.

Each source has a `title`, knows whether there are `more` puzzles and whether they are `harder` (None if the player
cannot choose), and has a sentence for when there is `none`. It makes the next puzzle, and counts answers. Only the
daily puzzle has a result to share.
"""

from collections.abc import Awaitable, Callable
from datetime import date
from itertools import cycle
from random import Random
from typing import Any

from gridlock.core.game import Game
from gridlock.core.match import new_seed
from gridlock.core.rulebook import RuleBook
from gridlock.core.rules import BUILT_IN, RULE_BOOKS
from gridlock.engine.clock import MEBIBYTE, Clock, cancellation
from gridlock.engine.engine import Engine
from gridlock.play.puzzles import Plan, Puzzle, books_with_puzzles, make_puzzle, plan_for, puzzles_from
from gridlock.play.share import daily_result
from gridlock.userdata import diary

MAKING = 20.0  # seconds for a puzzle
Ask = Callable[..., Awaitable[Any]]  # calls a function, perhaps in another process


class Series:
    """Puzzles for all games in turn, or for one; the streak continues from the last session."""

    more = True
    none = "No puzzle was found in time. Press n to try again."

    def __init__(
        self,
        book: RuleBook | None = None,
        hard: bool = False,
        board: str | None = None,
        adjacency: str | None = None,
        seed: int | None = None,
    ) -> None:
        self.harder: bool | None = hard
        self._where = board, adjacency
        self._books = cycle([book] if book else books_with_puzzles())
        self._seed, self._number = new_seed() if seed is None else seed, 0

    @property
    def title(self) -> str:
        """The name of the series."""
        return "Hard puzzles" if self.harder else "Puzzles"

    def next(self) -> tuple[Plan, int | str]:
        """Return the plan of the next puzzle, and its seed, which depends on its number alone."""
        self._number += 1
        plan = plan_for(next(self._books), bool(self.harder), *self._where)
        return plan, self._seed if self._number == 1 else f"{self._seed}/{self._number}"

    async def make(self, ask: Ask) -> Puzzle | None:
        """Make the next puzzle."""
        plan, seed = self.next()
        made: Puzzle | None = await ask(plan.make, seed, MAKING)
        return made

    def answered(self, right: bool) -> str:
        """Count an answer, and return the streak."""
        return diary.write(lambda pages: pages.with_answer(right)).streak_words


class Daily:
    """The daily puzzle, which is the same for everyone; the first answer on the day itself counts."""

    more = False
    harder: bool | None = None
    none = ""

    def __init__(self, day: date, counts: bool = True) -> None:
        self.day, self.counts = day, counts

    @property
    def title(self) -> str:
        """The date, and whether the player has tried the puzzle before."""
        before = diary.read().days.get(self.day.isoformat()) if self.counts else None
        done = "solved" if before else "tried"
        note = "" if before is None else f" You have already {done} it, so this is practice."
        return f"Daily puzzle for {self.day.isoformat()}.{note}"

    async def make(self, ask: Ask) -> Puzzle | None:
        """Make the puzzle."""
        made: Puzzle = await ask(puzzle_of, self.day)
        return made

    def answered(self, right: bool) -> str:
        """Count the first answer, and return the days in a row; nothing if answers do not count."""
        if not self.counts:
            return ""
        days = diary.write(lambda pages: pages.with_daily_answer(self.day, right)).days_in_a_row(self.day)
        return f"Daily streak: {days}." if days else "Daily streak: none yet. There is a new puzzle tomorrow."

    def shared(self) -> list[str]:
        """Return the result to share; nothing if answers do not count."""
        return daily_result(self.day, plan_of(self.day).variant, diary.read()) if self.counts else []


class FromGame:
    """The positions of a game in which exactly one move won; answers do not count."""

    harder: bool | None = None
    none = "No position of this game offered a choice with only one winning move."
    title = "Puzzles from your game"

    def __init__(self, game: Game, seconds: float) -> None:
        self.game, self.seconds = game, seconds
        self._found: list[Puzzle] | None = None
        self._number = 0

    @property
    def more(self) -> bool:
        """Whether there is another puzzle."""
        return self._found is not None and self._number < len(self._found)

    async def make(self, ask: Ask) -> Puzzle | None:
        """Return the next puzzle, if there is one."""
        if self._found is None:
            self._found = await ask(puzzles_from, self.game, self.seconds)
        if not self.more:
            return None
        self._number += 1
        return self._found[self._number - 1]

    def answered(self, _right: bool) -> str:
        """Return this puzzle's number, and how many puzzles there are."""
        return f"Puzzle {self._number} of {len(self._found or ())} from this game."


Source = Series | Daily | FromGame


MEMORY = 64 * MEBIBYTE  # fixed, since it may decide which positions are given up
WEEKEND = 5  # its first day, with Monday as 0


def plan_of(day: date) -> Plan:
    """Return the plan for a day's puzzle: the games take turns, and weekends are hard."""
    books = [book for name, book in RULE_BOOKS.items() if name in BUILT_IN]  # installed packages make no difference
    return plan_for(books[day.toordinal() % len(books)], is_hard(day))


def is_hard(day: date) -> bool:
    """Return whether a day's puzzle is a hard one."""
    return day.weekday() >= WEEKEND


def puzzle_of(day: date) -> Puzzle:
    """Return a day's puzzle; there is no time limit, since the puzzle must not depend on the machine's speed."""
    variant, level = plan_of(day)
    engine = Engine(variant, MEMORY)
    tries = 0
    while True:
        made = make_puzzle(engine, Random(f"puzzle of {day.isoformat()}, {tries}"), level, Clock())
        cancellation.check()
        if made is not None:
            return made
        tries += 1
