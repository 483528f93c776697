"""Dyadic rationals, the numbers among games: their options, their birthdays, and the simplest number in an interval."""

from fractions import Fraction

Number = int | Fraction
"""A dyadic rational. A whole number may be an int, which is faster than a Fraction and has the same hash."""


def checked(number: Number) -> Number:
    """Return the number, as an int if it is whole; raise ValueError unless it is a dyadic rational."""
    if number.denominator & (number.denominator - 1):
        raise ValueError(f"{number} is not the value of a game: the denominator must be a power of two.")
    return number.numerator if number.denominator == 1 else number


def options(number: Number) -> tuple[tuple[Number, ...], tuple[Number, ...]]:
    """Return the canonical options of a number: first Left's, then Right's."""
    if number.denominator == 1:
        whole = number.numerator
        return ((whole - 1,) if whole > 0 else ()), ((whole + 1,) if whole < 0 else ())
    step = Fraction(1, number.denominator)
    return (number - step,), (number + step,)


def birthday(number: Number) -> int:
    """Return a number's birthday: the depth of its canonical form."""
    whole = abs(number.numerator) // number.denominator
    return whole if number.denominator == 1 else whole + number.denominator.bit_length()


def simplest(low: Number | None, low_allowed: bool, high: Number | None, high_allowed: bool) -> Number | None:
    """Return the simplest number between two bounds, either of which may be missing; None if no such number exists."""
    if low is None or high is None:
        if low is None and high is None:
            return 0
        if low is None:
            assert high is not None
            mirrored = simplest(-high, high_allowed, None, False)
            return None if mirrored is None else -mirrored
        return max(0, low.__ceil__() if low_allowed else low.__floor__() + 1)
    if low > high or (low == high and not (low_allowed and high_allowed)):
        return None
    if low == high:
        return low
    if low < 0 < high or (low == 0 and low_allowed) or (high == 0 and high_allowed):
        return 0
    if high <= 0:
        mirrored = simplest(-high, high_allowed, -low, low_allowed)
        return None if mirrored is None else -mirrored
    scale = 1
    while True:  # find the first of 1, 1/2, 1/4, ... with a multiple in the interval, and the least such multiple
        least = (low * scale).__ceil__()
        if least == low * scale and not low_allowed:
            least += 1
        if least < high * scale or (least == high * scale and high_allowed):
            return checked(Fraction(least, scale))
        scale *= 2
