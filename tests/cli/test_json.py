"""Tests that all JSON answers are single lines, use consistent names, and are documented on one page."""

import io
import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gridlock.command import COMMANDS, cli, run

PAGE = (Path(__file__).parents[2] / "docs" / "json.md").read_text()
MOVES = ["--board", "4x4", "--moves", "2,2 2,3"]
ANSWERS: dict[str, list[list[str]]] = {
    "analyse": [["chain", *MOVES], ["showdown", "--swap"], ["scatter", "--board", "3x3", "--moves", "2,2 1,1"]],
    "value": [["showdown", "--board", "4x4", "--moves", "1,1 4,4"], ["scatter", *MOVES, "--region", "1,1"]],
    "solve": [["chain", *MOVES, "--openings"], ["trails", "--pairs"]],
    "verify": [["proof.txt"]],
    "legal": [["chain", *MOVES], ["scatter", "--board", "3x3", "--moves", "2,2 1,1"]],
    "show": [[], ["1", "--at", "1"]],
    "review": [[]],
    "puzzle": [["showdown", "--seed", "1"], ["--today"], ["--kind", "hottest", "--seed", "1"]],
    "atlas": [["trails", "--up-to", "2x3"]],
    "rules": [["--shapes", "--time", "0.01"], [], ["chain"]],
    "perft": [["chain", "--depth", "2", "--divide"]],
    "match": [["random", "easy", "--games", "2", "--game", "chain", "--time", "0", "--sprt", "0", "50"]],
    "tournament": [["plan.toml"]],
    "suite": [
        ["--engine", "random", "--game", "chain", "--grades", "0-1", "--count", "6", "--out", "answers.txt"],
        ["--compare", "answers.txt", "answers.txt"],
    ],
    "sprt": [["60", "40"], ["--pairs", "1", "2", "3"]],
    "games": [[]],
    "stats": [[], ["--kept"]],
    "settings": [[]],
    "learn": [[], ["chain", "--lesson", "2"]],
}
PLAN = 'format = "ladder"\nagents = ["random", "easy", "hard"]\nrounds = 1\ngames = 2\n[[boards]]\ngame = "chain"\n'
TEXTS = {"explanation", "failure", "title", "text", "after", "file", "damage", "name"}  # values may be any text
Ask = Callable[..., Any]


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ask:
    """Play two games, and return a function that runs a command with --json and parses its output."""
    monkeypatch.setenv("GRIDLOCK_HOME", str(tmp_path))
    for typed, words in (("2 2\n", "keepaway"), ("3 3\n1 1\n", "showdown --player2 random --seed 1")):
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        run(["play", *words.split()])
    monkeypatch.chdir(tmp_path)
    run(["solve", "scatter", "--board", "2x3", "--certificate", "proof.txt"])
    (tmp_path / "plan.toml").write_text(PLAN)
    (tmp_path / "games" / "torn.json").write_text("{")
    os.utime(tmp_path / "games" / "torn.json", (1, 1))  # make it the oldest game
    capsys.readouterr()

    def do(command: str, *arguments: str) -> Any:
        run([command, *arguments, "--json"])
        out = capsys.readouterr().out
        assert out.endswith("}\n")
        assert out.count("\n") == 1, "one line"
        return json.loads(out)

    return do


def pairs(data: Any) -> Iterator[tuple[str, Any]]:
    """Yield every key in a JSON answer, at any depth, together with its value."""
    if isinstance(data, dict):
        for name, value in data.items():
            yield name, value
            yield from pairs(value)
    elif isinstance(data, list):
        for value in data:
            yield from pairs(value)


def test_every_command_with_json_is_tried_here() -> None:
    having = {
        name
        for name in COMMANDS
        if (found := cli.get_command(None, name)) and any("--json" in option.opts for option in found.params)  # type: ignore[arg-type]
    }
    assert having == set(ANSWERS)


