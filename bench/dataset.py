"""Measure how long a dataset takes to make, and check a sample of its labels against the reference solver."""

import argparse
import json
import os
import random
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from bench import reference
from gridlock.core.grid import Bitboard, Cell
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.core.rules import rule_book
from gridlock.datasets import load
from gridlock.datasets.making import make
from gridlock.datasets.plan import Plan

MOST_CELLS = 14  # within reach of the last marker, for the reference solver


def main() -> None:
    """Read the options, make a dataset, and print how long it took."""
    parser = argparse.ArgumentParser(prog="python -m bench.dataset", description=__doc__)
    parser.add_argument("--game", default="chain", help="the game (default chain)")
    parser.add_argument("--board", default="8x8", help="the board (default 8x8)")
    parser.add_argument("--positions", type=float, default=1e6, help="positions to make (default 1e6)")
    parser.add_argument("--processes", type=int, default=2, help="processes (default 2)")
    parser.add_argument("--format", default="parquet", help="parquet or npz (default parquet)")
    parser.add_argument("--sample", type=int, default=200, help="positions to check (default 200)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    plan = Plan(rule_book(options.game), (options.board,), positions=int(options.positions), form=options.format)
    with tempfile.TemporaryDirectory() as folder:
        facts = measured(plan, Path(folder) / "dataset", options.processes)
        facts["checked"] = checked(plan.variant(options.board), Path(folder) / "dataset", options.sample)
    if options.json:
        print(json.dumps(facts, indent=2))
        return
    print(
        f"{facts['positions']:,} positions of {options.game} {options.board} in {facts['seconds']:.1f} s with "
        f"{options.processes} processes on {os.cpu_count()} cores: {facts['processor_seconds']:.1f} s of processor "
        f"time, {facts['microseconds']:.1f} microseconds each; {facts['megabytes']:.1f} MB. "
        f"{facts['checked']} labels are those of the reference."
    )


def measured(plan: Plan, folder: Path, processes: int) -> dict[str, Any]:
    """Make a dataset; return how long it took, in this process and in its workers."""
    begin, before = time.perf_counter(), _processor_seconds()
    index = make(plan, folder, processes=processes)
    assert index is not None  # nothing stops the run
    positions = sum(file["rows"] for file in index["files"])
    spent = _processor_seconds() - before
    return {
        "positions": positions,
        "seconds": time.perf_counter() - begin,
        "processor_seconds": spent,
        "microseconds": spent / positions * 1e6,
        "megabytes": sum(path.stat().st_size for path in folder.iterdir()) / 1e6,
    }


def _processor_seconds() -> float:
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in both)


def checked(variant: Variant, folder: Path, count: int) -> int:
    """Check a sample's values against the reference solver; return how many positions could be compared."""
    columns, rng, done = load(folder, "test"), random.Random(1), 0
    rows = list(range(len(columns["key"])))
    rng.shuffle(rows)
    for row in rows:
        if done == count:
            break
        board = columns["board"][row].tolist()
        mine, theirs = (sum(1 << cell for cell, owner in enumerate(board) if owner == side) for side in (1, -1))
        my_head, their_head = (int(columns[name][row]) for name in ("my_head", "their_head"))
        position = Position(
            mine, theirs, None if my_head < 0 else my_head, None if their_head < 0 else their_head, turn=1
        )
        if _room(variant, position).bit_count() > MOST_CELLS:
            continue
        found = {cell: 1 if one.win else -1 for cell, one in reference.results(variant, position).items()}
        if found != {cell: value for cell, value in enumerate(columns["values"][row].tolist()) if value}:
            sys.exit(f"The label of {position} is wrong: the reference says {found}.")
        done += 1
    return done


def _room(variant: Variant, position: Position) -> Bitboard:
    """Return the empty cells that may still be used.

    If the markers form one path, return only the empty cells that are connected to the last marker.
    """
    grid, shape = variant.grid, variant.shape
    empty = grid.cells & ~position.taken
    head: Cell | None = position.their_head
    if shape is None or not shape.geography or head is None:
        return empty
    found: Bitboard = grid.near[head] & empty
    while (more := grid.around(found) & empty) != found:
        found = more
    return found


if __name__ == "__main__":
    main()
