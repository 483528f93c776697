"""One unnamed game for each possible combination of marker rules, and a naive model of each game."""

from dataclasses import replace

import oracle
from gridlock.core.grid import Adjacency
from gridlock.core.shape import SHAPES
from hermit import HERMIT


def book_of(shape, passes=False, name="some"):
    """Return an unnamed game with the given `Shape`."""
    letters = {"marks": ("A", "B"), "players": ("Player A", "Player B")} if shape.pawn else {}
    return replace(HERMIT, name=name, shape=shape, passes=passes, example=(), **letters)


def shape_name(shape):
    """Return one hyphenated word that describes a `Shape`, for use in test names."""
    told = [word for word in ("closes_own", "closes_other", "pawn") if getattr(shape, word)]
    return "-".join([str(shape.follows or "anywhere"), *told])


BOOKS = {shape_name(shape): book_of(shape) for shape in SHAPES}
PASSING = {f"{name}-passes": book_of(book.shape, passes=True) for name, book in BOOKS.items() if book.shape.placing}
EVERY_SHAPE = [(name, str(adjacency)) for name in BOOKS for adjacency in Adjacency]


def naive_of(book):
    """Return a naive model of a game, built only from the four properties of its markers and from its passing rule."""
    shape, follows = book.shape, book.shape.follows
    told = None if follows is None else str(follows)
    return oracle.shaped(shape.closes_own, shape.closes_other, told, shape.pawn, book.passes)
