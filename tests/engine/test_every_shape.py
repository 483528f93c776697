"""Check that the engine agrees with the reference solver for every combination of a game's four properties."""

from dataclasses import replace
from random import Random

import pytest
from bench import reference
from test_analysis import check
from truth import ADJACENCIES, GAMES, analysed, by_functions, closing_position, late_position, reachable, some, variants

from gridlock.core.game import Game
from gridlock.core.rules import RULE_BOOKS, variant
from gridlock.core.shape import Shape
from gridlock.engine.clock import Clock
from gridlock.engine.engine import Engine
from gridlock.engine.evidence import Method, Verdict
from gridlock.engine.solve import Solver
from gridlock.play.puzzle_making import make_puzzle, plan_for
from hermit import HERMIT
from nameless import BOOKS, EVERY_SHAPE, PASSING, book_of

pytestmark = pytest.mark.slow

MEMORY = 1 << 22


def agree(engine, position, memo):
    """Check that the engine and the reference solver agree on the value and distance of every move in a position."""
    truth = reference.results(engine.variant, position, memo)
    analysis = engine.weigh(position, Clock(), counting=None)
    told = {value.cell: (value.verdict is Verdict.WIN, value.distance) for value in analysis.values}
    assert told == truth
    assert analysis.verdict is (Verdict.WIN if memo[position[:4]].win else Verdict.LOSS)


def agree_on_small_boards(book, adjacency, most):
    for played in variants(book, adjacency, 1, 9):
        memo, engine = reachable(played), Engine(played, MEMORY)
        for position in some(memo, most or len(memo)):
            agree(engine, position, memo)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "adjacency"), EVERY_SHAPE)
def test_some_positions_of_every_board_up_to_nine_cells(name, adjacency):
    agree_on_small_boards(BOOKS[name], adjacency, 60)


@pytest.mark.deep
@pytest.mark.parametrize(("name", "adjacency"), EVERY_SHAPE)
def test_every_position_of_every_board_up_to_nine_cells(name, adjacency):
    agree_on_small_boards(BOOKS[name], adjacency, None)


@pytest.mark.slow
@pytest.mark.parametrize("adjacency", ADJACENCIES)
@pytest.mark.parametrize("name", PASSING)
def test_shapes_with_passes(name, adjacency):
    agree_on_small_boards(PASSING[name], adjacency, 25)


@pytest.mark.parametrize(("name", "adjacency"), EVERY_SHAPE)
def test_all_the_evidence_of_positions_on_larger_boards(name, adjacency):
    """Check the engine's analyses in full: not only the verdicts, but also the lines of play, pairs and replies."""
    rng = Random(f"{name} {adjacency}")
    for board in ("3x4", "4x4"):
        played = variant(BOOKS[name], board, adjacency)
        engine, memo = Engine(played, MEMORY), {}
        for _ in range(8):
            check(engine, closing_position(played, rng, 8), memo)


# -- a sixth game ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("board", ["6x6", "5x5", "4x6", "7x7", "100x100"])
def test_hermit_is_decided_by_a_mirror_at_once(board):
    played = variant(HERMIT, board)
    solution = Solver(played).solve()
    assert (solution.method, solution.positions) == (Method.MIRROR, 0)
    even = all(side % 2 == 0 for side in (played.grid.rows, played.grid.cols))
    assert solution.verdict is (Verdict.LOSS if even else Verdict.WIN)
    analysis = analysed(Engine(played, MEMORY), played.start(), Clock(0.0))
    assert (analysis.verdict, analysis.method, analysis.positions) == (solution.verdict, Method.MIRROR, 0)


@pytest.mark.parametrize("adjacency", ADJACENCIES)
def test_hermit_by_functions_is_searched_and_the_same_as_hermit_by_its_shape(adjacency):
    """The engine has no theory for a game defined by functions instead of a `Shape`, so it searches, and says so."""
    for by_shape in variants(HERMIT, adjacency, 1, 9):
        memo = reachable(by_shape)
        one, two = Engine(by_shape, MEMORY), Engine(by_functions(by_shape), MEMORY)
        for position in some(memo, 60):
            known, searched = analysed(one, position), analysed(two, position)
            assert (known.verdict, known.winning) == (searched.verdict, searched.winning)
            assert known.distance == memo[position[:4]].distance
            assert two.prove(position, Clock()) is None or not searched.values
            if searched.values:
                assert searched.method is Method.SEARCH
                assert searched.distance is None
                assert "no move" in searched.words() or "as a search shows" in searched.words()
        solution = Solver(two.variant).solve()
        assert (solution.method, solution.positions > 0) == (Method.SEARCH, True)
        assert solution.verdict is (Verdict.WIN if memo[by_shape.start()[:4]].win else Verdict.LOSS)


# -- a name is only a name ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_game_by_another_name_is_the_same_game(game):
    """Renaming a game does not change the answers, the evidence, the wording or the number of positions searched."""
    rng = Random(game)
    for board in ("3x4", "4x4"):
        book = RULE_BOOKS[game]
        one, two = variant(book, board), variant(replace(book, name="other"), board)
        engines = Engine(one, MEMORY), Engine(two, MEMORY)
        for most in (4, 6, 8, 10):
            position = late_position(one, rng, most)
            first, second = (analysed(engine, position) for engine in engines)
            assert (first.verdict, first.values, first.method) == (second.verdict, second.values, second.method)
            assert (first.words(), first.line, first.pairing) == (second.words(), second.line, second.pairing)
            assert [type(proof) for proof in first.proofs] == [type(proof) for proof in second.proofs]
            assert first.positions == second.positions
        for method in ("auto", "search") if board == "3x4" else ("auto",):
            solutions = [Solver(played, method, memory=MEMORY).solve(openings=True) for played in (one, two)]
            first, second = (replace(solution, seconds=0.0) for solution in solutions)
            assert first == second


@pytest.mark.parametrize("game", GAMES)
def test_a_game_by_another_name_has_the_same_puzzles(game):
    book = RULE_BOOKS[game]
    for difficulty in (1, 4):
        level = plan_for(book, difficulty).level
        first, second = (
            make_puzzle(
                Engine(variant(one, level.board, level.adjacency), MEMORY), Random(7), level, difficulty, Clock()
            )
            for one in (book, replace(book, name="other"))
        )
        assert first.game.moves == second.game.moves
        assert first[1:] == second[1:]


@pytest.mark.parametrize("name", ["star", "free", "level", "stuck", "words", "nowhere", "solve", "kernel", "unit"])
def test_a_game_may_be_called_like_anything_in_a_kernel(name):
    for shape in (Shape(closes_other=True), Shape(closes_own=True), Shape(follows="near", pawn=True)):
        played = variant(book_of(shape, name=name), "3x3", "king")
        memo, engine = reachable(played), Engine(played, MEMORY)
        for position in [played.start(), *some(memo, 25)]:
            agree(engine, position, memo)
        won = Verdict.WIN if memo[played.start()[:4]].win else Verdict.LOSS
        assert Solver(played, "search", memory=MEMORY).solve().verdict is won
        assert engine.analyse(Game(played), Clock()).verdict is won
