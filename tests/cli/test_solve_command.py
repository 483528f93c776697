"""Tests of `gridlock solve`: the winner, limits, pairs of starting cells, and problems that it cannot solve."""

import json

import pytest
from bench import reference

from gridlock.core.rules import variant

START = {"game", "board", "adjacency", "swap", "starts", "moves", "to_move"}  # the keys with which every answer begins


def test_solve_names_the_winner(gridlock):
    code, out, err = gridlock("solve", "showdown", "--board", "4x4", "--openings", "--json")
    assert (code, err) == (0, "")
    facts = json.loads(out)
    assert set(facts) - START == {"winner", "winning", "found", "method", "positions", "seconds"}
    assert facts["winner"] == 1
    assert facts["winning"] == [[2, 2], [2, 3], [3, 2], [3, 3]]
    assert isinstance(facts["positions"], int)
    assert isinstance(facts["seconds"], float)
    code, out, _ = gridlock("solve", "scatter", "--board", "4x4", "--json")
    assert (code, json.loads(out)["winner"], json.loads(out)["winning"]) == (0, 2, None)
    assert json.loads(out)["method"] == "mirror"


def test_solve_from_a_position(gridlock):
    _, out, _ = gridlock("solve", "keepaway", "--moves", "1,1", "--openings", "--json")
    played = variant("keepaway")
    truth = reference.results(played, played.start().after(0))
    assert json.loads(out)["winner"] == 2
    assert json.loads(out)["winning"] == [list(played.coordinates(cell)) for cell in truth if truth[cell].win]


def test_solve_in_words(gridlock):
    _, out, _ = gridlock("solve", "keepaway", "--openings")
    assert out.startswith("The first player wins keepaway on 3x3 (king). Method: matching; 0 positions, ")
    assert "Winning first moves (1): 2,2" in out
    _, out, _ = gridlock("solve", "chain", "--openings")
    assert "Winning first moves (0): none" in out


def test_pairs(gridlock):
    code, out, err = gridlock("solve", "trails", "--board", "3x3", "--pairs", "--json")
    assert (code, err) == (0, "")
    assert set(json.loads(out)["pairs"]) == {"first_wins", "of"}
    assert json.loads(out)["pairs"]["of"] == 72
    _, out, _ = gridlock("solve", "trails", "--board", "3x3", "--pairs")
    assert "of 72 pairs" in out
    code, _, err = gridlock("solve", "scatter", "--pairs")
    assert code == 2
    assert "--pairs needs a game with pawns" in err
    code, out, err = gridlock("solve", "trails", "--board", "15x15", "--pairs", "--time", "0.05", "--json")
    assert (code, json.loads(out)["pairs"], json.loads(out)["winner"]) == (5, None, None)
    assert "of 50,400 pairs decided" in err


def test_a_limit_of_solve(gridlock):
    code, out, err = gridlock("solve", "scatter", "--board", "11x11", "--time", "0.1", "--memory", "16", "--json")
    assert (code, json.loads(out)["winner"]) == (5, None)
    assert err.startswith("Out of time: ")
    assert "positions searched" in err
    code, out, err = gridlock("solve", "scatter", "--board", "11x11", "--openings", "--time", "0.1", "--memory", "16")
    assert code == 5
    assert "of 121 first moves decided" in err


def test_proof_alone_may_leave_it_open(gridlock):
    code, out, err = gridlock("solve", "scatter", "--method", "proof", "--json")
    assert (code, json.loads(out)["winner"], json.loads(out)["positions"]) == (5, None, 0)
    assert json.loads(out)["method"] is None
    assert "No theorem covers" in err
    _, out, _ = gridlock("solve", "scatter", "--method", "proof")
    assert out.startswith("Not solved: scatter on 5x5 (king). 0 positions, ")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (
            ["scatter", "--board", "31x31"],
            "No theorem covers the whole position, and a search can handle at most 300 empty cells.",
        ),
        (["chain", "--board", "20x20", "--method", "search"], "A search can handle at most 300 empty cells."),
    ],
)
def test_an_unsearchable_board_is_not_reported_as_a_time_limit(gridlock, arguments, reason):
    code, out, err = gridlock("solve", *arguments)
    assert (code, err) == (5, reason + "\n")
    assert "; 0 positions, " in out
