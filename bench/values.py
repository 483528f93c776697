"""Measure how fast the search finds the values of empty boards and of positions from games between greedy players.

    python -m bench.values [--games N] [--seconds S] [--long] [--json FILE]

The small boards are also given to cgt-py and pycgt, if they are installed (`pip install cgt-py pycgt`). Each empty
board is evaluated with an empty store of known values. A greedy player maximises the number of their own legal moves
minus the number of the opponent's, with some random noise. All positions of a game between greedy players share one
store of known values. Times are measured as processor time, so a busy machine does not change how many positions get a
value.
"""

import argparse
import json
import random
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import gridlock as gl
from bench.engine import by_cgt_py, by_pycgt
from gridlock.core.grid import Adjacency, Grid, cells_of
from gridlock.core.rules import variant
from gridlock.engine import clock, snort_values
from gridlock.engine.clock import MEBIBYTE, Clock
from gridlock.engine.kernels.interpreted import plain
from gridlock.engine.kernels.value_kernel import ALL, SnortValues
from gridlock.engine.kernels.walls import heat
from gridlock.engine.regions import regions
from gridlock.engine.worth import Tier

MEMORY = 400 * MEBIBYTE
KING, ORTHOGONAL = Adjacency.KING, Adjacency.ORTHOGONAL
BOARDS = [
    (KING, 3, 4), (KING, 4, 4), (KING, 4, 5), (KING, 5, 5), (KING, 5, 6), (KING, 6, 6), (KING, 5, 7), (KING, 4, 8),
    (ORTHOGONAL, 3, 5), (ORTHOGONAL, 4, 4), (ORTHOGONAL, 3, 6), (ORTHOGONAL, 4, 5),
]  # fmt: skip
LONG_BOARDS = [(KING, 6, 7), (KING, 5, 8), (KING, 7, 7), (ORTHOGONAL, 3, 7), (ORTHOGONAL, 5, 5)]
UNCOMPILED = {
    KING: 36,
    ORTHOGONAL: 20,
}  # the largest boards, in cells, that are also evaluated without compiled kernels
# Other programs, each with the size (in cells) of the largest board on which it is timed; larger boards would take
# minutes.
PEERS = (("cgt-py", {KING: 20, ORTHOGONAL: 16}, by_cgt_py), ("pycgt", {KING: 12, ORTHOGONAL: 12}, by_pycgt))
GREEDY = {
    (KING, 5): 1.0, (KING, 6): 1.0, (KING, 7): 0.85, (KING, 8): 0.72, (ORTHOGONAL, 5): 0.88, (ORTHOGONAL, 6): 0.75,
    (ORTHOGONAL, 7): 0.6,
}  # the boards of greedy games, with the target share of positions that get a value  # fmt: skip


def whole(grid: Grid, rows: int, cols: int) -> int:
    """Return the cells of a board that lies in the corner of a larger board."""
    return sum(1 << row * grid.cols + col for row in range(rows) for col in range(cols))


def evaluated(kernel: Any, grid: Grid, rows: int, cols: int) -> tuple[Any, float]:
    """Return the value of an empty board (None if the kernel cannot find it) and the time taken."""
    cells = whole(grid, rows, cols)
    begin = time.process_time()
    value = kernel.value(cells, cells, lambda _steps: False)
    return value, time.process_time() - begin


def uncompiled_seconds(adjacency: Adjacency, rows: int, cols: int) -> str:
    """Return how many seconds plain Python takes to evaluate an empty board, or a dash if it would take too long."""
    if rows * cols > UNCOMPILED[adjacency]:
        return "-"
    grid = Grid(11, 11, adjacency)
    value, seconds = evaluated(plain("value_kernel").SnortValues(grid, MEMORY, ALL), grid, rows, cols)
    assert value is not None, "these boards are small"
    return f"{seconds:.2f}"


