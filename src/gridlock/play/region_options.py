"""Explore a region move by move: show both players' best moves, and the region's value after each of them.

The options of a canonical form are not the same as the moves on the board: some moves are left out, and some options
take several moves to reach. Each move is therefore shown with the region's value after the move, and a note lists those
options of the canonical form that take several moves to reach.
"""

from collections.abc import Sequence
from typing import NamedTuple

from gridlock.core.errors import GridLockError
from gridlock.core.game import Game
from gridlock.core.grid import Cell, cells_of
from gridlock.core.position import Side
from gridlock.engine.clock import Clock
from gridlock.engine.regions import Region, region_after, region_at
from gridlock.play.region_words import amount
from gridlock.play.regions import NO_VALUES, has_values
from gridlock.values import Value

Path = Sequence[tuple[Side, Cell]]  # moves of either side, in any order
LONGEST = 40  # the most characters in a value's name
MOST = 8  # the most moves shown for each side
NOWHERE = "Cell {} isn't open to {} in this region."


class Option(NamedTuple):
    """A move in a region, and what remains of the region after the move."""

    side: Side
    cell: Cell
    left: Region

    @property
    def words(self) -> str:
        """The value of the region after the move, in words."""
        return worth_words(self.left)


class Opened(NamedTuple):
    """A region after some moves, and each side's best moves there.

    If several moves lead to the same value, only one of them is listed.
    """

    whole: Region  # before these moves
    region: Region
    path: Path
    options: tuple[tuple[Option, ...], tuple[Option, ...]]
    unreached: tuple[Value, ...]  # options of the canonical form that no single move reaches

    @property
    def note(self) -> str:
        """A sentence about the options that are missing from the list, or an empty string if no option is missing."""
        if self.region.value is None:
            return "The region's value isn't known, so its options can't be shown."
        names = [value.name(LONGEST) or "a long one" for value in self.unreached[:MOST]]
        if not names:
            return ""
        some = "these options" if len(names) > 1 else "this option"
        return f"No single move leaves {some} of the canonical form: {', '.join(names)}."


def open_region(game: Game, cell: Cell, path: Path, seconds: float) -> Opened:
    """Make some moves in the region that contains the given cell, and return the resulting region and its options.

    Raise GridLockError if the cell is not in any region, or if a move is not possible.
    """
    if not has_values(game.variant):
        raise GridLockError(NO_VALUES)
    clock = Clock(seconds)
    book, name = game.variant.book, game.variant.name
    whole = region_at(game.variant, game.position, cell, clock)
    if whole is None:
        raise GridLockError("This cell is not in any region.")
    region = whole
    for side, move in path:
        after = region_after(region, side, move, clock)
        if after is None:
            text = name(move) if move < game.variant.grid.size else str(move)
            raise GridLockError(NOWHERE.format(text, book.mark(side)))
        region = after
    ones, twos = (_options(region, side, clock) for side in (1, 2))
    unreached: list[Value] = []
    if region.value is not None and not region.value.is_number:
        for wanted, found in ((region.value.left, ones), (region.value.right, twos)):
            reached = [option.left.value for option in found]
            unreached += [value for value in wanted if value not in reached and None not in reached]
    return Opened(whole, region, path, (ones[:MOST], twos[:MOST]), tuple(unreached))


def drawn(opened: Opened, region: Region, path: Path) -> list[str]:
    """Return the smallest rectangle around the whole region, row by row, with one character for each cell.

    `L` and `R` stand for markers placed by the moves, `1` for a cell that is open only to side 1, `2` for a cell that
    is open only to side 2, `.` for a cell that is open to both sides, and `#` for any other cell.
    """
    cols = region.variant.grid.cols
    cells = cells_of(opened.whole.cells)
    texts = {move: "LR"[side - 1] for side, move in path}
    ones, twos = region.open_to

    def text(cell: Cell) -> str:
        one, two = ones >> cell & 1, twos >> cell & 1
        return texts.get(cell) or ("." if one and two else "1" if one else "2" if two else "#")

    rows = range(cells[0] // cols, cells[-1] // cols + 1)
    across = range(min(cell % cols for cell in cells), max(cell % cols for cell in cells) + 1)
    return ["".join(text(row * cols + col) for col in across) for row in rows]


def worth_words(region: Region) -> str:
    """Return the name of a region's value, if the name is short, and the region's temperature, if the region is hot."""
    if region.value is None:
        return "not worked out in time"
    name = region.value.name(LONGEST) or "a long value"
    hot = region.temperature
    return f"{name}, temperature {amount(hot)}" if hot is not None and hot > 0 else name


def _options(region: Region, side: Side, clock: Clock) -> tuple[Option, ...]:
    """Return a side's best moves, one for each resulting value, or no moves if the region's value is unknown."""
    found: list[Option] = []
    values: list[Value] = []
    for cell in region.best[side - 1] if region.value is not None else ():
        left = region_after(region, side, cell, clock)
        if left is None or left.value in values:
            continue
        if left.value is not None:
            values.append(left.value)
        found.append(Option(side, cell, left))
    return tuple(found)
