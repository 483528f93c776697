"""Names that `kernel.py` needs when it runs as plain Python; the compiled kernel takes them from `kernel.pxd`."""

from operator import getitem as item
from typing import Any

__all__ = ["compiled", "count", "item", "lowest", "made"]

compiled = False
count = int.bit_count


def lowest(bits: int) -> int:
    """Return the first cell of a nonempty set."""
    return (bits & -bits).bit_length() - 1


def made(kind: Any, *items: object) -> Any:
    """Return a named tuple of these items, bypassing the slower constructor of its class."""
    return tuple.__new__(kind, items)
