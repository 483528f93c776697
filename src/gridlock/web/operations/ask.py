"""The function that operations use to query the engine, in a server's worker process or in a web worker."""

from collections.abc import Callable
from typing import Protocol

from gridlock.core.game import Game
from gridlock.web.thinking.questions import T, Ts


class Ask(Protocol):
    """A function that asks the engine a question about a game, with a time limit, and returns the answer."""

    async def __call__(
        self, question: Callable[[Game, float, *Ts], T], game: Game, seconds: float, /, *args: *Ts
    ) -> T: ...
