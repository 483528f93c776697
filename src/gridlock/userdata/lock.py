"""Who has a saved game open: a lock that ends with its process, and the files that a killed one leaves behind."""

import json
import os
import time
from contextlib import suppress
from pathlib import Path
from typing import IO, NamedTuple

from gridlock.core.errors import GridLockError
from gridlock.core.files import lock_file, sweep_drafts

SUFFIX = ".lock"
PATIENCE = 0.1  # seconds for a look at a lock, or a sweep, of somebody else's to end


class Holder(NamedTuple):
    """The process that has a game open, and since when (seconds since 1970)."""

    process: int
    since: float

    def __str__(self) -> str:
        day = time.strftime("%Y-%m-%d", time.localtime(self.since))
        today = time.strftime("%Y-%m-%d")
        clock = time.strftime("%H:%M" if day == today else "%Y-%m-%d %H:%M", time.localtime(self.since))
        return f"process {self.process}, since {clock}"


class GameIsOpen(GridLockError):
    """Another process plays this game now."""

    def __init__(self, name: str, holder: Holder | None) -> None:
        super().__init__(
            f"Game {name} is open in another window{f' ({holder})' if holder else ''}. For others, see: gridlock games"
        )


class Lock:
    """Holds a game for this process. The system lets go of it when the process ends, so a file alone means nothing."""

    def __init__(self, game: Path) -> None:
        """Take the lock beside a game's file, or fail with GameIsOpen."""
        self.path = game.with_suffix(SUFFIX)
        until = time.monotonic() + PATIENCE
        while True:
            file = self.path.open("a+", encoding="utf-8")
            locked = lock_file(file.fileno())
            if locked and os.fstat(file.fileno()).st_nlink:  # otherwise its last holder has just thrown it away
                break
            written = _written_in(file)
            file.close()
            if not locked:
                if time.monotonic() > until:
                    raise GameIsOpen(game.stem, written)
                time.sleep(0.01)
        self._file = file
        with suppress(OSError):  # on a full disk it is held all the same, only by nobody in particular
            file.truncate(0)
            json.dump({"process": os.getpid(), "since": time.time()}, file)
            file.flush()

    def release(self) -> None:
        """Let others have the game."""
        self.path.unlink(missing_ok=True)
        self._file.close()


def holder(game: Path) -> Holder | None:
    """Who has a game open, if anybody has."""
    with suppress(OSError), game.with_suffix(SUFFIX).open("r+", encoding="utf-8") as file:
        if not lock_file(file.fileno()):
            return _written_in(file) or Holder(0, 0.0)
    return None


def _written_in(file: IO[str]) -> Holder | None:
    """What a holder has written about itself."""
    try:
        file.seek(0)
        data = json.loads(file.read(1000))
        return Holder(int(data["process"]), float(data["since"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None  # it is just being written


def sweep(folder: Path) -> None:
    """Remove the locks and drafts in a folder whose processes are gone.

    A lock is removed only by whoever holds it, and a new holder looks whether its file is still there: so nobody's
    lock is ever removed, however many processes sweep and open at the same time.
    """
    with suppress(OSError):
        for path in folder.glob(f"*{SUFFIX}"):
            with suppress(OSError), path.open("r+") as file:
                if lock_file(file.fileno(), without=False) and os.fstat(file.fileno()).st_nlink:
                    path.unlink()
        sweep_drafts(folder)
