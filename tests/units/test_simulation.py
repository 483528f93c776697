"""Tests of the cluster simulation (`bench.cluster`) in cases whose results are easy to predict."""

import pytest
from bench.cluster import Costs, simulate

NOTHING = Costs(scheduler=0, client=0, deaths=0)


def test_without_costs_the_workers_never_wait_until_the_end():
    alone = simulate(1, 1.0, NOTHING)
    assert alone.efficiency == pytest.approx(1)
    many = simulate(20, 1.0, NOTHING, rounds=400)
    assert 0.95 < many.efficiency <= 1
    assert many.limit == "workers"


@pytest.mark.parametrize("busiest", ["scheduler", "client"])
def test_a_bottleneck_sets_the_pace(busiest):
    found = simulate(100, 0.1, NOTHING._replace(**{busiest: 0.01}))
    assert found.limit == busiest
    assert 5000 / found.seconds == pytest.approx(100, rel=0.05)  # units per second, one every 10 ms


def test_every_unit_is_done_though_workers_die():
    found = simulate(50, 10.0, Costs(deaths=20), rounds=20)
    assert found.repeated > 10
    assert found.efficiency < simulate(50, 10.0, Costs(deaths=0), rounds=20).efficiency


def test_the_same_seed_gives_the_same_run():
    assert simulate(20, 1.0, Costs(deaths=50)) == simulate(20, 1.0, Costs(deaths=50))
