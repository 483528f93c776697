"""How puzzles are made: random games, until a position makes a puzzle of the wanted difficulty."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, NamedTuple

from gridlock.core import rules
from gridlock.core.errors import BadBoard, BadGame
from gridlock.core.game import Game
from gridlock.core.grid import Adjacency, board_size
from gridlock.core.rulebook import RuleBook, Variant
from gridlock.core.shape import Follow, Shape
from gridlock.engine.clock import Clock, Progress
from gridlock.engine.engine import Engine, engine_for
from gridlock.engine.kernels.interface import CELLS
from gridlock.play.puzzles import Puzzle, Solution, solution

if TYPE_CHECKING:
    from random import Random

PATIENCE = 5_000  # tries before two legal moves are enough and the difficulty no longer matters
TRIES = 4 * PATIENCE  # tries before making a puzzle fails
WORK = 50_000  # positions searched in each try


class Level(NamedTuple):
    """A board that yields puzzles, and how full it is when they begin."""

    board: str
    empty: tuple[int, int]  # the fewest and the most cells left
    adjacency: Adjacency | None = None  # the game's own, unless it leaves too few moves to choose from
    full: bool = False  # whether games last until the board is full, so that a larger one leaves no more cells
    unique: bool = True  # whether exactly one move must win; otherwise at most half of them

    def on(self, rows: int, cols: int) -> Level:
        """Return this level on another board."""
        fewest, most = (empty * rows * cols // prod(board_size(self.board)) for empty in self.empty)
        most = min(most, self.empty[1]) if self.full else most
        return self._replace(board=f"{rows}x{cols}", empty=(min(fewest, self.empty[0]), most))


# Boards on which counting the moves to the end takes only a moment. Where a marker may not go next to the last one, a
# single winning move out of six or more always wins at once: any other win leaves several, because the cells pair up.
# For each game: boards for difficulty 1, for 2 and 3, and for 4 and 5.
LEVELS: dict[Shape, tuple[Level, Level, Level]] = {
    Shape(follows=Follow.AWAY): (Level("4x4", (6, 12), full=True, unique=False),) * 3,
    Shape(follows=Follow.NEAR): (
        Level("4x6", (10, 18), Adjacency.KING),
        Level("4x8", (14, 26), Adjacency.KING),
        Level("4x8", (14, 26), Adjacency.KING),
    ),
    Shape(closes_own=True): (Level("4x5", (8, 16)), Level("5x5", (10, 22)), Level("5x6", (14, 26))),
    Shape(follows=Follow.NEAR, pawn=True): (
        Level("5x5", (8, 14), Adjacency.KING),
        Level("5x5", (8, 16), Adjacency.KING),
        Level("5x5", (12, 21), Adjacency.KING),
    ),
    Shape(closes_other=True): (Level("4x5", (8, 16)), Level("5x5", (10, 20)), Level("6x6", (16, 30))),
}
USUAL = (Level("4x5", (6, 16)), Level("5x5", (6, 20)), Level("6x6", (10, 30)))
SERIES_MOVES = 3  # the fewest legal moves of a puzzle in a series


class Plan(NamedTuple):
    """A game on a board, and a difficulty, to make puzzles of."""

    variant: Variant
    level: Level
    difficulty: int

    def make(
        self, seed: int | str, seconds: float, memory: int | None = None, progress: Progress | None = None
    ) -> Puzzle | None:
        """Make the puzzle for a seed; return None if none is found in time."""
        from random import Random

        engine = engine_for(self.variant) if memory is None else Engine(self.variant, memory)
        return make_puzzle(engine, Random(seed), self.level, self.difficulty, Clock(seconds, progress))


def plan_for(book: RuleBook, difficulty: int, board: str | None = None, adjacency: str | None = None) -> Plan:
    """Plan puzzles for a game, on a board that suits them unless one is given."""
    if book.shape is None:
        raise BadGame(f"there are no puzzles for {book.name}, because no shape describes it.")
    level = LEVELS.get(book.shape, USUAL)[difficulty // 2]
    own = None if board else level.adjacency
    variant = rules.variant(book, board or level.board, adjacency or own)
    if variant.grid.size > CELLS:
        raise BadBoard(f"puzzles need a board of at most {CELLS} cells.")
    return Plan(variant, level.on(variant.grid.rows, variant.grid.cols) if board else level, difficulty)


def books_with_puzzles() -> list[RuleBook]:
    """Return the games that have puzzles."""
    return [book for book in rules.RULE_BOOKS.values() if book.shape]


def make_puzzle(engine: Engine, rng: Random, level: Level, difficulty: int, clock: Clock) -> Puzzle | None:
    """Make a puzzle of a difficulty or, if that takes too long, the nearest one; None if the time runs out first."""
    nearest: Puzzle | None = None
    for tries in range(TRIES):
        clock(engine.nodes)
        if clock.expired or (nearest and tries >= PATIENCE):
            break
        found = candidate(engine, rng, level, SERIES_MOVES if tries < PATIENCE else 2, clock)
        if found and (nearest is None or _gap(found[0], difficulty) < _gap(nearest, difficulty)):
            nearest = found[0]
            if nearest.difficulty == difficulty:
                break
    return nearest


def _gap(puzzle: Puzzle, difficulty: int) -> int:
    return abs(puzzle.difficulty - difficulty)


def candidate(engine: Engine, rng: Random, level: Level, moves: int, clock: Clock) -> tuple[Puzzle, Solution] | None:
    """Return the puzzle at the end of one random game, and its solution; None if there is none."""
    game = _random_game(engine.variant, rng, level, moves)
    if game is None:
        return None
    most = engine.distances.nodes + WORK

    def stop(nodes: int) -> bool:
        return clock(nodes) or nodes > most  # a number of positions, so that the same seed makes the same puzzle

    proof = engine.prove(game.position, stop)
    if proof and proof.complete:  # saves counting
        winning = tuple(proof.winning)
    else:
        distances = engine.distances.of_moves(game.position, stop)
        winning = tuple(cell for cell, distance in distances.items() if distance > 0)
    wins = len(winning)
    if not (wins == 1 if level.unique else 0 < wins <= game.legal.bit_count() // 2):
        return None
    solved = solution(engine, game.position, stop)
    if solved is None or solved.steps[0].distance == 1:
        return None
    return Puzzle(game, winning, solved.difficulty), solved


def _random_game(variant: Variant, rng: Random, level: Level, moves: int) -> Game | None:
    """Return a random game with the right number of empty cells, or None if it has ended or has too few moves."""
    game = Game(variant)
    left = rng.randint(*level.empty)
    while game.legal and not game.passing:
        if game.moves and (variant.grid.cells & ~game.position.taken).bit_count() <= left:
            return game if game.legal.bit_count() >= moves else None
        game.push(rng.choice(variant.legal_cells(game.position)))
    return None
