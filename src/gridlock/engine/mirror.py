"""Positions that a mirror decides: whatever the player to move does, the opponent answers with its image.

Let s be a symmetry of the board that undoes itself.

Let the image of every cell that no marker closes to the player to move be one that none closes to the opponent. Then
the opponent can always answer a move v with s(v), and so has the last word, provided s(v) is open to them after v:
- s(v) is not v itself;
- where a marker closes the cells around it to the other side, s(v) does not touch v;
- where a move must be near the last marker, s(v) touches v; where it must be away from that, it does not;
- where each side moves a pawn, the pawns are each other's image: then s(v) is as near to the one as v to the other.
What v and s(v) close to the two players are images of each other, so afterwards the same holds again, and the argument
goes on to the end.
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


class Mirrors:
    """Judges the positions that a mirror decides."""

    failure: ClassVar[str] = "no mirror decides it"

    def __init__(self, variant: Variant, shape: Shape) -> None:
        self.variant = variant
        self.shape = shape
        self.mirrors = [(mirror, self._unanswered(mirror)) for mirror in mirrors(variant.grid)]

    def _unanswered(self, mirror: Mirror) -> Bitboard:
        """The cells whose image is no answer to them."""
        follows = None if self.shape.pawn else self.shape.follows
        apart = self.shape.closes_other or follows is Follow.AWAY
        return (
            mirror.fixed
            | (mirror.touching if apart else 0)
            | (self.variant.grid.cells & ~mirror.touching if follows is Follow.NEAR else 0)
        )

    def judge(self, position: Position, _tick: Tick) -> "Mirrored | None":
        """Whether a mirror shows that the player to move loses, or leads to such a position."""
        losing = self._losing(position)
        if losing:
            best = first_of(self.variant.legal(position))
            return Mirrored(
                variant=self.variant, position=position, verdict=Verdict.LOSS, best=best, mirrors=self, mirror=losing
            )
        for cell, mirror in self.moves(position):
            return Mirrored(
                variant=self.variant, position=position, verdict=Verdict.WIN, best=cell, mirrors=self, mirror=mirror
            )
        return None

    def moves(self, position: Position) -> Iterator[tuple[Cell, Mirror]]:
        """The moves after which the opponent loses by a mirror, each with one such mirror."""
        legal = self.variant.legal(position)
        mine, theirs = self.shape.open_to_both(self.variant.grid, position)
        found: Bitboard = 0
        for mirror, unanswered in self.mirrors:
            # One cell that has to be closed to the opponent tells near which cells such a move must be.
            stray = 0 if self.shape.pawn else theirs & (unanswered | ~mirror.of(mine))
            promising = legal & self.variant.grid.around(stray & -stray) if stray else legal
            for cell in cells_of(promising & ~found):
                if self._losing(position.after(cell), [(mirror, unanswered)]):
                    found |= 1 << cell
                    yield cell, mirror

    def _losing(self, position: Position, some: list[tuple[Mirror, Bitboard]] | None = None) -> Mirror | None:
        """A mirror, perhaps only of some, by which the player to move loses, if there is one."""
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
    partner: ClassVar[str] = "its image"
    mirrors: Mirrors
    mirror: Mirror

    @cached_property
    def moves(self) -> dict[Cell, Mirror]:
        """Every move that leads into a mirror."""
        return {} if self.verdict is Verdict.LOSS else dict(self.mirrors.moves(self.position))

    @property
    def winning(self) -> tuple[Cell, ...]:
        """The moves that lead into a mirror."""
        return tuple(sorted(self.moves))

    def reason(self, cell: Cell) -> str:
        """Which mirror it is."""
        if self.verdict is Verdict.LOSS:
            return f"Every move loses: to each, the opponent can answer with {HOW[self.mirror.name]}."
        how = HOW[self.moves[cell].name]
        return f"{self.variant.name(cell)} wins: from then on every move can be answered with {how}."

    def answer(self, move: Cell) -> Cell:
        """The image, by the mirror that the best move leads into: another one may be shown than was found first."""
        mirror = self.mirror if self.best is None else self.moves.get(self.best, self.mirror)
        return mirror.image[move]

    def refutation(self, move: Cell) -> str:
        """That the image answers it, and so on."""
        return f": answer with {HOW[self.mirror.name]}, {self.variant.name(self.answer(move))}, and go on like that."

    @property
    def partners(self) -> dict[Cell, Cell]:
        """The cells open to the loser, after the best move if that is the winner's, and their images."""
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
