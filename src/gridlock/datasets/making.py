"""Make a dataset: sample positions, leave out duplicates, and write shards, a dataset card and an index.

The rows that a unit of work produces depend only on the plan and the unit's number, and units are merged in the order
of their numbers. The files are therefore identical, byte for byte, no matter how many processes or machines make them
or how often the run is stopped.
"""

from __future__ import annotations

import errno
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from gridlock.core.errors import BadRecord, needs
from gridlock.core.files import sweep_drafts, write_safely
from gridlock.datasets.card import card
from gridlock.datasets.index import INDEX, WORK, checked, read_index
from gridlock.datasets.parts import Parts, rows_of
from gridlock.datasets.plan import HELD_OUT, SPLITS, Plan
from gridlock.datasets.sampling import sample
from gridlock.datasets.shards import check_format
from gridlock.datasets.splits import Chosen, Shard, distinct, shards, split_of, write_shard
from gridlock.units.running import run_units

with needs("dataset"):
    import numpy as np

CARD = "README.md"
FIRST_UNITS = 4  # units per board in the first round
FEWEST_NEW = 0.02  # if a smaller share of the positions collected in a round is new, the board counts as exhausted

Report = Callable[[str], None]


class Sampled(NamedTuple):
    """The positions sampled on a board so far."""

    units: int
    chosen: Chosen
    new_per_unit: int  # new positions per unit in the last round
    exhausted: bool  # whether more games would find hardly any new positions


class Stopped(Exception):
    """The exception that is raised when the run is stopped before the dataset is complete."""


def make(
    plan: Plan,
    folder: Path,
    *,
    processes: int = 1,
    cluster: str | None = None,
    stopped: Callable[[], bool] | None = None,
    report: Report = lambda _words: None,
) -> dict[str, Any] | None:
    """Make a dataset in a folder, or continue an unfinished one; return its index, or None if it is still unfinished.

    If `processes` is 0, this process does all the work.
    """
    check_format(plan.form)
    folder.mkdir(parents=True, exist_ok=True)
    if (folder / INDEX).exists():
        return _finished(plan, folder)
    if not (folder / WORK).exists() and any(folder.iterdir()):
        raise BadRecord(f"{folder} contains other files. Choose a new or empty folder.")
    (folder / WORK).mkdir(exist_ok=True)
    try:
        with Parts(folder, plan.task()) as parts:
            index = _Run(plan, parts, processes, cluster, stopped, report).index()
    except Stopped:
        return None
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise BadRecord(
            f"The disk is full, so the dataset in {folder} is not complete. Free some space, then run the same "
            "command again to resume."
        ) from None
    _finish(plan, folder, index)
    return index


