"""Nothing acknowledged is lost: neither when the server is killed nor (as far as syncs can show) when power fails.

Neither is a player charged for the time during which the server was dead or frozen.

GRIDLOCK_KILLS sets how often the server is killed for each database; see docs/testing.md.
"""

import asyncio
import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from web_client import Client, client
from web_clocks import Clocks, Outages
from web_server import Served
from websockets.exceptions import WebSocketException

pytestmark = pytest.mark.slow

KILLS = int(os.environ.get("GRIDLOCK_KILLS", "5"))
GAMES = 20
RENEWED = 40  # kills after which other games are played
CLOCK = 3600  # seconds for each player of half of the games
LOST = (OSError, WebSocketException, TimeoutError, EOFError)

# -- killed at random moments -------------------------------------------------------------------------------------


class Played:
    """One game, and everything the server has confirmed to its players."""

    def __init__(self, game: str, tokens: dict[int, str], clocks: Clocks | None) -> None:
        self.game = game
        self.tokens = tokens
        self.clocks = clocks
        self.acknowledged: dict[int, dict[int, int]] = {}  # line -> ply -> cell
        self.sent: dict[int, dict[int, int]] = {}
        self.count = 0  # of moves that were acknowledged

    def check(self, state: dict) -> None:
        """Check that a state has everything that was acknowledged, in its place and once."""
        moves = [entry["cell"] for entry in state["moves"] if entry["kind"] == "move"]
        line = state["line"]
        for ply, cell in self.acknowledged.get(line, {}).items():
            assert moves[ply : ply + 1] == [cell], f"{self.game}: the move at ply {ply} is lost or changed"
        for ply, cell in self.sent.get(line, {}).items():
            assert moves[ply : ply + 1] in ([], [cell]), f"{self.game}: a move at ply {ply} that nobody made"
        assert len(set(moves)) == len(moves), f"{self.game}: a move is there twice"
        if self.clocks:
            self.clocks.check(state)


async def play(server: Served, played: Played, stop: asyncio.Event, rng: random.Random) -> None:
    """Both players of a game, who reconnect whenever the server is back; finished games are undone and continued."""
    while not stop.is_set():
        with contextlib.suppress(*LOST):
            async with (
                client(server, played.game, played.tokens[1]) as one,
                client(server, played.game, played.tokens[2]) as other,
            ):
                players = {1: one, 2: other}
                for someone in players.values():
                    played.check(someone.state)
                while not stop.is_set():
                    await turn(played, players, rng)
        await asyncio.sleep(0.05)


async def turn(played: Played, players: dict[int, Client], rng: random.Random) -> None:
    """Make one move, and wait until it is acknowledged and both players have seen it."""
    state = max((someone.state for someone in players.values()), key=lambda state: state["sequence"])
    for someone in players.values():
        while someone.state["sequence"] < state["sequence"]:
            await someone.receive()
    if played.clocks is None and (state["outcome"] or state["ply"] > 20):
        await start_over(players, state)
        return
    if state["outcome"]:
        assert state["outcome"]["termination"] == "stuck"
        await asyncio.sleep(0.1)  # others are still played
        return
    mover = players[state["to_move"]]
    line, ply = key = state["line"], state["ply"]
    cell = played.sent.setdefault(line, {}).setdefault(ply, rng.choice(state["board"]["legal"]))
    if played.clocks:
        played.clocks.send(ply)
    for _ in range(rng.choice([1, 1, 1, 2])):  # sometimes twice, as after a doubtful connection
        answer = await mover.answer("move", ply=ply, line=line, cell=cell)
        if answer.get("reason") == "storage":  # the machine was too busy: it may be stored or not, and is sent again
            await asyncio.sleep(0.1)
            return
        assert answer["type"] == "accepted", answer
        played.count += ply not in played.acknowledged.setdefault(line, {})
        played.acknowledged[line][ply] = cell
    for someone in players.values():
        while (someone.state["line"], someone.state["ply"]) <= key:
            await someone.receive()
        played.check(someone.state)


