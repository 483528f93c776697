"""Positions that a mirror decides: whatever the player to move does, the opponent answers with its image.

Let s be a symmetry of the board that undoes itself, and let the image of every cell open to the player to move be open
to the opponent. Then the opponent can always answer a move v with s(v), and so has the last word, provided s(v) is
still open to them after v:
- in scatter (a marker closes cells only to its owner), if s(v) is not v itself;
- in showdown (a marker closes the cells around it to the other side), if s(v) is neither v nor next to v;
- in trails (the pawns are each other's image, and so are the free cells), if s(v) is not v itself.
After the answer the same holds again, so the argument goes on to the end.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from operator import itemgetter
from typing import NamedTuple

from gridlock.grid import Bitboard, Cell, Grid, cells_of, set_of
from gridlock.position import Position
from gridlock.rulebook import Variant


class Mirror(NamedTuple):
    """A symmetry of the board that undoes itself: its name, the image of every cell, and where it is of no use."""

    name: str
    image: tuple[Cell, ...]
    fixed: Bitboard  # the cells that are their own image
    touching: Bitboard  # the cells that touch their image
    turned: Callable[[str], Iterable[str]]  # picks the binary digits of a set's image out of those of the set

    def of(self, bits: Bitboard) -> Bitboard:
        """The image of a set of cells."""
        return int("".join(self.turned(f"{bits:0{len(self.image)}b}")), 2)


@cache
def mirrors(grid: Grid) -> tuple[Mirror, ...]:
    """The board's symmetries that undo themselves, the half-turn first."""
    bottom, right = grid.rows - 1, grid.cols - 1
    maps: dict[str, Callable[[int, int], tuple[int, int]]] = {
        "half-turn": lambda row, col: (bottom - row, right - col),
        "left-right mirror": lambda row, col: (row, right - col),
        "up-down mirror": lambda row, col: (bottom - row, col),
    }
    if grid.rows == grid.cols:
        maps["main-diagonal mirror"] = lambda row, col: (col, row)
        maps["other-diagonal mirror"] = lambda row, col: (right - col, bottom - row)
    found = []
    for name, move in maps.items():
        spots = [move(*divmod(cell, grid.cols)) for cell in range(grid.size)]
        image = tuple(row * grid.cols + col for row, col in spots)
        fixed = set_of(cell for cell in range(grid.size) if image[cell] == cell)
        touching = set_of(cell for cell in range(grid.size) if grid.near[cell] >> image[cell] & 1)
        turned = itemgetter(*(grid.size - 1 - cell for cell in reversed(image)))  # the first digit is the last cell
        found.append(Mirror(name, image, fixed, touching, turned))
    return tuple(found)


@cache
def symmetries(grid: Grid) -> tuple[tuple[Cell, ...], ...]:
    """All the board's symmetries, each as the image of every cell."""
    maps = [[divmod(cell, grid.cols) for cell in range(grid.size)]]
    maps += [[(grid.rows - 1 - row, col) for row, col in image] for image in maps]
    maps += [[(row, grid.cols - 1 - col) for row, col in image] for image in maps]
    if grid.rows == grid.cols:
        maps += [[(col, row) for row, col in image] for image in maps]
    return tuple(tuple(row * grid.cols + col for row, col in image) for image in maps)


def keeps(image: tuple[Cell, ...], position: Position) -> bool:
    """Whether a symmetry leaves a position as it is."""
    heads = [1 << head for head in (position.my_head, position.their_head) if head is not None]
    return all(
        set_of(image[cell] for cell in cells_of(bits)) == bits for bits in (position.mine, position.theirs, *heads)
    )


def losing_mirror(variant: Variant, position: Position) -> Mirror | None:
    """A mirror by which the player to move loses, if there is one."""
    test = _TESTS.get(variant.book.name)
    if test is None:
        return None
    return next((mirror for mirror in mirrors(variant.grid) if test(variant, position, mirror)), None)


def mirror_moves(variant: Variant, position: Position) -> Iterator[tuple[Cell, Mirror]]:
    """The moves after which the opponent loses by a mirror, each with one such mirror."""
    test = _TESTS.get(variant.book.name)
    found: Bitboard = 0
    for mirror in mirrors(variant.grid) if test else ():
        for cell in cells_of(_promising(variant, position, mirror) & ~found):
            if test and test(variant, position.after(cell), mirror):
                found |= 1 << cell
                yield cell, mirror


def _promising(variant: Variant, position: Position, mirror: Mirror) -> Bitboard:
    """The moves that might lead into a mirror: those near a cell that has to be closed to the opponent for that."""
    mine = variant.legal(position)
    if variant.book.pawns:
        return mine
    unanswered = mirror.fixed | mirror.touching if variant.book.name == "showdown" else mirror.fixed
    stray = variant.legal(position.passed()) & (unanswered | ~mirror.of(mine))
    return mine & variant.grid.around(stray & -stray) if stray else mine


def _scatter(variant: Variant, position: Position, mirror: Mirror) -> bool:
    mine, theirs = variant.legal(position), variant.legal(position.passed())
    return not mine & mirror.fixed and not mirror.of(mine) & ~theirs


def _showdown(variant: Variant, position: Position, mirror: Mirror) -> bool:
    mine, theirs = variant.legal(position), variant.legal(position.passed())
    return not mine & (mirror.fixed | mirror.touching) and not mirror.of(mine) & ~theirs


def _trails(variant: Variant, position: Position, mirror: Mirror) -> bool:
    assert position.my_head is not None  # pawns stand on the board from the start
    free = variant.grid.cells & ~position.taken
    return mirror.image[position.my_head] == position.their_head and not free & mirror.fixed and mirror.of(free) == free


_TESTS = {"scatter": _scatter, "showdown": _showdown, "trails": _trails}
