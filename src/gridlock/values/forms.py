"""Games as tables of their subpositions, for storing games and for importing results from other programs."""

import gc
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import cache

from gridlock.values import dyadic
from gridlock.values.dyadic import Number
from gridlock.values.shapes import Game, Shape, followers, interned
from gridlock.values.thermograph import MOVE
from gridlock.values.walls import Wall

Side = Sequence[tuple[Number, int]]
Row = tuple[Side, Side]
"""The left and right options of a shape.

Each option is the sum of a number and a shape, stored as the number and the shape's row in the table (-1 for no shape).
"""


def rows_of(game: Game) -> tuple[list[Row], int, Number]:
    """Return a game in three parts: a table of shapes, the index of a row in the table, and a number.

    The game is the sum of the number and the shape in that row of the table. If the game is a number, the table is
    empty and the row is -1.
    """
    places: dict[Shape | None, int] = {None: -1}
    rows: list[Row] = []
    for shape in followers(game[1]):
        left, right = ([(number, places[option]) for number, option in side] for side in shape.options)
        rows.append((left, right))
        places[shape] = len(places) - 1
    return rows, places[game[1]], game[0]


def from_rows(
    rows: Iterable[Row], row: int, number: Number, unit: Number, walls: tuple[Wall, Wall] | None = None
) -> Game:
    """Build a game from a table of canonical forms.

    The game is the sum of `number` and the shape in row `row` of the table. All numbers are multiplied by `unit`.
    `walls`, if given, are the walls of that row's thermograph. The forms in the table must be canonical, but this
    function checks only that they are valid.
    """
    shapes: list[Shape | None] = []
    in_unit = cache(lambda x: x if unit == 1 else dyadic.checked(Fraction(x * unit)))  # most numbers occur often
    with _no_collection():
        for place, (left, right) in enumerate(rows):
            if not left or not right:
                raise ValueError(f"Row {place} must have an option for each player.")
            if not all(-1 <= option < place for side in (left, right) for _, option in side):
                raise ValueError(f"Row {place} has an option that does not refer to an earlier row.")
            stop, shape = interned(*([(in_unit(x), _shape(shapes, option)) for x, option in s] for s in (left, right)))
            if stop != 0:
                raise ValueError(f"Row {place} has the left stop {stop}: forms must be shifted so that it is 0.")
            shapes.append(shape)
    if not -1 <= row < len(shapes):
        raise ValueError(f"There is no row {row}: the table has {len(shapes)} rows.")
    found = _shape(shapes, row)
    if found is not None and walls is not None and found.walls is None:
        found.walls = _in_parts(walls[0]), _in_parts(walls[1])
    return in_unit(number), found


def _shape(shapes: list[Shape | None], row: int) -> Shape | None:
    return shapes[row] if row >= 0 else None


def _in_parts(wall: Wall) -> Wall:
    return tuple((dyadic.checked(t * MOVE), dyadic.checked(x * MOVE)) for t, x in wall)


def in_moves(wall: Wall) -> Wall:
    """Return a wall in the form that `from_rows` expects."""
    return tuple((Fraction(t) / MOVE, Fraction(x) / MOVE) for t, x in wall)


@contextmanager
def _no_collection() -> Iterator[None]:
    """Pause garbage collection, because a large table creates many objects and all of them are in use."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
