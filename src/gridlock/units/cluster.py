"""Run units on a Dask cluster."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from gridlock.core.errors import UnitFailed


def run_on_cluster(
    work: Callable[[Any], Any], units: Mapping[str, Any], address: str, stopped: Callable[[], bool]
) -> Iterator[tuple[str, bool, Any]]:
    """Yield (key, True, result) and (key, False, message) as they come, until all units are done or the run stops."""
    raise UnitFailed(f"Clusters are not supported yet: {work}, {units}, {address}, {stopped}.")
    yield
