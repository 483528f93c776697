"""The running server: sockets, deadlines, and a clean stop."""

import asyncio
import ctypes
import gc
import ipaddress
import logging
import resource
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import uvicorn
from sqlalchemy.exc import SQLAlchemyError
from starlette.types import Receive, Scope, Send

from gridlock.web.app import Serving, build
from gridlock.web.games.hub import Hub
from gridlock.web.net import logs, metrics
from gridlock.web.net.connections import Acceptor, Connection, Registry
from gridlock.web.net.limits import MESSAGE
from gridlock.web.net.protocols import AbortableSocket, Deadlines

log = logging.getLogger("gridlock.web")
DRAIN_SECONDS = 10.0
LARGEST_HEAD = 16384
_OWN_FILES = 128  # for the database, the workers and what is being read
_RARELY = (1000, 5, 1_000_000)  # new objects until cycles are looked for: often among the newest, never among all,
_TIDYING = 300.0  # seconds between looks at all of them, for which everybody has to wait
_TRIMMING = 60.0  # seconds until memory that is free is given back to the system, which takes one millisecond
_TURN = 0.0002  # seconds until a thread that wants to run gets its turn: a commit needs a dozen of them
_MMAP_THRESHOLD, _ARENA_MAX = -3, -8  # what malloc.h calls M_MMAP_THRESHOLD and M_ARENA_MAX
_LAST_WORD = 30  # seconds for an end in good order when there is no memory left
_FEWEST = 16  # connections, however few files there are


class Server(uvicorn.Server):
    """A server that finishes what is under way before it stops."""

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
        """Stop, since for want of memory something was not done: a fresh server is better than a lame one."""
        if not self.exhausted:
            self.exhausted = self.should_exit = True
            signal.alarm(_LAST_WORD)  # whatever happens now: this ends us, and needs no memory
            log.error("out of memory, so this server stops; what was acknowledged is stored")

    def _unhandled(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if isinstance(context.get("exception"), MemoryError):
            self.give_up()
        else:
            loop.default_exception_handler(context)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and say so."""
        asyncio.get_running_loop().set_exception_handler(self._unhandled)
        await super().startup(sockets or [])  # nothing listens yet: our own acceptor does that
        self._acceptor = Acceptor(self._listener, self._registry, self._protocol)
        self._acceptor.open()
        self._tidy()
        self._trim()
        self._ready()

    def _tidy(self) -> None:
        gc.collect()
        asyncio.get_running_loop().call_later(_TIDYING, self._tidy)

    def _trim(self) -> None:
        if malloc_trim := getattr(ctypes.CDLL(None), "malloc_trim", None):  # glibc's
            malloc_trim(0)
            asyncio.get_running_loop().call_later(_TRIMMING, self._trim)

    def _protocol(self, connection: Connection) -> Deadlines:
        return Deadlines(connection, config=self.config, server_state=self.server_state, app_state=self.lifespan.state)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take no new connections, finish what was begun, then close the rest."""
        log.info("stopping")
        self._acceptor.close()
        self._listener.close()
        await self._hub.drain(DRAIN_SECONDS)
        await super().shutdown(sockets)
        log.info("stopped")

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop on SIGTERM and Ctrl-C; at the second one, at once."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self.handle_exit, number, None)
        yield


def listen_on(host: str, port: int) -> socket.socket:
    """A socket for the address; port 0 means any that is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=512)


def run(listener: socket.socket, serving: Serving, ready: Callable[[], None]) -> None:
    """Serve until told to stop."""
    logs.to_stderr()
    files = _allow_many_files()
    try:
        app, hub = build(serving)
        hub.store.prepare()
    except (SQLAlchemyError, ValueError) as error:
        reason = str(getattr(error, "orig", None) or error).splitlines()[0]
        raise OSError(f"the database cannot be used: {reason}") from None
    networks = [ipaddress.ip_network(proxy) for proxy in serving.proxies]
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
        "ws_per_message_deflate": False,  # a state is small, and compression costs memory for every connection
        "h11_max_incomplete_event_size": LARGEST_HEAD,
        "timeout_keep_alive": 15,
        "timeout_graceful_shutdown": 10,
        "proxy_headers": bool(serving.proxies),
        "forwarded_allow_ips": [str(network) for network in networks],
        "server_header": False,
        "access_log": False,
        "log_config": None,
    }

    _return_memory()
    gc.freeze()  # what is there now stays: it need not be looked through again and again
    gc.set_threshold(*_RARELY)
    sys.setswitchinterval(_TURN)

    def started() -> None:
        log.info("started", extra={"address": listener.getsockname()[:2], "database": hub.store.kind})
        ready()

    async def noticed(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await app(scope, receive, send)
        except MemoryError:
            server.give_up()
            raise

    server = Server(uvicorn.Config(noticed, **settings), listener, registry, hub, started)
    with ExitStack() as measured:
        if serving.metrics:
            log.info("metrics", extra={"address": measured.enter_context(metrics.served(*serving.metrics))})
        asyncio.run(server.serve())
    if server.exhausted:
        raise OSError("out of memory: the server has stopped, and can be started again; no acknowledged move is lost")


def _allow_many_files() -> int:
    """Every connection is a file: use what the system lets us have, and say how many that are."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 65536 if hard == resource.RLIM_INFINITY else min(hard, 65536)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return max(soft, wanted)


def _return_memory() -> None:
    """Have large buffers given back to the system when they are freed; by itself, the C library keeps most of them."""
    if mallopt := getattr(ctypes.CDLL(None), "mallopt", None):  # glibc's
        mallopt(_MMAP_THRESHOLD, 1 << 16)
        mallopt(_ARENA_MAX, 1)  # one store for all threads, of which one runs at a time anyway
