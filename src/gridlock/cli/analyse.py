"""`gridlock analyse`: who wins a position, by which moves, and why."""

import json
import os
import shutil
import sys
from typing import Any

import click

from gridlock.cli.exits import Exit
from gridlock.cli.interrupt import ctrl_c_stops
from gridlock.cli.options import (
    board_options,
    game_after,
    game_argument,
    json_option,
    memory_option,
    position_options,
    swap_option,
    time_option,
)
from gridlock.cli.progress import Progress
from gridlock.cli.values import value_text, values_board
from gridlock.drawing import wrapped
from gridlock.engine.analysis import Analysis, MoveValue
from gridlock.engine.clock import Clock
from gridlock.engine.evidence import Verdict
from gridlock.rulebook import RuleBook

MOST_UNKNOWN = 20  # moves not known that are worth listing


@click.command(epilog='Example: gridlock analyse showdown --moves "3,3 1,1"')
@game_argument
@board_options
@position_options
@swap_option
@click.option("--distances", is_flag=True, help="Wait until the moves to the end are counted, if the time allows.")
@time_option("Stop after this many seconds.", 10.0)
@memory_option
@json_option
def analyse(
    game: RuleBook,
    board: str | None,
    adjacency: str | None,
    moves: str,
    starts: str,
    swap: bool,
    distances: bool,
    seconds: float,
    memory: int,
    as_json: bool,
) -> int:
    """Say who wins a position of GAME, by which moves, and why.

    Every legal cell is marked + (wins) or - (loses), with the moves until the loser is stuck where they can be
    counted in a moment; ? means not known in the time given. Ctrl-C stops, and shows what is known by then.
    """
    from gridlock.engine.engine import MOMENT, Engine

    start = game_after(game, board, adjacency, starts, moves, swap)
    progress = Progress("Analysing")
    clock = Clock(seconds, progress)
    try:
        with ctrl_c_stops(clock):
            analysis = Engine(start.variant, memory << 20).analyse(start, clock, None if distances else MOMENT)
    finally:
        progress.done()
    click.echo(json.dumps(facts(analysis)) if as_json else "\n".join(_report(analysis)))
    unknown = any(move.verdict is Verdict.UNKNOWN for move in analysis.values)
    if clock.stopped:
        click.echo("Interrupted: this is what was known by then.", err=True)
        return Exit.INTERRUPTED
    if unknown and clock.expired:
        click.echo(f"Stopped after {seconds:g} s; --time SECONDS gives it longer.", err=True)
    elif distances and not unknown and _uncounted(analysis):
        why = f"in {seconds:g} s" if clock.expired else "for this game and board"
        click.echo(f"The moves to the end could not be counted {why}.", err=True)
    return Exit.LIMIT if analysis.verdict is Verdict.UNKNOWN else Exit.DONE


def _uncounted(analysis: Analysis) -> bool:
    """Whether the moves to the end are missing where they would mean something."""
    return analysis.without_swap is None and any(move.distance is None for move in analysis.values)


def facts(analysis: Analysis) -> dict[str, Any]:
    """An analysis as JSON has it."""
    variant = analysis.variant
    return {
        "to_move": analysis.position.turn,
        "outcome": str(analysis.verdict),
        "winning": [list(variant.coordinates(cell)) for cell in analysis.winning],
        "moves": [
            {"cell": list(variant.coordinates(move.cell)), "outcome": str(move.verdict), "distance": move.distance}
            for move in analysis.values
        ],
        "swap": None if analysis.swap is None else str(analysis.swap),
        "method": str(analysis.method),
        "explanation": analysis.words(),
        "pairing": [
            [list(variant.coordinates(one)), list(variant.coordinates(other))]
            for one, other in analysis.pairing.items()
            if one < other
        ],
        "line": [list(variant.coordinates(cell)) for cell in analysis.line],
        "positions": analysis.positions,
        "seconds": round(analysis.seconds, 3),
    }


def _report(analysis: Analysis) -> list[str]:
    mark = analysis.variant.book.marks[analysis.position.turn - 1]
    verdict = {
        Verdict.WIN: f"{mark} is to move and wins.",
        Verdict.LOSS: f"{mark} is to move and loses.",
        Verdict.UNKNOWN: f"{mark} is to move; who wins was not found out.",
    }
    window = sys.stdout.isatty()
    colour = window and not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"
    lines = [verdict[analysis.verdict], analysis.words()]
    for kind, word in ((Verdict.WIN, "Winning"), (Verdict.LOSS, "Losing"), (Verdict.UNKNOWN, "Not known")):
        moves = [move for move in analysis.values if move.verdict is kind]
        if kind is Verdict.UNKNOWN and len(moves) > MOST_UNKNOWN:
            lines.append(f"{word}: {len(moves):,} moves")
        elif moves:
            lines.append(f"{word}: " + "  ".join(_told(analysis, move) for move in moves))
    columns = shutil.get_terminal_size().columns
    return [*values_board(analysis, colour), "", *(wrapped(lines, columns) if window else lines)]


def _told(analysis: Analysis, move: MoveValue) -> str:
    """A move of a list, with its value if that says more than the list."""
    name = analysis.variant.name(move.cell)
    return name if move.distance is None else f"{name} ({value_text(move)})"
