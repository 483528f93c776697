"""Tests that the server's messages have not changed and that they match the API description."""

import inspect
import json
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import get_type_hints

import pytest
from jsonschema import Draft202012Validator, ValidationError
from msgspec.json import schema_components
from web_schema import validator
from web_server import Served
from wire import CORPUS, Stories, settled

from gridlock import RULE_BOOKS
from gridlock.web.app import Serving, build
from gridlock.web.pages.api import Api
from gridlock.web.pages.endpoints import ENDPOINTS
from gridlock.web.pages.health import HealthChecks
from gridlock.web.pages.learning import Learning
from gridlock.web.wire import answers

pytestmark = pytest.mark.slow  # starts a separate server
LEARNING = (
    "/api/puzzle",
    "/api/lessons",
    "/api/atlas",
)  # test_learning.py checks these answers against their description


@pytest.fixture(scope="module")
def stories(tmp_path_factory: pytest.TempPathFactory) -> Stories:
    """Play the scenarios on a separate server, and return everything that the server sent."""
    folder = tmp_path_factory.mktemp("stories")
    limits = [f"--{what}-per-client=100000" for what in ("games", "connections", "thinking", "requests")]
    server = Served(str(folder / "games.sqlite3"), folder / "log", *limits).start()
    try:
        stories = Stories(server)
        with ThreadPoolExecutor(1) as thread:  # another test's browser may have left an event loop in the main thread
            thread.submit(stories.tell).result()
        return stories
    finally:
        server.close()


def test_every_message_and_answer_is_as_it_was(stories: Stories) -> None:
    before = [json.loads(line) for line in CORPUS.read_text().splitlines()]
    now = [json.loads(line) for line in settled(stories.said)]
    assert [one["name"] for one in now] == [one["name"] for one in before]
    for one, other in zip(now, before, strict=True):
        assert one == other, one["name"]


def test_the_stories_leave_nothing_out() -> None:
    said = [json.loads(line)["said"] for line in CORPUS.read_text().splitlines()]
    types = {one.get("type") or one["answer"].get("type") for one in said}
    assert types >= {"welcome", "state", "accepted", "refused", "position", "why", "pong"}
    assert {one["setup"]["game"] for one in said if one.get("type") == "state"} == set(RULE_BOOKS)
    refused = {one["reason"] for one in said if one.get("type") == "refused"}
    assert refused >= {"illegal", "turn", "stale", "over", "waiting", "watching", "offer"}
    assert {one.get("status", 200) for one in said} >= {200, 201, 400, 401, 404, 409, 422}


def test_every_answer_is_what_its_operation_promises(stories: Stories, described: dict) -> None:
    schemas = described["components"]["schemas"]
    operations = set()
    for method, path, status, answer in stories.answered:
        template = re.sub("^/api/games/[^/?]+", "/api/games/{id}", path.partition("?")[0])
        if template not in described["paths"]:
            assert status == 404
            continue
        promised = described["paths"][template][method]["responses"]
        content = promised.get(str(status), promised["default"])["content"]["application/json"]["schema"]
        assert (str(status) in promised) == (status < 300)
        validator(content, schemas).validate(answer)
        operations.add((method, template))
    every = {(method, path) for path, methods in described["paths"].items() for method in methods}
    assert operations == {one for one in every if not one[1].startswith(LEARNING)}


def test_every_message_is_of_a_known_structure(stories: Stories) -> None:
    kinds = [answers.State, *answers.Reply.__subclasses__()]
    _, schemas = schema_components(kinds, ref_template="#/components/schemas/{name}")
    known = {kind.__name__.lower(): kind.__name__ for kind in kinds}
    heard = [message for name, message in stories.said if name.startswith("WS ")]
    for message in heard:
        validator({"$ref": f"#/components/schemas/{known[message['type']]}"}, schemas).validate(message)
    assert {message["type"] for message in heard} == set(known)


def test_a_wrong_answer_would_be_noticed(stories: Stories, described: dict) -> None:
    schemas = described["components"]["schemas"]
    state = next(answer for _, _, _, answer in stories.answered if answer.get("type") == "state")
    check = validator({"$ref": "#/components/schemas/State"}, schemas)
    check.validate(state)
    less = {name: value for name, value in state.items() if name != "pass"}
    inside = {**state, "board": {**state["board"], "rows": "3"}}
    for wrong in (less, inside, {**state, "more": 1}, {**state, "to_move": 3}, {**state, "type": "position"}):
        with pytest.raises(ValidationError):
            check.validate(wrong)


def test_the_description_is_whole(described: dict, tmp_path: Path) -> None:
    schemas = described["components"]["schemas"]
    for schema in schemas.values():
        Draft202012Validator.check_schema(schema)
    references = re.findall('"#/components/schemas/([^"]+)"', json.dumps(described))
    assert set(references) == set(schemas)
    app, hub = build(Serving(str(tmp_path / "games.sqlite3"), frozenset()))
    hub.store.engine.dispose()
    while not hasattr(app, "routes"):  # unwrap the app, because only the innermost app has routes
        app = app.app
    served = {
        (method.lower(), route.path)
        for route in app.routes
        if route.path in ("/health", "/ready") or route.path.startswith("/api/")
        for method in route.methods - {"HEAD"}
    }
    every = {(method, path) for path, methods in described["paths"].items() for method in methods}
    assert every == served - {("get", "/api/openapi.json")}


def test_every_handler_is_served_and_takes_the_body_that_is_described(server: Served, described: dict) -> None:
    handlers = {
        handler
        for owner in (HealthChecks, Api, Learning)
        for handler in vars(owner).values()
        if inspect.iscoroutinefunction(handler) and "Json[" in str(get_type_hints(handler)["return"])
    }
    assert handlers <= {endpoint.handler for endpoint in ENDPOINTS}
    for endpoint in ENDPOINTS:
        operation = described["paths"][endpoint.path][endpoint.method.lower()]
        assert ("requestBody" in operation) == (endpoint.method == "POST"), endpoint.path
        if endpoint.method == "POST":
            name = operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
            schema, path = described["components"]["schemas"][name], endpoint.path.replace("{id}", "x" * 22)
            status, said = server.post(path, {"nonsense": 1}, "x" * 32)
            assert (status, said["error"]) == (400, "malformed"), path
            for field in schema["properties"]:  # each field is read, and must have the stated type
                known = {one: None for one in schema.get("required", []) if one != field}
                status, said = server.post(path, {field: [["wrong"]], **known}, "x" * 32)
                assert (status, said["error"]) == (400, "malformed"), (path, field)
                assert f"$.{field}" in said["words"], (path, field)
