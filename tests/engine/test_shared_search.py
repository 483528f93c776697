"""Tests that several processes searching one position find the same answer and evidence as a single process."""

import json
import os
import re
import subprocess
import sys
import time
from functools import partial
from itertools import count
from random import Random
from types import SimpleNamespace

import pytest
from bench import reference
from truth import EVERY_GAME, late_position, open_cells

from gridlock.command import run
from gridlock.core.rules import variant
from gridlock.engine import solve
from gridlock.engine.clock import Clock, cancellation
from gridlock.engine.evidence import Method, Verdict
from gridlock.engine.solve import Solver
from gridlock.units import running

KILLS = int(os.environ.get("GRIDLOCK_KILLS", "3"))


@pytest.fixture
def no_time(monkeypatch):
    """Set all search times to zero, so that the solver must rely on theorems and the tree."""
    monkeypatch.setattr(solve, "ALONE", 0.0)
    monkeypatch.setattr(Solver, "_leaf_seconds", lambda *_: 0.0)


@pytest.fixture
def here(monkeypatch):
    """Run all units of work in this process."""

    def chosen(*work, **options):
        return running.run_chosen(*work, **{**options, "processes": 0})

    monkeypatch.setattr(solve, "run_chosen", chosen)


@pytest.mark.usefixtures("no_time", "here")
@pytest.mark.parametrize(("game", "adjacency"), EVERY_GAME)
def test_the_answer_is_that_of_the_plain_search(game, adjacency, rng):
    for board, method in (("3x3", "search"), ("3x4", "auto"), ("4x4", "search")):
        played = variant(game, board, adjacency)
        start = late_position(played, rng, 9)
        found = Solver(played, method, memory=1 << 20, start=start, processes=2).solve()
        alone = Solver(played, method, memory=1 << 20, start=start).solve()
        assert (found.verdict, found.method) == (alone.verdict, alone.method)
        assert found.complete
        assert (found.verdict is Verdict.WIN) == reference.solve(played, start, {}).win


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("game", ["scatter", "showdown", "trails"])
def test_leaves_that_are_searched_or_grow(game, rng, monkeypatch):
    """Only some leaves are searched; the others are expanded, so the tree has leaves at different depths."""
    monkeypatch.setattr(solve, "ALONE", 0.0)
    monkeypatch.setattr(solve, "Task", lambda position, _seconds: Task(position, rng.choice((0.0, 0.0, 60.0))))
    for adjacency in ("king", "orthogonal"):
        for method in ("auto", "search"):
            played = variant(game, "5x5", adjacency)
            start = late_position(played, rng, 18)
            found = Solver(played, method, memory=1 << 22, start=start, processes=2).solve()
            assert found.verdict is Solver(played, method, memory=1 << 22, start=start).solve().verdict
            assert open_cells(played, start) > 0


Task = solve.Task


def test_leaves_get_more_time_in_a_long_run():
    played, clock = variant("scatter", "3x3"), Clock()
    here, there = Solver(played, clock=clock, processes=2), Solver(played, clock=clock, cluster="local:2")
    assert (here._leaf_seconds(2), there._leaf_seconds(2)) == (solve.SHORTEST, solve.SHORTEST_ON_CLUSTER)
    assert here._leaf_seconds(100) == there._leaf_seconds(100) == 1.0
    clock.started -= 500.0
    assert 2.0 <= here._leaf_seconds(2) < 3.0
    clock.started -= 50_000.0
    assert here._leaf_seconds(2) == solve.LONGEST


@pytest.mark.slow
@pytest.mark.usefixtures("no_time")
@pytest.mark.parametrize(("game", "board", "method"), [("scatter", "3x4", "search"), ("trails", "3x3", "search")])
def test_two_processes(game, board, method):
    played = variant(game, board)
    found = Solver(played, method, memory=1 << 22, processes=2).solve()
    alone = Solver(played, method, memory=1 << 22).solve()
    assert (found.verdict, found.method, found.complete) == (alone.verdict, Method.SEARCH, True)
    assert found.asked == found.decided == 1


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "memfd_create"), reason="only Linux has such tables")
def test_two_processes_share_one_table(monkeypatch):
    """After the search, the shared table contains many positions that this process has not searched."""
    monkeypatch.setattr(solve, "ALONE", 0.0)
    monkeypatch.setattr(Solver, "_leaf_seconds", lambda *_: 0.01)
    solver = Solver(variant("scatter", "5x7", "orthogonal"), "search", memory=1 << 22, processes=2)
    found = solver.solve()
    assert found.verdict is Verdict.LOSS
    assert found.positions > 50_000 > solver.engine.nodes
    words = memoryview(solver.engine.search._shared).cast("Q")
    assert sum(map(bool, words.tolist()[4::5])) > 10_000


