"""Any game as a Gymnasium environment, in which the opponent is one of the computer's levels or any other agent.

>>> from gridlock.envs.gymnasium import Against
>>> env = Against("showdown", opponent="easy", side="first")
>>> observation, info = env.reset(seed=1)
>>> observation.shape, int(env.action_masks().sum())
((4, 5, 5), 25)

Observations and actions are described in `gridlock.envs.planes`. An illegal action loses the game, and
`info["illegal"]` says why. Once a game is over, all actions are in the mask: none counts, and no policy divides by 0.
`gymnasium.make("gridlock.envs.gymnasium:GridLock/Showdown-v0")` is another way to get it, with each game's own id;
`GridLock-v0` takes any game.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from gridlock.core import rules
from gridlock.core.errors import BadGame, IllegalMove
from gridlock.core.game import Game
from gridlock.core.grid import Cell
from gridlock.core.position import SWAP, Position
from gridlock.core.rulebook import RuleBook, Variant
from gridlock.envs import needs
from gridlock.envs.starts import Start, game_from, option_start, whole
from gridlock.envs.versions import IDS, VERSION
from gridlock.players import agents
from gridlock.players.player import Agent, FunctionPlayer

with needs("gymnasium"):
    import gymnasium
    import numpy as np
    from gymnasium.spaces import Box, Discrete
    from gymnasium.vector import AutoresetMode, SyncVectorEnv
    from numpy.typing import NDArray

    from gridlock.envs.frames import RENDER_MODES, Frame, check_render_mode, rendered
    from gridlock.envs.labels import Labels, judged
    from gridlock.envs.planes import PLANES, number, seen, why_illegal

SIDES = ("first", "second", "either")
REMEMBERED = 200_000  # positions for which the perfect level's reply is cached


class Against(gymnasium.Env[NDArray[np.int8], np.int64]):
    """One agent against an opponent that replies within the same step."""

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        game: str | Path | RuleBook | Variant,
        board: str | None = None,
        adjacency: str | None = None,
        *,
        opponent: str | Agent = "perfect",
        side: str = "either",
        seconds: float = 0.5,
        swap: bool = False,
        labels: bool = False,
        label_seconds: float | None = 1.0,
        render_mode: str | None = None,
    ) -> None:
        """Create an environment for a game against an opponent.

        The game is given by its name, its file or its rule book. The opponent is an agent's name or a function.
        `side` is the agent's side: "first" moves first, and "either" is random in every game (but first if the
        opponent's opening move would win at once). `seconds` is how long the opponent may think about a move that it
        cannot prove. The perfect level remembers its replies, so it always plays the same move in the same position.
        `labels` adds the exact value of every move to the infos; `label_seconds` limits the time for one label (None:
        no limit). If there is not enough time, the label has no distances. If there is not even enough time to
        compute the values, there is no label.
        """
        if side not in SIDES:
            raise BadGame(f"The side is first, second or either, not {side!r}.")
        if labels and swap:
            raise BadGame("Labels are not available with the swap rule. Turn off either the labels or the swap rule.")
        check_render_mode(render_mode)
        self.variant = rules.chosen(game, board, adjacency)
        self.opponent = opponent
        self.side = side
        self.seconds = seconds
        self.swap = swap
        self.render_mode = render_mode
        # Resolve the opponent's name now, so that an unknown name causes an error before the first game.
        self._opponent = agents.start(opponent) if isinstance(opponent, str) else _player(opponent)
        grid = self.variant.grid
        self._count = grid.size + swap
        self.observation_space = Box(0, 1, (len(PLANES), grid.rows, grid.cols), np.int8)
        self.action_space = Discrete(self._count)
        self._labels = Labels(self.variant) if labels else None
        self._label_seconds = label_seconds
        self._answers: dict[tuple[Position, int], int] = {}
        self._scores: dict[Cell, int] = {}  # the values of the current moves, if labels are on
        self._rng = Random(0)
        self._game: Game | None = None
        self._player = 1

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int8], dict[str, Any]]:
        """Start a new game from the empty board, or from `options["position"]`: a position, its text or a `Game`.

        A seed determines the agent's side and the opponent's random choices.
        """
        start = option_start(options)
        if seed is not None:
            seed = whole(seed, "A seed")
            self._rng = Random(seed)
        super().reset(seed=seed, options=options)
        self._player = SIDES.index(self.side) + 1 if self.side != "either" else self._rng.choice((1, 2))
        game = self._new_game(start)
        if game.outcome is not None and self.side == "either":
            self._player = 3 - self._player  # the opponent won with its first move, from which an agent learns nothing
            game = self._new_game(start)
        if game.outcome is not None:
            book, grid = self.variant.book, self.variant.grid
            raise BadGame(
                f"{book.name} on {grid} is over before the agent moves: choose a larger board or the other side."
            )
        return self._observe()

    def _new_game(self, start: Start | None) -> Game:
        if start is None:
            self._game = Game(self.variant, swap=self.swap)
        else:
            self._game = game_from(self.variant, start, swap=self.swap)
        self._answer(self._game)
        return self._game

    def step(self, action: Any) -> tuple[NDArray[np.int8], float, bool, bool, dict[str, Any]]:
        """Make a move, and let the opponent reply."""
        game, cell, size = self._current(), number(action, self._count), self.variant.grid.size
        if game.outcome is not None:  # reported and not raised, because Gymnasium's own checker takes further steps
            return self._bits()[0], 0.0, True, False, {"illegal": "The game is over: call reset() to begin another."}
        if cell < 0 or not self._actions(game) >> cell & 1:
            if cell == size and self.swap:
                why = "a swap is possible only as the second move"
            else:
                why = f"the cell is {why_illegal(self.variant, game.position, cell)}"
            game.resign(self._player)
            return self._bits()[0], -1.0, True, False, {"illegal": f"Action {cell}: {why}."}
        scores = self._scores
        game.push(SWAP if cell == size else cell)
        self._answer(game)
        outcome = game.outcome
        reward = 0.0 if outcome is None else 1.0 if outcome.winner == self._player else -1.0
        observation, info = self._observe()
        if scores:
            info["judgement"] = judged(scores, cell)._asdict()
        return observation, reward, outcome is not None, False, info

    def _answer(self, game: Game) -> None:
        """Let the opponent move until it is the agent's turn."""
        while game.outcome is None and game.turn != self._player:
            asked = game.position, len(game.moves) if game.swap and len(game.moves) < 2 else 2
            move = self._answers.get(asked)
            if move is None:
                move = self._opponent.choose(game, self._rng, self.seconds)
                if self.opponent == "perfect" and len(self._answers) < REMEMBERED:
                    self._answers[asked] = move
            game.push(move)

    def close(self) -> None:
        """Close the opponent."""
        self._opponent.close()
        super().close()

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the mask of legal actions in the form that MaskablePPO expects."""
        return self._bits()[1].view(np.bool_)

    def _actions(self, game: Game) -> int:
        """Return the set of legal actions or, once the game is over, the set of all actions."""
        if game.outcome is not None:
            return (1 << self._count) - 1
        return game.legal | game.can_swap << self.variant.grid.size

    def _bits(self) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
        """Return the agent's observation planes and its action mask."""
        game = self._current()
        position = game.position
        if game.player(position.turn) != self._player:
            position = position.passed()
        return seen(self.variant.grid, position, self._actions(game), self._count)

    def _observe(self) -> tuple[NDArray[np.int8], dict[str, Any]]:
        game, (planes, mask) = self._current(), self._bits()
        info: dict[str, Any] = {"action_mask": mask}
        if self._labels is not None and game.outcome is None:
            self._scores = self._labels.scores(game.position, self._label_seconds)
            if self._scores:
                info["labels"] = self._labels.label(self._scores)._asdict()  # becomes arrays in a vector environment
        return planes, info

    def _current(self) -> Game:
        if self._game is None:
            raise IllegalMove("There is no game yet: call reset() first.")
        return self._game

    def render(self) -> Frame | None:
        """Return the board as text or as a picture."""
        game = self._game
        if self.render_mode is None or game is None:
            return None
        is_over = game.outcome is not None and not game.resigned
        return rendered(self.render_mode, self.variant, game.position, game.last_cell, is_over)


def _player(agent: Agent) -> FunctionPlayer:
    """Return a player that calls an agent function."""
    if not callable(agent):
        raise BadGame(f"An opponent is an agent's name or a function of a game, a Random and seconds, not {agent!r}.")
    return FunctionPlayer(getattr(agent, "__name__", type(agent).__name__), partial(_same, agent))


def _same(agent: Agent) -> Agent:
    return agent


def vector(
    count: int, *arguments: Any, autoreset_mode: AutoresetMode = AutoresetMode.NEXT_STEP, **options: Any
) -> SyncVectorEnv:
    """Return a vector of `Against` environments; the autoreset mode defaults to NEXT_STEP, as in Gymnasium."""
    if (count := whole(count, "The number of environments")) < 1:
        raise BadGame(f"There is at least one environment, not {count}.")
    make = [lambda: Against(*arguments, **options)] * count
    return SyncVectorEnv(make, autoreset_mode=autoreset_mode)


gymnasium.register(f"GridLock-{VERSION}", "gridlock.envs.gymnasium:Against")
for _name, _id in IDS.items():
    gymnasium.register(_id, "gridlock.envs.gymnasium:Against", kwargs={"game": _name})
