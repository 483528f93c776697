"""Tests of advice at the prompt: the layout of `hint`, `why` and `values`, and requests that fail or are cancelled."""

import io
import re
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from window import window

from gridlock.command import run
from gridlock.core.game import Game
from gridlock.core.grid import cells_of
from gridlock.core.notation import read_move
from gridlock.core.rules import RULE_BOOKS, variant
from gridlock.engine.engine import engine_for
from gridlock.play.advice import advise
from gridlock.play.regions import NO_VALUES, region_board, region_legend, report_regions
from gridlock.players import AGENTS

Session = Callable[..., str]


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Session:
    """Return a function that runs a command with the given lines as input, and returns the output."""
    monkeypatch.setenv("GRIDLOCK_HOME", str(tmp_path))

    def typed(command: str, *lines: str, code: int = 0) -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        assert run(command.split()) == code
        printed = capsys.readouterr()
        return printed.out + printed.err

    return typed


def answer(out: str, command: str) -> list[str]:
    """Return a command's most recent output."""
    said = out[out.rindex(f": {command}\n") :].splitlines()[1:]
    ends = [
        number for number, line in enumerate(said) if re.search(r": (hint|why|values|regions|quit|swap|undo)$", line)
    ]
    return said[: ends[0]]


MOVES = {  # a few moves that do not end the game
    "keepaway": ["1 1", "3 3"],
    "chain": ["1 1", "1 2", "2 2"],
    "scatter": ["1 1", "5 5", "1 3"],
    "trails": ["0 1", "2 1"],
    "showdown": ["3 3", "1 1", "5 3", "1 3"],
}


@pytest.mark.parametrize("game", list(RULE_BOOKS))
@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("count", [0, 1, 2])
def test_the_prompt_says_what_every_surface_says(game: str, swap: bool, count: int, session: Session) -> None:
    played = Game(variant(game, "3x3"), swap=swap)
    for _ in range(count):
        if played.legal:
            played.push(cells_of(played.legal)[0])
    if played.outcome or played.passing:
        return
    texts = [played.variant.name(move) for move in played.moves]
    out = session(f"play {game} --board 3x3{' --swap' * swap}", *texts, "hint", "why", "values", "quit")
    advice = advise(engine_for(played.variant), played, 2.0)
    assert answer(out, "hint") == [f"{advice.opinion} {advice.naming} Type 'why' for the reason."]
    assert answer(out, "why")[0] == advice.reason
    board = answer(out, "values")
    assert board[-1] == advice.opinion
    if advice.values:
        assert board[-2] == advice.legend
        signs = [word for line in board[1:-2] for word in line.split()[1:] if word[0] in "+-"]
        assert signs == [text for text, _ in advice.values.values()]


@pytest.mark.parametrize("game", list(RULE_BOOKS))
def test_why_after_the_computers_move(game: str, session: Session) -> None:
    out = session(f"play {game} --player2 perfect --seed 3", MOVES[game][0], "why", "hint", "why", "quit")
    move = re.search(r"plays (?:Row )?(\d+),(?: Column )?(\d+)|Player B moved to \((\d+),(\d+)\)", out)
    assert move
    name = ",".join(part for part in move.groups() if part)
    before, after = out.index(": why\n"), out.rindex(": why\n")
    said = out[before:after].splitlines()[1]
    assert said.startswith((f"{name} wins", f"{name} loses, as any move would: "))
    assert "nothing to explain" not in out


def test_why_draws_the_pairs_with_letters(session: Session) -> None:
    out = session("play chain", "why", "hint", "why", "quit")
    assert "There is nothing to explain yet. Type hint first." in out
    drawn = answer(out, "why")
    assert drawn[1] == "Cells with the same letter form a pair:"
    letters = {(row, col): mark for row, line in enumerate(drawn[3:]) for col, mark in enumerate(line.split()[1:])}
    assert len(letters) == 16
    for letter in set(letters.values()):
        (a, b), (c, d) = (place for place, mark in letters.items() if mark == letter)
        assert abs(a - c) + abs(b - d) == 1
    out = session("play chain --board 3x3", "hint", "why", "quit")
    drawn = answer(out, "why")
    assert drawn[1] == "Cells with the same letter form a pair; * is the move:"
    assert sum(line.count("*") for line in drawn[2:]) == 1
    out = session("play chain --board 20x20", "1 1", "hint", "why", "quit")
    told, more = answer(out, "why")[:2]
    assert re.search(r"For instance: O plays 1,2; if X then plays 1,3, O answers with its partner, \d+,\d+\.$", told)
    assert re.match(r"Likewise \d+,\d+ is answered by \d+,\d+\.$", more)


