"""Tests of salvage: everything readable in a damaged SQLite file, and nothing else, is copied to a new file."""

import asyncio
import contextlib
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner
from web_server import Served

from gridlock.web.command import serve as command
from gridlock.web.referee.table import Moved, Settings, Table
from gridlock.web.storage import rows, schema
from gridlock.web.storage.databases import lock
from gridlock.web.storage.rows import Damaged
from gridlock.web.storage.salvage import salvage
from gridlock.web.storage.sqlite_pages import records
from gridlock.web.storage.store import Store
from gridlock.web.wire.messages import TimeControl

PAGE = 4096
SETTINGS = Settings(
    game="scatter", board="8x8", adjacency="king", starts=1, swap=False, opponent="screen", seat=1,
    names=("Ada", "グレース"), seats=("h", "h"), watch=("w", "w"), invitation=None,
    clock=TimeControl(seconds=60, increment=1),
)  # fmt: skip
CELLS = [0, 2, 4, 6, 16, 18, 20, 22, 32, 34, 36, 38]


def seeded() -> int:
    """Return a new random seed, and print it."""
    seed = Random().randrange(10**6)
    print(f"seed {seed}")
    return seed


def with_store(file: Path, work: Callable[[Store], object]) -> object:
    """Open a store, run a function with it, and close it."""
    store = Store(str(file), "test")
    store.prepare()
    store.start()
    try:
        return asyncio.run(work(store))
    finally:
        store.stop()


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, int]]:
    """An undamaged database with some games purged, together with the number of events in each remaining game."""
    file = tmp_path_factory.mktemp("sound") / "games.sqlite3"
    rng = Random(7)
    counts = {f"game{number:018}": rng.randrange(len(CELLS) + 1) for number in range(300)}

    purged = {f"purged{number:016}": len(CELLS) for number in range(200)}
    store = Store(str(file), "test")
    store.prepare()
    with store.database.transaction(writes=True) as connection:
        for id, count in (counts | purged).items():
            happened = [Moved(cell, at=100 * at) for at, cell in enumerate(CELLS[:count])]
            rows.create(connection, id, SETTINGS, happened, store.dates.now())
    with store.database.transaction(writes=True) as connection:
        connection.execute(schema.games.delete().where(schema.games.c.id > "p"))
        connection.execute(schema.events.delete().where(schema.events.c.game > "p"))
    store.database.close()
    return file, counts


def loaded(file: Path, ids: list[str]) -> dict[str, int | str | None]:
    """Return what a server finds for each game: its number of events, "damaged", or None if the game is missing."""

    async def work(store: Store) -> dict[str, int | str | None]:
        found: dict[str, int | str | None] = {}
        for id in ids:
            try:
                table = await store.load(id)
                found[id] = table.sequence if isinstance(table, Table) else None
            except Damaged:
                found[id] = "damaged"
        return found

    return with_store(file, work)  # type: ignore[return-value]


def test_of_a_sound_file_everything_is_copied(sound: tuple[Path, dict[str, int]], tmp_path: Path) -> None:
    file, counts = sound
    before = file.read_bytes()
    found = salvage(str(file), tmp_path / "new")
    assert found == (len(counts), [], 0)
    assert file.read_bytes() == before
    assert loaded(tmp_path / "new", list(counts)) == counts
    for path in (file, tmp_path / "new"):
        with contextlib.closing(sqlite3.connect(path)) as connection:
            stored = connection.execute("SELECT * FROM events ORDER BY game, sequence").fetchall()
            # Ignore the columns that describe the client.
            made = [row[:-3] for row in connection.execute("SELECT * FROM games ORDER BY id")]
            version, ticks = connection.execute("SELECT version, ticks FROM gridlock").fetchone()
        if path == file:
            expected = stored, made
    assert (stored, made) == expected
    assert (version, ticks) == (schema.VERSION, 100 * (len(CELLS) - 1))
    assert {one.name for one in tmp_path.iterdir()} <= {"new", "new.lock"}


