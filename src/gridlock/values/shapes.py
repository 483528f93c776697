"""Canonical forms, each stored once and shared by all games that differ only by a number.

A game is a number plus a shape, or only a number if the shape is None. A shape that is not None is a canonical form
whose left stop is 0. By the number translation theorem, adding a number to a form that is not a number adds it to every
option of the form, so all games that differ only by a number share one shape. Equal games have the same number and the
same shape object.
"""

import threading
from collections.abc import Callable, Iterable
from hashlib import blake2b
from weakref import WeakValueDictionary

from gridlock.values import dyadic
from gridlock.values.dyadic import Number
from gridlock.values.walls import Wall

DEEPEST = 200  # moves; deeper shapes are rejected, so that comparing two shapes cannot overflow the stack

Game = tuple[Number, "Shape | None"]
"""A game, stored as a number (its left stop) plus a shape (None if the game is a number)."""


class Shape:
    """A canonical form that is not a number, shifted so that its left stop is 0; created only by `interned`."""

    __slots__ = ("__weakref__", "at_least", "at_most", "depth", "digest", "negative", "options", "right_stop", "walls")

    def __init__(self, left: Iterable[Game], right: Iterable[Game]) -> None:
        self.options = tuple(sorted(left, key=sorting_key)), tuple(sorted(right, key=sorting_key))
        self.right_stop: Number = min(number for number, _ in self.options[1])
        self.at_most = not any(number_at_least(game, 0) for game in self.options[0])  # whether it is <= its left stop
        self.at_least = not any(number_at_most(game, self.right_stop) for game in self.options[1])  # >= its right stop
        self.depth: int = 1 + max(shape.depth if shape else 0 for side in self.options for _, shape in side)
        if self.depth > DEEPEST:
            raise ValueError(f"This value is too deep (it can take more than {DEEPEST} moves to become a number).")
        named = [[(str(number), shape.digest if shape else "") for number, shape in side] for side in self.options]
        # Shapes with equal stops and depths are sorted by their digests, so that the order never depends on what was
        # computed earlier.
        self.digest: str = blake2b(repr(named).encode(), digest_size=16).hexdigest()
        self.negative: Shape | None = None  # see arithmetic.negative
        self.walls: tuple[Wall, Wall] | None = None  # see thermograph.walls


_shapes: WeakValueDictionary[tuple[frozenset[Game], frozenset[Game]], Shape] = WeakValueDictionary()
_lock = threading.Lock()


def interned(left: Iterable[Game], right: Iterable[Game]) -> Game:
    """Return the game with these options, which must be canonical; the game must not be a number."""
    left = tuple(left)
    stop = max(right_stop(game) for game in left)
    key = (
        frozenset([(number - stop, shape) for number, shape in left]),
        frozenset([(number - stop, shape) for number, shape in right]),
    )
    with _lock:
        found = _shapes.get(key)
        if found is None:
            found = _shapes[key] = Shape(*key)
    return stop, found


def options(game: Game) -> tuple[tuple[Game, ...], tuple[Game, ...]]:
    """Return the canonical options of a game, Left's and Right's, in an order that depends only on their values."""
    number, shape = game
    if shape is None:
        left, right = dyadic.options(number)
        return tuple((option, None) for option in left), tuple((option, None) for option in right)
    left_options, right_options = shape.options
    return (
        tuple((number + shift, option) for shift, option in left_options),
        tuple((number + shift, option) for shift, option in right_options),
    )


def followers(shape: Shape | None, known: Callable[[Shape], bool] = lambda _: False) -> list[Shape]:
    """Return a shape and its followers, except those that are already known; list each shape after its options."""
    found: dict[Shape, None] = {}
    stack = [shape] if shape and not known(shape) else []
    while stack:
        top = stack[-1]
        missing = [
            option
            for side in top.options
            for _, option in side
            if option is not None and option not in found and not known(option)
        ]
        if missing:
            stack.extend(missing)
        else:
            found.setdefault(top)
            stack.pop()
    return list(found)


def birthday(game: Game) -> int:
    """Return the depth of a game's canonical form; numbers are expanded into their canonical forms, too."""
    known: dict[Game, int] = {}
    stack = [game]
    while stack:
        top = stack[-1]
        below = [option for side in options(top) for option in side] if top[1] else []
        missing = [option for option in below if option not in known]
        if missing:
            stack.extend(missing)
        else:
            stack.pop()
            known[top] = 1 + max(known[option] for option in below) if below else dyadic.birthday(top[0])
    return known[game]


def right_stop(game: Game) -> Number:
    """Return the right stop of a game: the number at which best play ends if Right starts."""
    number, shape = game
    return number + shape.right_stop if shape else number


def number_at_least(game: Game, number: Number) -> bool:
    """Return whether a game is greater than or equal to a number."""
    stop = right_stop(game)
    return stop > number or (stop == number and (game[1] is None or game[1].at_least))


def number_at_most(game: Game, number: Number) -> bool:
    """Return whether a game is less than or equal to a number."""
    stop, shape = game
    return stop < number or (stop == number and (shape is None or shape.at_most))


def sorting_key(game: Game) -> tuple[int, Number, Number, str]:
    """Return a sorting key that does not depend on earlier computations: numbers first, then games by depth."""
    number, shape = game
    return (shape.depth, number, shape.right_stop, shape.digest) if shape else (0, number, 0, "")
