"""Fit the weights of the function that evaluates scatter positions to exact values of positions on small boards.

python -m bench.outlook [--positions 1000] [--adjacency king]

The positions come from games that mix random moves with moves chosen by small tree searches. To find a position's
value, the script gives one player extra moves and asks the search who wins. An isolated extra cell that only one player
can take gives that player a whole move. Two adjacent extra cells, one of which is open to both players, together give
half a move. The script then prints the weights that fit the values best (least squares), how well they fit other
positions, and how a lead affects the chance of winning (logistic regression). The figures in docs/engine/tree.md come
from a run of this script.
"""

import argparse
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np

from gridlock import variant
from gridlock.core.grid import Bitboard, Grid, cells_of, set_of
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.engine.clock import Clock
from gridlock.engine.kernels.col_kernel import ALL, ColSearch
from gridlock.engine.kernels.interface import state_of, tree
from gridlock.engine.kernels.outlook_kernel import Outlook

BOARDS = {"king": (("7x7", 1, 14), ("7x9", 5, 18), ("8x8", 6, 18)), "orthogonal": (("5x6", 1, 12), ("6x6", 4, 14))}
MEMORY = 1 << 27
PATIENCE = 1.0  # seconds per position


def positions(chosen: Variant, shortest: int, longest: int, rng: Random) -> Iterator[Position]:
    """Yield typical positions, some of them lopsided."""
    grown = tree(chosen, 1 << 20)
    assert grown is not None
    while True:
        position = chosen.start()
        for number in range(rng.randint(shortest, longest)):
            if not (cells := chosen.legal_cells(position)):
                break
            cell = rng.choice(cells)
            if number > 2 and rng.random() < 0.9:
                simulations = rng.choice((50, 100, 300))
                moves = grown.search(*state_of(position), simulations, lambda _: False)
                cell = rng.choices([move[0] for move in moves], [move[1] ** 2 + 0.01 for move in moves])[0]
            position = position.after(cell)
        if chosen.legal(position):
            yield position


class Values:
    """Finds exact values by searching a wider board, on which extra cells give a player extra moves."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self.wide = Grid(grid.rows, 128 // grid.rows, grid.adjacency)
        self.search = ColSearch(self.wide, MEMORY, ALL)
        self.spots = [
            (row, col) for row in range(0, grid.rows - 1, 3) for col in range(grid.cols + 1, self.wide.cols, 2)
        ]

    def of(self, p: Bitboard, q: Bitboard, clock: Clock) -> tuple[float, bool]:
        """Return the value for the player who may take the cells p, and whether that player wins when moving first."""
        p, q = self._widened(p), self._widened(q)
        first, second = self._halves(p, q, clock), self._halves(q, p, clock)
        return (first - second) / 4, first > 0

    def _halves(self, p: Bitboard, q: Bitboard, clock: Clock) -> int:
        """Return the smallest bonus for the opponent, in units of half a move, that makes the player to move lose."""
        wins, loses = -2 * len(self.spots) + 2, 2 * len(self.spots) - 2
        guess = max(wins + 1, min(loses - 1, (p.bit_count() - q.bit_count()) // 4))
        while loses - wins > 1:
            if self._won(p, q, guess, clock):
                wins = guess
            else:
                loses = guess
            guess = max(wins + 1, min(loses - 1, guess + (2 if wins == guess else -2)))
        return loses

    def _won(self, p: Bitboard, q: Bitboard, halves: int, clock: Clock) -> bool:
        given, shared = 0, 0
        for index in range((abs(halves) + 1) // 2):
            row, col = self.spots[index]
            given |= 1 << row * self.wide.cols + col
            if 2 * index + 1 == abs(halves):  # half a move is two cells, the first of which is open to both players
                given |= 1 << (row + 1) * self.wide.cols + col
                shared |= 1 << row * self.wide.cols + col
        p, q = (p | shared, q | given) if halves > 0 else (p | given, q | shared)
        won = self.search.solve(p, q, clock)
        if won < 0:
            raise TimeoutError
        return bool(won)

    def _widened(self, cells: Bitboard) -> Bitboard:
        cols = self.grid.cols
        return set_of(cell // cols * self.wide.cols + cell % cols for cell in cells_of(cells))


def sample(board: str, adjacency: str, shortest: int, longest: int, count: int) -> Iterator[list[float]]:
    """Yield a list of numbers for each position.

    The numbers show the position's value, whether the player to move wins, how much more space that player has than the
    opponent, and the four parts of the estimate. The parts of the estimate are the values of small regions, the bounds
    on how many markers fit, the mover's lead in space over the opponent, and the cost of having to move.
    """
    chosen = variant("scatter", board, adjacency)
    assert chosen.shape is not None
    values, outlook, rng = Values(chosen.grid), Outlook(chosen.grid, 1 << 22), Random(board)
    drawn = positions(chosen, shortest, longest, rng)
    while count:
        p, q = chosen.shape.open_to_both(chosen.grid, next(drawn))
        try:
            value, won = values.of(p, q, Clock(PATIENCE))
        except TimeoutError:
            continue
        parts = []
        for outlook.packed, outlook.roomy, outlook.turn in ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)):
            parts.append(outlook.of(p, q)[0])
        known = parts[0]
        everything = room(chosen.grid, p, q) - room(chosen.grid, q, p)
        yield [value, won, everything, known, *(part - known for part in parts[1:])]
        count -= 1


def room(grid: Grid, p: Bitboard, q: Bitboard) -> float:
    """Estimate a player's room as the tree search does by default; a cell counts less if many moves can close it."""
    takers = ((grid.around(1 << cell) & p & ~(1 << cell)).bit_count() + (q >> cell & 1) for cell in cells_of(p))
    return float(sum((1 + number) ** -0.5 for number in takers))


