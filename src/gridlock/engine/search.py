"""Win or loss by search: picks the kernel for a game and board, and hands it what it needs of a position."""

from collections.abc import Callable
from typing import Any

from gridlock.engine.analysis import Verdict
from gridlock.grid import Adjacency, Bitboard, cells_of, set_of
from gridlock.position import Position
from gridlock.rulebook import Variant

Tick = Callable[[int], bool]  # told how many positions were searched; true means stop

KERNEL_CELLS = 128  # the largest board a compiled kernel takes
DEEPEST = 300  # the plain search gives up on games that could last longer: it would not finish anyway


class Stopped(Exception):
    """The time is up."""


def memory_for(cells: int, limit: int) -> int:
    """Small boards need no large tables, and small tables are quicker to make."""
    return min(limit, 1 << 20 if cells <= 16 else 1 << 23 if cells <= 25 else 1 << 26 if cells <= 36 else limit)


class Search:
    """The search for one game on one board; it remembers what it has proved."""

    def __init__(self, variant: Variant, memory: int, mirrors: bool = True) -> None:
        self.variant = variant
        self.memory = memory
        self.mirrors = mirrors  # whether positions may be decided by a mirror on the way
        self._journal_work = 0
        self._kernels: dict[tuple[int, int], Any] = {}
        self._memo: dict[tuple[Any, ...], bool] = {}
        self._plain_nodes = 0

    @property
    def nodes(self) -> int:
        """How many positions have been searched."""
        return self._plain_nodes + sum(int(kernel.nodes) for kernel in self._kernels.values())

    def solve(self, position: Position, tick: Tick) -> Verdict:
        """Whether the player to move wins."""
        if self.variant.book.name in ("scatter", "showdown", "trails"):
            state, rows, cols = self._state(position)
            if rows * cols <= KERNEL_CELLS:
                return (Verdict.LOSS, Verdict.WIN, Verdict.UNKNOWN)[self.kernel(rows, cols).solve(*state, tick)]
        try:
            return Verdict.WIN if self._plain(position, tick, 0) else Verdict.LOSS
        except Stopped:
            return Verdict.UNKNOWN

    def _state(self, position: Position) -> tuple[tuple[int, ...], int, int]:
        """What the kernels know of a position, and the board it is on: on large boards, the part that still matters."""
        variant = self.variant
        rows, cols = variant.grid.rows, variant.grid.cols
        if variant.book.pawns:
            me, them = position.my_head, position.their_head
            assert me is not None  # pawns stand on the board from the start
            assert them is not None
            free = variant.grid.cells & ~position.taken
            if variant.grid.size > KERNEL_CELLS:
                free, me_bit, them_bit, rows, cols = self._crop(free, 1 << me, 1 << them)
                me, them = me_bit.bit_length() - 1, them_bit.bit_length() - 1
            return (free, me, them), rows, cols
        mine, theirs = variant.legal(position), variant.legal(position.passed())
        if variant.grid.size > KERNEL_CELLS:
            mine, theirs, _, rows, cols = self._crop(mine, theirs, 0)
        return (mine, theirs), rows, cols

    def _crop(self, *sets: Bitboard) -> tuple[int, int, int, int, int]:
        """The same sets on the smallest board that holds them all, and that board's size."""
        spots = [divmod(cell, self.variant.grid.cols) for cell in cells_of(sets[0] | sets[1] | sets[2])] or [(0, 0)]
        top, left = min(row for row, _ in spots), min(col for _, col in spots)
        rows, cols = max(row for row, _ in spots) - top + 1, max(col for _, col in spots) - left + 1
        moved = []
        for bits in sets:
            places = [divmod(cell, self.variant.grid.cols) for cell in cells_of(bits)]
            moved.append(set_of((row - top) * cols + col - left for row, col in places))
        return moved[0], moved[1], moved[2], rows, cols

    def kernel(self, rows: int, cols: int) -> Any:
        """The kernel for a board of this size, made when it is first needed."""
        if (rows, cols) not in self._kernels:
            module, make = _kernel_class(self.variant.book.name)
            techniques = module.ALL if self.mirrors else module.ALL & ~module.MIRROR
            king = self.variant.grid.adjacency is Adjacency.KING
            made = make(rows, cols, king, memory_for(rows * cols, self.memory), techniques)
            made.journal_work = self._journal_work
            self._kernels[rows, cols] = made
        return self._kernels[rows, cols]

    # -- results that took long, for a checkpoint ---------------------------------------------------------------

    def remember(self, work: int) -> None:
        """From now on, note every result that took at least so many positions."""
        self._journal_work = work
        for kernel in self._kernels.values():
            kernel.journal_work = work

    def proved(self) -> list[list[int]]:
        """The results noted since the last call, each as the board's size, the state and the result."""
        entries = []
        for size, kernel in self._kernels.items():
            entries += [[*size, *entry] for entry in kernel.journal]
            kernel.journal.clear()
        return entries

    def learn(self, entry: list[int]) -> None:
        """Take over a result noted earlier."""
        rows, cols, *rest = entry
        self.kernel(rows, cols).learn(*rest)

    def _plain(self, position: Position, tick: Tick, depth: int) -> bool:
        """The obvious search over the rule book, for games and boards that no kernel takes."""
        key = position[:4]
        known = self._memo.get(key)
        if known is not None:
            return known
        self._plain_nodes += 1
        if depth > DEEPEST or (self._plain_nodes % 256 == 0 and tick(self._plain_nodes)):
            raise Stopped
        legal = self.variant.legal
        children = [position.after(cell) for cell in self.variant.moves(position)]
        children.sort(key=lambda child: legal(child).bit_count())
        wins = any(not self._plain(child, tick, depth + 1) for child in children)
        if len(self._memo) < self.memory // 512:
            self._memo[key] = wins
        return wins


def _kernel_class(game: str) -> tuple[Any, Any]:
    """A kernel's module and class; loaded only now, since most commands need none."""
    from importlib import import_module

    module = import_module(f"gridlock.engine.kernels.{game}_kernel")
    return module, getattr(module, f"{game.capitalize()}Search")
