"""The base of all searches: the board and its symmetries, a table of proved results, a journal and a clock.

The file `board_search.pxd` declares the types of attributes and methods; each subclass has its own .pxd file.
"""

import mmap

try:
    import cython
except ImportError:
    from . import interpreted as cython
if not cython.compiled:
    from .interpreted import TABULATED, Edges, bit, lowest, popcount, u128

CELLS = 128  # the number of cells on the largest board
PAUSE = cython.declare(cython.longlong, 16384 if cython.compiled else 256)  # work between two calls of tick

WAYS = cython.declare(cython.longlong, 4)  # table entries that share a bucket
WORDS = cython.declare(cython.longlong, 5)  # per entry: a hash, the rest of two sets of cells, and the known word
KNOWN = cython.declare(cython.longlong, 4)  # the index of the known word in an entry
EFFORT = cython.declare(cython.ulonglong, 63)  # the bits of the known word that the table uses itself
SEAL = cython.declare(cython.ulonglong, 0xD6E8FEB86659FD93)  # combines the known word with the hash


class Table:
    """A hash table of fixed size that stores one nonzero word for each state.

    A state consists of two sets of cells and, optionally, a tag. Within the word, the tag is stored in the bits that
    the mask `tag` selects. The lowest six bits of a word store the bit length of the number of search steps it took to
    find the result. If a bucket is full, a new entry replaces the entry whose result took the least work.

    Several processes may use one table at once, without locks. The first word of an entry combines the state's hash
    with the stored result, so a partly written entry is never found. Each entry matches only one state, because it
    stores all of the state except the lower 64 bits of the first set of cells, and states that differ only in these
    bits have different hashes.
    """

    def __init__(self, memory, tag):
        self.tag = tag
        # An anonymous mapping starts out zeroed and costs nothing until it is used.
        self.use(mmap.mmap(-1, buckets_in(memory) * WAYS * WORDS * 8))

    def use(self, memory):
        """Use the given memory for the table; other processes may share this memory."""
        self.buckets = buckets_in(len(memory))
        self.words = memoryview(memory).cast("Q")

    def find(self, a, b, tag):
        """Return the word stored for a state, or 0 if no word is stored."""
        word: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
        at: cython.longlong = self.locate(a, b, tag)
        if at < 0:
            return 0
        known: cython.ulonglong = self.words[at + KNOWN]
        same: cython.bint = self.words[at] == hashed(a, b, tag) ^ (known * SEAL & word)
        return known if same else 0  # unless another process has replaced the entry since

    def keep(self, a, b, known, work):
        """Store a state's 64-bit word, which includes the state's tag."""
        word: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
        at: cython.longlong = self.locate(a, b, known & self.tag)
        effort: cython.ulonglong = 1
        while work > 1 and effort < EFFORT:
            work >>= 1
            effort += 1
        if at < 0:
            at = -1 - at
        elif self.words[at + KNOWN] & EFFORT > effort:
            effort = self.words[at + KNOWN] & EFFORT
        known = known & ~EFFORT | effort
        self.words[at] = hashed(a, b, known & self.tag) ^ (known * SEAL & word)
        self.words[at + 1] = cython.cast(cython.ulonglong, a >> 64)
        self.words[at + 2] = cython.cast(cython.ulonglong, b & word)
        self.words[at + 3] = cython.cast(cython.ulonglong, b >> 64)
        self.words[at + KNOWN] = known
        return 0

    def locate(self, a, b, tag):
        """Return the index of a state's entry or, if it has none, -1 minus the index of the entry to replace."""
        word: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
        a_high: cython.ulonglong = a >> 64
        b_low: cython.ulonglong = b & word
        b_high: cython.ulonglong = b >> 64
        mix: cython.ulonglong = hashed(a, b, tag)
        at: cython.longlong = cython.cast(cython.longlong, (mix ^ mix >> 32) & (self.buckets - 1)) * (WAYS * WORDS)
        least: cython.longlong = at
        end: cython.longlong = at + WAYS * WORDS
        while at < end:
            known: cython.ulonglong = self.words[at + KNOWN]
            if (
                known
                and self.words[at] == mix ^ (known * SEAL & word)
                and self.words[at + 2] == b_low
                and self.words[at + 1] == a_high
                and self.words[at + 3] == b_high
                and known & self.tag == tag
            ):
                return at
            if known & EFFORT < self.words[least + KNOWN] & EFFORT:
                least = at
            at += WORDS
        return -1 - least


def buckets_in(memory):
    """Return the number of buckets (always a power of two) in a table of this many bytes."""
    buckets = 1
    while buckets * 2 * WAYS * WORDS * 8 <= memory:
        buckets *= 2
    return buckets


