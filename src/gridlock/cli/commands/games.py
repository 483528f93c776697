"""`gridlock games` and `gridlock stats`: list and delete saved games, and show your results."""

import time
from dataclasses import asdict, replace
from datetime import date
from itertools import islice
from typing import Any

import click

from gridlock.cli.files import print_json, setup
from gridlock.cli.options import complete_saved, given_options, json_option, time_option
from gridlock.cli.terminal import Progress, tell
from gridlock.drawing.text import visible
from gridlock.param_types import WholeNumber
from gridlock.play.saved_games import is_watched, names, status, summary
from gridlock.userdata import diary
from gridlock.userdata.saves import Entry, delete, entries, find, folder, short_id

PAGE = 20  # games per page


@click.command(epilog="Examples: gridlock games --page 2, gridlock games --delete 3")
@click.option("--all", "everything", is_flag=True, help="List all games, not just one page of them.")
@click.option(
    "--page", type=WholeNumber(1), default=1, metavar="N", help="Which page to show (20 games per page, newest first)."
)
@click.option(
    "--delete",
    "unwanted",
    metavar="GAME",
    multiple=True,
    shell_complete=complete_saved,
    help="Delete a game, by number or id. Can be repeated.",
)
@json_option
def games(everything: bool, page: int, unwanted: tuple[str, ...], as_json: bool) -> None:
    """List your games, finished and unfinished, newest first.

    Use the number or the id to resume, review, show or save a game. Numbers change as you play, because the newest game
    is always number 1; an id stays the same.
    """
    if unwanted:
        for entry in [find(reference) for reference in unwanted]:  # find all before deletion changes the numbers
            delete(entry)
            tell(f"Deleted {summary(entry)}.", err=True)
        return
    total = len(list(folder().glob("*.json")))
    first, last = (0, None) if everything else ((page - 1) * PAGE, page * PAGE)
    listed = list(enumerate(islice(entries(), first, last), first + 1))
    if as_json:
        print_json({"games": [_facts(number, entry) for number, entry in listed], "total": total})
        return
    if not listed:
        page_missing = f"There is no page {page}: you have {total} game{'s' * (total != 1)}."
        tell(page_missing if total else "No games yet. To start a game: gridlock play showdown")
        return
    ids = [visible(short_id(entry.name)) for _, entry in listed]
    wide = max(map(len, ids))
    for (number, entry), shown in zip(listed, ids, strict=True):
        when = time.strftime("%m-%d %H:%M", time.localtime(entry.changed))
        tell(f"{number:>3}  {shown:{wide}}  {when}  {status(entry):<10}  {summary(entry)}")
    if len(listed) < total:
        more = f" Next page: gridlock games --page {page + 1}" if first + len(listed) < total else ""
        tell(f"Games {first + 1} to {first + len(listed)} of {total}.{more}", err=True)


def _facts(number: int, entry: Entry) -> dict[str, Any]:
    """Return the data about a saved game, for JSON."""
    changed = time.strftime("%Y-%m-%dT%H:%M:%S%z", time.localtime(entry.changed))
    facts = {"number": number, "id": entry.name, "changed": changed, "status": status(entry)}
    if entry.saved is None:
        return {**facts, "damage": entry.damage}
    match = entry.saved.match
    return {
        **facts,
        **setup(match.variant),
        "swap": match.swap,
        "players": names(match),
        "kinds": list(match.kinds),
        "watched": is_watched(match),
        "hints": match.hints,
        "score": list(match.score()),
        "round": len(match.games),
        "rounds": match.rounds,
        "plies": len(match.games[-1].moves) if match.games else 0,
    }


@click.command(epilog="Examples: gridlock stats, gridlock stats --kept")
@click.option(
    "--kept", "with_kept", is_flag=True, help="Also ask the engine how often you converted a winning position."
)
@time_option("With --kept: seconds to spend on each move.", 0.2)
@json_option
def stats(with_kept: bool, seconds: float, as_json: bool) -> None:
    """Show your streaks, and your results against the computer by game, level and side.

    The results include every finished game that 'gridlock games' lists. Each round of a match counts separately.
    """
    if not with_kept and given_options("as_json"):
        raise click.UsageError("--time needs --kept.")
    from gridlock.play.results import Tally, collect, other_lines, report, win_converted  # loads the engine
    from gridlock.play.share import calendar

    found, pages = collect(entries()), diary.read()
    converted = Tally() if with_kept else None
    if converted:
        with Progress("Analysing your games") as progress:
            for number, one in enumerate(found.games, 1):
                progress.tell(f"{number} of {len(found.games)}")
                converted.add(win_converted(one, seconds))
    if not as_json:
        weeks = calendar(pages, date.today())
        tell(*report(found, converted), *other_lines(found, pages), *([""] if weeks else []), *weeks)
        return
    days = {"solved": sum(pages.days.values()), "asked": len(pages.days), "streak": pages.days_in_a_row(date.today())}
    days["best_streak"] = pages.best_days
    puzzles: dict[str, object] = {"solved": pages.solved, "asked": pages.asked}
    puzzles |= {"streak": pages.streak, "best_streak": pages.best, "games": pages.games}
    facts = asdict(replace(found, games=[])) | {"puzzles": puzzles, "days": days, "lessons": pages.lessons}
    facts["kept"] = None if converted is None else asdict(converted)
    del facts["games"]
    print_json(facts)
