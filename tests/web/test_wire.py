"""The server says what it has always said, to the last field."""

import json
from collections.abc import Callable

from web_server import Served
from wire import CORPUS, told

from gridlock import RULE_BOOKS


def test_every_message_and_answer_is_as_it_was(serve: Callable[..., Served]) -> None:
    before = [json.loads(line) for line in CORPUS.read_text().splitlines()]
    limits = [f"--{what}-per-client=100000" for what in ("games", "connections", "questions")]
    now = [json.loads(line) for line in told(serve(*limits))]
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
