"""The lobby: a list of public games that await an opponent, and a list of public games in progress.

Each client gets a fair share of the entries in each list. The lists are not stored; a public game is listed as long as
one of its players is connected to this process.
"""

import time
import zlib
from collections import Counter, OrderedDict
from collections.abc import Collection, Iterable
from typing import TypeVar

from msgspec import UNSET

from gridlock.web.games.live import Live
from gridlock.web.net.limits import Allowance
from gridlock.web.referee.decide import Rejection
from gridlock.web.wire import service
from gridlock.web.wire.setups import own_rule

T = TypeVar("T", bound=service.Listed)
MOST = 30  # games in each list
EACH = 3  # games per client in each list
EXTRA = 5  # games in each list beyond one per client, so that ten clients fill at most half of the list
HELD = 3  # most unfinished public games that one client may have joined
HOLDING = 3600.0  # seconds after joining during which a game counts even if no player is connected
IDLE = 60.0  # seconds for the first move of a player who has joined; after that, another player may take the seat
_TURNS = 60.0  # seconds after which the choice of clients changes, if the list is too short for every client
_REMEMBERED = 10_000  # games whose listing time is remembered

HURRY = "When it is your turn, make your first move within a minute, or another player may take your seat."
LOST = "Another player has taken your seat, because you made no move. You can watch."
TOO_MANY = Rejection("limit", f"You're already playing {HELD} public games. Finish or resign a game first.")
TOO_FAST = Rejection("limit", "You've joined too many public games too quickly. Wait a moment and try again.")


class Lobby:
    """The open games that are public, and the limits on joining them."""

    def __init__(self, games: dict[str, Live]) -> None:
        self._games = games
        self._listed: OrderedDict[str, float] = OrderedDict()  # game -> when it was first listed
        self._joined: OrderedDict[str, tuple[str, float]] = OrderedDict()  # game -> the client that joined it, and when
        self.joins = Allowance(10, 1 / 30)  # public games that each client may join

    def lists(self, hidden: Collection[str] = ()) -> service.Lobby:
        """Return two lists of public games, newest first: games awaiting an opponent, and games being played."""
        public = [live for id, live in self._games.items() if id not in hidden and self._is_listed(live)]
        waiting = [live for live in public if self.is_open(live)]
        playing = [live for live in public if not self.is_open(live)]
        challenges = [_challenge(live) for live in self._share(waiting)]
        return service.Lobby(challenges, [_watched(live) for live in self._share(playing)])

    def _is_listed(self, live: Live) -> bool:
        if live.table.settings.public is not True or not live.watch or live.table.over:
            return False
        return set(live.presence.seats) != {"gone"}

    def _share(self, games: Iterable[Live]) -> list[Live]:
        """Choose the games to list: one game per client, then a few more games.

        If the list is too short to show a game from every client, the choice of clients changes every minute.
        """
        newest = sorted(games, key=self._since, reverse=True)
        before: Counter[str] = Counter()
        firsts: list[Live] = []
        others: list[Live] = []
        for live in newest:
            if before[live.creator] < EACH:
                (others if before[live.creator] else firsts).append(live)
            before[live.creator] += 1
        turn = int(time.monotonic() / _TURNS)
        firsts.sort(key=lambda live: zlib.crc32(f"{live.creator} {turn}".encode()))
        firsts = firsts[:MOST]
        chosen = {live.table.id for live in [*firsts, *others[: min(EXTRA, MOST - len(firsts))]]}
        return [live for live in newest if live.table.id in chosen]

    def _since(self, live: Live) -> float:
        """Return the time at which a game was first listed."""
        if live.table.id not in self._listed and len(self._listed) >= _REMEMBERED:
            self._listed.popitem(last=False)
        return self._listed.setdefault(live.table.id, time.monotonic())

    def is_open(self, live: Live) -> bool:
        """Return whether a seat is open, or can be taken because its player has not made the first move in time."""
        return live.table.open_seat is not None or self._is_idle(live)

    def _is_idle(self, live: Live) -> bool:
        """Return whether the player who joined a public game is taking too long to make the first move."""
        table = live.table
        if table.settings.public is not True or live.presence.seats[table.settings.seat - 1] == "gone":
            return False
        return live.idle_since is not None and time.monotonic() >= live.idle_since + IDLE

    def refusal(self, live: Live, client: str) -> Rejection | None:
        """Return why a client cannot join a public game now; if it can, record that the client is joining."""
        if live.table.settings.public is not True:
            return None
        held = [id for id, (joiner, _) in self._joined.items() if joiner == client and self._goes_on(id)]
        if len(held) >= HELD and live.table.id not in held:
            return TOO_MANY
        if self.joins.take(client):
            return TOO_FAST
        if len(self._joined) >= _REMEMBERED:
            self._joined.popitem(last=False)
        # Count the game at once, because the client's other requests may arrive while this join is being stored.
        self._joined[live.table.id] = client, time.monotonic()
        return None

    def _goes_on(self, id: str) -> bool:
        """Return whether a game that a client joined may still be in progress, even if no player is connected."""
        if live := self._games.get(id):
            return not live.table.over
        return time.monotonic() < self._joined[id][1] + HOLDING

    def joiner(self, live: Live) -> tuple[str, float] | None:
        """Return the client that joined a public game, and the time at which it joined."""
        return self._joined.get(live.table.id)

    def restore(self, live: Live, joiner: tuple[str, float] | None) -> None:
        """Undo a join that could not be stored, and restore the previous client's record, if there was one."""
        if joiner:
            self._joined[live.table.id] = joiner
        else:
            self._joined.pop(live.table.id, None)

    def close(self, live: Live) -> None:
        """When this process closes a game that is over, forget who joined it."""
        if live.table.over:
            self._joined.pop(live.table.id, None)


def _challenge(live: Live) -> service.Challenge:
    name = live.table.game.player_name(live.table.settings.seat)
    return _listed(service.Challenge, live, name=name, invitation=live.invitation)


def _watched(live: Live) -> service.Watched:
    game = live.table.game
    names = (game.player_name(1), game.player_name(2))
    return _listed(service.Watched, live, names=names, ply=live.table.ply, watch=live.watch)


def _listed(kind: type[T], live: Live, **more: object) -> T:
    variant, settings = live.table.game.variant, live.table.settings
    return kind.of(
        settings,
        game=live.table.id,
        title=variant.book.title,
        own_rule=own_rule(variant.book),
        board=str(variant.grid),
        adjacency=variant.grid.adjacency,
        clock=None if settings.clock is UNSET else service.Timing(settings.clock.seconds, settings.clock.increment),
        **more,
    )