def fitted(inputs: Any, values: Any, fitting: Any) -> tuple[Any, Any]:
    """Return the weights that best fit the values, and the resulting estimates for all inputs."""
    weights, *_ = np.linalg.lstsq(inputs[fitting], values[fitting], rcond=None)
    return weights, inputs @ weights


def chances(leads: Any, turns: Any, won: Any) -> tuple[float, float]:
    """Fit a logistic regression of the results on the lead and the turn.

    Return two numbers: how much a lead of one move adds to the log-odds, and the cost, in moves, of having to move.
    """
    inputs, weights = np.stack([leads, turns], 1), np.zeros(2)
    for _ in range(30):
        chance = 1 / (1 + np.exp(-inputs @ weights))
        curvature = inputs.T * (chance * (1 - chance)) @ inputs
        weights += np.linalg.solve(curvature, inputs.T @ (won - chance))
    return float(weights[0]), float(weights[1] / weights[0])


def main() -> None:
    """Print the weights, and how well they fit the values."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=1000, help="on each board")
    parser.add_argument("--adjacency", choices=list(BOARDS), default="king")
    options = parser.parse_args()
    rows = []
    for board, shortest, longest in BOARDS[options.adjacency]:
        rows += list(sample(board, options.adjacency, shortest, longest, options.positions))
        print(f"{len(rows)} positions of scatter {options.adjacency} up to {board}", flush=True)
    value, won, everything, known, packed, roomy, turn = np.array(rows).T
    fitting = np.arange(len(rows)) % 5 > 0
    weights, rest = fitted(np.stack([packed, roomy], 1), value - known, fitting)
    leads = known + rest
    print(f"bounds {weights[0]:.3f}, room {weights[1]:.3f}")
    for name, estimate in (
        ("the lead", leads),
        ("with room alone", known + fitted(roomy[:, None], value - known, fitting)[1]),
        ("with bounds alone", known + fitted(packed[:, None], value - known, fitting)[1]),
        ("the room of everything", fitted(everything[:, None], value, fitting)[1]),
    ):
        error = (estimate - value)[~fitting]
        close = ~fitting & (value != 0) & (abs(value) <= 1)
        told = ((estimate > 0) == (value > 0))[close].mean()
        print(f"{name}: off by {np.sqrt((error**2).mean()):.2f} moves, tells who leads by up to one move in {told:.0%}")
    sure, worth = chances(leads, turn, won)
    print(f"a lead of one move multiplies the odds by exp({sure:.2f}); the turn costs {worth:.2f} moves")


if __name__ == "__main__":
    main()
