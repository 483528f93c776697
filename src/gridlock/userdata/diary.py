"""A person's diary: puzzles solved, daily puzzles by date, and lessons finished."""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from gridlock.core.files import alone, read_regular, write_safely
from gridlock.userdata.folder import data_folder, name_aside, warn

LARGEST = 4_000_000  # bytes


@dataclass(frozen=True)
class Diary:
    """Daily puzzles by date (True if the first answer was right), other puzzles, and lessons by game."""

    days: dict[str, bool] = field(default_factory=dict)
    solved: int = 0  # other puzzles solved with the first answer
    asked: int = 0
    streak: int = 0  # other puzzles solved in a row
    best: int = 0  # the longest streak so far
    lessons: dict[str, list[int]] = field(default_factory=dict)  # the numbers of finished lessons

    def with_answer(self, right: bool) -> "Diary":
        """Return the diary with one more puzzle."""
        streak = self.streak + 1 if right else 0
        return replace(
            self, asked=self.asked + 1, solved=self.solved + right, streak=streak, best=max(self.best, streak)
        )

    @property
    def streak_words(self) -> str:
        """The number of puzzles solved in a row, in a sentence."""
        return f"Streak: {self.streak}{f' (your best: {self.best})' if self.best > self.streak else ''}."

    def with_daily_answer(self, day: date, right: bool) -> "Diary":
        """Return the diary with the answer to a daily puzzle, of which only the first counts."""
        return replace(self, days={day.isoformat(): right, **self.days})

    def days_in_a_row(self, today: date) -> int:
        """Return the daily puzzles solved in a row up to today, or to yesterday if today's has no answer yet."""
        day = today if today.isoformat() in self.days else today - timedelta(1)
        count = 0
        while self.days.get(day.isoformat()):
            count += 1
            day -= timedelta(1)
        return count

    def with_lesson(self, game: str, number: int) -> "Diary":
        """Return the diary with one more finished lesson."""
        return replace(self, lessons={**self.lessons, game: sorted({*self.lessons.get(game, ()), number})})


def place() -> Path:
    """Return the path of the diary, beside the saved games."""
    return data_folder() / "diary.json"


def read() -> Diary:
    """Return the diary: an empty one if there is no file or, with a warning, if the file is damaged."""
    diary, damage = _read()
    if damage:
        warn(f"{place()} {damage}. It is ignored, and will be renamed to {name_aside(place()).name}.")
    return diary


def _read() -> tuple[Diary, str]:
    """Return the diary, and what is wrong with the file if it cannot be used."""
    try:
        data = json.loads(read_regular(place(), LARGEST).decode())
    except FileNotFoundError:
        return Diary(), ""
    except OSError as error:
        return Diary(), f"cannot be read ({error.strerror or error})"
    except (ValueError, RecursionError):
        return Diary(), "is damaged: it is not JSON"
    return (Diary(**data), "") if _is_diary(data) else (Diary(), "is damaged: it is not a diary")


def _is_diary(data: Any) -> bool:
    empty = asdict(Diary())
    return (
        isinstance(data, dict)
        and {name: type(value) for name, value in data.items()} == {name: type(value) for name, value in empty.items()}
        and all(isinstance(right, bool) for right in data["days"].values())
        and all(isinstance(numbers, list) for numbers in data["lessons"].values())
    )


def write(change: Callable[[Diary], Diary]) -> Diary:
    """Change the diary under a lock and return it, even if it cannot be written; rename a damaged file first."""
    try:
        place().parent.mkdir(parents=True, exist_ok=True)
        with alone(place().with_suffix(".lock")):
            diary, damage = _read()
            changed = change(diary)
            if damage:
                place().replace(name_aside(place()))
            write_safely(place(), json.dumps(asdict(changed), sort_keys=True) + "\n")
            return changed
    except OSError:
        return change(read())
