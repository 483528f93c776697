"""Tests that the limits on takebacks and requests make every game end.

Also tests that long games do not slow down other games.
"""

import asyncio
import threading
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from sqlalchemy import Connection, text
from web_client import client
from web_server import Served

from gridlock.core.grid import cells_of
from gridlock.web.games import open_games
from gridlock.web.games.live import Viewer
from gridlock.web.games.open_games import OpenGames
from gridlock.web.referee import decide as referee
from gridlock.web.referee import table as domain
from gridlock.web.referee.decide import Rejection, decide, may
from gridlock.web.referee.table import Access, GameEvent, Joined, Moved, Settings, Table, TookBack
from gridlock.web.storage import rows
from gridlock.web.storage.rows import Damaged
from gridlock.web.storage.store import Store
from gridlock.web.wire import messages

ADA, GRACE, BOTH = Access("player", (1,)), Access("player", (2,)), Access("player", (1, 2))
ID = "q" * 22


def settings(opponent: str = "screen", board: str = "3x3") -> Settings:
    """Return the settings of a small Keep-Away game."""
    hashes = ("h", "h" if opponent == "screen" else None)
    return Settings(
        game="keepaway", board=board, adjacency="king", starts=1, swap=False, opponent=opponent, seat=1,
        names=("Ada", ""), seats=hashes, watch=hashes, invitation="i" if opponent == "link" else None,
    )  # fmt: skip


def linked() -> Table:
    """Return a game after its first move; the second player joined it through a link."""
    table = Table(ID, settings("link"))
    table.apply(Joined(2, "Grace", "s", "w"))
    table.apply(Moved(0))
    return table


def act(table: Table, access: Access, action: messages.Action) -> Any:
    """Submit an action to the referee, and apply the resulting event, if any."""
    decision = decide(table, access, action)
    if isinstance(decision, GameEvent):
        table.apply(decision)
    return decision


def ask(table: Table, what: str = "takeback") -> Any:
    """Return a request (by default, for a takeback) that refers to the current position."""
    return messages.Ask(table.ply, table.line, what)


def withdraw(table: Table) -> Any:
    """Return a message that withdraws the current request."""
    return messages.Respond(table.ply, table.line, False)


def test_a_withdrawn_request_cannot_be_repeated_before_a_move() -> None:
    table = linked()
    assert isinstance(act(table, ADA, ask(table)), GameEvent)
    assert isinstance(act(table, ADA, withdraw(table)), GameEvent)
    assert not table.declined
    refusal = act(table, ADA, ask(table))
    assert refusal == Rejection("offer", "You've withdrawn that request. You can ask again after the next move.")
    assert "takeback" not in may(table, ADA)
    act(table, GRACE, messages.Move(table.ply, table.line, cells_of(table.game.legal)[0]))
    assert isinstance(act(table, ADA, ask(table)), GameEvent)


def test_a_withdrawn_rematch_is_up_to_the_opponent() -> None:
    table = linked()
    act(table, ADA, messages.Resign())
    assert isinstance(act(table, ADA, ask(table, "rematch")), GameEvent)
    assert isinstance(act(table, ADA, withdraw(table)), GameEvent)
    words = act(table, ADA, ask(table, "rematch")).words
    assert words == "You've withdrawn that request. Only Grace can ask for a rematch now."
    assert isinstance(act(table, GRACE, ask(table, "rematch")), GameEvent)
    assert isinstance(act(table, ADA, ask(table, "rematch")), domain.Rematched)


