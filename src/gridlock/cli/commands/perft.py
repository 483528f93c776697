"""`gridlock perft`: count all move sequences up to a length."""

from collections.abc import Iterator
from time import monotonic
from typing import Any

import click

from gridlock.cli.facts import print_json, setup, spot
from gridlock.cli.options import WholeNumber, board_options, game_argument, json_option
from gridlock.cli.progress import Progress
from gridlock.cli.terminal import tell
from gridlock.core import rules
from gridlock.core.grid import LONGEST_SIDE, Cell
from gridlock.core.perft import parts
from gridlock.core.perft import perft as counted
from gridlock.core.rulebook import RuleBook
from gridlock.play.exits import Exit


@click.command(epilog="Example: gridlock perft chain --depth 5 --divide")
@game_argument()
@click.option(
    "--depth", type=WholeNumber(1, LONGEST_SIDE**2), required=True, metavar="N", help="The greatest length to count."
)
@board_options
@click.option("--divide", is_flag=True, help="Also count the sequences of length N by first move.")
@json_option
def perft(game: RuleBook, depth: int, board: str | None, adjacency: str | None, divide: bool, as_json: bool) -> int:
    """Count all move sequences from the start, for every length up to N.

    Passes do not count as moves, and a sequence ends when the player to move is stuck. The counts grow quickly with N.
    Each one is printed as soon as it is known, and Ctrl-C stops.
    """
    variant = rules.variant(game, board, adjacency)
    counts: list[int] = []
    firsts: dict[Cell, int] = {}
    started = monotonic()
    shown = 0.0
    interrupted = False

    def tick(sequences: int) -> None:
        nonlocal shown
        now = monotonic()
        if now - shown > 0.2 and now - started > 0.5:
            shown = now
            progress.tell(f"length {len(counts) + 1}, {sequences:,} sequences, {now - started:.0f} s")

    def count() -> Iterator[str]:
        while len(counts) < depth:
            ended = counts[-1:] == [0]  # no sequence is longer than the longest
            counts.append(0 if ended else counted(variant, len(counts) + 1, tick=tick)[-1])
            yield f"{len(counts)} {counts[-1]}"
        if divide:
            yield f"\nof length {depth}, by first move:"
            for cell, firsts[cell] in parts(variant, depth, tick=tick):
                yield f"{variant.name(cell)} {firsts[cell]}"

    with Progress(f"Counting {game.name} {variant.grid}") as progress:
        try:
            for line in count():
                progress.done()
                if not as_json:
                    tell(line)
        except KeyboardInterrupt:
            interrupted = True
    if as_json:
        facts: dict[str, Any] = {**setup(variant), "counts": counts}
        if divide:
            facts["divide"] = [{"cell": spot(variant, cell), "count": count} for cell, count in firsts.items()]
        print_json(facts)
    if interrupted:
        tell("Interrupted: these are the counts so far.", err=True)
        return Exit.INTERRUPTED
    return Exit.DONE
