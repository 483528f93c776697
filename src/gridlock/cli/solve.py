"""`gridlock solve`: who wins from the start."""

import json
from pathlib import Path

import click

from gridlock.cli.exits import Exit
from gridlock.cli.options import board_options, engine_options, game_argument, json_option
from gridlock.cli.progress import Progress
from gridlock.engine.analysis import Verdict
from gridlock.engine.solve import Solution, Solver
from gridlock.rulebook import Variant
from gridlock.rules import variant

WINNERS = {Verdict.WIN: "first", Verdict.LOSS: "second", Verdict.UNKNOWN: "unknown"}


@click.command(epilog="Example: gridlock solve showdown --board 7x7 --openings")
@game_argument
@board_options
@engine_options
@click.option("--openings", is_flag=True, help="Find every first move that wins.")
@click.option(
    "--method",
    type=click.Choice(["auto", "proof", "search"]),
    default="auto",
    show_default=True,
    help="proof: theorems only, no search. search: no theorem about the whole board, and no mirrors.",
)
@click.option(
    "--checkpoint", type=click.Path(dir_okay=False), help="Keep what is proved in this file, and go on from it."
)
@json_option
def solve(
    game: str,
    board: str | None,
    adjacency: str | None,
    seconds: float | None,
    memory: int,
    openings: bool,
    method: str,
    checkpoint: str | None,
    as_json: bool,
) -> int:
    """Find out who wins GAME from the start if nobody errs.

    A long run can be stopped with Ctrl-C or --time; with --checkpoint the same command goes on where it stopped.
    """
    played = variant(game, board, adjacency)
    progress = Progress(f"Solving {game} {played.grid}")
    solver = Solver(played, method, seconds, memory << 20, progress)
    try:
        if checkpoint:
            solver.keep(Path(checkpoint))
        found = solver.solve(openings)
    finally:
        progress.done()
    if as_json:
        click.echo(json.dumps(_facts(played, found)))
    else:
        click.echo("\n".join(_report(played, found, openings)))
    unfinished = found.verdict is Verdict.UNKNOWN or (openings and found.openings is None)
    return Exit.LIMIT if unfinished else Exit.DONE


def _facts(played: Variant, found: Solution) -> dict[str, object]:
    openings = None if found.openings is None else [list(played.coordinates(cell)) for cell in found.openings]
    return {
        "winner": WINNERS[found.verdict],
        "openings": openings,
        "method": str(found.method),
        "positions": found.positions,
        "seconds": round(found.seconds, 3),
    }


def _report(played: Variant, found: Solution, openings: bool) -> list[str]:
    words = {
        Verdict.WIN: "The first player wins",
        Verdict.LOSS: "The second player wins",
        Verdict.UNKNOWN: "Not found out who wins",
    }
    lines = [
        f"{words[found.verdict]} {played.book.name} on {played.grid} ({played.grid.adjacency}). "
        f"Method: {found.method}; {found.positions:,} positions, {found.seconds:.2f} s."
    ]
    if found.openings is not None:
        names = "  ".join(played.name(cell) for cell in found.openings)
        lines.append(f"Winning first moves ({len(found.openings)}): {names or 'none'}")
    elif openings:
        lines.append(f"{found.decided} of {found.asked} first moves were decided before the limit.")
    return lines
