"""Sums, negatives and multiples of games."""

from collections.abc import Iterator

from gridlock.values.construction import game_of
from gridlock.values.shapes import Game, Shape, followers, interned

MOST = 50_000  # remembered sums

_sums: dict[tuple[Shape, Shape], Game] = {}


def forget() -> None:
    """Forget all sums."""
    global _sums
    _sums = {}  # a new one, so that a sum in progress can finish with the old one


def negative(game: Game) -> Game:
    """Return a game with the players exchanged."""
    number, shape = game
    return (-number - shape.right_stop, _negative(shape)) if shape else (-number, None)


def add(one: Game, other: Game) -> Game:
    """Return the sum of two games, in which a player moves in either of them."""
    if len(_sums) >= MOST:
        forget()
    number, shape = _sum(one[1], other[1], _sums)
    return one[0] + other[0] + number, shape


def times(count: int, game: Game) -> Game:
    """Return the sum of so many copies of a game; of its negative, if the count is negative."""
    if count < 0:
        return times(-count, negative(game))
    number, shape = game
    total: Game = (0, None)
    power: Game = (0, shape)
    rest = count if shape else 0
    while rest:
        if rest & 1:
            total = add(total, power)
        rest >>= 1
        if rest:
            power = add(power, power)
    return count * number + total[0], total[1]


def _negative(shape: Shape) -> Shape:
    if shape.negative is None:
        for follower in followers(shape):
            if follower.negative is None:
                left, right = ([negative(game) for game in side] for side in follower.options)
                opposite = interned(right, left)[1]
                assert opposite is not None
                follower.negative, opposite.negative = opposite, follower
    assert shape.negative is not None
    return shape.negative


def _sum(a: Shape | None, b: Shape | None, known: dict[tuple[Shape, Shape], Game]) -> Game:
    """Return the sum of two shapes, after those of their options."""
    stack = [(a, b)]
    while stack:
        missing = [pair for pair in _needed(*stack[-1]) if _looked_up(*pair, known) is None]
        if missing and _looked_up(*stack[-1], known) is None:
            stack.extend(missing)
            continue
        one, other = stack.pop()
        if _looked_up(one, other, known) is None:
            assert one is not None and other is not None
            sides: list[list[Game]] = []
            for side in (0, 1):
                sums = [(shift, _looked_up(option, other, known)) for shift, option in one.options[side]]
                sums += [(shift, _looked_up(one, option, known)) for shift, option in other.options[side]]
                sides.append([(shift + found[0], found[1]) for shift, found in sums if found])
            known[_pair(one, other)] = game_of(*sides)
    found = _looked_up(a, b, known)
    assert found is not None
    return found


def _needed(a: Shape | None, b: Shape | None) -> Iterator[tuple[Shape | None, Shape | None]]:
    """Yield the pairs of shapes whose sums are options of this sum."""
    if a is not None and b is not None:
        for side in (0, 1):
            for _, option in a.options[side]:
                yield option, b
            for _, option in b.options[side]:
                yield a, option


def _looked_up(a: Shape | None, b: Shape | None, known: dict[tuple[Shape, Shape], Game]) -> Game | None:
    """Return the sum of two shapes if it is known, or None."""
    if a is None or b is None:
        return 0, a or b
    if _negative(a) is b:
        return a.right_stop, None
    return known.get(_pair(a, b))


def _pair(a: Shape, b: Shape) -> tuple[Shape, Shape]:
    return (a, b) if a.digest <= b.digest else (b, a)
