"""Report how hard a year's daily puzzles are on each weekday, or complete the file of daily puzzles.

    python -m bench.dailies                 365 puzzles, each tried by three of the computer's levels (a minute)
    python -m bench.dailies --make          write src/gridlock/play/dailies.txt (up to an hour if there is none yet)
    python -m bench.dailies --make --ledger FILE --cluster tcp://HOST:8786
                                            the same on a Dask cluster; FILE saves finished work, to resume from

--make keeps the puzzles that are already in the file, and searches for the missing ones. At each level, the computer
player fails a puzzle if it makes a losing move. The puzzle's opponent holds out for as long as possible.
"""

import argparse
import os
import statistics
from collections import Counter
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import NamedTuple

from gridlock import __version__
from gridlock.core.rulebook import RuleBook
from gridlock.core.rules import RULE_BOOKS
from gridlock.engine.clock import MEBIBYTE, Clock
from gridlock.engine.engine import Engine, engine_for
from gridlock.engine.evidence import Verdict
from gridlock.play.puzzle_making import DIGITS, candidate, plan_for
from gridlock.play.puzzle_sources import DAILIES, FIRST_MONDAY, WEEK, daily_game
from gridlock.play.puzzles import Puzzle, Solution, best_move, is_settled, solution
from gridlock.players import agents
from gridlock.units.ledger import Ledger
from gridlock.units.running import run_units

MEMORY = 64 * MEBIBYTE
LEVELS = ("easy", "medium", "hard")
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
# Each string stands for a week from Monday to Sunday, and each letter stands for the game of one day (see INITIALS).
# Every game appears every week. Keep-Away and Chain are left out on days that need harder puzzles than these two games
# yield.
SCHEDULE = ("KSTCHTS", "TKSHCSH", "THKCSHT", "KTSHCSH", "TCKSHTS", "TKCHSHT")
INITIALS = {"K": "keepaway", "C": "chain", "S": "scatter", "T": "trails", "H": "showdown"}
ROUNDS = 13  # repetitions of the schedule, which make a year and a half
FEWEST = 6  # legal moves
STEPS = range(3, 8)  # the number of decisions
REAL = 2  # the fewest decisions at which a wrong move is possible
TRIES = 500  # games in a batch
AT_ONCE = 4  # batches for each difficulty before missing puzzles are counted again


def is_daily(puzzle: Puzzle, solved: Solution) -> bool:
    """Return whether a puzzle is suitable as a daily puzzle."""
    real = sum(step.real for step in solved.steps)
    return puzzle.choices >= FEWEST and len(solved.steps) in STEPS and real >= REAL


# -- making them -----------------------------------------------------------------------------------------------------


def make(ledger: Ledger, cluster: str | None) -> None:
    """Write the file of daily puzzles, with one puzzle for each day of `ROUNDS` repetitions of the schedule."""
    days = [(day, INITIALS[one]) for week in SCHEDULE * ROUNDS for day, one in enumerate(week)]
    wanted = Counter(days)
    puzzles: dict[tuple[int, str], list[str]] = {}
    for name in INITIALS.values():
        need = {day: wanted[day, name] for day in range(len(WEEK)) if wanted[day, name]}
        found = _collect(RULE_BOOKS[name], need, ledger, cluster)
        for day, count in need.items():  # within a difficulty, easier puzzles come earlier in the week
            some, found[WEEK[day]] = found[WEEK[day]][:count], found[WEEK[day]][count:]
            Random(f"{name} {day}").shuffle(some)
            puzzles[day, name] = some
    DAILIES.write_text("".join(f"{puzzles[day].pop()}\n" for day in days), encoding="ascii")


