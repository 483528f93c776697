"""Substitutes for the class `Thinker` that answer late, fail, or wait until a test lets them answer."""

import asyncio
import random
from collections.abc import Callable
from typing import ClassVar

from gridlock.play.thinking.process import Failed


class LateThinker:
    """A substitute for `Thinker` that answers questions in the test's own process, but not until the test allows it."""

    def __init__(self) -> None:
        self.may_answer = asyncio.Event()
        self.asked = self.cancelled = 0

    async def ask(self, question: Callable[..., object], *args: object, **kwargs: object) -> object:
        """Wait until the test allows an answer, then compute it."""
        self.asked += 1
        try:
            await self.may_answer.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        return question(*args, **kwargs)

    async def stop(self) -> None:
        """Do nothing, because no other process is running."""


class MoodyThinker:
    """A substitute for `Thinker` that answers late, sometimes fails, and caches generated puzzles."""

    answers: ClassVar[dict[str, object]] = {}  # the generated puzzles, by the name of the function that generates them

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    async def ask(self, question: Callable[..., object], *args: object, **kwargs: object) -> object:
        """Answer after a short delay, but sometimes fail instead."""
        await asyncio.sleep(self.rng.choice((0, 0, 0.001, 0.01, 0.1)))
        if self.rng.random() < 0.1:
            raise Failed("it did not want to")
        if question.__name__ in ("make", "puzzle_of"):
            known = self.answers
            if question.__name__ not in known:
                known[question.__name__] = question(*args, **kwargs)
            return known[question.__name__]
        return question(*(min(arg, 0.05) if isinstance(arg, float) else arg for arg in args), **kwargs)

    async def stop(self) -> None:
        """Do nothing, because no other process is running."""
