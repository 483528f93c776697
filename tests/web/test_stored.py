"""Games that were stored by the first version of the server, as they lie in its databases."""

import asyncio
import json

import msgspec
import pytest
from sqlalchemy import select

from gridlock import SWAP
from gridlock.web import table
from gridlock.web.store import Store, events, games

ID = "q" * 22
SETTINGS = json.dumps(
    {
        "game": "showdown", "board": "3x3", "adjacency": "king", "starts": 1, "swap": True, "opponent": "link",
        "seat": 1, "names": ["Ada", ""], "seats": ["a" * 64, None], "watch": ["b" * 64, None],
        "invitation": "c" * 64, "round": 1, "score": [0, 0],
    },
    separators=(",", ":"),
)  # fmt: skip
HAPPENED = [
    f'{{"kind":"join","player":2,"name":"Grace","seat":"{"d" * 64}","watch":"{"e" * 64}"}}',
    '{"kind":"move","cell":0}',
    '{"kind":"ask","player":1,"what":"takeback"}',
    '{"kind":"settle"}',
    '{"kind":"move","cell":8}',
    '{"kind":"takeback","ply":1}',
    '{"kind":"swap"}',
    '{"kind":"move","cell":8}',
    '{"kind":"resign","player":2}',
    '{"kind":"ask","player":1,"what":"rematch"}',
    f'{{"kind":"rematch","game":"{"r" * 22}"}}',
]


def with_store(database: str, work: object) -> object:
    """Run something with a store, and close it."""
    store = Store(database, "test")
    store.prepare()
    store.start()
    try:
        return asyncio.run(work(store))
    finally:
        store.stop()


def test_they_are_read(database: str) -> None:
    async def work(store: Store) -> table.Table | None:
        with store.engine.begin() as connection:
            connection.execute(games.insert(), [{"id": ID, "created": 1.0, "settings": SETTINGS}])
            rows = [{"game": ID, "sequence": n, "at": 1.0, "body": body} for n, body in enumerate(HAPPENED)]
            connection.execute(events.insert(), rows)
        return await store.load(ID)

    found = with_store(database, work)
    assert isinstance(found, table.Table)
    assert (found.sequence, found.line, found.rematch) == (len(HAPPENED), 1, "r" * 22)
    assert found.offer is None
    assert found.game.moves == [0, SWAP, 8]
    assert found.game.names == ("Ada", "Grace")
    assert (found.game.resigned, found.game.outcome.winner) == (2, 1)
    assert [(made.player, made.cell) for made in map(found.made, range(3))] == [(1, 0), (2, None), (1, 8)]


def test_they_are_still_written_so(database: str) -> None:
    # Two server processes, one of them of an older version, may share a database.
    async def work(store: Store) -> tuple[str, list[str]]:
        happened = [table.read_event(body) for body in HAPPENED]
        await store.create(ID, table.read_settings(SETTINGS), happened)
        with store.engine.connect() as connection:
            stored = connection.execute(select(events.c.body).order_by(events.c.sequence)).scalars().all()
            return connection.execute(select(games.c.settings)).scalar_one(), list(stored)

    assert with_store(database, work) == (SETTINGS, HAPPENED)


@pytest.mark.parametrize("body", ['{"kind":"move"}', '{"kind":"dance"}', '{"cell":1}', "[]"])
def test_what_is_no_event_is_not_taken_for_one(body: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        table.read_event(body)
