"""Tests of complete games of three kinds: by invitation link, on one screen, and against the computer.

The games include takebacks and rematches.
"""

import asyncio
import random

import pytest
from web_client import Client, client
from web_server import Served

from gridlock import RULE_BOOKS, Game, cells_of, variant
from gridlock.core.records import loads


async def play_out(players: dict[int, Client], rng: random.Random) -> Game:
    """Play random legal moves to the end, comparing every state with the core rules."""
    state = players[1].state
    setup = state["setup"]
    game = Game(variant(setup["game"], setup["board"], setup["adjacency"]), starts=setup["starts"], swap=setup["swap"])
    while not game.outcome:
        player = players[game.turn]
        await player.until(ply=len(game.moves))
        state = player.state
        assert state["to_move"] == game.turn
        assert state["board"]["legal"] == cells_of(game.legal)
        assert bool(state["pass"]) == game.passing
        assert "move" in state["you"]["may"]
        contents = [game.variant.content(game.position, cell) or "." for cell in range(game.variant.grid.size)]
        assert state["board"]["cells"] == "".join(contents)
        closed = [cell for cell in range(game.variant.grid.size) if not game.legal >> cell & 1]
        if closed:
            cell = rng.choice(closed)
            refusal = game.variant.refusal(game.position, cell)
            refused = await player.act("move", cell=cell)
            assert (refused["type"], refused["reason"]) == ("refused", "illegal")
            assert refused["words"] == f"The cell is {refusal.words}."
            assert refused["causes"] == cells_of(refusal.causes)
            why = await player.answer("why", cell=cell)
            assert (why["words"], why["causes"]) == (refused["words"], refused["causes"])
        cell = rng.choice(cells_of(game.legal))
        game.push(cell)
        await player.play(cell)
    return game


@pytest.mark.slow
@pytest.mark.parametrize("name", RULE_BOOKS)
def test_a_game_by_link_with_a_spectator(server: Served, name: str) -> None:
    async def run() -> None:
        made = server.create(name, name="Ada", starts=2)
        async with client(server, made["id"], made["token"]) as ada, client(server, made["id"], made["watch"]) as eve:
            assert ada.welcome["invitation"] == made["invitation"]
            assert ada.welcome["rule"] == variant(name).book.summary
            assert ada.state["to_move"] is None
            assert ada.state["you"]["may"] == []
            early = await ada.act("move", cell=1)
            assert early["reason"] == "waiting"
            async with client(server, made["id"], made["invitation"]) as invited:
                assert invited.welcome["role"] == "invited"
                assert invited.state["you"]["may"] == ["join"]
                token = server.join(made, "Grace")
                await invited.until(to_move=2)
                assert invited.state["you"] == {"role": "watching", "seats": [], "may": []}
            async with client(server, made["id"], token) as grace:
                assert grace.welcome["seats"] == [2]
                game = await play_out({1: ada, 2: grace}, random.Random(name))
                final = await eve.until(ply=len(game.moves))
                outcome = final["outcome"]
                assert outcome["winner"] == game.outcome.winner
                assert outcome["words"] == final["words"]
                assert ("Ada", "Grace")[outcome["winner"] - 1] in outcome["words"]
                assert final["you"] == {"role": "watching", "seats": [], "may": []}
                assert (await eve.act("move", cell=0))["reason"] == "watching"
                assert (await eve.act("resign"))["reason"] == "watching"
                for ply in range(len(game.moves) + 1):
                    seen = await eve.answer("look", ply=ply)
                    then = game.at(ply)
                    assert len(seen["setup"]["moves"]) == ply
                    assert seen["board"]["legal"] == cells_of(then.legal)
                    assert (seen["outcome"] is None) == (then.outcome is None)
        _, _, record = server.raw("GET", f"/api/games/{made['id']}/record", token=made["watch"])
        assert loads(record.decode())[0].moves == game.moves

    asyncio.run(run())


