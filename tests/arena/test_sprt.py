"""Tests of the sequential test (SPRT): error rates, extreme cases, and agreement with independent calculations."""

import math
import random
from collections.abc import Callable

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from simulated_results import PER_LOGIT, chance, game

from gridlock.arena.elo import estimate, normalised_elo
from gridlock.arena.sprt import Decision, Model, Sprt, report
from gridlock.arena.tally import Tally, tally
from gridlock.core.errors import GridLockError

counts = st.integers(0, 60)
tallies = st.builds(Tally, counts, counts, counts, st.just(2)) | st.builds(Tally.of_games, counts, counts)
elos = st.floats(-300, 300)
EXTREMES = [
    Tally(0, 0, 0), Tally(1, 0, 0), Tally(0, 1, 0), Tally(0, 0, 1), Tally(50, 0, 0), Tally(0, 50, 0), Tally(0, 0, 50),
    Tally(10**9, 0, 0), Tally(0, 10**9, 1), Tally(1, 10**9, 0), Tally(10**9, 1, 10**9),
    Tally.of_games(0, 50), Tally.of_games(50, 0), Tally.of_games(1, 0), Tally.of_games(0, 20),
]  # fmt: skip


# -- independent arithmetic --------------------------------------------------------------------------------------------


def greatest(function: Callable[[float], float], low: float, high: float) -> float:
    """Return the maximum of a unimodal function, found by golden-section search."""
    ratio = (math.sqrt(5) - 1) / 2
    for _ in range(90):
        left, right = high - ratio * (high - low), low + ratio * (high - low)
        low, high = (left, high) if function(left) < function(right) else (low, right)
    return function((low + high) / 2)


def likelihood(found: Tally, probabilities: tuple[float, float, float]) -> float:
    terms = [n * math.log(max(p, 1e-300)) for n, p in zip(found, probabilities, strict=False) if n]
    return sum(terms) if min(probabilities) > -1e-12 else -math.inf


def by_search(sprt: Sprt, found: Tally) -> float:
    """Compute the log-likelihood ratio from its definition, by searching for the likeliest share of split pairs."""

    def fit(elo: float) -> float:
        def with_split(split: float) -> float:
            if sprt.model is Model.LOGISTIC:
                won = chance(elo / PER_LOGIT) - split / 2
            else:  # search for the share of wins that gives the wanted ratio of mean to standard deviation
                wanted = elo * math.log(10) / 800 * math.sqrt(found.games_each)
                low, high = 0.0, 1 - split
                for _ in range(70):
                    won = (low + high) / 2
                    mean = won + split / 2
                    variance = won * (1 - mean) ** 2 + split * (0.5 - mean) ** 2 + (1 - won - split) * mean**2
                    ratio = (mean - 0.5) / math.sqrt(variance) if variance > 0 else math.copysign(1e9, mean - 0.5)
                    low, high = (won, high) if ratio < wanted else (low, won)
            return likelihood(found, (1 - split - won, split, won))

        if found.games_each == 1:
            return with_split(0.0)
        wanted = elo * math.log(10) / 800 * math.sqrt(2)
        score = chance(elo / PER_LOGIT)
        most = 2 * min(score, 1 - score) if sprt.model is Model.LOGISTIC else 1 / (1 + wanted**2)
        return greatest(with_split, 0.0, most)

    return fit(sprt.elo1) - fit(sprt.elo0)


@pytest.mark.parametrize("model", Model)
@pytest.mark.parametrize("found", [Tally(3, 5, 9), Tally(0, 10, 4), Tally(7, 0, 2), Tally(20, 100, 30), Tally(0, 6, 0),
                                   Tally.of_games(60, 40), Tally.of_games(0, 9)])  # fmt: skip
@pytest.mark.parametrize("bounds", [(0, 50), (-30, 10), (40, 200)])
def test_the_ratio_is_that_of_a_search_over_all_shares_of_split_pairs(
    model: Model, found: Tally, bounds: tuple[float, float]
) -> None:
    sprt = Sprt(*bounds, model=model)
    assert sprt.read(found).llr == pytest.approx(by_search(sprt, found), abs=1e-5)


def test_single_games_are_the_textbook_case() -> None:
    won, lost, p0, p1 = 60, 40, 0.5, chance(50 / PER_LOGIT)
    expected = won * math.log(p1 / p0) + lost * math.log((1 - p1) / (1 - p0))
    assert Sprt(0, 50, model=Model.LOGISTIC).read(Tally.of_games(won, lost)).llr == pytest.approx(expected)


