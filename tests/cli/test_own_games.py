"""Tests of users' own games, whether described in a file, registered by a program, or provided by a package."""

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from bench import reference

import gridlock
import gridlock.core.rules
import gridlock.players
from gridlock.command import run
from gridlock.core.definition import LARGEST
from gridlock.core.records import loads
from gridlock.core.rules import RULE_BOOKS
from gridlock.drawing.text import printed_width
from gridlock.userdata.saves import entries
from hermit import HERMIT

Capture = pytest.CaptureFixture[str]
Command = Callable[..., str]

# Markers in this game have the same effect as in Showdown, so the engine supports the game fully.
RIVALS = """\
title = "Rivals"
board = "4x5"
adjacency = "orthogonal"
players = ["Ada", "Bob"]

[shape]
closes_other = true
"""


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> Command:
    """Return a function that runs a command in a folder containing rivals.toml and returns the command's output."""
    monkeypatch.setenv("GRIDLOCK_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rivals.toml").write_text(RIVALS)

    def do(words: str, *lines: str, code: int = 0) -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        assert run(words.split()) == code
        printed = capsys.readouterr()
        return printed.out + printed.err

    return do


# -- a file wherever a name is --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("analyse ./rivals.toml", "X is to move and "),
        ("solve rivals.toml --board 3x3", "wins rivals on 3x3 (orthogonal)."),
        ("atlas {folder}/rivals.toml --up-to 3x3", "  3"),
        ("rules ./rivals.toml", "Try it:  gridlock play ./rivals.toml --player2 medium"),
        ("legal ./rivals.toml --moves 2,2", "Bob can play 15 cells:"),
        ("perft ./rivals.toml --depth 2", "2 318"),
        ("puzzle ./rivals.toml --json --seed 1", '{"game": "rivals", "board": "5x5"'),
    ],
)
def test_a_file_is_taken_where_a_name_is(words: str, told: str, command: Command, tmp_path: Path) -> None:
    assert told in command(words.format(folder=tmp_path))


def test_another_name_changes_no_answer(command: Command, tmp_path: Path) -> None:
    """The results that the engine computes for a game depend on the game's shape, not on its name."""
    (tmp_path / "star.toml").write_text('title = "Star"\n[shape]\ncloses_other = true\n')
    for words in ("analyse {} --moves 1,1 --distances --json", "solve {} --board 4x4 --openings --json"):
        ours, theirs = (json.loads(command(words.format(name))) for name in ("star.toml", "showdown"))
        for answer in (ours, theirs):
            del answer["seconds"], answer["positions"], answer["game"]
        assert ours == theirs
    assert command("atlas star.toml --up-to 4x4") == command("atlas showdown --up-to 4x4")


def test_the_file_of_a_game_may_be_gone_when_it_is_resumed_and_reviewed(command: Command, tmp_path: Path) -> None:
    out = command("play ./rivals.toml --record game.txt --player2 medium --seed 3 --rounds 2", "1 1", "quit")
    assert "Ada (X), enter your move (row and column): 1 1" in out
    (tmp_path / "rivals.toml").unlink()
    out = command("resume", "history", "nonsense", "1 1", "resign", "quit")
    assert "1. X 1,1; 2. O " in out
    assert "Invalid move. Cell is already occupied. Try again." in out
    assert "You lose: you resigned." in out
    assert "Round 2 of 2: the computer starts." in out
    assert "rivals 4x5, Ada 0 - 1 Bob (medium), round 2 of 2" in command("games")
    assert json.loads(command("games --json"))["games"][0]["game"] == "rivals"
    assert command("show game.txt --game 1").startswith("Rivals on a 4x5 board, orthogonal adjacency\nAda (X) against")
    assert "Bob wins: Ada resigned." in command("review game.txt --game 1")
    assert all(game.variant.book.title == "Rivals" for game in loads((tmp_path / "game.txt").read_text()))


