"""A server that may not have any more memory refuses, or ends; what it has acknowledged is there."""

import asyncio
import contextlib
import random
import resource
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from web_client import client
from web_player import LOST, Steady
from web_server import Served

pytestmark = pytest.mark.slow

SPARE = [8, 6, 4, 2, 1, 0, -50]  # MiB that are left


def address_space(process: int) -> int:
    """How much memory a process has mapped, in bytes."""
    return int(Path(f"/proc/{process}/statm").read_text().split()[0]) * resource.getpagesize()


async def crowd(server: Served, tables: list[Steady]) -> int:
    """Many look on at once, which takes memory; how many cannot."""

    async def look(made: dict) -> int:
        try:
            async with asyncio.timeout(5), client(server, made["id"], made["token"]) as one:
                await one.answer("look", ply=0)
                return 0
        except LOST:
            return 1

    return sum(await asyncio.gather(*(look(table.made) for table in tables for _ in range(20))))


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="the limits of a running process can be set on Linux only")
def test_with_less_and_less_memory_no_acknowledged_move_is_lost(serve: Callable[..., Served]) -> None:
    rng = random.Random(3)

    async def run() -> None:
        server = serve("--connections-per-client=10000", "--games-per-client=10000")
        boards = [{"board": "30x30"}] * 12
        tables = [Steady(server.create("scatter", "screen", setup=setup)) for setup in boards]
        stop = threading.Event()
        players = [asyncio.create_task(table.play(server, stop, rng)) for table in tables]
        assert server.process is not None
        ended = refused = 0
        for spare in SPARE:
            with contextlib.suppress(OSError):
                limit = address_space(server.pid) + (spare << 20)
                resource.prlimit(server.pid, resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
            refused += await crowd(server, tables)
            with contextlib.suppress(subprocess.TimeoutExpired):
                await asyncio.to_thread(server.process.wait, 0.5)
                ended += 1
                server.close()
                await asyncio.to_thread(server.start)
                assert server.process is not None
        with contextlib.suppress(OSError):
            resource.prlimit(server.pid, resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        assert refused or ended  # so the limit was one
        before = [len(table.cells) for table in tables]
        async with asyncio.timeout(120):
            for table, count in zip(tables, before, strict=True):  # and everybody goes on
                while len(table.cells) <= count:
                    await asyncio.sleep(0.05)
        stop.set()
        await asyncio.gather(*players)
        for table in tables:
            _, state = server.get(f"/api/games/{table.made['id']}", table.made["token"])
            kept = [entry["cell"] for entry in state["moves"] if entry["kind"] == "move"]
            assert kept[: len(table.cells)] == table.cells
            assert kept == table.sent[: len(kept)]

    asyncio.run(run())
