"""The web application: its parts put together, and what holds for every answer."""

import asyncio
import logging
import os
import secrets
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from gridlock.rules import RULE_BOOKS
from gridlock.web import metrics
from gridlock.web.api import Api
from gridlock.web.health import Health
from gridlock.web.hub import Hub
from gridlock.web.keeping import Keeper, Keeping
from gridlock.web.learning import Learning
from gridlock.web.limits import Allowance, Limits, Pace, client_of
from gridlock.web.offered import picture_of
from gridlock.web.requests import ApiError, failure, guarded
from gridlock.web.socket import Sockets
from gridlock.web.store import Store
from gridlock.web.thinkers import Thinkers

log = logging.getLogger("gridlock.web")
STATIC = Path(__file__).parent / "static"
PICTURES = frozenset((STATIC / "pictures").glob("*.svg"))  # further into the games than their examples
CHECKS = ("/health", "/ready")
LINGER = 1.0  # seconds that a client waits for a refusal that has been told too many
PAGES = {
    "/": "index.html",
    "/play": "play.html",
    "/analyse": "analyse.html",
    "/puzzles": "puzzles.html",
    "/lessons": "lessons.html",
    "/atlas": "atlas.html",
}
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
    proxies: tuple[str, ...] = ()  # addresses and networks that are believed when they say whom they speak for
    keeping: Keeping = field(default_factory=Keeping)
    metrics: socket.socket | None = None  # where Prometheus is answered


class Everywhere:
    """Around every request: safe headers, foreign pages kept out, busy clients told so, one line in the log."""

    def __init__(self, app: ASGIApp, sockets: Sockets, origins: frozenset[str], pace: Pace) -> None:
        self.app = app
        self.sockets = sockets
        self.origins = origins
        self.pace = pace

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if scope["type"] == "websocket" and scope["path"] == "/ws":
            await self.sockets.meet(WebSocket(scope, receive, send))
            return
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started, status, sent = time.monotonic(), 500, 0
        client = client_of(scope["client"][0] if scope["client"] else "")
        asked = scope["path"].startswith("/api/")

        async def send_safely(message: Message) -> None:
            nonlocal status, sent
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                if scope["path"].startswith("/static/"):
                    headers["Cache-Control"] = "no-cache"  # the parts of a page must always be of one version
            sent += len(message.get("body", b""))
            await send(message)

        pace = self.pace.ask if asked else self.pace.check if scope["path"] in CHECKS else self.pace.load
        if wait := pace(client):
            metrics.refusals.labels("pace").inc()
            if not self.pace.patient(client):
                await _linger(receive)
            too_fast = failure(ApiError(429, "too-many", "That was too fast. Wait a moment and try again.", wait))
            too_fast.headers["Connection"] = "close"
            await too_fast(scope, receive, send_safely)
            return
        try:
            with scope["state"]["connection"].working():
                origins = Headers(scope=scope).getlist("origin")
                if scope["method"] not in ("GET", "HEAD") and not self.origins.issuperset(origins):
                    refused = failure(ApiError(403, "origin", "This page may not talk to this server."))
                    await refused(scope, receive, send_safely)
                else:
                    await self.app(scope, receive, send_safely)
        finally:
            if asked:
                self.pace.told(client, sent)
            metrics.requests.labels(f"{status // 100}xx").inc()
            took = round(time.monotonic() - started, 4)
            facts = {"method": scope["method"], "path": scope["path"][:200], "status": status, "seconds": took}
            log.info("request", extra=facts)


async def _linger(receive: Receive) -> None:
    """Let a client wait that does not listen; if it leaves, nobody has to be told."""
    with suppress(TimeoutError):
        async with asyncio.timeout(LINGER):
            while (await receive())["type"] != "http.disconnect":
                pass


async def _tell_refusals() -> None:
    """One line a minute about all that was refused: a line for each would let the refused fill the log."""
    told: dict[str, int] = {}
    while True:
        await asyncio.sleep(60)
        samples = next(iter(metrics.refusals.collect())).samples
        counts = {one.labels["reason"]: int(one.value) for one in samples if one.name.endswith("_total")}
        news = {reason: count - told.get(reason, 0) for reason, count in counts.items()}
        told = counts
        if any(news.values()):
            log.info("refused in the last minute", extra={why: many for why, many in news.items() if many})


