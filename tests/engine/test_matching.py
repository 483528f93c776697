"""Tests of the pairing solver for Keep-Away and Chain.

The tests compare the solver with a plain search and with networkx, and play complete games.
"""

import importlib.util
import random
import sys
from array import array
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from pathlib import Path
from types import ModuleType

import networkx as nx
import pytest
from bench import reference
from test_analysis import check_proof
from truth import reachable as every_position
from truth import some, variants

from gridlock.core.rules import variant
from gridlock.engine import kernels
from gridlock.engine.clock import Clock
from gridlock.engine.evidence import Method, Verdict
from gridlock.engine.kernels import matching_kernel
from gridlock.engine.matching import Geography, Matching
from nameless import BOOKS, EVERY_SHAPE

GAMES = list(product(["chain", "keepaway"], ["king", "orthogonal"]))
SMALL_BOARDS = [(rows, cols) for rows, cols in product(range(1, 10), repeat=2) if rows * cols <= 9]


class Board:
    """A game on a board, with a set of neighbours for each cell, and the solver under test."""

    def __init__(self, game: str, adjacency: str, rows: int, cols: int) -> None:
        places = list(product(range(rows), range(cols)))
        self.cells = range(rows * cols)
        self.adjacent: list[set[int]] = []
        for r, c in places:
            steps = [(r + i, c + j) for i, j in product((-1, 0, 1), repeat=2) if (i, j) != (0, 0)]
            if adjacency == "orthogonal":
                steps = [(y, x) for y, x in steps if y == r or x == c]
            self.adjacent.append({y * cols + x for y, x in steps if 0 <= y < rows and 0 <= x < cols})
        self.chain = game == "chain"
        self.solver = Geography([to_bits(a) for a in self.adjacent], complement=not self.chain)

    def moves(self, left: frozenset[int] | set[int], last: int | None) -> set[int]:
        """Return the legal moves, straight from the rules."""
        if last is None:
            return set(left)
        return left & self.adjacent[last] if self.chain else left - self.adjacent[last]

    def graph(self, left: frozenset[int]) -> nx.Graph:
        """Return the graph of free cells, with an edge between two cells if they can be taken one after the other."""
        graph = nx.Graph()
        graph.add_nodes_from(left)
        graph.add_edges_from((a, b) for a in left for b in self.moves(left - {a}, a))
        return graph

    def solved(self, left: frozenset[int] | set[int], last: int | None) -> set[int]:
        """Return the moves that the solver calls winning."""
        return to_set(self.solver.winning_moves(to_bits(left), last))


def to_bits(cells: set[int] | frozenset[int]) -> int:
    return sum(1 << cell for cell in cells)


def to_set(bits: int) -> set[int]:
    return {cell for cell, digit in enumerate(reversed(f"{bits:b}")) if digit == "1"}


def searcher(board: Board) -> Callable[[frozenset[int], int | None], set[int]]:
    """Return a function that finds all winning moves by brute force."""

    @cache
    def winning(left: frozenset[int], last: int | None) -> set[int]:
        return {move for move in board.moves(left, last) if not winning(left - {move}, move)}

    return winning


def reachable(board: Board) -> Iterator[tuple[frozenset[int], int | None]]:
    """Yield every position that is reachable from the empty board."""
    start: tuple[frozenset[int], int | None] = (frozenset(board.cells), None)
    seen, waiting = {start}, [start]
    while waiting:
        left, last = waiting.pop()
        yield left, last
        following = {(left - {move}, move) for move in board.moves(left, last)} - seen
        seen |= following
        waiting += following


def random_position(board: Board, rng: random.Random, most: int) -> tuple[frozenset[int], int | None]:
    """Return up to `most` random free cells, and another random cell (or None) as the last cell played."""
    cells = list(board.cells)
    rng.shuffle(cells)
    count = rng.randint(0, min(most, len(cells)))
    last = rng.choice(cells[count:]) if count < len(cells) and rng.random() < 0.8 else None
    return frozenset(cells[:count]), last


