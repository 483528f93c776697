"""Boards that take minutes or longer to solve, and the search runs for each board, as listed in hard_boards.toml."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from gridlock.core.grid import Adjacency
from gridlock.core.notation import read_board

RESULTS = Path(__file__).with_name("hard_boards.toml")
BOARD: dict[str, type] = {"game": str, "board": str, "adjacency": str, "run": list}
RUN: dict[str, type] = {"command": str, "version": str, "without": list, "positions": int, "seconds": int}
OPTIONAL: dict[str, type] = {"stopped": bool, "machine": str}


class Run(NamedTuple):
    """One search of a board."""

    command: str  # the command that repeats the run
    version: str  # the program's version
    without: tuple[str, ...]  # the techniques that were off
    positions: int  # the number of positions searched
    seconds: int  # the processor time on one core, or the time that the machine took
    stopped: bool = False  # whether the run was stopped before it found an answer
    machine: str = ""  # what the search ran on, if not on one core


class HardBoard(NamedTuple):
    """A board, its winner, and every run, including the runs that were stopped."""

    game: str
    rows: int
    cols: int
    adjacency: Adjacency
    winner: int | None  # 1 is the player who moves first; None if no run has finished
    winning: tuple[tuple[int, int], ...] | None  # every winning first move as row and column, if all are known
    runs: tuple[Run, ...]  # the finished runs, fastest first, then the stopped runs

    @property
    def confirmed(self) -> bool:
        """Whether at least two runs with different techniques found the winner."""
        return len({run.without for run in self.runs if not run.stopped}) > 1


@cache
def hard_boards() -> tuple[HardBoard, ...]:
    """Return all results in hard_boards.toml."""
    return read_results(RESULTS.read_text(encoding="utf-8"))


def hard_board(game: str, rows: int, cols: int, adjacency: Adjacency) -> HardBoard | None:
    """Return what is known about a board of this size, in either orientation, or None if nothing is known."""
    sizes = ((rows, cols), (cols, rows))
    boards = (one for one in hard_boards() if (one.game, one.adjacency) == (game, adjacency))
    return next((one for one in boards if (one.rows, one.cols) in sizes), None)


def read_results(text: str) -> tuple[HardBoard, ...]:
    """Read results from TOML; raise ValueError or BadBoard if the format is wrong."""
    tables = tomllib.loads(text).get("board", [])
    boards = tuple(_read_board(table) for table in tables)
    keys = [(one.game, one.adjacency, *sorted((one.rows, one.cols))) for one in boards]
    if twice := [key for key in keys if keys.count(key) > 1]:
        raise ValueError(f"{twice[0]} occurs twice.")
    return boards


def _read_board(table: dict[str, Any]) -> HardBoard:
    _check(table, BOARD, {"winner": int, "winning": list})
    rows, cols = read_board(table["board"])
    winner, winning = table.get("winner"), table.get("winning")
    if winner not in (None, 1, 2) or (winner is None and winning is not None):
        raise ValueError(f"{table['board']}: the winner must be 1 or 2, or omitted if unknown.")
    cells = None if winning is None else tuple((row, col) for row, col in winning)
    if cells is not None and bool(cells) != (winner == 1):
        raise ValueError(f"{table['board']}: list a winning first move if the winner is 1, and none if it is 2.")
    runs = tuple(_read_run(run) for run in table["run"])
    if not runs:
        raise ValueError(f"{table['board']}: list at least one run.")
    if (winner is None) != runs[0].stopped or sorted(run.stopped for run in runs) != [run.stopped for run in runs]:
        raise ValueError(
            f"{table['board']}: the winner must be given if at least one run has finished, and left out otherwise. "
            "List the finished runs before the stopped runs."
        )
    return HardBoard(table["game"], rows, cols, Adjacency(table["adjacency"]), winner, cells, runs)


def _read_run(table: dict[str, Any]) -> Run:
    _check(table, RUN, OPTIONAL)
    return Run(**{**table, "without": tuple(sorted(table["without"]))})


def _check(table: dict[str, Any], needed: dict[str, type], allowed: dict[str, type] | None = None) -> None:
    """Reject a table with a missing field, an unknown field, or a field of the wrong type."""
    kinds = needed | (allowed or {})
    for name, value in table.items():
        if name not in kinds or type(value) is not kinds[name]:
            raise ValueError(f"{name} = {value!r} is not a valid entry in hard_boards.toml.")
    if missing := needed.keys() - table.keys():
        raise ValueError(f"{min(missing)} is missing.")
