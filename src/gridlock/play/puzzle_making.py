"""Make puzzles: play random games until a position is a puzzle of the requested kind and difficulty.

Puzzles of the kind `trap` are rare, so they are read from a file, unless a board or an adjacency is given.
"""

from __future__ import annotations

from functools import cache
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from gridlock.core import rules
from gridlock.core.errors import BadBoard, BadGame
from gridlock.core.game import Game
from gridlock.core.grid import Adjacency, Cell, board_size
from gridlock.core.rulebook import RuleBook, Variant
from gridlock.core.shape import Follow, Shape
from gridlock.engine.clock import Clock, Progress
from gridlock.engine.engine import Engine, engine_for
from gridlock.engine.kernels.interface import CELLS
from gridlock.engine.mirror import symmetries
from gridlock.engine.regions import open_cells, regions
from gridlock.play.heat import HOT
from gridlock.play.puzzles import Kind, Puzzle, Solution, solution
from gridlock.play.region_puzzles import hottest_puzzle, hottest_region, is_trap

if TYPE_CHECKING:
    from random import Random

PATIENCE = 5_000  # tries before a puzzle with two legal moves, or of any difficulty, is accepted
TRIES = 4 * PATIENCE  # tries before giving up on making a puzzle
WORK = 50_000  # the most positions searched in each try
RARE = 20  # a trap gets this many times as many tries
OPEN = 18  # the most open cells in a puzzle about regions, so that valuing the regions takes only a moment
TRAPS = Path(__file__).with_name("traps.txt")  # one line per trap, written by bench/traps.py
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"  # one for each cell of a board


