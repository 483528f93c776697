"""Tests of the lobby: clients share its entries fairly, idle players are replaced, and names cannot mislead players."""

import asyncio
import contextlib
import itertools
import json
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from msgspec import UNSET
from web_client import Client, client
from web_server import Served

from gridlock.web.games import lobby
from gridlock.web.games.live import Live
from gridlock.web.games.lobby import HELD, MOST, Lobby
from gridlock.web.referee.table import Joined, Moved, Resigned, Settings, Table, TookBack
from gridlock.web.wire import tokens
from gridlock.web.wire.messages import TimeControl

CREATOR, JOINER = 1, 2


def game(number: int, client: str, **settings: Any) -> Live:
    """Return a public game whose creator is connected."""
    hash = f"{number:064}"
    rest = {"clock": UNSET, "public": True, "starts": 2, **settings}
    table = Table(
        f"game{number}",
        Settings(
            game="chain", board="3x3", adjacency="king", swap=False, opponent="link", seat=CREATOR, names=("Ada", ""),
            seats=(hash, None), watch=(hash, None), invitation=hash, **rest,
        ),
    )  # fmt: skip
    live = Live(table)
    live.creator, live.watch, live.invitation = client, f"watch{number}", f"invitation{number}"
    live.presence.enter("page", (CREATOR,))
    return live


def opened(*games: Live) -> tuple[dict[str, Live], Lobby]:
    """Return the given games keyed by id, and a lobby that lists them."""
    known = {live.table.id: live for live in games}
    return known, Lobby(known)


def challenges(hall: Lobby) -> list[str]:
    """Return the ids of the games that the lobby lists as challenges."""
    return [one.game for one in hall.lists().challenges]


def apply(live: Live, *events: object) -> None:
    """Apply events to a game, as the server does after storing them."""
    for event in events:
        live.table.apply(event)
    live._note_newcomer()


# -- lines ----------------------------------------------------------------------------------------------------------


def test_ten_clients_have_at_most_half_of_the_lines():
    numbers = itertools.count()
    honest = game(next(numbers), "honest")
    crowd = [game(next(numbers), f"crowd{who}") for _ in range(4) for who in range(10)]
    _, hall = opened(honest, *crowd)
    listed = challenges(hall)
    taken = len(set(listed) - {"game0"})
    print(f"Ten clients with 4 games each have {taken} of {MOST} lines")
    assert "game0" in listed
    assert 10 <= taken <= MOST / 2


def test_one_client_has_three_lines_while_there_is_room():
    _, hall = opened(*(game(number, "ada") for number in range(5)))
    assert challenges(hall) == ["game4", "game3", "game2"]


def test_more_clients_than_lines_take_turns(monkeypatch):
    _, hall = opened(*(game(number, f"client{number}") for number in range(2 * MOST)))
    seen: Counter[str] = Counter()
    now = time.monotonic()
    for minute in range(40):
        monkeypatch.setattr(time, "monotonic", lambda at=now + 60 * minute: at)
        listed = challenges(hall)
        assert len(listed) == MOST
        seen.update(listed)
    assert len(seen) == 2 * MOST
    assert min(seen.values()) >= 5


def test_reconnecting_does_not_put_a_game_on_top():
    known, hall = opened(game(1, "ada"), game(2, "bo"))
    assert challenges(hall) == ["game2", "game1"]
    del known["game1"]
    assert challenges(hall) == ["game2"]
    known["game1"] = game(1, "ada")
    assert challenges(hall) == ["game2", "game1"]


# -- a player who joins and does not move ---------------------------------------------------------------------------

JOINED = Joined(JOINER, "Grace", "a" * 64, "b" * 64)


def waiting(monkeypatch: pytest.MonkeyPatch, *events: object, **settings: Any) -> tuple[Live, Lobby]:
    """Create a game and its lobby, apply the given events, and let the time for the first move expire."""
    live = game(1, "ada", **settings)
    _, hall = opened(live)
    apply(live, *events)
    assert not challenges(hall)
    assert not hall.is_open(live)
    then = time.monotonic() + lobby.IDLE
    monkeypatch.setattr(time, "monotonic", lambda: then)
    return live, hall


