"""The ledger of a long run: which units of its work are finished, and with what result."""

import json
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from gridlock.units.lines import LineFile

VERSION = 1
SYNC_SECONDS = 1.0  # between two confirmations by the disk


class Ledger:
    """The finished units by key, in a file or in memory; a unit is added once and never changes."""

    def __init__(self, path: Path | None, task: dict[str, Any]) -> None:
        """Open or create the file for a task (None: in memory); a damaged file or one for another task is rejected."""
        self.done: dict[str, Any] = {}
        self._lines: LineFile | None = None
        if path is not None:
            task = json.loads(json.dumps({"gridlock-ledger": VERSION, **task}))
            self._lines = LineFile(path, task, ("ledger", "run"), _is_unit)
            for key, result in self._lines.contents:
                self.done.setdefault(key, result)

    def add(self, key: str, result: Any) -> bool:
        """Record a result, which must be JSON; return False, and change nothing, if the unit is already finished.

        The result is written at once, so a killed process loses nothing; a power cut loses a second at most.
        """
        if key in self.done:
            return False
        result = json.loads(json.dumps(result))  # exactly what a resumed run reads
        if self._lines:
            self._lines.add([key, result], SYNC_SECONDS)
        self.done[key] = result
        return True

    def close(self) -> None:
        """Close the file."""
        if self._lines:
            self._lines.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _tb: TracebackType | None
    ) -> None:
        self.close()


def _is_unit(content: Any) -> bool:
    """Return whether this can be the content of a line after the first: a key and a result."""
    return isinstance(content, list) and len(content) == 2 and isinstance(content[0], str)
