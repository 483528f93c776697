"""Count move sequences; this is the simplest way to check that a game's rules are right."""

from collections.abc import Callable, Iterator

from gridlock.core.grid import Cell, cells_of
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant

OFTEN = 4096  # positions between two progress reports
Tick = Callable[[int], None]  # called with the number of sequences so far; may raise to stop


def perft(variant: Variant, depth: int, position: Position | None = None, tick: Tick | None = None) -> list[int]:
    """Count the move sequences of each length from 1 to `depth`; a sequence ends early if a side has no move."""
    counts = [0] * depth
    # Keep one iterator of positions per ply instead of recursing, because recursion depth is limited.
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


def parts(
    variant: Variant, depth: int, position: Position | None = None, tick: Tick | None = None
) -> Iterator[tuple[Cell, int]]:
    """Yield each legal move with the number of sequences of exactly `depth` moves that begin with it."""
    here = variant.start() if position is None else position
    for cell in variant.legal_cells(here):
        yield cell, perft(variant, depth - 1, here.after(cell), tick)[-1] if depth > 1 else 1
