"""Advice for the player to move: step-by-step hints, reasons and move values, in the same words in every interface."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import NamedTuple

from gridlock.core.game import SWAP, Game
from gridlock.core.grid import Bitboard, Cell, set_of
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.drawing.text import CLOSED
from gridlock.engine.analysis import NO_FIRST_WIN, Analysis, MoveValue, partners, reason
from gridlock.engine.choice import best_try, first_of_a_swap
from gridlock.engine.clock import Clock, Progress
from gridlock.engine.engine import Engine
from gridlock.engine.evidence import Searched, Verdict

PATIENCE = 1.0  # the most seconds to spend finding the best try in a lost position, or a line that shows a win
SIGNS = {Verdict.WIN: "+", Verdict.LOSS: "-", Verdict.UNKNOWN: "?"}
MEANINGS = {"win": "+ wins", "loss": "- loses", "unknown": "? is unknown"}
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"  # for pairs of cells
Values = Mapping[Cell, tuple[str, str]]  # each move's value, such as +7, and its verdict: win, loss or unknown


class Reason(NamedTuple):
    """The reason why a move or a position wins or loses, with any pairs of cells that prove it."""

    words: list[str]
    position: Position
    pairs: Mapping[Cell, Cell] = {}  # the cell that answers each cell
    mirror: bool = False  # whether the pairs come from a mirror
    played: Cell | None = None  # the move after which the pairs are valid; None if they are valid now
    answered: Position | None = None  # the position after a move and its answer, if the words name them


class Advice(NamedTuple):
    """Advice about a position: who wins, which move to make and why, and the value of every move."""

    verdict: str  # win, loss or unknown, for the player to move
    opinion: str  # a sentence saying whether the position is won
    region: Bitboard  # the part of the board where the move is
    where: str  # a sentence that points to that part of the board
    move: Cell | None  # a cell, SWAP, or None if there is no move
    naming: str  # a sentence that names the move
    reason: str
    values: Values
    legend: str  # what the values' symbols mean
    pairs: Mapping[Cell, Cell] = {}  # the cell that answers each cell, if a pairing or a mirror decides
    mirror: bool = False  # whether a mirror decides
    all_win: bool = False  # whether every move wins, so that the choice does not matter
    line: tuple[Cell, ...] = ()  # the example line that the reason gives, if a search decides
    brief: str = ""  # the reason without the example line

    @property
    def steps(self) -> tuple[str, str, str, str]:
        """The hint in four sentences: who wins, where to look, which move to make, and why."""
        return self.opinion, self.where, self.naming, self.reason

    def why(self, position: Position) -> Reason:
        """Return the reason for the advice, with the pairs of cells if a pairing or mirror strategy decides the game.

        `position` must be the analysed position.
        """
        played = self.move if self.verdict == "win" and self.move != SWAP else None
        return Reason([self.reason], position, self.pairs, self.mirror, played)


def advise(engine: Engine, game: Game, seconds: float, progress: Progress | None = None) -> Advice:
    """Return the engine's advice for the player to move; `seconds` limits the time for analysing the position."""
    patience = min(seconds, PATIENCE)
    if game.swap_ahead:
        move = first_of_a_swap(engine, game.position, Clock(patience, progress), Random(0))
        values = dict.fromkeys(game.variant.legal_cells(game.position), (SIGNS[Verdict.LOSS], "loss"))
        opinion = "No first move guarantees a win, because your opponent may swap sides."
        return _advice(game, "unknown", opinion, move, "it is hard to tell who it favours", NO_FIRST_WIN, values)
    analysis = engine.weigh_game(game, Clock(seconds, progress))
    best, how = analysis.best, "it wins"
    if analysis.swap is Verdict.WIN:
        best = SWAP
    elif not analysis.winning and analysis.values:
        lost = analysis.verdict is Verdict.LOSS
        unproved = analysis if lost else replace(analysis, verdict=Verdict.UNKNOWN)  # perhaps only a swap wins
        best, sure = best_try(engine, unproved, Clock(patience), Random(0))
        how = "it looks best, but that isn't proved"
        if lost:
            how = "it is the hardest to beat" if sure else "it looks the hardest to beat"
    analysis = engine.explained(analysis, Clock(patience), None if best == SWAP else best)
    advice = _advice(game, str(analysis.verdict), _opinion(analysis), best, how, reason(analysis), values_of(analysis))
    if len(analysis.winning) == len(analysis.values) > 1 and best != SWAP:
        advice = advice._replace(region=game.legal, where="Play anywhere: every move wins.", all_win=True)
    if isinstance(analysis.proof, Searched) and len(analysis.line) > 1:
        without = replace(analysis, proofs=(replace(analysis.proof, line=()), *analysis.proofs[1:]))
        advice = advice._replace(line=analysis.line, brief=reason(without))
    return advice._replace(pairs=_needed(analysis, best), mirror=analysis.method.mirrors)


