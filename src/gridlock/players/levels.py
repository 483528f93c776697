"""The computer's levels, from easy to perfect."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from gridlock.core.game import SWAP, Game
from gridlock.core.grid import cells_of
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.engine.choice import choose, estimate, first_of_a_swap, should_swap
from gridlock.engine.clock import Clock
from gridlock.engine.engine import engine_for
from gridlock.engine.evidence import Verdict

if TYPE_CHECKING:
    from random import Random


class Level(NamedTuple):
    """The strength of a level other than `perfect`."""

    care: float  # how often it plays like the perfect level; otherwise it plays by estimates
    playouts: int  # random games per move behind each estimate
    sight: int  # even then, it overlooks nothing within this many plies of the end


# These values were tuned with bench/levels.py so that each level clearly beats the level below it. In games where the
# last marker limits the next move, the few moves that matter come late, so a level that can search to the end of the
# game rarely makes a mistake.
PAIRING = {"easy": Level(0.14, 0, 0), "medium": Level(0.43, 0, 0), "hard": Level(0.71, 0, 0)}
WALKING = {"easy": Level(0.05, 1, 0), "medium": Level(0.36, 2, 1), "hard": Level(0.72, 6, 3)}
USUAL = {"easy": Level(0.05, 1, 0), "medium": Level(0.33, 2, 1), "hard": Level(0.58, 6, 3)}
CALCULATION = 0.2  # the most seconds that a level other than perfect spends on a proof
GLANCE = 20_000  # the most positions that a level searches for the end of the game; its sight shrinks to fit


def perfect(game: Game, rng: Random, think: float) -> int:
    """Choose a move that is proved to be best, or the move that looks strongest if no proof is found in time."""
    return best_move(game, rng, Clock(think))


def best_move(game: Game, rng: Random, clock: Clock) -> int:
    """Choose a perfect player's move; without a time limit, search until the move is proved to be best."""
    engine = engine_for(game.variant)
    if game.swap_ahead:
        return first_of_a_swap(engine, game.position, clock, rng)
    if game.can_swap and should_swap(engine, game, clock, rng):
        return SWAP
    return choose(engine, game.position, clock, rng)


def _limited(name: str, game: Game, rng: Random, think: float) -> int:
    """Choose a weaker level's move: sometimes a perfect move, otherwise one based on estimates and a short search."""
    shape = game.variant.shape
    level = (USUAL if shape is None or shape.placing else WALKING if shape.pawn else PAIRING)[name]
    if rng.random() < level.care:
        return perfect(game, rng, min(think, CALCULATION))
    variant, position = game.variant, game.position
    chances = estimate(engine_for(variant), position, level.playouts, rng) if level.playouts else {}
    if game.can_swap and (not game.legal or max(chances.values(), default=rng.random()) < 0.5):
        return SWAP
    cells = variant.legal_cells(position)
    rng.shuffle(cells)
    if game.swap_ahead:  # the opponent takes over a good move
        return min(cells, key=lambda cell: abs(chances.get(cell, 0) - 0.5))
    sight = level.sight
    while len(cells) ** sight > GLANCE:
        sight -= 1
    ranks = (Verdict.LOSS, Verdict.UNKNOWN, Verdict.WIN)
    seen = {cell: ranks.index(look_ahead(variant, position.after(cell), sight - 1).opposite) for cell in cells}
    return max(cells, key=lambda cell: (seen[cell], chances.get(cell, -1)))


easy, medium, hard = (partial(_limited, name) for name in ("easy", "medium", "hard"))


def look_ahead(variant: Variant, position: Position, plies: int) -> Verdict:
    """Return the verdict for the player to move, or UNKNOWN if a search of `plies` plies does not settle it."""
    if plies < 0:
        return Verdict.UNKNOWN
    legal = variant.legal(position)
    if plies == 0 or not legal:
        return Verdict.UNKNOWN if legal else Verdict.LOSS
    verdict = Verdict.LOSS
    for cell in cells_of(legal):
        after = look_ahead(variant, position.after(cell), plies - 1)
        if after is Verdict.LOSS:
            return Verdict.WIN
        if after is Verdict.UNKNOWN:
            verdict = Verdict.UNKNOWN
    return verdict
