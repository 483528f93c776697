"""Use pairings of cells to solve games in which the last marker alone decides which free cells are open.

These games are instances of Undirected Vertex Geography: a move goes from the last cell to an unused cell that is
joined to it, and the player who cannot move loses. In games where every marker must be adjacent to the previous one,
two cells are joined if they are adjacent. In games where no marker may be adjacent to the previous one, two cells are
joined if they are not adjacent. Only joined cells can form a pair. A move wins if and only if some maximum pairing of
the available cells leaves out the cell played. After a winning move, the winner can answer each move by taking the
partner of the opponent's cell. For the proof, see docs/engine/matching.md.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import ClassVar

from gridlock.core.grid import Cell, cells_of, first_of
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.core.shape import Follow
from gridlock.engine.evidence import Method, Proof, Verdict
from gridlock.engine.kernels.interface import Tick
from gridlock.engine.kernels.matching_kernel import Matcher

MOST_DRAWN = 100  # pairs that are worth drawing
_DIGITS = b"01"
_FLAGS = b"\0\1"


class Matching:
    """The judge for a game that can be solved by pairing cells; it decides every position."""

    failure: ClassVar[str] = "no pairing decides it"

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        shape = variant.shape
        self.geography = Geography(variant.grid.near, shape is not None and shape.follows is Follow.AWAY)

    def judge(self, position: Position, _tick: Tick) -> "Paired":
        """Prove who wins and by which moves; the pairing is computed only when it is needed."""
        empty = self.variant.grid.cells & ~position.taken
        winning = tuple(cells_of(self.geography.winning_moves(empty, position.their_head)))
        return Paired(
            variant=self.variant,
            position=position,
            verdict=Verdict.of(bool(winning)),
            best=winning[0] if winning else first_of(self.variant.legal(position)),
            moves=winning,
            geography=self.geography,
        )


@dataclass(frozen=True, kw_only=True)
class Paired(Proof):
    """A proof by pairs of cells: whenever the loser takes a cell, the winner takes that cell's partner."""

    method: ClassVar[Method] = Method.MATCHING
    partner: ClassVar[str] = "its partner"
    moves: tuple[Cell, ...]
    geography: "Geography"

    @property
    def winning(self) -> tuple[Cell, ...]:
        """Every winning move."""
        return self.moves

    @property
    def complete(self) -> bool:
        """Whether `winning` lists every winning move, which is always the case here."""
        return True

    def reason(self, cell: Cell) -> str:
        """Return a sentence that says how the cells pair up."""
        if self.verdict is Verdict.LOSS:
            return (
                "Every move loses: the empty cells pair up, and whichever one is taken, the opponent answers with its "
                "partner."
            )
        return (
            f"{self.variant.name(cell)} wins: the remaining cells pair up, and every cell that the opponent takes can "
            "be answered with its partner."
        )

    @cached_property
    def pairing(self) -> dict[Cell, Cell]:
        """Each cell's partner in the winner's pairing.

        If the winner is to move, the pairing is the one that applies after the best move.
        """
        empty = self.variant.grid.cells & ~self.position.taken
        if self.verdict is Verdict.WIN:
            assert self.best is not None  # a win has a winning move
            empty &= ~(1 << self.best)  # some maximum pairing leaves it out
        twos = [(one, other) for one, other in enumerate(self.geography.pairing(empty)) if one < other]
        if len(twos) <= MOST_DRAWN:
            twos = self._shortened(twos)
        return dict(sorted((one, other) for a, b in twos for one, other in ((a, b), (b, a))))

    def _shortened(self, twos: list[tuple[Cell, Cell]]) -> list[tuple[Cell, Cell]]:
        """Exchange partners between pairs, so that partners lie closer together and are easier to find on a board.

        Two pairs exchange partners if, in each new pair, the rules allow a move from either cell to the other, and if
        the exchange reduces the total squared distance between partners. The new pairs prove the result just as well,
        because any pairing of the same cells proves it.
        """
        cols = self.variant.grid.cols

        def length(one: Cell, other: Cell) -> int:
            (down, across), (to_down, to_across) = divmod(one, cols), divmod(other, cols)
            return (down - to_down) ** 2 + (across - to_across) ** 2

        changed = True
        while changed:
            changed = False
            for i in range(len(twos)):
                for j in range(i):
                    (a, b), (c, d) = twos[i], twos[j]
                    now = length(a, b) + length(c, d)
                    for (p, q), (r, s) in (((a, c), (b, d)), ((a, d), (b, c))):
                        if length(p, q) + length(r, s) < now and self._joined(p, q) and self._joined(r, s):
                            twos[i], twos[j] = (p, q), (r, s)
                            changed = True
                            break
        return twos

    def _joined(self, one: Cell, other: Cell) -> bool:
        return self.geography.legal(1 << other, one) != 0

    def answer(self, move: Cell) -> Cell | None:
        """Return the partner of the move's cell."""
        return self.pairing.get(move)

    def refutation(self, move: Cell) -> str:
        """Return the end of a sentence about a losing move: the part that names the paired cell as the answer."""
        partner = self.variant.name(self.pairing[move])
        return f": answer with its partner, {partner}, and keep doing so."