def _collect(book: RuleBook, need: dict[int, int], ledger: Ledger, cluster: str | None) -> dict[int, list[str]]:
    """Return enough distinct puzzles of every difficulty, each as a line for the file, easiest first."""
    total: Counter[int] = Counter()
    for day, count in need.items():
        total[WEEK[day]] += count
    found: dict[int, dict[str, Made]] = {difficulty: {} for difficulty in total}  # by position
    _take(_known(book), found, total)
    batch = 0
    while short := [one for one in total if len(found[one]) < total[one]]:
        print(book.name, {one: f"{len(found[one])} of {total[one]}" for one in short}, flush=True)
        units = {
            f"{book.name} {one} {number}": Batch(book.name, one, number)
            for number in range(batch, batch + AT_ONCE)
            for one in short
        }
        run_units(tried, units, ledger, processes=os.cpu_count() or 1, cluster=cluster)
        for key in units:  # in a fixed order, so that it does not matter which unit was finished first
            _take([Made(*one) for one in ledger.done[key]], found, total)
        batch += AT_ONCE
    easiest_first = {one: sorted(some.values(), key=lambda made: made.score) for one, some in found.items()}
    return {one: [made.line for made in some] for one, some in easiest_first.items()}


def _take(made: list["Made"], found: dict[int, dict[str, "Made"]], total: Counter[int]) -> None:
    """Add new puzzles to those already found, but no more than are still needed."""
    for one in made:
        if len(found.get(one.difficulty, {})) < total[one.difficulty]:
            found[one.difficulty][one.position] = one


class Made(NamedTuple):
    """A puzzle: its difficulty and score, its position, and its line in the file."""

    difficulty: int
    score: float
    position: str
    line: str


class Batch(NamedTuple):
    """A batch of random games that is searched for puzzles of one difficulty."""

    game: str
    difficulty: int
    number: int


def tried(batch: Batch) -> list[Made]:
    """Return the daily puzzles found in a batch of random games."""
    plan = plan_for(RULE_BOOKS[batch.game], batch.difficulty)
    rng = Random(f"{batch.game} {batch.difficulty} {batch.number}")
    engine = Engine(plan.variant, MEMORY)  # a new engine, so that the result depends only on the batch
    made = [candidate(engine, rng, plan.level, FEWEST, Clock()) for _ in range(TRIES)]
    return [_made(*one) for one in made if one and is_daily(*one)]


def _made(puzzle: Puzzle, solved: Solution) -> Made:
    return Made(solved.difficulty, solved.score, puzzle.game.position_text(), _written(puzzle))


def _known(book: RuleBook) -> list[Made]:
    """Return the puzzles that the file already contains for a game."""
    known = []
    for number in range(len(DAILIES.read_text(encoding="ascii").splitlines()) if DAILIES.exists() else 0):
        game = daily_game(FIRST_MONDAY + timedelta(number))
        if game.variant.book is book:
            solved = solution(Engine(game.variant, MEMORY), game.position, Clock())
            assert solved is not None  # nothing stops the clock
            known.append(_made(Puzzle(game, (), solved.difficulty), solved))
    return known


def _written(puzzle: Puzzle) -> str:
    """Return the line of text that stores a puzzle in the file."""
    variant = puzzle.game.variant
    moves = "".join(DIGITS[move] for move in puzzle.game.moves)
    return f"{variant.book.name} {variant.grid} {variant.grid.adjacency.value} {moves}"


# -- measuring them --------------------------------------------------------------------------------------------------


class Measured(NamedTuple):
    """A daily puzzle's weekday and solution, and how often each level fails to solve it."""

    weekday: int
    solution: Solution
    failed: dict[str, float]


def measure(days: int, attempts: int) -> list[Measured]:
    """Measure the difficulty of the first `days` daily puzzles."""
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
    """Let the agent for a level try a puzzle once, and return whether the agent makes a losing move."""
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
    """Return a table of the mean results by weekday."""
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
    parser.add_argument("--ledger", type=Path, help="with --make: save finished batches in this file, to resume")
    parser.add_argument("--cluster", metavar="ADDRESS", help="with --make: work on a Dask cluster")
    wish = parser.parse_args()
    if wish.make:
        with Ledger(wish.ledger, {"dailies": __version__}) as ledger:
            make(ledger, wish.cluster)
    else:
        print("\n".join(table(measure(wish.days, wish.attempts))))


if __name__ == "__main__":
    main()
