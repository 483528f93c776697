"""Tests that openings have known winners, balance the sides, are distinct up to symmetry, and depend on the seed."""

from collections import Counter
from pathlib import Path

import pytest
from exact import winning
from hypothesis import given, settings
from hypothesis import strategies as st

from gridlock.arena.openings import LONGEST_RANDOM, Opening, canonical, draw_openings
from gridlock.core import rules
from gridlock.core.game import Game
from gridlock.core.grid import Adjacency, cells_of, set_of
from gridlock.core.position import Position
from gridlock.core.rulebook import RuleBook, Variant
from gridlock.core.shape import SHAPES
from gridlock.engine.mirror import symmetries

GAMES = [("keepaway", "4x4"), ("chain", "4x4"), ("scatter", "4x4"), ("trails", "4x4"), ("showdown", "4x4")]


def after(variant: Variant, opening: Opening) -> Game:
    game = Game(variant)
    for move in opening.moves:
        game.push(move)
    return game


@pytest.mark.parametrize(("name", "board"), GAMES)
def test_an_opening_is_won_by_the_player_to_move_with_few_moves(name: str, board: str) -> None:
    variant = rules.variant(name, board)
    drawn = draw_openings(variant, 20, 7)
    for opening in drawn.openings:
        game = after(variant, opening)
        best = winning(variant, game.position)
        assert (opening.winner, opening.winning) == (game.turn, len(best))
        assert 0 < len(best) < game.legal.bit_count()
    few = [one for one in drawn.openings if 3 * one.winning <= after(variant, one).legal.bit_count()]  # type: ignore[operator]
    assert few


@pytest.mark.parametrize(("name", "board"), GAMES)
def test_openings_are_balanced_over_the_sides_and_different(name: str, board: str) -> None:
    variant = rules.variant(name, board)
    drawn = draw_openings(variant, 20, 1)
    counts = Counter(opening.winner for opening in drawn.openings)
    assert counts == {1: 10, 2: 10}
    assert [opening.winner for opening in drawn.openings[:4]] == [1, 2, 1, 2]
    if not drawn.note:
        assert len({canonical(variant, after(variant, opening).position) for opening in drawn.openings}) == 20


@settings(max_examples=15)
@given(
    shape=st.sampled_from(SHAPES),
    rows=st.integers(1, 4),
    cols=st.integers(1, 4),
    adjacency=st.sampled_from(Adjacency),
    count=st.integers(1, 12),
    seed=st.integers(0, 5),
    swap=st.booleans(),
)
def test_any_game_on_any_board_has_openings(shape, rows, cols, adjacency, count, seed, swap) -> None:  # type: ignore[no-untyped-def]
    if rows * cols < 2:
        cols = 2
    variant = rules.variant(RuleBook(title="Custom", shape=shape), (rows, cols), adjacency)
    drawn = draw_openings(variant, count, seed, swap)
    assert drawn == draw_openings(variant, count, seed, swap)
    assert len(drawn.openings) == count
    for opening in drawn.openings:
        game = Game(variant, swap=swap)
        for move in opening.moves:
            game.push(move)
        assert not opening.moves or game.outcome is None  # both can still play
    if not drawn.note and not swap:
        balance = Counter(opening.winner for opening in drawn.openings)
        assert abs(balance[1] - balance[2]) <= 1 or len(balance) == 1


def test_another_seed_draws_other_openings() -> None:
    variant = rules.variant("showdown", "6x6")
    assert draw_openings(variant, 10, 1) != draw_openings(variant, 10, 2)


def test_a_board_that_is_too_large_to_prove_gets_random_openings_and_says_so() -> None:
    drawn = draw_openings(rules.variant("scatter", "30x30"), 10, 1)
    assert drawn.note == (
        "scatter 30x30: proving who wins takes too long on this board, so openings are chosen at random."
    )
    assert all(opening.winner is None and 1 <= len(opening.moves) <= LONGEST_RANDOM for opening in drawn.openings)
    assert Counter(len(opening.moves) % 2 for opening in drawn.openings) == {0: 5, 1: 5}


def test_a_board_with_few_openings_repeats_them_and_says_so() -> None:
    drawn = draw_openings(rules.variant("keepaway", "3x3"), 20, 1)
    assert drawn.note == "keepaway 3x3: there are only 11 different openings for 20 pairs of games, so openings repeat."
    assert len(set(drawn.openings)) == 11


def test_if_one_side_has_too_few_openings_the_other_has_more() -> None:
    drawn = draw_openings(rules.variant("keepaway", "3x3"), 10, 1)
    assert drawn.note == ""
    assert Counter(opening.winner for opening in drawn.openings)[2] >= 9
    assert len(set(drawn.openings)) == 10


def test_a_game_from_a_file_has_openings(tmp_path: Path) -> None:
    path = tmp_path / "hermit.toml"
    path.write_text('title = "Hermit"\n[shape]\ncloses_own = true\ncloses_other = true\n')
    drawn = draw_openings(rules.variant(rules.rule_book(path), "5x5"), 6, 1)
    assert len(drawn.openings) == 6


def test_with_the_swap_rule_an_opening_is_a_first_move() -> None:
    drawn = draw_openings(rules.variant("showdown", "3x3"), 3, 1, swap=True)
    assert sorted(len(opening.moves) for opening in drawn.openings) == [1, 1, 1]
    assert drawn.note == ""  # the three openings are a corner, an edge and the centre
    assert "there are only 3 different openings" in draw_openings(rules.variant("showdown", "3x3"), 5, 1, True).note


@settings(max_examples=30)
@given(name=st.sampled_from([name for name, _ in GAMES]), seed=st.randoms(use_true_random=False))
def test_images_of_a_position_count_as_one(name, seed) -> None:  # type: ignore[no-untyped-def]
    variant = rules.variant(name, "4x4")
    game = Game(variant)
    for _ in range(seed.randint(1, 5)):
        if game.legal:
            game.push(seed.choice(cells_of(game.legal)))
    mine, theirs, my_head, their_head, turn = game.position
    image = seed.choice(symmetries(variant.grid))

    def moved(cells: int) -> int:
        return set_of(image[cell] for cell in cells_of(cells))

    heads = [None if head is None else image[head] for head in (my_head, their_head)]
    turned = Position(moved(mine), moved(theirs), heads[0], heads[1], turn)
    assert canonical(variant, turned) == canonical(variant, game.position)
