"""Tests that database jobs are limited in number and duration, and that an abandoned job is never run later."""

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from gridlock.web.storage import jobs
from gridlock.web.storage.jobs import Slow
from gridlock.web.storage.rows import Damaged
from gridlock.web.storage.store import Store


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """A store with short timeouts."""
    monkeypatch.setattr(jobs, "PATIENCE", 0.3)
    monkeypatch.setattr(jobs, "BRIEF", 0.3)
    store = Store(str(tmp_path / "games.sqlite3"), "test")
    store.prepare()
    with store.database.transaction(writes=True) as connection:
        connection.execute(text("CREATE TABLE notes (note TEXT)"))
    yield store
    store.stop()


def note(words: str, gate: threading.Event | None = None) -> object:
    """Return a job that writes a note to the database; if a gate is given, the job first waits for it to open."""

    def work(connection: Connection) -> str:
        if gate:
            gate.wait()
        connection.execute(text("INSERT INTO notes VALUES (:words)"), {"words": words})
        return words

    return work


async def notes(store: Store) -> list[str]:
    """Return the notes in the database."""
    return await store.read(lambda connection: list(connection.execute(text("SELECT note FROM notes")).scalars()))


def test_what_is_given_up_before_it_began_never_happens(store: Store) -> None:
    late: list[str] = []
    store.start(late.append)

    async def run() -> None:
        gate = threading.Event()
        first = asyncio.create_task(store.write(note("first", gate), "game1"))
        await asyncio.sleep(0.05)  # the first job is now running
        second = asyncio.create_task(store.write(note("second"), "game2"))
        left = asyncio.create_task(store.write(note("left"), "game3"))
        await asyncio.sleep(0.05)
        left.cancel()  # as if the client had disconnected
        for task in (first, second):
            with pytest.raises(Slow):
                await task
        gate.set()
        while not late:
            await asyncio.sleep(0.01)
        assert await store.write(note("third")) == "third"
        assert await notes(store) == ["first", "third"]
        assert late == ["game1"]  # the running job could not be cancelled and finished late

    asyncio.run(run())


def test_while_nothing_is_answered_nothing_grows(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "MOST_WAITING", 20)
    store.start()

    async def run() -> None:
        gate = threading.Event()
        asked = [asyncio.create_task(store.write(note("first", gate)))]
        await asyncio.sleep(0.05)
        asked += [asyncio.create_task(store.write(note("x"))) for _ in range(200)]
        await asyncio.sleep(0.05)
        assert len(store._writes._jobs) == 20
        answers = await asyncio.gather(*asked, return_exceptions=True)
        assert all(isinstance(answer, Slow) for answer in answers)
        # When a caller gives up, its job is dropped, so there is room for new jobs.
        again = [asyncio.create_task(store.write(note(f"again{number}"))) for number in range(5)]
        await asyncio.sleep(0.05)
        assert len(store._writes._jobs) == 5
        gate.set()
        await asyncio.gather(*again)
        assert await notes(store) == ["first", *(f"again{number}" for number in range(5))]

    asyncio.run(run())


def test_one_that_fails_does_not_take_others_along(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "PATIENCE", 60.0)  # on a busy machine, a short timeout would expire
    monkeypatch.setattr(jobs, "BRIEF", 60.0)
    store.start()

    def wrong(_connection: Connection) -> None:
        raise Damaged("x", "it is damaged")

    async def run() -> None:
        gate = threading.Event()
        first = asyncio.create_task(store.write(note("first", gate)))
        await asyncio.sleep(0.05)
        while store._writes._jobs:  # wait until the job has started, which takes longer on a busy machine
            await asyncio.sleep(0.01)
        together = [note("a"), wrong, note("b")]
        asked = [asyncio.create_task(store.write(work)) for work in together]
        alone = asyncio.create_task(store.write(note("c"), alone=True))
        await asyncio.sleep(0.05)
        gate.set()
        answers = await asyncio.gather(first, *asked, alone, return_exceptions=True)
        assert isinstance(answers[2], Damaged)
        assert [answer for answer in answers if isinstance(answer, str)] == ["first", "a", "b", "c"]
        assert sorted(await notes(store)) == ["a", "b", "c", "first"]
        assert store.damaged == {"x"}

    asyncio.run(run())


def test_one_that_must_be_alone_takes_turns_with_all_others(store: Store) -> None:
    store.start()
    done: list[str] = []

    def job(words: str, gate: threading.Event | None = None) -> object:
        def work(_connection: Connection) -> None:
            if gate:
                gate.wait()
            done.append(words)

        return work

    async def run() -> None:
        gate = threading.Event()
        asked = [asyncio.create_task(store.write(job("first", gate)))]
        await asyncio.sleep(0.05)
        asked += [asyncio.create_task(store.write(job(f"large{number}"), alone=True)) for number in range(5)]
        asked += [asyncio.create_task(store.write(job(f"small{number}"), f"{number}")) for number in range(3)]
        await asyncio.sleep(0.05)
        gate.set()
        await asyncio.gather(*asked)
        assert done == ["first", "large0", "small0", "small1", "small2", "large1", "large2", "large3", "large4"]

    asyncio.run(run())


def test_a_thread_survives_whatever_a_job_does(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    store.start()

    async def run() -> None:
        for error in (MemoryError(), KeyError("x"), RecursionError()):

            def wrong(_connection: Connection, error: Exception = error) -> None:
                raise error

            for ask in (store.read, store.write):
                with pytest.raises(type(error)):
                    await ask(wrong)
        assert await store.write(note("after")) == "after"
        assert store.works

    asyncio.run(run())
    assert caplog.records == []


def test_nothing_is_taken_on_any_more_when_it_stops(store: Store) -> None:
    store.start()

    async def run() -> None:
        asked = [asyncio.create_task(store.write(note(str(number)))) for number in range(5)]
        await asyncio.sleep(0.01)
        await asyncio.to_thread(store.stop)
        assert await asyncio.gather(*asked) == ["0", "1", "2", "3", "4"]
        with pytest.raises(Slow):
            await store.write(note("late"))

    asyncio.run(run())
