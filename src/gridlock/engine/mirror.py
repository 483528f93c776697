"""Positions decided by a mirror strategy: the opponent answers every move with its image.

Let s be a symmetry of the board that is its own inverse; the image of a cell v is s(v).

Suppose that whenever a cell is open to the player to move, its image is open to the opponent. Suppose also that s(v)
stays open to the opponent after every move v. Under these two assumptions, the opponent can answer a move to any cell v
by taking its image s(v), and so makes the last move. The cell s(v) stays open if all of these conditions are met:
- s(v) is not v itself;
- if a marker closes the surrounding cells to the other side, s(v) does not touch v;
- if a move must be near the last marker, s(v) touches v; if a move must keep away from it, s(v) does not touch v;
- if each side moves a pawn, the pawns are each other's image, so s(v) is as near to one pawn as v is to the other.
The cells closed by v and by s(v) are images of each other, so the first assumption still holds after both moves.

The centre rule applies only to games in which markers may go on any open cell, and in which a marker closes the
surrounding cells to its owner but not to the opponent. Under the centre rule, a single cell that is its own image (the
centre c) may be open to the player to move. The opponent answers a move on c by taking a spare cell u next to c. The
reply u works if u is open to the opponent and a marker on c closes every cell whose image is closed by a marker on u.
After the moves on c and u, every cell that is open to the player to move still has an image that is open to the
opponent. A move next to the centre c, together with the image of that move, closes c to both players. For the proof,
see docs/theory.md.
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
MOST_FIXED = 2  # cells of the loser that are their own image: the winner takes one, and the other is the centre
SELF_INVERSE = dict(zip(HOW, (3, 2, 1, 4, 7), strict=True))


class Mirror(NamedTuple):
    """A symmetry of the board that is its own inverse."""

    name: str
    image: tuple[Cell, ...]
    fixed: Bitboard  # cells that are their own image
    touching: Bitboard  # cells that touch their image
    turned: Callable[[str], Iterable[str]]  # permutes the binary digits of a set into those of its image

    def of(self, bits: Bitboard) -> Bitboard:
        """Return the set of cells to which this symmetry maps the given cells."""
        return int("".join(self.turned(f"{bits:0{len(self.image)}b}")), 2)


class Strategy(NamedTuple):
    """A mirror strategy: a symmetry of the board, plus a reply to a move in the centre if one is needed."""

    mirror: Mirror
    centre: Cell | None = None
    spare: Cell | None = None

    def answer(self, cell: Cell) -> Cell:
        """Return the reply to a move."""
        return self.mirror.image[cell] if self.spare is None or cell != self.centre else self.spare

    def words(self, variant: Variant) -> str:
        """Return a phrase that tells players how to reply to a move."""
        how = HOW[self.mirror.name]
        if self.centre is None or self.spare is None:
            return how
        return f"{how}, and {variant.name(self.centre)}, which is its own image, with {variant.name(self.spare)}"


@cache
def symmetries(grid: Grid) -> tuple[tuple[Cell, ...], ...]:
    """Return all symmetries of the board, each as a tuple of the cells' images.

    SELF_INVERSE lists the symmetries that are their own inverses.
    """
    maps = [[divmod(cell, grid.cols) for cell in range(grid.size)]]
    maps += [[(grid.rows - 1 - row, col) for row, col in image] for image in maps]
    maps += [[(row, grid.cols - 1 - col) for row, col in image] for image in maps]
    if grid.rows == grid.cols:
        maps += [[(col, row) for row, col in image] for image in maps]
    return tuple(tuple(row * grid.cols + col for row, col in image) for image in maps)


@cache
def mirrors(grid: Grid) -> tuple[Mirror, ...]:
    """Return the board's self-inverse symmetries, starting with the half-turn."""
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
    """A judge that decides positions by finding a mirror strategy."""

    failure: ClassVar[str] = "no mirror strategy applies"

    def __init__(self, variant: Variant, shape: Shape) -> None:
        self.variant = variant
        self.shape = shape
        self.mirrors = [(mirror, self._unanswered(mirror)) for mirror in mirrors(variant.grid)]
        self.central = shape.placing and shape.closes_own and not shape.closes_other  # whether the centre rule applies

    def _unanswered(self, mirror: Mirror) -> Bitboard:
        """Return the cells on which a move cannot be answered with its image."""
        follows = None if self.shape.pawn else self.shape.follows
        apart = self.shape.closes_other or follows is Follow.AWAY
        return (
            mirror.fixed
            | (mirror.touching if apart else 0)
            | (self.variant.grid.cells & ~mirror.touching if follows is Follow.NEAR else 0)
        )

    def judge(self, position: Position, _tick: Tick) -> "Mirrored | None":
        """Prove with a mirror strategy that a position is lost or won; return None if no mirror strategy applies.

        A position is lost if a mirror strategy beats the player to move. A position is won if, after some move, a
        mirror strategy beats the opponent.
        """
        if strategy := self._losing(position):
            verdict, best = Verdict.LOSS, first_of(self.variant.legal(position))
        elif found := next(self.moves(position), None):
            verdict, (best, strategy) = Verdict.WIN, found
        else:
            return None
        kind = Mirrored if strategy.centre is None else Centred
        return kind(
            variant=self.variant, position=position, verdict=verdict, best=best, mirrors=self, strategy=strategy
        )

    def moves(self, position: Position) -> Iterator[tuple[Cell, Strategy]]:
        """Yield each move after which a mirror strategy wins, paired with one such strategy."""
        legal = self.variant.legal(position)
        mine, theirs = self.shape.open_to_both(self.variant.grid, position)
        found: Bitboard = 0
        for mirror, unanswered in self.mirrors:
            # A cell is stray if the opponent could take it, but taking its mirror image would not be a legal answer.
            # A winning move must close every stray (unanswerable) cell to the opponent, so the move must be on or next
            # to the stray cell with the lowest number.
            stray = 0 if self.shape.pawn else theirs & ((0 if self.central else unanswered) | ~mirror.of(mine))
            promising = legal & self.variant.grid.around(stray & -stray) if stray else legal
            if self.central:  # the opponent must not have the image of the move, which can no longer be answered
                few = (theirs & mirror.fixed).bit_count() <= MOST_FIXED
                promising &= ~mirror.of(theirs & ~mirror.fixed) if few else 0
            for cell in cells_of(promising & ~found):
                if strategy := self._losing(position.after(cell), [(mirror, unanswered)]):
                    found |= 1 << cell
                    yield cell, strategy

    def _losing(self, position: Position, some: list[tuple[Mirror, Bitboard]] | None = None) -> Strategy | None:
        """Return a mirror strategy that beats the player to move, or None; if `some` is given, try only its mirrors."""
        mine, theirs = self.shape.open_to_both(self.variant.grid, position)
        by_centre: Strategy | None = None
        for mirror, unanswered in self.mirrors if some is None else some:
            if self.shape.pawn and mirror.image[position.my_head or 0] != position.their_head:
                continue
            strategy = self.strategy(mirror, mine, theirs, mine & unanswered)
            if strategy and strategy.centre is None:
                return strategy
            by_centre = by_centre or strategy
        return by_centre

    def strategy(self, mirror: Mirror, mine: Bitboard, theirs: Bitboard, left: Bitboard) -> Strategy | None:
        """Return the opponent's mirror strategy, or None; `left` is the set of cells without a mirror reply."""
        if left and (not self.central or left & (left - 1)):
            return None
        images, grid = mirror.of(mine), self.variant.grid
        if images & ~theirs:
            return None
        if not left:
            return Strategy(mirror)
        centre = left.bit_length() - 1
        kept = images & self.shape.keeps(grid, centre)
        spares = (cell for cell in cells_of(grid.near[centre] & theirs) if not kept & ~self.shape.keeps(grid, cell))
        spare = next(spares, None)
        return None if spare is None else Strategy(mirror, centre, spare)


