"""What a kernel needs when it runs as plain Python: no-op stand-ins for Cython's names, and the bit tricks.

Compiled kernels take the same names from Cython itself and from `bits.pxd`.
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
int = longlong = ulonglong = uint = schar = uchar = u128 = int


def cfunc(function: Any) -> Any:
    """Leave a function or a class as it is."""
    return function


cclass = ccall = inline = final = nogil = cfunc


def exceptval(*_values: Any, **_options: Any) -> Callable[[Any], Any]:
    """Ignore how C code would report an exception, or which types variables have."""
    return cfunc


locals = exceptval


def cast(_type: Any, value: Any) -> Any:
    """A plain Python number needs no conversion; mask it where C would wrap around."""
    return value


def declare(_type: Any, value: Any = None) -> Any:
    """A module's typed constant is its plain value."""
    return value


def bit(cell: int) -> int:
    """The set of one cell."""
    return 1 << cell


def popcount(x: int) -> int:
    """How many cells are in the set."""
    return x.bit_count()


def lowest(x: int) -> int:
    """The first cell of a set that is not empty."""
    return (x & -x).bit_length() - 1


def has_deposit() -> bool:
    """Whether the processor finds a cell by its place in a set at once."""
    return False


def nth(cells: int, index: int, _deposit: bool) -> int:
    """The cell of a set that has `index` others before it."""
    while index:
        cells &= cells - 1
        index -= 1
    return lowest(cells)


def nth_of_two(low: int, high: int, index: int, _deposit: bool) -> int:
    """The same for a set in two words."""
    return nth(low | high << 64, index, False)


def stirred(bits: int) -> int:
    """What SplitMix64 makes of a counter: 64 random bits."""
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9 & 0xFFFFFFFFFFFFFFFF
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EB & 0xFFFFFFFFFFFFFFFF
    return bits ^ bits >> 31


def words(array: Any) -> Any:
    """The numbers of an array, to read and to write."""
    return memoryview(array).cast("B").cast(memoryview(array).format)


octets = words


def spread(out: Any, at: int, cells: int, size: int) -> None:
    """Write a set as one byte for each cell."""
    for cell in range(size):
        out[at + cell] = cells >> cell & 1


def spread_one(out: Any, at: int, cell: int, size: int) -> None:
    """The same with the set of one cell, or of none if it lies beyond the board."""
    spread(out, at, bit(cell), size)


class Edges:
    """Where a board ends: the cells that are not at its left, how far down the next row is, and which cells touch."""

    not_left = 0
    down = 0
    king = False


def beside(edges: Edges, x: int) -> int:
    """The cells that touch one of these; some may lie beyond the board."""
    wide = x << 1 & edges.not_left | (x & edges.not_left) >> 1
    tall = x | wide if edges.king else x
    return wide | tall << edges.down | tall >> edges.down


def around(edges: Edges, x: int) -> int:
    """These cells and all that touch them; some may lie beyond the board."""
    return x | beside(edges, x)


def plain(name: str) -> ModuleType:
    """A module of this package as plain Python, even where it has been compiled.

    An interpreted kernel cannot build on a compiled one: C code keeps its attributes to itself.
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
