"""Tests that solutions agree with theorems, earlier computations and the reference solver."""

import multiprocessing.pool
import signal
from random import Random

import pytest
from bench import reference
from truth import ADJACENCIES, EVERY_GAME, late_position, make_kernels, variants

from gridlock.core.position import Position
from gridlock.core.rules import variant
from gridlock.engine.clock import Clock
from gridlock.engine.evidence import Method, Verdict
from gridlock.engine.kernels.interface import win_loss
from gridlock.engine.solve import Solver

FIRST, SECOND = Verdict.WIN, Verdict.LOSS
MEMORY = 1 << 26


def expected(game, king, rows, cols):
    """Return the winner known from theorems or, for scatter and trails on odd boards, from earlier computations."""
    odd = rows * cols % 2 == 1
    if game == "keepaway":
        cramped = [(1, 2), (2, 2), (2, 3)] if king else [(1, 2)]
        return FIRST if odd or (min(rows, cols), max(rows, cols)) in cramped else SECOND
    if game == "chain":
        return FIRST if odd else SECOND
    if game == "showdown":
        return FIRST if king or rows % 2 or cols % 2 else SECOND
    if game == "scatter":
        return FIRST if rows * cols == 1 else SECOND
    return FIRST if odd else SECOND


def solve(game, board, adjacency, method="auto", openings=False, pairs=False):
    return Solver(variant(game, board, adjacency), method, memory=MEMORY).solve(openings, pairs)


@pytest.mark.parametrize("adjacency", ADJACENCIES)
@pytest.mark.parametrize("game", ["keepaway", "chain", "scatter", "trails", "showdown"])
def test_the_winner_of_every_small_board(game, adjacency):
    """Check the winners found by `proof` (which may find none), by `search` (which uses no theorems) and by `auto`."""
    king = adjacency == "king"
    for played in variants(game, adjacency, 1, 16 if game != "keepaway" else 12):
        rows, cols = played.grid.rows, played.grid.cols
        if game == "trails" and king and rows * cols % 2 and min(rows, cols) > 1:
            continue  # the theorems and tables are about orthogonal steps
        answer = expected(game, king, rows, cols)
        for method in ("proof", "search", "auto"):
            found = Solver(played, method, memory=1 << 22).solve()
            assert found.verdict in ((answer, Verdict.UNKNOWN) if method == "proof" else (answer,)), (
                played.grid,
                method,
            )
            assert found.complete == (found.verdict is not Verdict.UNKNOWN)
        even = rows * cols % 2 == 0
        proved = Solver(played, "proof").solve().verdict is not Verdict.UNKNOWN
        assert proved or not (even or game in ("keepaway", "chain", "showdown"))


@pytest.mark.parametrize(
    ("game", "board", "adjacency", "answer"),
    [
        ("keepaway", "100x99", "king", SECOND),
        ("keepaway", "99x99", "orthogonal", FIRST),
        ("chain", "100x100", "orthogonal", SECOND),
        ("chain", "99x99", "orthogonal", FIRST),
        ("scatter", "99x100", "king", SECOND),
        ("scatter", "100x100", "orthogonal", SECOND),
        ("trails", "100x99", "orthogonal", SECOND),
        ("showdown", "100x100", "king", FIRST),
        ("showdown", "99x99", "king", FIRST),
        ("showdown", "100x100", "orthogonal", SECOND),
        ("showdown", "99x100", "orthogonal", FIRST),
    ],
)
def test_theorems_reach_every_board(game, board, adjacency, answer):
    found = solve(game, board, adjacency, "proof")
    assert found.verdict is answer
    assert found.method is (Method.MATCHING if game in ("keepaway", "chain") else Method.MIRROR)
    assert found.positions == 0


@pytest.mark.parametrize(
    ("game", "board", "adjacency", "winning"),
    [
        ("keepaway", "3x3", "king", "2,2"),
        ("keepaway", "3x3", "orthogonal", "1,1 1,2 1,3 2,1 2,2 2,3 3,1 3,2 3,3"),
        ("chain", "4x4", "orthogonal", ""),
        ("chain", "3x3", "orthogonal", "1,1 1,3 2,2 3,1 3,3"),
        ("scatter", "3x3", "king", ""),
        ("scatter", "4x4", "king", ""),
        ("scatter", "5x5", "king", ""),
        ("trails", "3x3", "orthogonal", "0,1 1,0"),
        ("trails", "4x4", "orthogonal", ""),
        ("showdown", "3x3", "king", "2,2"),
        ("showdown", "4x4", "king", "2,2 2,3 3,2 3,3"),
        ("showdown", "5x5", "king", "3,3"),
    ],
)
@pytest.mark.parametrize("method", ["auto", "search"])
def test_winning_openings(game, board, adjacency, winning, method):
    found = solve(game, board, adjacency, method, openings=True)
    assert [variant(game, board, adjacency).name(cell) for cell in found.openings] == winning.split()
    assert found.verdict is (FIRST if winning else SECOND)
    assert found.decided == found.asked


