"""Atomic file replacement, file locks, and reading a file that may be a pipe or a device."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO


def write_safely(path: Path, content: str | bytes) -> None:
    """Replace a file atomically: if the process is killed, the file has either the old or the new content."""
    file, temporary = _draft(path)
    try:
        with file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
            if os.name == "nt":  # Windows cannot rename an open file
                file.close()
            temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    if hasattr(os, "O_DIRECTORY"):  # the folder entry must reach the disk, too
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


class NotAFile(OSError):
    """A path that leads to a pipe, a device or a socket; reading such a file might block or never end."""


def read_regular(path: Path, most: int) -> bytes:
    """Return at most `most` bytes of a regular file; for anything else, raise NotAFile without waiting."""
    without_waiting = getattr(os, "O_NONBLOCK", 0)
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | without_waiting)) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise NotAFile(None, "not a regular file", str(path))
        return file.read(most)


def check_place(path: Path) -> None:
    """Check that write_safely can write to a path, and raise OSError if it cannot; leave no file behind."""
    file, temporary = _draft(path)
    file.close()
    temporary.unlink()


def sweep_drafts(folder: Path, name: str = "") -> None:
    """Remove temporary files from a folder if the processes that created them were killed.

    If `name` is given, remove only the temporary files that were created for the file of that name.
    """
    for path in folder.iterdir():
        if not (path.name.startswith(f".{name[:40]}") and path.name.endswith(".part")):
            continue
        with suppress(OSError), path.open("r+b") as file:  # open for writing as well, so that a pipe does not block
            if lock_file(file.fileno(), without=False) and os.fstat(file.fileno()).st_nlink:
                path.unlink()


def lock_file(handle: int, *, without: bool = True, wait: bool = False) -> bool:
    """Lock an open file until it is closed; return whether locking worked, or `without` if the system has no locks."""
    try:
        import fcntl
    except ImportError:
        return without
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    return True


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Wait until no other process holds a lock file, hold it during the `with` block, and then remove it."""
    while True:
        file = path.open("a+")  # opening a pipe only for writing would wait for a reader
        lock_file(file.fileno(), wait=True)
        if os.fstat(file.fileno()).st_nlink:  # otherwise, the previous holder has just removed the file
            break
        file.close()
    try:
        yield
    finally:
        with suppress(OSError):  # some systems cannot remove an open file; a leftover does no harm
            path.unlink(missing_ok=True)
        file.close()


def _draft(path: Path) -> tuple[IO[bytes], Path]:
    """Create a temporary file beside `path`, and lock it to show other processes that it is in use."""
    while True:
        temporary = path.with_name(f".{path.name[:40]}.{os.urandom(4).hex()}.part")
        file = temporary.open("xb")
        with suppress(OSError):  # some file systems have no locks
            lock_file(file.fileno(), wait=True)
        if os.fstat(file.fileno()).st_nlink:  # otherwise sweep_drafts removed the file before it was locked
            return file, temporary
        file.close()
