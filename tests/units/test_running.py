"""Tests of long runs in several processes: every unit is done once, whatever happens to a worker or to the run."""

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import jobs
import pytest

from gridlock.core.errors import BadGame, UnitFailed
from gridlock.units.ledger import Ledger
from gridlock.units.running import run_chosen, run_units

KILLS = int(os.environ.get("GRIDLOCK_KILLS", "5"))
UNITS = {str(number): number for number in range(12)}
SQUARES = {key: number * number for key, number in UNITS.items()}


def memory():
    return Ledger(None, {})


@pytest.fixture(autouse=True)
def nothing_left_behind():
    yield
    assert not multiprocessing.active_children()


@pytest.mark.parametrize("processes", [0, 1, 3])
def test_every_unit_is_done_and_reported(processes):
    ledger, seen = memory(), {}
    assert run_units(jobs.square, UNITS, ledger, processes=processes, finished=seen.__setitem__)
    assert ledger.done == seen == SQUARES


def test_finished_units_are_not_repeated(tmp_path):
    ledger = memory()
    for key in list(UNITS)[:9]:
        ledger.add(key, -1)
    seen = {}
    assert run_units(partial(jobs.logged_square, tmp_path), UNITS, ledger, processes=0, finished=seen.__setitem__)
    assert len(list(tmp_path.iterdir())) == 3
    assert list(seen) == list(UNITS)[9:]


def test_nothing_to_do_starts_nothing():
    assert run_units(jobs.die, {}, memory(), processes=2)


def test_a_process_that_dies_is_replaced_and_its_unit_repeated(tmp_path):
    ledger = memory()
    assert run_units(partial(jobs.die_once, tmp_path), dict(list(UNITS.items())[:5]), ledger, processes=2)
    assert ledger.done == {key: SQUARES[key] for key in list(UNITS)[:5]}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a child inherits the pipe by fork")
def test_a_process_that_dies_is_noticed_though_its_child_holds_the_pipe(tmp_path):
    ledger = memory()
    assert run_units(partial(jobs.die_with_a_child, tmp_path), {"a": 5}, ledger)
    assert ledger.done == {"a": 5}
    os.kill(int((tmp_path / "died").read_text()), signal.SIGKILL)  # an error if it were not alive


def test_a_unit_that_ends_three_processes_is_an_error_with_its_key():
    with pytest.raises(UnitFailed, match="Unit of work bad crashed its process 3 times"):
        run_units(jobs.die, {"bad": 1}, memory())


@pytest.mark.parametrize("processes", [0, 1])
def test_an_exception_in_a_unit_is_raised_with_its_traceback(processes):
    with pytest.raises(BadGame, match="7 is no game") as caught:
        run_units(jobs.reject, {"a": 7}, memory(), processes=processes)
    assert "jobs.py" in caught.value.__notes__[0]


def test_an_exception_that_cannot_be_pickled_is_raised_as_text():
    with pytest.raises(RuntimeError, match="7 and more"):
        run_units(jobs.fail_unportably, {"a": 7}, memory())


@pytest.mark.parametrize("processes", [0, 1])
def test_messages_from_a_unit_are_heard(processes):
    heard = []
    run_units(jobs.talk, {"a": 4}, memory(), processes=processes, heard=lambda *one: heard.append(one))
    assert heard == [("a", {"half of": 4})]


def test_a_stopped_run_keeps_what_is_done_and_lets_units_clean_up(tmp_path):
    ledger = memory()
    stopped = lambda: (tmp_path / "begun").exists()  # noqa: E731
    assert not run_units(jobs.clean_up, {"a": str(tmp_path)}, ledger, stopped=stopped)
    assert (tmp_path / "cleaned").exists()
    assert not ledger.done


def test_in_this_process_a_unit_that_was_stopped_is_dropped():
    ledger, calls = memory(), []
    assert not run_units(calls.append, UNITS, ledger, processes=0, stopped=lambda: len(calls) == 2)
    assert calls == [0, 1]
    assert list(ledger.done) == ["0"]


FIRST = """
import jobs
from gridlock.units.ledger import Ledger
from gridlock.units.running import run_chosen, run_units
ledger = Ledger(None, {})
run_units(jobs.ctrl_c_is_blocked, {"a": 1, "b": 2}, ledger, processes=2)
print(dict(sorted(ledger.done.items())))
"""


