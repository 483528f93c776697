"""Advice at the prompt: a hint, the reason behind a move, and the value of every move."""

from gridlock.cli.progress import Progress
from gridlock.cli.terminal import Terminal
from gridlock.core.game import Game
from gridlock.core.match import Match
from gridlock.engine.engine import engine_for
from gridlock.play.advice import Advice, advise, why_program_moved
from gridlock.play.value_board import partners_board, partners_in_words, values_board, values_in_words


class Adviser:
    """Formats the engine's advice, and remembers the latest."""

    def __init__(self, match: Match, terminal: Terminal) -> None:
        self.match, self.terminal = match, terminal
        self._known: tuple[tuple[int, ...], Advice] | None = None  # the latest advice, with its round and moves
        self._hinted: tuple[int, ...] = ()  # the round and the moves of the last hint

    def hint(self, game: Game) -> list[str]:
        """Return who wins the position, and a move to try."""
        advice = self._advice(game)
        self._hinted = self._now(game)
        return [f"{advice.opinion} {advice.naming} Type why for the reason."]

    def why(self, game: Game) -> list[str]:
        """Return the reason for the last hint, or else for the computer's last move."""
        if self._hinted == self._now(game):
            why = self._advice(game).why(game.position)
        else:
            with Progress("Thinking") as progress:
                engine = engine_for(game.variant)
                found = why_program_moved(engine, game, self.match.kinds, self.match.think, progress)
            if found is None:
                return ["There is nothing to explain yet. Type hint first."]
            why = found
        drawn = partners_board(game.variant, why.position, why.pairs, why.played)
        if drawn and self.terminal.fits(drawn[1:]):
            return [*why.words, *drawn]
        return [*why.words, *([] if why.mirror else partners_in_words(game.variant, why))]

    def values(self, game: Game) -> list[str]:
        """Return the board with every move marked + or -, or words if the board is wider than the window."""
        advice = self._advice(game)
        if not advice.values:
            return [advice.opinion]
        lines = values_board(game.variant, game.position, advice.values, self.terminal.colour)
        if not self.terminal.fits(lines):
            return [*values_in_words(game.variant, advice.values), advice.opinion]
        return [*lines, advice.legend, advice.opinion]

    def _now(self, game: Game) -> tuple[int, ...]:
        """Return the round and the moves so far."""
        return len(self.match.games), *game.moves

    def _advice(self, game: Game) -> Advice:
        if self._known is None or self._known[0] != self._now(game):
            with Progress("Thinking") as progress:
                advice = advise(engine_for(game.variant), game, self.match.think, progress)
            self._known = self._now(game), advice
        return self._known[1]
