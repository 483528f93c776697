"""Tests of clocks against a simple model: no player is charged for time lost to server faults.

The tests run the server's real code with a simulated clock. Each random scenario has two games, on one process
with SQLite or on two processes with PostgreSQL. Players move and wait; meanwhile, processes are stopped, killed or
frozen, or get no answer from the database. GRIDLOCK_RUNS sets the number of scenarios. With `pytest -s`, each test
prints the greatest amount of time that any fault cost a player.
"""

import asyncio
import os
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from sqlalchemy import create_engine, text
from sqlalchemy.exc import OperationalError

from gridlock import Termination, cells_of
from gridlock.web.games.hub import Hub
from gridlock.web.games.live import Live
from gridlock.web.games.open_games import BEAT
from gridlock.web.net.limits import Allowance
from gridlock.web.referee.decide import Rejection
from gridlock.web.referee.table import Access, Settings
from gridlock.web.storage.clocks import RETURN, Ticks
from gridlock.web.storage.store import Store
from gridlock.web.thinking.pool import FairPool
from gridlock.web.wire import messages

RUNS = int(os.environ.get("GRIDLOCK_RUNS", "6")) * 3
GAMES = ("a" * 22, "b" * 22)
LENGTH = st.sampled_from([0.0, 0.001, 0.05, 0.4, 1.0, 1.9, 2.1, 5.0, 12.0])  # how many seconds pass
STEP = 0.07  # seconds between two database responses
FAULT = 0.1  # the greatest number of seconds that one server fault may cost a player
WHICH, WHERE = st.sampled_from([0, 1]), st.sampled_from([0, 1])


def settled(seconds: int, increment: int) -> Settings:
    """Return the settings of a game that two players share on one screen, so that one client is enough."""
    both: tuple[str | None, str | None] = ("a" * 64, "a" * 64)
    return Settings(
        game="scatter", board="6x6", adjacency="king", starts=1, swap=True, opponent="screen", seat=1,
        names=("Ada", "Grace"), seats=both, watch=both, invitation=None,
        clock=messages.TimeControl(seconds=seconds, increment=increment),
    )  # fmt: skip


class Process:
    """A server process with two open games."""

    def __init__(self, machine: "Clocks") -> None:
        self.machine = machine
        self.loop = machine.loop
        self.recorded_at = machine.time  # when the time was last recorded
        self.store = Store(machine.database, os.urandom(4).hex())
        self.store.ticks = Ticks(lambda: machine.time)
        self.store.prepare()
        self.store.start()
        self.hub = Hub(self.store, cast(FairPool, None), Allowance(100, 1))
        self.open = AsyncExitStack()

    def enter(self) -> None:
        """Open both games."""

        async def load() -> list[Live]:
            games = [await self.open.enter_async_context(self.hub.game(id)) for id in GAMES]
            return [live for live in games if live is not None]

        self.live = self.loop.run(load())

    def answer(self) -> None:
        """Let the process do its regular work, which includes recording the time at intervals."""

        async def beat() -> None:
            await self.hub._beat()
            if self.machine.time - self.recorded_at >= BEAT:
                self.recorded_at = self.machine.time
                for id in await self.store.keep_time() or ():
                    await self.hub.check_clock(id)

        self.loop.run(beat())

    def refuse(self) -> None:
        """Try to store the current time in a database that rejects every write."""

        def broken(_connection: object) -> None:
            raise OperationalError("", {}, Exception("no disk"))

        async def keep() -> None:
            write = self.store.write
            self.store.write = lambda *_: write(broken)  # type: ignore[method-assign, assignment]
            with suppress(OperationalError):
                await self.store.keep_time()
            self.store.write = write  # type: ignore[method-assign]

        self.loop.run(keep())

    def left(self, game: int) -> tuple[float, float]:
        live = self.live[game]
        first, second = live.table.left_at(live.now(self.hub.ticks))
        return first / 1000, second / 1000

    def end(self, clean: bool) -> None:
        async def close() -> None:
            if clean:
                await self.hub.drain(0)
                await self.store.keep_time()
            self.hub.stopping = True
            await self.open.aclose()

        self.loop.run(close())
        self.store.stop()


