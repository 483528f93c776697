"""`gridlock dataset`: positions with exact labels, for training and evaluation."""

from pathlib import Path
from typing import Any

import click

from gridlock.cli.options import (
    adjacency_option,
    check_workers,
    cluster_option,
    complete_board,
    game_argument,
    processes_option,
    time_option,
)
from gridlock.cli.terminal import Progress, ctrl_c_cancels, tell
from gridlock.core.errors import BadBoard
from gridlock.core.notation import read_board
from gridlock.core.rulebook import RuleBook
from gridlock.datasets.plan import FORMATS, MOST_POSITIONS, Plan
from gridlock.engine.clock import Clock
from gridlock.param_types import Count
from gridlock.play.exits import Exit

MOST_NODES = 1_000_000_000


def _read_boards(_ctx: click.Context, _param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Return board sizes in their usual form, such as 5x6."""
    try:
        return tuple("{}x{}".format(*read_board(value)) for value in values)
    except BadBoard as error:
        raise click.BadParameter(str(error)) from None


@click.command(epilog="Example: gridlock dataset chain --board 8x8 --positions 1e6 --processes 2 --out positions")
@game_argument()
@click.option(
    "--board",
    "boards",
    metavar="ROWSxCOLS",
    multiple=True,
    callback=_read_boards,
    shell_complete=complete_board,
    help="The board size; repeat for several boards. [default: the game's own]",
)
@click.option(
    "--held-out",
    metavar="ROWSxCOLS",
    multiple=True,
    callback=_read_boards,
    shell_complete=complete_board,
    help="A board whose positions all go into a separate split called 'heldout'.",
)
@adjacency_option
@click.option(
    "--positions", type=Count(1, MOST_POSITIONS), default="100k", show_default=True, help="Positions per board."
)
@click.option(
    "--out",
    required=True,
    type=click.Path(file_okay=False),
    help="A folder for a new dataset, or the folder of an unfinished dataset.",
)
@click.option(
    "--format", "form", type=click.Choice(FORMATS), default=FORMATS[0], show_default=True, help="The file format."
)
@click.option("--seed", type=int, default=1, show_default=True, help="A random seed, for reproducible files.")
@click.option("--distances", is_flag=True, help="Also count the moves until the loser is stuck.")
@click.option(
    "--nodes",
    type=Count(1000, MOST_NODES),
    default="200k",
    show_default=True,
    help="Maximum number of positions to search per label; harder positions are left out.",
)
@click.option(
    "--shard",
    type=Count(1, MOST_POSITIONS),
    default="100k",
    show_default=True,
    help="Maximum number of positions per file.",
)
@processes_option
@cluster_option
@time_option("Stop after this many seconds; run the same command again to resume.")
def dataset(
    game: RuleBook,
    boards: tuple[str, ...],
    held_out: tuple[str, ...],
    adjacency: str | None,
    out: str,
    processes: int,
    cluster: str | None,
    seconds: float | None,
    **options: Any,
) -> int:
    """Make a dataset of positions from GAME with the exact value of every move.

    The folder will contain Parquet or NPZ files for the train, validation and test splits, and a dataset card.
    Across all splits, no position occurs twice, not even rotated or reflected. You can stop a run with Ctrl-C or
    --time. The same command resumes the run and writes the same files as an uninterrupted run. --positions takes
    numbers such as 1e6 and 100k.
    """
    from gridlock.datasets.making import make  # imported here because it needs NumPy

    check_workers(processes, cluster)
    plan, folder, clock = Plan(game, boards, held_out, adjacency, **options), Path(out), Clock(seconds)
    with Progress(f"Dataset of {game.name}") as progress, ctrl_c_cancels():
        index = make(
            plan,
            folder,
            processes=processes,
            cluster=cluster,
            stopped=lambda: clock.expired,
            report=progress.tell,
        )
        interrupted = clock.stopped
    if index is None:
        what = "Interrupted" if interrupted else "Out of time"
        tell(f"{what}: the dataset in {folder} is not complete. Run the same command again to resume.", err=True)
        return Exit.INTERRUPTED if interrupted else Exit.LIMIT
    for one in index["boards"]:
        if one["positions"] < plan.positions:
            tell(
                f"On {one['board']}, only {one['positions']:,} different positions were found. Playing more games "
                "would find hardly any new positions.",
                err=True,
            )
    total = sum(file["rows"] for file in index["files"])
    tell(f"{folder} contains {total:,} positions in {len(index['files'])} files, described in its README.md.")
    return Exit.DONE
