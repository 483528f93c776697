"""The recorded game that a command is about: from a file, or among the saved games."""

import sys
from pathlib import Path

import click

from gridlock.cli.terminal import tell
from gridlock.core import records
from gridlock.core.errors import BadRecord, GridLockError
from gridlock.core.game import Game
from gridlock.drawing.text import visible
from gridlock.userdata.references import find, is_number


def load_game(reference: str | None, number: int | None) -> Game:
    """The game that a file, a number or an id means; the last one without any. Of several games, that of a number."""
    path = None if reference is None else Path(reference)
    if path is not None and (reference == "-" or not (is_number(str(reference)) or _is_saved(path))):
        games, which, what = _load(str(path)), 1, "file"
    else:
        games = saved_games(reference)
        which, what = len(games), "match"
    if number is None and len(games) > 1:
        tell(
            f"The {what} holds {len(games)} games; this is the {'first' if which == 1 else 'last'}. "
            f"For another, add --game {3 - which if which < 3 else 1}.",
            err=True,
        )
    if number is not None and number > len(games):
        count = "one game" if len(games) == 1 else f"{len(games)} games"
        raise click.BadParameter(f"{number} is too much: the {what} holds {count}.", param_hint="'--game'")
    return games[(number or which) - 1]


def saved_games(reference: str | None) -> list[Game]:
    """The games of a saved match, by its number or id, or of the last one."""
    entry = find(reference)
    if entry.saved is None:
        raise BadRecord(f"Game {entry.name} cannot be opened: {entry.damage}.")
    if not entry.saved.match.games:
        raise BadRecord(f"Game {entry.name} has not begun.")
    return entry.saved.match.games


def _is_saved(path: Path) -> bool:
    """Whether somebody means a saved game: no file is called so, and one of the games is."""
    if path.exists() or len(path.parts) != 1:
        return False
    try:
        find(path.name)
    except GridLockError:
        return False
    return True


def _load(file: str) -> list[Game]:
    """The games of a file; how much of it is read is limited by what a record can need."""
    try:
        if file == "-":
            return records.load_bytes(sys.stdin.buffer.read(4 * records.LONGEST))
        with Path(file).open("rb") as stream:
            return records.load_bytes(stream.read(4 * records.LONGEST))
    except BadRecord as error:
        raise BadRecord(f"{'standard input' if file == '-' else visible(file)}: {error}") from None