def is_cell(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(type(number) is int for number in value)


def are_cells(value: Any) -> bool:
    return isinstance(value, list) and all(map(is_cell, value))


KINDS: dict[str, Callable[[Any], bool]] = {
    "cell": is_cell,
    "legal": are_cells,
    "winning": lambda value: value is None or are_cells(value),
    "found": are_cells,
    "line": are_cells,
    "answers": are_cells,
    "cells": are_cells,
    "best": lambda value: len(value) == 2 and all(map(are_cells, value)),
    "pairing": lambda value: all(map(are_cells, value)),
    "moves": lambda value: all(is_cell(move) or move == "swap" for move in value),
    "better": lambda value: all(is_cell(move) or move == "swap" for move in value),
    "winner": lambda value: value in (1, 2, None),
    "to_move": lambda value: value in (1, 2, None),
    "starts": lambda value: value in (1, 2),
    "swap": lambda value: isinstance(value, bool),
    "adjacency": lambda value: value in ("king", "orthogonal"),
    "board": lambda value: isinstance(value, dict) or re.fullmatch(r"\d+x\d+", value) is not None,
    "outcome": lambda value: value in ("win", "loss", "unknown"),
    "swapping": lambda value: value in ("win", "loss", "unknown", None),
    "method": lambda value: value in ("rules", "matching", "mirror", "centre", "search", None),
    "players": lambda value: len(value) == 2 and all(isinstance(name, str) for name in value),
    "termination": lambda value: value in ("stuck", "resigned", None),
}


@pytest.mark.parametrize("command", ANSWERS)
def test_the_same_name_means_the_same_in_every_command(command: str, ask: Ask) -> None:
    for arguments in ANSWERS[command]:
        for name, value in pairs(ask(command, *arguments)):
            if name in KINDS:
                assert KINDS[name](value), (name, value)
            if isinstance(value, str) and name not in TEXTS:
                assert not re.fullmatch(r"\d+,\d+", value), f"{name} is a cell written as text"


@pytest.mark.parametrize("command", ANSWERS)
def test_every_name_is_on_the_page(command: str, ask: Ask) -> None:
    told = set(re.findall(r"`([a-z_01]+)`", PAGE))
    games = {"keepaway", "chain", "scatter", "trails", "showdown", "random", "first", "second"}  # keys of counts
    for arguments in ANSWERS[command]:
        names = {name for name, _ in pairs(ask(command, *arguments))}
        assert names - games <= told


def test_every_documented_name_occurs(ask: Ask) -> None:
    named = {
        name for command, some in ANSWERS.items() for arguments in some for name, _ in pairs(ask(command, *arguments))
    }
    rows = re.findall(r"^\|(?: `[a-z]+` \| | \| | )((?:`[a-z_01]+`(?:, )?)+) \|", PAGE, re.MULTILINE)
    told = {name for row in rows for name in re.findall(r"`([a-z_01]+)`", row)}
    assert len(told) > 50
    assert told - named == set()


def test_what_one_command_prints_another_can_be_asked_about(ask: Ask) -> None:
    puzzle = ask("puzzle", "trails", "--seed", "2")
    moves = " ".join("{},{}".format(*move) for move in puzzle["moves"])
    where = ["--board", puzzle["board"], "--adjacency", puzzle["adjacency"]]
    found = ask("analyse", puzzle["game"], *where, "--moves", moves)
    assert found["winning"] == puzzle["winning"]
    assert found["to_move"] == puzzle["to_move"] == found["winner"]
    begin = ("game", "board", "adjacency", "swap", "starts", "moves", "to_move")
    assert {name: found[name] for name in begin} == {name: puzzle[name] for name in begin}
    shown = ask("legal", puzzle["game"], *where, "--moves", moves)
    assert shown["legal"] == [value["cell"] for value in found["values"]]


def test_old_names_are_gone(ask: Ask) -> None:
    old = {"openings", "evidence", "answer", "Game", "Moves", "at", "first_player"}
    for command, some in ANSWERS.items():
        for arguments in some:
            assert not old & {name for name, _ in pairs(ask(command, *arguments))}