@pytest.mark.parametrize("opponent", ["screen", "link"])
def test_a_game_ends_whatever_its_players_do(monkeypatch: pytest.MonkeyPatch, opponent: str) -> None:
    monkeypatch.setattr(domain, "MOST_WITH_TAKEBACKS", 60)
    longest = 0
    for seed in range(20):
        rng = Random(seed)
        table = linked() if opponent == "link" else Table(ID, settings())
        accesses = [ADA, GRACE] if opponent == "link" else [BOTH]
        while True:
            now = (table.ply, table.line)
            tried: list[messages.Action] = [ask(table), ask(table, "rematch"), withdraw(table)]
            tried += [messages.Respond(*now, True), *(messages.Move(*now, cell) for cell in cells_of(table.game.legal))]
            decided = [decide(table, access, action) for access in accesses for action in tried]
            events = [one for one in decided if isinstance(one, GameEvent)]
            if not events:
                break
            backwards = [one for one in events if not isinstance(one, Moved | domain.Rematched)]
            table.apply(rng.choice(backwards or events))  # make the game last as long as possible
        assert table.game.outcome, seed
        assert table.sequence <= 60 + 9 + 10, seed  # the limit, a move for each cell, and a few requests
        longest = max(longest, table.sequence)
    assert longest >= 60