@pytest.mark.slow
def test_of_a_damaged_file_nothing_readable_is_lost_and_nothing_wrong_comes_up(
    sound: tuple[Path, dict[str, int]], tmp_path: Path
) -> None:
    file, counts = sound
    rng = Random(seeded())
    totals: Counter[str] = Counter()
    for number in range(14):
        damaged = tmp_path / f"damaged{number}"
        shutil.copy(file, damaged)
        count = file.stat().st_size // PAGE
        pages = sorted({0 if number % 3 == 0 else rng.randrange(count), *rng.sample(range(count), 2)})
        with damaged.open("r+b") as content:
            for page in pages:
                content.seek(page * PAGE + rng.choice([0, rng.randrange(PAGE // 2)]))
                content.write(rng.randbytes(rng.choice([64, 512, PAGE // 2])))
        before = damaged.read_bytes()
        new = tmp_path / f"new{number}"
        found = salvage(str(damaged), new)
        assert damaged.read_bytes() == before
        now = loaded(new, list(counts))
        intact = [id for id, count in now.items() if isinstance(count, int)]
        assert all(now[id] == counts[id] for id in intact), pages
        # Some games reported as damaged may have been purged earlier.
        assert sum(1 for one in now.values() if one == "damaged") <= len(found.damaged), pages
        assert len(intact) >= 100, pages
        totals.update(intact=len(intact), damaged=len(found.damaged), lost=found.lost)
    print(f"14 files of {len(counts)} games: {dict(totals)}")


def test_records_are_those_that_sqlite_reads(tmp_path: Path) -> None:
    rng = Random(seeded())
    file = tmp_path / "any"
    with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA page_size={rng.choice([512, 1024, 4096, 65536])}")
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("CREATE TABLE a (x, y, z, w)")
        connection.execute("CREATE TABLE b (x, y, z, w, v, PRIMARY KEY (x, y)) WITHOUT ROWID")
        written: dict[int, list[tuple[object, ...]]] = {4: [], 5: []}
        connection.execute("BEGIN")
        for number in range(400):
            size = rng.choice([0, 3, 200, 1100, 5000, 20000]) if number % 10 == 0 else rng.randrange(300)
            text = "".join(rng.choices("aé日", k=size))
            row = (text, rng.choice([None, 0, 1, -1, 200, -40000, 2**40, -(2**63)]), rng.random(), rng.randbytes(5))
            written[4].append(row)
            connection.execute("INSERT INTO a VALUES (?, ?, ?, ?)", row)
            written[5].append((f"{number}", number, *row[1:]))
            connection.execute("INSERT INTO b VALUES (?, ?, ?, ?, ?)", written[5][-1])
            if number in (200, 399):
                connection.execute("COMMIT")
                connection.execute("PRAGMA wal_checkpoint") if number == 200 else None
                connection.execute("BEGIN")  # the last transaction is never committed
        connection.executemany("INSERT INTO a VALUES ('never', ?, 0.5, '')", [(number,) for number in range(5000)])
        read: dict[int, list[tuple[object, ...]]] = {4: [], 5: []}
        for values in records(file):
            if len(values) in read and values[0] != "table":  # skip rows that describe a table
                read[len(values)].append(tuple(values))
        connection.execute("ROLLBACK")
    for length, expected in written.items():
        assert Counter(read[length]) == Counter(expected)


@pytest.mark.parametrize(
    "content", [b"", b"SQLite format 3\0", bytes(range(256)) * 64, b"\x0d" * 20000, b"\x02\xff" * 9999]
)
def test_what_holds_no_games_is_told(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "old").write_bytes(content)
    (tmp_path / "old-wal").write_bytes(content)
    told = CliRunner().invoke(command, ["--database", str(tmp_path / "old"), "--salvage", str(tmp_path / "new")])
    assert told.exit_code == 1
    assert told.output == f"Error: nothing was copied: no game can be read in {tmp_path / 'old'}.\n"
    assert {one.name for one in tmp_path.iterdir()} == {"old", "old-wal"}


def test_what_cannot_be_salvaged_is_told(sound: tuple[Path, dict[str, int]], tmp_path: Path) -> None:
    file, _ = sound
    (tmp_path / "there").write_text("precious")
    for old, new, words in [
        (tmp_path / "missing", "new", "there is no file"),
        (file, "there", "already exists; give the name of a new file"),
        ("postgresql://x/y", "new", "only a SQLite file can be salvaged"),
    ]:
        told = CliRunner().invoke(command, ["--database", str(old), "--salvage", str(tmp_path / new)])
        assert (told.exit_code, told.output.count("\n"), told.output[-2:]) == (1, 1, ".\n")
        assert words in told.output
    assert (tmp_path / "there").read_text() == "precious"
    with contextlib.closing(lock(file)):
        told = CliRunner().invoke(command, ["--database", str(file), "--salvage", str(tmp_path / "new")])
        assert f"another server is already using {file}" in told.output


@pytest.mark.slow
def test_a_server_that_cannot_start_names_the_command_that_helps(serve: Callable[..., Served], tmp_path: Path) -> None:
    server = serve()
    games = [server.create("scatter", "screen", setup={"moves": ["1,1"]}) for _ in range(3)]
    server.end()
    old, new = tmp_path / "games.sqlite3", tmp_path / "saved.sqlite3"
    with old.open("r+b") as content:
        content.write(b"\xff" * 200)
    failing = Served(str(old), tmp_path / "log-failing")
    failing.launch()
    assert failing.process is not None
    assert failing.process.wait(30) == 1
    failing.close()
    said = failing.log.read_text().splitlines()[-1]
    assert "the database cannot be used: file is not a database. Restore a backup, or copy every readable game" in said
    assert said.endswith(f" with: gridlock serve --database {old} --salvage NEW_FILE")
    told = CliRunner().invoke(command, ["--database", str(old), "--salvage", str(new)])
    assert told.output == f"Intact games copied to {new}: 3\nNow start the server with --database {new}\n"
    saved = Served(str(new), tmp_path / "log-saved").start()
    try:
        for made in games:
            status, state = saved.get(f"/api/games/{made['id']}", made["token"])
            assert (status, state["ply"]) == (200, 1)
        assert saved.get("/health")[0] == 200
    finally:
        saved.close()
