"""The web application: its routes, its startup and shutdown, and the middleware around every request."""

import asyncio
import logging
import os
import secrets
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from sqlalchemy.exc import SQLAlchemyError
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from gridlock.core.rules import RULE_BOOKS
from gridlock.players import agents
from gridlock.web.games.hub import Hub
from gridlock.web.games.other_servers import listen, send
from gridlock.web.net import logs, metrics
from gridlock.web.net.limits import Allowance, Limits, NetworkAllowance, Pace
from gridlock.web.operations.pictures import picture_of
from gridlock.web.pages import files
from gridlock.web.pages.api import Api
from gridlock.web.pages.endpoints import ENDPOINTS, description
from gridlock.web.pages.health import HealthChecks
from gridlock.web.pages.learning import Learning
from gridlock.web.pages.pictures import Pictures, Previews
from gridlock.web.pages.requests import Handler, answer, client_of, failure, guarded
from gridlock.web.pages.socket import meet
from gridlock.web.storage.retention import Maintenance
from gridlock.web.storage.store import Store
from gridlock.web.thinking.pool import FairPool
from gridlock.web.wire.bodies import ApiError, no_method, no_page

log = logging.getLogger("gridlock.web")
CHECKS = ("/health", "/ready")
MUCH = 0.2  # clients that have used more than this share of their engine time are logged
LINGER = 1.0  # seconds by which a rejection is delayed if the client has ignored earlier rejections
_NAMES = ("play", "analyse", "games", "puzzles", "lessons", "atlas", "design", "review", "embed", "offline")
PAGES = {"/": "index.html", **{f"/{name}": f"{name}.html" for name in _NAMES}}
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
# The embedded board uses no access token and stores nothing, so any website may show it in a frame.
EMBEDDED = {
    **{name: value for name, value in HEADERS.items() if name != "X-Frame-Options"},
    "Content-Security-Policy": HEADERS["Content-Security-Policy"].replace("ancestors 'none'", "ancestors *"),
    "Cross-Origin-Resource-Policy": "cross-origin",
}
# Stylesheets, scripts and fonts are never documents, so they need only these headers. All the headers together would
# increase the size of a small file by half.
LOADED = {name: HEADERS[name] for name in ("X-Content-Type-Options", "Cross-Origin-Resource-Policy")}
# The web worker that runs the game engine has its own policy, because it must compile WebAssembly, which pages are not
# allowed to do.
WORKER = {
    **LOADED,
    "Content-Security-Policy": "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'",
}
TLS = {
    "Strict-Transport-Security": "max-age=31536000"
}  # sent if every origin uses TLS; browsers then use only TLS for a year


@dataclass(frozen=True)
class Serving:
    """The server's configuration."""

    database: str
    origins: frozenset[str]
    limits: Limits = field(default_factory=Limits)
    proxies: tuple[str, ...] = ()  # addresses and networks whose X-Forwarded-For is trusted
    metrics: tuple[str, int] | None = None  # the address for Prometheus
    public: str | None = None  # the origin for shared links, if the operator has named one
    address: str = ""  # the URL for other machines, if it differs from the URL that this machine uses
    addresses: logs.Addresses = "off"  # how clients' addresses appear in the log
    engine: Mapping[str, bytes] = field(default_factory=dict)  # files of the browser engine, if the server offers it


