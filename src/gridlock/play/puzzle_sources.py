"""Where puzzles come from: made on the spot, the one of the day, or a game that was just played."""

from datetime import date
from itertools import cycle
from typing import Protocol

from gridlock.core import rules
from gridlock.core.game import Game
from gridlock.core.match import new_seed
from gridlock.core.rulebook import RuleBook
from gridlock.play.thinking import questions
from gridlock.play.thinking.process import Thinker
from gridlock.userdata import diary

MAKING = 20.0  # seconds for a puzzle


class Source(Protocol):
    """Makes puzzles, and counts the answers."""

    harder: bool | None  # whether they are hard ones; None where nobody can choose
    none: str  # what is said where there is none

    @property
    def more(self) -> bool:
        """Whether there is another one."""

    @property
    def title(self) -> str:
        """What they are."""

    async def make(self, thinker: Thinker) -> questions.Puzzle | None:
        """The next one."""

    def answered(self, right: bool) -> str:
        """Count an answer, and say how it stands."""


class Streak:
    """Puzzles of all games in turn, or of one; the streak goes on where it stood the last time."""

    more = True
    none = "No puzzle was found in time. n tries again."

    def __init__(self, book: RuleBook | None = None) -> None:
        books = [book] if book else [one for one in rules.RULE_BOOKS.values() if one.shape]
        self.harder: bool | None = False
        self._books = cycle(books)
        self._seed, self._number = new_seed(), 0

    @property
    def title(self) -> str:
        """What they are."""
        return f"Puzzles, {'hard' if self.harder else 'usual'}"

    async def make(self, thinker: Thinker) -> questions.Puzzle | None:
        """The next one."""
        self._number += 1
        seed = f"{self._seed}/{self._number}"
        return await thinker.ask(questions.puzzle, next(self._books), bool(self.harder), seed, MAKING)

    def answered(self, right: bool) -> str:
        """Count an answer."""
        kept = diary.write(lambda pages: pages.answered(right))
        return f"Streak: {kept.streak}{f' (your best: {kept.best})' if kept.best > kept.streak else ''}."


class OfTheDay:
    """The puzzle of a day, the same for everybody; the first answer counts."""

    more = False
    harder: bool | None = None
    none = ""

    def __init__(self, day: date) -> None:
        self.day = day

    @property
    def title(self) -> str:
        """What it is, and whether it has been tried."""
        before = diary.read().days.get(self.day.isoformat())
        tried = "" if before is None else f" (you have {'solved it' if before else 'tried it'}; this is for practice)"
        return f"The puzzle of {self.day.isoformat()}{tried}"

    async def make(self, thinker: Thinker) -> questions.Puzzle | None:
        """The one there is."""
        return await thinker.ask(questions.puzzle_of_day, self.day)

    def answered(self, right: bool) -> str:
        """Count the first answer."""
        kept = diary.write(lambda pages: pages.answered_on(self.day, right))
        days = kept.days_in_a_row(self.day)
        return f"Days in a row: {days}." if days else "Days in a row: none yet. There is a new one tomorrow."


class Own:
    """The positions of a game in which exactly one move won; they count for nothing."""

    harder: bool | None = None

    def __init__(self, game: Game, seconds: float) -> None:
        self.game, self.seconds = game, seconds
        self._found: list[questions.Puzzle] | None = None
        self._number = 0
        self.none = "In this game there was no position with a choice and only one winning move."

    @property
    def title(self) -> str:
        """What they are."""
        return "Puzzles from your game"

    @property
    def more(self) -> bool:
        """Whether there is another one."""
        return self._found is not None and self._number < len(self._found)

    async def make(self, thinker: Thinker) -> questions.Puzzle | None:
        """The next one."""
        if self._found is None:
            self._found = await thinker.ask(questions.puzzles_from, self.game, self.seconds)
        if not self.more:
            return None
        self._number += 1
        return self._found[self._number - 1]

    def answered(self, _right: bool) -> str:
        """Say how many there are."""
        return f"{self._number} of {len(self._found or ())} from this game."
