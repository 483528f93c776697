"""Tests that a tournament plays the same games on a Dask cluster as locally, even if workers are killed."""

import os
import signal
import threading
from random import Random

import pytest
from plans import plan, without_times

from gridlock.arena.plan import Format
from gridlock.arena.tournament import Tournament

distributed = pytest.importorskip("distributed")
pytestmark = [pytest.mark.deep, pytest.mark.filterwarnings("ignore")]  # Dask warns about deprecated features
KILLS = int(os.environ.get("GRIDLOCK_KILLS", "3"))


@pytest.mark.parametrize("format_", [Format.ROUND_ROBIN, Format.SWISS])
def test_killed_workers_change_nothing(format_: Format, rng: Random) -> None:
    chosen = plan(format_, games=200)
    with Tournament(chosen) as undisturbed:
        assert undisturbed.run(processes=0)
    over, killed = threading.Event(), list[int]()
    settings = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None, "memory_limit": 0}
    with distributed.LocalCluster(**settings, silence_logs=50) as cluster, Tournament(chosen) as tournament:

        def kill() -> None:
            while len(killed) < KILLS and not over.wait(rng.uniform(0.1, 1.0)):
                if workers := list(cluster.scheduler.workers.values()):
                    killed.append(rng.choice(workers).pid)
                    os.kill(killed[-1], signal.SIGKILL)

        killer = threading.Thread(target=kill)
        killer.start()
        try:
            assert tournament.run(cluster=cluster.scheduler_address)
        finally:
            over.set()
            killer.join()
        assert killed
        assert tournament.finished == tournament.total
        assert without_times(tournament.games()) == without_times(undisturbed.games())
