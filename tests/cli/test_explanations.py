"""Tests of full explanations: names, moves, reasons, counts and the final verdict are correct, and no word is split."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from window import Window, window

import gridlock
from gridlock.cli.terminal import Progress
from gridlock.command import run
from gridlock.core.game import Game
from gridlock.core.notation import play_moves
from gridlock.core.rules import RULE_BOOKS, variant
from gridlock.drawing.text import printed_width
from gridlock.engine.analysis import partners, reason
from gridlock.engine.clock import Clock
from gridlock.engine.engine import Engine
from gridlock.engine.evidence import Method, Verdict

pytestmark = pytest.mark.slow

ASKED = "enter your move (row and column): "


def analysed(game: str, board: str, moves: str = "") -> gridlock.Game:
    played = Game(variant(game, board))
    play_moves(played, moves)
    return Engine(played.variant, 1 << 22).analyse(played, Clock(20))


@pytest.mark.parametrize("game", RULE_BOOKS)
@pytest.mark.parametrize("board", ["3x3", "4x4", "3x4"])
def test_the_example_of_a_reason_is_true(game: str, board: str) -> None:
    """In early positions, an explanation's example moves are legal, and lead to a loss for the player to move."""
    chosen = variant(game, board)
    engine = Engine(chosen, 1 << 22)
    found = 0
    for first in [None, *chosen.legal_cells(chosen.start())]:
        played = Game(chosen)
        if first is not None:
            played.push(first)
        if played.outcome:
            continue
        analysis = engine.analyse(played, Clock(20))
        said = re.search(r"For instance: (.*)", reason(analysis))
        if said is None:
            assert analysis.method not in (Method.MATCHING, Method.MIRROR) or re.search(
                r"wins: (it leaves|the opponent has)", analysis.words()
            )
            continue
        found += 1
        steps = re.findall(r"([A-Z]) (?:then )?(?:plays|answers with its (?:partner|mirror image),) (\d,\d)", said[1])
        for mark, name in steps:
            assert played.variant.book.marks[played.position.turn - 1] == mark
            played.push(chosen.cell(*map(int, name.split(","))))
        assert len(steps) == (3 if analysis.verdict is Verdict.WIN else 2)
        assert engine.verdict(played.positions[-1], Clock(20)) is Verdict.LOSS, "the player to move must lose"
    assert found or game in ("trails", "scatter") or board == "3x3"


def test_partners_are_pairs_or_images() -> None:
    mirrored = partners(analysed("showdown", "5x5"))
    assert mirrored[0] == 24
    assert all(mirrored[other] == one for one, other in mirrored.items())
    paired = partners(analysed("chain", "4x4"))
    assert len(paired) == 16
    assert partners(analysed("trails", "3x3")) == {}
    assert partners(analysed("keepaway", "3x3", "2,2")) == {}, "where nothing is left, nothing is drawn"


