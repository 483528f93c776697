"""Sources of puzzles: a series, the daily puzzle, or a game that has just been played.

Each source has a `title` and a `difficulty`. If the player cannot choose the difficulty, it is None. The flag `more`
says whether there are more puzzles, and `none` is the message to show if there is no puzzle. The method `make` returns
a puzzle, and the method `finished` receives the result. For a series, every result is recorded. For the daily puzzle,
only the first result is recorded, and only on the puzzle's own day. For a game that has just been played, no results
are recorded. Only the daily puzzle has a result to share.
"""

from collections.abc import Awaitable, Callable
from datetime import date
from functools import cache
from itertools import cycle
from pathlib import Path
from typing import Any

from gridlock.core import rules
from gridlock.core.game import Game
from gridlock.core.match import new_seed
from gridlock.core.rulebook import RuleBook
from gridlock.engine.engine import engine_for
from gridlock.engine.review import review, who
from gridlock.play.puzzle_making import DIGITS, Plan, books_with_puzzles, has_puzzles, plan_for
from gridlock.play.puzzles import HARDEST, Kind, Puzzle, Solving, open_puzzle, puzzles_from
from gridlock.play.share import daily_result
from gridlock.userdata import diary

MAKING = 20.0  # the most seconds to spend on making a puzzle
EASY = 2  # the default difficulty of a series
TITLES = {Kind.WIN: "Puzzles", Kind.HOTTEST: "Find the hottest region", Kind.TRAP: "The hottest region is a trap"}
Ask = Callable[..., Awaitable[Any]]  # calls a function, perhaps in another process


class Series:
    """A series of puzzles for one game, or for all games in turn; the streak continues from the last session."""

    more = True
    none = "No puzzle was found in time. Press n to try again."

    def __init__(
        self,
        book: RuleBook | None = None,
        difficulty: int = EASY,
        board: str | None = None,
        adjacency: str | None = None,
        seed: int | None = None,
        kind: Kind = Kind.WIN,
    ) -> None:
        self.difficulty: int | None = difficulty
        self._where = board, adjacency
        self._book = book
        self.choose(kind)
        self._seed, self._number = new_seed() if seed is None else seed, 0

    def choose(self, kind: Kind) -> None:
        """Choose the kind of puzzle to make from now on."""
        self.kind = kind
        self._books = cycle([self._book] if self._book else books_with_puzzles(kind))

    @property
    def kinds(self) -> list[Kind]:
        """The kinds of puzzle that this series can make."""
        return [kind for kind in Kind if self._book is None or has_puzzles(self._book, kind)]

    @property
    def title(self) -> str:
        """The name of the series."""
        return f"{TITLES[self.kind]}, difficulty {self.difficulty} of {HARDEST}"

    def next(self) -> tuple[Plan, int | str]:
        """Return the next puzzle's plan and seed; the seed depends only on the series' seed and the puzzle's number."""
        self._number += 1
        plan = plan_for(next(self._books), self.difficulty or EASY, *self._where, self.kind)
        return plan, self._seed if self._number == 1 else f"{self._seed}/{self._number}"

    async def make(self, ask: Ask) -> Puzzle | None:
        """Make the next puzzle."""
        plan, seed = self.next()
        made: Puzzle | None = await ask(plan.make, seed, MAKING)
        return made

    def finished(self, solving: Solving) -> str:
        """Record the result of a puzzle, and return a sentence about the streak."""
        game, solved = solving.puzzle.game.variant.book.name, bool(solving.solved)
        return diary.write(lambda pages: pages.with_answer(solved, game)).streak_words