@pytest.mark.slow
@pytest.mark.parametrize("name", RULE_BOOKS)
def test_a_game_against_the_computer_and_undo(server: Served, name: str) -> None:
    async def run() -> None:
        rng = random.Random(name)
        made = server.create(name, "random", seat=2, setup={"board": "4x5"})
        async with client(server, made["id"], made["token"]) as me:
            undone = False
            while not me.state["outcome"]:
                state = await me.until(thinking=False)
                if state["outcome"]:
                    break
                if not undone and "takeback" in state["you"]["may"]:
                    undone = True
                    before = [entry["ply"] - 1 for entry in state["moves"] if entry["player"] == 2]
                    assert (await me.act("ask", what="takeback"))["type"] == "accepted"
                    await me.until(line=1, ply=before[-1])
                    continue
                await me.play(rng.choice(state["board"]["legal"]))
            assert undone
            assert me.state["players"][0]["kind"] == "random"
            assert (await me.act("ask", what="rematch"))["type"] == "accepted"
            while not me.state["rematch"]:
                await me.receive()
            following = me.state["rematch"]
            score = me.state["score"]
        async with client(server, following, made["token"]) as me:
            assert me.welcome["seats"] == [1]
            assert me.state["round"] == 2
            assert me.state["score"] == score[::-1]
            assert me.state["players"][1]["kind"] == "random"

    asyncio.run(run())


@pytest.mark.parametrize("level", ["easy", "medium", "hard", "perfect"])
def test_every_level_answers(server: Served, level: str) -> None:
    async def run() -> None:
        made = server.create("scatter", level, setup={"board": "3x4", "swap": True})
        async with client(server, made["id"], made["token"]) as me:
            await me.play(0)
            await me.until(thinking=False)
            assert me.state["ply"] == 2
            assert me.state["players"][1]["name"] == f"Computer, {level}"

    asyncio.run(run())
    assert [line for line in server.lines() if line["event"] == "a worker failed"] == []


def test_on_one_screen_one_token_plays_for_both(server: Served) -> None:
    async def run() -> None:
        made = server.create("scatter", "screen", name="Ada", other_name="Grace", setup={"swap": True, "board": "2x3"})
        async with client(server, made["id"], made["token"]) as screen:
            assert screen.welcome["seats"] == [1, 2]
            await screen.play(0)
            assert "swap" in screen.state["you"]["may"]
            assert (await screen.act("swap"))["type"] == "accepted"
            state = await screen.until(ply=2)
            assert [player["mark"] for player in state["players"]] == ["O", "X"]
            assert [entry["words"] for entry in state["moves"]] == [
                "Ada (X) plays 1,1",
                "Grace takes over the other side",
            ]
            assert state["to_move"] == 1
            assert (await screen.act("ask", what="takeback"))["type"] == "accepted"
            await screen.until(ply=1, line=1)
            assert (await screen.act("resign"))["type"] == "accepted"
            state = await screen.until(to_move=None)
            assert state["outcome"]["words"] == "Grace (O) resigns. Ada (X) wins!"
            assert (await screen.act("ask", what="takeback"))["reason"] == "illegal"
            assert (await screen.act("resign"))["type"] == "accepted"  # a second resignation changes nothing

    asyncio.run(run())


def test_a_pass_is_announced(server: Served) -> None:
    async def run() -> None:
        # After X takes 1,2 and O takes 1,4 in a row of four, X is stuck, and O can still play 1,1.
        made = server.create("scatter", "screen", name="Ada", setup={"board": "1x4", "moves": ["1,2", "1,4"]})
        async with client(server, made["id"], made["token"]) as screen:
            assert screen.state["pass"] == {
                "player": 1,
                "mark": "X",
                "words": "Ada (X) has no cell to play and must pass.",
            }
            assert screen.state["to_move"] == 2
            assert screen.state["moves"][-1]["kind"] == "pass"
            await screen.play(0)
            assert screen.state["outcome"]["words"] == (
                "Neither player has a cell left. Player 2 (O) made the last move and wins!"
            )

    asyncio.run(run())


