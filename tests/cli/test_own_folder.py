"""Tests of the folder for users' own games: menus list its games, and a broken file does not hide the other games."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from window import window

from gridlock.command import run
from gridlock.userdata.library import MOST, folder, own_books, own_games

HERMIT = 'title = "Hermit"\n[shape]\ncloses_own = true\ncloses_other = true\n'


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GRIDLOCK_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def own(home: Path, **files: str) -> None:
    """Write a game file for each keyword argument; the argument's name is the file name without the extension."""
    (home / "own-games").mkdir(exist_ok=True)
    for name, text in files.items():
        (home / "own-games" / f"{name}.toml").write_text(text)


@pytest.mark.usefixtures("home")
def test_without_the_folder_there_are_none() -> None:
    assert own_games() == []
    folder().write_text("not a folder")
    assert own_games() == []


def test_games_are_read_by_name_and_broken_files_are_explained(home: Path) -> None:
    own(home, hermit=HERMIT, broken="title = 3", chain=HERMIT, a_monk=f'name = "monk"\n{HERMIT}', b_monk=HERMIT)
    (home / "own-games" / "b_monk.toml").write_text(f'name = "monk"\n{HERMIT}')
    (home / "own-games" / "loop.toml").symlink_to("loop.toml")
    os.mkfifo(home / "own-games" / "pipe.toml")
    (home / "own-games" / "zero.toml").symlink_to("/dev/zero")
    (home / "own-games" / "readme.txt").write_text("not a game")
    assert [book.name for book in own_books()] == ["monk", "hermit"]
    problems = {game.file: game.problem for game in own_games() if game.book is None}
    assert problems == {
        "b_monk.toml": "b_monk.toml: there is already a game called monk (in a_monk.toml). Choose another name.",
        "broken.toml": "broken.toml, line 1: title must be text in quotes.",
        "chain.toml": problems["chain.toml"],
        "loop.toml": "loop.toml cannot be read: Too many levels of symbolic links.",
        "pipe.toml": "pipe.toml is not a regular file, so it cannot describe a game.",
        "zero.toml": "zero.toml is not a regular file, so it cannot describe a game.",
    }
    assert "there is already a game called chain. Choose another name." in problems["chain.toml"]


def test_no_more_files_are_read_than_anybody_has(home: Path) -> None:
    own(home, **{f"game{number:04}": HERMIT for number in range(MOST + 50)})
    assert len(own_games()) == MOST


def test_a_game_in_the_folder_is_known_by_its_name(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own(home, hermit=HERMIT, broken="title = 3")
    assert run(["rules"]) == 0
    out = capsys.readouterr().out
    assert "hermit    5x5  " in out
    assert "Not usable: broken.toml, line 1: title must be text in quotes." in out
    assert run(["rules", "Hermit"]) == 0
    assert "HERMIT." in capsys.readouterr().out
    assert run(["legal", "hermit", "--board", "2x2"]) == 0
    assert run(["rules", "hermot"]) == 2
    err = capsys.readouterr().err
    assert "Your own games are hermit. Did you mean hermit?" in err


def test_a_broken_file_in_the_folder_is_named_with_its_problem(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own(home, broken="title = 3")
    assert run(["rules", "Broken"]) == 3
    assert capsys.readouterr().err == "gridlock: broken.toml, line 1: title must be text in quotes.\n"


@pytest.mark.slow
@pytest.mark.parametrize("answer", ["6", "hermit", "her"])
def test_the_menu_lists_it(tmp_path: Path, answer: str) -> None:
    own(tmp_path, hermit=HERMIT, broken="title = 3")
    with window("--plain", tmp_path) as asked:
        asked.wait_for("Which game [showdown]? ")
        assert "  6   hermit    " in asked.plain
        assert "  -   broken.toml, line 1: title must be text in quotes." in asked.plain
        asked.enter(answer, "Which opponent [medium]? ")
        asked.enter("human", "Which board [5x5]? ")
        asked.enter("", "Who starts [1]? ")
        asked.enter("", "enter your move (row and column): ")
        assert "Hermit" in asked.plain


def test_completion_offers_it(home: Path) -> None:
    from gridlock.cli.options import complete_game

    own(home, hermit=HERMIT)
    complete: Callable[..., list[object]] = complete_game
    assert [item.value for item in complete(None, None, "he")] == ["hermit"]  # type: ignore[attr-defined]
