"""Tests of full-screen mode in a real terminal, including keys, the mouse, and the terminal's state afterwards."""

import os
import re
import signal
import time
from pathlib import Path

import pytest
from window import INTERRUPT, READY, STOP, Window, shell, window

from gridlock.play.clocks import PAUSE
from gridlock.userdata.saves import load

pytestmark = pytest.mark.slow

HOME_LIST = "daily puzzle"
MENU = "Which game"


def sees(opened: Window, text: str, seconds: float = 30) -> None:
    """Read the output until the given text appears."""
    until = time.monotonic() + seconds
    while text not in opened.plain:
        if not opened._read(0.1):
            assert opened.process.poll() is None, f"it ended without {text!r}:\n{opened.plain}"
            assert time.monotonic() < until, f"no {text!r} in:\n{opened.plain}"


def saved_moves(home: Path) -> list[int]:
    games = list((home / "games").glob("*.json"))
    assert len(games) <= 1
    return load(games[0].read_text()).match.games[0].moves if games else []


def until_moves(opened: Window, home: Path, moves: list[int] | int) -> None:
    """Wait until the given moves, or the given number of moves, are on disk."""
    until = time.monotonic() + 30
    while moves not in (found := saved_moves(home), len(found)):
        opened._read(0.05)
        assert time.monotonic() < until, (found, opened.plain)


def test_gridlock_alone_opens_it_and_q_leaves(tmp_path: Path) -> None:
    with window("", tmp_path) as opened:
        sees(opened, HOME_LIST)
        assert "\x1b[?1049h" in opened.raw  # the alternate screen, so that the earlier contents are restored
        opened.type("q")
        assert opened.exit_code() == 0
        assert opened.raw.rindex("\x1b[?1049l") > opened.raw.rindex("\x1b[?1049h")


@pytest.mark.parametrize(
    ("command", "settings"),
    [("--plain", {}), ("", {"TERM": "dumb"}), ("", {"ACCESSIBLE": "1"}), ("play", {}), ("play --plain", {})],
)
def test_when_line_mode_is_used(command: str, settings: dict[str, str], tmp_path: Path) -> None:
    with window(command, tmp_path, **settings) as opened:
        sees(opened, MENU)
        assert "\x1b[?1049h" not in opened.raw
        opened.type("q\r")
        assert opened.exit_code() == 0


