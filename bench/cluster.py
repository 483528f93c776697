"""Simulate long runs on large clusters, and measure the costs that the simulation assumes.

    python -m bench.cluster                     efficiency of 1 to 1,000 workers for units of 0.1 to 60 s
    python -m bench.cluster --workers 1000      one size
    python -m bench.cluster --measure           what a unit costs Dask's scheduler and the client, on this machine

A worker takes the next unit of work from its own short queue. When a unit of work is finished, the scheduler and then
the client need some processor time before the client submits the next unit. Workers die at random and restart; units
that were interrupted are repeated. The column `limit` names the bottleneck of the run; "last units" means that most
workers were idle while the longest units finished.
"""

import argparse
import heapq
import subprocess
import sys
import tempfile
import time
from collections import deque
from itertools import count
from pathlib import Path
from random import Random
from typing import NamedTuple

from gridlock.units.ledger import Ledger
from gridlock.units.running import run_units

AHEAD, SPARE = 2, 8  # units submitted per worker, and extra units in total, as in gridlock/units/cluster.py
SIZES = (1, 10, 100, 1000)
LENGTHS = (0.1, 1.0, 10.0, 60.0)
ROUNDS = 50  # units for each worker, on average
SATURATED = 0.9


class Costs(NamedTuple):
    """How many seconds of processor time each unit of work costs, and how often workers die."""

    scheduler: float = 0.0013
    client: float = 0.0011  # including the ledger
    deaths: float = 0.1  # per worker and hour
    restart: float = 10.0


class Outcome(NamedTuple):
    """The results of a simulated run: how long it took, and how the time was used."""

    seconds: float
    efficiency: float  # the share of the workers' time that went into results
    scheduler: float  # the share of the time for which the scheduler was busy
    client: float
    repeated: int

    @property
    def limit(self) -> str:
        """The bottleneck of the run."""
        name, share = max((("scheduler", self.scheduler), ("client", self.client)), key=lambda one: one[1])
        return name if share > SATURATED else "workers" if self.efficiency > SATURATED else "last units"


class Server:
    """A process that handles one request at a time."""

    def __init__(self) -> None:
        self.free = self.busy = 0.0

    def serve(self, now: float, seconds: float) -> float:
        """Return the finishing time of a request that arrives at `now` and takes `seconds` seconds."""
        self.free = max(self.free, now) + seconds
        self.busy += seconds
        return self.free


class Simulation:
    """A simulated run, which handles its events in chronological order."""

    def __init__(self, workers: int, lengths: list[float], costs: Costs, rng: Random) -> None:
        self.lengths, self.costs, self.rng = lengths, costs, rng
        self.scheduler, self.client = Server(), Server()
        self.queues: list[deque[int]] = [deque() for _ in range(workers)]
        self.at_work: list[int | None] = [None] * workers
        self.life = [0] * workers  # counts deaths, so that units which a dead worker was about to finish are ignored
        self.down = [False] * workers
        self.idle = set(range(workers))
        self.next_unit = self.done = self.repeated = 0
        self.events: list[tuple[float, int, str, int, int, int]] = []
        self.number = count()

    def run(self) -> Outcome:
        """Run until every unit is recorded."""
        workers, now = len(self.queues), 0.0
        for place in range(min(AHEAD * workers + SPARE, len(self.lengths))):
            self._submit(0.0, place % workers)
        if self.costs.deaths:
            for worker in range(workers):
                self._plan_death(0.0, worker)
        while self.done < len(self.lengths):
            now, _, kind, worker, unit, life = heapq.heappop(self.events)
            if kind == "finished" and life == self.life[worker]:
                self.at_work[worker] = None
                self._plan(self.scheduler.serve(now, self.costs.scheduler / 2), "arrived", worker, unit)
                self._start(now, worker)
            elif kind == "arrived":
                self._plan(self.client.serve(now, self.costs.client), "recorded", worker, unit)
            elif kind == "recorded":
                self.done += 1
                self._submit(now, worker)
            elif kind == "assigned":
                self._take(now, worker, unit)
            elif kind == "death":
                self._die(now, worker)
            elif kind == "back":
                self.down[worker] = False
                self.idle.add(worker)
                self._start(now, worker)
        work = sum(self.lengths)
        return Outcome(now, work / (now * workers), self.scheduler.busy / now, self.client.busy / now, self.repeated)

    def _plan(self, at: float, kind: str, worker: int, unit: int = -1) -> None:
        heapq.heappush(self.events, (at, next(self.number), kind, worker, unit, self.life[worker]))

    def _plan_death(self, now: float, worker: int) -> None:
        self._plan(now + self.rng.expovariate(self.costs.deaths / 3600), "death", worker)

    def _submit(self, now: float, worker: int) -> None:
        """Submit the next unit of work for the worker that has just finished one."""
        if self.next_unit < len(self.lengths):
            self._plan(self.scheduler.serve(now, self.costs.scheduler / 2), "assigned", worker, self.next_unit)
            self.next_unit += 1

    def _take(self, now: float, worker: int, unit: int) -> None:
        if self.down[worker]:
            worker = next(iter(self.idle)) if self.idle else self.rng.randrange(len(self.queues))
        self.queues[worker].append(unit)
        self._start(now, worker)

    def _start(self, now: float, worker: int) -> None:
        """Let a worker start its next unit of work; if its queue is empty, take a unit from another worker's queue."""
        if self.down[worker] or self.at_work[worker] is not None:
            return
        queue = self.queues[worker]
        if not queue:
            victim = self.rng.randrange(len(self.queues))  # Dask considers all workers, but a random one will do here
            queue = self.queues[victim] if len(self.queues[victim]) > 1 or self._last(victim) else queue
        if not queue:
            self.idle.add(worker)
            return
        self.idle.discard(worker)
        unit = queue.popleft()
        self.at_work[worker] = unit
        self._plan(now + self.lengths[unit], "finished", worker, unit)

    def _last(self, victim: int) -> bool:
        """Return whether all units of work have been submitted and a given worker's queue is not empty.

        Once all units of work have been submitted, an idle worker may take even the only unit in another worker's
        queue.
        """
        return self.next_unit == len(self.lengths) and bool(self.queues[victim])

    def _die(self, now: float, worker: int) -> None:
        lost = list(self.queues[worker])
        if (unit := self.at_work[worker]) is not None:
            lost.append(unit)
            self.repeated += 1
        self.queues[worker].clear()
        self.at_work[worker] = None
        self.life[worker] += 1
        self.down[worker] = True
        self.idle.discard(worker)
        for unit in lost:
            self._plan(self.scheduler.serve(now, self.costs.scheduler / 2), "assigned", worker, unit)
        self._plan(now + self.costs.restart, "back", worker)
        self._plan_death(now + self.costs.restart, worker)


