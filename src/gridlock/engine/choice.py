"""Choosing a move: the best that can be proved in time, and otherwise the strongest that can be found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gridlock.engine.analysis import Verdict
from gridlock.engine.clock import Clock
from gridlock.engine.engine import GEOGRAPHY, Engine, opposite
from gridlock.engine.mirror import losing_mirror
from gridlock.engine.search import KERNEL_CELLS
from gridlock.grid import Adjacency, Cell
from gridlock.position import Position

if TYPE_CHECKING:
    from random import Random


def choose(engine: Engine, position: Position, seconds: float, rng: Random) -> Cell:
    """A winning move if one can be proved; in a lost position, the move that makes winning hardest."""
    clock = Clock(seconds)
    cells = engine.variant.moves(position)
    if len(cells) == 1:
        return cells[0]
    if engine.variant.book.name in GEOGRAPHY and (winning := engine.winning_by_matching(position)):
        distances = engine.distances(position, clock, seconds / 4)
        return min(winning, key=lambda cell: (distances.get(cell, 0), len(engine.variant.moves(position.after(cell)))))
    for cell in cells:
        if losing_mirror(engine.variant, position.after(cell)):
            return cell
    distances = engine.distances(position, clock, seconds / 4)
    if distances:
        winning = [cell for cell in cells if distances[cell] > 0]
        if winning:
            return min(winning, key=lambda cell: distances[cell])
        return _hardest(engine, position, cells, distances, clock)
    if engine.variant.book.name in GEOGRAPHY:
        return _hardest(engine, position, cells, {}, clock)
    return _searched(engine, position, cells, clock, rng)


def _searched(engine: Engine, position: Position, cells: list[Cell], clock: Clock, rng: Random) -> Cell:
    """Try the most promising moves first, each a little and then more, until one is proved to win."""
    promise = estimate(engine, position, 200, rng)
    order = sorted(cells, key=lambda cell: -promise[cell])
    lost: set[Cell] = set()
    share = 0.02
    while not clock.expired and len(lost) < len(order):
        for cell in order:
            if cell in lost or clock.expired:
                continue
            clock.slice(share)
            verdict = opposite(engine.verdict(position.after(cell), clock)[0])
            if verdict is Verdict.WIN:
                return cell
            if verdict is Verdict.LOSS:
                lost.add(cell)
        share *= 4
    return next((cell for cell in order if cell not in lost), order[0])


def _hardest(engine: Engine, position: Position, cells: list[Cell], distances: dict[Cell, int], clock: Clock) -> Cell:
    """All moves lose: leave the opponent the fewest winning replies, and after that the longest way to go."""
    best, best_rank = cells[0], (engine.variant.grid.size + 1.0, 0)
    for cell in cells:
        if clock.expired:
            break
        child = position.after(cell)
        replies = len(engine.variant.moves(child)) or 1
        if engine.variant.book.name in GEOGRAPHY:
            winning = len(engine.winning_by_matching(child))
        else:
            winning = sum(distance > 0 for distance in engine.distances(child, clock, 0.1).values())
        rank = (winning / replies, distances.get(cell, 0))
        if winning and rank < best_rank:
            best, best_rank = cell, rank
    return best


def estimate(engine: Engine, position: Position, games: int, rng: Random) -> dict[Cell, float]:
    """For every move, how often random games after it are won; on very large boards, how few replies it leaves."""
    playouts = _playouts(engine)
    if playouts is None:
        legal = engine.variant.legal
        return {cell: -float(legal(position.after(cell)).bit_count()) for cell in engine.variant.moves(position)}
    mine, theirs, mine_head, their_head, _ = position
    heads = [-1 if head is None else head for head in (mine_head, their_head)]
    return {cell: wins / games for cell, wins in playouts.move_wins(mine, theirs, *heads, games, rng.getrandbits(63))}


def _playouts(engine: Engine) -> Any:
    from gridlock.engine.kernels import playout_kernel

    code = getattr(playout_kernel, engine.variant.book.name.upper(), None)
    grid = engine.variant.grid
    if code is None or grid.size > KERNEL_CELLS:
        return None
    return playout_kernel.Playouts(code, grid.rows, grid.cols, grid.adjacency is Adjacency.KING)
