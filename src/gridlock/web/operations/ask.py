"""The way operations ask the engine, which runs in one of the server's worker processes or in the page's worker."""

from collections.abc import Callable
from typing import Protocol

from gridlock.core.game import Game
from gridlock.web.thinking.questions import T, Ts


class Ask(Protocol):
    """A function that returns the engine's answer to a question about a game within a time limit."""

    async def __call__(
        self, question: Callable[[Game, float, *Ts], T], game: Game, seconds: float, /, *args: *Ts
    ) -> T: ...
