"""A simulation of what a power loss leaves of a folder, given the order in which its files were written and synced."""

import os
import random
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

HERE = Path(__file__).parent
SECTOR = 512  # bytes that a disk writes atomically
ACKNOWLEDGED = "acknowledged"  # the file in which a program records what was confirmed as saved
_ENTRY = struct.Struct("=cHqI")


def layer(folder: Path) -> Path:
    """Compile the library that intercepts a program's file operations, and return the library's path."""
    compiler = shutil.which("cc")
    if not compiler or not sys.platform.startswith("linux"):
        pytest.skip("a C compiler is needed to put a layer under the files")
    library = folder / "failing_disk.so"
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-o", library, HERE / "failing_disk.c", "-ldl", "-pthread"], check=True
    )
    return library


def run(program: str, *arguments: str, library: Path, disk: Path, trace: Path | None = None) -> str:
    """Run a program from this folder with the library preloaded; return the program's output."""
    disk.mkdir(exist_ok=True)
    settings = {"LD_PRELOAD": str(library), "GRIDLOCK_DISK": str(disk)}
    if trace:
        settings["GRIDLOCK_TRACE"] = str(trace)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
    done = subprocess.run(
        [sys.executable, str(HERE / program), str(disk), *arguments],
        env={**kept, **settings},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@dataclass
class File:
    """A file's contents as last synced to disk, and later writes that may not have reached the disk."""

    certain: bytes = b""
    since: list[tuple[int, bytes | None]] = field(default_factory=list)  # written there, or (None) cut off there

    def sync(self) -> None:
        """Mark all earlier writes as safely stored on disk."""
        self.certain, self.since = self.image(lambda: True), []

    def image(self, keeps: object) -> bytes:
        """Return what the file would contain if only some of the pending writes, chosen by sector, reached the disk."""
        made = bytearray(self.certain)
        for offset, data in self.since:
            if data is None:
                if keeps():
                    made[offset:] = bytes(max(0, offset - len(made)))
                continue
            for start in range(0, len(data), SECTOR):
                if keeps():
                    place, part = offset + start, data[start : start + SECTOR]
                    made.extend(bytes(max(0, place - len(made))))
                    made[place : place + len(part)] = part
        return bytes(made)


class Disk:
    """A folder on a disk that can lose power at any moment."""

    def __init__(self) -> None:
        self.files: dict[str, File] = {}  # as programs see them
        self.entries: dict[str, File] = {}  # the folder as it certainly is on disk

    def happen(self, what: str, name: str, offset: int, data: bytes) -> None:
        """Replay a traced operation."""
        if what == "s" and name == ".":
            self.entries = dict(self.files)
            return
        if what == "u":
            self.files.pop(name, None)
            return
        file = self.files.setdefault(name, File())
        if what == "w":
            file.since.append((offset, data))
        elif what == "t":
            file.since.append((offset, None))
        elif what == "s":
            file.sync()

    def lose_power(self, folder: Path, rng: random.Random | None) -> None:
        """Write the files as a power loss would leave them; with `rng`, some of the unsynced writes survive, too."""
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        chance = rng.random() if rng else 0.0
        for name in {*self.entries, *self.files}:
            newer = rng is not None and rng.random() < chance
            file = (self.files if newer else self.entries).get(name)
            if file is not None and name != ACKNOWLEDGED:
                left = file.image(lambda: rng is not None and rng.random() < chance)
                (folder / name).write_bytes(left)


def traced(trace: Path) -> Iterator[tuple[str, str, int, bytes]]:
    """Yield the traced operations in order."""
    text = trace.read_bytes()
    place = 0
    while place < len(text):
        what, size, offset, length = _ENTRY.unpack_from(text, place)
        place += _ENTRY.size
        name = text[place : place + size].decode()
        place += size
        yield what.decode(), name, offset, text[place : place + length]
        place += length
