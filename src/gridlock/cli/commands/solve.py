"""`gridlock solve`: who wins from the start."""

import gzip
import io
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import click

from gridlock.certificates.checker import MOST_CELLS, certifiable
from gridlock.cli.files import check_picture, played, print_json, spots, winner, write_picture
from gridlock.cli.options import (
    check_workers,
    cluster_option,
    json_option,
    memory_option,
    old_name,
    position_options,
    processes_option,
    time_option,
)
from gridlock.cli.terminal import Progress, ctrl_c_cancels, tell
from gridlock.core.game import Game
from gridlock.core.rulebook import RuleBook, Variant
from gridlock.drawing.text import visible
from gridlock.engine.clock import Clock
from gridlock.engine.evidence import Verdict
from gridlock.engine.search import DEEPEST
from gridlock.engine.solve import Solution, Solver
from gridlock.play.exits import Exit


@click.command(
    context_settings=old_name("threads", "processes"), epilog="Example: gridlock solve showdown --board 7x7 --openings"
)
@position_options
@time_option("Stop after this many seconds.")
@memory_option
@click.option("--openings", is_flag=True, help="Find every winning first move.")
@click.option(
    "--pairs",
    is_flag=True,
    help="For games with pawns: count the pairs of starting cells from which the first player wins.",
)
@click.option(
    "--method",
    type=click.Choice(["auto", "proof", "search"]),
    default="auto",
    show_default=True,
    help="proof: theorems only, no search. search: no theorems about the whole board and no mirrors.",
)
@click.option(
    "--without",
    metavar="NAME",
    multiple=True,
    callback=lambda _ctx, _param, names: tuple(name.upper() for name in names),
    help="Switch off a search technique, to cross-check a result; repeatable.",
)
@processes_option
@cluster_option
@click.option(
    "--checkpoint", type=click.Path(dir_okay=False), help="Save proved results in this file, and resume from it."
)
@click.option(
    "--certificate",
    type=click.Path(dir_okay=False),
    help="Save a step-by-step proof of the result in this new file (- for standard output), for 'gridlock verify'. "
    "If the file name ends in .gz, the proof is compressed.",
)
@json_option
def solve(
    start: Game,
    seconds: float | None,
    memory: int,
    openings: bool,
    pairs: bool,
    method: str,
    without: tuple[str, ...],
    processes: int,
    cluster: str | None,
    checkpoint: str | None,
    certificate: str | None,
    as_json: bool,
) -> int:
    """Work out who wins GAME from the start with perfect play.

    With --moves, solve the position after the given moves; in the result, "first player" then means the player to move.
    You can stop a long run with Ctrl-C or --time; with --checkpoint, the same command resumes it. Several processes
    (--processes, --cluster) share the work. On Linux, processes started with --processes share the memory given by
    --memory; on other systems, the memory is divided among them. With --cluster, each worker may use as much memory as
    --memory allows.

    --certificate also writes every step of the proof to a file, which 'gridlock verify' and other programs can check
    (docs/certificates.md). Writing a certificate takes longer than solving, and uses a single process.
    """
    variant, book = start.variant, start.variant.book
    if pairs and (start.moves or not book.pawns):
        raise click.UsageError(
            "--pairs needs a game with pawns and an empty board, so it cannot be combined with --moves."
        )
    check_workers(processes, cluster)
    if certificate is not None:
        _check_certificate(variant, certificate, openings or pairs, as_json)
    progress = Progress(f"Solving {book.name} {variant.grid}")

    def report(nodes: int, spent: float) -> None:
        progress(nodes, spent)
        if solver.records:
            progress.tell(f"{len(solver.records):,} records of the certificate, {spent:.0f} s")
        elif tree := solver.first_moves:
            progress.tell(f"{tree.solved:,} positions of the first moves solved, {tree.open:,} open, {spent:.0f} s")

    solver = Solver(variant, method, Clock(seconds, report), memory << 20, start.position, processes, cluster, without)
    _check_techniques(without, solver)
    if checkpoint is not None:
        _check_checkpoint(checkpoint, solver)
    with progress, closing(solver):
        if checkpoint:
            solver.keep(Path(checkpoint))
        with ctrl_c_cancels():
            solution = solver.solve(openings, pairs)
            why = None if certificate is None or not solution.complete else solver.certificate()
            text = None if certificate is None or why is None else _packed(why, certificate)
    if certificate is not None and text is not None:
        write_picture(certificate, text, "--certificate", "certificate")
    if as_json:
        print_json(_facts(start, solution, method))
    else:
        tell(*_report(variant, solution, method), err=certificate == "-")  # keep the report out of the certificate
    if solution.complete and certificate is not None and text is None:
        interrupted = solver.clock.stopped
        what = "Interrupted" if interrupted else "Out of time"
        tell(f"{what}: the winner is known, but the certificate is not complete and was not written.", err=True)
        return Exit.INTERRUPTED if interrupted else Exit.LIMIT
    if solution.complete:
        return Exit.DONE
    if not solution.out_of_time:
        searched = f"a search can handle at most {DEEPEST} empty cells"
        reasons = {
            "auto": f"No theorem covers the whole position, and {searched}.",
            "proof": "No theorem covers the whole position. To search as well, use --method auto.",
            "search": f"{searched.capitalize()}.",
        }
        tell(reasons[method], err=True)
        return Exit.LIMIT
    interrupted = solver.clock.stopped
    done = f"{solution.decided} of {solution.asked} first moves decided, " if solution.asked > 1 else ""
    done += f"{solution.pairs.decided:,} of {solution.pairs.asked:,} pairs decided, " if solution.pairs else ""
    what = "Interrupted" if interrupted else "Out of time"
    tell(f"{what}: {done}{_positions(solution)} searched; {_advice(solver, checkpoint)}.", err=True)
    return Exit.INTERRUPTED if interrupted else Exit.LIMIT