def test_a_game_continues_under_the_rules_it_started_with(command: Command, tmp_path: Path) -> None:
    command("play ./rivals.toml", "1 1", "quit")
    (tmp_path / "rivals.toml").write_text('title = "Rivals"\nboard = "2x2"\n[shape]\ncloses_own = true\n')
    assert "Invalid move. Cell is adjacent to one of your opponent's markers. Try again." in command("resume", "1 2")


def test_a_saved_game_knows_its_players(command: Command, tmp_path: Path) -> None:
    command("play ./rivals.toml", "1 1", "quit")
    (tmp_path / "rivals.toml").unlink()
    [entry] = entries()
    assert entry.saved is not None
    assert entry.saved.match.variant.book.players == ("Ada", "Bob")


def test_a_save_names_no_file(command: Command, tmp_path: Path) -> None:
    """The name of a game in a save file or a record is never treated as a path."""
    command("play showdown", "3 3", "save game.txt", "quit")
    record = (tmp_path / "game.txt").read_text().replace('"showdown"', '"./rivals.toml"')
    (tmp_path / "bad.txt").write_text(re.sub(r"\[Check.*\n", "", record))
    assert "There is no game called './rivals.toml'" in command("show bad.txt", code=3)


def test_swap_advice_and_values_of_your_own_game(command: Command) -> None:
    out = command("play ./rivals.toml --swap --time 1", "values", "2 3", "hint", "why", "values", "quit")
    assert "No first move guarantees a win, because your opponent may swap sides." in out
    assert re.search(r"Swap: the first move was a winning one|Try \d,\d: it wins", out)


def test_a_shape_that_no_built_in_game_has(command: Command, tmp_path: Path, capsys: Capture) -> None:
    """GridLock can analyse, solve, play and review a custom game, and make puzzles of it, from the game's file."""
    (tmp_path / "hermit.toml").write_text(blocks("toml")[0])
    said = json.loads(command("analyse hermit.toml --board 3x3 --moves 1,1 --distances --json"))
    variant = gridlock.variant(gridlock.rule_book("hermit.toml"), "3x3")
    exact = reference.results(variant, variant.start().after(0))
    assert {tuple(move["cell"]): (move["outcome"], move["distance"]) for move in said["values"]} == {
        variant.coordinates(cell): ("win" if result.win else "loss", result.distance) for cell, result in exact.items()
    }
    assert "Method: mirror; 0 positions" in command("solve hermit.toml --board 6x6")
    puzzle = json.loads(command("puzzle hermit.toml --json --seed 1"))
    moves = " ".join("{},{}".format(*move) for move in puzzle["moves"])
    assert run(["analyse", "hermit.toml", "--board", puzzle["board"], "--moves", moves]) == 0
    answer = "Winning: {},{} (+{})\n".format(*puzzle["winning"][0], puzzle["distance"])
    assert answer in capsys.readouterr().out
    out = command("play hermit.toml --player1 perfect --player2 medium --record game.txt --seed 1")
    assert out.endswith("No valid moves remaining for Player 2. Player 1 wins!\n")
    (tmp_path / "hermit.toml").unlink()
    assert "Player 1 wins: Player 2 has no legal move." in command("review game.txt")


# -- bad files ------------------------------------------------------------------------------------------------------

