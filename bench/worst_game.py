"""Load the longest allowed games, and longer games saved before there was a limit, while clients open ordinary games.

    python -m bench.worst_game

The script prints how long the largest game takes to open, how much memory this needs, and how long other clients wait
while ten clients repeatedly open games of that size. The exit code is 1 if a limit on time or memory is exceeded, or if
the server logs an error.
"""

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

from bench.load_server import HOST, Server
from gridlock.core.grid import cells_of
from gridlock.web.referee.decide import decide
from gridlock.web.referee.table import Access, GameEvent, Moved, Settings, Table, TookBack
from gridlock.web.storage import rows
from gridlock.web.storage.store import Store
from gridlock.web.wire import messages, tokens

OPENERS = 10
ORDINARY = 200  # the number of games that other clients open
SECONDS_TO_OPEN, MEGABYTES, NOTICED = 1.0, 20.0, 0.1  # the limits that must be met
_BOTH = Access("player", (1, 2))
_TOKEN = tokens.new_token()


def settings(board: str) -> Settings:
    """Return the settings for a game that two people play at one screen, and that can last until the board is full."""
    return Settings(
        game="keepaway",
        board=board,
        adjacency="orthogonal",
        starts=1,
        swap=False,
        opponent="screen",
        seat=1,
        names=("Ada", "Grace"),
        seats=(tokens.digest(_TOKEN),) * 2,
        watch=(tokens.digest(tokens.watching(_TOKEN)),) * 2,
        invitation=None,
    )


def played(board: str, most: int) -> list[GameEvent]:
    """Return the first moves of a game in which every move takes the first legal cell."""
    table = Table("x" * 22, settings(board))
    while not table.game.outcome and table.ply < most:
        table.apply(Moved(cells_of(table.game.legal)[0]))
    return [Moved(cell) for cell in table.game.moves]


def largest() -> list[GameEvent]:
    """Return the events of the longest game allowed.

    The players make the first move and take it back as often as the server allows, and then play the game to the end.
    """
    table = Table("x" * 22, settings("30x30"))
    happened: list[GameEvent] = []
    while not table.game.outcome:
        move = messages.Move(table.ply, table.line, cells_of(table.game.legal)[0])
        takeback = messages.Ask(table.ply, table.line, "takeback")
        event = decide(table, _BOTH, takeback if table.ply == 1 else move)
        if not isinstance(event, GameEvent):  # the server allows no more takebacks
            event = decide(table, _BOTH, move)
        assert isinstance(event, GameEvent), event
        table.apply(event)
        happened.append(event)
    return happened


def overlong(count: int) -> list[GameEvent]:
    """Return the events of an old game, stored before the number of events was limited."""
    moves = played("30x30", 800)
    return [*moves, *(moves[-1] if number % 2 else TookBack(799) for number in range(count - 800))]


def fill(file: Path, events: int) -> dict[str, list[str]]:
    """Write a database with games of each kind, and return their ids by kind."""
    store = Store(str(file), "bench")
    store.prepare()
    worst, old = largest(), overlong(events)
    wanted: list[tuple[str, int, str, Sequence[GameEvent]]] = [
        ("largest", OPENERS + 1, "30x30", worst),
        ("old", 2, "30x30", old),
        ("ordinary", ORDINARY, "8x8", played("8x8", 30)),
    ]
    made: dict[str, list[str]] = {}
    with store.database.transaction(writes=True) as connection:
        for kind, count, board, happened in wanted:
            made[kind] = [tokens.new_game_id() for _ in range(count)]
            for id in made[kind]:
                rows.create(connection, id, settings(board), happened, store.dates.now())
    store.database.close()
    print(f"{'the largest game':38} {len(worst):,} events")
    return made


async def opened(server: Server, game: str, address: str) -> float:
    """Open a game as a page does, and return how many seconds its state takes to arrive."""
    began = time.monotonic()
    url, origin = f"ws://{HOST}:{server.port}/ws", Origin(server.origin)
    async with connect(url, origin=origin, local_addr=(address, 0), max_size=None) as socket:
        await socket.send(msgspec.json.encode({"type": "hello", "game": game, "token": _TOKEN}).decode())
        async with asyncio.timeout(60):
            while not str(await socket.recv()).startswith('{"type":"state"'):
                pass
        return time.monotonic() - began


