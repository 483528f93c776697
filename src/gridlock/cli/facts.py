"""The JSON that commands print, with the same names in every command (docs/json.md)."""

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from gridlock.core.game import SWAP, Game
from gridlock.core.grid import Cell, cells_of
from gridlock.core.rulebook import Variant

if TYPE_CHECKING:
    from gridlock.engine.evidence import Verdict
    from gridlock.engine.solve import Entry


def print_json(facts: object) -> None:
    """Print an answer as one line of JSON."""
    print(json.dumps(facts), flush=True)


def spot(variant: Variant, cell: Cell) -> list[int]:
    """Return a cell as row and column, counted as the game counts them."""
    return list(variant.coordinates(cell))


def spots(variant: Variant, cells: Iterable[Cell]) -> list[list[int]]:
    """Return several cells as rows and columns."""
    return [spot(variant, cell) for cell in cells]


def move(variant: Variant, made: Cell) -> list[int] | str:
    """Return a move: a cell, or the word swap."""
    return "swap" if made == SWAP else spot(variant, made)


def setup(variant: Variant) -> dict[str, Any]:
    """Return the game and its board."""
    return {"game": variant.book.name, "board": str(variant.grid), "adjacency": str(variant.grid.adjacency)}


def played(game: Game) -> dict[str, Any]:
    """Return the game, its moves so far, and the player to move (null once the game is over)."""
    return {
        **setup(game.variant),
        "swap": game.swap,
        "starts": game.starts,
        "moves": [move(game.variant, made) for made in game.moves],
        "to_move": None if game.outcome else game.turn,
    }


def standing(game: Game) -> dict[str, Any]:
    """Return a position: the moves so far, the legal moves (after an enforced pass), the board, and the winner."""
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
    """Return the players' names."""
    return [game.player_name(1), game.player_name(2)]


def winner(verdict: "Verdict", turn: int = 1) -> int | None:
    """Return the player who wins, from a verdict for the player to move."""
    return {"win": turn, "loss": 3 - turn}.get(verdict)


def solved(entry: "Entry") -> dict[str, Any]:
    """Return a board, its winner, and how the winner is known."""
    known = winner(entry.verdict)
    return {"board": f"{entry.rows}x{entry.cols}", "winner": known, "method": known and str(entry.method)}
