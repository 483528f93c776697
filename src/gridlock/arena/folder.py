"""A tournament's folder, which contains the ledger and the files generated from it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from gridlock.arena.crosstable import crosstable
from gridlock.arena.crosstable_html import as_html
from gridlock.arena.crosstable_svg import as_svg
from gridlock.arena.openings_report import opening_lines
from gridlock.arena.plan import BadPlan, Plan
from gridlock.arena.results import Result
from gridlock.arena.tournament import Tournament
from gridlock.core.errors import BadRecord
from gridlock.core.files import write_safely
from gridlock.core.names import clean_name
from gridlock.core.records import dump_text
from gridlock.units.lines import OtherTask

LEDGER = "ledger"
_NAMES = {"tournament": "format", "seconds": "time"}  # options with other names in the ledger
PER_FILE = 1_000  # records, so that a file stays short enough to be loaded


@contextmanager
def opened(plan: Plan, folder: Path | None, resume: bool) -> Iterator[Tournament]:
    """Open a tournament in a folder; without a folder, nothing is saved.

    Unless `resume` is true, the folder must not already contain a tournament. When the `with` block ends, the results
    and records of the finished games are written to the folder.
    """
    if folder is None:
        with Tournament(plan) as tournament:
            yield tournament
        return
    ledger = folder / LEDGER
    if ledger.exists() and not resume:
        raise BadPlan(
            f"{folder} already has a tournament. Add --resume to continue the tournament, or choose another folder."
        )
    if resume and not ledger.exists():
        raise BadPlan(f"{folder} has no tournament to resume.")
    folder.mkdir(parents=True, exist_ok=True)
    try:
        tournament = Tournament(plan, ledger)
    except OtherTask as error:
        changed = ", ".join(_changed(error.task, json.loads(json.dumps(plan.task()))))
        raise BadRecord(
            f"{folder} was started with other options{f' ({changed})' * bool(changed)}. "
            "Use the same options, or choose another folder."
        ) from None
    with tournament:
        try:
            yield tournament
        finally:
            write_files(tournament, folder)


def _changed(before: Any, now: dict[str, Any]) -> Iterator[str]:
    """Yield the options that differ between two tasks, with their values if these are short."""
    before = before if isinstance(before, dict) else {}
    for key, new in now.items():
        old = before.get(key, new)
        if key == "conditions":
            yield from _changed(old, new)
        elif old != new:
            is_short = not any(isinstance(value, list | dict) for value in (old, new))
            yield _NAMES.get(key, key) + (f" {_shown(old)}, now {_shown(new)}" if is_short else "")


def _shown(value: Any) -> str:
    return "none" if value is None else str(value).lower() if isinstance(value, bool) else clean_name(str(value), 40)


def write_files(tournament: Tournament, folder: Path) -> None:
    """Write the finished games (as JSON Lines and as records), their openings, and the cross-table."""
    games = tournament.games()
    write_safely(folder / "results.jsonl", "".join(f"{json.dumps(game)}\n" for game in games))
    write_safely(folder / "openings.tsv", "".join(f"{line}\n" for line in opening_lines(games)))
    records = [dump_text(game) for game in tournament.records()]
    for number, first in enumerate(range(0, len(records), PER_FILE), 1):
        write_safely(folder / f"games-{number}.txt", "\n".join(records[first : first + PER_FILE]))
    table = crosstable(games, title(tournament.plan, games))
    write_safely(folder / "crosstable.html", as_html(table))
    write_safely(folder / "crosstable.svg", as_svg(table))


def title(plan: Plan, games: Sequence[Result]) -> str:
    """Return the title of a cross-table."""
    boards = ", ".join(f"{variant.book.title} {variant.grid}" for variant in plan.variants)
    return f"{boards}: {len(games):,} games"
