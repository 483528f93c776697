"""Measure the daily puzzles of a year by weekday, or make the file of daily puzzles anew.

    python -m bench.dailies                 365 puzzles, each tried by three levels (a minute)
    python -m bench.dailies --make          write src/gridlock/play/dailies.txt (up to an hour if there is none yet)

Making it keeps the puzzles that the file has already, and looks for those that are missing.
A level fails a puzzle if one of its moves loses the win. The opponent holds out as long as possible.
"""

import argparse
import statistics
from collections import Counter
from datetime import timedelta
from random import Random
from typing import NamedTuple

from gridlock.core.rulebook import RuleBook
from gridlock.core.rules import RULE_BOOKS
from gridlock.engine.clock import MEBIBYTE, Clock
from gridlock.engine.engine import Engine, engine_for
from gridlock.engine.evidence import Verdict
from gridlock.play.puzzle_making import Plan, candidate, plan_for
from gridlock.play.puzzle_sources import DAILIES, DIGITS, FIRST_MONDAY, WEEK, daily_game
from gridlock.play.puzzles import Puzzle, Solution, best_move, is_settled, solution
from gridlock.players import agents

MEMORY = 64 * MEBIBYTE
LEVELS = ("easy", "medium", "hard")
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
# The games of six weeks, Monday to Sunday, by their initials (H is Showdown). Every game has its turn every week.
# Keep-Away and Chain have none on the days for which they yield no puzzles that are hard enough.
SCHEDULE = ("KSTCHTS", "TKSHCSH", "THKCSHT", "KTSHCSH", "TCKSHTS", "TKCHSHT")
INITIALS = {"K": "keepaway", "C": "chain", "S": "scatter", "T": "trails", "H": "showdown"}
ROUNDS = 13  # of the schedule: a year and a half
FEWEST = 6  # legal moves
STEPS = range(3, 8)  # the number of decisions
REAL = 2  # the fewest decisions that can go wrong
TRIES = 500  # games before another difficulty has its turn


def is_daily(puzzle: Puzzle, solved: Solution) -> bool:
    """Return whether a puzzle may be a daily one."""
    real = sum(step.real for step in solved.steps)
    return puzzle.choices >= FEWEST and len(solved.steps) in STEPS and real >= REAL


# -- making them -----------------------------------------------------------------------------------------------------


def make() -> None:
    """Write the file of daily puzzles, one for every day."""
    days = [(day, INITIALS[one]) for week in SCHEDULE * ROUNDS for day, one in enumerate(week)]
    wanted = Counter(days)
    puzzles: dict[tuple[int, str], list[str]] = {}
    for name in INITIALS.values():
        need = {day: wanted[day, name] for day in range(len(WEEK)) if wanted[day, name]}
        found = _collect(RULE_BOOKS[name], need)
        for day, count in need.items():  # the easier ones of a difficulty come earlier in the week
            some, found[WEEK[day]] = found[WEEK[day]][:count], found[WEEK[day]][count:]
            Random(f"{name} {day}").shuffle(some)
            puzzles[day, name] = [_written(puzzle) for _, puzzle in some]
    DAILIES.write_text("".join(f"{puzzles[day].pop()}\n" for day in days), encoding="ascii")


def _collect(book: RuleBook, need: dict[int, int]) -> dict[int, list[tuple[float, Puzzle]]]:
    """Return as many different puzzles of every difficulty as are needed, each with its score, the easiest first."""
    total: Counter[int] = Counter()
    for day, count in need.items():
        total[WEEK[day]] += count
    found: dict[int, dict[str, tuple[float, Puzzle]]] = {difficulty: {} for difficulty in total}
    for puzzle, solved in _known(book):
        if len(found.get(solved.difficulty, {})) < total[solved.difficulty]:
            found[solved.difficulty][puzzle.game.position_text()] = solved.score, puzzle
    tools = {one: (plan_for(book, one), Random(f"{book.name} {one}")) for one in total}
    engines = {plan: Engine(plan.variant, MEMORY) for plan, _ in tools.values()}
    while short := [one for one in total if len(found[one]) < total[one]]:
        print(book.name, {one: f"{len(found[one])} of {total[one]}" for one in short}, flush=True)
        for plan, rng in map(tools.__getitem__, short):
            for puzzle, solved in _tried(plan, engines[plan], rng):
                some = found.get(puzzle.difficulty, {})
                if len(some) < total[puzzle.difficulty]:
                    some[puzzle.game.position_text()] = solved.score, puzzle
    return {one: sorted(some.values(), key=lambda pair: pair[0]) for one, some in found.items()}


