"""Puzzles: positions with exactly one winning move, how they are made, and the replies to an answer."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, NamedTuple

from gridlock.core import rules
from gridlock.core.errors import BadBoard, BadGame
from gridlock.core.game import Game
from gridlock.core.grid import Cell, board_size
from gridlock.core.rulebook import RuleBook, Variant
from gridlock.core.shape import Follow, Shape
from gridlock.engine.analysis import Analysis, reason
from gridlock.engine.clock import Clock, Progress, cancellation
from gridlock.engine.engine import Engine, engine_for
from gridlock.engine.evidence import Verdict
from gridlock.engine.kernels.interface import CELLS

if TYPE_CHECKING:
    from random import Random

REFUTING = 2.0  # seconds to refute a wrong answer
FEWEST = 3  # legal moves that make a position of a game a puzzle
EXPLAINING = 1.0  # seconds for a line that shows the win


class Puzzle(NamedTuple):
    """A position with exactly one winning move, and the value of every move."""

    game: Game
    analysis: Analysis

    @property
    def answer(self) -> Cell:
        """The winning move."""
        return self.analysis.winning[0]

    @property
    def question(self) -> str:
        """The question to the player."""
        return question(self.game, len(self.analysis.values))

    def reply(self, cell: Cell | None, refuting: Cell | None = None) -> str:
        """Return the reply to an answer (None from a player who gives up), with the refutation once it is known."""
        name = self.game.variant.name
        if cell is None:
            return f"The answer is {name(self.answer)}."
        if cell == self.answer:
            return "Right!"
        return f"No: {name(cell)} loses{'' if refuting is None else f' to {name(refuting)}'}."

    def verdict(self, cell: Cell | None, refuting: Cell | None = None) -> str:
        """Return the reply to an answer, and why the winning move wins."""
        return f"{self.reply(cell, refuting)} {reason(self.analysis)}"

    def replies(self) -> dict[Cell | None, str]:
        """Return the replies to all answers, with the refutations that are found in time."""
        engine, clock = engine_for(self.game.variant), Clock(REFUTING)
        replies: dict[Cell | None, str] = {None: self.reply(None), self.answer: self.reply(self.answer)}
        for cell in (move.cell for move in self.analysis.values if move.cell != self.answer):
            replies[cell] = self.reply(cell, engine.weigh(self.game.position.after(cell), clock).best)
        return replies


def question(game: Game, choices: int) -> str:
    """Return the question to the player to move."""
    mark, turn = game.variant.book.mark, game.position.turn
    last = f" {mark(3 - turn)}'s last move: {game.variant.name(game.moves[-1])}." if game.moves else ""
    return f"{mark(turn)} is to move.{last} Only one of {choices} moves wins. Which?"


def refutation(game: Game, cell: Cell) -> Cell | None:
    """Return the move that refutes a wrong answer, or None if it is not found in time."""
    return engine_for(game.variant).weigh(game.position.after(cell), Clock(REFUTING)).best


def puzzles_from(game: Game, seconds: float) -> list[Puzzle]:
    """Return the positions of a game in which exactly one of several moves won, spending these seconds on each."""
    engine, found = engine_for(game.variant), []
    for ply in range(len(game.moves)):
        cancellation.check()
        then = game.at(ply)
        if then.passing or then.can_swap or then.swap_ahead or then.legal.bit_count() < FEWEST:
            continue
        analysis = engine.weigh(then.position, Clock(seconds))
        solved = all(move.verdict is not Verdict.UNKNOWN for move in analysis.values)
        if solved and len(analysis.winning) == 1:
            found.append(Puzzle(then, engine.explained(analysis, Clock(EXPLAINING))))
    return found


# -- making puzzles --------------------------------------------------------------------------------------------------


class Level(NamedTuple):
    """The difficulty of a puzzle."""

    board: str
    empty: tuple[int, int]  # the fewest and the most cells left
    moves: int  # the fewest legal moves
    distance: tuple[int, int]  # plies to the end
    full: bool = False  # whether games last until the board is full, so that a larger one leaves no more cells

    def on(self, rows: int, cols: int) -> Level:
        """Return this level on another board."""
        fewest, most = (empty * rows * cols // prod(board_size(self.board)) for empty in self.empty)
        most = min(most, self.empty[1]) if self.full else most
        return self._replace(board=f"{rows}x{cols}", empty=(min(fewest, self.empty[0]), most))


# Interesting positions in which the distance of every move takes only a moment to compute: usual, and hard.
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
PATIENCE = 5_000  # tries before two legal moves are enough and the distance no longer matters
TRIES = 4 * PATIENCE  # tries before making a puzzle fails
WORK = 50_000  # positions searched in each try


class Plan(NamedTuple):
    """A game on a board, and a level, to make puzzles of."""

    variant: Variant
    level: Level

    def make(
        self, seed: int | str, seconds: float, memory: int | None = None, progress: Progress | None = None
    ) -> Puzzle | None:
        """Make the puzzle for a seed; return None if none is found in time."""
        from random import Random

        engine = engine_for(self.variant) if memory is None else Engine(self.variant, memory)
        return make_puzzle(engine, Random(seed), self.level, Clock(seconds, progress))


def plan_for(book: RuleBook, hard: bool, board: str | None = None, adjacency: str | None = None) -> Plan:
    """Plan puzzles for a game, on a board that suits them unless one is given."""
    if book.shape is None:
        raise BadGame(f"there are no puzzles for {book.name}, because no shape describes it.")
    level = LEVELS.get(book.shape, USUAL)[hard]
    variant = rules.variant(book, board or level.board, adjacency)
    if variant.grid.size > CELLS:
        raise BadBoard(f"puzzles need a board of at most {CELLS} cells.")
    return Plan(variant, level.on(variant.grid.rows, variant.grid.cols) if board else level)


def books_with_puzzles() -> list[RuleBook]:
    """Return the games that have puzzles."""
    return [book for book in rules.RULE_BOOKS.values() if book.shape]


def make_puzzle(engine: Engine, rng: Random, level: Level, clock: Clock) -> Puzzle | None:
    """Play random games until exactly one move wins; return None if the time or the tries run out first."""
    shortest, longest = level.distance
    for tries in range(TRIES):
        clock(engine.nodes)
        if clock.expired:
            return None
        patient = tries <= PATIENCE
        game = _random_game(engine, rng, level, level.moves if patient else 2)
        if game is None:
            continue

        def stop(nodes: int, most: int = engine.distances.nodes + WORK) -> bool:
            return clock(nodes) or nodes > most  # a number of positions, so that the same seed makes the same puzzle

        distances = engine.distances.of_moves(game.position, stop)
        winning = [distance for distance in distances.values() if distance > 0]
        if len(winning) == 1 and (shortest <= winning[0] <= longest or not patient):
            return Puzzle(game, engine.analyse(game, Clock(), counting=None))
    return None


def _random_game(engine: Engine, rng: Random, level: Level, moves: int) -> Game | None:
    """Return a random game with the right number of empty cells, or None if it has ended or has too few moves."""
    game = Game(engine.variant)
    left = rng.randint(*level.empty)
    while game.legal and not game.passing:
        if game.moves and (engine.variant.grid.cells & ~game.position.taken).bit_count() <= left:
            return game if game.legal.bit_count() >= moves else None
        game.push(rng.choice(engine.variant.legal_cells(game.position)))
    return None
