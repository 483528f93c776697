"""Loading a split of a dataset."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from gridlock.core.errors import BadBoard, GridLockError
from gridlock.core.grid import board_size
from gridlock.datasets.index import checked, read_index
from gridlock.datasets.rows import Columns, joined
from gridlock.datasets.shards import decoded


def load(folder: str | PathLike[str], split: str, board: str | None) -> Columns:
    """Return a split of a dataset as arrays, keyed by column."""
    folder = Path(folder)
    files = read_index(folder)["files"]
    splits = dict.fromkeys(file["split"] for file in files)
    if split not in splits:
        raise GridLockError(f"{folder} has no split called '{split[:40]}'. It has {', '.join(splits)}.")
    boards = dict.fromkeys(file["board"] for file in files if file["split"] == split)
    if board is None and len(boards) > 1:
        raise BadBoard(f"The split {split} has several boards, so set board to one of these: {', '.join(boards)}.")
    wanted = next(iter(boards)) if board is None else "{}x{}".format(*board_size(board))
    if wanted not in boards:
        raise BadBoard(f"The split {split} has no board {wanted}. It has {', '.join(boards)}.")
    some = [file for file in files if file["split"] == split and file["board"] == wanted]
    return joined([decoded(folder / file["name"], checked(folder, file)) for file in some])
