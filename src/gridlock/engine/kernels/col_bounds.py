"""For Col: move ordering, cells that neither player needs, and bounds on values."""

from array import array
from itertools import pairwise

try:
    import cython
except ImportError:
    from . import interpreted as cython
if not cython.compiled:
    from .interpreted import around, bit, lowest, plain, popcount, u128

    ColValues = plain("col_values").ColValues

DOMINANCE = cython.declare(cython.int, 16)  # skip dominated moves
BOUNDS = cython.declare(cython.int, 32)  # compare independent sets with clique covers
BLOCKS = cython.declare(cython.int, 64)  # bounds from the values of 2x4 blocks
ORDER = cython.declare(cython.int, 128)  # first try the moves that leave the opponent the least room
BY_BOUNDS = {"DOMINANCE": DOMINANCE, "BOUNDS": BOUNDS, "BLOCKS": BLOCKS, "ORDER": ORDER}  # this module's techniques

UNIT = cython.declare(cython.longlong, 1 << 16)  # as in col_values
BIG = cython.declare(cython.longlong, 1 << 23)
HALF_TURN = cython.declare(cython.int, 3)
DEEPEST = 256  # the longest line: moves on cells, moves in numbers, and splits
SCHEMES = cython.declare(cython.int, 4)  # ways to cut the board into blocks