# -- laws --------------------------------------------------------------------------------------------------------------


@given(tallies, elos, elos, st.sampled_from(Model))
def test_exchanging_the_players_exchanges_the_hypotheses(found: Tally, one: float, other: float, model: Model) -> None:
    assume(abs(one - other) > 1e-6)
    low, high = sorted((one, other))
    mirrored = Tally(found.won, found.split, found.lost, found.games_each)
    forth, back = Sprt(low, high, model=model).read(found), Sprt(-high, -low, model=model).read(mirrored)
    assert forth.llr == pytest.approx(-back.llr, abs=1e-6)
    assert estimate(found).elo == pytest.approx(-estimate(mirrored).elo)
    assert estimate(found).superiority == pytest.approx(1 - estimate(mirrored).superiority)
    assert normalised_elo(found) == pytest.approx(-normalised_elo(mirrored))


@given(tallies, st.sampled_from(Model))
def test_a_pair_won_instead_of_lost_never_lowers_anything(found: Tally, model: Model) -> None:
    assume(found.lost)
    better = found._replace(lost=found.lost - 1, won=found.won + 1)
    sprt = Sprt(model=model)
    assert sprt.read(better).llr >= sprt.read(found).llr - 1e-9
    assert estimate(better).elo > estimate(found).elo
    assert normalised_elo(better) > normalised_elo(found)


@pytest.mark.parametrize("model", Model)
@pytest.mark.parametrize("found", EXTREMES, ids=str)
def test_extremes_are_finite_and_decided_in_the_right_direction(found: Tally, model: Model) -> None:
    for bounds in ((0, 50), (-10, 10), (-2000, 2000), (0, 0.01)):
        reading = Sprt(*bounds, model=model).read(found)
        assert math.isfinite(reading.llr)
        assert all(map(math.isfinite, (*estimate(found), normalised_elo(found))))
        if bounds == (-10, 10):
            assert (reading.llr > 1e-9) == (found.won > found.lost)
            assert (reading.llr < -1e-9) == (found.won < found.lost)
    assert all("nan" not in line and "inf" not in line for line in report(Sprt(model=model), found))


def test_all_won_and_all_lost_are_decided() -> None:
    assert Sprt().read(Tally(0, 0, 50)).decision is Decision.H1
    assert Sprt().read(Tally(50, 0, 0)).decision is Decision.H0
    assert Sprt().read(Tally.of_games(0, 20)).decision is Decision.H0
    assert Sprt().read(Tally(0, 0, 1)).decision is None


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"elo0": 5, "elo1": 5}, "elo0 (5) must be below elo1 (5)."),
        ({"elo0": math.nan}, "elo0 is nan: give a number from -2000 to 2000."),
        ({"elo1": math.inf}, "elo1 is inf"),
        ({"alpha": 0.5}, "alpha is 0.5: give a rate from 0.0001 to 0.4."),
        ({"beta": 0.0}, "beta is 0"),
    ],
)
def test_bounds_that_make_no_test_are_rejected(wrong: dict[str, float], words: str) -> None:
    with pytest.raises(GridLockError) as error:
        Sprt(**wrong)  # type: ignore[arg-type]
    assert words in str(error.value)


# -- counting ----------------------------------------------------------------------------------------------------------


def test_pairs_are_counted_from_either_side_and_open_pairs_wait() -> None:
    games = [game("x", "y", "a", 1), game("y", "x", "b", 1), game("x", "y", "a", 2), game("y", "x", "a", 2)]
    games += [game("x", "y", "a", 3), game("x", "z", "b", 4), game("x", "z", "b", 4)]
    assert tally(games, "x", "y") == Tally(0, 1, 1)
    assert tally(games, "y", "x") == Tally(1, 1, 0)
    assert tally(games, "x", "z") == Tally(1, 0, 0)
    assert tally(games, "y", "z") == Tally.of_games(0, 0)
    assert tally(games[4:5], "x", "y") == Tally(0, 0, 0)
    unpaired = [game("x", "y", "a"), game("y", "x", "a"), game("x", "y", "a")]
    assert tally(unpaired, "x", "y") == Tally.of_games(2, 1)


