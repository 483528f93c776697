"""Tests of saved games: how they are listed, numbered, reviewed, shown, written to files, resumed and deleted."""

import io
import json
import os
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from window import window

from gridlock.command import run
from gridlock.core.errors import GridLockError
from gridlock.core.records import loads
from gridlock.userdata.folder import GameIsOpen
from gridlock.userdata.saves import Slot, entries, find, short_id

Command = Callable[..., str]
ASKED = "enter your move (row and column): "


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GRIDLOCK_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def command(home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Return a function that runs a command and returns its standard output and standard error together."""

    def do(words: str, *typed: str, code: int = 0) -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
        assert run(words.split()) == code
        printed = capsys.readouterr()
        return printed.out + printed.err

    assert home.is_dir()
    return do


@pytest.fixture
def three(command: Command) -> list[str]:
    """Save three entries, from newest to oldest: an unfinished game, a finished game and a match."""
    command("play keepaway --rounds 2 --name1 Ada", "2 2", "2 2")
    command("play keepaway --player2 easy --name1 Ada --seed 1", "2 2")
    command("play showdown --player2 hard", "3 3", "quit")
    names = [entry.name for entry in entries()]
    assert len(names) == 3
    return names


def test_the_list_has_numbers_ids_opponents_and_levels(command: Command, three: list[str]) -> None:
    lines = command("games").splitlines()
    assert [line.split()[:2] for line in lines] == [[str(n), name[-6:]] for n, name in enumerate(three, 1)]
    assert lines[0].endswith("unfinished  showdown 5x5, Player 1 - Player 2 (hard), 2 moves")
    assert lines[1].endswith("finished    keepaway 3x3, Ada beat Player 2 (easy)")
    assert lines[2].endswith("finished    keepaway 3x3, Ada 1 - 1 Player 2, round 2 of 2")
    listed = json.loads(command("games --json"))
    assert listed["total"] == 3
    assert [(one["number"], one["id"], one["kinds"][1]) for one in listed["games"]] == list(
        zip((1, 2, 3), three, ("hard", "easy", "human"), strict=True)
    )


def test_a_finished_game_is_reached_by_number_id_or_nothing(command: Command, three: list[str]) -> None:
    for reference in ("2", three[1], three[1][-6:], three[1].upper()):
        for what in ("review", "show"):
            out = command(f"{what} {reference}")
            assert "Ada (X) against Player 2 (O); Ada starts" in out
            assert "Ada wins: Player 2 has no legal move." in out
    assert "Showdown on a 5x5 board" in command("show")
    assert "No result yet" in command("review")
    assert "The match has 2 games; this is the last. For another, use --game 1." in command("show 3")
    assert "Player 2 starts" in command("show 3")
    assert "Ada starts" in command("show 3 --game 1")
    assert "there is no game 3: the match has 2 games." in command("review 3 --game 3", code=2)


def test_a_game_is_saved_by_number_id_or_nothing(command: Command, three: list[str], home: Path) -> None:
    assert command("save last.txt") == "Wrote the game to last.txt.\n"
    assert command("save 3 match.json") == "Wrote the game to match.json.\n"
    assert command(f"save {three[1]} one.json") == "Wrote the game to one.json.\n"
    assert [game.variant.book.name for game in loads((home / "last.txt").read_text())] == ["showdown"]
    assert len(loads((home / "match.json").read_text())) == 2
    assert command("show one.json") == command("show 2")
    assert loads(command("save 2 -"))[0].moves == [4]
    assert "Invalid value for 'FILE': last.txt already exists. Choose another name." in command("save last.txt", code=2)
    assert command("save 2 nowhere/x.txt", code=1) == "gridlock: No such file or directory: nowhere/x.txt\n"
    for words in ("save", "save 1 2 3"):
        assert "give a file, or a game and a file" in command(words, code=2)


def test_a_file_of_that_name_goes_before_an_id_but_not_before_a_number(
    command: Command, three: list[str], home: Path
) -> None:
    command("save 2 -")
    (home / three[0]).write_text(command("save 2 -"))
    assert command(f"show {three[0]}") == command("show 2")
    (home / "1").write_text(command("save 2 -"))
    assert command("show ./1") == command("show 2")
    assert command("show 1") != command("show 2")


@pytest.mark.usefixtures("three")
def test_a_missing_game_is_reported(command: Command) -> None:
    assert "There is no game 9. To list your games: gridlock games" in command("review 9", code=3)
    assert "There is no game 0." in command("show 0", code=3)
    assert "No such file or directory: nonsense.txt" in command("review nonsense.txt", code=1)
    for name in ("review", "show", "resume"):
        assert "There is no game 'nonsense'." in command(f"{name} nonsense", code=3)


@pytest.mark.parametrize("words", ["review", "show", "save -"])
def test_without_games_there_is_no_last_game(words: str, command: Command) -> None:
    assert "There are no games yet. To start a game: gridlock play" in command(words, code=3)


def test_if_all_games_are_damaged_the_list_of_games_says_why(home: Path, command: Command) -> None:
    (home / "games").mkdir()
    (home / "games" / "20260101-000000-abcdef.json").write_text("{}")
    said = "None of your games can be read. To see what is wrong: gridlock games"
    assert said in command("review", code=3)
    assert "damaged" in command("games")


def test_an_id_that_two_games_share_names_neither(home: Path) -> None:
    (home / "games").mkdir()
    for name in ("20260101-000000-abcdef", "20260102-000000-abcdef"):
        (home / "games" / f"{name}.json").write_text("{}")
    with pytest.raises(GridLockError, match="Several games match 'abcdef'"):
        find("abcdef")
    assert find("20260101-000000-abcdef").name == "20260101-000000-abcdef"
    assert short_id("20260101-000000-abcdef") == "abcdef"
    assert short_id("my own name") == "my own name"


def test_games_can_be_deleted(command: Command, three: list[str], home: Path) -> None:
    out = command(f"games --delete 1 --delete {three[2]}")
    assert out.count("Deleted") == 2
    assert [path.stem for path in (home / "games").iterdir()] == [three[1]], "by the numbers as they stood"
    held = Slot(three[1])
    try:
        assert "is open in another window" in command("games --delete 1", code=3)
    finally:
        held.release()
    assert "There is no game 7" in command("games --delete 7", code=3)
    assert len(list(entries())) == 1


def test_the_list_comes_in_pages(command: Command, home: Path) -> None:
    command("play chain", "1 1", "quit")
    (first,) = (home / "games").glob("*.json")
    for number in range(44):
        copy = home / "games" / f"20250101-000000-{number:06x}.json"
        copy.write_text(first.read_text())
        os.utime(copy, (number, number))
    out = command("games")
    assert len(out.splitlines()) == 21
    assert out.endswith("Games 1 to 20 of 45. Next page: gridlock games --page 2\n")
    out = command("games --page 3")
    assert [line.split()[0] for line in out.splitlines()[:-1]] == ["41", "42", "43", "44", "45"]
    assert out.endswith("Games 41 to 45 of 45.\n")
    assert "There is no page 4: you have 45 games." in command("games --page 4")
    assert len(command("games --all").splitlines()) == 45
    listed = json.loads(command("games --page 2 --json"))
    assert (listed["total"], [one["number"] for one in listed["games"]]) == (45, list(range(21, 41)))
    assert "'x' is not a whole number (1 or more)." in command("games --page x", code=2)


def test_resume_skips_a_game_open_in_another_window(command: Command) -> None:
    command("play chain", "1 1", "quit")
    command("play trails", "0 1", "quit")
    latest, older = (entry.name for entry in entries())
    held = Slot(latest)
    try:
        out = command("resume", "history", "quit")
        assert f"Skipping a game: Game {latest} is open in another window (process {os.getpid()}, since " in out
        assert "1. X 1,1" in out
        assert "  open        trails" in command("games")
        assert f"Game {latest} is open in another window" in command(f"resume {latest}", code=3)
        with pytest.raises(GameIsOpen):
            Slot(latest)
        also = Slot(older)
        try:
            assert "is open in another window" in command("resume", code=3)
        finally:
            also.release()
    finally:
        held.release()


# -- after the last move, at a terminal ------------------------------------------------------------------------------


def test_after_the_last_move_you_can_stay(tmp_path: Path) -> None:
    with window("play keepaway --player2 random --seed 1 --name1 Ada", tmp_path) as played:
        played.wait_for(ASKED)
        played.enter("2 2", "quit [quit]? ")
        assert "You win: the computer has no legal move." in played.plain
        played.enter("nonsense", "quit [quit]? ")
        assert "sides   play again with sides changed: Player 1 becomes Player 2" in played.plain
        played.enter("review", "quit [quit]? ")
        assert "No mistakes: Ada was winning from the start." in played.plain
        played.enter("save", "quit [quit]? ")
        assert "Add a file name" in played.plain
        played.enter("save game.txt", "quit [quit]? ")
        assert "Saved to game.txt." in played.plain
        played.enter("again", ASKED)
        assert "Player 2 (O) is the computer (random)." in played.plain
        played.enter("2 2", "quit [quit]? ")
        played.enter("sides", (ASKED, "quit [quit]? "))
        assert "Player 1 (X) is the computer (random)." in played.plain
        if "You lose" not in played.plain:  # one of nine random first moves wins at once
            assert "Ada (O), enter your move" in played.plain
            played.enter("resign", "quit [quit]? ")
        played.type("\r")
        assert played.exit_code() == 0
    assert len(list((tmp_path / "games").glob("*.json"))) == 3
    assert not list((tmp_path / "games").glob("*.lock"))
    assert loads((tmp_path / "game.txt").read_text())[0].moves == [4]


@pytest.mark.parametrize("keys", ["\x03", "\x04", "q\r", "quit\r"])
def test_leaving_after_the_last_move_is_not_a_failure(keys: str, tmp_path: Path) -> None:
    with window("play keepaway", tmp_path) as played:
        played.wait_for(ASKED)
        played.enter("2 2", "quit [quit]? ")
        played.type(keys)
        assert played.exit_code() == 0
        assert "Traceback" not in played.plain


def test_the_menu_resumes_unfinished_games(tmp_path: Path) -> None:
    with window("play showdown --player2 easy", tmp_path) as played:
        played.wait_for(ASKED)
        played.enter("3 3", ASKED)
        played.enter("quit", "gridlock resume\n")
    with window("--plain", tmp_path) as asked:
        asked.wait_for("Which game [showdown]? ")
        assert "  r   resume showdown 5x5, against easy, 2 moves, just now (" in asked.plain
        asked.enter("r2", "Which game [showdown]? ")
        asked.enter("r", ASKED)
        asked.enter("history", ASKED)
        assert "1. X 3,3; 2. O" in asked.plain
        with window("--plain", tmp_path) as other:
            other.wait_for("Which game [showdown]? ")
            other.type("r\r")
            assert other.exit_code() == 0
            assert re.search(
                r"is open in another window \(process \d+, since \d\d:\d\d\)", other.plain.replace("\n", " ")
            )


def test_two_programs_pause_between_moves(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)
    command("play trails --player1 random --player2 random --seed 1 --pause 0.7 --rounds 2")
    (entry,) = entries()
    assert entry.saved is not None
    moves = [len(game.moves) for game in entry.saved.match.games]
    assert slept == [0.7] * (sum(moves) - 2), "not after the last move of a game"
    command("play trails --player2 random --seed 1 --pause 0.7", "0 1", "quit")
    assert len(slept) == sum(moves) - 2, "a person needs none"


@pytest.mark.parametrize("columns", [80, 44])
def test_games_to_resume_are_broken_alike_in_the_menu(columns: int, command: Command, tmp_path: Path) -> None:
    for name in ("Ada", "Bo", "Cy"):
        command(f"play showdown --player2 perfect --board 11x11 --time 0.01 --name1 {name}", "6 6", "quit")
    with window("--plain", tmp_path, columns=columns) as asked:
        asked.wait_for("Which game [showdown]? ")
        lines = [line for line in asked.plain.split("\n") if line.startswith("  ") and "GridLock" not in line]
        assert max(map(len, lines)) <= columns
        first = next(number for number, line in enumerate(lines) if line.startswith("  r "))
        resumed = lines[first:-1]
        assert [line[:4].strip() for line in resumed if line[2] != " "] == ["r", "r2", "r3"]
        assert all(line[2] != " " or line.startswith(" " * 6) for line in resumed)
        assert len(resumed) == (3 if columns == 80 else 6)
