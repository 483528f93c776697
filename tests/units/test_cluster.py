"""Tests of long runs on a Dask cluster: any worker may die, and no finished work is repeated."""

import os
import signal
import sys
import threading
import time
from functools import partial

import jobs
import pytest
from bench import cluster as simulation

from gridlock.command import run
from gridlock.core.errors import BadGame, UnitFailed
from gridlock.core.rules import variant
from gridlock.engine import solve
from gridlock.engine.evidence import Verdict
from gridlock.engine.solve import Solver
from gridlock.units.ledger import Ledger
from gridlock.units.running import run_units

distributed = pytest.importorskip("distributed")
from gridlock.units import cluster as ours  # noqa: E402

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # Dask warns about deprecated features
KILLS = int(os.environ.get("GRIDLOCK_KILLS", "3"))
UNITS = {str(number): number for number in range(40)}
SQUARES = {key: number * number for key, number in UNITS.items()}


@pytest.fixture(scope="module")
def cluster():
    """A local cluster with two workers, which are restarted if they die."""
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, memory_limit=0, silence_logs=50
    ) as started:
        yield started


def in_this_process(workers):
    """Start a cluster of threads instead of processes, because threads start faster."""
    return distributed.LocalCluster(
        n_workers=workers, processes=False, protocol="tcp", dashboard_address=None, silence_logs=50
    )


def memory():
    return Ledger(None, {})


def test_every_unit_is_done_and_reported(cluster):
    ledger, seen, heard = memory(), {}, {}
    address = cluster.scheduler_address
    assert run_units(jobs.talk, UNITS, ledger, cluster=address, finished=seen.__setitem__, heard=heard.__setitem__)
    assert ledger.done == seen == UNITS
    assert heard.items() <= {key: {"half of": number} for key, number in UNITS.items()}.items()
    assert heard
    assert not cluster.scheduler.tasks  # nothing stays there
    assert not [name for name in cluster.scheduler.worker_plugins if name.startswith("gridlock")]


def test_killed_workers_change_nothing(cluster, tmp_path, rng):
    """Killing workers does not change the results, and only units whose results had not yet arrived are repeated."""
    over = threading.Event()
    killed = []

    def kill():
        while not over.wait(rng.uniform(0.3, 1.5)):
            cluster.scale(2)  # Dask does not restart a worker that dies while it is starting
            if len(killed) < KILLS and (workers := list(cluster.scheduler.workers.values())):
                killed.append(rng.choice(workers).pid)
                os.kill(killed[-1], signal.SIGKILL)

    log = tmp_path / "log"
    log.mkdir()
    units = {str(number): number for number in range(40 + 40 * KILLS)}
    killer = threading.Thread(target=kill)
    killer.start()
    try:
        with Ledger(tmp_path / "ledger", {}) as ledger:
            work = partial(jobs.logged_square, log)
            assert run_units(work, units, ledger, cluster=cluster.scheduler_address)
            assert ledger.done == {key: number * number for key, number in units.items()}
    finally:
        over.set()
        killer.join()
    assert killed
    at_the_cluster = ours.AHEAD * 2 + ours.SPARE
    assert len(list(log.iterdir())) <= len(units) + len(killed) * at_the_cluster


def test_a_unit_that_ends_its_workers_is_an_error_with_its_key(cluster, monkeypatch):
    monkeypatch.setattr(
        cluster.scheduler, "allowed_failures", 0
    )  # Dask gives up after one crash, and our code after two
    monkeypatch.setattr(ours, "MOST_DEATHS", 2)
    with pytest.raises(UnitFailed, match="Unit of work bad crashed 2 workers"):
        run_units(jobs.die, {"bad": 1}, memory(), cluster=cluster.scheduler_address)


def test_a_unit_that_dask_has_given_up_is_tried_again(cluster, monkeypatch, tmp_path):
    monkeypatch.setattr(cluster.scheduler, "allowed_failures", 0)
    ledger = memory()
    assert run_units(partial(jobs.die_once, tmp_path), {"a": 3}, ledger, cluster=cluster.scheduler_address)
    assert ledger.done == {"a": 9}


def test_a_worker_that_dies_while_the_work_is_announced_changes_nothing(cluster, monkeypatch):
    failures, real = [OSError("closed")] * (ours.ATTEMPTS - 1), distributed.Client.register_plugin

    def register(client, plugin, name):
        if failures:
            raise failures.pop()
        return real(client, plugin, name)

    monkeypatch.setattr(distributed.Client, "register_plugin", register)
    ledger = memory()
    assert run_units(jobs.square, UNITS, ledger, cluster=cluster.scheduler_address)
    assert ledger.done == SQUARES


def test_an_exception_in_a_unit_is_raised(cluster):
    with pytest.raises(BadGame, match="7 is no game"):
        run_units(jobs.reject, {"a": 7}, memory(), cluster=cluster.scheduler_address)


def test_a_worker_with_another_version_is_reported(cluster, monkeypatch):
    monkeypatch.setattr(ours, "_versions", lambda: ("99.0", "3.11", "1"))
    with pytest.raises(UnitFailed, match=r"^Worker tcp://.* has GridLock .*, but this run needs GridLock 99\.0 on"):
        run_units(jobs.square, UNITS, memory(), cluster=cluster.scheduler_address)


