"""Tests of the wording at the end of a game and at the end of a match."""

import pytest

from gridlock.core.match import Match
from gridlock.core.rules import variant
from gridlock.play.match_text import closing, only_person, result, round_opening, score
from gridlock.play.words import voice


def played_out(name: str, board: str, moves: str, **settings) -> Match:
    found = Match(variant(name, board), **settings)
    game = found.current()
    for move in moves.split():
        game.push(move)
    return found


@pytest.mark.parametrize(
    ("name", "board", "moves", "second", "first"),
    [
        ("keepaway", "3x3", "2,2", "You win: the computer has no legal move.", "You lose: you have no legal move."),
        ("showdown", "3x3", "2,2", "You win: the computer has no legal move.", "You lose: you have no legal move."),
        (
            *("scatter", "3x3", "2,2 1,1 1,3 3,1 3,3"),
            "You lose: neither player has a cell left, and the computer made the last move.",
            "You win: neither player has a cell left, and you made the last move.",
        ),
    ],
)
def test_the_only_person_wins_or_loses(name, board, moves, second, first):
    for kinds, words in ((("human", "easy"), second), (("easy", "human"), first)):
        found = played_out(name, board, moves, kinds=kinds)
        game = found.games[0]
        assert game.outcome
        assert only_person(found) == kinds.index("human") + 1
        assert voice(found.variant).closing(game, only_person(found), False) == [words]
        assert result(game, only_person(found)) == words


@pytest.mark.parametrize("kinds", [("human", "human"), ("easy", "hard")])
def test_two_people_and_two_programs_get_the_documents_sentence(kinds):
    found = played_out("keepaway", "3x3", "2,2", kinds=kinds, names=("Ada", ""))
    said = voice(found.variant).closing(found.games[0], only_person(found), False)
    assert said == ["No valid moves remaining for Player 2. Ada wins!"]
    assert result(found.games[0]) == "Ada wins: Player 2 has no legal move."


def test_a_resignation_and_a_match_address_the_only_person():
    found = played_out("keepaway", "3x3", "", kinds=("human", "easy"), names=("Ada", "Deep"), rounds=2)
    found.games[0].resign(1)
    assert result(found.games[0], 1) == "You lose: you resigned."
    found.current().resign(1)
    assert score(found) == "Score: you: 0, Deep: 2."
    assert closing(found) == ["You lose the match, 2 to 0."]
    fresh = found.again()
    fresh.current()
    assert round_opening(fresh) == ["", "Round 1 of 2: you start."]
