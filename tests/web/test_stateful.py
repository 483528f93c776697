"""A state machine that sends every possible player action to a real server and compares the server with a simple model.

During the test, the server is killed, restarted and frozen, and some games have running clocks.
"""

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from web_client import Client, client
from web_clocks import Clocks, Outages
from web_server import Served

from gridlock import SWAP, Game, cells_of, variant

pytestmark = pytest.mark.slow

RUNS = int(os.environ.get("GRIDLOCK_RUNS", "6"))
CLOCK = 3600  # seconds per player
WHO = st.sampled_from([1, 2, 0])  # the two players, numbered by their first seats, and a spectator


class Model:
    """A model of the expected results, kept as simple as possible."""

    def __init__(self, game: Game, seats: dict[int, int], score: tuple[int, int], clocks: Clocks | None) -> None:
        self.game = game
        self.clocks = clocks
        self.seats = seats  # person -> player
        self.before = score
        self.events = 0
        self.line = 0
        self.offer: tuple[int, str] | None = None  # the player who asked, and the request
        self.joined = False
        self.rematched = False

    def score(self) -> list[int]:
        won = [0, 0]
        if self.game.outcome:
            won[self.game.outcome.winner - 1] = 1
        return [self.before[0] + won[0], self.before[1] + won[1]]

    def back(self, player: int) -> int | None:
        """Return the ply that the game would go back to if this player took back a move."""
        if self.game.outcome or self.clocks:
            return None
        return next((ply for ply in reversed(range(len(self.game.moves))) if self.game.at(ply).turn == player), None)

    def happen(self, *, offer: tuple[int, str] | None = None) -> None:
        self.events += 1
        self.offer = offer