@pytest.mark.parametrize(("game", "adjacency"), GAMES)
@pytest.mark.parametrize(("rows", "cols"), SMALL_BOARDS)
def test_winning_moves_are_right_at_every_position_of_a_small_board(game, adjacency, rows, cols):
    board = Board(game, adjacency, rows, cols)
    winning = searcher(board)
    for left, last in reachable(board):
        assert to_set(board.solver.legal(to_bits(left), last)) == board.moves(left, last)
        assert board.solved(left, last) == winning(left, last), (left, last)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "adjacency"), GAMES)
@pytest.mark.parametrize(("rows", "cols"), [(4, 4), (4, 5), (2, 9), (1, 14)])
def test_winning_moves_are_right_at_random_positions(game, adjacency, rows, cols):
    board = Board(game, adjacency, rows, cols)
    winning = searcher(board)
    rng = random.Random(f"{game} {adjacency} {rows}x{cols}")
    for _ in range(40):
        left, last = random_position(board, rng, most=11)
        assert board.solved(left, last) == winning(left, last), (left, last)


@pytest.mark.parametrize(("game", "adjacency"), GAMES)
@pytest.mark.parametrize("seed", range(8))
def test_pairings_are_maximum_and_spare_cells_are_those_not_needed_for_one(game, adjacency, seed):
    rng = random.Random(seed)
    board = Board(game, adjacency, rng.randint(1, 6), rng.randint(1, 6))
    left, _ = random_position(board, rng, most=36)
    graph = board.graph(left)
    pairs = len(nx.max_weight_matching(graph, maxcardinality=True))
    check_pairing(board, left, board.solver.pairing(to_bits(left)), pairs)
    spare = set()
    for cell in left:
        without = graph.subgraph(left - {cell})
        if len(nx.max_weight_matching(without, maxcardinality=True)) == pairs:
            spare.add(cell)
            check_pairing(board, left - {cell}, board.solver.pairing(to_bits(left - {cell})), pairs)
    assert board.solved(left, None) == spare


@pytest.mark.parametrize(("game", "adjacency"), GAMES)
@pytest.mark.parametrize("kept", [0.35, 0.5, 0.7, 0.9])
def test_pairings_are_maximum_on_larger_boards_full_of_holes(game, adjacency, kept):
    board = Board(game, adjacency, 13, 17)
    rng = random.Random(kept)
    left = frozenset(cell for cell in board.cells if rng.random() < kept)
    graph = board.graph(left)
    pairs = len(nx.max_weight_matching(graph, maxcardinality=True))
    check_pairing(board, left, board.solver.pairing(to_bits(left)), pairs)


def check_pairing(board: Board, left: frozenset[int], partners: list[int], pairs: int) -> None:
    """Check that a pairing has the right size, and that the two cells of each pair can be taken in succession."""
    assert len(partners) == len(board.cells)
    paired = {cell for cell in board.cells if partners[cell] >= 0}
    assert paired <= left
    assert all(partners[partners[cell]] == cell for cell in paired)
    assert all((partners[cell] in board.adjacent[cell]) == board.chain for cell in paired)
    assert all(partners[cell] != cell for cell in paired)
    assert len(paired) == 2 * pairs


Opponent = Callable[[Board, set[int], set[int], random.Random], int]


def random_opponent(_board: Board, _left: set[int], moves: set[int], rng: random.Random) -> int:
    return rng.choice(sorted(moves))


def stingy_opponent(board: Board, left: set[int], moves: set[int], rng: random.Random) -> int:
    """Choose the move that leaves the fewest replies."""
    return min(sorted(moves), key=lambda move: (len(board.moves(left, move)), rng.random()))


def generous_opponent(board: Board, left: set[int], moves: set[int], rng: random.Random) -> int:
    """Choose the move that leaves the most replies, to prolong the game."""
    return max(sorted(moves), key=lambda move: (len(board.moves(left, move)), rng.random()))


def follow_the_pairing(
    board: Board, free: frozenset[int], last: int | None, opponent: Opponent, rng: random.Random
) -> None:
    """Play the side that the solver says wins, using the same pairing throughout the game.

    The pairing must always provide a legal reply.
    """
    left = set(free)
    winning = board.solved(left, last)
    if winning:
        last = rng.choice(sorted(winning))
        left.remove(last)
    partners = board.solver.pairing(to_bits(left))
    while moves := board.moves(left, last):
        move = opponent(board, left, moves, rng)
        left.remove(move)
        last = partners[move]
        assert last in board.moves(left, move)
        left.remove(last)