def counts(game, board, adjacency, count, method="auto"):
    found = solve(game, board, adjacency, method, openings=True)
    assert len(found.openings) == count
    assert found.verdict is (FIRST if count else SECOND)


@pytest.mark.parametrize("method", ["auto", "search"])
@pytest.mark.parametrize(
    ("game", "board", "adjacency", "count"),
    [
        ("showdown", "7x7", "king", 25),
        ("showdown", "5x6", "orthogonal", 30),
        ("scatter", "5x7", "king", 0),
        ("scatter", "3x9", "orthogonal", 0),
        ("trails", "7x7", "orthogonal", 2),
    ],
)
def test_how_many_openings_win(game, board, adjacency, count, method):
    counts(game, board, adjacency, count, method)


@pytest.mark.deep
@pytest.mark.parametrize(
    ("game", "board", "adjacency", "count"),
    [
        ("showdown", "8x8", "king", 56),
        ("showdown", "9x9", "king", 53),
        ("showdown", "6x7", "orthogonal", 38),
        ("scatter", "3x11", "orthogonal", 0),
    ],
)
def test_how_many_openings_win_on_larger_boards(game, board, adjacency, count):
    counts(game, board, adjacency, count)


@pytest.mark.deep
@pytest.mark.parametrize(
    ("game", "board", "adjacency", "answer"),
    [
        ("showdown", "9x9", "king", FIRST),
        ("showdown", "9x10", "king", FIRST),
        ("scatter", "7x7", "king", SECOND),
        ("scatter", "5x9", "king", SECOND),
        ("scatter", "5x7", "orthogonal", SECOND),
        ("trails", "9x9", "orthogonal", FIRST),
        ("trails", "9x11", "orthogonal", FIRST),
    ],
)
def test_winners_by_search_alone_on_larger_boards(game, board, adjacency, answer):
    found = solve(game, board, adjacency, "search")
    assert found.verdict is answer
    assert found.method is Method.SEARCH


def test_search_uses_no_theorem_and_no_mirror(monkeypatch):
    """Disabling proofs by theorem, mirror or pairing changes neither the results of `search` nor its position count."""
    boards = [("showdown", "5x5"), ("scatter", "4x4"), ("trails", "4x4"), ("chain", "4x4"), ("keepaway", "3x4")]
    before = {game: solve(game, board, None, "search", openings=True) for game, board in boards}

    def refuse(*_arguments):
        raise AssertionError("no proofs here")

    monkeypatch.setattr("gridlock.engine.engine.Engine.prove", refuse)
    monkeypatch.setattr("gridlock.engine.mirror.Mirrors.judge", refuse)
    monkeypatch.setattr("gridlock.engine.matching.Matching.judge", refuse)
    for game, board in boards:
        found = solve(game, board, None, "search", openings=True)
        assert found.method is Method.SEARCH
        assert found.positions > 0
        assert (found.verdict, found.openings, found.positions) == (
            before[game].verdict,
            before[game].openings,
            before[game].positions,
        )


@pytest.mark.parametrize("game", ["scatter", "trails", "showdown"])
def test_search_can_disable_mirrors_in_the_kernel(game, monkeypatch):
    asked = []
    shape = variant(game).shape
    usual = win_loss(shape)
    make_kernels(monkeypatch, shape, lambda *settings: asked.append(settings[-1]) or usual.make(*settings))
    for method in ("auto", "search"):
        Solver(variant(game, "3x3"), method, memory=1 << 20).engine.search.kernel(3, 3)
    assert asked == [usual.everything, usual.without_mirrors]
    assert usual.everything != usual.without_mirrors


