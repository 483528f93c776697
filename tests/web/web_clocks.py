"""A model of a game's clocks that uses only what can be observed from outside the server."""

import time

from web_server import Served

CHARGED = 100  # the most milliseconds that a player may be charged for one server fault


class Outages:
    """The periods during which the server is known to have been unavailable."""

    def __init__(self, server: Served) -> None:
        self._server = server
        self._all: list[tuple[float, float]] = []
        self._since: float | None = None

    def begin(self) -> None:
        """Record that the server has stopped working."""
        self.end()
        self._since = time.monotonic()

    def end(self) -> None:
        """Record that the server is working again."""
        now = time.monotonic()
        self._all += self._open(now)
        self._since = None

    def _open(self, now: float) -> list[tuple[float, float]]:
        """Return the current outage, if any; an outage ends when a new process is ready to serve."""
        if self._since is None:
            return []
        began = self._server.began
        return [(self._since, min(began, now) if began > self._since else now)]

    def between(self, begin: float, end: float) -> list[float]:
        """Return how many seconds of each outage fall between two given times."""
        known = [*self._all, *self._open(end)]
        lengths = (min(end, until) - max(begin, since) for since, until in known)
        return [length for length in lengths if length > 0]


class Clocks:
    """A check that the players' clocks run only while the server is available."""

    def __init__(self, seconds: int, outages: Outages) -> None:
        self._outages = outages
        self._left = [1000 * seconds] * 2  # milliseconds left at the beginning of the turn
        self._ply = 0
        self._runs: int | None = None  # the player whose clock runs
        self._sent: dict[int, float] = {}  # ply -> when the move was first sent; the next turn cannot begin earlier
        self.worst = 0.0  # the most milliseconds that a player was charged for one fault

    def send(self, ply: int) -> None:
        """Record that a move is about to be sent."""
        self._sent.setdefault(ply, time.monotonic())

    def check(self, state: dict) -> None:
        """Check the clocks in a state that has just arrived."""
        left, ply, runs = state["clock"]["left"], state["ply"], state["clock"]["runs"]
        if ply < self._ply:
            return
        for player in (1, 2):
            charged = self._left[player - 1] - left[player - 1]
            if ply > self._ply and player == self._runs:
                self._compare(charged, self._ply)
                self._left[player - 1] = left[player - 1]
            elif player == runs:
                self._compare(charged, ply)
            else:
                assert charged == 0, "a clock changed although it did not run"
        self._ply, self._runs = ply, runs

    def _compare(self, charged: float, ply: int) -> None:
        now = time.monotonic()
        began = self._sent[ply - 1] if ply else now  # the first move takes no time
        outages = self._outages.between(began, now)
        excess = (charged - 1000 * (now - began - sum(outages))) / max(1, len(outages))
        self.worst = max(self.worst, excess)
        assert excess <= CHARGED, (
            f"{charged} ms were charged, {excess:.0f} ms too much for each of {len(outages)} faults"
        )
