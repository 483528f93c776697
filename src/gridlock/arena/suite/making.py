"""Make a suite by taking problems from random games until every grade has enough.

The random games are numbered, and problems are taken from them in numerical order. Apart from the measured times, the
contents of a suite therefore depend only on its settings (such as the seed) and on the engine's version, not on the
number of processes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from gridlock import __version__
from gridlock.arena.openings import canonical
from gridlock.arena.suite.grading import MOST_WINNING, OPEN_GRADES, Candidate, grade_of, problems
from gridlock.arena.suite.problems import Problem, Suite, read_problem
from gridlock.units.ledger import Ledger
from gridlock.units.running import run_units

ROUND = 4  # random games between two checks for missing problems
PATIENCE = 8  # rounds without a new problem of a grade before spare problems fill the gaps
HARD = (0.16, 0.04)  # the share of the problems for each of the two hardest grades that our search decides
BEYOND = 0.02  # the share of the problems for each grade that is too hard for our search
ENOUGH = 1.5  # times a hard grade's share: how many problems to find at most in order to balance winners and turns

Sort = tuple[int, int | None, int]  # a problem's grade, its winner, and whose turn it is


class Quota:
    """The number of problems wanted for each grade, and the problems found so far."""

    def __init__(self, count: int, nodes: int) -> None:
        grades = grade_of(nodes)
        self._easy = grades - len(HARD)
        hard = [*HARD, *[BEYOND] * OPEN_GRADES]
        shares = {grade: round(count * share) for grade, share in enumerate(hard, self._easy)}
        rest = count - sum(shares.values())
        self.shares = {grade: (rest + grade) // self._easy for grade in range(self._easy)} | shares
        self.problems: list[Problem] = []
        self._seen: set[object] = set()
        self._spare: list[Problem] = []  # problems of sorts that already have enough
        self._found: Counter[int] = Counter()  # the number of problems of each grade, including spare ones

    def take(self, found: Iterable[Problem]) -> None:
        """Select the problems that are needed, and keep the others as spares."""
        for problem in found:
            variant = problem.game.variant
            key = variant, canonical(variant, problem.game.position)
            if key in self._seen or problem.grade not in self.shares:
                continue
            self._seen.add(key)
            is_test = len(problem.winning) <= MOST_WINNING * problem.game.legal.bit_count()
            self._found[problem.grade] += is_test
            is_wanted = is_test and self._lacks(problem) and self.missing(problem.grade) > 0
            (self.problems if is_wanted else self._spare).append(problem)

    def missing(self, grade: int) -> int:
        """Return how many problems of a grade are still missing."""
        return self.shares[grade] - sum(problem.grade == grade for problem in self.problems)

    @property
    def wanted(self) -> list[int]:
        """The grades of difficulty for which the suite still needs problems.

        The search for problems in a hard grade ends once it has found enough problems, including spares.
        """
        return [
            grade
            for grade, share in self.shares.items()
            if self.missing(grade) > 0 and (grade < self._easy or self._found[grade] < ENOUGH * share)
        ]

    def fill(self) -> None:
        """Fill gaps in the suite with spare problems.

        First, if a combination of grade, winner and player to move has too few problems, add spare problems of that
        kind. Then add any other spare problems to grades that have too few problems. If the suite is still too small,
        add the hardest of the remaining spare problems.
        """
        for wanted in (self._lacks, lambda _problem: True):
            for problem in [*self._spare]:
                if self.missing(problem.grade) > 0 and wanted(problem):
                    self._spare.remove(problem)
                    self.problems.append(problem)
        self._spare.sort(key=lambda problem: -problem.grade)
        self.problems += self._spare[: sum(self.shares.values()) - len(self.problems)]

    def _lacks(self, problem: Problem) -> bool:
        """Return whether the suite needs more problems with this problem's grade, winner and player to move."""
        return self._count(problem) < self._most(problem)

    def _most(self, problem: Problem) -> int:
        """Return how many problems in a balanced suite share this problem's grade, winner and player to move."""
        sorts = [(winner, turn) for winner in (1, 2) for turn in (1, 2)]
        if problem.is_open:
            sorts = [(None, turn) for turn in (1, 2)]  # type: ignore[misc]
        at = sorts.index((problem.winner, problem.game.turn))  # type: ignore[arg-type]
        return (self.shares[problem.grade] + len(sorts) - 1 - at) // len(sorts)

    def _count(self, problem: Problem) -> int:
        sort = _sort(problem)
        return sum(_sort(one) == sort for one in self.problems)


def _sort(problem: Problem) -> Sort:
    return problem.grade, problem.winner, problem.game.turn


def make(
    games: list[str],
    count: int,
    nodes: int,
    seed: int,
    *,
    ledger: Path | None = None,
    processes: int = 1,
    stopped: Callable[[], bool] | None = None,
    report: Callable[[str], None] = lambda _words: None,
) -> Suite | None:
    """Make or finish a suite with `count` problems per game; return None if `stopped` ends the work early.

    `nodes`, a power of ten, is the maximum number of positions per search. If `processes` is 0, this process does all
    the work.
    """
    made = {"version": __version__, "seed": seed, "nodes": nodes, "count": count}
    with Ledger(ledger, {"suite": made}) as done:
        everything: list[Problem] = []
        for game in games:
            quota = Quota(count, nodes)
            for candidates in _rounds(quota, game, seed, nodes):
                units = {f"{one.game}-{one.number}": one for one in candidates}
                if not run_units(problems, units, done, processes=processes, stopped=stopped):
                    return None
                for key in units:
                    quota.take(read_problem(" ".join(row)) for row in done.done[key])
                report(f"{game}: {len(quota.problems)} of {count} problems")
            quota.fill()
            everything += sorted(quota.problems, key=lambda one: (one.grade, _number(one)))
    return Suite(tuple(everything), made)


def _number(problem: Problem) -> list[int]:
    return list(map(int, problem.name.split("-")[-2:]))


def _rounds(quota: Quota, game: str, seed: int, nodes: int) -> Iterator[list[Candidate]]:
    """Yield each round's random games until every grade is complete or has stopped gaining problems."""
    idle, number = dict.fromkeys(quota.shares, 0), 0
    while wanted := [grade for grade in quota.wanted if idle[grade] < PATIENCE]:
        before = {grade: quota.missing(grade) for grade in wanted}
        yield [Candidate(game, seed, number + one, nodes, tuple(wanted)) for one in range(ROUND)]
        number += ROUND
        for grade in wanted:
            idle[grade] = idle[grade] + 1 if quota.missing(grade) == before[grade] else 0