async def start_over(players: dict[int, Client], state: dict) -> None:
    """Undo nearly everything, so that the game continues on a new line."""
    asker = 1 if state["moves"][0]["player"] == 1 else 2
    while state["ply"] > 2:
        assert not state["outcome"]
        answer = await players[asker].act("ask", what="takeback")
        if answer["type"] == "refused":
            return
        consenter = players[3 - asker]
        while not consenter.state["offer"]:
            await consenter.receive()
        await consenter.act("answer", accept=True)
        for someone in players.values():
            while someone.state["line"] == state["line"]:
                await someone.receive()
        state = players[asker].state


class Slaughter:
    """Games that are played while their server is repeatedly killed at random moments."""

    def __init__(self, server: Served, rng: random.Random) -> None:
        self.server = server
        self.rng = rng
        self.games: list[Played] = []  # all of them
        self.outages = Outages(server)
        self.kills = 0
        self.freezes = 0
        self.early = 0  # those before the server had even started
        self._stop = asyncio.Event()
        self._players: list[asyncio.Task[None]] = []
        self._starting = 0.5  # seconds that a start takes, as far as known

    @property
    def acknowledged(self) -> int:
        """Return the number of moves made in all games."""
        return sum(game.count for game in self.games)

    async def begin(self) -> None:
        """Start new games in place of those being played, because a game with many events takes long to load."""
        await self.end()
        self._stop = asyncio.Event()
        for number in range(GAMES):
            clock = {"seconds": CLOCK, "increment": 0} if number % 2 else None
            board = {"board": "20x20" if clock else "12x12"}  # with a clock, moves cannot be taken back
            made = await asyncio.to_thread(self.server.create, "scatter", setup=board, clock=clock)
            token = await asyncio.to_thread(self.server.join, made)
            clocks = Clocks(CLOCK, self.outages) if clock else None
            self.games.append(Played(made["id"], {1: made["token"], 2: token}, clocks))
        now = self.games[-GAMES:]
        self._players = [asyncio.create_task(play(self.server, game, self._stop, self.rng)) for game in now]

    async def end(self) -> None:
        """Let players finish what they are doing."""
        self._stop.set()
        await asyncio.gather(*self._players)

    async def kill(self) -> None:
        """Wait for a moment, kill the server, and start it again."""
        await self._moves(self.rng.randint(1, GAMES))
        await asyncio.sleep(self.rng.random() ** 2 * 0.2)
        await self._kill()
        begin = time.monotonic()
        await asyncio.to_thread(self.server.start)
        self._starting = time.monotonic() - begin

    async def _moves(self, many: int) -> None:
        """Wait until so many more moves are acknowledged."""
        enough = self.acknowledged + many
        while self.acknowledged < enough:
            await asyncio.sleep(0.005)
            for player in self._players:
                if player.done():
                    player.result()

    async def kill_early(self) -> None:
        """Kill the server while it starts, and start it again."""
        await self._kill()
        self.server.launch()
        await asyncio.sleep(self.rng.random() * self._starting)
        await self._kill()
        self.early += 1
        await asyncio.to_thread(self.server.start)

    async def freeze(self) -> None:
        """Stop the server for a moment, as a machine without memory to spare does."""
        await self._moves(GAMES)
        os.kill(self.server.pid, signal.SIGSTOP)
        self.outages.begin()
        await asyncio.sleep(0.2 + self.rng.random())
        self.outages.end()
        os.kill(self.server.pid, signal.SIGCONT)
        self.freezes += 1
        await self._moves(GAMES)  # so that what it cost can be seen before the next kill

    async def _kill(self) -> None:
        await asyncio.to_thread(self.server.end, signal.SIGKILL)
        self.outages.begin()
        self.kills += 1