class Daily:
    """The daily puzzle, which is the same for everyone; only the first result on the puzzle's own day counts."""

    more = False
    difficulty: int | None = None
    none = ""

    def __init__(self, day: date, counts: bool = True) -> None:
        self.day, self.counts = day, counts

    @property
    def title(self) -> str:
        """The date, and whether the player has already tried the puzzle."""
        before = diary.read().days.get(self.day.isoformat()) if self.counts else None
        done = "solved" if before else "missed"
        note = "" if before is None else f" You've already {done} this puzzle, so this is practice."
        return f"Daily puzzle for {self.day.isoformat()}.{note}"

    async def make(self, ask: Ask) -> Puzzle | None:
        """Make the puzzle."""
        made: Puzzle = await ask(puzzle_of, self.day)
        return made

    def finished(self, solving: Solving) -> str:
        """Record the result if it is the puzzle's first, and return a sentence about the daily streak.

        If the results of this puzzle do not count towards the streak, record nothing and return an empty string.
        """
        if not self.counts:
            return ""
        game = solving.puzzle.game.variant.book.name
        pages = diary.write(lambda pages: pages.with_daily(self.day, solving.marks, game))
        days, best = pages.days_in_a_row(self.day), pages.best_days
        if not days:
            return "Daily streak: none yet. There is a new puzzle tomorrow."
        return f"Daily streak: {days}{f' (your best: {best})' if best > days else ''}."

    def shared(self) -> list[str]:
        """Return the lines for sharing the day's result, or an empty list if the result does not count."""
        if not self.counts:
            return []
        return daily_result(self.day, daily_game(self.day).variant, WEEK[self.day.weekday()], diary.read())


def no_puzzles(game: Game, seconds: float) -> str:
    """Return a sentence that says why a game has no puzzles; `seconds` limits the time for each position."""
    steps = list(review(engine_for(game.variant), game, seconds)) if game.resigned else []
    if steps and steps[-1].mistake:
        ended = f"{who(game, steps[-1])} {steps[-1].forfeit.did}"
        return f"This game has no puzzles, but {ended} in a won position, which gave the win away."
    return (
        "This game has no puzzles: the engine found no missed win, and no position where only one of three or more "
        "moves wins."
    )


class FromGame:
    """Puzzles made from a game: positions in which a player missed a win, or only one of several moves wins.

    The results of puzzles made from a game are not saved.
    """

    difficulty: int | None = None
    none = ""
    title = "Practise your mistakes"

    def __init__(self, game: Game, seconds: float) -> None:
        self.game, self.seconds = game, seconds
        self._found: list[Puzzle] | None = None
        self._number = 0

    @property
    def more(self) -> bool:
        """Whether the game has another puzzle."""
        return self._found is not None and self._number < len(self._found)

    async def make(self, ask: Ask) -> Puzzle | None:
        """Return the next puzzle, or None if the game has no more puzzles."""
        if self._found is None:
            self._found = await ask(puzzles_from, self.game, self.seconds)
            self.none = "" if self._found else await ask(no_puzzles, self.game, self.seconds)
        if not self.more:
            return None
        self._number += 1
        return self._found[self._number - 1]

    def finished(self, _solving: Solving) -> str:
        """Return a sentence with the puzzle's number and the total number of puzzles."""
        return f"Puzzle {self._number} of {len(self._found or ())} from this game."


Source = Series | Daily | FromGame


# -- the daily puzzle ------------------------------------------------------------------------------------------------

DAILIES = Path(__file__).with_name("dailies.txt")  # one line per day for several years, written by bench/dailies.py
FIRST_MONDAY = date(2019, 12, 30)  # the date of the first line's puzzle
WEEK = (1, 2, 2, 3, 3, 4, 5)  # the difficulty from Monday to Sunday


def daily_game(day: date) -> Game:
    """Return the position of the daily puzzle for a date; the days cycle through the lines of the file."""
    lines = _dailies()
    name, board, adjacency, moves = lines[(day - FIRST_MONDAY).days % len(lines)].split()
    game = Game(rules.variant(name, board, adjacency))
    for move in moves:
        game.push(DIGITS.index(move))
    return game


def puzzle_of(day: date) -> Puzzle:
    """Return the daily puzzle for a date.

    The puzzle is composed without a time limit, so that it does not depend on the machine's speed.
    """
    return open_puzzle(daily_game(day), None)


@cache
def _dailies() -> list[str]:
    return DAILIES.read_text(encoding="ascii").splitlines()
