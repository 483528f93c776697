"""`gridlock play`, `gridlock resume` and `gridlock games`."""

import json
import os
import time
from pathlib import Path

import click

from gridlock.cli.options import Seconds, board_options, game_argument, json_option
from gridlock.cli.session import Session
from gridlock.cli.store import Entry, Slot, entries, new_name
from gridlock.cli.terminal import Terminal
from gridlock.errors import BadRecord, GridLockError
from gridlock.game import clean_name
from gridlock.play.match import LONGEST_MATCH, Match
from gridlock.players import AGENTS
from gridlock.rules import variant

PLAYERS = click.Choice(["human", *AGENTS])


def start(match: Match, slot: Slot, terminal: Terminal) -> int:
    """Play a match that has its place on disk, and return the exit code."""
    try:
        return Session(match, slot, terminal).run()
    finally:
        slot.release()


@click.command(epilog="Example: gridlock play showdown --board 6x6 --player2 perfect")
@game_argument
@board_options
@click.option("--starts", type=click.Choice(["1", "2", "random"]), default="1", help="Who starts the first round.")
@click.option(
    "--rounds",
    type=click.IntRange(1, LONGEST_MATCH),
    default=1,
    help="Play a match; with an even number it can end in a tie.",
)
@click.option("--swap", is_flag=True, help="The second player may take over the first move (the pie rule).")
@click.option("--name1", default="", help="What player 1 is called.")
@click.option("--name2", default="", help="What player 2 is called.")
@click.option("--player1", type=PLAYERS, default="human", show_default=True, help="Who plays for player 1.")
@click.option("--player2", type=PLAYERS, default="human", show_default=True, help="Who plays for player 2.")
@click.option(
    "--think",
    type=Seconds(0.01, 3600),
    default=2.0,
    show_default=True,
    help="Seconds the computer may think about a move that it cannot prove.",
)
@click.option("--seed", type=int, help="Repeat the same chance decisions.")
@click.option("--record", type=click.Path(dir_okay=False), help="Also keep a record of the match in this file.")
def play(
    game: str,
    board: str | None,
    adjacency: str | None,
    starts: str,
    rounds: int,
    swap: bool,
    name1: str,
    name2: str,
    player1: str,
    player2: str,
    think: float,
    seed: int | None,
    record: str | None,
) -> int:
    """Play GAME: keepaway, chain, scatter, trails or showdown.

    Type a row and a column to move, and help for everything else. Every move is saved as you play.
    """
    if record is not None:
        if Path(record).exists():
            raise click.UsageError(f"the file {record} exists already. Choose another name for the record.")
        if not Path(record).absolute().parent.is_dir():
            raise click.UsageError(f"there is no folder {Path(record).parent} to keep the record in.")
        record = str(Path(record).absolute())
    seed = new_seed() if seed is None else seed
    return start(
        Match(
            variant(game, board, adjacency),
            rounds=rounds,
            starts=starter(starts, seed),
            swap=swap,
            names=(clean_name(name1), clean_name(name2)),
            kinds=(player1, player2),
            seed=seed,
            think=think,
        ),
        Slot(new_name(), record),
        Terminal(),
    )


def new_seed() -> int:
    """A seed that nobody chose."""
    return int.from_bytes(os.urandom(6))


def starter(choice: str, seed: int) -> int:
    """Who starts: as chosen, or decided by chance."""
    if choice != "random":
        return int(choice)
    from random import Random

    return Random(f"{seed}/starts").choice((1, 2))


@click.command(epilog="Example: gridlock resume")
@click.argument("name", required=False)
def resume(name: str | None) -> int:
    """Go on with the latest unfinished game, or with the one of that NAME (see 'gridlock games')."""
    for entry in entries():
        if entry.name != name and name is not None:
            continue
        if entry.saved is None:
            if name is not None:
                raise BadRecord(f"Game {entry.name} cannot be opened: {entry.damage}.")
            click.echo(f"Skipping game {entry.name}: {entry.damage}.", err=True)
        elif not entry.saved.match.finished:
            slot = Slot(entry.name)
            return start(slot.load(), slot, Terminal())  # read again, now that no other window can change it
        elif name is not None:
            raise GridLockError(f"Game {entry.name} is finished. 'gridlock games' lists those that are not.")
    raise GridLockError(
        f"There is no game {name[:40]!r}. 'gridlock games' lists what there is."
        if name is not None
        else "There is no unfinished game. To start one: gridlock play showdown"
    )


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
