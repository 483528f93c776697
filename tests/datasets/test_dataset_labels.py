"""Tests that dataset labels agree with the reference solver, the naive model and the engine."""

import pytest
from bench import reference
from dataset_rows import BOOKS, EVERY_GAME, position_of

from gridlock.core.grid import Grid
from gridlock.core.rulebook import Variant
from gridlock.datasets.plan import Plan, Unit
from gridlock.datasets.sampling import sample
from gridlock.datasets.shards import from_npz
from gridlock.engine.clock import Clock
from gridlock.engine.engine import Engine
from gridlock.engine.evidence import Verdict
from oracle import GAMES


def rows_of(played, positions, seed, distances=False, nodes=10**6):
    """Return the labelled rows that one unit of work produces."""
    return from_npz(sample(Unit(played, str(seed), positions, nodes, distances))["data"])


def check_partners(played, columns, row, memo):
    """Check that the winner can answer a move in any cell with a move in that cell's partner, and still win."""
    position, partner = position_of(columns, row), columns["partner"][row]
    if columns["value"][row] > 0:
        position = position.after(int(columns["best"][row]))
    for cell in played.legal_cells(position):
        answer = int(partner[cell])
        assert answer >= 0
        assert played.legal(position.after(cell)) >> answer & 1
        assert not reference.solve(played, position.after(cell).after(answer), memo).win


@pytest.mark.parametrize("distances", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("game", "adjacency"), EVERY_GAME)
def test_every_label_is_that_of_the_reference(game, adjacency, distances, rng):
    for board in ((3, 3), (2, 4)):
        played = Variant(BOOKS[game], Grid(*board, adjacency))
        if not played.legal(played.start()):
            continue
        columns, memo = rows_of(played, 60, rng.random(), distances), {}
        assert len(columns["key"]) > 1
        for row in range(len(columns["key"])):
            position = position_of(columns, row)
            found = reference.results(played, position, memo)
            best = reference.best(found.values())
            values = {cell: value for cell, value in enumerate(columns["values"][row].tolist()) if value}
            assert values == {cell: 1 if one.win else -1 for cell, one in found.items()}
            assert columns["value"][row] == (1 if best.win else -1)
            assert values[int(columns["best"][row])] == 1 if best.win else columns["best"][row] == -1
            if columns["proof"][row] == "search":
                assert (columns["partner"][row] == -1).all()
            else:
                check_partners(played, columns, row, memo)
            if distances:
                assert columns["distance"][row] == best.distance
                counted = {cell: int(columns["distances"][row][cell]) for cell in found}
                assert counted == {cell: one.distance for cell, one in found.items()}
                assert columns["distances"][row].sum() == sum(counted.values())


@pytest.mark.parametrize(("game", "adjacency"), [one for one in EVERY_GAME if one[0] in GAMES])
def test_the_moves_are_those_of_the_naive_rules(game, adjacency, rng):
    rows, cols = 4, 5
    columns = rows_of(Variant(BOOKS[game], Grid(rows, cols, adjacency)), 40, rng.random())
    for row in range(len(columns["key"])):
        naive = GAMES[game](rows, cols, adjacency == "king")
        naive.owner = {
            divmod(cell, cols): (1, 2)[int(owner < 0)] for cell, owner in enumerate(columns["board"][row]) if owner
        }
        heads = [int(columns[name][row]) for name in ("my_head", "their_head")]
        naive.last = {
            player: None if head < 0 else divmod(head, cols) for player, head in zip((1, 2), heads, strict=True)
        }
        naive.turn, naive.last_mover = 1, 2 if heads[1] >= 0 else None
        legal = [divmod(cell, cols) for cell, value in enumerate(columns["values"][row]) if value]
        assert naive.legal() == legal


@pytest.mark.parametrize("adjacency", ["king", "orthogonal"])
def test_the_quick_games_agree_with_the_engine_on_large_boards(adjacency, rng):
    for board in ((8, 8), (5, 13), (20, 20)):
        played = Variant(BOOKS["chain"], Grid(*board, adjacency))
        columns, engine = rows_of(played, 120, rng.random()), Engine(played)
        assert set(columns["proof"]) == {"matching"}
        for row in range(0, len(columns["key"]), 5):
            proof = engine.prove(position_of(columns, row), Clock())
            winning = [cell for cell, value in enumerate(columns["values"][row]) if value > 0]
            assert list(proof.winning) == winning
            assert (proof.verdict is Verdict.WIN) == (columns["value"][row] > 0)


def test_positions_that_are_too_hard_are_left_out_and_the_rest_is_exact():
    played = Variant(BOOKS["showdown"], Grid(7, 7, "king"))
    result = sample(Unit(played, "a seed that has hard positions", 60, 200, False))
    assert result["left_out"] > 0
    columns, engine = from_npz(result["data"]), Engine(played)
    for row in range(0, len(columns["key"]), 7):
        position = position_of(columns, row)
        assert (engine.verdict(position, Clock()) is Verdict.WIN) == (columns["value"][row] > 0)


def test_distances_that_are_too_hard_leave_the_values(rng):
    played = Variant(BOOKS["chain"], Grid(8, 8, "king"))
    columns = rows_of(played, 30, rng.random(), distances=True, nodes=2_000)
    unknown = columns["distance"] == -1
    assert unknown.any()
    assert not columns["distances"][unknown].any()
    assert (columns["values"] != 0).any(axis=1).all()
    assert (columns["distance"][~unknown] > 0).all()


def test_the_same_unit_gives_the_same_bytes_and_another_seed_others():
    unit = Plan(BOOKS["scatter"], ("4x4",), positions=50).unit("4x4", 3)
    assert sample(unit) == sample(unit)
    assert sample(unit)["data"] != sample(unit._replace(seed="other"))["data"]
