"""The HTTP API as OpenAPI describes it: requests from the very types that read them."""

from typing import Any

from msgspec.json import schema_components

from gridlock import __version__
from gridlock.web.messages import Create, Join, Question, Source, WhyNot

Json = dict[str, Any]
TEXT, NUMBER, FLAG = {"type": "string"}, {"type": "integer"}, {"type": "boolean"}
REAL = {"type": "number"}
CELLS = {"type": "array", "items": NUMBER}


def _maybe(schema: Json) -> Json:
    return {"anyOf": [schema, {"type": "null"}]}


def _object(**properties: Json) -> Json:
    names = {name.rstrip("_"): schema for name, schema in properties.items()}  # pass_ stands for "pass"
    return {"type": "object", "required": list(names), "properties": names}


def _list(**properties: Json) -> Json:
    return {"type": "array", "items": _object(**properties)}


def _ref(name: str) -> Json:
    return {"$ref": f"#/components/schemas/{name}"}


_BOARD = _object(
    title=TEXT,
    rows=NUMBER,
    cols=NUMBER,
    adjacency=TEXT,
    origin=NUMBER,
    marks={"type": "array", "items": TEXT},
    cells=TEXT,
    trails={"type": "array", "items": CELLS},
    legal=CELLS,
    last=_maybe(NUMBER),
    causes=CELLS,
)
_SETUP = _object(
    game=TEXT, board=TEXT, adjacency=TEXT, starts=NUMBER, swap=FLAG, moves={"type": "array", "items": TEXT}
)
_HISTORY = _list(kind=TEXT, ply=NUMBER, player=NUMBER, mark=TEXT, cell=_maybe(NUMBER), text=_maybe(TEXT), words=TEXT)
_OUTCOME = _maybe(_object(winner=NUMBER, loser=NUMBER, termination=TEXT, words=TEXT))
_PASS = _maybe(_object(player=NUMBER, mark=TEXT, words=TEXT))
_ABOUT = {"type": TEXT, "ply": NUMBER, "setup": _SETUP, "board": _BOARD, "to_move": _maybe(NUMBER), "words": TEXT}

ANSWERS = {
    "Error": _object(error=TEXT, words=TEXT),
    "Health": _object(status=TEXT, version=TEXT, database=TEXT, games=NUMBER, connections=NUMBER, process=NUMBER),
    "Catalogue": _object(
        games=_list(
            name=TEXT,
            title=TEXT,
            summary=TEXT,
            rules=TEXT,
            board=TEXT,
            adjacency=TEXT,
            origin=NUMBER,
            smallest=NUMBER,
            marks={"type": "array", "items": TEXT},
            players={"type": "array", "items": TEXT},
        ),
        adjacencies={"type": "array", "items": TEXT},
        levels={"type": "array", "items": TEXT},
        limits=_object(side=NUMBER, name=NUMBER, message=NUMBER, body=NUMBER),
    ),
    "Created": _object(id=TEXT, token=TEXT, watch=TEXT, invitation=_maybe(TEXT)),
    "Seat": _object(id=TEXT, seat=NUMBER, token=TEXT, watch=TEXT),
    "Position": _object(**_ABOUT, mark=_maybe(TEXT), pass_=_PASS, moves=_HISTORY, outcome=_OUTCOME, can_swap=FLAG),
    "State": _object(
        **_ABOUT,
        game=TEXT,
        sequence=NUMBER,
        line=NUMBER,
        opponent=TEXT,
        players=_list(player=NUMBER, name=TEXT, mark=TEXT, kind=TEXT, joined=FLAG),
        thinking=FLAG,
        pass_=_PASS,
        moves=_HISTORY,
        outcome=_OUTCOME,
        offer=_maybe(_object(what=TEXT, player=NUMBER, words=TEXT)),
        round=NUMBER,
        score=CELLS,
        rematch=_maybe(TEXT),
        you=_object(role=TEXT, seats=CELLS, may={"type": "array", "items": TEXT}),
    ),
    "Why": _object(type=TEXT, cell=NUMBER, legal=FLAG, reason=_maybe(TEXT), words=TEXT, causes=CELLS),
    "Analysis": _object(
        position=_ref("Position"),
        analysis=_object(
            verdict=TEXT,
            words=TEXT,
            explanation=TEXT,
            method=TEXT,
            winning=CELLS,
            moves=_list(cell=NUMBER, verdict=TEXT, distance=_maybe(NUMBER)),
            distance=_maybe(NUMBER),
            pairing={"type": "array", "items": CELLS},
            line=CELLS,
            positions=NUMBER,
            seconds=REAL,
        ),
    ),
    "Review": _object(
        players=_list(name=TEXT, mark=TEXT),
        start=_maybe(NUMBER),
        steps=_list(
            ply=NUMBER,
            kind=TEXT,
            player=NUMBER,
            mark=TEXT,
            who=TEXT,
            cell=_maybe(NUMBER),
            text=TEXT,
            before=_maybe(NUMBER),
            after=_maybe(NUMBER),
            mistake=FLAG,
            better=CELLS,
            better_swap=FLAG,
            words=TEXT,
        ),
        summary=TEXT,
    ),
}
_BODIES = (Create, Join, Source, Question, WhyNot)
_GAME = {"name": "id", "in": "path", "required": True, "schema": TEXT}


