"""Moves in every notation that people and programs use, and the set of legal moves.

Internally, a move is SWAP or a cell number; cells are counted row by row from 0. People write a
move as a row and a column in the game's own numbering.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from operator import index
from typing import Any, SupportsIndex, overload

from gridlock.core.errors import GridLockError, UnreadableMove
from gridlock.core.grid import Bitboard, Cell, cells_of
from gridlock.core.position import SWAP, Position
from gridlock.core.rulebook import Variant

Place = tuple[int, int]  # row and column, in the game's own numbering
Move = Place | int  # a place, or SWAP
AnyMove = str | SupportsIndex | Sequence[SupportsIndex]  # the forms that push() accepts


def read_any(move: object, variant: Variant, position: Position) -> Cell | None:
    """Convert a move to a cell; return SWAP for a swap, or None if the move is outside the grid.

    The move can be a string (as the player to move would type it), a pair of row and column, or a cell number. Any
    integer type is accepted, including NumPy integers.
    """
    if isinstance(move, str):
        from gridlock.core.notation import SWAP_WORD, read_turn

        return SWAP if move.strip().lower() == SWAP_WORD else read_turn(move, variant, position)
    try:
        if isinstance(move, tuple | list) and len(move) == 2:
            row, col = map(_whole, move)
            return variant.cell(row, col)
        cell = _whole(move)
    except TypeError:
        raise UnreadableMove(
            f"{str(move)[:40]!r} is not a move. A move is a row and a column, such as {variant.name(0)!r}"
        ) from None
    return cell if cell == SWAP or 0 <= cell < variant.grid.size else None


def _whole(number: Any) -> int:
    if isinstance(number, bool):
        raise TypeError
    return index(number)


def place_of(variant: Variant, cell: Cell) -> Move:
    """Return a cell's row and column in the game's own numbering; SWAP is returned unchanged."""
    return SWAP if cell == SWAP else variant.coordinates(cell)


class Moves(Set[Place], Sequence[Place]):
    """The legal moves as rows and columns: an ordered set that also supports indexing, as in `moves[0]`.

    You can look up a move in any form that `Game.push` accepts, as in `"2,3" in game.legal_moves`.
    """

    def __init__(self, variant: Variant, position: Position, cells: Bitboard) -> None:
        self._variant = variant
        self._position = position
        self._cells = cells

    @classmethod
    def _from_iterable(cls, it: Iterable[Any]) -> Set[Any]:  # the result of & and |
        return frozenset(it)

    def __contains__(self, move: object) -> bool:
        try:
            cell = read_any(move, self._variant, self._position)
        except GridLockError:
            return False
        return cell is not None and cell != SWAP and bool(self._cells >> cell & 1)

    def __iter__(self) -> Iterator[Place]:
        return map(self._variant.coordinates, cells_of(self._cells))

    def __len__(self) -> int:
        return self._cells.bit_count()

    @overload
    def __getitem__(self, number: int) -> Place: ...
    @overload
    def __getitem__(self, number: slice) -> list[Place]: ...
    def __getitem__(self, number: int | slice) -> Place | list[Place]:
        return list(self)[number]

    def __repr__(self) -> str:
        return f"<{len(self)} moves: {' '.join(self._variant.name(cell) for cell in cells_of(self._cells))}>"