def test_a_lost_move_of_the_computers_is_answered_by_a_mirror(session: Session) -> None:
    out = session("play scatter --board 6x6 --player1 perfect", "why", "quit")
    (row, col) = map(int, re.findall(r"plays (\d),(\d)", out)[0])
    assert answer(out, "why") == [
        f"{row},{col} loses, as any move would: answer with the cell opposite through the centre of the board, "
        f"{7 - row},{7 - col}, and keep doing so."
    ]


def test_a_lost_move_of_the_computers_is_answered_by_a_line(session: Session) -> None:
    out = session("play trails --player2 perfect", "0 1", "why", "quit")
    (reason,) = answer(out, "why")
    moves = re.findall(r"\d,\d", reason.partition(": for instance ")[2])
    assert reason.startswith(f"{moves[0]} loses, as any move would: for instance ")
    played = Game(variant("trails"))
    for text in ["0,1", *moves]:
        played.push(read_move(text, played.variant, ""))
    assert played.outcome
    assert played.outcome.winner == 1


def test_a_hint_is_not_explained_after_the_next_move(session: Session) -> None:
    nothing = "There is nothing to explain yet. Type hint first."
    out = session("play chain", "hint", "1 1", "why", "hint", "undo", "why", "quit")
    assert out.count(nothing) == 2
    out = session("play chain", "hint", "1 1", "undo", "why", "quit")
    assert answer(out, "why")[0].startswith("Every move loses"), "the last hint was about this position"
    out = session("play keepaway --rounds 2", "hint", "why", "resign", "why", "values", "quit")
    assert out.count(nothing) == 1, "in another round"


def test_a_player_who_has_passed_or_can_only_swap(session: Session) -> None:
    out = session("play scatter --board 1x5", "1 2", "1 1", "1 4", "1 3", "hint", "why", "values", "quit")
    assert "Player 1, no valid moves available. Passing turn." in out
    assert answer(out, "hint") == ["You can win: your only move wins. Try 1,5: it wins. Type 'why' for the reason."]
    assert answer(out, "why") == ["1,5 wins: the opponent has no move left."]
    assert any("+1" in line for line in answer(out, "values"))
    out = session("play keepaway --swap", "2 2", "hint", "why", "values", "quit")  # player 2 can only swap
    assert answer(out, "why") == ["Swapping wins the game, because the first move leaves no legal reply."]
    assert answer(out, "values") == ["You can win only by swapping: no move wins."]


def fail(*_arguments: object) -> int:
    raise ZeroDivisionError("too \x1b[31mclever")


def cheat(*_arguments: object) -> int:
    return 10**6


