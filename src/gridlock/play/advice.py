"""Advice for the player to move, a step at a time: is it won, where, which move, why. Every surface says the same."""

from collections.abc import Mapping
from random import Random
from typing import NamedTuple

from gridlock.core.game import SWAP, Game
from gridlock.core.grid import Bitboard, Cell, set_of
from gridlock.core.rulebook import Variant
from gridlock.drawing.text import CLOSED
from gridlock.engine.analysis import NO_FIRST_WIN, Analysis, MoveValue
from gridlock.engine.choice import best_try, first_of_a_swap
from gridlock.engine.clock import Clock
from gridlock.engine.engine import Engine
from gridlock.engine.evidence import Method, Verdict
from gridlock.engine.reasons import partners, reason

PATIENCE = 1.0  # seconds at the most for the best try in a lost position, and for a line that shows a win
SIGNS = {Verdict.WIN: "+", Verdict.LOSS: "-", Verdict.UNKNOWN: "?"}
MEANINGS = {
    Verdict.WIN: "+ wins",
    Verdict.LOSS: "- loses",
    Verdict.UNKNOWN: "? was not found out in time",
}


class Advice(NamedTuple):
    """A position as the engine sees it: who wins, where and how, and what every move is worth."""

    verdict: str  # win, loss or unknown, for the player to move
    opinion: str  # whether it is won, in a sentence
    region: Bitboard  # the part of the board where the move is
    where: str  # that part in a sentence
    move: Cell | None  # a cell, SWAP, or nothing
    naming: str  # the move in a sentence
    reason: str
    values: Mapping[Cell, tuple[str, str]]  # the worth of every move, such as +7, and win, loss or unknown
    winning: tuple[Cell, ...]
    pairs: Mapping[Cell, Cell]  # which cell answers which, if a pairing or a mirror decides
    mirror: bool = False  # whether it is a mirror
    legend: str = ""  # what the values' signs mean


def advise(engine: Engine, game: Game, seconds: float) -> Advice:
    """Everything there is to say to the player to move."""
    if game.swap_ahead:
        clock = Clock(min(seconds, PATIENCE))
        move = first_of_a_swap(engine, game.position, clock, Random(0))
        values = dict.fromkeys(game.variant.legal_cells(game.position), ("-", "loss"))
        opinion = "Nobody can win by the first move alone: whoever is second may take it over."
        return _advice(game, "unknown", opinion, move, "looks hard to judge", NO_FIRST_WIN, values, (), {})
    analysis = engine.weigh_game(game, Clock(seconds))
    return told(engine, game, analysis, min(seconds, PATIENCE))


def told(engine: Engine, game: Game, analysis: Analysis, seconds: float) -> Advice:
    """An analysis as advice."""
    values = {move.cell: (value_text(move), str(move.verdict)) for move in analysis.values}
    winning = tuple(analysis.winning)
    move, how = analysis.best, "wins"
    if analysis.swap is Verdict.WIN:
        opinion = "You can win, but not by a move of your own: take over the other side."
        return _advice(game, "win", opinion, SWAP, "", reason(analysis), values, winning, {})
    if not winning and analysis.values:
        move, sure = best_try(engine, analysis, Clock(seconds), Random(0))
        how = "makes it hardest" if sure else "looks hardest"
        how = how if analysis.verdict is Verdict.LOSS else "looks best, though nobody knows"
    if move is not None:
        analysis = engine.explained(analysis, Clock(seconds), move)
    opinion = {
        Verdict.WIN: f"You can win: {len(winning)} of {len(values)} moves {'wins' if len(winning) == 1 else 'win'}.",
        Verdict.LOSS: "Every move loses against perfect play; but who plays perfectly?",
        Verdict.UNKNOWN: "Who wins was not found out in time.",
    }[analysis.verdict]
    pairs = partners(analysis)
    advice = _advice(game, str(analysis.verdict), opinion, move, how, reason(analysis), values, winning, pairs)
    return advice._replace(mirror=analysis.method is Method.MIRROR, legend=legend(analysis))


def _advice(
    game: Game,
    verdict: str,
    opinion: str,
    move: Cell | None,
    how: str,
    why: str,
    values: Mapping[Cell, tuple[str, str]],
    winning: tuple[Cell, ...],
    pairs: Mapping[Cell, Cell],
) -> Advice:
    if move is None or move == SWAP:
        naming = "Swap: the first move was a winning one." if move == SWAP else "There is no move to make."
        return Advice(verdict, opinion, 0, naming, move, naming, why, values, winning, pairs)
    region, words = part_of(game.variant, move)
    naming = f"{game.variant.name(move)} {how}."
    return Advice(verdict, opinion, region, f"Look {words}.", move, naming, why, values, winning, pairs)


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


def value_text(move: MoveValue) -> str:
    """A move's value such as `+7`, or `+` where the moves to come are not counted."""
    return SIGNS[move.verdict] + ("" if move.distance is None else str(move.distance))


def legend(analysis: Analysis) -> str:
    """What the signs of a board of values mean."""
    verdicts = {move.verdict for move in analysis.values}
    said = [words for verdict, words in MEANINGS.items() if verdict in verdicts]
    full = analysis.variant.grid.cells & ~analysis.position.taken
    if len(analysis.values) < full.bit_count():
        said.append(f"{CLOSED} may not be taken")
    counted = any(move.distance is not None for move in analysis.values)
    return ", ".join(said) + "; the number counts the moves until the loser is stuck" * counted + "."
