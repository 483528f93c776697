"""The interface of the kernels: how to create them, what they return, and which kernel handles which shape.

No kernel is loaded before it is needed.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from mmap import mmap
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from gridlock.core.grid import Bitboard, Cell, Grid
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.core.shape import Follow, Shape

if TYPE_CHECKING:
    from gridlock.values.walls import Wall

CELLS = 128  # the cells of the largest board that a kernel supports
STUCK = 1000  # a win scores STUCK minus its distance in plies, and a loss scores the negative of that
COL_UNIT = 1 << 16  # one move, in the numbers of Col
NO_HEAD = -1  # the head if there is no marker to follow

Tick = Callable[[int], bool]  # takes the number of positions searched so far, and returns whether to stop


def state_of(position: Position) -> tuple[Bitboard, Bitboard, Cell, Cell]:
    """Return a position in the form that kernels expect."""
    mine, theirs, my_head, their_head, _ = position
    return mine, theirs, NO_HEAD if my_head is None else my_head, NO_HEAD if their_head is None else their_head


class WinLossKernel(Protocol):
    """A search that finds the winner; the arguments of `solve` depend on the kind of kernel."""

    journal: list[tuple[int, ...]]  # results that took much work, each in the form that learn() expects
    journal_work: int  # the least work that puts a position into the journal; 0 for no journal

    @property
    def nodes(self) -> int:
        """The number of positions searched so far."""

    def learn(self, one: int, two: int, three: int, result: int, /) -> None:
        """Load a journal entry: the three numbers of a state, and the state's result."""

    def share(self, memory: mmap, /) -> None:
        """Use a table in memory shared with other processes."""


class PlacingKernel(WinLossKernel, Protocol):
    """A search that finds the winner of a game in which markers close cells."""

    def solve(self, mine: Bitboard, theirs: Bitboard, tick: Tick, /) -> int:
        """Return 1 (win), 0 (loss) or -1 (stopped).

        `mine` is the set of cells open to the player to move, and `theirs` is the set of cells open to the opponent.
        """

    def moves(self, mine: Bitboard, theirs: Bitboard, /) -> list[Cell]:
        """Return the moves that a search would try, in the order of the search."""


class PawnKernel(WinLossKernel, Protocol):
    """A search that finds the winner of a game in which each side moves a pawn."""

    def solve(self, free: Bitboard, me: Cell, them: Cell, tick: Tick, /) -> int:
        """Return 1 (win), 0 (loss) or -1 (stopped), given the free cells and the cells of the two pawns."""

    def moves(self, free: Bitboard, me: Cell, them: Cell, /) -> list[Cell]:
        """Return the moves that a search would try, in the order of the search."""


class DistanceKernel(Protocol):
    """A search that finds the winner and the number of moves until the loser is stuck."""

    @property
    def nodes(self) -> int:
        """The number of positions searched so far."""

    def share(self, memory: mmap, /) -> None:
        """Use a table in memory shared with other processes."""

    def solve(
        self, mine: Bitboard, theirs: Bitboard, my_head: Cell, their_head: Cell, low: int, high: int, tick: Tick
    ) -> int:
        """Return the score for the player to move, or 0 if the search was stopped.

        A score that is not between `low` and `high` is only a bound.
        """

    def all_moves(
        self, mine: Bitboard, theirs: Bitboard, my_head: Cell, their_head: Cell, tick: Tick
    ) -> list[tuple[Cell, int]] | None:
        """Return each legal move and its exact score for the player who makes it, or None if the search was stopped."""


class ValueStore(Protocol):
    """The values that a kernel has found; each value combines a number and a shape (see `shape_store`)."""

    @property
    def used(self) -> int:
        """The memory in use, in bytes."""

    def options(self, shape: int) -> tuple[list[int], list[int]]:
        """Return the left and right options of a shape, as values."""

    def walls_of(self, shape: int) -> "tuple[Wall, Wall]":
        """Return the left and right walls of a shape. Raise GaveUp if the time is up."""

    def pause(self) -> None:
        """Raise GaveUp if the time is up."""

    def compares(self, a: int, b: int) -> bool:
        """Return whether a >= b, ignoring infinitesimals if the values are cooled. Raise GaveUp if the time is up."""


class ValueKernel(Protocol):
    """Exact values of Snort positions."""

    @property
    def store(self) -> ValueStore:
        """The store that the kernel's values refer to."""

    @property
    def failure(self) -> str:
        """The reason why the last value is not known."""

    def value(self, ones: Bitboard, twos: Bitboard, tick: Tick, /) -> int | None:
        """Return a position's value for the first side, or None if the search is stopped or runs out of memory.

        The position is given as the cells open to each side.
        """

    def sum(self, positions: Sequence[tuple[Bitboard, Bitboard]], tick: Tick, /) -> int | None:
        """Return the sum of the given positions' values, or None if the search is stopped or runs out of memory."""


class FreeMovesKernel(Protocol):
    """A search that finds the winner of a Snort position in which one player may have extra free moves."""

    def solve(self, mine: Bitboard, theirs: Bitboard, tick: Tick, free: int, /) -> int:
        """Return 1 if the player to move wins, 0 if that player loses, or -1 if the search was stopped.

        The player to move has `free` more free moves than the opponent.
        """


class NumberKernel(Protocol):
    """A search for the values of Col positions."""

    def number(self, mine: Bitboard, theirs: Bitboard, tick: Tick, /) -> int | None:
        """Return a position's value as an integer, or None if the search was stopped.

        The integer is 2n, or 2n + 1 if the value includes a star; n is the numeric part of the value, in units of
        1/COL_UNIT of a move.
        """