def build(serving: Serving) -> tuple[ASGIApp, Hub]:
    """The application and the hub of its games."""
    process = secrets.token_hex(8)
    store = Store(serving.database, process)
    cores = os.cpu_count() or 1
    limits = serving.limits
    thinking = Allowance(limits.thinking, limits.thinking / 3600)
    movers = Thinkers("moves", max(1, cores - 1), waiting=1000, each=limits.connections, nice=5)
    analysts = Thinkers("analyses", max(2, cores // 2), waiting=64, each=4, nice=10, allowance=thinking)
    counters = Thinkers("distances", max(1, cores // 2), waiting=64, each=4, nice=15, allowance=thinking)
    hub = Hub(store, movers, Allowance(limits.games, limits.games / 3600))
    pace = Pace(limits.requests)
    api = Api(hub, analysts, counters, pace)
    learning = Learning(api)
    health, keeper = Health(hub), Keeper(store, serving.keeping, hub.open.keys)
    metrics.connections.set_function(lambda: hub.connections)
    metrics.games_open.set_function(lambda: len(hub.open))

    @asynccontextmanager
    async def life(_app: Starlette) -> AsyncIterator[None]:
        store.start(hub.changed)
        tasks = [asyncio.create_task(work) for work in (_tell_refusals(), keeper.run(), hub.keep_time())]
        if store.kind == "postgresql":
            from gridlock.web.notices import listen

            tasks.append(asyncio.create_task(listen(serving.database, store.sent, hub.changed)))
        if serving.metrics:
            measured = await metrics.serve(serving.metrics)
            log.info("metrics", extra={"address": serving.metrics.getsockname()[:2]})
            tasks.append(asyncio.create_task(measured.serve_forever()))
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks, timeout=1)
            with suppress(SQLAlchemyError, OSError):
                await store.keep_time()  # exactly when clocks stopped
            for thinkers in (movers, analysts, counters):
                await thinkers.stop()
            await asyncio.to_thread(store.stop)

    async def page(request: Request) -> Response:
        return FileResponse(STATIC / PAGES[request.scope["path"]], headers={"Cache-Control": "no-cache"})

    async def without_slash(request: Request) -> Response:
        return Response(status_code=308, headers={"Location": request.scope["path"].rstrip("/")})

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
        *(route(f"{path}/", without_slash) for path in PAGES if path != "/"),
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
        route("/api/hint", api.hint, "POST"),
        route("/api/review", api.review, "POST"),
        route("/api/puzzle", learning.puzzle),
        route("/api/lessons", learning.courses),
        route("/api/lessons", learning.teach, "POST"),
        route("/api/lessons/{game}", learning.lessons),
        route("/api/atlas", learning.atlas),
        Mount("/static", StaticFiles(directory=STATIC, check_dir=False)),
    ]
    missing = failure(ApiError(404, "not-found", "There is nothing here."))
    wrong_method = failure(ApiError(405, "method", "That cannot be done here."))

    async def not_found(request: Request, _error: Exception) -> Response:
        by_hand = "text/html" in request.headers.get("accept", "") and not request.scope["path"].startswith("/api/")
        return FileResponse(STATIC / "missing.html", 404, {"Cache-Control": "no-cache"}) if by_hand else missing

    async def not_allowed(_request: Request, _error: Exception) -> Response:
        return wrong_method

    async def broken(_request: Request, _error: Exception) -> Response:
        return failure(ApiError(500, "broken", "Something went wrong on the server."))

    handlers = {404: not_found, 405: not_allowed, 500: broken}
    app = Starlette(routes=routes, lifespan=life, exception_handlers=handlers)
    app.router.redirect_slashes = False  # which would believe the Host that a client names
    return Everywhere(app, Sockets(hub, serving.origins, pace), serving.origins, pace), hub
