"""`gridlock analyse`: who wins a position, by which moves, and why."""

import json
import os
import shutil
import sys
from typing import Any

import click

from gridlock.cli.drawing import wrapped
from gridlock.cli.options import board_options, engine_options, game_after, game_argument, json_option, position_options
from gridlock.cli.progress import Progress
from gridlock.cli.values import value_text, values_board
from gridlock.engine.analysis import Analysis, Verdict


@click.command(epilog='Example: gridlock analyse showdown --moves "3,3 1,1"')
@game_argument
@board_options
@position_options
@engine_options
@json_option
def analyse(
    game: str,
    board: str | None,
    adjacency: str | None,
    moves: str,
    starts: str,
    seconds: float | None,
    memory: int,
    as_json: bool,
) -> None:
    """Say who wins a position of GAME, by which moves, and why.

    Every legal cell is marked + (wins) or - (loses), with the moves until the loser is stuck where they could be
    counted; ? means not known in the time given.
    """
    from gridlock.engine.engine import analyse as ask

    position = game_after(game, board, adjacency, starts, moves)
    progress = Progress("Analysing")
    try:
        found = ask(position.variant, position.position, seconds, memory << 20, progress)
    finally:
        progress.done()
    click.echo(json.dumps(facts(found)) if as_json else "\n".join(_report(found)))


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
    by_verdict = [
        (f"{word}: ", [move for move in found.moves if move.verdict is verdict])
        for verdict, word in ((Verdict.WIN, "Winning"), (Verdict.LOSS, "Losing"), (Verdict.UNKNOWN, "Not known"))
    ]
    for word, moves in by_verdict:
        if moves:
            lines.append(word + "  ".join(f"{found.variant.name(move.cell)} ({value_text(move)})" for move in moves))
    columns = shutil.get_terminal_size().columns
    return [*values_board(found, colour), "", *(wrapped(lines, columns) if window else lines)]
