"""What kernels are to the rest of the engine: how they are made, what they answer, and which takes which shape.

Nothing here loads a kernel until one is asked for.
"""

from collections.abc import Callable
from enum import IntEnum
from importlib import import_module
from typing import NamedTuple, Protocol, cast

from gridlock.core.grid import Bitboard, Cell, Grid
from gridlock.core.shape import Follow, Shape

CELLS = 128  # the largest board that a kernel takes
STUCK = 1000  # a win is worth STUCK - its distance in plies, a loss as much as that below zero
NO_HEAD = -1  # what a kernel is told where there is no marker to follow

Tick = Callable[[int], bool]  # told how many positions were searched; true means stop


class Answer(IntEnum):
    """What a kernel says of the player to move."""

    STOPPED = -1
    LOSS = 0
    WIN = 1


class WinLossKernel(Protocol):
    """Who wins. A state is the cells open to either side, or with pawns, the free cells and where the pawns are."""

    journal: list[tuple[int, ...]]  # what took much work, each entry as learn() takes it
    journal_work: int  # the least work that puts a position into the journal; 0 for none

    @property
    def nodes(self) -> int:
        """Positions searched so far."""

    def solve(self, *state_and_tick: int | Tick) -> int:
        """An Answer about a state, which is followed by a tick."""

    def learn(self, *entry: int) -> None:
        """Take over an entry of a journal."""


class DistanceKernel(Protocol):
    """Who wins, and how soon."""

    @property
    def nodes(self) -> int:
        """Positions searched so far."""

    def solve(
        self, mine: Bitboard, theirs: Bitboard, my_head: Cell, their_head: Cell, low: int, high: int, tick: Tick
    ) -> int:
        """The score for the player to move; at most `low` or at least `high` says no more than that; 0: stopped."""

    def all_moves(
        self, mine: Bitboard, theirs: Bitboard, my_head: Cell, their_head: Cell, tick: Tick
    ) -> list[tuple[Cell, int]] | None:
        """Every legal move with its score for the player who makes it, or None if stopped."""


class RandomGames(Protocol):
    """Games played to the end by random moves."""

    def run(
        self, mine: Bitboard, theirs: Bitboard, my_head: Cell, their_head: Cell, games: int, seed: int
    ) -> tuple[int, int]:
        """How many of so many games the player to move won, and how many moves they took."""

    def move_wins(
        self, mine: Bitboard, theirs: Bitboard, my_head: Cell, their_head: Cell, games_per_move: int, seed: int
    ) -> list[tuple[Cell, int]]:
        """For every legal move, how many of so many games it won for the player who made it."""


class Tree(Protocol):
    """A search for promising moves where nothing can be proved."""

    def search(
        self, mine: Bitboard, theirs: Bitboard, my_head: Cell, their_head: Cell, simulations: int, tick: Tick
    ) -> list[tuple[Cell, int, int, float]]:
        """Every legal move: how often it was looked at, whether proved to win (1) or lose (-1), how likely to win."""


class WinLoss(NamedTuple):
    """A kernel that says who wins: how it is made (from a board, memory in bytes, techniques), and its techniques."""

    make: Callable[[Grid, int, int], WinLossKernel]
    techniques: dict[str, int]  # each is a bit

    @property
    def everything(self) -> int:
        """All techniques."""
        return sum(self.techniques.values())

    @property
    def without_mirrors(self) -> int:
        """All techniques but the one that decides positions by symmetry."""
        return self.everything & ~self.techniques["MIRROR"]


WIN_LOSS = {  # the shapes for which there is such a kernel
    Shape(closes_other=True): ("snort_kernel", "SnortSearch"),
    Shape(closes_own=True): ("col_kernel", "ColSearch"),
    Shape(follows=Follow.NEAR, pawn=True): ("tron_kernel", "TronSearch"),
}


def _load(module: str, name: str) -> tuple[object, object]:
    loaded = import_module(f"{__package__}.{module}")
    return loaded, getattr(loaded, name)


def win_loss(shape: Shape | None) -> WinLoss | None:
    """The kernel that says who wins games of a shape, if there is one."""
    if shape not in WIN_LOSS:
        return None
    module, make = _load(*WIN_LOSS[shape])
    return WinLoss(
        cast(Callable[[Grid, int, int], WinLossKernel], make), cast(dict[str, int], vars(module)["TECHNIQUES"])
    )


def distances(shape: Shape, grid: Grid, memory: int) -> DistanceKernel:
    """A search for distances in games of a shape on a board; there is one for every shape."""
    kernel = ("placing_kernel", "PlacingDistances") if shape.placing else ("walking_kernel", "WalkingDistances")
    make = cast(Callable[[Shape, Grid, int], DistanceKernel], _load(*kernel)[1])
    return make(shape, grid, memory)


def random_games(shape: Shape, grid: Grid) -> RandomGames:
    """Random games of a shape on a board."""
    make = cast(Callable[[Shape, Grid], RandomGames], _load("playout_kernel", "Playouts")[1])
    return make(shape, grid)


def tree(shape: Shape, grid: Grid, memory: int) -> Tree | None:
    """A search for promising moves in games of a shape on a board, if cells tell there who is ahead."""
    module, make = _load("tree_kernel", "TreeSearch")
    return (
        cast(Callable[[Shape, Grid, int], Tree], make)(shape, grid, memory)
        if shape in vars(module)["TELLING"]
        else None
    )
