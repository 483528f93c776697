"""Helpers that compare the offline engine with the server's handlers, in one process and with a stopped clock."""

import asyncio
import json
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from random import Random
from typing import Any
from unittest.mock import patch
from urllib.parse import quote, unquote

from starlette.applications import Starlette
from starlette.routing import Route

from gridlock import RULE_BOOKS
from gridlock.core.game import Game
from gridlock.core.records import dump_text
from gridlock.core.rules import variant
from gridlock.engine.engine import engine_for
from gridlock.players import agents
from gridlock.web.offline.engine import Engine
from gridlock.web.offline.games import Games
from gridlock.web.pages.api import Api
from gridlock.web.pages.endpoints import ENDPOINTS
from gridlock.web.pages.learning import Learning
from gridlock.web.pages.pictures import Pictures
from gridlock.web.pages.requests import failure, guarded
from gridlock.web.thinking import questions
from gridlock.web.wire.bodies import no_method, no_page
from gridlock.web.wire.setups import setup_of
from sample_games import random_game

Reply = tuple[int, str, bytes]
Question = tuple[str, str, str]


class Page:
    """A page that records everything the engine sends to it."""

    def __init__(self) -> None:
        self.told: list[tuple[int, dict]] = []
        self.ended: list[tuple[int, int, str]] = []
        self.kept: dict[str, str] = {}
        self.alarm: float | None = None  # seconds until the page wakes the engine

    def message(self, connection: int, text: str) -> None:
        self.told.append((connection, json.loads(text)))

    def closed(self, connection: int, code: int, reason: str) -> None:
        self.ended.append((connection, code, reason))

    def keep(self, key: str, value: str) -> None:
        self.kept[key] = value

    def wake(self, seconds: float) -> None:
        self.alarm = seconds

    def last(self, kind: str) -> dict:
        """Return the latest message of the given type."""
        return next(message for _, message in reversed(self.told) if message["type"] == kind)


class Here:
    """A stand-in for the worker pool; it answers questions in this process."""

    async def ask(self, _client: str, question: Callable, game: Game, seconds: float, *args: Any) -> Any:
        return questions.answer(agents.allowed, question, setup_of(game, keep=True), seconds, args)


def both() -> tuple[Callable[..., Reply], Callable[..., Reply]]:
    """Return two functions that answer a request, one with the server's handlers and one with the offline engine."""
    here: Any = Here()
    nothing: Any = None
    owners = Api(nothing, here, here, nothing, ""), Learning(here)
    pictures = Pictures(here)
    pictures._allowance.burst = float("inf")
    alone = [one for one in ENDPOINTS if not one.path.startswith(("/health", "/ready", "/api/lobby", "/api/games/"))]
    routes = [one.route(*owners) for one in alone]
    routes += [Route(f"/picture.{form}", guarded(pictures.picture), methods=["GET"]) for form in ("svg", "gif")]

    async def not_found(*_: object) -> Any:
        return failure(no_page())

    async def not_allowed(*_: object) -> Any:
        return failure(no_method())

    app = Starlette(routes=routes, exception_handlers={404: not_found, 405: not_allowed})
    engine = Engine(Games(Page()))

    def offline(method: str, path: str, body: str = "") -> Reply:
        given = engine.ask(method, path, body)
        return given.status, given.kind, given.body

    return lambda *asked: asyncio.run(_request(app, *asked)), offline


async def _request(app: Starlette, method: str, path: str, body: str = "") -> Reply:
    """Pass a request to an application without using a network."""
    path, _, query = path.partition("?")
    scope = {"type": "http", "method": method, "path": unquote(path), "query_string": query.encode(), "headers": []}
    sent: list[Any] = []
    waiting = [{"type": "http.request", "body": body.encode(), "more_body": False}]

    async def receive() -> Any:
        return waiting.pop() if waiting else await asyncio.Event().wait()

    async def send(message: Any) -> None:
        sent.append(message)

    await app(scope, receive, send)
    kind = dict(sent[0]["headers"])[b"content-type"].decode()
    return sent[0]["status"], kind, b"".join(one.get("body", b"") for one in sent[1:])


@contextmanager
def timeless(seed: float) -> Iterator[None]:
    """Stop the clock, clear all caches, and make random choices repeatable."""
    rng = Random(seed)
    engine_for.cache_clear()
    questions._latest = None
    now = time.monotonic()
    with (
        patch.object(time, "monotonic", lambda: now),
        patch.object(secrets, "choice", rng.choice),
        patch.object(secrets, "token_hex", lambda size: rng.randbytes(size).hex()),
    ):
        yield


