"""Search for the winner and the number of moves until the loser is stuck, using the kernel for the game and board."""

from collections.abc import Sequence
from functools import cached_property
from mmap import mmap
from typing import ClassVar

from gridlock.core.errors import BadGame
from gridlock.core.grid import Bitboard, Cell, Grid, cells_of, set_of
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.engine.evidence import Searched, Verdict
from gridlock.engine.kernels import interface
from gridlock.engine.kernels.interface import (
    CELLS,
    COL,
    NO_HEAD,
    SNORT,
    STUCK,
    DistanceKernel,
    Tick,
    WinLoss,
    WinLossKernel,
    state_of,
    win_loss,
)

PAGE = 4096  # the smallest table that processes can share, in bytes
DEEPEST = 300  # the most empty cells for the plain search; with more, it would run out of stack and not finish
PLAIN_ENTRY, KERNEL_ENTRY = 5, 6  # numbers in a result noted for a checkpoint
ADDED = {COL: 1 << 23, SNORT: 256}  # the number that a kernel adds is smaller than this
VERDICTS = {1: Verdict.WIN, 0: Verdict.LOSS, -1: Verdict.UNKNOWN}  # by the result of a kernel


class Stopped(Exception):
    """An error raised if a search is stopped before it has finished, for example because time is up."""


def memory_for(cells: int, limit: int) -> int:
    """Return the size of a board's table in bytes; small boards get small tables, which are quicker to create."""
    return min(limit, 1 << 20 if cells <= 16 else 1 << 23 if cells <= 25 else 1 << 26 if cells <= 36 else limit)


class Distances:
    """A search that counts the plies until the loser is stuck, for one game on one board."""

    def __init__(self, variant: Variant, memory: int) -> None:
        self.variant = variant
        self.memory = memory

    @cached_property
    def kernel(self) -> DistanceKernel | None:
        """The kernel, created when first needed; None for games and boards that no kernel supports."""
        return interface.distances(self.variant, memory_for(self.variant.grid.size, self.memory))

    @property
    def nodes(self) -> int:
        """The number of positions searched so far."""
        kernel = self.__dict__.get("kernel")  # None if the kernel has not been created
        return int(kernel.nodes) if kernel else 0

    def of_moves(self, position: Position, tick: Tick) -> dict[Cell, int]:
        """Map each move to the number of plies until the loser is stuck; the number is negative if the move loses.

        The map is empty if the search was stopped.
        """
        if self.kernel is None or tick(self.nodes):  # kernels call tick only every few thousand positions
            return {}
        scores = self.kernel.all_moves(*state_of(position), tick)
        return {cell: STUCK - score if score > 0 else -STUCK - score for cell, score in scores or ()}

    def verdict(self, position: Position, tick: Tick) -> Verdict:
        """Return whether the player to move wins; this is quicker than counting plies."""
        assert self.kernel is not None  # the caller has checked
        score = self.kernel.solve(*state_of(position), -1, 1, tick)
        return Verdict.of(score > 0) if score else Verdict.UNKNOWN