class Level(NamedTuple):
    """A board for puzzles, and how full it is when a puzzle begins."""

    board: str
    empty: tuple[int, int]  # the fewest and the most empty cells
    adjacency: Adjacency | None = None  # set only if the game's own adjacency leaves too few moves
    full: bool = False  # whether games last until the board is full, so that a larger board needs no more empty cells
    unique: bool = True  # whether exactly one move must win; otherwise, at most half of the moves may win

    def on(self, rows: int, cols: int) -> Level:
        """Return this level, adapted to another board size."""
        fewest, most = (empty * rows * cols // prod(board_size(self.board)) for empty in self.empty)
        most = min(most, self.empty[1]) if self.full else most
        return self._replace(board=f"{rows}x{cols}", empty=(min(fewest, self.empty[0]), most))


# Boards on which counting the moves to the end takes only a moment: for each game, the boards for difficulty 1, for 2
# and 3, and for 4 and 5. In games with Follow.AWAY, if there are six or more moves and only one of them wins, that move
# always wins at once. (If no move wins at once, the cells can be paired, and then several moves win.)
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
# Boards for puzzles about regions. With king adjacency, trap puzzles (where no move in the hottest region wins) would
# be too rare.
HOT_LEVELS = (
    Level("4x5", (6, 14), Adjacency.ORTHOGONAL),
    Level("5x5", (8, 17), Adjacency.ORTHOGONAL),
    Level("6x6", (11, 25), Adjacency.ORTHOGONAL),
)
SERIES_MOVES = 3  # the fewest legal moves in a puzzle of a series


class Plan(NamedTuple):
    """A plan for making puzzles: a game on a board, the difficulty, and the kind of puzzle."""

    variant: Variant
    level: Level
    difficulty: int
    kind: Kind = Kind.WIN
    stored: bool = False  # whether puzzles for this plan come from the file

    def make(
        self, seed: int | str, seconds: float, memory: int | None = None, progress: Progress | None = None
    ) -> Puzzle | None:
        """Make the puzzle for a seed; return None if no puzzle is found in time."""
        from random import Random

        if self.stored:
            return stored_trap(self.variant.book, self.difficulty, Random(seed))
        engine = engine_for(self.variant) if memory is None else Engine(self.variant, memory)
        return make_puzzle(engine, Random(seed), self.level, self.difficulty, Clock(seconds, progress), self.kind)


def plan_for(
    book: RuleBook,
    difficulty: int,
    board: str | None = None,
    adjacency: str | None = None,
    kind: Kind = Kind.WIN,
) -> Plan:
    """Plan puzzles for a game, on the given board or on a board that suits the difficulty."""
    if book.shape is None:
        raise BadGame(f"there are no puzzles for {book.name}, because no shape describes it.")
    if not has_puzzles(book, kind):
        hot = ", ".join(one.name for one in books_with_puzzles(kind))
        raise BadGame(f"there are no puzzles of the kind {kind} for {book.name}, only for {hot}.")
    level = (LEVELS.get(book.shape, USUAL) if kind is Kind.WIN else HOT_LEVELS)[difficulty // 2]
    own = None if board else level.adjacency
    variant = rules.variant(book, board or level.board, adjacency or own)
    if variant.grid.size > CELLS:
        raise BadBoard(f"puzzles need a board of at most {CELLS} cells.")
    stored = kind is Kind.TRAP and not board and not adjacency
    size = variant.grid.rows, variant.grid.cols
    return Plan(variant, level.on(*size) if board else level, difficulty, kind, stored)


def books_with_puzzles(kind: Kind = Kind.WIN) -> list[RuleBook]:
    """Return the games that have puzzles of the given kind."""
    return [book for book in rules.RULE_BOOKS.values() if has_puzzles(book, kind)]


def has_puzzles(book: RuleBook, kind: Kind) -> bool:
    """Return whether a game has puzzles of a given kind; only games with hot positions have puzzles about regions."""
    return book.shape is not None and (kind is Kind.WIN or book.shape == HOT)


def make_puzzle(
    engine: Engine, rng: Random, level: Level, difficulty: int, clock: Clock, kind: Kind = Kind.WIN
) -> Puzzle | None:
    """Make a puzzle whose difficulty is as close as possible to the given one.

    Return None if time runs out before any puzzle is found.
    """
    nearest: Puzzle | None = None
    rare = RARE if kind is Kind.TRAP else 1
    for tries in range(TRIES * rare):
        clock(engine.nodes)
        if clock.expired or (nearest and tries >= PATIENCE * rare):
            break
        found = attempt(engine, rng, level, SERIES_MOVES if tries < PATIENCE * rare else 2, clock, kind)
        if found and (nearest is None or _gap(found, difficulty) < _gap(nearest, difficulty)):
            nearest = found
            if nearest.difficulty == difficulty:
                break
    return nearest


def _gap(puzzle: Puzzle, difficulty: int) -> int:
    return abs(puzzle.difficulty - difficulty)


def attempt(engine: Engine, rng: Random, level: Level, moves: int, clock: Clock, kind: Kind) -> Puzzle | None:
    """Play random moves, and return the resulting position as a puzzle of the given kind.

    Return None if the position is unsuitable.
    """
    if kind is Kind.WIN:
        found = candidate(engine, rng, level, moves, clock)
        return found[0] if found else None
    game = _random_game(engine.variant, rng, level, moves)
    if game is None:
        return None
    ones, twos = open_cells(game.variant, game.position)
    if (ones | twos).bit_count() > OPEN:
        return None
    valued = regions(game.variant, game.position, Clock())  # no time limit, so that a seed always makes the same puzzle
    if kind is Kind.HOTTEST:
        return hottest_puzzle(game, valued)
    solved = _solved(engine, game, level, clock) if hottest_region(valued) else None
    return solved[0]._replace(kind=kind) if solved and is_trap(valued, solved[0].winning) else None


def candidate(engine: Engine, rng: Random, level: Level, moves: int, clock: Clock) -> tuple[Puzzle, Solution] | None:
    """Play random moves, and return the resulting position as a puzzle, with the solution.

    Return None if the position is unsuitable.
    """
    game = _random_game(engine.variant, rng, level, moves)
    return None if game is None else _solved(engine, game, level, clock)


def _solved(engine: Engine, game: Game, level: Level, clock: Clock) -> tuple[Puzzle, Solution] | None:
    """Turn a position into a puzzle with its solution; return None if the position does not suit the level."""
    most = engine.distances.nodes + WORK

    def stop(nodes: int) -> bool:
        return clock(nodes) or nodes > most  # positions, not seconds, so that a seed always makes the same puzzle

    proof = engine.prove(game.position, stop)
    if proof and proof.complete:  # no need to count moves
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
    """Play random moves until the number of empty cells suits the puzzle's level, and return the game.

    Return None if a player runs out of moves before enough cells are filled, or if the final position has fewer than
    `moves` legal moves.
    """
    game = Game(variant)
    left = rng.randint(*level.empty)
    while game.legal and not game.passing:
        if game.moves and (variant.grid.cells & ~game.position.taken).bit_count() <= left:
            return game if game.legal.bit_count() >= moves else None
        game.push(rng.choice(variant.legal_cells(game.position)))
    return None


# -- traps ------------------------------------------------------------------------------------------------------------


def stored_trap(book: RuleBook, difficulty: int, rng: Random) -> Puzzle:
    """Return a random trap from the file, with its board rotated or reflected at random."""
    board, winning, moves = rng.choice(_traps()[difficulty])
    variant = rules.variant(book, board, HOT_LEVELS[0].adjacency)
    return trap_image(variant, rng.choice(symmetries(variant.grid)), winning, moves, difficulty)


def trap_image(variant: Variant, image: tuple[Cell, ...], winning: str, moves: str, difficulty: int) -> Puzzle:
    """Return a trap from the file as a puzzle, with its board rotated or reflected."""
    game = Game(variant)
    for move in moves:
        game.push(image[DIGITS.index(move)])
    return Puzzle(game, (image[DIGITS.index(winning)],), difficulty, Kind.TRAP)


@cache
def _traps() -> dict[int, list[tuple[str, str, str]]]:
    """Return the traps of each difficulty; a trap consists of a board, a winning move, and the moves before it."""
    found: dict[int, list[tuple[str, str, str]]] = {}
    for line in TRAPS.read_text(encoding="ascii").splitlines():
        difficulty, board, winning, moves = line.split()
        found.setdefault(int(difficulty), []).append((board, winning, moves))
    return found
