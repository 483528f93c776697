"""Tests of the settings.

The tests cover the settings file, invalid values, damaged files, settings changed in two windows at once, and how games
and menus use the settings.
"""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from window import window

from gridlock.players import agents
from gridlock.tui.page import AppState
from gridlock.userdata.settings import Preferences, place

ASKED = "enter your move (row and column): "
Command = Callable[..., str]


def test_settings_are_saved_in_one_file(command: Command, home: Path) -> None:
    assert command("settings").startswith("name        (not set)\nlevel       (not set)\n")
    assert not (home / "settings.toml").exists()
    for key, value in (
        ("name", 'Zo"ë\\'),
        ("level", "HARD"),
        ("theme", "Dark"),
        ("screen", "Lines"),
        ("board.showdown", "6 x 7"),
    ):
        assert f"Saved in {home / 'settings.toml'}." in command("settings", key, value)
    assert (home / "settings.toml").read_text() == (
        'name = "Zo\\"ë\\\\"\nlevel = "hard"\ntheme = "dark"\nscreen = "lines"\n\n[board]\n"showdown" = "6x7"\n'
    )
    said = json.loads(command("settings", "--json"))
    assert said["settings"] == {
        "name": 'Zo"ë\\',
        "level": "hard",
        "theme": "dark",
        "screen": "lines",
        "board": {"showdown": "6x7"},
    }
    command("settings", "name", "")
    command("settings", "screen", "")
    command("settings", "board.showdown", "")
    assert (home / "settings.toml").read_text() == 'level = "hard"\ntheme = "dark"\n'


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("nmae", "Ada", "there is no setting 'nmae'"),
        ("level", "prefect", "there is no level 'prefect'. Did you mean perfect?"),
        ("theme", "drak", "theme must be one of dark, light, contrast, not 'drak'. Did you mean dark?"),
        ("screen", "none", "screen must be one of full, lines, not 'none'"),
        ("board.shwodown", "5x5", "there is no game 'shwodown'. Did you mean showdown?"),
        ("board.chain", "5", "'5' is not a board"),
        ("board.chain", "0x0", "0x0"),
        ("board.trails", "1x1", "at least 2 cells"),
        ("board.chain", "999x999", "999x999"),
        ("board", "5x5", "there is no setting 'board'"),
    ],
)
def test_invalid_settings_are_rejected(key: str, value: str, words: str, command: Command, home: Path) -> None:
    assert words in command("settings", key, value, code=2)
    assert not (home / "settings.toml").exists()


def test_one_setting_is_shown(command: Command) -> None:
    assert command("settings", "name") == command("settings", "board.chain") == "(not set)\n"
    command("settings", "name", "Ada")
    assert command("settings", "NAME") == "Ada\n"
    assert "there is no setting 'nmae'. Did you mean name?" in command("settings", "nmae", code=2)


def test_an_unprintable_name_is_rejected(command: Command) -> None:
    command("settings", "name", "Ada")
    assert "a name needs at least one character that can be shown" in command("settings", "name", "\x1b", code=2)
    assert command("settings", "name") == "Ada\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"name = ", "invalid TOML"),
        (b"\xff", "this is not UTF-8 text"),
        (b"name = 5\n", "name must be text in quotes"),
        (b'theme = "pink"\n', "theme must be one of dark, light, contrast, not 'pink'."),
        (b'level = "godlike"\n', "there is no level 'godlike'."),
        (b'[board]\nchain = "big"\n', "'big' is not a board"),
        (b'[board]\nchain = "0x0"\n', "0x0"),
        (b'[board]\ntrails = "1x1"\n', "at least 2 cells"),
        (b"board = 5\n", "board must be a table"),
    ],
)
def test_a_bad_setting_costs_a_warning_and_its_default(text: bytes, words: str, command: Command, home: Path) -> None:
    place().write_bytes(text)
    assert words in command("settings")
    assert Preferences.load(agents) == Preferences()
    with window("--plain", home) as opened:
        opened.wait_for("Which game [showdown]? ")
        assert opened.plain.replace("\n", " ").count(words) == 1
        assert opened.plain.count("gnored.") == 1


