"""`gridlock show`, `gridlock save` and `gridlock review`: replay, draw, export or analyse a recorded game."""

import click

from gridlock.cli import files
from gridlock.cli.options import complete_saved, json_option, memory_option, recorded_options, time_option
from gridlock.cli.terminal import Progress, tell
from gridlock.core.game import Game
from gridlock.drawing.gif import game_gif
from gridlock.drawing.svg import board_svg
from gridlock.drawing.text import plain_board
from gridlock.play.match_text import count_of_moves, heading, result
from gridlock.play.review import Review, review_game
from gridlock.play.share import game_result
from gridlock.userdata.autosave import record_text


@click.command(epilog="Examples: gridlock show, gridlock show 2 --at 4, gridlock show final.txt --gif game.gif")
@recorded_options
@click.option("--at", type=int, metavar="N", help="Show the position after N moves (0: before the first).")
@click.option("--svg", "picture", metavar="OUT", help="Save the board to this SVG file (- for standard output).")
@click.option("--gif", metavar="OUT", help="Save an animation of the game to this GIF file (- for standard output).")
@json_option
def show(
    file: str | None, number: int | None, at: int | None, picture: str | None, gif: str | None, as_json: bool
) -> None:
    """Replay a game: every move, the board and the result.

    GAME is a number or an id from 'gridlock games', or a file that contains a record (- for standard input). Without
    GAME, show your last game.
    """
    if sum((picture is not None, gif is not None, as_json)) > 1:
        raise click.UsageError("--svg, --gif and --json cannot be used together.")
    game = files.load_game(file, number)
    if at is not None:
        if not 0 <= at <= len(game.moves):
            raise click.BadParameter(f"the game has {count_of_moves(len(game.moves))}.", param_hint="'--at'")
        game = game.at(at)
    if picture is not None:
        what = f"{game.variant.book.title}: {' against '.join(files.players(game))}"
        title = f"{what}, after move {len(game.moves)}. {result(game)}"
        drawn = board_svg(game.variant, game.position, title=title, last=game.last_cell, legal=game.legal)
        files.write_picture(picture, drawn)
    elif gif is not None:
        files.write_picture(gif, game_gif(game), "--gif")
    elif as_json:
        files.print_json({**files.standing(game), "players": files.players(game)})
    else:
        tell(*_replay(game))


def _replay(game: Game) -> list[str]:
    """Return the moves (each with its player), the board, and the result."""
    lines, book = heading(game), game.variant.book
    early = game.at(1)  # before a swap, each player has the other side
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
    """Write every round of a game to FILE (- for standard output): as text, or as JSON if FILE ends in .json.

    GAME is a number or an id from 'gridlock games'. Without GAME, save your last game.
    """
    if not 1 <= len(words) <= 2:
        raise click.UsageError("give a file, or a game and a file, such as: gridlock save 3 game.txt")
    *game, file = words
    games = files.saved_games(game[0] if game else None)
    files.write_picture(file, record_text(file, games), "FILE", "game")


@click.command(epilog="Examples: gridlock review, gridlock review 3, gridlock review game.txt --svg swing.svg")
@recorded_options
@time_option("The time limit per move, in seconds.", 2.0)
@memory_option
@click.option(
    "--svg",
    type=click.Path(dir_okay=False),
    help="Save a chart of who was winning after each move to this SVG file (- for standard output).",
)
@click.option("--share", is_flag=True, help="Print only a short result to share, without spoilers.")
@json_option
def review(
    file: str | None, number: int | None, seconds: float, memory: int, svg: str | None, share: bool, as_json: bool
) -> None:
    """Review a game: see where it was won and lost, and which moves would have kept the win.

    GAME is a number or an id from 'gridlock games', or a file that contains a record (- for standard input). Without
    GAME, review your last game. If there are several games, --game K chooses one. Without --game, review the last game
    of a match, or the first game in a file.
    """
    if share and (svg or as_json):
        raise click.UsageError("--share cannot be used with --svg or --json.")
    files.check_picture(svg, as_json)
    game = files.load_game(file, number)
    with Progress("Reviewing") as progress:
        found = review_game(game, seconds, memory << 20, progress)
    if share:
        tell(*files.shared(game_result(found, *files.how_played(file, number))))
    elif as_json:
        files.print_json(_review_facts(found))
    elif svg != "-":
        tell(*found.report())
    if svg:
        files.write_picture(svg, found.svg())


def _review_facts(found: Review) -> dict[str, object]:
    game, outcome = found.game, found.game.outcome
    return {
        **files.played(game),
        "players": files.players(game),
        "winner": outcome.winner if outcome else None,
        "termination": str(outcome.termination) if outcome else None,
        "steps": [
            {
                "ply": step.ply,
                "kind": step.kind,
                "player": step.player,
                "side": step.side,
                "move": None if step.move is None else files.move(game.variant, step.move),
                "passed": step.passed,
                "winning_before": step.before,
                "winning_after": step.after,
                "mistake": step.mistake,
                "better": [files.move(game.variant, one) for one in step.better],
            }
            for step in found.steps
        ],
    }
