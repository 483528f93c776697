"""Tests that a long game is cached for returning players, and that the cached copy matches the database."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from sqlalchemy import delete

from gridlock.web.games import open_games as module
from gridlock.web.games.open_games import OpenGames
from gridlock.web.referee import table
from gridlock.web.storage.schema import events, games
from gridlock.web.storage.store import Store

MOVES = [table.Moved(cell) for cell in range(120)]  # legal in any order, because nothing is closed
SETTINGS = table.Settings(
    game="loose", board="12x12", adjacency="king", starts=1, swap=False, opponent="screen", seat=1,
    names=("Ada", "Grace"), seats=("a" * 64, "b" * 64), watch=("c" * 64, "d" * 64), invitation=None,
    definition={"name": "loose", "title": "Loose", "board": "12x12", "marks": ["X", "O"], "shape": {}},
)  # fmt: skip


def opening(database: str, work: Callable[[Store, OpenGames, list[str]], Awaitable[None]]) -> None:
    """Call a function with a store, its open games, and a list that collects the ids of all loaded games."""
    store = Store(database, "test")
    store.prepare()
    store.start()
    read: list[str] = []
    load = store.load

    async def counted(id: str) -> table.Table | None:
        read.append(id)
        return await load(id)

    store.load = counted  # type: ignore[method-assign]
    try:
        asyncio.run(work(store, OpenGames(store), read))
    finally:
        store.stop()


async def plies(games: OpenGames, id: str) -> int | None:
    """Open a game, leave it, and return how many moves it has."""
    async with games.game(id) as live:
        return None if live is None else live.table.ply


async def closed(games: OpenGames, users: int = 0) -> None:
    """Wait until all open games together have at most this many users."""
    while sum(live.users for live in games.open.values()) > users:
        await asyncio.sleep(0.001)


async def loaded_twice(store: Store, games: OpenGames) -> table.Table:
    """Open and leave a long game, and return it as another process would load it."""
    await store.create("long", SETTINGS, MOVES)
    assert await plies(games, "long") == 120
    await closed(games)
    elsewhere = await store.load("long")
    assert elsewhere is not None
    return elsewhere


def test_a_long_game_is_read_once_and_a_short_one_every_time(database: str) -> None:
    async def work(store: Store, open_games: OpenGames, read: list[str]) -> None:
        await store.create("long", SETTINGS, MOVES)
        await store.create("short", SETTINGS, MOVES[:9])
        for _ in range(3):
            assert await plies(open_games, "long") == 120
            assert await plies(open_games, "short") == 9
            await closed(open_games)
        assert read == ["long", "short", "short", "short"]
        assert not open_games.open

    opening(database, work)


def test_a_cached_game_includes_later_events(database: str) -> None:
    async def work(store: Store, open_games: OpenGames, read: list[str]) -> None:
        elsewhere = await loaded_twice(store, open_games)
        assert await store.append(elsewhere, table.Moved(130))
        read.clear()
        assert await plies(open_games, "long") == 121
        assert read == []

    opening(database, work)


def test_updates_received_while_rejoining_apply_once(database: str) -> None:
    async def work(store: Store, open_games: OpenGames, _read: list[str]) -> None:
        elsewhere = await loaded_twice(store, open_games)
        since, pauses = store.since, iter([0.1, 0.2])

        async def later(id: str, sequence: int) -> list[table.GameEvent]:
            pause = next(pauses, 0.0)
            news = await since(id, sequence)
            await asyncio.sleep(pause)
            return news

        async with open_games.game("long"):
            await closed(open_games, 1)
            store.since = later  # type: ignore[method-assign]
            assert await store.append(elsewhere, table.Moved(130))
            open_games.refresh("long")
            await asyncio.sleep(0.05)
        assert await plies(open_games, "long") in (120, 121)
        await closed(open_games)
        assert await plies(open_games, "long") == 121

    opening(database, work)


@pytest.mark.parametrize("table_of", [games, events])
def test_a_game_that_is_gone_or_damaged_is_not_shown_from_memory(database: str, table_of: object) -> None:
    async def work(store: Store, open_games: OpenGames, read: list[str]) -> None:
        await store.create("long", SETTINGS, MOVES)
        assert await plies(open_games, "long") == 120
        await closed(open_games)
        await store.write(lambda connection: connection.execute(delete(games)))
        if table_of is games:  # the whole game was purged, so it does not count as damaged
            await store.write(lambda connection: connection.execute(delete(events)))
            assert await plies(open_games, "long") is None
        else:
            with pytest.raises(module.Damaged):
                await plies(open_games, "long")
        assert read == ["long", "long"]

    opening(database, work)


def test_the_cache_is_bounded(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_CACHED", 500)  # a game of 120 moves counts as 220 towards this limit

    async def work(store: Store, open_games: OpenGames, _read: list[str]) -> None:
        for number in range(20):
            await store.create(f"long{number}", SETTINGS, MOVES)
            await plies(open_games, f"long{number}")
            await closed(open_games)
            assert len(open_games._cached) <= 2
        assert list(open_games._cached) == ["long18", "long19"]

    opening(database, work)
