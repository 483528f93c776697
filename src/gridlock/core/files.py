"""Files that are either the old one or the new one, whatever happens in between."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO


def write_safely(path: Path, text: str) -> None:
    """Replace a file at once: a kill at any instant leaves the old text or the new one, never a torn one."""
    file, temporary = _draft(path)
    try:
        with file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
            if os.name == "nt":  # an open file cannot get another name there
                file.close()
            temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    if hasattr(os, "O_DIRECTORY"):  # the new name itself has to reach the disk, too
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def check_place(path: Path) -> None:
    """Fail as write_safely would if nothing can be written there, and leave no trace."""
    file, temporary = _draft(path)
    file.close()
    temporary.unlink()


def sweep_drafts(folder: Path, name: str = "") -> None:
    """Remove the drafts in a folder (of one file, or of all) that killed processes have left behind."""
    for path in folder.iterdir():
        if not (path.name.startswith(f".{name[:40]}") and path.name.endswith(".part")):
            continue
        with suppress(OSError), path.open("rb") as file:
            if lock_file(file.fileno(), without=False) and os.fstat(file.fileno()).st_nlink:
                path.unlink()


def lock_file(handle: int, *, without: bool = True, wait: bool = False) -> bool:
    """Lock an open file until it is closed; say whether that worked, or `without` where there are no locks."""
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
    """Wait until nobody else is in here with the same lock file, which is gone again afterwards."""
    while True:
        file = path.open("a")
        lock_file(file.fileno(), wait=True)
        if os.fstat(file.fileno()).st_nlink:  # otherwise whoever was here before has just thrown it away
            break
        file.close()
    try:
        yield
    finally:
        with suppress(OSError):  # where an open file cannot be removed, an old one does no harm
            path.unlink(missing_ok=True)
        file.close()


def _draft(path: Path) -> tuple[IO[str], Path]:
    """A new file beside another, locked so that nobody takes it for one that was left behind."""
    while True:
        temporary = path.with_name(f".{path.name[:40]}.{os.urandom(4).hex()}.part")
        file = temporary.open("x", encoding="utf-8", newline="\n")
        with suppress(OSError):  # some file systems have no locks
            lock_file(file.fileno(), wait=True)
        if os.fstat(file.fileno()).st_nlink:  # otherwise it was swept away before it was locked
            return file, temporary
        file.close()