class Clocks(RuleBasedStateMachine):
    """Random scenarios for server processes that share a database, with a model of the players' clocks."""

    processes = 1
    database = ""
    worst = 0.0  # the greatest number of seconds by which any player was overcharged in any scenario

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.Runner()
        self.folder = TemporaryDirectory()
        self.time = 1000.0
        self.all: list[Process] = []
        self.left = [[0.0, 0.0], [0.0, 0.0]]  # each game's remaining seconds per player when the turn began
        # Seconds used in the current turn of each game, as counted by each process.
        self.used = [[0.0, 0.0], [0.0, 0.0]]
        self.given = [0.0, 0.0]  # seconds that faults may have given back in each turn
        self.faults = [0, 0]  # number of faults since the turn began
        self.troubled = False  # whether any fault has occurred so far
        self.running = [False, False]
        self.pause = [0.0, 0.0]  # seconds for which each process's clocks still stand after a start

    @initialize(seconds=st.integers(5, 40), increment=st.integers(0, 3))
    def create(self, seconds: int, increment: int) -> None:
        if self.processes == 1:
            self.database = str(Path(self.folder.name) / "games.sqlite3")
        else:
            self.forget()
        self.all = [Process(self) for _ in range(self.processes)]
        self.increment = increment
        for game, id in enumerate(GAMES):
            self.left[game] = [float(seconds)] * 2
            self.loop.run(self.all[0].store.create(id, settled(seconds, increment)))
        for process in self.all:
            process.enter()

    def forget(self) -> None:
        engine = create_engine(self.database.replace("postgresql:", "postgresql+psycopg:"))
        with suppress(Exception), engine.begin() as connection:
            connection.execute(text("TRUNCATE games, events"))
            connection.execute(text("UPDATE gridlock SET ticks = 0"))
        engine.dispose()

    # -- time, and faults -------------------------------------------------------------------------------------

    def pass_by(self, seconds: float, working: list[int]) -> None:
        """Advance the time in small steps; after each step, only the given processes do their regular work."""
        while seconds > 1e-9:
            step = min(seconds, STEP)
            seconds -= step
            self.time += step
            for at in working:
                counts = max(0.0, step - self.pause[at])
                self.pause[at] = max(0.0, self.pause[at] - step)
                for game in (0, 1):
                    self.used[game][at] += counts * self.running[game]
                self.all[at].answer()
            self.look()

    @rule(seconds=LENGTH)
    def wait(self, seconds: float) -> None:
        """Advance the time while all processes are working."""
        self.pass_by(seconds, list(range(self.processes)))

    @rule(seconds=LENGTH, where=WHERE, everywhere=st.booleans())
    def freeze(self, seconds: float, where: int, everywhere: bool) -> None:
        """Freeze one process, all processes, or their database."""
        stands = range(self.processes) if everywhere else [where % self.processes]
        self.fault()
        self.pass_by(seconds, [at for at in range(self.processes) if at not in stands])
        self.time += seconds * (len(stands) == self.processes)
        for at in stands:
            self.all[at].answer()

    @rule(where=WHERE)
    def refuse(self, where: int) -> None:
        """Let one process try to store the time, and make the database reject the write."""
        process = self.all[where % self.processes]
        self.give(self.time - process.recorded_at)
        self.fault()
        process.refuse()
        process.recorded_at = 0.0
        process.answer()

    @rule(where=WHERE, clean=st.booleans(), away=LENGTH)
    def restart(self, where: int, clean: bool, away: float) -> None:
        """Stop or kill one process, and restart it later, while all other processes keep running."""
        at = where % self.processes
        others = [other for other in range(self.processes) if other != at]
        self.fault()
        if not clean:
            self.give(self.time - self.all[at].recorded_at)
        self.all[at].end(clean)
        self.pass_by(away, others)
        self.time += away * (not others)
        self.all[at] = Process(self)
        self.all[at].enter()
        for other in others:  # the new process takes over what the other has counted
            for game in (0, 1):
                self.used[game][at] = max(self.used[game][at], self.used[game][other])
        self.pause[at] = max((self.pause[other] for other in others), default=RETURN if any(self.running) else 0.0)
        if others:
            self.give(RETURN)
        self.all[at].answer()
        self.look()

    def fault(self) -> None:
        self.faults = [many + 1 for many in self.faults]
        self.troubled = True

    def give(self, seconds: float) -> None:
        self.given = [had + seconds for had in self.given]

    # -- players ----------------------------------------------------------------------------------------------

    @rule(which=WHICH, where=WHERE, pick=st.integers(0, 35), swap=st.booleans())
    def move(self, which: int, where: int, pick: int, swap: bool) -> None:
        at = where % self.processes
        process = self.all[at]
        live = process.live[which]
        game = live.table.game
        if not game.legal or game.outcome:
            return
        player, cells = game.turn - 1, cells_of(game.legal)
        now = {"ply": live.table.ply, "line": live.table.line}
        action: messages.Action = messages.Move(cell=cells[pick % len(cells)], **now)
        if swap and game.can_swap:
            action = messages.Swap(**now)

        async def act() -> Rejection | None:
            refusal = await process.hub.act(live, Access("player", (1, 2)), action, "somebody")
            for other in self.all:
                if other is not process:
                    other.hub.refresh(GAMES[which])
                    while other.hub._tasks:
                        await asyncio.sleep(0.001)
            return refusal

        refusal = self.loop.run(act())
        if refusal is not None:
            assert refusal.reason == "over"
            self.look()
            return
        self.check(which, player, live.table.left[player] / 1000 - self.increment * self.running[which], at)
        self.left[which][player] = live.table.left[player] / 1000
        self.used[which], self.given[which], self.faults[which] = [0.0, 0.0], 0.0, 0
        self.running[which] = not live.table.game.outcome
        for other in self.all:
            other.recorded_at = max(other.recorded_at, self.time if self.running[which] else 0.0)

    # -- what must hold ---------------------------------------------------------------------------------------

    def check(self, game: int, player: int, seen: float, at: int) -> None:
        """Check that a player's remaining time is within the limits that the model allows."""
        fair = max(0.0, self.left[game][player] - self.used[game][at] * self.running[game])
        most = self.left[game][player] - (self.used[game][at] - self.given[game]) * self.running[game]
        charged = fair - seen
        type(self).worst = max(self.worst, charged - FAULT * max(0, self.faults[game] - 1))
        assert charged <= FAULT * self.faults[game] + 0.003, (game, player, at, fair, seen, self.faults)
        assert seen <= self.left[game][player]
        if self.processes == 1 or not self.troubled:  # one process may give back time that the other counted
            assert seen <= max(0.0, most) + 0.01 + FAULT * self.faults[game]

    @invariant()
    def look(self) -> None:
        for at, process in enumerate(self.all):
            for game, live in enumerate(process.live if hasattr(process, "live") else ()):
                outcome = live.table.game.outcome
                if outcome and outcome.termination is Termination.TIME:
                    if self.running[game]:
                        loser = 2 - outcome.winner
                        fair = self.left[game][loser] - max(self.used[game])
                        assert fair <= FAULT * self.faults[game] + 0.003, "the flag fell too early"
                    self.running[game] = False
                elif self.running[game] and not outcome:
                    for player in (0, 1):
                        if player == live.table.game.turn - 1:
                            self.check(game, player, process.left(game)[player], at)
                        else:
                            assert process.left(game)[player] == self.left[game][player]

    def teardown(self) -> None:
        for process in self.all:
            process.end(clean=False)
        self.loop.close()
        self.folder.cleanup()


def tell(machine: type[Clocks], runs: int) -> None:
    """Run the scenarios, and print the most time that any server fault cost a player."""
    phases = (Phase.explicit, Phase.reuse, Phase.generate)  # no shrinking: shortening a failing scenario takes minutes
    quiet = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=runs, stateful_step_count=25, deadline=None, suppress_health_check=quiet, phases=phases
        ),
    )
    kind = f"{machine.processes} process{'es' * (machine.processes > 1)}"
    print(f"\n{kind}, {runs} stories: a fault cost a player at most {max(0, machine.worst) * 1000:.0f} ms")


@pytest.mark.slow
def test_no_player_is_charged_for_the_servers_faults() -> None:
    tell(type("One", (Clocks,), {}), RUNS)


@pytest.mark.slow
def test_no_player_is_charged_for_the_faults_of_one_of_two_processes(postgres: str) -> None:
    tell(type("Two", (Clocks,), {"processes": 2, "database": postgres}), RUNS // 3)
