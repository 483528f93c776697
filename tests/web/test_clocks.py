"""Clocks compared with a plain model: whatever happens, no time is lost, and no more is gained than documented.

The server's own hub and store run here with a time that the test sets; GRIDLOCK_RUNS sets the number of stories.
"""

import asyncio
import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from gridlock import Termination, cells_of
from gridlock.web.games.hub import Hub
from gridlock.web.net.limits import Allowance
from gridlock.web.referee.decide import Rejection
from gridlock.web.referee.table import Access, Settings, Table
from gridlock.web.storage.clocks import GRACE, RETURN, Ticks
from gridlock.web.storage.store import Store
from gridlock.web.thinking.pool import FairPool
from gridlock.web.wire import messages

RUNS = int(os.environ.get("GRIDLOCK_RUNS", "12")) * 3
ID = "c" * 22
LENGTH = st.sampled_from([0.0, 0.001, 0.4, 1.0, 1.9, 2.0, 2.1, 4.0, 30.0])  # seconds by which time advances


def settled(seconds: int, increment: int) -> Settings:
    """A game for two on one screen, with no second client."""
    both: tuple[str | None, str | None] = ("a" * 64, "a" * 64)
    return Settings(
        game="scatter", board="6x6", adjacency="king", starts=1, swap=True, opponent="screen", seat=1,
        names=("Ada", "Grace"), seats=both, watch=both, invitation=None,
        clock=messages.TimeControl(seconds=seconds, increment=increment),
    )  # fmt: skip