class Middleware:
    """Checks the origin and rate of each request, adds security headers, compresses the response, and logs it."""

    def __init__(self, app: ASGIApp, hub: Hub, serving: Serving, pace: Pace) -> None:
        self.app = app
        self.hub = hub
        self.origins = serving.origins
        self.pace = pace
        self.addresses = serving.addresses
        tls = TLS if all(origin.startswith("https://") for origin in serving.origins) else {}
        self.headers, self.embedded, self.loaded, self.worker = (
            one | tls for one in (HEADERS, EMBEDDED, LOADED, WORKER)
        )

    def _headers(self, path: str, kind: str) -> dict[str, str]:
        """Return the security headers for a response."""
        if path == "/static/engine-worker.js":
            return self.worker
        if path.startswith("/static/") and kind.startswith(("text/css", "text/javascript", "font/")):
            return self.loaded
        return self.embedded if path == "/embed" else self.headers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        address = scope["client"][0] if scope.get("client") else ""
        blocked = self.hub.moderation.why_blocked(address)
        if scope["type"] == "websocket" and blocked:
            metrics.refusals.labels("blocked").inc()
            await WebSocket(scope, receive, send).close()  # the WebSocket is not accepted yet, so the client gets a 403
            return
        if scope["type"] == "websocket" and scope["path"] == "/ws":
            await meet(WebSocket(scope, receive, send), self.hub, self.origins, self.pace, self.addresses)
            return
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started, status, sent, received = time.monotonic(), 500, 0, 0
        client = client_of(HTTPConnection(scope))
        costs = scope["path"].startswith(("/api/", "/picture."))
        begun: Message | None = None  # the start of the response, held back until the body is compressed

        async def send_safely(message: Message) -> None:
            nonlocal status, sent, begun
            if message["type"] == "http.response.start":
                status, begun = message["status"], message
                headers = MutableHeaders(scope=message)
                for name, value in self._headers(scope["path"], headers.get("content-type", "")).items():
                    headers.setdefault(name, value)
                return
            sent += len(message.get("body", b""))
            if begun is not None:
                start, begun = begun, None
                message = files.compressed(scope, start, message)
                await send(start)
            await send(message)

        async def receive_counted() -> Message:
            nonlocal received
            message = await receive()
            if message["type"] == "http.request":
                received += len(message["body"])
                if not message["more_body"]:  # the body is counted once, however many chunks it arrives in
                    self.pace.charge(client, request=received)
            return message

        pace = self.pace.ask if costs else self.pace.checks.take if scope["path"] in CHECKS else self.pace.pages.take
        if wait := pace(client):
            metrics.refusals.labels("pace").inc()
            if self.pace.refusals.take(client):
                with suppress(TimeoutError):
                    async with asyncio.timeout(LINGER):
                        while (await receive())["type"] != "http.disconnect":
                            pass
            too_fast = failure(ApiError(429, "too-many", "Too many requests. Wait a moment and try again.", wait))
            too_fast.headers["Connection"] = "close"
            await too_fast(scope, receive, send_safely)
            return
        if blocked:
            metrics.refusals.labels("blocked").inc()
            by_hand = "text/html" in Headers(scope=scope).get("accept", "")
            refused = (
                Response(blocked, 403, media_type="text/plain")
                if by_hand
                else failure(ApiError(403, "blocked", blocked))
            )
            await refused(scope, receive, send_safely)
            return
        try:
            with scope["state"]["connection"].working():
                origins = Headers(scope=scope).getlist("origin")
                if scope["method"] not in ("GET", "HEAD") and not self.origins.issuperset(origins):
                    refused = failure(ApiError(403, "origin", "This page isn't allowed to use this server."))
                    await refused(scope, receive, send_safely)
                else:
                    await self.app(scope, receive_counted, send_safely)
        finally:
            if costs:
                self.pace.charge(client, answer=sent)
            metrics.requests.labels(f"{status // 100}xx").inc()
            took = round(time.monotonic() - started, 4)
            facts = {"method": scope["method"], "path": scope["path"][:200], "status": status, "seconds": took}
            log.info("request", extra=facts | logs.address(address, self.addresses))


async def _log_refusals() -> None:
    """Log the number of rejections once a minute; logging each one would let rejected clients fill the log."""
    logged: Counter[str] = Counter()
    while True:
        await asyncio.sleep(60)
        samples = next(iter(metrics.refusals.collect())).samples
        counts = Counter({one.labels["reason"]: int(one.value) for one in samples if one.name.endswith("_total")})
        if recent := counts - logged:
            log.info("rejected in the last minute", extra=dict(recent))
        logged = counts


async def _log_thinking(thinking: Allowance, name: Callable[[str], str]) -> None:
    """Once a minute, log the codes of the clients that have used the engine heavily."""
    while True:
        await asyncio.sleep(60)
        if heavy := thinking.heaviest(5, MUCH * thinking.burst):
            log.info("most thinking", extra={"clients": {name(client): round(used) for client, used in heavy.items()}})


