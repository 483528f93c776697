"""`gridlock solve`: who wins from the start."""

import json
from pathlib import Path

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
    time_option,
)
from gridlock.cli.progress import Progress
from gridlock.engine.analysis import Verdict
from gridlock.engine.engine import GEOGRAPHY
from gridlock.engine.search import DEEPEST
from gridlock.engine.solve import Solution, Solver
from gridlock.rulebook import Variant

WINNERS = {Verdict.WIN: "first", Verdict.LOSS: "second", Verdict.UNKNOWN: "unknown"}


@click.command(epilog="Example: gridlock solve showdown --board 7x7 --openings")
@game_argument
@board_options
@position_options
@time_option("Stop after this many seconds.")
@memory_option
@click.option("--openings", is_flag=True, help="Find every first move that wins.")
@click.option("--pairs", is_flag=True, help="trails: from how many pairs of starting cells does the first player win?")
@click.option(
    "--method",
    type=click.Choice(["auto", "proof", "search"]),
    default="auto",
    show_default=True,
    help="proof: theorems only, no search. search: no theorem about the whole board, and no mirrors.",
)
@click.option(
    "--threads",
    type=click.IntRange(1, 256),
    default=1,
    show_default=True,
    help="With --openings or --pairs, how many processes share the work.",
)
@click.option(
    "--checkpoint", type=click.Path(dir_okay=False), help="Keep what is proved in this file, and go on from it."
)
@json_option
def solve(
    game: str,
    board: str | None,
    adjacency: str | None,
    moves: str,
    starts: str,
    seconds: float | None,
    memory: int,
    openings: bool,
    pairs: bool,
    method: str,
    threads: int,
    checkpoint: str | None,
    as_json: bool,
) -> int:
    """Find out who wins GAME from the start if nobody errs.

    With --moves, from the position after them, and `first` is the player whose turn it is then.
    A long run can be stopped with Ctrl-C or --time; with --checkpoint the same command goes on where it stopped.
    """
    start = game_after(game, board, adjacency, starts, moves)
    played = start.variant
    if pairs and (moves or not played.book.pawns):
        raise click.UsageError(
            "--pairs is for trails, and without --moves: it puts the pawns anywhere on an empty board."
        )
    if threads > 1 and (checkpoint or not (openings or pairs)):
        raise click.UsageError("--threads shares out the work of --openings or --pairs, and keeps no checkpoint.")
    if checkpoint is not None:
        _check_checkpoint(checkpoint, game, method)
    progress = Progress(f"Solving {game} {played.grid}")
    solver = Solver(played, method, seconds, memory << 20, progress, start.position, threads)
    try:
        if checkpoint:
            solver.keep(Path(checkpoint))
        with ctrl_c_stops(solver.clock):
            found = solver.solve(openings, pairs)
    finally:
        progress.done()
        solver.close()
    if as_json:
        click.echo(json.dumps(_facts(played, found, method)))
    else:
        click.echo("\n".join(_report(played, found, method)))
    if found.complete:
        return Exit.DONE
    if not found.out_of_time:
        click.echo(_out_of_reach(method), err=True)
        return Exit.LIMIT
    interrupted = solver.clock.stopped
    what = "Interrupted" if interrupted else "Stopped at the limit"
    click.echo(f"{what}: {_how_far(found)}; {_advice(game, method, threads, checkpoint)}.", err=True)
    return Exit.INTERRUPTED if interrupted else Exit.LIMIT


def _check_checkpoint(checkpoint: str, game: str, method: str) -> None:
    """Refuse one that would keep nothing."""
    if not checkpoint:
        raise click.BadParameter("a file needs a name.", param_hint="'--checkpoint'")
    if method == "search" and game in GEOGRAPHY:
        raise click.UsageError(f"{game} is searched without a checkpoint; --method auto decides it at once.")
    if method == "proof":
        raise click.UsageError("--method proof searches nothing that a checkpoint could keep.")


def _method(found: Solution, method: str) -> str | None:
    """What the answer rests on, or what was tried for it; no theorem is named where none was found."""
    return None if method == "proof" and found.verdict is Verdict.UNKNOWN else str(found.method)


def _facts(played: Variant, found: Solution, method: str) -> dict[str, object]:
    openings = None if found.openings is None else [list(played.coordinates(cell)) for cell in found.openings]
    facts: dict[str, object] = {
        "winner": WINNERS[found.verdict],
        "openings": openings,
        "method": _method(found, method),
        "positions": found.positions,
        "seconds": round(found.seconds, 3),
    }
    if pairs := found.pairs:
        complete = pairs.decided == pairs.asked
        facts["pairs"] = {"first_wins": pairs.first_wins, "of": pairs.asked} if complete else None
    return facts


def _report(played: Variant, found: Solution, method: str) -> list[str]:
    words = {
        Verdict.WIN: "The first player wins",
        Verdict.LOSS: "The second player wins",
        Verdict.UNKNOWN: "Not found out who wins",
    }
    how = _method(found, method)
    lines = [
        f"{words[found.verdict]} {played.book.name} on {played.grid} ({played.grid.adjacency}). "
        f"{f'Method: {how}; ' if how else ''}{_positions(found)}, {found.seconds:.2f} s."
    ]
    if found.openings is not None:
        names = "  ".join(played.name(cell) for cell in found.openings)
        lines.append(f"Winning first moves ({len(found.openings)}): {names or 'none'}")
    if (pairs := found.pairs) and pairs.decided == pairs.asked:
        lines.append(
            f"With the pawns on any two cells: first player wins {pairs.first_wins:,} of {pairs.asked:,} pairs."
        )
    return lines


def _positions(found: Solution) -> str:
    return f"{found.positions:,} position{'s' * (found.positions != 1)}"


def _out_of_reach(method: str) -> str:
    """Why a run that was not stopped has no answer."""
    if method == "proof":
        return "No theorem decides all of it; --method auto searches, too."
    searched = f"a search takes no more than {DEEPEST} empty cells"
    return f"No theorem decides all of it, and {searched}." if method == "auto" else f"{searched.capitalize()}."


def _how_far(found: Solution) -> str:
    """How far a run came before it was stopped."""
    done = f"{found.decided} of {found.asked} first moves decided, " if found.asked > 1 else ""
    done += f"{found.pairs.decided:,} of {found.pairs.asked:,} pairs decided, " if found.pairs else ""
    return f"{done}{_positions(found)} searched"


def _advice(game: str, method: str, threads: int, checkpoint: str | None) -> str:
    """How to come further than a run that was stopped."""
    if checkpoint:
        return f"the same command goes on from {checkpoint}"
    if method == "proof":
        return "there may be more to find in more time"
    if game in GEOGRAPHY:
        return "--method auto decides it at once"
    return f"--checkpoint FILE{', with one thread,' if threads > 1 else ''} would keep it"