def _check_techniques(without: tuple[str, ...], solver: Solver) -> None:
    """Reject a technique that the game's search does not use."""
    known = solver.engine.search.techniques
    for name in without:
        if name not in known:
            none = "The search of this game uses no techniques that --without can switch off."
            names = f"Its techniques: {', '.join(known)}." if known else none
            raise click.BadParameter(
                f"{solver.variant.book.name} has no technique {visible(name)}. {names}", param_hint="'--without'"
            )


def _check_checkpoint(checkpoint: str, solver: Solver) -> None:
    """Reject --checkpoint if its file name is empty or if the solver would save nothing in the file."""
    if not checkpoint:
        raise click.BadParameter("the file name is empty.", param_hint="'--checkpoint'")
    name, matching = solver.variant.book.name, _by_matching(solver.variant.book)
    if solver.method == "search" and matching:
        raise click.UsageError(f"a search of {name} cannot use a checkpoint; --method auto solves it at once.")
    if solver.method == "proof":
        raise click.UsageError("--method proof does not search, so a checkpoint would stay empty.")
    if not matching and not solver.engine.search.keeps_notes:
        raise click.UsageError(f"a search of {name} on {solver.variant.grid} cannot use a checkpoint.")


def _check_certificate(variant: Variant, certificate: str, more: bool, as_json: bool) -> None:
    """Reject --certificate if the game, the board or another option rules it out."""
    if more:
        raise click.UsageError("--certificate proves one result, so it cannot be combined with --openings or --pairs.")
    if not certifiable(variant.shape) or variant.grid.size > MOST_CELLS:
        raise click.UsageError(
            f"there are no certificates for {variant.book.name} on {variant.grid}. Certificates are available "
            f"for the built-in games and some custom games, on boards of up to {MOST_CELLS} cells."
        )
    check_picture(certificate, as_json, "--certificate")


def _packed(lines: Iterator[str], name: str) -> bytes:
    """Return the bytes of a certificate file, compressed if the file name ends in .gz."""
    content = io.BytesIO()
    if not name.endswith(".gz"):
        content.writelines(line.encode() for line in lines)
        return content.getvalue()
    with gzip.GzipFile(fileobj=content, mode="wb", filename="", mtime=0) as packed:
        packed.writelines(line.encode() for line in lines)
    return content.getvalue()


def _method(solution: Solution, method: str) -> str | None:
    """Return the method used; None if only theorems were tried and none applies."""
    return None if method == "proof" and solution.verdict is Verdict.UNKNOWN else str(solution.method)


def _facts(start: Game, solution: Solution, method: str) -> dict[str, object]:
    facts: dict[str, object] = {
        **played(start),
        "winner": winner(solution.verdict, start.turn),
        "winning": None if solution.openings is None else spots(start.variant, solution.openings),
        "found": spots(start.variant, solution.found),
        "method": _method(solution, method),
        "positions": solution.positions,
        "seconds": round(solution.seconds, 3),
    }
    if pairs := solution.pairs:
        complete = pairs.decided == pairs.asked
        facts["pairs"] = {"first_wins": pairs.first_wins, "of": pairs.asked} if complete else None
    return facts


def _report(variant: Variant, solution: Solution, method: str) -> list[str]:
    words = {
        Verdict.WIN: "The first player wins",
        Verdict.LOSS: "The second player wins",
        Verdict.UNKNOWN: "Not solved:",
    }
    how = _method(solution, method)
    lines = [
        f"{words[solution.verdict]} {variant.book.name} on {variant.grid} ({variant.grid.adjacency}). "
        f"{f'Method: {how}; ' if how else ''}{_positions(solution)}, {solution.seconds:.2f} s."
    ]
    if solution.openings is not None or solution.found:
        so_far = " found so far" if solution.openings is None else ""
        names = "  ".join(map(variant.name, solution.found)) or "none"
        lines.append(f"Winning first moves{so_far} ({len(solution.found)}): {names}")
    if (pairs := solution.pairs) and pairs.decided == pairs.asked:
        lines.append(f"The first player wins from {pairs.first_wins:,} of {pairs.asked:,} pairs of starting cells.")
    return lines


def _positions(solution: Solution) -> str:
    return f"{solution.positions:,} position{'s' * (solution.positions != 1)}"


def _advice(solver: Solver, checkpoint: str | None) -> str:
    """Return advice on what to do after an unfinished run."""
    if checkpoint:
        return f"run the same command again to resume from {checkpoint}"
    if solver.method == "proof":
        return "more --time may find more"
    if _by_matching(solver.variant.book):
        return "--method auto solves it at once"
    return "use --checkpoint FILE to keep the work" if solver.engine.search.keeps_notes else "more --time may solve it"


def _by_matching(book: RuleBook) -> bool:
    """Return whether a pairing of cells decides every position of the game."""
    return book.shape is not None and book.shape.geography
