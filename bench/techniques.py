"""Measure each search technique's gain: the factor by which the number of positions grows without that technique.

    python -m bench.techniques [snort|col|tron]

The factor by which the search time grows is given in brackets; it is less reliable than the factor by which the number
of positions grows. If a search is stopped after four million positions, its factor is only a lower bound, printed with
">", as in "> 86".
"""

import argparse
import time
from importlib import import_module
from typing import Any, NamedTuple

from gridlock.core.grid import Adjacency, Grid

MOST_POSITIONS = 4_000_000


class Case(NamedTuple):
    """A board, the question about it, and whether the search may use mirror strategies."""

    rows: int
    cols: int
    king: bool
    asked: str  # start, openings or pairs
    mirrors: bool = True

    @property
    def grid(self) -> Grid:
        """The board."""
        return Grid(self.rows, self.cols, Adjacency.KING if self.king else Adjacency.ORTHOGONAL)

    def __str__(self) -> str:
        mirrors = "" if self.mirrors else ", no mirrors"
        return f"{'king' if self.king else 'orth.'} {self.rows}x{self.cols} {self.asked}{mirrors}"


CASES = {
    "snort": [
        Case(8, 8, True, "openings"),
        Case(9, 10, True, "start", mirrors=False),
        Case(5, 7, False, "openings"),
    ],
    "col": [
        Case(5, 9, True, "start"),
        Case(7, 7, True, "start"),
        Case(3, 11, False, "start"),
        Case(5, 7, False, "start"),
    ],
    "tron": [
        Case(9, 9, False, "start"),
        Case(11, 11, False, "start"),
        Case(6, 6, False, "pairs"),
        Case(4, 5, True, "pairs"),
        Case(5, 9, True, "start"),
        Case(7, 7, True, "start"),
    ],
}
FLAGS = {
    "snort": ["REDUCE", "ORDER", "PACKING", "DOMINANCE", "SYMMETRY", "MIRROR"],
    "col": [
        *("TABLE", "ORDER", "REPLY", "SYMMETRY", "PRUNE", "BOUNDS"),
        *("REGIONS", "DOMINANCE", "CENTRE", "BLOCKS", "SPLIT", "MIRROR"),
    ],
    "tron": ["ORDER", "WALL", "RACE", "BLOCKS", "CHEQUER", "PATHS", "TABLE", "MIRROR", "SYMMETRY", "LOOK"],
}


def states(game: str, case: Case) -> list[tuple[int, ...]]:
    """Return the positions that are solved to measure one case, in the form that the game's kernel expects."""
    size = case.rows * case.cols
    whole = (1 << size) - 1
    if game == "tron":
        pairs = (
            [(0, size - 1)] if case.asked == "start" else [(a, b) for a in range(size) for b in range(size) if a != b]
        )
        return [(whole & ~(1 << me | 1 << them), me, them) for me, them in pairs]
    if case.asked == "start":
        return [(whole, whole)]
    near = case.grid.near
    if game == "snort":
        return [(whole & ~(near[cell] | 1 << cell), whole & ~(1 << cell)) for cell in range(size)]
    return [(whole & ~(1 << cell), whole & ~(near[cell] | 1 << cell)) for cell in range(size)]


def count(game: str, case: Case, off: int) -> tuple[int, float, bool]:
    """Solve a case with some techniques switched off.

    Return the number of positions, the time in seconds, and whether the search finished.
    """
    module: Any = import_module(f"gridlock.engine.kernels.{game}_kernel")
    techniques = module.ALL & ~off if case.mirrors else module.ALL & ~off & ~module.TECHNIQUES["MIRROR"]
    search = getattr(module, f"{game.capitalize()}Search")(case.grid, 256 << 20, techniques)
    begin = time.process_time()
    asked = states(game, case)
    finished = all(search.solve(*state, lambda nodes: nodes > MOST_POSITIONS) >= 0 for state in asked)
    return int(search.nodes), time.process_time() - begin, finished


def main() -> None:
    """Print a table for each game."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", choices=list(CASES))
    options = parser.parse_args()
    for game in [options.game] if options.game else list(CASES):
        module: Any = import_module(f"gridlock.engine.kernels.{game}_kernel")
        bases = [count(game, case, 0) for case in CASES[game]]
        print(f"{game:<12}" + "".join(f"{case!s:>32}" for case in CASES[game]))
        print(f"{'all on':<12}" + "".join(f"{nodes:>16,} positions {spent:>4.2f} s" for nodes, spent, _ in bases))
        for flag in FLAGS[game]:
            print(f"{flag:<12}", end="", flush=True)
            for case, (base, base_time, _) in zip(CASES[game], bases, strict=True):
                nodes, spent, finished = count(game, case, module.TECHNIQUES[flag])
                sign = "" if finished else "> "
                print(f"{f'{sign}{nodes / base:.2f} ({spent / base_time:.1f})':>32}", end="", flush=True)
            print()
        print()


if __name__ == "__main__":
    main()
