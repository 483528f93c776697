"""Tests that games in the browser are played, saved and continued without a server."""

import json
from random import Random

import pytest
from web_offline import Page

from gridlock import RULE_BOOKS
from gridlock.web.offline.engine import Engine
from gridlock.web.offline.games import Games


class Browser:
    """A page with its own engine and with a clock that only the test advances."""

    def __init__(self, kept: dict[str, str] | None = None) -> None:
        self.page, self.time = Page(), 0.0
        self.games = Games(self.page, lambda: self.time)
        self.engine = Engine(self.games)
        self.games.restore(json.dumps(kept or {}))

    def ask(self, method: str, path: str, body: object = None, token: str = "") -> dict:
        """Send requests that must not be rejected."""
        given = self.engine.ask(method, path, json.dumps(body) if body else "", token)
        assert given.status in (200, 201), given
        return json.loads(given.body)

    def create(self, game: str, opponent: str, **wish: object) -> dict:
        """Start a game, and open it with connection 1."""
        setup = {"game": game, **wish.pop("setup", {})}  # type: ignore[dict-item]
        made = self.ask("POST", "/api/games", {"setup": setup, "opponent": opponent, **wish})
        self.hello(made)
        return made

    def hello(self, made: dict, connection: int = 1) -> dict:
        """Open a game, and return its state."""
        self.games.open(connection, json.dumps({"type": "hello", "game": made["id"], "token": made["token"]}))
        return self.page.last("state")

    def say(self, kind: str, connection: int = 1, **more: object) -> dict:
        """Send a message, and return the reply to it."""
        self.games.send(connection, json.dumps({"type": kind, "id": 7, **more}))
        return next(
            message for one, message in reversed(self.page.told) if one == connection and message.get("re") == 7
        )

    def act(self, kind: str, **more: object) -> dict:
        """Perform an action in the current position."""
        state = self.page.last("state")
        return self.say(kind, ply=state["ply"], line=state["line"], **more)

    def wait(self, early: float = 0.0) -> None:
        """Run all pending timers, so that the computer finishes its moves.

        Each timer fires up to `early` seconds before it is due.
        """
        while (seconds := self.page.alarm) is not None:
            self.page.alarm = None
            self.time += max(seconds - early, min(seconds, early))
            self.games.run_due()


@pytest.mark.parametrize("name", RULE_BOOKS)
def test_a_game_against_a_level_is_played_to_its_end(name: str, rng: Random) -> None:
    browser = Browser()
    browser.create(name, "easy")
    while not (state := browser.page.last("state"))["outcome"]:
        assert state["to_move"] == 1
        assert browser.act("move", cell=rng.choice(state["board"]["legal"]))["type"] == "accepted"
        browser.wait()
    assert "wins" in state["words"]
    assert {one["kind"] for one in state["players"]} == {"person", "easy"}


def test_the_same_game_goes_on_in_another_worker(rng: Random) -> None:
    browser = Browser()
    made = browser.create("trails", "medium", name="Ada", setup={"board": "5x5"})
    for _ in range(2):
        browser.act("move", cell=rng.choice(browser.page.last("state")["board"]["legal"]))
        browser.wait()
    later = Browser(browser.page.kept)
    assert later.hello(made) == browser.page.last("state")
    record = browser.engine.ask("GET", f"/api/games/{made['id']}/record", "", made["token"])
    assert later.engine.ask("GET", f"/api/games/{made['id']}/record", "", made["token"]) == record
    assert record.kind == "text/plain; charset=utf-8"
    assert b"Ada" in record.body


def test_a_worker_that_ends_while_the_computer_thinks_is_replaced() -> None:
    browser = Browser()
    made = browser.create("chain", "easy")
    browser.act("move", cell=0)
    later = Browser(browser.page.kept)
    assert later.hello(made)["thinking"]
    later.wait()
    assert later.page.last("state")["ply"] == 2


def test_a_game_in_two_windows_goes_on_in_both() -> None:
    browser = Browser()
    made = browser.create("showdown", "screen")
    other = Browser(browser.page.kept)
    other.hello(made)
    browser.act("move", cell=0)
    other.games.restore(json.dumps(browser.page.kept))
    assert other.page.last("state") == browser.page.last("state")
    other.act("move", cell=24)
    other.games.restore(json.dumps(browser.page.kept))
    assert other.page.last("state")["ply"] == 2, "what comes late changes nothing"
    other.games.restore(json.dumps({f"game/{made['id']}": "{"}))
    assert other.page.last("state")["ply"] == 2
    browser.games.restore(json.dumps(other.page.kept))
    assert browser.page.last("state")["ply"] == 2


def test_the_computer_moves_although_the_window_that_asked_is_closed() -> None:
    browser = Browser()
    made = browser.create("showdown", "easy")
    other = Browser(browser.page.kept)
    other.hello(made)
    browser.act("move", cell=0)  # and the browser closes right after the move
    other.games.restore(json.dumps(browser.page.kept))
    assert other.page.last("state")["thinking"]
    other.wait()
    assert other.time >= 10.0
    assert other.page.last("state")["ply"] == 2


def test_the_computer_moves_once_in_two_windows() -> None:
    browser = Browser()
    made = browser.create("showdown", "easy")
    other = Browser(browser.page.kept)
    other.hello(made)
    browser.act("move", cell=0)
    other.games.restore(json.dumps(browser.page.kept))
    browser.wait()
    other.games.restore(json.dumps(browser.page.kept))
    state = other.page.last("state")
    other.wait()
    assert other.page.last("state") == state == browser.page.last("state")