@pytest.mark.timeout(600 + 10 * KILLS)
def test_killed_at_random_moments_no_acknowledged_move_is_lost_and_no_player_is_charged(
    serve: Callable[..., Served], database: str, rng: random.Random
) -> None:
    many = [f"--{what}-per-client=1000000" for what in ("games", "connections")]
    begin = time.monotonic()

    async def run() -> Slaughter:
        server = serve(*many, database=database, patches={"gridlock.web.storage.clocks.RETURN": 0.0})
        slaughter = Slaughter(server, rng)
        while slaughter.kills < KILLS:
            if len(slaughter.games) <= GAMES * slaughter.kills // RENEWED:
                await slaughter.begin()
            await slaughter.kill()
            if rng.random() < 0.2:
                await slaughter.kill_early()
            if rng.random() < 0.4:
                await slaughter.freeze()
            if sys.stderr.isatty():
                took = time.monotonic() - begin
                told = f"{slaughter.kills} of {KILLS} kills, {slaughter.acknowledged} moves acknowledged, {took:.0f} s"
                print(f"\r{told:<70}", end="", file=sys.stderr, flush=True)
        await slaughter.end()
        for game in slaughter.games:
            _, state = await asyncio.to_thread(server.get, f"/api/games/{game.game}", game.tokens[1])
            game.check(state)
        assert server.complaints() == []
        assert server.end() == 0
        return slaughter

    slaughter = asyncio.run(run())
    assert slaughter.acknowledged >= KILLS // 2
    url = database.replace("postgresql://", "postgresql+psycopg://") if "://" in database else f"sqlite:///{database}"
    engine = create_engine(url)
    with engine.connect() as connection:
        for game in slaughter.games:
            numbers = connection.execute(
                text("SELECT sequence FROM events WHERE game = :game ORDER BY sequence"), {"game": game.game}
            ).scalars()
            found = list(numbers)
            assert found == list(range(len(found)))
    engine.dispose()
    took = time.monotonic() - begin
    done, each = slaughter.kills, took / slaughter.kills
    worst = max(game.clocks.worst for game in slaughter.games if game.clocks)
    print(
        f"\n{engine.name}: {done} kills ({slaughter.early} of them during a start), {slaughter.freezes} freezes, "
        f"{len(slaughter.games)} games, {slaughter.acknowledged} moves acknowledged, lost 0, doubled 0, "
        f"charged at most {worst:.0f} ms for a kill or freeze; {took:.0f} s, {each:.2f} s a kill"
    )


# -- synced before it is acknowledged -----------------------------------------------------------------------------