def test_ctrl_c_cannot_hit_even_the_first_process():
    """Starting Python's resource tracker unblocks Ctrl-C, so it is started before Ctrl-C is blocked everywhere."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", FIRST], env=environment, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("{'a': True, 'b': True}\n", "")


RUN = """
import sys
from functools import partial
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import jobs
from gridlock.units.ledger import Ledger
from gridlock.units.running import run_chosen, run_units
if __name__ == "__main__":
    units = {str(number): number for number in range(int(sys.argv[4]))}
    with Ledger(Path(sys.argv[3]), {"run": "squares"}) as ledger:
        print(run_units(partial(jobs.logged_square, sys.argv[2]), units, ledger, processes=2, finished=print))
"""


def started(tmp_path):
    """Start a run of many units of work in a separate process."""
    script = tmp_path / "run.py"
    script.write_text(RUN)
    (tmp_path / "log").mkdir(exist_ok=True)
    arguments = [script, Path(__file__).parent, tmp_path / "log", tmp_path / "ledger", 12 * KILLS]
    return subprocess.Popen([sys.executable, *map(str, arguments)], stdout=subprocess.PIPE, text=True)


@pytest.mark.slow
def test_a_run_killed_at_random_moments_ends_with_the_same_results(tmp_path, rng):
    """No unit of work in the ledger is repeated after the run is killed; GRIDLOCK_KILLS sets the number of kills."""
    finished = 0
    for _ in range(KILLS):
        process = started(tmp_path)
        time.sleep(rng.uniform(0.1, 0.9))
        process.kill()
        process.communicate()
        if (tmp_path / "ledger").exists():
            lines = (tmp_path / "ledger").read_bytes().count(b"\n")
            assert lines >= finished
            finished = lines
    out, _ = started(tmp_path).communicate()
    assert out.endswith("True\n")
    with Ledger(tmp_path / "ledger", {"run": "squares"}) as ledger:
        assert ledger.done == {str(number): number * number for number in range(12 * KILLS)}
    executions = len(list((tmp_path / "log").iterdir()))
    assert executions <= len(ledger.done) + 4 * KILLS  # two units at work, and two results on their way


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_workers_end_with_the_run(tmp_path, how):
    process = started(tmp_path)
    assert process.stdout.readline()
    workers = multiprocessing_children(process.pid)
    assert len(workers) >= 2
    process.send_signal(how)
    process.communicate()
    for _ in range(100):
        if not any(Path(f"/proc/{worker}").exists() for worker in workers):
            return
        time.sleep(0.1)
    raise AssertionError("a worker outlived its run")


def multiprocessing_children(pid):
    """Return the ids of a process's child processes (on Linux)."""
    return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


class Growing:
    """Units that appear when others are finished: unit n adds 2n and 2n + 1, up to 10."""

    def __init__(self):
        self.known, self.waiting, self.results, self.most = {1}, [1], {}, 0
        self.out = set()

    def take(self):
        if not self.waiting:
            return None
        number = self.waiting.pop()
        self.out.add(number)
        self.most = max(self.most, len(self.out))
        return str(number), number

    def finished(self, key, result):
        number = int(key)
        self.out.remove(number)
        self.results[number] = result
        for more in {2 * number, 2 * number + 1} - self.known:
            if more <= 10:
                self.known.add(more)
                self.waiting.append(more)


def chosen(work, growing, processes, stopped=lambda: False):
    options = {"processes": processes, "cluster": None, "stopped": stopped, "heard": lambda *_: None}
    run_chosen(work, growing.take, growing.finished, **options)


@pytest.mark.parametrize("processes", [0, 2])
def test_units_are_chosen_by_results(processes, tmp_path):
    growing = Growing()
    chosen(partial(jobs.die_once, tmp_path) if processes else jobs.square, growing, processes)
    assert growing.results == {number: number * number for number in range(1, 11)}
    assert growing.most <= max(1, processes), "no unit is chosen before a process is free"


@pytest.mark.parametrize("processes", [0, 2])
def test_a_run_of_chosen_units_stops(processes):
    growing = Growing()
    chosen(jobs.square, growing, processes, stopped=lambda: len(growing.results) >= 4)
    assert 4 <= len(growing.results) <= 5
