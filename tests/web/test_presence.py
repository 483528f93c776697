"""Tests with two people in one game: presence, win claims and reactions."""

import asyncio
import contextlib
import signal
from collections.abc import Callable

import psycopg
import pytest
from web_client import Client, client
from web_server import Served

from gridlock.web.games.live import Attendance

pytestmark = pytest.mark.slow


async def news(who: Client, kind: str) -> dict:
    """Return the next message of the given type."""
    while (message := await who.receive())["type"] != kind:
        pass
    return message


def test_a_seat_is_here_away_or_gone() -> None:
    presence = Attendance()
    assert presence.seats == ("gone", "gone")
    assert presence.enter("page", (1,))
    assert not presence.enter("second page", (1,))
    assert not presence.enter("page", (1,), away=True)  # one visible page is enough
    assert presence.enter("second page", (1,), away=True)
    assert presence.seats == ("away", "gone")
    assert not presence.leave("page")
    assert presence.leave("second page")
    assert not presence.leave("second page")


def test_presence_changes_are_sent(serve: Callable[..., Served]) -> None:
    server = serve()
    made = server.create("scatter", name="Ada")
    token = server.join(made)

    async def run() -> None:
        async with client(server, made["id"], made["token"]) as ada:
            assert (await news(ada, "presence"))["seats"] == ["here", "gone"]
            async with client(server, made["id"], token) as grace:
                told = await news(ada, "presence")
                assert told == {"type": "presence", "seats": ["here", "here"], "claim": None, "prize": None}
                await grace.send("away", away=True)
                assert (await news(ada, "presence"))["seats"] == ["here", "away"]
                await grace.send("away", away=False)
                assert (await news(ada, "presence"))["seats"] == ["here", "here"]
            gone = await news(ada, "presence")
            assert (gone["seats"], gone["claim"]) == (["here", "gone"], None)  # it is Ada's turn
            async with client(server, made["id"], made["watch"]) as eve:
                assert (await eve.answer("claim"))["reason"] == "watching"

    asyncio.run(run())
    alone = server.create("scatter", "screen")

    async def by_oneself() -> None:
        async with client(server, alone["id"], alone["token"]) as screen:
            words = (await screen.answer("claim"))["words"]
            assert words == "Nobody else is playing this game, so you can't claim a win."
            assert (await screen.answer("react", what="wow"))["reason"] == "watching"

    asyncio.run(by_oneself())
    assert server.complaints() == []


def test_what_another_process_says_holds_for_a_while() -> None:
    now = 0.0
    presence = Attendance(lambda: now)
    presence.enter("page", (1,))
    assert presence.report("other", ("gone", "away"), 25)
    assert presence.seats == ("here", "away")
    assert presence.report("third", ("away", "here"), 25)
    assert presence.seats == ("here", "here")
    assert presence.here == ("here", "gone")
    assert presence.report("third", ("gone", "gone"), 25)
    assert presence.seats == ("here", "away")
    now = 20.0
    assert not presence.report("other", ("gone", "away"), 25)  # the same report as before
    assert not presence.expire()
    now = 44.0
    assert not presence.expire()
    now = 46.0
    assert presence.expire()
    assert presence.seats == ("here", "gone")
    now = 56.0
    assert presence.left_to_wait(1, 60) == 50


async def seen(who: Client, *seats: str) -> dict:
    """Wait until a client has been told that the two players have the given statuses, such as "here" and "gone"."""
    while (told := await news(who, "presence"))["seats"] != list(seats):
        pass
    return told


def test_players_at_different_processes_know_of_each_other(serve: Callable[..., Served], postgres: str) -> None:
    quick = {
        "gridlock.web.games.hub.LEFT": 0.3,
        "gridlock.web.games.other_servers.HOLDS": 3.0,
        "gridlock.web.games.other_servers.REPEAT": 0.5,
    }
    one, other = (serve(database=postgres, patches=quick) for _ in range(2))
    clock = {"seconds": 600}
    made = one.create("scatter", name="Ada", clock=clock)
    token = other.join(made)

    async def claim(ada: Client) -> None:
        while (await ada.answer("claim"))["type"] == "refused":
            await asyncio.sleep(0.1)
        await ada.until(to_move=None)
        assert ada.state["outcome"]["termination"] == "left"

    async def leaves() -> None:
        async with client(one, made["id"], made["token"]) as ada:
            async with client(other, made["id"], token) as grace:
                await asyncio.gather(seen(ada, "here", "here"), seen(grace, "here", "here"))
                await ada.play(0)
                assert (await ada.answer("react", what="luck"))["type"] == "accepted"
                assert (await news(grace, "reaction"))["words"] == "Ada: Good luck!"
                await grace.send("away", away=True)
                await seen(ada, "here", "away")
                await grace.send("away", away=False)
                await seen(ada, "here", "here")
                assert (await ada.answer("claim"))["words"] == "You can't claim the win against Grace yet."
                with contextlib.suppress(TimeoutError):  # wait longer than a single report stays valid
                    async with asyncio.timeout(4):
                        pytest.fail(f"{await news(ada, 'presence')}")
            assert (await seen(ada, "here", "gone"))["claim"] is not None
            await claim(ada)

    asyncio.run(leaves())
    again = one.create("scatter", name="Ada", clock=clock)
    seat = other.join(again)

    async def killed() -> None:
        async with client(one, again["id"], again["token"]) as ada:
            async with client(other, again["id"], seat):
                await seen(ada, "here", "here")
                await ada.play(0)
                other.end(signal.SIGKILL)
            await seen(ada, "here", "gone")
            await claim(ada)

    asyncio.run(killed())
    assert one.complaints() == []


