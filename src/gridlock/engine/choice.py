"""Choosing a move: the best that can be proved in time, and otherwise the strongest that can be found."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from gridlock.engine.analysis import Analysis, Verdict
from gridlock.engine.clock import Clock
from gridlock.engine.engine import GEOGRAPHY, QUICK, Engine, opposite
from gridlock.engine.kernels.interface import random_games
from gridlock.engine.mirror import losing_mirror, mirror_moves
from gridlock.engine.search import KERNEL_CELLS
from gridlock.grid import Cell
from gridlock.position import Position
from gridlock.rulebook import Variant

if TYPE_CHECKING:
    from random import Random

GAMES = 200  # random games after every move, to see which moves to search first


def choose(engine: Engine, position: Position, seconds: float, rng: Random) -> Cell:
    """A winning move if one can be proved; in a lost position, the move that makes winning hardest."""
    clock = Clock(seconds)
    cells = engine.variant.legal_cells(position)
    if len(cells) == 1:
        return cells[0]
    distances = engine.distances(position, clock, min(QUICK, seconds / 4))
    if winning := _proved(engine, position, distances):
        legal = engine.variant.legal
        return min(winning, key=lambda cell: (distances.get(cell, 0), legal(position.after(cell)).bit_count()))
    if distances or engine.variant.book.name in GEOGRAPHY:
        promise = estimate(engine, position, GAMES, rng)
        cells.sort(key=lambda cell: -promise.get(cell, -1))
        return _hardest(engine, position, cells, distances, clock)
    return _searched(engine, position, clock, rng)


def _proved(engine: Engine, position: Position, distances: dict[Cell, int]) -> list[Cell]:
    """The moves that are known to win without a long search."""
    if distances:
        return [cell for cell, distance in distances.items() if distance > 0]
    if engine.variant.book.name in GEOGRAPHY:
        return engine.winning_by_matching(position)
    if losing_mirror(engine.variant, position):
        return []
    return [cell for cell, _ in islice(mirror_moves(engine.variant, position), 1)]


def _searched(engine: Engine, position: Position, clock: Clock, rng: Random) -> Cell:
    """Try the most promising moves first, each a little and then more, until one is proved to win."""
    promise = estimate(engine, position, GAMES, rng)
    order = sorted(promise, key=lambda cell: -promise[cell])
    if losing_mirror(engine.variant, position):
        return _hardest(engine, position, order, {}, clock)
    lost: set[Cell] = set()
    left, share = order, 0.02
    while left:
        undecided = []
        for cell in left:
            if clock.expired:
                break
            clock.slice(share)
            verdict = opposite(engine.verdict(position.after(cell), clock)[0])
            if verdict is Verdict.WIN:
                return cell
            if verdict is Verdict.LOSS:
                lost.add(cell)
            elif clock.over:  # otherwise more time would not help
                undecided.append(cell)
        left, share = undecided, share * 4
    clock.slice(None)
    if len(lost) == len(order):
        return _hardest(engine, position, order, {}, clock)
    return next(cell for cell in order if cell not in lost)


def first_of_a_swap(engine: Engine, position: Position, seconds: float, rng: Random) -> Cell:
    """The first move where the opponent may take it over: one that loses, but to as few replies as possible."""
    clock = Clock(seconds)
    promise = estimate(engine, position, GAMES, rng)
    even = sorted(promise, key=lambda cell: abs(promise[cell] - 0.5))  # hard to judge
    losing = []
    for cell in even:
        if clock.seconds > seconds / 2:
            break
        clock.slice(seconds / 10)
        if engine.verdict(position.after(cell), clock)[0] is Verdict.WIN:
            losing.append(cell)
    clock.slice(None)
    if not losing:
        return even[0]
    return _hardest(engine, position, losing, engine.distances(position, clock, min(QUICK, seconds / 4)), clock)


def best_try(engine: Engine, found: Analysis, seconds: float, rng: Random) -> tuple[Cell, bool]:
    """The move to try in a position of which no winning move is known, and whether it was compared with all others."""
    clock = Clock(seconds)
    promise = estimate(engine, found.position, GAMES, rng)
    cells = [move.cell for move in found.moves if move.verdict is found.verdict]
    cells.sort(key=lambda cell: -promise.get(cell, -1))
    if found.verdict is Verdict.UNKNOWN:
        return cells[0], False
    distances = {move.cell: -move.distance for move in found.moves if move.distance is not None}
    ranks = _ranks(engine, found.position, cells, distances, clock)
    return _first(ranks, cells), len(ranks) == len(cells)


def _hardest(engine: Engine, position: Position, cells: list[Cell], distances: dict[Cell, int], clock: Clock) -> Cell:
    """All moves lose: the one that makes winning hardest, as far as the time allows to compare them."""
    return _first(_ranks(engine, position, cells, distances, clock), cells)


def _first(ranks: dict[Cell, tuple[bool, int, int]], cells: list[Cell]) -> Cell:
    """The move ranked first, of equals the earlier one; the first of all if none is ranked."""
    return min(ranks, key=lambda cell: ranks[cell]) if ranks else cells[0]


def _ranks(
    engine: Engine, position: Position, cells: list[Cell], distances: dict[Cell, int], clock: Clock
) -> dict[Cell, tuple[bool, int, int]]:
    """All moves lose: leave the opponent a reply that errs, the fewest that win, and then the longest way to go.

    Where every reply wins, it does not matter how many they are: to make them few would only use up the cells near
    which somebody could err later. Moves of which the time does not suffice to find out are left out.
    """
    ranks = {}
    for cell in cells:
        if clock.expired:
            break
        child = position.after(cell)
        if winning := _winning_replies(engine, child, bool(distances), clock):
            safe = winning == engine.variant.legal(child).bit_count()
            ranks[cell] = safe, 0 if safe else winning, distances.get(cell, 0)
    return ranks


def _winning_replies(engine: Engine, position: Position, exact: bool, clock: Clock) -> int:
    """How many moves win, or 0 if the time did not suffice to find out."""
    if engine.variant.book.name in GEOGRAPHY:
        return len(engine.winning_by_matching(position))
    if exact:
        return sum(distance > 0 for distance in engine.distances(position, clock, None).values())
    winning = 0
    for cell in engine.variant.legal_cells(position):
        verdict, _ = engine.verdict(position.after(cell), clock)
        if verdict is Verdict.UNKNOWN or clock.expired:
            return 0
        winning += verdict is Verdict.LOSS
    return winning


def estimate(engine: Engine, position: Position, games: int, rng: Random) -> dict[Cell, float]:
    """For every move, how often so many random games after it are won.

    Where those would take too long or are not known, as many moves are compared by what they leave to both sides.
    """
    playouts = _playouts(engine.variant)
    if playouts is None:
        cells = engine.variant.legal_cells(position)
        some = cells if len(cells) <= games else rng.sample(cells, games)
        return {cell: _share(engine.variant, position.after(cell)) for cell in some}
    mine, theirs, my_head, their_head, _ = position
    heads = [-1 if head is None else head for head in (my_head, their_head)]
    return {cell: wins / games for cell, wins in playouts.move_wins(mine, theirs, *heads, games, rng.getrandbits(63))}


def _share(variant: Variant, position: Position) -> float:
    """The share that the player who is not to move has of the cells open to either, or 1 if there are none."""
    theirs, mine = (variant.legal(one).bit_count() for one in (position, position.passed()))
    return 1 - theirs / (theirs + mine or 1)


@lru_cache(maxsize=4)
def _playouts(variant: Variant) -> Any:
    """The kernel that plays random games, for the games and boards it knows (otherwise None)."""
    shape, grid = variant.shape, variant.grid
    return None if shape is None or grid.size > KERNEL_CELLS else random_games(shape, grid)