@dataclass(frozen=True, kw_only=True)
class Mirrored(Proof):
    """A proof by mirroring: the winner answers every move with its mirror image."""

    method: ClassVar[Method] = Method.MIRROR
    partner: ClassVar[str] = "its mirror image"
    mirrors: Mirrors
    strategy: Strategy

    @cached_property
    def moves(self) -> dict[Cell, Strategy]:
        """Every move after which a mirror strategy wins, paired with that strategy."""
        return {} if self.verdict is Verdict.LOSS else dict(self.mirrors.moves(self.position))

    @property
    def winning(self) -> tuple[Cell, ...]:
        """The moves after which a mirror strategy wins, in row order."""
        return tuple(sorted(self.moves))

    def reason(self, cell: Cell) -> str:
        """Return a sentence that says which mirror strategy wins."""
        if self.verdict is Verdict.LOSS:
            return f"Every move loses: the opponent can answer each one with {self.strategy.words(self.variant)}."
        how = self.moves[cell].words(self.variant)
        return f"{self.variant.name(cell)} wins: from then on every move can be answered with {how}."

    def answer(self, move: Cell) -> Cell:
        """Return the winner's mirror reply to a move by the loser.

        If it is the winner's turn, the loser's move is a reply to the winner's best move.
        """
        strategy = self.strategy if self.best is None else self.moves.get(self.best, self.strategy)
        return strategy.answer(move)

    def refutation(self, move: Cell) -> str:
        """Return the end of a sentence about a losing move: the part that names the mirror image as the answer."""
        how, answer = HOW[self.strategy.mirror.name], self.variant.name(self.answer(move))
        if move == self.strategy.centre:
            return f": answer with {answer}, and then every move with {how}."
        return f": answer with {how}, {answer}, and keep doing so."

    @property
    def partners(self) -> dict[Cell, Cell]:
        """A map from the loser's moves to the winner's replies.

        If it is the winner's turn, the map applies to the position after the winner's best move. In most pairs, each
        cell is the reply to the other, so the pair is listed in both directions. A move in the centre has a reply, but
        the centre is never the reply to another move. The pair that consists of the centre and the reply to it is
        therefore listed in one direction only, before all other pairs.
        """
        if self.best is None:
            return {}
        position = self.position.after(self.best) if self.verdict is Verdict.WIN else self.position
        free = self.variant.grid.cells & ~position.taken
        found: dict[Cell, Cell] = {}
        for cell in cells_of(self.variant.legal(position) if self.mirrors.shape.placing else free):
            image = self.answer(cell)
            if image != cell and free >> image & 1:
                found[cell] = image
                if self.answer(image) == cell:
                    found[image] = cell
        return dict(sorted(found.items(), key=lambda pair: found.get(pair[1]) == pair[0]))


class Centred(Mirrored):
    """A proof by the centre rule: the winner mirrors every move, but answers the centre with a cell next to it."""

    method: ClassVar[Method] = Method.CENTRE
