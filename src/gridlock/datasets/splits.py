"""Assigning positions to splits and shards; if several positions have the same key, only the first is kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from gridlock.core.errors import needs
from gridlock.core.files import write_safely
from gridlock.core.grid import board_size
from gridlock.datasets.index import sha256
from gridlock.datasets.keys import stirred
from gridlock.datasets.parts import rows_of
from gridlock.datasets.plan import SPLITS, TEST, TRAIN, VALIDATION
from gridlock.datasets.rows import Columns, chosen, joined
from gridlock.datasets.shards import encoded

with needs("dataset"):
    import numpy as np
    from numpy.typing import NDArray

TENTHS = np.array([SPLITS.index(split) for split in [TEST, VALIDATION, *[TRAIN] * 8]])


class Shard(NamedTuple):
    """A dataset file to be written; its rows come from the files of several units of work."""

    path: Path
    board: str
    pieces: list[tuple[Path, NDArray[Any]]]


def split_of(keys: NDArray[np.uint64]) -> NDArray[Any]:
    """Return the split of each key as an index into SPLITS; the split depends only on the key."""
    found: NDArray[Any] = TENTHS[stirred(keys) % np.uint64(10)]
    return found


class Chosen(NamedTuple):
    """A dataset's positions on one board; for each position, its unit of work, its row in that unit, and its key."""

    unit: NDArray[Any]
    row: NDArray[Any]
    key: NDArray[np.uint64]


def distinct(units: list[NDArray[np.uint64]], most: int) -> Chosen:
    """Choose up to `most` distinct keys from all units of work, in order of first appearance."""
    keys = np.concatenate(units)
    unit = np.repeat(np.arange(len(units)), [len(one) for one in units])
    row = np.concatenate([np.arange(len(one)) for one in units])
    first = np.sort(np.unique(keys, return_index=True)[1])[:most]
    return Chosen(unit[first], row[first], keys[first])


def shards(
    folder: Path, board: str, form: str, most: int, parts: list[Path], here: Chosen, split: NDArray[Any]
) -> dict[str, Shard]:
    """Return the shards of one board, keyed by name, each with at most `most` rows."""
    found = {}
    for number, name in enumerate(SPLITS):
        rows = np.flatnonzero(split == number)
        for start in range(0, len(rows), most):
            some = rows[start : start + most]
            units = here.unit[some]
            pieces = [(parts[unit], here.row[some[units == unit]]) for unit in np.unique(units)]
            file = f"{name}-{board}-{start // most:05}.{form}"
            found[file] = Shard(folder / file, board, pieces)
    return found


def write_shard(shard: Shard) -> dict[str, Any]:
    """Write a shard with its rows sorted by key; because keys are hashes, this order is as good as random."""
    columns = joined([chosen(rows_of(path), rows) for path, rows in shard.pieces])
    columns = chosen(columns, np.argsort(columns["key"]))
    data = encoded(with_board(columns, *board_size(shard.board)), shard.path.suffix[1:])
    write_safely(shard.path, data)
    lost = int((columns["value"] < 0).sum())
    return {"rows": len(columns["key"]), "lost": lost, "sha256": sha256(data)}


def with_board(columns: Columns, rows: int, cols: int) -> Columns:
    """Return the columns, preceded by two columns for the board's height and width."""
    count = len(columns["key"])
    return {"rows": np.full(count, rows, np.uint8), "cols": np.full(count, cols, np.uint8), **columns}