class Machine(RuleBasedStateMachine):
    """A state machine with two players and a spectator on a server that is sometimes restarted."""

    server: Served

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.Runner()
        self.open: dict[int, tuple[contextlib.AsyncExitStack, Client]] = {}
        self.restarts = 0
        self.outages = Outages(self.server)

    def do(self, coroutine):
        return self.loop.run(coroutine)

    # -- connections ------------------------------------------------------------------------------------------

    @initialize(
        name=st.sampled_from(["keepaway", "chain", "scatter", "trails", "showdown"]),
        board=st.sampled_from(["2x3", "3x3", "4x4"]),
        starts=st.sampled_from([1, 2]),
        swap=st.booleans(),
        wait=st.sampled_from([False, False, False, True]),
        clock=st.booleans(),
    )
    def create(self, name: str, board: str, starts: int, swap: bool, wait: bool, clock: bool) -> None:
        setup = {"board": board, "swap": swap}
        self.clock = {"seconds": CLOCK, "increment": 0} if clock else None
        self.made = self.server.create(name, setup=setup, starts=starts, name="Ada", clock=self.clock)
        self.id = self.made["id"]
        self.tokens = {1: self.made["token"], 0: self.made["watch"]}
        game = Game(variant(name, board), starts=starts, swap=swap)
        self.model = Model(game, {1: 1, 2: 2}, (0, 0), self.clocks())
        if not wait:
            self.join()

    def clocks(self) -> Clocks | None:
        return Clocks(CLOCK, self.outages) if self.clock else None

    @precondition(lambda self: not self.model.joined)
    @rule()
    def join(self) -> None:
        self.tokens[2] = self.server.join(self.made)
        assert self.server.join(self.made) == self.tokens[2]
        self.model.joined = True
        self.model.happen()

    @rule(who=WHO)
    def connect(self, who: int) -> None:
        if who in self.open or who not in self.tokens:
            return
        stack = contextlib.AsyncExitStack()
        made = self.do(stack.enter_async_context(client(self.server, self.id, self.tokens[who])))
        assert made.welcome["seats"] == ([self.model.seats[who]] if who else [])
        self.open[who] = (stack, made)

    @rule(who=WHO)
    def drop(self, who: int) -> None:
        if who in self.open:
            stack, gone = self.open.pop(who)
            gone.socket.transport.abort()
            self.do(stack.aclose())

    @precondition(lambda self: self.restarts < 1)
    @rule(how=st.sampled_from([signal.SIGTERM, signal.SIGKILL]))
    def restart(self, how: int) -> None:
        self.restarts += 1
        self.server.end(how)
        self.outages.begin()
        for who in list(self.open):
            self.drop(who)
        self.server.start()

    @precondition(lambda self: self.model.clocks)
    @rule(seconds=st.sampled_from([0.05, 0.3, 1.0]))
    def freeze(self, seconds: float) -> None:
        os.kill(self.server.pid, signal.SIGSTOP)
        self.outages.begin()
        time.sleep(seconds)
        self.outages.end()
        os.kill(self.server.pid, signal.SIGCONT)

    # -- actions ----------------------------------------------------------------------------------------------

    def act(self, who: int, type: str, **fields: object) -> str:
        """Send an action; return `accepted` or the reason for its rejection."""
        self.connect(who)
        answer = self.do(self.open[who][1].answer(type, **fields))
        return answer["type"] if answer["type"] == "accepted" else answer["reason"]

    def refused_first(self, who: int) -> str | None:
        """Return the reason for rejection that takes precedence over all others, or None."""
        return "watching" if who not in self.model.seats else "waiting" if not self.model.joined else None

    def now(self) -> dict[str, int]:
        return {"ply": len(self.model.game.moves), "line": self.model.line}

    @rule(who=WHO, pick=st.integers(0, 15), legal=st.booleans(), swap=st.booleans())
    def move(self, who: int, pick: int, legal: bool, swap: bool) -> None:
        if who not in self.tokens:
            return
        game, cells = self.model.game, cells_of(self.model.game.legal)
        cell = cells[pick % len(cells)] if legal and cells else pick
        expected = self.refused_first(who)
        if not expected and game.outcome:
            expected = "over"
        if not expected and game.turn != self.model.seats[who]:
            expected = "turn"
        swap = swap and (game.can_swap or pick == 0)
        if not expected and not (game.can_swap if swap else cell in cells):
            expected = "illegal"
        if self.model.clocks and not expected:
            self.model.clocks.send(len(game.moves))
        said = self.act(who, "swap", **self.now()) if swap else self.act(who, "move", cell=cell, **self.now())
        assert said == (expected or "accepted")
        if not expected:
            if swap:
                game.push(SWAP)
            else:
                game.push(cell)
            self.model.happen()

    @rule(who=WHO, back=st.integers(1, 3), other=st.booleans())
    def repeat_an_old_move(self, who: int, back: int, other: bool) -> None:
        game = self.model.game
        if who not in self.tokens or len(game.moves) < back or game.moves[-back] == SWAP:
            return
        ply = len(game.moves) - back
        mine = game.at(ply).turn == self.model.seats.get(who)
        cell = game.moves[ply] + other
        said = self.act(who, "move", ply=ply, line=self.model.line, cell=cell)
        assert said == (self.refused_first(who) or ("accepted" if mine and not other else "stale"))

    @rule(who=WHO, ahead=st.sampled_from([0, 0, 1, -1]), line=st.integers(0, 2), pick=st.integers(0, 15))
    def come_too_late(self, who: int, ahead: int, line: int, pick: int) -> None:
        game, cells = self.model.game, cells_of(self.model.game.legal)
        if who in self.tokens and line != self.model.line:
            ply, cell = max(0, len(game.moves) + ahead), cells[pick % len(cells)] if cells else pick
            said = self.act(who, "move", ply=ply, line=line, cell=cell)
            assert said == (self.refused_first(who) or "stale")

    @rule(who=WHO)
    def resign(self, who: int) -> None:
        if who not in self.tokens:
            return
        game, player = self.model.game, self.model.seats.get(who)
        expected = self.refused_first(who)
        if not expected and game.outcome and game.resigned != player:
            expected = "over"
        assert self.act(who, "resign") == (expected or "accepted")
        if not expected and not game.outcome:
            game.resign(player)
            self.model.happen()

    @rule(who=WHO)
    def claim(self, who: int) -> None:
        """Claim a win; the claim must fail, because the player has not waited long enough."""
        if who not in self.tokens:
            return
        game, player = self.model.game, self.model.seats.get(who)
        expected = self.refused_first(who) or ("over" if game.outcome else None)
        if not expected:
            runs = self.model.clocks is not None and bool(game.moves)
            expected = "turn" if game.turn == player and not runs else "illegal"
        assert self.act(who, "claim") == expected

    @rule(who=WHO, what=st.sampled_from(["takeback", "rematch"]))
    def ask(self, who: int, what: str) -> None:
        if who not in self.tokens:
            return
        model, player = self.model, self.model.seats.get(who)
        expected = self.refused_first(who)
        if not expected and (model.back(player) is None if what == "takeback" else not model.game.outcome):
            expected = "illegal"
        if not expected and model.offer and model.offer[1] != what:
            expected = "offer"
        said = self.act(who, "ask", what=what, **self.now())
        assert said == (expected or "accepted")
        if expected or model.offer == (player, what):
            return
        if model.offer:
            self.grant()
        else:
            model.happen(offer=(player, what))

    @rule(who=WHO, accept=st.booleans())
    def answer(self, who: int, accept: bool) -> None:
        if who not in self.tokens:
            return
        model = self.model
        expected = self.refused_first(who)
        if not expected and (model.offer is None or (accept and model.offer[0] == model.seats[who])):
            expected = "offer"
        said = self.act(who, "answer", accept=accept, **self.now())
        assert said == (expected or "accepted")
        if not expected:
            if accept:
                self.grant()
            else:
                model.happen()

    def grant(self) -> None:
        """Carry out the current request in the model."""
        player, what = self.model.offer
        if what == "takeback":
            self.model.game = self.model.game.at(self.model.back(player))
            self.model.line += 1
            self.model.happen()
            return
        old = self.model
        _, state = self.server.get(f"/api/games/{self.id}", self.tokens[1])
        assert state["score"] == old.score()
        assert state["sequence"] == old.events + 1
        for who in list(self.open):
            self.drop(who)
        self.id = state["rematch"]
        game = Game(old.game.variant, starts=old.game.starts, swap=old.game.swap)
        seats = {who: 3 - player for who, player in old.seats.items()}
        first, second = old.score()
        self.model = Model(game, seats, (second, first), self.clocks())
        self.model.joined = True

    # -- what must hold ---------------------------------------------------------------------------------------

    @invariant()
    def everybody_sees_what_happened(self) -> None:
        if not hasattr(self, "model"):
            return
        model, game = self.model, self.model.game
        for who, (_, seen) in self.open.items():
            self.do(seen.until(sequence=model.events))
            state = seen.state
            assert [entry["cell"] for entry in state["moves"] if entry["kind"] == "move"] == [
                cell for cell in game.moves if cell != SWAP
            ]
            assert (state["ply"], state["line"]) == (len(game.moves), model.line)
            assert (state["offer"] and (state["offer"]["player"], state["offer"]["what"])) == model.offer
            assert state["board"]["legal"] == ([] if game.outcome else cells_of(game.legal))
            assert (state["outcome"] and state["outcome"]["winner"]) == (game.outcome and game.outcome.winner)
            assert state["to_move"] == (None if game.outcome or not model.joined else game.turn)
            assert state["score"] == model.score()
            assert [player["mark"] for player in state["players"]] == [
                game.variant.book.marks[game.side(player) - 1] for player in (1, 2)
            ]
            assert not state["cancelled"]
            if model.clocks:
                model.clocks.check(state)
            may = state["you"]["may"]
            mine = who in model.seats and state["to_move"] == model.seats[who]
            assert ("move" in may) == (mine and bool(game.legal))
            assert ("swap" in may) == (mine and game.can_swap)
            assert who or not may

    def teardown(self) -> None:
        for who in list(self.open):
            self.drop(who)
        self.loop.close()


@pytest.fixture
def machines(serve) -> Iterator[type[Machine]]:
    patches = {"gridlock.web.storage.clocks.RETURN": 0.0}  # so that clocks run immediately after a start
    server = serve("--games-per-client=100000", "--connections-per-client=1000", patches=patches)
    yield type("Here", (Machine,), {"server": server})
    assert server.complaints() == []


def test_whatever_players_do_the_server_agrees_with_the_model(machines: type[Machine]) -> None:
    phases = (Phase.explicit, Phase.reuse, Phase.generate)  # no shrinking: shortening a failing story takes minutes
    quiet = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
    run_state_machine_as_test(
        machines,
        settings=settings(
            max_examples=RUNS, stateful_step_count=40, deadline=None, suppress_health_check=quiet, phases=phases
        ),
    )
