"""A game as a table of its subpositions: to store it, and to take over what another program has computed."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache

from gridlock.values import dyadic
from gridlock.values.dyadic import Number
from gridlock.values.shapes import Game, Shape, followers, interned

Side = Sequence[tuple[Number, int]]
Row = tuple[Side, Side]
"""Left's and Right's options of a shape: each a number and the row of the shape that it is added to, or -1 for none."""


def rows_of(game: Game) -> tuple[list[Row], int, Number]:
    """Return a table of forms, the row of the game's shape (-1 for a number), and the number to add."""
    places: dict[Shape | None, int] = {None: -1}
    rows: list[Row] = []
    for shape in followers(game[1]):
        left, right = ([(number, places[option]) for number, option in side] for side in shape.options)
        rows.append((left, right))
        places[shape] = len(places) - 1
    return rows, places[game[1]], game[0]


def from_rows(rows: Iterable[Row], row: int, number: Number, unit: Number) -> Game:
    """Return the game in a row of a table plus a number, all numbers given in a unit.

    The forms must be canonical. That is not checked; it is only checked that they are forms at all.
    """
    shapes: list[Shape | None] = []
    in_unit = cache(lambda x: x if unit == 1 else dyadic.checked(Fraction(x * unit)))  # most numbers occur often
    for place, (left, right) in enumerate(rows):
        if not left or not right:
            raise ValueError(f"Row {place} is a number: both players need an option.")
        if not all(-1 <= option < place for side in (left, right) for _, option in side):
            raise ValueError(f"Row {place} has an option in a row that does not come before it.")
        stop, shape = interned(*([(in_unit(x), _shape(shapes, option)) for x, option in s] for s in (left, right)))
        if stop != 0:
            raise ValueError(f"Row {place} has the left stop {stop}: forms must be shifted so that it is 0.")
        shapes.append(shape)
    if not -1 <= row < len(shapes):
        raise ValueError(f"There is no row {row}: the table has {len(shapes)} rows.")
    return in_unit(number), _shape(shapes, row)


def _shape(shapes: list[Shape | None], row: int) -> Shape | None:
    return shapes[row] if row >= 0 else None
