"""How the rest of the engine sees the kernels: how to make them, what they answer, and which takes which shape.

Nothing here loads a kernel until one is asked for.
"""

from collections.abc import Callable, Sequence
from enum import IntEnum
from functools import partial
from typing import Generic, NamedTuple, Protocol, TypeVar

from gridlock.core.grid import Bitboard, Cell, Grid
from gridlock.core.position import Position
from gridlock.core.shape import Follow, Shape

CELLS = 128  # the largest board that a kernel takes
STUCK = 1000  # a win is worth STUCK - its distance in plies, a loss as much as that below zero
NO_HEAD = -1  # what a kernel is told where there is no marker to follow

Tick = Callable[[int], bool]  # takes the number of positions searched so far, and returns whether to stop


def state_of(position: Position) -> tuple[Bitboard, Bitboard, Cell, Cell]:
    """A position as kernels take it."""
    mine, theirs, my_head, their_head, _ = position
    return mine, theirs, NO_HEAD if my_head is None else my_head, NO_HEAD if their_head is None else their_head


class KernelAnswer(IntEnum):
    """What a kernel says about the player to move."""

    STOPPED = -1
    LOSS = 0
    WIN = 1


class WinLossKernel(Protocol):
    """Decides who wins. How to ask depends on the shape; see the two kinds below."""

    journal: list[tuple[int, ...]]  # what took much work, each entry as learn() takes it
    journal_work: int  # the least work that puts a position into the journal; 0 for none

    @property
    def nodes(self) -> int:
        """Positions searched so far."""

    def learn(self, one: int, two: int, three: int, result: int, /) -> None:
        """Take over an entry of a journal: the three numbers of a state, and who wins it."""


class PlacingKernel(WinLossKernel, Protocol):
    """Decides games in which markers close cells."""

    def solve(self, mine: Bitboard, theirs: Bitboard, tick: Tick, /) -> int:
        """A KernelAnswer about the cells open to the player to move, and those open to the opponent."""


class PawnKernel(WinLossKernel, Protocol):
    """Decides games in which each side moves a pawn."""

    def solve(self, free: Bitboard, me: Cell, them: Cell, tick: Tick, /) -> int:
        """A KernelAnswer about the free cells and the places of the two pawns."""


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


Kernel = TypeVar("Kernel", bound=WinLossKernel)
Solve = Callable[[Sequence[Bitboard], Tick], int]  # a KernelAnswer about the sets of cells that make up a position


class WinLoss(NamedTuple, Generic[Kernel]):
    """A kind of kernel that says who wins: its techniques, how it is made, and how it is asked."""

    make: Callable[[Grid, int, int], Kernel]  # from a board, memory in bytes, and techniques
    techniques: dict[str, int]  # each is a bit
    ask: Callable[[Kernel, Sequence[Bitboard], Tick], int]

    def begin(self, grid: Grid, memory: int, techniques: int) -> tuple[Kernel, Solve]:
        """A new kernel, and the way to ask it."""
        kernel = self.make(grid, memory, techniques)
        return kernel, partial(self.ask, kernel)

    @property
    def everything(self) -> int:
        """All techniques."""
        return sum(self.techniques.values())

    @property
    def without_mirrors(self) -> int:
        """All techniques but the one that decides positions by symmetry."""
        return self.everything & ~self.techniques["MIRROR"]


def _ask_about_cells(kernel: PlacingKernel, sets: Sequence[Bitboard], tick: Tick) -> int:
    """The sets are the cells open to the player to move, and to the opponent."""
    mine, theirs = sets
    return kernel.solve(mine, theirs, tick)


def _ask_about_pawns(kernel: PawnKernel, sets: Sequence[Bitboard], tick: Tick) -> int:
    """The sets are the free cells, and the cell of each pawn."""
    free, me, them = sets
    return kernel.solve(free, me.bit_length() - 1, them.bit_length() - 1, tick)


def _snort() -> WinLoss[PlacingKernel]:
    from gridlock.engine.kernels import snort_kernel

    return WinLoss(snort_kernel.SnortSearch, snort_kernel.TECHNIQUES, _ask_about_cells)


def _col() -> WinLoss[PlacingKernel]:
    from gridlock.engine.kernels import col_kernel

    return WinLoss(col_kernel.ColSearch, col_kernel.TECHNIQUES, _ask_about_cells)


def _tron() -> WinLoss[PawnKernel]:
    from gridlock.engine.kernels import tron_kernel

    return WinLoss(tron_kernel.TronSearch, tron_kernel.TECHNIQUES, _ask_about_pawns)


WIN_LOSS: dict[Shape | None, Callable[[], WinLoss[PlacingKernel] | WinLoss[PawnKernel]]] = {
    Shape(closes_other=True): _snort,
    Shape(closes_own=True): _col,
    Shape(follows=Follow.NEAR, pawn=True): _tron,
}  # the shapes for which there is such a kernel


def win_loss(shape: Shape | None) -> WinLoss[PlacingKernel] | WinLoss[PawnKernel] | None:
    """The kernel that says who wins games of a shape, if there is one."""
    return WIN_LOSS[shape]() if shape in WIN_LOSS else None


def distances(shape: Shape, grid: Grid, memory: int) -> DistanceKernel:
    """A search for distances in games of a shape on a board; there is one for every shape."""
    if shape.placing:
        from gridlock.engine.kernels.placing_kernel import PlacingDistances

        return PlacingDistances(shape, grid, memory)
    from gridlock.engine.kernels.walking_kernel import WalkingDistances

    return WalkingDistances(shape, grid, memory)


def random_games(shape: Shape, grid: Grid) -> RandomGames:
    """Random games of a shape on a board."""
    from gridlock.engine.kernels.playout_kernel import Playouts

    return Playouts(shape, grid)


def tree(shape: Shape, grid: Grid, memory: int) -> Tree | None:
    """A search for promising moves in games of a shape on a board, if cells tell there who is ahead."""
    from gridlock.engine.kernels.tree_kernel import TELLING, TreeSearch

    return TreeSearch(shape, grid, memory) if shape in TELLING else None
