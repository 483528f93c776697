"""Sets of cells as 32-bit words, one array per word, so that all operations are elementwise.

JAX has 64-bit integers only if a program enables them for everything. Two 32-bit words need no such switch, and boards
of up to 32 cells then take half the work. All functions take single games as well as batches of any shape.
"""

from functools import reduce
from itertools import pairwise
from operator import add, or_
from typing import cast

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from gridlock.core.grid import Bitboard

Words = tuple[jax.Array, ...]  # a set of cells: word n has cells 32 n to 32 n + 31

BITS = 32
_WORD = np.uint32  # other types would widen results to 64 bits in programs that enable them


def count_words(cells: int) -> int:
    """Return the number of words for a board of `cells` cells."""
    return -(-cells // BITS)


def constant(bits: Bitboard, count: int) -> Words:
    """Return a constant set."""
    words = tuple(_WORD(bits >> BITS * number & 0xFFFFFFFF) for number in range(count))
    return cast(Words, words)  # JAX accepts NumPy's numbers in its place


def single(cell: jax.Array, count: int) -> Words:
    """Return the set of one cell; an empty set if the number is outside the words."""
    bit = _WORD(1) << (cell & BITS - 1).astype(_WORD)
    return tuple(jnp.where(cell >> 5 == number, bit, _WORD(0)) for number in range(count))


def cell_of(place: Words) -> jax.Array:
    """Return the cell of a set of one."""
    found = (
        jnp.where(word != 0, lax.population_count(word - _WORD(1)) + _WORD(BITS * number), _WORD(0))
        for number, word in enumerate(place)
    )
    return reduce(or_, found).astype(jnp.int32)


def both(one: Words, other: Words) -> Words:
    """Return the intersection of two sets."""
    return tuple(a & b for a, b in zip(one, other, strict=True))


def either(one: Words, other: Words) -> Words:
    """Return the union of two sets."""
    return tuple(a | b for a, b in zip(one, other, strict=True))


def without(one: Words, other: Words) -> Words:
    """Return the cells of the first set that are not in the second."""
    return tuple(a & ~b for a, b in zip(one, other, strict=True))


def select(condition: jax.Array, one: Words, other: Words) -> Words:
    """Return the first set where the condition holds, and the second elsewhere."""
    return tuple(jnp.where(condition, a, b) for a, b in zip(one, other, strict=True))


def some(cells: Words) -> jax.Array:
    """Return whether a set has any cell."""
    return reduce(or_, cells) != 0


def up(cells: Words, by: int) -> Words:
    """Shift every cell to a higher number; bits beyond the last word are lost."""
    whole, part = divmod(by, BITS)
    return tuple(_joined(cells, number - whole, part, number - whole - 1) for number in range(len(cells)))


def down(cells: Words, by: int) -> Words:
    """Shift every cell to a lower number."""
    whole, part = divmod(by, BITS)
    if not part:
        return tuple(_joined(cells, number + whole, 0, -1) for number in range(len(cells)))
    return tuple(_joined(cells, number + whole + 1, BITS - part, number + whole) for number in range(len(cells)))


def _joined(cells: Words, higher: int, by: int, lower: int) -> jax.Array:
    """Shift one word up, and fill it from the word below; either may not exist."""
    zero = jnp.zeros_like(cells[0])
    raised = cells[higher] << _WORD(by) if 0 <= higher < len(cells) else zero
    return raised | cells[lower] >> _WORD(BITS - by) if by and 0 <= lower < len(cells) else raised


def unpacked(cells: Words, size: int) -> jax.Array:
    """Return a set as one boolean per cell, along a new last axis."""
    places = jnp.arange(BITS, dtype=_WORD)
    bits = [(word[..., None] >> places & _WORD(1)).astype(bool) for word in map(jnp.asarray, cells)]
    return jnp.concatenate(bits, axis=-1)[..., :size]


def total(cells: Words) -> jax.Array:
    """Return the number of cells in a set."""
    return reduce(add, map(lax.population_count, cells))


def nth(cells: Words, index: jax.Array) -> Words:
    """Return the cell of a set that has `index` others before it, as a set of one."""
    part, before = cells[0], jnp.zeros_like(index)
    beyond: list[jax.Array] = []
    for number in range(1, len(cells)):  # which word it is in
        upto = total(cells[:number])
        beyond.append(index >= upto)
        part, before = jnp.where(beyond[-1], cells[number], part), jnp.where(beyond[-1], upto, before)
    index = index - before
    at = jnp.zeros_like(part)
    for half in (16, 8, 4, 2, 1):  # which half of what is left of that word
        count = lax.population_count(part >> at & _WORD((1 << half) - 1))
        higher = index >= count
        index, at = jnp.where(higher, index - count, index), jnp.where(higher, at + _WORD(half), at)
    bit = _WORD(1) << at
    if not beyond:
        return (bit,)
    none = _WORD(0)
    here = [~beyond[0], *(one & ~after for one, after in pairwise(beyond)), beyond[-1]]
    return tuple(jnp.where(found, bit, none) for found in here)
