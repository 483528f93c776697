"""Games as pairs of option sets, with operations written straight from the definitions: slow, but simple.

Only the functions that convert games to and from `Value` use code from the `gridlock` package.
"""

from fractions import Fraction
from functools import cache

from gridlock.values import Value

ZERO = (frozenset(), frozenset())


def game(left=(), right=()):
    return frozenset(left), frozenset(right)


@cache
def at_least(one, other):
    """Return whether `one` >= `other`.

    By Conway's definition, `one` >= `other` if no right option of `one` is <= `other` and no left option of `other` is
    >= `one`.
    """
    return not any(at_least(other, option) for option in one[1]) and not any(
        at_least(option, one) for option in other[0]
    )


@cache
def total(one, other):
    left = [total(option, other) for option in one[0]] + [total(one, option) for option in other[0]]
    right = [total(option, other) for option in one[1]] + [total(one, option) for option in other[1]]
    return game(left, right)


@cache
def opposite(one):
    return game(map(opposite, one[1]), map(opposite, one[0]))


@cache
def canonical(one):
    """Remove dominated and reversible options one by one until none is left."""
    left, right = set(map(canonical, one[0])), set(map(canonical, one[1]))
    while True:
        now = game(left, right)
        if not (_simplified(left, now, 0) or _simplified(right, now, 1)):
            return now


def _simplified(side, now, player):
    def better(one, other):
        return at_least(one, other) if player == 0 else at_least(other, one)

    for option in side:
        if any(better(other, option) for other in side if other != option):
            side.remove(option)
            return True
        for answer in option[1 - player]:
            if better(now, answer):
                side.remove(option)
                side.update(answer[player])
                return True
    return False


def number(one):
    """Return the number that a canonical form equals, or None if it is not a number."""
    left, right = ([number(option) for option in side] for side in one)
    if None in left + right or len(left) > 1 or len(right) > 1:
        return None
    if left and right:
        return (left[0] + right[0]) / 2 if left[0] < right[0] else None
    return left[0] + 1 if left else right[0] - 1 if right else Fraction(0)


def stops_by_temperature(one, step, steps):
    """Return a canonical form's stops at each multiple of a small temperature step.

    The code follows the definition of cooling step by step: it taxes every move, and freezes a game as soon as its
    stops are equal. The step must be small enough that all freezing temperatures are multiples of it.
    """
    frozen = {}
    rows = []
    for tax in (step * index for index in range(steps)):
        met = {}

        def stops(form, tax=tax, met=met, frozen=frozen):
            if form in frozen:
                return frozen[form]
            if form in met:
                return met[form]
            x = number(form)
            if x is not None:
                met[form] = (x, x)
                return met[form]
            left = max(stops(option)[1] for option in form[0]) - tax
            right = min(stops(option)[0] for option in form[1]) + tax
            assert left >= right, "the step is too large"
            met[form] = (left, right)
            return met[form]

        rows.append(stops(one))
        frozen.update((form, pair) for form, pair in met.items() if pair[0] == pair[1])
    return rows


@cache
def value_of_naive(one):
    return Value.game(map(value_of_naive, one[0]), map(value_of_naive, one[1]))


@cache
def naive_of_value(value):
    return game(map(naive_of_value, value.left), map(naive_of_value, value.right))


@cache
def whole(x):
    """Return the game whose value is the given integer."""
    return game([whole(x - 1)]) if x > 0 else game([], [whole(x + 1)]) if x < 0 else ZERO


def random_game(rng, depth, largest=2):
    """Return a random game with at most two options on each side; every line of play ends in a whole number."""
    if depth == 0 or rng.random() < 0.15:
        return whole(rng.randint(-largest, largest))
    sides = ([random_game(rng, depth - 1, largest) for _ in range(rng.choice((0, 1, 1, 2)))] for _ in range(2))
    return game(*sides)
