"""Run units of work on a Dask cluster; only this module needs Dask, which the `cluster` extra installs."""

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

CONNECT_SECONDS = 10  # seconds to wait for the scheduler, and for the first worker
PAUSE = 0.05  # seconds between checks for messages and for a request to stop
COUNT_SECONDS = 2.0  # seconds between counts of the workers
AHEAD = 2  # units submitted per cluster thread: one running and one waiting
SPARE = 8  # extra units, so that a new worker has work at once
MOST_DEATHS = 12  # workers that may die with a unit, running or waiting, before the unit is blamed
ATTEMPTS = 5  # attempts to announce a run to all workers while some of them die
LOCAL = "local:"  # an address that starts a cluster on this machine, as in local:2
ADDRESSES = rf"{LOCAL}[1-9][0-9]?|((tcp|tls|ws|wss)://)?(?!local:)[^\s/]+:[0-9]{{1,5}}"

Versions = tuple[str, str, str]
_one_at_a_time = Lock()  # an engine serves one thread at a time, but a worker may have several threads


def run_on_cluster(
    work: Callable[[Any], Any], take: Take, address: str, stopped: Callable[[], bool], queued: bool
) -> Events:
    """Yield results and messages as they arrive, until no units are left or the run stops.

    If `queued` is set, the cluster gets two units of work per thread plus a few extra units, so that some always wait
    in a queue; otherwise, the cluster gets one unit per thread plus one extra unit. Every result is fetched as soon as
    it is available and then released, so losing the worker that computed the result does no harm. If a worker dies,
    Dask reruns the worker's units of work.
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
    """One run, with the units of work that it has submitted to the cluster."""

    def __init__(self, name: str, client: Client, work: Callable[[Any], Any]) -> None:
        self.name = name
        self.client = client
        self.messages: SimpleQueue[tuple[str, Any]] = SimpleQueue()
        self.units: dict[Future[Any], tuple[str, Any]] = {}  # units submitted but not yet finished
        self.deaths: Counter[str] = Counter()  # how many workers have died with each unit
        client.subscribe_topic(name, lambda event: self.messages.put(pickle.loads(event[1])))
        self._register(_Work(work))
        self.completed = as_completed(loop=client.loop, with_results=True, raise_errors=False)

    def _register(self, work: "_Work") -> None:
        """Send every worker the function to run; try again if a worker dies before receiving the function."""
        for left in reversed(range(ATTEMPTS)):
            try:
                self.client.register_plugin(work, self.name)
                return
            except Exception as error:
                if not isinstance(error, OSError) or not left:
                    raise _explained(error) from error
                time.sleep(PAUSE)

    def events(self, waiting: list[tuple[str, Any]], take: Take, stopped: Callable[[], bool], queued: bool) -> Events:
        """Yield results as they arrive; when units of work finish, submit waiting units first, and then new ones."""
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
        """Return how many units of work should be waiting or running on the cluster.

        If we started the cluster ourselves, also replace workers that Dask has given up on.
        """
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
        """Return the results that have arrived, and resubmit the units of work that must be tried again."""
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
        """Return True if a unit of work is done, and False if it must be tried again; raise its error if it failed.

        Only the result of a unit of work shows reliably whether the unit is done. The status of the unit's `Future` is
        unreliable, because it changes again if the worker dies after the result has been fetched.
        """
        if isinstance(result, CancelledError) and self.client.status != "running":
            raise UnitFailed("The connection to the Dask scheduler was lost.")
        is_error = isinstance(result, tuple) and len(result) > 1 and isinstance(result[1], BaseException)
        error = result[1] if is_error else result
        if isinstance(error, KilledWorker | CancelledError):
            self.deaths[key] += error.allowed_failures + 1 if isinstance(error, KilledWorker) else 1
            if self.deaths[key] >= MOST_DEATHS:
                raise UnitFailed(f"Unit of work {key} crashed {self.deaths[key]} workers, so the run stops here.")
            return False
        if is_error:
            raise _explained(error)
        return True

    def end(self) -> None:
        """Cancel the units of work that are waiting on the cluster, and ask the running units to stop."""
        if self.client.status != "running":
            return
        with suppress(Exception):  # the scheduler may no longer exist
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
            f"No Dask scheduler answers at {address}. Start a scheduler with 'dask scheduler', or check the address."
        ) from error
    try:
        client.wait_for_workers(1, timeout=CONNECT_SECONDS)
        yield client
    except TimeoutError as error:
        raise UnitFailed(
            f"The Dask scheduler at {address} has no workers. Start a worker with 'dask worker {address}'."
        ) from error
    finally:
        client.close()
        if cluster:
            cluster.close()


def _local(address: str) -> LocalCluster | None:
    """Return a new cluster on this machine if the address asks for one."""
    if not address.startswith(LOCAL):
        return None
    with interrupts_held():  # held in the thread that starts the workers, so that Ctrl-C never reaches them
        return LocalCluster(
            n_workers=int(address.removeprefix(LOCAL)),
            threads_per_worker=1,
            dashboard_address=None,
            memory_limit=0,
            silence_logs=logging.CRITICAL,
        )


@contextmanager
def _quiet() -> Iterator[None]:
    """Hide Dask's log messages and warnings; serious problems are reported as errors anyway."""
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
    """Return the exception to raise for a cluster error, with a clear message if the cluster lacks a module."""
    where = "The Dask scheduler" if "deserialization of the task graph" in str(error) else "A cluster worker"
    if where.startswith("The") or isinstance(error, ModuleNotFoundError) or "ModuleNotFoundError" in str(error):
        return UnitFailed(
            f"{where} lacks a module that this run needs. Install the same packages on the cluster as on this machine."
        )
    return error


def _sweep(client: Client) -> None:
    """Remove functions left on the workers by runs whose client was killed."""

    def abandoned(dask_scheduler: Any) -> list[str]:  # nested, so that Dask sends its code
        owners = {name: name.removeprefix("gridlock-") for name in dask_scheduler.worker_plugins}
        return [name for name, owner in owners.items() if owner != name and owner not in dask_scheduler.clients]

    for name in client.run_on_scheduler(abandoned):
        client.unregister_worker_plugin(name)


# -- in the worker ---------------------------------------------------------------------------------------------------


class _Work(WorkerPlugin):
    """A run's function, sent once to each worker, including workers that join later."""

    def __init__(self, work: Callable[[Any], Any]) -> None:
        self.work = work
        self.stopping = False

    def teardown(self, worker: object) -> None:  # noqa: ARG002
        """Tell the unit of work in progress that the whole run has ended."""
        self.stopping = True


def _versions() -> Versions:
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    return __version__, python, version("distributed")


def _perform(run: str, key: str, unit: Any, versions: Versions) -> Any:
    """Run a unit of work, after checking that this worker has the same software versions as the client."""
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
