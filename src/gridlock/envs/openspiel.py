"""All games for OpenSpiel, registered when this module is imported, with the board as parameters.

>>> import pyspiel
>>> import gridlock.envs.openspiel
>>> game = pyspiel.load_game("gridlock_showdown(rows=4,cols=6,adjacency=king)")
>>> game.num_distinct_actions()
24

What agents see and do is described in `gridlock.envs.planes`. `register` adds a game of one's own.
"""

from __future__ import annotations

from typing import Any

from gridlock.core.errors import BadGame, IllegalMove
from gridlock.core.game import Game
from gridlock.core.grid import cells_of
from gridlock.core.rulebook import RuleBook, Variant
from gridlock.core.rules import RULE_BOOKS, variant
from gridlock.core.snapshot import NOTHING, PENDING
from gridlock.drawing.text import plain_board
from gridlock.envs.extras import missing

try:
    import numpy as np
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame

    from gridlock.envs.planes import PLANES, seen
except ImportError as error:
    raise missing("openspiel", error) from None

TERMINAL = pyspiel.PlayerId.TERMINAL
PREFIX = "gridlock_"


def register(book: RuleBook) -> str:
    """Make a game known to OpenSpiel, and tell the name it has there."""
    name = PREFIX + book.name
    if name in pyspiel.registered_names():
        raise BadGame(f"OpenSpiel knows a game called {name} already. Give yours another name.")
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
    pyspiel.register_game(kind, Maker(book, kind))
    return name


class Maker:
    """Makes the games of one rule book when OpenSpiel asks for them."""

    def __init__(self, book: RuleBook, kind: Any) -> None:
        self.book, self.kind = book, kind
        self.itself = self  # OpenSpiel lets go of it after Python has ended, when nothing may be freed any more

    def __call__(self, params: dict[str, Any]) -> GridLockGame:
        return GridLockGame(self.book, self.kind, params)


class GridLockGame(pyspiel.Game):
    """A game on a board, as OpenSpiel has games."""

    def __init__(self, book: RuleBook, kind: Any, params: dict[str, Any]) -> None:
        chosen = kind.parameter_specification | params
        self.swap = bool(chosen["swap"])
        self.variant = variant(book, f"{chosen['rows']}x{chosen['cols']}", chosen["adjacency"])
        size = self.variant.grid.size
        self.actions = size + self.swap
        super().__init__(
            kind,
            pyspiel.GameInfo(
                num_distinct_actions=self.actions,
                max_chance_outcomes=0,
                num_players=2,
                min_utility=-1.0,
                max_utility=1.0,
                utility_sum=0.0,
                max_game_length=size + self.swap,
            ),
            params,
        )

    def new_initial_state(self) -> GridLockState:
        """A game that begins."""
        return GridLockState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """What turns states into tensors and texts."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return Observer(self, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class GridLockState(pyspiel.State):
    """Where a game stands. Attributes are few and never change in place, since OpenSpiel copies each of them."""

    def __init__(self, game: GridLockGame) -> None:
        super().__init__(game)
        self._variant: Variant = game.variant
        self._position = self._variant.start()
        self._exchanged = 0  # 1 once the players have exchanged sides
        self._until_swap = 1 if game.swap else -1  # moves until a swap is possible
        self._actions = 0
        self._player = 0
        self._winner = -1
        self._go_on()

    def _go_on(self) -> None:
        """Find the actions that are possible now, a pass made where there is one, or who has won."""
        chosen, position = self._variant, self._position
        actions = chosen.legal(position)
        if self._until_swap == 0:
            actions |= 1 << chosen.grid.size
        elif not actions and chosen.book.passes:
            actions = chosen.legal(position.passed())
            if actions:
                self._position = position = position.passed()
        self._actions = actions
        self._player = position.turn - 1 ^ self._exchanged
        if not actions:
            self._winner, self._player = 1 - self._player, TERMINAL

    def current_player(self) -> int:
        """The player whose turn it is, from 0, or OpenSpiel's number for the end."""
        return self._player

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._winner >= 0

    def _legal_actions(self, _player: int) -> list[int]:
        return cells_of(self._actions)

    def _apply_action(self, action: int) -> None:
        if not self._actions >> action & 1:
            raise IllegalMove(f"Action {action} is not possible. See legal_actions() for those that are.")
        self._until_swap -= 1
        if action == self._variant.grid.size:
            self._exchanged = 1
        else:
            self._position = self._position.after(action)
        self._go_on()

    def returns(self) -> list[float]:
        """1 for the winner and -1 for the loser, once there are any."""
        if self._winner < 0:
            return [0.0, 0.0]
        return [1.0, -1.0] if self._winner == 0 else [-1.0, 1.0]

    def _action_to_string(self, _player: int, action: int) -> str:
        return "swap" if action == self._variant.grid.size else self._variant.name(action)

    def __str__(self) -> str:
        """The board, and a line that says everything about the position."""
        game = Game(self._variant, start=self._position, exchanged=bool(self._exchanged))
        text = game.position_text()
        pending = self._until_swap >= 0
        return (
            f"{plain_board(self._variant, self._position)}\n{text.removesuffix(NOTHING) + PENDING if pending else text}"
        )

    def seen_by(self, player: int) -> np.ndarray[Any, Any]:
        """The planes as a player sees them."""
        position = self._position
        if position.turn - 1 ^ self._exchanged != player:
            position = position.passed()
        return seen(self._variant.grid, position, 0, 0)[0]


class Observer:
    """Planes for networks, and text for people."""

    def __init__(self, game: GridLockGame, params: Any) -> None:
        if params:
            raise BadGame(f"An observation takes no parameters, not {params}.")
        grid = game.variant.grid
        self.tensor = np.zeros(len(PLANES) * grid.size, np.float32)
        self.dict = {"observation": self.tensor.reshape(len(PLANES), grid.rows, grid.cols)}

    def set_from(self, state: GridLockState, player: int) -> None:
        """Take over what a player sees."""
        self.dict["observation"][:] = state.seen_by(player)

    def string_from(self, state: GridLockState, _player: int) -> str:
        """The state as text."""
        return str(state)


for _book in RULE_BOOKS.values():
    register(_book)
