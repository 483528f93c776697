"""The limits that an operator can set, and rate limiters that check each client's requests before any work is done."""

import ipaddress
import time
from collections import OrderedDict
from dataclasses import dataclass
from functools import lru_cache

LONGEST_SIDE = 30  # longest side of a board in the browser, in cells
MESSAGE = 4096  # largest message to the server, in bytes
BODY = 65536  # largest request body, in bytes
BRIEF = 512  # bytes of a request that are free; every further 512 bytes cost as much as one more request
SMALL, LARGE = 16384, 4096  # bytes of an answer that are free, and further bytes that cost as much as one request
NETWORK = 4  # the allowance of a whole IPv6 /48 network, as a multiple of one client's allowance
_REMEMBERED = 10_000  # clients; beyond that, the least recently seen client is forgotten


@dataclass(frozen=True)
class Limits:
    """The limits that an operator can set; 0 means no limit unless stated otherwise."""

    games: int = 200  # new games per hour, rematches included
    connections: int = 100  # open connections
    thinking: int = 900  # seconds of engine time per hour
    requests: int = 30  # API requests and moves per second
    share: int = 1  # percent of most_games and megabytes that the games of one client may take up
    absence: int = 1440  # minutes to wait for an absent opponent before a claim, without a clock (0: no claims)
    untouched: int = 7  # days that a game is kept if no move was made
    finished: int = 90  # days that a finished game is kept after its last move
    abandoned: int = 365  # days that any other game is kept after its last move
    most_games: int = 1_000_000
    # A million ordinary games take about 1.5 GB. Most disks have room for 4 GB, and a larger database
    # is a sign of trouble.
    megabytes: int = 4096


@lru_cache(maxsize=4096)
def client_of(address: str) -> str:
    """Return the client behind an address: for IPv6, its /64 network, since one customer usually has a whole /64."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address[:64]
    if parsed.version == 4:
        return address
    mapped = parsed.ipv4_mapped
    return str(mapped or ipaddress.ip_network((parsed.packed, 64), strict=False))


@lru_cache(maxsize=4096)
def network_of(client: str) -> str:
    """Return the network to which a client belongs: the /48 prefix for IPv6, otherwise the client's own address."""
    return str(ipaddress.ip_network(client).supernet(new_prefix=48)) if client.endswith("/64") else client


class Allowance:
    """Token-bucket rate limiter: each client gets an initial allowance that refills at a steady rate.

    Rejected requests cost nothing, so asking again never lengthens the wait. A client's debt
    never exceeds its initial allowance.
    """

    def __init__(self, burst: float, per_second: float) -> None:
        self.burst = burst
        self.per_second = per_second
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def __contains__(self, client: str) -> bool:
        """Return whether the client is remembered."""
        return client in self._left

    def left(self, client: str) -> float:
        """Return how much of the client's allowance is left."""
        now = time.monotonic()
        left, seen = self._left.get(client, (self.burst, now))
        return min(self.burst, left + (now - seen) * self.per_second)

    def heaviest(self, count: int, least: float) -> dict[str, float]:
        """Return the recent usage of the `count` heaviest clients, leaving out any that used no more than `least`."""
        used = {client: self.burst - self.left(client) for client in self._left}
        heavy = sorted(used, key=lambda client: -used[client])[:count]
        return {client: used[client] for client in heavy if used[client] > least}

    def take(self, client: str, amount: float = 1) -> float:
        """Deduct an amount from a client's allowance, if the allowance is large enough.

        Return 0 if the amount was deducted, otherwise the number of seconds to wait.
        """
        left = self.left(client)
        granted = left >= amount
        self._set(client, left - amount if granted else left)
        return 0 if granted else (amount - left) / self.per_second

    def charge(self, client: str, amount: float) -> None:
        """Charge a client an additional amount, up to a debt of one burst; a negative amount is a refund."""
        self._set(client, min(self.burst, max(-self.burst, self.left(client) - amount)))

    def _set(self, client: str, left: float) -> None:
        self._left[client] = (left, time.monotonic())
        self._left.move_to_end(client)
        if len(self._left) > _REMEMBERED:
            self._left.popitem(last=False)


class NetworkAllowance(Allowance):
    """A per-client allowance that also limits each IPv6 /48 network to NETWORK times the allowance of one client."""

    def __init__(self, burst: float, per_second: float) -> None:
        super().__init__(burst, per_second)
        self._networks = Allowance(NETWORK * burst, NETWORK * per_second)

    def take(self, client: str, amount: float = 1) -> float:
        """Deduct an amount from the client's allowance and from its network's allowance, if both are large enough.

        Return 0 if the amount was deducted, otherwise the number of seconds to wait.
        """
        network = network_of(client)
        if network == client:
            return super().take(client, amount)
        if wait := self._networks.take(network, amount):
            return wait
        if wait := super().take(client, amount):
            self._networks.charge(network, -amount)
        return wait

    def charge(self, client: str, amount: float) -> None:
        """Deduct an additional amount from the client's allowance and from its network's allowance."""
        super().charge(client, amount)
        if (network := network_of(client)) != client:
            self._networks.charge(network, amount)


class Pace:
    """Rate limits for requests; each player has an allowance that others at the same address cannot use up."""

    def __init__(self, per_second: float) -> None:
        self._requests = NetworkAllowance(2 * per_second, per_second)
        self.pages = NetworkAllowance(32 * per_second, 4 * per_second)  # a page loads about fifty files
        self.checks = Allowance(per_second, per_second / 2)  # for /health and /ready only
        self.refusals = Allowance(per_second, per_second)  # rejections sent at once; further rejections are delayed
        self._seats = Allowance(5, 1)

    def ask(self, client: str, seat: str | None = None) -> float:
        """Deduct a request or message from the client's allowance or, if that is used up, from the seat's allowance.

        Return the seconds to wait, or 0 if the request is allowed.
        """
        wait = self._requests.take(client)
        if wait and seat is not None and seat in self._seats:
            return min(wait, self._seats.take(seat))
        return wait

    def charge(self, client: str, request: int = 0, answer: int = 0) -> None:
        """Charge a client extra for a long request or answer, because it takes more work than a short one."""
        if cost := max(0, request - BRIEF) / BRIEF + max(0, answer - SMALL) / LARGE:
            self._requests.charge(client, cost)

    def add_seat(self, seat: str) -> None:
        """Remember a seat whose token a client has presented."""
        self._seats.charge(seat, 0)