WRONG = [
    ("", "line 1: title is missing"),
    ('title = "x', "line 1: invalid TOML"),
    ('title = "Go"\n\nboard = 5\n[shape]\n', "line 3: board must be "),
    ('title = "Go"\nboard = "0x9"\n[shape]\n', "line 2: board must be rows x columns"),
    (
        'title = "Go"\ncolour = "red"\n[shape]\n',
        "line 2: colour is not a setting of a game. The settings are",
    ),
    ('title = "Go"\n[shape]\nfollows = "far"\n', 'line 3: follows is "near" or "away".'),
    ('title = "Go"\n[shape]\npawn = true\n', "line 3: pawn is not enough"),
    ('title = "Go"\npasses = true\n[shape]\nfollows = "near"\n', "line 2: passes is not possible here"),
    (
        'title = "Go"\nname = "Größe"\n[shape]\n',
        "line 2: name must have up to 32 lower-case letters",
    ),
    ('title = "Go"\nname = "chain"\n[shape]\n', "line 2: there is already a game called chain"),
    (
        'title = "Go"\nmarks = ["XX", "O"]\n[shape]\n',
        "line 2: marks must be a list of two different capital letters from A to Z.",
    ),
    ('title = " "\n[shape]\n', "line 1: title must not be empty."),
    ('title = "Go"\nshape = "chain"\n', "line 2: shape must be a table: write a line [shape]"),
    ('title = "Go"\n\n[[shape]]\n', "line 3: shape must be a table"),
    ('[shape]\ntitle = "Go"\n', "line 2: title belongs to the game, not to its shape: move it above [shape]."),
    ('title = "Go"\n', "line 1: shape is missing: add a line [shape]"),
    ('title = "Go"\ntitle = "Chess"\n[shape]\n', "line 2: invalid TOML (the same setting or table is given twice)"),
    ('title = "Go"\n[shape]\n[shape]\n', "line 3: invalid TOML (the same setting or table is given twice)"),
    ('title = "\\u001b[31mred"\n[shape]\n', "line 1: title must have at most 40 characters, all of them printable"),
    ("title = " + "[" * 5000, "line 1: "),
    ("#" * (LARGEST + 1), f"longer than {LARGEST:,} characters"),
]


@pytest.mark.parametrize(("text", "reason"), WRONG, ids=[reason[:30] for _, reason in WRONG])
def test_a_bad_file_is_refused_with_its_line(text: str, reason: str, command: Command, tmp_path: Path) -> None:
    (tmp_path / "wrong.toml").write_text(text)
    for words in ("play ./wrong.toml", "rules wrong.toml"):
        out = command(words, code=3)
        assert out.startswith("gridlock: wrong.toml")
        assert reason in out or (text.startswith("title = [[") and "nested too deeply" in out)
        assert out.count("\n") <= 2
        assert "\x1b" not in out


@pytest.mark.parametrize("what", ["missing", "folder", "pipe", "device", "bytes", "huge"])
def test_binary_files_are_rejected_at_once(what: str, command: Command, tmp_path: Path) -> None:
    path = tmp_path / "odd.toml"
    if what == "folder":
        path.mkdir()
    elif what == "pipe":
        os.mkfifo(path)  # opening it would wait for a writer forever
    elif what == "device":
        path.symlink_to("/dev/zero")  # reading it would never end
    elif what == "bytes":
        path.write_bytes(b'title = "\xff\xfe"\n')
    elif what == "huge":
        path.write_bytes(b"x" * 10_000_000)
    reason = {
        "missing": "cannot be read: No such file or directory.",
        "folder": "is a folder, so it cannot describe a game.",
        "pipe": "is not a regular file, so it cannot describe a game.",
        "device": "is not a regular file, so it cannot describe a game.",
        "bytes": "is not UTF-8 text, so it cannot describe a game.",
        "huge": f"is longer than {LARGEST:,} characters, which is more than any game needs.",
    }[what]
    assert command("analyse ./odd.toml", code=3) == f"gridlock: odd.toml {reason}\n"


def test_a_path_without_the_ending_is_a_file_and_a_word_is_a_name(command: Command, tmp_path: Path) -> None:
    (tmp_path / "rivals").write_text(RIVALS)
    assert "Bob can play 15 cells" in command("legal ./rivals --moves 2,2")
    out = command("legal rivals", code=2)
    assert "there is no game called 'rivals'. The games are keepaway, chain, scatter, trails, showdown." in out
    assert "give the path to its file, such as ./hermit.toml" in out


