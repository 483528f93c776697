"""What one client may ask for: counted before any work is done."""

import ipaddress
import time
from collections import Counter, OrderedDict
from dataclasses import dataclass

LONGEST_SIDE = 30  # cells along a side of a board in the browser
MESSAGE = 4096  # bytes of a message to the server
BODY = 65536  # bytes of a request's body
_REMEMBERED = 10_000  # clients; the one not seen for longest is forgotten


@dataclass(frozen=True)
class Limits:
    """What an operator may set."""

    games: int = 200  # that one client may start in an hour
    connections: int = 100  # that one client may have open at once
    questions: int = 600  # analyses and reviews that one client may ask for in an hour


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
