"""Puzzles made on the spot: positions with exactly one winning move."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from gridlock.engine.analysis import Analysis
from gridlock.engine.clock import Clock
from gridlock.engine.engine import Engine
from gridlock.game import Game

if TYPE_CHECKING:
    from random import Random


class Level(NamedTuple):
    """What a puzzle is made of."""

    board: str
    empty: tuple[int, int]  # the fewest and the most cells left
    moves: int  # at least so many to choose from
    distance: tuple[int, int]  # plies to the end


# Positions worth thinking about, of which every move can be counted out in a moment: usual, and hard.
LEVELS = {
    "keepaway": (Level("4x4", (5, 8), 3, (3, 5)), Level("4x5", (5, 8), 3, (5, 99))),
    "chain": (Level("5x5", (9, 18), 2, (3, 7)), Level("6x7", (16, 34), 2, (9, 99))),
    "scatter": (Level("4x5", (8, 16), 3, (3, 7)), Level("5x5", (10, 20), 5, (7, 99))),
    "trails": (Level("5x5", (8, 18), 2, (3, 7)), Level("6x6", (14, 30), 2, (11, 99))),
    "showdown": (Level("4x5", (8, 16), 4, (3, 7)), Level("6x6", (14, 30), 6, (9, 99))),
}
PATIENCE = 5_000  # positions tried before the distance no longer matters


def make_puzzle(engine: Engine, rng: Random, level: Level) -> tuple[Game, Analysis]:
    """Play at random until exactly one move wins. No clock is asked, so the same seed makes the same puzzle."""
    shortest, longest = level.distance
    for tries in count():
        game = _random_game(engine, rng, level)
        if game is None:
            continue
        distances = engine.distances(game.position, Clock(None), None)
        winning = [distance for distance in distances.values() if distance > 0]
        if len(winning) == 1 and (shortest <= winning[0] <= longest or tries > PATIENCE):
            return game, engine.analyse(game.position)
    raise AssertionError("the count goes on")


def _random_game(engine: Engine, rng: Random, level: Level) -> Game | None:
    """A game with the right number of cells left, unless it ended before that or leaves too little choice."""
    game = Game(engine.variant)
    left = rng.randint(*level.empty)
    while game.legal and not game.passing:
        if (engine.variant.grid.cells & ~game.position.taken).bit_count() <= left:
            return game if game.legal.bit_count() >= level.moves else None
        game.play(rng.choice(engine.variant.moves(game.position)))
    return None
