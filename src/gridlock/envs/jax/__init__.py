"""The games as pure JAX functions, for jit, vmap and scan; they can play millions of games at once (extra `jax`)."""

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
    """Return the environment for a game, which may be given as a name, a TOML file, a rule book or a variant."""
    return Env(rules.chosen(game, board, adjacency))
