"""Tests that engine processes are limited in time and memory, are replaced when they die, and never slow the server."""

import asyncio
import ctypes
import os
import platform
import random
import signal
import struct
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from web_client import client
from web_server import Served

from gridlock.core.game import Game
from gridlock.core.rules import rule_book, variant
from gridlock.play.thinking.process import Failed
from gridlock.play.thinking.worker import LONG
from gridlock.web.net.limits import Allowance
from gridlock.web.thinking import pool as module
from gridlock.web.thinking.pool import Busy, FairPool, Spent
from gridlock.web.thinking.questions import advise, analyse, choose

pytestmark = pytest.mark.slow

GAME = Game(variant(rule_book("chain"), "3x3", "king"))
HARD = Game(variant(rule_book("scatter"), "9x9", "orthogonal"))
HARD.push("1,1")


async def move(workers: FairPool, level: str = "random", seconds: float = 1.0, client: str = "somebody") -> int:
    """Return the cell chosen by a worker."""
    return await workers.ask(client, choose, GAME, seconds, level)


def started(workers: FairPool) -> list[int]:
    """Return the process ids of a pool's workers."""
    return [worker.pid for worker in workers.workers if worker.pid]


def is_there(pid: int) -> bool:
    """Return whether a process exists."""
    return Path(f"/proc/{pid}").exists()


def asked(coroutine_of: Callable[[FairPool], object], size: int = 1, waiting: int = 3) -> object:
    """Call a function with a pool of workers, and stop the workers afterwards."""

    async def run() -> object:
        workers = FairPool("moves", size, nice=5, most_waiting=waiting, most_each=waiting, patience=None)
        try:
            return await coroutine_of(workers)
        finally:
            await workers.stop()

    return asyncio.run(run())


def test_a_worker_answers_again_and_again() -> None:
    async def ask(workers: FairPool) -> None:
        for level in ("random", "perfect"):
            assert 0 <= await move(workers, level) < 9
        assert len(started(workers)) == 1

    asked(ask)


def turn_of(process: int) -> int:
    """Return the length, in nanoseconds, of the time slices that the system gives a process."""
    number = {"x86_64": 315, "aarch64": 275, "riscv64": 275}.get(platform.machine())
    if sys.platform != "linux" or number is None:
        pytest.skip("the number of sched_getattr is not known here")
    attributes = ctypes.create_string_buffer(48)
    assert ctypes.CDLL(None).syscall(number, process, attributes, 48, 0) == 0
    return int(struct.unpack("=IIQiIQQQ", attributes.raw)[5])


def test_a_worker_stands_back_behind_the_server() -> None:
    async def ask(workers: FairPool) -> None:
        await move(workers)
        (worker,) = started(workers)
        assert os.getpriority(os.PRIO_PROCESS, worker) == min(19, os.getpriority(os.PRIO_PROCESS, 0) + 5)
        ordinary = turn_of(os.getpid())
        if not ordinary:
            pytest.skip("turns have no length of their own before Linux 6.12")
        assert turn_of(worker) == LONG > ordinary

    asked(ask)


def test_a_worker_that_dies_is_replaced() -> None:
    async def ask(workers: FairPool) -> None:
        await move(workers)
        (worker,) = started(workers)
        os.kill(worker, signal.SIGKILL)
        with pytest.raises(Failed):
            await move(workers)
        assert await move(workers) in range(9)
        (other,) = started(workers)
        assert other != worker

    asked(ask)


def test_a_worker_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    async def ask(workers: FairPool) -> None:
        await move(workers)
        (worker,) = started(workers)
        os.kill(worker, signal.SIGSTOP)
        monkeypatch.setattr(module, "LATE", 0.1)
        monkeypatch.setattr(workers.workers[0], "_grace", 0.1)
        with pytest.raises(Failed):
            await move(workers, seconds=0.1)
        assert not is_there(worker)
        assert started(workers) == []

    asked(ask)


def test_a_mistake_in_a_question_is_a_failure_and_not_the_end() -> None:
    async def ask(workers: FairPool) -> None:
        with pytest.raises(Failed):
            await move(workers, "no such level")
        assert await move(workers) in range(9)
        assert len(started(workers)) == 1

    asked(ask)


