"""Tests of ratings: properties, how often intervals contain the true ratings, and agreement with other programs."""

import math
import random
from itertools import combinations, pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from simulated_results import PER_LOGIT, chance, game, renamed, round_robin

from gridlock.arena.elo import estimate
from gridlock.arena.linear import cholesky, inverse, solve
from gridlock.arena.ratings import Group, rate, separation
from gridlock.arena.tally import tally
from gridlock.core.errors import BadRecord

Games = list[dict[str, Any]]
STRENGTHS = {"ada": 1.0, "bob": 0.5, "cyd": 0.0, "dan": -0.4, "eve": -1.1}


@st.composite
def results(draw: st.DrawFn) -> Games:
    """Return games between a few players, some of whom may never have met; the games may be grouped in pairs."""
    names = ["p", "q", "r", "s", "t"][: draw(st.integers(2, 5))]
    meetings = draw(st.lists(st.tuples(st.sampled_from(names), st.sampled_from(names), st.booleans()), max_size=24))
    meetings = [meeting for meeting in meetings if meeting[0] != meeting[1]] or [("p", "q", True)]
    paired = draw(st.booleans())
    return [game(a, b, "a" if won else "b", at // 2 if paired else None) for at, (a, b, won) in enumerate(meetings)]


def ratings(games: Games) -> dict[str, tuple[float, float]]:
    """Return all ratings with their margins of error."""
    return {name: tuple(rating) for group in rate(games) for name, rating in group.ratings.items()}


def same(one: dict[str, tuple[float, float]], other: dict[str, tuple[float, float]]) -> bool:
    return one.keys() == other.keys() and all(one[name] == pytest.approx(other[name], abs=1e-5) for name in one)


# -- laws --------------------------------------------------------------------------------------------------------------


@given(results(), st.randoms(use_true_random=False))
def test_the_order_of_games_does_not_matter(games: Games, rng: random.Random) -> None:
    shuffled = rng.sample(games, len(games))
    assert same(ratings(shuffled), ratings(games))
    exchanged = [{**one, "a": one["b"], "b": one["a"], "winner": "ab"[one["winner"] == "a"]} for one in games]
    assert same(ratings(exchanged), ratings(games))


@given(results(), st.permutations(["p", "q", "r", "s", "t"]))
def test_names_do_not_matter(games: Games, order: list[str]) -> None:
    names = dict(zip("pqrst", order, strict=True))
    assert same(ratings(renamed(games, names)), {names[name]: rating for name, rating in ratings(games).items()})


@given(results(), st.integers(0, 30))
def test_one_more_win_never_lowers_the_winner_nor_raises_the_loser(games: Games, which: int) -> None:
    one = games[which % len(games)]
    winner, loser = (one["a"], one["b"]) if one["winner"] == "a" else (one["b"], one["a"])
    before, after = ratings(games), ratings([*games, game(winner, loser, "a", 1000)])
    assert after[winner][0] >= before[winner][0] - 1e-6
    assert after[loser][0] <= before[loser][0] + 1e-6


@given(results())
def test_everything_is_finite_and_the_average_of_a_group_is_zero(games: Games) -> None:
    for group in rate(games):
        assert math.fsum(rating.elo for rating in group.ratings.values()) == pytest.approx(0, abs=1e-6)
        assert all(math.isfinite(rating.elo) and 0 < rating.margin < 5000 for rating in group.ratings.values())
        ordered = [rating.elo for rating in group.ratings.values()]
        assert all(better > worse - 1e-6 for better, worse in pairwise(ordered))
        for one, other in combinations(group.ratings, 2):
            forth, back = group.difference(one, other), group.difference(other, one)
            assert forth.superiority == pytest.approx(1 - back.superiority)
            assert forth.low == pytest.approx(-back.high)


def test_a_player_who_has_lost_all_of_50_games_has_a_rating() -> None:
    group = rate([game("x", "y", "b", number // 2) for number in range(50)])[0]
    assert list(group.ratings) == ["y", "x"]
    found = group.difference("y", "x")
    assert 400 < found.low < found.elo < found.high < 1600
    assert found.superiority > 0.999


def test_two_players_are_rated_like_the_elo_of_their_results() -> None:
    rng = random.Random(1)
    for opening in (0.0, 2.0):
        games = list(round_robin({"x": 0.3, "y": 0.0}, 100, rng, opening))
        plain, fitted = estimate(tally(games, "x", "y")), rate(games)[0].difference("x", "y")
        assert fitted.elo == pytest.approx(plain.elo, abs=2)
        assert fitted.high - fitted.low == pytest.approx(plain.high - plain.low, rel=0.03)


def test_players_who_are_not_connected_are_rated_apart() -> None:
    games = [game("x", "y", "a"), game("u", "v", "b"), game("v", "w", "b")]
    groups = rate(games)
    assert [set(group.ratings) for group in groups] == [{"u", "v", "w"}, {"x", "y"}]
    assert separation(groups) == (
        "No games connect these 2 groups of players (3, 2), so their ratings cannot be compared. Each group has an "
        "average rating of zero."
    )
    assert separation(rate([*games, game("x", "u", "a")])) == ""
    assert rate([]) == []


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"b": "x"}, "A game that 'x' plays against itself says nothing about strength. Leave it out."),
        ({"winner": "draw"}, "'winner' ('a' or 'b')"),
        ({"a": 7}, "needs 'a' and 'b' (the players' names)"),
    ],
)
def test_results_that_cannot_be_rated_are_rejected(wrong: dict[str, Any], words: str) -> None:
    with pytest.raises(BadRecord) as error:
        rate([game("x", "y", "a") | wrong])
    assert words in str(error.value)


def test_linear_equations() -> None:
    rng = random.Random(2)
    root = [[rng.uniform(-1, 1) for _ in range(6)] for _ in range(6)]
    table = [[sum(a * b for a, b in zip(x, y, strict=True)) + (x is y) for y in root] for x in root]
    lower, right = cholesky(table), [rng.uniform(-1, 1) for _ in range(6)]
    for row, value in zip(table, right, strict=True):
        assert sum(a * b for a, b in zip(row, solve(lower, right), strict=True)) == pytest.approx(value)
    for i, row in enumerate(inverse(lower)):
        for j, line in enumerate(table):
            assert sum(a * b for a, b in zip(row, line, strict=True)) == pytest.approx(float(i == j), abs=1e-9)


# -- intervals ---------------------------------------------------------------------------------------------------------


def truth(strengths: dict[str, float], opening: float) -> Group:
    """Return the ratings that result from very long tournaments in which each opening favours one side.

    Openings that favour one side bring the ratings closer together.
    """
    games = []
    for a, b in combinations(strengths, 2):
        score = sum(chance(strengths[a] - strengths[b] + more) for more in (-opening, opening)) / 2
        games += [game(a, b, "a" if number < score * 2000 else "b") for number in range(2000)]
    return rate(games)[0]


def coverage(pairs: int, opening: float, runs: int, rng: random.Random) -> tuple[float, float]:
    """Return how often the intervals for ratings, and the intervals for rating differences, contain the true values."""
    true, held, differences = truth(STRENGTHS, opening), [], []
    for _ in range(runs):
        found = rate(round_robin(STRENGTHS, pairs, rng, opening))[0]
        for name, rating in found.ratings.items():
            held.append(abs(rating.elo - true.ratings[name].elo) <= rating.margin)
        for one, other in combinations(STRENGTHS, 2):
            interval = found.difference(one, other)
            differences.append(interval.low <= true.difference(one, other).elo <= interval.high)
    return sum(held) / len(held), sum(differences) / len(differences)


def check_coverage(pairs: int, opening: float, runs: int, rng: random.Random, floor: float) -> None:
    shares = coverage(pairs, opening, runs, rng)
    print(
        f"{pairs} pairs, openings worth {opening * PER_LOGIT:.0f} Elo: ratings {shares[0]:.1%}, others {shares[1]:.1%}"
    )
    assert floor <= min(shares)
    assert max(shares) <= 0.99 or pairs < 10


@pytest.mark.parametrize("opening", [0.0, 1.5])
def test_intervals_hold_the_true_ratings(opening: float) -> None:
    check_coverage(10, opening, 25, random.Random(f"{opening}"), 0.88)


@pytest.mark.deep
@pytest.mark.parametrize("opening", [0.0, 1.0, 2.5])
@pytest.mark.parametrize("pairs", [3, 10, 50])
def test_intervals_hold_the_true_ratings_in_many_tournaments(pairs: int, opening: float, rng: random.Random) -> None:
    check_coverage(pairs, opening, 600, rng, 0.92)


# -- other programs ----------------------------------------------------------------------------------------------------


def won(games: Games) -> list[tuple[str, str]]:
    """Return the winner and the loser of every game."""
    return [(one["a"], one["b"]) if one["winner"] == "a" else (one["b"], one["a"]) for one in games]


@pytest.mark.slow
def test_ratings_agree_with_choix() -> None:
    """GridLock and choix maximise the same likelihood, except that GridLock adds a small prior."""
    choix = pytest.importorskip("choix")
    names = list(STRENGTHS)
    for seed in range(2):
        games = list(round_robin(STRENGTHS, 100, random.Random(seed)))
        theirs = choix.opt_pairwise(len(names), [tuple(map(names.index, pair)) for pair in won(games)])
        middle = sum(theirs) / len(theirs)
        ours = rate(games)[0].ratings
        print({name: (ours[name].elo, (theirs[at] - middle) * PER_LOGIT) for at, name in enumerate(names)})
        for at, name in enumerate(names):
            assert ours[name].elo == pytest.approx((theirs[at] - middle) * PER_LOGIT, abs=0.5)


@pytest.mark.slow
def test_ratings_agree_with_openskill() -> None:
    """Compare our ratings with Openskill's.

    Openskill uses a different scale and updates its ratings after each game. Therefore, the test compares only the
    ranking and the correlation.
    """
    models = pytest.importorskip("openskill.models")
    games = list(round_robin(STRENGTHS, 150, random.Random(4)))
    random.Random(5).shuffle(games)  # for openskill, a player's strength may change over time
    model = models.BradleyTerryFull(tau=0.0)
    theirs = {name: model.rating(name=name) for name in STRENGTHS}
    for winner, loser in won(games):
        [[theirs[winner]], [theirs[loser]]] = model.rate([[theirs[winner]], [theirs[loser]]])
    ours = rate(games)[0].ratings
    assert sorted(theirs, key=lambda name: -theirs[name].mu) == list(ours)
    means = sum(rating.mu for rating in theirs.values()) / len(theirs)
    products = [(ours[name].elo, theirs[name].mu - means) for name in ours]
    size = math.prod(math.sqrt(sum(pair[side] ** 2 for pair in products)) for side in (0, 1))
    correlation = sum(a * b for a, b in products) / size
    print(f"correlation {correlation:.4f}: {products}")
    assert correlation > 0.98
