"""`gridlock value`: the exact value of a position and of its regions, as combinatorial game theory has it."""

import sys
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import click

from gridlock.cli.files import check_picture, played, print_json, spots, write_picture
from gridlock.cli.options import json_option, position_options, time_option
from gridlock.cli.terminal import Progress, ctrl_c_cancels, tell
from gridlock.core.errors import UnreadableMove
from gridlock.core.game import Game
from gridlock.core.grid import cells_of
from gridlock.core.notation import read_move
from gridlock.core.rulebook import Variant
from gridlock.drawing.thermograph import thermograph_text
from gridlock.engine.clock import Clock
from gridlock.engine.regions import Region, Regions, regions
from gridlock.engine.snort_values import LARGEST, TAX
from gridlock.engine.worth import Tier
from gridlock.play.exits import Exit
from gridlock.values import Thermograph, Value, thermograph_svg

LONGEST_PRINTED, LONGEST_STORED = 120, 2000  # characters of a name
MOST_OPTIONS, MOST_CELLS = 8, 30  # that are listed
DRAWN = 1000  # canonical followers of a value whose thermograph is computed
WINNERS = {
    "L": "{} wins, whoever moves first",
    "R": "{} wins, whoever moves first",
    "N": "the player who moves first wins",
    "P": "the player who moves second wins",
}


@click.command(epilog='Example: gridlock value showdown --moves "3,3 1,1 1,3" --svg thermograph.svg')
@position_options
@click.option("--region", metavar="CELL", help="Show only the region that contains this cell, such as 2,4.")
@click.option("--svg", type=click.Path(dir_okay=False), help="Draw the thermograph to this SVG file (- for stdout).")
@time_option("Stop after this many seconds.", 10.0)
@json_option
def value(start: Game, region: str | None, svg: str | None, seconds: float, as_json: bool) -> int:
    """Show the exact value of a position of GAME, and of each of its independent regions.

    Values follow combinatorial game theory: player 1 is Left, and positive values are good for player 1. You get the
    name, the options, mean, temperature and stops of each value, who wins, and the thermograph. A region that is too
    large for its exact value gets what is known of it. Values exist for games in which a marker may go on any open
    cell.
    """
    check_picture(svg, as_json)
    variant = start.variant
    cell = None if region is None else _read_cell(variant, region)
    with Progress(f"Valuing {variant.book.name} {variant.grid}") as progress, ctrl_c_cancels():
        clock = Clock(seconds, progress)
        found = regions(variant, start.position, clock, whole=cell is None)
    chosen = None if cell is None else _containing(found, cell)
    shown = found.value if chosen is None else chosen.value
    if as_json:
        print_json(_facts(start, found, chosen, clock))
    elif svg != "-":
        tell(*_report(found, chosen))
    if svg and shown is not None and _drawable(shown):
        write_picture(svg, thermograph_svg(shown))
    elif svg:
        tell("No picture was written: the thermograph is not known, or too large.", err=True)
    if clock.stopped:
        tell("Interrupted: this is what is known so far.", err=True)
        return Exit.INTERRUPTED
    if shown is None and clock.expired:
        tell(f"Stopped after {seconds:g} s. For a longer calculation, use --time SECONDS.", err=True)
    elif shown is None:
        tell(f"No value: it needs too much memory, or a region has more than {LARGEST} cells.", err=True)
    return Exit.LIMIT if shown is None else Exit.DONE


def _read_cell(variant: Variant, text: str) -> int:
    """Return the cell that --region names."""
    try:
        cell = read_move(text, variant, variant.book.mark(1))
    except UnreadableMove as error:
        raise click.BadParameter(f"{error}.", param_hint="'--region'") from None
    if cell is None:
        raise click.BadParameter(f"there is no cell {text} on {variant.grid}.", param_hint="'--region'")
    return cell


def _containing(found: Regions, cell: int) -> Region:
    """Return the region that contains a cell."""
    for region in found.regions:
        if region.cells >> cell & 1:
            return region
    free = any(cells >> cell & 1 for cells in found.free)
    reason = "is a free move, not part of a region" if free else "is not open to either player"
    raise click.BadParameter(f"{found.variant.name(cell)} {reason}.", param_hint="'--region'")


