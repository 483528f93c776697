"""Tests of `gridlock value`: how it describes a position and its regions, and which positions it cannot evaluate."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest

from gridlock.cli.value_text import value_lines
from gridlock.command import run
from gridlock.core import rules
from gridlock.core.game import Game
from gridlock.core.notation import play_moves
from gridlock.engine.clock import cancellation
from gridlock.engine.regions import Tier
from gridlock.play.exercises import value_by_rules
from gridlock.values import Value

HERMIT = 'title = "Hermit"\n[shape]\ncloses_own = true\ncloses_other = true\n'


def by_rules(name, board, adjacency, moves):
    """Return the value of the position after the given moves, computed from the rules alone."""
    game = Game(rules.variant(rules.named(name), board, adjacency))
    play_moves(game, moves)
    return value_by_rules(game.variant, game.position)


@pytest.mark.parametrize(
    ("name", "board", "adjacency", "moves"),
    [
        ("showdown", "2x4", "king", ""),
        ("showdown", "4x4", "king", "1,1 4,4 1,3"),
        ("showdown", "3x4", "orthogonal", "1,1 3,4"),
        ("scatter", "3x4", "king", "1,1"),
        ("scatter", "3x3", "orthogonal", "2,2 1,1 3,3"),
    ],
)
def test_it_agrees_with_the_general_evaluator(name, board, adjacency, moves, gridlock):
    arguments = [name, "--board", board, "--adjacency", adjacency, "--moves", moves]
    code, out, err = gridlock("value", *arguments, "--json")
    assert (code, err) == (0, "")
    facts, truth = json.loads(out), by_rules(name, board, adjacency, moves)
    assert Value(facts["value"]["name"]) == truth
    assert facts["value"]["stops"] == [str(stop) for stop in truth.stops]
    assert facts["value"]["outcome_class"] == truth.outcome
    assert (facts["mean"], facts["temperature"]) == (str(truth.mean), str(truth.temperature))
    parts = [Value(region["value"]["name"]) for region in facts["regions"]]
    assert sum(parts, Value(len(facts["free"][0]) - len(facts["free"][1]))) == truth
    code, out, err = gridlock("value", *arguments)
    assert (code, err) == (0, "")
    assert f"Value: {truth}" in out


def test_the_walls_are_those_of_the_thermograph(gridlock):
    _, out, _ = gridlock("value", "showdown", "--board", "4x4", "--json")
    found = json.loads(out)["value"]
    graph = Value(found["name"]).thermograph()
    for side in ("left", "right"):
        wall = [tuple(map(Fraction, point)) for point in found["thermograph"][f"{side}_wall"]]
        assert tuple(wall) == getattr(graph, side)
        assert found[f"{side}_options"] == [format(option, "ascii") for option in getattr(Value(found["name"]), side)]


def test_in_words(gridlock):
    code, out, _ = gridlock("value", "showdown", "--board", "3x3")
    assert code == 0
    assert out.startswith(
        "Showdown on 3x3 (king). Left is X (player 1), Right O (player 2).\n\nRegion 1,1, 9 cells: 1,1  "
    )
    assert "  Value: ±8\n  Left's options: 8\n  Right's options: -8\n" in out
    assert "  Mean 0, temperature 8, stops 8 and -8; the player who moves first wins (N).\n" in out
    assert "     8         |\n     7        / \\\n" in out
    assert "  Best cells: X 2,2; O 2,2.\n\nThis region is the whole position.\n" in out


def test_a_long_name_is_not_printed(gridlock):
    code, out, _ = gridlock("value", "showdown", "--board", "5x5", "--time", "600")
    assert code == 0
    assert "  Value: a game with 40 different subpositions\n" in out
    assert max(map(len, out.splitlines())) < 500


def test_free_moves_and_several_regions(gridlock):
    _, out, _ = gridlock("value", "showdown", "--board", "2x9", "--moves", "1,5 1,1")
    assert "\nFree moves: X 1, O 1.\n" in out
    assert "The whole position\n  Value: " in out
    assert out.count("\nRegion ") == 2


def test_one_region(gridlock):
    arguments = ["value", "showdown", "--board", "2x9", "--moves", "1,5 1,1", "--json"]
    _, out, _ = gridlock(*arguments)
    both = json.loads(out)["regions"]
    code, out, _ = gridlock(*arguments, "--region", "{},{}".format(*both[1]["cells"][-1]))
    assert code == 0
    assert json.loads(out)["regions"] == both[1:]


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ("1,5", "1,5 is not open to either player."),
        ("2,5", "2,5 is a free move, not part of a region."),
        ("5,5", "there is no cell 5,5 on 2x9."),
        ("b2", "Columns have numbers here, not letters. Enter a row and a column, such as 1,1."),
    ],
)
def test_a_cell_without_a_region_is_rejected(cell, words, gridlock):
    code, out, err = gridlock("value", "showdown", "--board", "2x9", "--moves", "1,5 1,1", "--region", cell)
    assert (code, out) == (2, "")
    assert err.startswith(f"gridlock value: Invalid value for '--region': {words}\n")


@pytest.mark.parametrize("game", ["chain", "keepaway", "trails"])
def test_a_game_without_values_is_rejected_in_one_sentence(game, gridlock):
    code, out, err = gridlock("value", game)
    assert (code, out) == (3, "")
    assert err.startswith("gridlock: Values exist only for games in which a marker may go on any open cell")
    assert err.count("\n") == 1


def test_an_impartial_game_has_nimbers(tmp_path, gridlock):
    (tmp_path / "hermit.toml").write_text(HERMIT)
    code, out, err = gridlock("value", str(tmp_path / "hermit.toml"), "--board", "1x4", "--json")
    assert (code, err) == (0, "")
    assert json.loads(out)["value"]["name"] == "0"  # Dawson's Chess: 0, 1, 1, 2, 0, ...
    _, out, _ = gridlock("value", str(tmp_path / "hermit.toml"), "--board", "1x3", "--json")
    assert json.loads(out)["value"]["name"] == "*2"


def test_the_picture(tmp_path, gridlock):
    file = tmp_path / "t.svg"
    code, out, err = gridlock("value", "showdown", "--board", "3x3", "--svg", str(file))
    assert (code, err) == (0, f"Wrote the picture to {file}.\n")
    assert "Value: ±8" in out
    assert file.read_text().startswith("<svg ")
    assert gridlock("value", "showdown", "--board", "3x3", "--svg", str(file))[0] == 2  # the file already exists
    code, out, _ = gridlock("value", "showdown", "--board", "3x3", "--svg", "-")
    assert (code, out) == (0, file.read_text())
    assert gridlock("value", "showdown", "--svg", "-", "--json")[0] == 2


def test_a_board_out_of_reach_says_what_is_known(tmp_path, gridlock):
    file = tmp_path / "t.svg"
    arguments = ["value", "showdown", "--board", "30x30", "--time", "0.1"]
    code, out, err = gridlock(*arguments, "--svg", str(file))
    assert code == 5
    assert "Nothing is known about this region's value." in out
    assert "No picture was written" in err
    assert not file.exists()
    _, out, _ = gridlock(*arguments, "--json")
    facts = json.loads(out)
    assert (facts["value"], facts["mean"], facts["regions"][0]["tier"]) == (None, None, "unknown")


def test_too_little_memory_says_how_to_get_more(gridlock):
    code, out, err = gridlock("value", "showdown", "--board", "5x7", "--time", "60", "--memory", "1")
    assert code == 5
    assert "Best cells: X " in out
    assert err == "No value within 60 s and 1 MiB. For more, use --time SECONDS or --memory MIB.\n"
    assert gridlock("value", "showdown", "--board", "5x7", "--time", "60", "--memory", "64")[0] == 0


@pytest.mark.parametrize(("temperature", "words"), [(None, "at most 1"), (Fraction(3), "3")])
def test_a_region_without_an_exact_value_shows_mean_and_temperature(temperature, words):
    known = Game("showdown", "2x2").regions()
    cooled = replace(known.regions[0], tier=Tier.COOLED, value=None, temperature=temperature)
    lines = value_lines(replace(known, regions=(cooled,)), cooled)
    assert f"  The exact value is not known. Mean 0, temperature {words}." in lines


def test_a_region_that_is_too_large_says_so(gridlock):
    code, _, err = gridlock("value", "showdown", "--board", "1x65", "--time", "0.1")
    assert (code, err) == (5, "No value: a region has more than 64 cells.\n")


def test_ctrl_c_shows_what_is_known(monkeypatch, capsys):
    def cancelled(*_arguments, **_options):
        cancellation.cancel()
        return found(*_arguments, **_options)

    from gridlock.cli.commands import value
    from gridlock.engine.regions import regions as found

    monkeypatch.setattr(value, "regions", cancelled)
    assert run(["value", "showdown", "--board", "6x6"]) == 130
    assert capsys.readouterr().err == "Interrupted: this is what is known so far.\n"


def test_the_end_of_a_game_has_a_value(gridlock):
    code, out, _ = gridlock("value", "showdown", "--board", "1x1", "--moves", "1,1", "--json")
    assert code == 0
    assert json.loads(out)["value"]["name"] == "0"
