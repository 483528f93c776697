"""Measure how fast the engine solves boards, analyses moves and plays random games, compared with other libraries.

    pip install -e '.[bench]'
    python -m bench.engine [--slow | --shared]

With --slow, the benchmark also solves boards that take minutes, and compares the speed of one process with that of two
processes and of a cluster of two workers. Measuring the cluster requires the `cluster` extra. With --shared, the
benchmark only compares one process with two processes and with a cluster. The output names any missing libraries.
"""

import argparse
import random
import time
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import version

from bench import reference
from gridlock import Game, Variant, cells_of, variant
from gridlock.core.errors import UnitFailed
from gridlock.engine.clock import Clock
from gridlock.engine.engine import Engine
from gridlock.engine.kernels.interface import state_of
from gridlock.engine.kernels.playout_kernel import Playouts
from gridlock.engine.solve import Solver

# game, board, adjacency, openings, method; the slow boards only with --slow
BOARDS = [
    ("showdown", "7x7", "king", True, "auto"),
    ("showdown", "8x8", "king", True, "auto"),
    ("showdown", "9x9", "king", False, "search"),
    ("showdown", "5x6", "orthogonal", True, "auto"),
    ("scatter", "5x7", "king", False, "auto"),
    ("scatter", "5x9", "king", False, "auto"),
    ("scatter", "7x7", "king", False, "auto"),
    ("scatter", "3x11", "orthogonal", True, "auto"),
    ("scatter", "5x7", "orthogonal", False, "auto"),
    ("trails", "7x7", "orthogonal", False, "auto"),
    ("trails", "9x9", "orthogonal", False, "auto"),
    ("trails", "9x11", "orthogonal", False, "auto"),
    ("trails", "11x11", "orthogonal", False, "auto"),
]
SLOW = [
    ("showdown", "9x9", "king", True, "auto"),
    ("showdown", "9x10", "king", False, "search"),
    ("showdown", "10x10", "king", False, "search"),
    ("showdown", "6x7", "orthogonal", True, "auto"),
    ("scatter", "7x9", "king", False, "auto"),
    ("scatter", "5x9", "orthogonal", False, "auto"),
]
# game, board, adjacency, method, question
SHARED = [
    ("showdown", "9x9", "king", "auto", "openings"),
    ("showdown", "6x7", "orthogonal", "auto", "openings"),
    ("trails", "8x8", "orthogonal", "auto", "pairs"),
    ("showdown", "10x10", "king", "search", "winner"),
    ("scatter", "7x9", "king", "auto", "winner"),
    ("scatter", "5x9", "orthogonal", "auto", "winner"),
]


def boards(rows: list[tuple[str, str, str, bool, str]]) -> None:
    """Print each board's winner, the number of positions searched, and the search speed."""
    print(f"{'board':<30}{'asked':<20}{'answer':<28}{'positions':>12}{'seconds':>9}{'positions/s':>13}")
    for game, board, adjacency, openings, method in rows:
        solver = Solver(variant(game, board, adjacency), method)
        found = solver.solve(openings)
        words = {"win": "first", "loss": "second", "unknown": "not found out"}[found.verdict]
        if found.openings is not None:
            words += f", {len(found.openings)} openings win"
        asked = ("every opening" if openings else "winner") + (", no mirrors" if method == "search" else "")
        rate = found.positions / found.seconds
        print(
            f"{f'{game} {board} {adjacency}':<30}{asked:<20}{words:<28}{found.positions:>12,}{found.seconds:>9.2f}"
            f"{rate:>13,.0f}",
            flush=True,
        )


def pairs(sizes: list[str]) -> None:
    """Measure how long it takes to solve trails for all pairs of starting cells."""
    for size in sizes:
        found = Solver(variant("trails", size)).solve(pairs=True)
        assert found.pairs is not None  # because the pairs were requested
        wins, _, asked = found.pairs
        print(f"trails {size} all pairs: first wins {wins} of {asked}, {found.seconds:.2f} s")


def shared(rows: list[tuple[str, str, str, str, str]]) -> None:
    """Time some work in one process, in two (`gridlock solve --processes 2`), and on a cluster of two workers."""
    print(f"\n{'shared out':<44}{'one process':>14}{'two':>9}{'ratio':>8}{'cluster':>10}{'ratio':>8}   (seconds)")
    for game, board, adjacency, method, work in rows:
        chosen, wanted = variant(game, board, adjacency), {} if work == "winner" else {work: True}
        alone = Solver(chosen, method).solve(**wanted).seconds
        text = f"{f'{game} {board} {adjacency}, {work}':<44}{alone:>14.2f}"
        for workers, width in ({"processes": 2}, 9), ({"cluster": "local:2"}, 10):
            try:
                spent = Solver(chosen, method, **workers).solve(**wanted).seconds
                text += f"{spent:>{width}.2f}{alone / spent:>8.2f}"
            except UnitFailed:
                text += f"{'not here':>{width}}{'-':>8}"
        print(text, flush=True)


