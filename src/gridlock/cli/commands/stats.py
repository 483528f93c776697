"""`gridlock stats`: your results."""

from dataclasses import asdict, replace
from datetime import date
from typing import Any

import click

from gridlock.cli.files import print_json
from gridlock.cli.options import json_option, time_option
from gridlock.cli.terminal import Progress, tell
from gridlock.play.review import Statistics, Tally, collect, other_lines, report, win_converted
from gridlock.userdata import diary
from gridlock.userdata.saves import entries


@click.command(epilog="Examples: gridlock stats, gridlock stats --kept")
@click.option(
    "--kept", "with_kept", is_flag=True, help="Also ask the engine how often you converted a winning position."
)
@time_option("With --kept, seconds per move.", 0.2)
@json_option
def stats(with_kept: bool, seconds: float, as_json: bool) -> None:
    """Show your results against the computer by game, level and side, and your streaks.

    Counts every finished game in 'gridlock games'; each round of a match counts separately.
    """
    found, pages = collect(entries()), diary.read()
    converted = Tally() if with_kept else None
    if converted:
        with Progress("Analysing your games") as progress:
            for number, one in enumerate(found.games, 1):
                progress.tell(f"{number} of {len(found.games)}")
                converted.add(win_converted(one, seconds))
    if as_json:
        print_json(_facts(found, pages, converted))
    else:
        tell(*report(found, converted), *other_lines(found, pages))


def _facts(found: Statistics, pages: diary.Diary, converted: Tally | None) -> dict[str, Any]:
    facts = asdict(replace(found, games=[]))
    del facts["games"]
    return {
        **facts,
        "kept": None if converted is None else asdict(converted),
        "puzzles": {"solved": pages.solved, "asked": pages.asked, "streak": pages.streak, "best_streak": pages.best},
        "days": {
            "solved": sum(pages.days.values()),
            "asked": len(pages.days),
            "streak": pages.days_in_a_row(date.today()),
        },
        "lessons": pages.lessons,
    }
