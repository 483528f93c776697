"""A dataset card in the format used by dataset hubs: README.md with a machine-readable header."""

from __future__ import annotations

import json
from typing import Any

from gridlock import __version__
from gridlock.core.shape import Follow
from gridlock.datasets.plan import HELD_OUT, SPLITS, Plan

COLUMNS = {
    "rows, cols": ("uint8", "the board's size; `cells` below is rows x cols, counted row by row from 0"),
    "key": ("uint64", "equal for positions that are equivalent, up to the board's symmetries"),
    "board": ("int8 x cells", "1: a marker of the side to move, -1: of the other side, 0: empty"),
    "my_head, their_head": ("int16", "the cell that each side took last, -1 if none; in games with pawns, the pawn"),
    "value": ("int8", "1 if the side to move wins with perfect play, -1 if it loses"),
    "values": ("int8 x cells", "the value of each move: 1 wins, -1 loses, 0 is not a legal move"),
    "proof": ("string", "how the value is known: matching, mirror or search"),
    "best": ("int16", "a winning move, -1 if there is none"),
    "partner": (
        "int16 x cells",
        "if a matching or a mirror decides: the winner's answer to a move on the cell, -1 if none; if the side to move "
        "wins, after it has played `best`",
    ),
}
DISTANCES = {
    "distance": (
        "int16",
        "moves until the loser is stuck, with the winner hurrying and the loser delaying; -1 if unknown",
    ),
    "distances": ("int16 x cells", "the same for each move, itself included; 0 if it is not legal or unknown"),
}


def card(plan: Plan, index: dict[str, Any]) -> str:
    """Return the text of the card."""
    book, files = plan.book, index["files"]
    total = sum(file["rows"] for file in files)
    lines = [
        *_header(plan, files),
        "",
        f"# {_title(plan)}",
        "",
        f"{total:,} {book.title} positions ({plan.adjacency} adjacency), each with the exact value of every move. "
        f"Made by GridLock {__version__}. {book.rules}",
        "",
        "```",
        command(plan),
        "```",
        "",
        "## Counts",
        "",
        "| split | board | positions | lost by the side to move |",
        "|---|---|---|---|",
        *_counts(index),
        "",
        *_enough(plan, index),
        "## How it was made",
        "",
        *_made(plan, index),
        "",
        "## Columns",
        "",
        "| column | type | meaning |",
        "|---|---|---|",
    ]
    columns = COLUMNS | (DISTANCES if plan.distances else {})
    lines += [f"| {name} | {kind} | {words} |" for name, (kind, words) in columns.items()]
    board = f', board="{plan.boards[0]}"' if len(plan.boards) > 1 else ""
    lines += [
        "",
        "## How to load it",
        "",
        "```python",
        "from gridlock.datasets import load",
        "",
        f'train = load("FOLDER", "train"{board})  # NumPy arrays by column; checksums are verified',
        "```",
        "",
        "The files can also be read without GridLock: "
        + ("any Parquet reader takes them." if plan.form == "parquet" else "`numpy.load` takes each of them."),
        "",
        "## Licence",
        "",
        "MIT, like GridLock itself.",
        "",
        "## Checksums (SHA-256)",
        "",
        "```",
        *(f"{file['sha256']}  {file['name']}" for file in files),
        "```",
    ]
    return "\n".join(lines) + "\n"


def _header(plan: Plan, files: list[dict[str, Any]]) -> list[str]:
    """Return the machine-readable header, in YAML."""
    lines = ["---", "license: mit", f"pretty_name: {json.dumps(_title(plan))}", "tags: [games, board-games]"]
    if plan.form == "parquet":
        lines += ["configs:", "- config_name: default", "  data_files:"]
        for split in SPLITS:
            if any(file["split"] == split for file in files):
                lines += [f"  - split: {split}", f'    path: "{split}-*.parquet"']
    return [*lines, "---"]


def _title(plan: Plan) -> str:
    return f"{plan.book.title} on {', '.join(plan.every_board)}: exact labels"


def command(plan: Plan) -> str:
    """Return the command that makes the dataset."""
    words = [f"gridlock dataset {plan.book.name}", *(f"--board {board}" for board in plan.boards)]
    words += [f"--held-out {board}" for board in plan.held_out]
    words += [f"--adjacency {plan.adjacency}", f"--positions {plan.positions}", f"--format {plan.form}"]
    words += [f"--seed {plan.seed}", f"--shard {plan.shard}", f"--nodes {plan.nodes}"]
    return " ".join([*words, *["--distances"] * plan.distances, "--out FOLDER"])


def _counts(index: dict[str, Any]) -> list[str]:
    sums: dict[tuple[str, str], list[int]] = {}
    for file in index["files"]:
        both = sums.setdefault((file["split"], file["board"]), [0, 0])
        both[0] += file["rows"]
        both[1] += file["lost"]
    return [f"| {split} | {board} | {rows:,} | {lost:,} |" for (split, board), (rows, lost) in sums.items()]


def _enough(plan: Plan, index: dict[str, Any]) -> list[str]:
    """Return sentences that name the boards with fewer positions than the plan requires."""
    short = [one for one in index["boards"] if one["positions"] < plan.positions]
    return [
        f"On {one['board']}, only {one['positions']:,} of {plan.positions:,} positions were found, because playing "
        "more games yielded hardly any new positions.\n"
        for one in short
    ]


def _made(plan: Plan, index: dict[str, Any]) -> list[str]:
    """Return the lines that explain which parts of the dataset are exact and which are sampled."""
    shape = plan.book.shape
    assert shape is not None  # the plan has checked
    lines = [
        "- **Sampled: the positions.** They come from games between random players and between good ones, who choose a "
        "winning move, if there is one, four times out of five. The positions are therefore not a uniform "
        "sample of all positions.",
        "- **Exact: the labels.** Every value is proved.",
        "- **No repetitions.** Positions that are equivalent up to the board's symmetries count as one. Two positions "
        "are equivalent if each side has the same open cells in both positions. In games where moves depend on the "
        "last marker or on the pawns, equivalent positions also have the last marker or the pawns on the same cells. "
        "In equivalent positions, the same cell may have been taken by different players.",
        "- **No leaks.** A position's split depends on its `key` alone, so equivalent or symmetric positions are never "
        "in different splits, even in datasets with different seeds. On average, 8 out of every 10 positions are in "
        "train, 1 is in validation and 1 is in test. Positions from the same game can be in different splits.",
    ]
    if plan.held_out:
        lines.append(f"- **Held out: {', '.join(plan.held_out)}.** All positions of this board are in `{HELD_OUT}`.")
    left_out = sum(one["left_out"] for one in index["boards"])
    if left_out:
        lines.append(
            f"- **Left out: hard positions.** {left_out:,} times a game had a position that a search of {plan.nodes:,} "
            "positions did not decide. Undecided positions and all earlier positions in the same games are missing, "
            "so this dataset contains mostly late positions."
        )
    if plan.distances:
        lines.append(
            f"- **Distances** are exact where they are given, and -1 where a search of {plan.nodes:,} positions was "
            "not enough."
        )
    if shape.geography and shape.follows is Follow.AWAY:
        lines.append(
            "- **With more than about 17 free cells, this game is parity alone**: if the number of free cells is odd, "
            "every legal move wins, and otherwise every move loses. To test whether a player finds "
            "good moves, use positions with at most 17 free cells."
        )
    return lines