def test_the_seat_of_a_player_who_does_not_begin_is_open_again(monkeypatch):
    live, hall = waiting(monkeypatch, JOINED)
    assert challenges(hall) == ["game1"]
    apply(live, Joined(JOINER, "Bo", "c" * 64, "d" * 64))
    assert challenges(hall) == []  # the new player gets the full time to move
    assert live.table.game.player_name(JOINER) == "Bo"
    assert live.table.seats[JOINER - 1] == "c" * 64


def test_it_is_open_again_after_the_creator_s_first_move(monkeypatch):
    _, hall = waiting(monkeypatch, JOINED, Moved(0), starts=1)
    assert challenges(hall) == ["game1"]


@pytest.mark.parametrize(
    ("events", "settings"),
    [
        ((JOINED,), {"starts": 1}),  # it is the creator's turn
        ((JOINED, Moved(4)), {}),  # it is again the creator's turn
        ((JOINED, Moved(0), Moved(1), TookBack(0)), {}),  # the joiner has moved once, although the move was undone
        ((JOINED,), {"public": UNSET}),
        ((JOINED, Moved(0, at=1)), {"starts": 1, "clock": TimeControl(seconds=60)}),  # the joiner's clock is running
    ],
)
def test_no_other_seat_is(monkeypatch, events, settings):
    _, hall = waiting(monkeypatch, *events, **settings)
    assert challenges(hall) == []


def test_a_game_is_not_offered_while_its_creator_is_gone(monkeypatch):
    live, hall = waiting(monkeypatch, JOINED)
    live.presence.enter("other page", (JOINER,))
    live.presence.leave("page")
    assert not hall.is_open(live)


# -- over the network -----------------------------------------------------------------------------------------------


def public(server: Served, address: str, name: str, **wish: Any) -> dict:
    """Create a public game as a client with the given IP address."""
    body = {"setup": {"game": "chain"}, "opponent": "link", "public": True, "name": name, **wish}
    status, _, made = server.raw("POST", "/api/games", json.dumps(body).encode(), X_Forwarded_For=address)
    assert status == 201, made
    return json.loads(made)


def join(server: Served, made: dict, address: str, name: str = "Eve", nonce: str = "n" * 22) -> tuple[int, dict]:
    """Ask to join a game, and return the response's status and body."""
    body = json.dumps({"name": name, "nonce": nonce}).encode()
    path = f"/api/games/{made.get('id') or made['game']}/join"
    status, _, answer = server.raw("POST", path, body, made["invitation"], X_Forwarded_For=address)
    return status, json.loads(answer)


@pytest.mark.slow
def test_one_address_takes_three_seats_at_once(serve: Callable[..., Served]) -> None:
    server = serve("--trusted-proxy=127.0.0.0/8")

    async def run() -> None:
        makers = [f"192.0.2.{number}" for number in range(1, 15)]
        made = [public(server, address, f"Ada {address}") for address in makers for _ in range(3)]
        async with contextlib.AsyncExitStack() as stack:
            for one, address in zip(made, [address for address in makers for _ in range(3)], strict=True):
                await stack.enter_async_context(client(server, one["id"], one["token"], address))
            eve = "198.51.100.1"
            taking = [
                asyncio.to_thread(join, server, one, eve, "Eve", nonce * 22) for one in made for nonce in ("n", "m")
            ]
            statuses = Counter(status for status, _ in await asyncio.gather(*taking))
            print(f"One address asked for {len(made)} seats at once and got {statuses[200]}")
            assert statuses[200] == HELD
            again = [one for one in made for nonce in ("n", "m") if join(server, one, eve, nonce=nonce * 22)[0] == 200]
            assert len(again) == HELD  # repeating a nonce is harmless: Eve gets the same seats again

            given_up = 0
            for one in made:  # giving up each seat at once does not empty the lobby either
                answers = [join(server, one, eve, nonce=nonce * 22) for nonce in ("n", "m")]
                for seat in (answer for status, answer in answers if status == 200):
                    async with client(server, seat["id"], seat["token"], eve) as page:
                        await page.answer("resign")
                    given_up += 1
            print(f"Giving each up at once, it got {given_up}")
            assert given_up <= 10

    asyncio.run(run())
    assert server.complaints() == []


