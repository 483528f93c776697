"""The HTTP API without a server: a page's web worker calls these functions through Pyodide to answer requests.

This module needs no socket, process or database, and it answers one request at a time.
"""

import logging
import re
from collections.abc import Callable, Coroutine
from datetime import date
from typing import Any, NamedTuple, TypeVar
from urllib.parse import parse_qsl, unquote

import msgspec

from gridlock.core.errors import GridLockError
from gridlock.core.game import Game
from gridlock.core.rules import BUILT_IN
from gridlock.play.puzzle_sources import daily_game
from gridlock.players import agents
from gridlock.web.net.limits import BODY
from gridlock.web.offline.games import Games
from gridlock.web.offline.saves import Held
from gridlock.web.operations import games, learning, pictures, positions
from gridlock.web.referee import views
from gridlock.web.referee.table import Access
from gridlock.web.thinking import questions
from gridlock.web.thinking.questions import T, Ts
from gridlock.web.wire import messages
from gridlock.web.wire.bodies import (
    JSON,
    ApiError,
    decoded,
    described,
    no_method,
    no_page,
    no_token,
    rejection,
    too_long,
)
from gridlock.web.wire.setups import setup_of

log = logging.getLogger("gridlock.web")
R = TypeVar("R")
SVG, GIF = "image/svg+xml", "image/gif"


class Answer(NamedTuple):
    """A response, as the server would send it."""

    status: int
    kind: str  # the content type
    body: bytes


class Asked(NamedTuple):
    """A request."""

    parts: tuple[str, ...]  # the values of the placeholders in the route's path
    query: dict[str, str]
    token: str
    body: Any  # decoded into the route's type


class Route(NamedTuple):
    """A kind of request, and the function that answers it."""

    method: str
    path: re.Pattern[str]
    answer: Callable[[Asked], object]  # returns a structure, an Answer, or a coroutine for either
    body: type[messages.Body] | None = None
    token: bool = False