class RandomGames(Protocol):
    """Games played to the end with random moves."""

    def move_wins(
        self, mine: Bitboard, theirs: Bitboard, my_head: Cell, their_head: Cell, games_per_move: int, seed: int
    ) -> list[tuple[Cell, int]]:
        """For each legal move, play random games from the resulting position, and count the mover's wins."""


class Tree(Protocol):
    """A search for promising moves in positions where nothing can be proved."""

    def search(
        self, mine: Bitboard, theirs: Bitboard, my_head: Cell, their_head: Cell, simulations: int, tick: Tick
    ) -> list[tuple[Cell, int, int, float]]:
        """Return each legal move with its visit count, proved result (1, -1, or 0 if none) and chance of winning."""


BY_SYMMETRY = ("MIRROR", "CENTRE")  # techniques that decide positions by symmetry


class WinLoss(NamedTuple):
    """A kind of win-loss kernel: its constructor, its techniques, and its representation of positions."""

    make: Callable[[Grid, int, int], WinLossKernel]  # from a board, memory in bytes, and techniques
    techniques: dict[str, int]  # each is a bit
    state: Callable[[Sequence[Bitboard]], Sequence[int]]  # turns sets of cells into the arguments of a kernel

    def ask(self, kernel: Any, sets: Sequence[Bitboard], tick: Tick) -> int:
        """Return 1 if the player to move wins, 0 if that player loses, or -1 if the search was stopped."""
        found: int = kernel.solve(*self.state(sets), tick)
        return found

    def moves(self, kernel: Any, sets: Sequence[Bitboard]) -> list[Cell]:
        """Return the moves that a search would try, in the order of the search."""
        found: list[Cell] = kernel.moves(*self.state(sets))
        return found

    @property
    def everything(self) -> int:
        """All techniques."""
        return sum(self.techniques.values())

    @property
    def without_mirrors(self) -> int:
        """All techniques except those that decide positions by symmetry."""
        return sum(bit for name, bit in self.techniques.items() if name not in BY_SYMMETRY)


def _cells(sets: Sequence[Bitboard]) -> Sequence[int]:
    """Return two sets: the cells open to the player to move, and the cells open to the opponent."""
    return sets


def _pawns(sets: Sequence[Bitboard]) -> Sequence[int]:
    """Return the free cells, and the cell of each pawn."""
    free, me, them = sets
    return free, me.bit_length() - 1, them.bit_length() - 1


SNORT, COL, TRON = Shape(closes_other=True), Shape(closes_own=True), Shape(follows=Follow.NEAR, pawn=True)
WIN_LOSS = (SNORT, COL, TRON)  # the shapes that have a win-loss kernel


def win_loss(shape: Shape | None) -> WinLoss | None:
    """Return the win-loss kernel for games of a shape, or None if no kernel supports the shape."""
    if shape == SNORT:
        from gridlock.engine.kernels.snort_kernel import TECHNIQUES, SnortSearch

        return WinLoss(SnortSearch, TECHNIQUES, _cells)
    if shape == COL:
        from gridlock.engine.kernels.col_kernel import TECHNIQUES, ColSearch

        return WinLoss(ColSearch, TECHNIQUES, _cells)
    if shape == TRON:
        from gridlock.engine.kernels.tron_kernel import TECHNIQUES, TronSearch

        return WinLoss(TronSearch, TECHNIQUES, _pawns)
    return None


def snort_values(grid: Grid, memory: int) -> tuple[ValueKernel, ValueKernel]:
    """Return a kernel for exact values of Snort, and a kernel for values cooled by one move."""
    from gridlock.engine.kernels.value_kernel import ALL, SnortValues
    from gridlock.engine.kernels.walls import UNIT

    exact = SnortValues(grid, memory // 2, ALL)
    warm = SnortValues(grid, memory // 4, ALL, UNIT // 2, exact)
    return exact, SnortValues(grid, memory // 4, ALL, UNIT, warm)


def snort_search(grid: Grid, memory: int) -> FreeMovesKernel:
    """Return a search that determines who wins a Snort position in which one player may have extra free moves."""
    from gridlock.engine.kernels.snort_kernel import ALL, SnortSearch

    return SnortSearch(grid, memory, ALL)


def col_search(grid: Grid, memory: int) -> NumberKernel:
    """Return a search that finds the values of Col positions."""
    from gridlock.engine.kernels.col_kernel import ALL, ColSearch

    return ColSearch(grid, memory, ALL)


def distances(variant: Variant, memory: int) -> DistanceKernel | None:
    """Return a distance search, or None if the game has no `Shape` or the board is too large."""
    shape, grid = variant.shape, variant.grid
    if shape is None or grid.size > CELLS:
        return None
    if shape.placing:
        from gridlock.engine.kernels.placing_kernel import PlacingDistances

        return PlacingDistances(shape, grid, memory)
    from gridlock.engine.kernels.walking_kernel import WalkingDistances

    return WalkingDistances(shape, grid, memory)


@lru_cache(maxsize=4)
def random_games(variant: Variant) -> RandomGames | None:
    """Return a kernel that plays random games, or None if the game has no `Shape` or the board is too large."""
    if variant.shape is None or variant.grid.size > CELLS:
        return None
    from gridlock.engine.kernels.playout_kernel import Playouts

    return Playouts(variant.shape, variant.grid)


@lru_cache(maxsize=1)
def tree(variant: Variant, memory: int) -> Tree | None:
    """Return a tree search for a game, or None if the open cells do not show who is ahead in this game."""
    from gridlock.engine.kernels.tree_kernel import TELLING, TreeSearch

    shape = variant.shape
    return TreeSearch(shape, variant.grid, memory) if shape in TELLING else None
