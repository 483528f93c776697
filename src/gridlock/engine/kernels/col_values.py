"""Regions of Col, their canonical forms, what the table knows about them, and the exact values of small regions.

A value is stored as one integer: twice the number of units (one move is 65,536 units), plus one for a star.
"""

try:
    import cython
except ImportError:
    from . import interpreted as cython
if not cython.compiled:
    from .interpreted import around, bit, lowest, plain, popcount, u128

    BoardSearch, simplest = plain("board_search").BoardSearch, plain("board_search").simplest

SYMMETRY = cython.declare(cython.int, 1)  # one table entry for a pattern in every place and orientation
MIRROR = cython.declare(cython.int, 2)  # find a reflection that swaps the players and moves all shared cells
CENTRE = cython.declare(cython.int, 1024)  # let a reflection leave one shared cell in place, by the centre rule
BY_IMAGES = {"SYMMETRY": SYMMETRY, "MIRROR": MIRROR, "CENTRE": CENTRE}  # the techniques of this module

UNIT = cython.declare(cython.longlong, 1 << 16)  # one move
BIG = cython.declare(cython.longlong, 1 << 23)  # more than any value
VALUED = cython.declare(cython.int, 16)  # the most cells that value() supports; the denominators fit into UNIT
UPSIDE_DOWN = cython.declare(cython.int, 1)  # symmetries of the board
LEFT_TO_RIGHT = cython.declare(cython.int, 2)
ACROSS = cython.declare(cython.int, 4)

# The table's known word, above the effort: bounds on the value, each plus 2 * BIG.
HIGH = cython.declare(cython.int, 6)
LOW = cython.declare(cython.int, 32)
BOUND = cython.declare(cython.ulonglong, (1 << 26) - 1)