@pytest.mark.parametrize(("game", "adjacency"), GAMES)
@pytest.mark.parametrize("opponent", [random_opponent, stingy_opponent, generous_opponent])
@pytest.mark.parametrize("seed", range(12))
def test_following_the_pairing_wins(game, adjacency, opponent, seed):
    rng = random.Random(seed)
    board = Board(game, adjacency, rng.randint(1, 12), rng.randint(1, 12))
    follow_the_pairing(board, frozenset(board.cells), None, opponent, rng)
    for most in (12, 24, 144):
        left, last = random_position(board, rng, most)
        follow_the_pairing(board, left, last, opponent, rng)


@pytest.mark.parametrize(("game", "adjacency"), GAMES)
@pytest.mark.parametrize("side", [99, 100])
def test_following_the_pairing_wins_on_the_largest_boards(game, adjacency, side):
    rng = random.Random(side)
    board = Board(game, adjacency, side, side)
    full = frozenset(board.cells)
    assert bool(board.solved(full, None)) == (len(full) % 2 == 1)
    check_pairing(board, full, board.solver.pairing(to_bits(full)), len(full) // 2)
    # The naive rules in this test are too slow for a full game of Keep-Away on such a large board.
    opponent, sizes = (generous_opponent, [8000, 5000]) if game == "chain" else (random_opponent, [801, 400])
    if game == "chain":
        follow_the_pairing(board, full, None, opponent, rng)
    for size in sizes:
        cells = rng.sample(board.cells, size + 1)
        follow_the_pairing(board, frozenset(cells[1:]), cells[0], opponent, rng)


@pytest.mark.parametrize("adjacency", ["king", "orthogonal"])
@pytest.mark.parametrize("rows", range(1, 13))
def test_the_first_player_wins_chain_on_odd_boards_only(adjacency, rows):
    for cols in range(1, 13):
        board = Board("chain", adjacency, rows, cols)
        assert bool(board.solved(frozenset(board.cells), None)) == (rows * cols % 2 == 1)


@pytest.mark.parametrize("rows", range(1, 19))
def test_the_first_player_wins_keepaway_on_odd_boards_and_three_small_ones(rows):
    # 18 columns reach every board of at most 17 cells, and beyond these parity alone decides.
    for cols in range(1, 19):
        odd = rows * cols % 2 == 1
        for adjacency, others in (("king", [[1, 2], [2, 2], [2, 3]]), ("orthogonal", [[1, 2]])):
            board = Board("keepaway", adjacency, rows, cols)
            first = bool(board.solved(frozenset(board.cells), None))
            assert first == (odd or sorted([rows, cols]) in others), (rows, cols, adjacency)


@pytest.mark.parametrize(
    ("game", "adjacency", "openings"),
    [
        ("keepaway", "king", {4}),
        ("keepaway", "orthogonal", set(range(9))),
        ("chain", "orthogonal", {0, 2, 4, 6, 8}),
    ],
)
def test_winning_openings_of_the_three_by_three_board(game, adjacency, openings):
    assert Board(game, adjacency, 3, 3).solved(frozenset(range(9)), None) == openings


@pytest.mark.parametrize("game", ["chain", "keepaway"])
def test_a_cell_counted_among_its_own_neighbours_changes_nothing(game):
    board = Board(game, "king", 3, 3)
    own = [to_bits(adjacent | {cell}) for cell, adjacent in enumerate(board.adjacent)]
    reflexive = Geography(own, complement=game == "keepaway")
    for left, last in reachable(board):
        assert reflexive.winning_moves(to_bits(left), last) == board.solver.winning_moves(to_bits(left), last)


PAIRED = [(name, adjacency) for name, adjacency in EVERY_SHAPE if BOOKS[name].shape.geography]


def check_proofs(name, adjacency, most):
    """Check the proofs of all positions or of a sample: the verdict, all winning moves, and the reply to any move."""
    for played in variants(BOOKS[name], adjacency, 1, 9):
        memo, judge = every_position(played), Matching(played)
        for position in some(memo, most or len(memo)):
            proof = judge.judge(position, Clock())
            assert proof.method is Method.MATCHING
            assert proof.complete
            check_proof(proof, reference.results(played, position, memo), memo)


def test_the_shapes_that_are_walks_two_players_share():
    assert {name for name, _ in PAIRED} == {"near", "away"}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "adjacency"), PAIRED)
