"""The folder of an unfinished dataset: a ledger of finished units of work, and a file of rows for each unit."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any

from gridlock.core.errors import BadRecord
from gridlock.datasets.index import WORK, sha256
from gridlock.datasets.rows import Columns
from gridlock.datasets.shards import from_npz
from gridlock.units.ledger import Ledger


class Parts(Ledger):
    """A ledger that stores each work unit's rows in a separate file, and forgets units whose file is damaged.

    After a power cut, the ledger may list a unit whose file did not reach the disk. A unit of work whose file is
    missing or damaged is repeated, with the same result.
    """

    def __init__(self, folder: Path, task: dict[str, Any]) -> None:
        """Open or create the ledger in a dataset's folder."""
        self.folder = folder
        try:
            super().__init__(folder / WORK / "ledger", task)
        except BadRecord as error:
            raise BadRecord(
                f"The dataset in {folder} cannot be resumed: {error} To resume it, use the options that it was begun "
                f"with; to start again, delete {folder / WORK}."
            ) from None
        for key in [key for key, result in self.done.items() if not self._sound(key, result)]:
            del self.done[key]

    def add(self, key: str, result: dict[str, Any]) -> bool:
        """Write the rows from a unit of work to a file, and the rest of the unit's result to the ledger."""
        if key in self.done:
            return False
        if "data" in result:
            data = result["data"]
            self.path(key).write_bytes(data)
            result = {name: value for name, value in result.items() if name != "data"} | {"crc": zlib.crc32(data)}
        return super().add(key, result)

    def path(self, key: str) -> Path:
        """Return the path of the file that stores the rows of one unit of work."""
        return self.folder / WORK / f"{key}.npz"

    def _sound(self, key: str, result: dict[str, Any]) -> bool:
        """Return whether the file that a ledger entry describes (a unit's rows or a shard) is unchanged."""
        try:
            if "crc" in result:
                return bool(zlib.crc32(self.path(key).read_bytes()) == result["crc"])
            return bool(sha256((self.folder / key).read_bytes()) == result["sha256"])
        except OSError:
            return False


def rows_of(path: Path, *names: str) -> Columns:
    """Return a unit's rows, with all columns or only the named ones."""
    return from_npz(path.read_bytes(), *names)
