"""A checkpoint file, which preserves everything that a long search has proved, even if the process is killed."""

from pathlib import Path
from typing import Any

from gridlock.core.errors import BadRecord
from gridlock.units.lines import LineFile

VERSION = 1


class Checkpoint:
    """An open checkpoint file: its first line names the task, and each later line lists proved positions."""

    def __init__(self, path: Path, task: dict[str, Any]) -> None:
        """Open or create a file for one task; reject a damaged file or another task's file."""
        task = {"gridlock-checkpoint": VERSION, **task}
        self._lines = LineFile(path, task, ("checkpoint", "search"), _is_proved)
        self.entries: list[list[int]] = [entry for line in self._lines.contents for entry in line]

    def damaged(self, what: str) -> BadRecord:
        """Return the error for a damaged file."""
        return self._lines.damaged(what)

    def add(self, entries: list[list[int]]) -> None:
        """Save proved positions."""
        if entries:
            self._lines.add(entries)

    def close(self) -> None:
        """Close the file."""
        self._lines.close()


def _is_proved(content: Any) -> bool:
    """Return whether a line contains a list of lists of integers, as every line after the first should."""
    return isinstance(content, list) and all(
        isinstance(entry, list) and all(type(number) is int for number in entry) for entry in content
    )
