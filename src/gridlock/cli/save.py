"""`gridlock save`: write a game that was played to a file."""

import click

from gridlock.cli.options import complete_saved
from gridlock.cli.recorded import record_text, saved_games, write_record
from gridlock.cli.terminal import tell


@click.command(epilog="Examples: gridlock save game.txt, gridlock save 3 game.json")
@click.argument("game", metavar="[GAME]", required=False, shell_complete=complete_saved)
@click.argument("file", metavar="FILE", type=click.Path(dir_okay=False, allow_dash=True))
def save(game: str | None, file: str) -> None:
    """Write a game to FILE (- for the output): all rounds of a match, as text or, to a name in .json, as JSON.

    GAME is a number or an id from 'gridlock games'; without it, your last game.
    """
    games = saved_games(game)
    if file == "-":
        click.echo(record_text(file, games), nl=False)
        return
    told = write_record(file, games)
    if not told.startswith("Saved"):
        raise click.ClickException(told)
    tell(told, err=True)
