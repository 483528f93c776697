"""The perfect level's former method of choosing moves, which uses random games and proofs but no search tree."""

from random import Random

from gridlock.core.grid import Cell
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.engine.choice import _hardest, _quick_distances
from gridlock.engine.clock import Clock
from gridlock.engine.engine import Engine
from gridlock.engine.evidence import Verdict
from gridlock.engine.kernels.interface import random_games, state_of

GAMES = 200


def choose(engine: Engine, position: Position, clock: Clock, rng: Random) -> Cell:
    """Return a winning move if one can be proved.

    In a position that is proved lost, return the move that makes it hardest for the opponent to win. If nothing can be
    proved, return the most promising move.
    """
    cells = engine.variant.legal_cells(position)
    if len(cells) == 1:
        return cells[0]
    distances = _quick_distances(engine, position, clock)
    proof = None if distances else engine.prove(position, clock)
    winning = [cell for cell, distance in distances.items() if distance > 0]
    if proof is not None and proof.verdict is Verdict.WIN:
        winning = list(proof.winning) if proof.complete else [cell for cell in (proof.best,) if cell is not None]
    if winning:
        legal = engine.variant.legal
        return min(winning, key=lambda cell: (distances.get(cell, 0), legal(position.after(cell)).bit_count()))
    promise = estimate(engine, position, GAMES, rng)
    order = sorted(cells if distances or proof else promise, key=lambda cell: -promise.get(cell, -1))
    if distances or proof is not None:
        return _hardest(engine, position, order, distances, clock)[0]
    return _searched(engine, position, order, clock)


def _searched(engine: Engine, position: Position, order: list[Cell], clock: Clock) -> Cell:
    lost: set[Cell] = set()
    for cell, verdict in engine.decide(position, order, clock):
        if verdict is Verdict.WIN:
            return cell
        lost.add(cell)
    if len(lost) == len(order):
        return _hardest(engine, position, order, {}, clock)[0]
    return next(cell for cell in order if cell not in lost)


def estimate(engine: Engine, position: Position, games: int, rng: Random) -> dict[Cell, float]:
    """Return an estimate for each move: the player's share of wins in random games that start with the move.

    On boards that are too large for random games, the estimate is the player's share of both players' legal moves.
    """
    variant = engine.variant
    playouts = random_games(variant)
    if playouts is None:
        cells = variant.legal_cells(position)
        some = cells if len(cells) <= games else rng.sample(cells, games)
        return {cell: _share(variant, position.after(cell)) for cell in some}
    won = playouts.move_wins(*state_of(position), games, rng.getrandbits(63))
    return {cell: wins / games for cell, wins in won}


def _share(variant: Variant, position: Position) -> float:
    theirs, mine = (variant.legal(one).bit_count() for one in (position, position.passed()))
    return 1 - theirs / (theirs + mine or 1)
