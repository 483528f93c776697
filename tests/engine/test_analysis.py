"""The engine against the reference solver: every game, both adjacencies, every kind of evidence on and off."""

from random import Random

import pytest
from truth import EVERY_GAME, SEARCHED, late_position, reachable, some, variants, walled_in

from gridlock.engine import reference
from gridlock.engine import search as search_module
from gridlock.engine.clock import Clock
from gridlock.engine.engine import GEOGRAPHY, Engine
from gridlock.engine.evidence import Method, Verdict
from gridlock.engine.search import Search, _kernel_class
from gridlock.rules import variant

MEMORY = 1 << 22


def never(_nodes):
    return False


def check(engine, position, memo, distances=True):
    """Everything the engine says about a position is so."""
    played = engine.variant
    truth = reference.results(played, position, memo)
    winning = [cell for cell, result in truth.items() if result.win]
    won = Verdict.WIN if winning else Verdict.LOSS

    found = engine.analyse(position)
    assert [move.cell for move in found.moves] == played.legal_cells(position)
    assert found.winning == winning
    assert found.verdict is won
    if distances:
        assert {move.cell: move.distance for move in found.moves} == {c: result.distance for c, result in truth.items()}
        assert found.distance == reference.best(truth.values()).distance
    assert found.explanation
    check_evidence(found, memo, distances)

    proof, _ = engine.by_proof(position)
    assert proof in (won, Verdict.UNKNOWN)
    assert proof is won or played.book.name not in GEOGRAPHY
    assert engine.by_search(position, never) is won
    assert engine.verdict(position, never)[0] is won


def check_evidence(found, memo, distances):
    """The line is legal and the winner's moves in it win, and the pairing pairs cells that may follow each other."""
    played, position = found.variant, found.position
    winner = position.turn if found.verdict is Verdict.WIN else 3 - position.turn
    for cell in found.line:
        assert played.legal(position) >> cell & 1
        mover, position = position.turn, position.after(cell)
        assert mover != winner or not reference.solve(played, position, memo).win
    at_once = "no move" in found.explanation
    if at_once and found.moves:
        assert not played.legal(position)
        assert len(found.line) == 1
        assert not found.pairing
    assert bool(found.line) == (bool(found.moves) and (at_once or found.method is Method.SEARCH))
    if found.line and distances:
        assert len(found.line) == found.distance
        assert not played.legal(position)
        assert at_once or f"{found.distance} moves until the loser is stuck" in found.explanation
    assert bool(found.pairing) == (found.method is Method.MATCHING and not at_once)
    for one, other in found.pairing.items():
        assert found.pairing[other] == one
        assert not found.position.taken >> one & 1
        neighbours = bool(played.grid.near[one] >> other & 1)
        assert neighbours == (played.book.name == "chain")


@pytest.mark.parametrize(("game", "adjacency"), EVERY_GAME)
def test_every_position_of_the_smallest_boards(game, adjacency):
    for played in variants(game, adjacency, 1, 6):
        memo = reachable(played)
        engine = Engine(played, MEMORY)
        for position in some(memo, len(memo)):
            check(engine, position, memo)


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
def test_with_and_without_each_kind_of_evidence(game, adjacency, way, monkeypatch):
    if way in ("no mirrors", "neither", "plain"):
        monkeypatch.setattr("gridlock.engine.engine.losing_mirror", lambda _variant, _position: None)
        monkeypatch.setattr("gridlock.engine.engine.mirror_moves", lambda _variant, _position: iter(()))
    if way == "plain":
        monkeypatch.setattr(search_module, "KERNEL_CELLS", 0)
        monkeypatch.setattr(Search, "kernel", None)
    for played in variants(game, adjacency, 8, 9):
        memo = reachable(played)
        engine = Engine(played, MEMORY, mirrors=way == "no distances")
        if way != "no mirrors":
            engine.__dict__["exact"] = None
        for position in some(memo, 60):
            check(engine, position, memo, distances=way == "no mirrors")


@pytest.mark.parametrize(("game", "adjacency"), SEARCHED)
def test_without_each_technique_of_a_kernel(game, adjacency, monkeypatch):
    module, make = _kernel_class(game)
    played = variant(game, "3x4", adjacency)
    memo = reachable(played)
    positions = some(memo, 150)
    flags = [1 << bit for bit in range(module.ALL.bit_length())]
    for techniques in [0, *flags, *(module.ALL & ~flag for flag in flags)]:
        engine = Engine(played, MEMORY)
        monkeypatch.setattr(
            "gridlock.engine.search._kernel_class",
            lambda _game, chosen=techniques: (module, lambda *settings: make(*settings[:4], chosen)),
        )
        for position in positions:
            found = engine.by_search(position, never)
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
    """Whatever is said with no time at all is so, and what is not known is said to be unknown."""
    for played in variants(game, adjacency, 9, 9):
        memo = reachable(played)
        for position in some(memo, 40):
            found = Engine(played, MEMORY).analyse(position, 0.0)
            truth = reference.results(played, position, memo)
            for move in found.moves:
                assert move.verdict in (Verdict.UNKNOWN, Verdict.WIN if truth[move.cell].win else Verdict.LOSS)
            assert found.verdict in (Verdict.UNKNOWN, Verdict.WIN if memo[position[:4]].win else Verdict.LOSS)


def test_no_search_takes_up_a_board_that_is_too_large():
    """Without a limit of time the answer comes all the same: it is not known."""
    played = variant("trails", "21x21")
    found = Engine(played, MEMORY).analyse(played.start())
    assert found.verdict is Verdict.UNKNOWN
    assert "too much room" in found.explanation


@pytest.mark.parametrize("game", ["keepaway", "chain", "scatter", "trails", "showdown"])
def test_a_hundred_by_a_hundred(game):
    for board in ("100x100", "99x99"):
        played = variant(game, board)
        found = Engine(played, MEMORY).analyse(played.start(), 0.3)
        proved = {"keepaway": "matching", "chain": "matching", "scatter": "mirror", "trails": "mirror"}
        if board == "100x100" and game in proved:
            assert (found.verdict, found.method) == (Verdict.LOSS, proved[game])
        elif game in ("scatter", "trails"):
            assert found.verdict is Verdict.UNKNOWN
        else:
            assert found.verdict is Verdict.WIN


def test_a_clock_slice_ends_before_the_clock():
    clock = Clock(None)
    assert not clock.over
    clock.slice(0.0)
    assert clock.over
    assert clock(0)
    assert not clock.expired
    clock.slice(None)
    assert not clock.over
    assert Clock(0.0).expired
