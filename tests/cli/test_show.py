"""Tests that `gridlock show` replays records as text, JSON and pictures, and rejects records that it cannot trust."""

import io
import json
import random
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from gridlock import RULE_BOOKS, SWAP, Game, cells_of, variant
from gridlock.command import run
from gridlock.core import records

Capture = pytest.CaptureFixture[str]
HOSTILE = ('\x1b[31m<b>&"Ada\\\u202e', 'Bob\n[Game "x"]\x00')

SCATTER = """\
Scatter on a 3x3 board, king adjacency, with the swap rule
Ada (X) against Bob (O); Bob starts

   1. Bob (O) 2,2
   2. Ada takes over O; the players change sides
   3. Bob (X) 1,1
      Ada (O) passes
   4. Bob (X) 1,3
      Ada (O) passes
   5. Bob (X) 3,1
      Ada (O) passes

X _ X
_ O _
X _ _

No result yet: Bob (X) is to move, with 1 cell to choose from.
"""


def played(name: str, *, seed: int = 1, moves: int = 10_000, names: tuple[str, str] = ("Ada", "Bob")) -> Game:
    """Play random moves until the game ends or reaches a given number of moves."""
    rng, game = random.Random(seed), Game(variant(name), names=names)
    while len(game.moves) < moves and not game.outcome:
        game.push(rng.choice(cells_of(game.legal)))
    return game


def swapped() -> Game:
    """Return a game with a swap and several forced passes."""
    game = Game(variant("scatter", "3x3"), starts=2, swap=True, names=("Ada", "Bob"))
    game.push(4)
    game.push(SWAP)
    for cell in (0, 2, 6):
        game.push(cell)
    return game


def saved(tmp_path: Path, *games: Game) -> str:
    path = tmp_path / "record.txt"
    path.write_text("\n".join(records.dump_text(game) for game in games), encoding="utf-8")
    return str(path)


def test_a_record_is_replayed_from_first_move_to_result(tmp_path: Path, capsys: Capture) -> None:
    assert run(["show", saved(tmp_path, swapped())]) == 0
    assert capsys.readouterr().out == SCATTER


@pytest.mark.parametrize("name", RULE_BOOKS)
def test_every_move_and_the_winner_are_announced(name: str, tmp_path: Path, capsys: Capture) -> None:
    game = played(name)
    assert run(["show", saved(tmp_path, game)]) == 0
    out = capsys.readouterr().out
    for number, move in enumerate(game.moves, 1):
        line = next(line for line in out.splitlines() if line.strip().startswith(f"{number}. "))
        assert line.endswith(f") {game.variant.name(move)}")
    assert game.outcome is not None
    assert out.splitlines()[-1].startswith(f"{game.player_name(game.outcome.winner)} wins: ")


def test_a_resignation_is_shown(tmp_path: Path, capsys: Capture) -> None:
    game = played("chain", moves=2)
    game.resign(2)
    assert run(["show", saved(tmp_path, game)]) == 0
    out = capsys.readouterr().out
    assert "Bob resigns" in out
    assert out.endswith("Ada wins: Bob resigned.\n")


def test_at_shows_the_board_after_so_many_moves(tmp_path: Path, capsys: Capture) -> None:
    file = saved(tmp_path, swapped())
    assert run(["show", file, "--at", "1"]) == 0
    out = capsys.readouterr().out
    assert out.endswith(
        "_ _ _\n_ O _\n_ _ _\n\nNo result yet: Ada (X) is to move, with 8 cells to choose from, or a swap.\n"
    )
    assert "2." not in out
    assert run(["show", file, "--at", "0"]) == 0
    assert "\n_ _ _\n_ _ _\n_ _ _\n" in capsys.readouterr().out


