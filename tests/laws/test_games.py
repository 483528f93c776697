"""Tests of the five games against the naive model, in random games on random boards."""

from random import Random

import pytest
from conformance import ADJACENCIES, check_book, check_position, check_random_game, naive
from hypothesis import given, settings
from hypothesis import strategies as st

import oracle
from gridlock import RULE_BOOKS, BadBoard, Grid, Variant

every_game = pytest.mark.parametrize("name", RULE_BOOKS)


def test_the_naive_model_knows_every_game():
    assert set(oracle.GAMES) == set(RULE_BOOKS)


@every_game
def test_the_rule_book_is_complete_and_its_example_can_be_played(name):
    check_book(RULE_BOOKS[name])


@pytest.mark.slow
@every_game
@settings(max_examples=100)
@given(data=st.data())
def test_random_games_follow_the_naive_model(name, data):
    book = RULE_BOOKS[name]
    rows = data.draw(st.integers(1, 9), "rows")
    cols = data.draw(st.integers(1 if rows >= book.smallest else book.smallest, 9), "columns")
    check_random_game(
        book,
        rows,
        cols,
        data.draw(st.sampled_from(ADJACENCIES), "adjacency"),
        data.draw(st.sampled_from([1, 2]), "starts"),
        data.draw(st.integers(0, 10**9), "seed"),
        oracle.GAMES[name],
    )


@pytest.mark.slow
@every_game
@pytest.mark.parametrize("adjacency", ADJACENCIES)
def test_many_more_random_games_on_small_boards(name, adjacency):
    random = Random(f"{name} {adjacency}")
    book = RULE_BOOKS[name]
    for seed in range(200):
        rows, cols = random.randint(1, 6), random.randint(2, 5)
        check_random_game(book, rows, cols, adjacency, random.randint(1, 2), seed, oracle.GAMES[name])


@pytest.mark.slow
@every_game
@pytest.mark.parametrize(("rows", "cols"), [(100, 100), (1, 100), (100, 7), (23, 41)])
def test_large_boards(name, rows, cols):
    asked = {1, 20, 700}  # and the last; the naive model is too slow for all of them
    for adjacency in ADJACENCIES if rows * cols < 1000 else [RULE_BOOKS[name].adjacency]:
        check_random_game(RULE_BOOKS[name], rows, cols, adjacency, 2, rows, oracle.GAMES[name], asked.__contains__)


@every_game
@pytest.mark.parametrize("adjacency", ADJACENCIES)
@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (1, 2), (2, 1), (1, 5), (5, 1), (2, 2), (2, 3), (3, 2)])
def test_every_position_of_a_tiny_board(name, adjacency, rows, cols):
    book, seen = RULE_BOOKS[name], set()
    if rows * cols < book.smallest:
        with pytest.raises(BadBoard, match=f"{book.title} needs a board of at least {book.smallest} cells"):
            Variant(book, Grid(rows, cols, adjacency))
        return
    variant = Variant(book, Grid(rows, cols, adjacency))

    def visit(position, model):
        if (position, model.last_mover) in seen:
            return
        seen.add((position, model.last_mover))
        check_position(variant, position, model)
        if model.must_pass():
            position, model = position.passed(), model.copy()
            model.skip()
        for cell in variant.legal_cells(position):
            after = model.copy()
            after.play(divmod(cell, cols))
            visit(position.after(cell), after)

    for starts in (1, 2):
        visit(variant.start(starts), naive(variant, oracle.GAMES[name], starts))
    assert len(seen) >= 2


@every_game
def test_the_starting_player_changes_only_the_names(name):
    book = RULE_BOOKS[name]
    for seed in range(20):
        one, two = (check_random_game(book, 4, 3, book.adjacency, starts, seed) for starts in (1, 2))
        if name == "trails":  # the starter's corner changes too, so the same moves are not legal
            assert one.positions[0].passed() == two.positions[0]
            continue
        assert one.moves == two.moves
        assert one.outcome.winner == 3 - two.outcome.winner
        for here, there in zip(one.positions, two.positions, strict=True):
            assert here._replace(turn=there.turn) == there
