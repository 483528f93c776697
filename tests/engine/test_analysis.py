"""Tests of the engine against the reference solver, in every game, with each kind of evidence switched on and off."""

from random import Random

import pytest
from bench import reference
from truth import (
    EVERY_GAME,
    GAMES,
    SEARCHED,
    analysed,
    late_position,
    make_kernels,
    reachable,
    some,
    variants,
    walled_in,
    without_distances,
    without_kernels,
)

from gridlock.core.rules import variant
from gridlock.core.shape import Follow
from gridlock.engine.clock import Clock
from gridlock.engine.engine import Engine
from gridlock.engine.evidence import Method, Verdict
from gridlock.engine.kernels.interface import win_loss

MEMORY = 1 << 22


def check(engine, position, memo, distances=True):
    """Check that everything the engine says about a position is correct."""
    played = engine.variant
    truth = reference.results(played, position, memo)
    winning = [cell for cell, result in truth.items() if result.win]
    won = Verdict.WIN if winning else Verdict.LOSS

    analysis = analysed(engine, position)
    assert [value.cell for value in analysis.values] == played.legal_cells(position)
    assert analysis.winning == winning
    assert analysis.verdict is won
    assert {value.cell: value.verdict is Verdict.WIN for value in analysis.values} == {
        cell: result.win for cell, result in truth.items()
    }
    if distances:
        told = {value.cell: value.distance for value in analysis.values}
        assert told == {cell: result.distance for cell, result in truth.items()}
        assert analysis.distance == reference.best(truth.values()).distance
    check_evidence(analysis, memo, distances)
    for proof in analysis.proofs:
        check_proof(proof, truth, memo)

    proof = engine.prove(position, Clock())
    if proof is not None:
        assert proof.verdict is won
        check_proof(proof, truth, memo)
    assert proof is not None or not (played.shape and played.shape.geography)
    assert engine.search.verdict(position, Clock()) is won
    assert engine.verdict(position, Clock()) is won


def check_evidence(analysis, memo, distances):
    """Check that an analysis's line is legal, that the winner's moves in it win, and that paired cells are free."""
    played, position, words = analysis.variant, analysis.position, analysis.words()
    assert words.endswith((".", " ..."))
    winner = position.turn if analysis.verdict is Verdict.WIN else 3 - position.turn
    for cell in analysis.line:
        assert played.legal(position) >> cell & 1
        mover, position = position.turn, position.after(cell)
        assert mover != winner or not reference.solve(played, position, memo).win
    at_once = "no move" in words
    if at_once and analysis.values:
        assert not played.legal(position)
        assert len(analysis.line) == 1
    assert bool(analysis.line) == (bool(analysis.values) and (at_once or analysis.method is Method.SEARCH))
    if analysis.line and distances:
        assert len(analysis.line) == analysis.distance
        assert not played.legal(position)
        assert at_once or f"in {analysis.distance} move" in words
    for cell in analysis.winning:  # each of them has its own reason
        assert analysis.words(cell).startswith(f"{played.name(cell)} wins")
    pairing = analysis.pairing
    assert not pairing or analysis.method is Method.MATCHING
    for one, other in pairing.items():
        assert pairing[other] == one
        assert not analysis.position.taken >> one & 1
        assert bool(played.grid.near[one] >> other & 1) == (played.shape.follows is Follow.NEAR)


def check_proof(proof, truth, memo):
    """Check that a proof's winning moves and its replies do win, and that a complete proof lists every winning move."""
    played, position = proof.variant, proof.position
    winning = {cell for cell, result in truth.items() if result.win}
    assert set(proof.winning) <= winning
    assert not proof.complete or set(proof.winning) == winning
    assert proof.verdict is (Verdict.WIN if winning else Verdict.LOSS)
    assert proof.best is None or proof.best in truth
    if proof.verdict is Verdict.WIN and proof.method is not Method.SEARCH:
        assert proof.best in winning
    now = position.after(proof.best) if proof.verdict is Verdict.WIN and proof.best is not None else position
    for move in played.legal_cells(now):
        answer = proof.answer(move)
        if answer is None:
            assert proof.method is Method.SEARCH  # a line knows one answer, a partner or an image always is one
            continue
        after = now.after(move)
        assert played.legal(after) >> answer & 1
        assert not reference.solve(played, after.after(answer), memo).win


@pytest.mark.parametrize(("game", "adjacency"), EVERY_GAME)
def test_every_position_of_the_smallest_boards(game, adjacency):
    for played in variants(game, adjacency, 1, 6):
        memo = reachable(played)
        engine = Engine(played, MEMORY)
        for position in some(memo, len(memo)):
            check(engine, position, memo)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "adjacency"), EVERY_GAME)
def test_positions_of_boards_up_to_nine_cells(game, adjacency):
    for played in variants(game, adjacency, 7, 9):
        memo = reachable(played)
        engine = Engine(played, MEMORY)
        for position in some(memo, 250):
            check(engine, position, memo)