def test_memory_is_limited() -> None:
    async def ask(workers: FairPool) -> str:
        await move(workers)
        (worker,) = started(workers)
        with open(f"/proc/{worker}/limits") as limits:
            return next(line for line in limits if line.startswith("Max address space"))

    assert asked(ask).split()[3] == str(1 << 30)


def test_the_queue_is_bounded_and_departures_make_room() -> None:
    async def ask(workers: FairPool) -> None:
        tasks = [asyncio.create_task(move(workers)) for _ in range(3)]
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await move(workers)
        tasks[0].cancel()
        tasks[1].cancel()
        await asyncio.wait(tasks)
        assert await tasks[2] in range(9)
        assert workers.waiting == 0
        assert not workers._running

    asked(ask, waiting=2)


class Instant(FairPool):
    """A pool of workers that answer only when the test allows it, and record the clients whose questions they took."""

    def __init__(self, size: int, allowance: Allowance | None = None) -> None:
        super().__init__("moves", size, nice=0, most_waiting=100, most_each=10, allowance=allowance, patience=None)
        self.taken: list[str] = []
        self.answered = asyncio.Event()

    async def _ask(self, _question: object, _game: Game, _seconds: float, level: str) -> object:
        self.taken.append(level)  # here, the level names the client
        await self.answered.wait()
        return 0

    def put(self, client: str, seconds: float = 1.0) -> asyncio.Task:
        """Start a task that asks a question for a client."""
        return asyncio.create_task(self.ask(client, choose, GAME, seconds, client))


def test_a_client_with_many_questions_does_not_hold_up_one_with_a_single() -> None:
    async def run() -> None:
        workers = Instant(2)
        greedy = [workers.put("greedy") for _ in range(8)]
        await asyncio.sleep(0)
        assert workers.taken == ["greedy", "greedy"]  # no other client has asked yet
        others = [workers.put("one"), workers.put("two")]
        await asyncio.sleep(0)
        workers.answered.set()
        await asyncio.gather(*greedy, *others)
        assert workers.taken[:4] in (["greedy", "greedy", "one", "two"], ["greedy", "greedy", "two", "one"])
        assert not workers._running
        assert not workers._waiting

    asyncio.run(run())


def test_while_others_wait_a_client_has_one_question_worked_on() -> None:
    async def run() -> None:
        workers = Instant(3)
        asked = [workers.put(client) for client in ("a", "b", "c", "a", "b", "c")]
        await asyncio.sleep(0)
        assert sorted(workers.taken) == ["a", "b", "c"]
        workers.answered.set()
        await asyncio.gather(*asked)

    asyncio.run(run())


def test_a_client_that_waits_too_long_gets_retry_after_and_leaves_nothing() -> None:
    async def run() -> None:
        workers = Instant(1)
        workers.patience = 0.01
        first, second = workers.put("a"), workers.put("b")
        with pytest.raises(Busy) as busy:
            await second
        assert busy.value.retry > 0
        third = workers.put("c")
        await asyncio.sleep(0)
        third.cancel()
        await asyncio.wait([third])
        assert workers.waiting == 0
        workers.answered.set()
        await first
        assert workers.taken == ["a"]
        assert not workers._running

    asyncio.run(run())


def test_work_is_paid_for_in_seconds_and_what_was_not_needed_is_given_back() -> None:
    async def run() -> None:
        allowance = Allowance(10, 1e-9)
        workers = Instant(1, allowance)
        workers.answered.set()
        for _ in range(20):  # each question may take up to 8 seconds but is answered at once
            await workers.put("a", 8.0)
        workers.answered.clear()
        for left in (10, 9, 8):  # each abandoned question costs one second
            with pytest.raises(Spent):
                await workers.put("a", left + 0.1)
            asked = workers.put("a", 5.0)
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            asked.cancel()
            await asyncio.wait([asked])
        with pytest.raises(Spent):
            await workers.put("a", 8.0)
        workers.answered.set()
        await workers.put("b", 8.0)

    asyncio.run(run())


