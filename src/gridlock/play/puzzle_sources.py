"""Where puzzles come from, and how answers count: a series, the daily puzzle, or a game that was just played.

Each source has a `title`, says whether there are `more` puzzles, whether they are `harder` ones (None if the player
cannot choose) and what to say if there is `none`; it makes the next puzzle, and counts an answer.
"""

from collections.abc import Awaitable, Callable
from datetime import date
from itertools import cycle
from typing import Any

from gridlock.core.game import Game
from gridlock.core.match import new_seed
from gridlock.core.rulebook import RuleBook
from gridlock.play.daily import puzzle_of
from gridlock.play.puzzles import Plan, Puzzle, plan_for, puzzles_from, puzzling
from gridlock.userdata import diary

MAKING = 20.0  # seconds for a puzzle
Ask = Callable[..., Awaitable[Any]]  # calls a function, perhaps in another process


class Series:
    """Puzzles of all games in turn, or of one; the streak continues from the last session."""

    more = True
    none = "No puzzle was found in time. n tries again."

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
        self._books = cycle([book] if book else puzzling())
        self._seed, self._number = new_seed() if seed is None else seed, 0

    @property
    def title(self) -> str:
        """What they are."""
        return f"Puzzles, {'hard' if self.harder else 'usual'}"

    def next(self) -> tuple[Plan, int | str]:
        """What the next puzzle is made of, and its seed: by its number, so that no puzzle depends on those before."""
        self._number += 1
        plan = plan_for(next(self._books), bool(self.harder), *self._where)
        return plan, self._seed if self._number == 1 else f"{self._seed}/{self._number}"

    async def make(self, ask: Ask) -> Puzzle | None:
        """The next one."""
        plan, seed = self.next()
        made: Puzzle | None = await ask(plan.make, seed, MAKING)
        return made

    def answered(self, right: bool) -> str:
        """Count an answer."""
        return diary.write(lambda pages: pages.answered(right)).streak_words


class Daily:
    """The puzzle of a day, the same for everybody; the first answer counts, on the day itself."""

    more = False
    harder: bool | None = None
    none = ""

    def __init__(self, day: date, counts: bool = True) -> None:
        self.day, self.counts = day, counts

    @property
    def title(self) -> str:
        """What it is, and whether it has been tried."""
        before = diary.read().days.get(self.day.isoformat()) if self.counts else None
        tried = "" if before is None else f" You have {'solved' if before else 'tried'} it already: this is practice."
        return f"The puzzle of {self.day.isoformat()}.{tried}"

    async def make(self, ask: Ask) -> Puzzle | None:
        """The one there is."""
        made: Puzzle = await ask(puzzle_of, self.day)
        return made

    def answered(self, right: bool) -> str:
        """Count the first answer, if any counts."""
        if not self.counts:
            return ""
        days = diary.write(lambda pages: pages.answered_on(self.day, right)).days_in_a_row(self.day)
        return f"Days in a row: {days}." if days else "Days in a row: none yet. There is a new one tomorrow."


class FromGame:
    """The positions of a game in which exactly one move won; they count for nothing."""

    harder: bool | None = None
    none = "In this game there was no position with a choice and only one winning move."
    title = "Puzzles from your game"

    def __init__(self, game: Game, seconds: float) -> None:
        self.game, self.seconds = game, seconds
        self._found: list[Puzzle] | None = None
        self._number = 0

    @property
    def more(self) -> bool:
        """Whether there is another one."""
        return self._found is not None and self._number < len(self._found)

    async def make(self, ask: Ask) -> Puzzle | None:
        """The next one."""
        if self._found is None:
            self._found = await ask(puzzles_from, self.game, self.seconds)
        if not self.more:
            return None
        self._number += 1
        return self._found[self._number - 1]

    def answered(self, _right: bool) -> str:
        """Say how many there are."""
        return f"{self._number} of {len(self._found or ())} from this game."


Source = Series | Daily | FromGame
