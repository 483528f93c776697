"""The games on JAX: pure functions for jit, vmap and scan that play up to millions of games at once (extra `jax`)."""

from pathlib import Path

from gridlock.core import rules
from gridlock.envs import needs

with needs("jax"):
    import jax as jax
from gridlock.core.rulebook import RuleBook, Variant
from gridlock.envs.jax.board import MOST_CELLS
from gridlock.envs.jax.env import Env, Rolling, State, auto_reset, dice, random_action, random_moves, rolled, rolling

__all__ = [
    "MOST_CELLS",
    "Env",
    "Rolling",
    "State",
    "auto_reset",
    "dice",
    "make",
    "random_action",
    "random_moves",
    "rolled",
    "rolling",
]


def make(game: str | Path | RuleBook | Variant, board: str | None = None, adjacency: str | None = None) -> Env:
    """Return the environment of a game, given its name, its TOML file, its rule book or its variant."""
    return Env(rules.chosen(game, board, adjacency))
