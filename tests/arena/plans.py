"""Small tournament plans, and their results without the parts that differ from run to run."""

from typing import Any

from gridlock.arena.plan import Format, Plan, named_entrants
from gridlock.arena.referee import Conditions
from gridlock.arena.results import Result
from gridlock.core import rules

PATIENT = Conditions(seconds=0, margin=60)  # so generous that no game is forfeited on a busy machine
FIVE = ("random", "easy", "medium", "hard", "random")


def plan(format_: Format = Format.ROUND_ROBIN, agents: tuple[str, ...] = FIVE, **changes: Any) -> Plan:
    """Return a plan for a tournament on two small boards."""
    boards = rules.variant("chain", "3x3"), rules.variant("showdown", "3x4")
    usual: dict[str, Any] = {"games": 2, "conditions": PATIENT, "seed": 5}
    rounds = {Format.SWISS: 3, Format.LADDER: 4}.get(format_, 1)
    return Plan(named_entrants(agents), boards, format=format_, **{"rounds": rounds, **usual, **changes})


def without_times(games: list[Result]) -> list[Result]:
    """Return games without the players' thinking times, which differ between runs with the same seed."""
    return [{**game, "seconds": None} for game in games]
