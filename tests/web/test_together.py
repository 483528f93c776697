"""Two people at one game: who is there, wins that are claimed, and what they say to each other."""

import asyncio
from collections.abc import Callable

import pytest
from web_client import Client, client
from web_server import Served

from gridlock.web.presence import LEFT, Presence

pytestmark = pytest.mark.slow


async def news(who: Client, kind: str) -> dict:
    """The next message of a kind."""
    while (message := await who.receive())["type"] != kind:
        pass
    return message


def test_a_seat_is_here_away_or_gone() -> None:
    now = 0.0
    presence = Presence(lambda: now)
    assert presence.seats == ("gone", "gone")
    assert presence.is_at("page", (1,))
    assert not presence.is_at("second page", (1,))
    assert not presence.is_at("page", (1,), away=True)  # one page that is looked at is enough
    assert presence.is_at("second page", (1,), away=True)
    assert presence.seats == ("away", "gone")
    now = 50.0
    assert (presence.left_in(1), presence.left_in(2)) == (None, LEFT - 50)
    assert not presence.leaves("page")
    assert presence.leaves("second page")
    assert not presence.leaves("second page")
    now = 70.0
    assert (presence.left_in(1), presence.left_in(2)) == (LEFT - 20, 0)


def test_presence_is_told_on_change_and_a_win_can_be_claimed(serve: Callable[..., Served]) -> None:
    server = serve(patches={"gridlock.web.presence.LEFT": 0.3})
    made = server.create("scatter", name="Ada")
    token = server.join(made)

    async def run() -> None:
        async with client(server, made["id"], made["token"]) as ada:
            assert (await news(ada, "presence"))["seats"] == ["here", "gone"]
            async with client(server, made["id"], token) as grace:
                assert await news(ada, "presence") == {"type": "presence", "seats": ["here", "here"], "claim": None}
                await grace.send("away", away=True)
                assert (await news(ada, "presence"))["seats"] == ["here", "away"]
                assert (await ada.answer("claim"))["words"] == "Grace has not been gone for long enough."
                await grace.send("away", away=False)
                assert (await news(ada, "presence"))["seats"] == ["here", "here"]
            gone = await news(ada, "presence")
            assert gone["seats"] == ["here", "gone"]
            assert 0 <= gone["claim"] <= 300
            await asyncio.sleep(0.4)
            assert (await ada.answer("claim"))["type"] == "accepted"
            await ada.until(to_move=None)
            assert ada.state["outcome"]["termination"] == "left"
            assert ada.state["words"] == "Grace (O) leaves. Ada (X) wins!"
            assert (await ada.answer("claim"))["type"] == "accepted"  # again: nothing happens
            async with client(server, made["id"], token) as grace:
                assert (await grace.answer("claim"))["reason"] == "over"
            async with client(server, made["id"], made["watch"]) as eve:
                assert (await eve.answer("claim"))["reason"] == "watching"

    asyncio.run(run())
    _, _, record = server.raw("GET", f"/api/games/{made['id']}/record", token=made["token"])
    assert '[Termination "left"]' in record.decode()
    alone = server.create("scatter", "screen")

    async def by_oneself() -> None:
        async with client(server, alone["id"], alone["token"]) as screen:
            assert (await screen.answer("claim"))["words"] == "There is nobody else who could have left."
            assert (await screen.answer("react", what="wow"))["reason"] == "watching"

    asyncio.run(by_oneself())
    assert server.complaints() == []


def test_reactions_reach_everybody_and_are_bounded(server: Served) -> None:
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
            assert (await grace.answer("react", what="oops"))["type"] == "accepted"  # each seat has its own share
            assert ada.state["sequence"] == before  # nothing is stored

    asyncio.run(run())
