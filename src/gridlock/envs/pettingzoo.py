"""Any game as a PettingZoo environment for two agents that take turns.

>>> from gridlock.envs.pettingzoo import env
>>> game = env(game="showdown", board="4x6")
>>> game.reset()
>>> observation, reward, terminated, truncated, info = game.last()
>>> observation["observation"].shape, int(observation["action_mask"].sum())
((4, 4, 6), 24)

Observations and actions are described in `gridlock.envs.planes`. The games have no randomness, so a seed has no effect.
`reset(options={"position": ...})` starts from a position, its text or a `Game`. Once this module is imported, you can
also create an environment by its id, as in `pettingzoo.make("aec", "GridLock/Showdown-v0")`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gridlock.core import rules
from gridlock.core.errors import BadGame, IllegalMove
from gridlock.core.grid import Cell
from gridlock.core.rulebook import RuleBook, Variant
from gridlock.envs import needs
from gridlock.envs.starts import check_first_move, game_from
from gridlock.envs.versions import IDS, VERSION

with needs("pettingzoo"):
    import numpy as np
    import pettingzoo
    from gymnasium.spaces import Box, Dict, Discrete
    from numpy.typing import NDArray
    from pettingzoo import AECEnv
    from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

    from gridlock.envs.frames import RENDER_MODES, Frame, check_render_mode, rendered
    from gridlock.envs.labels import Labels, judged
    from gridlock.envs.planes import PLANES, number, seen, settle, why_illegal

AGENTS = ("player_1", "player_2")
WAITING = ("zeros", "ones")


def env(*arguments: Any, **options: Any) -> Any:
    """Return the environment in PettingZoo's usual wrappers: illegal actions lose, and calls at the wrong time fail."""
    made = raw_env(*arguments, **options)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(TerminateIllegalWrapper(made, illegal_reward=-1)))


