"""Estimate who leads in a Col position, and by how much.

In Col, players may not place a marker next to one of their own. As in `col_kernel`, a position is (p, q): the cells
open to the player to move, and the cells open to the opponent. Cells that neither player needs are removed. Small
regions are valued exactly, and the values of large regions are estimated from the space that each player has and from
bounds on how many markers fit. `python -m bench.outlook` fits the weights used in the estimates to exact values.
"""

from gridlock.engine.kernels.col_kernel import ALL

try:
    import cython
except ImportError:
    from . import interpreted as cython
if cython.compiled:
    from cython.cimports.libc.math import sqrt
else:
    from math import sqrt

    from .interpreted import bit, lowest, plain, popcount, u128

    ColSearch = plain("col_kernel").ColSearch

SMALL = cython.declare(cython.int, 8)  # regions up to this size have exact values
UNIT = cython.declare(cython.double, 1 << 16)  # one move, as in the search


class Outlook:
    """The evaluation of positions on one board."""

    def __init__(self, grid, memory):
        self.search = ColSearch(grid, memory, ALL)
        self.packed, self.roomy, self.turn = 0.2, 0.5, 0.3
        if not cython.compiled:
            self.worth = [0.0] * 10
        for takers in range(10):
            self.worth[takers] = 1 / sqrt(1 + takers)

    def of(self, p, q):
        """Return the mover's lead in moves, and the result: 1 for a certain win, -1 for a certain loss, or else 0."""
        self.search.check(p | q)
        return self.lead(p, q), self.decided

    def lead(self, p, q):
        """Estimate the lead of the player to move, and set `decided` if the winner is certain."""
        part: u128 = self.search.needed(p, q)
        p &= part
        q &= part
        rest: u128 = p | q
        known: cython.longlong = 0
        star: cython.longlong = 0
        while rest:
            part = self.search.region(p & rest, q & rest)
            rest &= ~part
            if popcount(part) <= SMALL:
                value: cython.longlong = self.search.exact_region(p & part, q & part)
                known += value >> 1
                star ^= value & 1
                p &= ~part
                q &= ~part
        sign: cython.int = 1
        if star:  # the player to move takes the star, so it is the opponent's turn
            sign = -1
            p, q, known = q, p, -known
        most: cython.longlong = self.search.ceiling(p, q)
        least: cython.longlong = -self.search.ceiling(q, p)
        self.decided = 0
        if known + most <= 0:
            self.decided = -sign
        elif known + least > 0:
            self.decided = sign
        lead: cython.double = (known + self.packed * (most + least)) / UNIT
        return sign * (lead + self.roomy * (self.room(p, q) - self.room(q, p)) - self.turn)

    def room(self, p, q):
        """Estimate how much room a player has, giving less weight to cells that many moves could close."""
        total: cython.double = 0.0
        rest: u128 = p
        while rest:
            cell: cython.int = lowest(rest)
            rest ^= bit(cell)
            total += self.worth[popcount(p & self.search.near[cell]) + ((q >> cell) & 1)]
        return total
