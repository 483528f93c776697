"""Pairs of players who make random legal moves at a steady rate, knowing only what the server sends them."""

import asyncio
import random
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from msgspec import Struct
from msgspec.json import Decoder, encode
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from bench.load_server import HOST, PATIENCE, Failure, Server

SETUPS = [{"game": game, "board": "8x8"} for game in ("keepaway", "chain", "scatter", "trails", "showdown")]
LAST_WAIT = 15.0  # seconds for the last answers to arrive
_AGAIN = 1.0  # seconds until a game that could not be opened is tried again
_AT_ONCE = 16  # games being opened or read back at the same time


class Message(Struct, tag_field="type"):
    """A message from the server, reduced to the fields that the simulated players need."""


class Board(Struct):
    """The part of a game's state that lists the legal moves."""

    legal: list[int]


class State(Message, tag="state"):
    """The message with the current state of a game."""

    ply: int
    line: int
    to_move: int | None
    board: Board


class Accepted(Message, tag="accepted"):
    """The message confirming that a move has been stored."""

    ply: int


class Refused(Message, tag="refused"):
    """The message that reports a rejected move."""

    reason: str


class Welcome(Message, tag="welcome"):
    """The server's first message on a connection."""


class Presence(Message, tag="presence"):
    """The message that says which players are connected."""


read = Decoder(State | Accepted | Refused | Welcome | Presence).decode


def dial(server: Server, address: str, back: str = "") -> connect:
    """Connect to a server from a loopback address; use the result with `await` or `async with`.

    A returning player sends the token from the server's last welcome message, as a page does.
    """
    return connect(
        f"ws://{HOST}:{server.port}/ws{f'?back={back}' if back else ''}",
        origin=server.origin,  # type: ignore[arg-type]
        local_addr=(address, 0),
        compression=None,
        ping_interval=None,
        open_timeout=PATIENCE,
        close_timeout=1,
    )


class Pair:
    """Two players in one game."""

    def __init__(self, crowd: "Crowd", address: str, id: str, tokens: tuple[str, str]) -> None:
        self.crowd = crowd
        self.address = address  # every pair has its own, so that the server's limits per client need not be raised
        self.id = id
        self.tokens = tokens
        self.acknowledged: list[int] = []  # the cells of acknowledged moves, in order
        self.unanswered: int | None = None  # the cell that was sent last
        self.leaving = False
        self._sockets: list[ClientConnection] = []
        self._readers: list[asyncio.Task[None]] = []
        self._states: list[State | None] = [None, None]
        self._sent = 0.0
        self._mover = 0
        self._gone_on = -1  # the last ply that was reported to the crowd

    async def enter(self) -> None:
        """Connect both players."""
        for seat, token in enumerate(self.tokens):
            socket = await dial(self.crowd.server, self.address)
            self._sockets.append(socket)
            self._readers.append(asyncio.create_task(self._listen(seat)))
            await socket.send(encode({"type": "hello", "game": self.id, "token": token}).decode())

    async def move(self, rng: random.Random) -> None:
        """Take a random legal cell for the player whose turn it is."""
        state = self.state
        assert state.to_move is not None
        self._mover = state.to_move - 1
        self.unanswered = rng.choice(state.board.legal)
        move = {"type": "move", "ply": state.ply, "line": state.line, "cell": self.unanswered}
        self._sent = time.perf_counter()
        with suppress(ConnectionClosed):  # the reader counts it
            await self._sockets[self._mover].send(encode(move).decode())

    @property
    def state(self) -> State:
        """The game as last seen by the first player."""
        state = self._states[0]
        assert state is not None
        return state

    async def leave(self) -> None:
        """Close both connections."""
        self.leaving = True
        for socket in self._sockets:
            await socket.close()
        await asyncio.gather(*self._readers)

    async def _listen(self, seat: int) -> None:
        socket = self._sockets[seat]
        with suppress(ConnectionClosed):
            async for text in socket:
                self._hear(seat, read(text), time.perf_counter())
        if not self.leaving:
            self.crowd.errors[f"closed with {socket.close_code}"] += 1

    def _hear(self, seat: int, message: Message, now: float) -> None:
        crowd = self.crowd
        match message:
            case Accepted(ply) if self.unanswered is not None and ply == len(self.acknowledged):
                crowd.latencies.append(now - self._sent)
                self.acknowledged.append(self.unanswered)
                self.unanswered = None
            case State():
                self._states[seat] = message
                if self._sent and seat != self._mover:
                    crowd.seen.append(now - self._sent)
            case Refused(reason):
                crowd.errors[f"refused as {reason}"] += 1
            case Accepted():
                crowd.errors["accepted what was not sent"] += 1
        ply = len(self.acknowledged)
        both = [state.ply == ply for state in self._states if state] == [True, True]
        if both and self.unanswered is None and self._gone_on < ply:
            self._gone_on = ply
            crowd.may_go_on(self)


