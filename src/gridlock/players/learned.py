"""An agent that has learned by playing itself: a small network, and no search at all (extra `learned`).

The network was made by `examples/alphazero`, which trains the very functions of this module on JAX; here NumPy runs
them. It sees the board and what the game's shape says, and nothing else: one network plays every game on every board,
though well only where it has learned.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from gridlock.core.errors import AgentFailed, GridLockError
from gridlock.core.game import SWAP, Game
from gridlock.core.grid import cells_of
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant

try:
    import numpy as np
except ImportError:
    raise AgentFailed(
        "The agent 'learned' needs NumPy. Install it with: pip install 'gridlock-games[learned]'"
    ) from None

if TYPE_CHECKING:
    from random import Random

Weights = dict[str, Any]  # arrays by name, of NumPy or of JAX

FEATURES = 11  # mine, theirs, my head, their head, legal, and six that say which game it is


def properties(variant: Variant) -> tuple[bool, ...]:
    """Which game it is, in six words: what its shape says, and which cells touch."""
    shape = variant.shape
    if shape is None:
        raise GridLockError(
            f"The agent 'learned' knows games that a shape describes; {variant.book.name} has functions of its own."
        )
    near, away = (shape.follows == way for way in ("near", "away"))
    return shape.closes_own, shape.closes_other, near, away, shape.pawn, variant.grid.adjacency == "king"


def features(planes: Any, legal: Any, game: tuple[bool, ...], xp: Any = np) -> Any:
    """What the network sees: four planes and the mask of legal cells, then the game's properties all over the board."""
    rows, cols = planes.shape[-2:]
    mask = legal.reshape(*legal.shape[:-1], 1, rows, cols)
    board = xp.moveaxis(xp.concatenate([planes, mask], axis=-3), -3, -1).astype(xp.float32)
    same = xp.broadcast_to(xp.asarray(game, xp.float32), (*board.shape[:-1], len(game)))
    return xp.concatenate([board, same], axis=-1)


def network(weights: Weights, seen: Any, xp: Any = np) -> tuple[Any, Any]:
    """How much each cell appeals (logits), and who will win: 1 the side to move, -1 the other.

    A layer for the features, then residual blocks of two layers each; a layer looks at a cell and the eight around it.
    """
    board = _layer(seen.astype(weights["entry"].dtype), weights["entry"], xp)
    for block in range(sum(name.startswith("first") for name in weights)):
        inner = xp.maximum(_layer(_even(board, xp), weights[f"first{block}"], xp), 0)
        board = board + _layer(inner, weights[f"second{block}"], xp)
    board = xp.maximum(_even(board, xp), 0)
    logits = (board @ weights["policy"])[..., 0]
    whole = xp.concatenate([board.mean((-3, -2)), board.max((-3, -2))], axis=-1)
    value = xp.maximum(whole @ weights["value1"], 0) @ weights["value2"]
    return logits.reshape(*logits.shape[:-2], -1), xp.tanh(value[..., 0])


def _layer(board: Any, weights: Any, xp: Any) -> Any:
    """Every cell with its eight neighbours (nothing beyond the edge), times the weights."""
    rows, cols = board.shape[-3:-1]
    wide = xp.pad(board, [(0, 0)] * (board.ndim - 3) + [(1, 1), (1, 1), (0, 0)])
    near = [wide[..., down : down + rows, right : right + cols, :] for down in range(3) for right in range(3)]
    return xp.concatenate(near, axis=-1) @ weights


def _even(board: Any, xp: Any) -> Any:
    """Every cell's values scaled to a mean square of 1, so that depth does no harm."""
    return board / xp.sqrt((board * board).mean(-1, keepdims=True) + 1e-6)


@cache
def trained() -> Weights:
    """The network that comes with the package."""
    with files("gridlock.players").joinpath("learned.npz").open("rb") as file, np.load(file) as arrays:
        return {name: arrays[name].astype(np.float32) for name in arrays.files}


def judged(variant: Variant, position: Position) -> tuple[Any, float]:
    """What the network thinks of a position: how much each cell appeals, and who will win."""
    size, legal = variant.grid.size, variant.legal(position)
    heads = (0 if head is None else 1 << head for head in (position.my_head, position.their_head))
    sets = (position.mine, position.theirs, *heads, legal)
    bits = np.array([[cells >> cell & 1 for cell in range(size)] for cells in sets])
    planes = bits[:4].reshape(4, variant.grid.rows, variant.grid.cols)
    logits, value = network(trained(), features(planes, bits[4], properties(variant)))
    return logits, float(value)


def learned(game: Game, _rng: Random, _think: float) -> int:
    """The legal cell that appeals most; with the swap rule, an even opening, and then the better side."""
    variant, position = game.variant, game.position
    if game.can_swap and (not game.legal or judged(variant, position)[1] < 0):
        return SWAP
    cells = cells_of(game.legal)
    if game.swap_ahead:
        return min(cells, key=lambda cell: abs(judged(variant, position.after(cell))[1]))
    logits, _ = judged(variant, position)
    return max(cells, key=lambda cell: float(logits[cell]))
