"""Describe a region in words: how hot it is, what each side gets there, and the best cell."""

import re
from collections.abc import Collection
from fractions import Fraction
from typing import NamedTuple

from gridlock.core.grid import Cell
from gridlock.core.position import Side
from gridlock.core.rulebook import Variant
from gridlock.engine.regions import Region
from gridlock.engine.worth import Tier

SIGNS = "½¼¾⅛⅜⅝⅞"
FRACTIONS = dict(zip(map(Fraction, ["1/2", "1/4", "3/4", "1/8", "3/8", "5/8", "7/8"]), SIGNS, strict=True))
HEATS = (
    Fraction(0),
    Fraction(1),
    Fraction(3),
)  # a region's heat, as shown on boards, is how many of these temperatures it exceeds


class Voice(NamedTuple):
    """How to refer to the side to move and to the other side."""

    name: str = "you"  # the side to move; "you" if that player reads the sentence
    other: str = "opponent"

    def does(self, verb: str, third: str) -> str:
        """Return the name of the side to move, followed by the right form of a verb."""
        return f"{self.name} {verb if self.name == 'you' else third}"


def onlooker(variant: Variant, turn: Side) -> Voice:
    """Return a Voice for spectators, which calls each side by its symbol, such as X."""
    return Voice(variant.book.mark(turn), variant.book.mark(3 - turn))


class Outlook(NamedTuple):
    """A side's results in a region, when moving first and when moving second.

    If the results are not exact, `first` is a lower bound and `second` is an upper bound.
    """

    first: Fraction
    second: Fraction
    exact: bool


def outlook(region: Region, turn: Side) -> Outlook | None:
    """Return a side's results in a region, when moving first and when moving second, or None if they are unknown."""
    if region.value is not None:
        left, right = region.value.stops
        return Outlook(left, right, True) if turn == 1 else Outlook(-right, -left, True)
    # Cooling narrows the gap between the stops, so the cooled stops are bounds on the real stops. If it is known how
    # many free moves each side, moving first in a region, can give away and still win (the region's margins), these
    # numbers are bounds on the region's stops, too.
    known = [] if region.cooled is None else [region.cooled.stops]
    if region.margins is not None:
        known.append((Fraction(region.margins[0]), Fraction(-region.margins[1])))
    if not known:
        return None
    left, right = max(one for one, _ in known), min(other for _, other in known)
    return Outlook(left, right, False) if turn == 1 else Outlook(-right, -left, False)


def least_heat(region: Region) -> Fraction | None:
    """Return a region's temperature or a positive lower bound on it, or None if neither is known."""
    if region.temperature is not None:
        return region.temperature
    ends = outlook(region, 1)
    least = None if ends is None else (ends.first - ends.second) / 2  # the walls approach by at most two per degree
    return least if least is not None and least > 0 else None


def heat(region: Region) -> int | None:
    """Return how hot a region is, from 0 to 3, as shown on boards, or None if its heat is unknown."""
    least = least_heat(region)
    if least is None:
        return 0 if region.tier is Tier.COOLED else None
    return sum(least > degree for degree in HEATS)


def rank(region: Region) -> Fraction:
    """Return the sort key for regions: the temperature or its lower bound, or a very low number if neither is known."""
    least = least_heat(region)
    return Fraction(-2) if least is None else least


def best_cell(region: Region, turn: Side, winning: Collection[Cell] = ()) -> Cell | None:
    """Return a region's best cell; if it has several best cells, prefer one that wins."""
    best = region.best[turn - 1]
    return next((cell for cell in best if cell in winning), best[0] if best else None)


def region_words(region: Region, turn: Side, voice: Voice, advise: bool = True, winning: Collection[Cell] = ()) -> str:
    """Return sentences that describe a region without giving its letter; `advise` adds the best cell."""
    count = region.cells.bit_count()
    cells = f"{count} cell{'s' * (count != 1)}"
    ends = outlook(region, turn)
    if ends is None:
        return f"{cells}: not worked out in time."
    best = best_cell(region, turn, winning)
    advice = f" Best cell {region.variant.name(best)}." if best is not None and advise and count > 1 else ""
    value = region.value
    if value is not None and value.is_number:
        return f"{cells}: cold. {begin(voice.does('are', 'is'))} {_standing(ends.first)} there."
    if value is not None and ends.first == ends.second:
        out = f"{begin(voice.does('come out', 'comes out'))} {_standing(ends.first)}, no matter who moves there first"
        return f"{cells}: lukewarm. {out}; only the turn is at stake.{advice}"
    first = _standing(ends.first) if ends.exact else _at_least(ends.first)
    second = _standing(ends.second) if ends.exact else _at_most(ends.second)
    comes = f"First there, {voice.does('come out', 'comes out')} {first}; second, {second}."
    return f"{cells}: {_heat_words(region)}. {comes}{advice}"


def _heat_words(region: Region) -> str:
    least = least_heat(region)
    if region.temperature is not None:
        return f"hot, {amount(region.temperature)}"
    if least is not None:
        return f"hot, at least {amount(least)}"
    most = region.hottest_known
    return "temperature not worked out in time" if most is None else f"temperature at most {amount(most)}"


def _standing(number: Fraction) -> str:
    if not number:
        return "even"
    return f"{amount(abs(number))} {'ahead' if number > 0 else 'behind'}"


def _at_least(number: Fraction) -> str:
    if not number:
        return "even or ahead"
    return f"at {'least' if number > 0 else 'most'} {_standing(number)}"


def _at_most(number: Fraction) -> str:
    if not number:
        return "even or behind"
    return f"at {'most' if number > 0 else 'least'} {_standing(number)}"


def begin(words: str) -> str:
    """Return the text with its first letter capitalised."""
    return words[0].upper() + words[1:]


def amount(number: Fraction) -> str:
    """Return a number as people write it, such as 4½."""
    whole, rest = divmod(abs(number), 1)
    sign = "-" if number < 0 else ""
    if not rest:
        return f"{sign}{whole}"
    if rest in FRACTIONS:
        return f"{sign}{whole or ''}{FRACTIONS[rest]}"
    return f"{sign}{f'{whole} ' if whole else ''}{rest}"


def in_ascii(lines: list[str]) -> list[str]:
    """Return sentences for terminals without fraction characters: 4 1/2 instead of 4½."""
    plain = {sign: str(fraction) for fraction, sign in FRACTIONS.items()}
    return [
        re.sub(f"([0-9]?)([{SIGNS}])", lambda found: f"{found[1]}{' ' * bool(found[1])}{plain[found[2]]}", line)
        for line in lines
    ]
