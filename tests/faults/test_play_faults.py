"""Tests that signals, closed pipes, full disks and random input never cause tracebacks or lost moves."""

import os
import random
import resource
import signal
import subprocess
import sys
import time
import unicodedata
from pathlib import Path

import pytest

import gridlock
from gridlock.core.game import Game
from gridlock.core.match import Match
from gridlock.core.rules import RULE_BOOKS, variant
from gridlock.userdata.saves import entries

pytestmark = pytest.mark.slow

PROMPT = "enter your move (row column): "


def environment(home: Path) -> dict[str, str]:
    """Return a command's environment, with coverage measurement switched off.

    Coverage measurement would write extra files, and would break the test that limits the size of files.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
    return kept | {"GRIDLOCK_HOME": str(home), "PYTHONPATH": str(Path(gridlock.__file__).parents[1])}


def gridlock_process(home: Path, *arguments: str) -> "subprocess.Popen[bytes]":
    home.mkdir(exist_ok=True)
    return subprocess.Popen(
        [sys.executable, "-m", "gridlock", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(home),
        cwd=home,
    )


def finish(process: "subprocess.Popen[bytes]", typed: bytes = b"") -> tuple[int, str, str]:
    """Send the remaining input to a command, wait until the command ends, and return its exit code and output.

    The command must not print a traceback or mention an exception.
    """
    out, err = process.communicate(typed, timeout=60)
    assert b"Traceback" not in err
    assert b"Exception" not in err
    return process.returncode, out.decode(), err.decode()


def read_prompts(process: "subprocess.Popen[bytes]", count: int) -> bytes:
    """Read output until the given number of prompts have appeared."""
    assert process.stdout is not None
    seen = b""
    while seen.count(PROMPT.encode()) < count:
        piece = os.read(process.stdout.fileno(), 4096)
        assert piece, seen
        seen += piece
    return seen


def saved_match(home: Path, monkeypatch: pytest.MonkeyPatch) -> Match:
    monkeypatch.setenv("GRIDLOCK_HOME", str(home))
    (entry,) = entries()
    assert entry.saved is not None, entry.damage
    return entry.saved.match


def long_game() -> list[int]:
    """Return the moves of a long game."""
    rng, game = random.Random(1), Game(variant("scatter", "6x6"))
    while not game.outcome:
        game.push(rng.choice(game.variant.legal_cells(game.position)))
    return game.moves


MOVES = long_game()


@pytest.mark.parametrize("seed", range(24))
def test_a_kill_at_any_moment_loses_nothing_that_was_acknowledged(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(seed)
    play = variant("scatter", "6x6")
    typed = "".join(f"{play.name(move)}\n" for move in MOVES).encode()
    process = gridlock_process(
        tmp_path, "play", "scatter", "--board", "6x6", *(["--record", "record.txt"] * (seed % 4 == 0))
    )
    assert process.stdin is not None
    process.stdin.write(typed)
    process.stdin.flush()
    seen = read_prompts(process, rng.randint(2, len(MOVES) - 3))  # with the first move, the game begins
    time.sleep(rng.random() * 0.004)
    process.kill()
    process.wait()
    assert process.stdout is not None
    seen += process.stdout.read()
    for stream in (process.stdin, process.stdout, process.stderr):
        assert stream is not None
        stream.close()
    acknowledged = seen.count(PROMPT.encode()) - 1  # a prompt confirms that everything before it is saved
    kept = saved_match(tmp_path, monkeypatch).games[0].moves
    assert kept == MOVES[: len(kept)]
    assert len(kept) >= acknowledged
    if len(kept) < len(MOVES):
        code, out, _ = finish(
            gridlock_process(tmp_path, "resume"), typed[len(b"".join(typed.splitlines(True)[: len(kept)])) :]
        )
        assert code == 0
        assert "Congratulations" in out
        assert saved_match(tmp_path, monkeypatch).games[0].moves == MOVES


def test_the_end_of_the_input_leaves_the_game_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, err = finish(gridlock_process(tmp_path, "play", "scatter"), b"3 3\n1 1")
    assert (code, err) == (0, "")
    assert out.endswith("(row column): \nYour game is saved. Resume it with: gridlock resume\n")
    assert saved_match(tmp_path, monkeypatch).games[0].moves == [12, 0]


def test_an_interrupt_leaves_the_game_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    process = gridlock_process(tmp_path, "play", "scatter")
    assert process.stdin is not None
    process.stdin.write(b"3 3\n")
    process.stdin.flush()
    read_prompts(process, 2)
    process.send_signal(signal.SIGINT)
    code, _, err = finish(process)
    assert code == 130
    assert err == "\nYour game is saved. Resume it with: gridlock resume\n"
    assert saved_match(tmp_path, monkeypatch).games[0].moves == [12]


def test_a_closed_output_pipe_leaves_the_game_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    process = gridlock_process(tmp_path, "play", "scatter")
    read_prompts(process, 1)
    assert process.stdout is not None
    process.stdout.close()
    process.stdout = None
    code, _, err = finish_without_output(process, b"3 3\n1 1\n")
    assert (code, err) == (0, "Your game is saved. Resume it with: gridlock resume\n")
    assert saved_match(tmp_path, monkeypatch).games[0].moves == [12]


def finish_without_output(process: "subprocess.Popen[bytes]", typed: bytes) -> tuple[int, str, str]:
    assert process.stdin is not None
    assert process.stderr is not None
    process.stdin.write(typed)
    process.stdin.close()
    err = process.stderr.read().decode()
    process.stderr.close()
    return process.wait(60), "", err


def test_head_1(tmp_path: Path) -> None:
    play = f"{sys.executable} -m gridlock play scatter"
    typed = "(echo 3 3; until [ -e gone ]; do sleep 0.05; done; echo 1 1)"
    command = f"{typed} | {play} | (head -1; exec <&-; touch gone); echo ${{PIPESTATUS[1]}}"
    done = subprocess.run(
        ["bash", "-c", command], env=environment(tmp_path), cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert done.stdout.split() == ["0"]  # the first line is empty
    saved, nothing = (
        "Your game is saved. Resume it with: gridlock resume\n",
        "No moves were made, so the game isn't saved.\n",
    )
    assert done.stderr in (saved, nothing)  # the reader may be gone before the move is read


@pytest.mark.parametrize("rounds", ["1", "2"])
def test_a_full_disk_behind_the_output_leaves_the_game_saved(
    rounds: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert finish(gridlock_process(tmp_path, "play", "scatter", "--rounds", rounds), b"3 3\nquit\n")[0] == 0
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "gridlock", "resume"],
            input=b"1 1\n",
            stdout=full,
            stderr=subprocess.PIPE,
            env=environment(tmp_path),
            timeout=60,
        )
    assert done.returncode == 1
    assert done.stderr.decode() == (
        "Your game is saved. Resume it with: gridlock resume\ngridlock: No space left on device\n"
    )
    assert not saved_match(tmp_path, monkeypatch).finished
    assert "scatter 5x5" in finish(gridlock_process(tmp_path, "games"))[1]
    assert finish(gridlock_process(tmp_path, "resume"), b"1 1\n")[0] == 0
    assert saved_match(tmp_path, monkeypatch).games[0].moves == [12, 0]


@pytest.mark.parametrize("closed", ["<&-", ">&-", "<&- >&-", "<&- >&- 2>&-"])
def test_streams_closed_from_the_start(closed: str, tmp_path: Path) -> None:
    command = f"{sys.executable} -m gridlock play chain {closed}"
    done = subprocess.run(
        ["sh", "-c", command],
        env=environment(tmp_path),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_no_room_for_any_save(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "gridlock", "play", "keepaway"],
        input="1 1\n3 3\nsave here.txt\n",
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200)),  # every file stays this small
        env=environment(tmp_path),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1
    assert done.stderr == "The game cannot be saved (File too large). You can keep playing.\n"
    assert "Not saved: File too large." in done.stdout
    assert done.stdout.endswith("The last moves could not be saved.\n")
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]  # nothing half-written stays behind


def test_an_impossible_data_folder(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file where the folder should be")
    for command, typed, code, words in (
        (["play", "scatter"], b"3 3\n", 1, "The game cannot be saved (Not a directory). You can keep playing.\n"),
        (["games"], b"", 0, ""),
    ):
        done = subprocess.run(
            [sys.executable, "-m", "gridlock", *command],
            input=typed,
            env=environment(tmp_path / "home"),
            capture_output=True,
            timeout=60,
        )
        assert (done.returncode, done.stderr.decode()) == (code, words)


def test_unsaved_moves_are_reported_at_the_end_too(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file where the folder should be")
    done = subprocess.run(
        [sys.executable, "-m", "gridlock", "play", "keepaway"],
        input=b"2 2\n",
        env=environment(tmp_path / "home"),
        capture_output=True,
        timeout=60,
    )
    assert done.returncode == 1
    assert done.stdout.decode().endswith("Player 1 wins!\n")
    assert done.stderr.decode().endswith("You can keep playing.\nThe last moves could not be saved.\n")


def test_what_a_killed_process_leaves_is_swept_away(tmp_path: Path) -> None:
    process = gridlock_process(tmp_path, "play", "scatter", "--record", "record.txt")
    read_prompts(process, 1)
    os.kill(process.pid, signal.SIGKILL)
    finish(process)
    games = tmp_path / "games"
    assert list(games.glob("*.lock"))
    for stale in (games / ".torn.json.00aa.part", tmp_path / ".record2.txt.00bb.part"):
        stale.write_text("half a ga")
    (tmp_path / ".other.txt.00cc.part").write_text("not ours to remove")
    living = gridlock_process(tmp_path, "play", "chain", "--record", "record2.txt")
    assert living.stdout is not None
    seen = b""
    while b"Enter the row" not in seen:
        seen += os.read(living.stdout.fileno(), 4096)
    (lock,) = games.glob("*.lock")  # its own
    assert str(living.pid) in lock.read_text()
    code, _, _ = finish(gridlock_process(tmp_path, "play", "trails"))  # sweeps too, but spares running processes
    assert code == 0
    assert list(games.glob("*.lock")) == [lock]
    finish(living, b"quit\n")
    left = {path.name for path in tmp_path.rglob("*") if path.is_file() and path.suffix in (".lock", ".part")}
    assert left == {".other.txt.00cc.part"}


def test_two_windows_cannot_play_one_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = gridlock_process(tmp_path, "play", "scatter")
    assert first.stdin is not None
    first.stdin.write(b"3 3\n")
    first.stdin.flush()
    read_prompts(first, 2)
    code, out, err = finish(gridlock_process(tmp_path, "resume"))
    assert (code, out) == (3, "")
    assert f"is open in another window (process {first.pid}, since " in err
    assert finish(first, b"quit\n")[0] == 0
    assert finish(gridlock_process(tmp_path, "resume"), b"1 1\nquit\n")[0] == 0
    assert saved_match(tmp_path, monkeypatch).games[0].moves == [12, 0]
    assert not list(tmp_path.rglob("*.lock"))


RUBBISH = {
    "random bytes": random.Random(3).randbytes(20_000),
    "random lines": b"\n".join(random.Random(line).randbytes(line % 40) for line in range(500)),
    "a line of 10 MB": b"1" * 10_000_000 + b"\n1 1\n",
    "10 MB without an end": b"9 " * 5_000_000,
    "zeros": b"\0" * 10_000 + b"\n\0\n1\0 1\n",
    "not UTF-8": b"\xff\xfe\xc0\x80\n\xed\xa0\x80\n\xf5\x80\x80\x80 1\n",
    "escape sequences": b"\x1b[2J\x1b]0;hello\x07\n\x9b31m\n\x1b[6n\n\x07\x08\x7f\n",
    "odd digits": "٣ ٣\n\uff13 \uff13\n²\n1\u00a01\n1e3 1\n0x1 1\n1_0 1\n".encode(),
    "huge numbers": b"9" * 5000 + b" 1\n-" + b"9" * 400 + b"\n1 " + b"0" * 900 + b"1\n",
    "line ends": b"1 1\r\n\r\r\n\x0b\x0c\n\x85\xe2\x80\xa8\n",
}


@pytest.mark.parametrize("rubbish", RUBBISH)
@pytest.mark.parametrize("game", ["chain", "showdown"])
def test_rubbish_at_the_prompt(game: str, rubbish: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, err = finish(gridlock_process(tmp_path, "play", game, "--board", "3x3"), RUBBISH[rubbish])
    assert (code, err) == (0, "")
    assert not {char for char in out if unicodedata.category(char)[0] == "C"} - {"\n"}
    assert len(out) < 2_000_000
    monkeypatch.setenv("GRIDLOCK_HOME", str(tmp_path))
    assert all(entry.saved and entry.saved.match.begun for entry in entries())


@pytest.mark.parametrize("game", RULE_BOOKS)
def test_an_unsaved_record_does_not_lose_the_game(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gone").mkdir()
    process = gridlock_process(tmp_path, "play", game, "--record", "gone/record.txt")
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"0 1\n1 1\n")  # one of them is a move
    process.stdin.flush()
    while not (tmp_path / "gone" / "record.txt").exists():
        assert process.poll() is None
        time.sleep(0.01)
    (tmp_path / "gone" / "record.txt").unlink()
    (tmp_path / "gone").rmdir()
    code, out, err = finish(process, b"1 0\n1 2\n3 3\nquit\n")
    assert code == 1
    assert "saved. The game's record could not be saved." in out + err
    assert err.startswith("The record cannot be saved (No such file or directory). You can keep playing.\n")
    assert saved_match(tmp_path, monkeypatch).games[0].moves