def hashed(a, b, tag):
    """Return the hash of a state.

    States that differ only in the lower 64 bits of `a` have different hashes.
    """
    word: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
    one: cython.ulonglong = 0x9E3779B97F4A7C15
    two: cython.ulonglong = 0xC2B2AE3D27D4EB4F
    three: cython.ulonglong = 0x165667B19E3779F9
    a_low: cython.ulonglong = a & word
    a_high: cython.ulonglong = a >> 64
    b_low: cython.ulonglong = b & word
    b_high: cython.ulonglong = b >> 64
    mix: cython.ulonglong = ((a_low ^ tag) * one + a_high * two) & word
    mix = ((mix ^ mix >> 29) * three + b_low * one + b_high) & word
    return (mix ^ mix >> 32) * two & word


class BoardSearch:
    """The game-independent part of a search."""

    def __init__(self, grid, memory, techniques):
        if grid.size > CELLS:
            raise ValueError(f"{grid} is too large for this search, which supports boards of up to {CELLS} cells.")
        if not cython.compiled:
            self.near, self.zone, self.moved, self.images = [0] * 128, [0] * 128, [0] * 1032, [0] * 32768
            self.edges = Edges()
        self.grid, self.rows, self.cols, self.cells, self.board = grid, grid.rows, grid.cols, grid.size, grid.cells
        self.edges.not_left = grid.cells & ~sum(1 << row * grid.cols for row in range(grid.rows))
        self.edges.down = grid.cols  # a board is at most 100 wide, so that no shift goes too far
        self.edges.king = grid.adjacency == "king"
        for cell, near in enumerate(grid.near):
            self.near[cell], self.zone[cell] = near, near | 1 << cell
        row = (1 << grid.cols) - 1
        self.top, self.even_bits = row, sum(1 << bit for bit in range(0, CELLS, 2))
        self.even_rows = sum(row << y * grid.cols for y in range(0, grid.rows, 2))
        self.dark = sum(1 << cell for cell in range(grid.size) if sum(divmod(cell, grid.cols)) % 2)
        self.techniques = techniques
        self.tabulate_images()
        self.table = Table(memory, 0)
        self.nodes = self.steps = self.next_tick = self.journal_work = 0
        self.journal = []

    def share(self, memory):
        """Replace the private table with a table that is shared with other processes."""
        self.table.use(memory)

    def tabulate_images(self):
        """Tabulate the images of every cell, and of eight cells at a time, under rotations and reflections.

        Each symmetry has a three-bit number: bit 0 flips the board top to bottom, bit 1 flips it left to right, and
        bit 2 then swaps rows and columns. Symmetry 0 is the identity. If the board is not square, swapping rows and
        columns may move cells off the board, so only the first `symmetries` symmetries are valid.
        """
        self.symmetries = 8 if self.rows == self.cols else 4
        if not cython.compiled and (self.rows, self.cols) in TABULATED:
            self.moved, self.images = TABULATED[self.rows, self.cols]
            return 0
        for symmetry in range(8):
            for cell in range(129):
                self.moved[symmetry * 129 + cell] = cell
            for cell in range(self.cells):
                row = self.rows - 1 - cell // self.cols if symmetry & 1 else cell // self.cols
                col = self.cols - 1 - cell % self.cols if symmetry & 2 else cell % self.cols
                if symmetry & 4:
                    row, col = col, row
                self.moved[symmetry * 129 + cell] = row * self.cols + col if row < self.rows and col < self.cols else -1
            for byte in range((self.cells + 7) // 8):
                at = symmetry * 4096 + byte * 256
                for bits in range(1, 256):
                    self.images[at + bits] = self.images[at + (bits & (bits - 1))]
                    cell = byte * 8 + lowest(bits)
                    if cell < self.cells and self.moved[symmetry * 129 + cell] >= 0:
                        self.images[at + bits] |= bit(self.moved[symmetry * 129 + cell])
        if not cython.compiled:
            TABULATED[self.rows, self.cols] = self.moved, self.images
            if len(TABULATED) > 4:
                del TABULATED[next(iter(TABULATED))]
        return 0

    def image(self, cells, symmetry):
        """Rotate or reflect a set of cells."""
        found: u128 = 0
        at: cython.int = symmetry * 4096
        while cells:
            byte: cython.int = cells & 255
            found |= self.images[at + byte]
            cells >>= 8
            at += 256
        return found

    def corner(self, cells):
        """Return the shift that moves cells into the corner of the board, and set `box_rows` and `box_cols`."""
        line: u128 = 0
        shift: cython.int = lowest(cells) // self.cols * self.cols
        cells >>= shift
        self.box_rows = self.box_cols = 0
        while cells:
            line |= cells & self.top
            cells = (cells >> (self.cols - 1)) >> 1
            self.box_rows += 1
        shift += lowest(line)
        line >>= lowest(line)
        while line:
            line >>= 1
            self.box_cols += 1
        return shift

    def check(self, cells):
        """Reject cells that are not on the board."""
        if cells & ~self.grid.cells:
            raise ValueError("Some of these cells are not on the board.")

    def most_closing(self, p, q):
        """Return the cells of p that no other cell of p dominates.

        A marker on a cell closes that cell and its neighbours. A cell a dominates a cell b if a marker on a would close
        every cell of the set q that a marker on b would close, and at least one more cell of q. If markers on several
        cells would close exactly the same cells of q, return only the first of those cells.
        """
        moves: u128 = p
        rest: u128 = p
        while rest:
            cell: cython.int = lowest(rest)
            rest &= rest - 1
            closed: u128 = self.zone[cell] & q
            rivals: u128 = p & ~bit(cell)
            left: u128 = closed
            while left and rivals:
                rivals &= self.zone[lowest(left)]
                left &= left - 1
            if rivals & (bit(cell) - 1):
                moves &= ~bit(cell)
            else:
                while rivals and self.zone[lowest(rivals)] & q == closed:
                    rivals &= rivals - 1
                if rivals:
                    moves &= ~bit(cell)
        return moves

    def least_closing(self, p, q, moves):
        """Return p's undominated moves in a game in which players may not move next to their own markers.

        A cell c dominates a cell d if two conditions are met. First, if p places a marker on d, that marker closes
        every cell of p that a marker on c would close, except c itself. Second, p's move to c hurts q at least as much
        as p's move to d does. The second condition is met in two cases:

        - The cell d is not open to q.
        - The cells c and d are adjacent and both open to q, and a marker that q places on d would close every cell of q
          that a marker on c would close.
        """
        rest: u128 = moves
        while rest:
            d: cython.int = lowest(rest)
            rest &= rest - 1
            rivals: u128 = moves & ~bit(d)
            cares: u128 = p
            if (q >> d) & 1:
                rivals &= q & self.zone[d]
                cares |= q
            while rivals:
                c: cython.int = lowest(rivals)
                rivals &= rivals - 1
                if not self.zone[c] & cares & ~self.zone[d] & ~bit(c):
                    moves ^= bit(d)
                    break
        return moves

    def cover(self, p):
        """Return an upper bound on how many markers fit if no two may touch: the size of a clique cover."""
        if self.edges.king:  # two rows at a time, in squares
            squares: u128 = p | (p >> self.cols)
            a: cython.int = runs(squares & self.even_rows, self.even_bits)
            b: cython.int = runs(squares & ~self.even_rows, self.even_bits) + runs(p & self.top, self.even_bits)
            return a if a < b else b
        a = runs(p & self.even_rows, self.even_bits) + runs(p & ~self.even_rows, self.even_bits)
        b = 0
        while p:
            first: u128 = p & (0 - p)
            p ^= first
            b += 1
            if (first << 1) & p & self.edges.not_left:
                p ^= first << 1
            else:
                p &= ~(first << self.cols)
        return a if a < b else b

    def longest(self, cells, at):
        """Return an upper bound on the length of a path.

        If `chequered` is set, each step leads to a cell of the other colour.
        """
        total: cython.int = popcount(cells)
        if not self.chequered:
            return total
        dark: cython.int = popcount(cells & self.dark)
        same: cython.int = dark if self.dark >> at & 1 else total - dark
        return 2 * same + 1 if same < total - same else 2 * (total - same)

    def begin(self, tick):
        """Start the clock."""
        self.tick = tick
        self.next_tick = self.nodes + self.steps + PAUSE
        return 0

    def stop(self):
        """Ask the caller whether to stop, and schedule the next tick."""
        self.next_tick = self.nodes + self.steps + PAUSE
        return 1 if self.tick(self.nodes) else 0


def runs(p, even_bits):
    """Return how many cells can be chosen so that no two are horizontal neighbours: half of each run, rounded up."""
    starts: u128 = p & ~(p << 1) & even_bits
    even: u128 = p & ~(p + starts)  # adding a run's first cell carries through the run
    return popcount(even & even_bits) + popcount(p & ~even & ~even_bits)


def simplest(low, pass_low, high, pass_high, unit):
    """Return the simplest number in an interval.

    The simplest number is the integer nearest 0 or, if the interval contains no integer, the dyadic fraction with the
    smallest denominator. All numbers are given as multiples of 1/`unit`. If `pass_low` is set, the result is larger
    than `low`; if `pass_high` is set, the result is smaller than `high`. The caller makes sure that the interval
    contains a number.
    """
    if low + pass_low <= 0 <= high - pass_high:
        return 0
    if high <= 0:
        return -simplest(-high, pass_high, -low, pass_low, unit)
    while True:
        v: cython.longlong = low // unit * unit
        if v < low or pass_low:
            v += unit
        if v + pass_high <= high:
            return v
        unit >>= 1