class Search:
    """The search for one game on one board; it remembers what it has proved."""

    failure: ClassVar[str] = "a search did not finish"

    def __init__(
        self,
        variant: Variant,
        memory: int,
        distances: Distances,
        mirrors: bool = True,
        without: Sequence[str] = (),
    ) -> None:
        self.variant = variant
        self.memory = memory
        self.distances = distances  # decides games that have no win-loss kernel
        self.mirrors = mirrors  # whether positions may be decided by a mirror on the way
        self.without = without  # the techniques that are off
        self._shared: mmap | None = None  # the memory of a table that other processes use, too
        self._journal_work = 0
        self._kernel: WinLossKernel | None = None
        self._kernel_size = (0, 0)
        self._memo: dict[tuple[int, ...], bool] = {}
        self._lawful: set[Position] = set()  # positions in which the stuck side is known to stay stuck
        self._noted: list[list[int]] = []  # what the plain search and earlier kernels proved, for a checkpoint
        self._learned: dict[tuple[int, int], list[list[int]]] = {}  # learned entries, by kernel size
        self._other_nodes = 0  # the nodes of the plain search and of earlier kernels

    @property
    def nodes(self) -> int:
        """The number of positions searched so far."""
        return self._other_nodes + (int(self._kernel.nodes) if self._kernel else 0)

    @cached_property
    def _kind(self) -> WinLoss | None:
        """The kind of kernel for this game; None if no kernel supports the game."""
        return win_loss(self.variant.shape)

    @property
    def techniques(self) -> list[str]:
        """The names of the techniques that can be switched off."""
        return list(self._kind.techniques) if self._kind else []

    @property
    def keeps_notes(self) -> bool:
        """Whether the search's results can be saved in a checkpoint."""
        return self._kind is not None or self.distances.kernel is None

    def judge(self, position: Position, tick: Tick) -> Searched | None:
        """Return the proof that a position is won or lost, or None if there is none.

        There is no proof if the search was stopped or if too many cells are empty.
        """
        verdict = self.verdict(position, tick)
        if verdict is Verdict.UNKNOWN:
            return None
        return Searched(variant=self.variant, position=position, verdict=verdict)

    def verdict(self, position: Position, tick: Tick) -> Verdict:
        """Return whether the player to move wins."""
        if tick(self.nodes):  # kernels call tick only every few thousand positions
            return Verdict.UNKNOWN
        if self._kind is not None:
            sets, rows, cols = self._sets(position)
            if rows * cols <= CELLS:
                return VERDICTS[self._kind.ask(self.kernel(rows, cols), sets, tick)]
        elif self.distances.kernel is not None:
            return self.distances.verdict(position, tick)
        if (self.variant.grid.cells & ~position.taken).bit_count() > DEEPEST:
            return Verdict.UNKNOWN
        try:
            return Verdict.of(self._plain(position, tick))
        except Stopped:
            return Verdict.UNKNOWN

    def moves(self, position: Position) -> list[Cell]:
        """Return candidate moves, most promising first; if the position is won, a winning move is among them."""
        if self._kind is not None and self.variant.grid.size <= CELLS:
            sets, rows, cols = self._sets(position)
            if cells := self._kind.moves(self.kernel(rows, cols), sets):  # none if only free moves are left
                return cells
        return self._by_room(position)

    def _by_room(self, position: Position) -> list[Cell]:
        """Return all moves, starting with those that leave the opponent the least room."""
        legal = self.variant.legal
        return sorted(self.variant.legal_cells(position), key=lambda cell: legal(position.after(cell)).bit_count())

    @property
    def table_size(self) -> int:
        """The size, in bytes, of a table that processes can share, or 0 if the table must not be shared.

        Positions on a board of more than CELLS cells are cropped to smaller boards, and each size of a cropped board
        needs its own kernel. Kernels for different sizes must not share a table, because a kernel for one size would
        misread the table entries that a kernel for another size has written.
        """
        if self.variant.grid.size > CELLS:
            return 0
        size = max(PAGE, memory_for(self.variant.grid.size, self.memory))
        return size // PAGE * PAGE

    def share(self, memory: mmap) -> None:
        """Use a table in memory shared with other processes."""
        self._shared = memory
        if self._kind is not None:
            self._kernel_size = (0, 0)  # create the kernel again, so that learned results are in that table
            self.kernel(self.variant.grid.rows, self.variant.grid.cols)
        elif self.distances.kernel is not None:
            self.distances.kernel.share(memory)

    def _sets(self, position: Position) -> tuple[list[Bitboard], int, int]:
        """Return a position as sets of cells for a kernel, and the board's size; a large board is cropped to the sets.

        In games with pawns, the sets are the free cells and each pawn's cell; in other games, the cells open to each
        side.
        """
        grid, legal = self.variant.grid, self.variant.legal
        if self.variant.book.pawns:
            _, _, me, them = state_of(position)
            sets = [grid.cells & ~position.taken, 1 << me, 1 << them]
        else:
            sets = [legal(position), legal(position.passed())]
        if grid.size <= CELLS:
            return sets, grid.rows, grid.cols
        places = [[divmod(cell, grid.cols) for cell in cells_of(bits)] for bits in sets]
        used = [place for some in places for place in some] or [(0, 0)]
        top, left = min(row for row, _ in used), min(col for _, col in used)
        rows, cols = max(row for row, _ in used) - top + 1, max(col for _, col in used) - left + 1
        if rows <= self._kernel_size[0] and cols <= self._kernel_size[1]:  # the current kernel fits, and knows more
            rows, cols = self._kernel_size
        return [set_of((row - top) * cols + col - left for row, col in some) for some in places], rows, cols

    def kernel(self, rows: int, cols: int) -> WinLossKernel:
        """Return the kernel for a board of this size.

        There is memory for only one kernel, so a new kernel replaces the previous one.
        """
        if self._kernel is None or self._kernel_size != (rows, cols):
            self._other_nodes = self.nodes
            self._take_notes()
            self._kernel = None
            kind = self._kind
            assert kind is not None  # callers have checked
            techniques = kind.everything if self.mirrors else kind.without_mirrors
            for name in self.without:
                techniques &= ~kind.techniques[name]
            grid = Grid(rows, cols, self.variant.grid.adjacency)
            self._kernel = kind.make(grid, memory_for(grid.size, self.memory), techniques)
            self._kernel.journal_work = self._journal_work
            self._kernel_size = rows, cols
            if self._shared:
                self._kernel.share(self._shared)
            for entry in self._learned.get(self._kernel_size, []):
                self._kernel.learn(*entry)
        return self._kernel

    # -- results that took long, for a checkpoint ---------------------------------------------------------------

    def remember(self, work: int) -> None:
        """From now on, note every result for which at least `work` positions were searched."""
        self._journal_work = work
        if self._kernel:
            self._kernel.journal_work = work

    def proved(self) -> list[list[int]]:
        """Return the results noted since the last call, in the form that learn() expects."""
        self._take_notes()
        entries, self._noted = self._noted, []
        return entries

    def _take_notes(self) -> None:
        """Move the kernel's journal entries to `_noted`, each preceded by the size of the kernel's board."""
        if self._kernel and self._kernel.journal:
            entries = [list(entry) for entry in self._kernel.journal]
            self._noted += [[*self._kernel_size, *entry] for entry in entries]
            if self.variant.grid.size > CELLS:  # a kernel of this size may be created again
                self._learned.setdefault(self._kernel_size, []).extend(entries)
            self._kernel.journal.clear()

    def note(self, position: Position, wins: bool) -> None:
        """Store a result that was not proved by this search, if results can be saved."""
        if not self.keeps_notes:
            return
        entry = [*state_of(position), int(wins)]
        if self._kind is not None:
            sets, rows, cols = self._sets(position)
            if rows * cols <= CELLS:
                state = [*self._kind.state(sets), 0]  # without pawns, the third number is what is added: 0
                entry = [rows, cols, *state[:3], int(wins)]
        self.learn(entry)
        if self._journal_work:
            self._noted.append(entry)

    def learn(self, entry: list[int]) -> None:
        """Load a result recorded earlier; raise ValueError if it is impossible for this game and board."""
        if len(entry) == PLAIN_ENTRY:
            mine, theirs, my_head, their_head, wins = entry
            _require(mine >= 0 <= theirs and not (mine & theirs or (mine | theirs) & ~self.variant.grid.cells))
            _require(all(NO_HEAD <= head < self.variant.grid.size for head in (my_head, their_head)) and wins in (0, 1))
            self._memo[mine, theirs, my_head, their_head] = bool(wins)
            return
        _require(len(entry) == KERNEL_ENTRY)
        rows, cols, *rest = entry
        one, two, three, result = rest
        grid, shape, cells = self.variant.grid, self.variant.shape, rows * cols
        _require(1 <= rows <= grid.rows and 1 <= cols <= grid.cols and cells <= CELLS)
        _require(result in (0, 1) and 0 <= one < 1 << cells)
        if shape is not None and shape.pawn:  # the free cells and the two pawns
            _require(0 <= two < cells > three >= 0 and two != three and not one & (1 << two | 1 << three))
        else:  # the cells open to each player, and the number added
            _require(0 <= two < 1 << cells and shape in ADDED and abs(three) < ADDED[shape])
        self._learned.setdefault((rows, cols), []).append(rest)
        if self._kernel and self._kernel_size == (rows, cols):
            self._kernel.learn(*rest)

    def _plain(self, position: Position, tick: Tick) -> bool:
        """Return whether the player to move wins; this plain search is for games and boards that no kernel supports."""
        key = state_of(position)
        known = self._memo.get(key)
        if known is not None:
            return known
        before = self._other_nodes
        self._other_nodes += 1
        if tick(self.nodes):
            raise Stopped
        cells = self._by_room(position)
        if not cells and not self.stays_stuck(position, tick):
            raise Stopped
        wins = any(not self._plain(position.after(cell), tick) for cell in cells)
        if len(self._memo) < self.memory // 512:
            self._memo[key] = wins
        if self._journal_work and self._other_nodes - before >= self._journal_work:
            self._noted.append([*key, int(wins)])
        return wins

    def stays_stuck(self, position: Position, tick: Tick) -> bool:
        """Check the passing rule (a side that must pass can never move again); return False if time runs out.

        The passing rule holds in every game that a `Shape` describes, because closed cells never open again. For a game
        that is defined by functions, this method checks every later position, and raises BadGame if the game breaks the
        passing rule.
        """
        variant = self.variant
        todo = [position] if variant.shape is None and variant.must_pass(position) else []
        seen: set[Position] = set()
        while todo:
            passed = todo.pop().passed()
            if passed in self._lawful or passed in seen:
                continue
            seen.add(passed)
            self._other_nodes += 1
            if tick(self.nodes):
                return False
            for cell in variant.legal_cells(passed):
                after = passed.after(cell)
                if variant.legal(after):
                    raise BadGame(
                        f"{variant.book.name} cannot be solved: the solver requires that a player who has had to pass "
                        f"can never move again, but after {variant.name(cell)}, such a player can move again."
                    )
                todo.append(after)
        self._lawful |= seen  # only now, because an interrupted check proves nothing
        return True


def _require(so: bool) -> None:
    if not so:
        raise ValueError("This result is impossible for this game and board.")
