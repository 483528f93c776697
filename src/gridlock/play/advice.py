"""Advice for the player to move, in the same words on every surface: hints in steps, reasons, values.

A surface decides how much of it to show and where; what is said is decided here.
"""

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import NamedTuple

from gridlock.core.game import SWAP, Game
from gridlock.core.grid import Bitboard, Cell, set_of
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.drawing.text import CLOSED
from gridlock.engine.analysis import NO_FIRST_WIN, Analysis, MoveValue
from gridlock.engine.choice import best_try, first_of_a_swap
from gridlock.engine.clock import Clock, Progress
from gridlock.engine.engine import Engine
from gridlock.engine.evidence import Method, Verdict
from gridlock.engine.reasons import partners, reason

PATIENCE = 1.0  # seconds at the most for the best try in a lost position, and for a line that shows a win
SIGNS = {Verdict.WIN: "+", Verdict.LOSS: "-", Verdict.UNKNOWN: "?"}
MEANINGS = {"win": "+ wins", "loss": "- loses", "unknown": "? is not known"}
Values = Mapping[Cell, tuple[str, str]]  # of every move: its value, such as +7, and win, loss or unknown


class Reason(NamedTuple):
    """Why a move or a position is won or lost, in sentences, and the pairs of cells that it rests on, if any."""

    words: list[str]
    position: Position
    pairs: Mapping[Cell, Cell] = {}  # which cell answers which
    mirror: bool = False  # whether a mirror pairs them
    played: Cell | None = None  # the move after which the pairs hold; None if they hold now
    answered: Position | None = None  # where a move and the answer to it have been named already


class Advice(NamedTuple):
    """A position as the engine sees it: who wins, where and how, and the value of every move."""

    verdict: str  # win, loss or unknown, for the player to move
    opinion: str  # whether it is won, in a sentence
    region: Bitboard  # the part of the board where the move is
    where: str  # that part in a sentence
    move: Cell | None  # a cell, SWAP, or nothing
    naming: str  # the move in a sentence
    reason: str
    values: Values
    winning: tuple[Cell, ...]
    pairs: Mapping[Cell, Cell]  # which cell answers which, if a pairing or a mirror decides
    mirror: bool = False  # whether it is a mirror
    legend: str = ""  # what the values' signs mean

    @property
    def steps(self) -> tuple[str, str, str, str]:
        """The hint, a sentence at a time: is it won, where, which move, why."""
        return self.opinion, self.where, self.naming, self.reason

    def why(self, position: Position) -> Reason:
        """Return the reason with its pairs, for the position that the advice is about."""
        played = self.move if self.verdict == "win" and self.move != SWAP else None
        return Reason([self.reason], position, self.pairs, self.mirror, played)


def advise(engine: Engine, game: Game, seconds: float, progress: Progress | None = None) -> Advice:
    """Return everything there is to say to the player to move."""
    if game.swap_ahead:
        move = first_of_a_swap(engine, game.position, Clock(min(seconds, PATIENCE), progress), Random(0))
        values = dict.fromkeys(game.variant.legal_cells(game.position), (SIGNS[Verdict.LOSS], "loss"))
        opinion = "No first move wins by itself, because your opponent may take it over."
        return _advice(game, "unknown", opinion, move, "it is hard to tell who it favours", NO_FIRST_WIN, values)
    return told(engine, game, engine.weigh_game(game, Clock(seconds, progress)), min(seconds, PATIENCE))


def told(engine: Engine, game: Game, analysis: Analysis, seconds: float) -> Advice:
    """Return an analysis as advice."""
    move, how = analysis.best, "it wins"
    if analysis.swap is Verdict.WIN:
        move = SWAP
    elif not analysis.winning and analysis.values:
        lost = analysis.verdict is Verdict.LOSS
        unproved = analysis if lost else replace(analysis, verdict=Verdict.UNKNOWN)  # a swap may win, and no move
        move, sure = best_try(engine, unproved, Clock(seconds), Random(0))
        how = "it looks best, but that isn't proved"
        if lost:
            how = "it is the hardest to beat" if sure else "it looks the hardest to beat"
    analysis = engine.explained(analysis, Clock(seconds), None if move == SWAP else move)
    advice = _advice(game, str(analysis.verdict), _opinion(analysis), move, how, reason(analysis), values_of(analysis))
    return advice._replace(pairs=partners(analysis), mirror=analysis.method is Method.MIRROR)


def verdict_words(analysis: Analysis) -> str:
    """Return who wins, in a sentence for an onlooker."""
    ending = {"win": " and wins", "loss": " and loses", "unknown": "; who wins was not found out"}[analysis.verdict]
    if analysis.swap is not None:
        ways = {"win": " by swapping", "loss": " by playing on", "unknown": ", by swapping or by playing on"}
        ending += ways[analysis.swap]
    return f"{analysis.variant.book.mark(analysis.position.turn)} is to move{ending}."