def test_an_easy_position_needs_no_processes(monkeypatch):
    monkeypatch.setattr("multiprocessing.process.BaseProcess.start", None)
    assert Solver(variant("showdown", "4x4"), "search", processes=2).solve().verdict is Verdict.WIN
    assert Solver(variant("scatter", "4x4"), processes=2).solve().method is Method.MIRROR
    assert Solver(variant("scatter", "5x5"), "proof", processes=2).solve().verdict is Verdict.UNKNOWN


def test_a_board_beyond_the_search_is_left_at_once(monkeypatch):
    monkeypatch.setattr("multiprocessing.process.BaseProcess.start", None)
    found = Solver(variant("scatter", "21x21"), "search", processes=2).solve()
    assert (found.verdict, found.out_of_time) == (Verdict.UNKNOWN, False)


@pytest.mark.usefixtures("no_time", "here")
def test_a_limit_and_ctrl_c_stop_the_tree():
    played = variant("scatter", "9x9")
    found = Solver(played, clock=Clock(0.3), memory=1 << 22, processes=2).solve()
    assert (found.verdict, found.out_of_time, found.complete) == (Verdict.UNKNOWN, True, False)
    reports = []

    def cancel(nodes, _seconds):
        reports.append(nodes)
        if len(reports) == 2:
            cancellation.cancel()

    solver = Solver(played, clock=Clock(None, cancel), memory=1 << 22, processes=2)
    assert solver.solve().verdict is Verdict.UNKNOWN
    assert solver.clock.stopped
    cancellation.begin()


@pytest.mark.usefixtures("no_time", "here")
def test_the_progress_of_the_first_moves_is_shown(monkeypatch):
    shown, seconds = [], count()
    monkeypatch.setattr("gridlock.engine.clock.time", SimpleNamespace(monotonic=lambda: float(next(seconds))))
    monkeypatch.setattr("gridlock.cli.terminal.Progress.tell", lambda _progress, words: shown.append(words))
    assert run(["solve", "scatter", "--board", "3x3", "--method", "search", "--processes", "2"]) == 0
    assert re.fullmatch(r"\d+ positions of the first moves solved, \d+ open, \d+ s", shown[-1])


@pytest.mark.slow
def test_the_command_line_says_the_same(capsys, monkeypatch):
    monkeypatch.setattr(solve, "ALONE", 0.0)
    words = ["solve", "showdown", "--board", "5x6", "--adjacency", "orthogonal", "--method", "search"]
    assert run(words) == 0
    alone = capsys.readouterr().out
    assert run([*words, "--processes", "2"]) == 0
    assert capsys.readouterr().out.partition(";")[0] == alone.partition(";")[0]


SHORT = """
import sys
from gridlock.command import main
from gridlock.engine import judging, solve
if __name__ == "__main__":
    judging.JOURNAL_WORK, solve.ALONE, solve.Solver._leaf_seconds = 50, 0.0, lambda *_: 0.005
    main()
"""


@pytest.mark.slow
def test_a_shared_search_survives_being_killed(tmp_path):
    """Results of earlier runs, even killed ones, are reused; the last run searches less than a fresh run would."""
    script = tmp_path / "short.py"
    script.write_text(SHORT)
    arguments = ["solve", "scatter", "--board", "5x7", "--adjacency", "orthogonal", "--method", "search", "--json"]
    start = partial(subprocess.Popen, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    command = [sys.executable, str(script), *arguments, "--processes", "2", "--checkpoint", str(tmp_path / "c")]
    rng, sizes = Random(KILLS), []
    for _ in range(KILLS):
        process = start(command)
        time.sleep(rng.uniform(0.0, 2.0))
        process.kill()
        process.communicate()
        sizes.append((tmp_path / "c").stat().st_size if (tmp_path / "c").exists() else 0)
    assert sizes == sorted(sizes)
    out, err = start(command).communicate()
    assert (json.loads(out)["winner"], err) == (2, "")
    out, err = start(command).communicate()
    again = json.loads(out)
    assert (again["winner"], err) == (2, "")
    assert again["positions"] < 50_000, "half of what a new search takes; workers do not save small results"
