"""Tests of the rules derived from a shape, against a naive model that knows only the shape's four properties."""

from itertools import product
from random import Random

import pytest
from conformance import ADJACENCIES, check_law_of_passing, check_position, check_random_game, naive
from hypothesis import given, settings
from hypothesis import strategies as st

import oracle
from gridlock import RULE_BOOKS, Game, Grid, Variant
from gridlock.core.definition import book_from, definition_of
from gridlock.core.errors import BadGame
from gridlock.core.rules import BUILT_IN
from gridlock.core.shape import SHAPES, Follow, Shape
from gridlock.core.wording import words_for
from nameless import BOOKS, EVERY_SHAPE, PASSING, book_of, naive_of

ALL = BOOKS | PASSING
every_shape = pytest.mark.parametrize("name", ALL)


def test_there_is_a_shape_for_every_combination_that_makes_sense():
    combinations = set(product((False, True), (False, True), (None, *Follow), (False, True)))
    possible = {one for one in combinations if one[2] is not None or not one[3]}
    assert {(shape.closes_own, shape.closes_other, shape.follows, shape.pawn) for shape in SHAPES} == possible
    assert len(SHAPES) == len(possible) == 20
    assert {RULE_BOOKS[name].shape for name in BUILT_IN} <= set(SHAPES)
    for own, other, follows, pawn in combinations - possible:
        with pytest.raises(BadGame, match='must also set the property "follows"'):
            Shape(own, other, follows, pawn)


def test_only_a_self_blocking_shape_has_no_first_move_on_a_large_board():
    for shape in SHAPES:
        opens = [Game(shape, "7x7", adjacency=adjacency).outcome is None for adjacency in ADJACENCIES]
        assert opens == [not shape.self_blocking] * 2, shape


@pytest.mark.slow
@every_shape
@settings(max_examples=40)
@given(data=st.data())
def test_random_games_follow_the_naive_model(name, data):
    book = ALL[name]
    rows = data.draw(st.integers(1, 9), "rows")
    cols = data.draw(st.integers(1 if rows >= book.smallest else book.smallest, 9), "columns")
    check_random_game(
        book,
        rows,
        cols,
        data.draw(st.sampled_from(ADJACENCIES), "adjacency"),
        data.draw(st.sampled_from([1, 2]), "starts"),
        data.draw(st.integers(0, 10**9), "seed"),
        naive_of(book),
    )


@pytest.mark.slow
@every_shape
@pytest.mark.parametrize("adjacency", ADJACENCIES)
def test_every_position_of_tiny_boards(name, adjacency):
    """On tiny boards, each game agrees with its naive model in every reachable position."""
    for rows, cols in ((1, 2), (1, 5), (5, 1), (2, 2), (2, 3), (3, 2)):
        variant, seen = Variant(ALL[name], Grid(rows, cols, adjacency)), set()
        todo = [(variant.start(starts), naive(variant, naive_of(ALL[name]), starts)) for starts in (1, 2)]
        while todo:
            position, model = todo.pop()
            if (position, model.last_mover) in seen:
                continue
            seen.add((position, model.last_mover))
            check_position(variant, position, model)
            if model.must_pass():
                position, model = position.passed(), model.copy()
                model.skip()
            for cell in variant.legal_cells(position):
                after = model.copy()
                after.play(divmod(cell, cols))
                todo.append((position.after(cell), after))
        assert len(seen) >= 2


@pytest.mark.parametrize(("name", "adjacency"), EVERY_SHAPE)
def test_what_stays_open_after_a_move(name, adjacency):
    """keeps, leaves and reach say the same as legal, move by move: kernels are built from them."""
    random, shape = Random(name), BOOKS[name].shape
    variant = Variant(BOOKS[name], Grid(4, 5, adjacency))
    grid = variant.grid
    for _ in range(30):
        position = variant.start()
        while variant.legal(position):
            mine, theirs = shape.open_to_both(grid, position)
            followed = position.my_head if shape.pawn else position.their_head
            near = grid.cells if shape.follows is None or followed is None else shape.reach(grid, followed)
            assert variant.legal(position) == mine & near
            assert shape.open_to_both(grid, position.passed()) == (theirs, mine)
            cell = random.choice(variant.legal_cells(position))
            position = position.after(cell)
            assert shape.open_to_both(grid, position) == (
                theirs & shape.leaves(grid, cell),
                mine & shape.keeps(grid, cell),
            )


@pytest.mark.parametrize("game", sorted(BUILT_IN))
def test_the_naive_shapes_play_the_five_games(game):
    """The hand-written models of the five games agree with a model that knows only a shape's four properties."""
    book = RULE_BOOKS[game]
    for king, (rows, cols), seed in product((False, True), ((2, 3), (3, 3), (4, 3), (1, 6)), range(15)):
        random = Random(seed)
        one, two = (model(rows, cols, king) for model in (oracle.GAMES[game], naive_of(book)))
        while not one.over():
            cells = [(row, col) for row in range(rows) for col in range(cols)]
            assert [one.why_not(cell) for cell in cells] == [two.why_not(cell) for cell in cells]
            assert one.must_pass() == two.must_pass()
            if one.must_pass():
                one.skip()
                two.skip()
            move = random.choice(one.legal())
            one.play(move)
            two.play(move)
        assert two.over()
        assert one.winner() == two.winner()


@every_shape
def test_a_shape_makes_the_trip_through_a_definition(name):
    """A record contains the game's definition, so every definition that can be written must be read back unchanged."""
    book = ALL[name]
    told = {**definition_of(book), "title": "Some Game"}
    again = book_from(told, "other")
    assert (again.shape, again.passes, again.name, again.marks) == (book.shape, book.passes, "some", book.marks)
    assert book_from(definition_of(again), "other") == again
    words = words_for(book.shape, book.passes)
    bare = book_from({"title": "Bare", "passes": book.passes, "shape": definition_of(book)["shape"]}, "bare")
    assert (bare.summary, bare.rules, bare.closed) == words
    assert (bare.shape, bare.passes) == (book.shape, book.passes)
    game = Game(Variant(bare, Grid(*bare.board, bare.adjacency)))
    for row, col in bare.example:
        game.push(game.variant.cell(row, col))
    assert game.outcome is None or not bare.example  # no player can move where a pawn blocks its own way


# -- the passing rule -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [shape for shape in SHAPES if not shape.placing], ids=str)
def test_a_game_whose_moves_follow_a_marker_cannot_have_passes(shape):
    with pytest.raises(BadGame, match="may be able to move again later") as refused:
        book_of(shape, passes=True, name="wanderer")
    assert str(refused.value).startswith("wanderer cannot allow passing, because ")
    assert str(refused.value).count(".") == 1


def test_the_check_of_the_law_can_fail():
    """The check fails if a side that has to pass can move again once the opponent has placed another marker."""
    keepaway = Shape(follows=Follow.AWAY)
    book = book_of(Shape(closes_own=True), passes=True)
    object.__setattr__(book, "shape", keepaway)  # no rule book like this can be made, so this one is forced
    variant = Variant(book, Grid(3, 3, "king"))
    with pytest.raises(AssertionError, match="frees a side that was stuck"):
        check_law_of_passing(variant, variant.start().after(4))