def build(serving: Serving) -> tuple[ASGIApp, Hub]:
    """Return the application and the hub that manages its games."""
    store = Store(serving.database, secrets.token_hex(8), serving.limits)
    cores = os.cpu_count() or 1
    limits = serving.limits
    thinking = Allowance(limits.thinking, limits.thinking / 3600)
    movers = FairPool("moves", max(1, cores - 1), 5, most_waiting=1000, most_each=limits.connections, patience=None)
    analysts = FairPool("analyses", max(2, cores // 2), 15, allowance=thinking)
    counters = FairPool("distances", max(1, cores // 2), 19, allowance=thinking)
    painters = FairPool("pictures", 1, 15)
    hub = Hub(store, movers, NetworkAllowance(limits.games, limits.games / 3600), limits.absence)
    pace = Pace(limits.requests)
    api = Api(hub, analysts, counters, pace, serving.address)
    learning = Learning(analysts)
    pictures, previews = Pictures(painters), Previews(serving.public)
    engine = {name: files.engine_file(name, body) for name, body in serving.engine.items()}
    health, maintenance = HealthChecks(hub), Maintenance(store, limits, hub.in_use)
    metrics.connections.set_function(lambda: hub.connections)
    metrics.games_open.set_function(lambda: len(hub.open))

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        store.start(hub.refresh)
        with suppress(SQLAlchemyError, OSError):  # the server tries again later
            await hub.moderation.read(hub.open)
        works = [_log_refusals(), _log_thinking(thinking, store.shares.name), maintenance.run(), hub.keep_time()]
        works += [hub.run_clocks(), hub.moderation.run(hub.open)]
        if hub.others:
            works += [hub.others.repeat(), send(serving.database, hub.others)]
            works.append(listen(serving.database, store.sent, hub.refresh, hub.others))
        tasks = [asyncio.create_task(work) for work in works]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks, timeout=1)
            with suppress(SQLAlchemyError, OSError):
                await store.keep_time()  # records the exact time at which the clocks stopped
            for pool in (movers, analysts, counters, painters):
                await pool.stop()
            await asyncio.to_thread(store.stop)

    async def page(request: Request) -> Response:
        file = files.page(PAGES[request.scope["path"]])
        if engine:
            file = files.with_spare_engine(file)
        return files.response(request, previews.page(request, file))

    async def service_worker(request: Request) -> Response:
        return files.response(request, files.service_worker(sorted(PAGES.keys() - {"/embed"}), engine))

    async def engine_file(request: Request) -> Response:
        file = engine.get(request.path_params["name"])
        if file is None:
            raise no_page()
        return files.response(request, file)

    async def static(request: Request) -> Response:
        file = files.static(str(request.path_params["name"]))
        if file is None:
            raise no_page()
        return files.response(request, file)

    async def without_slash(request: Request) -> Response:
        return Response(status_code=308, headers={"Location": request.scope["path"].rstrip("/")})

    async def picture(request: Request) -> Response:
        name = request.path_params["name"]
        file = files.static(f"pictures/{name}.svg")  # the file shows a later position than the rule book's example
        if file is None and name not in RULE_BOOKS:
            raise ApiError(404, "not-found", "There is no picture with this name.")
        file = file or files.file_of(picture_of(RULE_BOOKS[name]).encode(), files.KINDS[".svg"])
        return files.response(request, file)

    async def openapi(_request: Request) -> Response:
        return answer(description(tuple(agents.online())))

    def route(path: str, handler: Handler) -> Route:
        return Route(path, guarded(handler), methods=["GET"])

    routes = [
        *(route(path, page) for path in PAGES),
        *(route(f"{path}/", without_slash) for path in PAGES if path != "/"),
        route("/pictures/{name}.svg", picture),
        *(route(f"/picture.{form}", pictures.picture) for form in ("svg", "png", "gif")),
        *(endpoint.route(health, api, learning) for endpoint in ENDPOINTS),
        route("/api/openapi.json", openapi),
        route("/service-worker.js", service_worker),
        route("/static/{name:path}", static),
        *([route("/engine/{name}", engine_file)] if engine else []),
    ]

    async def not_found(request: Request, _error: Exception) -> Response:
        by_hand = "text/html" in request.headers.get("accept", "") and not request.scope["path"].startswith("/api/")
        page = files.static("missing.html") if by_hand else None
        if page:
            return files.response(request, page, status=404)
        return failure(no_page())

    async def not_allowed(_request: Request, _error: Exception) -> Response:
        return failure(no_method())

    async def broken(_request: Request, _error: Exception) -> Response:
        return failure(ApiError(500, "broken", "Something went wrong on the server."))

    handlers = {404: not_found, 405: not_allowed, 500: broken}
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers=handlers)
    app.router.redirect_slashes = False  # redirects would trust the client's Host header
    return Middleware(app, hub, serving, pace), hub
