"""Support for kernels that run as plain Python: no-op versions of Cython's names, and bit operations.

Compiled kernels use Cython and `bits.pxd` instead of this module.
"""

import sys
from collections.abc import Callable
from importlib import import_module
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Any

compiled = False
bint = bool
double = float
int = longlong = ulonglong = uchar = u64 = u128 = int
TABULATED: dict[tuple[int, int], tuple[list[int], list[int]]] = {}  # the images on the last boards (board_search.py)


def cfunc(function: Any) -> Any:
    """Return the decorated function or class unchanged."""
    return function


cclass = ccall = inline = final = nogil = cfunc


def exceptval(*_values: Any, **_options: Any) -> Callable[[Any], Any]:
    """Ignore a Cython declaration of exception values or local variable types."""
    return cfunc


locals = exceptval


def cast(_type: Any, value: Any) -> Any:
    """Return a Python number unchanged; the caller masks the number if it would wrap around in C."""
    return value


def declare(_type: Any, value: Any = None) -> Any:
    """Ignore the C type in the declaration of a constant, and return the constant's value."""
    return value


def bit(cell: int) -> int:
    """Return the set that contains only the given cell."""
    return 1 << cell


def popcount(x: int) -> int:
    """Return the number of cells in a set."""
    return x.bit_count()


def lowest(x: int) -> int:
    """Return the first cell of a nonempty set."""
    return (x & -x).bit_length() - 1


def has_deposit() -> bool:
    """Return whether the processor has an instruction that finds the n-th cell of a set."""
    return False


def nth(cells: int, index: int, _deposit: bool) -> int:
    """Return cell number `index` of a set, counting from 0."""
    while index:
        cells &= cells - 1
        index -= 1
    return lowest(cells)


def nth_of_two(low: int, high: int, index: int, _deposit: bool) -> int:
    """Return cell number `index` of a set in two words, counting from 0."""
    return nth(low | high << 64, index, False)


def stirred(bits: int) -> int:
    """Return 64 random bits, computed from a counter by SplitMix64."""
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9 & 0xFFFFFFFFFFFFFFFF
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EB & 0xFFFFFFFFFFFFFFFF
    return bits ^ bits >> 31


def words(array: Any) -> Any:
    """Return a writable view of the numbers in an array."""
    return memoryview(array).cast("B").cast(memoryview(array).format)


octets = words


def spread(out: Any, at: int, cells: int, size: int) -> None:
    """Write a set with one byte per cell."""
    for cell in range(size):
        out[at + cell] = cells >> cell & 1


def spread_one(out: Any, at: int, cell: int, size: int) -> None:
    """Write one byte per cell: 1 for the given cell, if it is on the board, and 0 for all others."""
    spread(out, at, bit(cell), size)


def squeezed(cells: int, cols: int, rows: int) -> int:
    """Return the first eight columns of a set of cells as one byte per row; the board has `cols` columns."""
    found, line = 0, (1 << min(cols, 8)) - 1
    for at in range(0, 8 * rows, 8):
        found |= (cells & line) << at
        cells >>= cols
    return found


def widened(cells: int, cols: int) -> int:
    """Convert a set of cells stored as one byte per row to a set for a board with `cols` columns."""
    found = at = 0
    while cells:
        found |= (cells & 255) << at
        cells >>= 8
        at += cols
    return found


def flipped(cells: int, rows: int) -> int:
    """Return a set of cells (one byte per row) with its first `rows` rows in reverse order."""
    return int.from_bytes(cells.to_bytes(rows, "little"), "big")


REVERSED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))  # the bits of each byte


def mirrored(cells: int, cols: int) -> int:
    """Return a set of cells (one byte per row) with its first `cols` columns in reverse order."""
    return int.from_bytes(cells.to_bytes(8, "little").translate(REVERSED), "little") >> 8 - cols


def transposed(cells: int) -> int:
    """Return a set of cells (one byte per row) with rows and columns exchanged."""
    swap = (cells ^ cells >> 7) & 0x00AA00AA00AA00AA
    cells ^= swap ^ swap << 7
    swap = (cells ^ cells >> 14) & 0x0000CCCC0000CCCC
    cells ^= swap ^ swap << 14
    swap = (cells ^ cells >> 28) & 0x00000000F0F0F0F0
    return cells ^ swap ^ swap << 28


class Edges:
    """A board's geometry: the cells that are not on its left edge, the distance between rows, and which cells touch."""

    not_left = 0
    down = 0
    king = False


def beside(edges: Edges, x: int) -> int:
    """Return the cells that touch any of the given cells, possibly including cells off the board."""
    wide = x << 1 & edges.not_left | (x & edges.not_left) >> 1
    tall = x | wide if edges.king else x
    return wide | tall << edges.down | tall >> edges.down


def around(edges: Edges, x: int) -> int:
    """Return the given cells and all cells that touch them, possibly including cells off the board."""
    wide = x | x << 1 & edges.not_left | (x & edges.not_left) >> 1  # inlined, because this is called most often
    tall = wide if edges.king else x
    return wide | tall << edges.down | tall >> edges.down


def plain(name: str) -> ModuleType:
    """Return a module of this package as plain Python, even if it has been compiled.

    An interpreted kernel cannot build on a compiled kernel, because it cannot access that kernel's C attributes.
    """
    module = import_module(f"{__package__}.{name}")
    if str(module.__file__).endswith(".py"):
        return module
    alias = f"{__package__}.plain_{name}"
    if alias not in sys.modules:
        loader = SourceFileLoader(alias, str(Path(__file__).with_name(f"{name}.py")))
        spec = spec_from_loader(alias, loader)
        assert spec is not None  # a loader was given
        made = module_from_spec(spec)
        loader.exec_module(made)
        sys.modules[alias] = made
    return sys.modules[alias]
