"""All games for OpenSpiel, registered when this module is imported; the board is given by parameters.

>>> import pyspiel
>>> import gridlock.envs.openspiel
>>> game = pyspiel.load_game("gridlock_showdown(rows=4,cols=6,adjacency=king)")
>>> game.num_distinct_actions()
24

Observations and actions are described in `gridlock.envs.planes`. `register` adds a game of your own. A state can be
written as a struct or as JSON (`state.to_json()`). `game.new_initial_state(...)` accepts a struct, the same data as a
dict, or a position.
"""

from __future__ import annotations

from typing import Any

from gridlock.core.errors import BadGame, IllegalMove
from gridlock.core.grid import cells_of
from gridlock.core.rulebook import RuleBook, Variant
from gridlock.core.rules import RULE_BOOKS, variant
from gridlock.core.snapshot import NOTHING, PENDING, SWAPPED, position_text
from gridlock.drawing.text import plain_board
from gridlock.envs import needs
from gridlock.envs.starts import Start, game_from

with needs("openspiel"):
    import numpy as np
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame

    from gridlock.envs.planes import PLANES, seen, settle

TERMINAL = pyspiel.PlayerId.TERMINAL
PREFIX = "gridlock_"


def register(book: RuleBook) -> str:
    """Register a game with OpenSpiel, and return its OpenSpiel name."""
    name = PREFIX + book.name
    if name in pyspiel.registered_names():
        raise BadGame(f"OpenSpiel already knows a game called {name}. Choose another name.")
    rows, cols = book.board
    kind = pyspiel.GameType(
        short_name=name,
        long_name=f"GridLock: {book.title}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"rows": rows, "cols": cols, "adjacency": str(book.adjacency), "swap": False},
    )
    pyspiel.register_game(kind, Creator(book, kind))
    return name


class Creator:
    """A factory that OpenSpiel calls to create games that follow one rule book."""

    def __init__(self, book: RuleBook, kind: Any) -> None:
        self.book, self.kind = book, kind
        self.itself = self  # never freed, because OpenSpiel would free it after Python has shut down, and crash

    def __call__(self, params: dict[str, Any]) -> GridLockGame:
        return GridLockGame(self.book, self.kind, params)


