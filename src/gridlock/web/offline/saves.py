"""A browser's games, both in memory and as text that the page saves and later restores."""

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Protocol

import msgspec
from msgspec import Raw

from gridlock.core.errors import GridLockError
from gridlock.core.grid import Cell
from gridlock.web.referee.table import Access, GameEvent, Settings, Table, played, read_event, read_settings

KEY = "game/"  # precedes a game's id in the key under which the page saves the game


class Saved(msgspec.Struct):
    """A game as the page saves it."""

    settings: Raw
    events: list[Raw]
    now: int  # the time on the game's clocks, in milliseconds


class Page(Protocol):
    """The functions that the page provides for its games.

    The page chooses a number for each connection.
    """

    def message(self, connection: int, text: str) -> None:
        """Deliver a message."""

    def closed(self, connection: int, code: int, reason: str) -> None:
        """Report that a connection is closed."""

    def keep(self, key: str, value: str) -> None:
        """Save a value."""

    def wake(self, seconds: float) -> None:
        """Schedule a call to `run_due` after the given number of seconds, replacing any earlier schedule."""


@dataclass(eq=False)
class Held:
    """A game in memory."""

    table: Table
    settings: bytes
    events: list[bytes] = field(default_factory=list)
    ahead: int = 0  # milliseconds by which the game's clocks are ahead of this run's clock
    viewers: dict[int, Access] = field(default_factory=dict)  # by connection
    thinking: bool = False


class SavedGames:
    """The games that are stored in a browser; the page saves each game as text after every event."""

    def __init__(self, page: Page, clock: Callable[[], float] = time.monotonic) -> None:
        self.page = page
        self.clock = clock
        self._saved: dict[str, str] = {}  # the games as text, as the page has saved them
        self._open: dict[str, Held] = {}

    def take_back(self, text: str) -> list[Held]:
        """Load the pages' saved games from a JSON object.

        A game is decoded only when it is opened. Return the games that are open in this window but were continued
        in another window.
        """
        entries = msgspec.json.decode(text, type=dict[str, str])
        self._saved |= {key.removeprefix(KEY): value for key, value in entries.items()}
        return [held for held in self._open.values() if KEY + held.table.id in entries and self._caught_up(held)]

    def _caught_up(self, held: Held) -> bool:
        """Reload a game if its saved version has more events; return whether the game was reloaded."""
        with suppress(GridLockError):
            newer = self._read(held.table.id)
            if len(newer.events) > len(held.events):
                held.table, held.events, held.ahead = newer.table, newer.events, newer.ahead
                return True
        return False

    def create(self, id: str, settings: Settings, moves: Iterable[Cell]) -> None:
        """Add a new game, with the moves made so far."""
        held = self._open[id] = Held(Table(id, settings), msgspec.json.encode(settings))
        for move in moves:
            self.apply(held, played(move))
        self.save(held)

    def find(self, id: str) -> Held | None:
        """Return a game, or None if the game does not exist; raise GridLockError if it cannot be read."""
        if id not in self._open and id in self._saved:
            self._open[id] = self._read(id)
        return self._open.get(id)

    def _read(self, id: str) -> Held:
        """Return a saved game; raise GridLockError if it cannot be read."""
        try:
            saved = msgspec.json.decode(self._saved[id], type=Saved)
            held = Held(Table(id, read_settings(saved.settings)), bytes(saved.settings))
            for event in saved.events:
                self.apply(held, read_event(event))
        except msgspec.MsgspecError:
            raise GridLockError("This game is damaged: it was not saved completely.") from None
        held.ahead = saved.now - self._now()
        return held

    def now(self, held: Held) -> int:
        """Return the time on a game's clocks in milliseconds; the clocks stop while the page is closed."""
        return self._now() + held.ahead

    def _now(self) -> int:
        return int(1000 * self.clock())

    def apply(self, held: Held, event: GameEvent) -> None:
        """Apply an event to a game without saving the game."""
        held.table.apply(event)
        held.events.append(msgspec.json.encode(event))

    def save(self, held: Held) -> None:
        """Have the page save a game."""
        saved = Saved(Raw(held.settings), [Raw(event) for event in held.events], self.now(held))
        self.page.keep(KEY + held.table.id, msgspec.json.encode(saved).decode())
