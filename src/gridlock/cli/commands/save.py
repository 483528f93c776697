"""`gridlock save`: write one of your games to a file."""

import click

from gridlock.cli.files import saved_games
from gridlock.cli.options import complete_saved
from gridlock.cli.terminal import tell
from gridlock.userdata.autosave import record_text, write_record


@click.command(epilog="Examples: gridlock save game.txt, gridlock save 3 game.json")
@click.argument("words", metavar="[GAME] FILE", nargs=-1, shell_complete=complete_saved)
def save(words: tuple[str, ...]) -> None:
    """Write every round of a game to FILE (- for standard output): as text, or as JSON if its name ends in .json.

    GAME is a number or an id from 'gridlock games'; by default, your last game.
    """
    if not 1 <= len(words) <= 2:
        raise click.UsageError("give a file, or a game and a file, such as: gridlock save 3 game.txt")
    *game, file = words
    games = saved_games(game[0] if game else None)
    if file == "-":
        click.echo(record_text(file, games), nl=False)
        return
    message = write_record(file, games)
    if not message.startswith("Saved"):
        raise click.ClickException(message)
    tell(message, err=True)
