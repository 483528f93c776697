"""Run units on a Dask cluster: the only module that needs Dask (extra `cluster`)."""

import logging
import pickle
import re
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import version
from queue import SimpleQueue
from threading import Lock
from typing import Any, cast

from distributed import (
    CancelledError,
    Client,
    Future,
    KilledWorker,
    LocalCluster,
    WorkerPlugin,
    as_completed,
    get_worker,
)

from gridlock import __version__
from gridlock.core.errors import UnitFailed
from gridlock.units.interrupts import interrupts_held
from gridlock.units.worker import Events, Take, perform

CONNECT_SECONDS = 10  # to wait for the scheduler, and for a first worker
PAUSE = 0.05  # seconds between two looks at messages, and at whether the run is to stop
COUNT_SECONDS = 2.0  # between two counts of the workers
AHEAD = 2  # units submitted for each thread of the cluster: one at work, one that waits
SPARE = 8  # and some more, so that a new worker finds work at once
MOST_DEATHS = 12  # of workers that had a unit, before the unit is blamed: those that only waited there count, too
ATTEMPTS = 5  # to tell all workers about a run while some of them die
LOCAL = "local:"  # an address that starts a cluster on this machine, as in local:2
ADDRESSES = rf"{LOCAL}[1-9][0-9]?|((tcp|tls|ws|wss)://)?(?!local:)[^\s/]+:[0-9]{{1,5}}"

Versions = tuple[str, str, str]
_one_at_a_time = Lock()  # engines serve one thread, and a worker may have several


def run_on_cluster(
    work: Callable[[Any], Any], take: Take, address: str, stopped: Callable[[], bool], queued: bool
) -> Events:
    """Yield results and messages as they come, until no units are left or the run stops.

    If the units are queued, the cluster has more of them than it has threads. Every result is fetched as soon as it is
    there and then released, so that the loss of the worker that found it changes nothing. Dask repeats the units of a
    worker that dies.
    """
    first = take()
    if first is None:
        return
    with _quiet(), _connected(address) as client:
        _sweep(client)
        run = _Run(f"gridlock-{client.id}", client, work)
        try:
            yield from run.events([first], take, stopped, queued)
        finally:
            run.end()


class _Run:
    """The units of one run that are at the cluster."""

    def __init__(self, name: str, client: Client, work: Callable[[Any], Any]) -> None:
        self.name = name
        self.client = client
        self.messages: SimpleQueue[tuple[str, Any]] = SimpleQueue()
        self.units: dict[Future[Any], tuple[str, Any]] = {}  # submitted and not answered
        self.deaths: Counter[str] = Counter()  # of workers that had a unit
        client.subscribe_topic(name, lambda event: self.messages.put(pickle.loads(event[1])))
        self._register(_Work(work))
        self.completed = as_completed(loop=client.loop, with_results=True, raise_errors=False)

    def _register(self, work: "_Work") -> None:
        """Tell all workers what to do; one that dies meanwhile is replaced."""
        for left in reversed(range(ATTEMPTS)):
            try:
                self.client.register_plugin(work, self.name)
                return
            except Exception as error:
                if not isinstance(error, OSError) or not left:
                    raise _explained(error) from error
                time.sleep(PAUSE)

    def events(self, waiting: list[tuple[str, Any]], take: Take, stopped: Callable[[], bool], queued: bool) -> Events:
        """Yield what arrives, and submit more units as others finish: those that wait, then what there is to take."""
        room, counted = 0, -COUNT_SECONDS
        while not stopped():
            if time.monotonic() - counted >= COUNT_SECONDS:
                room, counted = self._room(queued), time.monotonic()
            some: list[tuple[str, Any]] = []
            while len(self.units) + len(some) < room and (taken := waiting.pop() if waiting else take()):
                some.append(taken)
            self._submit(some)
            if not self.units:
                return
            for key, result in self._arrived():
                yield key, True, result
            while not self.messages.empty():
                key, message = self.messages.get()
                yield key, False, message
            with self.completed.thread_condition:
                if not self.completed.has_ready():
                    self.completed.thread_condition.wait(PAUSE)

    def _room(self, queued: bool) -> int:
        """Return how many units to have at the cluster; in one of our own, replace workers that Dask has given up."""
        if self.client.cluster:
            self.client.cluster.scale(len(self.client.cluster.worker_spec))
        threads: dict[str, int] = self.client.nthreads()
        return AHEAD * sum(threads.values()) + SPARE if queued else sum(threads.values()) + 1

    def _submit(self, some: list[tuple[str, Any]]) -> None:
        if some:
            futures = self.client.map(
                _perform,
                [self.name] * len(some),
                [key for key, _ in some],
                [unit for _, unit in some],
                versions=_versions(),
                key=[(self.name, key, self.deaths[key]) for key, _ in some],
                pure=False,
            )
            self.units.update(zip(futures, some, strict=True))
            self.completed.update(futures)

    def _arrived(self) -> list[tuple[str, Any]]:
        """Return the results that have arrived; from now on, their workers are not needed any more."""
        results, again = [], []
        for future, result in self.completed.next_batch(block=False):
            unit = self.units.pop(future)
            if self._check(unit[0], result):
                results.append((unit[0], result))
            else:
                again.append(unit)
            future.release()
        self._submit(again)
        return results

    def _check(self, key: str, result: Any) -> bool:
        """Return whether a unit is done, and not to be tried again; raise the error that it ended with.

        Only the result counts: the future's status changes again if a worker dies after its result was fetched.
        """
        if isinstance(result, CancelledError) and self.client.status != "running":
            raise UnitFailed("The connection to the Dask scheduler is lost.")
        is_error = isinstance(result, tuple) and len(result) > 1 and isinstance(result[1], BaseException)
        error = result[1] if is_error else result
        if isinstance(error, KilledWorker | CancelledError):
            self.deaths[key] += error.allowed_failures + 1 if isinstance(error, KilledWorker) else 1
            if self.deaths[key] >= MOST_DEATHS:
                raise UnitFailed(f"Unit {key} ended {self.deaths[key]} workers, so the run stops here.")
            return False
        if is_error:
            raise _explained(error)
        return True

    def end(self) -> None:
        """Cancel what is at the cluster; a unit that is at work there is told to stop."""
        if self.client.status != "running":
            return
        with suppress(Exception):  # the scheduler may be gone
            self.client.cancel(list(self.units), force=True)
            self.client.unregister_worker_plugin(self.name)
            self.client.unsubscribe_topic(self.name)


