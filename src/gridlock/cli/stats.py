"""`gridlock stats`: how your games went."""

from datetime import date
from typing import Any

import click

from gridlock.cli import diary
from gridlock.cli.facts import print_json
from gridlock.cli.options import json_option, time_option
from gridlock.cli.progress import Progress
from gridlock.cli.statistics import Statistics, Tally, collect, kept
from gridlock.cli.store import entries
from gridlock.cli.terminal import tell
from gridlock.players import AGENTS


@click.command(epilog="Examples: gridlock stats, gridlock stats --kept")
@click.option("--kept", "with_kept", is_flag=True, help="Also ask the engine how often you kept a game that was won.")
@time_option("With --kept, seconds a move.", 0.2)
@json_option
def stats(with_kept: bool, seconds: float, as_json: bool) -> None:
    """Say how your games against the computer went: by game, by level and by side, and your streaks.

    Counted are the finished games that 'gridlock games' lists, each round of a match for itself.
    """
    found, pages = collect(entries()), diary.read()
    keeping = _kept(found, seconds) if with_kept else None
    if as_json:
        print_json(_facts(found, pages, keeping))
        return
    tell(*_report(found, keeping), *_other(found, pages))


def _kept(found: Statistics, seconds: float) -> Tally:
    """Of the games that were won at some time, those that stayed so."""
    progress, tally = Progress("Looking at your games"), Tally()
    try:
        for number, one in enumerate(found.games, 1):
            progress.tell(f"{number} of {len(found.games)}")
            answer = kept(one, seconds)
            if answer is not None:
                tally.add(answer)
    finally:
        progress.done()
    return tally


def _report(found: Statistics, keeping: Tally | None) -> list[str]:
    """The tables."""
    if not found.games:
        return ["No finished game against the computer yet. To play one: gridlock play showdown --player2 easy"]
    levels = [level for level in AGENTS if level in found.by_level]
    levels += [level for level in found.by_level if level not in levels]
    rows = [("all games", found.total), ("", None)]
    rows += [*found.by_game.items(), ("", None)]
    rows += [*((f"against {level}", found.by_level[level]) for level in levels), ("", None)]
    rows += [(f"moving {side}", found.by_side[side]) for side in ("first", "second") if side in found.by_side]
    wide = max(len(name) for name, _ in rows)
    lines = [f"{'':{wide}}{'won':>6}{'of':>6}{'%':>6}"]
    lines += [
        f"{name:{wide}}{tally.won:>6}{tally.played:>6}{tally.percent:>6}" if tally else "" for name, tally in rows
    ]
    if keeping is not None:
        lines += ["", f"Won at some time: {keeping.played}, and kept: {keeping.won}."]
    return [*lines, "", f"Won in a row: {found.streak}, at best {found.best_streak}."]


def _other(found: Statistics, pages: diary.Diary) -> list[str]:
    """What else there is, each in a line if there is any."""
    lines = []
    if found.among_friends or found.unfinished or found.damaged:
        damaged = f"; damaged: {found.damaged}" * bool(found.damaged)
        lines.append(f"Between friends: {found.among_friends}; unfinished: {found.unfinished}{damaged}.")
    if pages.asked:
        lines.append(f"Puzzles: {pages.solved} of {pages.asked} solved, {pages.streak} in a row, at best {pages.best}.")
    if pages.days:
        solved = sum(pages.days.values())
        days = pages.days_in_a_row(date.today())
        lines.append(f"Puzzles of the day: {solved} of {len(pages.days)} solved, {days} days in a row.")
    if pages.lessons:
        done = ", ".join(f"{game} {len(numbers)}" for game, numbers in pages.lessons.items())
        lines.append(f"Lessons finished: {done}.")
    return lines


def _facts(found: Statistics, pages: diary.Diary, keeping: Tally | None) -> dict[str, Any]:
    def told(tally: Tally) -> dict[str, int]:
        return {"won": tally.won, "played": tally.played}

    return {
        "total": told(found.total),
        "by_game": {game: told(tally) for game, tally in found.by_game.items()},
        "by_level": {level: told(tally) for level, tally in found.by_level.items()},
        "by_side": {side: told(tally) for side, tally in found.by_side.items()},
        "streak": found.streak,
        "best_streak": found.best_streak,
        "kept": None if keeping is None else {"won": keeping.won, "played": keeping.played},
        "among_friends": found.among_friends,
        "unfinished": found.unfinished,
        "damaged": found.damaged,
        "puzzles": {"solved": pages.solved, "asked": pages.asked, "streak": pages.streak, "best_streak": pages.best},
        "days": {
            "solved": sum(pages.days.values()),
            "asked": len(pages.days),
            "streak": pages.days_in_a_row(date.today()),
        },
        "lessons": pages.lessons,
    }
