"""What the full screen asks of the engine; answered in another process, in plain data that can be sent."""

from datetime import date
from random import Random
from typing import NamedTuple

from gridlock.core.game import Game
from gridlock.core.grid import Cell
from gridlock.core.rulebook import RuleBook
from gridlock.core.rules import variant as variant_of
from gridlock.engine.clock import Clock
from gridlock.engine.engine import engine_for
from gridlock.engine.evidence import Verdict
from gridlock.engine.review import Step, review
from gridlock.play import advice
from gridlock.play.advice import PATIENCE, Advice, told
from gridlock.play.daily import puzzle_of
from gridlock.play.puzzles import level_for, make_puzzle

FEWEST = 3  # moves to choose from, for a position of a game to be a puzzle


class Puzzle(NamedTuple):
    """A position with exactly one winning move."""

    game: Game
    advice: Advice


def advise(game: Game, seconds: float) -> Advice:
    """Everything there is to say to the player to move."""
    return advice.advise(engine_for(game.variant), game, seconds)


def look_again(game: Game, seconds: float) -> list[Step]:
    """Every step of a game with who was winning."""
    return list(review(engine_for(game.variant), game, seconds))


def puzzle(book: RuleBook, hard: bool, seed: str, seconds: float) -> Puzzle | None:
    """A new puzzle of a game, if one could be made in time."""
    assert book.shape is not None  # only such are offered
    level = level_for(book.shape, hard)
    engine = engine_for(variant_of(book, level.board))
    made = make_puzzle(engine, Random(seed), level, Clock(seconds))
    return None if made is None else Puzzle(made[0], told(engine, made[0], made[1], PATIENCE))


def puzzle_of_day(day: date) -> Puzzle:
    """The puzzle of a day, the same for everybody."""
    _, game, analysis = puzzle_of(day)
    return Puzzle(game, told(engine_for(game.variant), game, analysis, PATIENCE))


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
            found.append(Puzzle(then, told(engine_for(game.variant), then, analysis, PATIENCE)))
    return found


def refutation(game: Game, cell: Cell, seconds: float) -> Cell | None:
    """The answer to a move that does not win."""
    return engine_for(game.variant).weigh(game.position.after(cell), Clock(seconds)).best


def keeps_winning(game: Game, cell: Cell, seconds: float) -> bool:
    """Whether a move keeps a win; where nobody knows, it is let pass."""
    return engine_for(game.variant).verdict(game.position.after(cell), Clock(seconds)) is not Verdict.WIN