class raw_env(AECEnv):  # the name PettingZoo's users expect
    """The environment itself, without wrappers."""

    metadata = {  # noqa: RUF012
        "render_modes": list(RENDER_MODES),
        "name": f"gridlock_{VERSION}",
        "is_parallelizable": False,
        "render_fps": 4,
    }

    def __init__(
        self,
        game: str | Path | RuleBook | Variant,
        board: str | None = None,
        adjacency: str | None = None,
        *,
        swap: bool = False,
        waiting_mask: str = "zeros",
        labels: bool = False,
        label_seconds: float | None = 1.0,
        render_mode: str | None = None,
    ) -> None:
        """Create an environment for a game, which is given by its name, its file or its rule book.

        `labels` adds the exact value of every move to the infos; `label_seconds` limits the time for one label (None:
        no limit). If there is not enough time, the label has no distances. If there is not even enough time to
        compute the values, there is no label. `waiting_mask` is "zeros", as is usual in PettingZoo, or "ones" for
        frameworks that turn the waiting agent's mask into a distribution.
        """
        super().__init__()
        if waiting_mask not in WAITING:
            raise BadGame(f"The waiting agent's mask is zeros or ones, not {waiting_mask!r}.")
        if labels and swap:
            raise BadGame("Labels are not available with the swap rule. Turn off either the labels or the swap rule.")
        check_render_mode(render_mode)
        self.variant = rules.chosen(game, board, adjacency)
        check_first_move(self.variant)
        self.metadata = self.metadata | {"name": f"gridlock_{self.variant.book.name}_{VERSION}"}
        self.swap = swap
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        grid = self.variant.grid
        self._count = grid.size + swap
        self._waiting = (1 << self._count) - 1 if waiting_mask == "ones" else 0
        self._labels = Labels(self.variant) if labels else None
        self._label_seconds = label_seconds
        self._scores: dict[Cell, int] = {}  # the values of the current moves, if they are known
        self._actions = 0
        planes, mask = (len(PLANES), grid.rows, grid.cols), (self._count,)
        self.observation_spaces = {
            agent: Dict({"observation": Box(0, 1, planes, np.int8), "action_mask": Box(0, 1, mask, np.int8)})
            for agent in AGENTS
        }
        self.action_spaces = {agent: Discrete(self._count) for agent in AGENTS}
        self.state_space = Box(0, 1, (len(PLANES) + 1, grid.rows, grid.cols), np.int8)

    def observation_space(self, agent: str) -> Any:
        """Return an agent's observation space: planes and a mask."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return an agent's action space: one action for each cell, and one for swapping if the swap rule is on."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Start a new game from the empty board, or from `options["position"]`; a seed has no effect.

        Other options are ignored, because PettingZoo's own tests supply options that do not exist.
        """
        start = (options or {}).get("position")
        game = None if start is None else game_from(self.variant, start, swap=self.swap)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self._position = self.variant.start() if game is None else game.positions[-1]
        self._sides = AGENTS if game is None or not game.swapped else (AGENTS[1], AGENTS[0])
        self._last = None if game is None else game.last_cell
        self._until_swap = (1 if game is None else 1 - len(game.moves) if game.swap else -1) if self.swap else -1
        self._update()
        self.agent_selection = self._sides[self._position.turn - 1]

    def step(self, action: int | None) -> None:
        """Make a move for the agent whose turn it is."""
        if not self.agents:
            raise IllegalMove("The game is over or has not started: call reset() first.")
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        cell = number(action, self._count)
        if cell < 0 or not self._actions >> cell & 1:
            self._reject(cell)
        if self._labels is not None:
            self.infos[agent] = {"judgement": judged(self._scores, cell)} if self._scores else {}
        self._until_swap -= 1
        if cell == self.variant.grid.size:  # a swap, after which the other agent plays the position
            self._sides = (AGENTS[1], AGENTS[0])
        else:
            self._position, self._last = self._position.after(cell), cell
        self._update()
        self._cumulative_rewards[agent] = 0
        if self.terminations[agent]:
            self._accumulate_rewards()
            self.agent_selection = AGENTS[agent == AGENTS[0]]
        else:
            self.agent_selection = self._sides[self._position.turn - 1]

    def _update(self) -> None:
        """Make a forced pass if necessary, and update the legal actions; if there are none, end the game."""
        self._position, self._actions = settle(self.variant, self._position, self._until_swap == 0)
        if not self._actions:
            winner = self._sides[2 - self._position.turn]
            self.rewards = {agent: 1 if agent == winner else -1 for agent in AGENTS}
            self.terminations = dict.fromkeys(AGENTS, True)
        elif self._labels is not None:
            self._scores = self._labels.scores(self._position, self._label_seconds)
            if self._scores:
                self.infos[self._sides[self._position.turn - 1]]["labels"] = self._labels.label(self._scores)

    def _reject(self, cell: int) -> None:
        """Raise an error that says why an action is not possible."""
        if cell == self.variant.grid.size and self.swap:
            raise IllegalMove(f"Action {cell} swaps sides, which is possible only as the second move.")
        why = why_illegal(self.variant, self._position, cell)
        raise IllegalMove(f"Action {cell} is not possible: the cell is {why}. See action_mask for the legal moves.")

    def observe(self, agent: str) -> dict[str, Any]:
        """Return an agent's observation, whether or not it is the agent's turn."""
        if agent not in AGENTS:
            raise BadGame(f"There is no agent called {agent!r}. The agents are {' and '.join(AGENTS)}.")
        position = self._position
        if agent == self._sides[position.turn - 1]:
            actions = self._actions if agent == self.agent_selection else self._waiting
        else:
            position, actions = position.passed(), self._waiting
        planes, mask = seen(self.variant.grid, position, actions, self._count)
        return {"observation": planes, "action_mask": mask}

    def state(self) -> NDArray[np.int8]:
        """Return the whole state: the planes from player_1's perspective, and a plane that shows whose turn it is.

        The last plane holds ones on player_1's turn, and zeros on player_2's turn.
        """
        turn = self._sides[self._position.turn - 1] == AGENTS[0]
        planes, _ = seen(self.variant.grid, self._position if turn else self._position.passed(), 0, 0)
        return np.concatenate([planes, np.full((1, *planes.shape[1:]), turn, np.int8)])

    def render(self) -> Frame | None:
        """Return the board as text or as a picture."""
        if self.render_mode is None:
            return None
        return rendered(self.render_mode, self.variant, self._position, self._last, not self._actions)


for _name, _id in IDS.items():
    pettingzoo.register("aec", _id, env, kwargs={"game": _name})
