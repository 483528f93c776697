"""An append-only file of lines with checksums; it stays usable no matter when the process is killed.

Each line contains a CRC-32 checksum and JSON; the first line names the task that the file belongs to. A killed process
may leave an incomplete last line, which is dropped. A file that is damaged in any other way, or that belongs to another
task, is rejected and left unchanged.
"""

import json
import os
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

from gridlock.core.errors import BadRecord
from gridlock.core.files import lock_file


class OtherTask(BadRecord):
    """An error raised if a file belongs to another task; `task` is the first line's content."""

    def __init__(self, message: str, task: Any) -> None:
        """Create an error."""
        super().__init__(message)
        self.task = task


class LineFile:
    """An open file of lines with checksums, locked against other processes."""

    def __init__(self, path: Path, task: dict[str, Any], kind: tuple[str, str], valid: Callable[[Any], bool]) -> None:
        """Open or create a task's file.

        `kind` says what messages call the file and the task, for example ("checkpoint", "search").
        """
        self.path = path
        self._task = task
        self._kind = kind
        self._valid = valid  # checks the content of a line after the first
        self._synced = 0.0
        self._waiting = False  # whether some lines have not been synced to disk yet
        if path.exists() and not path.is_file():
            raise BadRecord(f"{path} is not a file.")
        self._file: IO[bytes] = path.open("a+b")
        try:
            if not lock_file(self._file.fileno()):
                raise BadRecord(
                    f"{path} is in use by another run. Wait until the run using this file ends, or choose another file."
                )
            self._file.seek(0)
            data = self._file.read()
            whole = data.rfind(b"\n") + 1
            if not whole and not encoded(task).startswith(data):  # the data is not even the start of our first line
                raise BadRecord(f"{path} is not a {kind[0]} of this {kind[1]}. Choose another file.")
            self.contents = list(self._read(data[:whole]))  # the contents of all lines after the first
            self._file.truncate(whole)
            if not whole:
                self.add(task)
        except BaseException:
            self._file.close()
            raise

    def _read(self, data: bytes) -> Iterator[Any]:
        name, work = self._kind
        for number, line in enumerate(data.split(b"\n")[:-1], 1):
            content = decoded(line)
            if content is None or (number > 1 and not self._valid(content)):
                raise self.damaged(f"line {number} is damaged" if number > 1 else f"it is not a complete {name}")
            if number > 1:
                yield content
            elif content != self._task:
                raise OtherTask(f"{self.path} is a {name} of another {work}. Choose another file.", content)

    def damaged(self, what: str) -> BadRecord:
        """Return the error for a damaged file."""
        return BadRecord(f"{self.path} cannot be used: {what}. Choose another file, or delete this one to start again.")

    def add(self, content: Any, every: float = 0.0) -> None:
        """Append a line, and sync the file to disk unless the last sync was less than `every` seconds ago."""
        self._file.write(encoded(content))
        self._file.flush()
        self._waiting = time.monotonic() - self._synced < every
        if not self._waiting:
            os.fsync(self._file.fileno())
            self._synced = time.monotonic()

    def close(self) -> None:
        """Sync the whole file to disk, then close it."""
        try:
            if self._waiting:
                self._waiting = False
                os.fsync(self._file.fileno())
        finally:
            self._file.close()


def encoded(content: Any) -> bytes:
    """Return some content as a line: its checksum and its JSON."""
    text = json.dumps(content).encode()
    return b"%08x %s\n" % (zlib.crc32(text), text)


def decoded(line: bytes) -> Any:
    """Return the content of a line, or None if the line is damaged."""
    check, _, text = line.partition(b" ")
    try:
        return json.loads(text) if check == b"%08x" % zlib.crc32(text) else None
    except (ValueError, RecursionError):  # not JSON at all
        return None
