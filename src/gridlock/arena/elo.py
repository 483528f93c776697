"""Elo differences with their intervals, estimated from the numbers of wins and losses."""

import math
from statistics import NormalDist
from typing import NamedTuple

from gridlock.arena.tally import Tally

PER_LOGIT = 400 / math.log(10)  # Elo per unit of log-odds; a lead of 400 Elo means odds of ten to one
NORMAL = NormalDist()
Z95 = NORMAL.inv_cdf(0.975)  # half the width of a 95% interval, in standard errors


class Estimate(NamedTuple):
    """An Elo difference with its 95% interval, and the likelihood that it is above zero."""

    elo: float
    low: float
    high: float
    superiority: float

    @classmethod
    def of_logits(cls, logits: float, error: float) -> "Estimate":
        """Create an estimate from log-odds and their standard error."""
        low, high = ((logits + sign * Z95 * error) * PER_LOGIT for sign in (-1, 1))
        return cls(logits * PER_LOGIT, low, high, NORMAL.cdf(logits / error))


def logistic(logits: float) -> float:
    """Return the probability that has the given log-odds."""
    small = math.exp(-abs(logits))
    return (1 if logits > 0 else small) / (1 + small)


def score_of(elo: float) -> float:
    """Return the expected score of a player who is stronger by this many Elo points."""
    return logistic(elo / PER_LOGIT)


def estimate(tally: Tally) -> Estimate:
    """Estimate the Elo difference between two players.

    Before Elo is estimated, half a won pair and half a lost pair are added to the counts (for single games, half a win
    and half a loss). This Haldane-Anscombe correction removes most of the small-sample bias and keeps the estimate
    finite even if a player has won every game. If games are played in pairs, the standard error is computed from the
    scores of whole pairs, so it is smaller if many pairs are split, with one win for each player.
    """
    units = tally.units + 1
    lost, won = (tally.lost + 0.5) / units, (tally.won + 0.5) / units
    score = won + tally.split / units / 2
    variance = lost * score**2 + tally.split / units * (0.5 - score) ** 2 + won * (1 - score) ** 2
    return Estimate.of_logits(math.log(score / (1 - score)), math.sqrt(variance / units) / (score * (1 - score)))


def normalised_elo(tally: Tally) -> float:
    """Return the normalised Elo: the mean score difference per game, in standard deviations, scaled to Elo units.

    As in `estimate`, half a won pair and half a lost pair are added to the counts, so the result is finite.
    """
    units = tally.units + 1
    decided = (tally.lost + tally.won + 1) / units
    lead = (tally.won - tally.lost) / units
    return 2 * PER_LOGIT * lead / math.sqrt(tally.games_each * (decided - lead**2))
