"""The index of a finished dataset: its task, its files with their checksums, and counts."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from gridlock.core.errors import BadRecord

INDEX = "dataset.json"
WORK = "work"  # the folder inside an unfinished dataset's


def sha256(data: bytes) -> str:
    """Return a checksum that other programs can compute, too."""
    return hashlib.sha256(data).hexdigest()


def read_index(folder: Path) -> dict[str, Any]:
    """Return a dataset's index; raise BadRecord if there is none, or a damaged one."""
    path = folder / INDEX
    try:
        index: dict[str, Any] = json.loads(path.read_bytes())
        if index["gridlock-dataset"] == 1 and isinstance(index["files"], list) and isinstance(index["task"], dict):
            return index
    except FileNotFoundError:
        if (folder / WORK).exists():
            raise BadRecord(f"The dataset in {folder} is not complete. Run the command that began it again.") from None
        raise BadRecord(f"There is no dataset in {folder}.") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    raise BadRecord(f"{path} is damaged. Make the dataset again in a new folder.")


def checked(folder: Path, file: dict[str, Any]) -> bytes:
    """Return the bytes of a shard; raise BadRecord if they are not those that were written."""
    path = folder / Path(file["name"]).name  # never outside the folder, whatever an index from elsewhere says
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise BadRecord(f"{path} is missing. Make the dataset again in a new folder.") from None
    if sha256(data) != file["sha256"]:
        raise BadRecord(f"{path} is damaged: its checksum is wrong. Make the dataset again in a new folder.")
    return data
