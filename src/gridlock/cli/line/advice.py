"""Advice at the prompt: a hint, the reason behind a move, and what every move is worth."""

from dataclasses import replace
from random import Random

from gridlock.cli.progress import Progress
from gridlock.cli.terminal import Terminal
from gridlock.core.game import SWAP, Game
from gridlock.core.grid import Cell
from gridlock.core.position import Position
from gridlock.engine.analysis import NO_FIRST_WIN, Analysis
from gridlock.engine.choice import best_try, first_of_a_swap
from gridlock.engine.clock import Clock
from gridlock.engine.engine import engine_for
from gridlock.engine.evidence import Method, Verdict, wins_at_once
from gridlock.engine.lines import until_stuck
from gridlock.engine.reasons import partners, reason
from gridlock.play.advice import legend
from gridlock.play.value_board import PAIRS, partners_board, values_board

SWAPPING = {
    Verdict.WIN: ["No move wins, so swapping does: type swap."],
    Verdict.LOSS: ["Swapping loses."],
    Verdict.UNKNOWN: ["Either swapping wins or a move does."],
}
PATIENCE = 1.0  # seconds at the most to look for the best try in a lost position
MENTIONED = 6  # moves or pairs of a large board that are listed in words


class Adviser:
    """Answers a player's questions with the engine, and remembers what was asked last."""

    def __init__(self, seconds: float, terminal: Terminal) -> None:
        self.seconds = seconds
        self.terminal = terminal
        self._last: tuple[Analysis, Cell | None] | None = None  # what the last hint was, and the move it named

    def hint(self, game: Game) -> list[str]:
        """A winning move or the best try, with a one-line reason."""
        engine, variant = engine_for(game.variant), game.variant
        if game.swap_ahead:
            first = first_of_a_swap(engine, game.position, self._clock(PATIENCE), Random(0))
            return [f"Try {variant.name(first)}: it looks hard to judge. Type why for more."]
        analysis = self._analyse(game)
        self._last = analysis, None
        if analysis.swap is Verdict.WIN:
            return [f"Type swap: the first move was a winning one.{_short_reason(analysis)}"]
        cell = analysis.best
        if cell is None:
            return ["There is no move to make."]
        sure = False
        if not analysis.winning:
            cell, sure = best_try(engine, analysis, self._clock(PATIENCE), Random(0))
        name = variant.name(cell)
        self._last = analysis, cell
        if words := wins_at_once(variant, analysis.position, cell):
            return [f"Try {name}: it wins. {words.capitalize()}."]
        if analysis.winning:
            return [f"Try {name}: it wins.{_short_reason(analysis)}"]
        if analysis.verdict is Verdict.LOSS:
            hardest = "makes it hardest" if sure else "looks hardest"
            return [f"Every move loses against perfect play.{_short_reason(analysis)} {name} {hardest}."]
        swap = " So may a swap." * (analysis.swap is not None)
        return [f"Try {name}: who wins was not found out, but it looks best.{swap} Type why for what was tried."]

    def why(self, game: Game, kinds: tuple[str, str]) -> list[str]:
        """What the last hint, or else the computer's last move, rests on."""
        if game.swap_ahead:
            return [NO_FIRST_WIN]
        if self._last and self._last[0].position == game.position:
            return self._reason(*self._last)
        for ply in reversed(range(len(game.moves))):
            before = game.at(ply)
            if kinds[before.turn - 1] != "human":
                return self._why_moved(before, game.moves[ply], ply + 1 == len(game.moves))
        return ["There is nothing to explain yet. Type hint first."]

    def _why_moved(self, before: Game, move: int, latest: bool) -> list[str]:
        """What a move rests on that the computer made."""
        analysis = self._analyse(before)
        if move == SWAP:
            opinion = {
                Verdict.LOSS: "Taking over the first move was a mistake: now you can win.",
                Verdict.WIN: "The first move wins, so the computer took it over.",
                Verdict.UNKNOWN: "The first move looked strong, so the computer took it over.",
            }[analysis.swap or Verdict.UNKNOWN]
            if analysis.swap is Verdict.LOSS:
                return [opinion]
            return [opinion, *self._reason(replace(analysis, swap=None), None)]
        name = analysis.variant.name(move)
        unknown = f"Whether {name} wins was not found out."
        if analysis.without_swap:
            then = {
                Verdict.WIN: f"{name} wins: swap.",
                Verdict.LOSS: f"{name} loses: play on.",
                Verdict.UNKNOWN: unknown,
            }
            value = analysis.without_swap.value_of(move)
            return [f"{NO_FIRST_WIN} {then[value]}" if latest else NO_FIRST_WIN]
        value = analysis.value_of(move)
        if analysis.verdict is Verdict.WIN and value is not Verdict.WIN:
            if value is Verdict.UNKNOWN:
                return [unknown]
            return [f"{name} was a mistake{': now you can win. Type hint to see how' if latest else ''}."]
        if analysis.verdict is Verdict.LOSS:
            return self._why_lost(analysis, move) if latest else [f"{name} loses, as any move would."]
        return self._reason(analysis, move)

    def _why_lost(self, analysis: Analysis, move: Cell) -> list[str]:
        """How to answer a move that the computer made in a lost position."""
        analysis = engine_for(analysis.variant).explained(analysis, self._clock(PATIENCE), move)
        said = f"{analysis.variant.name(move)} loses, as any move would{analysis.proof.refutation(move)}"
        if move not in analysis.pairing:
            return [said]
        return [said, *self._drawn(analysis, None, analysis.position.after(move).after(analysis.pairing[move]))]

    def values(self, game: Game) -> list[str]:
        """The board with every move marked + or -; in words, if that is wider than the window."""
        analysis = self._analyse(game)
        if not analysis.values:
            return ["Swapping wins: there is no move to make." if analysis.swap else "There is no move to make."]
        lines = values_board(analysis, self.terminal.colour)
        swap = SWAPPING[analysis.swap] if analysis.swap else [NO_FIRST_WIN] * bool(analysis.without_swap)
        if not self.terminal.fits(lines):
            return [*_in_words(analysis), *swap]
        return [*lines, legend(analysis), *swap]

    def _clock(self, most: float | None = None) -> Clock:
        return Clock(self.seconds if most is None else min(self.seconds, most))

    def _analyse(self, game: Game) -> Analysis:
        progress = Progress("Thinking")
        try:
            return engine_for(game.variant).weigh_game(game, Clock(self.seconds, progress))
        finally:
            progress.done()

    def _reason(self, analysis: Analysis, cell: Cell | None) -> list[str]:
        """What a move rests on, or the whole position if it is about none."""
        analysis = engine_for(analysis.variant).explained(analysis, self._clock(PATIENCE), cell)
        return [reason(analysis), *self._drawn(analysis, cell)]

    def _drawn(self, analysis: Analysis, cell: Cell | None, then: Position | None = None) -> list[str]:
        """The pairing or mirror behind a verdict: drawn, or partly in words where letters or room do not suffice."""
        played = cell if analysis.proof.verdict is Verdict.WIN else None
        pairs = partners(analysis)
        drawn = partners_board(analysis, pairs, played)
        if drawn and self.terminal.fits(drawn):
            return [f"{PAIRS}{'' if played is None else '; * is the move'}:", *drawn]
        if not analysis.pairing:
            return []
        position = then or (analysis.position if played is None else analysis.position.after(played))
        takes = [one for one in analysis.variant.legal_cells(position) if one in pairs]
        takes = takes if then else takes[1:]  # the first one is the example in words
        name = analysis.variant.name
        some = "; ".join(f"{name(one)} by {name(pairs[one])}" for one in takes[:MENTIONED])
        more = "; and so on" * (len(takes) > MENTIONED)
        begin = "After that, for instance," if then else "Likewise"
        return [f"{begin} {some.replace('by', 'is answered by', 1)}{more}."] if some else []


def _short_reason(analysis: Analysis) -> str:
    """A sentence to follow another, if there is anything to say."""
    if analysis.method is Method.MATCHING:
        return " It follows from pairing up the empty cells: type why to see the pairs."
    if analysis.method is Method.MIRROR:
        return " It follows from a mirror: type why."
    most = "At most " * (analysis.proof.verdict is Verdict.LOSS)
    return f" ({most}{until_stuck(analysis.distance)}.)" if analysis.distance else ""


def _in_words(analysis: Analysis) -> list[str]:
    """How many moves win and lose, and some of them."""
    said = []
    for verdict, word in ((Verdict.WIN, "win"), (Verdict.LOSS, "lose"), (Verdict.UNKNOWN, "not found out")):
        names = [analysis.variant.name(move.cell) for move in analysis.values if move.verdict is verdict]
        if names:
            more = " ..." if len(names) > MENTIONED else ""
            word = f"{word}s" if len(names) == 1 and verdict is not Verdict.UNKNOWN else word
            said.append(f"{len(names)} move{'s' * (len(names) != 1)} {word}: {'  '.join(names[:MENTIONED])}{more}")
    return said
