"""The pairings of a tournament, in four formats: round robin, gauntlet, Swiss and ladder.

Agents are numbered in the order of the tournament's plan. A round of a Swiss tournament or a ladder depends only on
the seed and on the results of earlier rounds, so a resumed tournament makes the same pairings.
"""

from collections.abc import Sequence
from itertools import combinations
from random import Random
from typing import NamedTuple


class Encounter(NamedTuple):
    """Two agents who meet; in a Swiss tournament, an agent without an opponent meets BYE."""

    a: int
    b: int


BYE = -1


def round_robin(agents: int) -> list[Encounter]:
    """Pair every agent with every other agent."""
    return [Encounter(a, b) for a, b in combinations(range(agents), 2)]


def gauntlet(agents: int) -> list[Encounter]:
    """Pair the first agent with every other agent."""
    return [Encounter(0, other) for other in range(1, agents)]


def most_swiss_rounds(agents: int) -> int:
    """Return how many rounds can always be paired without any two agents meeting twice."""
    return (agents + 1) // 2


def swiss_round(points: Sequence[float], earlier: Sequence[Encounter], seed: int | str) -> list[Encounter]:
    """Pair agents that have similar scores and have not met; if the number of agents is odd, one gets a bye.

    No agent has met more than half of the others. If the last two agents have already met, some other pair can
    exchange partners with them, by the argument behind Dirac's theorem.
    """
    order = list(range(len(points)))
    Random(f"{seed}/swiss").shuffle(order)
    order.sort(key=lambda agent: -points[agent])  # ties stay in the random order
    order += [BYE] * (len(order) % 2)
    met = {frozenset(pair) for pair in earlier}
    left, pairs = order, list[Encounter]()
    while left:
        one, *others = left
        other = next((other for other in others if frozenset((one, other)) not in met), others[-1])
        pairs.append(Encounter(one, other))
        left = [agent for agent in others if agent != other]
    while again := next((pair for pair in pairs if frozenset(pair) in met), None):
        pairs = _without_repeat(pairs, again, met)
    return [Encounter(*sorted(pair, key=lambda agent: (agent == BYE, agent))) for pair in pairs]


def _without_repeat(pairs: list[Encounter], again: Encounter, met: set[frozenset[int]]) -> list[Encounter]:
    """Avoid a repeat pairing by exchanging partners with the lowest-ranked pair for which the exchange is possible."""
    for place in range(len(pairs) - 1, -1, -1):
        for one, other in (pairs[place], pairs[place][::-1]):
            new = Encounter(again.a, one), Encounter(again.b, other)
            if pairs[place] != again and not any(frozenset(pair) in met for pair in new):
                kept = [pair for pair in pairs if pair not in (again, pairs[place])]
                return [*kept, *new]
    raise AssertionError("a Swiss tournament has no more rounds than most_swiss_rounds")


def ladder_round(order: Sequence[int], number: int) -> list[Encounter]:
    """Pair neighbours on the ladder; the first round is number 0.

    In even-numbered rounds, 1 meets 2, 3 meets 4, and so on; in odd-numbered rounds, 2 meets 3, 4 meets 5, and so on.
    """
    return [Encounter(order[place], order[place + 1]) for place in range(number % 2, len(order) - 1, 2)]


def climbed(order: Sequence[int], round_: Sequence[Encounter], points: Sequence[tuple[float, float]]) -> list[int]:
    """Return the ladder after a round: every agent that beat the agent above it has moved up one place."""
    found = list(order)
    for (a, b), (above, below) in zip(round_, points, strict=True):
        if below > above:
            place = found.index(a)
            found[place : place + 2] = b, a
    return found
