"""Reviews: a mistake is a move that the reference solver says throws a win away, no more and no less."""

import json
from random import Random
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from truth import EVERY_GAME

from gridlock import records
from gridlock.cli.main import cli
from gridlock.cli.review import picture
from gridlock.engine import reference
from gridlock.engine.engine import Engine
from gridlock.engine.review import review
from gridlock.game import SWAP, Game
from gridlock.rules import variant


def random_game(played, rng, plies=99, swap=False):
    """A game played at random, up to so many moves."""
    game = Game(played, starts=rng.choice((1, 2)), swap=swap)
    while len(game.moves) < plies and not game.outcome:
        if game.can_swap and (not game.legal or rng.random() < 0.5):
            game.take_over()
        else:
            game.play(rng.choice(played.moves(game.position)))
    return game


def winner(played, position, memo):
    """The side that wins a position; a side that must pass has lost."""
    return position.turn if reference.solve(played, position, memo).win else 3 - position.turn


@pytest.mark.parametrize(("game", "adjacency"), EVERY_GAME)
def test_mistakes_are_where_the_reference_says(game, adjacency):
    rng = Random(f"{game} {adjacency}")
    mistakes = 0
    for board in ("2x3", "3x3", "2x5"):
        played = variant(game, board, adjacency)
        engine, memo = Engine(played, 1 << 22), {}
        for number in range(12):
            record = random_game(played, rng, plies=99 if number % 2 else 3, swap=number % 3 == 0)
            steps = list(review(engine, record, 10.0))
            assert [step.cell for step in steps] == [cell for cell in record.moves if cell != SWAP]
            for step in steps:
                before = record.positions[step.ply - 1]
                mover = before.passed() if played.must_pass(before) else before
                assert step.side == mover.turn
                assert step.before == winner(played, before, memo)
                assert step.after == winner(played, record.positions[step.ply], memo)
                truth = reference.moves(played, mover, memo)
                lost_it = step.before == step.side and not truth[step.cell].win
                assert step.mistake == lost_it
                assert step.better == (tuple(cell for cell in truth if truth[cell].win) if lost_it else ())
                mistakes += lost_it
    assert mistakes > 0 or (game, adjacency) == ("chain", "orthogonal")


def test_the_picture_shows_every_position_and_every_mistake():
    rng = Random(1)
    played = variant("showdown", "4x4")
    game = random_game(played, rng)
    steps = list(review(Engine(played, 1 << 22), game, 10.0))
    root = ElementTree.fromstring(picture(game, steps))
    kinds = [element.tag.partition("}")[2] for element in root]
    assert kinds.count("rect") == 1 + len(game.moves) + 1  # the paper, the start, and every move
    marks = [element for element in root if element.text == "!"]
    assert len(marks) == sum(step.mistake for step in steps)


def run(tmp_path, game, *arguments):
    path = tmp_path / "game.txt"
    path.write_text(records.dump_text(game))
    return CliRunner().invoke(cli, ["review", str(path), *arguments], catch_exceptions=False)


def test_the_command_tells_where_it_was_thrown_away(tmp_path):
    game = Game(variant("showdown", "3x3"))
    for cell in (0, 8, 4):  # the only winning opening is the centre
        if game.variant.legal(game.position) >> cell & 1:
            game.play(cell)
    result = run(tmp_path, game)
    assert result.exit_code == 0
    assert "1. X 1,1     throws the win away. What holds: 2,2" in result.output
    facts = json.loads(run(tmp_path, game, "--json").output)
    assert facts["moves"][0] == {
        "ply": 1,
        "side": 1,
        "cell": [1, 1],
        "winning_before": 1,
        "winning_after": 2,
        "mistake": True,
        "better": [[2, 2]],
    }
    assert (facts["game"], facts["board"]) == ("showdown", "3x3")


def test_games_without_moves_and_resigned_games(tmp_path):
    game = Game(variant("scatter", "4x4"))
    assert "No moves were made." in run(tmp_path, game).output
    game.play(5)
    game.resign(2)
    output = run(tmp_path, game).output
    assert "1. X 2,2     losing anyway" in output
    assert "No mistakes: O was winning from the start." in output


def test_a_hopeless_board_is_reported_as_not_known(tmp_path):
    game = Game(variant("scatter", "31x31"))
    game.play(0)
    svg = tmp_path / "swing.svg"
    output = run(tmp_path, game, "--time", "0.01", "--svg", str(svg)).output
    assert "not known who is winning" in output
    assert "url(#open)" in svg.read_text()