class Crowd:
    """All pairs of players in a run, with the measured latencies and errors."""

    def __init__(self, server: Server, seed: int, setups: list[dict[str, str]] = SETUPS) -> None:
        self.server = server
        self.setups = setups
        self.latencies: list[float] = []  # seconds from sending a move to its acknowledgement
        self.seen: list[float] = []  # seconds from sending a move until the opponent sees it
        self.late: list[float] = []  # seconds by which moves were sent later than planned
        self.errors: Counter[str] = Counter()
        self.pairs: list[Pair] = []  # including the pairs whose games are over
        self._rng = random.Random(seed)
        self._ready: asyncio.Queue[Pair] = asyncio.Queue()
        self._threads = ThreadPoolExecutor(_AT_ONCE)
        self._opening = asyncio.Semaphore(_AT_ONCE)
        self.cut_short = False  # whether to stop before the time is up
        self._playing = True
        self._renewals: set[asyncio.Task[None]] = set()

    async def gather(self, games: int) -> None:
        """Open as many games as requested, all at the same time."""
        await asyncio.gather(*(self._open(self._address(number)) for number in range(games)))

    @staticmethod
    def _address(number: int) -> str:
        return f"127.10.{number // 250}.{number % 250 + 1}"

    async def _open(self, address: str) -> bool:
        """Start a game whose players connect from the given address; if this fails, count an error and return False."""
        async with self._opening:
            setup = self.setups[len(self.pairs) % len(self.setups)]
            loop = asyncio.get_running_loop()
            try:
                made = await loop.run_in_executor(self._threads, self.server.new_game, setup, address)
                pair = Pair(self, address, *made)
                self.pairs.append(pair)
                await pair.enter()
            except (Failure, OSError, TimeoutError, ConnectionClosed) as error:
                self.errors[f"could not open a game: {type(error).__name__}"] += 1
                return False
            return True

    def may_go_on(self, pair: Pair) -> None:
        """Let a pair of players make their next move, or start another game if theirs is over."""
        if pair.state.to_move:
            self._ready.put_nowait(pair)
        elif self._playing:
            renewal = asyncio.create_task(self._renew(pair))
            self._renewals.add(renewal)
            renewal.add_done_callback(self._renewals.discard)

    async def _renew(self, pair: Pair) -> None:
        await pair.leave()
        while self._playing and not await self._open(pair.address):
            await asyncio.sleep(_AGAIN)

    async def play(self, rate: float, seconds: float) -> None:
        """Send moves at the given rate, always to the game that has waited longest, and wait for the last answers."""
        begin = time.perf_counter()
        for number in range(round(rate * seconds)):
            due = begin + number / rate
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            if self.cut_short:
                break
            try:
                async with asyncio.timeout(LAST_WAIT):
                    pair = await self._ready.get()
            except TimeoutError:
                self.errors["no game goes on"] += 1
                break
            self.late.append(time.perf_counter() - due)
            await pair.move(self._rng)
        end = time.perf_counter() + LAST_WAIT
        while any(pair.unanswered is not None for pair in self.pairs) and time.perf_counter() < end:
            await asyncio.sleep(0.05)
        self._playing = False
        await asyncio.gather(*self._renewals)
        self.errors["not answered"] += sum(pair.unanswered is not None for pair in self.pairs)

    def part(self) -> None:
        """From now on, do not count a closed connection as an error."""
        for pair in self.pairs:
            pair.leaving = True

    async def check(self) -> int:
        """Read all games back and return how many acknowledged moves are missing, repeated or out of place."""
        loop = asyncio.get_running_loop()
        wrong = await asyncio.gather(*(loop.run_in_executor(self._threads, self._wrong, pair) for pair in self.pairs))
        return sum(wrong)

    def _wrong(self, pair: Pair) -> int:
        state: dict[str, list[dict[str, object]]] = self.server.request(
            "GET", f"/api/games/{pair.id}", token=pair.tokens[0], address=pair.address
        )
        stored = [entry["cell"] for entry in state["moves"] if entry["kind"] == "move"]
        if pair.unanswered is not None and len(stored) == len(pair.acknowledged) + 1:
            stored.pop()  # it may or may not be stored, because it was not acknowledged
        places = zip(stored, pair.acknowledged, strict=False)
        return sum(ours != theirs for ours, theirs in places) + abs(len(stored) - len(pair.acknowledged))
