"""`gridlock review`: a game, move by move."""

import json

import click

from gridlock.cli.options import json_option, memory_option, time_option
from gridlock.cli.pictures import check_picture, write_picture
from gridlock.cli.progress import Progress
from gridlock.cli.recorded import heading, load_game, result
from gridlock.drawing import printed_width
from gridlock.engine.engine import Engine
from gridlock.engine.remarks import remarks, summary, what, what_holds, who
from gridlock.engine.review import Step
from gridlock.engine.review import review as look
from gridlock.game import SWAP, Game, Player
from gridlock.grid import Cell
from gridlock.records import UNFINISHED
from gridlock.swing import swing_svg


@click.command(epilog="Example: gridlock review game.txt --svg swing.svg")
@click.argument("file", type=click.Path(dir_okay=False, allow_dash=True))
@click.option("--game", "number", type=click.IntRange(1), help="Which game of a file with several.")
@time_option("Seconds a move.", 2.0)
@memory_option
@click.option("--svg", type=click.Path(dir_okay=False), help="Draw the swing into this file (- for the output).")
@json_option
def review(file: str, number: int | None, seconds: float, memory: int, svg: str | None, as_json: bool) -> None:
    """Go through the record in FILE: where it was won, thrown away, and what would have held.

    To get such a file, type save game.txt while you play, or start with gridlock play chain --record game.txt.
    """
    check_picture(svg, as_json)
    game = load_game(file, number)
    progress = Progress("Reviewing")
    try:
        steps = list(look(Engine(game.variant, memory << 20), game, seconds, progress))
    finally:
        progress.done()
    if as_json:
        click.echo(json.dumps(_facts(game, steps)))
    elif svg != "-":
        click.echo("\n".join(_report(game, steps)))
    if svg:
        write_picture(svg, picture(game, steps))


def picture(game: Game, steps: list[Step]) -> str:
    """The swing of the game as SVG."""
    winners = [step.before for step in steps[:1]] + [step.after for step in steps]
    mistakes = {step.ply for step in steps if step.mistake}
    notes = {step.ply: what(game, step) for step in steps if step.kind != "move"}
    title = f"{game.variant.book.title} on {game.variant.grid}"
    return swing_svg(
        winners, mistakes, notes, (_named(game, 1), _named(game, 2)), title, [result(game), summary(game, steps)]
    )


def _named(game: Game, player: Player) -> str:
    """A player, and every side the player had."""
    marks = game.variant.book.marks
    later = f", then {marks[2 - player]}" if game.swapped else ""
    return f"{game.player_name(player)} ({marks[player - 1]}{later})"


def _facts(game: Game, steps: list[Step]) -> dict[str, object]:
    def spot(move: Cell) -> list[int] | str:
        return "swap" if move == SWAP else list(game.variant.coordinates(move))

    outcome = game.outcome
    return {
        "game": game.variant.book.name,
        "board": str(game.variant.grid),
        "adjacency": str(game.variant.grid.adjacency),
        "swap": game.swap,
        "players": [game.player_name(1), game.player_name(2)],
        "winner": outcome.winner if outcome else None,
        "termination": str(outcome.termination) if outcome else UNFINISHED,
        "moves": [
            {
                "ply": step.ply,
                "kind": step.kind,
                "player": step.player,
                "side": step.side,
                "cell": None if step.move is None or step.move == SWAP else spot(step.move),
                "passed": step.passed,
                "winning_before": step.before,
                "winning_after": step.after,
                "mistake": step.mistake,
                "better": [spot(move) for move in step.better],
            }
            for step in steps
        ],
    }


def _report(game: Game, steps: list[Step]) -> list[str]:
    lines = heading(game)
    wide = max((printed_width(f"{who(game, step)} {what(game, step)}") for step in steps), default=0)
    for step, words in remarks(game, steps):
        if step.passed:
            lines.append(_passes(game, game.positions[step.ply - 1].turn))
        number = f"{step.ply:>3}." if step.move is not None else "    "
        done = f"{who(game, step)} {what(game, step)}"
        advice = f". {what_holds(game, step)}" if step.mistake else ""
        lines.append(f"{number} {done}{' ' * (wide - printed_width(done))}  {words}{advice}")
    if game.passing and not game.resigned:
        lines.append(_passes(game, game.positions[-1].turn))
    return [*lines, *([""] if steps else []), result(game), summary(game, steps)]


def _passes(game: Game, side: int) -> str:
    """A pass; it comes long after a swap could have been made."""
    return f"     {game.player_name(game.player(side))} ({game.variant.book.marks[side - 1]}) has no cell and passes"
