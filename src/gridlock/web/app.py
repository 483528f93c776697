"""The web application: its parts put together, and what holds for every answer."""

import asyncio
import logging
import os
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from sqlalchemy.exc import SQLAlchemyError
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from gridlock.core.rules import RULE_BOOKS
from gridlock.players import agents
from gridlock.web.games.hub import Hub
from gridlock.web.net import metrics
from gridlock.web.net.limits import Allowance, Limits, Pace, client_of
from gridlock.web.pages import files, previews
from gridlock.web.pages.api import Api
from gridlock.web.pages.compression import Compressed
from gridlock.web.pages.endpoints import ENDPOINTS, description
from gridlock.web.pages.health import Health
from gridlock.web.pages.learning import Learning
from gridlock.web.pages.own_games import picture_of
from gridlock.web.pages.pictures import Pictures
from gridlock.web.pages.requests import ApiError, Handler, answer, failure, guarded
from gridlock.web.pages.socket import Sockets
from gridlock.web.storage.retention import Keeping, Maintenance
from gridlock.web.storage.store import Store
from gridlock.web.thinking.pool import FairPool

log = logging.getLogger("gridlock.web")
CHECKS = ("/health", "/ready")
LINGER = 1.0  # seconds that a client waits for a refusal that has been told too many
PAGES = {
    "/": "index.html",
    "/play": "play.html",
    "/analyse": "analyse.html",
    "/games": "games.html",
    "/puzzles": "puzzles.html",
    "/lessons": "lessons.html",
    "/atlas": "atlas.html",
    "/design": "design.html",
    "/review": "review.html",
    "/embed": "embed.html",
    "/offline": "offline.html",
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
# The board that stands in other people's pages: it holds no token and keeps nothing, so anybody may frame it.
EMBEDDED = {
    **{name: value for name, value in HEADERS.items() if name != "X-Frame-Options"},
    "Content-Security-Policy": HEADERS["Content-Security-Policy"].replace("ancestors 'none'", "ancestors *"),
    "Cross-Origin-Resource-Policy": "cross-origin",
}


@dataclass(frozen=True)
class Serving:
    """What a server is started with."""

    database: str
    origins: frozenset[str]
    limits: Limits = field(default_factory=Limits)
    proxies: tuple[str, ...] = ()  # addresses and networks that are believed when they say whom they speak for
    keeping: Keeping = field(default_factory=Keeping)
    metrics: tuple[str, int] | None = None  # where Prometheus is answered
    public: str | None = None  # the origin that links are passed on with, if the operator has named one
    address: str = ""  # by which other machines get here, where that is not what a browser here calls it


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
        started, status, sent, heard = time.monotonic(), 500, 0, 0
        client = client_of(scope["client"][0] if scope["client"] else "")
        asked = scope["path"].startswith(("/api/", "/picture."))

        async def send_safely(message: Message) -> None:
            nonlocal status, sent
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in (EMBEDDED if scope["path"] == "/embed" else HEADERS).items():
                    headers.setdefault(name, value)
            sent += len(message.get("body", b""))
            await send(message)

        async def receive_counted() -> Message:
            nonlocal heard
            message = await receive()
            if message["type"] == "http.request":
                heard += len(message["body"])
                if not message["more_body"]:  # all of it is here: in however many pieces it came, it costs the same
                    self.pace.heard(client, heard)
            return message

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
                    await self.app(scope, receive_counted, send_safely)
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
    movers = FairPool("moves", max(1, cores - 1), waiting=1000, each=limits.connections, nice=5)
    analysts = FairPool("analyses", max(2, cores // 2), waiting=64, each=4, nice=10, allowance=thinking)
    counters = FairPool("distances", max(1, cores // 2), waiting=64, each=4, nice=15, allowance=thinking)
    painters = FairPool("pictures", 1, waiting=64, each=4, nice=10)
    hub = Hub(store, movers, Allowance(limits.games, limits.games / 3600))
    pace = Pace(limits.requests)
    api = Api(hub, analysts, counters, pace, serving.address)
    learning = Learning(api)
    pictures = Pictures(learning, painters)
    health, maintenance = Health(hub), Maintenance(store, serving.keeping, hub.open.keys)
    metrics.connections.set_function(lambda: hub.connections)
    metrics.games_open.set_function(lambda: len(hub.open))

    @asynccontextmanager
    async def life(_app: Starlette) -> AsyncIterator[None]:
        store.start(hub.refresh)
        works = [_tell_refusals(), maintenance.run(), hub.keep_time()]
        if hub.others:
            from gridlock.web.games.notify import listen, send

            works += [listen(serving.database, store.sent, hub.refresh, hub.others), hub.others.repeat()]
            works.append(send(serving.database, hub.others))
        tasks = [asyncio.create_task(work) for work in works]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks, timeout=1)
            with suppress(SQLAlchemyError, OSError):
                await store.keep_time()  # exactly when clocks stopped
            for pool in (movers, analysts, counters, painters):
                await pool.stop()
            await asyncio.to_thread(store.stop)

    async def page(request: Request) -> Response:
        path = request.scope["path"]
        file = files.page(PAGES[path])
        if preview := previews.preview_of(path, request.query_params):
            head = previews.tags(preview, serving.public)
            file = files.file_of(file.body.replace(b"</head>", head + b"</head>", 1), file.kind)
        return files.sent(request, file)

    async def keeping_pages(request: Request) -> Response:
        return files.sent(request, files.service_worker(sorted(PAGES.keys() - {"/embed"})))

    async def part(request: Request) -> Response:
        file = files.static(str(request.path_params["name"]))
        if file is None:
            raise ApiError(404, "not-found", "There is nothing here.")
        return files.sent(request, file)

    async def without_slash(request: Request) -> Response:
        return Response(status_code=308, headers={"Location": request.scope["path"].rstrip("/")})

    async def picture(request: Request) -> Response:
        name = request.path_params["name"]
        file = files.static(f"pictures/{name}.svg")  # further into a game than its example
        if file is None and name not in RULE_BOOKS:
            raise ApiError(404, "not-found", "There is no such picture.")
        return files.sent(request, file or files.file_of(picture_of(RULE_BOOKS[name]).encode(), files.KINDS[".svg"]))

    async def openapi(_request: Request) -> Response:
        return answer(description(tuple(agents.online())))

    def route(path: str, handler: Handler) -> Route:
        return Route(path, guarded(handler), methods=["GET"])

    routes = [
        *(route(path, page) for path in PAGES),
        *(route(f"{path}/", without_slash) for path in PAGES if path != "/"),
        route("/pictures/{name}.svg", picture),
        *(route(f"/picture.{form}", pictures.picture) for form in ("svg", "png")),
        *(endpoint.route(health, api, learning) for endpoint in ENDPOINTS),
        route("/api/openapi.json", openapi),
        route("/service-worker.js", keeping_pages),
        route("/static/{name:path}", part),
    ]
    missing = failure(ApiError(404, "not-found", "There is nothing here."))
    wrong_method = failure(ApiError(405, "method", "That cannot be done here."))

    async def not_found(request: Request, _error: Exception) -> Response:
        by_hand = "text/html" in request.headers.get("accept", "") and not request.scope["path"].startswith("/api/")
        page = files.static("missing.html") if by_hand else None
        return files.sent(request, page, status=404) if page else missing

    async def not_allowed(_request: Request, _error: Exception) -> Response:
        return wrong_method

    async def broken(_request: Request, _error: Exception) -> Response:
        return failure(ApiError(500, "broken", "Something went wrong on the server."))

    handlers = {404: not_found, 405: not_allowed, 500: broken}
    app = Starlette(routes=routes, lifespan=life, exception_handlers=handlers)
    app.router.redirect_slashes = False  # which would believe the Host that a client names
    everywhere = Everywhere(app, Sockets(hub, serving.origins, pace), serving.origins, pace)
    return Compressed(everywhere), hub
