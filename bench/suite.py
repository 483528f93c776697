"""Check every label in the suite by a method other than the one that produced it.

    python -m bench.suite [--file FILE] [--game GAME] [--grades N-M] [--count N] [--beyond POSITIONS]

Several methods are tried in order until one of them solves the problem. The solution is then compared with the label,
which consists of the winner and all winning moves. The first method is the reference solver, which tries every move.
The second method, for games that can be solved by pairing cells, uses the matching algorithm of networkx, which shares
no code with GridLock's matching algorithm. The third method is the distance search, which shares no code with the
searches that decide who wins. The fourth method is a search that decides who wins, with the strongest techniques left
out. The fifth method runs several searches that decide who wins, each with only one of the strongest techniques left
out. For each grade, the script prints how many labels each method has confirmed. The script also lists the problems
that no method could solve. The exit code is 1 if a method disagrees with a label.

With --beyond, the script checks the estimated grades instead: it raises the search limit, counts the positions that
each problem needs, and compares this count with the estimate.
"""

from __future__ import annotations

import argparse
from collections import Counter
from itertools import combinations, groupby
from pathlib import Path

import networkx as nx

from bench.reference import Result, results
from gridlock.arena.suite.grading import grade_of, search
from gridlock.arena.suite.problems import Problem, Suite, read_suite
from gridlock.core.grid import Cell, cells_of
from gridlock.core.shape import Follow
from gridlock.engine.engine import Engine
from gridlock.engine.evidence import Verdict
from gridlock.engine.kernels.interface import win_loss
from gridlock.engine.search import Distances

MEMORY = 256 << 20
MOST_REFERENCE = 20_000  # positions
MOST_COUNTED = 1_000_000  # positions of the search for distances
MOST_SEARCHED = 10_000_000  # positions of the search without all the strongest techniques
MOST_REPEATED = 50_000_000  # positions of each search without one of them
STRONGEST = ("MIRROR", "DOMINANCE", "PACKING", "REGIONS", "RACE")  # not every game's search has all of them


class TooMany(Exception):
    """The error raised when the reference solver reaches its maximum number of positions."""


class Limited(dict[tuple[int, int, Cell | None, Cell | None], Result]):
    """A cache of results that raises `TooMany` when it is full."""

    def __setitem__(self, key: tuple[int, int, Cell | None, Cell | None], value: Result) -> None:
        if len(self) >= MOST_REFERENCE:
            raise TooMany
        super().__setitem__(key, value)


def by_reference(problem: Problem) -> set[Cell] | None:
    """Find the winning moves by trying every move; return None if there are too many positions."""
    try:
        found = results(problem.game.variant, problem.game.position, Limited())
    except (TooMany, RecursionError):
        return None
    return {cell for cell, result in found.items() if result.win}


def by_matching(problem: Problem) -> set[Cell] | None:
    """Find the winning moves from the sizes of maximum matchings; return None if matchings do not decide the game.

    A move wins if and only if some maximum matching of the empty cells leaves out the cell played, so that the matching
    is also a maximum matching of the other empty cells.
    """
    variant, position = problem.game.variant, problem.game.position
    if variant.shape is None or not variant.shape.geography:
        return None
    near, follows_near = variant.grid.near, variant.shape.follows is Follow.NEAR
    empty = cells_of(variant.grid.cells & ~position.taken)
    graph = nx.Graph()
    graph.add_nodes_from(empty)
    graph.add_edges_from((a, b) for a, b in combinations(empty, 2) if (near[a] >> b & 1) == follows_near)
    largest = nx.max_weight_matching(graph, maxcardinality=True)
    left_out = set(empty).difference(*largest)
    winning = set()
    for cell in variant.legal_cells(position) if left_out else ():
        others = graph.subgraph(set(empty) - {cell})
        if cell in left_out or len(nx.max_weight_matching(others, maxcardinality=True)) == len(largest):
            winning.add(cell)
    return winning


def by_distances(problem: Problem) -> set[Cell] | None:
    """Find the winning moves with the distance search."""
    counter = Distances(problem.game.variant, MEMORY)
    found = counter.of_moves(problem.game.position, lambda _nodes: counter.nodes > MOST_COUNTED)
    return {cell for cell, distance in found.items() if distance > 0} if found else None


def by_other_techniques(problem: Problem) -> set[Cell] | None:
    """Find the winning moves with a search that uses none of the strongest techniques.

    Return None if the search is stopped before it finishes.
    """
    return _searched(problem, _strongest(problem), MOST_SEARCHED)


