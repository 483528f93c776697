"""How an operation asks the engine: in a worker process of the server, or in the page's own worker."""

from collections.abc import Callable
from typing import Protocol

from gridlock.core.game import Game
from gridlock.web.thinking.questions import T, Ts


class Ask(Protocol):
    """A function that returns the engine's answer to a question about a game, within some seconds."""

    async def __call__(
        self, question: Callable[[Game, float, *Ts], T], game: Game, seconds: float, /, *args: *Ts
    ) -> T: ...
