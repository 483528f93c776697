"""The computer's levels, from gentle to perfect."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from gridlock.engine.analysis import Verdict
from gridlock.engine.choice import choose, estimate
from gridlock.engine.clock import Clock
from gridlock.engine.engine import Engine, engine_for
from gridlock.game import SWAP, Game

if TYPE_CHECKING:
    from random import Random


class Level(NamedTuple):
    """How well a level below perfect plays."""

    slips: float  # how often it moves on a whim instead of calculating
    playouts: int  # how many random games for every move its whims are based on


LEVELS = {"easy": Level(0.85, 1), "medium": Level(0.5, 4), "hard": Level(0.2, 20)}
CALCULATION = 0.2  # seconds it calculates at the most


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


def limited(level: Level, game: Game, rng: Random, think: float) -> int:
    """Plays like the perfect level, but for its slips: then it goes by how a few random games turn out."""
    if rng.random() >= level.slips:
        return perfect(game, rng, min(think, CALCULATION))
    promise = estimate(engine_for(game.variant), game.position, level.playouts, rng)
    if game.can_swap and (not promise or max(promise.values()) < 0.5):
        return SWAP
    cells = list(promise)
    rng.shuffle(cells)
    return max(cells, key=lambda cell: promise[cell])


def easy(game: Game, rng: Random, think: float) -> int:
    """A friendly opponent for a first game."""
    return limited(LEVELS["easy"], game, rng, think)


def medium(game: Game, rng: Random, think: float) -> int:
    """Sees what happens next."""
    return limited(LEVELS["medium"], game, rng, think)


def hard(game: Game, rng: Random, think: float) -> int:
    """Plans a few moves ahead."""
    return limited(LEVELS["hard"], game, rng, think)