def test_the_same_number_on_another_board_is_another_pair() -> None:
    games = [game("x", "y", "a", 1, board=board) for board in ("5x5", "6x6") for _ in range(2)]
    assert tally(games, "x", "y") == Tally(0, 0, 2)


# -- against players of known strength ---------------------------------------------------------------------------------


def probabilities(model: Model, elo: float, split: float) -> tuple[float, float]:
    """Return the proportions of lost and split pairs of games between players whose ratings differ by `elo`."""
    if model is Model.LOGISTIC:
        return 1 - chance(elo / PER_LOGIT) - split / 2, split
    ratio = elo * math.log(10) / 800 * math.sqrt(2)
    decided = 1 - split
    lead = ratio / math.sqrt(1 + ratio**2) * math.sqrt(decided)
    return (decided - lead) / 2, split


def errors(sprt: Sprt, elo: float, split: float, tests: int, rng: random.Random) -> tuple[int, int]:
    """Return how many tests accept H0, and how many accept H1, if the players' ratings differ by `elo`."""
    lost, even = probabilities(sprt.model, elo, split)
    ends = {Decision.H0: 0, Decision.H1: 0}
    for _ in range(tests):
        found = [0, 0, 0]
        while not (decision := sprt.read(Tally(*found)).decision):
            draw = rng.random()
            found[0 if draw < lost else 1 if draw < lost + even else 2] += 1
        ends[decision] += 1
    return ends[Decision.H0], ends[Decision.H1]


def check_error_rates(sprt: Sprt, split: float, tests: int, rng: random.Random) -> None:
    """Check that neither error rate exceeds its limit by more than four standard deviations."""
    limit = {rate: rate + 4 * math.sqrt(rate * (1 - rate) / tests) for rate in (sprt.alpha, sprt.beta)}
    wrong = errors(sprt, sprt.elo0, split, tests, rng)[1] / tests, errors(sprt, sprt.elo1, split, tests, rng)[0] / tests
    print(f"{sprt}, {split:.0%} split, {tests} tests: H1 wrongly {wrong[0]:.2%}, H0 wrongly {wrong[1]:.2%}")
    assert wrong[0] <= limit[sprt.alpha]
    assert wrong[1] <= limit[sprt.beta]


@pytest.mark.parametrize("split", [0.2, 0.7])
@pytest.mark.parametrize("sprt", [Sprt(0, 120), Sprt(0, 80, 0.1, 0.05, Model.LOGISTIC)], ids=lambda one: one.model)
def test_error_rates_are_as_promised(sprt: Sprt, split: float) -> None:
    check_error_rates(sprt, split, 100, random.Random(f"{sprt}{split}"))


@pytest.mark.deep
@pytest.mark.parametrize("split", [0.05, 0.3, 0.6, 0.9])
@pytest.mark.parametrize(
    "sprt",
    [
        Sprt(0, 50),
        Sprt(-30, 30, 0.02, 0.1),
        Sprt(0, 20, model=Model.LOGISTIC),
        Sprt(-10, 10, 0.1, 0.02, Model.LOGISTIC),
    ],
    ids=lambda one: f"{one.model}_{one.elo0}_to_{one.elo1}",
)
def test_error_rates_over_many_tests(sprt: Sprt, split: float, rng: random.Random) -> None:
    check_error_rates(sprt, split, 2000, rng)


def coverage(lost: float, split: float, pairs: int, runs: int, rng: random.Random) -> float:
    """Return how often the interval for the Elo difference contains the true difference."""
    score = 1 - lost - split / 2
    true = PER_LOGIT * math.log(score / (1 - score))
    held = 0
    for _ in range(runs):
        drawn = rng.choices((0, 1, 2), (lost, split, 1 - lost - split), k=pairs)
        found = estimate(Tally(*(drawn.count(outcome) for outcome in range(3))))
        held += found.low <= true <= found.high
    return held / runs


@pytest.mark.parametrize(("lost", "split"), [(0.25, 0.5), (0.1, 0.2), (0.05, 0.9), (0.02, 0.08)])
@pytest.mark.parametrize("pairs", [10, 100])
def test_the_interval_of_the_elo_difference_holds_the_truth(lost: float, split: float, pairs: int) -> None:
    share = coverage(lost, split, pairs, 1000, random.Random(f"{lost} {split} {pairs}"))
    print(f"{lost:.0%} lost, {split:.0%} split, {pairs} pairs: {share:.1%}")
    assert share >= 0.9