_COUNTER = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
static void count(void) {
    int file = open(getenv("GRIDLOCK_SYNCS"), O_WRONLY | O_APPEND | O_CREAT, 0600);
    if (file >= 0) { if (write(file, "s", 1) < 0) _exit(9); close(file); }
}
int fsync(int fd) { count(); return ((int (*)(int)) dlsym(RTLD_NEXT, "fsync"))(fd); }
int fdatasync(int fd) { count(); return ((int (*)(int)) dlsym(RTLD_NEXT, "fdatasync"))(fd); }
"""
MOVES = 30


def moves_one_by_one(server: Served) -> None:
    """Make moves, each after the last one was acknowledged."""

    async def run() -> None:
        made = server.create("scatter", "screen", setup={"board": "15x15"})
        async with client(server, made["id"], made["token"]) as screen:
            for _ in range(MOVES):
                await screen.play(screen.state["board"]["legal"][0])

    asyncio.run(run())


@pytest.mark.parametrize(("setting", "enough"), [("FULL", True), ("NORMAL", False)])
def test_sqlite_syncs_every_move_before_it_is_acknowledged(
    serve: Callable[..., Served], tmp_path: Path, setting: str, enough: bool
) -> None:
    """Count the syncs; the same count with a weaker setting shows that the test would notice."""
    compiler = shutil.which("cc")
    if not compiler:
        pytest.skip("a C compiler is needed to count syncs")
    source, library, syncs = tmp_path / "count.c", tmp_path / "count.so", tmp_path / "syncs"
    source.write_text(_COUNTER)
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    patches = (
        {} if enough else {"gridlock.web.storage.databases.SQLITE": ["journal_mode=WAL", f"synchronous={setting}"]}
    )
    server = serve(env={"LD_PRELOAD": str(library), "GRIDLOCK_SYNCS": str(syncs)}, patches=patches)
    before = syncs.stat().st_size if syncs.exists() else 0
    moves_one_by_one(server)
    counted = syncs.stat().st_size - before if syncs.exists() else 0
    assert (counted >= MOVES) == enough, f"{counted} syncs for {MOVES} moves"


@pytest.mark.parametrize(("setting", "enough"), [("on", True), ("off", False)])
def test_postgresql_flushes_every_move_before_it_is_acknowledged(
    serve: Callable[..., Served], postgres: str, setting: str, enough: bool
) -> None:
    """Compare how far the log was flushed right after each acknowledgement; a weaker setting lags behind."""
    import psycopg

    patches = {} if enough else {"gridlock.web.storage.databases.POSTGRESQL": f"-c synchronous_commit={setting}"}
    server = serve(database=postgres, patches=patches)

    async def run() -> int:
        lagging = 0
        made = server.create("scatter", "screen", setup={"board": "15x15"})
        with psycopg.connect(postgres, autocommit=True) as connection:
            async with client(server, made["id"], made["token"]) as screen:
                for _ in range(MOVES):
                    await screen.play(screen.state["board"]["legal"][0])
                    row = connection.execute(
                        "SELECT pg_current_wal_insert_lsn() > pg_current_wal_flush_lsn()"
                    ).fetchone()
                    assert row is not None
                    lagging += row[0]
        return lagging

    lagging = asyncio.run(run())
    few = lagging < MOVES // 3  # now and then PostgreSQL writes something itself, and takes its time
    assert few == enough, f"{lagging} of {MOVES} moves were not flushed when they were acknowledged"


# -- stopping and starting ----------------------------------------------------------------------------------------


def test_a_stop_finishes_current_work_and_games_survive_a_restart(serve: Callable[..., Served], database: str) -> None:
    async def run() -> None:
        server = serve(database=database)
        made = server.create("scatter", setup={"board": "9x9"})
        token = server.join(made)
        async with client(server, made["id"], made["token"]) as ada:
            await ada.play(0)
            async with client(server, made["id"], token) as grace:
                assert (await grace.act("ask", what="takeback"))["reason"] == "illegal"
                number = await grace.send("move", ply=1, line=0, cell=80)
                ending = asyncio.create_task(asyncio.to_thread(server.end))
                answered = None
                with contextlib.suppress(*LOST):
                    while (answered := await grace.receive()).get("re") != number:
                        pass
                assert await ending == 0
                stored = answered is not None and answered["type"] == "accepted"
        await asyncio.to_thread(server.start)
        async with client(server, made["id"], token) as grace:
            if stored:
                assert grace.state["setup"]["moves"] == ["1,1", "9,9"]
            if grace.state["ply"] == 1:
                await grace.play(80)
            assert grace.state["setup"]["moves"] == ["1,1", "9,9"]
        assert server.complaints() == []

    asyncio.run(run())


def test_an_offer_and_the_computers_turn_survive_a_restart(serve: Callable[..., Served]) -> None:
    async def run() -> None:
        server = serve()
        made = server.create("scatter", "random")
        async with client(server, made["id"], made["token"]) as me:
            assert (await me.act("move", cell=0))["type"] == "accepted"
            await asyncio.to_thread(server.end, signal.SIGKILL)  # most often before the computer has answered
        await asyncio.to_thread(server.start)
        async with client(server, made["id"], made["token"]) as me:
            await me.until(thinking=False)
            assert me.state["ply"] == 2
        link = server.create("chain")
        token = server.join(link)
        async with client(server, link["id"], link["token"]) as ada:
            await ada.play(0)
            await ada.act("ask", what="takeback")
        await asyncio.to_thread(server.end, signal.SIGKILL)
        await asyncio.to_thread(server.start)
        async with client(server, link["id"], token) as grace:
            assert grace.state["offer"]["what"] == "takeback"
            await grace.act("answer", accept=True)
            await grace.until(ply=0, line=1)

    asyncio.run(run())


def test_the_database_going_away_is_survived(serve: Callable[..., Served], tmp_path: Path) -> None:
    """While another program holds SQLite's lock, moves are rejected or late, and none is half-stored."""
    import sqlite3

    async def run() -> None:
        server = serve(patches={"gridlock.web.storage.databases.PATIENCE": 0.3})
        made = server.create("scatter", "screen")
        async with client(server, made["id"], made["token"]) as screen:
            await screen.play(0)
            with contextlib.closing(sqlite3.connect(tmp_path / "games.sqlite3", isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                refused = await screen.answer("move", ply=1, line=0, cell=24)
                assert (refused["type"], refused["reason"]) == ("refused", "storage")
                other.execute("ROLLBACK")
            await screen.play(24)
            assert screen.state["setup"]["moves"] == ["1,1", "5,5"]

    asyncio.run(run())
