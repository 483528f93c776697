"""Connection limits: a connection counts from accept to close, and a full server evicts the longest-idle connection."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from gridlock.web.net import metrics
from gridlock.web.net.limits import Allowance, client_of

WATCHING, PLAYING = 0.8, 0.9  # the fractions of all connections that spectators and players may use
_UNKNOWN = 32  # connections beyond a client's limit that may still turn out to belong to players
_SEAT = 2  # connections of one player that may exceed the limit


def nothing() -> None:
    """Do nothing; a connection without a transport need not be aborted."""


class Connection:
    """One connection, from accept to close."""

    def __init__(self, registry: "Registry", client: str) -> None:
        self.registry = registry
        self.client = client
        self.seat = ""  # the seat of the player who uses the connection
        self.back = ""  # the token that identified a returning player
        self.gone = False
        self.abort: Callable[[], None] = nothing

    @property
    def settled(self) -> bool:
        """Whether the connection is in use by a player or spectator, or for a request that is being answered."""
        return not self.gone and self not in self.registry._idle

    @contextmanager
    def working(self) -> Iterator[None]:
        """Protect the connection from eviction while a request is being answered."""
        self.registry.hold(self)
        try:
            yield
        finally:
            self.registry.release(self)


class Registry:
    """All of this process's connections, with limits per client and overall."""

    def __init__(self, per_client: int, overall: int, proxy: Callable[[str], bool] = lambda _address: False) -> None:
        self.per_client = per_client
        self.overall = overall
        self.proxy = proxy  # whether an address is a proxy's; the clients behind it become known later
        self.pace = Allowance(per_client, per_client / 5)  # new connections per client
        self._to_play = Allowance(per_client, per_client / 2)  # additional new connections that request the WebSocket
        self.taken = 0
        self._of: Counter[str] = Counter()
        self._idle: dict[Connection, None] = {}  # longest idle first
        self._idle_of: defaultdict[str, dict[Connection, None]] = defaultdict(dict)
        self._watching_of: defaultdict[str, dict[Connection, None]] = defaultdict(dict)  # spectators' connections
        self._seats: Counter[str] = Counter()  # connections of each seat
        self.remembers = False  # whether any player has ever connected
        self._returns = Allowance(5, 1)  # new connections from players who have connected before

    @property
    def settled(self) -> int:
        """The number of connections in use."""
        return self.taken - len(self._idle)

    def enter(self, address: str, to_play: bool = False) -> Connection | None:
        """Register a connection, evicting an idle connection if necessary; return None if a limit prevents this."""
        client = client_of(address)
        proxy = self.proxy(address)
        if not proxy and (self._to_play if to_play else self.pace).take(client):
            return None
        if not proxy and self._of[client] >= self.per_client:
            idle = self._idle_of[client]
            if len(idle) >= min(_UNKNOWN, self.per_client) and not self._evict(idle):
                return None
        if self.taken >= self.overall and not self._evict(self._idle):
            return None
        return self._register(client)

    def remember(self, back: str) -> None:
        """Remember a player, so that other clients at the same address cannot prevent the player from returning."""
        self.remembers = True
        self._returns.charge(back, 0)

    def enter_again(self, address: str, back: str) -> Connection | None:
        """Register a returning player's connection, however many connections the same address has opened."""
        if back not in self._returns or self._returns.take(back):
            return None
        if self.taken >= self.overall and not self._evict(self._idle):
            return None
        connection = self._register(client_of(address))
        connection.back = back
        return connection

    def comes_seldom(self, client: str) -> bool:
        """Return whether a client still has at least half of its allowance for new connections."""
        return self.pace.left(client) >= self.pace.burst / 2

    def _register(self, client: str) -> Connection:
        connection = Connection(self, client)
        self.taken += 1
        self._of[client] += 1
        self.release(connection)
        return connection

    def settle(self, connection: Connection, client: str, seat: str = "") -> bool:
        """Reserve a connection for a player or spectator; behind a proxy, the client becomes known only at this point.

        If there is no room, a player's connection replaces a spectator's connection from the same client.
        """
        if connection.gone:
            return False
        if client != connection.client:
            self._uncount(connection)
            connection.client = client
            self._of[client] += 1
            self._idle[connection] = self._idle_of[client][connection] = None
        watching = self._watching_of[client]
        full = self.settled >= (PLAYING if seat else WATCHING) * self.overall
        crowded = self._of[client] - len(self._idle_of[client]) >= self.per_client
        if (
            (full or crowded)
            and not (seat and self._evict(watching))
            and (full or not seat or self._seats[seat] >= _SEAT)
        ):
            return False
        self.hold(connection)
        connection.seat = seat
        if seat:
            self._seats[seat] += 1
        else:
            self._watching_of[client][connection] = None
        return True

    def hold(self, connection: Connection) -> None:
        """Protect a connection from eviction."""
        if not connection.gone:
            self._idle.pop(connection, None)
            self._idle_of[connection.client].pop(connection, None)

    def release(self, connection: Connection) -> None:
        """Mark a connection as idle, so that it can be evicted."""
        if connection.settled:
            self._unsettle(connection)
            self._idle[connection] = self._idle_of[connection.client][connection] = None

    def leave(self, connection: Connection) -> None:
        """Remove a closed connection."""
        if not connection.gone:
            self._uncount(connection)
            connection.gone = True
            connection.abort = nothing
            self.taken -= 1

    def _evict(self, candidates: dict[Connection, None]) -> bool:
        """Close the oldest connection, preferably not a returning player's; return whether a connection was closed."""
        oldest = next((one for one in candidates if not one.back), None) or next(iter(candidates), None)
        if oldest is None:
            return False
        metrics.refusals.labels("connections").inc()
        abort = oldest.abort
        self.leave(oldest)
        abort()
        return True

    def _unsettle(self, connection: Connection) -> None:
        self._watching_of[connection.client].pop(connection, None)
        self._seats[connection.seat] -= 1
        if self._seats[connection.seat] <= 0:
            del self._seats[connection.seat]
        connection.seat = ""

    def _uncount(self, connection: Connection) -> None:
        self.hold(connection)
        self._unsettle(connection)
        client = connection.client
        self._of[client] -= 1
        if not self._of[client]:
            del self._of[client]
            for others in (self._idle_of, self._watching_of):
                others.pop(client, None)