class _Run:
    """A run that creates the dataset described by a plan, or completes an unfinished dataset."""

    def __init__(
        self,
        plan: Plan,
        parts: Parts,
        processes: int,
        cluster: str | None,
        stopped: Callable[[], bool] | None,
        report: Report,
    ) -> None:
        self.plan = plan
        self.parts = parts
        self._processes = processes
        self._cluster = cluster
        self._stopped = stopped
        self._report = report

    def index(self) -> dict[str, Any]:
        """Do the remaining work, and return the dataset's index."""
        boards = self._sampled()
        todo: dict[str, Shard] = {}
        for board, found in boards.items():
            split = split_of(found.chosen.key)
            if board in self.plan.held_out:
                split = np.full_like(split, SPLITS.index(HELD_OUT))
            paths = [self.parts.path(self._key(board, number)) for number in range(found.units)]
            most = self.plan.shard_rows(board)
            todo |= shards(self.parts.folder, board, self.plan.form, most, paths, found.chosen, split)
        self._run("shards written", write_shard, todo, None)
        files = [
            {"name": name, "split": name.split("-")[0], "board": shard.board, **self.parts.done[name]}
            for name, shard in todo.items()
        ]
        return {"gridlock-dataset": 1, "task": self.plan.task(), "boards": self._counts(boards), "files": files}

    def _sampled(self) -> dict[str, Sampled]:
        """Sample every board, round by round, until there are enough positions or hardly any new ones are found."""
        boards = {board: Sampled(0, distinct([np.zeros(0, np.uint64)], 0), 0, False) for board in self.plan.every_board}
        while True:
            planned = {board: self._planned(board, found) for board, found in boards.items()}
            if all(planned[board] == found.units for board, found in boards.items()):
                return boards
            todo = {
                self._key(board, number): self.plan.unit(board, number)
                for board, units in planned.items()
                for number in range(units)
            }
            self._run("units of games played", sample, todo, self._cluster)
            boards = {board: self._merged(board, planned[board], found) for board, found in boards.items()}

    def _planned(self, board: str, found: Sampled) -> int:
        """Return how many units to plan for a board: a few at first, then an estimate based on the previous round."""
        missing, unit = self.plan.positions - len(found.chosen.key), self.plan.unit(board, 0).positions
        if missing <= 0 or found.exhausted:
            return found.units
        more = -(-missing // max(1, found.new_per_unit or unit))
        if found.new_per_unit < unit // 2:  # nothing is known yet, or new positions are getting rare
            more = min(more, max(FIRST_UNITS, found.units))
        return found.units + more

    def _merged(self, board: str, units: int, before: Sampled) -> Sampled:
        """Return a board's positions, including those of the latest round."""
        if units == before.units:
            return before
        keys = [rows_of(self.parts.path(self._key(board, number)), "key")["key"] for number in range(units)]
        found = distinct(keys, self.plan.positions)
        new, collected = len(found.key) - len(before.chosen.key), sum(len(one) for one in keys[before.units :])
        return Sampled(units, found, new // (units - before.units), new <= FEWEST_NEW * collected)

    def _counts(self, boards: dict[str, Sampled]) -> list[dict[str, Any]]:
        counts = []
        for board, found in boards.items():
            results = [self.parts.done[self._key(board, number)] for number in range(found.units)]
            sums = {name: sum(result[name] for result in results) for name in ("visited", "left_out")}
            counts.append({"board": board, "positions": len(found.chosen.key), **sums})
        return counts

    def _run(self, what: str, work: Callable[[Any], Any], units: dict[str, Any], cluster: str | None) -> None:
        """Run the units of work that are not finished yet; raise Stopped if the run is stopped."""
        count = sum(key in self.parts.done for key in units)

        def finished(_key: str, _result: Any) -> None:
            nonlocal count
            count += 1
            self._report(f"{count:,} of {len(units):,} {what}")

        complete = run_units(
            work,
            units,
            self.parts,
            processes=self._processes,
            cluster=cluster,
            finished=finished,
            stopped=self._stopped,
        )
        if not complete:
            raise Stopped

    @staticmethod
    def _key(board: str, number: int) -> str:
        return f"{board}-{number:05}"


def _finish(plan: Plan, folder: Path, index: dict[str, Any]) -> None:
    """Write the dataset card and then the index, whose presence marks the dataset as complete.

    After the index is written, remove the files that are no longer needed.
    """
    sweep_drafts(folder)
    write_safely(folder / CARD, card(plan, index))
    write_safely(folder / INDEX, json.dumps(index, indent=1) + "\n")
    shutil.rmtree(folder / WORK, ignore_errors=True)


def _finished(plan: Plan, folder: Path) -> dict[str, Any]:
    """Return the index of a complete dataset; raise BadRecord if the dataset is damaged or belongs to another plan."""
    index = read_index(folder)
    if index["task"] != json.loads(json.dumps(plan.task())):
        raise BadRecord(f"{folder} contains another dataset. Choose a new folder.")
    for file in index["files"]:
        checked(folder, file)
    shutil.rmtree(folder / WORK, ignore_errors=True)  # a killed run may have left this folder behind
    return index
