"""Sums, negatives and multiples of games."""

from gridlock.values.construction import game_of
from gridlock.values.dyadic import Number
from gridlock.values.infinitesimals import ups, ups_and_star
from gridlock.values.shapes import Game, Shape, followers, interned

MOST = 50_000  # the most sums that are remembered

_sums: dict[tuple[Shape, Shape], Game] = {}


def forget() -> None:
    """Clear the cache of sums."""
    global _sums
    _sums = {}  # a new dictionary, so that a sum in progress can finish with the old one


def negative(game: Game) -> Game:
    """Return the negative of a game, which is the game with the players exchanged."""
    number, shape = game
    return (-number - shape.right_stop, _negative(shape)) if shape else (-number, None)


def add(one: Game, other: Game) -> Game:
    """Return the sum of two games, in which every move is made in one of the two games."""
    if len(_sums) >= MOST:
        forget()
    number, shape = _sum(one[1], other[1], _sums)
    return one[0] + other[0] + number, shape


def times(count: int, game: Game) -> Game:
    """Return `count` times a game: the sum of |count| copies of the game or, if `count` < 0, of its negative."""
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
    for follower in followers(shape, lambda known: known.negative is not None):
        left, right = ([negative(game) for game in side] for side in follower.options)
        opposite = interned(right, left)[1]
        assert opposite is not None
        follower.negative, opposite.negative = opposite, follower
    assert shape.negative is not None
    return shape.negative


def _sum(a: Shape | None, b: Shape | None, known: dict[tuple[Shape, Shape], Game]) -> Game:
    """Return the sum of two shapes, using a stack of pairs instead of recursion; smaller sums are computed first."""
    stack = [(a, b)]
    while True:
        one, other = stack[-1]
        found = _easy_sum(one, other, known)
        if found is None:
            assert one is not None
            assert other is not None
            sides, missing = _options(one, other, known)
            if missing:
                stack.extend(missing)
                continue
            found = known[_pair(one, other)] = game_of(*sides)
        stack.pop()
        if not stack:
            return found


def _options(
    a: Shape, b: Shape, known: dict[tuple[Shape, Shape], Game]
) -> tuple[list[list[Game]], list[tuple[Shape | None, Shape | None]]]:
    """Return the known options of the sum of two shapes, and the pairs of shapes whose sums are still unknown."""
    sides: list[list[Game]] = []
    missing: list[tuple[Shape | None, Shape | None]] = []
    for side in (0, 1):
        moves: list[tuple[Number, Shape | None, Shape | None]] = []
        moves += [(shift, option, b) for shift, option in a.options[side]]
        moves += [(shift, a, option) for shift, option in b.options[side]]
        sides.append([])
        for shift, one, other in moves:
            found = _easy_sum(one, other, known)
            if found is None:
                missing.append((one, other))
            else:
                sides[-1].append((shift + found[0], found[1]))
    return sides, missing


def _easy_sum(a: Shape | None, b: Shape | None, known: dict[tuple[Shape, Shape], Game]) -> Game | None:
    """Return the sum of two shapes if it is known or easy to compute; otherwise return None.

    The sum of two shapes is easy to compute if one is the negative of the other, or if both are sums of ups and a
    nimber.
    """
    if a is None or b is None:
        return 0, a or b
    if _negative(a) is b:
        return a.right_stop, None
    found = known.get(_pair(a, b))
    if found is None and (first := ups_and_star(a)) and (second := ups_and_star(b)):
        found = known[_pair(a, b)] = ups(first[0] + second[0], first[1] ^ second[1])
    return found


def _pair(a: Shape, b: Shape) -> tuple[Shape, Shape]:
    return (a, b) if a.digest <= b.digest else (b, a)