@pytest.mark.parametrize(("game", "adjacency"), EVERY_GAME)
def test_openings_from_other_positions(game, adjacency):
    """The solver finds the winning moves in any position; it uses only those symmetries that preserve the position."""
    rng = Random(f"{game} {adjacency}")
    played = variant(game, "3x3", adjacency)
    memo = {}
    for _ in range(20):
        start = late_position(played, rng, 7)
        truth = reference.results(played, start, memo)
        for method in ("auto", "search"):
            found = Solver(played, method, memory=1 << 20, start=start).solve(openings=True)
            assert found.openings == tuple(cell for cell in truth if truth[cell].win)


def test_search_searches_on_where_a_mirror_would_cut():
    with_mirrors = solve("scatter", "4x5", None, "auto", openings=True)
    without = solve("scatter", "4x5", None, "search", openings=True)
    assert (with_mirrors.positions, with_mirrors.method) == (0, Method.MIRROR)
    assert without.positions > 0
    assert with_mirrors.openings == without.openings == ()


def by_hand(rows, cols, adjacency):
    """Return how many pairs of starting cells are wins for the first player, according to the reference solver."""
    played = variant("trails", f"{rows}x{cols}", adjacency)
    cells = range(rows * cols)
    memo = {}
    starts = [Position(1 << a, 1 << b, a, b, 1) for a in cells for b in cells if a != b]
    return sum(reference.solve(played, start, memo).win for start in starts)


@pytest.mark.parametrize("adjacency", ADJACENCIES)
@pytest.mark.parametrize(("rows", "cols"), [(1, 2), (1, 5), (2, 3), (3, 3), (4, 2)])
def test_pairs_of_starting_cells(rows, cols, adjacency):
    cells = rows * cols
    for method in ("auto", "search"):
        found = solve("trails", f"{rows}x{cols}", adjacency, method, pairs=True)
        assert found.pairs == (by_hand(rows, cols, adjacency), cells * (cells - 1), cells * (cells - 1))
        assert found.complete


def test_pairs_on_six_by_six():
    assert solve("trails", "6x6", None, pairs=True).pairs == (632, 1260, 1260)


@pytest.mark.deep
@pytest.mark.parametrize(("board", "pairs"), [("7x7", (1276, 2352, 2352)), ("8x8", (1992, 4032, 4032))])
def test_pairs_on_larger_boards(board, pairs):
    assert solve("trails", board, None, pairs=True).pairs == pairs


def test_a_limit_leaves_the_rest_unknown():
    found = Solver(variant("scatter", "9x9"), clock=Clock(0.0)).solve(openings=True)
    assert (found.verdict, found.openings, found.decided, found.asked) == (Verdict.UNKNOWN, None, 0, 81)
    assert not found.complete
    found = Solver(variant("trails", "11x11"), clock=Clock(0.0)).solve(pairs=True)
    assert (found.pairs.decided, found.pairs.asked, found.complete) == (0, 121 * 120, False)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "board", "adjacency", "method", "wanted"),
    [
        ("showdown", "5x5", "orthogonal", "search", {"openings": True}),
        ("scatter", "5x5", "king", "auto", {"openings": True}),
        ("trails", "4x5", "orthogonal", "auto", {"openings": True, "pairs": True}),
    ],
)
def test_side_by_side(game, board, adjacency, method, wanted):
    played = variant(game, board, adjacency)
    alone = Solver(played, method, memory=1 << 24).solve(**wanted)
    shared = Solver(played, method, memory=1 << 24, processes=2).solve(**wanted)
    assert (shared.verdict, shared.openings, shared.pairs) == (alone.verdict, alone.openings, alone.pairs)
    assert (shared.method, shared.decided) == (alone.method, alone.decided)
    assert shared.positions > 0


def test_ctrl_c_is_ignored_by_the_processes_from_their_start(monkeypatch):
    """A terminal sends Ctrl-C to all processes, some of which may still be loading."""
    begun = []
    start = multiprocessing.process.BaseProcess.start

    def noted_start(process):
        begun.append(signal.pthread_sigmask(signal.SIG_BLOCK, ()))
        start(process)

    monkeypatch.setattr("multiprocessing.process.BaseProcess.start", noted_start)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    found = Solver(variant("trails", "3x3"), "search", memory=1 << 22, processes=2).solve(pairs=True)
    assert found.complete
    assert begun == 2 * [before | {signal.SIGINT}], "blocked, which they inherit"
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == before


def test_side_by_side_up_to_a_limit():
    found = Solver(variant("scatter", "9x9"), clock=Clock(0.2), memory=1 << 24, processes=2).solve(openings=True)
    assert found.verdict is Verdict.UNKNOWN
    assert found.openings is None
    assert not found.complete
