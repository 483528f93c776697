"""Tests that players may claim a win if the opponent is absent, but not if they themselves keep the opponent out.

`pytest -n 0 -s tests/web/test_claims.py` prints how many of the known ways to steal a game work.
"""

import asyncio
import contextlib
import socket
import time
from collections.abc import Awaitable, Callable

import pytest
from msgspec import UNSET
from web_client import WAIT, Client, client
from web_server import Served
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from gridlock.core.grid import cells_of
from gridlock.web.games.live import Attendance, Live
from gridlock.web.referee.decide import Rejection, claimable, decide
from gridlock.web.referee.table import Access, Cancelled, Joined, Left, Moved, Settings, Table
from gridlock.web.wire import messages

SECONDS = 60.0


def table(clock: bool, joined: bool = True) -> Table:
    """A game between two people."""
    made = Table(
        "x" * 22,
        Settings(
            game="scatter", board="5x5", adjacency="king", starts=1, swap=False, opponent="link", seat=1,
            names=("Ada", "Player 2"), seats=("hash", None), watch=("hash", None), invitation="hash",
            clock=messages.TimeControl(seconds=60) if clock else UNSET,
        ),
    )  # fmt: skip
    if joined:
        made.apply(Joined(2, "Grace", "hash", "hash"))
    return made


def moved(made: Table) -> None:
    """Make the first legal move."""
    made.apply(Moved(cells_of(made.game.legal)[0], at=1000 if made.settings.clock is not UNSET else UNSET))


# -- what counts as waiting ---------------------------------------------------------------------------------------


def test_only_the_time_counts_during_which_the_claimant_is_there() -> None:
    now = 0.0
    presence = Attendance(lambda: now)
    now = 1000.0
    assert presence.left_to_wait(1, SECONDS) is None  # both players were gone
    presence.enter("ada", (1,))
    assert presence.left_to_wait(1, SECONDS) == SECONDS
    assert presence.left_to_wait(2, SECONDS) is None
    now += 20
    presence.enter("ada", (1,), away=True)  # a hidden page also counts as present
    now += 20
    assert presence.left_to_wait(1, SECONDS) == 20
    presence.leave("ada")
    now += 1000
    presence.enter("ada", (1,))
    assert presence.left_to_wait(1, SECONDS) == 20
    presence.enter("grace", (2,))  # Grace is back, so Ada must wait again
    assert presence.left_to_wait(1, SECONDS) is None
    now += 30
    presence.leave("grace")
    now += 30
    assert presence.left_to_wait(1, SECONDS) == 30
    presence.report("another process", ("gone", "here"), 25)
    assert presence.left_to_wait(1, SECONDS) is None
    assert presence.elsewhere(2)
    assert not presence.elsewhere(1)


@pytest.mark.parametrize("clock", [False, True])
def test_a_wait_begins_with_the_turn_unless_a_clock_runs(clock: bool) -> None:
    now = 0.0
    made = table(clock)
    live = Live(made, lambda: now)
    live.presence.enter("ada", (1,))
    now += 50
    assert live.presence.left_to_wait(1, SECONDS) == SECONDS - 50
    moved(made)
    live.note_turn()
    assert live.presence.left_to_wait(1, SECONDS) == SECONDS
    now += 50
    made.apply(Moved(24, at=2000 if clock else UNSET))
    live.note_turn()
    assert live.presence.left_to_wait(1, SECONDS) == (SECONDS - 50 if clock else SECONDS)


def test_a_player_who_is_there_and_does_not_begin_is_waited_for() -> None:
    now = 0.0
    made = table(clock=True)
    live = Live(made, lambda: now)
    live.presence.enter("ada", (1,))
    live.presence.enter("grace", (2,))
    now += 10
    assert (live.presence.left_to_wait(1, SECONDS), live.presence.left_to_wait(2, SECONDS)) == (None, SECONDS - 10)
    moved(made)
    live.note_turn()
    assert (live.presence.left_to_wait(1, SECONDS), live.presence.left_to_wait(2, SECONDS)) == (None, None)


# -- what may be claimed ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clock", "moves", "first", "second"),
    [
        (False, 0, None, "cancel"),  # it is the first player's turn
        (False, 1, "win", None),
        (False, 2, None, "win"),
        (True, 0, None, "cancel"),
        (True, 1, "win", "win"),  # a clock is running
        (True, 2, "win", "win"),
    ],
)
def test_what_each_player_may_claim(clock: bool, moves: int, first: str | None, second: str | None) -> None:
    made = table(clock)
    for _ in range(moves):
        moved(made)
    assert (claimable(made, 1), claimable(made, 2)) == (first, second)
    for player, prize in ((1, first), (2, second)):
        access, claim = Access("player", (player,)), messages.ClaimWin()
        early, late = decide(made, access, claim), decide(made, access, claim, [player])
        assert isinstance(early, Rejection)
        if prize is None:
            assert late == early == Rejection("turn", "It is your turn, and no clock is running.")
        else:
            assert late == (Left(3 - player) if prize == "win" else Cancelled(3 - player))
    assert claimable(table(clock, joined=False), 1) is None


