"""Thinkers for tests: they answer when a test wants them to."""

import asyncio
from collections.abc import Callable


class LateThinker:
    """Answers questions in this process, but only once the test says so."""

    def __init__(self) -> None:
        self.may_answer = asyncio.Event()
        self.asked = self.cancelled = 0

    async def ask(self, question: Callable[..., object], *args: object, **kwargs: object) -> object:
        """Wait until an answer is allowed, and compute it."""
        self.asked += 1
        try:
            await self.may_answer.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        return question(*args, **kwargs)

    async def stop(self) -> None:
        """Nothing runs."""
