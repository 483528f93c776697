"""What a person has done besides playing: puzzles solved, day by day, and lessons finished."""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from gridlock.core.errors import GridLockError
from gridlock.core.files import alone, write_safely
from gridlock.userdata.folder import data_folder

LARGEST = 4_000_000  # bytes


class BadDiary(GridLockError):
    """The file is not what was written."""


@dataclass(frozen=True)
class Diary:
    """Puzzles of the day by date (True where the first answer was right), other puzzles, and lessons by game."""

    days: dict[str, bool] = field(default_factory=dict)
    solved: int = 0  # puzzles solved at the first answer, other than those of a day
    asked: int = 0
    streak: int = 0  # of those, one after another
    best: int = 0  # the longest streak so far
    lessons: dict[str, list[int]] = field(default_factory=dict)  # the numbers of those finished

    def answered(self, right: bool) -> "Diary":
        """One more puzzle."""
        streak = self.streak + 1 if right else 0
        return replace(
            self, asked=self.asked + 1, solved=self.solved + right, streak=streak, best=max(self.best, streak)
        )

    @property
    def streak_words(self) -> str:
        """How many puzzles were solved one after another, in a sentence."""
        return f"Streak: {self.streak}{f' (your best: {self.best})' if self.best > self.streak else ''}."

    def answered_on(self, day: date, right: bool) -> "Diary":
        """The puzzle of a day; only the first answer counts."""
        return replace(self, days={day.isoformat(): right, **self.days})

    def days_in_a_row(self, today: date) -> int:
        """How many days up to today, or to yesterday while today's puzzle is open, were solved one after another."""
        day = today if today.isoformat() in self.days else today - timedelta(1)
        count = 0
        while self.days.get(day.isoformat()):
            count += 1
            day -= timedelta(1)
        return count

    def learned(self, game: str, number: int) -> "Diary":
        """One more lesson finished."""
        return replace(self, lessons={**self.lessons, game: sorted({*self.lessons.get(game, ()), number})})


def place() -> Path:
    """Where it is kept: beside the saved games."""
    return data_folder() / "diary.json"


def read() -> Diary:
    """The diary as it stands; an empty one where there is none."""
    try:
        data = json.loads(place().read_bytes()[:LARGEST].decode())
    except OSError:
        return Diary()
    except ValueError:
        raise BadDiary(f"{place()} is damaged: it is not JSON. Move it away to begin a new one.") from None
    if not _is_diary(data):
        raise BadDiary(f"{place()} is damaged: it is no diary. Move it away to begin a new one.")
    return Diary(**data)


def _is_diary(data: Any) -> bool:
    return (
        isinstance(data, dict)
        and set(data) == set(asdict(Diary()))
        and all(type(data[name]) is int for name in ("solved", "asked", "streak", "best"))
        and isinstance(data["days"], dict)
        and all(isinstance(right, bool) for right in data["days"].values())
        and isinstance(data["lessons"], dict)
        and all(isinstance(numbers, list) for numbers in data["lessons"].values())
    )


def write(change: Callable[[Diary], Diary]) -> Diary:
    """Change the diary; windows that do so at the same time wait for each other. What cannot be kept is still told."""
    try:
        place().parent.mkdir(parents=True, exist_ok=True)
        with alone(place().with_suffix(".lock")):
            changed = change(read())
            write_safely(place(), json.dumps(asdict(changed), sort_keys=True) + "\n")
            return changed
    except OSError:
        return change(read())
