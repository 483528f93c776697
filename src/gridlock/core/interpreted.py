"""What `kernel.py` needs when it runs as plain Python; compiled, it takes these names from `kernel.pxd`."""

from operator import getitem as item
from typing import Any

__all__ = ["compiled", "count", "item", "lowest", "made"]

compiled = False
count = int.bit_count


def lowest(bits: int) -> int:
    """The first cell of a set that is not empty."""
    return (bits & -bits).bit_length() - 1


def made(kind: Any, *items: object) -> Any:
    """A named tuple of these items, without the detour through its constructor."""
    return tuple.__new__(kind, items)
