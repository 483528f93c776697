"""Run many independent units of work, each exactly once, and record their results in a ledger."""

from collections.abc import Callable, Mapping
from contextlib import closing
from functools import partial
from typing import Any, TypeVar

from gridlock.core.errors import UnitFailed
from gridlock.units.ledger import Ledger
from gridlock.units.processes import run_locally
from gridlock.units.worker import Events, Take, perform

Unit = TypeVar("Unit")


def run_units(
    work: Callable[[Unit], Any],
    units: Mapping[str, Unit],
    ledger: Ledger,
    *,
    processes: int = 1,
    cluster: str | None = None,
    finished: Callable[[str, Any], None] | None = None,
    stopped: Callable[[], bool] | None = None,
    heard: Callable[[str, Any], None] | None = None,
) -> bool:
    """Run `work(unit)` for each unit of work that the ledger lacks, and return whether all units are done.

    The result is False if the run was stopped before the last unit was done.

    `work` is a module-level function, or a `partial` of one, whose result is JSON. `processes` is the number of worker
    processes. If `processes` is 0, the units of work run in this process, and stopping the run discards the unfinished
    unit. A process that dies is replaced, and its unit of work is repeated. If a unit of work crashes three processes,
    UnitFailed is raised. An exception raised in a unit of work is raised again in this process. Each result is added to
    the ledger as it arrives, and then `finished(key, result)` is called. Messages that units of work send with
    `worker.tell` are passed to `heard(key, message)`.
    """
    todo = [(key, unit) for key, unit in units.items() if key not in ledger.done]
    if not todo:
        return True
    waiting = iter(todo)

    def add(key: str, result: Any) -> None:
        ledger.add(key, result)
        if finished:
            finished(key, ledger.done[key])

    ends = stopped or (lambda: False)
    _run(work, lambda: next(waiting, None), add, processes, cluster, ends, heard, queued=True)
    return all(key in ledger.done for key in units)


def run_chosen(
    work: Callable[[Unit], Any],
    take: Callable[[], tuple[str, Unit] | None],
    finished: Callable[[str, Any], None],
    *,
    processes: int,
    cluster: str | None,
    stopped: Callable[[], bool],
    heard: Callable[[str, Any], None],
) -> None:
    """Run units of work that are chosen one by one, because earlier results decide which units are needed.

    `take()` returns the next key and unit, or None if no unit can be chosen before another result arrives. The run ends
    when it is stopped (which cancels the running units of work), or when no unit is running and none is left to take.
    """
    _run(work, take, finished, processes, cluster, stopped, heard, queued=False)


def _run(
    work: Callable[[Any], Any],
    take: Take,
    finished: Callable[[str, Any], None],
    processes: int,
    cluster: str | None,
    stopped: Callable[[], bool],
    heard: Callable[[str, Any], None] | None,
    queued: bool,
) -> None:
    """Run the units of work that `take` returns: in this process, in other processes, or on a cluster.

    If `queued` is set, a cluster is given some units of work in advance.
    """
    if cluster is not None:
        events = _on_cluster(work, take, cluster, stopped, queued)
    elif processes:
        events = run_locally(work, take, processes, stopped)
    else:
        events = _run_here(work, take, stopped, heard)
    with closing(events):
        for key, is_result, content in events:
            if is_result:
                finished(key, content)
            elif heard:
                heard(key, content)


def _on_cluster(
    work: Callable[[Any], Any], take: Take, address: str, stopped: Callable[[], bool], queued: bool
) -> Events:
    try:
        from gridlock.units.cluster import run_on_cluster
    except ModuleNotFoundError:
        raise UnitFailed("Dask is not installed. Install it with: pip install 'gridlock-games[cluster]'") from None
    return run_on_cluster(work, take, address, stopped, queued)


def _run_here(
    work: Callable[[Any], Any],
    take: Take,
    stopped: Callable[[], bool],
    heard: Callable[[str, Any], None] | None,
) -> Events:
    """Run one unit of work after another in this process, and yield (key, True, result) for each."""
    while not stopped() and (taken := take()):
        key, unit = taken
        result = perform(work, unit, partial(heard, key) if heard else None)
        if stopped():
            return
        yield key, True, result
