"""The computer's levels, from gentle to perfect."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from gridlock.engine.analysis import Verdict
from gridlock.engine.choice import choose, estimate
from gridlock.engine.clock import Clock
from gridlock.engine.engine import Engine, engine_for
from gridlock.game import SWAP, Game
from gridlock.position import Position
from gridlock.rulebook import Variant

if TYPE_CHECKING:
    from random import Random


class Level(NamedTuple):
    """How well a level below perfect plays; it counts moves, not seconds, so that it is the same on every machine."""

    playouts: int  # random games for every move
    depth: int  # how many moves ahead it calculates


LEVELS = {"easy": Level(3, 1), "medium": Level(30, 2), "hard": Level(300, 4)}
MOST_POSITIONS = 20_000  # that a calculation may look at


def perfect(game: Game, rng: Random, think: float) -> int:
    """Proves its move when it can, and plays its strongest when it can't in time."""
    engine = engine_for(game.variant)
    if game.can_swap and _should_swap(engine, game, think / 2, rng):
        return SWAP
    return choose(engine, game.position, think, rng)


def _should_swap(engine: Engine, game: Game, seconds: float, rng: Random) -> bool:
    """Take over the first move if it wins, or if it seems to."""
    if not game.legal:
        return True
    verdict, _ = engine.verdict(game.position, Clock(seconds))
    if verdict is Verdict.UNKNOWN:
        return max(estimate(engine, game.position, 200, rng).values()) < 0.5
    return verdict is Verdict.LOSS


def limited(level: Level, game: Game, rng: Random) -> int:
    """Calculates a few moves ahead, and otherwise trusts random games."""
    engine = engine_for(game.variant)
    promise = estimate(engine, game.position, level.playouts, rng)
    if game.can_swap and (not promise or max(promise.values()) < 0.5):
        return SWAP
    cells = list(promise)
    rng.shuffle(cells)
    cells.sort(key=lambda cell: -promise[cell])
    budget = [MOST_POSITIONS]
    rank = {}
    for cell in cells:
        verdict = _look_ahead(game.variant, game.position.after(cell), level.depth - 1, budget)
        if verdict is Verdict.LOSS:
            return cell
        rank[cell] = promise[cell] - (verdict is Verdict.WIN)
    return max(cells, key=lambda cell: rank[cell])


def _look_ahead(variant: Variant, position: Position, depth: int, budget: list[int]) -> Verdict:
    """What the player to move can be seen to reach within so many moves."""
    moves = variant.moves(position)
    if not moves:
        return Verdict.LOSS
    budget[0] -= 1
    if depth <= 0 or budget[0] < 0:
        return Verdict.UNKNOWN
    found = Verdict.LOSS
    for cell in moves:
        child = _look_ahead(variant, position.after(cell), depth - 1, budget)
        if child is Verdict.LOSS:
            return Verdict.WIN
        if child is Verdict.UNKNOWN:
            found = Verdict.UNKNOWN
    return found


def easy(game: Game, rng: Random, _think: float) -> int:
    """A friendly opponent for a first game."""
    return limited(LEVELS["easy"], game, rng)


def medium(game: Game, rng: Random, _think: float) -> int:
    """Sees what happens next."""
    return limited(LEVELS["medium"], game, rng)


def hard(game: Game, rng: Random, _think: float) -> int:
    """Plans a few moves ahead."""
    return limited(LEVELS["hard"], game, rng)
