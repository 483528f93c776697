"""What each technique of the searches buys: how many times more positions are searched when only that one is off.

python -m bench.techniques [showdown|scatter|trails] [--seconds 20]
"""

import argparse
import time
from importlib import import_module
from typing import Any

# Boards small enough that the search still ends with a technique switched off, large enough that it matters.
CASES = {
    "showdown": [(6, 6, True), (7, 7, True), (5, 6, False)],
    "scatter": [(5, 5, True), (5, 7, True), (5, 5, False)],
    "trails": [(7, 7, False), (9, 9, False), (5, 5, True)],
}


def count(game: str, case: tuple[int, int, bool], techniques: int, seconds: float) -> int | None:
    """Positions searched to decide every first move, or None if it takes too long."""
    rows, cols, king = case
    module: Any = import_module(f"gridlock.engine.kernels.{game}_kernel")
    search = getattr(module, f"{game.capitalize()}Search")(rows, cols, king, 64 << 20, techniques)
    deadline = time.monotonic() + seconds

    def tick(_nodes: int) -> bool:
        return time.monotonic() > deadline

    whole = (1 << rows * cols) - 1
    if game == "trails":
        corners = 1 | 1 << rows * cols - 1
        states: list[tuple[int, ...]] = [(whole & ~corners, 0, rows * cols - 1)]
    else:
        near = _near(rows, cols, king)
        first = range(rows * cols)
        if game == "showdown":
            states = [(whole & ~(near[cell] | 1 << cell), whole & ~(1 << cell)) for cell in first]
        else:
            states = [(whole & ~(1 << cell), whole & ~(near[cell] | 1 << cell)) for cell in first]
    if any(search.solve(*state, tick) < 0 for state in states):
        return None
    return int(search.nodes)


def _near(rows: int, cols: int, king: bool) -> list[int]:
    from gridlock.grid import Adjacency, Grid

    return Grid(rows, cols, Adjacency.KING if king else Adjacency.ORTHOGONAL).near


def main() -> None:
    """Print a table for each game."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", choices=list(CASES))
    parser.add_argument("--seconds", type=float, default=20.0, help="the longest a search may take")
    options = parser.parse_args()
    for game in [options.game] if options.game else list(CASES):
        module: Any = import_module(f"gridlock.engine.kernels.{game}_kernel")
        cases = CASES[game]
        bases = [count(game, case, module.ALL, options.seconds) for case in cases]
        names = [f"{rows}x{cols} {'king' if king else 'orth.'}" for rows, cols, king in cases]
        print(f"{game:<12}" + "".join(f"{name:>16}" for name in names))
        print(f"{'all on':<12}" + "".join(f"{base or 'too long':>16}" for base in bases))
        flags = [
            name
            for name, value in vars(module).items()
            if name.isupper() and isinstance(value, int) and value.bit_count() == 1 and value <= module.ALL // 2 + 1
        ]
        for flag in (name for name in flags if name not in ("CELLS", "SMALL", "VALUED", "BUCKET", "PAUSE", "WAITING")):
            print(f"{'no ' + flag:<12}", end="", flush=True)
            for case, base in zip(cases, bases, strict=True):
                found = count(game, case, module.ALL & ~getattr(module, flag), options.seconds)
                ratio = f"{found / base:.2f}x" if found and base else "too long"
                print(f"{ratio:>16}", end="", flush=True)
            print()
        print()


if __name__ == "__main__":
    main()
