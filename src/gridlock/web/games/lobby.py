"""The public games: those that wait for an opponent, and those in progress.

The lists are not stored: a public game is listed as long as one of its players is connected to this process.
"""

from collections import Counter
from collections.abc import Iterable

from msgspec import UNSET

from gridlock.web.games.viewers import Live
from gridlock.web.wire import service

MOST = 30  # games in each list
EACH = 3  # games per client in each list


def lobby(games: Iterable[Live]) -> service.Lobby:
    """Return the public games, newest first."""
    challenges: list[service.Challenge] = []
    watched: list[service.Watched] = []
    creators: Counter[tuple[str, bool]] = Counter()
    for live in reversed(list(games)):
        table, game, settings = live.table, live.table.game, live.table.settings
        if settings.public is not True or not live.watch or game.outcome or set(live.presence.seats) == {"gone"}:
            continue
        waits = table.open_seat is not None
        creators[live.creator, waits] += 1
        if creators[live.creator, waits] > EACH or len(challenges if waits else watched) >= MOST:
            continue
        grid, clock = game.variant.grid, settings.clock
        timing = None if clock is UNSET else service.Timing(clock.seconds, clock.increment)
        about = (table.id, game.variant.book.title, str(grid), grid.adjacency, settings.swap, timing)
        names = (game.player_name(1), game.player_name(2))
        if waits:
            challenges.append(service.Challenge(*about, names[settings.seat - 1], live.invitation))
        else:
            watched.append(service.Watched(*about, names, table.ply, live.watch))
    return service.Lobby(challenges, watched)
