"""Bradley-Terry ratings in Elo, with 95% intervals.

A player with strength s beats a player with strength t with probability s / (s + t). The ratings are the strengths, on
a logarithmic scale, that make the results most likely. Computing the ratings involves three decisions:

- Prior: in addition to the real results, every player is credited with half a win and half a loss against an
  imaginary player of average strength. The prior changes ratings only a little, and ensures that even a player who
  has won or lost every game has a finite rating.
- Intervals: each confidence interval is computed from the inverse Fisher information, scaled by the dispersion of the
  results of game pairs. On its own, the Fisher information treats the two games of a pair as independent, but they
  are not: an opening that favours one side tends to give each player one win. The dispersion is the observed variance
  between pairs, divided by the variance that independent games would have. A bootstrap over pairs could replace the
  dispersion, but a bootstrap needs random numbers, and it finds no uncertainty at all for a player who has won every
  game.
- Groups: only players linked by a series of games can be compared, and each group of such players has an average
  rating of zero.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gridlock.arena.elo import PER_LOGIT, Z95, Estimate, logistic
from gridlock.arena.linear import Matrix, cholesky, inverse, solve
from gridlock.arena.tally import FinishedGame, Unit, units

_PRIOR = 0.5  # the number of wins, and of losses, against an average player
_STEPS = 100  # the maximum for Newton's method, which usually takes eight
_PRECISION = 1e-9  # of a rating, as log-odds


class Rating(NamedTuple):
    """A player's rating relative to the group's average, with the half-width of its 95% confidence interval."""

    elo: float
    margin: float


@dataclass(frozen=True)
class Group:
    """A group of comparable players, best first, with the covariances of their ratings (in log-odds)."""

    ratings: Mapping[str, Rating]
    covariances: Matrix

    def difference(self, player: str, other: str) -> Estimate:
        """Estimate the rating difference between two players, and the likelihood that the first is stronger."""
        names = list(self.ratings)
        first, second, table = names.index(player), names.index(other), self.covariances
        variance = table[first][first] + table[second][second] - 2 * table[first][second]
        logits = (self.ratings[player].elo - self.ratings[other].elo) / PER_LOGIT
        return Estimate.of_logits(logits, math.sqrt(variance))


def rate(games: Iterable[FinishedGame]) -> list[Group]:
    """Rate players in groups, largest first; only players in the same group can be compared."""
    found = units(games)
    return sorted((_fit(names, found) for names in _connected(found)), key=lambda group: -len(group.ratings))


def separation(groups: Sequence[Group]) -> str:
    """Return a note saying that the groups' ratings cannot be compared; for a single group, return an empty string."""
    if len(groups) < 2:
        return ""
    sizes = ", ".join(str(len(group.ratings)) for group in groups)
    return (
        f"No games connect these {len(groups)} groups of players ({sizes}), so their ratings cannot be compared. "
        "Each group has an average rating of zero."
    )


def _connected(found: Iterable[Unit]) -> list[list[str]]:
    """Return the players in each group, in alphabetical order; a game puts its two players in the same group."""
    group: dict[str, list[str]] = {}
    for players in {unit.players for unit in found}:
        first, second = (group.setdefault(name, [name]) for name in players)
        if first is not second:
            first += second
            group |= dict.fromkeys(second, first)
    return sorted(sorted(names) for names in {id(names): names for names in group.values()}.values())


class _Met(NamedTuple):
    """Pairs of games (or single games) that all have the same two players and the same result."""

    first: int
    second: int
    wins: int  # the first player's wins in each pair or single game
    games: int  # 2 for pairs, and 1 for single games
    times: int  # how many pairs or single games ended in this way