def test_what_a_killed_client_has_left_is_removed(cluster):
    with distributed.Client(cluster.scheduler_address, set_as_default=False) as client:
        client.register_plugin(ours._Work(jobs.square), "gridlock-Client-killed")
    assert run_units(jobs.square, {"a": 3}, memory(), cluster=cluster.scheduler_address)
    assert not [name for name in cluster.scheduler.worker_plugins if name.startswith("gridlock")]


LACKING = [
    (ModuleNotFoundError("No module named 'gridlock'", name="gridlock"), "A cluster worker lacks a module that"),
    (
        Exception("ModuleNotFoundError(\"No module named 'gridlock.units'\")"),
        "A cluster worker lacks a module that",
    ),
    (RuntimeError("Error during deserialization of the task graph. ..."), "The Dask scheduler lacks a module that"),
]


@pytest.mark.parametrize(("error", "words"), LACKING)
def test_missing_packages_are_reported_in_a_sentence(error, words):
    explained = ours._explained(error)
    assert isinstance(explained, UnitFailed)
    assert str(explained) == f"{words} this run needs. Install the same packages on the cluster as on this machine."
    assert ours._explained(BadGame("no game")).args == ("no game",)


def test_a_stopped_run_ends_its_units(cluster, tmp_path):
    ledger = memory()
    begun = (tmp_path / "begun").exists
    address = cluster.scheduler_address
    assert not run_units(jobs.wait_for_the_end, {"a": tmp_path, "b": tmp_path}, ledger, cluster=address, stopped=begun)
    for _ in range(100):
        if (tmp_path / "ended").exists():
            break
        time.sleep(0.1)
    assert (tmp_path / "ended").exists()
    assert not ledger.done


def test_a_scheduler_that_is_gone_is_reported():
    """If the scheduler disappears, the ledger still contains every result that has already arrived."""
    with in_this_process(1) as started:
        ledger = memory()

        def leave(key, _result):
            if key == "5":
                threading.Thread(target=started.close).start()

        with pytest.raises(UnitFailed, match="connection to the Dask scheduler was lost"):
            run_units(jobs.slow_square, UNITS, ledger, cluster=started.scheduler_address, finished=leave)
        assert ledger.done["5"] == 25


def test_a_scheduler_without_workers_is_reported(monkeypatch):
    monkeypatch.setattr(ours, "CONNECT_SECONDS", 0.5)
    with in_this_process(0) as started:
        address = started.scheduler_address
        with pytest.raises(UnitFailed, match=f"{address} has no workers. Start a worker with 'dask worker {address}'"):
            run_units(jobs.square, UNITS, memory(), cluster=address)


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "127.0.0.1:9"])
def test_no_scheduler_is_reported(monkeypatch, address):
    monkeypatch.setattr(ours, "CONNECT_SECONDS", 0.5)
    with pytest.raises(UnitFailed, match=f"No Dask scheduler answers at {address}"):
        run_units(jobs.square, UNITS, memory(), cluster=address)


@pytest.mark.parametrize(
    "address", ["", "nonsense", "http://a:1", "local:0", "local:", "local:x", "local:100", "tcp://a"]
)
def test_what_is_no_address_is_reported(address):
    with pytest.raises(UnitFailed, match="is not a cluster"):
        run_units(jobs.square, UNITS, memory(), cluster=address)


def test_nothing_to_do_needs_no_cluster():
    assert run_units(jobs.square, {}, memory(), cluster="tcp://127.0.0.1:9")


def test_a_missing_extra_is_reported(monkeypatch):
    monkeypatch.delitem(sys.modules, "gridlock.units.cluster")
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UnitFailed, match=r"pip install 'gridlock-games\[cluster\]'"):
        run_units(jobs.square, UNITS, memory(), cluster="tcp://127.0.0.1:9")


def test_the_command_line_works_on_a_cluster(cluster, capsys, tmp_path):
    words = ["solve", "trails", "--board", "3x3", "--method", "search", "--pairs"]
    assert run([*words, "--cluster", cluster.scheduler_address, "--checkpoint", str(tmp_path / "c")]) == 0
    shared = capsys.readouterr().out.splitlines()[-1]
    assert run(words) == 0
    assert capsys.readouterr().out.splitlines()[-1] == shared
    words = ["atlas", "trails", "--up-to", "3x3"]
    assert run([*words, "--cluster", cluster.scheduler_address]) == 0
    shared = capsys.readouterr().out
    assert run(words) == 0
    assert capsys.readouterr().out == shared
    assert run([*words, "--cluster", "nowhere"]) == 1
    assert capsys.readouterr().err.startswith("gridlock: nowhere is not a cluster: ")


def test_one_position_is_shared(cluster, monkeypatch):
    """If there is no time to search positions, the solver finds the winner from the tree of first moves alone."""
    monkeypatch.setattr(solve, "ALONE", 0.0)
    monkeypatch.setattr(Solver, "_leaf_seconds", lambda *_: 0.0)
    found = Solver(variant("trails", "3x3"), "search", memory=1 << 22, cluster=cluster.scheduler_address).solve()
    assert (found.verdict, found.complete) == (Verdict.WIN, True)
    assert not cluster.scheduler.tasks


def test_the_simulation_submits_as_many_units():
    assert (simulation.AHEAD, simulation.SPARE) == (ours.AHEAD, ours.SPARE)


@pytest.mark.deep
def test_a_cluster_of_its_own_is_started(capsys):
    assert run(["atlas", "trails", "--up-to", "3x3", "--cluster", "local:2"]) == 0
    assert "  3  1s  2m  1s" in capsys.readouterr().out
