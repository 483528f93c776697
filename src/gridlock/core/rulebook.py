"""Rule books, and variants, which combine a rule book with a board."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, partial
from itertools import islice
from string import ascii_uppercase
from typing import NamedTuple

from gridlock.core import kernel
from gridlock.core.errors import BadBoard, BadGame
from gridlock.core.grid import Adjacency, Bitboard, Cell, Grid, cells_of
from gridlock.core.position import Position, Side
from gridlock.core.shape import Legal, Shape

BLOCKED = "#"  # shown on a cell that a pawn has left
A_NAME = "up to 32 lower-case letters, digits and underscores, starting with a letter"


class Reason(StrEnum):
    """The reasons why a move can be illegal, in order of precedence."""

    OUTSIDE = "outside"
    TAKEN = "taken"
    ADJACENCY = "adjacency"


class Refusal(NamedTuple):
    """Why a cell cannot be played: the kind of reason, its wording, and the cells that cause it."""

    reason: Reason
    words: str  # completes the sentence "The cell is ..."
    causes: Bitboard


def is_name(name: str) -> bool:
    """Return whether a game may have this name."""
    return re.fullmatch(r"[a-z][a-z0-9_]{0,31}", name) is not None


def are_marks(marks: Sequence[str]) -> bool:
    """Return whether the marks that stand for the players are two different capital letters, as a game requires."""
    return len(set(marks)) == len(marks) == 2 and all(len(mark) == 1 and mark in ascii_uppercase for mark in marks)


@dataclass(frozen=True, kw_only=True)
class RuleBook:
    """One game: its name, its defaults, the effect of its markers, and its wording.

    A `Shape` describes the effect of a game's markers, and the engine derives its solving methods from that `Shape`. A
    game that no `Shape` can describe provides its own functions, `legal` and `causes`, and is solved by plain search.
    Only the title is required; the other settings have defaults, which depend on the `Shape`.
    """

    title: str
    shape: Shape | None = None
    name: str = ""  # its name in records and lists; by default derived from the title
    summary: str = ""  # one sentence for the list of games
    rules: str = ""  # a paragraph for a new player
    board: tuple[int, int] = (5, 5)
    adjacency: Adjacency = Adjacency.KING
    closed: str = ""  # describes a closed cell: completes "The cell is ..."
    example: tuple[tuple[int, int], ...] = ()  # moves on the default board that show what a marker does
    legal: Callable[[Grid, Position], Bitboard] | None = None  # the cells open to the side to move
    causes: Callable[[Grid, Position, Cell], Bitboard] | None = None  # the markers that close an empty cell, if any do
    start: Callable[[Grid, Side], Position] | None = None  # by default an empty board, or pawns in the corners
    passes: bool = False  # a side with no cell passes while the other still has one; see Variant.must_pass
    origin: int = 1  # the number of the first row and column
    marks: tuple[str, str] = ("", "")  # X and O; pawns are A and B
    players: tuple[str, str] = ("", "")  # default names of the players

    def __post_init__(self) -> None:
        self._fill_in()
        if not is_name(self.name):
            raise BadGame(f"A game's name must have {A_NAME}; '{self.name[:40]}' is not allowed.")
        if not are_marks(self.marks):
            raise BadGame(
                f"The marks of {self.name} must be two different capital letters from A to Z, not {self.marks!r}."
            )
        if (self.shape is None) == (self.legal is None) or (self.legal is None) != (self.causes is None):
            raise BadGame(
                f"{self.name} needs either a Shape, which says what its markers do, or its own legal() and causes() "
                "functions."
            )
        if self.passes and self.shape is not None and not self.shape.placing:
            raise BadGame(
                f"{self.name} cannot allow passing, because in this game, a player who has no move "
                "may be able to move again later."
            )
        if not self.example:
            object.__setattr__(self, "example", _example(Variant(self, Grid(*self.board, self.adjacency))))

    def _fill_in(self) -> None:
        """Fill in defaults for missing settings."""
        letters = ("A", "B") if self.pawns else ("X", "O")
        players = ("Player A", "Player B") if self.pawns else ("Player 1", "Player 2")
        said: dict[str, object] = {
            "name": self.name or re.sub(r"\W+", "_", self.title.lower()).strip("_"),
            "adjacency": Adjacency(self.adjacency),
            "marks": letters if self.marks == ("", "") else tuple(self.marks),
            "players": players if self.players == ("", "") else tuple(self.players),
        }
        if not (self.summary and self.rules and self.closed):
            from gridlock.core.wording import words_for

            words = zip(("summary", "rules", "closed"), words_for(self.shape, self.passes), strict=True)
            said |= {key: getattr(self, key) or text for key, text in words}
        for key, value in said.items():
            object.__setattr__(self, key, value)

    def __deepcopy__(self, memo: object) -> "RuleBook":
        return self

    @property
    def pawns(self) -> bool:
        """Whether each side moves a single pawn, which blocks every cell that it leaves."""
        return self.shape is not None and self.shape.pawn

    def mark(self, side: Side) -> str:
        """Return the symbol that stands for a side on the board."""
        return self.marks[side - 1]

    @property
    def smallest(self) -> int:
        """The smallest number of cells that a board may have."""
        return 2 if self.pawns else 1


@dataclass(frozen=True)
class Variant:
    """The combination of a rule book and a board, which together determine the rules for every position."""

    book: RuleBook
    grid: Grid

    def __post_init__(self) -> None:
        if self.grid.size < self.book.smallest:
            raise BadBoard(f"{self.book.title} needs a board of at least {self.book.smallest} cells.")

    def __deepcopy__(self, memo: object) -> "Variant":
        return self

    @property
    def shape(self) -> Shape | None:
        """The game's `Shape`, or None if no `Shape` can describe the effect of the game's markers."""
        return self.book.shape

    def start(self, starts: Side = 1) -> Position:
        """Return the position before the first move.

        By default, games with pawns begin with pawns in two opposite corners, and other games begin with an empty
        board.
        """
        if self.book.start is not None:
            return self.book.start(self.grid, starts)
        last = self.grid.size - 1
        position = Position(1, 1 << last, 0, last, 1) if self.book.pawns else Position(0, 0, None, None, 1)
        return position if starts == 1 else position.passed()

    def holds(self, position: Position) -> bool:
        """Return whether a position is valid on this board.

        In a valid position, no cell has two owners, and each side owns the cell it took last.
        """
        mine, theirs, my_head, their_head, turn = position
        heads = ((my_head, mine), (their_head, theirs))
        return (
            turn in (1, 2)
            and mine >= 0
            and theirs >= 0
            and not mine & theirs
            and mine | theirs <= self.grid.cells
            and all(not self.book.pawns if head is None else head >= 0 and cells >> head & 1 for head, cells in heads)
        )

    @cached_property
    def legal(self) -> Legal:
        """The function that returns the legal cells in a position."""
        shape = self.book.shape
        if kernel.COMPILED and shape and self.grid.size <= kernel.MOST_CELLS:
            return kernel.LegalCells(shape, self.grid)
        rule = shape.legal if shape else self.book.legal
        assert rule is not None  # a rule book has a shape or its own functions
        return partial(rule, self.grid)

    def legal_cells(self, position: Position) -> list[Cell]:
        """Return the legal cells as a list, in row order."""
        return cells_of(self.legal(position))

    def must_pass(self, position: Position) -> bool:
        """Return whether the side to move must pass.

        A side must pass if the game has passes and only the other side has a legal move. The rules of a game with
        passes must ensure that a stuck side stays stuck, wherever the other side places its markers. The first side to
        pass has therefore lost. The engine cannot solve a game with passes if a stuck side could move again later.
        """
        return self.book.passes and not self.legal(position) and bool(self.legal(position.passed()))

    def over(self, position: Position) -> bool:
        """Return whether the game is over, which means that the side to move has lost."""
        return not self.legal(position) and not self.must_pass(position)

    def winner(self, position: Position) -> Side | None:
        """Return the side that has won, or None while the game is in progress."""
        return 3 - position.turn if self.over(position) else None

    def refusal(self, position: Position, cell: Cell | None) -> Refusal | None:
        """Return the reason why a cell may not be played, or None if it may be played.

        A cell outside the grid may be given as None.
        """
        if cell is None or not 0 <= cell < self.grid.size:
            return Refusal(Reason.OUTSIDE, "outside the grid", 0)
        if position.taken >> cell & 1:
            return Refusal(Reason.TAKEN, self._taken(position, cell), 1 << cell)
        find = self.book.shape.causes if self.book.shape else self.book.causes
        assert find is not None  # a rule book has a shape or its own functions
        causes = find(self.grid, position, cell)
        return Refusal(Reason.ADJACENCY, self.book.closed, causes) if causes else None

    def _taken(self, position: Position, cell: Cell) -> str:
        """Explain why an occupied cell is closed; for the mover's own pawn, use the game's usual wording."""
        if not self.book.pawns:
            return "already occupied"
        if cell == position.my_head:
            return self.book.closed
        return "occupied by your opponent" if cell == position.their_head else "blocked"

    def content(self, position: Position, cell: Cell) -> str:
        """Return what is on a cell: a side's mark, BLOCKED, or an empty string."""
        side = next((side for side in (1, 2) if position.markers(side) >> cell & 1), None)
        if side is None:
            return ""
        return BLOCKED if self.book.pawns and position.head(side) != cell else self.book.mark(side)

    def cell(self, row: int, col: int) -> Cell | None:
        """Return the cell at a row and a column in the game's own numbering, or None if it is outside the grid."""
        row, col = row - self.book.origin, col - self.book.origin
        return row * self.grid.cols + col if 0 <= row < self.grid.rows and 0 <= col < self.grid.cols else None

    def coordinates(self, cell: Cell) -> tuple[int, int]:
        """Return the row and column of a cell, in the game's own numbering."""
        row, col = divmod(cell, self.grid.cols)
        return row + self.book.origin, col + self.book.origin

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The name of every cell, as players write it, such as `2,3`."""
        return tuple("{},{}".format(*self.coordinates(cell)) for cell in range(self.grid.size))

    def name(self, cell: Cell) -> str:
        """Return the name of a cell as players write it, such as `2,3`, even if the cell is outside the grid."""
        names = self.names
        return names[cell] if 0 <= cell < len(names) else "{},{}".format(*self.coordinates(cell))


def _example(variant: Variant) -> tuple[tuple[int, int], ...]:
    """Return an example of an opening move: of those that do not end the game, the one nearest the board's middle."""
    position = variant.start()
    middle = (variant.grid.rows - 1) / 2, (variant.grid.cols - 1) / 2

    def from_middle(cell: int) -> float:
        row, col = divmod(cell, variant.grid.cols)
        return abs(row - middle[0]) + abs(col - middle[1])

    cells = sorted(cells_of(variant.legal(position)), key=from_middle)
    return tuple(islice((variant.coordinates(cell) for cell in cells if variant.legal(position.after(cell))), 1))
