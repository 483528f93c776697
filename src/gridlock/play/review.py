"""A game looked at again: its steps with what there is to say about each, the same on every surface."""

from collections.abc import Sequence
from typing import NamedTuple

from gridlock.core.game import Game, Player
from gridlock.drawing.swing import swing_svg
from gridlock.drawing.text import printed_width
from gridlock.engine.clock import MEBIBYTE, Progress
from gridlock.engine.engine import Engine
from gridlock.engine.remarks import remarks, summary, what, what_holds, who
from gridlock.engine.review import Step, review
from gridlock.play.match_text import heading, label, result


class Review(NamedTuple):
    """A game, and every step of it with who was winning."""

    game: Game
    steps: Sequence[Step]

    @property
    def winners(self) -> list[Player | None]:
        """Who was winning at the start and after every step."""
        return [step.before for step in self.steps[:1]] + [step.after for step in self.steps]

    @property
    def mistakes(self) -> list[int]:
        """The numbers of the steps that lost a win, from 1."""
        return [number for number, step in enumerate(self.steps, 1) if step.mistake]

    @property
    def remarks(self) -> list[str]:
        """What there is to say about every step."""
        return [words for _, words in remarks(self.game, list(self.steps))]

    @property
    def summary(self) -> str:
        """Where the game was decided, in a sentence."""
        return summary(self.game, list(self.steps))

    def step_words(self, number: int) -> list[str]:
        """The words for a step, from 1, and under a mistake what would have held; 0 is the start."""
        if not number:
            return ["The start."]
        step = self.steps[number - 1]
        said = f"{step.ply}. {who(self.game, step)} {what(self.game, step)}: {self.remarks[number - 1]}."
        return [said, self.holds(step)] if step.mistake else [said]

    def holds(self, step: Step) -> str:
        """What the player should have done, in a sentence; nothing unless the step was a mistake."""
        return f"{what_holds(self.game, step).removesuffix('.')}." if step.mistake else ""

    def report(self) -> list[str]:
        """The game step by step, who was winning, and where it was decided."""
        game, lines = self.game, heading(self.game)
        done = [f"{who(game, step)} {what(game, step)}" for step in self.steps]
        wide = max(map(printed_width, done), default=0)
        for step, did, words in zip(self.steps, done, self.remarks, strict=True):
            if step.passed:
                lines.append(_passes(game, game.positions[step.ply - 1].turn))
            number = f"{step.ply:>3}." if step.move is not None else "    "
            advice = f". {what_holds(game, step)}" if step.mistake else ""
            lines.append(f"{number} {did}{' ' * (wide - printed_width(did))}  {words}{advice}")
        if game.passing and not game.resigned:
            lines.append(_passes(game, game.positions[-1].turn))
        return [*lines, *([""] if self.steps else []), result(game), self.summary]

    def svg(self) -> str:
        """The swing of the game as a picture."""
        game, marks = self.game, self.game.variant.book.marks
        later = [f", then {marks[2 - player]}" if game.swapped else "" for player in (1, 2)]
        return swing_svg(
            self.winners,
            {step.ply for step in self.steps if step.mistake},
            {step.ply: what(game, step) for step in self.steps if step.kind != "move"},
            (
                f"{game.player_name(1)} ({marks[0]}{later[0]})",
                f"{game.player_name(2)} ({marks[1]}{later[1]})",
            ),
            f"{game.variant.book.title} on {game.variant.grid}",
            [result(game), self.summary],
        )


def look_again(game: Game, seconds: float, memory: int = 256 * MEBIBYTE, progress: Progress | None = None) -> Review:
    """Review a game, giving each position so many seconds."""
    return Review(game, list(review(Engine(game.variant, memory), game, seconds, progress)))


def _passes(game: Game, side: int) -> str:
    """A pass; it comes long after a swap could have been made."""
    return f"     {label(game, game.player(side), side)} has no cell and passes"