def test_takeback_and_rematch_need_consent_by_link(server: Served) -> None:
    async def run() -> None:
        made = server.create("chain", name="Ada")
        token = server.join(made)
        async with client(server, made["id"], made["token"]) as ada, client(server, made["id"], token) as grace:
            await ada.play(0)
            await grace.until(ply=1)
            assert (await grace.act("ask", what="takeback"))["reason"] == "illegal"  # Grace has not moved yet
            assert (await ada.act("ask", what="takeback"))["type"] == "accepted"
            assert (await ada.act("ask", what="takeback"))["type"] == "accepted"  # a repeated request
            while not grace.state["offer"]:
                await grace.receive()
            assert grace.state["offer"] == {"what": "takeback", "player": 1, "words": "Ada asks to take back a move."}
            assert "answer" in grace.state["you"]["may"]
            assert "withdraw" in ada.state["you"]["may"] or (await ada.receive())
            assert (await ada.act("answer", accept=True))["reason"] == "offer"
            assert (await grace.act("answer", accept=False))["type"] == "accepted"
            while ada.state["offer"] or grace.state["offer"]:
                await ada.receive() if ada.state["offer"] else await grace.receive()
            assert (await grace.act("answer", accept=True))["reason"] == "offer"
            assert ada.state["declined"]["words"] == "Grace declined the takeback."
            assert grace.state["declined"]["words"] == "You declined the takeback."
            assert "takeback" not in ada.state["you"]["may"]
            assert (await ada.act("ask", what="takeback"))["words"] == "Grace has already declined that."
            await grace.play(1)
            await ada.until(ply=2, declined=None)
            assert (await ada.act("ask", what="takeback"))["type"] == "accepted"
            while not grace.state["offer"]:
                await grace.receive()
            # Ada withdraws her request, which does not count as a rejection.
            assert (await ada.act("answer", accept=False))["type"] == "accepted"
            while ada.state["offer"] or grace.state["offer"]:
                await ada.receive() if ada.state["offer"] else await grace.receive()
            assert ada.state["declined"] is None
            assert (await ada.act("ask", what="takeback"))["words"].startswith("You've withdrawn that request.")
            await ada.play(ada.state["board"]["legal"][0])
            assert (await ada.act("ask", what="takeback"))["type"] == "accepted"
            while not grace.state["offer"]:
                await grace.receive()
            assert (await grace.act("answer", accept=True))["type"] == "accepted"
            await ada.until(ply=2, line=1)
            await grace.until(ply=2, line=1)
            assert (await ada.act("ask", what="rematch"))["reason"] == "illegal"
            assert (await grace.act("resign"))["type"] == "accepted"
            await ada.until(score=[1, 0])
            assert (await ada.act("ask", what="rematch"))["type"] == "accepted"
            while not grace.state["offer"]:
                await grace.receive()
            # Grace accepts the rematch by asking for one herself.
            assert (await grace.act("ask", what="rematch"))["type"] == "accepted"
            while not ada.state["rematch"]:
                await ada.receive()
            following = ada.state["rematch"]
        async with client(server, following, made["token"]) as ada, client(server, following, token) as grace:
            assert (ada.welcome["seats"], grace.welcome["seats"]) == ([2], [1])
            assert [player["name"] for player in ada.state["players"]] == ["Grace", "Ada"]
            assert ada.state["score"] == [0, 1]
            async with client(server, following, made["watch"]) as eve:
                await grace.play(5)
                await eve.until(ply=1)

    asyncio.run(run())


def test_the_state_over_http_is_the_same(server: Served) -> None:
    made = server.create("trails", "screen", setup={"moves": ["0,1", "1,2"]})
    status, state = server.get(f"/api/games/{made['id']}", made["token"])
    assert status == 200
    assert state["setup"]["moves"] == ["0,1", "1,2"]
    assert state["you"]["seats"] == [1, 2]

    async def run() -> None:
        async with client(server, made["id"], made["token"]) as screen:
            assert screen.state == state

    asyncio.run(run())
    status, earlier = server.get(f"/api/games/{made['id']}?ply=1", made["watch"])
    assert earlier["board"]["cells"] == "#A......B"
    assert server.get(f"/api/games/{made['id']}?ply=x", made["watch"])[0] == 400