class Clocks(RuleBasedStateMachine):
    """One game, a server that is stopped, killed and cut off from its database, and each player's expected time."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.Runner()
        self.folder = TemporaryDirectory()
        self.time = 1000.0
        # The model: the seconds left if all the time that a server was up counts, and the most that kills can have
        # given back. A turn begins when the move before it was made.
        self.left = [0.0, 0.0]
        self.given = [0.0, 0.0]
        self.running = False
        self.unrecorded = 0.0  # seconds that counted since anything was recorded
        self.pause = 0.0  # seconds that clocks still stand still after a start
        self.failing = False

    # -- the server -------------------------------------------------------------------------------------------

    def start(self) -> None:
        self.store = Store(str(Path(self.folder.name) / "games.sqlite3"), "test")
        self.store.ticks = Ticks(lambda: self.time)
        self.store.prepare()
        self.store.start()
        self.hub = Hub(self.store, cast(FairPool, None), Allowance(100, 1))

    @initialize(seconds=st.integers(5, 40), increment=st.integers(0, 3))
    def create(self, seconds: int, increment: int) -> None:
        self.start()
        self.seconds, self.increment = seconds, increment
        self.left = [float(seconds)] * 2
        self.loop.run(self.store.create(ID, settled(seconds, increment)))
        self.look()

    def look(self) -> None:
        async def load() -> Table:
            async with self.hub.game(ID) as live:
                assert live is not None
                self.seen = live.table.left_at(self.hub.ticks.now())
                return live.table

        self.table = self.loop.run(load())

    @rule(clean=st.booleans(), away=LENGTH)
    def restart(self, clean: bool, away: float) -> None:
        """Stop or kill the server, and start it again later."""

        async def stop() -> None:
            await self.hub.drain(0)
            if clean and not self.failing:
                await self.store.keep_time()

        if clean:
            self.loop.run(stop())
        else:
            self.loop.run(asyncio.sleep(0))
        self.store.stop()
        self.time += away
        if (not clean or self.failing) and self.running:
            self.given[self.turn] += self.unrecorded
        self.unrecorded, self.failing = 0.0, False
        self.pause = RETURN if self.running else 0.0
        self.start()
        self.look()

    @rule()
    def fail(self) -> None:
        """From now until the next start, nothing can be stored."""
        self.failing = True

    # -- time -------------------------------------------------------------------------------------------------

    @property
    def turn(self) -> int:
        return self.table.game.turn - 1

    @rule(seconds=LENGTH, beats=st.booleans())
    def wait(self, seconds: float, beats: bool) -> None:
        """Let time pass; the server records it, unless it cannot or the step is short."""
        while seconds > 0:
            step = min(seconds, 2.0)
            seconds -= step
            self.time += step
            counts = max(0.0, step - self.pause)
            self.pause = max(0.0, self.pause - step)
            counts = min(counts, GRACE - self.unrecorded)  # then it freezes
            if self.running:
                self.left[self.turn] -= counts
            self.unrecorded += counts
            if (beats or step == 2.0) and not self.failing:
                self.beat()

    def beat(self) -> None:
        async def keep() -> None:
            for id in await self.store.keep_time():
                await self.hub.check_clock(id)

        self.loop.run(keep())
        if self.running:
            self.unrecorded = 0.0
        self.look()

    # -- players ----------------------------------------------------------------------------------------------

    @rule(pick=st.integers(0, 35), swap=st.booleans())
    def move(self, pick: int, swap: bool) -> None:
        if self.failing or not self.table.game.legal:
            return
        game = self.table.game
        player, cells = self.turn, cells_of(game.legal)
        now = {"ply": self.table.ply, "line": self.table.line}
        action: messages.Action = messages.Move(cell=cells[pick % len(cells)], **now)
        if swap and game.can_swap:
            action = messages.Swap(**now)

        async def act() -> Rejection | None:
            async with self.hub.game(ID) as live:
                assert live is not None
                return await self.hub.act(live, Access("player", (1, 2)), action, "somebody")

        refusal = self.loop.run(act())
        self.look()
        if refusal is not None:
            assert refusal.reason == "over"
            assert self.table.game.outcome == (2 - player, Termination.TIME)
        elif self.running:
            self.left[player] += self.increment
        self.unrecorded = 0.0
        self.running = not self.table.game.outcome

    @invariant()
    def nobody_is_robbed(self) -> None:
        if not hasattr(self, "table"):
            return
        self.look()
        outcome = self.table.game.outcome
        if outcome and outcome.termination is Termination.TIME:
            self.running = False
            loser = 2 - outcome.winner
            assert self.left[loser] <= 1e-3, "the flag fell too early"
            return
        for player in (0, 1):
            least, most = self.left[player], self.left[player] + self.given[player]
            seen = self.seen[player] / 1000
            assert max(0.0, least) - 0.01 <= seen <= max(0.0, most) + 0.01, (player, least, seen, most)
        if self.running and self.left[self.turn] > 0:
            assert outcome is None

    def teardown(self) -> None:
        self.loop.run(asyncio.sleep(0))
        if hasattr(self, "store"):
            self.store.stop()
        self.loop.close()
        self.folder.cleanup()


@pytest.mark.slow
def test_no_time_is_lost_and_none_is_won() -> None:
    phases = (Phase.explicit, Phase.reuse, Phase.generate)  # making a failing story shorter takes minutes
    quiet = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
    run_state_machine_as_test(
        Clocks,
        settings=settings(
            max_examples=RUNS, stateful_step_count=25, deadline=None, suppress_health_check=quiet, phases=phases
        ),
    )


def test_time_stands_still_while_nothing_can_be_recorded() -> None:
    seconds = 100.0
    ticks = Ticks(lambda: seconds)
    ticks.begin(5000)
    seconds += 2
    assert ticks.now() == 7000
    seconds += 100
    assert ticks.now() == 5000 + GRACE * 1000  # unrecorded time would be lost by a kill
    ticks.recorded(ticks.now())
    seconds += 1
    assert ticks.now() == 6000 + GRACE * 1000
    ticks.recorded(20_000)  # another process is ahead
    assert ticks.now() == 20_000
    ticks.stand()
    seconds += 1
    assert ticks.now() == 20_000
    ticks = Ticks(lambda: seconds)
    ticks.begin(20_000, wait=True)
    assert ticks.wait == RETURN * 1000
    seconds += RETURN + 1
    assert (ticks.now(), ticks.wait) == (21_000, 0)