@pytest.mark.deep
@pytest.mark.parametrize(("game", "adjacency"), EVERY_GAME)
def test_every_position_of_boards_up_to_nine_cells(game, adjacency):
    for played in variants(game, adjacency, 7, 9):
        memo = reachable(played)
        engine = Engine(played, MEMORY)
        for position in some(memo, len(memo)):
            check(engine, position, memo)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "adjacency"), EVERY_GAME)
def test_random_positions_on_boards_up_to_five_by_five(game, adjacency):
    rng = Random(f"{game} {adjacency}")
    most = {"keepaway": 6, "chain": 10, "trails": 11}.get(game, 8)
    for board in ("2x5", "3x4", "4x3", "4x4", "3x5", "5x4", "5x5"):
        played = variant(game, board, adjacency)
        engine, memo = Engine(played, MEMORY), {}
        for _ in range(40):
            check(engine, late_position(played, rng, most), memo)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "adjacency"), SEARCHED)
@pytest.mark.parametrize("way", ["no mirrors", "no distances", "neither", "plain"])
def test_with_and_without_each_kind_of_evidence(game, adjacency, way):
    for played in variants(game, adjacency, 8, 9):
        memo = reachable(played)
        engine = Engine(played, MEMORY, mirrors=way == "no distances")
        if way != "no distances":
            engine.theory = []
        if way != "no mirrors":
            (without_kernels if way == "plain" else without_distances)(engine)
        for position in some(memo, 60):
            check(engine, position, memo, distances=way == "no mirrors")


@pytest.mark.slow
@pytest.mark.parametrize(("game", "adjacency"), SEARCHED)
def test_without_each_technique_of_a_kernel(game, adjacency, monkeypatch):
    played = variant(game, "3x4", adjacency)
    memo = reachable(played)
    positions = some(memo, 150)
    flags = list(win_loss(played.shape).techniques.values())
    for techniques in [0, *flags, *(sum(flags) - flag for flag in flags)]:
        make_kernels(monkeypatch, played.shape, techniques=techniques)
        search = Engine(played, MEMORY).search
        for position in positions:
            found = search.verdict(position, Clock())
            assert found is (Verdict.WIN if memo[position[:4]].win else Verdict.LOSS), techniques


@pytest.mark.parametrize(("game", "adjacency"), SEARCHED)
def test_the_open_part_of_a_large_board_is_searched_alone(game, adjacency):
    rng = Random(f"{game} {adjacency}")
    for _ in range(60):
        played, position = walled_in(game, adjacency, rng, [(rng.randrange(10), rng.randrange(10))], 9)
        engine = Engine(played, MEMORY)
        check(engine, position, {}, distances=False)
        assert not engine.search._memo  # the kernel did it


@pytest.mark.parametrize(("game", "adjacency"), SEARCHED)
def test_open_parts_far_from_each_other_are_searched_plainly(game, adjacency):
    rng = Random(f"{game} {adjacency}")
    for _ in range(25):
        played, position = walled_in(game, adjacency, rng, [(0, 0), (9, 9)], 9)
        check(Engine(played, MEMORY), position, {}, distances=False)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "adjacency"), EVERY_GAME)
def test_time_runs_out_at_once(game, adjacency):
    """Even if the engine gets no time at all, each verdict that it reports is either correct or "unknown"."""
    for played in variants(game, adjacency, 9, 9):
        memo = reachable(played)
        for position in some(memo, 40):
            analysis = analysed(Engine(played, MEMORY), position, Clock(0.0))
            truth = reference.results(played, position, memo)
            for value in analysis.values:
                assert value.verdict in (Verdict.UNKNOWN, Verdict.WIN if truth[value.cell].win else Verdict.LOSS)
            assert analysis.verdict in (Verdict.UNKNOWN, Verdict.WIN if memo[position[:4]].win else Verdict.LOSS)
            assert analysis.words()


def test_no_search_takes_up_a_board_that_is_too_large():
    """Even without a time limit, the engine reports the winner as unknown if the board is too large to search."""
    played = variant("trails", "21x21")
    analysis = analysed(Engine(played, MEMORY), played.start())
    assert analysis.verdict is Verdict.UNKNOWN
    assert "too many empty cells" in analysis.words()


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_hundred_by_a_hundred(game):
    for board in ("100x100", "99x99"):
        played = variant(game, board)
        analysis = analysed(Engine(played, MEMORY), played.start(), Clock(0.3))
        proved = {"keepaway": "matching", "chain": "matching", "scatter": "mirror", "trails": "mirror"}
        if board == "100x100" and game in proved:
            assert (analysis.verdict, analysis.method) == (Verdict.LOSS, proved[game])
        elif game in ("scatter", "trails"):
            assert analysis.verdict is Verdict.UNKNOWN
        else:
            assert analysis.verdict is Verdict.WIN
