"""`gridlock analyse`: who wins a position, by which moves, and why."""

import json
import os
import shutil
import sys
from typing import Any

import click

from gridlock.cli.drawing import wrapped
from gridlock.cli.exits import Exit
from gridlock.cli.interrupt import ctrl_c_stops
from gridlock.cli.options import (
    board_options,
    game_after,
    game_argument,
    json_option,
    memory_option,
    position_options,
    time_option,
)
from gridlock.cli.progress import Progress
from gridlock.cli.values import value_text, values_board
from gridlock.engine.analysis import Analysis, MoveValue, Verdict
from gridlock.engine.clock import Clock

MOST_UNKNOWN = 20  # moves not known that are worth listing


@click.command(epilog='Example: gridlock analyse showdown --moves "3,3 1,1"')
@game_argument
@board_options
@position_options
@time_option("Stop after this many seconds.", 10.0)
@memory_option
@json_option
def analyse(
    game: str,
    board: str | None,
    adjacency: str | None,
    moves: str,
    starts: str,
    seconds: float,
    memory: int,
    as_json: bool,
) -> int:
    """Say who wins a position of GAME, by which moves, and why.

    Every legal cell is marked + (wins) or - (loses), with the moves until the loser is stuck where they could be
    counted; ? means not known in the time given. Ctrl-C stops, and shows what is known by then.
    """
    from gridlock.engine.engine import Engine
    from gridlock.engine.explain import explain

    start = game_after(game, board, adjacency, starts, moves)
    progress = Progress("Analysing")
    clock = Clock(seconds, progress)
    try:
        with ctrl_c_stops(clock):
            engine = Engine(start.variant, memory << 20)
            found = explain(engine, engine.weigh_by(start.position, clock))
    finally:
        progress.done()
    click.echo(json.dumps(facts(found)) if as_json else "\n".join(_report(found)))
    unknown = any(move.verdict is Verdict.UNKNOWN for move in found.moves)
    if clock.stopped:
        click.echo("Interrupted: this is what was known by then.", err=True)
        return Exit.INTERRUPTED
    if unknown and clock.expired:
        click.echo(f"Stopped after {seconds:g} s; --time SECONDS gives it longer.", err=True)
    return Exit.LIMIT if found.verdict is Verdict.UNKNOWN else Exit.DONE


def facts(found: Analysis) -> dict[str, Any]:
    """An analysis as JSON has it."""
    variant = found.variant
    return {
        "to_move": found.position.turn,
        "outcome": str(found.verdict),
        "winning": [list(variant.coordinates(cell)) for cell in found.winning],
        "moves": [
            {"cell": list(variant.coordinates(move.cell)), "outcome": str(move.verdict), "distance": move.distance}
            for move in found.moves
        ],
        "method": str(found.method),
        "explanation": found.explanation,
        "pairing": [
            [list(variant.coordinates(one)), list(variant.coordinates(other))]
            for one, other in found.pairing.items()
            if one < other
        ],
        "line": [list(variant.coordinates(cell)) for cell in found.line],
        "positions": found.positions,
        "seconds": round(found.seconds, 3),
    }


def _report(found: Analysis) -> list[str]:
    mark = found.variant.book.marks[found.position.turn - 1]
    verdict = {
        Verdict.WIN: f"{mark} is to move and wins.",
        Verdict.LOSS: f"{mark} is to move and loses.",
        Verdict.UNKNOWN: f"{mark} is to move; who wins was not found out.",
    }
    window = sys.stdout.isatty()
    colour = window and not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"
    lines = [verdict[found.verdict], found.explanation]
    for kind, word in ((Verdict.WIN, "Winning"), (Verdict.LOSS, "Losing"), (Verdict.UNKNOWN, "Not known")):
        moves = [move for move in found.moves if move.verdict is kind]
        if kind is Verdict.UNKNOWN and len(moves) > MOST_UNKNOWN:
            lines.append(f"{word}: {len(moves):,} moves")
        elif moves:
            lines.append(f"{word}: " + "  ".join(_told(found, move) for move in moves))
    columns = shutil.get_terminal_size().columns
    return [*values_board(found, colour), "", *(wrapped(lines, columns) if window else lines)]


def _told(found: Analysis, move: MoveValue) -> str:
    """A move of a list, with its value if that says more than the list."""
    name = found.variant.name(move.cell)
    return name if move.verdict is Verdict.UNKNOWN else f"{name} ({value_text(move)})"
