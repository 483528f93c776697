"""Tests that, if memory runs out, the server rejects requests or exits, but loses no acknowledged move."""

import asyncio
import contextlib
import random
import resource
import subprocess
import threading
from collections.abc import Callable
from http.client import HTTPException
from pathlib import Path

import pytest
from web_client import client
from web_player import LOST, Steady
from web_server import Served

pytestmark = pytest.mark.slow

SPARE = [  # how many MiB above its current use the server may still map, step by step
    pytest.param([4, 1, -50], id="few steps"),
    pytest.param([8, 6, 4, 2, 1, 0, -50], id="many steps", marks=pytest.mark.deep),
]


def address_space(process: int) -> int:
    """Return how much memory a process has mapped, in bytes."""
    return int(Path(f"/proc/{process}/statm").read_text().split()[0]) * resource.getpagesize()


async def crowd(server: Served, tables: list[Steady], each: int) -> int:
    """Open many connections at once to use up memory, and return how many of them failed."""

    async def look(made: dict) -> int:
        try:
            async with asyncio.timeout(5), client(server, made["id"], made["token"]) as one:
                await one.answer("look", ply=0)
                return 0
        except LOST:
            return 1

    return sum(await asyncio.gather(*(look(table.made) for table in tables for _ in range(each))))


async def started_again(server: Served) -> bool:
    """Restart the server if it has exited, as a supervisor would; return whether it had exited."""
    assert server.process is not None
    try:
        await asyncio.to_thread(server.process.wait, 0.5)
    except subprocess.TimeoutExpired:
        return False
    server.close()
    await asyncio.to_thread(server.start)
    return True


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="the limits of a running process can be set on Linux only")
@pytest.mark.parametrize("steps", SPARE)
def test_with_less_and_less_memory_no_acknowledged_move_is_lost(serve: Callable[..., Served], steps: list[int]) -> None:
    rng = random.Random(3)

    async def run() -> None:
        server = serve("--connections-per-client=10000", "--games-per-client=10000")
        boards = [{"board": "30x30"}] * 12
        tables = [Steady(server.create("scatter", "screen", setup=setup)) for setup in boards]
        stop = threading.Event()
        players = [asyncio.create_task(table.play(server, stop, rng)) for table in tables]
        assert server.process is not None
        ended = refused = 0
        for spare in steps:
            with contextlib.suppress(OSError):
                limit = address_space(server.pid) + (spare << 20)
                resource.prlimit(server.pid, resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
            refused += await crowd(server, tables, 20)
            ended += await started_again(server)
        for each in (40, 80, 160, 320):  # the server may have had unused memory
            if not refused and not ended:
                refused += await crowd(server, tables, each)
                ended += await started_again(server)
        with contextlib.suppress(OSError):
            resource.prlimit(server.pid, resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        assert refused or ended  # the memory limit was reached
        before = [len(table.cells) for table in tables]
        async with asyncio.timeout(120):
            for table, count in zip(tables, before, strict=True):  # every player continues
                while len(table.cells) <= count:
                    await started_again(server)
                    for player in players:
                        if player.done():  # a player stops early only after an unexpected answer
                            player.result()
        stop.set()
        await asyncio.gather(*players)
        for table in tables:
            _, state = server.get(f"/api/games/{table.made['id']}", table.made["token"])
            kept = [entry["cell"] for entry in state["moves"] if entry["kind"] == "move"]
            assert kept[: len(table.cells)] == table.cells
            assert kept == table.sent[: len(kept)]

    asyncio.run(run())


EXHAUSTED = """
import pathlib
from gridlock.web.referee import views

tell = views.state
def told(*given):
    if pathlib.Path(__file__).with_name("exhausted").exists():
        raise MemoryError
    return tell(*given)
views.state = told
"""


def test_a_server_that_could_not_finish_something_for_want_of_memory_ends_to_be_started_again(
    serve: Callable[..., Served], tmp_path: Path
) -> None:
    (tmp_path / "sitecustomize.py").write_text(EXHAUSTED)
    server = serve(env={"PYTHONPATH": str(tmp_path)})
    made = server.create("scatter", "screen")
    (tmp_path / "exhausted").touch()
    with contextlib.suppress(OSError, HTTPException):
        assert server.get(f"/api/games/{made['id']}", made["token"])[0] == 500
    assert server.process is not None
    assert server.process.wait(60) == 1
    assert "out of memory" in server.log.read_text()
    (tmp_path / "exhausted").unlink()
    server.close()
    server.start()
    assert server.get(f"/api/games/{made['id']}", made["token"])[0] == 200