class ColBounds(ColValues):
    """Bounds and other facts about positions on one board, found without a search."""

    def __init__(self, grid, memory, techniques):
        if grid.adjacency == "king":  # blocks on such a board share too many edges to be worth the time
            techniques &= ~BLOCKS
        ColValues.__init__(self, grid, memory, techniques)
        if not cython.compiled:
            self.shares, self.blocks, self.corners = [0] * 16, [0] * 288, [0] * 288
        for i in range(1, 10):
            self.shares[i] = 2520 // i
        rows, cols = grid.rows, grid.cols
        for scheme in range(SCHEMES):
            ys = [0, *range(2 - scheme % 2, rows, 2), rows]
            xs = [0, *range(4 - scheme // 2 * 2, cols, 4), cols]
            cuts = [(y, v, x, w) for y, v in pairwise(ys) for x, w in pairwise(xs)]
            for i, (y, v, x, w) in enumerate(cuts):
                self.blocks[scheme * 72 + i] = sum(1 << r * cols + c for r in range(y, v) for c in range(x, w))
                self.corners[scheme * 72 + i] = y * cols + x
        self.block_values = array("q", [BIG]) * 65536
        self.waiting = array("q", [0]) * (128 * DEEPEST)

    # Bounds

    def bounded(self, p, q, x):
        """Use bounds to decide whether the mover wins the position plus x: 1 for yes, 0 for no, -1 if unknown."""
        if self.techniques & BOUNDS:
            if self.ceiling(p, q) + x <= 0:
                return 0
            if x > self.ceiling(q, p):
                return 1
        return -1

    def bounded_by_blocks(self, p, q, x):
        """Decide as `bounded` does, but with slower bounds, which are derived from the values of blocks."""
        if self.techniques & BLOCKS:
            mine: u128 = self.apart(q, p)
            theirs: u128 = self.apart(p, q)
            for i in range(SCHEMES):
                if self.block_ceiling(p, q, theirs, i) <= -2 * x:
                    return 0
                if self.block_ceiling(q, p, mine, i) ^ 1 <= 2 * x:
                    return 1
        return -1

    @cython.final
    def ceiling(self, p, q):
        """Return an upper bound on the value: one move per clique of cells, minus the opponent's guaranteed moves."""
        kept: u128 = self.apart(p, q)
        halves: cython.longlong = 2 * self.cover(p) - popcount(kept) - popcount(kept & ~p)
        return halves * (UNIT // 2)

    @cython.final
    def apart(self, p, q):
        """Return pairwise nonadjacent cells of the set q, chosen greedily, starting with cells outside the set p."""
        kept: u128 = 0
        while q:
            c: cython.int = lowest(q & ~p if q & ~p else q)
            kept |= bit(c)
            q &= ~self.zone[c]
        return kept

    def block_ceiling(self, p, q, kept, scheme):
        """Return an upper bound on the value.

        The result is 2n if the bound is the number n, and 2n + 1 if the bound is n plus a star.

        To separate the blocks, the method removes some of the opponent's cells (q) and cuts edges between the player's
        cells (p); both changes can only help the player. Cells in `kept` are never removed.
        """
        total: cython.longlong = 0
        i: cython.int = scheme * 72
        while self.blocks[i]:
            block: u128 = self.blocks[i]
            room: u128 = q & block & ~around(self.edges, kept & ~block)
            kept |= room
            c: cython.int = self.pattern(p & block, self.corners[i]) * 256 + self.pattern(room, self.corners[i])
            v: cython.longlong = self.block_values[c]
            if v == BIG:
                v = self.exact(p & block, room)
                self.block_values[c] = v
            total = (total + (v & -2)) ^ (v & 1)
            i += 1
        return total

    @cython.final
    def pattern(self, p, corner):
        """Return the cells of a 2x4 block as eight bits."""
        p >>= corner
        low: u128 = p & self.top & 15
        return cython.cast(cython.int, low | (((p >> (self.cols - 1)) >> 1) << 4))

    # Cells and moves that neither player needs to consider

    @cython.final
    def guarded(self, d, p, q):
        """Return whether the owner of p can always replace the move d with a move that closes no additional cells.

        The opponent cannot take a cell that is open only to the owner of p. If two neighbouring cells are open to both
        players, the opponent can take only one of them, because taking one closes the other to the opponent.
        """
        rivals: u128 = p & self.near[d]
        shared: u128 = 0
        while rivals:
            c: cython.int = lowest(rivals)
            rivals ^= bit(c)
            if not self.zone[c] & p & ~self.zone[d]:
                if not (q >> c) & 1 or shared & self.zone[c]:
                    return True
                shared |= bit(c)
        return False

    @cython.final
    def useless(self, d, p, q):
        """Return whether a simple test shows that neither player needs to take the cell d."""
        return (not p & bit(d) or self.guarded(d, p, q)) and (not q & bit(d) or self.guarded(d, q, p))

    def needed(self, p, q):
        """Return the open cells, except those that neither player needs to take.

        If `mirrors_first` is set and a half-turn of the board swaps the players' open cells, a cell is left out only
        together with its image, so that the result keeps this symmetry.
        """
        rest: u128 = p | q
        turned: cython.bint = self.mirrors_first and popcount(p) == popcount(q) and self.image(p, HALF_TURN) == q
        while rest:
            d: cython.int = lowest(rest)
            cell: u128 = bit(d)
            rest ^= cell
            if self.useless(d, p, q):
                if turned:
                    twin: cython.int = self.cells - 1 - d
                    if not self.useless(twin, p & ~cell, q & ~cell):
                        continue
                    cell |= bit(twin)
                p &= ~cell
                q &= ~cell
        return p | q

    # Moves

    def arrange(self, p, q, x, first):
        """Write the moves to `waiting`, and return the number of moves, or -1 if a move wins.

        The most promising move is stored at index `first`, and the others follow in order. The lowest 7 bits of each
        entry contain the cell. Moves that are known to lose are left out.
        """
        moves: u128 = self.least_closing(p, q, p) if self.techniques & DOMINANCE else p
        count: cython.int = 0
        while moves:
            c: cython.int = lowest(moves)
            moves ^= bit(c)
            after_p: u128 = q & ~bit(c)
            after_q: u128 = p & ~self.zone[c]
            high: cython.longlong = self.ceiling(after_p, after_q)
            low: cython.longlong = -self.ceiling(after_q, after_p)
            if self.techniques & BOUNDS and high <= x:
                return -1
            if self.techniques & BOUNDS and low > x:
                continue
            score: cython.longlong = c
            if self.techniques & ORDER:
                score += 128 * self.outlook(after_p, after_q)
                if not self.edges.king:
                    score += (high + low) // 4
            k: cython.int = first + count
            while k > first and self.waiting[k - 1] > score:
                self.waiting[k] = self.waiting[k - 1]
                k -= 1
            self.waiting[k] = score
            count += 1
        return count

    def outlook(self, p, q):
        """Estimate the mover's prospects from the number of open cells and the room to place markers."""
        return (self.room(p) - self.room(q)) // 16 + 64 * (popcount(p) - popcount(q))

    @cython.final
    def room(self, p):
        """Estimate how many markers fit into p, in units of 1/2520.

        A cell with n neighbours in p counts as 1/(n + 1) of a marker.
        """
        total: cython.longlong = 0
        rest: u128 = p
        while rest:
            c: cython.int = lowest(rest)
            rest ^= bit(c)
            total += self.shares[popcount(p & self.zone[c])]
        return total