def by_one_technique_less(problem: Problem) -> set[Cell] | None:
    """Find the winning moves with several searches, each without one of the strongest techniques.

    Return None if one of the searches is stopped before it finishes. If the searches find different winning moves, exit
    with an error.
    """
    found = set()
    for name in _strongest(problem):
        winning = _searched(problem, [name], MOST_REPEATED)
        if winning is None:
            return None
        found.add(frozenset(winning))
    if len(found) > 1:
        raise SystemExit(f"{problem.name}: the searches without one technique disagree: {problem.line}")
    return set(found.pop()) if found else None


def _strongest(problem: Problem) -> list[str]:
    kind = win_loss(problem.game.variant.shape)
    return [name for name in STRONGEST if kind and name in kind.techniques]


def _searched(problem: Problem, without: list[str], most: int) -> set[Cell] | None:
    """Find the winning moves with a search that does not use the techniques in `without`.

    Return None if the search takes more than `most` positions, or if no kernel supports the game.
    """
    variant, position = problem.game.variant, problem.game.position
    kind = win_loss(variant.shape)
    if kind is None:
        return None
    engine = Engine(variant, MEMORY, without=without)
    winning = set()
    for cell in variant.legal_cells(position):
        sets, rows, cols = engine.search._sets(position.after(cell))
        verdict = kind.ask(engine.search.kernel(rows, cols), sets, lambda _nodes: engine.nodes > most)
        if verdict < 0:
            return None
        if not verdict:
            winning.add(cell)
    return winning


METHODS = {
    "reference": by_reference,
    "matching": by_matching,
    "distances": by_distances,
    "other techniques": by_other_techniques,
    "one technique less": by_one_technique_less,
}


def check(problem: Problem) -> tuple[str, bool]:
    """Return the method that solved a problem (or "not reached"), and whether the answer agrees with the label."""
    variant = problem.game.variant
    for name, method in METHODS.items():
        winning = method(problem)
        if winning is not None:
            winner = Verdict.of(bool(winning)).winner(problem.game.turn)
            return name, winner == problem.winner and set(map(variant.name, winning)) == set(problem.winning)
    return "not reached", True


def check_estimates(problems: list[Problem], limit: int) -> None:
    """Search the problems whose grades are estimates, and print how many positions each search needed."""
    found: dict[int, Counter[str]] = {}
    for problem in problems:
        searched = search(problem.game.variant, problem.game.position, limit)
        is_open = searched.verdict is Verdict.UNKNOWN
        grade = f"undecided after {limit:,}" if is_open else f"10^{grade_of(searched.positions)}"
        found.setdefault(problem.grade, Counter())[grade] += 1
        print(f"{problem.name}: estimate 10^{problem.grade}, {grade}, {searched.seconds:.1f} s", flush=True)
    for estimate, counts in sorted(found.items()):
        print(f"estimate 10^{estimate}: {', '.join(f'{grade}: {count}' for grade, count in sorted(counts.items()))}")


def main() -> None:
    """Check the labels, and print how many of them each method has confirmed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--file", type=Path)
    parser.add_argument("--game")
    parser.add_argument("--grades", default="0-99", metavar="N-M")
    parser.add_argument("--count", type=int, help="check this many problems of each game, spread over the grades")
    parser.add_argument(
        "--beyond", type=int, metavar="POSITIONS", help="check estimated grades, up to this many positions"
    )
    options = parser.parse_args()
    first, _, last = options.grades.partition("-")
    suite, grades = read_suite(options.file), range(int(first), int(last or first) + 1)
    games = [options.game] if options.game else suite.games
    if options.beyond:
        estimated = [one for one in suite.part(games, grades, None, True) if one.positions is None]
        check_estimates(Suite(tuple(estimated), {}).part(games, grades, options.count, True), options.beyond)
        return
    wrong = 0
    problems = [one for game in games for one in suite.part([game], grades, options.count, False)]
    for (game, grade), some in groupby(problems, key=lambda one: (one.book, one.grade)):
        counts: Counter[str] = Counter()
        for problem in some:
            method, agrees = check(problem)
            counts[method] += 1
            if not agrees:
                wrong += 1
                print(f"{problem.name}: {method} disagrees: {problem.line}", flush=True)
            elif method == "not reached":
                print(f"{problem.name}: not reached", flush=True)
        reached = [f"{name} {counts[name]}" for name in [*METHODS, "not reached"] if counts[name]]
        print(f"{game} 10^{grade}: {', '.join(reached)}", flush=True)
    print(f"{wrong} labels are wrong.")
    raise SystemExit(bool(wrong))


if __name__ == "__main__":
    main()
