"""Tests that each move is made exactly once, even if messages arrive twice, late or simultaneously."""

import asyncio
from collections.abc import Callable

import pytest
from web_client import client
from web_server import Served


def test_a_repeated_move_is_accepted_again_and_changes_nothing(server: Served) -> None:
    async def run() -> None:
        made = server.create("scatter")
        token = server.join(made)
        async with client(server, made["id"], made["token"]) as ada, client(server, made["id"], token) as grace:
            for _ in range(3):
                assert (await ada.answer("move", ply=0, line=0, cell=12))["type"] == "accepted"
            await grace.until(ply=1)
            await grace.play(0)
            assert (await ada.answer("move", ply=0, line=0, cell=12)) == {
                "type": "accepted",
                "re": 5,
                "ply": 0,
                "line": 0,
            }
            assert (await ada.answer("move", ply=0, line=0, cell=13))["reason"] == "stale"
            assert (await ada.receive())["type"] == "state"
            assert (await ada.answer("move", ply=1, line=0, cell=0))["reason"] == "stale"  # ply 1 was Grace's move
            assert (await ada.answer("move", ply=3, line=0, cell=24))["reason"] == "stale"
            assert (await ada.answer("move", ply=2, line=1, cell=24))["reason"] == "stale"
            assert ada.state["setup"]["moves"] == ["3,3", "1,1"]

    asyncio.run(run())


def test_a_move_that_was_taken_back_does_not_come_back(server: Served) -> None:
    async def run() -> None:
        made = server.create("scatter", "screen")
        async with client(server, made["id"], made["token"]) as screen:
            await screen.play(12)
            await screen.act("ask", what="takeback")
            await screen.until(line=1)
            late = await screen.answer("move", ply=0, line=0, cell=12)
            assert late["reason"] == "stale"
            assert (await screen.until(ply=0))["setup"]["moves"] == []

    asyncio.run(run())


def test_two_windows_of_one_player_cannot_both_move(server: Served) -> None:
    async def run() -> None:
        made = server.create("scatter", "screen")
        windows = [client(server, made["id"], made["token"]) for _ in range(8)]
        open_windows = [await window.__aenter__() for window in windows]
        for ply in range(4):
            legal = open_windows[0].state["board"]["legal"]
            answers = await asyncio.gather(
                *(
                    one.answer("move", ply=ply, line=0, cell=cell)
                    for one, cell in zip(open_windows, legal, strict=False)
                )
            )
            assert [answer["type"] for answer in answers].count("accepted") == 1
            assert all(answer["reason"] == "stale" for answer in answers if answer["type"] == "refused")
            for one in open_windows:
                await one.until(ply=ply + 1)
        for window in windows:
            await window.__aexit__(None, None, None)

    asyncio.run(run())


def test_only_one_can_join_and_may_repeat_it(server: Served) -> None:
    async def run() -> None:
        made = server.create("chain")
        path = f"/api/games/{made['id']}/join"

        def join(nonce: str) -> tuple[int, dict]:
            return server.post(path, {"name": nonce, "nonce": nonce}, made["invitation"])

        nonces = [letter * 22 for letter in "abcdef"]
        answers = await asyncio.gather(*(asyncio.to_thread(join, nonce) for nonce in nonces))
        assert sorted(status for status, _ in answers) == [200, 409, 409, 409, 409, 409]
        winner = next(nonce for nonce, (status, _) in zip(nonces, answers, strict=True) if status == 200)
        again = join(winner)
        assert again == answers[nonces.index(winner)]
        _, state = server.get(f"/api/games/{made['id']}", again[1]["token"])
        assert state["players"][1]["name"] == winner
        assert state["you"]["seats"] == [2]

    asyncio.run(run())


@pytest.mark.slow
def test_two_processes_share_a_postgresql_database(serve: Callable[..., Served], postgres: str) -> None:
    async def run() -> None:
        one, other = serve(database=postgres), serve(database=postgres)
        made = one.create("scatter", setup={"board": "5x5"})
        async with client(one, made["id"], made["token"]) as ada:
            token = other.join(made)  # joined through the other server, and visible on this one
            await ada.until(to_move=1)
            async with client(other, made["id"], token) as grace, client(other, made["id"], made["token"]) as window:
                await ada.play(12)
                await grace.until(ply=1)
                await grace.play(0)
                await ada.until(ply=2)
                await window.until(ply=2)
                # The same player moves at the same time in two windows, which are served by different processes.
                for _ in range(5):
                    ply = ada.state["ply"]
                    first, second = ada.state["board"]["legal"][:2]
                    answers = await asyncio.gather(
                        ada.answer("move", ply=ply, line=ada.state["line"], cell=first),
                        window.answer("move", ply=ply, line=ada.state["line"], cell=second),
                    )
                    assert sorted(answer["type"] for answer in answers) == ["accepted", "refused"]
                    for one_of in (ada, window, grace):
                        await one_of.until(ply=ply + 1)
                    assert ada.state["setup"] == window.state["setup"] == grace.state["setup"]
                    # Ada requests a takeback, and Grace agrees.
                    assert (await ada.act("ask", what="takeback"))["type"] == "accepted"
                    while not grace.state["offer"]:
                        await grace.receive()
                    assert (await grace.act("answer", accept=True))["type"] == "accepted"
                    line = grace.state["line"]
                    for one_of in (ada, window, grace):
                        await one_of.until(ply=ply, offer=None)
                        line = max(line, one_of.state["line"])
                    for one_of in (ada, window, grace):
                        await one_of.until(line=line)
        assert one.complaints() == other.complaints() == []

    asyncio.run(run())
