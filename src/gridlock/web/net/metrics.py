"""All metrics for Prometheus, and the server that publishes them at a separate address.

Increment a counter where the event happens (`metrics.refusals.labels("pace").inc()`). To show a number that other
code already keeps, give the gauge a function (`metrics.games_open.set_function(lambda: len(hub.open))`).
"""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from wsgiref.simple_server import WSGIServer

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, start_http_server

registry = CollectorRegistry()
ProcessCollector(registry=registry)  # resident memory, open files, seconds of processor time

_counter = partial(Counter, namespace="gridlock", registry=registry)
_gauge = partial(Gauge, namespace="gridlock", registry=registry)

requests = _counter("requests", "Responses to HTTP requests, by status.", ["status"])  # 2xx, 4xx, 5xx …
refusals = _counter("refusals", "Rejected requests and connections, by reason.", ["reason"])
openings = _counter("openings", "Attempts to open a game over a WebSocket, by result.", ["result"])
connections = _gauge("connections", "Open WebSockets.")
games_open = _gauge("games_open", "Games that at least one client has open.")
questions_running = _gauge("questions_running", "Engine requests in progress.", ["kind"])
questions_waiting = _gauge("questions_waiting", "Engine requests waiting for a worker.", ["kind"])
games_kept = _gauge("games_kept", "Games in the database.")
database_bytes = _gauge("database_bytes", "Size of the database.")
jobs_waiting = _gauge("jobs_waiting", "Queued database reads and writes.", ["kind"])
commit_seconds = Histogram(
    "gridlock_commit_seconds",
    "Duration of commits.",
    registry=registry,
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5),
)
failed_jobs = _counter("failed_jobs", "Reads and writes that failed or took too long.", ["kind"])
purged = _counter("purged_games", "Purged games, by reason.", ["reason"])
damaged = _counter("damaged_games", "Damaged games found.")
scrubbed = _counter("scrubbed_events", "Events whose checksums were verified in the background.")

PATIENCE = 5.0  # seconds for a request to arrive
_BACKLOG = 128  # connections that may wait to be accepted
AT_ONCE = 32  # most open connections; a new connection then replaces the oldest


@contextmanager
def served(host: str, port: int) -> Iterator[tuple[str, int]]:
    """Serve metrics to Prometheus from separate threads until the context ends; yield the host and the actual port."""
    try:
        server, thread = start_http_server(port, host, registry)
    except OSError as error:
        raise OSError(f"metrics cannot be served at {host}, port {port}: {error.strerror or error}.") from None
    server.RequestHandlerClass.timeout = PATIENCE  # type: ignore[attr-defined]  # StreamRequestHandler has one
    server.socket.listen(_BACKLOG)
    _make_room(server)
    server.handle_error = lambda *_: None  # type: ignore[method-assign]  # no traceback when a client disconnects
    try:
        yield host, server.server_port
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _make_room(server: WSGIServer) -> None:
    """Make a server close its oldest connection when it has too many, so that idle connections never block a client."""
    connections: dict[socket.socket, None] = {}  # in order of arrival
    lock, process, shut = threading.Lock(), server.process_request, server.shutdown_request

    def admit(request: socket.socket, address: tuple[str, int]) -> None:
        with lock:
            connections[request] = None
            if len(connections) > AT_ONCE:
                oldest = next(iter(connections))
                del connections[oldest]
                with suppress(OSError):  # the connection is already closing
                    oldest.shutdown(socket.SHUT_RDWR)
        process(request, address)

    def part(request: socket.socket) -> None:
        with lock:
            connections.pop(request, None)
        shut(request)

    server.process_request, server.shutdown_request = admit, part  # type: ignore[method-assign, assignment]
