"""The values of a position and its regions, as lines of text or as data for JSON."""

import sys
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from gridlock.cli.files import played, spots
from gridlock.core.game import Game
from gridlock.core.grid import cells_of
from gridlock.core.rulebook import Variant
from gridlock.drawing.thermograph import thermograph_text
from gridlock.engine.clock import Clock
from gridlock.engine.regions import Region, Regions
from gridlock.engine.snort_values import TAX
from gridlock.engine.worth import Tier
from gridlock.values import Value

LONGEST_PRINTED, LONGEST_STORED = 120, 2000  # characters in a value's name
MOST_OPTIONS, MOST_CELLS = 8, 30  # the most options and cells to list
WINNERS = {
    "L": "{} wins, whoever moves first",
    "R": "{} wins, whoever moves first",
    "N": "the player who moves first wins",
    "P": "the player who moves second wins",
}


def _heat(found: Regions) -> tuple[Fraction | None, Fraction | None]:
    """Return the mean and the temperature of the whole position; an unknown value is None."""
    means = [region.mean for region in found.regions]
    mean = None if None in means else sum(filter(None, means), Fraction(_lead(found)))
    if len(found.regions) == 1:
        return mean, found.regions[0].temperature
    return mean, None if found.value is None else found.value.temperature


def _lead(found: Regions) -> int:
    """Return the number of free moves by which player 1 is ahead."""
    return found.free[0].bit_count() - found.free[1].bit_count()


# -- JSON --------------------------------------------------------------------------------------------------------------


def value_facts(start: Game, found: Regions, chosen: Region | None, clock: Clock) -> dict[str, Any]:
    """Return everything that is known about the values, for JSON."""
    variant, shown = start.variant, [chosen] if chosen else found.regions
    facts = {
        **played(start),
        "regions": [_region_facts(region) for region in shown],
        "seconds": round(clock.seconds, 3),
    }
    if chosen:
        return facts
    mean, temperature = _heat(found)
    return facts | {
        "free": [spots(variant, cells_of(cells)) for cells in found.free],
        "value": _facts_of(found.value),
        "mean": _number(mean),
        "temperature": _number(temperature),
    }


def _region_facts(region: Region) -> dict[str, Any]:
    variant = region.variant
    return {
        "cells": spots(variant, cells_of(region.cells)),
        "open_to": [spots(variant, cells_of(cells)) for cells in region.open_to],
        "tier": str(region.tier),
        "value": _facts_of(region.value),
        "cooled": _facts_of(region.cooled),
        "mean": _number(region.mean),
        "temperature": _number(region.temperature),
        "margins": None if region.margins is None else list(region.margins),
        "best": [spots(variant, cells) for cells in region.best],
    }


def _facts_of(value: Value | None) -> dict[str, Any] | None:
    if value is None:
        return None
    graph = value.thermograph()
    return {
        "name": value.name(LONGEST_STORED, ascii=True),
        "left_options": [option.name(LONGEST_STORED, ascii=True) for option in value.left],
        "right_options": [option.name(LONGEST_STORED, ascii=True) for option in value.right],
        "stops": [str(stop) for stop in value.stops],
        "outcome_class": value.outcome,
        "thermograph": {"left_wall": _points(graph.left), "right_wall": _points(graph.right)},
    }


def _points(wall: tuple[tuple[Fraction, Fraction], ...]) -> list[list[str]]:
    return [[str(number) for number in point] for point in wall]


def _number(number: Fraction | None) -> str | None:
    return None if number is None else str(number)


# -- words -------------------------------------------------------------------------------------------------------------