@pytest.mark.parametrize(
    ("words", "letters"),
    [
        ("showdown", "Cells with the same letter form a pair; * is the move:"),
        ("chain", "Cells with the same letter form a pair:"),
        ("trails", None),
        ("chain --board 30x30", None),
    ],
)
def test_analyse_draws_what_it_claims_and_says_who_wins_last(
    words: str, letters: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["analyse", *words.split()]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert (letters in lines) if letters else not [line for line in lines if "same letter" in line]
    assert re.fullmatch(r"[XA] is to move and (wins|loses)\.", lines[-2])
    assert lines[-1].startswith(("Every move loses", "3,3 wins", "0,1 wins", "1,1 wins"))
    assert max(map(len, lines)) < 600, "no list of every cell"


def test_why_says_who_plays_what(tmp_path: Path) -> None:
    with window("play trails", tmp_path, columns=120) as played:
        asked = "Enter your move (row,column): "
        played.wait_for(asked)
        played.enter("hint", asked)
        played.enter("why", asked)
        assert "for instance A 0,1, B 1,2, A 1,1, B 0,2, A 1,0." in played.plain
    with window("play showdown", tmp_path, columns=120, lines=60) as played:
        played.wait_for(ASKED)
        played.enter("hint", ASKED)
        played.enter("why", ASKED)
        words = " ".join(played.plain.split())
        assert "X plays 3,3; if O then plays 1,1, X answers with its mirror image, 5,5." in words
        assert "* is the move" in words


# -- windows ---------------------------------------------------------------------------------------------------------


def shown(told: Window) -> list[str]:
    """Return the printed lines, without colours and without any text that was later erased."""
    kept = re.sub(r"[^\n]*\x1b\[K", "", told.raw)
    return [line for line in re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|\r", "", kept).split("\n") if line]


def test_the_thinking_line_of_a_wide_name_is_erased(tmp_path: Path) -> None:
    """The line "... is thinking ..." is erased to its full width."""
    name = "日本語の名前"
    with window(f"play showdown --name2 {name} --player2 easy --seed 1", tmp_path) as played:
        played.wait_for(ASKED)
        played.enter("3 3", ASKED)
        note = re.search(rf"({name} \(O\) is thinking \.\.\.)\r( +)\r", played.raw)
        assert note is not None
        assert printed_width(note[2]) == printed_width(note[1])


@pytest.mark.parametrize(
    ("name", "width"),
    [("Zoë", 3), ("Zoe\N{COMBINING DIAERESIS}", 3), ("a\N{COMBINING ENCLOSING CIRCLE}", 1), ("名", 2)],
)
def test_columns_are_counted_as_a_terminal_does(name: str, width: int) -> None:
    assert printed_width(name) == width


COMMANDS = [
    "solve showdown --board 4x4 --openings",
    "atlas trails --up-to 3x3",
    "games",
    "review",
    "show",
    "stats",
    "rules showdown",
    "learn",
    "analyse chain --board 4x4",
    "play chess",
    "solve trails --board 9x9 --time 0.1",
]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("columns", [pytest.param(80, marks=pytest.mark.deep), 44])
def test_words_are_never_broken(command: str, columns: int, tmp_path: Path) -> None:
    """Every line fits in the window, no word is split, and the text is the same as when output is piped."""
    environment = os.environ | {"GRIDLOCK_HOME": str(tmp_path), "PYTHONPATH": str(Path(gridlock.__file__).parents[1])}

    def piped(*words: str, typed: str = "") -> str:
        done = subprocess.run(
            [sys.executable, "-m", "gridlock", *words], input=typed, env=environment, capture_output=True, text=True
        )
        return done.stdout + done.stderr

    piped("play", "keepaway", "--rounds", "3", "--name1", "Ada of the long name", "--swap", typed="1 1\nswap\n3 3\n")
    whole = piped(*command.split())
    with window(command, tmp_path, columns=columns, PAGER="cat") as told:
        told.exit_code()
        lines = shown(told)
        assert max(map(printed_width, lines)) <= columns
        if "solve" not in command:  # solve reports how long it took, which varies
            words = " ".join(lines).split()
            assert [word for word in words if word not in whole.split()] in (
                [],
                ["(The", "board", "is", "wider", "than"],
            )


# -- counts ----------------------------------------------------------------------------------------------------------

INTERRUPTED = """
import os, signal
from gridlock.command import main
from gridlock.engine import solve

run_units = solve.run_units

def run_and_interrupt(*arguments, heard, stopped, **options):
    def heard_and_interrupt(key, report):
        heard(key, report)
        if report[0] and not stopped():  # while no first move is decided yet
            os.kill(os.getpid(), signal.SIGINT)

    return run_units(*arguments, heard=heard_and_interrupt, stopped=stopped, **options)

if __name__ == "__main__":
    solve.run_units = run_and_interrupt
    main()
"""


@pytest.mark.slow
def test_processes_that_are_interrupted_have_counted_what_they_searched(tmp_path: Path) -> None:
    script = tmp_path / "interrupted.py"
    script.write_text(INTERRUPTED)
    words = ["solve", "scatter", "--board", "9x9", "--openings", "--threads", "2", "--json", "--memory", "64"]
    done = subprocess.run([sys.executable, script, *words], capture_output=True, text=True, timeout=120)
    assert done.returncode == 130
    assert json.loads(done.stdout)["positions"] > 0
    found = re.search(r"of 81 first moves decided, ([0-9,]+) positions searched", done.stderr)
    assert found is not None
    assert int(found[1].replace(",", "")) == json.loads(done.stdout)["positions"]


INTERRUPTED_AT_THE_BEGINNING = """
import os, signal
from multiprocessing.context import SpawnProcess
from gridlock.command import main

start = SpawnProcess.start

def interrupt_and_start(self):
    os.kill(os.getpid(), signal.SIGINT)
    start(self)

if __name__ == "__main__":
    SpawnProcess.start = interrupt_and_start
    main()
"""


@pytest.mark.slow
def test_ctrl_c_while_processes_begin_is_not_lost(tmp_path: Path) -> None:
    script = tmp_path / "interrupted.py"
    script.write_text(INTERRUPTED_AT_THE_BEGINNING)
    words = ["solve", "scatter", "--board", "9x9", "--openings", "--threads", "2", "--memory", "64"]
    done = subprocess.run([sys.executable, script, *words], capture_output=True, text=True, timeout=60)
    assert done.returncode == 130
    assert done.stderr.startswith("Interrupted: 0 of 81 first moves decided, ")


@pytest.mark.slow
def test_parallel_processes_report_progress_and_save_proofs(tmp_path: Path) -> None:
    kept, until = tmp_path / "c", time.monotonic() + 120
    with window("solve scatter --board 9x9 --openings --threads 2 --memory 64 --checkpoint c", tmp_path) as told:
        told.wait_until(r"9x9: [1-9][0-9,]* positions")
        while kept.read_bytes().count(b"\n") < 2:  # the first line only names the problem
            assert time.monotonic() < until
            told._read(0.1)
        told.type("\x03")
        assert told.exit_code() == 130
        assert "run the same command again to resume from c." in " ".join(told.plain.split())
        counts = [int(count.replace(",", "")) for count in re.findall(r"9x9: ([0-9,]+) positions", told.raw)]
        assert counts == sorted(counts)


@pytest.mark.slow
def test_a_checkpoint_serves_any_number_of_processes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["solve", "scatter", "--board", "5x7", "--adjacency", "orthogonal", "--method", "search", "--openings"]
    words, searched = [*words, "--json", "--memory", "64"], []
    for threads in ("2", "2", "1"):
        assert run([*words, "--threads", threads, "--checkpoint", str(tmp_path / "c")]) == 0
        facts = json.loads(capsys.readouterr().out)
        assert (facts["winner"], facts["winning"]) == (2, [])
        searched.append(facts["positions"])
    assert searched[1] < searched[0] / 2  # results that took fewer than 2,000 positions are not saved
    assert searched[2] < searched[0] / 10


def test_counting_reports_each_length_when_done(tmp_path: Path) -> None:
    with window("perft showdown --depth 12", tmp_path) as told:
        told.wait_for("4 100632\n")
        told.type("\x03")
        assert told.exit_code() == 130
        assert told.plain.replace("^C", "").startswith("1 25\n2 456\n3 7944\n4 100632\n")
        assert "Interrupted: these are the counts so far." in told.plain


def test_an_interrupted_count_as_json_holds_what_is_done(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(_progress: Progress, words: str) -> None:
        if not words.startswith(("length 1,", "length 2,", "length 3,", "length 4,")):
            os.kill(os.getpid(), signal.SIGINT)  # a fast machine may reach length 7 before the first report

    monkeypatch.setattr(Progress, "tell", interrupt)
    assert run(["perft", "showdown", "--depth", "12", "--json"]) == 130
    assert json.loads(capsys.readouterr().out)["counts"][:4] == [25, 456, 7944, 100632]
