"""Datasets of positions with exact labels: `gridlock dataset` makes them, and `load` reads them."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gridlock.datasets.rows import Columns


def load(folder: str | PathLike[str], split: str = "train", board: str | None = None) -> Columns:
    """Return a dataset's split as NumPy arrays, keyed by column; `board` is required if the split has several boards.

    Every file's checksum is verified, so damaged or altered data is never loaded.
    """
    from gridlock.datasets.loading import load  # needs NumPy

    return load(folder, split, board)
