"""Nimbers, ups and downs: games with known canonical forms, whose sums need no search."""

from functools import cache

from gridlock.values.shapes import DEEPEST, Game, Shape, interned

ZERO: Game = (0, None)


@cache
def nimber(size: int) -> Game:
    """Return the value of a Nim heap: *0 is 0, *1 is *, and both players may move from *n to any smaller heap."""
    if size < 0:
        raise ValueError(f"There is no nimber *{size}: the size of a heap cannot be negative.")
    _check_depth(size)
    heaps = [ZERO]
    for _ in range(size):
        heaps.append(interned(heaps, heaps))
    return heaps[size]


def ups(count: int, star: int = 0) -> Game:
    """Return `count` ups (or downs, if `count` is negative) plus a nimber.

    n.up + *k is {0 | (n-1).up + *(k xor 1)}, except that up + * is {0,*|0}; downs are the mirror images.
    """
    _check_depth(abs(count) + star)
    if count and not star ^ (count & 1):
        game, steps = _up_star(count > 0), abs(count) - 1
    else:
        game, steps = nimber(star ^ (count & 1)), abs(count)
    for _ in range(steps):
        game = interned([ZERO], [game]) if count > 0 else interned([game], [ZERO])
    return game


def ups_and_star(shape: Shape) -> tuple[int, int] | None:
    """Return the number of ups and the nimber that add up to a shape, or None; this is the inverse of `ups`."""
    if shape.right_stop != 0:
        return None
    return _climbed(shape, True) or _climbed(shape, False)


def _climbed(shape: Shape, up: bool) -> tuple[int, int] | None:
    """Walk down {0 | {0 | ... }}, or its mirror image, to a nimber or to up + *."""
    sign = 1 if up else -1
    steps = 0
    while True:
        own, others = shape.options if up else shape.options[::-1]
        if own == others and shape.depth == len(own) and nimber(len(own))[1] is shape:
            return sign * steps, len(own) ^ (steps & 1)
        if shape is _up_star(up)[1]:
            return sign * (steps + 1), 1 ^ (steps & 1)
        number, following = others[0]
        if own != (ZERO,) or len(others) > 1 or number != 0 or following is None:
            return None
        shape = following
        steps += 1


@cache
def _up_star(up: bool) -> Game:
    """Return up + *, or down + *."""
    return interned([ZERO, nimber(1)], [ZERO]) if up else interned([ZERO], [ZERO, nimber(1)])


def _check_depth(depth: int) -> None:
    if depth > DEEPEST:
        raise ValueError(f"This value is too deep (it can take more than {DEEPEST} moves to become a number).")
