"""Positions decided by a mirror strategy: the opponent answers every move with its image.

Let s be a symmetry of the board that is its own inverse.

Suppose the image of every cell open to the player to move is open to the opponent. Then the opponent can answer every
move v with s(v), and so makes the last move, provided s(v) is still open to them after v:
- s(v) is not v itself;
- if a marker closes the cells around it to the other side, s(v) does not touch v;
- if a move must be near the last marker, s(v) touches v; if it must be away from it, s(v) does not;
- if each side moves a pawn, the pawns are each other's image, so s(v) is as near to one pawn as v is to the other.
The cells that v and s(v) close to the two players are images of each other, so the condition holds again after them.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from operator import itemgetter
from typing import ClassVar, NamedTuple

from gridlock.core.grid import Bitboard, Cell, Grid, cells_of, first_of, set_of
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.core.shape import Follow, Shape
from gridlock.engine.evidence import Method, Proof, Verdict
from gridlock.engine.kernels.interface import Tick

HOW = {
    "half-turn": "the cell opposite through the centre of the board",
    "left-right mirror": "the cell mirrored left to right",
    "up-down mirror": "the cell mirrored top to bottom",
    "main-diagonal mirror": "the cell mirrored in the diagonal from the top left",
    "other-diagonal mirror": "the cell mirrored in the diagonal from the top right",
}
SELF_INVERSE = dict(zip(HOW, (3, 2, 1, 4, 7), strict=True))


class Mirror(NamedTuple):
    """A symmetry of the board that is its own inverse."""

    name: str
    image: tuple[Cell, ...]
    fixed: Bitboard  # cells that are their own image
    touching: Bitboard  # cells that touch their image
    turned: Callable[[str], Iterable[str]]  # permutes the binary digits of a set into those of its image

    def of(self, bits: Bitboard) -> Bitboard:
        """Return the image of a set of cells."""
        return int("".join(self.turned(f"{bits:0{len(self.image)}b}")), 2)


@cache
def symmetries(grid: Grid) -> tuple[tuple[Cell, ...], ...]:
    """Return all the board's symmetries, each as the image of every cell; SELF_INVERSE has the numbers of some."""
    maps = [[divmod(cell, grid.cols) for cell in range(grid.size)]]
    maps += [[(grid.rows - 1 - row, col) for row, col in image] for image in maps]
    maps += [[(row, grid.cols - 1 - col) for row, col in image] for image in maps]
    if grid.rows == grid.cols:
        maps += [[(col, row) for row, col in image] for image in maps]
    return tuple(tuple(row * grid.cols + col for row, col in image) for image in maps)


@cache
def mirrors(grid: Grid) -> tuple[Mirror, ...]:
    """Return the board's self-inverse symmetries, the half-turn first."""
    images, found = symmetries(grid), []
    for name, number in SELF_INVERSE.items():
        if number < len(images):
            image = images[number]
            fixed = set_of(cell for cell in range(grid.size) if image[cell] == cell)
            touching = set_of(cell for cell in range(grid.size) if grid.near[cell] >> image[cell] & 1)
            turned = itemgetter(*(grid.size - 1 - cell for cell in reversed(image)))  # the first digit is the last cell
            found.append(Mirror(name, image, fixed, touching, turned))
    return tuple(found)


def keeps(image: tuple[Cell, ...], position: Position) -> bool:
    """Return whether a symmetry maps a position to itself."""
    heads = [1 << head for head in (position.my_head, position.their_head) if head is not None]
    return all(
        set_of(image[cell] for cell in cells_of(bits)) == bits for bits in (position.mine, position.theirs, *heads)
    )


