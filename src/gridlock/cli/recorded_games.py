"""Recorded games, from a file or among the saved games."""

from pathlib import Path

import click

from gridlock.cli.terminal import tell
from gridlock.core import records
from gridlock.core.errors import BadRecord, GridLockError
from gridlock.core.game import Game
from gridlock.drawing.text import visible
from gridlock.userdata.references import find, is_number


def load_game(reference: str | None, number: int | None) -> Game:
    """Return game `number` of a file or of a saved match, which is given by number or id and by default the last."""
    if reference is None or _is_saved(reference):
        games = saved_games(reference)
        which, what = len(games), "match"
    else:
        games, which, what = _load(reference), 1, "file"
    if number is None and len(games) > 1:
        tell(
            f"The {what} has {len(games)} games; this is the {'first' if which == 1 else 'last'}. "
            f"For another, use --game {3 - which if which < 3 else 1}.",
            err=True,
        )
    if number is not None and number > len(games):
        count = "one game" if len(games) == 1 else f"{len(games)} games"
        raise click.BadParameter(f"there is no game {number}: the {what} has {count}.", param_hint="'--game'")
    return games[(number or which) - 1]


def saved_games(reference: str | None) -> list[Game]:
    """Return the games of a saved match, by its number or id, or of the last match."""
    entry = find(reference)
    if entry.saved is None:
        raise BadRecord(f"Game {entry.name} cannot be opened: {entry.damage}.")
    if not entry.saved.match.games:
        raise BadRecord(f"Game {entry.name} has no moves yet.")
    return entry.saved.match.games


def _is_saved(reference: str) -> bool:
    """Return whether a reference means a saved game: a number, or an id for which there is no file."""
    if is_number(reference):
        return True
    path = Path(reference)
    if reference == "-" or path.exists() or len(path.parts) != 1:
        return False
    try:
        find(path.name)
    except GridLockError:
        return False
    return True


def _load(file: str) -> list[Game]:
    """Return the games in a file; no more of it is read than a record can need."""
    try:
        with click.open_file(file, "rb") as stream:
            return records.load_bytes(stream.read(4 * records.LONGEST))
    except BadRecord as error:
        raise BadRecord(f"{'standard input' if file == '-' else visible(file)}: {error}") from None
