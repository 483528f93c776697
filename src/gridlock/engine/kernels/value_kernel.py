"""The exact values of Snort on the board's graph (a marker closes the cells around it to the opponent).

A position is (p, q): the cells open to Left and to Right. Cells out of the opponent's reach are free moves. The rest
falls into regions that do not affect each other. A region is stored once for all its places, rotations and
reflections, and for the two players exchanged, which negates the value.
"""

from .walls import GaveUp, heat

try:
    import cython
except ImportError:
    from . import interpreted as cython
if not cython.compiled:
    from .interpreted import around, bit, lowest, plain, popcount, u128

    BoardSearch = plain("board_search").BoardSearch
    made = plain("value_store")
    SPAN, UNIT, ValueStore = made.SPAN, made.UNIT, made.ValueStore
    THRESHOLDS, SUMMANDS, RANKING = made.THRESHOLDS, made.SUMMANDS, made.RANKING

DOMINANCE = cython.declare(cython.int, 1)  # leave out cells that close no more than another
SYMMETRY = cython.declare(cython.int, 2)  # one entry for a region in every place and orientation, and its exchange
REGIONS = cython.declare(cython.int, 4)  # take independent regions apart, and add their values
TECHNIQUES = {
    "DOMINANCE": DOMINANCE, "SYMMETRY": SYMMETRY, "REGIONS": REGIONS, "THRESHOLDS": THRESHOLDS, "SUMMANDS": SUMMANDS,
    "RANKING": RANKING,
}  # fmt: skip
ALL = sum(TECHNIQUES.values())

MISSING = cython.declare(cython.longlong, -(1 << 62))
EFFORT = cython.declare(cython.int, 6)  # bits of the table's word below the value
UPSIDE_DOWN = cython.declare(cython.int, 1)  # symmetries of the board
LEFT_TO_RIGHT = cython.declare(cython.int, 2)
ACROSS = cython.declare(cython.int, 4)


class SnortValues(BoardSearch):
    """The values of positions on one board, exact or cooled by a number of parts of a move."""

    def __init__(self, grid, memory, techniques, cooled=0, warmer=None):
        BoardSearch.__init__(self, grid, memory // 8, techniques)
        self.store = ValueStore(memory - memory // 8, cooled, techniques)
        self.warmer, self.failure = warmer, ""

    def value(self, p, q, tick):
        """Return the value of a position for the player with the cells p; None if stopped by tick or out of memory."""
        self.check(p | q)
        self.store.begin(tick)
        kernel = self.warmer
        while kernel is not None:
            kernel.store.begin(tick)
            kernel = kernel.warmer
        try:
            return self.total(p, q)
        except (GaveUp, RecursionError) as reason:  # Python's own stack is short
            self.failure = str(reason)
            return None

    def mean(self, p, q):
        """Return the mean of a region without free moves, in parts of a move."""
        mean = heat(self.store, self.region_value(p, q)).mean * (UNIT // 2)
        if mean.denominator > 1:  # the last part is for comparisons
            raise GaveUp("A mean is too fine for the store.")
        return 2 * mean.numerator

    # The board

    def region(self, p, q):
        """Return the cells of the first region: neighbours are connected if they belong to different players.

        A cell that both may take belongs to both, so it is connected with all open cells around it.
        """
        first: u128 = (p | q) & (0 - (p | q))
        mine: u128 = first & p
        theirs: u128 = first & q
        while True:
            more: u128 = theirs | (around(self.edges, mine) & q)
            mine |= around(self.edges, more) & p
            if more == theirs and not around(self.edges, mine) & q & ~theirs:
                return mine | theirs
            theirs = more

    def standard(self, p, q):
        """Set the key to the standard form of a region."""
        self.key_p, self.key_q, self.exchanged, self.balanced = p, q, False, False
        if not self.techniques & SYMMETRY:
            return 0
        # Move the region into the corner of the board: only its form matters.
        shift: cython.int = self.corner(p | q)
        rows: cython.int = self.box_rows
        cols: cython.int = self.box_cols
        p >>= shift
        q >>= shift
        self.key_p, self.key_q = p, q
        first_p: u128 = p
        first_q: u128 = q
        turns: cython.bint = rows <= self.cols and cols <= self.rows
        for i in range(8 if turns else 4):
            if i == ACROSS:  # the other way round: first rows and columns exchanged, then turned over
                p, q, rows, cols = self.image(p, ACROSS), self.image(q, ACROSS), cols, rows
            shift = (self.rows - rows) * self.cols if i & UPSIDE_DOWN else 0
            shift += self.cols - cols if i & LEFT_TO_RIGHT else 0
            a: u128 = self.image(p, i & 3) >> shift
            b: u128 = self.image(q, i & 3) >> shift
            if a == first_q and b == first_p:
                self.balanced = True
            if a < self.key_p or (a == self.key_p and b < self.key_q):
                self.key_p, self.key_q, self.exchanged = a, b, False
            if b < self.key_p or (b == self.key_p and a < self.key_q):
                self.key_p, self.key_q, self.exchanged = b, a, True
        return 0

    # Values

    def total(self, p, q):
        """Return the value of a position: its free moves and the sum of its regions."""
        mine: u128 = p & ~around(self.edges, q)
        theirs: u128 = q & ~around(self.edges, p)
        sum: cython.longlong = (popcount(mine) - popcount(theirs)) * cython.cast(cython.longlong, UNIT) * SPAN
        p &= ~mine
        q &= ~theirs
        while p | q:
            part: u128 = self.region(p, q) if self.techniques & REGIONS else p | q
            sum = self.store.plus(sum, self.region_value(p & part, q & part))
            p &= ~part
            q &= ~part
        return sum

    def region_value(self, p, q):
        """Return the value of a region without free moves, from the table or from its moves."""
        self.standard(p, q)
        key_p: u128 = self.key_p
        key_q: u128 = self.key_q
        exchanged: cython.bint = self.exchanged
        word: cython.longlong = cython.cast(cython.longlong, self.table.find(key_p, key_q, 0))
        if not cython.compiled and word >= 1 << 63:
            word -= 1 << 64
        value: cython.longlong = word >> EFFORT
        if not word:
            before: cython.longlong = self.store.steps
            value = self.expand(key_p, key_q, self.balanced)
            known: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
            known &= cython.cast(cython.ulonglong, value * 64)
            self.table.keep(key_p, key_q, known, self.store.steps - before + 1)
        return self.store.negated(value) if exchanged else value

    def expand(self, p, q, balanced):
        """Return the value of a region by its moves. If it is its own exchange, Right's are the negatives of Left's."""
        store: ValueStore = self.store
        base: cython.longlong = store.top
        tax: cython.longlong = store.cooled * SPAN
        self.nodes += 1
        moves: u128 = self.most_closing(p, q) if self.techniques & DOMINANCE else p
        while moves:
            cell: cython.int = lowest(moves)
            moves &= moves - 1
            store.push(self.total(p & ~bit(cell), q & ~self.zone[cell]) - tax)
        middle: cython.longlong = store.top
        if balanced:
            i: cython.longlong
            for i in range(base, middle):
                store.push(store.negated(store.stack[i]))
        else:
            moves = self.most_closing(q, p) if self.techniques & DOMINANCE else q
            while moves:
                cell = lowest(moves)
                moves &= moves - 1
                store.push(self.total(p & ~self.zone[cell], q & ~bit(cell)) + tax)
        value: cython.longlong = store.make(base, base, middle, middle)
        if value == MISSING:
            value = self.warmer.mean(p, q) * SPAN
        return value