def test_names_in_any_script(command: Command, tmp_path: Path) -> None:
    (tmp_path / "igo.toml").write_text(
        f'title = "囲碁のような長い名前のゲーム"\nplayers = ["黒", "白"]\nrules = "{"石を置く。" * 40}"\n'
        "[shape]\ncloses_other = true\n",
        encoding="utf-8-sig",  # some editors write a byte order mark
    )
    page = command("rules igo.toml").splitlines()
    assert page[0].startswith("囲碁のような長い名前のゲーム.")
    assert all(printed_width(line) <= 80 for line in page)
    assert "".join(page[2:8]).startswith("石を置く。" * 40)
    assert "黒 (X), enter your move (row and column): " in command("play igo.toml --record 棋譜.txt", "1 1")
    assert "igo 5x5, 黒 - 白, 1 move" in command("games")
    assert "黒 (X) against 白 (O); 黒 starts" in command("show 棋譜.txt")
    command("play igo.toml --record two.txt --name2 Bob", "1 1", "5 5", "1 2")
    steps = re.findall(r"^( +\d\. \S+ \(.\) \d,\d +)\w", command("review two.txt"), re.MULTILINE)
    assert len(steps) == 3
    assert len(set(map(printed_width, steps))) == 1, "the remarks stand under each other"
    (tmp_path / "囲碁.toml").write_text((tmp_path / "igo.toml").read_text(encoding="utf-8-sig"), encoding="utf-8")
    assert "name is missing, and the file's name cannot be used instead" in command("rules 囲碁.toml", code=3)


@pytest.mark.usefixtures("command")
def test_a_path_is_shown_as_the_shell_takes_it(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "my games").mkdir()
    (tmp_path / "my games/rivals.toml").write_text(RIVALS)
    assert run(["rules", "my games/rivals.toml"]) == 0
    assert "Try it:  gridlock play 'my games/rivals.toml' --player2 medium\n" in capsys.readouterr().out


# -- games that programs and packages bring -------------------------------------------------------------------------


def test_a_registered_game_is_known_by_its_name(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RULE_BOOKS, "hermit", HERMIT)
    assert "hermit" in command("rules")
    assert "HERMIT. Touch nobody's marker." in command("rules hermit")
    assert "The second player wins hermit on 6x6" in command("solve Hermit --board 6x6")


def test_a_package_brings_a_game(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    brought = EntryPoint("hermit", "hermit:HERMIT", gridlock.core.rules.PACKAGES)
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: [brought] if "games" in group else [])
    monkeypatch.setattr(gridlock.core.rules, "RULE_BOOKS", RULE_BOOKS)
    try:
        assert "Player 1 can play 12 cells:" in command("legal hermit")
        assert "hermit    3x4  Touch nobody's marker." in command("rules")
        assert "showdown, hermit" in command("legal chess", code=2)
    finally:
        RULE_BOOKS.pop("hermit", None)


@pytest.mark.parametrize("value", ["nowhere:GAME", "hermit:Shape"])
def test_a_package_that_is_broken_is_named(value: str, command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    brought = EntryPoint("broken", value, gridlock.core.rules.PACKAGES)
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: [brought] if "games" in group else [])
    assert "the package behind the game 'broken' " in command("legal broken", code=2)
    assert "Player 1 can play 9 cells:" in command("legal keepaway")


def test_a_package_with_a_broken_agent_is_named(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    brought = EntryPoint("clumsy", "nowhere:play", gridlock.players.registry.PACKAGES)
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: [brought] if "agents" in group else [])
    monkeypatch.setattr(gridlock.agents, "_packages", None)
    out = command("play chain --player2 clumsy", code=4)
    assert out == "gridlock: The package behind the agent 'clumsy' does not load: No module named 'nowhere'.\n"


def test_your_own_agent_plays(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(gridlock.agents, "first", lambda game, _rng, _seconds: gridlock.cells_of(game.legal)[0])
    out = command("play ./rivals.toml --player1 first --player2 first")
    assert "Ada (X) plays 1,1." in out
    out = command("play chain --player2 nobody", code=2)
    assert "there is no agent called 'nobody'. The agents are random, easy, medium, hard, perfect" in out


# -- the page about it ----------------------------------------------------------------------------------------------

PAGE = (Path(__file__).parents[2] / "docs/games.md").read_text()


def blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)


