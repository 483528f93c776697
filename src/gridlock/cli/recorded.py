"""A recorded game: read from its file, and told in a few words."""

import sys
from pathlib import Path

import click

from gridlock import records
from gridlock.cli.terminal import visible
from gridlock.errors import BadRecord
from gridlock.game import Game, Termination


def load_game(file: str, number: int | None) -> Game:
    """The game of that number in a file; the first one, and a word about the others, if none is asked for."""
    games = _load(file)
    if number is None and len(games) > 1:
        click.echo(f"The file holds {len(games)} games; this is the first. For another, add --game 2.", err=True)
    if number is not None and number > len(games):
        count = "one game" if len(games) == 1 else f"{len(games)} games"
        raise click.BadParameter(f"{number} is too much: the file holds {count}.", param_hint="'--game'")
    return games[(number or 1) - 1]


def _load(file: str) -> list[Game]:
    """The games of a file; how much of it is read is limited by what a record can need."""
    try:
        if file == "-":
            return records.load_bytes(sys.stdin.buffer.read(4 * records.LONGEST))
        with Path(file).open("rb") as stream:
            return records.load_bytes(stream.read(4 * records.LONGEST))
    except BadRecord as error:
        raise BadRecord(f"{'standard input' if file == '-' else visible(file)}: {error}") from None


def heading(game: Game) -> list[str]:
    """What was played, and by whom."""
    grid, marks = game.variant.grid, game.variant.book.marks
    swap = ", with swap" if game.swap else ""
    return [
        f"{game.variant.book.title} on a board of {grid}, adjacency {grid.adjacency}{swap}",
        f"{game.player_name(1)} ({marks[0]}) against {game.player_name(2)} ({marks[1]}); "
        f"{game.player_name(game.starts)} starts",
        "",
    ]


def _mark(game: Game, player: int) -> str:
    return game.variant.book.marks[game.side(player) - 1]


def result(game: Game) -> str:
    """How the game stands, in a sentence."""
    outcome = game.outcome
    if outcome is None:
        name, count = game.player_name(game.turn), game.legal.bit_count()
        cells = f"{count or 'no'} {'cell' if count == 1 else 'cells'}"
        swap = ", and the right to swap" if game.can_swap else ""
        return f"No result yet: {name} ({_mark(game, game.turn)}) is to move, with {cells} to choose from{swap}."
    winner, loser = game.player_name(outcome.winner), game.player_name(3 - outcome.winner)
    if outcome.termination is Termination.RESIGNED:
        return f"{winner} wins: {loser} resigned."
    if game.variant.book.passes:
        return f"{winner} wins: neither player can go on, and {winner} was the last who could."
    return f"{winner} wins: {loser} has no legal move."
