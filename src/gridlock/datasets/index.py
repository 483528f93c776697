"""The index of a finished dataset: its task, its files with their checksums, and position counts for each board."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from gridlock.core.errors import BadRecord

INDEX = "dataset.json"
WORK = "work"  # the working folder inside an unfinished dataset's folder


def sha256(data: bytes) -> str:
    """Return a checksum that other programs can also compute."""
    return hashlib.sha256(data).hexdigest()


def read_index(folder: Path) -> dict[str, Any]:
    """Return a dataset's index; raise BadRecord if the index is missing or damaged."""
    path = folder / INDEX
    try:
        index: dict[str, Any] = json.loads(path.read_bytes())
        if index["gridlock-dataset"] == 1 and isinstance(index["files"], list) and isinstance(index["task"], dict):
            return index
    except FileNotFoundError:
        if (folder / WORK).exists():
            raise BadRecord(
                f"The dataset in {folder} is not complete. Run the original command again to complete the dataset."
            ) from None
        raise BadRecord(f"There is no dataset in {folder}.") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    raise BadRecord(f"{path} is damaged. Regenerate the dataset in a new folder.")


def checked(folder: Path, file: dict[str, Any]) -> bytes:
    """Return a shard's contents as bytes; raise BadRecord if they differ from what was written."""
    path = folder / Path(file["name"]).name  # never outside the folder, even if the index comes from someone else
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise BadRecord(f"{path} is missing. Regenerate the dataset in a new folder.") from None
    if sha256(data) != file["sha256"]:
        raise BadRecord(f"{path} is damaged: its checksum is wrong. Regenerate the dataset in a new folder.")
    return data
