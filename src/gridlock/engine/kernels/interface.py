"""The kernels' interface: what they answer, how to make them, and which one takes which shape.

No kernel is loaded before it is needed.
"""

from collections.abc import Callable
from enum import IntEnum
from importlib import import_module
from typing import Any, NamedTuple, Protocol

from gridlock.core.grid import Bitboard, Cell, Grid
from gridlock.core.position import Position
from gridlock.core.shape import Follow, Shape

CELLS = 128  # the largest board that a kernel takes
STUCK = 1000  # a win is worth STUCK - its distance in plies, a loss as much as that below zero
NO_HEAD = -1  # the head if there is no marker to follow

Tick = Callable[[int], bool]  # takes the number of positions searched so far, and returns whether to stop


def state_of(position: Position) -> tuple[Bitboard, Bitboard, Cell, Cell]:
    """Return a position as kernels take it."""
    mine, theirs, my_head, their_head, _ = position
    return mine, theirs, NO_HEAD if my_head is None else my_head, NO_HEAD if their_head is None else their_head


class KernelAnswer(IntEnum):
    """The verdict of a kernel on the player to move."""

    STOPPED = -1
    LOSS = 0
    WIN = 1


class WinLossKernel(Protocol):
    """A search that decides who wins."""

    journal: list[tuple[int, ...]]  # results that took much work, as learn() takes them
    journal_work: int  # the least work that puts a position into the journal; 0 for none

    @property
    def nodes(self) -> int:
        """Positions searched so far."""

    def learn(self, one: int, two: int, three: int, result: int, /) -> None:
        """Load a journal entry: the three numbers of a state, and who wins it."""

    def solve(self, *args: Any, **kwargs: Any) -> int:
        """Return a KernelAnswer for a state and a tick.

        The state is the cells open to the player to move and those open to the opponent or, if each side moves a pawn,
        the free cells and the cells of the two pawns.
        """


class DistanceKernel(Protocol):
    """A search that decides who wins, and how soon."""

    @property
    def nodes(self) -> int:
        """Positions searched so far."""

    def solve(
        self, mine: Bitboard, theirs: Bitboard, my_head: Cell, their_head: Cell, low: int, high: int, tick: Tick
    ) -> int:
        """Return the score for the player to move, or a bound if it is not between `low` and `high`; 0 if stopped."""

    def all_moves(
        self, mine: Bitboard, theirs: Bitboard, my_head: Cell, their_head: Cell, tick: Tick
    ) -> list[tuple[Cell, int]] | None:
        """Return every legal move with its score for the player who makes it, or None if stopped."""


class RandomGames(Protocol):
    """Games played to the end by random moves."""

    def run(
        self, mine: Bitboard, theirs: Bitboard, my_head: Cell, their_head: Cell, games: int, seed: int
    ) -> tuple[int, int]:
        """Return how many of the games the player to move won, and how many moves they took in all."""

    def move_wins(
        self, mine: Bitboard, theirs: Bitboard, my_head: Cell, their_head: Cell, games_per_move: int, seed: int
    ) -> list[tuple[Cell, int]]:
        """Return, for each legal move, how many of the sampled games the player who made it won."""


class Tree(Protocol):
    """A search for promising moves if nothing can be proved."""

    def search(
        self, mine: Bitboard, theirs: Bitboard, my_head: Cell, their_head: Cell, simulations: int, tick: Tick
    ) -> list[tuple[Cell, int, int, float]]:
        """Return every legal move with its visits, whether it is proved to win (1) or lose (-1), and its chance."""


class WinLoss(NamedTuple):
    """A kind of kernel that says who wins."""

    make: Callable[[Grid, int, int], WinLossKernel]  # from a board, memory in bytes, and techniques
    techniques: dict[str, int]  # each is a bit

    @property
    def everything(self) -> int:
        """All techniques."""
        return sum(self.techniques.values())

    @property
    def without_mirrors(self) -> int:
        """All techniques but the one that decides positions by symmetry."""
        return self.everything & ~self.techniques["MIRROR"]


WIN_LOSS: dict[Shape | None, tuple[str, str]] = {
    Shape(closes_other=True): ("snort_kernel", "SnortSearch"),
    Shape(closes_own=True): ("col_kernel", "ColSearch"),
    Shape(follows=Follow.NEAR, pawn=True): ("tron_kernel", "TronSearch"),
}  # the module and class for each shape that has such a kernel


def win_loss(shape: Shape | None) -> WinLoss | None:
    """Return the kernel that says who wins games of a shape, if there is one."""
    if shape not in WIN_LOSS:
        return None
    name, search = WIN_LOSS[shape]
    module = import_module(f"{__package__}.{name}")
    return WinLoss(getattr(module, search), module.TECHNIQUES)


def distances(shape: Shape, grid: Grid, memory: int) -> DistanceKernel:
    """Make the search for distances in games of a shape on a board; every shape has one."""
    if shape.placing:
        from gridlock.engine.kernels.placing_kernel import PlacingDistances

        return PlacingDistances(shape, grid, memory)
    from gridlock.engine.kernels.walking_kernel import WalkingDistances

    return WalkingDistances(shape, grid, memory)


def random_games(shape: Shape, grid: Grid) -> RandomGames:
    """Make the player of random games of a shape on a board."""
    from gridlock.engine.kernels.playout_kernel import Playouts

    return Playouts(shape, grid)


def tree(shape: Shape, grid: Grid, memory: int) -> Tree | None:
    """Make the search for promising moves in games of a shape on a board, if open cells show who is ahead."""
    from gridlock.engine.kernels.tree_kernel import TELLING, TreeSearch

    return TreeSearch(shape, grid, memory) if shape in TELLING else None