def test_at_the_limit_the_players_are_told_and_can_play_on(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setattr(domain, "MOST_WITH_TAKEBACKS", 4)
    monkeypatch.setattr(open_games, "MOST_WITH_TAKEBACKS", 4)

    async def work(store: Store) -> None:
        await store.create(ID, settings(), [Moved(0), TookBack(0), Moved(0)])
        games = OpenGames(store)
        async with games.game(ID) as live:
            assert live is not None
            viewer = Viewer(lambda _: BOTH)
            live.viewers.add(viewer)
            table = live.table
            assert await games.decide_and_store(live, lambda table: decide(table, BOTH, ask(table), 0)) is None
            shown = [await viewer.next() for _ in range(2)]
            assert b"moves can no longer be taken back. You can still finish the game." in shown[1]
            assert await games.decide_and_store(live, lambda _: Moved(0)) is None
            assert decide(table, BOTH, ask(table), 0) == referee.TOO_LONG
            assert may(table, BOTH) == ["move", "resign"]

    stored(f"{tmp_path}/games.sqlite3", work)


def stored(database: str, work: Any) -> None:
    """Open a store, run a function with it, and close it."""
    store = Store(database, "test")
    store.prepare()
    store.start()
    try:
        asyncio.run(work(store))
    finally:
        store.stop()


def back_and_forth(count: int) -> list[GameEvent]:
    """Return the events of a game in which moves are made and undone."""
    return [TookBack(0) if number % 2 else Moved(0) for number in range(count)]


@pytest.mark.slow
@pytest.mark.parametrize("count", [0, 1, rows.SLICE - 1, rows.SLICE, rows.SLICE + 1, 3 * rows.SLICE, 3001])
def test_a_game_of_any_length_is_read_in_slices(database: str, count: int) -> None:
    async def work(store: Store) -> None:
        await store.create(ID, settings(), back_and_forth(count))
        table = await store.load(ID)
        assert table is not None
        assert (table.sequence, table.line) == (count, count // 2)
        assert len(await store.since(ID, 0)) == count
        assert await store.append(table, Moved(8) if table.ply else Moved(0))
        verified = await store.verify(ID)
        assert verified is not None
        assert verified.events == count + 1
        with store.engine.begin() as connection:
            event = {"game": ID, "number": count}
            connection.execute(text("DELETE FROM events WHERE game = :game AND sequence = :number"), event)
        with pytest.raises(Damaged, match=f"it has {count} events but should have {count + 1}"):
            await store.load(ID)
        with pytest.raises(Damaged):
            await store.verify(ID)

    stored(database, work)


@pytest.mark.parametrize("count", [rows.SLICE, 2 * rows.SLICE])
def test_an_extra_event_just_behind_a_slice_is_noticed(tmp_path: object, count: int) -> None:
    async def work(store: Store) -> None:
        await store.create(ID, settings(), back_and_forth(count))
        with store.engine.begin() as connection:
            row = rows.event_row(ID, count, 1.0, '{"kind":"move","cell":0}')
            connection.execute(rows.events.insert(), row)
        with pytest.raises(Damaged, match=f"it has {count + 1} events but should have {count}"):
            await store.load(ID)

    stored(f"{tmp_path}/games.sqlite3", work)


def test_others_do_not_wait_for_a_long_game(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other games open without delay while ten long games are paused halfway through loading."""
    go_on, standing = threading.Event(), threading.Event()
    advance = rows.advance

    def stand_still(connection: Connection, table: Table) -> bool:
        if table.sequence >= rows.SLICE:
            standing.set()
            assert go_on.wait(30)
        return advance(connection, table)

    monkeypatch.setattr(rows, "advance", stand_still)

    async def work(store: Store) -> None:
        for number in range(10):
            await store.create(f"long{number}", settings(), back_and_forth(3 * rows.SLICE))
        await store.create(ID, settings(), back_and_forth(10))
        loading = [asyncio.create_task(store.load(f"long{number}")) for number in range(10)]
        assert await asyncio.to_thread(standing.wait, 30)
        for _ in range(5):
            async with asyncio.timeout(30):
                assert await store.load(ID) is not None
        assert not any(task.done() for task in loading)
        go_on.set()
        for table in await asyncio.gather(*loading):
            assert table is not None
            assert table.sequence == 3 * rows.SLICE

    stored(f"{tmp_path}/games.sqlite3", work)


@pytest.mark.slow
@pytest.mark.parametrize("lost", [0, 2, 4])
def test_an_event_lost_under_an_open_game_is_noticed_at_the_next_move(database: str, lost: int) -> None:
    async def work(store: Store) -> None:
        await store.create(ID, settings(), back_and_forth(5))
        await store.create("other", settings(), back_and_forth(5))
        table, other = await store.load(ID), await store.load("other")
        assert table is not None
        assert other is not None
        with store.engine.begin() as connection:
            event = {"game": ID, "number": lost}
            connection.execute(text("DELETE FROM events WHERE game = :game AND sequence = :number"), event)
        with pytest.raises(Damaged, match="it has 4 events but should have 5"):
            await store.append(table, TookBack(0))
        assert store.damaged == {ID}
        assert await store.append(other, TookBack(0))
        with store.engine.begin() as connection:  # the damaged game was not changed
            count = connection.execute(text("SELECT events FROM games WHERE id = :game"), {"game": ID}).scalar_one()
            assert count == 5

    stored(database, work)


@pytest.mark.slow
def test_those_who_open_a_game_at_its_limit_are_told(serve: Callable[..., Served]) -> None:
    server = serve(patches={"gridlock.web.referee.table.MOST_WITH_TAKEBACKS": 3})

    async def run() -> None:
        made = server.create("showdown", "screen", setup={"moves": ["1,1"]})
        async with client(server, made["id"], made["token"]) as screen:
            assert (await screen.act("ask", what="takeback"))["type"] == "accepted"
            await screen.until(ply=0)
            await screen.play(0)
            while (told := await screen.receive())["type"] != "notice":
                pass
            refused = await screen.act("ask", what="takeback")
            assert (refused["reason"], refused["words"]) == ("limit", told["words"])
        async with client(server, made["id"], made["token"]) as screen:
            assert "takeback" not in screen.state["you"]["may"]
            assert await screen.receive() == told
            await screen.play(24)

    asyncio.run(run())
    assert server.complaints() == []


@pytest.mark.slow
def test_asking_and_withdrawing_does_not_fill_a_game(serve: Callable[..., Served]) -> None:
    server = serve()

    async def run() -> None:
        made = server.create("showdown")
        token = server.join(made)
        async with client(server, made["id"], made["token"]) as ada, client(server, made["id"], token):
            await ada.play(0)
            answers = Counter()
            for _ in range(20):
                answers[(await ada.act("ask", what="takeback"))["type"]] += 1
                answers[(await ada.act("answer", accept=False))["type"]] += 1
            assert answers == {"accepted": 2, "refused": 38}

    asyncio.run(run())
