"""The HTTP API as one table, from which the routes and the OpenAPI description are derived.

A handler's docstring becomes the operation's summary. The handler's signature declares the structures of the request
and the response: the request's body is decoded into the type of the third parameter, and `Json[...]` names the
response's structure.
"""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any, get_args, get_origin, get_type_hints

from msgspec import Struct
from msgspec.json import schema_components
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gridlock import __version__
from gridlock.web.pages.api import Api
from gridlock.web.pages.health import HealthChecks
from gridlock.web.pages.learning import Learning
from gridlock.web.pages.requests import Json, bearer, guarded, read_body
from gridlock.web.wire import messages, service

Schema = dict[str, Any]
_REF = "#/components/schemas/{name}"


@dataclass(frozen=True)
class Endpoint:
    """One operation of the API."""

    method: str
    path: str
    handler: Callable[..., Awaitable[Response]]  # a method of HealthChecks, Api or Learning
    status: int = 200
    queries: Schema = field(default_factory=dict)
    token: bool = False  # whether the request needs a token
    content: Schema | None = None  # the response's schema, if the response is not a single JSON structure

    @property
    def body(self) -> type[messages.Body] | None:
        """The structure that the request's body is decoded into."""
        taken = [kind for kind in get_type_hints(self.handler).values() if isinstance(kind, type)]
        return next((kind for kind in taken if issubclass(kind, messages.Body)), None)

    @property
    def answers(self) -> tuple[type[Struct], ...]:
        """The structures that the response may contain."""
        given = get_type_hints(self.handler)["return"]
        kinds = (given,) if get_origin(given) is Json else get_args(given)
        return tuple(get_args(kind)[0] for kind in kinds)

    def route(self, *owners: object) -> Route:
        """Return a route that checks the request's token and body before it calls the handler."""
        name, body = self.handler.__name__, self.body
        bound = next(getattr(one, name) for one in owners if getattr(type(one), name, None) is self.handler)

        async def answer(request: Request) -> Response:
            if self.token:
                bearer(request)
            taken = [await read_body(request, body)] if body else []
            given: Response = await bound(request, *taken)
            return given

        return Route(self.path, guarded(answer), methods=[self.method])

    def described(self) -> Schema:
        """Return the operation's OpenAPI description."""
        named = [_parameter(name, "path", {"type": "string"}) for name in re.findall(r"{(\w+)}", self.path)]
        asked = [_parameter(name, "query", schema) for name, schema in self.queries.items()]
        done = {"description": "Success.", "content": self.content or _json(*self.answers)}
        refused = {"description": "The request was rejected for the reason given.", "content": _json(service.Error)}
        return {
            "summary": (self.handler.__doc__ or "").removesuffix("."),
            **({"requestBody": {"required": True, "content": _json(self.body)}} if self.body else {}),
            "responses": {str(self.status): done, "default": refused},
            **({"parameters": [*named, *asked]} if named or asked else {}),
            **({"security": [{"token": []}]} if self.token else {}),
        }


def _parameter(name: str, place: str, schema: Schema) -> Schema:
    return {"name": name, "in": place, "required": place == "path", "schema": schema}


def _json(*kinds: type[Struct]) -> Schema:
    """Return the schema for a JSON body with any one of these structures."""
    options = [{"$ref": _REF.format(name=kind.__name__)} for kind in kinds]
    return {"application/json": {"schema": {"anyOf": options} if options[1:] else options[0]}}


_RECORD = {"text/plain": {"schema": {"type": "string"}}, "application/json": {"schema": {"type": "object"}}}
_PUZZLE = {
    "day": {"type": "string", "format": "date"},
    "game": {"type": "string"},
    "difficulty": {"enum": ["1", "2", "3", "4", "5"]},
    "kind": {"enum": ["win", "hottest", "trap"]},
}
_FORMAT, _PLY = {"format": {"enum": ["text", "json"]}}, {"ply": {"type": "integer"}}

ENDPOINTS = (
    Endpoint("GET", "/health", HealthChecks.health),
    Endpoint("GET", "/ready", HealthChecks.ready),
    Endpoint("GET", "/api/lobby", Api.lobby),
    Endpoint("GET", "/api/games", Api.catalogue),
    Endpoint("POST", "/api/games", Api.create, 201),
    Endpoint("POST", "/api/games/{id}/join", Api.join, token=True),
    Endpoint("GET", "/api/games/{id}", Api.state, queries=_PLY, token=True),
    Endpoint("GET", "/api/games/{id}/record", Api.record, queries=_FORMAT, token=True, content=_RECORD),
    Endpoint("POST", "/api/position", Api.position),
    Endpoint("POST", "/api/setup", Api.set_up),
    Endpoint("POST", "/api/why", Api.why),
    Endpoint("POST", "/api/analyse", Api.analyse),
    Endpoint("POST", "/api/hint", Api.hint),
    Endpoint("POST", "/api/regions", Api.regions),
    Endpoint("POST", "/api/region", Api.open_region),
    Endpoint("POST", "/api/review", Api.review),
    Endpoint("GET", "/api/puzzle", Learning.puzzle, queries=_PUZZLE),
    Endpoint("POST", "/api/puzzle", Learning.open_puzzle),
    Endpoint("POST", "/api/puzzle/try", Learning.try_move),
    Endpoint("GET", "/api/lessons", Learning.courses),
    Endpoint("POST", "/api/lessons", Learning.teach),
    Endpoint("GET", "/api/lessons/{game}", Learning.lessons),
    Endpoint("GET", "/api/atlas", Learning.atlas),
)


@cache
def description(agents: tuple[str, ...]) -> Schema:
    """Return the OpenAPI description for a server that offers these agents."""
    paths: dict[str, Schema] = {}
    for one in ENDPOINTS:
        paths.setdefault(one.path, {})[one.method.lower()] = one.described()
    kinds = dict.fromkeys(kind for one in ENDPOINTS for kind in (*one.answers, one.body) if kind)
    _, schemas = schema_components([service.Error, *kinds], ref_template=_REF)
    create = schemas["Create"]["properties"]
    create["opponent"]["enum"] = [*agents, *messages.OTHERS]
    for level in create["levels"]["anyOf"][0]["prefixItems"]:
        level["enum"] = list(agents)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "GridLock",
            "version": __version__,
            "description": "Two-player lock-out games on a grid. Games are played over the WebSocket at /ws.",
        },
        "paths": paths,
        "components": {"schemas": schemas, "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
    }
