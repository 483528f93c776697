"""The folders for the user's files (GRIDLOCK_HOME or the system's usual folders), and locks on saved games."""

import json
import os
import sys
import time
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import IO, NamedTuple

from gridlock.core.errors import GridLockError
from gridlock.core.files import lock_file, sweep_drafts

SUFFIX = ".lock"
PATIENCE = 0.1  # seconds to wait for another process to finish checking or removing the lock
_warned: set[str] = set()  # warnings that this process has already printed


def data_folder() -> Path:
    """Return the folder that holds saved games, the diary and the server's database."""
    if home := os.environ.get("GRIDLOCK_HOME"):
        return Path(home)
    from platformdirs import user_data_path

    return user_data_path("gridlock", appauthor=False)


def settings_folder() -> Path:
    """Return the folder that holds the settings file."""
    if home := os.environ.get("GRIDLOCK_HOME"):
        return Path(home)
    from platformdirs import user_config_path

    return user_config_path("gridlock", appauthor=False)


def cache_folder() -> Path:
    """Return the folder that holds downloads, which can be deleted at any time."""
    if home := os.environ.get("GRIDLOCK_HOME"):
        return Path(home) / "cache"
    from platformdirs import user_cache_path

    return user_cache_path("gridlock", appauthor=False)


def warn(line: str) -> None:
    """Print a warning on standard error, but only once per process."""
    if line not in _warned:
        _warned.add(line)
        print(line, file=sys.stderr, flush=True)


def name_aside(path: Path) -> Path:
    """Return an unused name for a damaged file, so that it can be renamed and none of its contents are lost."""
    names = (path.with_name(f"{path.name}.damaged{'' if number == 1 else number}") for number in count(1))
    return next(name for name in names if not name.exists())


# -- locks, which the system releases when a process ends, and clean-up after killed processes -------------------------


class Holder(NamedTuple):
    """The process that has a game open, and the time it opened the game, in seconds since 1970."""

    process: int
    since: float

    def __str__(self) -> str:
        day = time.strftime("%Y-%m-%d", time.localtime(self.since))
        today = time.strftime("%Y-%m-%d")
        clock = time.strftime("%H:%M" if day == today else "%Y-%m-%d %H:%M", time.localtime(self.since))
        return f"process {self.process}, since {clock}"


class GameIsOpen(GridLockError):
    """An error raised if another process has a game open."""

    def __init__(self, name: str, holder: Holder | None) -> None:
        super().__init__(
            f"Game {name} is open in another window{f' ({holder})' if holder else ''}. "
            "To see your other games: gridlock games"
        )


class Lock:
    """A lock on a game.

    The system releases a lock when the process that holds it ends, so the presence of a lock file does not mean
    that a game is locked.
    """

    def __init__(self, game: Path) -> None:
        """Acquire the lock for a game's file, or raise GameIsOpen."""
        self.path = game.with_suffix(SUFFIX)
        until = time.monotonic() + PATIENCE
        while True:
            file = self.path.open("a+", encoding="utf-8")
            locked = lock_file(file.fileno())
            if locked and os.fstat(file.fileno()).st_nlink:  # otherwise the last holder has just deleted the file
                break
            owner = _owner(file)
            file.close()
            if not locked:
                if time.monotonic() > until:
                    raise GameIsOpen(game.stem, owner)
                time.sleep(0.01)
        self._file = file
        with suppress(OSError):  # on a full disk the lock still works, but does not name its owner
            file.truncate(0)
            json.dump({"process": os.getpid(), "since": time.time()}, file)
            file.flush()

    def release(self) -> None:
        """Unlock the game for other processes."""
        self.path.unlink(missing_ok=True)
        self._file.close()


def holder(game: Path) -> Holder | None:
    """Return the process that has a game open, or None if no process has it open."""
    with suppress(OSError), game.with_suffix(SUFFIX).open("r+", encoding="utf-8") as file:
        if not lock_file(file.fileno()):
            return _owner(file) or Holder(0, 0.0)
    return None


def _owner(file: IO[str]) -> Holder | None:
    """Return the process that a lock file names, or None if it names no process."""
    try:
        file.seek(0)
        data = json.loads(file.read(1000))
        return Holder(int(data["process"]), float(data["since"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None  # the lock file is still being written


def sweep(folder: Path) -> None:
    """Remove the lock files and temporary files that dead processes left in a folder.

    A process removes a lock file only while it holds the lock, and a new holder checks that the lock file still exists.
    A lock in use is therefore never removed, even if several processes call sweep() and open games at the same time.
    """
    with suppress(OSError):
        for path in folder.glob(f"*{SUFFIX}"):
            with suppress(OSError), path.open("r+") as file:
                if lock_file(file.fileno(), without=False) and os.fstat(file.fileno()).st_nlink:
                    path.unlink()
        sweep_drafts(folder)