def _needed(analysis: Analysis, move: Cell | None) -> Mapping[Cell, Cell]:
    """Return the pairs of cells from an analysis, or none if the opponent cannot take any paired cell after `move`."""
    pairs, position = partners(analysis), analysis.position
    if analysis.verdict is Verdict.WIN and move is not None and move != SWAP:
        after = position.after(move)
        if not any(cell in pairs for cell in analysis.variant.legal_cells(after)):
            return {}
    return pairs


def verdict_words(analysis: Analysis) -> str:
    """Return a sentence for spectators that says whose turn it is and, if known, who wins with perfect play."""
    ending = {"win": " and wins", "loss": " and loses", "unknown": "; the winner is not known"}[analysis.verdict]
    if analysis.swap is not None:
        ways = {"win": " by swapping", "loss": " by playing on", "unknown": ", by swapping or by playing on"}
        ending += ways[analysis.swap]
    return f"{analysis.variant.book.mark(analysis.position.turn)} is to move{ending}."


def _opinion(analysis: Analysis) -> str:
    """Return a sentence, addressed to the player to move, that says whether the position is won."""
    count, all_moves = len(analysis.winning), len(analysis.values)
    if analysis.swap is Verdict.WIN:
        return "You can win only by swapping: no move wins."
    if count:
        least = "at least " * any(move.verdict is Verdict.UNKNOWN for move in analysis.values)
        some = f"{least}{count} of {all_moves} moves {'wins' if count == 1 else 'win'}"
        if count == all_moves:
            some = "your only move wins" if count == 1 else "every move wins"
        return f"You can win: {some}.{'' if analysis.swap is None else ' Swapping loses.'}"
    if analysis.verdict is Verdict.LOSS:
        return "Every move loses against perfect play."
    if analysis.swap is Verdict.UNKNOWN:
        return "You can win, but there wasn't enough time to work out whether to swap or to make a move."
    return "There wasn't enough time to work out who wins."


def _advice(game: Game, verdict: str, opinion: str, move: Cell | None, how: str, why: str, values: Values) -> Advice:
    if move is None or move == SWAP:
        region, naming = 0, "Swap: the first move was a winning one." if move == SWAP else "There is no move to make."
        where = naming
    else:
        region, where = _region_of(game.variant, move)
        naming = f"Try {game.variant.name(move)}: {how}."
    signs = legend(game.variant, game.position, values)
    return Advice(verdict, opinion, region, where, move, naming, why, values, signs)