def value_lines(found: Regions, chosen: Region | None) -> list[str]:
    """Return lines that describe the chosen region; if none is chosen, describe all regions and the whole position."""
    variant = found.variant
    marks = [f"{variant.book.mark(side)} (player {side})" for side in (1, 2)]
    lines = [
        f"{variant.book.title} on {variant.grid} ({variant.grid.adjacency}). Left is {marks[0]}, Right {marks[1]}."
    ]
    for region in [chosen] if chosen else found.regions:
        lines += ["", *_region_lines(region)]
    if chosen:
        return lines
    one, two = (cells.bit_count() for cells in found.free)
    if len(found.regions) == 1 and not one and not two:
        return [*lines, "", "This region is the whole position."]
    lines += ["", f"Free moves: {variant.book.mark(1)} {one}, {variant.book.mark(2)} {two}.", "", "The whole position"]
    if found.value is None:
        return [*lines, "  Value: not known."]
    return [*lines, *_worth_lines(variant, found.value, *_heat(found)), *_picture(found.value)]


def _region_lines(region: Region) -> list[str]:
    variant = region.variant
    names = [variant.name(cell) for cell in cells_of(region.cells)]
    lines = [f"Region {names[0]}, {len(names)} cells{f': {_listed(names)}' if len(names) <= MOST_CELLS else ''}"]
    if region.value is not None:
        lines += [*_worth_lines(variant, region.value, region.mean, region.temperature), *_picture(region.value)]
    elif region.tier is Tier.COOLED:
        hot = f"at most {TAX}" if region.temperature is None else str(region.temperature)
        lines.append(f"  The exact value is not known. Mean {region.mean}, temperature {hot}.")
    elif region.tier is Tier.UNKNOWN:
        lines.append("  Nothing is known about this region's value.")
    if region.margins is not None:
        lines += [f"  {_margin(variant, side, region.margins[side - 1])}" for side in (1, 2)]
    best = [
        f"{variant.book.mark(side)} {_listed(map(variant.name, region.best[side - 1]))}"
        for side in (1, 2)
        if region.best[side - 1]
    ]
    return [*lines, f"  Best cells: {'; '.join(best)}."] if best else lines


def _listed(names: Iterable[str]) -> str:
    return "  ".join(names)


def _margin(variant: Variant, side: int, margin: int) -> str:
    """Say under what condition a side wins if it moves first in a region.

    To win, the side may need a lead in free moves outside the region, or may be able to afford a deficit there.
    """
    mark, other = variant.book.mark(side), variant.book.mark(3 - side)
    if margin == 0:
        return f"Moving first here, {mark} wins unless {other} is ahead in free moves elsewhere."
    moves = f"{abs(margin)} free move{'s' * (abs(margin) != 1)} ahead elsewhere"
    if margin < 0:
        return f"Moving first here, {mark} wins only if {mark} is at least {moves}."
    return f"Moving first here, {mark} wins as long as {other} is at most {moves}."


def _worth_lines(variant: Variant, value: Value, mean: Fraction | None, temperature: Fraction | None) -> list[str]:
    left, right = value.stops
    winner = WINNERS[value.outcome].format(variant.book.mark(2 if value.outcome == "R" else 1))
    known = [
        f"{word} {number}" for word, number in (("mean", mean), ("temperature", temperature)) if number is not None
    ]
    return [
        f"  Value: {_name(value)}",
        *(
            f"  {side}'s options: {_options(options)}"
            for side, options in (("Left", value.left), ("Right", value.right))
        ),
        f"  {', '.join([*known, f'stops {left} and {right}']).capitalize()}; {winner} ({value.outcome}).",
    ]


def _short_name(value: Value) -> str | None:
    """Return a value's name in characters that standard output can encode, or None if the name is too long."""
    name = value.name(LONGEST_PRINTED)
    try:
        (name or "").encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return value.name(LONGEST_PRINTED, ascii=True)
    return name


def _name(value: Value) -> str:
    return _short_name(value) or f"a game with {value.subpositions:,} different subpositions"


def _options(options: tuple[Value, ...]) -> str:
    """List the first few of a value's options, omitting any with long names, and say how many are not listed."""
    names = [name for option in options[:MOST_OPTIONS] if (name := _short_name(option))]
    rest = len(options) - len(names)
    return ", ".join([*names, f"{rest} with long names" if not names else f"{rest} more"] if rest else names) or "none"


def _picture(value: Value) -> list[str]:
    return [f"    {line}" for line in thermograph_text(value.thermograph())]