def peers() -> None:
    """Time the engine, the reference solver and other libraries on the same small boards."""
    print("\nthe same board by                       engine   reference     cgt-py      pycgt   (seconds)")
    for game, board in (("showdown", "3x3"), ("showdown", "3x4"), ("showdown", "4x4"), ("scatter", "3x4")):
        chosen = variant(game, board, "king")
        start = chosen.start()
        times = [
            _timed(lambda chosen=chosen: Solver(chosen, "search").solve()),  # type: ignore[misc]
            _timed(lambda chosen=chosen, start=start: reference.solve(chosen, start))  # type: ignore[misc]
            if chosen.grid.size <= 12
            else "-",
            by_cgt_py(chosen),
            by_pycgt(chosen) if chosen.grid.size <= 12 else "-",
        ]
        print(f"{f'{game} {board} king':<36}" + "".join(f"{text:>11}" for text in times), flush=True)


def _timed(work: Callable[[], object]) -> str:
    begin = time.process_time()
    work()
    return f"{time.process_time() - begin:.4f}"


def by_cgt_py(chosen: Variant) -> str:
    """Return how many seconds cgt-py, a Rust library, takes to find a board's exact value."""
    try:
        cgt = import_module("cgt_py")
    except ImportError:
        return "not here"
    near = chosen.grid.near
    edges = [(one, other) for one in range(chosen.grid.size) for other in cells_of(near[one]) if one < other]
    graph = cgt.Graph(chosen.grid.size, edges)
    return _timed(lambda: (graph.snort if chosen.book.name == "showdown" else graph.col).canonical_form)


def by_pycgt(chosen: Variant) -> str:
    """Return how many seconds pycgt, a Python library, takes to find a board's exact value."""
    try:
        pycgt = import_module("pycgt")
    except ImportError:
        return "not here"
    near, memo = chosen.grid.near, {}

    def value(left: int, right: int) -> object:
        if (left, right) not in memo:
            if chosen.book.name == "showdown":
                lefts = [value(left & ~(1 << c), right & ~(near[c] | 1 << c)) for c in cells_of(left)]
                rights = [value(left & ~(near[c] | 1 << c), right & ~(1 << c)) for c in cells_of(right)]
            else:
                lefts = [value(left & ~(near[c] | 1 << c), right & ~(1 << c)) for c in cells_of(left)]
                rights = [value(left & ~(1 << c), right & ~(near[c] | 1 << c)) for c in cells_of(right)]
            memo[left, right] = pycgt.Game.of(lefts, rights).canonical
        return memo[left, right]

    return _timed(lambda: value(chosen.grid.cells, chosen.grid.cells))


def analyses() -> None:
    """Time the analysis of all moves in a middlegame position on a large board."""
    print()
    for game, board in (("chain", "100x100"), ("keepaway", "30x30")):
        chosen = variant(game, board)
        played = _middle(chosen)
        engine = Engine(chosen)
        begin = time.perf_counter()
        proof = engine.prove(played.position, Clock())
        winning = proof.winning if proof else ()
        spent = time.perf_counter() - begin
        moves = len(cells_of(played.legal))
        print(f"{game} {board} after {len(played.moves)} moves: {len(winning)} of {moves} moves win, {spent:.3f} s")


def _middle(chosen: Variant) -> Game:
    """Return a game with a third of the cells taken; each move leaves as few replies as possible, but at least one."""
    rng, played = random.Random(7), Game(chosen)

    def onward(cell: int) -> tuple[float, float]:
        return chosen.legal(played.position.after(cell)).bit_count() or float("inf"), rng.random()

    while len(played.moves) < chosen.grid.size // 3:
        played.push(min(chosen.legal_cells(played.position), key=onward))
    return played


def playouts(seconds: float) -> None:
    """Measure the speed of random games in the kernel, and compare it with that of Hex in OpenSpiel."""
    print(f"\n{'random games, one core':<28}{'steps/s':>14}{'x OpenSpiel hex 5x5':>22}")
    try:
        spiel = import_module("pyspiel")
        hexgame = spiel.load_game("hex(board_size=5)")
        base = _open_spiel(hexgame, seconds)
        print(f"{'OpenSpiel ' + version('open_spiel') + ' hex 5x5':<28}{base:>14,.0f}{1.0:>22.1f}")
    except ImportError:
        base = 0.0
        print("OpenSpiel is not installed: pip install -e '.[bench]'")
    for game in ("keepaway", "chain", "scatter", "trails", "showdown"):
        chosen = variant(game)
        assert chosen.shape is not None  # all five have one
        kernel = Playouts(chosen.shape, chosen.grid)
        state = state_of(chosen.start())
        steps, begin, seed = 0, time.perf_counter(), 0
        while (spent := time.perf_counter() - begin) < seconds:
            seed += 1
            steps += kernel.run(*state, 10_000, seed)[1]
        ratio = f"{steps / spent / base:>22.1f}" if base else ""
        print(f"{f'{game} {chosen.grid}':<28}{steps / spent:>14,.0f}{ratio}")


def _open_spiel(game: object, seconds: float) -> float:
    rng = random.Random(1)
    steps, begin = 0, time.perf_counter()
    while (spent := time.perf_counter() - begin) < seconds:
        state = game.new_initial_state()  # type: ignore[attr-defined]
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            steps += 1
    return steps / spent


def main() -> None:
    """Print all results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--slow", action="store_true", help="also boards that take minutes, and several processes")
    parser.add_argument("--shared", action="store_true", help="only compare one process with several")
    options = parser.parse_args()
    if options.shared:
        shared(SHARED)
        return
    boards(BOARDS + (SLOW if options.slow else []))
    pairs(["6x6", "7x7", "8x8"])
    if options.slow:
        shared(SHARED)
    peers()
    analyses()
    playouts(1.0)


if __name__ == "__main__":
    main()
