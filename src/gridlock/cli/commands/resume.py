"""`gridlock resume`: continue a saved game."""

import click

from gridlock.cli.fullscreen import open_screen, possible, screen_option
from gridlock.cli.line.session import play_match
from gridlock.cli.options import complete_saved, pause_option
from gridlock.cli.terminal import Terminal, tell
from gridlock.core.errors import AgentFailed, BadRecord, GridLockError
from gridlock.play import setup
from gridlock.userdata.lock import GameIsOpen
from gridlock.userdata.saves import Entry, entries, find


@click.command(epilog="Examples: gridlock resume, gridlock resume 3 --screen")
@click.argument("game", metavar="[GAME]", required=False, shell_complete=complete_saved)
@pause_option
@screen_option
def resume(game: str | None, pause: float, full: bool) -> int:
    """Resume GAME, or the latest unfinished game that is not open in another window.

    GAME is a number or an id from 'gridlock games'.
    """
    terminal = Terminal()
    full = full and possible(terminal)

    def continue_game(entry: Entry) -> int:
        match, slot = setup.resume(entry)
        return open_screen(match, slot) if full else play_match(match, slot, terminal, pause)

    if game is not None:
        entry = find(game)
        if entry.saved is None:
            raise BadRecord(f"Game {entry.name} cannot be opened: {entry.damage}.")
        if entry.saved.match.finished:
            raise GridLockError(f"Game {entry.name} is finished. Review it with: gridlock review {entry.name}")
        return continue_game(entry)
    skipped: GridLockError | None = None
    for entry in entries():
        if entry.saved is None:
            tell(f"Skipping game {entry.name}: {entry.damage}.", err=True)
        elif not entry.saved.match.finished:
            try:
                return continue_game(entry)
            except (GameIsOpen, AgentFailed) as error:
                skipped = error
                tell(f"Skipping a game: {error}", err=True)
    raise skipped or GridLockError("There is no unfinished game. Start one with: gridlock play showdown")
