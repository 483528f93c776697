"""What programs are told: the same things under the same names, whatever the command (docs/json.md)."""

import json
from collections.abc import Iterable
from typing import Any

from gridlock.core.game import SWAP, Game
from gridlock.core.grid import Cell, cells_of
from gridlock.core.rulebook import Variant

Spot = list[int] | str


def print_json(facts: object) -> None:
    """Print an answer as one line of JSON."""
    print(json.dumps(facts), flush=True)


def spot(variant: Variant, cell: Cell) -> list[int]:
    """A cell as row and column, in the game's own counting."""
    return list(variant.coordinates(cell))


def spots(variant: Variant, cells: Iterable[Cell]) -> list[list[int]]:
    """Several cells."""
    return [spot(variant, cell) for cell in cells]


def move(variant: Variant, made: Cell) -> Spot:
    """A move that was made: a cell, or the word swap."""
    return "swap" if made == SWAP else spot(variant, made)


def setup(variant: Variant) -> dict[str, Any]:
    """What is played, and on which board."""
    return {
        "game": variant.book.name,
        "board": str(variant.grid),
        "adjacency": str(variant.grid.adjacency),
    }


def played(game: Game) -> dict[str, Any]:
    """What is played, what was played so far, and whose turn it is (null once the game is over)."""
    return {
        **setup(game.variant),
        "swap": game.swap,
        "starts": game.starts,
        "moves": [move(game.variant, made) for made in game.moves],
        "to_move": None if game.outcome else game.turn,
    }


def standing(game: Game) -> dict[str, Any]:
    """A position: what led to it, what is legal now (an enforced pass already made), what stands where, who has won."""
    variant, outcome = game.variant, game.outcome
    rows, cols = variant.grid.rows, variant.grid.cols
    cells = [variant.content(game.position, cell) or "." for cell in range(variant.grid.size)]
    return {
        **played(game),
        "legal": [] if outcome else spots(variant, cells_of(game.legal)),
        "can_swap": game.can_swap,
        "passed": game.passing,
        "over": outcome is not None,
        "winner": outcome.winner if outcome else None,
        "termination": str(outcome.termination) if outcome else None,
        "rows": ["".join(cells[row * cols : (row + 1) * cols]) for row in range(rows)],
    }


def players(game: Game) -> list[str]:
    """What the players are called."""
    return [game.player_name(1), game.player_name(2)]
