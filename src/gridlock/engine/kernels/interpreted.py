"""What a kernel needs when it runs as plain Python: no-op stand-ins for Cython's names, and the bit tricks.

Compiled kernels take the same names from Cython itself and from `bits.pxd`.
"""

from collections.abc import Callable
from typing import Any

compiled = False
bint = bool
int = longlong = ulonglong = uint = schar = uchar = int


def cfunc(function: Any) -> Any:
    """Leave a function or a class as it is."""
    return function


cclass = ccall = inline = final = nogil = cfunc


def exceptval(*_values: Any, **_options: Any) -> Callable[[Any], Any]:
    """Ignore how C code would report an exception."""
    return cfunc


def cast(_type: Any, value: Any) -> Any:
    """A plain Python number needs no conversion; mask it where C would wrap around."""
    return value


def popcount(x: int) -> int:
    """How many cells are in the set."""
    return x.bit_count()


def lowest(x: int) -> int:
    """The first cell of a set that is not empty."""
    return (x & -x).bit_length() - 1


def declare(_type: Any, value: Any = None) -> Any:
    """A module's typed constant is its plain value."""
    return value
