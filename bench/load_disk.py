"""Measure the disk's speed separately, because the server is not to blame if other programs slow the disk down."""

import os
import threading
import time
from pathlib import Path
from types import TracebackType

EVERY = 0.05  # seconds between two writes


class Disk:
    """Keep writing and syncing a small file beside the database while this context is open."""

    def __init__(self, home: Path) -> None:
        self.took: list[float] = []  # seconds that each write took
        self._file = home / "disk"
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._sync)

    def __enter__(self) -> "Disk":
        self._thread.start()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._over.set()
        self._thread.join()

    def _sync(self) -> None:
        file = os.open(self._file, os.O_CREAT | os.O_WRONLY)
        while not self._over.wait(EVERY):
            os.pwrite(file, bytes(4096), 0)
            begin = time.perf_counter()
            os.fdatasync(file)
            self.took.append(time.perf_counter() - begin)
        os.close(file)
