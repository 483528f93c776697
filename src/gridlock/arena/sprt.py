"""The sequential probability ratio test (SPRT), which ends a match once the results clearly favour a hypothesis.

Each of the two hypotheses assumes a particular Elo difference. The share of split pairs is not known in advance, so
this test, the generalised SPRT, assumes the most likely share for each hypothesis. For logistic Elo, the most likely
share of split pairs is found by solving a quadratic equation. For normalised Elo, the most likely share of split pairs
is found by maximising a concave function of one variable. The most likely share of split pairs is always unique, and
the likelihood ratio is finite even if one player has won every game.
"""

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from gridlock.arena.elo import PER_LOGIT, estimate, normalised_elo, score_of
from gridlock.arena.tally import Tally
from gridlock.core.errors import GridLockError

LARGEST_ELO = 2000.0  # the largest bound, which exceeds 99,999 wins in 100,000 games
ERROR_RATES = (0.0001, 0.4)  # the range of alpha and beta
_HALVINGS = 45  # of an interval of length 1 at most; the remaining error, under 1e-13, does not matter


class Model(StrEnum):
    """The Elo scales on which a test's two bounds can be given."""

    # Elo scaled by the standard deviation of a game's score, so that a test's length does not depend on how many pairs
    # of games are split (one win each)
    NORMALISED = "normalised"
    LOGISTIC = "logistic"  # the usual Elo: the expected score


class Decision(StrEnum):
    """The hypothesis that the test has accepted."""

    H0 = "H0"  # the difference is elo0 or less
    H1 = "H1"  # the difference is elo1 or more


class Reading(NamedTuple):
    """The current state of a sequential test."""

    llr: float  # the logarithm of how much more likely the results are with elo1 than with elo0
    lower: float  # H0 is accepted at or below this value
    upper: float  # H1 is accepted at or above this value

    @property
    def decision(self) -> Decision | None:
        """The accepted hypothesis, or None while the test must continue."""
        if self.llr >= self.upper:
            return Decision.H1
        return Decision.H0 if self.llr <= self.lower else None

    def __str__(self) -> str:
        """Return the test's progress as a single line of text."""
        limit, name = (self.upper, "H1") if self.llr >= 0 else (self.lower, "H0")
        end = f"{self.decision} accepted" if self.decision else f"{self.llr / limit:.0%} of the way to {name}"
        return f"LLR {self.llr:z.2f} ({self.lower:.2f} to {self.upper:.2f}), {end}"


@dataclass(frozen=True)
class Sprt:
    """A test of two hypotheses about an Elo difference, with its permitted error rates."""

    elo0: float = 0.0
    elo1: float = 50.0
    alpha: float = 0.05  # the rate at which H1 is accepted although the difference is elo0
    beta: float = 0.05  # the rate at which H0 is accepted although the difference is elo1
    model: Model = Model.NORMALISED

    def __post_init__(self) -> None:
        for name, elo in (("elo0", self.elo0), ("elo1", self.elo1)):
            if not -LARGEST_ELO <= elo <= LARGEST_ELO:  # this also rejects nan
                raise GridLockError(f"{name} is {elo:g}: give a number from {-LARGEST_ELO:g} to {LARGEST_ELO:g}.")
        for name, rate in (("alpha", self.alpha), ("beta", self.beta)):
            if not ERROR_RATES[0] <= rate <= ERROR_RATES[1]:
                raise GridLockError(f"{name} is {rate:g}: give a rate from {ERROR_RATES[0]:g} to {ERROR_RATES[1]:g}.")
        if self.elo0 >= self.elo1:
            raise GridLockError(f"elo0 ({self.elo0:g}) must be below elo1 ({self.elo1:g}).")

    def read(self, tally: Tally) -> Reading:
        """Return the state of the test after these results."""
        lower, upper = math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)
        return Reading(self._fit(self.elo1, tally) - self._fit(self.elo0, tally), lower, upper)

    def _fit(self, elo: float, tally: Tally) -> float:
        """Return the log-likelihood of the results if the difference is `elo`."""
        if self.model is Model.LOGISTIC:
            return _fit_score(score_of(elo), tally)
        ratio = elo / (2 * PER_LOGIT) * math.sqrt(tally.games_each)  # mean over standard deviation, of a pair
        return _fit_ratio(ratio / math.sqrt(1 + ratio**2), tally)


def _likelihood(tally: Tally, lost: float, split: float, won: float) -> float:
    """Return the log-likelihood of the results, given the probabilities of losing, splitting and winning a pair."""
    terms = ((tally.lost, lost), (tally.split, split), (tally.won, won))
    return sum(count * math.log(probability) for count, probability in terms if count)


def _fit_score(score: float, tally: Tally) -> float:
    """Return the maximum log-likelihood of the results for this expected score.

    Given the expected score, one parameter remains free: half the share of split pairs, in which each player wins a
    game. The derivative of the log-likelihood is zero at the roots of a quadratic polynomial, and all probabilities are
    positive at the smaller root.
    """
    if not tally.units:
        return 0.0
    linear = tally.split + tally.lost * score + tally.won * (1 - score)
    constant = tally.split * score * (1 - score)
    root = math.sqrt(max(0.0, linear**2 - 4 * tally.units * constant))
    half = 2 * constant / (linear + root)
    return _likelihood(tally, 1 - score - half, 2 * half, score - half)


def _fit_ratio(lead: float, tally: Tally) -> float:
    """Return the maximum log-likelihood, given the ratio of the mean to the standard deviation of a pair's result.

    Let `root` be the square root of the share of decided pairs. Then `lead`, which determines the ratio, is the share
    of won pairs minus the share of lost pairs, all divided by `root`. The log-likelihood is a concave function of
    `root`, so bisection on the sign of its derivative finds its maximum.
    """
    low, high = abs(lead), 1.0
    for _ in range(_HALVINGS):
        root = (low + high) / 2
        slope = 0.0  # a count of zero adds nothing, even if its term would be infinite
        if tally.split:
            slope -= tally.split * 2 * root / (1 - root**2)
        if tally.won:
            slope += tally.won * (1 / root + 1 / (root + lead))
        if tally.lost:
            slope += tally.lost * (1 / root + 1 / (root - lead))
        low, high = (root, high) if slope > 0 else (low, root)
    root = (low + high) / 2
    return _likelihood(tally, root * (root - lead) / 2, 1 - root**2, root * (root + lead) / 2)


def report(sprt: Sprt, tally: Tally) -> list[str]:
    """Describe a test: its results, state and hypotheses, and the Elo difference with a 95% confidence interval."""
    reading, found = sprt.read(tally), estimate(tally)
    counted = f"Won {tally.wins}, lost {tally.losses}"
    if tally.games_each == 2:
        counted += f"; pairs won {tally.won}, split {tally.split}, lost {tally.lost}"
    unit = f"{sprt.model} Elo"
    return [
        f"{counted}.",
        f"{reading}.",
        f"H0: {unit} {sprt.elo0:g} or less (error rate about {100 * sprt.beta:g}%). "
        f"H1: {unit} {sprt.elo1:g} or more (error rate about {100 * sprt.alpha:g}%).",
        f"Elo {found.elo:+z.1f}, 95% interval {found.low:+z.1f} to {found.high:+z.1f}; "
        f"normalised Elo {normalised_elo(tally):+z.1f}; likelihood of superiority {found.superiority:.1%}.",
    ]
