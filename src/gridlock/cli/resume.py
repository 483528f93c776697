"""`gridlock resume`: go on with a saved game."""

import click

from gridlock.cli.kept import find
from gridlock.cli.lock import GameIsOpen
from gridlock.cli.options import Seconds, complete_saved
from gridlock.cli.session import play_match
from gridlock.cli.store import Entry, Slot, entries
from gridlock.cli.terminal import Terminal, tell
from gridlock.errors import BadRecord, GridLockError


@click.command(epilog="Examples: gridlock resume, gridlock resume 3")
@click.argument("game", metavar="[GAME]", required=False, shell_complete=complete_saved)
@click.option("--pause", type=Seconds(0, 60), default=0.0, help="Seconds after each move where programs play alone.")
def resume(game: str | None, pause: float) -> int:
    """Go on with the latest unfinished game that is not open elsewhere, or with GAME.

    GAME is a number or an id from 'gridlock games'.
    """
    if game is not None:
        return _go_on(_unfinished(find(game)), pause)
    busy: GameIsOpen | None = None
    for entry in entries():
        if entry.saved is None:
            tell(f"Skipping game {entry.name}: {entry.damage}.", err=True)
        elif not entry.saved.match.finished:
            try:
                return _go_on(entry, pause)
            except GameIsOpen as error:
                busy = error
                tell(f"Skipping a game: {error}", err=True)
    raise busy or GridLockError("There is no unfinished game. To start one: gridlock play showdown")


def _unfinished(entry: Entry) -> Entry:
    """A game that was asked for by name, if it can be gone on with."""
    if entry.saved is None:
        raise BadRecord(f"Game {entry.name} cannot be opened: {entry.damage}.")
    if entry.saved.match.finished:
        raise GridLockError(f"Game {entry.name} is finished. To look at it: gridlock review {entry.name}")
    return entry


def _go_on(entry: Entry, pause: float) -> int:
    slot = Slot(entry.name)
    return play_match(slot.load(), slot, Terminal(), pause)  # read again, now that no other window can change it