def test_what_a_pairing_claims_is_so(name, adjacency):
    check_proofs(name, adjacency, 400)


@pytest.mark.deep
@pytest.mark.parametrize(("name", "adjacency"), PAIRED)
def test_what_a_pairing_claims_of_every_position_is_so(name, adjacency):
    check_proofs(name, adjacency, None)


@pytest.mark.parametrize(("name", "adjacency"), PAIRED)
def test_the_winner_can_follow_one_proof_to_the_end(name, adjacency):
    rng = random.Random(f"{name} {adjacency}")
    for board in ("5x5", "6x7", "9x9", "8x8"):
        played = variant(BOOKS[name], board, adjacency)
        for _ in range(5):
            position = played.start()
            for _ in range(rng.randint(0, 6)):
                if cells := played.legal_cells(position):
                    position = position.after(rng.choice(cells))
            proof = Matching(played).judge(position, Clock())
            if proof.verdict is Verdict.WIN:
                position = position.after(proof.best)
            while played.legal(position):
                move = rng.choice(played.legal_cells(position))
                position = position.after(move)
                assert played.legal(position) >> proof.answer(move) & 1
                position = position.after(proof.answer(move))


def source_kernel(name: str) -> ModuleType:
    """Return the interpreted kernel, even if a compiled version exists."""
    path = Path(kernels.__path__[0]) / "matching_kernel.py"
    spec = importlib.util.spec_from_file_location(f"{kernels.__name__}.{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("cython_installed", [True, False])
def test_the_kernel_does_the_same_compiled_and_interpreted(cython_installed, monkeypatch):
    if not cython_installed:
        monkeypatch.setitem(sys.modules, "cython", None)
    interpreted = source_kernel(f"matching_kernel_from_source_{cython_installed}").Matcher
    rng = random.Random(5)
    for _ in range(300):
        cells = rng.randint(1, 40)
        edges = [
            (a, b) for a, b in product(range(cells), repeat=2) if a < b and rng.random() < rng.choice([1, 2, 3]) / cells
        ]
        starts, neighbours = array("i", [0]), array("i")
        for cell in range(cells):
            neighbours.extend(a + b - cell for a, b in edges if cell in (a, b))
            starts.append(len(neighbours))
        present = bytearray(rng.random() < 0.9 for _ in range(cells))
        one, other = (m(starts, neighbours, present) for m in (matching_kernel.Matcher, interpreted))
        assert one.partners() == other.partners()
        assert one.spare() == other.spare()
        graph = nx.Graph(edge for edge in edges if present[edge[0]] and present[edge[1]])
        pairs = len(nx.max_weight_matching(graph, maxcardinality=True))
        assert sum(partner >= 0 for partner in one.partners()) == 2 * pairs


@pytest.mark.parametrize("compiled", [True, False])
def test_a_pairing_stays_a_maximum_one_when_cells_come_and_go(compiled, rng):
    matcher = matching_kernel.Matcher if compiled else source_kernel("matching_kernel_that_changes").Matcher
    for _ in range(40):
        played = variant("chain", f"{rng.randint(1, 6)}x{rng.randint(1, 6)}", rng.choice(["king", "orthogonal"]))
        cells, near = played.grid.size, [played.grid.neighbours(cell) for cell in range(played.grid.size)]
        starts, neighbours = array("i", [0]), array("i")
        for some_near in near:
            neighbours.extend(some_near)
            starts.append(len(neighbours))
        present = bytearray(b"\1" * cells)
        changed = matcher(starts, neighbours, present)
        for _ in range(20):
            cell = rng.randrange(cells)
            present[cell] ^= 1
            (changed.restore if present[cell] else changed.remove)(cell)
            afresh = matching_kernel.Matcher(starts, neighbours, present)
            partners = changed.partners()
            assert changed.spare() == afresh.spare()
            assert changed.mates() == array("i", partners).tobytes()
            assert sum(partner >= 0 for partner in partners) == sum(partner >= 0 for partner in afresh.partners())
            for one, other in enumerate(partners):
                assert other < 0 or (partners[other] == one and other in near[one] and present[one] and present[other])
