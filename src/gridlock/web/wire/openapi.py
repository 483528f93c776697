"""The HTTP API as OpenAPI describes it, from the structures that requests are read into and answers written from."""

from typing import Any

from msgspec import Struct
from msgspec.json import schema_components

from gridlock import __version__
from gridlock.web.wire import answers, findings, messages, service, teaching

Json = dict[str, Any]
_REF = "#/components/schemas/{name}"
_BODIES = (
    messages.Create,
    messages.Join,
    messages.Source,
    messages.Question,
    messages.Wish,
    messages.WhyNot,
    messages.Try,
)
_ANSWERS = (
    service.Error,
    service.Health,
    service.Ready,
    service.Catalogue,
    service.Lobby,
    service.Created,
    service.Seat,
    answers.State,
    answers.Position,
    answers.Why,
    findings.Analysis,
    findings.Hint,
    findings.Review,
    teaching.Puzzle,
    teaching.Courses,
    teaching.Lessons,
    teaching.Taught,
    teaching.Atlas,
)
_, SCHEMAS = schema_components((*_BODIES, *_ANSWERS), ref_template=_REF)


def _json(*kinds: type[Struct]) -> Json:
    """JSON of one of these kinds."""
    options = [{"$ref": _REF.format(name=kind.__name__)} for kind in kinds]
    return {"application/json": {"schema": {"anyOf": options} if options[1:] else options[0]}}


def _operation(summary: str, gives: Json, *, status: int = 200, body: type[Struct] | None = None) -> Json:
    """One operation: what it takes, what it gives, and the common failure."""
    done, refused = (
        {"description": "Done.", "content": gives},
        {"description": "Refused.", "content": _json(service.Error)},
    )
    taken = {"requestBody": {"required": True, "content": _json(body)}} if body else {}
    return {"summary": summary, **taken, "responses": {str(status): done, "default": refused}}


def _of_a_game(operation: Json, **queries: Json) -> Json:
    """An operation on one game, for somebody who holds a token of it."""
    return {**_named(operation, "id", **queries), "security": [{"token": []}]}


def _named(operation: Json, what: str = "game", **queries: Json) -> Json:
    """An operation on what the path names."""
    named = {"name": what, "in": "path", "required": True, "schema": {"type": "string"}}
    return {**operation, "parameters": [named, *_queries(queries)]}


def _asked(operation: Json, **queries: Json) -> Json:
    """An operation that a query says more about."""
    return {**operation, "parameters": _queries(queries)}


def _queries(queries: Json) -> list[Json]:
    return [{"name": name, "in": "query", "required": False, "schema": schema} for name, schema in queries.items()]


_RECORD = {"text/plain": {"schema": {"type": "string"}}, "application/json": {"schema": {"type": "object"}}}

OPENAPI: Json = {
    "openapi": "3.1.0",
    "info": {
        "title": "GridLock",
        "version": __version__,
        "description": "Two-player lock-out games on a grid. Games are played over the WebSocket at /ws.",
    },
    "paths": {
        "/health": {"get": _operation("Whether everything works", _json(service.Health))},
        "/ready": {"get": _operation("Whether to send players here", _json(service.Ready))},
        "/api/lobby": {"get": _operation("The games that anybody may join or watch", _json(service.Lobby))},
        "/api/games": {
            "get": _operation("What can be played", _json(service.Catalogue)),
            "post": _operation("Start a game", _json(service.Created), status=201, body=messages.Create),
        },
        "/api/games/{id}/join": {
            "post": _of_a_game(_operation("Take the open seat", _json(service.Seat), body=messages.Join))
        },
        "/api/games/{id}": {
            "get": _of_a_game(
                _operation("A game as it stands; with ply, as it stood", _json(answers.State, answers.Position)),
                ply={"type": "integer"},
            )
        },
        "/api/games/{id}/record": {
            "get": _of_a_game(_operation("A game as a file", _RECORD), format={"enum": ["text", "json"]})
        },
        "/api/position": {
            "post": _operation("A position set up or pasted", _json(answers.Position), body=messages.Source)
        },
        "/api/why": {"post": _operation("Why a cell cannot be played", _json(answers.Why), body=messages.WhyNot)},
        "/api/analyse": {
            "post": _operation("What every move is worth", _json(findings.Analysis), body=messages.Question)
        },
        "/api/hint": {"post": _operation("What to play, a step at a time", _json(findings.Hint), body=messages.Wish)},
        "/api/review": {
            "post": _operation("Where a game was won and lost", _json(findings.Review), body=messages.Source)
        },
        "/api/puzzle": {
            "get": _asked(
                _operation("A position with one winning move", _json(teaching.Puzzle)),
                day={"type": "string", "format": "date"},
                game={"type": "string"},
                hard={"enum": ["0", "1"]},
            )
        },
        "/api/lessons": {
            "get": _operation("Games that there are lessons of", _json(teaching.Courses)),
            "post": _operation("Make a move in a lesson", _json(teaching.Taught), body=messages.Try),
        },
        "/api/lessons/{game}": {"get": _named(_operation("The lessons of a game", _json(teaching.Lessons)))},
        "/api/atlas": {"get": _operation("Who wins on every board", _json(teaching.Atlas))},
    },
    "components": {"schemas": SCHEMAS, "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
}


def openapi(levels: list[str]) -> Json:
    """The API of a server that offers these agents."""
    create = SCHEMAS["Create"]["properties"]
    create["opponent"]["enum"] = [*levels, *messages.OTHERS]
    for level in create["levels"]["anyOf"][0]["prefixItems"]:
        level["enum"] = levels
    return OPENAPI
