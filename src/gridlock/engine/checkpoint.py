"""What a long search has proved so far, kept in a file that survives a kill.

The first line says what is being solved; every other line holds proved positions. Each line carries a checksum. A line
cut short at the end of the file is what a kill leaves behind and is dropped; any other damage is refused.
"""

import json
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from gridlock.errors import BadRecord

VERSION = 1


class Checkpoint:
    """An open checkpoint file."""

    def __init__(self, path: Path, task: dict[str, Any]) -> None:
        """Open or begin a file for one task; a file of another task, or a damaged one, is refused."""
        self.path = path
        self.task = {"gridlock-checkpoint": VERSION, **task}
        self.entries: list[Any] = []
        whole = 0
        if path.exists():
            data = path.read_bytes()
            whole = data.rfind(b"\n") + 1
            self.entries = list(self._read(data[:whole]))
        self._file: IO[bytes] = path.open("r+b" if path.exists() else "w+b")
        self._file.truncate(whole)
        self._file.seek(whole)
        if not whole:
            self._write(self.task)

    def _read(self, data: bytes) -> Iterator[Any]:
        for number, line in enumerate(data.splitlines(), 1):
            check, _, text = line.partition(b" ")
            if check != _check(text):
                raise BadRecord(
                    f"{self.path}: line {number} of the checkpoint is damaged. Delete the file to start anew."
                )
            entry = json.loads(text)
            if number > 1:
                yield from entry
            elif entry != self.task:
                raise BadRecord(f"{self.path} is a checkpoint of something else. Choose another file.")

    def add(self, entries: list[Any]) -> None:
        """Keep what has been proved."""
        if entries:
            self._write(entries)

    def _write(self, entry: Any) -> None:
        text = json.dumps(entry).encode()
        self._file.write(_check(text) + b" " + text + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Let the file go."""
        self._file.close()


def _check(text: bytes) -> bytes:
    return b"%08x" % zlib.crc32(text)