class Engine:
    """An engine that answers requests about games, positions, puzzles and lessons."""

    def __init__(self, games: Games) -> None:
        self.games = games
        self._reviews = positions.Reviews()
        self._routes = self._table()

    def ask(self, method: str, path: str, body: str = "", token: str = "") -> Answer:
        """Answer a request; a failure becomes an error response."""
        try:
            return self._answer(method, path, body.encode(errors="replace"), token)
        except ApiError as error:
            return _encoded(described(error), error.status)
        except GridLockError as error:
            return _encoded(described(rejection(error)), 422)
        except Exception:
            log.exception("%s %s", method, path)
            words = "Something went wrong in the engine. Reload the page and try again."
            return _encoded(described(ApiError(500, "broken", words)), 500)

    def _answer(self, method: str, address: str, body: bytes, token: str) -> Answer:
        path, _, query = address.partition("?")
        found = [(one, match) for one in self._routes if (match := one.path.fullmatch(unquote(path)))]
        if not found:
            raise no_page()
        route, match = next(((one, match) for one, match in found if one.method == method), (None, None))
        if route is None or match is None:
            raise no_method()
        if route.token and not re.fullmatch("[A-Za-z0-9_-]{32}", token):
            raise no_token()
        if len(body) > BODY:
            raise too_long()
        wish = decoded(body, route.body) if route.body else None
        given = route.answer(Asked(match.groups(), dict(parse_qsl(query, keep_blank_values=True)), token, wish))
        if isinstance(given, Coroutine):
            given = _finished(given)
        return given if isinstance(given, Answer) else _encoded(given)

    def _table(self) -> list[Route]:
        """Return the routes that pages use; a route that needs a server rejects the request and explains why."""

        def get(path: str, answer: Callable[[Asked], object], token: bool = False) -> Route:
            return Route("GET", re.compile(path), answer, token=token)

        def post(path: str, body: type[messages.Body], answer: Callable[[Asked], object], token: bool = False) -> Route:
            return Route("POST", re.compile(path), answer, body, token)

        return [
            get("/api/lobby", lambda _: _needs_server("see who else wants to play")),
            get("/api/games", lambda _: games.catalogue("")),
            post("/api/games", messages.Create, lambda one: self._create(one.body)),
            post("/api/games/([^/]+)/join", messages.Join, lambda _: _needs_server("join a game"), token=True),
            get("/api/games/([^/]+)", self._state, token=True),
            get("/api/games/([^/]+)/record", self._record, token=True),
            post("/api/position", messages.Source, lambda one: positions.position(one.body)),
            post("/api/setup", messages.SetUpRequest, lambda one: positions.set_up(one.body)),
            post("/api/why", messages.WhyNot, lambda one: positions.why(one.body)),
            post("/api/analyse", messages.AnalysisRequest, lambda one: positions.analyse(ask, one.body)),
            post("/api/hint", messages.HintRequest, lambda one: positions.hint(ask, one.body)),
            post("/api/regions", messages.RegionsRequest, lambda one: positions.regions(ask, one.body)),
            post("/api/region", messages.RegionRequest, lambda one: positions.open_region(ask, one.body)),
            post("/api/review", messages.Source, lambda one: self._reviews.review(ask, one.body)),
            get("/api/puzzle", lambda one: learning.puzzle(ask, one.query, _daily)),
            post("/api/puzzle", messages.PuzzleRequest, lambda one: learning.open_puzzle(ask, one.body)),
            post("/api/puzzle/try", messages.Attempt, lambda one: learning.try_move(ask, one.body)),
            get("/api/lessons", lambda _: learning.courses()),
            post("/api/lessons", messages.Try, lambda one: learning.teach(ask, one.body)),
            get("/api/lessons/([^/]+)", lambda one: learning.lessons(one.parts[0])),
            get("/api/atlas", lambda _: learning.atlas()),
            get("/picture.svg", lambda one: Answer(200, SVG, pictures.svg_of(pictures.pictured(one.query)))),
            get("/picture.gif", lambda one: Answer(200, GIF, questions.animate(pictures.pictured(one.query), 0))),
            get("/picture.png", lambda _: _needs_server("make a PNG picture")),
        ]

    def _create(self, wish: messages.Create) -> Answer:
        if wish.opponent == "link":
            _needs_server("play with a friend by link")
        game = games.new_game(wish)
        settings, created = games.settings_for(wish, game)
        self.games.create(created.id, settings, game.moves)
        return _encoded(created, 201)

    def _seen(self, asked: Asked) -> tuple[Held, Access]:
        """Return the requested game, and the access to it that the token grants."""
        held = self.games.find(games.checked_id(asked.parts[0]))
        access = held.table.access(asked.token) if held else None
        if held is None or access is None:
            raise games.no_game()
        return held, access

    def _state(self, asked: Asked) -> object:
        held, access = self._seen(asked)
        if "ply" in asked.query:
            return games.earlier(held.table.game, asked.query["ply"])
        return views.state(held.table, access, self.games.now(held), 0)

    def _record(self, asked: Asked) -> Answer:
        held, _ = self._seen(asked)
        _, kind, body = games.record(held.table.game, asked.query.get("format", "text"))
        return Answer(200, kind, body)


def warm_up() -> None:
    """Import all modules that the engine needs, by asking it questions about small boards.

    Otherwise, importing a module would use up part of the time allowed for the first question that needs it.
    """
    engine = Engine(Games(None))  # type: ignore[arg-type]  # no game is played
    for game in sorted(BUILT_IN):
        engine.ask("POST", "/api/analyse", f'{{"setup": {{"game": "{game}", "board": "3x3"}}}}')
        for path in ("/api/analyse", "/api/regions"):  # no mirror decides this position, in the games that allow it
            engine.ask("POST", path, f'{{"setup": {{"game": "{game}", "board": "4x4", "moves": ["1,1", "1,3"]}}}}')


async def ask(question: Callable[[Game, float, *Ts], T], game: Game, seconds: float, /, *args: *Ts) -> T:
    """Answer a question immediately, with the same code that the server's workers use."""
    return questions.answer(agents.allowed, question, setup_of(game, keep=True), seconds, args)


async def _daily(day: date) -> questions.Composed:
    return await ask(questions.compose_daily, daily_game(day), learning.MAKING, day)


def _finished(work: Coroutine[Any, Any, R]) -> R:
    """Run a coroutine that never waits, and return its result."""
    try:
        work.send(None)
    except StopIteration as end:
        result: R = end.value
        return result
    raise RuntimeError("an operation has waited for something")


def _needs_server(what: str) -> Any:
    raise ApiError(501, "no-server", f"This page works without a server, so you can't {what} here.")


def _encoded(data: object, status: int = 200) -> Answer:
    return Answer(status, JSON, msgspec.json.encode(data))
