"""Play the perfect level against its earlier version, in paired games on boards where little can be proved.

python -m bench.strength [--games 100] [--game showdown] [--board 11x11] [--adjacency king] [--think 0.2]

The earlier version is `bench.flat`, which ranks the moves by playing random games, and then goes down the ranking until
it can prove that a move wins. The two players use separate engines and get the same amount of processor time per move,
so a busy machine favours neither player. Every random opening is played twice, with the sides exchanged.
A player who wins both games of a pair is the stronger one; if the opening alone decides the games, the pair is split.
"""

import argparse
import multiprocessing
import time
from functools import lru_cache
from random import Random

from bench import flat
from bench.levels import opening
from gridlock import RULE_BOOKS, variant
from gridlock.core.game import Game
from gridlock.core.rulebook import Variant
from gridlock.engine import choice
from gridlock.engine.clock import MEBIBYTE, Clock
from gridlock.engine.engine import Engine

BOARDS = (("showdown", "11x11", "king"), ("scatter", "11x11", "king"), ("trails", "15x15", "orthogonal"))
CHOOSE = choice.choose, flat.choose
Job = tuple[tuple[str, str, str], int, float]


def by_processor_time() -> None:
    """Make all clocks in this process measure processor time."""
    time.monotonic = time.process_time


@lru_cache(maxsize=1)
def engines(chosen: Variant) -> tuple[Engine, Engine]:
    """Create one engine per contender, so that neither contender benefits from the other's proofs."""
    return Engine(chosen, 64 * MEBIBYTE), Engine(chosen, 64 * MEBIBYTE)


def winner(chosen: Variant, moves: list[int], contenders: tuple[int, int], seed: str, think: float) -> int:
    """Play a game to the end and return the winning contender."""
    played = Game(chosen)
    for move in moves:
        played.push(move)
    while not (outcome := played.outcome):
        mover = contenders[played.turn - 1]
        rng = Random(f"{seed}/{len(played.moves)}")
        played.push(CHOOSE[mover](engines(chosen)[mover], played.position, Clock(think), rng))
    return contenders[outcome.winner - 1]


def points(job: Job) -> int:
    """Play a pair of games and return how many of them the perfect level wins."""
    board, number, think = job
    chosen = variant(*board)
    moves = opening(chosen, Random(f"{chosen.book.name}/{number}"), False)
    return sum(winner(chosen, moves, order, f"{number}/{order}", think) == 0 for order in ((0, 1), (1, 0)))


def main() -> None:
    """Print a row for each board."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100, help="games on each board")
    parser.add_argument("--game", choices=list(RULE_BOOKS))
    parser.add_argument("--board", help="rows x columns, for --game")
    parser.add_argument("--adjacency", choices=["king", "orthogonal"])
    parser.add_argument("--think", type=float, default=0.2, help="seconds of processor time a move")
    options = parser.parse_args()
    boards = [
        (game, options.board or board, options.adjacency or adjacency)
        for game, board, adjacency in BOARDS
        if options.game in (None, game)
    ]
    print(f"{'':<28}{'won':>6}{'pairs won':>12}{'split':>8}{'lost':>8}")
    with multiprocessing.get_context("spawn").Pool(initializer=by_processor_time) as pool:
        for board in boards:
            print(f"{' '.join(board):<28}", end="", flush=True)
            jobs = [(board, number, options.think) for number in range(options.games // 2)]
            results = list(pool.imap_unordered(points, jobs))
            counts = "".join(f"{results.count(won):>{width}}" for won, width in ((2, 12), (1, 8), (0, 8)))
            print(f"{sum(results) / (2 * len(results)):>6.0%}{counts}", flush=True)


if __name__ == "__main__":
    main()
