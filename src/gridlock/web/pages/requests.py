"""Reading requests and writing responses for the HTTP API."""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import msgspec
from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import Response

from gridlock.core.errors import GridLockError
from gridlock.core.game import Game
from gridlock.play.thinking.process import Failed
from gridlock.web.games.moderation import Ended
from gridlock.web.net import limits, metrics
from gridlock.web.storage.rows import Damaged
from gridlock.web.thinking.pool import Busy, FairPool, Spent
from gridlock.web.thinking.questions import Ts
from gridlock.web.wire import messages
from gridlock.web.wire.bodies import JSON, ApiError, decoded, described, no_token, rejection, too_long

log = logging.getLogger("gridlock.web")
T = TypeVar("T", bound=messages.Body)
K = TypeVar("K", bound=msgspec.Struct | dict[str, Any])
R = TypeVar("R")
Handler = Callable[[Request], Awaitable[Response]]
BODY_SECONDS = 10.0
DAMAGED = "This game's record in the database is damaged. The record is left unchanged for the operator to examine."
_BEARER = re.compile(r"Bearer ([A-Za-z0-9_-]{32})")


class Json(Response, Generic[K]):
    """A JSON response with the structure named by the type parameter."""


def answer(data: K, status: int = 200, headers: dict[str, str] | None = None) -> Json[K]:
    """Return data as a JSON response that no cache may store."""
    return Json(msgspec.json.encode(data), status, {"Cache-Control": "no-store", **(headers or {})}, JSON)


def failure(error: ApiError) -> Response:
    """Return the response for an error."""
    headers = {"Retry-After": str(max(1, round(error.retry)))} if error.retry else None
    return answer(described(error), error.status, headers)


def guarded(handler: Handler) -> Handler:
    """Wrap a handler so that every expected error becomes a response."""

    async def run(request: Request) -> Response:
        try:
            return await handler(request)
        except ApiError as error:
            return failure(error)
        except Ended as error:
            return failure(ApiError(403, "ended", str(error)))
        except GridLockError as error:
            return failure(rejection(error))
        except Spent as spent:
            metrics.refusals.labels("thinking").inc()
            words = "You've reached the engine's usage limit. Try again later."
            return failure(ApiError(429, "too-many", words, spent.retry))
        except Busy as busy:
            metrics.refusals.labels("busy").inc()
            return failure(ApiError(503, "busy", "The engine is busy. Try again in a moment.", busy.retry))
        except Failed:
            return failure(ApiError(503, "busy", "The engine failed on this position. Try again in a moment.", 5))
        except Damaged:
            return failure(ApiError(503, "damaged", DAMAGED))
        except (SQLAlchemyError, OSError) as error:
            log.error("database error", extra={"error": type(error).__name__})
            return failure(ApiError(503, "busy", "The database isn't responding. Try again in a moment.", 5))
        except ClientDisconnect:
            return Response(status_code=400)

    return run


async def read_body(request: Request, kind: type[T]) -> T:
    """Read a request's body, checking its structure strictly and limiting its size."""
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for chunk in request.stream():
                body += chunk
                if len(body) > limits.BODY:
                    raise too_long()
    except TimeoutError:
        raise ApiError(400, "malformed", "The request body didn't arrive in time.") from None
    return decoded(body, kind)


@dataclass(frozen=True)
class Asking:
    """A callable that asks workers a client's questions, and cancels a question if the client disconnects."""

    request: Request
    pool: FairPool

    async def __call__(self, question: Callable[[Game, float, *Ts], R], game: Game, seconds: float, /, *args: *Ts) -> R:
        """Return a worker's answer to a question."""
        working = asyncio.create_task(self.pool.ask(client_of(self.request), question, game, seconds, *args))
        leaving = asyncio.create_task(self._until_left())
        try:
            await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if not working.done():
                raise ClientDisconnect
            return working.result()
        finally:
            for task in (working, leaving):
                task.cancel()
            await asyncio.gather(working, leaving, return_exceptions=True)
            del task, working, leaving  # an error's traceback holds this frame, which must not hold the error

    async def _until_left(self) -> None:
        while (await self.request.receive())["type"] != "http.disconnect":
            pass


def bearer(request: Request) -> str:
    """Return a request's token."""
    match = _BEARER.fullmatch(request.headers.get("authorization", ""))
    if not match:
        raise no_token()
    return match[1]


def client_of(connection: HTTPConnection) -> str:
    """Return the client behind a request or a WebSocket."""
    return limits.client_of(connection.client.host if connection.client else "")
