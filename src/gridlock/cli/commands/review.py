"""`gridlock review`: a game, move by move."""

import click

from gridlock.cli.files import check_picture, load_game, move, played, players, print_json, write_picture
from gridlock.cli.options import json_option, memory_option, recorded_options, time_option
from gridlock.cli.terminal import Progress, tell
from gridlock.play.review import Review, review_game


@click.command(epilog="Examples: gridlock review, gridlock review 3, gridlock review game.txt --svg swing.svg")
@recorded_options
@time_option("Seconds per move.", 2.0)
@memory_option
@click.option(
    "--svg",
    type=click.Path(dir_okay=False),
    help="Draw the swing of the game to this SVG file (- for standard output).",
)
@json_option
def review(file: str | None, number: int | None, seconds: float, memory: int, svg: str | None, as_json: bool) -> None:
    """Review a game: see where it was won and lost, and which moves would have kept the win.

    GAME is a number or an id from 'gridlock games', or a file with a record (- for standard input); by default, your
    last game. If a match has several games, --game K chooses one; by default, the last.
    """
    check_picture(svg, as_json)
    game = load_game(file, number)
    with Progress("Reviewing") as progress:
        found = review_game(game, seconds, memory << 20, progress)
    if as_json:
        print_json(_facts(found))
    elif svg != "-":
        tell(*found.report())
    if svg:
        write_picture(svg, found.svg())


def _facts(found: Review) -> dict[str, object]:
    game, outcome = found.game, found.game.outcome
    return {
        **played(game),
        "players": players(game),
        "winner": outcome.winner if outcome else None,
        "termination": str(outcome.termination) if outcome else None,
        "steps": [
            {
                "ply": step.ply,
                "kind": step.kind,
                "player": step.player,
                "side": step.side,
                "move": None if step.move is None else move(game.variant, step.move),
                "passed": step.passed,
                "winning_before": step.before,
                "winning_after": step.after,
                "mistake": step.mistake,
                "better": [move(game.variant, one) for one in step.better],
            }
            for step in found.steps
        ],
    }