class Neighbours:
    """Clients that open one ordinary game after another, and measure how long each game takes to open."""

    def __init__(self, server: Server, games: Sequence[str]) -> None:
        self.server = server
        self.games = games
        self.taken: list[float] = []
        self.refused = 0

    async def open(self, seconds: float) -> None:
        """Open up to ten games per second for the given time, using 200 addresses in turn."""
        end, number = time.monotonic() + seconds, 0
        while time.monotonic() < end:
            number += 1
            try:
                game = self.games[number % len(self.games)]
                self.taken.append(await opened(self.server, game, f"127.31.0.{number % 200 + 1}"))
            except (OSError, ConnectionClosed, TimeoutError):
                self.refused += 1
            await asyncio.sleep(0.1)

    def report(self, what: str) -> float:
        """Print how long the clients waited for their games to open, and return the 99th percentile in seconds.

        If any client failed to open a game, return infinity instead.
        """
        ordered = sorted(self.taken)
        late = ordered[int(len(ordered) * 0.99)]
        figures = " ".join(f"{1000 * one:.0f}" for one in (statistics.median(ordered), late, ordered[-1]))
        print(f"{what:38} p50, p99, max {figures} ms; {len(ordered)} openings, {self.refused} refused")
        return float("inf") if self.refused else late


async def besieged(server: Server, others: Sequence[str], games: Sequence[str], seconds: float, what: str) -> float:
    """Measure how long other clients wait while ten clients repeatedly open games."""

    async def again(number: int) -> None:
        while True:
            try:
                await opened(server, games[number % len(games)], f"127.32.0.{number + 1}")
            except (OSError, ConnectionClosed, TimeoutError):
                await asyncio.sleep(0.1)

    openers = [asyncio.create_task(again(number)) for number in range(OPENERS)]
    neighbours = Neighbours(server, others)
    await asyncio.sleep(0.5)
    await neighbours.open(seconds)
    for opener in openers:
        opener.cancel()
    await asyncio.gather(*openers, return_exceptions=True)
    return neighbours.report(what)


async def first(server: Server, game: str, address: str, what: str) -> tuple[float, float]:
    """Open a game that is not in memory, and print how many seconds and megabytes it took."""
    before, used, waited = server.vital(), server.cpu(), server.kept_waiting()
    seconds = await opened(server, game, address)
    after, used, waited = server.vital(), server.cpu() - used, server.kept_waiting() - waited
    grown = max(after.memory, after.peak if after.peak > before.peak else 0) - before.memory
    print(f"{what:38} {seconds:.2f} s ({used:.2f} s of processor, {waited:.2f} s waiting for one), {grown:+.1f} MB")
    return seconds, grown


async def measure(server: Server, made: dict[str, list[str]], seconds: float, events: int) -> list[str]:
    """Run all measurements, and return the requirements that were not met."""
    broken = []
    alone = Neighbours(server, made["ordinary"])
    await alone.open(min(3.0, seconds))
    alone.report("others, nothing else going on")
    took, grown = await first(server, made["largest"][-1], "127.33.0.1", "the largest game opens in")
    if took > SECONDS_TO_OPEN or grown > MEGABYTES:
        broken.append(f"the largest game opens within {SECONDS_TO_OPEN:g} s and {MEGABYTES:g} MB")
    late = [await besieged(server, made["ordinary"], made["largest"][:-1], seconds, "others, ten clients opening such")]
    await first(server, made["old"][0], "127.33.0.2", f"an old game of {events:,} opens in")
    late.append(await besieged(server, made["ordinary"], made["old"], seconds, "others, ten clients opening two such"))
    if max(late) > NOTICED:
        broken.append(f"99 of 100 others' openings take less than {1000 * NOTICED:g} ms")
    if server.log.errors:
        broken.append("no error lines: " + "; ".join(server.log.complaints[:3]))
    print(f"{'memory at most':38} {server.vital().peak:.1f} MB")
    print(f"{'error lines':38} {server.log.errors}")
    return broken


def main() -> int:
    """Run the measurements."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=10.0, help="how long each siege lasts")
    parser.add_argument("--events", type=int, default=200_000, help="of a game in an old database")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="gridlock-worst-") as home:
        server = Server(Path(home))
        made = fill(Path(server.database), given.events)
        server.start()
        try:
            broken = asyncio.run(measure(server, made, given.seconds, given.events))
        finally:
            server.close()
    for promise in broken:
        print(f"BROKEN: {promise}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
