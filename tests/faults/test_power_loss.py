"""Tests that no acknowledged move is lost if the power fails at any sync or acknowledgement in a series of games.

GRIDLOCK_CRASHES sets how many random subsets of the unsynced writes are tried at each sync.
"""

import asyncio
import json
import os
import random
from pathlib import Path

import pytest
from fault_disk import ACKNOWLEDGED, Disk, layer, run, traced

from gridlock.web.storage import databases
from gridlock.web.storage.store import Store

pytestmark = pytest.mark.slow

CELLS = [0, 2, 4, 6, 8, 18, 20, 22, 24, 26, 36, 38, 40, 42, 44]
OFTEN = "wal_autocheckpoint=8"  # so that the log is checkpointed in the middle of the story, too


class Lost(Exception):
    """An exception raised if an acknowledged move is missing."""


def look(folder: Path, told: dict[str, int]) -> None:
    """Open a database as a server would, and check that it contains every acknowledged move."""
    store = Store(str(folder / "games.sqlite3"), "test")
    store.prepare()
    store.start()

    async def compare() -> None:
        for game, count in told.items():
            found = await store.load(game)
            if found is None or found.sequence < count:
                raise Lost(f"{game}: {count} events were acknowledged")
            assert found.game.moves == CELLS[: found.sequence], "something that nobody did"

    try:
        asyncio.run(compare())
        with store.database.transaction() as connection:
            assert connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
    finally:
        store.stop()


def crashes(tmp_path: Path, pragmas: list[str], tries: int, games: int = 3, moves: int = 6) -> tuple[int, list[str]]:
    """Simulate power losses during some games until data is lost; return the number of power losses, and all errors."""
    trace, image = tmp_path / "trace", tmp_path / "image"
    library = layer(tmp_path)
    run("disk_driver.py", "story", json.dumps(pragmas), str(games), str(moves), library=library,
        disk=tmp_path / "disk", trace=trace)  # fmt: skip
    rng = random.Random(4)
    disk, told, count, lost = Disk(), dict[str, int](), 0, []

    def fail(kept: list[random.Random | None]) -> None:
        nonlocal count
        for chance in kept:
            disk.lose_power(image, chance)
            try:
                look(image, told)
            except Exception as error:  # missing, damaged, or not a database at all
                lost.append(f"{count}: {type(error).__name__}: {error}")
            count += 1

    for what, name, offset, data in traced(trace):
        if lost:
            break
        if name == ACKNOWLEDGED:
            if what == "w":
                game, sequence = json.loads(data)
                told[game] = sequence
                fail([None])
            continue
        if what == "s":  # right before a sync, the most is uncertain
            fail([None, *[rng] * tries])
        disk.happen(what, name, offset, data)
    else:
        fail([None])
        assert len(told) == sum(1 + number % 3 for number in range(games))
    return count, lost


def test_power_loss_at_every_sync_loses_nothing(tmp_path: Path) -> None:
    tries = int(os.environ.get("GRIDLOCK_CRASHES", "2"))
    count, lost = crashes(tmp_path, [*databases.SQLITE, OFTEN], tries)
    assert lost == []
    assert count > 40 * (1 + tries)


@pytest.mark.parametrize("setting", ["NORMAL", "OFF"])
def test_it_would_be_noticed(tmp_path: Path, setting: str) -> None:
    """Check that lost moves are detected: with a weaker database setting, simulated power losses cause lost moves."""
    _, lost = crashes(tmp_path, ["journal_mode=WAL", f"synchronous={setting}", OFTEN], tries=2)
    assert lost
