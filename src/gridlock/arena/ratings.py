"""Bradley-Terry ratings in Elo, with 95 % intervals.

A player with strength s beats one with strength t with probability s / (s + t). The ratings are the strengths, on a
logarithmic scale, under which the results are most likely. They involve three decisions:

- Prior: every player also has half a win and half a loss against an imaginary player of average strength. It changes a
  rating only a little, and keeps the rating of a player who has won or lost every game finite.
- Intervals: from the Fisher information, times the dispersion of the pairs. The information alone treats the two games
  of a pair as independent, but an opening that favours one side tends to split the pair. The dispersion is the variance
  found between pairs, divided by the variance of independent games. A bootstrap over pairs would measure the same, but
  it needs random numbers, and for a player who has won every game it finds no uncertainty at all.
- Groups: players are only compared within a group that games connect, and the average of a group is zero.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gridlock.arena.elo import PER_LOGIT, Z95, Estimate, logistic
from gridlock.arena.linear import Matrix, cholesky, inverse, solve
from gridlock.arena.tally import FinishedGame, Unit, units

_PRIOR = 0.5  # wins, and as many losses, against an average player
_STEPS = 100  # of Newton's method at most; eight are usual
_PRECISION = 1e-9  # of a rating, as log-odds


class Rating(NamedTuple):
    """A player's rating relative to the average of the group, with the half-width of its 95 % interval."""

    elo: float
    margin: float


@dataclass(frozen=True)
class Group:
    """Players who are connected by games, best first, with the covariances of their ratings as log-odds."""

    ratings: Mapping[str, Rating]
    covariances: Matrix

    def difference(self, player: str, other: str) -> Estimate:
        """Estimate how much stronger one player is than another, with the likelihood of superiority."""
        names = list(self.ratings)
        first, second, table = names.index(player), names.index(other), self.covariances
        variance = table[first][first] + table[second][second] - 2 * table[first][second]
        logits = (self.ratings[player].elo - self.ratings[other].elo) / PER_LOGIT
        return Estimate.of_logits(logits, math.sqrt(variance))


def rate(games: Iterable[FinishedGame]) -> list[Group]:
    """Rate all players, in groups of players who are connected by games; the largest group comes first."""
    found = units(games)
    return sorted((_fit(names, found) for names in _connected(found)), key=lambda group: -len(group.ratings))


def separation(groups: Sequence[Group]) -> str:
    """Say that players of different groups cannot be compared; empty if there is only one group."""
    if len(groups) < 2:
        return ""
    sizes = ", ".join(str(len(group.ratings)) for group in groups)
    return (
        f"No games connect these {len(groups)} groups of players ({sizes}), so their ratings cannot be compared: "
        "the average of each group is zero."
    )


def _connected(found: Iterable[Unit]) -> list[list[str]]:
    """Return the players of each group in alphabetical order; every game connects two players."""
    group: dict[str, list[str]] = {}
    for players in {unit.players for unit in found}:
        first, second = (group.setdefault(name, [name]) for name in players)
        if first is not second:
            first += second
            group |= dict.fromkeys(second, first)
    return sorted(sorted(names) for names in {id(names): names for names in group.values()}.values())


class _Met(NamedTuple):
    """Pairs (or single games) between two players that ended in the same way."""

    first: int
    second: int
    wins: int  # of the first, in each of them
    games: int  # in each of them
    times: int


def _fit(names: Sequence[str], found: Iterable[Unit]) -> Group:
    """Rate the players of one group by Newton's method, which finds the maximum because there is only one."""
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
    """Take a step, halved as often as it would otherwise make the results less likely."""
    before = _likelihood(strengths, met)
    floor = before - 1e-9 * (1 + abs(before))  # so that rounding cannot keep a step from being taken
    while True:
        reached = [old + new for old, new in zip(strengths, step, strict=True)]
        if _likelihood(reached, met) >= floor:
            return reached
        step = [new / 2 for new in step]


def _win_rate(strengths: list[float], one: _Met) -> float:
    """Return the probability that the first player wins."""
    return logistic(strengths[one.first] - strengths[one.second])


def _likelihood(strengths: list[float], met: list[_Met]) -> float:
    """Return the log-likelihood of the results and the prior."""
    total = [_PRIOR * (_log_logistic(own) + _log_logistic(-own)) for own in strengths]
    for one in met:
        lead = strengths[one.first] - strengths[one.second]
        losses = one.games - one.wins
        total.append(one.times * (one.wins * _log_logistic(lead) + losses * _log_logistic(-lead)))
    return math.fsum(total)


def _log_logistic(logits: float) -> float:
    """Return the logarithm of the probability with these log-odds."""
    return -math.log1p(math.exp(-logits)) if logits > 0 else logits - math.log1p(math.exp(logits))


def _gradient(strengths: list[float], met: list[_Met]) -> list[float]:
    """Return how much more than expected each player scored."""
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

    The fit follows the results, so even independent games vary less around it than their variance suggests: each
    expected value is lower by its leverage. A pair in which both values are 1 is added, so that no result leads to
    zero.
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
