"""Tests of the notation for stored moves, which is the same in records, setups and links."""

import random

import pytest

from gridlock import RULE_BOOKS, SWAP, Game, IllegalMove, UnreadableMove, variant
from gridlock.core.notation import (
    play_moves,
    push_stored,
    push_with_passes,
    read_stored,
    with_passes,
    write_move,
    written,
)
from gridlock.core.records import dump_json


@pytest.mark.parametrize("game", RULE_BOOKS)
@pytest.mark.parametrize("board", ["1x2", "3x4", "100x100"])
def test_what_is_written_is_read_again(game: str, board: str) -> None:
    chosen = variant(game, board)
    texts = [write_move(chosen, move) for move in (*range(chosen.grid.size), SWAP)]
    assert len(set(texts)) == len(texts)
    assert [read_stored(chosen, text) for text in texts] == [*range(chosen.grid.size), SWAP]


def test_cells_are_counted_as_the_players_count_them() -> None:
    assert write_move(variant("chain"), 0) == "1,1"
    assert write_move(variant("trails"), 0) == "0,0"
    assert read_stored(variant("chain"), "0,0") is None
    assert read_stored(variant("trails"), "0,0") == 0
    assert read_stored(variant("chain"), "01,002") == 1  # as records have always been read
    assert read_stored(variant("chain"), "999,999") is None


@pytest.mark.parametrize(
    "text", ["", "2 3", "2, 3", " 2,3", "2,3\n", "(2,3)", "+2,3", "1000,1", "-1", "Swap", "pass", "b2", "²,3", "٢,٣"]
)
def test_nothing_else_is_a_stored_move(text: str) -> None:
    with pytest.raises(UnreadableMove, match="a move is a row and a column, such as 1,1, or swap"):
        read_stored(variant("chain"), text)


def test_a_stored_game_is_made_again() -> None:
    game = Game(variant("showdown"), swap=True)
    for text in ("3,3", "swap", "1,1"):
        push_stored(game, text)
    assert game.moves == [12, SWAP, 0]
    assert written(game) == dump_json(game)["Moves"] == ["3,3", "swap", "1,1"]
    with pytest.raises(IllegalMove):
        push_stored(game, "9,9")
    typed = Game(variant("showdown"), swap=True)
    play_moves(typed, " ".join(written(game)))  # whatever is stored can be typed, too
    assert typed.moves == game.moves


@pytest.mark.parametrize("board", ["1x1", "3x3", "4x5"])
def test_with_passes_the_players_move_in_turn(board: str, rng: random.Random) -> None:
    for _ in range(20):
        game = Game("scatter", board)
        while game.legal:
            game.push(rng.choice(list(game.legal_moves)))
            words, again = with_passes(game), Game("scatter", board)
            assert push_with_passes(again, words) == (words[-1] == "pass") == game.passing
            assert again == game
            if not game.outcome:
                assert game.turn == 1 + len(words) % 2
        bare = Game("scatter", board)
        assert not push_with_passes(bare, written(game))
        assert bare == game


def test_a_swap_is_a_turn() -> None:
    game = Game("showdown", swap=True)
    assert not push_with_passes(game, ["3,3", "swap", "1,1"])
    assert with_passes(game) == ["3,3", "swap", "1,1"]


@pytest.mark.parametrize(
    ("moves", "words"),
    [
        ("pass", "Move 1 (pass) is not possible: the player to move has a move."),
        ("2,2 1,1 pass pass", "Move 4 (pass) is not possible: the player to move has a move."),
        ("2,2 1,1 pass 3,3 1,3 pass 3,1 pass", "Move 8 (pass) is not possible: the game is over."),
        ("2,2 b2", "Move 2 (b2) is not possible: a move is a row and a column, such as 1,1, or swap."),
        ("2,2 2,2", "Move 2 (2,2) is not possible: the cell is already occupied."),
    ],
)
def test_a_wrong_move_is_named_by_its_number(moves: str, words: str) -> None:
    with pytest.raises(IllegalMove) as error:
        push_with_passes(Game("scatter", "3x3"), moves.split())
    assert str(error.value) == words
