"""Tests that no acknowledged move is lost when the server is killed at random moments.

Each time the server is killed or frozen, a player's clock may lose at most 100 milliseconds.

GRIDLOCK_KILLS sets how many times the server is killed for each database; see docs/testing.md.
"""

import asyncio
import contextlib
import os
import random
import signal
import sys
import time
from collections.abc import Callable

import pytest
from sqlalchemy import create_engine, text
from web_client import Client, client
from web_clocks import Clocks, Outages
from web_server import Served
from websockets.exceptions import WebSocketException

pytestmark = pytest.mark.slow

KILLS = int(os.environ.get("GRIDLOCK_KILLS", "5"))
GAMES = 20
RENEWED = 40  # number of kills after which new games replace the current ones
CLOCK = 3600  # seconds per player; half of the games have clocks
LOST = (OSError, WebSocketException, TimeoutError, EOFError)


class Played:
    """One game, and everything the server has confirmed to its players."""

    def __init__(self, game: str, tokens: dict[int, str], clocks: Clocks | None) -> None:
        self.game = game
        self.tokens = tokens
        self.clocks = clocks
        self.acknowledged: dict[int, dict[int, int]] = {}  # line -> ply -> cell
        self.sent: dict[int, dict[int, int]] = {}
        self.count = 0  # number of acknowledged moves

    def check(self, state: dict) -> None:
        """Check that a state contains every acknowledged move exactly once, in the right place."""
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
    """Play both sides of a game, reconnecting whenever the server comes back up.

    When the game ends, most of its moves are undone and play continues.
    """
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
        await asyncio.sleep(0.1)  # other games are still being played
        return
    mover = players[state["to_move"]]
    line, ply = key = state["line"], state["ply"]
    cell = played.sent.setdefault(line, {}).setdefault(ply, rng.choice(state["board"]["legal"]))
    if played.clocks:
        played.clocks.send(ply)
    for _ in range(rng.choice([1, 1, 1, 2])):  # sometimes sent twice, as after an unreliable connection
        answer = await mover.answer("move", ply=ply, line=line, cell=cell)
        if answer.get("reason") == "storage":  # the machine was too busy: the move may not be stored, so send it again
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
    """Undo nearly all moves, so that the game continues with new moves."""
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
    """A set of games played on a server that is repeatedly killed at random moments."""

    def __init__(self, server: Served, rng: random.Random) -> None:
        self.server = server
        self.rng = rng
        self.games: list[Played] = []  # every game so far
        self.outages = Outages(server)
        self.kills = 0
        self.freezes = 0
        self.early = 0  # kills before the server had finished starting
        self._stop = asyncio.Event()
        self._players: list[asyncio.Task[None]] = []
        self._starting = 0.5  # estimated seconds that a start takes

    @property
    def acknowledged(self) -> int:
        """Return the number of acknowledged moves in all games."""
        return sum(game.count for game in self.games)

    async def begin(self) -> None:
        """Replace all current games with new ones, because a game with many events takes a long time to load."""
        await self.end()
        self._stop = asyncio.Event()
        for number in range(GAMES):
            clock = {"seconds": CLOCK, "increment": 0} if number % 2 else None
            board = {"board": "20x20" if clock else "12x12"}  # moves cannot be undone in a game with a clock
            made = await asyncio.to_thread(self.server.create, "scatter", setup=board, clock=clock)
            token = await asyncio.to_thread(self.server.join, made)
            clocks = Clocks(CLOCK, self.outages) if clock else None
            self.games.append(Played(made["id"], {1: made["token"], 2: token}, clocks))
        now = self.games[-GAMES:]
        self._players = [asyncio.create_task(play(self.server, game, self._stop, self.rng)) for game in now]

    async def end(self) -> None:
        """Let the players finish their current actions."""
        self._stop.set()
        await asyncio.gather(*self._players)

    async def kill(self) -> None:
        """Wait for a moment, kill the server, and restart it."""
        await self._moves(self.rng.randint(1, GAMES))
        await asyncio.sleep(self.rng.random() ** 2 * 0.2)
        await self._kill()
        begin = time.monotonic()
        await asyncio.to_thread(self.server.start)
        self._starting = time.monotonic() - begin

    async def _moves(self, many: int) -> None:
        """Wait until `many` more moves have been acknowledged."""
        enough = self.acknowledged + many
        while self.acknowledged < enough:
            await asyncio.sleep(0.005)
            for player in self._players:
                if player.done():
                    player.result()

    async def kill_early(self) -> None:
        """Kill the server while it is starting, and restart it."""
        await self._kill()
        self.server.launch()
        await asyncio.sleep(self.rng.random() * self._starting)
        await self._kill()
        self.early += 1
        await asyncio.to_thread(self.server.start)

    async def freeze(self) -> None:
        """Freeze the server for a moment, as a machine that is short of memory would."""
        await self._moves(GAMES)
        os.kill(self.server.pid, signal.SIGSTOP)
        self.outages.begin()
        await asyncio.sleep(0.2 + self.rng.random())
        self.outages.end()
        os.kill(self.server.pid, signal.SIGCONT)
        self.freezes += 1
        await self._moves(GAMES)  # so that the time charged for the freeze is seen before the next kill

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