@pytest.mark.parametrize(("broken", "words"), [(fail, "ZeroDivisionError: too"), (cheat, "IllegalMove")])
def test_an_agent_that_fails(
    broken: Callable[..., int], words: str, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setitem(AGENTS, "hard", replace(AGENTS["hard"], load=lambda: broken))
        out = session("play showdown --player2 hard", "3 3", code=4)
    assert f"The computer (hard) failed with {words}" in out
    assert out.endswith("Your game is saved. Resume it with: gridlock resume\n")
    assert "Traceback" not in out
    assert "\x1b" not in out
    assert "3  . | . | X | . | ." in session("resume", "quit")


def test_an_engine_that_fails(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("gridlock.engine.engine.Engine.weigh", fail)
        out = session("play showdown", "3 3", "hint", code=4)
    assert "No advice is available (ZeroDivisionError: too" in out
    assert "3  . | . | X | . | ." in session("resume", "quit")


ASKED = "enter your move (row and column): "


@pytest.mark.slow
@pytest.mark.parametrize("settings", [{}, {"NO_COLOR": "1"}], ids=str)
def test_leaving_while_the_computer_thinks(settings: dict[str, str], tmp_path: Path) -> None:
    with window("play showdown --board 12x12 --player2 perfect --time 600", tmp_path, **settings) as played:
        played.wait_for(ASKED)
        played.type("2 3\r")
        played.wait_for("is thinking ...")
        time.sleep(0.3)
        played.type("\x03")
        assert played.exit_code() == 130
        assert "Resume it with: gridlock resume" in played.plain
        assert "Traceback" not in played.plain
    with window("games", tmp_path, **settings) as listed:
        assert listed.exit_code() == 0
        assert "1 move" in listed.plain


@pytest.mark.slow
def test_leaving_while_two_programs_play(tmp_path: Path) -> None:
    with window("play scatter --board 12x12 --player1 perfect --player2 perfect --time 1", tmp_path) as played:
        for player in ("1 (X)", "2 (O)", "1 (X)"):
            played.wait_for(f"Player {player} is thinking ...")
        played.type("\x03")
        assert played.exit_code() == 130
    with window("games", tmp_path) as listed:
        assert listed.exit_code() == 0
        assert re.search(r" ([2-9]|\d\d) moves", listed.plain)


@pytest.mark.parametrize("question", ["hint", "values"])
def test_a_question_can_be_stopped_alone(question: str, tmp_path: Path) -> None:
    with window("play showdown --board 12x12 --time 600", tmp_path) as played:
        played.wait_for(ASKED)
        played.enter("2 3", ASKED)
        played.type(f"{question}\r")
        played.wait_for("positions, 1 s")
        played.type("\x03")
        played.wait_for(ASKED)
        assert "Stopped." in played.plain
        played.enter("9 9", ASKED)
        assert "You placed an O at (9, 9)." in played.plain


def test_a_long_name_thinks_in_a_narrow_window(tmp_path: Path) -> None:
    name = "Bartholomew-the-Elder-of-Somewhere"
    with window(f"play showdown --player2 perfect --name2 {name}", tmp_path, columns=30) as played:
        played.wait_for(ASKED)
        played.enter("3 3", ASKED)
        notes = re.findall(r"Bartholomew[^\r\n]*(?=\r {20,}\r)", played.raw)
        assert notes
        assert max(map(len, notes)) < 30


def test_a_transcript_has_no_note_of_thinking(session: Session) -> None:
    assert "thinking" not in session("play trails --player1 hard --player2 medium --seed 1")


@pytest.mark.slow
def test_values_have_signs_besides_colours(tmp_path: Path) -> None:
    with window("play chain --board 3x3", tmp_path) as played:
        played.wait_for("Enter the row number (1-3): ")
        played.enter("values", "Enter the row number (1-3): ")
        assert "\x1b[1;32m" in played.raw
        assert "+" in played.plain
        assert "-" in played.plain
        played.enter("hint", "Enter the row number (1-3): ")
    with window("play chain --board 9x9", tmp_path, columns=15) as narrow:
        narrow.wait_for("(1-9): ")
        narrow.enter("values", "(1-9): ")
        assert "41 moves win: 1,1 1,3" in " ".join(narrow.plain.split())
        narrow.enter("hint", "(1-9): ")
        narrow.enter("why", "(1-9): ")
        assert "is answered by" in " ".join(narrow.plain.split())  # a board with the pairs would be too wide


def test_values_in_words(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridlock.cli.terminal.Terminal.fits", lambda _self, _board: False)
    assert answer(session("play keepaway", "values", "quit"), "values") == [
        "1 move wins: 2,2",
        "8 moves lose: 1,1  1,2  1,3  2,1  2,3  3,1 ...",
        "You can win: 1 of 9 moves wins.",
    ]


@pytest.mark.parametrize("count", [4, 5])
def test_regions_come_with_the_verdict_and_a_board(count: int, session: Session) -> None:
    moves = ["3 3", "1 1", "5 3", "1 3", "3 5"][:count]
    lines = answer(session("play showdown --board 5x5", *moves, "regions", "quit"), "regions")
    game = Game(variant("showdown", "5x5"))
    for move in moves:
        game.push(read_move(move, game.variant, ""))
    advice = advise(engine_for(game.variant), game, 2.0)
    report = report_regions(game, advice, 2.0)
    assert lines == [advice.opinion, *region_board(game, report, False), region_legend(game, report), *report.lines[1:]]


BOARD = """\
You can win: 10 of 15 moves win.
    1   2   3   4   5
              ┌───────┐
1   O   o   O │ B   B │
  ┌───┐       └───┐   │
2 │ A │ :   :   : │ B │
  │   └───┐   ┌───┘   │
3 │ A   A │ X │ B   B │
  │       │   │       │
4 │ A   A │ x │ B   B │
  │       │   │       │
5 │ A   A │ X │ B   B │
  └───────┘   └───────┘
Letters are regions, x is a free move for X, o is a free move for O, : is closed.
A, 7 cells: hot, 3¼. First there, you come out 3 ahead; second, 3 behind. Best cell 4,1.
B, 9 cells: hot, 2¾. First there, you come out 2 ahead; second, 1 behind. Best cell 4,4.
Hottest: A. 4,1 wins.
Free moves: you 1, opponent 1.
"""


def test_the_board_of_regions(session: Session) -> None:
    out = session("play showdown --board 5x5", "3 3", "1 1", "5 3", "1 3", "regions", "quit")
    assert answer(out, "regions") == BOARD.splitlines()


@pytest.mark.parametrize("game", ["keepaway", "chain", "trails"])
def test_regions_in_a_game_without_values(game: str, session: Session) -> None:
    lines = answer(session(f"play {game} --board 3x3", "regions", "quit"), "regions")
    assert lines[1:] == [NO_VALUES]


@pytest.mark.slow
def test_regions_in_a_narrow_window_are_words(tmp_path: Path) -> None:
    with window("play showdown --board 3x3", tmp_path, columns=12) as narrow:
        narrow.wait_for("column): ")
        narrow.enter("regions", "column): ")
        assert "opponent 0." in narrow.plain
        assert "┌" not in narrow.plain