def test_a_cancelled_game_is_over_without_a_winner_and_can_be_played_again() -> None:
    made = table(clock=True)
    made.apply(Cancelled(1))
    grace = Access("player", (2,))
    assert (made.over, made.to_move, made.game.outcome, made.score) == (True, None, None, (0, 0))
    assert decide(made, grace, messages.ClaimWin()) is None  # a repeated claim
    for action in (messages.Resign(), messages.Move(ply=0, line=0, cell=0)):
        refused = decide(made, Access("player", (1,)), action)
        assert isinstance(refused, Rejection)
        assert refused.reason == "over"
    made.apply(decide(made, grace, messages.Ask(ply=0, line=0, what="rematch")))  # type: ignore[arg-type]
    assert made.offer
    assert made.next_round().score == (0, 0)


# -- real servers -------------------------------------------------------------------------------------------------


QUICK = {"gridlock.web.games.hub.LEFT": 0.5, "gridlock.web.games.hub.MINUTE": 0.5}


async def told(who: Client, prize: str | None) -> dict:
    """Wait for the message that tells a player what they may claim."""
    while (message := await who.receive())["type"] != "presence" or message["prize"] != prize:
        pass
    return message


@pytest.mark.slow
def test_a_win_is_claimed_from_a_player_who_left_on_their_turn(serve: Callable[..., Served]) -> None:
    server = serve("--claim-after=1", patches=QUICK)
    made = server.create("scatter", name="Ada")
    token = server.join(made)

    async def run() -> None:
        async with client(server, made["id"], made["token"]) as ada:
            async with client(server, made["id"], token) as grace:
                await ada.play(0)
                await grace.until(ply=1)
            assert (await told(ada, "win"))["claim"] <= 500
            assert (await ada.answer("claim"))["words"] == "You can't claim the win against Grace yet."
            await asyncio.sleep(0.6)
            assert (await ada.answer("claim"))["type"] == "accepted"
            assert (await ada.answer("claim"))["type"] == "accepted"  # a second claim changes nothing
            await ada.until(to_move=None)
            assert ada.state["words"] == "Grace (O) leaves. Ada (X) wins!"
            assert ada.state["outcome"]["termination"] == "left"
            async with client(server, made["id"], token) as grace:
                assert (await grace.answer("claim"))["reason"] == "over"

    asyncio.run(run())
    _, _, record = server.raw("GET", f"/api/games/{made['id']}/record", token=made["token"])
    assert '[Termination "left"]' in record.decode()
    assert server.complaints() == []


@pytest.mark.slow
def test_a_game_that_is_not_begun_in_time_can_be_cancelled(serve: Callable[..., Served]) -> None:
    server = serve(patches=QUICK)
    made = server.create("scatter", name="Ada", clock={"seconds": 5})
    token = server.join(made)

    async def run() -> None:
        async with client(server, made["id"], made["token"]) as ada, client(server, made["id"], token) as grace:
            assert (await told(grace, "cancel"))["seats"] == ["here", "here"]
            early = await grace.answer("claim")
            assert early["words"] == "Ada still has time to make the first move."
            assert (await ada.answer("claim"))["words"] == "It is your turn, and no clock is running."
            await asyncio.sleep(0.6)
            assert (await grace.answer("claim"))["type"] == "accepted"
            state = await ada.until(cancelled=True)
            assert (state["outcome"], state["to_move"], state["score"]) == (None, None, [0, 0])
            assert state["words"] == "The game was cancelled because Ada (X) didn't make the first move."
            assert state["you"]["may"] == ["rematch"]
            assert (await ada.act("move", cell=0))["reason"] == "over"
            await ada.act("ask", what="rematch")
            await grace.until(sequence=ada.state["sequence"])
            assert (await grace.act("ask", what="rematch"))["type"] == "accepted"

    asyncio.run(run())
    assert server.complaints() == []


@pytest.mark.slow
def test_presence_that_changes_all_the_time_is_told_now_and_then(serve: Callable[..., Served]) -> None:
    server = serve()
    made = server.create("scatter", name="Ada")
    token = server.join(made)

    async def run() -> int:
        async with client(server, made["id"], made["token"]) as ada, client(server, made["id"], token) as grace:
            begin = time.monotonic()
            for number in range(50):
                await ada.send("away", away=number % 2 == 0)
            heard = [await ada.answer("ping")]
            await asyncio.sleep(1.5)  # until the last change has been announced
            number = await grace.send("ping")
            while (message := await grace.receive()).get("re") != number:
                heard.append(message)
            presences = [message for message in heard if message["type"] == "presence"]
            assert presences[-1]["seats"] == ["here", "here"]
            return len(presences) - int(time.monotonic() - begin)

    assert asyncio.run(run()) <= 10
    assert server.complaints() == []


# -- ways to steal a game -----------------------------------------------------------------------------------------


