"""The running server: its sockets, its memory and its shutdown."""

import asyncio
import ctypes
import gc
import ipaddress
import logging
import resource
import shlex
import signal
import socket
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import uvicorn
from sqlalchemy.exc import SQLAlchemyError
from starlette.types import Receive, Scope, Send

from gridlock.web.app import Serving, build
from gridlock.web.games.hub import Hub
from gridlock.web.net import logs, metrics
from gridlock.web.net.acceptor import Acceptor
from gridlock.web.net.connections import Registry
from gridlock.web.net.limits import MESSAGE
from gridlock.web.net.protocols import AbortableSocket, Deadlines
from gridlock.web.storage.databases import malformed

log = logging.getLogger("gridlock.web")
DRAIN_SECONDS = 10.0
LARGEST_HEAD = 16384
_OWN_FILES = 128  # file descriptors reserved for the database, the workers and files being read
_RARELY = (1000, 5, 1_000_000)  # garbage collector thresholds: young objects are collected often, old ones never
_TIDYING = 300.0  # seconds between full collections, which block the whole server
_TRIMMING = 60.0  # seconds between two releases of free memory to the system, each of which takes a millisecond
_TURN = 0.0002  # seconds until a waiting thread gets its turn; a commit needs a dozen turns
_MMAP_THRESHOLD, _ARENA_MAX = -3, -8  # M_MMAP_THRESHOLD and M_ARENA_MAX in malloc.h
_LAST_WORD = 30  # seconds for a clean shutdown when memory has run out
_FEWEST = 16  # connections allowed even if there are too few file descriptors


class Server(uvicorn.Server):
    """A server that finishes the work in progress before it stops."""

    def __init__(
        self, config: uvicorn.Config, listener: socket.socket, registry: Registry, hub: Hub, ready: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._listener = listener
        self._registry = registry
        self._hub = hub
        self._ready = ready
        self.exhausted = False

    def give_up(self) -> None:
        """Stop the server after it runs out of memory; a restarted server is better than a crippled one."""
        if not self.exhausted:
            self.exhausted = self.should_exit = True
            signal.alarm(_LAST_WORD)  # ends the process in any case, and needs no memory
            log.error("out of memory; the server stops, and all acknowledged moves are stored")

    def _unhandled(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if isinstance(context.get("exception"), MemoryError):
            self.give_up()
        else:
            loop.default_exception_handler(context)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start the server, then call `ready`."""
        asyncio.get_running_loop().set_exception_handler(self._unhandled)
        await super().startup(sockets or [])  # without sockets, because Acceptor accepts connections
        parts = {"config": self.config, "server_state": self.server_state, "app_state": self.lifespan.state}
        self._acceptor = Acceptor(self._listener, self._registry, lambda connection: Deadlines(connection, **parts))
        self._acceptor.open()
        self._repeat(_TIDYING, gc.collect)
        if malloc_trim := getattr(ctypes.CDLL(None), "malloc_trim", None):  # glibc only
            self._repeat(_TRIMMING, lambda: malloc_trim(0))
        address = self._listener.getsockname()[:2]
        log.info("started", extra={"address": address, "database": self._hub.store.kind})
        self._ready()

    def _repeat(self, seconds: float, work: Callable[[], object]) -> None:
        work()
        asyncio.get_running_loop().call_later(seconds, self._repeat, seconds, work)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop accepting connections, finish the work in progress, then close the remaining connections."""
        log.info("stopping")
        self._acceptor.close()
        self._listener.close()
        await self._hub.drain(DRAIN_SECONDS)
        await super().shutdown(sockets)
        log.info("stopped")

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Shut down cleanly on SIGTERM or Ctrl-C, and stop immediately on a second signal."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self.handle_exit, number, None)
        yield


def listen_on(host: str, port: int) -> socket.socket:
    """Return a socket that listens on the address (:: means every IPv4 and IPv6 address).

    Port 0 means any free port.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    both = host == "::" and socket.has_dualstack_ipv6()
    return socket.create_server((host, port), family=family, backlog=512, dualstack_ipv6=both)


def _networks(proxies: Iterable[str]) -> Iterator[ipaddress.IPv4Network | ipaddress.IPv6Network]:
    """Yield the proxies' networks, and the IPv4-mapped form of each IPv4 network.

    Dual-stack sockets report IPv4 addresses in the mapped form.
    """
    for network in map(ipaddress.ip_network, proxies):
        yield network
        if network.version == 4:
            yield ipaddress.IPv6Network((f"::ffff:{network.network_address}", 96 + network.prefixlen))


def run(listener: socket.socket, serving: Serving, ready: Callable[[], None]) -> None:
    """Serve until a signal arrives."""
    logs.to_stderr()
    files = _allow_many_files()
    try:
        app, hub = build(serving)
        hub.store.prepare()
    except (SQLAlchemyError, ValueError) as error:
        reason = str(getattr(error, "orig", None) or error).splitlines()[0]
        advice = ""
        if malformed(error) and "://" not in serving.database:
            salvage = f"gridlock serve --database {shlex.quote(serving.database)} --salvage NEW_FILE"
            advice = f" Restore a backup, or copy every readable game to a new file with: {salvage}"
        raise OSError(f"the database cannot be used: {reason}.{advice}") from None
    networks = list(_networks(serving.proxies))
    registry = Registry(
        serving.limits.connections,
        max(_FEWEST, files - _OWN_FILES),
        lambda address: any(ipaddress.ip_address(address) in network for network in networks),
    )
    settings: dict[str, Any] = {
        "ws": AbortableSocket,
        "ws_max_size": MESSAGE,
        "ws_ping_interval": 20.0,
        "ws_ping_timeout": 20.0,
        "ws_per_message_deflate": False,  # a state is small, and compression costs memory per connection
        "h11_max_incomplete_event_size": LARGEST_HEAD,
        "timeout_keep_alive": 15,
        "timeout_graceful_shutdown": 10,
        "proxy_headers": bool(serving.proxies),
        "forwarded_allow_ips": [str(network) for network in networks],
        "server_header": False,
        "access_log": False,
        "log_config": None,
    }

    if mallopt := getattr(ctypes.CDLL(None), "mallopt", None):  # glibc only, which keeps most freed buffers by default
        mallopt(_MMAP_THRESHOLD, 1 << 16)
        mallopt(_ARENA_MAX, 1)  # one arena for all threads, because only one runs at a time
    gc.freeze()  # objects that exist now stay, so the collector can skip them
    gc.set_threshold(*_RARELY)
    sys.setswitchinterval(_TURN)

    async def watched(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await app(scope, receive, send)
        except MemoryError:
            server.give_up()
            raise

    server = Server(uvicorn.Config(watched, **settings), listener, registry, hub, ready)
    with ExitStack() as measured:
        if serving.metrics:
            log.info("metrics", extra={"address": measured.enter_context(metrics.served(*serving.metrics))})
        asyncio.run(server.serve())
    if server.exhausted:
        raise OSError("the server ran out of memory and stopped. Restart the server. No acknowledged move was lost.")


def _allow_many_files() -> int:
    """Raise the limit on open files (each connection counts as one), and return the new limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 65536 if hard == resource.RLIM_INFINITY else min(hard, 65536)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return max(soft, wanted)
