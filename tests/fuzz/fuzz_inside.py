"""A server that shares a process and an event loop with the fuzzer, so that runs are fast and no error is hidden."""

import asyncio
import gc
import logging
import os
import socket
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

import uvicorn

from gridlock.command import run
from gridlock.web.thinking import pool

LIMITS = [f"--{what}-per-client=1000000" for what in ("games", "connections", "thinking", "requests")]
LIMITS += ["--most-games=0", "--database-limit=0"]  # all games come from one address
MEMORY = "/dev/shm" if os.path.isdir("/dev/shm") else None  # where a sync costs nothing, if there is such a folder


class Complaints(logging.Handler):
    """A log handler that collects errors and exceptions."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.kept: list[tuple[str, str]] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Save a log record, together with the place where its exception was raised."""
        if record.levelno < logging.ERROR and not record.exc_info:
            return
        words = record.getMessage()
        kind = words[:60]
        if record.exc_info and record.exc_info[1]:
            words = logging.Formatter().formatException(record.exc_info)
            place, trace = "", record.exc_info[2]
            while trace:
                code = trace.tb_frame.f_code
                place, trace = f"{Path(code.co_filename).name}, {code.co_name}", trace.tb_next
            kind = f"{type(record.exc_info[1]).__name__} in {place}"
        self.kept.append((kind, words))

    def take(self) -> list[tuple[str, str]]:
        """Return everything received since the last call."""
        kept, self.kept = self.kept, []
        return kept


def megabytes() -> float:
    """Return this process's current memory use."""
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE") / 1e6


def serve_and(work: Callable[[uvicorn.Server, int, Complaints], Awaitable[None]]) -> None:
    """Run `gridlock serve`, but call `work` instead of waiting for a signal.

    The arguments of `work` are the server, its port and its log handler.
    """
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    complaints = Complaints()

    def uncaught(_loop: asyncio.AbstractEventLoop, context: dict) -> None:
        logging.getLogger("asyncio").error(context["message"], exc_info=context.get("exception"))

    worked = False

    async def instead(server: uvicorn.Server) -> None:
        nonlocal worked
        logging.getLogger().handlers = [complaints]
        logging.getLogger("gridlock.web").setLevel(logging.WARNING)  # routine events are not even put into words
        asyncio.get_running_loop().set_exception_handler(uncaught)
        await work(server, port, complaints)
        worked = True

    async def nobody(*_arguments: object, **_options: object) -> None:
        raise pool.Failed  # questions are read and rejected: the engine's answers do not matter here, and take long

    waiting, asking, out = uvicorn.Server.main_loop, pool.FairPool.ask, sys.stdout
    with tempfile.TemporaryDirectory(prefix="gridlock-fuzz-", dir=MEMORY) as folder, open(os.devnull, "w") as nowhere:
        uvicorn.Server.main_loop, pool.FairPool.ask, sys.stdout = instead, nobody, nowhere  # type: ignore[assignment, method-assign]
        try:
            code = run(["serve", "--port", str(port), "--database", f"{folder}/games.sqlite3", *LIMITS])
        finally:
            uvicorn.Server.main_loop, pool.FairPool.ask, sys.stdout = waiting, asking, out  # type: ignore[method-assign]
    if code or not worked:
        raise SystemExit(f"the server did not start, or did not come to a good end (exit code {code})")
