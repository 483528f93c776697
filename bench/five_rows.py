"""Measure how often mirrored play works in `scatter` on king boards with odd dimensions (evidence, not a proof).

    python -m bench.five_rows [--boards 5x5,5x7] [--most 200000]

The second player answers every move with its mirror image until the first player takes the centre. The script visits
every position that mirroring by the second player can reach while the centre is open. In each of these positions, the
script lets the first player take the centre, and then looks for a winning reply by the second player: first with the
centre rule, then with a search. The script also prints the value of taking the centre as the first move.
"""

import argparse
from typing import NamedTuple

from gridlock.core.grid import Adjacency, Bitboard, Cell, Grid, cells_of, set_of
from gridlock.core.notation import read_board
from gridlock.core.rules import variant
from gridlock.engine.kernels.col_kernel import ALL, ColSearch
from gridlock.engine.kernels.interface import COL, COL_UNIT
from gridlock.engine.mirror import Mirrors, mirrors, symmetries


class Counts(NamedTuple):
    """Numbers of positions with an open centre, grouped by how the second player can reply to a move in the centre."""

    by_rule: int  # the centre rule gives a reply, here and in all later positions
    by_search: int
    none: int
    example: tuple[Cell, ...]  # the first player's moves on the shortest way to a position without a winning reply
    at_once: float  # the second player's lead in moves if the first move takes the centre


def survey(grid: Grid, most: int) -> Counts | None:
    """Visit every position that mirrored play can reach, up to symmetry; return None if there are too many."""
    judge, half_turn = Mirrors(variant("scatter", str(grid), str(grid.adjacency)), COL), mirrors(grid)[0]
    search, zone = ColSearch(grid, 1 << 28, ALL), [near | 1 << cell for cell, near in enumerate(grid.near)]
    centre = grid.size // 2
    by_rule = by_search = none = 0
    example: tuple[Cell, ...] = ()
    waiting: dict[Bitboard, tuple[Cell, ...]] = {grid.cells: ()}  # player 1's open cells; player 2's are their image
    seen = {grid.cells}
    while waiting and len(seen) <= most:
        later: dict[Bitboard, tuple[Cell, ...]] = {}
        for mine, line in waiting.items():
            theirs = half_turn.of(mine)
            if judge.strategy(half_turn, mine, theirs, mine & half_turn.fixed):
                by_rule += 1
                continue
            if search.solve(theirs & ~(1 << centre), mine & ~zone[centre], lambda _: False):
                by_search += 1
            else:
                none += 1
                example = example or line
            for cell in cells_of(mine & ~zone[centre]):
                left = mine & ~zone[cell] & ~(1 << half_turn.image[cell])
                form = min(set_of(image[one] for one in cells_of(left)) for image in symmetries(grid))
                if form not in seen:
                    seen.add(form)
                    later[left] = (*line, cell)
        waiting = later
    if waiting:
        return None
    found = search.number(grid.cells & ~(1 << centre), grid.cells & ~zone[centre], lambda _: False)
    return Counts(by_rule, by_search, none, example, (found >> 1) / COL_UNIT)


def main() -> None:
    """Print a line for each board."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", default="3x9,5x5,5x7", help="odd boards, separated by commas")
    parser.add_argument("--most", type=int, default=200_000, help="the most positions to visit")
    options = parser.parse_args()
    for board in options.boards.split(","):
        grid = Grid(*read_board(board), Adjacency.KING)
        found = survey(grid, options.most)
        if found is None:
            print(f"{board}: more than {options.most:,} positions")
            continue
        moves = " ".join(f"{cell // grid.cols + 1},{cell % grid.cols + 1}" for cell in found.example)
        text = f"{board}: reply to the centre by the rule {found.by_rule:,}, by search {found.by_search:,}, none "
        text += f"{found.none:,}{f' (such as after {moves})' if moves else ''}"
        print(f"{text}; the centre at once loses by {found.at_once:g}", flush=True)


if __name__ == "__main__":
    main()
