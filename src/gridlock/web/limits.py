"""What one client may ask for: counted before any work is done."""

import asyncio
import ipaddress
import time
from collections import Counter, OrderedDict
from dataclasses import dataclass

LONGEST_SIDE = 30  # cells along a side of a board in the browser
MESSAGE = 4096  # bytes of a message to the server
BODY = 65536  # bytes of a request's body
BURST_SECONDS = 0.2  # worth of requests that a client may make all at once
_REMEMBERED = 10_000  # clients; the one not seen for longest is forgotten


@dataclass(frozen=True)
class Limits:
    """What an operator may set."""

    games: int = 200  # that one client may start in an hour
    connections: int = 100  # that one client may have open at once
    questions: int = 600  # analyses and reviews that one client may ask for in an hour
    requests: int = 30  # API requests, moves and looks of one client in a second; what goes beyond has to wait


def client_of(address: str) -> str:
    """The client behind an address: an IPv6 customer has a whole network of them."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    return str(ipaddress.ip_network((address, 64), strict=False)) if parsed.version == 6 else address


class Allowance:
    """Lets every client do something so many times, and then again at a steady rate."""

    def __init__(self, burst: float, per_second: float) -> None:
        self.burst = burst
        self.per_second = per_second
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, client: str) -> float:
        """Take one: 0 if it was granted, otherwise the seconds until there is one."""
        now = time.monotonic()
        left, seen = self._left.pop(client, (self.burst, now))
        left = min(self.burst, left + (now - seen) * self.per_second)
        granted = left >= 1
        self._left[client] = (left - granted, now)
        if len(self._left) > _REMEMBERED:
            self._left.popitem(last=False)
        return 0 if granted else (1 - left) / self.per_second


class Pace:
    """Lets every client ask for so much in a second, and makes it wait for the rest; so nobody slows down others."""

    def __init__(self, per_second: float) -> None:
        self.per_second = per_second
        self._spent: OrderedDict[str, float] = OrderedDict()  # until when each client has used its share

    async def turn(self, client: str) -> None:
        """Wait for the client's turn."""
        now = time.monotonic()
        spent = max(self._spent.pop(client, 0.0), now - BURST_SECONDS) + 1 / self.per_second
        self._spent[client] = spent
        if len(self._spent) > _REMEMBERED:
            self._spent.popitem(last=False)
        if spent > now:
            await asyncio.sleep(spent - now)


class Open:
    """Counts what each client has open."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._count: Counter[str] = Counter()

    def enter(self, client: str) -> bool:
        """Count one more, unless the client has enough."""
        if self._count[client] >= self.most:
            return False
        self._count[client] += 1
        return True

    def leave(self, client: str) -> None:
        """Count one less."""
        self._count[client] -= 1
        if self._count[client] <= 0:
            del self._count[client]
