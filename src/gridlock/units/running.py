"""Run many independent units of work, each of them once, and enter their results into a ledger."""

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
    """Run `work(unit)` for each key that the ledger lacks; return True when all are done, False if stopped.

    `work` is a function of a module, or a `partial` of one, whose result is JSON. It runs in this many processes; with
    0 it runs in this process, and a unit's result is dropped if the run was stopped in the middle of it. A process that
    dies is replaced and its unit repeated; a unit that ends three processes raises UnitFailed, and an exception in a
    unit is raised here. Results reach the ledger as they come, then `finished(key, result)` is called. What a
    unit tells (`worker.tell`) reaches `heard(key, message)`.
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
    """Run units that are chosen one by one, because results decide which ones are needed.

    `take()` returns the next key and unit, or None if there is none before another result arrives. The run ends when it
    is stopped, which cancels the units at work, or when no unit is at work and there is none to take.
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
    """Run the units that `take` returns, here, in processes or on a cluster; if they are queued, take some ahead."""
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
        raise UnitFailed("A cluster needs Dask. Install it with: pip install 'gridlock-games[cluster]'") from None
    return run_on_cluster(work, take, address, stopped, queued)


def _run_here(
    work: Callable[[Any], Any],
    take: Take,
    stopped: Callable[[], bool],
    heard: Callable[[str, Any], None] | None,
) -> Events:
    """Yield (key, True, result) for one unit after another in this process."""
    while not stopped() and (taken := take()):
        key, unit = taken
        result = perform(work, unit, partial(heard, key) if heard else None)
        if stopped():
            return
        yield key, True, result
