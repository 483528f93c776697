"""Tests of `gridlock rules --shapes`, which lists every possible game and its winner."""

import json
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest
from bench import reference

from gridlock.cli.commands.atlas import SIDES, blank_survey, shapes_table
from gridlock.command import run
from gridlock.core.grid import Adjacency, Grid
from gridlock.core.rulebook import Variant
from gridlock.core.rules import RULE_BOOKS
from gridlock.core.shape import SHAPES, Shape
from hermit import HERMIT

Capture = pytest.CaptureFixture[str]


def survey(capsys: Capture, *options: str) -> list[dict[str, Any]]:
    assert run(["rules", "--shapes", "--json", *options]) == 0
    shapes: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["shapes"]
    return shapes


def test_every_shape_is_there_with_both_adjacencies_and_all_boards(capsys: Capture) -> None:
    shapes = survey(capsys, "--time", "0.05")
    properties = ("closes_own", "closes_other", "follows", "pawn")
    assert [Shape(**{name: entry[name] for name in properties}) for entry in shapes] == list(SHAPES)
    for entry in shapes:
        assert [(one["adjacency"], one["board"]) for one in entry["boards"]] == [
            (str(adjacency), f"{side}x{side}") for adjacency in Adjacency for side in SIDES
        ]
        assert all((one["winner"] is None) == (one["method"] is None) for one in entry["boards"])
    named = {game["game"]: game["adjacency"] for entry in shapes for game in entry["games"]}
    assert named == {name: str(book.adjacency) for name, book in RULE_BOOKS.items()}


@pytest.mark.slow
def test_the_winners_are_right(capsys: Capture) -> None:
    """Compare the winners on 3x3 boards with the results of the reference solver, which searches every position."""
    for shape, entry in zip(SHAPES, survey(capsys), strict=True):
        told = {(one["adjacency"], one["board"]): one["winner"] for one in entry["boards"]}
        for adjacency in Adjacency:
            variant = Variant(replace(HERMIT, shape=shape), Grid(3, 3, adjacency))
            wins = reference.solve(variant, variant.start()).win
            assert told[adjacency, "3x3"] == (1 if wins else 2), shape


def test_the_table_fits_a_screen_and_names_the_known_games(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(["rules", "--shapes", "--time", "0.02"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= 23
    assert max(map(len, lines)) <= 80
    assert len({line[:37] for line in lines[2:-1]}) == len(SHAPES), "every shape has words of its own"
    for name, book in RULE_BOOKS.items():
        assert sum(line.endswith(f"  {name} ({book.adjacency})") for line in lines) == 1
    monkeypatch.setitem(RULE_BOOKS, "hermit", HERMIT)
    long = "a_name_of_thirty_two_characters_"
    monkeypatch.setitem(RULE_BOOKS, long, replace(HERMIT, name=long))
    lines = shapes_table(blank_survey())
    assert [line for line in lines if line.startswith("anywhere  ") and line.endswith("  hermit (orthogonal)")]
    assert max(map(len, lines)) <= 80
    assert "".join(line[58:].strip() for line in lines).count(long) == 1, "broken, and whole"


def test_what_does_not_go_together(capsys: Capture) -> None:
    for arguments in (["chain", "--shapes"], ["--time", "3"], ["chain", "--time", "3"]):
        assert run(["rules", *arguments]) == 2
        assert "--shapes" in capsys.readouterr().err


INTERRUPTED = """
import os, signal, sys
import gridlock.cli.commands.atlas as shapes

entry, calls = shapes.entry, []

def counting(*arguments):
    calls.append(None)
    if len(calls) == 30:
        os.kill(os.getpid(), signal.SIGINT)
    return entry(*arguments)

shapes.entry = counting
from gridlock.command import main
main()
"""


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_ctrl_c_shows_what_is_known(options: list[str]) -> None:
    command = [sys.executable, "-c", INTERRUPTED, "rules", "--shapes", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 130
    assert done.stderr == "Interrupted: this is what is known so far.\n"
    if options:
        winners = [one["winner"] for shape in json.loads(done.stdout)["shapes"] for one in shape["boards"]]
        assert len(winners) == 160
        assert sum(winner is not None for winner in winners) in (29, 30), "the small boards, which come first"
    else:
        assert "anywhere              to its owner     2 ? ? ?  " in done.stdout
