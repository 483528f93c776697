"""Games with names of their own: nimbers, ups and downs, switches, tinies and minies."""

from gridlock.values.arithmetic import negative
from gridlock.values.construction import game_of
from gridlock.values.shapes import DEEPEST, Game, Shape, interned

ZERO: Game = (0, None)


def nimber(size: int) -> Game:
    """Return a heap of Nim: *0 is 0, *1 is *, and both players may move from *n to any smaller heap."""
    if size < 0:
        raise ValueError(f"There is no nimber *{size}: a heap has at least 0 counters.")
    _check_depth(size)
    heaps = [ZERO]
    for _ in range(size):
        heaps.append(interned(heaps, heaps))
    return heaps[-1]


def ups(count: int, star: int = 0) -> Game:
    """Return so many ups (downs, if negative) plus a nimber; their canonical forms are known and need no sums."""
    if count < 0:
        return negative(ups(-count, star))
    _check_depth(count + star)
    # n.^ + *k is {0 | (n-1).^ + *(k xor 1)}, except that ^* is {0,*|0}.
    game = nimber(star ^ (count & 1))
    for step in range(1, count + 1):
        first_with_star = step == 1 and game == ZERO
        game = interned([ZERO, nimber(1)], [ZERO]) if first_with_star else interned([ZERO], [game])
    return game


def ups_and_star(shape: Shape) -> tuple[int, int] | None:
    """Return the number of ups and the nimber that a shape is the sum of, or None; the inverse of `ups`."""
    if shape.right_stop != 0:
        return None
    found = _ups_and_star(shape)
    if found is None:
        opposite = negative((0, shape))[1]
        assert opposite is not None
        found = _ups_and_star(opposite)
        return (-found[0], found[1]) if found else None
    return found


def switch(left: Game, right: Game) -> Game:
    """Return the game in which Left can move to one game and Right to the other."""
    return game_of([left], [right])


def tiny(game: Game) -> Game:
    """Return {0 || 0 | -G}: tiny-G, positive but smaller than any positive number."""
    return game_of([ZERO], [game_of([ZERO], [negative(game)])])


def miny(game: Game) -> Game:
    """Return {G | 0 || 0}: miny-G, the negative of tiny-G."""
    return negative(tiny(game))


def tiny_of(shape: Shape) -> Game | None:
    """Return the game G for which the shape is tiny-G, or None."""
    left, right = shape.options
    inner = right[0][1]
    if left != (ZERO,) or len(right) > 1 or right[0][0] != 0 or inner is None:
        return None
    return negative(inner.options[1][0]) if inner.options[0] == (ZERO,) and len(inner.options[1]) == 1 else None


def _ups_and_star(shape: Shape) -> tuple[int, int] | None:
    """Walk down {0 | {0 | ... }} to a nimber or to ^*."""
    up_star = ups(1, 1)[1]
    steps = 0
    while True:
        left, right = shape.options
        if left == right and nimber(len(left))[1] is shape:
            return steps, len(left) ^ (steps & 1)
        if shape is up_star:
            return steps + 1, 1 ^ (steps & 1)
        if left != (ZERO,) or len(right) > 1 or right[0][0] != 0 or right[0][1] is None:
            return None
        shape = right[0][1]
        steps += 1


def _check_depth(depth: int) -> None:
    if depth > DEEPEST:
        raise ValueError(f"This value is too deep: a value may be at most {DEEPEST} moves deep.")
