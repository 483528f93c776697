"""The exact values of Snort positions on the board's graph (a marker closes the surrounding cells to the opponent).

A position is (p, q): the cells open to Left, and the cells open to Right. Cells beyond the opponent's reach are free
moves. The other cells fall into regions that do not affect each other. A region has the same table entry wherever it is
on the board and however it is rotated or reflected. Exchanging the players negates a region's value, so the same entry
serves both cases. Most regions fit into an 8x8 square, and are stored in two words, with a byte for each row.
"""

from .walls import GaveUp, heat

try:
    import cython
except ImportError:
    from . import interpreted as cython
if not cython.compiled:
    from . import interpreted
    from .interpreted import around, bit, lowest, plain, popcount, u64, u128

    BoardSearch = plain("board_search").BoardSearch
    flipped, mirrored, transposed = interpreted.flipped, interpreted.mirrored, interpreted.transposed
    squeezed, widened = interpreted.squeezed, interpreted.widened
    maps, made = plain("value_map"), plain("value_store")
    PairCache, PairMap = maps.PairCache, maps.PairMap
    SPAN, UNIT, ValueStore = made.SPAN, made.UNIT, made.ValueStore
    THRESHOLDS, SUMMANDS, RANKING = made.THRESHOLDS, made.SUMMANDS, made.RANKING

DOMINANCE = cython.declare(cython.int, 1)  # leave out cells that close no more than another cell
SYMMETRY = cython.declare(cython.int, 2)  # one entry for all places and orientations of a region, and for both players
REGIONS = cython.declare(cython.int, 4)  # value independent regions separately, and add their values
SQUARES = cython.declare(cython.int, 64)  # store regions that fit into an 8x8 square in two words
RECENT = cython.declare(cython.int, 128)  # also remember such regions before rotation
TECHNIQUES = {
    "DOMINANCE": DOMINANCE, "SYMMETRY": SYMMETRY, "REGIONS": REGIONS, "THRESHOLDS": THRESHOLDS, "SUMMANDS": SUMMANDS,
    "RANKING": RANKING, "SQUARES": SQUARES, "RECENT": RECENT,
}  # fmt: skip
ALL = sum(TECHNIQUES.values())

MISSING = cython.declare(cython.longlong, -(1 << 62))
EFFORT = cython.declare(cython.int, 6)  # the number of bits below the value in the table's word
UPSIDE_DOWN = cython.declare(cython.int, 1)  # symmetries of the board
LEFT_TO_RIGHT = cython.declare(cython.int, 2)
ACROSS = cython.declare(cython.int, 4)
REMEMBERED = cython.declare(cython.int, 13)  # 2 ** REMEMBERED regions are remembered before rotation
SQUARE = cython.declare(cython.int, 8)  # rows and columns of the largest region that is stored in two words


class SnortValues(BoardSearch):
    """The values of positions on one board: exact, or cooled by a temperature of `cooled` / UNIT."""

    def __init__(self, grid, memory, techniques, cooled=0, warmer=None):
        BoardSearch.__init__(self, grid, memory // 16, techniques)
        self.store, self.small = ValueStore(memory - memory // 16, cooled, techniques), PairMap()
        self.recent, self.warmer, self.failure = PairCache(REMEMBERED), warmer, ""

    def value(self, p, q, tick):
        """Return a position's value from Left's point of view; None if `tick` stops the search or memory runs out."""
        return self.sum([(p, q)], tick)

    def sum(self, positions, tick):
        """Return the sum of the values of some positions; None if `tick` stops the search or memory runs out."""
        for p, q in positions:
            self.check(p | q)
        self.store.begin(tick)
        kernel = self.warmer
        while kernel is not None:
            kernel.store.begin(tick)
            kernel = kernel.warmer
        found = 0
        try:
            for p, q in positions:
                found = self.store.plus(found, self.total(p, q))
            return found
        except (GaveUp, RecursionError) as reason:  # Python's recursion limit may be too low
            self.failure = str(reason)
            return None

    def mean(self, p, q):
        """Return the mean of a region that contains no free moves, in units of 1/UNIT of a move."""
        mean = heat(self.store, self.region_value(p, q)).mean * (UNIT // 2)
        if mean.denominator > 1:  # the finest part is reserved for comparisons
            raise GaveUp("The region's mean cannot be stored exactly.")
        return 2 * mean.numerator

    # The board

    def region(self, p, q):
        """Return the cells of the first region; neighbouring cells are connected if they belong to different players.

        A cell open to both players belongs to both, so it is connected to all open cells around it.
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
        # Move the region into a corner of the board, because only the region's shape matters.
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
            if i == ACROSS:  # from now on, exchange rows and columns before flipping
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

    def standard_square(self, p, q, rows, cols):
        """Set the key to the standard form of a region in an 8x8 square; the region's box is `rows` by `cols`."""
        self.square_p, self.square_q, self.exchanged, self.balanced = p, q, False, False
        if not self.techniques & SYMMETRY:
            return 0
        first_p: u64 = p
        first_q: u64 = q
        turns: cython.bint = rows <= self.cols and cols <= self.rows
        for i in range(8 if turns else 4):
            if i == ACROSS:
                p, q, rows, cols = transposed(p), transposed(q), cols, rows
            a: u64 = flipped(p, rows) if i & UPSIDE_DOWN else p
            b: u64 = flipped(q, rows) if i & UPSIDE_DOWN else q
            if i & LEFT_TO_RIGHT:
                a, b = mirrored(a, cols), mirrored(b, cols)
            if a == first_q and b == first_p:
                self.balanced = True
            if a < self.square_p or (a == self.square_p and b < self.square_q):
                self.square_p, self.square_q, self.exchanged = a, b, False
            if b < self.square_p or (b == self.square_p and a < self.square_q):
                self.square_p, self.square_q, self.exchanged = b, a, True
        return 0

    # Values

    def total(self, p, q):
        """Return the value of a position: the sum of the values of its free moves and regions."""
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
        """Return the value of a region that contains no free moves; look it up, or compute it from the moves."""
        if self.techniques & SQUARES:
            shift: cython.int = self.corner(p | q)
            if self.box_rows <= SQUARE and self.box_cols <= SQUARE:
                return self.small_value(p >> shift, q >> shift)
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

    def small_value(self, p, q):
        """Return the value of a region that fits into an 8x8 square in the corner of the board."""
        rows: cython.int = self.box_rows
        own: u64 = squeezed(p, self.cols, rows)
        other: u64 = squeezed(q, self.cols, rows)
        value: cython.longlong = self.recent.find(own, other) if self.techniques & RECENT else MISSING
        if value != MISSING:
            return value
        self.standard_square(own, other, rows, self.box_cols)
        a: u64 = self.square_p
        b: u64 = self.square_q
        exchanged: cython.bint = self.exchanged
        value = self.small.find(a, b)
        if value == MISSING:
            value = self.expand(widened(a, self.cols), widened(b, self.cols), self.balanced)
            more: cython.longlong = self.small.needs()
            if more:
                self.store.claim(more)
                self.small.grow()
            self.small.put(a, b, value)
        if exchanged:
            value = self.store.negated(value)
        if self.techniques & RECENT:
            self.recent.put(own, other, value)
        return value

    def expand(self, p, q, balanced):
        """Return the value of a region, computed from its moves.

        If exchanging the players leaves the region unchanged, Right's options are the negatives of Left's options.
        """
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
