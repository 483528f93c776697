"""The JAX environment: games and random play that stay on the device, with names familiar from Pgx and mctx."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from gridlock.core.errors import BadGame, BadPosition
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.envs.jax.board import Board, Rules, both, cell_of, chosen, random_place, select, single, some, unpacked
from gridlock.envs.jax.pictures import boards_svg
from gridlock.envs.planes import PLANES
from gridlock.envs.starts import Start, game_from, whole
from gridlock.envs.versions import VERSION

_WORD = np.uint32


@partial(
    jax.tree_util.register_dataclass,
    data_fields=("board", "current_player", "gain", "terminated", "truncated", "_step_count"),
    meta_fields=("env",),
)
@dataclass(frozen=True)
class State:
    """The state of one game or of a batch of games.

    Every stored array has one number per game, so that a step can run as a single kernel. The larger arrays
    (`observation`, `legal_action_mask` and `rewards`) are computed on demand.
    """

    board: Board
    current_player: jax.Array  # 0 or 1: the player to move
    gain: jax.Array  # player 0's reward for the latest step: 1 for a win, -1 for a loss, otherwise 0
    terminated: jax.Array
    truncated: jax.Array  # always False, because no game lasts longer than there are cells
    _step_count: jax.Array  # the moves made in this game, as in Pgx
    env: "Env" = field(repr=False)

    @property
    def env_id(self) -> str:
        """The name of the environment."""
        return self.env.id

    @property
    def rewards(self) -> jax.Array:
        """The players' rewards for the latest step: 1 for winning the game, -1 for losing it, otherwise 0."""
        return jnp.stack([self.gain, 0 - self.gain], axis=-1)  # negating would turn 0 into -0

    @property
    def legal_action_mask(self) -> jax.Array:
        """Whether each cell is legal; all True once the game is over, so that no policy divides by 0.

        If an automatic restart has just replaced a finished game, the mask is that of the new game's first move, even
        though the state is marked as terminated.
        """
        legal = self.env.rules.legal(self.board)
        over = self.terminated & ((self._step_count > 0) | ~some(legal))
        return unpacked(legal, self.env.num_actions) | over[..., None]

    @property
    def observation(self) -> jax.Array:
        """The board as planes, from the perspective of the player to move."""
        return self.env.observe(self)

    def replace(self, **changes: Any) -> "State":
        """Return the state with new values for the given fields; `rewards` can be given as if it were a field."""
        if "rewards" in changes:
            changes["gain"] = changes.pop("rewards")[..., 0]
        return replace(self, **changes)

    def to_svg(self) -> str:
        """Return a picture of the board, or of the first boards of a batch."""
        return boards_svg(self.env.variant, self.env.positions(self))

    _repr_html_ = to_svg  # what a notebook shows

    def save_svg(self, filename: str | Path) -> None:
        """Write the picture to a file whose name ends with .svg."""
        if Path(filename).suffix != ".svg":
            raise BadGame(f"The file name '{filename}' must end with .svg.")
        Path(filename).write_text(self.to_svg(), encoding="utf-8")


@dataclass(frozen=True)
class Env:
    """A game on a board, as pure functions that take one state or a batch, and that work with jit, vmap and scan."""

    variant: Variant

    rules: Rules = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", Rules(self.variant))

    def __repr__(self) -> str:
        grid = self.variant.grid
        return f"<Env {self.id} {self.version}: {grid} {grid.adjacency}>"

    @property
    def id(self) -> str:
        """The environment's name, such as gridlock_showdown."""
        return f"gridlock_{self.variant.book.name}"

    @property
    def version(self) -> str:
        """The version of the observations, actions and rewards; see `gridlock.envs.versions` for when it changes."""
        return VERSION

    @property
    def num_players(self) -> int:
        """The number of players: two."""
        return 2

    @property
    def num_actions(self) -> int:
        """The number of actions, one per cell: row * columns + column, both from 0."""
        return self.variant.grid.size

    @property
    def observation_shape(self) -> tuple[int, int, int]:
        """The shape of an observation: planes, rows and columns."""
        return len(PLANES), self.variant.grid.rows, self.variant.grid.cols

    def init(self, key: jax.Array | None = None) -> State:
        """Return a new game; with a key, a random player starts, otherwise player 0."""
        first = jnp.int32(0) if key is None else jax.random.bernoulli(key).astype(jnp.int32)
        board, legal, passes = self.rules.settled(chosen(first == 0, self.rules.start(1), self.rules.start(2)))
        player, over = first ^ passes, ~some(legal)
        moves = jnp.zeros_like(player)
        return State(board, player, _gain(over, player, -1), over, jnp.zeros_like(over), moves, self)

    def from_positions(self, positions: Sequence[Start]) -> State:
        """Return a batch of games that start from given positions: `Position` objects, `Game` objects or strings."""
        if isinstance(positions, str) or not len(positions):
            raise BadPosition("A batch needs a non-empty list of starting positions.")
        given = [game_from(self.variant, one).position for one in positions]
        players = jnp.array([one.turn - 1 for one in given], jnp.int32)
        no = jnp.zeros(len(given), bool)
        return State(self.rules.boards(given), players, _gain(no, players, 0), no, no, jnp.zeros_like(players), self)

    def step(self, state: State, action: jax.Array, key: jax.Array | None = None) -> State:
        """Return the state after the player to move has taken a cell; `key` is ignored.

        A player who takes an illegal cell loses. A finished game no longer changes.
        """
        del key
        place = single(jnp.asarray(action), self.rules.count)
        mover, fair = state.current_player, some(both(place, self.rules.legal(state.board)))
        board, legal, passes = self.rules.settled(state.board.after(place))
        in_progress = ~state.terminated & fair
        over = state.terminated | ~fair | ~some(legal)
        won = jnp.where(fair, 1, -1)
        return State(
            chosen(in_progress, board, state.board),
            jnp.where(in_progress, mover ^ 1 ^ passes, mover),
            _gain(over & ~state.terminated, mover, won),
            over,
            state.truncated,
            jnp.where(state.terminated, state._step_count, state._step_count + 1),
            self,
        )

    def observe(self, state: State) -> jax.Array:
        """Return the planes of `gridlock.envs.planes` for the player to move, as a Boolean array.

        The array has the shape (4, rows, columns).
        """
        planes = [unpacked(cells, self.num_actions) for cells in state.board]
        stacked = jnp.stack(planes, axis=-2)
        return stacked.reshape(*stacked.shape[:-1], self.variant.grid.rows, self.variant.grid.cols)

    def positions(self, state: State) -> list[Position]:
        """Return the games of a batch as `Position` objects, in which player 0 is side 1."""
        return state.board.positions(np.asarray(state.current_player) + 1)


