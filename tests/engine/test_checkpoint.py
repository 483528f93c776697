"""Tests that, whatever happens to a run or its checkpoint, the answer is correct or the checkpoint is rejected."""

import errno
import json
import os
import signal
import subprocess
import sys
import time
import zlib
from pathlib import Path
from random import Random

import pytest
from truth import make_kernels

from gridlock.command import run
from gridlock.core.errors import BadRecord
from gridlock.core.rules import variant
from gridlock.engine.checkpoint import Checkpoint
from gridlock.engine.engine import Engine
from gridlock.engine.evidence import Verdict
from gridlock.engine.kernels import matching_kernel
from gridlock.engine.solve import Solver

TASK = {"board": "5x5"}
ENTRIES = [[[12, 1]], [[7, 0], [9, 1]], [[4, 0]]]
FLAT = [entry for line in ENTRIES for entry in line]


def written(path):
    """Write a checkpoint file with three lines, and return its contents as bytes."""
    checkpoint = Checkpoint(path, TASK)
    for entries in ENTRIES:
        checkpoint.add(entries)
    checkpoint.close()
    return path.read_bytes()


def entries_of(path, task=TASK):
    checkpoint = Checkpoint(path, task)
    checkpoint.close()
    return checkpoint.entries


def test_what_was_written_is_read(tmp_path):
    path = tmp_path / "c"
    data = written(path)
    assert entries_of(path) == FLAT
    assert path.read_bytes() == data


def test_every_truncation_preserves_the_complete_lines(tmp_path):
    path = tmp_path / "c"
    data = written(path)
    for length in range(len(data)):
        path.write_bytes(data[:length])
        lines = max(0, data[:length].count(b"\n") - 1)
        assert entries_of(path) == [entry for line in ENTRIES[:lines] for entry in line]
        assert path.read_bytes() == data[: max(data.index(b"\n"), data[:length].rfind(b"\n")) + 1]


@pytest.mark.slow
def test_every_flipped_bit_is_found(tmp_path):
    """After a bit flip, the file is rejected or its last line is ignored as incomplete; no corrupt data is accepted."""
    path = tmp_path / "c"
    data = written(path)
    dropped = 0
    for place in range(len(data)):
        for bit in range(8):
            spoilt = bytearray(data)
            spoilt[place] ^= 1 << bit
            path.write_bytes(spoilt)
            try:
                read = entries_of(path)
            except BadRecord:
                assert path.read_bytes() == spoilt  # and left as it is
                continue
            assert place == len(data) - 1  # the end of the last line
            assert read == FLAT[:-1]
            dropped += 1
    assert dropped == 8


def test_a_lost_or_repeated_byte_is_found(tmp_path):
    path = tmp_path / "c"
    data = written(path)
    for place in range(len(data) - 1):
        for spoilt in (data[:place] + data[place + 1 :], data[:place] + data[place : place + 1] + data[place:]):
            path.write_bytes(spoilt)
            with pytest.raises(BadRecord):
                entries_of(path)


def line(text):
    """Return a line of a checkpoint: the checksum of the given bytes, followed by the bytes themselves."""
    return b"%08x " % zlib.crc32(text) + text + b"\n"


@pytest.mark.parametrize("text", [b"7", b"null", b"{}", b'"abc"', b"[1]", b"[[1.5]]", b"[[true]]", b"[", b"\xff", b""])
def test_a_made_up_line_is_rejected(tmp_path, text):
    path = tmp_path / "c"
    data = written(path) + line(text)
    path.write_bytes(data)
    with pytest.raises(BadRecord, match="line 5 is damaged"):
        entries_of(path)
    assert path.read_bytes() == data


def test_a_file_appended_to_itself_is_refused(tmp_path):
    path = tmp_path / "c"
    path.write_bytes(2 * written(path))
    with pytest.raises(BadRecord, match="line 5 is damaged"):
        entries_of(path)


@pytest.mark.parametrize("text", [b"Dear diary", b"Dear diary\n", b"\n", b"{}", b"\0" * 50])
def test_other_files_are_refused_and_left_alone(tmp_path, text):
    path = tmp_path / "notes.txt"
    path.write_bytes(text)
    with pytest.raises(BadRecord):
        entries_of(path)
    assert path.read_bytes() == text


def test_a_checkpoint_of_another_task_is_refused(tmp_path):
    path = tmp_path / "c"
    data = written(path)
    with pytest.raises(BadRecord, match="another search"):
        entries_of(path, {**TASK, "board": "5x6"})
    assert path.read_bytes() == data


def test_going_on_adds_to_the_file(tmp_path):
    path = tmp_path / "c"
    data = written(path)
    path.write_bytes(data[:-3])
    checkpoint = Checkpoint(path, TASK)
    checkpoint.add(ENTRIES[-1])
    checkpoint.close()
    assert path.read_bytes() == data


