"""Tests of `gridlock engine` as a separate process connected by pipes."""

import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from ugi_runner import Engine, play

from gridlock import Game
from gridlock.core.notation import push_with_passes

pytestmark = pytest.mark.slow

COMMAND = [sys.executable, "-m", "gridlock", "engine"]
BUSY = b"setoption name board value 11x11\nposition startpos moves 1,1\ngo infinite\nisready\n"


@contextmanager
def started() -> Iterator[subprocess.Popen[bytes]]:
    """Start the engine, and check at the end that it has exited by itself."""
    pipe = subprocess.PIPE
    process = subprocess.Popen(COMMAND, stdin=pipe, stdout=pipe, stderr=pipe)
    try:
        yield process
        assert process.poll() is not None
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream:
                stream.close()


def answers(text: bytes) -> list[str]:
    """Return the engine's answers to a complete input, and check that the engine reports no error."""
    done = subprocess.run(COMMAND, input=text, capture_output=True, timeout=300, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode().splitlines()


def until(process: subprocess.Popen[bytes], beginning: bytes) -> None:
    """Read the engine's answers up to the first one that begins with this text."""
    assert process.stdout
    while line := process.stdout.readline():
        if line.startswith(beginning):
            return
    raise AssertionError("the engine has ended")


def test_a_runner_plays_games_with_passes(rng: random.Random) -> None:
    options = {"agent": "random"}
    passes = 0
    with Engine(COMMAND) as perfect, Engine(COMMAND, options) as other:
        for number, limits in enumerate(
            ["movetime 20", "p1time 900 p2time 900 p1inc 10 p2inc 10", "depth 2", "nodes 9"]
        ):
            for name in ("scatter", "trails"):
                game = Game(name, "4x4")
                game.push(rng.choice(list(game.legal_moves)))
                opening = game.position_word() if number % 2 else game.position_text()
                moves, result = play(*((perfect, other) if rng.random() < 0.5 else (other, perfect)), opening, limits)
                again = Game.from_text(opening)
                push_with_passes(again, moves)
                assert again.is_over
                assert result == f"p{again.winner}win"
                passes += moves.count("pass")
    print(f"{passes} passes")


def test_the_end_of_the_input_is_no_error() -> None:
    assert answers(b"") == []
    lines = answers(b"position startpos moves 3,3\nperft 1\ngo movetime 50\nquery p1turn\ngo infinite")
    assert "total 16" in lines
    assert [line.split()[0] for line in lines if not line.startswith("info")][-3:] == [
        "bestmove",
        "response",
        "bestmove",
    ]
    assert answers(b"isready\nquit\nisready\n") == ["readyok"]


def test_strange_bytes_and_long_lines_do_no_harm() -> None:
    lines = answers(b"\xff\xfe\n\0\0\nugi\xc3\n\r\n" + b"x" * 2_500_000 + b"\nquery p1turn\r\n" + b"go " * 600_000)
    words = "info string There is no command '"
    assert [line[: len(words)] for line in lines[:3]] == [words] * 3
    rest = ["info string A line of more than 1,000,000 bytes was ignored.", "response true"]
    assert sorted(lines[3:]) == sorted([*rest, rest[0]])


def test_random_bytes_never_end_it(rng: random.Random) -> None:
    starts = [b"position ", b"go ", b"setoption name ", b"query ", b"", b"position startpos moves "]
    text = b"".join(
        rng.choice(starts) + rng.randbytes(rng.randrange(60)).replace(b"\n", b"") + b"\n" for _ in range(300)
    )
    last = answers(text.replace(b"quit", b"") + b"marker\n")[-1]
    assert last.endswith("no command 'marker'. Send 'help' for a list of commands.")


@pytest.mark.parametrize("busy", [b"", BUSY], ids=["idle", "searching"])
def test_ctrl_c_ends_it_quietly(busy: bytes) -> None:
    with started() as process:
        assert process.stdin
        assert process.stderr
        process.stdin.write(busy + b"isready\n")
        process.stdin.flush()
        until(process, b"readyok")
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == -signal.SIGINT  # shells report this as exit code 130
        assert process.stderr.read() == b""


@pytest.mark.parametrize("end", ["quit", "nobody reads", "the runner is gone"])
def test_a_search_does_not_outlive_its_runner(end: str) -> None:
    with started() as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write(BUSY)
        process.stdin.flush()
        until(process, b"readyok")
        if end == "quit":
            process.stdin.write(b"quit\n")
            process.stdin.flush()
        else:
            process.stdout.close()
            if end == "nobody reads":
                process.stdin.write(b"isready\n")
                process.stdin.flush()
            else:
                process.stdin.close()
        assert process.wait(60) == 0
        assert process.stderr.read() == b""


def test_a_long_count_ends_when_nobody_reads_it() -> None:
    read, write = os.pipe()
    process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=write, stderr=subprocess.PIPE)
    os.close(write)
    assert process.stdin
    assert process.stderr
    process.stdin.write(b"setoption name board value 9x9\nperft 9999\nisready\n")
    process.stdin.close()
    with os.fdopen(read, "rb") as output:
        assert output.readline() == b"readyok\n"
    assert process.wait(60) == 0
    assert process.stderr.read() == b""
    process.stderr.close()
