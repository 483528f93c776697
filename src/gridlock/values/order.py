"""The partial order of games."""

from gridlock.values.dyadic import Number
from gridlock.values.shapes import Game, Shape, number_at_least, number_at_most

MOST = 200_000  # the most comparisons that are remembered

# For two shapes a and b, `_known` stores the largest n for which a >= b + n is known to be true, and the smallest n for
# which it is known to be false.
_known: dict[tuple[Shape, Shape], tuple[Number | None, Number | None]] = {}


def at_least(one: Game, other: Game) -> bool:
    """Return whether one game is >= another, that is, whether Left, moving second, wins their difference."""
    return _at_least(one[1], other[1], other[0] - one[0])


def forget() -> None:
    """Clear the cache of comparisons."""
    _known.clear()


def _at_least(a: Shape | None, b: Shape | None, number: Number) -> bool:
    """Return whether a >= b + number."""
    if b is None:
        return number_at_least((0, a), number)
    if a is None:
        return number_at_most((number, b), 0)
    if number > 0 or number > a.right_stop - b.right_stop:
        return False  # one of the stops of the right-hand side is larger
    if a is b or number < a.right_stop or (number == a.right_stop and a.at_least and b.at_most):
        return True
    true, false = _known.get((a, b), (None, None))
    if true is not None and number <= true:
        return True
    if false is not None and number >= false:
        return False
    answer = True
    for shift, option in a.options[1]:  # Right must have no move from `a` to any game <= `b` + `number`
        if _at_least(b, option, shift - number):
            answer = False
            break
    else:
        for shift, option in b.options[0]:  # Left must have no move from `b` + `number` to any game >= `a`
            if _at_least(option, a, -shift - number):
                answer = False
                break
    if len(_known) >= MOST:
        _known.clear()
    true, false = _known.get((a, b), (None, None))
    _known[a, b] = (number, false) if answer else (true, number)
    return answer
