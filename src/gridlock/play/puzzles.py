"""Puzzles made on the spot: positions with exactly one winning move."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from gridlock.core.game import Game
from gridlock.core.grid import board_size
from gridlock.core.shape import Follow, Shape
from gridlock.engine.analysis import Analysis
from gridlock.engine.clock import Clock
from gridlock.engine.engine import Engine

if TYPE_CHECKING:
    from random import Random


class Level(NamedTuple):
    """What a puzzle is made of."""

    board: str
    empty: tuple[int, int]  # the fewest and the most cells left
    moves: int  # at least so many to choose from
    distance: tuple[int, int]  # plies to the end
    full: bool = False  # games go on until the board is full, so that a larger one leaves no more cells

    def on(self, rows: int, cols: int) -> Level:
        """The same on another board."""
        fewest, most = (empty * rows * cols // _cells(self.board) for empty in self.empty)
        most = min(most, self.empty[1]) if self.full else most
        return self._replace(board=f"{rows}x{cols}", empty=(min(fewest, self.empty[0]), most))


def _cells(board: str) -> int:
    rows, cols = board_size(board)
    return rows * cols


# Positions worth thinking about, of which every move can be counted out in a moment: usual, and hard.
LEVELS: dict[Shape, tuple[Level, Level]] = {
    Shape(follows=Follow.AWAY): (
        Level("4x4", (5, 8), 3, (3, 5), full=True),
        Level("4x5", (5, 8), 3, (5, 99), full=True),
    ),
    Shape(follows=Follow.NEAR): (Level("5x5", (9, 18), 2, (3, 7)), Level("6x7", (16, 34), 2, (9, 99))),
    Shape(closes_own=True): (Level("4x5", (8, 16), 3, (3, 7)), Level("5x5", (10, 20), 5, (7, 99))),
    Shape(follows=Follow.NEAR, pawn=True): (Level("5x5", (8, 18), 2, (3, 7)), Level("6x6", (14, 30), 2, (11, 99))),
    Shape(closes_other=True): (Level("4x5", (8, 16), 4, (3, 7)), Level("6x6", (14, 30), 6, (9, 99))),
}
USUAL = Level("5x5", (6, 20), 2, (3, 7)), Level("6x6", (10, 30), 3, (5, 99))
PATIENCE = 5_000  # positions tried before two moves to choose from are enough, and the distance no longer matters
TRIES = 4 * PATIENCE  # positions tried before there is no puzzle
WORK = 50_000  # positions searched before another one is tried


def level_for(shape: Shape, hard: bool) -> Level:
    """What puzzles of a shape are made of."""
    return LEVELS.get(shape, USUAL)[hard]


class _Patience:
    """Also stops a clock after so many positions: unlike the time, they are the same whenever the seed is."""

    def __init__(self, clock: Clock, work: int) -> None:
        self.clock, self.work = clock, work

    def __call__(self, nodes: int) -> bool:
        return self.clock(nodes) or nodes > self.work


def make_puzzle(engine: Engine, rng: Random, level: Level, clock: Clock) -> tuple[Game, Analysis] | None:
    """Play at random until exactly one move wins; None if that does not come about in the time, or at all."""
    shortest, longest = level.distance
    for tries in range(TRIES):
        clock(engine.nodes)
        if clock.expired:
            return None
        patient = tries <= PATIENCE
        game = _random_game(engine, rng, level, level.moves if patient else 2)
        if game is None:
            continue
        distances = engine.distances.of_moves(game.position, _Patience(clock, engine.distances.nodes + WORK))
        winning = [distance for distance in distances.values() if distance > 0]
        if len(winning) == 1 and (shortest <= winning[0] <= longest or not patient):
            return game, engine.analyse(game, Clock(), counting=None)
    return None


def _random_game(engine: Engine, rng: Random, level: Level, moves: int) -> Game | None:
    """A game with the right number of cells left, unless it ended before that or leaves too little choice."""
    game = Game(engine.variant)
    left = rng.randint(*level.empty)
    while game.legal and not game.passing:
        if game.moves and (engine.variant.grid.cells & ~game.position.taken).bit_count() <= left:
            return game if game.legal.bit_count() >= moves else None
        game.push(rng.choice(engine.variant.legal_cells(game.position)))
    return None