def test_two_people_on_one_screen_take_back_and_play_again() -> None:
    browser = Browser()
    made = browser.create("showdown", "screen", name="Ada", other_name="Grace")
    browser.act("move", cell=0)
    assert browser.act("ask", what="takeback")["type"] == "accepted"
    assert browser.page.last("state")["ply"] == 0
    assert browser.say("resign")["type"] == "accepted"
    assert browser.act("ask", what="rematch")["type"] == "accepted"
    second = browser.page.last("state")["rematch"]
    state = browser.hello({"id": second, "token": made["token"]}, 2)
    assert (state["round"], [one["name"] for one in state["players"]]) == (2, ["Grace", "Ada"])
    assert Browser(browser.page.kept).hello({"id": second, "token": made["token"]})["round"] == 2


def test_two_levels_stop_when_the_page_is_closed() -> None:
    browser = Browser()
    browser.create("keepaway", "levels", levels=["random", "random"], setup={"board": "3x3"})
    browser.games.run_due()
    browser.games.shut(1)
    browser.wait()
    assert len(json.loads(next(iter(browser.page.kept.values())))["events"]) == 1, "the move that it had chosen"


def test_two_levels_play_to_the_end() -> None:
    browser = Browser()
    made = browser.create("keepaway", "levels", levels=["random", "random"], setup={"board": "3x3"})
    browser.wait()
    assert browser.page.last("state")["outcome"]
    assert browser.hello(made, 2)["you"]["role"] == "watching"


@pytest.mark.parametrize("early", [0.0005, 0.3])
def test_nothing_is_forgotten_if_a_timer_rings_early(early: float) -> None:
    browser = Browser()
    browser.create("keepaway", "levels", levels=["random", "random"], setup={"board": "3x3"})
    browser.wait(early)
    assert browser.page.last("state")["outcome"]
    browser.create("showdown", "screen", clock={"seconds": 10, "increment": 0})
    browser.act("move", cell=0)
    browser.wait(early)
    assert browser.page.last("state")["outcome"]["termination"] == "time"


def test_a_players_time_runs_out() -> None:
    browser = Browser()
    browser.create("showdown", "screen", clock={"seconds": 10, "increment": 0})
    browser.act("move", cell=0)
    assert browser.page.alarm == 10.0
    browser.wait()
    state = browser.page.last("state")
    assert state["outcome"]["termination"] == "time"
    assert state["clock"]["left"] == [10_000, 0]


def test_clocks_stand_still_while_the_page_is_closed() -> None:
    browser = Browser()
    made = browser.create("showdown", "screen", clock={"seconds": 10, "increment": 0})
    browser.act("move", cell=0)
    browser.time += 4
    browser.act("move", cell=24)
    later = Browser(browser.page.kept)
    later.time = 1000.0
    assert later.hello(made)["clock"]["left"] == [10_000, 6000]
    later.time += 3
    assert later.act("move", cell=2)["type"] == "accepted"
    assert later.page.last("state")["clock"]["left"] == [7000, 6000]


def test_a_move_after_the_time_is_up_is_refused() -> None:
    browser = Browser()
    browser.create("showdown", "screen", clock={"seconds": 10, "increment": 0})
    browser.act("move", cell=0)
    browser.time += 11
    assert browser.act("move", cell=24)["reason"] == "over"
    assert browser.page.last("state")["outcome"]["termination"] == "time"


def test_questions_and_refusals_are_the_servers() -> None:
    browser = Browser()
    browser.create("showdown", "easy")
    assert browser.say("ping")["type"] == "pong"
    assert browser.say("why", cell=0)["legal"]
    assert browser.act("move", cell=0)["type"] == "accepted"
    assert browser.act("move", cell=1)["reason"] == "turn"
    assert browser.say("move", ply=0, line=0, cell=5)["reason"] == "stale"
    assert browser.say("look", ply=0)["ply"] == 0
    assert browser.say("react", what="wow")["reason"] == "watching"
    browser.games.send(1, '{"type": "away", "away": true}')
    assert not browser.page.ended


def test_connections_that_cannot_be_opened_are_closed() -> None:
    browser = Browser({"game/" + "d" * 22: "{}", "theme": "dark"})
    made = browser.create("chain", "easy")
    browser.games.open(2, "{")
    browser.games.open(3, '{"type": "ping"}')
    browser.hello({"id": "x" * 22, "token": "t" * 32}, 4)
    browser.hello({"id": made["id"], "token": "t" * 32}, 5)
    browser.hello({"id": "d" * 22, "token": "t" * 32}, 6)
    browser.games.send(1, '{"type": "dance"}')
    browser.games.send(1, '{"type": "ping"}')
    assert [(one, code) for one, code, _ in browser.page.ended] == [
        *((2, 4400), (3, 4400), (4, 4401), (5, 4401), (6, 4422), (1, 4400))
    ]


def test_a_token_opens_only_its_own_game() -> None:
    browser = Browser()
    one, other = browser.create("chain", "easy"), browser.create("chain", "easy")
    for id, token in [(one["id"], other["token"]), ("short", one["token"]), ("x" * 22, one["token"])]:
        given = browser.engine.ask("GET", f"/api/games/{id}", "", token)
        assert (given.status, json.loads(given.body)["error"]) == (401, "token")
    assert browser.ask("GET", f"/api/games/{one['id']}?ply=0", None, one["token"])["ply"] == 0
    assert browser.ask("GET", f"/api/games/{one['id']}", None, one["watch"])["you"]["role"] == "watching"


def test_a_level_that_fails_moves_at_random(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> int:
        raise RecursionError

    monkeypatch.setattr("gridlock.web.thinking.questions.choose", fail)
    browser = Browser()
    browser.create("chain", "easy")
    browser.act("move", cell=0)
    browser.wait()
    assert browser.page.last("notice")["words"] == "The computer (easy) failed, so it moved at random."
    assert browser.page.last("state")["ply"] == 2
