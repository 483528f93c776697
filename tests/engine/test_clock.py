"""Tests that the engine respects the clock: once the time is up, it calls no kernel and uses only theory."""

from random import Random

import pytest
from truth import EVERY_GAME, late_position, make_kernels, without_distances

from gridlock.core.game import Game
from gridlock.core.rules import variant
from gridlock.engine.choice import choose
from gridlock.engine.clock import Cancelled, Clock, cancellation
from gridlock.engine.engine import Engine
from gridlock.engine.evidence import Method, Verdict
from gridlock.engine.kernels.interface import win_loss

MEMORY = 1 << 22


class Counted:
    """A wrapper that records all calls to a kernel, and cancels the current question after a given number of calls."""

    def __init__(self, kernel, calls, most=None):
        self.kernel, self.calls, self.most = kernel, calls, most

    def __getattr__(self, name):
        asked = getattr(self.kernel, name)
        if not callable(asked):
            return asked

        def call(*settings):
            self.calls.append(name)
            if self.most is not None and len(self.calls) >= self.most:
                cancellation.cancel()
            return asked(*settings)

        return call


@pytest.fixture
def watched(monkeypatch):
    """Yield a function that starts recording an engine's kernel calls in a list and returns the list."""

    def watch(engine, most=None):
        calls, shape = [], engine.variant.shape
        if engine.distances.kernel is not None:
            engine.distances.__dict__["kernel"] = Counted(engine.distances.kernel, calls, most)
        usual = win_loss(shape)
        if usual is not None:
            make_kernels(monkeypatch, shape, lambda *settings: Counted(usual.make(*settings), calls, most))
        return calls

    yield watch
    cancellation.begin()


def test_a_slice_ends_before_the_clock():
    clock = Clock(None)
    assert not clock.over
    with clock.at_most(0.0):
        assert clock.over
        assert clock(0)
        assert not clock.expired
        with clock.at_most(1000.0):  # no more than the slice around it
            assert clock.over
    with clock.at_most(None):
        assert not clock.over
    assert not clock.over
    assert Clock(0.0).expired


def test_a_cancel_stops_the_clocks_of_its_question_for_good_and_no_others():
    first = Clock()
    cancellation.cancel()
    assert first.expired
    assert Clock(1000.0).over  # made for the same question
    cancellation.begin()
    second = Clock(1000.0)
    assert first.stopped
    assert not second.expired
    cancellation.cancel(cancellation.question - 1)  # too late
    assert not second.expired
    cancellation.check()
    cancellation.cancel(cancellation.question + 1)  # too early: it has not started
    cancellation.begin()
    assert Clock(1000.0).expired
    with pytest.raises(Cancelled):
        cancellation.check()
    cancellation.begin()
    assert not Clock(1000.0).expired


@pytest.mark.parametrize(("game", "adjacency"), EVERY_GAME)
def test_no_kernel_is_called_once_the_time_is_up(game, adjacency, watched):
    """When time is up, an analysis stops calling the kernels that compute verdicts, distances or lines of play."""
    rng = Random(f"{game} {adjacency}")
    played = variant(game, "4x5", adjacency)
    longest = 0
    for most in (*range(8), 12, 20, 40):
        position = late_position(played, rng, 10)
        cancellation.begin()
        clock, engine = Clock(), Engine(played, MEMORY)
        calls = watched(engine, most)
        if most == 0:
            cancellation.cancel()
        engine.analyse(Game(played, start=position), clock, counting=None)
        assert len(calls) <= most
        longest = max(longest, len(calls))
    assert longest > 2 or played.shape.geography  # there, only the distances are counted
    assert longest