def simulate(workers: int, seconds: float, costs: Costs, rounds: int = ROUNDS, seed: int = 1) -> Outcome:
    """Simulate a run whose units of work take `seconds` seconds on average; some units take several times as long."""
    rng = Random(f"{seed} {workers} {seconds}")
    lengths = [seconds * rng.expovariate(1.0) for _ in range(workers * rounds)]
    return Simulation(workers, lengths, costs, rng).run()


def table(sizes: tuple[int, ...], costs: Costs, rounds: int) -> list[str]:
    """Return the outcomes as Markdown."""
    lines = [
        "| workers | seconds per unit | units per second | efficiency | scheduler | client | repeated | limit |",
        "|---|" + "---|" * 7,
    ]
    for workers in sizes:
        for length in LENGTHS:
            found = simulate(workers, length, costs, rounds)
            units = workers * rounds
            lines.append(
                f"| {workers:,} | {length:g} | {units / found.seconds:.3g} | {found.efficiency:.0%} | "
                f"{found.scheduler:.0%} | {found.client:.0%} | {found.repeated} of {units:,} | {found.limit} |"
            )
    return lines


# -- measuring the costs ---------------------------------------------------------------------------------------------


def nothing(unit: int) -> int:
    """Do nothing, so that a unit of work costs only its overhead."""
    return unit


def measure(units: int) -> Costs:
    """Run empty units of work on two local workers; return the scheduler's and the client's processor time per unit."""
    from distributed import Client

    dask = [sys.executable, "-m", "dask"]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "scheduler.json"
        scheduler = subprocess.Popen(
            [*dask, "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", file],
            stderr=subprocess.DEVNULL,
        )
        workers = subprocess.Popen(
            [*dask, "worker", "--scheduler-file", file, "--nthreads", "1", "--nworkers", "2", "--no-dashboard"],
            stderr=subprocess.DEVNULL,
        )
        try:
            address = _address(file)
            run_units(nothing, {"warm": 1}, Ledger(None, {}), cluster=address)  # imports, connections
            with Client(address, set_as_default=False) as client, Ledger(Path(folder) / "ledger", {}) as ledger:
                before = client.run_on_scheduler(time.process_time), time.process_time()
                run_units(nothing, {str(number): number for number in range(units)}, ledger, cluster=address)
                after = client.run_on_scheduler(time.process_time), time.process_time()
        finally:
            for process in (workers, scheduler):
                process.terminate()
                process.wait()
    return Costs((after[0] - before[0]) / units, (after[1] - before[1]) / units)


def measure_ledger(units: int) -> float:
    """Return how many seconds of CPU time it takes to record a unit of work in a ledger."""
    with tempfile.TemporaryDirectory() as folder, Ledger(Path(folder) / "ledger", {}) as ledger:
        before = time.process_time()
        for number in range(units):
            ledger.add(str(number), number)
        return (time.process_time() - before) / units


def _address(file: Path) -> str:
    """Wait until a scheduler has written its file, and return the scheduler's address."""
    import json

    while not file.exists() or not file.read_text():
        time.sleep(0.1)
    return str(json.loads(file.read_text())["address"])


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, help="simulate this many (1, 10, 100 and 1,000)")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"units for each worker ({ROUNDS})")
    parser.add_argument("--scheduler", type=float, default=Costs().scheduler, help="its seconds for each unit")
    parser.add_argument("--client", type=float, default=Costs().client, help="its seconds for each unit")
    parser.add_argument("--deaths", type=float, default=Costs().deaths, help="for each worker and hour")
    parser.add_argument("--measure", action="store_true", help="measure the costs of a unit with Dask on this machine")
    parser.add_argument("--units", type=int, default=2000, help="units to measure with (2,000)")
    wish = parser.parse_args()
    if wish.measure:
        costs = measure(wish.units)
        print(f"--scheduler {costs.scheduler:.5f} --client {costs.client:.5f}")
        print(f"of which the ledger: {measure_ledger(wish.units):.6f}")
        return
    costs = Costs(wish.scheduler, wish.client, wish.deaths)
    print("\n".join(table((wish.workers,) if wish.workers else SIZES, costs, wish.rounds)))


if __name__ == "__main__":
    main()
