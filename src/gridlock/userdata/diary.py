"""A person's diary: the puzzles they solved, their daily puzzles by date, and the lessons they finished."""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from gridlock.core.files import alone, read_regular, write_safely
from gridlock.userdata.folder import data_folder, name_aside, warn

LARGEST = 4_000_000  # bytes to read at most


@dataclass(frozen=True)
class Diary:
    """A person's results in daily puzzles by date, their results in other puzzles, and their lessons by game."""

    days: dict[str, bool] = field(default_factory=dict)  # whether each daily puzzle was solved at the first attempt
    solved: int = 0  # other puzzles solved at the first attempt
    asked: int = 0
    streak: int = 0  # other puzzles solved in a row, up to the latest
    best: int = 0  # the longest streak so far
    lessons: dict[str, list[int]] = field(default_factory=dict)  # the numbers of finished lessons
    marks: dict[str, str] = field(default_factory=dict)  # a mark per step of each daily puzzle; older diaries have none
    games: dict[str, list[int]] = field(default_factory=dict)  # puzzles solved and tried, by game

    def with_answer(self, solved: bool, game: str) -> "Diary":
        """Return the diary with one more puzzle result added."""
        streak = self.streak + 1 if solved else 0
        return replace(
            self,
            asked=self.asked + 1,
            solved=self.solved + solved,
            streak=streak,
            best=max(self.best, streak),
            games=self._with_game(game, solved),
        )

    def _with_game(self, game: str, solved: bool) -> dict[str, list[int]]:
        won, tried = self.games.get(game, (0, 0))
        return {**self.games, game: [won + solved, tried + 1]}

    @property
    def streak_words(self) -> str:
        """A sentence that says how many puzzles the person has solved in a row."""
        return f"Streak: {self.streak}{f' (your best: {self.best})' if self.best > self.streak else ''}."

    def with_daily(self, day: date, marks: str, game: str) -> "Diary":
        """Return the diary with a daily puzzle's result added; only the first result for each day counts."""
        written, solved = day.isoformat(), "x" not in marks
        if written in self.days:
            return self
        days, steps = {**self.days, written: solved}, {**self.marks, written: marks}
        return replace(self, days=days, marks=steps, games=self._with_game(game, solved))

    def days_in_a_row(self, today: date) -> int:
        """Return the daily streak up to today, or up to yesterday if today's puzzle has no result yet."""
        day = today if today.isoformat() in self.days else today - timedelta(1)
        count = 0
        while self.days.get(day.isoformat()):
            count += 1
            day -= timedelta(1)
        return count

    @property
    def best_days(self) -> int:
        """The longest streak of daily puzzles so far."""
        best = count = 0
        before: date | None = None
        for day in sorted(date.fromisoformat(written) for written, solved in self.days.items() if solved):
            count = count + 1 if before == day - timedelta(1) else 1
            best, before = max(best, count), day
        return best

    def with_lesson(self, game: str, number: int) -> "Diary":
        """Return the diary with one more finished lesson."""
        return replace(self, lessons={**self.lessons, game: sorted({*self.lessons.get(game, ()), number})})


def place() -> Path:
    """Return the path of the diary, which is beside the saved games."""
    return data_folder() / "diary.json"


def read() -> Diary:
    """Return the diary, or an empty diary if the file is missing or damaged; warn about a damaged file."""
    diary, damage = _read()
    if damage:
        warn(f"{place()} {damage}. It is ignored, and will be renamed to {name_aside(place()).name}.")
    return diary


def _read() -> tuple[Diary, str]:
    """Return the diary, and a description of the problem if the diary's file cannot be used."""
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
    """Return whether the data describes a diary; `marks` and `games` are optional, because older diaries lack them."""
    empty = asdict(Diary())
    return (
        isinstance(data, dict)
        and data.keys() | {"marks", "games"} == empty.keys()
        and all(type(value) is type(empty[name]) for name, value in data.items())
        and all(_is_date(day) and isinstance(solved, bool) for day, solved in data["days"].items())
        and all(isinstance(numbers, list) for numbers in data["lessons"].values())
        and all(isinstance(marks, str) for marks in data.get("marks", {}).values())
        and all(_are_two(numbers) for numbers in data.get("games", {}).values())
    )


def _is_date(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _are_two(numbers: Any) -> bool:
    return isinstance(numbers, list) and [type(number) for number in numbers] == [int, int]


def write(change: Callable[[Diary], Diary]) -> Diary:
    """Change the diary under a lock, setting aside a damaged file; return the changed diary even if saving fails."""
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
