"""Counting move sequences: the plainest check that a game's rules are right."""

from collections.abc import Callable, Iterator

from gridlock.core.grid import Cell, cells_of
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant

OFTEN = 4096  # positions after which somebody may be told how far it is
Tick = Callable[[int], None]  # told how many sequences are counted; may raise to stop


def perft(variant: Variant, depth: int, position: Position | None = None, tick: Tick | None = None) -> list[int]:
    """How many sequences of 1, 2, ... up to `depth` moves there are (a side without a move ends its sequence)."""
    counts = [0] * depth
    # One iterator of positions for every ply on the way down. No recursion, so that no depth is too deep.
    path: list[Iterator[Position]] = [iter([variant.start() if position is None else position])]
    seen = 0
    while path:
        here = next(path[-1], None)
        if here is None:
            path.pop()
            continue
        legal = variant.legal(here)
        counts[len(path) - 1] += legal.bit_count()  # the last moves are counted, not played
        seen += 1
        if tick and seen % OFTEN == 0:
            tick(sum(counts))
        if len(path) < depth:
            path.append(map(here.after, cells_of(legal)))
    return counts


def divide(variant: Variant, depth: int, position: Position | None = None) -> dict[Cell, int]:
    """How many sequences of exactly `depth` moves begin with each legal move."""
    return dict(parts(variant, depth, position))


def parts(
    variant: Variant, depth: int, position: Position | None = None, tick: Tick | None = None
) -> Iterator[tuple[Cell, int]]:
    """The same one after another, as they are counted."""
    here = variant.start() if position is None else position
    for cell in variant.legal_cells(here):
        yield cell, perft(variant, depth - 1, here.after(cell), tick)[-1] if depth > 1 else 1