def _region_of(variant: Variant, cell: Cell) -> tuple[Bitboard, str]:
    """Return the part of the board that contains a cell, and a sentence that names this part.

    The board is divided into nine parts.
    """
    grid = variant.grid
    row, col = divmod(cell, grid.cols)
    down, across = 3 * row // grid.rows, 3 * col // grid.cols
    region = set_of(
        one
        for one in range(grid.size)
        if 3 * (one // grid.cols) // grid.rows == down and 3 * (one % grid.cols) // grid.cols == across
    )
    words = " ".join(filter(None, (("top", "", "bottom")[down], ("left", "", "right")[across])))
    return region, f"Look at the {words}." if words else "Look in the middle."


# -- the value of every move -----------------------------------------------------------------------------------------


def value_text(move: MoveValue) -> str:
    """Return a move's value, such as `+7`, or only its sign if the distance is unknown."""
    return SIGNS[move.verdict] + ("" if move.distance is None else str(move.distance))


def values_of(analysis: Analysis) -> Values:
    """Return the text and the verdict to show on the board for every move."""
    return {move.cell: (value_text(move), str(move.verdict)) for move in analysis.values}


def legend(variant: Variant, position: Position, values: Values) -> str:
    """Return a legend for the symbols on a board that shows move values."""
    verdicts = {verdict for _, verdict in values.values()}
    meanings = [words for verdict, words in MEANINGS.items() if verdict in verdicts]
    if len(values) < (variant.grid.cells & ~position.taken).bit_count():
        meanings.append(f"{CLOSED} is closed")
    counted = any(len(text) > 1 for text, _ in values.values())
    return ", ".join(meanings) + "; numbers are moves to the end" * counted + "."


def letters_of(pairs: Mapping[Cell, Cell]) -> dict[Cell, str]:
    """Give each pair of cells a letter, until the letters run out; return the letter of each cell."""
    twos = [(one, other) for one, other in pairs.items() if one < other]
    return {cell: letter for letter, pair in zip(LETTERS, twos, strict=False) for cell in pair}


# -- reasons for the computer's moves --------------------------------------------------------------------------------


def why_program_moved(
    engine: Engine, game: Game, kinds: tuple[str, str], seconds: float, progress: Progress | None = None
) -> Reason | None:
    """Return the reason for a program's latest move, or None if no program has moved."""
    turns = [event for event in game.history() if event.swap or event.cell is not None]  # without passes
    plies = [event.ply for event in turns if kinds[event.player - 1] != "human"]
    if not plies:
        return None
    before, move, latest = game.at(plies[-1] - 1), game.moves[plies[-1] - 1], plies[-1] == len(game.moves)
    analysis = engine.weigh_game(before, Clock(seconds, progress))
    clock = Clock(min(seconds, PATIENCE))
    if move == SWAP:
        return _why_swapped(engine, analysis, clock)
    name = analysis.variant.name(move)
    unknown = f"It isn't known whether {name} wins."
    if analysis.without_swap:
        value = analysis.without_swap.value_of(move)
        then = {Verdict.WIN: f" {name} wins, so swap.", Verdict.LOSS: f" {name} loses, so don't swap."}.get(
            value, f" {unknown}"
        )
        return Reason([NO_FIRST_WIN + then * latest], before.position)
    value = analysis.value_of(move)
    if analysis.verdict is Verdict.WIN and value is not Verdict.WIN:
        mistake = f"{name} was a mistake{': now you can win' * latest}."
        return Reason([unknown if value is Verdict.UNKNOWN else mistake], before.position)
    if analysis.verdict is Verdict.LOSS:
        if latest:
            return _why_lost(engine, analysis, move, clock)
        return Reason([f"{name} loses, as any move would."], before.position)
    return _reason(engine, analysis, move, clock)


def _why_swapped(engine: Engine, analysis: Analysis, clock: Clock) -> Reason:
    """Return the reason for a program's swap."""
    if analysis.swap is Verdict.LOSS:
        return Reason(["The computer's swap was a mistake: now you can win."], analysis.position)
    proved = "The first move wins, so the computer swapped sides."
    guessed = "The first move looked strong, so the computer swapped sides."
    why = _reason(engine, replace(analysis, swap=None), None, clock)
    return why._replace(words=[proved if analysis.swap is Verdict.WIN else guessed, *why.words])


def _why_lost(engine: Engine, analysis: Analysis, move: Cell, clock: Clock) -> Reason:
    """Explain why a program's move loses in a position where every move loses, and how to answer the move."""
    analysis = engine.explained(analysis, clock, move)
    words = [f"{analysis.variant.name(move)} loses, as any move would{analysis.proof.refutation(move)}"]
    if move not in analysis.pairing:
        return Reason(words, analysis.position)
    answered = analysis.position.after(move).after(analysis.pairing[move])
    return Reason(words, analysis.position, analysis.pairing, answered=answered)


def _reason(engine: Engine, analysis: Analysis, move: Cell | None, clock: Clock) -> Reason:
    """Return the reason for a move, or for the verdict on the whole position if no move is given."""
    analysis = engine.explained(analysis, clock, move)
    played = move if analysis.proof.verdict is Verdict.WIN else None
    mirror = analysis.method.mirrors
    return Reason([reason(analysis)], analysis.position, partners(analysis), mirror, played)