async def on_ones_own_turn(server: Served) -> bool:
    """In a game without a clock, the player to move, who is losing, claims a win after the opponent has left."""
    made = server.create("scatter", name="Ada")
    token = server.join(made)
    async with client(server, made["id"], made["token"]) as ada:
        async with client(server, made["id"], token) as grace:
            await ada.play(0)
            await grace.until(ply=1)
            await grace.play(24)
        await asyncio.sleep(1)
        return (await ada.answer("claim"))["type"] == "accepted"


async def in_ones_first_second(server: Served) -> bool:
    """Both players leave, and only a spectator stays; then one player returns and immediately claims a win."""
    made = server.create("scatter", name="Ada", clock={"seconds": 600})
    token = server.join(made)
    async with client(server, made["id"], made["watch"]):
        async with client(server, made["id"], made["token"]) as ada, client(server, made["id"], token):
            await ada.play(0)
        await asyncio.sleep(1)
        async with client(server, made["id"], made["token"]) as ada:
            return (await ada.answer("claim"))["type"] == "accepted"


async def without_a_move(server: Served) -> bool:
    """A player claims a win after the opponent has joined and then left before the first move."""
    made = server.create("scatter", name="Ada", starts=2, clock={"seconds": 600})
    server.join(made)
    async with client(server, made["id"], made["token"]) as ada:
        await asyncio.sleep(1)
        await ada.answer("claim")
        return (await ada.until(to_move=None))["outcome"] is not None


async def right_after_ones_move(server: Served) -> bool:
    """The opponent is away during a player's turn; the player moves and immediately claims a win."""
    made = server.create("scatter", name="Ada")
    server.join(made)
    async with client(server, made["id"], made["token"]) as ada:
        await asyncio.sleep(1)
        await ada.play(0)
        return (await ada.answer("claim"))["type"] == "accepted"


async def by_keeping_the_opponent_out(server: Served) -> bool:
    """The opponent's page tries to reconnect while other clients at the same address use up the connections."""
    return await kept_out(server, "page", 1)


async def by_keeping_an_unknown_client_out(server: Served) -> bool:
    """The opponent tries to reconnect without the `back` value while other clients use up the connections."""
    return await kept_out(server, "client", 10)


async def kept_out(server: Served, what: str, enough: int) -> bool:
    """Return whether a player fails to reconnect within `enough` attempts while other clients take all connections."""
    crowd = server.create("scatter")
    made = server.create("scatter", name="Ada", clock={"seconds": 600})
    token = server.join(made)
    stop = asyncio.Event()

    async def knock() -> None:
        """Open connections as fast as possible; half of them stay silent, and half begin a request."""
        links: list[socket.socket] = []
        while not stop.is_set():
            with contextlib.suppress(OSError):
                link = socket.create_connection(("127.0.0.1", server.port), timeout=1)
                if len(links) % 2:
                    link.sendall(b"GET /ws HTTP/1.1\r\n")
                links.append(link)
            if len(links) > 50:
                links.pop(0).close()
            await asyncio.sleep(0.005)
        for link in links:
            link.close()

    async with contextlib.AsyncExitStack() as watchers:
        async with client(server, made["id"], made["token"]) as ada, client(server, made["id"], token) as grace:
            await ada.play(0)
            back = f"?back={grace.welcome['back']}" if what == "page" else ""
            with contextlib.suppress(OSError, WebSocketException, AssertionError, KeyError):
                for _ in range(40):
                    await watchers.enter_async_context(client(server, crowd["id"], crowd["watch"]))
            knocking = asyncio.create_task(knock())
            await asyncio.sleep(1)
            grace.socket.transport.abort()
        tries, inside = 0, False
        while not inside and tries < enough:
            tries += 1
            with contextlib.suppress(OSError, WebSocketException):
                address = f"ws://127.0.0.1:{server.port}/ws{back}"
                async with connect(address, origin=server.origin, open_timeout=WAIT) as again:
                    one = Client(again)
                    welcome = await one.answer("hello", game=made["id"], token=token)
                    inside = welcome["type"] == "welcome"
                    if inside:
                        await one.until(ply=1)
                        await one.play(24)
        stop.set()
        await knocking
    await asyncio.sleep(3)  # after which the address may open new connections
    print(f"\nthe {what} that others at the address tried to keep out came back at attempt {tries}")
    return not inside


STEALING: list[Callable[[Served], Awaitable[bool]]] = [
    on_ones_own_turn,
    in_ones_first_second,
    without_a_move,
    right_after_ones_move,
    by_keeping_the_opponent_out,
    by_keeping_an_unknown_client_out,
]


@pytest.mark.slow
def test_no_known_way_to_steal_a_game_works(serve: Callable[..., Served]) -> None:
    server = serve("--connections-per-client=30", "--claim-after=1", patches=QUICK)
    worked = [way.__name__ for way in STEALING if asyncio.run(way(server))]
    print(f"\n{len(worked)} of {len(STEALING)} ways to steal a game work")
    assert worked == []
    assert server.complaints() == []
