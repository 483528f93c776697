"""Small plans, and what must be the same in two runs of one of them."""

from typing import Any

from gridlock.arena.plan import Format, Plan, named_entrants
from gridlock.arena.referee import Conditions
from gridlock.arena.results import Result
from gridlock.core import rules

PATIENT = Conditions(seconds=0, margin=60)  # a busy machine forfeits no game
FIVE = ("random", "easy", "medium", "hard", "random")


def plan(format_: Format = Format.ROUND_ROBIN, agents: tuple[str, ...] = FIVE, **changes: Any) -> Plan:
    """Return a plan on two small boards."""
    boards = rules.variant("chain", "3x3"), rules.variant("showdown", "3x4")
    usual: dict[str, Any] = {"games": 2, "conditions": PATIENT, "seed": 5}
    rounds = {Format.SWISS: 3, Format.LADDER: 4}.get(format_, 1)
    return Plan(named_entrants(agents), boards, format=format_, **{"rounds": rounds, **usual, **changes})


def without_times(games: list[Result]) -> list[Result]:
    """Return games without the seconds that players took, which no seed decides."""
    return [{**game, "seconds": None} for game in games]
