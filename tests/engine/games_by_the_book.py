"""A slow, simple implementation of Snort and Col.

The implementation follows the rules directly, and uses only sets and the general evaluator.
"""

from functools import cache

from gridlock.values import value_of


class Book:
    """Snort or Col on one board; `left` and `right` are frozensets of the cells open to Left and to Right."""

    def __init__(self, game, rows, cols, king):
        self.game, self.cols = game, cols
        self.cells = frozenset((row, col) for row in range(rows) for col in range(cols))
        self.around = {
            (row, col): frozenset(
                (r, c) for r, c in self.cells if max(abs(r - row), abs(c - col)) <= 1 and (king or r == row or c == col)
            )
            for row, col in self.cells
        }
        self.wins = cache(self._wins)

    def after(self, own, other, cell):
        """Return the cells open to the mover and to the opponent after a move."""
        if self.game == "scatter":
            return own - self.around[cell], other - {cell}
        return own - {cell}, other - self.around[cell]

    def options(self, position):
        """Return the positions that each player can move to."""
        left, right = position
        return (
            [self.after(left, right, cell) for cell in sorted(left)],
            [self.after(right, left, cell)[::-1] for cell in sorted(right)],
        )

    def value(self, left, right):
        """Return the exact value of a position."""
        return value_of((left, right), self.options)

    def _wins(self, mine, theirs):
        """Return whether the player to move wins."""
        return any(not self.wins(*self.after(mine, theirs, cell)[::-1]) for cell in mine)

    def outcome(self, left, right):
        """Return who wins: Left, Right, the Next player or the Previous player."""
        first, second = self.wins(left, right), self.wins(right, left)
        if first and second:
            return "N"
        return "L" if first else "R" if second else "P"

    def random(self, rng, most):
        """Return a random position with at most `most` open cells; a cell open to both players counts twice."""
        cells = sorted(self.cells)
        left = {cell for cell in cells if rng.random() < 0.7}
        right = {cell for cell in cells if rng.random() < 0.7}
        while len(left) + len(right) > most:
            side = left if (rng.random() < 0.5 and left) or not right else right
            side.remove(rng.choice(sorted(side)))
        return frozenset(left), frozenset(right)

    def bits(self, cells, cols=None):
        """Return a set of cells as an integer with one bit per cell."""
        return sum(1 << row * (cols or self.cols) + col for row, col in cells)
