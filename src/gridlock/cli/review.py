"""`gridlock review`: a finished game, move by move."""

import json

import click

from gridlock.cli.options import json_option
from gridlock.cli.progress import Progress
from gridlock.cli.show import load_game, write_picture
from gridlock.engine.engine import Engine
from gridlock.engine.review import Step
from gridlock.engine.review import review as look
from gridlock.game import Game
from gridlock.swing import swing_svg


@click.command(epilog="Example: gridlock review game.txt --svg swing.svg")
@click.argument("file", type=click.Path(dir_okay=False, allow_dash=True))
@click.option("--game", "number", type=click.IntRange(1), help="Which game of a file with several.")
@click.option(
    "--time", "seconds", type=click.FloatRange(0, min_open=True), default=2.0, show_default=True, help="Seconds a move."
)
@click.option("--memory", type=click.IntRange(1, 1 << 20), default=256, show_default=True, help="Tables, in MiB.")
@click.option("--svg", type=click.Path(dir_okay=False), help="Draw the swing of the game into this file.")
@json_option
def review(file: str, number: int | None, seconds: float, memory: int, svg: str | None, as_json: bool) -> None:
    """Go through the record in FILE: where it was won, thrown away, and what would have held."""
    game = load_game(file, number)
    progress = Progress("Reviewing")
    try:
        steps = list(look(Engine(game.variant, memory << 20), game, seconds, progress))
    finally:
        progress.done()
    if svg:
        write_picture(svg, picture(game, steps))
    click.echo(json.dumps(_facts(game, steps)) if as_json else "\n".join(_report(game, steps)))


def picture(game: Game, steps: list[Step]) -> str:
    """The swing of the game as SVG."""
    winners = [step.before for step in steps[:1]] + [step.after for step in steps]
    mistakes = {index for index, step in enumerate(steps, 1) if step.mistake}
    names = (game.player_name(game.player(1)), game.player_name(game.player(2)))
    return swing_svg(winners, mistakes, names, f"{game.variant.book.title} on {game.variant.grid}")


def _facts(game: Game, steps: list[Step]) -> dict[str, object]:
    def spot(cell: int) -> list[int]:
        return list(game.variant.coordinates(cell))

    return {
        "game": game.variant.book.name,
        "board": str(game.variant.grid),
        "moves": [
            {
                "ply": step.ply,
                "side": step.side,
                "cell": spot(step.cell),
                "winning_before": step.before,
                "winning_after": step.after,
                "mistake": step.mistake,
                "better": [spot(cell) for cell in step.better],
            }
            for step in steps
        ],
    }


def _report(game: Game, steps: list[Step]) -> list[str]:
    name, marks = game.variant.name, game.variant.book.marks
    lines = []
    handed = False  # whether the move before threw the win away
    for step in steps:
        line = f"{step.ply:>3}. {marks[step.side - 1]} {name(step.cell):<6}"
        if step.mistake:
            held = "  ".join(name(cell) for cell in step.better) or "not found in time"
            line += f"  throws the win away. What holds: {held}"
        elif step.after is None:
            line += "  not known who is winning"
        elif step.after == step.side:
            line += "  takes the chance, winning" if handed else "  winning"
        else:
            line += "  losing anyway" if step.before else "  losing"
        handed = step.mistake
        lines.append(line)
    mistakes = [step for step in steps if step.mistake]
    if mistakes:
        last = mistakes[-1]
        lines.append(f"Decided at move {last.ply}, {marks[last.side - 1]} {name(last.cell)}.")
    elif steps and steps[0].before and all(step.after for step in steps):
        lines.append(f"No mistakes: {marks[steps[0].before - 1]} was winning from the start.")
    elif not steps:
        lines.append("No moves were made.")
    return lines
