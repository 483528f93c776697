"""The computer's levels, from gentle to perfect."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from gridlock.core.game import SWAP, Game
from gridlock.core.grid import cells_of
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.core.shape import Shape
from gridlock.engine.choice import choose, estimate, first_of_a_swap, should_swap
from gridlock.engine.clock import Clock
from gridlock.engine.engine import engine_for
from gridlock.engine.evidence import Verdict

if TYPE_CHECKING:
    from random import Random


class Level(NamedTuple):
    """How well a level below perfect plays."""

    care: float  # how often it works its move out, like the perfect level; otherwise it goes by its feeling
    playouts: int  # how many random games for every move its feeling is based on
    sight: int  # how close the end must be for it not to be overlooked even then, in plies


# As measured by bench/levels.py, so that each level clearly beats the one below. Where moves follow the last
# marker the few that matter come close to the end: a level that sees that far hardly ever errs.
PAIRING = {"easy": Level(0.14, 0, 0), "medium": Level(0.43, 0, 0), "hard": Level(0.71, 0, 0)}
WALKING = {"easy": Level(0.05, 1, 0), "medium": Level(0.36, 2, 1), "hard": Level(0.72, 6, 3)}
USUAL = {"easy": Level(0.05, 1, 0), "medium": Level(0.33, 2, 1), "hard": Level(0.58, 6, 3)}
CALCULATION = 0.2  # seconds a level below perfect works out a move at the most
GLANCE = 20_000  # positions a level looks at to see the end: where there are more, it sees less far


def perfect(game: Game, rng: Random, think: float) -> int:
    """Proves its move when it can, and plays its strongest when it can't in time."""
    engine, clock = engine_for(game.variant), Clock(think)
    if game.swap_ahead:
        return first_of_a_swap(engine, game.position, clock, rng)
    if game.can_swap and should_swap(engine, game, clock, rng):
        return SWAP
    return choose(engine, game.position, clock, rng)


def easy(game: Game, rng: Random, think: float) -> int:
    """A friendly opponent for a first game."""
    return limited("easy", game, rng, think)


def medium(game: Game, rng: Random, think: float) -> int:
    """Somebody who has played before."""
    return limited("medium", game, rng, think)


def hard(game: Game, rng: Random, think: float) -> int:
    """Errs now and then."""
    return limited("hard", game, rng, think)


def limited(name: str, game: Game, rng: Random, think: float) -> int:
    """Plays like the perfect level with some care, and otherwise what feels right, unless it sees where that ends."""
    level = _levels(game.variant.shape)[name]
    if rng.random() < level.care:
        return perfect(game, rng, min(think, CALCULATION))
    variant, position = game.variant, game.position
    feeling = estimate(engine_for(variant), position, level.playouts, rng) if level.playouts else {}
    if game.can_swap and (not game.legal or max(feeling.values(), default=rng.random()) < 0.5):
        return SWAP
    cells = variant.legal_cells(position)
    rng.shuffle(cells)
    if game.swap_ahead:  # the better it is, the sooner it is taken over
        return min(cells, key=lambda cell: abs(feeling.get(cell, 0) - 0.5))
    sight = level.sight
    while len(cells) ** sight > GLANCE:
        sight -= 1
    ranks = (Verdict.LOSS, Verdict.UNKNOWN, Verdict.WIN)
    seen = {cell: ranks.index(foreseen(variant, position.after(cell), sight - 1).opposite) for cell in cells}
    return max(cells, key=lambda cell: (seen[cell], feeling.get(cell, -1)))


def _levels(shape: Shape | None) -> dict[str, Level]:
    """The levels for games of a shape."""
    if shape is None or shape.placing:
        return USUAL
    return WALKING if shape.pawn else PAIRING


def foreseen(variant: Variant, position: Position, plies: int) -> Verdict:
    """What becomes of the player to move, if the end is no more than so many plies away."""
    if plies < 0:
        return Verdict.UNKNOWN
    legal = variant.legal(position)
    if plies == 0 or not legal:
        return Verdict.UNKNOWN if legal else Verdict.LOSS
    verdict = Verdict.LOSS
    for cell in cells_of(legal):
        after = foreseen(variant, position.after(cell), plies - 1)
        if after is Verdict.LOSS:
            return Verdict.WIN
        if after is Verdict.UNKNOWN:
            verdict = Verdict.UNKNOWN
    return verdict
