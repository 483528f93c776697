"""Any game as a Gymnasium environment, against one of the computer's levels or any other agent.

>>> from gridlock.envs.gymnasium import Against
>>> env = Against("showdown", opponent="easy", side="first")
>>> observation, info = env.reset(seed=1)
>>> observation.shape, int(env.action_masks().sum())
((4, 5, 5), 25)

Observations and actions are described in `gridlock.envs.planes`. An illegal action loses the game, and
`info["illegal"]` says why. `gymnasium.make("gridlock.envs.gymnasium:GridLock-v0", game=...)` is another way to get it.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

from gridlock.core import rules
from gridlock.core.errors import BadGame, IllegalMove
from gridlock.core.game import Game
from gridlock.core.grid import Cell
from gridlock.core.position import Position
from gridlock.core.rulebook import RuleBook, Variant
from gridlock.envs import needs
from gridlock.players import agents

with needs("gymnasium"):
    import gymnasium
    import numpy as np
    from gymnasium.spaces import Box, Discrete
    from gymnasium.vector import AutoresetMode, SyncVectorEnv
    from numpy.typing import NDArray

    from gridlock.envs.labels import Labels, judged
    from gridlock.envs.planes import PLANES, check_render_mode, number, seen, why_illegal

SIDES = ("first", "second", "either")
REMEMBERED = 200_000  # positions for which the perfect level's reply is cached


class Against(gymnasium.Env[NDArray[np.int8], np.int64]):
    """One agent against an opponent that replies within the same step."""

    metadata = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        game: str | Path | RuleBook | Variant,
        board: str | None = None,
        adjacency: str | None = None,
        *,
        opponent: str = "perfect",
        side: str = "either",
        seconds: float = 0.5,
        labels: bool = False,
        render_mode: str | None = None,
    ) -> None:
        """Take a game by its name, file or rule book, and the opponent by its agent name.

        `side` is the agent's: "first" moves first, and "either" is random in every game (but first if the opponent's
        opening move would win at once). `seconds` is how long the opponent may think about a move that it cannot
        prove; `labels` adds the exact value of every move to the infos. The perfect level remembers its replies, so it
        always answers a position the same way.
        """
        if side not in SIDES:
            raise BadGame(f"The side is first, second or either, not {side!r}.")
        check_render_mode(render_mode)
        self.variant = rules.chosen(game, board, adjacency)
        self.opponent = opponent
        self.side = side
        self.seconds = seconds
        self.render_mode = render_mode
        self._opponent = agents.start(opponent)  # now, so that an unknown name fails before the first game
        grid = self.variant.grid
        self.observation_space = Box(0, 1, (len(PLANES), grid.rows, grid.cols), np.int8)
        self.action_space = Discrete(grid.size)
        self._labels = Labels(self.variant) if labels else None
        self._answers: dict[Position, int] = {}
        self._scores: dict[Cell, int] = {}  # the values of the current moves, if labels are on
        self._rng = Random(0)
        self._game: Game | None = None
        self._player = 1

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int8], dict[str, Any]]:
        """Start a new game; a seed determines the agent's side and the opponent's random choices."""
        super().reset(seed=seed, options=options)
        if seed is not None:
            self._rng = Random(seed)
        self._player = SIDES.index(self.side) + 1 if self.side != "either" else self._rng.choice((1, 2))
        game = self._new_game()
        if game.outcome is not None and self.side == "either":
            self._player = 1  # the opponent's first move won, and there is nothing to learn from that
            game = self._new_game()
        if game.outcome is not None:
            book, grid = self.variant.book, self.variant.grid
            raise BadGame(f"{book.name} on {grid} is over before the agent moves: take a larger board or another side.")
        return self._observe()

    def _new_game(self) -> Game:
        self._game = Game(self.variant)
        self._answer(self._game)
        return self._game

    def step(self, action: Any) -> tuple[NDArray[np.int8], float, bool, bool, dict[str, Any]]:
        """Make a move, and let the opponent reply."""
        game, cell = self._current(), number(action, self.variant.grid.size)
        if game.outcome is not None:  # reported and not raised, because Gymnasium's own checker steps on
            return self._bits()[0], 0.0, True, False, {"illegal": "The game is over: call reset() to begin another."}
        if cell < 0 or not game.legal >> cell & 1:
            why = why_illegal(self.variant, game.position, cell)
            game.resign(self._player)
            return self._bits()[0], -1.0, True, False, {"illegal": f"Action {cell}: the cell is {why}."}
        scores = self._scores
        game.push(cell)
        self._answer(game)
        outcome = game.outcome
        reward = 0.0 if outcome is None else 1.0 if outcome.winner == self._player else -1.0
        observation, info = self._observe()
        if scores:
            info["judgement"] = judged(scores, cell)
        return observation, reward, outcome is not None, False, info

    def _answer(self, game: Game) -> None:
        """Let the opponent move until it is the agent's turn."""
        while game.outcome is None and game.turn != self._player:
            position = game.position
            move = self._answers.get(position)
            if move is None:
                move = self._opponent.choose(game, self._rng, self.seconds)
                if self.opponent == "perfect" and len(self._answers) < REMEMBERED:
                    self._answers[position] = move
            game.push(move)

    def close(self) -> None:
        """Close the opponent."""
        self._opponent.close()
        super().close()

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the mask of the legal actions, as MaskablePPO expects it."""
        return self._bits()[1].view(np.bool_)

    def _bits(self) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
        """Return the agent's planes and its action mask."""
        game = self._current()
        position = game.position
        if position.turn != self._player:
            position = position.passed()
        legal = game.legal if game.outcome is None else 0
        return seen(self.variant.grid, position, legal, self.variant.grid.size)

    def _observe(self) -> tuple[NDArray[np.int8], dict[str, Any]]:
        game, (planes, mask) = self._current(), self._bits()
        info: dict[str, Any] = {"action_mask": mask}
        if self._labels is not None and game.outcome is None:
            self._scores = self._labels.scores(game.position)
            info["labels"] = self._labels.label(self._scores)
        return planes, info

    def _current(self) -> Game:
        if self._game is None:
            raise IllegalMove("There is no game yet: call reset() first.")
        return self._game

    def render(self) -> str | None:
        """Return the board as text."""
        return None if self.render_mode is None or self._game is None else str(self._game)


def vector(
    count: int, *arguments: Any, autoreset_mode: AutoresetMode = AutoresetMode.NEXT_STEP, **options: Any
) -> SyncVectorEnv:
    """Return a vector of these environments; the autoreset mode is Gymnasium's default unless you give another."""
    if count < 1:
        raise BadGame(f"There is at least one environment, not {count}.")
    make = [lambda: Against(*arguments, **options)] * count
    return SyncVectorEnv(make, autoreset_mode=autoreset_mode)


gymnasium.register("GridLock-v0", "gridlock.envs.gymnasium:Against")
