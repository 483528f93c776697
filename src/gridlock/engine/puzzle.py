"""Puzzles made on the spot: positions with exactly one winning move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridlock.engine.analysis import Analysis, Verdict
from gridlock.engine.engine import Engine
from gridlock.game import Game

if TYPE_CHECKING:
    from random import Random

# Boards on which a puzzle is worth thinking about and every move can be proved in a moment: usual, and hard.
BOARDS = {
    "keepaway": ("4x4", "5x5"),
    "chain": ("5x5", "6x7"),
    "scatter": ("4x5", "5x5"),
    "trails": ("5x5", "6x6"),
    "showdown": ("4x5", "6x6"),
}


def make_puzzle(engine: Engine, rng: Random, hard: bool) -> tuple[Game, Analysis]:
    """Play at random until exactly one move wins, among several that look possible."""
    least_moves, least_distance = (5, 5) if hard else (3, 3)
    while True:
        game = Game(engine.variant)
        plies = rng.randrange(1, max(2, engine.variant.grid.size // 2))
        while len(game.moves) < plies and not game.outcome:
            game.play(rng.choice(engine.variant.moves(game.position)))
        if game.outcome or game.passing or game.legal.bit_count() < least_moves:
            continue
        found = engine.analyse(game.position, 2.0)
        known = all(move.verdict is not Verdict.UNKNOWN for move in found.moves)
        if known and len(found.winning) == 1 and (found.distance is None or found.distance >= least_distance):
            return game, found
