"""Who is at the games of this process at other processes on the same PostgreSQL database, and what they say.

Nothing of it is stored: each process says who is at a game when that changes, when another one opens the game, and
again and again, since one that was killed says nothing any more.
"""

import asyncio
import math
import time
from collections import deque
from collections.abc import Callable
from typing import get_args

from msgspec import convert

from gridlock.core.game import Player
from gridlock.web.games.presence import Seats
from gridlock.web.games.viewers import Live
from gridlock.web.wire.answers import Status
from gridlock.web.wire.messages import Reaction

REPEAT = 10.0  # seconds after which a process says again who is there
HOLDS = 25.0  # seconds that it is believed: two of its notices may be lost
ASKED = "?"
_WORDS = 1000  # that may wait
NOBODY: Seats = ("gone", "gone")
_BY_LETTER: dict[str, Status] = {status[0]: status for status in get_args(Status)}


class Elsewhere:
    """What this process tells the others, and what it hears from them."""

    def __init__(
        self,
        process: str,
        games: dict[str, Live],
        changed: Callable[[Live], None],
        said: Callable[[Live, Player, Reaction], None],
    ) -> None:
        self._process = process
        self._games = games
        self._changed = changed
        self._said = said
        self._listens: float | None = None  # since when no news can have been missed
        self._news: dict[str, bool] = {}  # games to tell of, and whether the others are asked as well
        self._words: deque[str] = deque(maxlen=_WORDS)
        self._some = asyncio.Event()

    @property
    def blind(self) -> float:
        """Seconds until nobody can be at another process unheard: no win is claimed before."""
        return math.inf if self._listens is None else max(0.0, self._listens + HOLDS - time.monotonic())

    # -- what is told -----------------------------------------------------------------------------------------

    def tell(self, live: Live) -> None:
        """Say who is at a game here."""
        self._news.setdefault(live.table.id, False)
        self._some.set()

    def ask(self, live: Live) -> None:
        """Say it, and ask who is at the game elsewhere."""
        self._news[live.table.id] = True
        self._some.set()

    def carry(self, live: Live, player: Player, what: Reaction) -> None:
        """Pass on what a player says."""
        self._words.append(f"{self._process} {live.table.id} {player} {what}")
        self._some.set()

    async def next(self) -> str:
        """The next notice that is to go out; of presence, how it is now."""
        await self._some.wait()
        if len(self._news) + len(self._words) == 1:
            self._some.clear()
        if self._words:
            return self._words.popleft()
        game = next(iter(self._news))
        asks = self._news.pop(game)
        here = self._games[game].presence.here if game in self._games else NOBODY
        return f"{self._process} {game} {''.join(status[0] for status in here)}{ASKED if asks else ''}"

    async def repeat(self) -> None:
        """Say again and again who is here, and forget what others have not said again."""
        while True:
            await asyncio.sleep(REPEAT)
            for live in list(self._games.values()):
                if live.table.alone:
                    continue
                if set(live.presence.here) != {"gone"}:
                    self.tell(live)
                if live.presence.fade():
                    self._changed(live)

    # -- what is heard ----------------------------------------------------------------------------------------

    def listens(self, yes: bool) -> None:
        """News begin to come, or come no longer."""
        self._listens = time.monotonic() if yes else None
        for live in list(self._games.values()):
            if live.table.alone:
                continue
            if yes:
                self.ask(live)
            self._changed(live)

    def heard(self, notice: str) -> None:
        """Another process says who is at a game there, asks who is here, or passes on what a player says."""
        process, game, what, *words = notice.split(" ")
        live = self._games.get(game)
        if process == self._process or live is None:
            return
        if words:
            self._said(live, int(what), convert(words[0], Reaction))
            return
        if what.endswith(ASKED):
            self.tell(live)
        seats: Seats = (_BY_LETTER[what[0]], _BY_LETTER[what[1]])
        if live.presence.told(process, seats, HOLDS):
            self._changed(live)