def our_seconds(adjacency: Adjacency, rows: int, cols: int) -> dict[str, Any]:
    """Return an empty board's temperature, the time needed to find its value, and the memory in use."""
    grid = Grid(11, 11, adjacency)
    kernel: Any = SnortValues(grid, MEMORY, ALL)
    value, seconds = evaluated(kernel, grid, rows, cols)
    if value is None:
        return {"seconds": seconds, "failure": kernel.failure}
    return {
        "seconds": seconds,
        "uncompiled": uncompiled_seconds(adjacency, rows, cols),
        "shapes": int(kernel.store.shapes),
        "MB": kernel.store.used / 1e6,
        "temperature": str(heat(kernel.store, value).temperature),
    }


def greedy_positions(adjacency: Adjacency, side: int, rng: random.Random) -> Iterator[gl.Game]:
    """Play a game with greedy but slightly random moves, and yield the game before each move."""
    game = gl.Game("showdown", (side, side), adjacency)
    while cells := cells_of(game.legal):
        yield game

        def room(cell: int) -> float:
            after = game.position.after(cell)
            legal = game.variant.legal
            return legal(after.passed()).bit_count() - legal(after).bit_count() + rng.random() * 3

        game.push(max(cells, key=room))


def greedy_share(adjacency: Adjacency, side: int, games: int, seconds: float) -> dict[str, float]:
    """Return the share of positions in which every region gets a value, counting only positions with a live region."""
    rng = random.Random(side)
    positions = exact = valued = 0
    for _ in range(games):
        snort_values._stored.cache_clear()  # so that each game has a new store
        for game in greedy_positions(adjacency, side, rng):
            with patch.object(clock, "time", SimpleNamespace(monotonic=time.process_time)):
                found = regions(game.variant, game.position, Clock(seconds)).regions
            positions += bool(found)
            exact += bool(found) and all(region.tier is Tier.EXACT for region in found)
            valued += bool(found) and all(region.tier in (Tier.EXACT, Tier.COOLED) for region in found)
    return {"positions": positions, "exact": exact / max(positions, 1), "valued": valued / max(positions, 1)}


def main() -> None:
    """Print a table for empty boards and a table for games between greedy players."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=5, help="greedy games for each board")
    parser.add_argument("--seconds", type=float, default=1.0, help="for each position of a greedy game")
    parser.add_argument("--long", action="store_true", help="the boards that take seconds, too")
    parser.add_argument("--json", type=Path, help="write the results to a file as well")
    options = parser.parse_args()
    results: dict[str, dict[str, Any]] = {}
    titles = f"{'seconds':>9}{'uncompiled':>12}{'shapes':>9}{'MB':>7}{'temp.':>7}{'cgt-py':>11}{'pycgt':>11}"
    print(f"{'empty board':<16}{titles}")
    for adjacency, rows, cols in BOARDS + (LONG_BOARDS if options.long else []):
        name = f"{adjacency} {rows}x{cols}"
        print(f"{name:<16}", end="", flush=True)
        row = results[name] = our_seconds(adjacency, rows, cols)
        if "failure" in row:
            print(f"{row['seconds']:>9.3f}  {row['failure']}")
            continue
        print(f"{row['seconds']:>9.3f}{row['uncompiled']:>12}", end="")
        print(f"{row['shapes']:>9,}{row['MB']:>7.0f}{row['temperature']:>7}", end="", flush=True)
        chosen = variant("showdown", (rows, cols), adjacency)
        for peer, cells, measure in PEERS:
            took = row[peer] = measure(chosen) if rows * cols <= cells[adjacency] else "-"
            print(f"{took:>11}", end="", flush=True)
        print()
    print(f"\n{'greedy games':<16}{'positions':>10}{'exact':>8}{'or cooled':>11}{'target':>9}")
    for (adjacency, side), target in GREEDY.items() if options.games else ():
        name = f"greedy {adjacency} {side}x{side}"
        share = results[name] = greedy_share(adjacency, side, options.games, options.seconds)
        shares = f"{share['exact']:>8.2f}{share['valued']:>11.2f}{target:>9.2f}"
        print(f"{name[7:]:<16}{share['positions']:>10}{shares}", flush=True)
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