class GridLockGame(pyspiel.Game):
    """A GridLock game on a given board, wrapped as an OpenSpiel game."""

    def __init__(self, book: RuleBook, kind: Any, params: dict[str, Any]) -> None:
        chosen = kind.parameter_specification | params
        self.swap = bool(chosen["swap"])
        self.variant = variant(book, f"{chosen['rows']}x{chosen['cols']}", chosen["adjacency"])
        actions = self.variant.grid.size + self.swap
        super().__init__(
            kind,
            pyspiel.GameInfo(
                num_distinct_actions=actions,
                max_chance_outcomes=0,
                num_players=2,
                min_utility=-1.0,
                max_utility=1.0,
                utility_sum=0.0,
                max_game_length=actions,
            ),
            params,
        )

    def new_initial_state(self, start: Start | dict[str, Any] | Any = None) -> GridLockState:
        """Return the state before the first move, or the state described by a struct, a dict or a position."""
        if isinstance(start, pyspiel.StateStruct):
            start = start.to_dict()
        return GridLockState(self, start["position"] if isinstance(start, dict) else start)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """Return an observer, which turns states into tensors and text."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return Observer(self, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class GridLockState(pyspiel.State):
    """A game's state; its few attributes are never modified in place, because OpenSpiel copies all attributes."""

    def __init__(self, game: GridLockGame, start: Start | None = None) -> None:
        super().__init__(game)
        self._variant: Variant = game.variant
        self._position = self._variant.start()
        self._exchanged = 0  # 1 once the players have exchanged sides
        self._until_swap = 1 if game.swap else -1  # moves until a swap is possible
        if start is not None:
            begun = game_from(game.variant, start, swap=game.swap, may_be_over=True)
            self._position, self._exchanged = begun.positions[-1], int(begun.swapped)
            self._until_swap = 1 - len(begun.moves) if begun.swap else -1
        self._actions = 0
        self._player = 0  # the player to move, counted from 0; in a finished game, the loser
        self._update()

    def _update(self) -> None:
        """Pass if the rules require it, then work out the legal actions."""
        if not (actions := self._variant.legal(self._position)) or self._until_swap == 0:
            self._position, actions = settle(self._variant, self._position, self._until_swap == 0)
        self._actions = actions
        self._player = self._position.turn - 1 ^ self._exchanged

    def current_player(self) -> int:
        """Return the number of the player to move (0 or 1), or OpenSpiel's `TERMINAL` once the game is over."""
        return self._player if self._actions else TERMINAL

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return not self._actions

    def _legal_actions(self, _player: int) -> list[int]:
        return cells_of(self._actions)

    def _apply_action(self, action: int) -> None:
        if not self._actions >> action & 1:
            raise IllegalMove(f"Action {action} is not possible. See legal_actions() for the legal moves.")
        self._until_swap -= 1
        if action == self._variant.grid.size:
            self._exchanged = 1
        else:
            self._position = self._position.after(action)
        self._update()

    def returns(self) -> list[float]:
        """Return 1 for the winner and -1 for the loser, or zeros while the game is in progress."""
        if self._actions:
            return [0.0, 0.0]
        return [1.0, -1.0] if self._player == 1 else [-1.0, 1.0]

    def _action_to_string(self, _player: int, action: int) -> str:
        return "swap" if action == self._variant.grid.size else self._variant.name(action)

    def __str__(self) -> str:
        """Return the board, and the position as one line of text."""
        swap = PENDING if self._until_swap >= 0 else SWAPPED if self._exchanged else NOTHING
        text = position_text(self._variant, self._position, swap)
        return f"{plain_board(self._variant, self._position)}\n{text}"

    def undo_action(self, _player: int, _action: int) -> None:
        """Raise an error explaining that OpenSpiel cannot undo a move."""
        raise IllegalMove(
            "OpenSpiel cannot undo a move in a Python game. To keep a state, call clone() before making a move."
        )

    # -- structs, which OpenSpiel turns into JSON ---------------------------------------------------------------------

    def _to_struct(self) -> dict[str, Any]:
        return {"position": str(self).rpartition("\n")[2], "current_player": int(self.current_player())}

    def _to_observation_struct(self, _player: int) -> dict[str, Any]:
        return self._to_struct()

    def _action_to_struct(self, _player: int, action: int) -> dict[str, Any]:
        if action == self._variant.grid.size:
            return {"swap": True}
        row, col = self._variant.coordinates(action)
        return {"row": row, "col": col}

    def _struct_to_actions(self, action: dict[str, Any]) -> list[int]:
        if action.get("swap"):
            return [self._variant.grid.size]
        cell = self._variant.cell(action["row"], action["col"])
        if cell is None:
            raise IllegalMove(f"Row {action['row']}, column {action['col']} is outside the grid.")
        return [cell]

    def planes(self, player: int) -> np.ndarray[Any, Any]:
        """Return the observation planes from a player's perspective."""
        position = self._position if player == self._player else self._position.passed()
        return seen(self._variant.grid, position, 0, 0)[0]


class Observer:
    """An observer that provides feature planes for neural networks and text for people."""

    def __init__(self, game: GridLockGame, params: Any) -> None:
        if params:
            raise BadGame(f"An observation takes no parameters, not {params}.")
        grid = game.variant.grid
        self.tensor = np.zeros(len(PLANES) * grid.size, np.float32)
        self.dict = {"observation": self.tensor.reshape(len(PLANES), grid.rows, grid.cols)}

    def set_from(self, state: GridLockState, player: int) -> None:
        """Fill the tensor with a player's observation of a state."""
        self.dict["observation"][:] = state.planes(player)

    def string_from(self, state: GridLockState, _player: int) -> str:
        """Return a state as text."""
        return str(state)


for _book in RULE_BOOKS.values():
    register(_book)
