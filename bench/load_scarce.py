"""Attacks on two separate servers: one with few file descriptors, and one whose log is not read."""

import asyncio
import socket
import tempfile
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from bench.load_honest import fetch
from bench.load_players import SETUPS, Crowd
from bench.load_server import HOST, Server

FILES = 512  # files that the server may have open
CONNECTIONS = 700  # connections tried at once, from addresses that each stay below the limit per address
SECONDS = 10.0
GAMES = 8
REQUESTS = 1500  # about 450 requests fill a pipe with log lines
COMPLAINTS = 20  # error lines that a server may log about the lack of file descriptors


async def few_files() -> dict[str, Any]:
    """Use up the server's file descriptors; games and /health must keep working, and the log must stay short."""
    with tempfile.TemporaryDirectory(prefix="gridlock-load-") as home:
        server = Server(Path(home), files=FILES)
        server.start()
        try:
            crowd = Crowd(server, 1, SETUPS[:1])
            await crowd.gather(GAMES)
            crowding = asyncio.create_task(_crowd_in(server))
            health = asyncio.create_task(_health(server))
            await crowd.play(GAMES, SECONDS)
            refused = await health
            most = server.vital().files
            crowding.cancel()
            await asyncio.gather(crowding, return_exceptions=True)
            crowd.part()
        finally:
            server.close()
    log = server.log
    faults = [f"{count} x {what}" for what, count in crowd.errors.items() if count]
    if refused:
        faults.append(f"/health did not answer {refused} times")
    if log.errors > COMPLAINTS or log.tracebacks:
        faults.append(f"{log.errors} error lines in the log, {log.tracebacks} of them with a traceback")
    return {"files": most, "moves": len(crowd.latencies), "error_lines": log.errors, "faults": faults}


async def _crowd_in(server: Server) -> None:
    """Keep as many connections open as possible until cancelled."""
    loop = asyncio.get_running_loop()
    with ExitStack() as all_open:
        socks: dict[int, socket.socket] = {}
        while True:
            for number in range(CONNECTIONS):
                sock = socks.get(number)
                if sock is not None and sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] == 1:
                    continue
                if sock is not None:
                    sock.close()
                socks[number] = sock = all_open.enter_context(socket.socket())
                sock.setblocking(False)
                sock.bind((f"127.22.0.{number % 10 + 1}", 0))
                with suppress(OSError, TimeoutError):
                    async with asyncio.timeout(0.2):
                        await loop.sock_connect(sock, (HOST, server.port))
            await asyncio.sleep(0.1)


async def _health(server: Server) -> int:
    """Request /health every second; return how often there was no answer."""
    missing = 0
    for _ in range(round(SECONDS)):
        await asyncio.sleep(1)
        try:
            async with asyncio.timeout(5):
                missing += await fetch(server, HOST, "GET", "/health") != 200
        except (OSError, TimeoutError):
            missing += 1
    return missing


async def unread_log() -> dict[str, Any]:
    """Send enough requests to fill the server's log pipe, which nobody reads; the server must not stall."""
    with tempfile.TemporaryDirectory(prefix="gridlock-load-") as home:
        server = Server(Path(home), unread=True)
        server.start()
        answered = 0
        try:
            with suppress(OSError, TimeoutError):
                for number in range(REQUESTS):
                    async with asyncio.timeout(10):
                        address = f"127.23.0.{number % 200 + 1}"
                        answered += await fetch(server, address, "GET", f"/api/games/{'x' * 22}") == 401
        finally:
            server.close()
    faults = [] if answered == REQUESTS else [f"only {answered} of {REQUESTS} requests were answered"]
    return {"answered": answered, "faults": faults}
