"""Tests that signals at random moments leave the terminal restored, every move on disk, and no process running."""

import os
import random
import signal
import termios
import time
from pathlib import Path

import pytest
from window import INTERRUPT, Window, window

from gridlock.command import _full_screen
from gridlock.userdata.saves import load

pytestmark = pytest.mark.slow

SIGNALS = [signal.SIGTERM, signal.SIGHUP, signal.SIGINT]
SWITCHES = ("?1049", "?1000", "?1003", "?1006", "?2004", "?1004")  # alternate screen, mouse, paste, focus


def read_for(opened: Window, seconds: float) -> None:
    """Read the output for the given number of seconds, or until the process ends."""
    until = time.monotonic() + seconds
    while time.monotonic() < until and opened.process.poll() is None:
        opened._read(0.02)


def descendants(process: int) -> list[int]:
    """Return the descendants of a process."""
    found: list[int] = []
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            children = [int(child) for child in task.read_text().split()]
        except OSError:
            continue
        for child in children:
            found += [child, *descendants(child)]
    return found


def gone(process: int) -> bool:
    """Return whether a process has ended."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def ended(opened: Window, number: int) -> None:
    """Read the output until the process ends; check its exit code, and check that no child process is left behind."""
    children = descendants(opened.process.pid)
    until = time.monotonic() + 60
    while opened.process.poll() is None:
        opened._read(0.05)
        assert time.monotonic() < until, f"it goes on:\n{opened.plain}"
    while opened._read(0.2):
        pass
    before = "init_import_site" in opened.plain  # Python itself was still starting, so none of our code had run
    assert opened.process.returncode in (128 + number, -number) or before, opened.plain
    while not all(map(gone, children)):
        assert time.monotonic() < until, "a child process stays"
        time.sleep(0.05)


def is_restored(opened: Window) -> None:
    """Check that every special terminal mode is off, the cursor is visible, and the terminal is in line mode again."""
    for switch in SWITCHES:
        on, off = opened.raw.rfind(f"\x1b[{switch}h"), opened.raw.rfind(f"\x1b[{switch}l")
        assert on <= off, f"{switch} is still on after:\n{opened.raw[-400:]!r}"
    assert opened.raw.rfind("\x1b[?25l") <= opened.raw.rfind("\x1b[?25h"), "the cursor is hidden"
    assert opened.raw.count("\x1b[>") <= opened.raw.count("\x1b[<u"), "the keyboard protocol is still on"
    modes = termios.tcgetattr(opened._slave)[3]
    assert modes & termios.ECHO
    assert modes & termios.ICANON
    assert modes & termios.ISIG


def test_ctrl_c_ends_the_program_while_the_screen_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python's default handler raises an exception, which is lost if the signal arrives during an import callback."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    monkeypatch.setattr("gridlock.tui.app.run", lambda *_: signal.getsignal(signal.SIGINT))
    try:
        assert _full_screen(None, None) is signal.SIG_DFL
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # as under nohup
        assert _full_screen(None, None) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def moves(home: Path) -> list[int]:
    """Return the moves on disk; before the first move, there is no file, and the list is empty."""
    games = list((home / "games").glob("*.json"))
    assert len(games) <= 1
    return load(games[0].read_text()).match.games[0].moves if games else []


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("moment", ["at first", "while it opens", "while it thinks", "while a person thinks"])
def test_the_full_screen_under_a_signal(number: int, moment: str, rng: random.Random, tmp_path: Path) -> None:
    with window("play showdown --screen --board 9x9 --player2 perfect --time 30", tmp_path) as opened:
        if moment == "at first":
            read_for(opened, rng.uniform(0, 0.3))
        elif moment == "while it opens":
            opened.wait_until(r"\x1b\[\?1049h")
            read_for(opened, rng.uniform(0, 0.3))
        else:
            opened.wait_until("your move")
            if moment == "while it thinks":
                opened.type("h" if rng.random() < 0.5 else "v")
                opened.type("1 1\r")
                opened.wait_until("[Tt]hinking")
            read_for(opened, rng.uniform(0, 0.5))
        opened.process.send_signal(number)
        ended(opened, number)
        is_restored(opened)
        if moment != "at first":  # the program cannot catch Ctrl-C until Python itself has started
            assert "Traceback" not in opened.plain
            assert moves(tmp_path)[:1] == ([0] if moment == "while it thinks" else [])


@pytest.mark.parametrize("first", [*SIGNALS, "q", INTERRUPT])
def test_another_signal_while_the_screen_closes(first: int | str, rng: random.Random, tmp_path: Path) -> None:
    with window("", tmp_path) as opened:
        opened.wait_until("daily puzzle")
        if isinstance(first, str):
            opened.type(first)
        else:
            opened.process.send_signal(first)
        read_for(opened, rng.uniform(0, 0.4))
        opened.process.send_signal(rng.choice(SIGNALS))
        while opened.process.poll() is None:
            opened._read(0.05)
        while opened._read(0.2):
            pass
        is_restored(opened)
        assert "Traceback" not in opened.plain
        codes = {0, *(128 + number for number in SIGNALS), *(-number for number in SIGNALS)}
        assert opened.process.returncode in codes


@pytest.mark.parametrize("command", ["play chain --screen --player2 perfect", "play chain --player2 perfect"])
def test_a_window_that_is_closed(command: str, tmp_path: Path) -> None:
    with window(command, tmp_path) as opened:
        opened.wait_until("your move" if "screen" in command else r"Enter the row")
        opened.type("2 2\r")
        until = time.monotonic() + 30
        while len(moves(tmp_path)) < 2:
            opened._read(0.05)
            assert time.monotonic() < until
        children = descendants(opened.process.pid)
        os.close(opened._slave)
        os.close(opened._master)
        opened._slave, opened._master = -1, os.open(os.devnull, os.O_RDONLY)
        opened.process.wait(60)
        # A program in line mode may first notice that it can no longer print, and exit with code 1.
        assert opened.process.returncode in (129, -signal.SIGHUP, *([] if "screen" in command else [1]))
        while not all(map(gone, children)):
            assert time.monotonic() < until + 60
            time.sleep(0.05)
    assert len(moves(tmp_path)) == 2


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("moment", ["at the prompt", "while it thinks", "at random"])
def test_line_mode_under_a_signal(number: int, moment: str, rng: random.Random, tmp_path: Path) -> None:
    with window("play scatter --board 9x9 --player2 perfect --time 2", tmp_path) as opened:
        prompt = "Player 1 (X), enter your move (row column):"
        opened.wait_for(prompt)
        opened.type("5 5\r")
        opened.wait_until("is thinking")
        if moment != "while it thinks":
            opened.raw = ""
            opened.wait_for(prompt)
            if moment == "at random":
                opened.type(f"1 {rng.randint(1, 4)}\r")
        read_for(opened, rng.uniform(0, 0.5))
        shown = opened.plain
        opened.process.send_signal(number)
        ended(opened, number)
        is_restored(opened)
        assert "Traceback" not in opened.plain
        kept = moves(tmp_path)
        assert kept[0] == 40
        if moment == "at the prompt":
            assert len(kept) == 2, shown
            assert "Your game is saved. Resume it with: gridlock resume" in opened.plain