@pytest.mark.slow
def test_thinking_does_not_hold_up_other_games(serve: Callable[..., Served]) -> None:
    async def run() -> None:
        server = serve()
        slow = server.create("scatter", "random")
        quick = server.create("scatter", "screen")
        async with client(server, slow["id"], slow["token"]) as one, client(server, quick["id"], quick["token"]) as two:
            await one.play(0)
            await one.until(thinking=False)
            (worker,) = map(int, Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split())
            os.kill(worker, signal.SIGSTOP)  # the worker appears to think forever
            ply = one.state["ply"]
            await one.play(one.state["board"]["legal"][0])
            assert one.state["thinking"]
            for _ in range(5):
                await two.play(two.state["board"]["legal"][0])
            assert (await one.act("ask", what="takeback"))["type"] == "accepted"
            await one.until(line=1, ply=ply)
            os.kill(worker, signal.SIGCONT)  # the worker's answer arrives too late and is dropped
            await one.play(one.state["board"]["legal"][1])
            await one.until(thinking=False)
            assert one.state["ply"] == ply + 2
        assert server.complaints() == []

    asyncio.run(run())


def test_a_question_whose_asker_has_left_is_cancelled_and_the_worker_stays() -> None:
    async def ask(workers: FairPool) -> None:
        await move(workers)
        (worker,) = started(workers)
        for pause in (0.0, 0.001, 0.05, 0.5):
            asking = asyncio.create_task(workers.ask("somebody", analyse, HARD, 20.0, True))
            await asyncio.sleep(pause)
            asking.cancel()
            begun = time.monotonic()
            await asyncio.wait({asking})
            assert asking.cancelled()
            assert time.monotonic() - begun < 15  # the worker stopped before it had finished
            assert await move(workers) in range(9)  # the worker's next answer belongs to the next question
        assert started(workers) == [worker]

    asked(ask)


LOCKING = """import threading, time
lock, monotonic = threading.Lock(), time.monotonic

def locking_monotonic():  # as a library does that expects no exception from outside
    if not lock.acquire(timeout=2):
        raise SystemExit("nobody would ever unlock it")
    for _ in range(200):
        pass
    lock.release()
    return monotonic()

time.monotonic = locking_monotonic
"""


def test_a_cancel_inside_a_lock_leaves_it_unlocked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """In this test, reading the clock takes a lock, so most cancellations arrive while the lock is held."""
    (tmp_path / "sitecustomize.py").write_text(LOCKING)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)

    async def ask(workers: FairPool) -> None:
        await move(workers)
        (worker,) = started(workers)
        for pause in range(20):
            asking = asyncio.create_task(workers.ask("somebody", analyse, HARD, 20.0, True))
            await asyncio.sleep(pause / 500)
            asking.cancel()
            await asyncio.wait({asking})
            found = await workers.ask("somebody", analyse, GAME, 20.0)
            assert found.moves
        assert started(workers) == [worker]

    asked(ask)


def test_clients_that_leave_at_any_moment_leave_all_workers_free() -> None:
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")
    rng = random.Random(seed)

    async def visit(workers: FairPool, number: int) -> None:
        question, *more = rng.choice(((analyse, True), (advise,), (choose, "perfect")))
        asking = asyncio.create_task(workers.ask(f"client {number % 5}", question, HARD, 20.0, *more))
        for _ in range(rng.randint(1, 3)):  # some clients cancel more than once
            await asyncio.sleep(rng.choice((0.0, 0.001, 0.05)) * rng.random())
            asking.cancel()
        await asyncio.wait({asking})
        assert asking.cancelled() or isinstance(asking.exception(), Busy)

    async def ask(workers: FairPool) -> None:
        for _ in range(10):
            await asyncio.gather(*(visit(workers, number) for number in range(8)))
            for _ in range(2):
                found = await workers.ask("somebody", analyse, GAME, 20.0)
                assert found.verdict == "win"
        assert sorted(map(id, workers._idle)) == sorted(map(id, workers.workers))
        assert not workers._running
        assert not workers.waiting

    asked(ask, size=2, waiting=6)


def test_a_worker_that_does_not_come_back_is_replaced() -> None:
    async def ask(workers: FairPool) -> None:
        await move(workers)
        (worker,) = started(workers)
        os.kill(worker, signal.SIGSTOP)
        workers.workers[0]._grace = 0.1
        asking = asyncio.create_task(move(workers))
        await asyncio.sleep(0.1)
        asking.cancel()
        await asyncio.wait({asking})
        assert not is_there(worker)
        assert await move(workers) in range(9)

    asked(ask)
