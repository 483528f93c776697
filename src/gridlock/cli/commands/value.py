"""`gridlock value`: the exact value of a position and its regions in combinatorial game theory."""

import click

from gridlock.cli.files import check_picture, print_json, write_picture
from gridlock.cli.options import json_option, memory_option, position_options, time_option
from gridlock.cli.terminal import Progress, ctrl_c_cancels, tell
from gridlock.cli.value_text import value_facts, value_lines
from gridlock.core.errors import UnreadableMove
from gridlock.core.game import Game
from gridlock.core.notation import read_move
from gridlock.core.rulebook import Variant
from gridlock.engine.clock import MEBIBYTE, Clock
from gridlock.engine.regions import Region, Regions, regions
from gridlock.engine.snort_values import LARGEST
from gridlock.play.exits import Exit
from gridlock.play.heat import can_be_hot
from gridlock.values import thermograph_svg


@click.command(epilog='Example: gridlock value showdown --moves "3,3 1,1 1,3" --svg thermograph.svg')
@position_options
@click.option("--region", metavar="CELL", help="Show only the region that contains this cell, such as 2,4.")
@click.option("--svg", type=click.Path(dir_okay=False), help="Save the thermograph to this SVG file (- for stdout).")
@time_option("Stop after this many seconds.", 10.0)
@memory_option
@json_option
def value(start: Game, region: str | None, svg: str | None, seconds: float, memory: int, as_json: bool) -> int:
    """Show the exact value of a position of GAME, and of each of its independent regions.

    Values follow combinatorial game theory: player 1 is Left, and positive values are good for player 1. The command
    shows each value's name, options, mean, temperature, stops, winner and thermograph. If a region is too large for
    an exact value, the command shows what is known about it. Values exist for games in which a marker may be placed on
    any open cell.
    """
    check_picture(svg, as_json)
    variant = start.variant
    cell = None if region is None else _read_cell(variant, region)
    with Progress(f"Valuing {variant.book.name} {variant.grid}") as progress, ctrl_c_cancels():
        clock = Clock(seconds, progress)
        found = regions(variant, start.position, clock, whole=cell is None, memory=memory * MEBIBYTE)
    chosen = None if cell is None else _containing(found, cell)
    shown = found.value if chosen is None else chosen.value
    if as_json:
        print_json(value_facts(start, found, chosen, clock))
    elif svg != "-":
        tell(*value_lines(found, chosen))
    if svg and shown is not None:
        write_picture(svg, thermograph_svg(shown))
    elif svg:
        tell("No picture was written: the thermograph is not known.", err=True)
    if clock.stopped:
        tell("Interrupted: this is what is known so far.", err=True)
        return Exit.INTERRUPTED
    if shown is None:
        tell(_limit(found, seconds, memory), err=True)
    return Exit.LIMIT if shown is None else Exit.DONE


def _limit(found: Regions, seconds: float, memory: int) -> str:
    """Return why no value was found and, if higher limits may help, the command-line options that raise them."""
    if can_be_hot(found.variant) and any(
        region.value is None and region.cells.bit_count() > LARGEST for region in found.regions
    ):
        return f"No value: a region has more than {LARGEST} cells."
    return f"No value within {seconds:g} s and {memory} MiB. For more, use --time SECONDS or --memory MIB."


def _read_cell(variant: Variant, text: str) -> int:
    """Return the cell given with --region."""
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
