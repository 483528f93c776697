"""Advice as text: hints, reasons, and boards with values, pairs or regions (in words if a board is too wide)."""

from collections.abc import Mapping

from gridlock.cli.terminal import Progress, Terminal, printable
from gridlock.core.game import Game
from gridlock.core.grid import Cell
from gridlock.core.match import Match
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.drawing.text import CLOSED, numbered_board
from gridlock.engine.engine import engine_for
from gridlock.play.advice import Advice, Reason, Values, advise, letters_of, why_program_moved
from gridlock.play.match_text import count_of_moves
from gridlock.play.region_words import in_ascii
from gridlock.play.regions import Report, region_board, region_legend, report_regions

COLOURS = {"win": "1;32", "loss": "31", "unknown": "33"}
PAIRS = "Cells with the same letter form a pair"
LISTED = 6  # moves or pairs to list in words if the board is too large


def values_board(variant: Variant, position: Position, values: Values, colour: bool) -> list[str]:
    """Return, as lines of text, a board that shows the value of every move."""
    texts = {cell: text for cell, (text, _) in values.items()}
    colours = {cell: COLOURS[verdict] for cell, (_, verdict) in values.items()} if colour else {}
    return numbered_board(variant, position, texts, CLOSED, colours)


def partners_board(variant: Variant, position: Position, pairs: Mapping[Cell, Cell], played: Cell | None) -> list[str]:
    """Return a heading, and a board on which each pair is marked with a letter and the move with a star.

    Return an empty list if there are no pairs, or not enough letters to mark them all.
    """
    letters = letters_of(pairs)
    if not letters or len(letters) < len(pairs):
        return []
    texts = letters if played is None else {**letters, played: "*"}
    return [f"{PAIRS}{'' if played is None else '; * is the move'}:", *numbered_board(variant, position, texts, ".")]


def partners_in_words(variant: Variant, why: Reason) -> list[str]:
    """Return a sentence that lists moves and the replies to them, leaving out the move and reply that `why` names."""
    position = why.answered or (why.position if why.played is None else why.position.after(why.played))
    takes = [cell for cell in variant.legal_cells(position) if cell in why.pairs][0 if why.answered else 1 :]
    name = variant.name
    some = "; ".join(f"{name(cell)} by {name(why.pairs[cell])}" for cell in takes[:LISTED])
    more = "; and others" * (len(takes) > LISTED)
    begin = "After that, for instance," if why.answered else "Likewise"
    return [f"{begin} {some.replace('by', 'is answered by', 1)}{more}."] if some else []


def values_in_words(variant: Variant, values: Values) -> list[str]:
    """Return up to three lines, which count the winning, losing and unsolved moves and list the first few of each."""
    lines = []
    for verdict, one, more in (("win", "wins", "win"), ("loss", "loses", "lose"), ("unknown", "unsolved", "unsolved")):
        names = [variant.name(cell) for cell, (_, value) in values.items() if value == verdict]
        if names:
            rest = " ..." if len(names) > LISTED else ""
            word = one if len(names) == 1 else more
            lines.append(f"{count_of_moves(len(names))} {word}: {'  '.join(names[:LISTED])}{rest}")
    return lines


class Adviser:
    """Formats the engine's advice, and remembers the most recent answer."""

    def __init__(self, match: Match, terminal: Terminal) -> None:
        self.match, self.terminal = match, terminal
        self._known: tuple[tuple[int, ...], Advice] | None = None  # the latest advice, with its round and moves
        self._hinted: tuple[int, ...] = ()  # the round and the moves of the last hint

    def hint(self, game: Game) -> list[str]:
        """Return a line that says which player is winning and suggests a move."""
        advice = self._advice(game)
        self._hinted = self._now(game)
        return [f"{advice.opinion} {advice.naming} Type 'why' for the reason."]

    def why(self, game: Game) -> list[str]:
        """Explain the last hint or, if there is none, the computer's last move; return no lines if neither exists."""
        if self._hinted == self._now(game):
            why = self._advice(game).why(game.position)
        else:
            with Progress("Thinking") as progress:
                engine = engine_for(game.variant)
                found = why_program_moved(engine, game, self.match.kinds, self.match.think, progress)
            if found is None:
                return []
            why = found
        drawn = partners_board(game.variant, why.position, why.pairs, why.played)
        if drawn and self.terminal.fits(drawn[1:]):
            return [*why.words, *drawn]
        return [*why.words, *([] if why.mirror else partners_in_words(game.variant, why))]

    def values(self, game: Game) -> list[str]:
        """Return the board with every move marked + or -, or a summary if the board is wider than the window."""
        advice = self._advice(game)
        if not advice.values:
            return [advice.opinion]
        lines = values_board(game.variant, game.position, advice.values, self.terminal.colour)
        if not self.terminal.fits(lines):
            return [*values_in_words(game.variant, advice.values), advice.opinion]
        return [*lines, advice.legend, advice.opinion]

    def regions(self, game: Game) -> list[str]:
        """Return lines of text: who wins, the board with its regions, and a description of each region."""
        advice = self._advice(game)
        with Progress("Valuing the regions") as progress:
            report = report_regions(game, advice, self.match.think, progress)
        return regions_lines(game, report, self.terminal)

    def _now(self, game: Game) -> tuple[int, ...]:
        """Return the round and the moves so far."""
        return len(self.match.games), *game.moves

    def _advice(self, game: Game) -> Advice:
        if self._known is None or self._known[0] != self._now(game):
            with Progress("Thinking") as progress:
                advice = advise(engine_for(game.variant), game, self.match.think, progress)
            self._known = self._now(game), advice
        return self._known[1]


def regions_lines(game: Game, report: Report, terminal: Terminal) -> list[str]:
    """Return the lines of a report on regions, including the board if it fits the window."""
    verdict, *lines = printable(report.lines, in_ascii)
    if not report.letters:
        return [verdict, *lines]
    drawn = printable(region_board(game, report, False), lambda _: region_board(game, report, True))
    shown = [*drawn, region_legend(game, report)] if terminal.fits(drawn) else []
    return [verdict, *shown, *lines]
