"""The ledger of a long run: the finished units of work and their results."""

import json
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from gridlock.core.errors import BadRecord
from gridlock.units.lines import LineFile, decoded

VERSION = 1
SYNC_SECONDS = 1.0  # seconds between syncs to disk


class Ledger:
    """The results of finished units of work, keyed by unit, in a file or in memory; results never change once added."""

    def __init__(self, path: Path | None, task: dict[str, Any]) -> None:
        """Open or create a task's ledger file; reject a damaged file or another task's file.

        If `path` is None, the ledger is kept in memory.
        """
        self.done: dict[str, Any] = {}
        self._lines: LineFile | None = None
        if path is not None:
            task = json.loads(json.dumps({"gridlock-ledger": VERSION, **task}))
            self._lines = LineFile(path, task, ("ledger", "run"), _is_unit)
            for key, result in self._lines.contents:
                self.done.setdefault(key, result)

    def add(self, key: str, result: Any) -> bool:
        """Record a result, which must be JSON; if the unit is already finished, change nothing and return False.

        The result is written immediately, so killing the process loses nothing. A power cut loses at most the results
        of the last second.
        """
        if key in self.done:
            return False
        result = json.loads(json.dumps(result))  # the same value that a resumed run would read
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


def read_ledger(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a run's task and its results so far, without changing the file; the run may still be in progress."""
    try:
        data = path.read_bytes()
    except OSError:
        raise BadRecord(f"There is no file {path}.") from None
    first, *rest = map(decoded, data[: data.rfind(b"\n") + 1].split(b"\n")[:-1] or [b""])
    if not isinstance(first, dict) or first.get("gridlock-ledger") != VERSION or not all(map(_is_unit, rest)):
        raise BadRecord(f"{path} is not a ledger, or it is damaged.")
    return first, dict(rest)


def _is_unit(content: Any) -> bool:
    """Return whether a line's content is a key and a result, as in every line of a ledger except the first."""
    return isinstance(content, list) and len(content) == 2 and isinstance(content[0], str)
