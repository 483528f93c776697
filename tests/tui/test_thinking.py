"""What the full screen asks the engine, and taking back."""

import pytest

from gridlock.core.errors import AgentFailed, IllegalMove
from gridlock.core.game import SWAP, Game
from gridlock.core.grid import cells_of
from gridlock.core.rules import rule_book, variant
from gridlock.play.thinking import questions
from gridlock.play.undo import Takeback
from gridlock.players import agents


def game_of(name, board=None, moves=(), **settings):
    game = Game(variant(rule_book(name), board), **settings)
    for move in moves:
        game.push(move)
    return game


def test_an_illegal_move_of_a_program_is_its_failure(monkeypatch):
    monkeypatch.setitem(agents, "cheat", lambda game, _rng, _think: game.moves[0])
    with pytest.raises(AgentFailed, match=r"IllegalMove: .*the cell is already occupied"):
        questions.choose(game_of("scatter", moves=[3]), "cheat", "1", 0.1)


def test_advice_names_a_winning_move_inside_the_region_it_names():
    for name in ("showdown", "chain", "trails", "keepaway"):
        game = game_of(name, "3x4")
        advice = questions.advise(game, 2.0)
        if advice.verdict == "win":
            assert advice.move in advice.winning
        assert advice.move in cells_of(advice.region)
        assert set(advice.values) == set(game.variant.legal_cells(game.position))


def test_advice_about_a_swap():
    before = game_of("showdown", swap=True)
    assert questions.advise(before, 1.0).move in cells_of(before.legal)
    after = game_of("showdown", moves=[12], swap=True)
    advice = questions.advise(after, 2.0)
    assert advice.move == SWAP
    assert "Swap" in advice.naming


def test_taking_back_goes_to_a_persons_turn_and_can_be_undone():
    game, takeback = game_of("scatter", moves=[0, 24, 2]), Takeback()
    assert takeback.undo(game, ("human", "human")) == 1
    assert takeback.undo(game, ("easy", "human")) == 1
    assert game.moves == [0]
    with pytest.raises(IllegalMove, match="no earlier turn"):
        takeback.undo(game, ("easy", "human"))
    assert takeback.redo(game) == 1
    assert takeback.redo(game) == 1
    assert game.moves == [0, 24, 2]
    with pytest.raises(IllegalMove, match="just now"):
        takeback.redo(game)
    game.resign(1)
    assert takeback.undo(game, ("human", "human")) == 0
    assert not takeback.possible
    with pytest.raises(IllegalMove, match="no move"):
        takeback.undo(game_of("scatter"), ("human", "human"))