def test_a_bad_setting_can_be_repaired_and_cleared(command: Command, home: Path) -> None:
    file = home / "settings.toml"
    file.write_text(
        'theme = "pink"\nname = "Ada"\nlevel = 5\ncolour = "red"\nwhen = 2026-11-17\n[board]\nchain = "0x0"\n'
    )
    listed = command("settings")
    assert "colour       (unknown to this version)" in listed
    assert "theme        (ignored: theme must be one of dark, light, contrast, not 'pink'.)" in listed
    assert "Clear a setting with: gridlock settings KEY ''" in listed
    command("settings", "theme", "light")
    assert Preferences.load() == Preferences("Ada", "", "light")
    command("settings", "level", "")
    command("settings", "board.chain", "")
    assert file.read_text() == 'name = "Ada"\ntheme = "light"\ncolour = "red"\nwhen = 2026-11-17\n'
    command("settings", "colour", "")
    assert file.read_text() == 'name = "Ada"\ntheme = "light"\nwhen = 2026-11-17\n'


def test_a_damaged_file_is_set_aside_and_not_lost(command: Command, home: Path) -> None:
    (home / "settings.toml").write_bytes(b"\xff")
    assert f"It is renamed to {place()}.damaged." in command("settings", "name", "Ada")
    assert Preferences.load().name == "Ada"
    assert (home / "settings.toml.damaged").read_bytes() == b"\xff"


def test_two_windows_change_different_settings(command: Command, home: Path) -> None:
    """A window that changes one setting does not overwrite other settings changed elsewhere since it opened."""
    assert home.is_dir()
    state = AppState(Preferences.load())
    command("settings", "name", "Ada")
    state.remember("theme", "light")
    assert Preferences.load() == Preferences("Ada", theme="light")


def test_the_file_on_the_page_is_one(home: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "terminal.md").read_text()
    (home / "settings.toml").write_text(page.partition("```toml\n")[2].partition("```")[0])
    assert Preferences.load() == Preferences("Ada", "hard", "dark", {"showdown": "6x6"}, "full")


def test_a_name_is_for_the_terminal_alone(command: Command, tmp_path: Path) -> None:
    command("settings", "name", "Ada")
    assert "Player 1 (X), enter" in command("play", "showdown")
    for options, prompt in (
        ("", "Ada (X), "),
        (" --player1 random --seed 1", "Ada (O), "),
        (" --name1 Bo", "Bo (X), "),
    ):
        with window(f"play showdown{options}", tmp_path) as played:
            played.wait_for(f"{prompt}{ASKED}")


def test_the_menu_remembers_level_and_board(tmp_path: Path) -> None:
    for level, board in (("medium", "4x4"), ("easy", "6x3")):
        with window("--plain", tmp_path) as asked:
            asked.wait_for("Which game [showdown]? ")
            asked.enter("chain", f"Which opponent [{level}]? ")
            asked.enter("easy", f"Which board [{board}]? ")
            asked.enter("6x3", "Who starts [1]? ")
            asked.enter("", "Enter the row number (1-6): ")
    assert (tmp_path / "settings.toml").read_text() == 'level = "easy"\n\n[board]\n"chain" = "6x3"\n'
    with window("--plain", tmp_path) as asked:
        asked.wait_for("Which game [showdown]? ")
        asked.enter("chain", "Which opponent [easy]? ")
        asked.enter("human", "Which board [6x3]? ")
        asked.enter("4x4", "Who starts [1]? ")
        asked.enter("", "Enter the row number (1-4): ")
    assert (tmp_path / "settings.toml").read_text() == 'level = "easy"\n', "its own board needs no remembering"
