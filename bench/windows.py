"""Find out whether the second player wins scatter (king adjacency) by mirroring all moves outside a central window.

    python -m bench.windows ROWS COLUMNS [--whole]

The window has COLUMNS columns; COLUMNS must be odd. The second player answers a move outside the central window
with the move's image under a half-turn. A move inside the window may be answered with its image, or with any move
that is inside the window and closes no cell outside the window. See docs/theory.md for the rule and its proof. With
--whole, the window is the whole board.
"""

import argparse
import time

from gridlock.core.grid import Adjacency, Bitboard, Cell, Grid, cells_of


class Window:
    """The game of scatter, restricted to the middle columns of a board (the window).

    If the second player can answer every move in the restricted game, the second player wins on the whole board.
    """

    def __init__(self, rows: int, cols: int, is_whole: bool) -> None:
        grid = Grid(rows, cols, Adjacency.KING)
        self.size, self.cells = grid.size, grid.cells
        self.closed = [grid.near[cell] | 1 << cell for cell in range(grid.size)]  # a cell and its neighbours
        column = [sum(1 << row * cols + col for row in range(rows)) for col in (0, cols - 1)]
        self.inner = grid.cells if is_whole else grid.cells & ~(column[0] | column[1])
        self.outside: list[tuple[Bitboard, Bitboard]] = []  # cells closed by a move outside, and by its image
        for col in () if is_whole else (0, cols - 1):
            for row in range(rows):
                closed = self.closed[row * cols + col] & column[col > 0]
                self.outside.append((closed, self.image(closed)))
        self._survives: dict[tuple[Bitboard, Bitboard], bool] = {}

    def image(self, cells: Bitboard) -> Bitboard:
        """Return the image of the given cells under a half-turn."""
        return int(format(cells, f"0{self.size}b")[::-1], 2)

    @property
    def states(self) -> int:
        """The number of positions decided so far."""
        return len(self._survives)

    def survives(self, first: Bitboard, second: Bitboard) -> bool:
        """Return whether the second player can answer every move, given the cells open to each player.

        The first player is to move. Moves just outside the window matter, too, because they close cells inside it.
        """
        if not first:
            return True
        key = min((first, second), (self.image(first), self.image(second)))
        known = self._survives.get(key)
        if known is None:
            known = self._survives[key] = self._decide(first, second)
        return known

    def _decide(self, first: Bitboard, second: Bitboard) -> bool:
        moves = sorted(cells_of(first), key=lambda cell: self._cost(cell, first, second))
        if not all(self.answered(cell, first, second) for cell in moves):
            return False
        beside = {(first & ~mine, second & ~theirs) for mine, theirs in self.outside} - {(first, second)}
        return all(self.survives(*state) for state in sorted(beside))

    def answered(self, cell: Cell, first: Bitboard, second: Bitboard) -> bool:
        """Return whether the second player can answer a move with its mirror image or a cell in the middle columns."""
        first, second = first & ~self.closed[cell], second & ~(1 << cell)
        mirror = self.size - 1 - cell
        answers = sorted(cells_of(second & self.inner), key=lambda one: self._cost(one, second, first))
        if second >> mirror & 1:
            answers.insert(0, mirror)
        return any(self.survives(first & ~(1 << one), second & ~self.closed[one]) for one in answers)

    def _cost(self, cell: Cell, own: Bitboard, other: Bitboard) -> int:
        """Return how much room a move costs its player, minus how much it costs the other player."""
        return (self.closed[cell] & own).bit_count() - 3 * (other >> cell & 1)


def main() -> None:
    """Print whether the second player can answer every move."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", type=int, choices=(3, 5, 7))
    parser.add_argument("columns", type=int, choices=range(3, 14, 2))
    parser.add_argument("--whole", action="store_true")
    options = parser.parse_args()
    window = Window(options.rows, options.columns, options.whole)
    began = time.process_time()
    found = window.survives(window.cells, window.cells)
    spent = time.process_time() - began
    print(f"{options.rows}x{options.columns}: {'yes' if found else 'no'}; {window.states:,} states, {spent:.1f} s CPU")


if __name__ == "__main__":
    main()
