"""Compare the engine's speed with that of another version of GridLock, board by board.

    git worktree add ../before main~10
    python3 -m venv ../before/.venv && ../before/.venv/bin/pip install ../before
    python -m bench.versions ../before/.venv/bin/python [--slow] [--rounds 9]

The two versions take turns, and each search runs in a separate process. The table shows the median processor time of
each version, and the median ratio of the current version's time to the other version's; a ratio below 1 means that the
current version is faster.
"""

import argparse
import json
import statistics
import subprocess
import sys

from bench.engine import BOARDS, SLOW

# The program solves one board with whichever version of GridLock is installed, and prints the verdict, the number of
# positions searched, and the processor time.
PROGRAM = """
import json, sys, time
from gridlock import variant
from gridlock.engine.solve import Solver
game, board, adjacency, openings, method = json.loads(sys.argv[1])
solver = Solver(variant(game, board, adjacency), method)
begin = time.process_time()
found = solver.solve(openings)
print(json.dumps([found.verdict, found.positions, time.process_time() - begin]))
"""


def solve(python: str, row: tuple[str, str, str, bool, str]) -> tuple[str, int, float]:
    """Solve a board with the version of GridLock that the given Python interpreter imports.

    Return the verdict, the number of positions searched, and the processor time in seconds.
    """
    command = [python, "-P", "-c", PROGRAM, json.dumps(row)]
    verdict, positions, seconds = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
    return verdict, positions, seconds


def compare(other: str, row: tuple[str, str, str, bool, str], rounds: int) -> None:
    """Print one line of the table."""
    game, board, adjacency, openings, method = row
    asked = ("every opening" if openings else "winner") + (", no mirrors" if method == "search" else "")
    pairs = [(solve(other, row), solve(sys.executable, row)) for _ in range(rounds)]
    before, now = pairs[-1]
    if before[0] != now[0]:
        sys.exit(f"{game} {board} {adjacency}: the other version says {before[0]!r}, and this one {now[0]!r}.")
    times = [statistics.median(pair[side][2] for pair in pairs) for side in (0, 1)]
    ratio = statistics.median(one[2] / two[2] for two, one in pairs)
    print(
        f"{f'{game} {board} {adjacency}':<28}{asked:<20}{before[1]:>13,}{now[1]:>13,}"
        f"{times[0]:>10.3f}{times[1]:>9.3f}{ratio:>8.2f}",
        flush=True,
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("python", help="the Python interpreter of an environment with the other version")
    parser.add_argument("--rounds", type=int, default=9, help="how often each board is solved (default 9)")
    parser.add_argument("--slow", action="store_true", help="also the boards that take minutes, once each")
    options = parser.parse_args()
    print(f"{'':<48}{'positions':>26}{'seconds':>19}")
    print(f"{'board':<28}{'asked':<20}{'before':>13}{'now':>13}{'before':>10}{'now':>9}{'ratio':>8}")
    for row in BOARDS:
        compare(options.python, row, options.rounds)
    for row in SLOW if options.slow else []:
        compare(options.python, row, 1)


if __name__ == "__main__":
    main()
