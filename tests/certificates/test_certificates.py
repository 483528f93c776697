"""Tests that certificates name the right winner, are accepted by both checkers, and make only true claims."""

import shutil
from random import Random

import pytest
from bench import reference
from claims import C_SOURCE, Truth, accepted, accepted_by_page, certificate_of, records_of

from gridlock.certificates.checker import check, shape_words
from gridlock.certificates.placing import UNIT, Claim
from gridlock.core.grid import Adjacency, Grid
from gridlock.core.rulebook import RuleBook, Variant
from gridlock.core.rules import BUILT_IN, RULE_BOOKS, rule_book
from gridlock.core.shape import SHAPES, Shape
from gridlock.engine.certificate import certificate, prover_for
from gridlock.engine.record_text import Stopped

SIZES = [(1, 2), (2, 2), (1, 5), (2, 3), (3, 3), (2, 4)]
PLACING = [shape for shape in SHAPES if shape.placing]


def positions(variant, count, seed):
    """Return the starting position and several positions from random games."""
    random, found = Random(seed), [variant.start()]
    while len(found) < count:
        position = variant.start()
        for _ in range(random.randrange(variant.grid.size)):
            cells = variant.legal_cells(position)
            if not cells:
                break
            position = position.after(random.choice(cells))
        found.append(position)
    return found


# The full tier tests each game with its usual adjacency, and the deep tier tests each game with the other adjacency.
@pytest.mark.parametrize(
    ("name", "adjacency"),
    [
        pytest.param(name, adjacency, marks=pytest.mark.slow if adjacency is book.adjacency else pytest.mark.deep)
        for name, book in RULE_BOOKS.items()
        for adjacency in Adjacency
    ],
)
def test_certificates_agree_with_the_reference(name, adjacency, in_c):
    for rows, cols in SIZES:
        variant = Variant(rule_book(name), Grid(rows, cols, adjacency))
        for position in positions(variant, 6, seed=rows * cols):
            lines = certificate_of(variant, position)
            proved = check(lines)
            assert (proved.wins is not None) == reference.solve(variant, position, {}).win
            assert proved.position == position[:4]
            assert in_c.accepts(lines)


@pytest.mark.slow
@pytest.mark.parametrize("adjacency", list(Adjacency))
@pytest.mark.parametrize("shape", PLACING, ids=shape_words)
def test_every_claim_is_true(shape, adjacency, in_c):
    book = RuleBook(title="Any", shape=shape)
    for rows, cols in [(3, 3), (2, 5), (3, 4)]:
        variant = Variant(book, Grid(rows, cols, adjacency))
        truth = Truth(variant.grid, shape)
        for position in positions(variant, 5, seed=7):
            lines = certificate_of(variant, position)
            assert accepted(lines)
            assert in_c.accepts(lines)
            assert all(truth.holds(line) for line in records_of(lines))


@pytest.mark.slow
@pytest.mark.parametrize("adjacency", list(Adjacency))
def test_spare_cells_make_no_difference(adjacency):
    seed = 5
    random, grid, shape = Random(seed), Grid(3, 3, adjacency), Shape(closes_own=True)
    truth, left_out = Truth(grid, shape), 0
    for _ in range(300):
        p, q, mine, theirs = (random.getrandbits(9) for _ in range(4))
        theirs &= q
        less = truth.rules.without_spare(p, mine, theirs)
        left_out += less != p
        for x in range(-8, 9):
            for star in (0, 1):
                if truth.loses(Claim(less, theirs, x * UNIT // 2, star)):
                    assert truth.loses(Claim(p, q, x * UNIT // 2, star)), (seed, p, q, mine, theirs)
    assert left_out > 50


@pytest.mark.parametrize("game", ["scatter", "showdown", "trails", "chain"])
def test_a_certificate_stops_in_time(game):
    variant = Variant(rule_book(game), Grid(5, 5, "orthogonal"))
    position = variant.start().after(variant.legal_cells(variant.start())[0])
    made = prover_for(variant, 1 << 20, lambda _: False)
    list(certificate(variant, position, made, variant.legal_cells))
    stopping = prover_for(variant, 1 << 20, lambda records: records >= 3)  # searches are too short to check it
    if len(made.records.lines) > 3:
        with pytest.raises(Stopped):
            certificate(variant, position, stopping, variant.legal_cells)
    else:
        assert game == "chain"


def test_rows_of_three_need_no_record():
    for cols in range(3, 19, 2):
        variant = Variant(rule_book("scatter"), Grid(3, cols, "king"))
        assert check(certificate_of(variant)).records == 0


@pytest.mark.slow
def test_a_record_is_kept_no_longer_than_needed():
    variant = Variant(rule_book("scatter"), Grid(5, 5, "orthogonal"))
    proved = check(certificate_of(variant))
    assert proved.slots < proved.records / 3


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")
def test_the_page_accepts_certificates(tmp_path):
    texts = []
    for name in BUILT_IN:
        for adjacency in Adjacency:
            variant = Variant(rule_book(name), Grid(3, 5, adjacency))
            texts += ["".join(certificate_of(variant, position)) for position in positions(variant, 6, seed=3)]
    assert all(accepted_by_page(texts, tmp_path))


def test_the_c_checker_is_short():
    assert len(C_SOURCE.read_text().splitlines()) < 300
