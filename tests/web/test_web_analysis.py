"""Tests of the server's analysis: it reports the winner at once and the distance later, and judges swaps correctly."""

import json
import socket
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from web_client import WAIT
from web_schema import Fits
from web_server import Served

from gridlock import RULE_BOOKS
from gridlock.engine.engine import engine_for
from gridlock.engine.evidence import Verdict
from gridlock.web.thinking import questions
from gridlock.web.wire.messages import Setup
from gridlock.web.wire.setups import game_of

pytestmark = pytest.mark.slow

OPPOSITE = {"win": "loss", "loss": "win"}
# On this board, it takes longer than 10 seconds to compute the distances (the numbers of moves until the loser is
# stuck).
LONG = {"setup": {"game": "keepaway", "board": "8x8"}, "seconds": 10, "distances": True}


# -- the swap rule ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RULE_BOOKS)
def test_with_the_swap_rule_no_first_move_wins(server: Served, fits: Fits, name: str) -> None:
    _, found = server.post("/api/analyse", {"setup": {"game": name, "board": "3x3", "swap": True}})
    analysis = found["analysis"]
    assert fits(found, "Analysis")
    assert (analysis["verdict"], analysis["winning"], analysis["swap"]) == ("loss", [], None)
    assert {move["verdict"] for move in analysis["moves"]} == {"loss"}
    assert not analysis["countable"]  # no first move has a distance
    mark = found["position"]["mark"]
    assert analysis["words"] == f"{mark} is to move and loses."
    assert analysis["explanation"].startswith("No first move wins")


@pytest.mark.parametrize("name", RULE_BOOKS)
def test_the_player_to_swap_wins_by_swapping_or_playing_on(server: Served, name: str) -> None:
    _, start = server.post("/api/position", {"setup": {"game": name, "board": "3x3"}})
    for cell in start["board"]["legal"]:
        row, col = divmod(cell, 3)
        first = f"{row + start['board']['origin']},{col + start['board']['origin']}"
        setup = {"game": name, "board": "3x3", "moves": [first]}
        _, found = server.post("/api/analyse", {"setup": setup})
        plain = found["analysis"]
        _, found = server.post("/api/analyse", {"setup": {**setup, "swap": True}})
        analysis, mark = found["analysis"], found["position"]["mark"]
        assert (analysis["verdict"], analysis["swap"]) == ("win", OPPOSITE[plain["verdict"]])
        assert (analysis["winning"], analysis["moves"]) == (plain["winning"], plain["moves"])
        swapping = analysis["swap"] == "win"
        assert analysis["words"] == f"{mark} is to move and wins by {'swapping' if swapping else 'playing on'}."
        assert analysis["swap_words"] == ("Swapping wins." if swapping else "Swapping loses: play on.")
        assert ("wapping wins" in analysis["explanation"]) == swapping
        if swapping:
            assert (analysis["distance"], analysis["line"]) == (None, [])
        _, found = server.post("/api/analyse", {"setup": {**setup, "swap": True, "moves": [first, "swap"]}})
        if not found["position"]["outcome"]:  # the swap may leave the player to move stuck, which ends the game
            assert found["analysis"]["verdict"] == plain["verdict"]
            assert (found["analysis"]["swap"], found["analysis"]["swap_words"]) == (None, "")


# -- distances ----------------------------------------------------------------------------------------------------


def test_distances_are_counted_where_they_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridlock.play.thinking.questions.MOMENT", 0.0)
    setup = Setup(game="showdown", board="4x4", adjacency="king", moves=["1,1"])
    found = {}
    for distances in (False, True):
        engine_for.cache_clear()
        found[distances] = questions.analyse(game_of(setup), 60, distances)
    judged, counted = found[False], found[True]
    assert judged.verdict is not Verdict.UNKNOWN
    assert {move.distance for move in judged.moves} == {None}
    assert (judged.countable, counted.countable) == (True, False)
    assert [move.verdict for move in judged.moves] == [move.verdict for move in counted.moves]
    assert all(move.distance is not None and move.distance > 0 for move in counted.moves)


@pytest.mark.slow
def test_no_verdict_waits_for_a_distance(serve: Callable[..., Served]) -> None:
    server = serve()
    with ThreadPoolExecutor(4) as pool:
        counting = [pool.submit(server.post, "/api/analyse", LONG) for _ in range(4)]
        for setup in ({"game": "keepaway", "board": "8x8"}, {"game": "chain"}, {"game": "scatter"}):
            status, found = server.post("/api/analyse", {"setup": setup})
            assert (status, found["analysis"]["verdict"]) in [(200, "win"), (200, "loss")]
        assert not any(one.done() for one in counting)
        server.end(9)  # there is no need to wait for the distances
        for one in counting:
            with pytest.raises(ConnectionError):
                one.result()


def workers_of(server: Served) -> set[int]:
    """Return the process ids of a server's engine workers."""
    return set(map(int, Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()))


def ticks(pid: int) -> int:
    """Return how much processor time a process has used, in hundredths of a second."""
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11])


@pytest.mark.slow
def test_counting_stops_when_the_client_has_left(serve: Callable[..., Served]) -> None:
    server = serve()
    assert server.post("/api/analyse", {"setup": {"game": "chain"}, "distances": True})[0] == 200
    (worker,) = workers_of(server)
    idle = ticks(worker)
    body = json.dumps(LONG).encode()
    with socket.create_connection(("127.0.0.1", server.port)) as leaving:
        head = f"POST /api/analyse HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(body)}\r\n\r\n"
        leaving.sendall(head.encode() + body)
        until = time.monotonic() + WAIT
        while ticks(worker) < idle + 20 and time.monotonic() < until:  # wait until the worker is busy
            time.sleep(0.01)
    worked = -1
    while worked != ticks(worker) and time.monotonic() < until:  # wait until the worker is idle
        worked = ticks(worker)
        time.sleep(0.5)
    assert workers_of(server) == {worker}
    assert worked < idle + 100 * LONG["seconds"] / 2
    status, found = server.post("/api/analyse", {"setup": {"game": "chain"}, "distances": True})
    assert (status, found["analysis"]["countable"]) == (200, False)
    assert server.complaints() == []


def test_a_refinement_is_a_question_like_any_other(serve: Callable[..., Served]) -> None:
    server = serve("--thinking-per-client=10")
    question = {"setup": {"game": "chain", "board": "3x3"}, "seconds": 10}
    statuses = [server.post("/api/analyse", {**question, "distances": distances})[0] for distances in (True, False)]
    assert statuses == [200, 429]