async def told(who: Client, kind: str) -> dict:
    """Return the next message of the given type."""
    while (message := await who.receive())["type"] != kind:
        pass
    return message


@pytest.mark.slow
def test_an_idle_player_is_replaced(serve: Callable[..., Served]) -> None:
    server = serve(patches={"gridlock.web.games.lobby.IDLE": 0.5})
    made = server.create("chain", name="Ada", public=True, starts=2, setup={"board": "3x3"})

    def listed() -> list[dict]:
        return server.get("/api/lobby")[1]["challenges"]

    async def run() -> None:
        async with client(server, made["id"], made["token"]) as ada:
            token = server.join(made, "Eve")
            async with client(server, made["id"], token) as eve:
                assert "move" in eve.state["you"]["may"]
                assert "within a minute" in (await told(eve, "notice"))["words"]
                assert server.post(f"/api/games/{made['id']}/join", {"nonce": "b" * 22}, made["invitation"])[0] == 409
                while not listed():
                    await asyncio.sleep(0.05)
                (challenge,) = listed()
                assert (challenge["name"], challenge["invitation"]) == ("Ada", made["invitation"])
                seat = server.join(made, "Bo", "b" * 22)
                assert listed() == []
                assert "because you made no move" in (await told(eve, "notice"))["words"]
                await eve.until(you={"role": "watching", "seats": [], "may": []})
                assert (await eve.act("move", cell=0))["reason"] == "watching"
                assert (await told(ada, "presence"))["seats"] == ["here", "gone"]  # the status before Eve arrived
                # Wait for the status that is sent after Eve has become a spectator.
                while (await told(ada, "presence"))["seats"] != ["here", "gone"]:
                    pass
                async with client(server, made["id"], seat) as bo:
                    assert bo.state["players"][1]["name"] == "Bo"
                    assert (await eve.act("move", cell=0))["reason"] == "watching"
                    assert (await eve.answer("resign"))["reason"] == "watching"
                    assert (await eve.answer("react", what="wow"))["reason"] == "watching"
                    await bo.play(0)
                    await ada.until(ply=1)
                    await asyncio.sleep(0.6)
                    assert listed() == []  # Bo has moved
                    await ada.play(ada.state["board"]["legal"][0])
                    await asyncio.sleep(0.6)
                    assert listed() == []
            async with client(server, made["id"], token) as eve:  # Eve returns
                assert eve.welcome["role"] == "watching"
            status, refused = server.post(f"/api/games/{made['id']}/join", {"nonce": "n" * 22}, made["invitation"])
            assert (status, refused["error"]) == (409, "taken")

    asyncio.run(run())
    server.end()
    server.start()  # everything must be in the database

    async def later() -> None:
        async with client(server, made["id"], token_of(made, "n" * 22)) as eve:
            assert eve.welcome["role"] == "watching"
        async with client(server, made["id"], token_of(made, "b" * 22)) as bo:
            assert bo.welcome["seats"] == [2]

    asyncio.run(later())
    assert server.complaints() == []


@pytest.mark.full
def test_an_idle_player_at_another_process_is_replaced(serve: Callable[..., Served], postgres: str) -> None:
    quick = {"gridlock.web.games.lobby.IDLE": 0.5}
    here, there = (serve(database=postgres, patches=quick) for _ in range(2))
    made = here.create("chain", name="Ada", public=True, starts=2, setup={"board": "3x3"})

    async def run() -> None:
        async with client(here, made["id"], made["token"]) as ada:
            token = there.join(made, "Eve")
            async with client(there, made["id"], token) as eve:
                # At first, this process may still list the game, because it has not yet heard that Eve has joined.
                join = f"/api/games/{made['id']}/join", {"name": "Bo", "nonce": "b" * 22}, made["invitation"]
                while (answer := here.post(*join))[0] != 200:
                    assert answer[1]["error"] == "taken"
                    await asyncio.sleep(0.05)
                seat = answer[1]["token"]
                await eve.until(you={"role": "watching", "seats": [], "may": []})
                assert (await eve.act("move", cell=0))["reason"] == "watching"
                async with client(there, made["id"], seat) as bo:
                    await bo.play(0)
                    await ada.until(ply=1)
                    await eve.until(ply=1)

    asyncio.run(run())
    assert here.complaints() == there.complaints() == []


