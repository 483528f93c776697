"""What one client may ask for: counted before any work is done, and forgotten when it no longer matters."""

import ipaddress
import time
from collections import OrderedDict
from dataclasses import dataclass
from functools import lru_cache

LONGEST_SIDE = 30  # cells along a side of a board in the browser
MESSAGE = 4096  # bytes of a message to the server
BODY = 65536  # bytes of a request's body
BRIEF = 512  # bytes of a request that cost nothing; so many more cost as much as a request more
SMALL, LARGE = 16384, 4096  # bytes of an answer that cost nothing, and of which each costs as much as a request more
_REMEMBERED = 10_000  # clients; the one not seen for longest is forgotten


@dataclass(frozen=True)
class Limits:
    """What an operator may set."""

    games: int = 200  # that one client may start in an hour, rematches included
    connections: int = 100  # that one client may have open at once
    thinking: int = 900  # seconds of the engine's work that one client may ask for in an hour
    requests: int = 30  # API requests, moves and looks of one client in a second


@lru_cache(maxsize=4096)
def client_of(address: str) -> str:
    """The client behind an address: an IPv6 customer has a whole network of them."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address[:64]
    if parsed.version == 4:
        return address
    mapped = parsed.ipv4_mapped
    return str(mapped or ipaddress.ip_network((parsed.packed, 64), strict=False))


class Allowance:
    """Lets every client have so much of something, and then more of it at a steady rate.

    What is refused costs nothing, so nobody's debt grows by asking: it is at most a burst, for what was granted.
    """

    def __init__(self, burst: float, per_second: float) -> None:
        self.burst = burst
        self.per_second = per_second
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def __contains__(self, client: str) -> bool:
        """Whether the client is remembered."""
        return client in self._left

    def left(self, client: str) -> float:
        """How much the client may still have at once."""
        now = time.monotonic()
        left, seen = self._left.get(client, (self.burst, now))
        return min(self.burst, left + (now - seen) * self.per_second)

    def take(self, client: str, amount: float = 1) -> float:
        """Take some: 0 if it was granted, otherwise the seconds until it would be."""
        left = self.left(client)
        granted = left >= amount
        self._set(client, left - amount if granted else left)
        return 0 if granted else (amount - left) / self.per_second

    def charge(self, client: str, amount: float) -> None:
        """Count what something has cost beyond what was taken for it; at most a whole burst is owed afterwards."""
        self._set(client, max(-self.burst, self.left(client) - amount))

    def give_back(self, client: str, amount: float) -> None:
        """Return what was taken and not needed."""
        self._set(client, min(self.burst, self.left(client) + amount))

    def _set(self, client: str, left: float) -> None:
        self._left[client] = (left, time.monotonic())
        self._left.move_to_end(client)
        if len(self._left) > _REMEMBERED:
            self._left.popitem(last=False)


class Pace:
    """How fast each client may ask; whoever plays has a share that others behind the same address cannot use up."""

    def __init__(self, per_second: float) -> None:
        self._asked = Allowance(2 * per_second, per_second)
        self._looked = Allowance(8 * per_second, 4 * per_second)  # at pages and what they load
        self._watched = Allowance(per_second, per_second / 2)  # by those who look after the server
        self._told = Allowance(per_second, per_second)
        self._seats = Allowance(5, 1)

    def ask(self, client: str, seat: str | None = None) -> float:
        """Take a turn, that of a seat if the client has none: 0, or the seconds until there is one."""
        wait = self._asked.take(client)
        if wait and seat is not None and seat in self._seats:
            return min(wait, self._seats.take(seat))
        return wait

    def heard(self, client: str, size: int) -> None:
        """Count so many bytes of a request: many moves are as much work as many requests with a few."""
        if size > BRIEF:
            self._asked.charge(client, (size - BRIEF) / BRIEF)

    def told(self, client: str, size: int) -> None:
        """Count an answer of so many bytes: a large one is as much work as many small ones."""
        if size > SMALL:
            self._asked.charge(client, (size - SMALL) / LARGE)

    def load(self, client: str) -> float:
        """The same for pages, pictures and the like."""
        return self._looked.take(client)

    def check(self, client: str) -> float:
        """The same for /health and /ready, which no flood of anything else uses up."""
        return self._watched.take(client)

    def patient(self, client: str) -> bool:
        """Whether a refusal may be told at once; a client that does not listen has to wait even for that."""
        return not self._told.take(client)

    def seated(self, seat: str) -> None:
        """Remember a seat that somebody has a token of."""
        self._seats.give_back(seat, 0)
