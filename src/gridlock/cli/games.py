"""`gridlock games`: list what is saved."""

import json
import time

import click

from gridlock.cli.options import json_option
from gridlock.cli.store import Entry, entries
from gridlock.game import clean_name
from gridlock.play.match import Match


@click.command(epilog="Example: gridlock games --all")
@click.option("--all", "everything", is_flag=True, help="Not only the latest 20.")
@json_option
def games(everything: bool, as_json: bool) -> None:
    """List your games, the latest first, unfinished and finished."""
    listed = [entry for number, entry in enumerate(entries()) if everything or number < 20]
    if as_json:
        click.echo(json.dumps([_facts(entry) for entry in listed], indent=2))
        return
    for entry in listed:
        click.echo(_line(entry))
    if not listed:
        click.echo("No games yet. To start one: gridlock play showdown")


def _facts(entry: Entry) -> dict[str, object]:
    """A saved game for programs to read."""
    changed = time.strftime("%Y-%m-%dT%H:%M:%S%z", time.localtime(entry.changed))
    if entry.saved is None:
        return {"name": entry.name, "changed": changed, "status": "damaged", "damage": entry.damage}
    match = entry.saved.match
    return {
        "name": entry.name,
        "changed": changed,
        "status": "finished" if match.finished else "unfinished",
        "game": match.variant.book.name,
        "board": str(match.variant.grid),
        "players": _names(match),
        "score": match.score(),
        "round": len(match.games),
        "rounds": match.rounds,
        "moves": len(match.games[-1].moves) if match.games else 0,
    }


def _line(entry: Entry) -> str:
    """A saved game for people to read."""
    if entry.saved is None:
        return f"{entry.name}  damaged     {entry.damage}"
    match = entry.saved.match
    first, second = _names(match)
    if match.rounds > 1:
        what = "{} {} - {} {}, round {} of {}".format(first, *match.score(), second, len(match.games), match.rounds)
    elif (game := match.current()).outcome:
        what = f"{game.player_name(game.outcome.winner)} beat {game.player_name(3 - game.outcome.winner)}"
    else:
        what = f"{first} - {second}, {len(game.moves)} move{'s' * (len(game.moves) != 1)}"
    status = "finished" if match.finished else "unfinished"
    return f"{entry.name}  {status:<10}  {match.variant.book.name} {match.variant.grid}, {what}"


def _names(match: Match) -> list[str]:
    pairs = zip(match.names, match.variant.book.players, strict=True)
    return [clean_name(name) or default for name, default in pairs]
