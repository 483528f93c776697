"""A program that stores games on a disk that can be made to fail: `disk_driver.py FOLDER story|errors|health …`."""

import asyncio
import ctypes
import errno
import json
import shutil
import sys
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import Request

from gridlock.web.app import Serving, build
from gridlock.web.pages.health import HealthChecks
from gridlock.web.referee import table
from gridlock.web.storage import databases
from gridlock.web.storage.rows import Damaged
from gridlock.web.storage.store import Store

SETTINGS = table.Settings(
    game="scatter", board="9x9", adjacency="king", starts=1, swap=False, opponent="screen", seat=1,
    names=("Ada", "Grace"), seats=("a" * 64, "b" * 64), watch=("c" * 64, "d" * 64), invitation=None,
)  # fmt: skip
CELLS = [0, 2, 4, 6, 8, 18, 20, 22, 24, 26, 36, 38, 40, 42, 44]  # legal in this order
FAILED = (SQLAlchemyError, OSError)


class Player:
    """A player in one game, who remembers which events were acknowledged."""

    def __init__(self, store: Store, id: str) -> None:
        self.store = store
        self.table = table.Table(id, SETTINGS)
        self.created = False

    async def step(self) -> None:
        """Create the game, or make its next move; raise an exception if the event cannot be stored."""
        if not self.created:
            await self.store.create(self.table.id, SETTINGS)
            self.created = True
            return
        event = table.Moved(CELLS[self.table.sequence])
        if not await self.store.append(self.table, event):
            found = await self.store.since(self.table.id, self.table.sequence)
            assert found == [event], "something else was stored"
        self.table.apply(event)


def story(folder: Path, pragmas: list[str], games: int, moves: int) -> None:
    """Play games in parallel, and record each acknowledgement as soon as it arrives."""
    databases.SQLITE = tuple(pragmas)
    store = Store(str(folder / "games.sqlite3"), "test")
    store.prepare()
    store.start()
    with open(folder / "acknowledged", "wb", buffering=0) as told:

        async def play(player: Player) -> None:
            for _ in range(moves + 1):
                await player.step()
                told.write(json.dumps([player.table.id, player.table.sequence]).encode() + b"\n")

        async def all_of_them() -> None:
            for number in range(games):  # some alone, some together in one transaction
                await asyncio.gather(*(play(Player(store, f"g{number}-{other}")) for other in range(1 + number % 3)))

        asyncio.run(all_of_them())
    store.stop()


def errors(folder: Path, name: str, times: int, first: int, every: int) -> None:
    """Check that play continues after disk errors, and that no acknowledged move is lost.

    In each run, the disk fails a little later than in the run before.
    """
    databases.SQLITE = (*databases.SQLITE, "wal_autocheckpoint=8")  # so that checkpoints fail, too
    disk = ctypes.CDLL(None)
    number, refused = first, 0
    while True:
        inside = folder / str(number)
        inside.mkdir()
        file = str(inside / "games.sqlite3")
        store = Store(file, "test")
        store.prepare()
        store.start()
        players = [Player(store, f"g{other}") for other in range(3)]
        known: dict[str, int] = {}

        async def rounds(count: int, players: list[Player] = players, known: dict[str, int] = known) -> int:
            refusals = 0
            for _ in range(count):
                for answer in await asyncio.gather(*(one.step() for one in players), return_exceptions=True):
                    if isinstance(answer, BaseException):
                        assert isinstance(answer, FAILED) and not isinstance(answer, Damaged), repr(answer)  # noqa: PT018
                        refusals += 1
                known.update({one.table.id: one.table.sequence for one in players if one.created})
            return refusals

        disk.disk_fail(ctypes.c_long(number), getattr(errno, name), ctypes.c_long(times))
        failed = asyncio.run(rounds(9))
        reached = disk.disk_count() >= number
        disk.disk_fail(ctypes.c_long(-1), 0, ctypes.c_long(0))
        assert asyncio.run(rounds(5)) == 0, f"operation {number}: it does not go on"
        store.stop()
        _check(file, known, number)
        shutil.rmtree(inside)
        refused += failed
        if not reached:
            break
        number += every
    print(json.dumps({"operations": number, "refused": refused}))


def _check(file: str, known: dict[str, int], number: int) -> None:
    again = Store(file, "test")
    again.prepare()
    again.start()

    async def look() -> None:
        for id, sequence in known.items():
            found = await again.load(id)
            assert found is not None, f"operation {number}: {id} is lost"
            assert found.sequence == sequence, f"operation {number}: {id}"
            assert found.game.moves == CELLS[:sequence]

    asyncio.run(look())
    with again.database.transaction() as connection:
        assert connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
    again.stop()


def health(folder: Path) -> None:
    """Print what /health says before, during and after errors of each kind."""
    disk = ctypes.CDLL(None)
    _, hub = build(Serving(str(folder / "games.sqlite3"), frozenset()))
    hub.store.prepare()
    hub.store.start()
    asked = Request({"type": "http", "headers": []})

    async def ask() -> tuple[int, str, int]:
        about = HealthChecks(hub)
        told, ready = await about.health(asked), await about.ready(asked)
        return told.status_code, json.loads(told.body)["words"], ready.status_code

    async def run() -> None:
        print(json.dumps(await ask()))
        for number in (errno.ENOSPC, errno.EIO):
            disk.disk_fail(ctypes.c_long(1), number, ctypes.c_long(1_000_000))
            print(json.dumps(await ask()))
            disk.disk_fail(ctypes.c_long(-1), 0, ctypes.c_long(0))
            print(json.dumps(await ask()))

    asyncio.run(run())
    hub.store.stop()


if __name__ == "__main__":
    folder, what, *more = sys.argv[1:]
    if what == "story":
        story(Path(folder), json.loads(more[0]), int(more[1]), int(more[2]))
    elif what == "health":
        health(Path(folder))
    else:
        errors(Path(folder), more[0], *map(int, more[1:]))
