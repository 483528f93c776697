"""`gridlock perft`: count all move sequences up to a length."""

import json

import click

from gridlock import rules
from gridlock.cli.options import board_options, game_argument, json_option
from gridlock.grid import LONGEST_SIDE
from gridlock.perft import divide as divided
from gridlock.perft import perft as counted
from gridlock.rulebook import RuleBook


@click.command(epilog="Example: gridlock perft chain --depth 5 --divide")
@game_argument
@click.option(
    "--depth", type=click.IntRange(1, LONGEST_SIDE**2), required=True, metavar="N", help="The greatest length."
)
@board_options
@click.option("--divide", is_flag=True, help="Also count the longest sequences by their first move.")
@json_option
def perft(game: RuleBook, depth: int, board: str | None, adjacency: str | None, divide: bool, as_json: bool) -> None:
    """Count all move sequences from the start, of every length up to N.

    Passes are not counted as moves: a sequence ends where the player to move is stuck. The counts grow quickly with N;
    Ctrl-C stops.
    """
    variant = rules.variant(game, board, adjacency)
    counts = counted(variant, depth)
    firsts = {variant.name(cell): count for cell, count in divided(variant, depth).items()} if divide else None
    if as_json:
        click.echo(json.dumps({"counts": counts} if firsts is None else {"counts": counts, "divide": firsts}))
        return
    for length, count in enumerate(counts, 1):
        click.echo(f"{length} {count}")
    if firsts is not None:
        click.echo(f"\nof length {depth}, by first move:")
        for name, count in firsts.items():
            click.echo(f"{name} {count}")
