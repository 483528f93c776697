"""Hermit, a custom game: its TOML file and a finished game."""

from pathlib import Path

from gridlock.core.definition import load_book
from gridlock.core.game import Game
from gridlock.core.rules import variant

HERMIT = """
title = "Hermit"
board = "3x4"
adjacency = "orthogonal"
closed = "adjacent to a marker"
[shape]
closes_own = true
closes_other = true
"""


def hermit(folder: Path, board: str = "3x3", moves: tuple[int, ...] = (4,)) -> Game:
    """Return a game of Hermit on the given board after the given moves."""
    game = Game(variant(load_book(folder / "hermit.toml"), board))
    for move in moves:
        game.push(move)
    return game