def a_game(rng: Random, least: int = 2) -> Game:
    """Return a random game on a board small enough for every question to have an exact answer."""
    name, rows, cols = rng.choice(list(RULE_BOOKS)), rng.randint(least, 4), rng.randint(least, 3)
    played = variant(name, f"{rows}x{cols}", rng.choice([None, "king", "orthogonal"]))
    return random_game(played, rng, rng.randint(0, 4), swap=rng.random() < 0.2)


def data_of(game: Game) -> dict:
    made = setup_of(game)
    return {"game": made.game, "board": made.board, "adjacency": made.adjacency, "starts": made.starts} | {
        "swap": made.swap,
        "moves": made.moves,
    }


def a_question(rng: Random) -> Question:
    """Return a random question, which may be invalid."""
    game = a_game(rng)
    setup = data_of(game)
    day = date(2026, 1, 1) + timedelta(rng.randrange(300))
    at = "/".join([setup["game"], setup["board"], setup["adjacency"], str(setup["starts"]), "0"])
    kinds: list[tuple[str, object]] = [
        ("/api/games", None),
        ("/api/position", {"setup": setup}),
        ("/api/position", {"setup": setup, "text": rng.choice(["1,1", "9,9", "x", ""])}),
        ("/api/position", {"record": dump_text(game)}),
        ("/api/position", {"record": rng.choice(["", "{}", "[GridLock"])}),
        ("/api/setup", {"line": rng.choice([game.position_text(), "showdown 3x3", "?"])}),
        ("/api/why", {"setup": setup, "cell": rng.randrange(20)}),
        ("/api/why", {"setup": setup, "text": rng.choice(["1,1", "2 2", "b2"])}),
        ("/api/analyse", {"setup": setup, "distances": rng.random() < 0.5}),
        ("/api/analyse", {"setup": setup, "seconds": rng.choice([0, 1, "1"])}),
        ("/api/hint", {"setup": setup}),
        ("/api/regions", {"setup": setup}),
        ("/api/region", {"setup": setup, "cell": rng.randrange(12), "path": [[1, 0]] * rng.randrange(2)}),
        ("/api/review", {"setup": setup}),
        ("/api/review", {"record": dump_text(random_game(a_game(rng).variant, rng))}),
        (f"/api/puzzle?day={rng.choice([day, date(1999, 1, 1), 'today'])}", None),
        (f"/api/puzzle?day={day}&game=chain", None),
        (f"/api/puzzle?difficulty={rng.randint(1, 6)}&game={rng.choice([*RULE_BOOKS, 'chess'])}", None),
        ("/api/puzzle?difficulty=1", None),
        ("/api/puzzle", {"setup": setup}),
        ("/api/puzzle", {"setup": setup, "kind": rng.choice(["hottest", "trap"])}),
        (f"/api/puzzle?kind={rng.choice(['trap', 'cold'])}&game=showdown", None),
        ("/api/puzzle/try", {"setup": setup, "moves": [], "give_up": rng.random() < 0.8}),
        ("/api/puzzle/try", {"setup": setup, "moves": [rng.choice(["1,1", "2,2", "2,1"])]}),
        ("/api/lessons", None),
        ("/api/lessons", {"game": setup["game"], "lesson": rng.randint(1, 12), "moves": [rng.choice(["1,1", "2,3"])]}),
        (f"/api/lessons/{quote(rng.choice([*RULE_BOOKS, 'chess', 'Über']))}", None),
        ("/api/atlas", None),
        (f"/picture.svg?at={at}/{'_'.join(setup['moves'])}", None),
        (f"/picture.gif?at={at}/", None),
        (f"/picture.svg?{rng.choice(['', 'at=x', 'day=2026-01-01', f'at={at}/&day=x'])}", None),
        (rng.choice(["/api/", "/api/nothing", "/api/lessons/a/b"]), None),
        (rng.choice(["/api/hint", "/api/why"]), {}),
        ("/api/hint", {"setup": setup, "more": 1}),
    ]
    path, body = rng.choice(kinds)
    if rng.random() < 0.03:
        return "POST", path, rng.choice(["", "{", "[]", '"\\ud800"', "x" * 70_000])
    return ("GET", path, "") if body is None else ("POST", path, json.dumps(body))
