"""The plan for a dataset, and the units of work into which it is divided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from gridlock import __version__
from gridlock.core.definition import definition_of
from gridlock.core.errors import BadBoard, BadGame
from gridlock.core.grid import Adjacency, Grid, board_size
from gridlock.core.rulebook import RuleBook, Variant

FORMATS = ("parquet", "npz")
TRAIN, VALIDATION, TEST, HELD_OUT = SPLITS = ("train", "validation", "test", "heldout")
MOST_POSITIONS = 100_000_000  # per board
UNIT_POSITIONS = 10_000  # positions per unit if a pairing decides them
UNIT_SEARCHED = 1_000  # positions per unit if they may need a search
UNIT_CELLS, SHARD_CELLS = 4_000_000, 64_000_000  # the most cells in a unit and in a shard, which must fit into memory


@dataclass(frozen=True)
class Plan:
    """A dataset: its game, boards and size, and everything else that determines its bytes."""

    book: RuleBook
    boards: tuple[str, ...] = ()  # if empty, the game's own board
    held_out: tuple[str, ...] = ()  # boards whose positions are all in a separate split
    adjacency: str | None = None
    positions: int = 100_000  # positions per board
    form: str = "parquet"
    seed: int = 1
    shard: int = 100_000  # the most positions per file
    distances: bool = False
    nodes: int = 200_000  # the most positions that the search for one label may visit

    def __post_init__(self) -> None:
        book = self.book
        if definition_of(book) is None:
            raise BadGame(
                f"Datasets support only games that a game file can define. {book.name} cannot be defined in a "
                f"file, perhaps because {book.name} has its own rule functions."
            )
        for name, value, most in (("positions", self.positions, MOST_POSITIONS), ("shard", self.shard, MOST_POSITIONS)):
            if not 1 <= value <= most:
                raise BadGame(f"A dataset's {name} must be between 1 and {most:,}, not {value:,}.")
        if self.nodes < 1 or self.form not in FORMATS:
            raise BadGame(f"A dataset needs a search of at least 1 position, and a format: {' or '.join(FORMATS)}.")
        boards = self.boards or ("{}x{}".format(*book.board),)
        object.__setattr__(self, "adjacency", str(Adjacency(self.adjacency or book.adjacency)))
        object.__setattr__(self, "boards", tuple("{}x{}".format(*board_size(one)) for one in boards))
        object.__setattr__(self, "held_out", tuple("{}x{}".format(*board_size(one)) for one in self.held_out))
        self._check_boards()

    def _check_boards(self) -> None:
        seen: dict[tuple[int, ...], str] = {}
        for board in self.every_board:
            sides = tuple(sorted(board_size(board)))
            if sides in seen:
                same = f"{board} twice" if seen[sides] == board else f"both {seen[sides]} and {board}, its rotation"
                raise BadBoard(
                    f"A dataset cannot have {same}: its splits would share positions. List each board only once."
                )
            seen[sides] = board
            variant = self.variant(board)
            if not variant.legal(variant.start()):
                raise BadBoard(f"{self.book.name} on {board} is over before the first move: choose a larger board.")

    @property
    def every_board(self) -> tuple[str, ...]:
        """All boards, with held-out boards last."""
        return *self.boards, *self.held_out

    def variant(self, board: str) -> Variant:
        """Return the variant that combines the plan's game with the given board."""
        return Variant(self.book, Grid(*board_size(board), Adjacency(self.adjacency or self.book.adjacency)))

    def shard_rows(self, board: str) -> int:
        """Return how many of a board's positions a file may contain; the limit is lower for large boards."""
        return max(1, min(self.shard, SHARD_CELLS // self.variant(board).grid.size))

    def task(self) -> dict[str, Any]:
        """Return, as JSON, everything that determines the dataset's bytes; equal tasks give identical files."""
        return {
            "version": __version__,
            "game": self.book.name,
            "definition": definition_of(self.book),
            "boards": list(self.boards),
            "held_out": list(self.held_out),
            "adjacency": self.adjacency,
            "positions": self.positions,
            "format": self.form,
            "seed": self.seed,
            "shard": self.shard,
            "distances": self.distances,
            "nodes": self.nodes,
        }

    def unit(self, board: str, number: int) -> Unit:
        """Return a board's unit of work, given its number, counted from 0."""
        variant, shape = self.variant(board), self.book.shape
        quick = shape is not None and shape.geography and not self.distances
        most = max(1, min(UNIT_POSITIONS if quick else UNIT_SEARCHED, UNIT_CELLS // variant.grid.size))
        seed = f"{self.seed} {board} {number}"
        return Unit(variant, seed, min(most, self.positions), self.nodes, self.distances)


class Unit(NamedTuple):
    """A unit of work: games played on one board, from one seed, until enough different positions are collected."""

    variant: Variant
    seed: str
    positions: int
    nodes: int
    distances: bool
