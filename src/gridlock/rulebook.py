"""What a rule book says, and what follows from it on a given board."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from gridlock.errors import BadBoard
from gridlock.grid import Adjacency, Bitboard, Cell, Grid, cells_of
from gridlock.position import Position, Side

BLOCKED = "#"  # what stands on a cell that a pawn has left


class Reason(StrEnum):
    """Why a move is refused; where several apply, the first one counts."""

    OUTSIDE = "outside"
    TAKEN = "taken"
    ADJACENCY = "adjacency"


class Refusal(NamedTuple):
    """Why a cell cannot be played: the reason, how the rule book says it, and the cells that cause it."""

    reason: Reason
    words: str  # completes the sentence "The cell is ..."
    causes: Bitboard


def empty_board(_grid: Grid, starts: Side) -> Position:
    """Nothing on the board yet."""
    return Position(0, 0, None, None, starts)


def already_occupied(_position: Position, _cell: Cell) -> str:
    """How most games say that a cell is taken."""
    return "already occupied"


@dataclass(frozen=True, kw_only=True)
class RuleBook:
    """One game: its name, its defaults, which cells may be played, and its words."""

    name: str
    title: str
    summary: str  # one sentence for the list of games
    rules: str  # a paragraph for somebody who has never played
    board: tuple[int, int]
    adjacency: Adjacency
    legal: Callable[[Grid, Position], Bitboard]  # the cells open to the side to move
    causes: Callable[[Grid, Position, Cell], Bitboard]  # the markers that close an empty cell, if any do
    closed: str  # what such a cell is: completes "The cell is ..."
    example: tuple[tuple[int, int], ...]  # moves on the default board that show what a marker does
    start: Callable[[Grid, Side], Position] = empty_board
    taken: Callable[[Position, Cell], str] = already_occupied
    passes: bool = False  # a side with no cell passes while the other still has one
    origin: int = 1  # what the first row and column are called
    smallest: int = 1  # the fewest cells a board may have
    pawns: bool = False  # each side has one pawn, at its head; the other cells it has taken are blocked
    marks: tuple[str, str] = ("X", "O")
    players: tuple[str, str] = ("Player 1", "Player 2")


@dataclass(frozen=True)
class Variant:
    """A rule book on a board: everything that can be asked about a position."""

    book: RuleBook
    grid: Grid

    def __post_init__(self) -> None:
        if self.grid.size < self.book.smallest:
            raise BadBoard(f"{self.book.name} needs a board of at least {self.book.smallest} cells.")

    def start(self, starts: Side = 1) -> Position:
        """The position before the first move."""
        return self.book.start(self.grid, starts)

    def legal(self, position: Position) -> Bitboard:
        """The cells that the side to move may play."""
        return self.book.legal(self.grid, position)

    def moves(self, position: Position) -> list[Cell]:
        """The same cells as a list, in row order."""
        return cells_of(self.book.legal(self.grid, position))

    def must_pass(self, position: Position) -> bool:
        """Whether the side to move has no cell while the other side still has one, in a game with passes."""
        return self.book.passes and not self.legal(position) and bool(self.legal(position.passed()))

    def over(self, position: Position) -> bool:
        """Whether nobody can go on; the side to move has then lost."""
        return not self.legal(position) and not self.must_pass(position)

    def winner(self, position: Position) -> Side | None:
        """Who has won, once the game is over."""
        return 3 - position.turn if self.over(position) else None

    def refusal(self, position: Position, cell: Cell | None) -> Refusal | None:
        """Why a cell may not be played (None stands for any cell outside the grid), or None if it may."""
        if cell is None or not 0 <= cell < self.grid.size:
            return Refusal(Reason.OUTSIDE, "outside the grid", 0)
        if position.taken >> cell & 1:
            return Refusal(Reason.TAKEN, self.book.taken(position, cell), 1 << cell)
        causes = self.book.causes(self.grid, position, cell)
        return Refusal(Reason.ADJACENCY, self.book.closed, causes) if causes else None

    def content(self, position: Position, cell: Cell) -> str:
        """What stands on a cell: a side's mark, BLOCKED, or nothing."""
        side = next((side for side in (1, 2) if position.markers(side) >> cell & 1), None)
        if side is None:
            return ""
        return BLOCKED if self.book.pawns and position.head(side) != cell else self.book.marks[side - 1]

    def cell(self, row: int, col: int) -> Cell | None:
        """The cell that players of this game call by this row and column, or None outside the grid."""
        row, col = row - self.book.origin, col - self.book.origin
        return row * self.grid.cols + col if 0 <= row < self.grid.rows and 0 <= col < self.grid.cols else None

    def coordinates(self, cell: Cell) -> tuple[int, int]:
        """The row and column of a cell, in the game's own counting."""
        row, col = divmod(cell, self.grid.cols)
        return row + self.book.origin, col + self.book.origin

    def name(self, cell: Cell) -> str:
        """A cell as players write it, such as `2,3`."""
        return "{},{}".format(*self.coordinates(cell))
