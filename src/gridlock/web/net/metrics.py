"""Everything that is counted, for Prometheus: defined here and nowhere else, and served on an address of its own.

Counters are increased where something happens (`metrics.refusals.labels("pace").inc()`); a gauge that merely repeats a
number kept elsewhere is given a function (`metrics.games_open.set_function(lambda: len(hub.open))`).
"""

import asyncio
import socket
from contextlib import suppress

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest

registry = CollectorRegistry()
ProcessCollector(registry=registry)  # resident memory, open files, seconds of processor time

# -- clients ------------------------------------------------------------------------------------------------------

requests = Counter("gridlock_requests", "Answers to HTTP requests.", ["status"], registry=registry)  # 2xx, 4xx, 5xx …
refusals = Counter("gridlock_refusals", "What was refused, and why.", ["reason"], registry=registry)
connections = Gauge("gridlock_connections", "WebSockets that are open.", registry=registry)
games_open = Gauge("gridlock_games_open", "Games that somebody looks at.", registry=registry)

# -- the engine ---------------------------------------------------------------------------------------------------

questions_running = Gauge("gridlock_questions_running", "Questions being worked on.", ["kind"], registry=registry)
questions_waiting = Gauge("gridlock_questions_waiting", "Questions that wait.", ["kind"], registry=registry)

# -- the database -------------------------------------------------------------------------------------------------

games_kept = Gauge("gridlock_games_kept", "Games in the database.", registry=registry)
database_bytes = Gauge("gridlock_database_bytes", "Size of the database.", registry=registry)
jobs_waiting = Gauge("gridlock_jobs_waiting", "What waits to be written or read.", ["kind"], registry=registry)
commit_seconds = Histogram(
    "gridlock_commit_seconds",
    "How long commits took.",
    registry=registry,
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5),
)
failed_jobs = Counter(
    "gridlock_failed_jobs", "Reads and writes that failed or took too long.", ["kind"], registry=registry
)
purged = Counter("gridlock_purged_games", "Games that were purged, and why.", ["reason"], registry=registry)
damaged = Counter("gridlock_damaged_games", "Games found damaged.", registry=registry)
scrubbed = Counter("gridlock_scrubbed_events", "Events whose checksums were verified in passing.", registry=registry)

# -- serving them -------------------------------------------------------------------------------------------------

AT_ONCE = 8  # connections
PATIENCE = 5.0  # seconds for a request and its answer
_LARGEST_HEAD = 8192
_OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\nConnection: close\r\n\r\n"
_MISSING = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


def text() -> bytes:
    """All metrics as Prometheus reads them."""
    return generate_latest(registry)


async def serve(listener: socket.socket) -> asyncio.Server:
    """Answer `GET /metrics` on an address of its own."""
    inside = 0

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal inside
        inside += 1
        try:
            if inside <= AT_ONCE:
                async with asyncio.timeout(PATIENCE):
                    head = await reader.readuntil(b"\r\n\r\n")
                    known = head.startswith((b"GET /metrics ", b"GET /metrics?"))
                    writer.write(_OK + text() if known else _MISSING)
                    await writer.drain()
        except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # nobody to tell
        finally:
            inside -= 1
            writer.close()
            with suppress(OSError, TimeoutError):
                async with asyncio.timeout(PATIENCE):
                    await writer.wait_closed()

    return await asyncio.start_server(talk, sock=listener, limit=_LARGEST_HEAD)