def _opinion(analysis: Analysis) -> str:
    """Return whether the position is won, in a sentence."""
    count, all_moves = len(analysis.winning), len(analysis.values)
    if analysis.swap is Verdict.WIN:
        return "You can win by swapping: no move of your own wins."
    if count:
        least = "at least " * any(move.verdict is Verdict.UNKNOWN for move in analysis.values)
        some = f"{least}{count} of {all_moves} moves {'wins' if count == 1 else 'win'}"
        if count == all_moves:
            some = "your only move wins" if count == 1 else "every move wins"
        return f"You can win: {some}.{'' if analysis.swap is None else ' Swapping loses.'}"
    if analysis.verdict is Verdict.LOSS:
        return "Every move loses against perfect play."
    if analysis.swap is Verdict.UNKNOWN:
        return "You can win by swapping or by a move, but there wasn't enough time to work out which."
    return "There wasn't enough time to work out who wins."


def _advice(game: Game, verdict: str, opinion: str, move: Cell | None, how: str, why: str, values: Values) -> Advice:
    winning = tuple(cell for cell, (_, value) in values.items() if value == "win")
    signs = legend(game.variant, game.position, values)
    if move is None or move == SWAP:
        naming = "Swap: the first move was a winning one." if move == SWAP else "There is no move to make."
        return Advice(verdict, opinion, 0, naming, move, naming, why, values, winning, {}, legend=signs)
    region, words = part_of(game.variant, move)
    naming = f"Try {game.variant.name(move)}: {how}."
    return Advice(verdict, opinion, region, f"Look {words}.", move, naming, why, values, winning, {}, legend=signs)


def part_of(variant: Variant, cell: Cell) -> tuple[Bitboard, str]:
    """The part of the board that a cell is in: a third each way, as far as there are thirds."""
    grid = variant.grid
    row, col = divmod(cell, grid.cols)
    down, across = 3 * row // grid.rows, 3 * col // grid.cols
    region = set_of(
        one
        for one in range(grid.size)
        if 3 * (one // grid.cols) // grid.rows == down and 3 * (one % grid.cols) // grid.cols == across
    )
    words = " ".join(filter(None, (("top", "", "bottom")[down], ("left", "", "right")[across])))
    return region, f"at the {words}" if words else "in the middle"


# -- the value of every move -----------------------------------------------------------------------------------------


def value_text(move: MoveValue) -> str:
    """A move's value such as `+7`, or `+` where the moves to come are not counted."""
    return SIGNS[move.verdict] + ("" if move.distance is None else str(move.distance))


def values_of(analysis: Analysis) -> Values:
    """The value of every move as it is shown on the board."""
    return {move.cell: (value_text(move), str(move.verdict)) for move in analysis.values}


def legend(variant: Variant, position: Position, values: Values) -> str:
    """What the signs of a board of values mean."""
    verdicts = {verdict for _, verdict in values.values()}
    said = [words for verdict, words in MEANINGS.items() if verdict in verdicts]
    if len(values) < (variant.grid.cells & ~position.taken).bit_count():
        said.append(f"{CLOSED} may not be taken")
    counted = any(len(text) > 1 for text, _ in values.values())
    return ", ".join(said) + "; the number counts the moves until the loser is stuck" * counted + "."


# -- why the computer moved as it did --------------------------------------------------------------------------------


def why_program_moved(
    engine: Engine, game: Game, kinds: tuple[str, str], seconds: float, progress: Progress | None = None
) -> Reason | None:
    """Return what the latest move of a program rests on, or None if no program has moved."""
    moved = [event for event in game.history() if kinds[event.player - 1] != "human"]
    plies = [event.ply for event in moved if event.swap or event.cell is not None]
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
        then = {Verdict.WIN: f" {name} wins: swap.", Verdict.LOSS: f" {name} loses: play on."}.get(value, f" {unknown}")
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
    """Return what a program's swap rests on."""
    if analysis.swap is Verdict.LOSS:
        return Reason(["Taking over the first move was a mistake: now you can win."], analysis.position)
    strong = "wins" if analysis.swap is Verdict.WIN else "looked strong"
    why = _reason(engine, replace(analysis, swap=None), None, clock)
    return why._replace(words=[f"The first move {strong}, so the computer took it over.", *why.words])


def _why_lost(engine: Engine, analysis: Analysis, move: Cell, clock: Clock) -> Reason:
    """Return how to answer a move that a program made in a lost position."""
    analysis = engine.explained(analysis, clock, move)
    said = f"{analysis.variant.name(move)} loses, as any move would{analysis.proof.refutation(move)}"
    if move not in analysis.pairing:
        return Reason([said], analysis.position)
    answered = analysis.position.after(move).after(analysis.pairing[move])
    return Reason([said], analysis.position, analysis.pairing, answered=answered)


def _reason(engine: Engine, analysis: Analysis, move: Cell | None, clock: Clock) -> Reason:
    """Return what a move rests on, or the whole position if it is about none."""
    analysis = engine.explained(analysis, clock, move)
    played = move if analysis.proof.verdict is Verdict.WIN else None
    mirror = analysis.method is Method.MIRROR
    return Reason([reason(analysis)], analysis.position, partners(analysis), mirror, played)
