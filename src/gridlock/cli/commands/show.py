"""`gridlock show` and `gridlock save`: replay a game, draw one of its positions, or write it to a file."""

import click

from gridlock.cli.files import load_game, players, print_json, saved_games, standing, write_picture
from gridlock.cli.options import complete_saved, json_option, recorded_options
from gridlock.cli.terminal import tell
from gridlock.core.game import Game
from gridlock.drawing.svg import board_svg
from gridlock.drawing.text import plain_board
from gridlock.play.match_text import count_of_moves, heading, result
from gridlock.userdata.autosave import record_text, write_record


@click.command(epilog="Examples: gridlock show, gridlock show 2 --at 4, gridlock show final.txt --svg board.svg")
@recorded_options
@click.option("--at", type=int, metavar="N", help="Show the position after N moves (0: before the first).")
@click.option("--svg", "picture", metavar="OUT", help="Draw the board to this SVG file (- for standard output).")
@json_option
def show(file: str | None, number: int | None, at: int | None, picture: str | None, as_json: bool) -> None:
    """Replay a game: every move, the board and the result.

    GAME is a number or an id from 'gridlock games', or a file with a record (- for standard input); by default, your
    last game.
    """
    if picture is not None and as_json:
        raise click.UsageError("--svg and --json cannot be used together.")
    game = load_game(file, number)
    if at is not None:
        if not 0 <= at <= len(game.moves):
            raise click.BadParameter(f"the game has {count_of_moves(len(game.moves))}.", param_hint="'--at'")
        game = game.at(at)
    if picture is not None:
        what = f"{game.variant.book.title}: {' against '.join(players(game))}"
        title = f"{what}, after move {len(game.moves)}. {result(game)}"
        drawn = board_svg(game.variant, game.position, title=title, last=game.last_cell, legal=game.legal)
        write_picture(picture, drawn)
    elif as_json:
        print_json({**standing(game), "players": players(game)})
    else:
        tell(*_replay(game))


def _replay(game: Game) -> list[str]:
    """Return the moves with their players, the board, and the result."""
    lines, book = heading(game), game.variant.book
    early = game.at(1)  # before a swap, the players have each other's sides
    number = 0
    for event in game.history():
        then = early if number < 2 else game
        name, mark = then.player_name(then.player(event.side)), book.mark(event.side)
        number += event.swap or event.cell is not None
        if event.swap:
            lines.append(f"{number:>4}. {name} takes over {book.mark(3 - event.side)}; the players change sides")
        elif event.cell is None:
            lines.append(f"      {name} ({mark}) passes")
        else:
            lines.append(f"{number:>4}. {name} ({mark}) {game.variant.name(event.cell)}")
    if game.resigned:
        lines.append(f"      {game.player_name(game.resigned)} {game.forfeit.does}")
    if number or game.resigned:
        lines.append("")
    return [*lines, plain_board(game.variant, game.position), "", result(game)]


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
