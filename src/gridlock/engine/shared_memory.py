"""Memory shared by the processes on one machine, so that each process can use what the others have proved.

The shared memory has no file name. Other processes open the memory through /proc while its creator is alive. Sharing
works only on Linux, between processes on the same machine; otherwise, every process has its own table.
"""

import mmap
import os
import secrets
from contextlib import suppress
from typing import NamedTuple


class Place(NamedTuple):
    """The location of shared memory that another process can open."""

    path: str
    name: str  # random, so that no other file with this path is mistaken for the memory
    size: int

    def open(self) -> mmap.mmap | None:
        """Open the shared memory; return None if it is not on this machine."""
        with suppress(OSError):
            if os.readlink(self.path) == f"/memfd:{self.name} (deleted)":
                file = os.open(self.path, os.O_RDWR)
                try:
                    return mmap.mmap(file, self.size)
                finally:
                    os.close(file)
        return None


class SharedMemory:
    """Memory shared with other processes until it is closed; `place` is None if sharing is not possible."""

    def __init__(self, size: int) -> None:
        """Allocate `size` bytes, which take up no memory until they are written to."""
        self.place: Place | None = None
        self._file: int | None = None
        if size and hasattr(os, "memfd_create"):
            name = f"gridlock-{secrets.token_hex(8)}"
            self._file = os.memfd_create(name)
            os.ftruncate(self._file, size)
            self.place = Place(f"/proc/{os.getpid()}/fd/{self._file}", name, size)

    def close(self) -> None:
        """Close the memory to new processes; it is freed when the last process stops using it."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
