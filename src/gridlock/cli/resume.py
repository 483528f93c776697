"""`gridlock resume`: go on with a saved game."""

import click

from gridlock.cli.session import play_match
from gridlock.cli.store import Slot, entries
from gridlock.cli.terminal import Terminal
from gridlock.errors import BadRecord, GridLockError


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
            return play_match(slot.load(), slot, Terminal())  # read again, now that no other window can change it
        elif name is not None:
            raise GridLockError(f"Game {entry.name} is finished. 'gridlock games' lists those that are not.")
    raise GridLockError(
        f"There is no game {name[:40]!r}. 'gridlock games' lists what there is."
        if name is not None
        else "There is no unfinished game. To start one: gridlock play showdown"
    )
