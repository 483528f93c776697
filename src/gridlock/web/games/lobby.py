"""The games that anybody may see: those that wait for an opponent, and those that are being played.

Nothing is stored for it: a game is listed as long as somebody who plays it is connected here, and said it is public.
"""

from collections import Counter
from collections.abc import Iterable

from msgspec import UNSET

from gridlock.web.games.viewers import Live
from gridlock.web.wire import service

MOST = 30  # games in each list
EACH = 3  # of one client in each


def lobby(games: Iterable[Live]) -> service.Lobby:
    """What is listed now, the newest first."""
    challenges: list[service.Challenge] = []
    watched: list[service.Watched] = []
    makers: Counter[tuple[str, bool]] = Counter()
    for live in reversed(list(games)):
        table = live.table
        if (
            table.settings.public is not True
            or not live.watch
            or table.game.outcome
            or set(live.presence.seats) == {"gone"}
        ):
            continue
        waits = table.open_seat is not None
        makers[live.maker, waits] += 1
        if makers[live.maker, waits] > EACH or len(challenges if waits else watched) >= MOST:
            continue
        book, grid, clock = table.game.variant.book, table.game.variant.grid, table.settings.clock
        offered = None if clock is UNSET else service.Timing(clock.seconds, clock.increment)
        about = (table.id, book.title, str(grid), grid.adjacency, table.settings.swap, offered)
        names = (table.game.player_name(1), table.game.player_name(2))
        if waits:
            challenges.append(service.Challenge(*about, names[table.settings.seat - 1], live.invitation))
        else:
            watched.append(service.Watched(*about, names, table.ply, live.watch))
    return service.Lobby(challenges, watched)