def _fit(names: Sequence[str], found: Iterable[Unit]) -> Group:
    """Rate the players in one group by Newton's method, which works because the likelihood has a single maximum."""
    place = {name: number for number, name in enumerate(names)}
    inside = (unit for unit in found if unit.players[0] in place)
    counts = Counter((place[unit.players[0]], place[unit.players[1]], unit.wins, unit.games) for unit in inside)
    met = [_Met(*key, times) for key, times in sorted(counts.items())]
    strengths = [0.0] * len(names)
    for _ in range(_STEPS):
        step = solve(cholesky(_information(strengths, met)), _gradient(strengths, met))
        strengths = _climb(strengths, step, met)
        if max(map(abs, step)) < _PRECISION:
            break
    table = inverse(cholesky(_information(strengths, met)))
    factor = _dispersion(strengths, met, table)
    means = [math.fsum(row) / len(names) for row in table]
    middle, average = math.fsum(means) / len(names), math.fsum(strengths) / len(names)
    order = sorted(range(len(names)), key=lambda number: (-round(strengths[number], 9), names[number]))
    centred = [[factor * (table[i][j] - means[i] - means[j] + middle) for j in order] for i in order]
    ratings = {
        names[number]: Rating((strengths[number] - average) * PER_LOGIT, Z95 * math.sqrt(row[at]) * PER_LOGIT)
        for at, (number, row) in enumerate(zip(order, centred, strict=True))
    }
    return Group(ratings, centred)


def _climb(strengths: list[float], step: list[float], met: list[_Met]) -> list[float]:
    """Take a step, halving it until it no longer decreases the likelihood."""
    before = _likelihood(strengths, met)
    floor = before - 1e-9 * (1 + abs(before))  # so that rounding errors cannot prevent a step
    while True:
        reached = [old + new for old, new in zip(strengths, step, strict=True)]
        if _likelihood(reached, met) >= floor:
            return reached
        step = [new / 2 for new in step]


def _win_rate(strengths: list[float], one: _Met) -> float:
    """Return the probability that the first player wins."""
    return logistic(strengths[one.first] - strengths[one.second])


def _likelihood(strengths: list[float], met: list[_Met]) -> float:
    """Return the log-likelihood of the results plus the logarithm of the prior."""
    total = [_PRIOR * (_log_logistic(own) + _log_logistic(-own)) for own in strengths]
    for one in met:
        lead = strengths[one.first] - strengths[one.second]
        losses = one.games - one.wins
        total.append(one.times * (one.wins * _log_logistic(lead) + losses * _log_logistic(-lead)))
    return math.fsum(total)


def _log_logistic(logits: float) -> float:
    """Return the logarithm of the probability that has the given log-odds."""
    return -math.log1p(math.exp(-logits)) if logits > 0 else logits - math.log1p(math.exp(logits))


def _gradient(strengths: list[float], met: list[_Met]) -> list[float]:
    """Return the amount by which each player's score exceeds its expected value."""
    slopes = [_PRIOR - 2 * _PRIOR * logistic(own) for own in strengths]
    for one in met:
        more = one.times * (one.wins - one.games * _win_rate(strengths, one))
        slopes[one.first] += more
        slopes[one.second] -= more
    return slopes


def _information(strengths: list[float], met: list[_Met]) -> Matrix:
    """Return the Fisher information of the results and the prior."""
    table = [[0.0] * len(strengths) for _ in strengths]
    for number, own in enumerate(strengths):
        table[number][number] = 2 * _PRIOR * logistic(own) * logistic(-own)
    for one in met:
        rate = _win_rate(strengths, one)
        weight = one.times * one.games * rate * (1 - rate)
        for i, j, sign in ((0, 0, 1), (0, 1, -1), (1, 0, -1), (1, 1, 1)):
            table[one[i]][one[j]] += sign * weight
    return table


def _dispersion(strengths: list[float], met: list[_Met], table: Matrix) -> float:
    """Return the variance between pairs, divided by the variance of independent games; 1 if there are no pairs.

    Because the ratings are fitted to the results, the results lie closer to the fitted values than the theoretical
    variance suggests, even if all games are independent. The expected variance of each pair's result is therefore
    multiplied by 1 - leverage; the leverage says how strongly the pair pulls the fitted ratings towards its own result.
    Both sums start at 1 instead of 0, so that the dispersion is never zero.
    """
    between = independent = 1.0
    for one in met:
        if one.games > 1:
            rate = _win_rate(strengths, one)
            variance = one.games * rate * (1 - rate)
            i, j = one.first, one.second
            leverage = variance * (table[i][i] + table[j][j] - 2 * table[i][j])
            between += one.times * (one.wins - one.games * rate) ** 2
            independent += one.times * variance * (1 - leverage)
    return between / independent