def _known(book: RuleBook) -> list[tuple[Puzzle, Solution]]:
    """Return the puzzles of a game that the file has already."""
    known = []
    for number in range(len(DAILIES.read_text(encoding="ascii").splitlines()) if DAILIES.exists() else 0):
        game = daily_game(FIRST_MONDAY + timedelta(number))
        if game.variant.book is book:
            solved = solution(Engine(game.variant, MEMORY), game.position, Clock())
            assert solved is not None  # nothing stops the clock
            known.append((Puzzle(game, (), solved.difficulty), solved))
    return known


def _tried(plan: Plan, engine: Engine, rng: Random) -> list[tuple[Puzzle, Solution]]:
    """Return the daily puzzles of some random games."""
    made = [candidate(engine, rng, plan.level, FEWEST, Clock()) for _ in range(TRIES)]
    return [one for one in made if one and is_daily(*one)]


def _written(puzzle: Puzzle) -> str:
    """Return the line of a puzzle in the file."""
    variant = puzzle.game.variant
    moves = "".join(DIGITS[move] for move in puzzle.game.moves)
    return f"{variant.book.name} {variant.grid} {variant.grid.adjacency.value} {moves}"


# -- measuring them --------------------------------------------------------------------------------------------------


class Measured(NamedTuple):
    """A daily puzzle's game and solution, and the share of attempts that each level fails."""

    weekday: int
    solution: Solution
    failed: dict[str, float]


def measure(days: int, attempts: int) -> list[Measured]:
    """Measure the first puzzles of the file."""
    found = []
    for number in range(days):
        game = daily_game(FIRST_MONDAY + timedelta(number))
        engine = engine_for(game.variant)
        solved = solution(engine, game.position, Clock())
        assert solved is not None  # nothing stops the clock
        puzzle = Puzzle(game, (), solved.difficulty)
        failed = {
            level: sum(_fails(puzzle, level, Random(f"{number} {one}")) for one in range(attempts)) / attempts
            for level in LEVELS
        }
        found.append(Measured(number % len(WEEK), solved, failed))
    return found


def _fails(puzzle: Puzzle, level: str, rng: Random) -> bool:
    """Return whether a level loses the win in one attempt."""
    game, engine = puzzle.game.copy(), engine_for(puzzle.game.variant)
    while True:
        cell = agents[level](game, rng, 1.0)
        after = game.position.after(cell)
        if engine.verdict(after, Clock()) is Verdict.WIN:
            return True
        if is_settled(game.variant, after):
            return False
        reply = best_move(engine, after, Clock())
        assert reply is not None  # nothing stops the clock
        game.push(cell)
        game.push(reply)


def table(found: list[Measured]) -> list[str]:
    """Return the means by weekday."""
    lines = [
        "| | difficulty | score | legal moves | winning | decisions | plies | easy | medium | hard |",
        "|---|" + "---|" * 9,
    ]
    for weekday, name in enumerate(WEEKDAYS):
        some = [one for one in found if one.weekday == weekday]
        steps = [step for one in some for step in one.solution.steps]
        failed = [statistics.mean(one.failed[level] for one in some) for level in LEVELS]
        cells = [
            str(WEEK[weekday]),
            f"{statistics.mean(one.solution.score for one in some):.1f}",
            f"{statistics.mean(one.solution.steps[0].choices for one in some):.1f}",
            f"{statistics.mean(step.winning / step.choices for step in steps):.0%}",
            f"{statistics.mean(len(one.solution.steps) for one in some):.1f}",
            f"{statistics.mean(one.solution.steps[0].distance for one in some):.1f}",
            *(f"{share:.0%}" for share in failed),
        ]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return lines


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--make", action="store_true", help="write the file of daily puzzles")
    parser.add_argument("--days", type=int, default=365, help="puzzles to measure (365)")
    parser.add_argument("--attempts", type=int, default=10, help="attempts of each level at each puzzle (10)")
    wish = parser.parse_args()
    if wish.make:
        make()
    else:
        print("\n".join(table(measure(wish.days, wish.attempts))))


if __name__ == "__main__":
    main()
