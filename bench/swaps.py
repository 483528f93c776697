"""Measure how well random games and tree search predict whether a first move wins.

python -m bench.swaps [--think 0.05]

With the swap rule, the second player can take over a winning first move, so the first player should choose a move that
is hard to judge. If no proof is found in time, random games or tree search must predict the winner. The boards in this
benchmark can be solved, so the correct answer is known for every first move.
"""

import argparse
import time
from random import Random

from gridlock import variant
from gridlock.engine.choice import GAMES, TWIGS, _grown, estimate, grow
from gridlock.engine.clock import Clock
from gridlock.engine.engine import Engine
from gridlock.engine.evidence import Verdict

BOARDS = (
    ("showdown", "7x7", "king"),
    ("showdown", "8x8", "king"),
    ("showdown", "9x9", "king"),
    ("showdown", "5x6", "orthogonal"),
    ("showdown", "6x7", "orthogonal"),
    ("scatter", "7x7", "king"),
    ("scatter", "5x7", "orthogonal"),
)


def main() -> None:
    """Print a row for each board: the number of first moves, how many of them win, and each method's accuracy."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--think", type=float, default=0.05, help="seconds of processor time for a tree")
    options = parser.parse_args()
    time.monotonic = time.process_time
    print(f"{'':<26}{'moves':>6}{'win':>6}{'random games':>15}{'small tree':>13}{'tree':>8}")
    for board in BOARDS:
        chosen = variant(*board)
        engine, start, rng = Engine(chosen), chosen.start(), Random(1)
        wins, right = [], [0, 0, 0]
        for cell in chosen.legal_cells(start):
            after = start.after(cell)
            wins.append(engine.verdict(after, Clock()) is Verdict.LOSS)
            small, large = _grown(chosen, after, TWIGS, Clock()), grow(chosen, after, Clock(2 * options.think))
            assert small is not None
            assert large is not None
            replies = max(estimate(engine, after, GAMES, rng).values()), small.chance, large.chance
            for index, chance in enumerate(replies):
                right[index] += (chance < 0.5) == wins[-1]
        shares = "".join(f"{one / len(wins):>{width}.0%}" for one, width in zip(right, (15, 13, 8), strict=True))
        print(f"{' '.join(board):<26}{len(wins):>6}{sum(wins):>6}{shares}", flush=True)


if __name__ == "__main__":
    main()