class Geography:
    """The winning moves and pairings of Undirected Vertex Geography on one board.

    Cells are numbered from 0, and a set of cells is a bitboard. The cell played last is never available.
    """

    def __init__(self, near: Sequence[int], complement: bool) -> None:
        """Build a graph from each cell's adjacent cells; if `complement` is set, join the nonadjacent cells instead."""
        self._near = [adjacent & ~(1 << cell) for cell, adjacent in enumerate(near)]
        self._adjacent = [_cells(adjacent) for adjacent in self._near]
        self._most_adjacent = max(map(len, self._adjacent))
        self._complement = complement
        self._starts, self._neighbours = _end_to_end(self._adjacent)

    def legal(self, available: int, last: int | None) -> int:
        """Return the cells that the player to move may take; before the first move, all available cells."""
        if last is None:
            return available
        return available & (~self._near[last] if self._complement else self._near[last])

    def winning_moves(self, available: int, last: int | None) -> int:
        """Return the set of all winning moves, which is empty if the player to move loses."""
        legal = self.legal(available, last)
        return legal & self._spare(available) if legal else 0

    def pairing(self, available: int) -> list[int]:
        """Return each cell's partner in a maximum pairing of the available cells, or -1.

        If the player to move loses, every cell they can take has a partner. Until the end of the game, the opponent
        answers each move by taking the partner of the cell just taken. After a winning move, a pairing of the other
        available cells gives the winner's replies.
        """
        if self._complement and self._roomy(available):
            return self._pairing_apart(available)
        return self._match(available).partners()

    def _spare(self, available: int) -> int:
        """Return the available cells that at least one maximum pairing leaves out."""
        if self._complement and self._roomy(available):
            return available if available.bit_count() % 2 else 0
        digits = self._match(available).spare().translate(bytes.maketrans(_FLAGS, _DIGITS))
        return int(digits[::-1], 2)

    def _roomy(self, available: int) -> bool:
        """Return whether there are enough cells for a pairing of nonadjacent cells to leave out no more than one cell.

        If no cell is adjacent to more than d others, and n is greater than d, any 2n cells can be divided into pairs of
        nonadjacent cells. So a maximum pairing leaves out no cell if the number of cells is even, and can leave out any
        one cell if the number is odd.
        """
        return available.bit_count() // 2 > self._most_adjacent

    def _pairing_apart(self, available: int) -> list[int]:
        """Pair nonadjacent cells, leaving out at most one cell; `_roomy` must be true for the available cells."""
        partners = [-1] * len(self._near)
        cells = _cells(available)
        waiting: list[int] = []  # all adjacent to each other, so there are never more than four
        for cell in cells:
            for other in waiting:
                if other not in self._adjacent[cell]:
                    partners[cell], partners[other] = other, cell
                    waiting.remove(other)
                    break
            else:
                waiting.append(cell)
        while len(waiting) > 1:
            a, b = waiting.pop(), waiting.pop()
            x, y = next(
                (x, y)
                for x, y in ((x, partners[x]) for x in cells if partners[x] >= 0)
                if x not in self._adjacent[a] and y not in self._adjacent[b]
            )
            partners[a], partners[x], partners[b], partners[y] = x, a, y, b
        return partners

    def _match(self, available: int) -> Matcher:
        """Find a maximum pairing of the available cells; only joined cells can form a pair."""
        digits = f"{available:0{len(self._near)}b}"[::-1].encode()
        present = bytearray(digits.translate(bytes.maketrans(_DIGITS, _FLAGS)))
        if not self._complement:
            return Matcher(self._starts, self._neighbours, present)
        joined: list[list[int]] = [[] for _ in self._near]
        for cell in _cells(available):  # only a few cells, because a roomy board is paired greedily
            joined[cell] = _cells(self.legal(available & ~(1 << cell), cell))
        return Matcher(*_end_to_end(joined), present)


def _cells(board: int) -> list[int]:
    """Return the cells of a set, in order."""
    cells = []
    passed = 0
    while board:  # shifting keeps the numbers short, which is faster on large boards
        step = (board & -board).bit_length()
        board >>= step
        passed += step
        cells.append(passed - 1)
    return cells


def _end_to_end(lists: Sequence[Sequence[int]]) -> tuple["array[int]", "array[int]"]:
    """Concatenate lists, and return their offsets and all their items.

    The last offset is followed by the total length.
    """
    starts = array("i", accumulate(map(len, lists), initial=0))
    return starts, array("i", [item for members in lists for item in members])