class Mirrors:
    """The judge of positions that a mirror strategy decides."""

    failure: ClassVar[str] = "no mirror strategy applies"

    def __init__(self, variant: Variant, shape: Shape) -> None:
        self.variant = variant
        self.shape = shape
        self.mirrors = [(mirror, self._unanswered(mirror)) for mirror in mirrors(variant.grid)]

    def _unanswered(self, mirror: Mirror) -> Bitboard:
        """Return the cells whose image is no answer to them."""
        follows = None if self.shape.pawn else self.shape.follows
        apart = self.shape.closes_other or follows is Follow.AWAY
        return (
            mirror.fixed
            | (mirror.touching if apart else 0)
            | (self.variant.grid.cells & ~mirror.touching if follows is Follow.NEAR else 0)
        )

    def judge(self, position: Position, _tick: Tick) -> "Mirrored | None":
        """Prove that the player to move loses by a mirror, or wins by a move into such a position."""
        if mirror := self._losing(position):
            verdict, best = Verdict.LOSS, first_of(self.variant.legal(position))
        elif found := next(self.moves(position), None):
            verdict, (best, mirror) = Verdict.WIN, found
        else:
            return None
        return Mirrored(
            variant=self.variant, position=position, verdict=verdict, best=best, mirrors=self, mirror=mirror
        )

    def moves(self, position: Position) -> Iterator[tuple[Cell, Mirror]]:
        """Yield the moves after which the opponent loses by a mirror, each with one such mirror."""
        legal = self.variant.legal(position)
        mine, theirs = self.shape.open_to_both(self.variant.grid, position)
        found: Bitboard = 0
        for mirror, unanswered in self.mirrors:
            # A winning move must close this cell to the opponent, so it must be near it.
            stray = 0 if self.shape.pawn else theirs & (unanswered | ~mirror.of(mine))
            promising = legal & self.variant.grid.around(stray & -stray) if stray else legal
            for cell in cells_of(promising & ~found):
                if self._losing(position.after(cell), [(mirror, unanswered)]):
                    found |= 1 << cell
                    yield cell, mirror

    def _losing(self, position: Position, some: list[tuple[Mirror, Bitboard]] | None = None) -> Mirror | None:
        """Return a mirror (one of `some`, if given) by which the player to move loses, if there is one."""
        mine, theirs = self.shape.open_to_both(self.variant.grid, position)
        for mirror, unanswered in self.mirrors if some is None else some:
            if self.shape.pawn and mirror.image[position.my_head or 0] != position.their_head:
                continue
            if not mine & unanswered and not mirror.of(mine) & ~theirs:
                return mirror
        return None


@dataclass(frozen=True, kw_only=True)
class Mirrored(Proof):
    """The winner answers every move with its image."""

    method: ClassVar[Method] = Method.MIRROR
    partner: ClassVar[str] = "its mirror image"
    mirrors: Mirrors
    mirror: Mirror

    @cached_property
    def moves(self) -> dict[Cell, Mirror]:
        """Every move after which a mirror wins, with that mirror."""
        return {} if self.verdict is Verdict.LOSS else dict(self.mirrors.moves(self.position))

    @property
    def winning(self) -> tuple[Cell, ...]:
        """The moves after which a mirror wins, in row order."""
        return tuple(sorted(self.moves))

    def reason(self, cell: Cell) -> str:
        """Return which mirror wins."""
        if self.verdict is Verdict.LOSS:
            return f"Every move loses: the opponent can answer each one with {HOW[self.mirror.name]}."
        how = HOW[self.moves[cell].name]
        return f"{self.variant.name(cell)} wins: from then on every move can be answered with {how}."

    def answer(self, move: Cell) -> Cell:
        """Return the mirror image of a move, using the best move's mirror, which may not be the first one found."""
        mirror = self.mirror if self.best is None else self.moves.get(self.best, self.mirror)
        return mirror.image[move]

    def refutation(self, move: Cell) -> str:
        """Say that the answer to a move is its mirror image."""
        return f": answer with {HOW[self.mirror.name]}, {self.variant.name(self.answer(move))}, and keep doing so."

    @property
    def partners(self) -> dict[Cell, Cell]:
        """The images of the cells open to the loser, after the best move if the winner makes it, and vice versa."""
        if self.best is None:
            return {}
        position = self.position.after(self.best) if self.verdict is Verdict.WIN else self.position
        free = self.variant.grid.cells & ~position.taken
        found: dict[Cell, Cell] = {}
        for cell in cells_of(self.variant.legal(position) if self.mirrors.shape.placing else free):
            image = self.answer(cell)
            if image != cell and free >> image & 1:
                found[cell], found[image] = image, cell
        return found
