"""Tests that commands do not hang on broken links, pipes or devices among a user's files, but report and skip them."""

import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gridlock.core.files import NotAFile, read_regular

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
MEMORY = 1 << 30  # bytes of address space; reading /dev/zero to its end would need unlimited memory
PATIENCE = 60  # seconds; reached only by a command that waits forever


def link_to_itself(path: Path) -> None:
    path.symlink_to(path.name)


def pipe(path: Path) -> None:
    os.mkfifo(path)


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def link_to_nothing(path: Path) -> None:
    path.symlink_to("nothing")


def folder(path: Path) -> None:
    path.mkdir()


ODD = [link_to_itself, pipe, device, link_to_nothing, folder]


def gridlock(home: Path, words: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """Run a command in a separate process with a low memory limit."""
    return subprocess.run(
        [sys.executable, "-m", "gridlock", *words.split()],
        input=typed,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env={**os.environ, "GRIDLOCK_HOME": str(home)},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
        check=False,
    )


@pytest.mark.slow
@pytest.mark.parametrize("odd", ODD)
def test_one_odd_entry_does_not_hide_the_saved_games(tmp_path: Path, odd: Callable[[Path], None]) -> None:
    assert gridlock(tmp_path, "play showdown", "3 3\nquit\n").returncode == 0
    odd(tmp_path / "games" / "x.json")
    listed = gridlock(tmp_path, "games")
    assert (listed.returncode, listed.stderr) == (0, "")
    assert sorted(line.split()[4] for line in listed.stdout.splitlines()) == ["damaged", "unfinished"]
    assert "the file cannot be read (" in listed.stdout
    resumed = gridlock(tmp_path, "resume", "history\nquit\n")
    assert resumed.returncode == 0
    assert resumed.stderr.startswith("Skipping game x: the file cannot be read (")
    assert "1. X 3,3" in resumed.stdout
    counted = gridlock(tmp_path, "stats")
    assert (counted.returncode, counted.stderr) == (0, "")
    assert "Unfinished: 1. Damaged: 1." in counted.stdout


@pytest.mark.slow
@pytest.mark.parametrize("name", [b"\xff", b"\x1b[31mred"])
def test_a_name_that_cannot_be_printed(tmp_path: Path, name: bytes) -> None:
    for place, ending in ((b"games", b".json"), (b"own-games", b".toml")):
        odd = os.path.join(os.fsencode(tmp_path), place, name + ending)
        os.makedirs(os.path.dirname(odd))
        with open(odd, "w") as file:
            file.write("rubbish")
    for words in ("games", "stats", "rules", "resume"):
        done = gridlock(tmp_path, words)
        assert "Traceback" not in done.stderr
        assert "\x1b" not in done.stdout + done.stderr
        assert done.returncode == (3 if words == "resume" else 0)
    assert "\N{REPLACEMENT CHARACTER}" in gridlock(tmp_path, "games").stdout


@pytest.mark.slow
@pytest.mark.parametrize("odd", [link_to_itself, pipe, device, folder])
def test_settings_that_cannot_be_read_are_ignored_with_a_sentence(tmp_path: Path, odd: Callable[[Path], None]) -> None:
    odd(tmp_path / "settings.toml")
    shown = gridlock(tmp_path, "settings")
    assert shown.returncode == 0
    assert shown.stdout.splitlines()[-1].startswith(f"{tmp_path}/settings.toml cannot be read (")
    changed = gridlock(tmp_path, "settings name Ada")
    assert changed.returncode == 0
    assert "It is renamed to" in changed.stderr
    assert gridlock(tmp_path, "settings name").stdout == "Ada\n"


@pytest.mark.slow
@pytest.mark.parametrize("odd", [link_to_itself, pipe, device, folder])
def test_a_diary_that_cannot_be_read_is_ignored_with_a_sentence(tmp_path: Path, odd: Callable[[Path], None]) -> None:
    odd(tmp_path / "diary.json")
    shown = gridlock(tmp_path, "stats")
    assert shown.returncode == 0
    assert shown.stderr.startswith(f"{tmp_path}/diary.json cannot be read (")
    assert len(shown.stderr.splitlines()) == 1
    learnt = gridlock(tmp_path, "learn chain --lesson 1", "show\nquit\n")
    assert (learnt.returncode, "Traceback" in learnt.stderr) == (0, False)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["games/x.lock", "games/.x.json.0.part", "settings.lock", "diary.lock"])
def test_a_pipe_in_the_place_of_a_lock_or_a_draft_blocks_nothing(tmp_path: Path, name: str) -> None:
    (tmp_path / "games").mkdir()
    os.mkfifo(tmp_path / name)
    assert gridlock(tmp_path, "play showdown", "3 3\nquit\n").returncode == 0
    assert gridlock(tmp_path, "games").stdout.count("unfinished") == 1
    assert "Traceback" not in gridlock(tmp_path, "settings name Ada").stderr
    assert "Traceback" not in gridlock(tmp_path, "puzzle chain --board 3x3", "show\nquit\n").stderr


def test_only_regular_files_are_read_and_no_more_than_wanted(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.write_bytes(b"123456")
    assert read_regular(plain, 4) == b"1234"
    (tmp_path / "link").symlink_to(plain)
    assert read_regular(tmp_path / "link", 9) == b"123456"
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero")):
        with pytest.raises(NotAFile, match="not a regular file"):
            read_regular(path, 4)
