"""What the full screen asks of the engine; answered in another process, in plain data that can be sent."""

from collections.abc import Mapping
from datetime import date
from random import Random
from typing import NamedTuple

from gridlock.cli.reasons import partners, reason
from gridlock.cli.values import legend, value_text
from gridlock.engine.analysis import NO_FIRST_WIN, Analysis
from gridlock.engine.choice import best_try, first_of_a_swap
from gridlock.engine.clock import Clock
from gridlock.engine.daily import puzzle_of
from gridlock.engine.engine import engine_for
from gridlock.engine.evidence import Method, Verdict
from gridlock.engine.puzzle import level_for, make_puzzle
from gridlock.engine.review import Step, review
from gridlock.game import SWAP, Game
from gridlock.grid import Bitboard, Cell, set_of
from gridlock.players import agents
from gridlock.rulebook import RuleBook, Variant
from gridlock.rules import variant as variant_of

PATIENCE = 1.0  # seconds at the most for the best try in a lost position, and for a line that shows a win
FEWEST = 3  # moves to choose from, for a position of a game to be a puzzle


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


class Puzzle(NamedTuple):
    """A position with exactly one winning move."""

    game: Game
    advice: Advice


def choose(game: Game, kind: str, seed: str, think: float) -> Cell:
    """The move of a program; chance follows from the seed alone."""
    move = agents[kind](game.copy(), Random(seed), think)
    game.push(move)  # an agent may be anybody's code: a move that is illegal fails here, and not on the screen
    return move


def advise(game: Game, seconds: float) -> Advice:
    """Everything there is to say to the player to move."""
    engine = engine_for(game.variant)
    if game.swap and not game.moves:
        clock = Clock(min(seconds, PATIENCE))
        move = first_of_a_swap(engine, game.position, clock, Random(0))
        values = dict.fromkeys(game.variant.legal_cells(game.position), ("-", "loss"))
        opinion = "Nobody can win by the first move alone: whoever is second may take it over."
        return _advice(game, "unknown", opinion, move, "looks hard to judge", NO_FIRST_WIN, values, (), {})
    analysis = engine.weigh_game(game, Clock(seconds))
    return _told(game, analysis, min(seconds, PATIENCE))


def _told(game: Game, analysis: Analysis, seconds: float) -> Advice:
    """An analysis as advice."""
    engine = engine_for(game.variant)
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
    told = _advice(game, str(analysis.verdict), opinion, move, how, reason(analysis), values, winning, pairs)
    return told._replace(mirror=analysis.method is Method.MIRROR, legend=legend(analysis))


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


def look_again(game: Game, seconds: float) -> list[Step]:
    """Every step of a game with who was winning."""
    return list(review(engine_for(game.variant), game, seconds))


def puzzle(book: RuleBook, hard: bool, seed: str, seconds: float) -> Puzzle | None:
    """A new puzzle of a game, if one could be made in time."""
    assert book.shape is not None  # only such are offered
    level = level_for(book.shape, hard)
    engine = engine_for(variant_of(book, level.board))
    made = make_puzzle(engine, Random(seed), level, Clock(seconds))
    return None if made is None else Puzzle(made[0], _told(made[0], made[1], PATIENCE))


def puzzle_of_day(day: date) -> Puzzle:
    """The puzzle of a day, the same for everybody."""
    _, game, analysis = puzzle_of(day)
    return Puzzle(game, _told(game, analysis, PATIENCE))


def puzzles_from(game: Game, seconds: float) -> list[Puzzle]:
    """The positions of a game in which exactly one move won, and there was a choice."""
    found = []
    for ply in range(len(game.moves)):
        then = game.at(ply)
        if then.passing or then.can_swap or (then.swap and not then.moves) or then.legal.bit_count() < FEWEST:
            continue
        analysis = engine_for(game.variant).weigh(then.position, Clock(seconds))
        known = all(move.verdict is not Verdict.UNKNOWN for move in analysis.values)
        if known and len(analysis.winning) == 1:
            found.append(Puzzle(then, _told(then, analysis, PATIENCE)))
    return found


def refutation(game: Game, cell: Cell, seconds: float) -> Cell | None:
    """The answer to a move that does not win."""
    return engine_for(game.variant).weigh(game.position.after(cell), Clock(seconds)).best


def keeps_winning(game: Game, cell: Cell, seconds: float) -> bool:
    """Whether a move keeps a win; where nobody knows, it is let pass."""
    return engine_for(game.variant).verdict(game.position.after(cell), Clock(seconds)) is not Verdict.WIN