def test_the_commands_of_the_page(command: Command, tmp_path: Path) -> None:
    hermit, leapfrog, _package = blocks("toml")
    (tmp_path / "hermit.toml").write_text(hermit)
    (tmp_path / "leapfrog.toml").write_text(leapfrog)
    for block in blocks("console"):
        for line, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
            if line == "cat wrong.toml":
                (tmp_path / "wrong.toml").write_text(expected)
                continue
            out = command(line.removeprefix("gridlock "), code=3 if "wrong.toml" in line else 0)
            assert re.fullmatch(re.escape(expected).replace(re.escape("..."), ".*"), out)
    out = command("play leapfrog.toml", "0 2")
    assert "Frog (F), enter your move (row and column): 0 2" in out
    assert "0  # | . | F | . | ." in out, "what is blocked is no marker"


def test_the_settings_of_the_page() -> None:
    from gridlock.core.definition import _SETTINGS

    told = re.findall(r"^\| `\[?(\w+)\]?` \|", PAGE, re.MULTILINE)
    assert sorted(told) == sorted(["shape", *_SETTINGS])
    shown = set(re.findall(r"^(\w+) =", blocks("toml")[1], re.MULTILINE))
    assert shown >= set(_SETTINGS)


def test_the_pictures_of_the_page() -> None:
    """The drawings on the documentation page agree with the shapes that they illustrate."""
    closing, following, walking = (block.splitlines() for block in blocks("text"))
    shape = gridlock.Shape
    for lines, first, shapes in (
        (closing, 1, (shape(closes_own=True), shape(closes_other=True), shape(closes_own=True, closes_other=True))),
        (following, 1, (shape(follows=gridlock.Follow.NEAR), shape(follows=gridlock.Follow.AWAY))),
        (walking, 2, (shape(follows="near", pawn=True), shape(follows="away", pawn=True))),
    ):
        drawn = [re.findall(r"\S(?: \S){4}", line) for line in lines[first : first + 5]]
        for number, one in enumerate(shapes):
            assert [row[number].split() for row in drawn] == picture(one)


def picture(shape: gridlock.Shape) -> list[list[str]]:
    """Draw the position that follows a move at the centre or, if the game has pawns, one move by each pawn."""
    grid = gridlock.Grid(5, 5, gridlock.Adjacency.KING)
    position = gridlock.Position(0, 0, None, None, 1).after(12)
    if shape.pawn:
        position = gridlock.Position(1 << 0 | 1 << 6, 1 << 24 | 1 << 18, 6, 18, 1)
    legal = shape.legal(grid, position)
    other = shape.legal(grid, position.passed())

    def sign(cell: int) -> str:
        if position.taken >> cell & 1:
            return {0: "#", 24: "#", 6: "A", 18: "B", 12: "X"}[cell]
        if shape.follows:
            return "." if legal >> cell & 1 else ":"
        return {(0, 0): "*", (0, 1): "o", (1, 0): "x", (1, 1): "."}[legal >> cell & 1, other >> cell & 1]

    return [[sign(5 * row + col) for col in range(5)] for row in range(5)]


def test_the_programs_of_the_page(tmp_path: Path) -> None:
    script = "\n".join(blocks("python")) + (
        "\nfrom gridlock.command import run\n"
        "assert run(['legal', 'rivals']) == 0\n"
        "assert run(['solve', 'rows', '--openings']) == 0\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        timeout=60,
        env=os.environ | {"HOME": str(tmp_path)},
    )
    assert done.stderr == ""
    assert "Player 1 can play 24 cells:" in done.stdout
    assert "The first player wins rows on 3x3 (king)." in done.stdout


def test_a_checkpoint_that_would_save_nothing_is_rejected(tmp_path, capsys):
    """Some games are solved by a search whose results cannot be saved, so a checkpoint would be useless."""
    file = tmp_path / "leaper.toml"
    file.write_text('title = "Leaper"\n[shape]\nfollows = "away"\npawn = true\n')
    kept = tmp_path / "kept"
    assert run(["solve", str(file), "--checkpoint", str(kept)]) == 2
    assert "a search of leaper on 5x5 cannot use a checkpoint" in capsys.readouterr().err
    assert not kept.exists()
    assert run(["solve", str(file), "--board", "7x7", "--time", "0.05"]) == 5
    assert "more --time may solve it" in capsys.readouterr().err