def _gain(over: jax.Array, player: jax.Array, won: jax.Array | int) -> jax.Array:
    """Return player 0's reward in games that have just ended: `won` if `player` is 0, otherwise `-won`."""
    return jnp.where(over, jnp.where(player == 0, won, -won), 0).astype(jnp.float32)


Step = Callable[..., State]


def auto_reset(step: Step, init: Callable[[jax.Array], State]) -> Step:
    """Return a step function that restarts finished games at once, as `pgx.experimental.auto_reset` does.

    After a restart, the state is that of the new game, except that `terminated`, `truncated` and `rewards` describe the
    game that has ended. Call the returned function for one game at a time (use vmap for a batch), with a key that
    decides who starts the next game.
    """

    def stepped(state: State, action: jax.Array, key: jax.Array) -> State:
        now, later = jax.random.split(key)
        state = step(state.replace(terminated=jnp.zeros_like(state.terminated)), action, now)
        new = init(later).replace(terminated=state.terminated, truncated=state.truncated, gain=state.gain)
        over = state.terminated | state.truncated
        chosen_state: State = jax.tree.map(lambda fresh, old: jnp.where(over, fresh, old), new, state)
        return chosen_state

    return stepped


# -- random legal moves at the speed of the device, with one 32-bit random number per game ----------------------------


def dice(games: int, seed: int) -> jax.Array:
    """Return the initial random number of every game: hashed from the seed, and never 0."""
    seed = whole(seed, "A seed") * 0x9E3779B9 & 0xFFFFFFFF
    bits = jnp.arange(whole(games, "The number of games"), dtype=_WORD) + _WORD(seed)
    bits = (bits ^ bits >> _WORD(16)) * _WORD(0x85EBCA6B)
    bits = (bits ^ bits >> _WORD(13)) * _WORD(0xC2B2AE35)
    return jnp.maximum(bits ^ bits >> _WORD(16), _WORD(1))


def rolled(dice: jax.Array) -> jax.Array:
    """Return the next random numbers: xorshift by 13, 17 and 5, which visits every number except 0."""
    dice = dice ^ dice << _WORD(13)
    dice = dice ^ dice >> _WORD(17)
    return dice ^ dice << _WORD(5)


def random_action(state: State, dice: jax.Array) -> jax.Array:
    """Choose a random legal action, with equal probabilities; in a finished game, choose action 0."""
    return cell_of(random_place(state.env.rules.legal(state.board), dice))


class Rolling(NamedTuple):
    """Games played with random moves: the boards, the random numbers, and the number of games finished in each slot."""

    board: Board
    dice: jax.Array
    ended: jax.Array


def rolling(env: Env, games: int, seed: int) -> Rolling:
    """Return new games for `random_moves`."""
    board = jax.tree.map(lambda word: jnp.full(games, word), env.rules.start())
    return Rolling(board, dice(games, seed), jnp.zeros(games, _WORD))


@partial(jax.jit, static_argnums=(0, 2, 3))
def random_moves(env: Env, games: Rolling, moves: int, unroll: int = 1) -> Rolling:
    """Make a number of random moves in every game; a finished game restarts at once."""
    start, opening, _ = env.rules.settled(env.rules.start())

    def one(games: Rolling, _step: None) -> tuple[Rolling, None]:
        board, legal, _ = env.rules.settled(games.board)
        over = ~some(legal)
        board, legal, dice = chosen(over, start, board), select(over, opening, legal), rolled(games.dice)
        return Rolling(board.after(random_place(legal, dice)), dice, games.ended + over.astype(_WORD)), None

    return lax.scan(one, games, None, length=moves, unroll=unroll)[0]
