"""Game reviews, for every interface: a remark on each step, a report and a chart."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from gridlock.core.game import Game, Player
from gridlock.drawing.swing import swing_svg
from gridlock.drawing.text import printed_width
from gridlock.engine.clock import MEBIBYTE, Progress
from gridlock.engine.engine import Engine
from gridlock.engine.review import Step, remarks, review, summary, what, what_holds, who
from gridlock.play.heat import heated, left_words, temperature_of, temperatures
from gridlock.play.match_text import heading, label, result


class Review(NamedTuple):
    """A game and its steps, with the player who was winning at each step."""

    game: Game
    steps: Sequence[Step]
    heats: Sequence[Fraction | None] = ()  # the temperature at the start and after each move; empty if none is known
    left: Mapping[int, str] = {}  # sentences about mistakes that ignored a hot region, keyed by move number

    @property
    def winners(self) -> list[Player | None]:
        """The winning player at the start and after each step."""
        return [step.before for step in self.steps[:1]] + [step.after for step in self.steps]

    @property
    def mistakes(self) -> list[int]:
        """The numbers of the steps that lost a win, counted from 1."""
        return [number for number, step in enumerate(self.steps, 1) if step.mistake]

    @property
    def remarks(self) -> list[str]:
        """One remark for each step of the game."""
        return [words for _, words in remarks(self.game, list(self.steps))]

    @property
    def summary(self) -> str:
        """A sentence that says where the game was decided."""
        return summary(self.game, list(self.steps))

    def step_words(self, number: int) -> list[str]:
        """Return a sentence about a step and, for a mistake, a sentence about the better move; step 0 is the start."""
        if not number:
            return ["The starting position."]
        step = self.steps[number - 1]
        said = f"{step.ply}. {who(self.game, step)} {what(self.game, step)}: {self.remarks[number - 1]}."
        return [said, self.holds(step)] if step.mistake else [said]

    def holds(self, step: Step) -> str:
        """If the step was a mistake, say what would have kept the win, and which hot region was ignored."""
        if not step.mistake:
            return ""
        left = f" {self.left[step.ply]}" if step.ply in self.left else ""
        return f"{what_holds(self.game, step).removesuffix('.')}.{left}"

    def report(self) -> list[str]:
        """Return the lines of the whole review."""
        game, lines = self.game, heading(self.game)
        done = [f"{who(game, step)} {what(game, step)}" for step in self.steps]
        wide = max(map(printed_width, done), default=0)
        for step, did, words in zip(self.steps, done, self.remarks, strict=True):
            if step.passed:
                lines.append(_passes(game, game.positions[step.ply - 1].turn))
            number = f"{step.ply:>3}." if step.move is not None else "    "
            holds = self.holds(step) if step.ply in self.left else what_holds(game, step)
            advice = f". {holds}" if step.mistake else ""
            lines.append(f"{number} {did}{' ' * (wide - printed_width(did))}  {words}{advice}")
        if game.passing and not game.resigned:
            lines.append(_passes(game, game.positions[-1].turn))
        return [*lines, *([""] if self.steps else []), result(game), self.summary]

    def svg(self) -> str:
        """Return an SVG chart that shows who was winning in each position."""
        game, marks = self.game, self.game.variant.book.marks
        later = [f", then {marks[2 - player]}" if game.swapped else "" for player in (1, 2)]
        return swing_svg(
            self.winners,
            {step.ply for step in self.steps if step.mistake},
            {step.ply: what(game, step) for step in self.steps if step.kind != "move"},
            (f"{game.player_name(1)} ({marks[0]}{later[0]})", f"{game.player_name(2)} ({marks[1]}{later[1]})"),
            f"{game.variant.book.title} on {game.variant.grid}",
            [result(game), self.summary],
            self.heats,
        )


def review_game(game: Game, seconds: float, memory: int = 256 * MEBIBYTE, progress: Progress | None = None) -> Review:
    """Review a game; `seconds` limits the time for each position.

    In games whose regions can be hot, `seconds` also limits the additional time for evaluating each position's regions.
    """
    steps = list(review(Engine(game.variant, memory), game, seconds, progress))
    found = heated(game, seconds, progress)
    left = {
        step.ply: left_words(found[step.ply - 1], step.move, step.better)
        for step in steps
        if step.mistake and step.kind == "move" and step.move is not None and step.ply - 1 in found
    }
    heats = temperatures(found, len(game.moves)) if any(map(temperature_of, found.values())) else []
    return Review(game, steps, heats, {ply: words for ply, words in left.items() if words})


def _passes(game: Game, side: int) -> str:
    """Return the line for a pass."""
    return f"     {label(game, game.player(side), side)} has no cell and passes"
