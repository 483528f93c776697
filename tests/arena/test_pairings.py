"""Tests of pairings: no two players meet twice in a Swiss tournament, and neighbours meet on a ladder."""

from collections import Counter
from itertools import combinations, pairwise
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from gridlock.arena.pairings import (
    BYE,
    Encounter,
    climbed,
    gauntlet,
    ladder_round,
    most_swiss_rounds,
    round_robin,
    swiss_round,
)


@given(st.integers(2, 12))
def test_in_a_round_robin_every_two_agents_meet_once(agents: int) -> None:
    assert sorted(round_robin(agents)) == list(combinations(range(agents), 2))


@given(st.integers(2, 12))
def test_in_a_gauntlet_the_first_agent_meets_every_other(agents: int) -> None:
    assert gauntlet(agents) == [(0, other) for other in range(1, agents)]


@given(agents=st.integers(2, 24), seed=st.integers(0, 1_000_000))
def test_in_a_swiss_tournament_nobody_meets_twice_whatever_the_results(agents: int, seed: int) -> None:
    rng, points, earlier = Random(seed), [0.0] * agents, list[Encounter]()
    for number in range(most_swiss_rounds(agents)):
        encounters = swiss_round(points, earlier, f"{seed}/{number}")
        assert encounters == swiss_round(points, earlier, f"{seed}/{number}")
        assert sorted(agent for pair in encounters for agent in pair if agent != BYE) == list(range(agents))
        assert sum(BYE in pair for pair in encounters) == agents % 2
        earlier += encounters
        assert len({frozenset(pair) for pair in earlier}) == len(earlier)  # a second bye counts as meeting again
        for a, b in encounters:
            won = rng.choice((0, 1, 2)) if b != BYE else 2
            points[a] += won
            if b != BYE:
                points[b] += 2 - won


def test_a_swiss_round_pairs_agents_with_the_same_points() -> None:
    points = [3.0, 0.0, 3.0, 1.0, 0.0, 1.0]
    assert {frozenset(pair) for pair in swiss_round(points, [], 1)} == {
        frozenset(pair) for pair in ((0, 2), (3, 5), (1, 4))
    }


@given(agents=st.integers(3, 12), rounds=st.integers(1, 12), seed=st.integers(0, 1_000_000))
def test_on_a_ladder_neighbours_meet_and_nobody_twice_in_a_row(agents: int, rounds: int, seed: int) -> None:
    rng, order, before = Random(seed), list(range(agents)), set[frozenset[int]]()
    for number in range(rounds):
        encounters = ladder_round(order, number)
        assert all(pair in list(pairwise(order)) for pair in encounters)
        assert max(Counter(agent for pair in encounters for agent in pair).values()) == 1
        assert not before & {frozenset(pair) for pair in encounters}
        before = {frozenset(pair) for pair in encounters}
        scores = [(2.0 - won, float(won)) for won in (rng.choice((0, 1, 2)) for _ in encounters)]
        new = climbed(order, encounters, scores)
        assert sorted(new) == sorted(order)
        for (a, b), (above, below) in zip(encounters, scores, strict=True):
            assert (new.index(b) < new.index(a)) == (below > above)
        order = new


def test_the_stronger_agent_climbs_to_the_top() -> None:
    order = [0, 1, 2, 3]  # player 3 is the strongest
    for number in range(8):
        encounters = ladder_round(order, number)
        order = climbed(order, encounters, [(float(a > b), float(b > a)) for a, b in encounters])
    assert order == [3, 2, 1, 0]
