"""Tests of regions: exact and approximate values, each side's best cells, and sums checked by a search."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from games_by_the_book import Book

import gridlock as gl
from gridlock.core.grid import Adjacency, Grid, cells_of, set_of
from gridlock.core.rulebook import Variant
from gridlock.engine import snort_values, valuation
from gridlock.engine.clock import Clock
from gridlock.engine.engine import Engine
from gridlock.engine.evidence import Verdict
from gridlock.engine.kernels import col_kernel
from gridlock.engine.kernels.interface import COL_UNIT
from gridlock.engine.kernels.interpreted import plain
from gridlock.engine.regions import open_cells, regions
from gridlock.engine.worth import Tier
from gridlock.values import Value, nimber, star
from hermit import HERMIT

ADJACENCIES = ["king", "orthogonal"]
GAMES = ["showdown", "scatter"]
COL_FORMS = {plain("col_kernel").__name__: plain("col_kernel"), col_kernel.__name__: col_kernel}.values()


def played(game, board, adjacency, moves, rng):
    """Return a game after some random moves."""
    found = gl.Game(game, board, adjacency)
    for _ in range(moves):
        legal = cells_of(found.legal)
        if not legal:
            break
        found.push(rng.choice(legal))
    return found


def by_the_book(game):
    """Return the value of a whole position, from the rules alone."""
    grid = game.variant.grid
    book = Book(game.variant.book.name, grid.rows, grid.cols, grid.adjacency == "king")
    sides = ({divmod(cell, grid.cols) for cell in cells_of(bits)} for bits in open_cells(game.variant, game.position))
    return book.value(*map(frozenset, sides))


@pytest.mark.parametrize("adjacency", ADJACENCIES)
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("moves", [4, 5])
def test_regions_and_free_moves_add_up_to_the_value_of_the_position(game, adjacency, moves, rng):
    for _ in range(5):
        found = played(game, "3x4", adjacency, moves, rng)
        answer = found.regions(None, whole=True)
        parts = sum((region.value for region in answer.regions), Value(0))
        free = answer.free[0].bit_count() - answer.free[1].bit_count()
        assert answer.value == parts + free == by_the_book(found)
        covered = [*answer.free, *(region.cells for region in answer.regions)]
        ones, twos = open_cells(found.variant, found.position)
        assert sum(covered) == ones | twos  # every open cell once


@pytest.mark.parametrize("game", GAMES)
def test_values_are_for_side_1_whoever_is_to_move(game, rng):
    for moves in range(2, 8):
        found = played(game, "4x4", "king", moves, rng)
        position = found.position
        same = regions(found.variant, position.passed(), Clock())
        mirrored = regions(found.variant, position._replace(turn=3 - position.turn), Clock())  # markers change sides
        answer = regions(found.variant, position, Clock())
        assert [region.value for region in same.regions] == [region.value for region in answer.regions]
        assert [-region.value for region in mirrored.regions] == [region.value for region in answer.regions]
        assert [region.best[::-1] for region in mirrored.regions] == [region.best for region in answer.regions]
        assert mirrored.free == answer.free[::-1]


def test_a_first_move_is_good_for_side_1_and_the_answer_for_side_2():
    game = gl.Game("showdown", "1x2")
    assert game.regions().regions[0].value == Value("{1|-1}")
    game.push("1,1")
    assert game.regions(whole=True).value == 1
    game = gl.Game("showdown", "1x2", starts=2)
    game.push("1,1")
    assert game.regions(whole=True).value == -1


@pytest.mark.parametrize("adjacency", ADJACENCIES)
@pytest.mark.parametrize("game", GAMES)
def test_no_cell_beats_a_best_cell(game, adjacency, rng):
    for _ in range(3):
        found = played(game, "3x4", adjacency, 3, rng)
        grid = found.variant.grid
        book = Book(game, grid.rows, grid.cols, adjacency == "king")
        for region in found.regions(None).regions:
            sides = [frozenset(divmod(cell, grid.cols) for cell in cells_of(bits)) for bits in region.open_to]
            for side, sign in ((0, 1), (1, -1)):
                options = book.options(tuple(sides))[side]
                after = dict(zip(sorted(sides[side]), (sign * book.value(*option) for option in options), strict=True))
                best = [divmod(cell, grid.cols) for cell in region.best[side]]
                assert bool(best) == bool(after)
                assert not any(after[cell] > after[kept] for cell in after for kept in best)
                for value in after.values():
                    assert any(after[kept] >= value or after[kept] + star >= value for kept in best)


def late_position(rng, game, adjacency):
    """Return a game with two to five regions whose values are known."""
    while True:
        board = rng.choice(["5x5", "6x6", "5x7"])
        found = played(game, board, adjacency, rng.randrange(4, 12) + 6 * (adjacency == "orthogonal"), rng)
        answer = regions(found.variant, found.position, Clock(1.0))
        if 2 <= len(answer.regions) <= 5 and answer.known:
            return found


def check_sum(found, engine):
    """Check that values and search agree on the winner of a position, and of every position one move later."""

    def winner(position):
        answer = regions(found.variant, position, Clock(), whole=True)
        value = answer.value if position.turn == 1 else -answer.value
        return Verdict.of(not value <= 0)  # the side to move wins unless the value is 0 or less

    assert winner(found.position) is engine.search.verdict(found.position, Clock())
    for cell in cells_of(found.legal):
        after = found.position.after(cell)
        assert winner(after) is engine.search.verdict(after, Clock())


def compare_sums(game, adjacency, rng, count):
    engines = {}
    for _ in range(count):
        found = late_position(rng, game, adjacency)
        engine = engines.setdefault(found.variant, Engine(found.variant, 1 << 24, mirrors=False))
        check_sum(found, engine)


@pytest.mark.parametrize("adjacency", ADJACENCIES)
@pytest.mark.parametrize("game", GAMES)
def test_sums_of_regions_agree_with_the_search(game, adjacency):
    compare_sums(game, adjacency, Random(f"{game} {adjacency}"), 4)


@pytest.mark.slow
@pytest.mark.parametrize("adjacency", ADJACENCIES)
@pytest.mark.parametrize("game", GAMES)
def test_more_sums_of_regions_agree_with_the_search(game, adjacency, rng):
    compare_sums(game, adjacency, rng, 50)


@pytest.mark.deep
@pytest.mark.parametrize("adjacency", ADJACENCIES)
@pytest.mark.parametrize("game", GAMES)
def test_ten_thousand_sums_of_regions_agree_with_the_search(game, adjacency, rng):
    compare_sums(game, adjacency, rng, 2500)


# -- the lower tiers of Snort


@pytest.mark.parametrize("adjacency", ADJACENCIES)
def test_margins_are_stops_or_one_less(adjacency, monkeypatch, rng):
    for moves in range(2, 8):
        found = played("showdown", "4x4", adjacency, moves, rng)
        exact = found.regions(None).regions
        monkeypatch.setattr(snort_values, "LARGEST", 0)
        for region, known in zip(found.regions(None).regions, exact, strict=True):
            assert (region.tier, known.tier) == (Tier.MARGINS, Tier.EXACT)
            assert (region.value, region.mean, region.temperature, known.margins) == (None, None, None, None)
            left, right = known.value.stops
            one, two = region.margins
            assert one <= left <= one + 1
            assert two <= -right <= two + 1
            for side, other, margin in ((1, known.value, one), (2, -known.value, two)):
                assert not other - margin <= 0  # the side that begins wins if the opponent has so many free moves
                assert other - margin - 1 <= 0  # ... but not with one more
                assert region.best_places(side)
        monkeypatch.undo()


class OutOfTime:
    """A kernel that never finds a value."""

    class store:
        used = 0
        walls = ()

    failure = "Time is up."

    def value(self, _ones, _twos, _tick):
        return None


@pytest.mark.parametrize("adjacency", ADJACENCIES)
def test_cooled_values_stand_in_for_exact_ones(adjacency, monkeypatch, rng):
    make = snort_values.interface.snort_values
    games = [played("showdown", "4x4", adjacency, moves, rng) for moves in range(2, 8)]
    exact = [found.regions(None).regions for found in games]
    monkeypatch.setattr(snort_values.interface, "snort_values", lambda *given: (OutOfTime(), make(*given)[1]))
    snort_values._stored.cache_clear()
    for found, known in zip(games, exact, strict=True):
        for region, other in zip(found.regions(None).regions, known, strict=True):
            assert region.tier is Tier.COOLED
            assert region.mean == other.mean
            assert region.cooled.mean == other.mean
            assert region.margins is not None
            if region.temperature is None:
                assert region.cooled.is_number
                assert other.temperature <= 1
            else:
                assert region.temperature == other.temperature
    snort_values._stored.cache_clear()


def test_a_large_region_has_margins(monkeypatch):
    monkeypatch.setattr(snort_values, "LARGEST", 29)
    region = gl.Game("showdown", "5x6").regions(None).regions[0]
    assert region.tier is Tier.MARGINS
    assert region.margins[0] == region.margins[1]  # the board is its own mirror image


def test_without_time_nothing_is_known():
    answer = gl.Game("showdown", "5x5").regions(0.0, whole=True)
    assert [region.tier for region in answer.regions] == [Tier.UNKNOWN]
    assert (answer.known, answer.hottest, answer.value) == (False, None, None)


def test_the_hottest_region_is_named_only_if_no_other_can_be_hotter():
    answer = gl.Game("showdown", "2x2").regions()
    hot = answer.regions[0]
    assert answer.hottest is hot
    assert hot.temperature == 3
    cooler = replace(hot, tier=Tier.COOLED, value=None, temperature=None)  # at most 1
    unknown = replace(hot, tier=Tier.UNKNOWN, value=None, temperature=None)
    assert replace(answer, regions=(cooler, hot)).hottest is hot
    assert replace(answer, regions=(hot, unknown)).hottest is None
    assert replace(answer, regions=(cooler,)).hottest is None
    star_there = gl.Game("showdown", "1x1").regions()
    assert star_there.hottest is star_there.regions[0]  # its temperature is 0
    assert gl.Game("scatter", "2x2").regions().hottest is None  # a number
    assert replace(answer, regions=()).hottest is None


def test_a_store_that_fills_up_is_dropped(monkeypatch):
    grid = Grid(11, 11, Adjacency.KING)
    kept = snort_values._snort(grid, 1 << 22)
    assert snort_values._snort(grid, 1 << 22) is kept
    monkeypatch.setattr(snort_values._Snort, "filling", property(lambda _self: True))
    assert snort_values._snort(grid, 1 << 22) is not kept


# -- large boards


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("rows", "cols"), [(3, 3), (1, 12)])
def test_a_region_of_a_board_too_large_for_a_kernel(game, rows, cols):
    small = gl.Game(game, (rows, cols), "orthogonal")
    large = Grid(30, 30, Adjacency.ORTHOGONAL)
    cells = set_of((row + 9) * 30 + col + 15 for row in range(rows) for col in range(cols))
    found = valuation.worth(small.variant.shape, large, cells, cells, Clock(), None, 1 << 26)
    known = small.regions(None).regions[0]
    assert found.value == known.value
    places = [(cell // 30 - 8, cell % 30 - 14) for cell in found.best[0]]
    assert places == known.best_places(1)


def test_a_region_too_large_for_every_kernel_is_unknown():
    assert [region.tier for region in gl.Game("showdown", "12x12").regions().regions] == [Tier.UNKNOWN]


# -- Col and impartial games


@pytest.mark.parametrize("form", COL_FORMS)
@pytest.mark.parametrize("king", [True, False])
def test_numbers_of_col(form, king, rng):
    for rows, cols in ((1, 6), (2, 4), (3, 3), (3, 4)):
        book = Book("scatter", rows, cols, king)
        search = form.ColSearch(Grid(rows, cols, "king" if king else "orthogonal"), 1 << 18, form.ALL)
        for _ in range(8):
            left, right = book.random(rng, 12)
            found = search.number(book.bits(left), book.bits(right), lambda _nodes: False)
            value = Value(Fraction(found >> 1, COL_UNIT)) + (star if found & 1 else 0)
            assert value == book.value(left, right)
            assert found == search.value(book.bits(left), book.bits(right))


def test_a_stopped_search_for_a_number_returns_none():
    search = col_kernel.ColSearch(Grid(9, 9, "king"), 1 << 20, col_kernel.ALL)
    assert search.number(2**81 - 1, 2**80 - 1, lambda _nodes: True) is None


def dawsons_chess(length):
    """Return the nimbers of all paths of up to `length` cells, where a move takes a cell and its neighbours."""
    sizes = [0]
    for n in range(1, length + 1):
        options = {sizes[max(0, i - 1)] ^ sizes[max(0, n - i - 2)] for i in range(n)}
        sizes.append(next(size for size in range(n + 1) if size not in options))
    return sizes


# The nimbers of Dawson's Chess, octal game 0.137: Berlekamp, Conway and Guy, Winning Ways, chapter 4; OEIS A002187.
PUBLISHED = [0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 0, 5, 2, 2, 3, 3, 0, 1, 1, 3, 0, 2, 1, 1, 0, 4, 5, 2, 7, 4]


def test_hermit_on_a_path_is_dawsons_chess():
    sizes = dawsons_chess(150)
    assert sizes[: len(PUBLISHED)] == PUBLISHED
    assert all(sizes[n] == sizes[n + 34] for n in range(52, 116))  # period 34, with its last exception at 51
    for length in [*range(1, 35), 60]:
        found = Variant(HERMIT, Grid(1, length, Adjacency.ORTHOGONAL))
        answer = regions(found, found.start(), Clock(), whole=True)
        assert answer.value == nimber(sizes[length])


def test_cells_that_close_nothing_are_stars():
    game = gl.Game(gl.Shape(), "3x3")
    answer = game.regions(whole=True)
    assert [region.value for region in answer.regions] == [star] * 9
    assert answer.value == star


@pytest.mark.parametrize("game", ["chain", "keepaway", "trails"])
def test_games_whose_moves_follow_a_marker_have_no_values(game):
    with pytest.raises(gl.BadGame, match="Values exist only for games in which a marker may go on any open cell"):
        gl.Game(game).regions()
