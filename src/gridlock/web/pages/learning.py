"""Puzzles, lessons and the atlas over HTTP (see docs/protocol.md)."""

import asyncio
from collections import OrderedDict
from contextlib import suppress
from datetime import date
from functools import partial

from starlette.requests import Request

from gridlock.play.puzzle_sources import daily_game
from gridlock.play.thinking.process import Failed
from gridlock.web.operations import learning
from gridlock.web.pages.requests import Asking, Json, answer, client_of
from gridlock.web.thinking.pool import FairPool, TryLater
from gridlock.web.thinking.questions import Composed, compose_daily
from gridlock.web.wire import findings, messages

DAYS = 100  # daily puzzles that are cached


class Learning:
    """The endpoints for puzzles, lessons and the atlas."""

    def __init__(self, analysts: FairPool) -> None:
        self.analysts = analysts
        self._days: OrderedDict[date, asyncio.Task[Composed]] = OrderedDict()

    async def puzzle(self, request: Request) -> Json[findings.Puzzle]:
        """Return a new puzzle, or the daily puzzle for a given date."""
        asking, daily = Asking(request, self.analysts), partial(self._daily, request)
        return answer(await learning.puzzle(asking, request.query_params, daily))

    async def open_puzzle(self, request: Request, wish: messages.PuzzleRequest) -> Json[findings.Puzzle]:
        """Open a position as a puzzle."""
        return answer(await learning.open_puzzle(Asking(request, self.analysts), wish))

    async def try_move(self, request: Request, wish: messages.Attempt) -> Json[findings.Tried]:
        """Judge a move in a puzzle and play the opponent's reply, or show the solution."""
        return answer(await learning.try_move(Asking(request, self.analysts), wish))

    async def _daily(self, request: Request, day: date) -> Composed:
        """Return a daily puzzle, which is composed only once for all clients.

        The server finishes composing the puzzle even if the client that requested it disconnects.
        """
        if making := self._days.get(day):
            with suppress(TryLater, Failed):  # another client's failure must not affect this one
                return await asyncio.shield(making)
        game = daily_game(day)
        making = asyncio.create_task(self.analysts.ask(client_of(request), compose_daily, game, learning.MAKING, day))
        self._days[day] = making
        making.add_done_callback(lambda done: self._tidy(day, done))
        return await asyncio.shield(making)

    def _tidy(self, day: date, made: "asyncio.Task[Composed]") -> None:
        """Forget a puzzle that could not be composed; if there are too many puzzles, also forget the oldest ones."""
        if (made.cancelled() or made.exception()) and self._days.get(day) is made:
            del self._days[day]
        while len(self._days) > DAYS:
            self._days.popitem(last=False)

    async def courses(self, _request: Request) -> Json[findings.Courses]:
        """List the games that have lessons."""
        return answer(learning.courses())

    async def lessons(self, request: Request) -> Json[findings.Lessons]:
        """Return a game's lessons."""
        return answer(learning.lessons(str(request.path_params["game"])))

    async def teach(self, request: Request, wish: messages.Try) -> Json[findings.Taught]:
        """Judge a move in a lesson, and play the opponent's reply."""
        return answer(await learning.teach(Asking(request, self.analysts), wish))

    async def atlas(self, _request: Request) -> Json[findings.Atlas]:
        """Return the atlas: the winner on each board, where known."""
        return answer(learning.atlas())