def test_a_setting_for_screen_readers(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text('screen = "lines"\n')
    with window("", tmp_path) as opened:
        sees(opened, MENU)
        assert "\x1b[?1049h" not in opened.raw


def test_a_missing_package_error_says_how_to_install_it(tmp_path: Path) -> None:
    (tmp_path / "hide").mkdir()
    (tmp_path / "hide" / "sitecustomize.py").write_text(
        "import importlib.util\n"
        "real = importlib.util.find_spec\n"
        "importlib.util.find_spec = lambda name, *rest: None if name == 'textual' else real(name, *rest)\n"
    )
    import gridlock

    paths = os.pathsep.join([str(tmp_path / "hide"), str(Path(gridlock.__file__).parents[1])])
    for command, then in (("", MENU), ("play showdown --screen", "enter your move")):
        with window(command, tmp_path, PYTHONPATH=paths) as opened:
            sees(opened, "Full-screen mode needs the textual package. Install it with: pip install textual")
            sees(opened, then)


def test_the_menu_leads_to_it(tmp_path: Path) -> None:
    with window("--plain", tmp_path) as opened:
        sees(opened, "f   open the full screen")
        opened.type("f\r")
        sees(opened, HOME_LIST)
        opened.type("q")
        assert opened.exit_code() == 0


def test_a_damaged_diary_costs_one_warning(tmp_path: Path) -> None:
    (tmp_path / "diary.json").write_text("{")
    with window("", tmp_path) as opened:
        sees(opened, "is damaged: it is not JSON. It is ignored, and will be renamed to diary.json.damaged.")
        sees(opened, HOME_LIST)
        opened.type("q")
        assert opened.exit_code() == 0
        assert opened.plain.count("is damaged") == 1
    assert (tmp_path / "diary.json").read_text() == "{"


def test_a_dumb_terminal_gets_lines_from_play_too(tmp_path: Path) -> None:
    with window("play showdown --screen", tmp_path, TERM="dumb") as opened:
        sees(opened, "enter your move")
        assert "\x1b" not in opened.raw


def test_keys_and_mouse_as_a_terminal_sends_them(tmp_path: Path) -> None:
    with window("play showdown --screen", tmp_path) as opened:
        sees(opened, "your move")
        opened.type("\r")  # take the centre
        until_moves(opened, tmp_path, [12])
        opened.type("1 1\r")
        until_moves(opened, tmp_path, [12, 0])
        column, line = 12 + 2 * 7, 17  # inside the cell in row 5, column 3
        opened.type(f"\x1b[<0;{column};{line}M\x1b[<0;{column};{line}m")
        until_moves(opened, tmp_path, [12, 0, 22])
        opened.type("u")
        until_moves(opened, tmp_path, [12, 0])
        opened.type("\x1b[A\x1b[A\x1b[A\x1b[A\x1b[C\x1b[C\r")
        until_moves(opened, tmp_path, [12, 0, 4])


def test_ctrl_c_ends_it_and_says_how_to_resume(tmp_path: Path) -> None:
    with window("play chain --screen", tmp_path) as opened:
        sees(opened, "your move")
        opened.type("\r")
        until_moves(opened, tmp_path, [10])
        opened.type(INTERRUPT)
        opened.wait_until(r"\x1b\[\?1049l")
        opened.type(INTERRUPT)  # a second Ctrl-C, after everything is closed, changes nothing
        assert opened.exit_code() == 130
        assert "Your game is saved. Resume it with: gridlock resume" in opened.plain
        assert "Traceback" not in opened.plain
        assert opened.raw.rindex("\x1b[?1049l") > opened.raw.rindex("\x1b[?1049h")


def test_ctrl_z_goes_to_the_shell_and_fg_comes_back(tmp_path: Path) -> None:
    with shell("play chain --screen --player2 easy", tmp_path) as opened:
        sees(opened, "your move")
        opened.type("2 2\r")
        until_moves(opened, tmp_path, 2)
        opened.raw = ""
        opened.type(STOP)
        sees(opened, READY)
        assert "\x1b[?1049l" in opened.raw  # the shell's own screen is restored
        opened.type("echo a line for the shell\r")
        sees(opened, "\na line for the shell")
        assert len(saved_moves(tmp_path)) == 2
        opened.raw = ""
        opened.type("fg\r")
        sees(opened, "your move")  # the full screen is drawn again
        assert "\x1b[?1049h" in opened.raw
        opened.type("u")
        until_moves(opened, tmp_path, [])
        opened.raw = ""
        opened.type(INTERRUPT)
        sees(opened, "No moves were made, so the game isn't saved.")
        sees(opened, READY)
        opened.type("exit\r")
        assert opened.exit_code() == 130


def test_killed_midway_then_resumed_in_line_mode_and_back(tmp_path: Path) -> None:
    with window("play scatter --screen", tmp_path) as opened:
        sees(opened, "your move")
        opened.type("\r")
        until_moves(opened, tmp_path, [12])
        opened.process.send_signal(signal.SIGKILL)
        opened.process.wait()
    with window("resume", tmp_path) as opened:
        opened.wait_for("Player 2 (O), enter your move (row column):")
        opened.enter("1 1", "Player 1 (X), enter your move (row column):")
        opened.type("quit\r")
        assert opened.exit_code() == 0
    with window("", tmp_path) as opened:
        sees(opened, "Continue")
        opened.type("1")
        sees(opened, "your move")
        opened.type("5 5\r")
        until_moves(opened, tmp_path, [12, 0, 24])
        opened.type(INTERRUPT)
        assert opened.exit_code() == 130
    with window("resume --screen", tmp_path) as opened:
        sees(opened, "your move")
        opened.type("1 3\r")
        until_moves(opened, tmp_path, [12, 0, 24, 2])
        opened.type("\x1b")
        sees(opened, HOME_LIST)


def test_a_window_that_is_closed_leaves_nothing_running(tmp_path: Path) -> None:
    with window("play showdown --screen --player2 perfect --board 11x11 --time 5", tmp_path) as opened:
        sees(opened, "your move")
        opened.type("\r")
        sees(opened, "is thinking")
        children = _children(opened.process.pid)
        opened.process.send_signal(signal.SIGHUP)
        opened.process.wait(30)
        until = time.monotonic() + 90
        while any(_alive(child) for child in children):
            assert time.monotonic() < until
            time.sleep(0.1)


def _children(process: int) -> list[int]:
    found = []
    for task in Path(f"/proc/{process}/task").iterdir():
        found += [int(child) for child in (task / "children").read_text().split()]
    return found


def _alive(process: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False


COLOURS = re.compile("\x1b\\[[0-9;]*m")


def test_without_colours_none_is_sent(tmp_path: Path) -> None:
    """With NO_COLOR, only the terminal's default colours appear; bold and reverse video do not count as colours."""
    with window("play showdown --screen", tmp_path, NO_COLOR="1") as opened:
        sees(opened, "your move")
        opened.type("\r?")
        sees(opened, "Keys on this page")
        opened.type("\x10")  # Ctrl-P
        opened.type(INTERRUPT)
        assert opened.exit_code() == 130
    codes = {int(code or 0) for sent in COLOURS.findall(opened.raw) for code in sent[2:-1].split(";")}
    assert codes  # at least bold is used
    assert not codes & {*range(30, 39), *range(40, 49), *range(90, 108)}


@pytest.mark.parametrize(("command", "then"), [("", MENU), ("play showdown --screen", "enter your move")])
def test_a_locale_without_the_characters_gets_lines_and_a_sentence(command: str, then: str, tmp_path: Path) -> None:
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    with window(command, tmp_path, **plain) as opened:
        sees(opened, "Full-screen mode needs a UTF-8 locale")
        sees(opened, then)
        assert "\x1b[?1049h" not in opened.raw
        assert "open the full screen" not in opened.plain


def test_a_clock_opens_the_full_screen_and_stands_while_it_is_closed(tmp_path: Path) -> None:
    with window("play scatter --clock 5+3", tmp_path) as opened:
        sees(opened, "5:00")
        opened.type("\r")
        until_moves(opened, tmp_path, 1)
        opened.type(INTERRUPT)
        assert opened.exit_code() == 130
    (path,) = (tmp_path / "games").glob("*.json")
    left = load(path.read_text()).match.times
    assert left is not None
    time.sleep(1.5)
    with window("resume", tmp_path) as opened:
        sees(opened, "This game has clocks, which run only in full-screen mode.")
    with window("resume --screen", tmp_path) as opened:
        sees(opened, "your move")
        opened.type("1 1\r")
        until_moves(opened, tmp_path, 2)
    now = load(path.read_text()).match.times
    assert now is not None
    assert now[0] == left[0] == 300
    assert now[1] <= left[1] + 3


def test_a_program_that_is_suspended_loses_no_time(tmp_path: Path) -> None:
    with shell("play scatter --clock 1+0", tmp_path) as opened:
        sees(opened, "1:00")
        began = time.monotonic()
        opened.type("\r")
        until_moves(opened, tmp_path, 1)
        opened.raw = ""
        opened.type(STOP)
        sees(opened, READY)
        suspended = time.monotonic()
        time.sleep(4)
        paused = time.monotonic() - suspended
        opened.raw = ""
        opened.type("fg\r")
        sees(opened, "your move")
        opened.raw = ""
        opened.type(INTERRUPT)
        sees(opened, READY)
        played = time.monotonic() - began - paused
    (path,) = (tmp_path / "games").glob("*.json")
    left = load(path.read_text()).match.times
    assert left is not None
    assert 60 - left[1] <= played + PAUSE  # at most PAUSE seconds of the suspension count
