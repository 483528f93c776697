"""Measure how many games per second the referee plays between agents that take no time to think.

    python -m bench.arena [--seconds 1]

Each column gives the number of games played per second of processor time:

- bare: random moves on a `Game` without a referee, which is the least that a game costs;
- referee: two players that move at random, with seeds, clocks and checks;
- ledger: the same games in pairs on a ledger in memory, as in a match; the target is 500;
- judged: the same pairs, with the engine judging the moves that are quick to judge (the default in a match);
- levels: `easy` against `medium`, judged, as an example of agents that do think.

Each rate is the best of five tries. The time per move is 0, so `medium` has no time to prove anything difficult.
"""

import argparse
import platform
import random
import time
from collections.abc import Callable
from itertools import count

from gridlock import RULE_BOOKS, Game, Variant, cells_of, variant
from gridlock.arena.plan import Plan, named_entrants
from gridlock.arena.referee import Conditions, play
from gridlock.arena.tournament import Tournament
from gridlock.players import agents

TRIES = 5
TARGET = 500
PATIENT = 60.0  # seconds that a move may be late, so that no game is forfeited on a busy machine
Work = Callable[[], int]  # plays some games and returns how many


def bare(chosen: Variant) -> Work:
    """Play random games without any referee."""
    rng = random.Random(1)

    def work() -> int:
        game = Game(chosen)
        while not game.outcome:
            game.push(rng.choice(cells_of(game.legal)))
        return 1

    return work


def refereed(chosen: Variant) -> Work:
    """Play games between two random agents, supervised by the referee."""
    players, seeds = (agents.start("random"), agents.start("random")), count()
    conditions = Conditions(seconds=0.0, margin=PATIENT)

    def work() -> int:
        play(chosen, (), players, conditions, next(seeds))
        return 1

    return work


def matched(chosen: Variant, names: tuple[str, str], judge: bool | None, games: int = 100) -> Work:
    """Play matches, recorded in a ledger; the openings are drawn once and reused."""
    conditions = Conditions(seconds=0.0, margin=PATIENT, judge=judge)
    drawn: dict[str, object] = {}

    def work() -> int:
        plan = Plan(named_entrants(names), (chosen,), games, conditions=conditions)
        with Tournament(plan) as tournament:
            tournament.ledger.done.update(drawn)
            tournament.run(processes=0)
            drawn["openings/0"] = tournament.ledger.done["openings/0"]
            return tournament.finished

    return work


def rate(work: Work, seconds: float) -> float:
    """Return the number of games per second of processor time."""
    games, begin = 0, time.process_time()
    while (spent := time.process_time() - begin) < seconds:
        games += work()
    return games / spent


def main() -> None:
    """Print a row for every game."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=1.0, help="for each figure (default 1)")
    options = parser.parse_args()
    columns = ("bare", "referee", "ledger", "judged", "levels")
    print(f"CPython {platform.python_version()}, games per second and core (target {TARGET})\n")
    print(f"{'':<20}" + "".join(f"{name:>10}" for name in columns))
    for name in RULE_BOOKS:
        chosen = variant(name)
        works = [
            bare(chosen),
            refereed(chosen),
            matched(chosen, ("random", "random"), judge=False),
            matched(chosen, ("random", "random"), judge=None),
            matched(chosen, ("easy", "medium"), judge=None),
        ]
        for work in works:
            work()  # warms up
        best = [max(rate(work, options.seconds / TRIES) for _ in range(TRIES)) for work in works]
        print(f"{name + ' ' + str(chosen.grid):<20}" + "".join(f"{one:>10,.0f}" for one in best), flush=True)


if __name__ == "__main__":
    main()