@contextmanager
def _connected(address: str) -> Iterator[Client]:
    """Connect to a scheduler that has a worker, or start a cluster on this machine."""
    if not re.fullmatch(ADDRESSES, address):
        raise UnitFailed(f"{address} is not a cluster: give the address of a Dask scheduler, as in tcp://HOST:8786.")
    cluster = _local(address)
    try:
        client = Client(cluster or address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, ImportError, TypeError) as error:
        raise UnitFailed(
            f"No Dask scheduler answers at {address}. Start one with 'dask scheduler', or check the address."
        ) from error
    try:
        client.wait_for_workers(1, timeout=CONNECT_SECONDS)
        yield client
    except TimeoutError as error:
        raise UnitFailed(
            f"The Dask scheduler at {address} has no workers. Start one with 'dask worker {address}'."
        ) from error
    finally:
        client.close()
        if cluster:
            cluster.close()


def _local(address: str) -> LocalCluster | None:
    """Return a new cluster on this machine if the address asks for one."""
    if not address.startswith(LOCAL):
        return None
    with interrupts_held():  # in the thread that starts the workers, so that Ctrl-C never reaches them
        return LocalCluster(
            n_workers=int(address.removeprefix(LOCAL)),
            threads_per_worker=1,
            dashboard_address=None,
            memory_limit=0,
            silence_logs=logging.CRITICAL,
        )


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep Dask's own log and warnings off the terminal: what matters is reported as an error."""
    log = logging.getLogger("distributed")
    level = log.level
    log.setLevel(logging.CRITICAL + 1)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        log.setLevel(level)


def _explained(error: Exception) -> Exception:
    """Return the error to raise for one that the cluster reported: a sentence if it lacks what a run needs."""
    where = "The Dask scheduler" if "deserialization of the task graph" in str(error) else "A worker of the cluster"
    if where.startswith("The") or isinstance(error, ModuleNotFoundError) or "ModuleNotFoundError" in str(error):
        return UnitFailed(f"{where} cannot load this run. Install the same packages there as here.")
    return error


def _sweep(client: Client) -> None:
    """Remove the functions of runs whose client was killed."""

    def abandoned(dask_scheduler: Any) -> list[str]:  # nested, so that it is sent as it is
        owners = {name: name.removeprefix("gridlock-") for name in dask_scheduler.worker_plugins}
        return [name for name, owner in owners.items() if owner != name and owner not in dask_scheduler.clients]

    for name in client.run_on_scheduler(abandoned):
        client.unregister_worker_plugin(name)


# -- in the worker ---------------------------------------------------------------------------------------------------


class _Work(WorkerPlugin):
    """The function of a run, which every worker gets once, also one that joins later."""

    def __init__(self, work: Callable[[Any], Any]) -> None:
        self.work = work
        self.stopping = False

    def teardown(self, worker: object) -> None:  # noqa: ARG002
        """Tell the unit at work that its run has ended."""
        self.stopping = True


def _versions() -> Versions:
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    return __version__, python, version("distributed")


def _perform(run: str, key: str, unit: Any, versions: Versions) -> Any:
    """Run a unit in a worker that has the same versions as the client."""
    worker = get_worker()
    if versions != (ours := _versions()):
        words = "GridLock {} on Python {} with Dask {}"
        raise UnitFailed(
            f"Worker {worker.address} has {words.format(*ours)}, but this run needs {words.format(*versions)}."
        )
    plugin = cast(_Work, worker.plugins[run])
    with _one_at_a_time:
        return perform(
            plugin.work,
            unit,
            lambda message: worker.log_event(run, pickle.dumps((key, message))),
            lambda: plugin.stopping,
        )
