"""The temperatures of a game's positions, and the mistakes that a player made by moving in a cooler region."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from gridlock.core.game import Game
from gridlock.core.grid import Cell
from gridlock.core.rulebook import Variant
from gridlock.core.shape import Shape
from gridlock.engine.clock import Clock, Progress, cancellation
from gridlock.engine.regions import Regions, regions
from gridlock.play.region_words import amount

HOT = Shape(closes_other=True)  # the games in which moving first in a region can gain something
LONGEST = 0.5  # the most seconds to spend on a position


def can_be_hot(variant: Variant) -> bool:
    """Return whether moving first in a region can gain anything in this game."""
    return variant.shape == HOT


def heated(game: Game, seconds: float, progress: Progress | None = None) -> dict[int, Regions]:
    """Return the regions after each move of a game, working backwards until a position cannot be solved.

    Earlier positions are harder to solve, but the results for later positions help to solve the earlier ones.
    """
    found: dict[int, Regions] = {}
    if not can_be_hot(game.variant):
        return found
    for ply in range(len(game.moves), -1, -1):
        cancellation.check()
        position = game.positions[ply]
        here = regions(game.variant, position, Clock(min(seconds, LONGEST), progress))
        if any(region.temperature is None for region in here.regions):
            break
        found[ply] = here
    return found


def temperature_of(found: Regions) -> Fraction:
    """Return the temperature of the hottest region, or 0 if no region is hot."""
    return max([Fraction(0), *(region.temperature for region in found.regions if region.temperature is not None)])


def temperatures(found: Mapping[int, Regions], count: int) -> list[Fraction | None]:
    """Return the temperature at the start and after each move, with None for unknown temperatures."""
    return [temperature_of(found[ply]) if ply in found else None for ply in range(count + 1)]


def left_words(found: Regions, played: Cell, better: Sequence[Cell]) -> str:
    """Return a note if the player overlooked a better move in the hottest region, or an empty string otherwise."""
    top = temperature_of(found)
    hottest = [region for region in found.regions if region.temperature == top]
    here = next((region for region in found.regions if region.cells >> played & 1), None)
    cooler = Fraction(-1) if here is None or here.temperature is None else here.temperature
    if (
        top <= 0
        or cooler >= top
        or not any(region.cells >> cell & 1 for region in hottest for cell in better if cell >= 0)
    ):
        return ""
    instead = "a free move" if here is None else f"one of {amount(cooler)}" if cooler > 0 else "a cold one"
    return f"It left a region of temperature {amount(top)} for {instead}."