@pytest.mark.parametrize("game", ["scatter", "showdown", "trails"])
def test_a_line_without_distances_stops_with_the_clock(game, watched):
    rng = Random(game)
    played = variant(game, "4x5")
    for most in range(1, 30, 3):
        cancellation.begin()
        clock, engine = Clock(), without_distances(Engine(played, MEMORY))
        engine.theory = []
        calls = watched(engine, most)
        analysis = engine.analyse(Game(played, start=late_position(played, rng, 10)), clock, counting=None)
        assert len(calls) <= most
        assert clock.stopped == (len(calls) == most)
        if analysis.verdict is Verdict.UNKNOWN:
            assert clock.stopped


@pytest.mark.parametrize(("game", "adjacency"), EVERY_GAME)
def test_a_search_that_has_no_time_is_not_begun(game, adjacency, watched):
    """With a time limit of zero, no kernel is called, even on a board small enough to solve at once."""
    played = variant(game, "3x3", adjacency)
    engine = Engine(played, MEMORY)
    calls = watched(engine)
    assert engine.search.verdict(played.start(), Clock(0.0)) is Verdict.UNKNOWN
    assert engine.distances.of_moves(played.start(), Clock(0.0)) == {}
    assert calls == []


@pytest.mark.parametrize(("game", "adjacency"), EVERY_GAME)
def test_a_move_is_chosen_without_a_kernel_when_there_is_no_time(game, adjacency, watched):
    played = variant(game, "5x5", adjacency)
    engine = Engine(played, MEMORY)
    calls = watched(engine)
    assert played.legal(played.start()) >> choose(engine, played.start(), Clock(0.0), Random(1)) & 1
    assert calls == []


@pytest.mark.parametrize(("game", "adjacency"), EVERY_GAME)
def test_a_verdict_by_theory_calls_no_kernel(game, adjacency, watched):
    """A verdict from theory needs no kernel; after a complete proof, a kernel is needed only to compute distances."""
    rng = Random(f"{game} {adjacency}")
    played = variant(game, "4x4", adjacency)
    proved = 0
    for position in [played.start(), *(late_position(played, rng, rng.randint(4, 12)) for _ in range(60))]:
        engine = Engine(played, MEMORY)
        calls = watched(engine)
        proof = engine.prove(position, Clock())
        assert calls == []
        if proof is None:
            continue
        proved += 1
        assert engine.verdict(position, Clock()) is proof.verdict
        assert engine.nodes == 0
        assert calls == []
        if proof.complete:  # the results of all moves are known, so only distances are computed
            analysis = engine.analyse(Game(played, start=position), Clock(), counting=0.0)
            assert calls == []
            assert (analysis.verdict, analysis.positions) == (proof.verdict, 0)
            engine.weigh(position, Clock(), counting=None)
            assert set(calls) <= {"all_moves"}
    assert proved > 3


@pytest.mark.parametrize(("game", "board"), [("keepaway", "8x8"), ("scatter", "8x8"), ("showdown", "9x9")])
def test_a_proof_that_theory_gives_does_not_wait_for_distances(game, board, watched):
    """The engine proves a result from theory even if it has no time to compute distances to the end of the game."""
    played = variant(game, board)
    engine = Engine(played, MEMORY)
    calls = watched(engine)
    analysis = engine.analyse(Game(played), Clock(0.0))
    assert calls == []
    assert analysis.verdict is (Verdict.WIN if game == "showdown" else Verdict.LOSS)
    assert analysis.method in (Method.MATCHING, Method.MIRROR)
    assert analysis.words()


def test_moves_that_cannot_be_decided_in_time_are_left_out():
    """A temporary time limit leaves some moves undecided, even though the engine's total time is unlimited."""
    played = variant("scatter", "9x9")
    engine, clock = Engine(played, 1 << 22), Clock()
    cells = played.legal_cells(played.start().after(0))
    with clock.at_most(0.05):
        decided = dict(engine.decide(played.start().after(0), cells, clock))
        weighed = engine.weigh(played.start().after(0), clock)
    assert len(decided) < len(cells)
    assert Verdict.UNKNOWN not in decided.values()
    assert [move.cell for move in weighed.values] == cells
    assert not clock.over