def test_no_win_can_be_claimed_without_presence_updates(serve: Callable[..., Served], postgres: str) -> None:
    server = serve(database=postgres, patches={"gridlock.web.games.hub.LEFT": 0.1})
    made = server.create("scatter", name="Ada", clock={"seconds": 600})
    server.join(made)

    async def run() -> None:
        async with client(server, made["id"], made["token"]) as ada:
            told = await news(ada, "presence")
            assert told["seats"] == ["here", "gone"]
            await ada.play(0)
            await asyncio.sleep(0.5)
            assert (await ada.answer("claim"))["words"] == "You can't claim the win against Grace yet."
            with psycopg.connect(postgres, autocommit=True) as connection:
                connection.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE query LIKE 'LISTEN%' AND datname = current_database()"
                )
            while (await news(ada, "presence"))["claim"] is not None:
                pass

    asyncio.run(run())


def test_reactions_reach_everyone_and_are_bounded(server: Served) -> None:
    made = server.create("scatter", name="Ada")
    token = server.join(made)

    async def run() -> None:
        async with (
            client(server, made["id"], made["token"]) as ada,
            client(server, made["id"], token) as grace,
            client(server, made["id"], made["watch"]) as eve,
        ):
            before = ada.state["sequence"]
            assert (await ada.answer("react", what="nice"))["type"] == "accepted"
            for someone in (ada, grace, eve):
                said = await news(someone, "reaction")
                assert (said["player"], said["what"], said["words"]) == (1, "nice", "Ada: Nice move!")
            assert (await eve.answer("react", what="nice"))["reason"] == "watching"
            reasons = [(await ada.answer("react", what="wow")).get("reason") for _ in range(5)]
            assert reasons.count("pace") >= 2
            assert (await grace.answer("react", what="oops"))["type"] == "accepted"  # each seat has its own limit
            assert ada.state["sequence"] == before  # reactions are not stored

    asyncio.run(run())


def test_public_games_are_listed_while_their_creator_is_present(serve: Callable[..., Served]) -> None:
    server = serve()
    secret = server.create("chain", name="Eve")
    made = server.create("scatter", name="Ada", public=True, clock={"seconds": 60, "increment": 1})

    def listed() -> dict:
        status, lobby = server.get("/api/lobby")
        assert status == 200
        return lobby

    async def run() -> None:
        assert listed() == {"challenges": [], "games": []}
        async with (
            client(server, made["id"], made["token"]) as ada,
            client(server, secret["id"], secret["token"]),
        ):
            (challenge,) = listed()["challenges"]
            assert challenge == {
                "game": made["id"], "title": "Scatter", "own_rule": None, "board": "5x5", "adjacency": "king",
                "swap": False,
                "clock": {"seconds": 60, "increment": 1}, "name": "Ada", "invitation": made["invitation"],
            }  # fmt: skip
            server.join({"id": made["id"], "invitation": challenge["invitation"]})
            await ada.until(to_move=1)
            lobby = listed()
            assert lobby["challenges"] == []
            (game,) = lobby["games"]
            assert (game["names"], game["ply"], game["watch"]) == (["Ada", "Grace"], 0, made["watch"])
            async with client(server, made["id"], game["watch"]) as eve:
                assert eve.welcome["role"] == "watching"
            others = [server.create("scatter", public=True, name=f"Ada {number}") for number in range(5)]
            async with contextlib.AsyncExitStack() as stack:
                for one in others:
                    await stack.enter_async_context(client(server, one["id"], one["token"]))
                names = [one["name"] for one in listed()["challenges"]]
                assert names == ["Ada 4", "Ada 3", "Ada 2"]  # only a client's newest games are listed
        while listed() != {"challenges": [], "games": []}:  # the creator has left
            await asyncio.sleep(0.05)

    asyncio.run(run())
    wrongs = (
        {"public": True, "opponent": "screen"},
        {"opponent": "levels"},
        {"opponent": "link", "levels": ["easy"] * 2},
    )
    for wrong in wrongs:
        status, refused = server.post("/api/games", {"setup": {"game": "chain"}, **wrong})
        assert (status, refused["error"]) == (422, "illegal")
    assert server.complaints() == []


def test_two_levels_play_each_other_for_a_spectator(serve: Callable[..., Served]) -> None:
    server = serve(patches={"gridlock.web.games.hub.SHOWN": 0.05})
    made = server.create("chain", "levels", levels=["easy", "perfect"], setup={"board": "3x3"})
    _, state = server.get(f"/api/games/{made['id']}", made["token"])
    assert [player["name"] for player in state["players"]] == ["Computer, easy", "Computer, perfect"]
    assert state["ply"] == 0  # the game starts only when a client opens it
    twins = server.create("chain", "levels", levels=["easy", "easy"])
    _, state_of_twins = server.get(f"/api/games/{twins['id']}", twins["token"])
    assert [player["name"] for player in state_of_twins["players"]] == ["Computer 1, easy", "Computer 2, easy"]

    async def run() -> None:
        async with client(server, made["id"], made["token"]) as watcher:
            assert (watcher.welcome["role"], made["watch"]) == ("watching", made["token"])
            assert (await watcher.act("resign"))["reason"] == "watching"
            state = await watcher.until(to_move=None)
            assert state["outcome"]["termination"] == "stuck"
            assert state["you"]["may"] == []

    asyncio.run(run())
    body = {"setup": {"game": "chain"}, "opponent": "levels", "levels": ["easy", "hard"], "clock": {"seconds": 60}}
    status, refused = server.post("/api/games", body)
    assert (status, refused["words"]) == (422, "A game between two computer players can't have a clock.")
    assert server.complaints() == []
