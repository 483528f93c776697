"""An agent trained by self-play: a small neural network without search (install the `learned` extra).

`examples/alphazero` trained the network with the functions of this module on JAX; here they run on NumPy. The network's
input consists of the board, its adjacency, and the properties that describe what a marker does. One network can
therefore play every game that has these properties, on every board. The network is strong only in the games and on the
boards that it was trained on.
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
        "The 'learned' agent needs NumPy. Install it with: pip install 'gridlock-games[learned]'"
    ) from None

if TYPE_CHECKING:
    from random import Random

Weights = dict[str, Any]  # NumPy or JAX arrays, keyed by name

FEATURES = 11  # mine, theirs, my head, their head, legal, and the six properties of the game


def properties(variant: Variant) -> tuple[bool, ...]:
    """Return six properties of a game: the first five describe its shape, and the last its adjacency."""
    shape = variant.shape
    if shape is None:
        raise GridLockError(f"The 'learned' agent cannot play {variant.book.name}, which has its own rule functions.")
    near, away = (shape.follows == way for way in ("near", "away"))
    return shape.closes_own, shape.closes_other, near, away, shape.pawn, variant.grid.adjacency == "king"


def features(planes: Any, legal: Any, game: tuple[bool, ...], xp: Any = np) -> Any:
    """Return the network's input: four planes, the mask of legal cells, and the game's properties for every cell."""
    rows, cols = planes.shape[-2:]
    mask = legal.reshape(*legal.shape[:-1], 1, rows, cols)
    board = xp.moveaxis(xp.concatenate([planes, mask], axis=-3), -3, -1).astype(xp.float32)
    same = xp.broadcast_to(xp.asarray(game, xp.float32), (*board.shape[:-1], len(game)))
    return xp.concatenate([board, same], axis=-1)


def network(weights: Weights, seen: Any, xp: Any = np) -> tuple[Any, Any]:
    """Return a logit for each cell, and the value, from 1 (the side to move wins) to -1 (it loses).

    The network has an entry layer, then residual blocks of two layers each; every layer is a 3x3 convolution.
    """
    board = _layer(seen.astype(weights["entry"].dtype), weights["entry"], xp)
    for block in range(sum(name.startswith("first") for name in weights)):
        inner = xp.maximum(_layer(_normalise(board, xp), weights[f"first{block}"], xp), 0)
        board = board + _layer(inner, weights[f"second{block}"], xp)
    board = xp.maximum(_normalise(board, xp), 0)
    logits = (board @ weights["policy"])[..., 0]
    whole = xp.concatenate([board.mean((-3, -2)), board.max((-3, -2))], axis=-1)
    value = xp.maximum(whole @ weights["value1"], 0) @ weights["value2"]
    return logits.reshape(*logits.shape[:-2], -1), xp.tanh(value[..., 0])


def _layer(board: Any, weights: Any, xp: Any) -> Any:
    """Apply a 3x3 convolution with zero padding."""
    rows, cols = board.shape[-3:-1]
    wide = xp.pad(board, [(0, 0)] * (board.ndim - 3) + [(1, 1), (1, 1), (0, 0)])
    near = [wide[..., down : down + rows, right : right + cols, :] for down in range(3) for right in range(3)]
    return xp.concatenate(near, axis=-1) @ weights


def _normalise(board: Any, xp: Any) -> Any:
    """Scale each cell's values to a mean square of 1 (RMS normalisation)."""
    return board / xp.sqrt((board * board).mean(-1, keepdims=True) + 1e-6)


@cache
def trained() -> Weights:
    """Return the weights that come with the package."""
    with files("gridlock.players").joinpath("learned.npz").open("rb") as file, np.load(file) as arrays:
        return {name: arrays[name].astype(np.float32) for name in arrays.files}


def evaluate(variant: Variant, position: Position) -> tuple[Any, float]:
    """Return the network's logits and value for a position."""
    size, legal = variant.grid.size, variant.legal(position)
    heads = (0 if head is None else 1 << head for head in (position.my_head, position.their_head))
    sets = (position.mine, position.theirs, *heads, legal)
    bits = np.array([[cells >> cell & 1 for cell in range(size)] for cells in sets])
    planes = bits[:4].reshape(4, variant.grid.rows, variant.grid.cols)
    logits, value = network(trained(), features(planes, bits[4], properties(variant)))
    return logits, float(value)


def learned(game: Game, _rng: Random, _think: float) -> int:
    """Choose the legal cell with the highest logit.

    Under the swap rule, make the most balanced first move, and swap if the other side is better.
    """
    variant, position = game.variant, game.position
    if game.can_swap and (not game.legal or evaluate(variant, position)[1] < 0):
        return SWAP
    cells = cells_of(game.legal)
    if game.swap_ahead:
        return min(cells, key=lambda cell: abs(evaluate(variant, position.after(cell))[1]))
    logits, _ = evaluate(variant, position)
    return max(cells, key=lambda cell: float(logits[cell]))