@pytest.mark.parametrize("at", ["-1", "6", "1000000000000"])
def test_at_outside_the_game_says_the_range(at: str, tmp_path: Path, capsys: Capture) -> None:
    assert run(["show", saved(tmp_path, swapped()), "--at", at]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "the game has 5 moves." in captured.err


@pytest.mark.parametrize("name", RULE_BOOKS)
def test_json_contains_the_whole_game(name: str, tmp_path: Path, capsys: Capture) -> None:
    game = played(name, names=HOSTILE)
    assert run(["show", saved(tmp_path, game), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert game.outcome is not None
    assert said["moves"] == [list(game.variant.coordinates(move)) for move in game.moves]
    assert said["players"] == [game.player_name(1), game.player_name(2)]
    assert (said["game"], said["board"], said["starts"]) == (name, str(game.variant.grid), 1)
    assert (said["winner"], said["termination"], said["over"]) == (game.outcome.winner, "stuck", True)


@pytest.mark.parametrize("name", RULE_BOOKS)
@pytest.mark.parametrize("seed", range(3))
def test_json_at_every_move_is_the_state_of_the_game(name: str, seed: int, tmp_path: Path, capsys: Capture) -> None:
    game = played(name, seed=seed)
    file = saved(tmp_path, game)
    chosen = game.variant
    taken: dict[int, str] = {0: "A", chosen.grid.size - 1: "B"} if chosen.book.pawns else {}
    side = 1
    for ply in range(len(game.moves) + 1):
        assert run(["show", file, "--at", str(ply), "--json"]) == 0
        state = json.loads(capsys.readouterr().out)
        assert len(state["moves"]) == ply
        assert "".join(state["rows"]) == "".join(taken.get(cell, ".") for cell in range(chosen.grid.size))
        assert {len(row) for row in state["rows"]} == {chosen.grid.cols}
        assert state["over"] == (ply == len(game.moves))
        if state["over"]:
            assert state["winner"] == 3 - side
            assert state["to_move"] is None
            assert state["legal"] == []
            return
        side = 3 - side if state["passed"] else side
        assert state["to_move"] == side
        assert list(chosen.coordinates(game.moves[ply])) in state["legal"]
        assert state["winner"] is None
        mark = chosen.book.marks[side - 1]
        if chosen.book.pawns:
            taken = {cell: "#" if text == mark else text for cell, text in taken.items()}
        taken[game.moves[ply]] = mark
        side = 3 - side


def test_a_swap_can_be_seen_in_the_json(tmp_path: Path, capsys: Capture) -> None:
    file = saved(tmp_path, swapped())
    states = []
    for ply in (1, 2, 3):
        assert run(["show", file, "--at", str(ply), "--json"]) == 0
        states.append(json.loads(capsys.readouterr().out))
    assert [state["can_swap"] for state in states] == [True, False, False]
    assert [state["to_move"] for state in states] == [1, 2, 2]
    assert [state["passed"] for state in states] == [False, False, True]


def test_one_of_several_games_is_chosen_by_number(tmp_path: Path, capsys: Capture) -> None:
    file = saved(tmp_path, played("chain"), played("trails"), played("scatter"))
    for number, title in ((1, "Chain"), (2, "Trails"), (3, "Scatter")):
        assert run(["show", file, "--game", str(number)]) == 0
        captured = capsys.readouterr()
        assert captured.out.startswith(title)
        assert captured.err == ""
    assert run(["show", file]) == 0
    captured = capsys.readouterr()
    assert captured.out.startswith("Chain")
    assert "3 games" in captured.err
    assert run(["show", file, "--game", "4"]) == 2
    assert "there is no game 4: the file has 3 games" in capsys.readouterr().err
    assert run(["show", file, "--game", "0"]) == 2


def test_a_record_can_come_from_the_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    def feed(text: str) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))

    feed(records.dump_text(swapped()))
    assert run(["show", "-"]) == 0
    assert capsys.readouterr().out == SCATTER
    feed("nonsense")
    assert run(["show", "-"]) == 3
    assert capsys.readouterr().err.startswith("gridlock: standard input: line 1: ")


def test_a_bad_record_is_refused_with_file_line_and_reason(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "bad.txt"
    text = records.dump_text(swapped())
    file.write_text(text.replace('[Board "3x3"]', '[Bord "3x3"]'))
    assert run(["show", str(file)]) == 3
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == f"gridlock: {file}: line 3: there is no tag 'Bord'.\n"


@pytest.mark.parametrize(
    "data", [b"", b"\xff\xfe", b"{", b"[]", b"[[[[", b"{}", b"\x00" * 100, b"\x1b[2J", b'{"GridLock": "1"}']
)
def test_rubbish_is_refused_without_a_trace(data: bytes, tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "rubbish"
    file.write_bytes(data)
    assert run(["show", str(file)]) == 3
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"gridlock: {file}: ")
    assert captured.err.count("\n") == 1
    assert captured.err.strip().isprintable()
    assert captured.err.endswith(".\n")


def test_a_file_name_with_control_characters_is_shown_without_them(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "a\x1b[31m.txt"
    file.write_text("nonsense")
    assert run(["show", str(file)]) == 3
    assert capsys.readouterr().err.startswith(f"gridlock: {tmp_path}/a\N{REPLACEMENT CHARACTER}[31m.txt: line 1: ")


def test_no_more_is_read_than_a_record_can_need(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    class Endless(io.RawIOBase):
        read_so_far = 0

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: object) -> int:
            size = len(memoryview(buffer))  # type: ignore[arg-type]
            memoryview(buffer)[:] = b"x" * size  # type: ignore[arg-type]
            Endless.read_so_far += size
            return size

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(Endless())))
    assert run(["show", "-"]) == 3
    assert "longer than 4,000,000 characters" in capsys.readouterr().err
    assert Endless.read_so_far <= 4 * records.LONGEST + io.DEFAULT_BUFFER_SIZE


def test_a_missing_file_is_reported_plainly(tmp_path: Path, capsys: Capture) -> None:
    missing = tmp_path / "missing.txt"
    assert run(["show", str(missing)]) == 1
    assert capsys.readouterr().err == f"gridlock: No such file or directory: {missing}\n"
    assert run(["show", str(tmp_path)]) == 1


@pytest.mark.parametrize("name", RULE_BOOKS)
def test_hostile_names_stay_words(name: str, tmp_path: Path, capsys: Capture) -> None:
    file = saved(tmp_path, played(name, names=HOSTILE))
    assert run(["show", file]) == 0
    out = capsys.readouterr().out
    assert '<b>&"Ada\\' in out
    assert all(line.isprintable() for line in out.splitlines())
    assert run(["show", file, "--svg", "-"]) == 0
    picture = capsys.readouterr().out
    assert "<b>" not in picture
    assert all(line.isprintable() for line in picture.splitlines())
    title = ElementTree.fromstring(picture).findtext("{http://www.w3.org/2000/svg}title") or ""
    assert title.startswith(f'{RULE_BOOKS[name].title}: <b>&"Ada\\ against Bob [Game "x"], after move ')


def test_the_picture_frames_the_last_cell_taken_even_after_a_swap(tmp_path: Path, capsys: Capture) -> None:
    game = swapped()
    assert game.moves[1] == SWAP
    assert run(["show", saved(tmp_path, game), "--at", "2", "--svg", "-"]) == 0
    assert "Last move: 2,2." in capsys.readouterr().out


def test_a_picture_is_written_to_a_file(tmp_path: Path, capsys: Capture) -> None:
    file, out = saved(tmp_path, swapped()), tmp_path / "board.svg"
    assert run(["show", file, "--at", "2", "--svg", str(out)]) == 0
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", f"Wrote the picture to {out}.\n")
    assert "after move 2." in out.read_text(encoding="utf-8")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["board.svg", "record.txt"]


def test_a_game_is_written_as_an_animated_picture(tmp_path: Path, capsys: Capture) -> None:
    file, out = saved(tmp_path, swapped()), tmp_path / "game.gif"
    assert run(["show", file, "--gif", str(out)]) == 0
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", f"Wrote the picture to {out}.\n")
    picture = out.read_bytes()
    assert picture[:6] == b"GIF89a"
    assert picture.count(b"\x21\xf9\x04") == len(
        swapped().moves
    )  # one frame for the start and one for each move except the swap
    assert run(["show", file, "--at", "1", "--gif", str(out)]) == 2
    assert "'--gif': " in (said := capsys.readouterr().err)
    assert "already exists" in said
    assert out.read_bytes() == picture
    assert run(["show", file, "--gif", "-", "--json"]) == 2
    assert "cannot be used together" in capsys.readouterr().err


def test_no_file_is_overwritten_by_a_picture(tmp_path: Path, capsys: Capture) -> None:
    file = saved(tmp_path, swapped())
    before = Path(file).read_bytes()
    assert run(["show", file, "--svg", file]) == 2
    assert "exists" in capsys.readouterr().err
    assert Path(file).read_bytes() == before
    fresh = tmp_path / "fresh"  # a new file may have any name
    assert run(["show", file, "--svg", str(fresh)]) == 0
    picture = fresh.read_bytes()
    assert run(["show", file, "--at", "1", "--svg", str(fresh)]) == 2
    assert "already exists" in capsys.readouterr().err
    assert fresh.read_bytes() == picture


def test_an_unwritable_picture_is_reported_plainly(tmp_path: Path, capsys: Capture) -> None:
    file, out = saved(tmp_path, swapped()), tmp_path / "no" / "board.svg"
    assert run(["show", file, "--svg", str(out)]) == 1
    assert capsys.readouterr().err == f"gridlock: No such file or directory: {out}\n"
    folder = tmp_path / "folder.svg"
    folder.mkdir()
    assert run(["show", file, "--svg", str(folder)]) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder.svg", "record.txt"]


def test_a_picture_and_json_cannot_be_combined(tmp_path: Path, capsys: Capture) -> None:
    assert run(["show", saved(tmp_path, swapped()), "--svg", "-", "--json"]) == 2
    assert "--svg, --gif and --json cannot be used together" in capsys.readouterr().err