class ColValues(BoardSearch):
    """The values and bounds that are known for regions on one board."""

    def __init__(self, grid, memory, techniques):
        BoardSearch.__init__(self, grid, memory, techniques)
        self.diagonal = sum(1 << i * grid.cols + i for i in range(min(grid.rows, grid.cols)))

    def value(self, p, q):
        """Return the first player's exact value, encoded as one integer."""
        self.check(p | q)
        return None if popcount(p | q) > VALUED else self.exact(p, q)

    # Regions and their canonical forms

    @cython.final
    def region(self, p, q):
        """Return the region of the first open cell; neighbours are connected if both are open to the same player."""
        found: u128 = (p | q) & (0 - (p | q))
        while True:
            more: u128 = found | (around(self.edges, found & p) & p) | (around(self.edges, found & q) & q)
            if more == found:
                return found
            found = more

    @cython.final
    def canonical(self, p, q):
        """Store a nonempty position's canonical form as the key; set `balanced` if a reflection decides its value."""
        self.key_p, self.key_q, self.key_turn, self.balanced = p, q, 0, False
        if not self.techniques & (SYMMETRY | MIRROR | CENTRE):
            return 0
        # Move the open cells into the corner of the board, because only their shape matters.
        shift: cython.int = self.corner(p | q)
        rows: cython.int = self.box_rows
        cols: cython.int = self.box_cols
        p >>= shift
        q >>= shift
        if self.techniques & SYMMETRY:
            self.key_p, self.key_q = p, q
        turns: cython.bint = rows <= self.cols and cols <= self.rows
        alike: cython.bint = self.techniques & (MIRROR | CENTRE) and popcount(p) == popcount(q)
        exchanged: u128 = q
        for i in range(8 if turns else 4):
            if i == ACROSS:  # from now on, exchange rows and columns before flipping
                p, q, rows, cols = self.image(p, ACROSS), self.image(q, ACROSS), cols, rows
            shift = (self.rows - rows) * self.cols if i & UPSIDE_DOWN else 0
            shift += self.cols - cols if i & LEFT_TO_RIGHT else 0
            a: u128 = self.image(p, i & 3) >> shift
            if alike and a == exchanged and i <= ACROSS:  # later symmetries include quarter turns
                self.balanced |= self.decides(i, p, q, rows, cols)
            if self.techniques & SYMMETRY and a <= self.key_p:
                b: u128 = self.image(q, i & 3) >> shift
                if a < self.key_p or b < self.key_q:
                    self.key_p, self.key_q, self.key_turn = a, b, i
        return 0

    @cython.final
    def decides(self, symmetry, p, q, rows, cols):
        """Return whether a reflection or half-turn that exchanges the players shows that the value is 0."""
        fixed: u128 = p & q  # the shared cells that it leaves in place
        if symmetry & UPSIDE_DOWN:
            fixed &= self.top << ((rows >> 1) * self.cols) if rows & 1 else 0
        if symmetry & LEFT_TO_RIGHT:
            fixed &= (self.board & ~self.edges.not_left) << (cols >> 1) if cols & 1 else 0
        if symmetry == ACROSS:
            fixed &= self.diagonal
        if not fixed:
            return self.techniques & MIRROR != 0
        if fixed & (fixed - 1) or not self.techniques & CENTRE:
            return False
        # The centre rule (docs/theory.md): the value is 0 if the opponent can answer a token in the centre with a token
        # next to the centre that closes no cell to the opponent except the centre and its neighbours.
        centre: cython.int = lowest(fixed)
        spare: u128 = self.near[centre] & q
        while spare:
            if not self.zone[lowest(spare)] & q & ~self.zone[centre]:
                return True
            spare &= spare - 1
        return False

    # The table

    @cython.final
    def recall(self, p, q):
        """Set `low` and `high` to the table's bounds for a position in canonical form."""
        known: cython.ulonglong = self.table.find(p, q, 0)
        self.low, self.high = -2 * BIG, 2 * BIG
        if known:
            self.low = cython.cast(cython.longlong, known >> LOW & BOUND) - 2 * BIG
            self.high = cython.cast(cython.longlong, known >> HIGH & BOUND) - 2 * BIG
        return 0

    @cython.final
    def store(self, p, q, work):
        """Store `low` and `high` as the bounds for a position in canonical form."""
        known: cython.ulonglong = cython.cast(cython.ulonglong, self.low + 2 * BIG) << LOW
        known |= cython.cast(cython.ulonglong, self.high + 2 * BIG) << HIGH
        return self.table.keep(p, q, known, work)

    def note(self, p, q, x, won, work):
        """Tighten a position's bounds after a search has shown whether the mover wins when x is added to the position.

        If the mover wins the sum of the position and the number x, the number in the position's value is greater than
        -x, or the value is -x plus a star. If the mover loses the sum, the number in the position's value is less than
        -x, or the value is exactly -x.
        """
        self.recall(p, q)
        if won:
            self.low = max(self.low, 1 - 2 * x)
        else:
            self.high = min(self.high, -2 * x)
        return self.store(p, q, work)

    # Exact values, each stored as one integer: twice the number in the value, plus 1 if the value includes a star

    @cython.final
    def exact(self, p, q):
        total: cython.longlong = 0
        while p | q:
            part: u128 = self.region(p, q)
            v: cython.longlong = self.exact_region(p & part, q & part)
            total = (total + (v & -2)) ^ (v & 1)
            p &= ~part
            q &= ~part
        return total

    @cython.final
    def exact_region(self, p, q):
        rest: u128 = p | q
        if not rest & (rest - 1):
            return 1 if p == q else 2 * UNIT if p else -2 * UNIT
        self.canonical(p, q)
        if self.balanced:
            return 0
        key_p: u128 = self.key_p
        key_q: u128 = self.key_q
        self.recall(key_p, key_q)
        if self.low == self.high:
            return self.low
        # `below` and `above` encode the best options of the two players as twice a number, plus a bit. In `below`, the
        # bit is 1 if the option has no star; in `above`, the bit is 1 if the option has a star. If a player's best
        # option is a number without a star, the region's value is never that number. If a player's best option is a
        # number plus star, the region's value may be the number without the star.
        below: cython.longlong = 1 - 2 * BIG
        above: cython.longlong = 2 * BIG
        while rest:
            c: cython.int = lowest(rest)
            rest ^= bit(c)
            if (p >> c) & 1:
                below = max(below, self.exact(p & ~self.zone[c], q & ~bit(c)) ^ 1)
            if (q >> c) & 1:
                above = min(above, self.exact(p & ~bit(c), q & ~self.zone[c]))
        v: cython.longlong = 2 * (below >> 1) + 1
        if below >> 1 != above >> 1 or (not below & 1 and above & 1):
            v = 2 * simplest(below >> 1, below & 1, above >> 1, not above & 1, UNIT)
        self.low = self.high = v
        self.store(key_p, key_q, 1)
        return v
