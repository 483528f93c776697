"""The web application: its parts put together, and what holds for every answer."""

import asyncio
import logging
import os
import secrets
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gridlock.rules import RULE_BOOKS
from gridlock.web import metrics
from gridlock.web.api import Api
from gridlock.web.health import Health
from gridlock.web.hub import Hub
from gridlock.web.keeping import Keeper, Keeping
from gridlock.web.limits import Limits, Pace, client_of
from gridlock.web.offered import picture_of
from gridlock.web.requests import ApiError, failure, guarded
from gridlock.web.socket import Sockets
from gridlock.web.store import Store
from gridlock.web.thinkers import Thinkers

log = logging.getLogger("gridlock.web")
STATIC = Path(__file__).parent / "static"
PICTURES = frozenset((STATIC / "pictures").glob("*.svg"))  # further into the games than their examples
PAGES = {"/": "index.html", "/play": "play.html", "/analyse": "analyse.html"}
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


@dataclass(frozen=True)
class Serving:
    """What a server is started with."""

    database: str
    origins: frozenset[str]
    limits: Limits = field(default_factory=Limits)
    keeping: Keeping = field(default_factory=Keeping)
    metrics: socket.socket | None = None  # where Prometheus is answered


class Everywhere:
    """Around every request: safe headers, foreign pages kept out, busy clients slowed down, one line in the log."""

    def __init__(self, app: ASGIApp, origins: frozenset[str], pace: Pace) -> None:
        self.app = app
        self.origins = origins
        self.pace = pace

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started, status = time.monotonic(), 500

        async def send_safely(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                if scope["path"].startswith("/static/"):
                    headers["Cache-Control"] = "no-cache"  # the parts of a page must always be of one version
            await send(message)

        try:
            if scope["path"].startswith("/api/"):
                await self.pace.turn(client_of(scope["client"][0] if scope["client"] else ""))
            origins = Headers(scope=scope).getlist("origin")
            if scope["method"] not in ("GET", "HEAD") and not self.origins.issuperset(origins):
                refused = failure(ApiError(403, "origin", "This page may not talk to this server."))
                await refused(scope, receive, send_safely)
            else:
                await self.app(scope, receive, send_safely)
        finally:
            took = round(time.monotonic() - started, 4)
            facts = {"method": scope["method"], "path": scope["path"][:200], "status": status, "seconds": took}
            log.info("request", extra=facts)


def build(serving: Serving) -> tuple[ASGIApp, Hub]:
    """The application and the hub of its games."""
    process = secrets.token_hex(8)
    store = Store(serving.database, process)
    cores = os.cpu_count() or 1
    movers = Thinkers(max(1, cores - 1), waiting=1000)
    analysts = Thinkers(max(1, cores // 2), waiting=8)
    counters = Thinkers(max(1, cores // 2), waiting=8)
    hub = Hub(store, movers)
    api = Api(hub, analysts, counters, serving.limits)
    pace = Pace(serving.limits.requests)
    health, keeper = Health(hub), Keeper(store, serving.keeping, hub.open.keys)
    metrics.connections.set_function(lambda: hub.connections)
    metrics.games_open.set_function(lambda: len(hub.open))

    @asynccontextmanager
    async def life(_app: Starlette) -> AsyncIterator[None]:
        store.start(hub.changed)
        news = None
        if store.kind == "postgresql":
            from gridlock.web.notices import listen

            news = asyncio.create_task(listen(serving.database, store.sent, hub.changed))
        beside = [asyncio.create_task(keeper.run())]
        if serving.metrics:
            measured = await metrics.serve(serving.metrics)
            log.info("metrics", extra={"address": serving.metrics.getsockname()[:2]})
            beside.append(asyncio.create_task(measured.serve_forever()))
        try:
            yield
        finally:
            for task in beside:
                task.cancel()
            await asyncio.wait(beside, timeout=1)
            if news:
                news.cancel()
                await asyncio.wait({news}, timeout=1)
            for thinkers in (movers, analysts, counters):
                await thinkers.stop()
            await asyncio.to_thread(store.stop)

    async def page(request: Request) -> Response:
        return FileResponse(STATIC / PAGES[request.url.path], headers={"Cache-Control": "no-cache"})

    async def picture(request: Request) -> Response:
        name = request.path_params["name"]
        if (drawn := STATIC / "pictures" / f"{name}.svg") in PICTURES:
            return FileResponse(drawn, headers={"Cache-Control": "no-cache"})
        if name not in RULE_BOOKS:
            raise ApiError(404, "not-found", "There is no such picture.")
        return Response(picture_of(RULE_BOOKS[name]), 200, {"Cache-Control": "no-cache"}, "image/svg+xml")

    def route(path: str, handler: object, method: str = "GET") -> Route:
        return Route(path, guarded(handler), methods=[method])  # type: ignore[arg-type]

    routes = [
        *(route(path, page) for path in PAGES),
        route("/pictures/{name}.svg", picture),
        route("/health", health.health),
        route("/ready", health.ready),
        route("/api/openapi.json", api.openapi),
        route("/api/games", api.catalogue),
        route("/api/games", api.create, "POST"),
        route("/api/games/{id}/join", api.join, "POST"),
        route("/api/games/{id}", api.state),
        route("/api/games/{id}/record", api.record),
        route("/api/position", api.position, "POST"),
        route("/api/why", api.why, "POST"),
        route("/api/analyse", api.analyse, "POST"),
        route("/api/review", api.review, "POST"),
        WebSocketRoute("/ws", Sockets(hub, serving.origins, serving.limits.connections, pace).meet),
        Mount("/static", StaticFiles(directory=STATIC, check_dir=False)),
    ]
    missing = failure(ApiError(404, "not-found", "There is nothing here."))
    wrong_method = failure(ApiError(405, "method", "That cannot be done here."))

    async def not_found(_request: Request, _error: Exception) -> Response:
        return missing

    async def not_allowed(_request: Request, _error: Exception) -> Response:
        return wrong_method

    async def broken(_request: Request, _error: Exception) -> Response:
        return failure(ApiError(500, "broken", "Something went wrong on the server."))

    handlers = {404: not_found, 405: not_allowed, 500: broken}
    app = Starlette(routes=routes, lifespan=life, exception_handlers=handlers)
    return Everywhere(app, serving.origins, pace), hub
