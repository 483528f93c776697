"""The shape of a game: four properties of its markers, which suffice to describe all built-in games and many others."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from gridlock.core.errors import BadGame
from gridlock.core.grid import Bitboard, Cell, Grid
from gridlock.core.position import Position

Legal = Callable[[Position], Bitboard]


class Follow(StrEnum):
    """Where the next move must go, relative to the marker that it follows."""

    NEAR = "near"
    AWAY = "away"


@dataclass(frozen=True)
class Shape:
    """The effect of a game's markers, as four properties from which the engine derives everything it needs to know."""

    closes_own: bool = False  # closes the cells around it to its owner
    closes_other: bool = False  # closes the cells around it to the opponent
    follows: Follow | None = None  # whether the next move must be near the opponent's last marker, or away from it
    pawn: bool = False  # each side moves one pawn, which leaves markers behind; moves follow its own last marker

    def __post_init__(self) -> None:
        if self.follows is not None:
            if self.follows not in list(Follow):
                raise BadGame(f'The property "follows" must be "near", "away" or None, not {self.follows!r}.')
            object.__setattr__(self, "follows", Follow(self.follows))  # so that a plain string works as well
        if self.pawn and self.follows is None:
            raise BadGame('A game with pawns must also set the property "follows" to "near" or "away".')

    @property
    def closes(self) -> bool:
        """Whether a marker closes the cells around it to at least one player."""
        return self.closes_own or self.closes_other

    @property
    def placing(self) -> bool:
        """Whether a player may move to any open cell, wherever the last marker is."""
        return self.follows is None

    @property
    def geography(self) -> bool:
        """Whether a move's legality depends only on the empty cells and the last marker, as in the game Geography."""
        return self.follows is not None and not self.pawn and not self.closes

    @property
    def self_blocking(self) -> bool:
        """Whether each pawn's own markers close all cells next to the pawn, so that no pawn can ever move."""
        return self.pawn and self.follows is Follow.NEAR and self.closes_own

    # -- the effect of a marker on one cell, as sets of cells ---------------------------------------------------------

    def keeps(self, grid: Grid, cell: Cell) -> Bitboard:
        """Return the cells that a marker on the given cell leaves open to its owner."""
        return grid.cells & ~(1 << cell | (grid.near[cell] if self.closes_own else 0))

    def leaves(self, grid: Grid, cell: Cell) -> Bitboard:
        """Return the cells that a marker does not close to the opponent."""
        return grid.cells & ~(1 << cell | (grid.near[cell] if self.closes_other else 0))

    def reach(self, grid: Grid, cell: Cell) -> Bitboard:
        """Return the cells that the next move may take if the last marker is on a given cell."""
        if self.follows is Follow.NEAR:
            return grid.near[cell]
        return grid.cells & ~(1 << cell | (grid.near[cell] if self.follows else 0))

    # -- the rules --------------------------------------------------------------------------------------------------

    def open_to_both(self, grid: Grid, position: Position) -> tuple[Bitboard, Bitboard]:
        """Return the empty cells not closed to the side to move, and the empty cells not closed to the other side."""
        mine, theirs = position.mine, position.theirs
        empty = grid.cells & ~(mine | theirs)
        if not self.closes:
            return empty, empty
        around_mine, around_theirs = grid.around(mine), grid.around(theirs)
        own = (around_mine if self.closes_own else 0) | (around_theirs if self.closes_other else 0)
        other = (around_theirs if self.closes_own else 0) | (around_mine if self.closes_other else 0)
        return empty & ~own, empty & ~other

    def legal(self, grid: Grid, position: Position) -> Bitboard:
        """Return the cells open to the side to move."""
        mine, theirs = position.mine, position.theirs
        closed = mine | theirs
        if self.closes_own:
            closed |= grid.around(mine)
        if self.closes_other:
            closed |= grid.around(theirs)
        followed = position.my_head if self.pawn else position.their_head
        if self.follows is None or followed is None:  # nothing to follow yet: the opening move is free
            return grid.cells & ~closed
        near = grid.near[followed]
        return (near if self.follows is Follow.NEAR else grid.cells & ~near) & ~closed

    def causes(self, grid: Grid, position: Position, cell: Cell) -> Bitboard:
        """Return the markers that prevent the side to move from taking an empty cell."""
        near = grid.near[cell]
        found = (near & position.mine if self.closes_own else 0) | (near & position.theirs if self.closes_other else 0)
        followed = position.my_head if self.pawn else position.their_head
        if self.follows is not None and followed is not None:
            touches = near >> followed & 1
            if touches == (self.follows is Follow.AWAY):
                found |= 1 << followed
        return found


SHAPES = tuple(
    Shape(own, other, follows, pawn)
    for follows, pawn in (
        (None, False), (Follow.NEAR, False), (Follow.AWAY, False), (Follow.NEAR, True), (Follow.AWAY, True)
    )
    for own in (False, True)
    for other in (False, True)
)  # fmt: skip  # every combination
