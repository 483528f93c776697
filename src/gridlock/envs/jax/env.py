"""The environment: games that never leave the device, with the names that users of Pgx and mctx know."""

from dataclasses import dataclass, field
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.envs.jax import words
from gridlock.envs.jax.board import Board, Rules, chosen, positions
from gridlock.envs.jax.words import both, some
from gridlock.envs.planes import PLANES


@partial(
    jax.tree_util.register_dataclass,
    data_fields=("board", "current_player", "gain", "terminated", "truncated"),
    meta_fields=("env",),
)
@dataclass(frozen=True)
class State:
    """One game, or a batch of them: one number a game in every field, so that a step stays a single kernel.

    What is larger, `observation`, `legal_action_mask` and `rewards`, is made when it is asked for.
    """

    board: Board
    current_player: jax.Array  # 0 or 1: whose turn it is
    gain: jax.Array  # what the last step brought to player 0: 1 for a win, -1 for a loss, otherwise 0
    terminated: jax.Array
    truncated: jax.Array  # never: no game goes on for longer than there are cells
    env: "Env" = field(repr=False)

    @property
    def rewards(self) -> jax.Array:
        """What the last step brought to players 0 and 1: 1 to the winner and -1 to the loser at the end, 0 before."""
        return jnp.stack([self.gain, -self.gain], axis=-1)

    @property
    def legal_action_mask(self) -> jax.Array:
        """For every cell whether it may be taken; once the game is over, all True, so that no policy divides by 0."""
        legal = words.unpacked(self.env.rules.legal(self.board), self.env.num_actions)
        return legal | self.terminated[..., None]

    @property
    def observation(self) -> jax.Array:
        """The board as planes, seen by the player to move."""
        return self.env.observe(self)


@dataclass(frozen=True)
class Env:
    """A game on a board, as pure functions of one game's state (or of a batch's) for jit, vmap and scan."""

    variant: Variant

    rules: Rules = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", Rules(self.variant))

    @property
    def num_players(self) -> int:
        """Two."""
        return 2

    @property
    def num_actions(self) -> int:
        """One action a cell: row * columns + column, both from 0."""
        return self.variant.grid.size

    @property
    def observation_shape(self) -> tuple[int, int, int]:
        """Planes, rows and columns."""
        return len(PLANES), self.variant.grid.rows, self.variant.grid.cols

    def init(self, key: jax.Array | None = None) -> State:
        """A new game; with a key, chance says which player begins, without one it is player 0."""
        first = jnp.int32(0) if key is None else jax.random.bernoulli(key).astype(jnp.int32)
        board, legal, passes = self.rules.settled(chosen(first == 0, self.rules.start(1), self.rules.start(2)))
        player, over = first ^ passes, ~some(legal)
        return State(board, player, _gain(over, player, -1), over, jnp.zeros_like(over), self)

    def step(self, state: State, action: jax.Array, key: jax.Array | None = None) -> State:
        """The state once the player to move has taken a cell; no chance is involved, so that the key is not needed.

        Who takes a cell that is not legal has lost. In a game that is over nothing happens any more.
        """
        del key
        place = words.single(jnp.asarray(action), self.rules.count)
        mover, fair = state.current_player, some(both(place, self.rules.legal(state.board)))
        board, legal, passes = self.rules.settled(state.board.after(place))
        going_on = ~state.terminated & fair
        over = state.terminated | ~fair | ~some(legal)
        won = jnp.where(fair, 1, -1)
        return State(
            chosen(going_on, board, state.board),
            jnp.where(going_on, mover ^ 1 ^ passes, mover),
            _gain(over & ~state.terminated, mover, won),
            over,
            state.truncated,
            self,
        )

    def observe(self, state: State) -> jax.Array:
        """The planes of `gridlock.envs.planes`, seen by the player to move: truth values, 4 by rows by columns."""
        planes = [words.unpacked(cells, self.num_actions) for cells in state.board]
        stacked = jnp.stack(planes, axis=-2)
        return stacked.reshape(*stacked.shape[:-1], self.variant.grid.rows, self.variant.grid.cols)

    def positions(self, state: State) -> list[Position]:
        """The games of a batch as the rules and the engine know them; player 0 is side 1."""
        return positions(state.board, np.asarray(state.current_player) + 1)


def _gain(over: jax.Array, player: jax.Array, won: jax.Array | int) -> jax.Array:
    """What player 0 gets where a game has just ended and a player has won so much."""
    return jnp.where(over, jnp.where(player == 0, won, -won), 0).astype(jnp.float32)