def _drawable(value: Value) -> bool:
    """Return whether the thermograph of a value is computed in reasonable time."""
    return len(value.forms()[0]) <= DRAWN


def _thermograph(value: Value | None) -> Thermograph | None:
    return value.thermograph() if value is not None and _drawable(value) else None


def _heat(found: Regions) -> tuple[Fraction | None, Fraction | None]:
    """Return the mean and the temperature of the whole position, as far as they are known."""
    means = [region.mean for region in found.regions]
    mean = None if None in means else sum(filter(None, means), Fraction(_lead(found)))
    if len(found.regions) == 1:
        return mean, found.regions[0].temperature
    graph = _thermograph(found.value)
    return mean, graph.temperature if graph else None


def _lead(found: Regions) -> int:
    """Return by how many free moves player 1 is ahead."""
    return found.free[0].bit_count() - found.free[1].bit_count()


# -- JSON --------------------------------------------------------------------------------------------------------------


def _facts(start: Game, found: Regions, chosen: Region | None, clock: Clock) -> dict[str, Any]:
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
        "value": _value_facts(found.value),
        "mean": _number(mean),
        "temperature": _number(temperature),
    }


def _region_facts(region: Region) -> dict[str, Any]:
    variant = region.variant
    return {
        "cells": spots(variant, cells_of(region.cells)),
        "open_to": [spots(variant, cells_of(cells)) for cells in region.open_to],
        "tier": str(region.tier),
        "value": _value_facts(region.value),
        "cooled": _value_facts(region.cooled),
        "mean": _number(region.mean),
        "temperature": _number(region.temperature),
        "margins": None if region.margins is None else list(region.margins),
        "best": [spots(variant, cells) for cells in region.best],
    }


def _value_facts(value: Value | None) -> dict[str, Any] | None:
    if value is None:
        return None
    graph = _thermograph(value)
    walls = None if graph is None else {"left_wall": _points(graph.left), "right_wall": _points(graph.right)}
    return {
        "name": value.name(LONGEST_STORED, ascii=True),
        "left_options": [option.name(LONGEST_STORED, ascii=True) for option in value.left],
        "right_options": [option.name(LONGEST_STORED, ascii=True) for option in value.right],
        "stops": [str(stop) for stop in value.stops],
        "outcome_class": value.outcome,
        "thermograph": walls,
    }


def _points(wall: tuple[tuple[Fraction, Fraction], ...]) -> list[list[str]]:
    return [[str(number) for number in point] for point in wall]


def _number(number: Fraction | None) -> str | None:
    return None if number is None else str(number)


# -- words -------------------------------------------------------------------------------------------------------------


def _report(found: Regions, chosen: Region | None) -> list[str]:
    """Return the regions, and last, where it stays in sight, the whole position."""
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
        lines.append(f"  Exact value not known. Cooled by {TAX}: mean {region.mean}, temperature {hot}, both exact.")
    elif region.tier is Tier.UNKNOWN:
        lines.append("  Nothing is known about its value.")
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
    """Say what a side that moves first in a region can afford."""
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
    """Return a value's name in characters that standard output has, or None if it is long."""
    name = value.name(LONGEST_PRINTED)
    try:
        (name or "").encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return value.name(LONGEST_PRINTED, ascii=True)
    return name


def _name(value: Value) -> str:
    return _short_name(value) or f"a game with {len(value.forms()[0]):,} different subpositions"


def _options(options: tuple[Value, ...]) -> str:
    """List options; those that are many or have long names are only counted."""
    names = [name for option in options[:MOST_OPTIONS] if (name := _short_name(option))]
    rest = len(options) - len(names)
    return ", ".join([*names, f"{rest} with long names" if not names else f"{rest} more"] if rest else names) or "none"


def _picture(value: Value) -> list[str]:
    graph = _thermograph(value)
    return [f"    {line}" for line in thermograph_text(graph)] if graph else []