def _operation(summary: str, gives: Json, *, status: int = 200, body: type | None = None, **more: Any) -> Json:
    """One operation: what it takes, what it gives, and the common failure."""
    described: Json = {
        "summary": summary,
        "responses": {
            str(status): {"description": "Done.", "content": gives},
            "default": {"description": "Refused.", "content": {"application/json": {"schema": _ref("Error")}}},
        },
        **more,
    }
    if body:
        content = {"application/json": {"schema": _ref(body.__name__)}}
        described["requestBody"] = {"required": True, "content": content}
    return described


def _json(name: str) -> Json:
    return {"application/json": {"schema": _ref(name)}}


def _query(name: str, schema: Json) -> Json:
    return {"name": name, "in": "query", "required": False, "schema": schema}


_HOLDER: Json = {"security": [{"token": []}], "parameters": [_GAME]}
_RECORD = {"text/plain": {"schema": TEXT}, "application/json": {"schema": {"type": "object"}}}
_, _REQUESTS = schema_components(_BODIES, ref_template="#/components/schemas/{name}")

OPENAPI: Json = {
    "openapi": "3.1.0",
    "info": {
        "title": "GridLock",
        "version": __version__,
        "description": "Five two-player lock-out games on a grid. Games are played over the WebSocket at /ws.",
    },
    "paths": {
        "/health": {"get": _operation("Whether everything works", _json("Health"))},
        "/api/games": {
            "get": _operation("What can be played", _json("Catalogue")),
            "post": _operation("Start a game", _json("Created"), status=201, body=Create),
        },
        "/api/games/{id}/join": {"post": _operation("Take the open seat", _json("Seat"), body=Join, **_HOLDER)},
        "/api/games/{id}": {
            "get": _operation(
                "A game as it stands; with ply, as it stood",
                {"application/json": {"schema": {"anyOf": [_ref("State"), _ref("Position")]}}},
                security=_HOLDER["security"],
                parameters=[_GAME, _query("ply", NUMBER)],
            )
        },
        "/api/games/{id}/record": {
            "get": _operation(
                "A game as a file",
                _RECORD,
                security=_HOLDER["security"],
                parameters=[_GAME, _query("format", {"enum": ["text", "json"]})],
            )
        },
        "/api/position": {"post": _operation("A position set up or pasted", _json("Position"), body=Source)},
        "/api/why": {"post": _operation("Why a cell cannot be played", _json("Why"), body=WhyNot)},
        "/api/analyse": {"post": _operation("What every move is worth", _json("Analysis"), body=Question)},
        "/api/review": {"post": _operation("Where a game was won and lost", _json("Review"), body=Source)},
    },
    "components": {
        "schemas": {**_REQUESTS, **ANSWERS},
        "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
    },
}
