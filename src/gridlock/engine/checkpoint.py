"""A checkpoint file with what a long search has proved so far, which survives a kill.

The first line names the task; every other line holds proved positions. Each line has a checksum. A kill may leave an
incomplete line at the end of the file, which is dropped; a file with any other damage is rejected.
"""

import json
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from gridlock.core.errors import BadRecord

VERSION = 1


class Checkpoint:
    """An open checkpoint file."""

    def __init__(self, path: Path, task: dict[str, Any]) -> None:
        """Open or create a file for one task; a damaged file or one for another task is rejected."""
        self.path = path
        self.task = {"gridlock-checkpoint": VERSION, **task}
        if path.exists() and not path.is_file():
            raise BadRecord(f"{path} is not a file.")
        data = path.read_bytes() if path.exists() else b""
        whole = data.rfind(b"\n") + 1
        if not whole and not _line(self.task).startswith(data):  # not even the start of our first line
            raise BadRecord(f"{path} is not a checkpoint of this search. Choose another file.")
        self.entries: list[list[int]] = list(self._read(data[:whole]))
        self._file: IO[bytes] = path.open("ab")
        self._file.truncate(whole)
        if not whole:
            self._write(self.task)

    def _read(self, data: bytes) -> Iterator[list[int]]:
        for number, line in enumerate(data.split(b"\n")[:-1], 1):
            check, _, text = line.partition(b" ")
            try:
                content = json.loads(text) if check == b"%08x" % zlib.crc32(text) else None
            except (ValueError, RecursionError):  # not JSON at all
                content = None
            if content is None or (number > 1 and not _entries(content)):
                raise self.damaged(f"line {number} is damaged" if number > 1 else "it is not a complete checkpoint")
            if number > 1:
                yield from content
            elif content != self.task:
                raise BadRecord(f"{self.path} is a checkpoint of another search. Choose another file.")

    def damaged(self, what: str) -> BadRecord:
        """Return the error for a damaged file."""
        return BadRecord(f"{self.path} cannot be used: {what}. Choose another file, or delete it to start again.")

    def add(self, entries: list[list[int]]) -> None:
        """Save proved positions."""
        if entries:
            self._write(entries)

    def _write(self, entry: Any) -> None:
        self._file.write(_line(entry))
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _entries(content: Any) -> bool:
    """Return whether this can be the content of a line after the first: lists of integers."""
    return isinstance(content, list) and all(
        isinstance(entry, list) and all(type(number) is int for number in entry) for entry in content
    )


def _line(entry: Any) -> bytes:
    text = json.dumps(entry).encode()
    return b"%08x %s\n" % (zlib.crc32(text), text)