# -- whole runs ---------------------------------------------------------------------------------------------------

RUNS = [  # quick ones that search a few thousand positions
    ("scatter", "5x5", "orthogonal", "search", {"openings": True}),
    ("showdown", "5x6", "orthogonal", "auto", {"openings": True}),
    ("trails", "6x6", "orthogonal", "auto", {"pairs": True}),
]


class Pupil:
    """A kernel that only records the results it is given."""

    nodes, journal_work = 0, 0

    def __init__(self, size, taught):
        self.size, self.taught, self.journal = size, taught, []

    def learn(self, *_entry):
        self.taught.append(self.size)


def answer(found):
    return found.verdict, found.openings, found.pairs


@pytest.mark.parametrize(("game", "board", "adjacency", "method", "wanted"), RUNS)
def test_a_run_resumes_from_its_checkpoint(tmp_path, monkeypatch, game, board, adjacency, method, wanted):
    monkeypatch.setattr("gridlock.engine.judging.JOURNAL_WORK", 50)
    played = variant(game, board, adjacency)
    plain = Solver(played, method, memory=1 << 22).solve(**wanted)

    def kept():
        solver = Solver(played, method, memory=1 << 22)
        solver.keep(tmp_path / "c")
        try:
            return solver.solve(**wanted)
        finally:
            solver.close()

    first = kept()
    again = kept()
    assert answer(first) == answer(again) == answer(plain)
    assert again.positions < first.positions


@pytest.mark.parametrize("game", ["scatter", "showdown", "trails"])
def test_a_board_too_large_for_a_kernel_is_saved_too(tmp_path, monkeypatch, game):
    """With kernels limited to 12 cells, a 4x4 board needs the plain search as well as kernels of several sizes."""
    monkeypatch.setattr("gridlock.engine.judging.JOURNAL_WORK", 20)
    monkeypatch.setattr("gridlock.engine.search.CELLS", 12)
    played = variant(game, "4x4", "orthogonal")
    plain = Solver(played, "search", memory=1 << 22).solve(openings=True)
    runs = []
    for _ in range(2):
        solver = Solver(played, "search", memory=1 << 22)
        solver.keep(tmp_path / "c")
        runs.append(solver.solve(openings=True))
        solver.close()
    first, again = runs
    assert answer(first) == answer(again) == answer(plain)
    assert again.positions < first.positions / 2


def test_kernels_of_several_sizes_keep_their_own_proofs(monkeypatch):
    search = Engine(variant("scatter", "12x12"), 1 << 22).search
    search.remember(1)
    entries = [[rows, cols, 0b1010, 0b0101, 0, 0] for rows, cols in ((3, 4), (2, 5), (3, 4))]
    for entry in entries:
        search.learn(entry)
    taught = []
    make_kernels(monkeypatch, search.variant.shape, lambda grid, *_: Pupil((grid.rows, grid.cols), taught))
    for size in ((3, 4), (2, 5), (3, 4)):
        search.kernel(*size)
    assert taught == [(3, 4), (3, 4), (2, 5), (3, 4), (3, 4)]


BAD_ENTRIES = [
    [],
    [1],
    [5, 5, 1, 2, 0, 1, 1],
    [0, 5, 1, 2, 0, 1],  # a kernel of no size
    [5, 6, 1, 2, 0, 1],  # of another board
    [5, 5, -1, 2, 0, 1],
    [5, 5, 1 << 25, 2, 0, 1],
    [5, 5, 1, 1 << 200, 0, 1],
    [5, 5, 1, 2, 1 << 70, 1],
    [5, 5, 1, 2, 0, 2],
    [1, 1, 0, 0, 1],  # one cell, two owners
    [-1, 0, 0, 0, 1],
    [1 << 25, 0, 0, 0, 1],
    [1, 2, 25, 1, 1],
    [1, 2, 0, 1, 7],
]


@pytest.mark.parametrize("game", ["keepaway", "scatter", "trails", "showdown"])
@pytest.mark.parametrize("entry", BAD_ENTRIES)
def test_an_entry_that_makes_no_sense_is_refused(tmp_path, capsys, game, entry):
    path = tmp_path / "c"
    arguments = ["solve", game, "--board", "5x5", "--memory", "1", "--checkpoint", str(path)]
    assert run(arguments) == 0
    path.write_bytes(path.read_bytes() + line(json.dumps([entry]).encode()))
    capsys.readouterr()
    assert run(arguments) == 3
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "that no search has written" in err


def test_another_start_or_method_is_another_task(tmp_path):
    played = variant("scatter", "5x5")
    start = played.start().after(0)
    for solver in (Solver(played), Solver(played, "search"), Solver(played, start=start)):
        path = tmp_path / "c"
        if path.exists():
            with pytest.raises(BadRecord):
                solver.keep(path)
        else:
            solver.keep(path)
        solver.close()


