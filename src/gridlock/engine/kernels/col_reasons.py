"""Proofs that the player to move loses, for use in Col certificates.

Each proof is about the sum of a Col position, a number x and possibly a star. The methods in this module do not search.
"""

from gridlock.core.grid import cells_of

try:
    import cython
except ImportError:
    from . import interpreted as cython
if not cython.compiled:
    from .interpreted import around, bit, lowest, plain, popcount, u128

    ColBounds = plain("col_bounds").ColBounds

UNIT = cython.declare(cython.longlong, 1 << 16)  # as in col_values
SMALL = cython.declare(cython.int, 8)  # as in col_kernel
SCHEMES = cython.declare(cython.int, 4)  # as in col_bounds


class ColReasons(ColBounds):
    """Without searching, find reasons why a position is lost."""

    def cut(self, p, q, x, star):
        """Cut the board into blocks, to prove that the player to move does not win.

        Return each block's cells and value, or None if no way of cutting the board gives a proof. The proof is valid
        because cutting the board never harms the player whose turn it is.
        """
        self.check(p | q)
        kept: u128 = self.apart(p, q)
        scheme: cython.int = self.good_cut(p, q, kept, x, star)
        if scheme < 0:
            return None
        found = []
        i: cython.int = scheme * 72
        while self.blocks[i]:
            room: u128 = q & self.blocks[i] & ~around(self.edges, kept & ~self.blocks[i])
            kept |= room
            if p & self.blocks[i] | room:
                found.append((p & self.blocks[i], room, self.exact(p & self.blocks[i], room)))
            i += 1
        return found

    def count(self, p, q, x, star):
        """Return two lists of cliques that together cover p, and a list of cells of q, no two of them adjacent.

        Each clique is given by its first cell. The cliques in the first list are squares or horizontal pairs, and those
        in the second list are vertical pairs. Return None if the cliques and the nonadjacent cells do not prove that
        the player to move loses.
        """
        self.check(p | q)
        kept: u128 = self.apart(p, q)
        for way in range(2):
            covers = self.king_cover(p, way) if self.edges.king else self.pair_cover(p, way)
            number: cython.longlong = x - UNIT * popcount(kept & ~p)
            if number + UNIT * (len(covers[0]) + len(covers[1]) - popcount(kept & p)) > 0:
                continue
            stars: cython.int = star
            rest: u128 = p
            for down in range(2):
                for c in covers[down]:
                    group: u128 = bit(c)
                    if not down and (c + 1) % self.cols:
                        group |= group << 1
                    if down or self.edges.king:
                        group |= group << self.cols
                    group &= rest
                    rest &= ~group
                    if group & kept and not group & (group - 1):
                        stars ^= 1
                    elif group:
                        number += UNIT // 2 if group & kept else UNIT
            if number < 0 or (number == 0 and not stars):
                return [*covers, cells_of(kept)]
        return None

    def king_cover(self, p, way):
        """Cover p with 2x2 squares and return the first cell of each; if `way` is 1, cover the first row separately."""
        found = []
        row: cython.int = -way
        while row < self.rows:
            line: u128 = p >> (row * self.cols) if row >= 0 else 0
            if row + 1 < self.rows:
                line |= p >> ((row + 1) * self.cols)
            line &= self.top
            while line:
                c: cython.int = lowest(line)
                found.append((row if row >= 0 else 0) * self.cols + c)
                line &= ~(bit(c) | bit(c + 1))
            row += 2
        return [found, []]

    def pair_cover(self, p, way):
        """Cover the set p with pairs, and return each pair's first cell; if `way` is 0, use only horizontal pairs."""
        across, down = [], []
        while p:
            c: cython.int = lowest(p)
            p ^= bit(c)
            if not way or p & self.near[c] & bit(c + 1):
                across.append(c)
                p &= ~(self.near[c] & bit(c + 1))
            else:
                down.append(c)
                p &= ~(bit(c) << self.cols)
        return [across, down]

    def form(self, p, q):
        """Return the canonical form of a nonempty position, and the symmetry that maps the form back to it."""
        self.check(p | q)
        self.canonical(p, q)
        return self.key_p, self.key_q, self.key_turn

    def regions(self, p, q):
        """Return the regions of a position, largest last."""
        self.check(p | q)
        found = []
        while p | q:
            part: u128 = self.region(p, q)
            found.append(part)
            p &= ~part
            q &= ~part
        return sorted(found, key=int.bit_count)

    def without_spare(self, p, q):
        """Return the sets p and q after removing cells that neither player needs to take.

        A cell d that neither player needs is always removed from the set q. The cell d is removed from the set p only
        if d has a neighbour n, in p but not in q, such that a marker on d would also close every cell of p that a
        marker on n would close.
        """
        self.check(p | q)
        rest: u128 = p | q
        while rest:
            d: cython.int = lowest(rest)
            rest ^= bit(d)
            if self.useless(d, p, q):
                q &= ~bit(d)
                rivals: u128 = p & self.near[d] & ~q if (p >> d) & 1 else 0
                while rivals:
                    if not self.zone[lowest(rivals)] & p & ~self.zone[d]:
                        p &= ~bit(d)
                        break
                    rivals &= rivals - 1
        return p, q

    def easy_reply(self, p, q, x, star):
        """Return a reply of q after which a bound, a reflection or a cut shows that p's owner does not win, or -1."""
        self.check(p | q)
        rest: u128 = q
        while rest:
            c: cython.int = lowest(rest)
            rest ^= bit(c)
            if self.is_easy(p & ~bit(c), q & ~self.zone[c], x, star):
                return c
        return -1

    def is_easy(self, p, q, x, star):
        """Return whether a bound, a reflection or a cut shows that the player to move does not win."""
        alone: u128 = (p | q) & ~((p & around(self.edges, p)) | (q & around(self.edges, q)))
        x += UNIT * (popcount(alone & p & ~q) - popcount(alone & q & ~p))
        star ^= popcount(alone & p & q) & 1
        p &= ~alone
        q &= ~alone
        if popcount(p | q) <= SMALL:
            return self.exact(p, q) ^ star <= -2 * x
        if self.ceiling(p, q) + x + star <= 0:
            return True
        if x + star <= 0:
            self.canonical(p, q)
            if self.balanced:
                return True
        return self.good_cut(p, q, self.apart(p, q), x, star) >= 0

    def good_cut(self, p, q, kept, x, star):
        """Return a scheme of blocks that shows that the player to move does not win, or -1."""
        for scheme in range(SCHEMES):
            if self.block_ceiling(p, q, kept, scheme) ^ star <= -2 * x:
                return scheme
        return -1
