"""A game looked at again, in lines to read."""

from gridlock.cli.progress import Progress
from gridlock.core.game import Game
from gridlock.drawing.text import printed_width
from gridlock.engine.clock import MEBIBYTE
from gridlock.engine.engine import Engine
from gridlock.engine.remarks import remarks, summary, what, what_holds, who
from gridlock.engine.review import Step, review
from gridlock.play.match_text import heading, result


def look_again(game: Game, seconds: float, memory: int = 256 * MEBIBYTE) -> list[Step]:
    """Every step of a game with who was winning, giving each position so many seconds, and telling how far it is."""
    with Progress("Reviewing") as progress:
        return list(review(Engine(game.variant, memory), game, seconds, progress))


def report(game: Game, steps: list[Step]) -> list[str]:
    """The game move by move, who was winning, and where it was decided."""
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