def gridlock(*arguments, **options):
    return subprocess.Popen(
        [sys.executable, "-c", "from gridlock.command import main; main()", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


def killed_again_and_again(tmp_path, arguments, kills, longest):
    """Run a command, kill and restart it at random moments, let the last run finish, and return its result."""
    rng = Random(kills)
    arguments = ["solve", *arguments, "--json", "--checkpoint", str(tmp_path / "c")]
    sizes = []
    for _ in range(kills):
        process = gridlock(*arguments)
        time.sleep(rng.uniform(0.0, longest))
        process.kill()
        process.communicate()
        sizes.append((tmp_path / "c").stat().st_size if (tmp_path / "c").exists() else 0)
    assert sizes == sorted(sizes)
    out, err = gridlock(*arguments).communicate()
    return json.loads(out), err


def same(found, expected):
    return all(found[key] == expected[key] for key in ("winner", "winning"))


@pytest.mark.slow
def test_a_run_survives_being_killed(tmp_path):
    arguments = ["showdown", "--board", "5x6", "--adjacency", "orthogonal", "--openings"]
    expected = json.loads(gridlock("solve", *arguments, "--json").communicate()[0])
    found, err = killed_again_and_again(tmp_path, arguments, 4, 1.5)
    assert same(found, expected)
    assert err == ""
    assert len(found["winning"]) == 30


@pytest.mark.deep
@pytest.mark.parametrize(
    "arguments",
    [
        ["showdown", "--board", "6x6", "--adjacency", "orthogonal", "--openings", "--method", "search"],
        ["scatter", "--board", "7x7"],
        ["trails", "--board", "7x7", "--pairs", "--openings"],
    ],
)
def test_a_run_survives_being_killed_twenty_times(tmp_path, arguments):
    expected = json.loads(gridlock("solve", *arguments, "--json").communicate()[0])
    found, err = killed_again_and_again(tmp_path, arguments, 20, 4.0)
    assert same(found, expected)
    assert found.get("pairs") == expected.get("pairs")
    assert err == ""


def test_an_interrupted_run_says_so_and_preserves_its_results(tmp_path):
    path = tmp_path / "c"
    process = gridlock("solve", "scatter", "--board", "9x9", "--memory", "16", "--checkpoint", str(path))
    while not path.exists() or path.read_bytes().count(b"\n") < 2:  # until something has been proved
        assert process.poll() is None
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert process.returncode == 130
    assert out.startswith("Not solved: ")
    assert err.startswith("Interrupted: ")
    assert err.endswith(f" positions searched; run the same command again to resume from {path}.\n")
    solver = Solver(variant("scatter", "9x9"), memory=1 << 24)
    solver.keep(path)
    solver.close()


def compiled():
    return not matching_kernel.__file__.endswith(".py")


def test_a_limit_preserves_what_was_found(tmp_path):
    path = tmp_path / "c"
    process = gridlock(
        "solve", "scatter", "--board", "9x9", "--memory", "16", "--time", "0.7", "--checkpoint", str(path)
    )
    out, err = process.communicate()
    assert process.returncode == 5
    assert "Not solved: " in out
    assert err.startswith("Out of time: ")
    assert f"to resume from {path}" in err
    lines = path.read_bytes().count(b"\n")
    assert lines == 2 if compiled() else lines >= 1  # plain Python may prove nothing worth saving in that time


def test_a_damaged_checkpoint_ends_the_run(tmp_path):
    path = tmp_path / "c"
    written(path)
    out, err = (process := gridlock("solve", "scatter", "--checkpoint", str(path))).communicate()
    assert (process.returncode, out) == (3, "")
    assert "checkpoint of another search" in err
    path.write_bytes(path.read_bytes()[5:])
    out, err = (process := gridlock("solve", "scatter", "--checkpoint", str(path))).communicate()
    assert (process.returncode, out) == (3, "")
    assert "damaged" in err


def test_only_files_are_read(tmp_path):
    for path in (tmp_path, Path(os.devnull)):
        with pytest.raises(BadRecord, match="not a file"):
            entries_of(path)


def test_a_full_disk_ends_the_run(tmp_path, monkeypatch):
    def full(_descriptor):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    solver = Solver(variant("scatter", "5x5"), "search", memory=1 << 22)
    solver.keep(tmp_path / "c")
    solver.engine.search.remember(1)
    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        solver.solve()
    solver.close()


def test_a_position_proved_before_is_not_searched_again():
    """If a checkpoint contains the answer, the engine gives it immediately."""
    played = variant("scatter", "5x5")
    solver = Solver(played, "search", memory=1 << 22)
    solver.engine.search.remember(1)
    assert solver.solve().verdict is Verdict.LOSS
    proved = solver.engine.search.proved()
    again = Solver(played, "search", memory=1 << 22)
    for entry in proved:
        again.engine.search.learn(entry)
    assert again.solve().verdict is Verdict.LOSS
    assert again.engine.nodes <= 2