def token_of(made: dict, nonce: str) -> str:
    """Return the seat token for a nonce."""
    return tokens.joining(made["invitation"], nonce)


def test_seats_are_counted_while_no_one_is_at_the_game(monkeypatch):
    lives = [game(number, f"creator {number}") for number in range(HELD + 2)]
    known, hall = opened(*lives)
    for live in lives[:HELD]:
        assert hall.refusal(live, "eve") is None
        known.pop(live.table.id)  # its creator leaves, and the server closes the game
        hall.close(live)
    assert hall.refusal(lives[HELD], "eve") == lobby.TOO_MANY
    assert hall.refusal(lives[HELD], "bo") is None
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + lobby.HOLDING)
    assert hall.refusal(lives[HELD + 1], "eve") is None


def test_a_seat_in_a_game_that_is_over_is_not_counted():
    lives = [game(number, f"creator {number}") for number in range(HELD + 1)]
    known, hall = opened(*lives)
    for live in lives[:HELD]:
        assert hall.refusal(live, "eve") is None
    apply(lives[0], Joined(JOINER, "Eve", "e" * 64, "f" * 64), Resigned(JOINER))
    assert lives[0].table.over
    known.pop(lives[0].table.id)
    hall.close(lives[0])
    assert hall.refusal(lives[HELD], "eve") is None


# -- names ----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_nobody_is_called_like_the_computer_or_another_seat(server: Served) -> None:
    for name in ("Computer, perfect", "Соmputer", "perfect", "ＥＡＳＹ", "Player 2", "GridLock team"):  # noqa: RUF001
        status, refused = server.post("/api/games", {"setup": {"game": "chain"}, "opponent": "link", "name": name})
        assert (status, refused["words"]) == (422, f"The name '{name}' is reserved. Choose another name.")
    made = server.create("chain", name="Player 1")  # allowed, because this is the seat's default name
    status, refused = server.post(
        f"/api/games/{made['id']}/join", {"name": "Player 1", "nonce": "n" * 22}, made["invitation"]
    )
    assert (status, refused["error"]) == (422, "illegal")
    server.join(made, "player 2")
    _, state = server.get(f"/api/games/{made['id']}", made["token"])
    assert [player["name"] for player in state["players"]] == ["Player 1", "Player 2"]


@pytest.mark.slow
def test_a_game_of_your_own_is_marked_with_its_real_rule(server: Served) -> None:
    lie = {
        "name": "hermits", "title": "Hermits", "summary": "Never put a marker next to one of your opponent's.",
        "shape": {"closes_own": True},
    }  # fmt: skip
    truth = "Never put a marker next to one of your own."
    setup = {"game": "hermits", "definition": lie}
    made = server.create("hermits", public=True, setup=setup)

    async def run() -> None:
        async with client(server, made["id"], made["token"]) as ada:
            assert ada.welcome["rule"] == truth
            assert ada.state["board"]["own_rule"] == truth
            listed = server.get("/api/lobby")[1]["challenges"]
            assert [one["own_rule"] for one in listed if one["game"] == made["id"]] == [truth]

    asyncio.run(run())
    for change in ({"title": "Showdown"}, {"title": "Ѕhοwdown"}, {"name": "show_down"}):  # noqa: RUF001
        fake = {**lie, **change}
        for path, more in (("/api/games", {"opponent": "link", "public": True}), ("/api/position", {})):
            status, refused = server.post(path, {"setup": {"game": fake["name"], "definition": fake}, **more})
            assert (status, refused["error"]) == (422, "illegal")
            assert "looks like Showdown, a built-in game" in refused["words"]
    assert server.get("/api/games")[1]["games"][0]["title"]  # the catalogue is unchanged
    _, position = server.post("/api/position", {"setup": {"game": "chain"}})
    assert position["board"]["own_rule"] is None
