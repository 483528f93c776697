"""Who wins a `scatter` position: a search that works with exact values.

A position is (p, q): the cells open to the player to move and to the opponent. Its value is a number, or a number plus
star (a move that either player may take, once), counted in moves to the good of the first. So a position falls into
regions whose values add up, and what is known of a value is an interval. docs/engine/scatter.md has the reasons.
"""

from __future__ import annotations

import mmap
from array import array
from itertools import pairwise

try:
    import cython
except ImportError:
    from . import interpreted as cython
if cython.compiled:
    from cython.cimports.gridlock.engine.kernels.bits import lowest, popcount, u128
else:
    from .interpreted import lowest, popcount

    u128 = int

SYMMETRY = 1  # one table entry for a shape wherever it lies and however it is turned
SWAP = 2  # one table entry for a position and the same with the players exchanged
MIRROR = 4  # a reflection or half-turn that exchanges the players and moves every shared cell: worth nothing
REGIONS = 8  # take out small regions and add their values
PRUNE = 16  # take out cells that nobody ever needs
DOMINANCE = 32  # skip moves that another move betters
BOUNDS = 64  # independent sets against clique covers
BLOCKS = 128  # bounds from the values of 2x4 blocks
ORDER = 256  # try first what leaves the opponent least room
TABLE = 512  # remember what has been proved
ALL = 1023

CELLS = 128
SMALL = 8  # regions up to this size are valued at once
VALUED = 16  # the largest region that value() takes; its denominators fit into UNIT

UNIT = cython.declare(cython.longlong, 1 << 16)  # one move
BIG = cython.declare(cython.longlong, 1 << 23)  # more than any value
WORDS = cython.declare(cython.longlong, 5)  # of a table entry: p and q, low half before high half, then what is known
WAYS = cython.declare(cython.longlong, 4)  # table entries that share a place
SCHEMES = cython.declare(cython.longlong, 4)  # ways to cut the board into blocks
PLAIN = cython.declare(cython.int, 1)  # a bound may be met by the number itself
STAR = cython.declare(cython.int, 2)  # a bound may be met by the number plus star


@cython.cclass
class ScatterSearch:
    """The search for one board; its table remembers what it has proved."""

    near: u128[128]  # a cell and its neighbours
    flips: u128[12288]  # [left to right, top to bottom, rows to columns][byte of the set][value of the byte]
    blocks: u128[288]  # [scheme][block]; an empty block ends a scheme
    corners: cython.int[288]
    block_values: cython.longlong[::1]  # [owner's cells][other's cells], BIG until it is needed
    shares: cython.longlong[16]
    full: u128
    not_left: u128
    not_right: u128
    left: u128
    top: u128
    diagonal: u128
    even_rows: u128
    odd_rows: u128
    even_bits: u128
    rows: cython.int
    cols: cython.int
    down: cython.int
    king: cython.bint
    symmetry: cython.bint
    swap: cython.bint
    mirror: cython.bint
    regions: cython.bint
    prune: cython.bint
    dominance: cython.bint
    bounds: cython.bint
    use_blocks: cython.bint
    order: cython.bint
    remember: cython.bint
    waiting: cython.longlong[::1]  # [depth][rank]: moves still to be searched, best first
    table: cython.ulonglong[::1]
    places: cython.ulonglong
    word: cython.ulonglong
    mixers: cython.ulonglong[4]
    # Second results of canonical(): the form, whether it is the position (1) or its negative (-1), and whether the
    # value is 0 (2), is 0 or star (1), or may be anything (0).
    key_p: u128
    key_q: u128
    sign: cython.int
    nil: cython.int
    # What is known of a value: low <= number <= high, and whether plain and star may meet each bound.
    low: cython.longlong
    high: cython.longlong
    low_meets: cython.int
    high_meets: cython.int
    searched: cython.longlong
    next_tick: cython.longlong
    pause: cython.longlong
    tick: object
    entries: list
    entry_work: cython.longlong

    def __init__(self, rows: int, cols: int, king: bool, memory: int, techniques: int) -> None:
        cells = rows * cols
        if cells > CELLS:
            raise ValueError(f"A board of {rows}x{cols} is too large for this search: it takes {CELLS} cells.")
        if not cython.compiled:
            self.near, self.flips, self.mixers, self.shares = [0] * 128, [0] * 12288, [0] * 4, [0] * 16
            self.blocks, self.corners = [0] * 288, [0] * 288
        self.rows, self.cols, self.king = rows, cols, king
        self.down = cols if rows > 1 else 0  # a single row may be 128 wide, and no shift may be that far
        self.symmetry, self.swap = techniques & SYMMETRY != 0, techniques & SWAP != 0
        self.mirror, self.regions = techniques & MIRROR != 0, techniques & REGIONS != 0
        self.prune, self.dominance = techniques & PRUNE != 0, techniques & DOMINANCE != 0
        self.bounds, self.use_blocks = techniques & BOUNDS != 0, techniques & BLOCKS != 0
        self.order, self.remember = techniques & ORDER != 0, techniques & TABLE != 0
        row, left = (1 << cols) - 1, sum(1 << y * cols for y in range(rows))
        self.full, self.top, self.left = (1 << cells) - 1, row, left
        self.not_left, self.not_right = ((1 << cells) - 1) & ~left, ((1 << cells) - 1) & ~(left << cols - 1)
        self.even_rows = sum(row << y * cols for y in range(0, rows, 2))
        self.odd_rows = sum(row << y * cols for y in range(1, rows, 2))
        self.even_bits = sum(1 << i for i in range(0, 128, 2))
        self.diagonal = sum(1 << i * cols + i for i in range(min(rows, cols)))
        for i in range(1, 10):
            self.shares[i] = 2520 // i
        self.lay_out(rows, cols, king)
        self.block_values = array("q", [1 << 23]) * 65536
        self.waiting = array("q", [0]) * (CELLS * (CELLS + 2))
        self.word = (1 << 64) - 1
        for i, odd in enumerate((0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93)):
            self.mixers[i] = odd
        self.places = 1
        while self.places * 2 * WAYS * WORDS * 8 <= memory:
            self.places *= 2
        # An anonymous map comes zeroed and costs nothing until it is used.
        self.table = memoryview(mmap.mmap(-1, self.places * WAYS * WORDS * 8)).cast("Q")
        self.searched = 0
        self.pause = 16384 if cython.compiled else 256
        self.entries = []
        self.entry_work = 0

    def lay_out(self, rows: int, cols: int, king: bool) -> None:
        """Tabulate neighbours, reflections (eight cells at a time) and the blocks of each scheme."""
        for cell in range(rows * cols):
            y, x = divmod(cell, cols)
            self.near[cell] = sum(
                1 << v * cols + w
                for v in range(max(0, y - 1), min(rows, y + 2))
                for w in range(max(0, x - 1), min(cols, x + 2))
                if king or v == y or w == x
            )
            for kind, (v, w) in enumerate(((y, cols - 1 - x), (rows - 1 - y, x), (x, y))):
                if v < rows and w < cols:
                    first = kind * 4096 + cell // 8 * 256
                    for value in range(256):
                        if value >> cell % 8 & 1:
                            self.flips[first + value] |= 1 << v * cols + w
        for scheme in range(SCHEMES):
            ys = [0, *range(2 - scheme % 2, rows, 2), rows]
            xs = [0, *range(4 - scheme // 2 * 2, cols, 4), cols]
            cuts = [(y, v, x, w) for y, v in pairwise(ys) for x, w in pairwise(xs)]
            for i, (y, v, x, w) in enumerate(cuts):
                self.blocks[scheme * 72 + i] = sum(1 << r * cols + c for r in range(y, v) for c in range(x, w))
                self.corners[scheme * 72 + i] = y * cols + x

    @property
    def nodes(self) -> int:
        """Positions searched so far."""
        return self.searched

    @property
    def journal(self) -> list:
        """The positions that took much work, as (p, q, number added in parts of a move, result)."""
        return self.entries

    @property
    def journal_work(self) -> int:
        """The least work, in positions, that puts a position into the journal; 0 for none."""
        return self.entry_work

    @journal_work.setter
    def journal_work(self, work: int) -> None:
        self.entry_work = work

    def solve(self, p: int, q: int, tick) -> int:
        """Say whether the player to move wins (1) or loses (0), or -1 if tick asked to stop."""
        self.check(p, q)
        self.tick = tick
        self.next_tick = self.searched + self.pause
        return self.wins(p, q, 0, 0)

    def learn(self, p: int, q: int, added: int, result: int) -> None:
        """Put an entry of a journal back into the table."""
        self.check(p, q)
        if self.remember and p | q:
            self.canonical(p, q)
            self.note(self.key_p, self.key_q, self.sign, added, result, self.entry_work)

    def value(self, p: int, q: int) -> tuple[int, int, int] | None:
        """The exact value for the first player, as (numerator, log2 of the denominator, star); None if too large."""
        self.check(p, q)
        rest_p, rest_q = p, q
        while rest_p | rest_q:
            part = self.region(rest_p, rest_q)
            if popcount(part) > VALUED:
                return None
            rest_p, rest_q = rest_p & ~part, rest_q & ~part
        found = self.exact(p, q)
        number, scale = found >> 1, 16
        while scale and not number & 1:
            number, scale = number >> 1, scale - 1
        return number, scale, found & 1

    def check(self, p: int, q: int) -> None:
        """Refuse cells that are not on the board."""
        if (p | q) & ~self.full or p < 0 or q < 0:
            raise ValueError("This position has cells outside the board.")

    # The board

    @cython.cfunc
    @cython.exceptval(check=False)
    def flip(self, kind: cython.int, p: u128) -> u128:
        image: u128 = 0
        at: cython.int = kind * 4096
        while p:
            image |= self.flips[at + cython.cast(cython.int, p & 255)]
            p >>= 8
            at += 256
        return image

    @cython.cfunc
    @cython.exceptval(check=False)
    def around(self, p: u128) -> u128:
        """The cells of a set and all their neighbours."""
        across: u128 = p | ((p << 1) & self.not_left) | ((p >> 1) & self.not_right)
        if self.king:
            return (across | (across << self.down) | (across >> self.down)) & self.full
        return (across | (p << self.down) | (p >> self.down)) & self.full

    @cython.cfunc
    @cython.exceptval(check=False)
    def region(self, p: u128, q: u128) -> u128:
        """All that hangs together with the first open cell: neighbours matter if one player has both."""
        found: u128 = (p | q) & (0 - (p | q))
        more: u128
        while True:
            more = found | (self.around(found & p) & p) | (self.around(found & q) & q)
            if more == found:
                return found
            found = more

    @cython.cfunc
    @cython.exceptval(check=False)
    def offer(self, p: u128, q: u128, sign: cython.int) -> cython.int:
        """Take this form if it comes before the one we have; the same form with both signs is its own negative."""
        if p < self.key_p or (p == self.key_p and q < self.key_q):
            self.key_p, self.key_q, self.sign, self.nil = p, q, sign, 0
        elif p == self.key_p and q == self.key_q and sign != self.sign:
            self.nil = 1
        if sign > 0 and self.swap:
            self.offer(q, p, -1)
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def canonical(self, p: u128, q: u128) -> cython.int:
        """Find the form under which the table knows this position (not empty), and whether it balances itself."""
        self.key_p, self.key_q, self.sign, self.nil = p, q, 1, 0
        if not self.symmetry and not self.mirror:
            return self.offer(p, q, 1)
        # Move the open cells into the corner of the board: only their shape matters.
        rest: u128 = p | q
        line: u128 = 0
        rows: cython.int = 0
        cols: cython.int = 0
        shift: cython.int = lowest(rest) // self.cols * self.cols
        rest >>= shift
        while rest:
            line |= rest & self.top
            rest = (rest >> (self.cols - 1)) >> 1
            rows += 1
        shift += lowest(line)
        line >>= lowest(line)
        while line:
            line >>= 1
            cols += 1
        a: u128 = p >> shift
        b: u128 = q >> shift
        across: cython.int = self.cols - cols
        up: cython.int = (self.rows - rows) * self.cols
        turns: cython.bint = rows <= self.cols and cols <= self.rows
        a1: u128 = self.flip(0, a) >> across
        a2: u128 = self.flip(1, a) >> up
        a3: u128 = self.flip(1, a1) >> up
        balanced: cython.bint = False
        if self.mirror and popcount(a) == popcount(b):
            column: u128 = self.left << (cols >> 1) if cols & 1 else 0
            row: u128 = self.top << ((rows >> 1) * self.cols) if rows & 1 else 0
            shared: u128 = a & b
            balanced = (
                (a1 == b and not shared & column)
                or (a2 == b and not shared & row)
                or (a3 == b and not shared & column & row)
                or (turns and not shared & self.diagonal and self.flip(2, a) == b)
            )
        if self.symmetry:
            b1: u128 = self.flip(0, b) >> across
            b2: u128 = self.flip(1, b) >> up
            b3: u128 = self.flip(1, b1) >> up
            self.key_p, self.key_q = a, b
            self.offer(a, b, 1)
            self.offer(a1, b1, 1)
            self.offer(a2, b2, 1)
            self.offer(a3, b3, 1)
            if turns:
                self.offer(self.flip(2, a), self.flip(2, b), 1)
                self.offer(self.flip(2, a1), self.flip(2, b1), 1)
                self.offer(self.flip(2, a2), self.flip(2, b2), 1)
                self.offer(self.flip(2, a3), self.flip(2, b3), 1)
        else:
            self.offer(p, q, 1)
        if balanced:
            self.nil = 2
        return 0

    # The table

    @cython.cfunc
    @cython.exceptval(check=False)
    def find(self, p: u128, q: u128) -> cython.longlong:
        """Where the table has a form, or else -1 - the place of the entry, of those in its way, that cost least."""
        a: cython.ulonglong = cython.cast(cython.ulonglong, p & self.word)
        b: cython.ulonglong = cython.cast(cython.ulonglong, p >> 64)
        c: cython.ulonglong = cython.cast(cython.ulonglong, q & self.word)
        d: cython.ulonglong = cython.cast(cython.ulonglong, q >> 64)
        mix: cython.ulonglong = (a * self.mixers[0] + b * self.mixers[1]) & self.word
        mix = ((mix ^ (mix >> 29)) * self.mixers[2] + c * self.mixers[3] + d) & self.word
        mix = ((mix ^ (mix >> 32)) * self.mixers[1]) & self.word
        at: cython.longlong = cython.cast(cython.longlong, (mix ^ (mix >> 31)) & (self.places - 1)) * (WAYS * WORDS)
        least: cython.longlong = at
        end: cython.longlong = at + WAYS * WORDS
        while at < end:
            if self.table[at] == a and self.table[at + 2] == c and self.table[at + 1] == b and self.table[at + 3] == d:
                return at
            if self.table[at + 4] & 63 < self.table[least + 4] & 63:
                least = at
            at += WORDS
        return -1 - least

    @cython.cfunc
    @cython.exceptval(check=False)
    def recall(self, p: u128, q: u128) -> cython.int:
        """Set low and high to what the table knows of a form."""
        at: cython.longlong = self.find(p, q)
        self.low, self.high, self.low_meets, self.high_meets = -BIG, BIG, 3, 3
        if at >= 0:
            info: cython.ulonglong = self.table[at + 4]
            self.low = cython.cast(cython.longlong, info >> 39) - BIG
            self.high = cython.cast(cython.longlong, (info >> 14) & 0x1FFFFFF) - BIG
            self.low_meets = cython.cast(cython.int, (info >> 12) & 3)
            self.high_meets = cython.cast(cython.int, (info >> 10) & 3)
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def store(self, p: u128, q: u128, work: cython.longlong) -> cython.int:
        """Write low and high for a form, with the binary size of the work as its worth (1 to 63)."""
        at: cython.longlong = self.find(p, q)
        size: cython.ulonglong = 1
        while work > 1 and size < 63:
            work >>= 1
            size += 1
        if at < 0:
            at = -1 - at
        elif self.table[at + 4] & 63 > size:
            size = self.table[at + 4] & 63
        self.table[at] = cython.cast(cython.ulonglong, p & self.word)
        self.table[at + 1] = cython.cast(cython.ulonglong, p >> 64)
        self.table[at + 2] = cython.cast(cython.ulonglong, q & self.word)
        self.table[at + 3] = cython.cast(cython.ulonglong, q >> 64)
        self.table[at + 4] = (
            (cython.cast(cython.ulonglong, self.low + BIG) << 39)
            | (cython.cast(cython.ulonglong, self.high + BIG) << 14)
            | (cython.cast(cython.ulonglong, self.low_meets) << 12)
            | (cython.cast(cython.ulonglong, self.high_meets) << 10)
            | size
        )
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def negate(self) -> cython.int:
        self.low, self.high = -self.high, -self.low
        self.low_meets, self.high_meets = self.high_meets, self.low_meets
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def note(
        self, p: u128, q: u128, sign: cython.int, x: cython.longlong, won: cython.int, work: cython.longlong
    ) -> cython.int:
        """Add to what is known of a form: the mover wins it, or its negative if sign is -1, with x added, or does not.

        A win says that the number is above -x, or -x with a star; a loss, that it is below -x, or -x without one.
        """
        self.recall(p, q)
        if sign < 0:
            self.negate()
        if won:
            if -x > self.low:
                self.low, self.low_meets = -x, STAR
            elif -x == self.low:
                self.low_meets &= STAR
        elif -x < self.high:
            self.high, self.high_meets = -x, PLAIN
        elif -x == self.high:
            self.high_meets &= PLAIN
        if self.low == self.high:
            self.low_meets &= self.high_meets
            self.high_meets = self.low_meets
        if sign < 0:
            self.negate()
        return self.store(p, q, work)

    # Exact values: twice the number, plus one for a star

    @cython.cfunc
    @cython.exceptval(check=False)
    def exact(self, p: u128, q: u128) -> cython.longlong:
        total: cython.longlong = 0
        part: u128
        v: cython.longlong
        while p | q:
            part = self.region(p, q)
            v = self.exact_region(p & part, q & part)
            total = (total + (v & -2)) ^ (v & 1)
            p &= ~part
            q &= ~part
        return total

    @cython.cfunc
    @cython.exceptval(check=False)
    def exact_region(self, p: u128, q: u128) -> cython.longlong:
        rest: u128 = p | q
        if not rest & (rest - 1):
            return 1 if p == q else 2 * UNIT if p else -2 * UNIT
        self.canonical(p, q)
        if self.nil == 2:
            return 0
        key_p: u128 = self.key_p
        key_q: u128 = self.key_q
        sign: cython.int = self.sign
        self.recall(key_p, key_q)
        if self.low == self.high and self.low_meets != 3:
            return 2 * sign * self.low + (self.low_meets == STAR)
        # The best options; a number itself must be passed, while a number with a star may be met.
        below: cython.longlong = -BIG
        above: cython.longlong = BIG
        pass_below: cython.bint = True
        pass_above: cython.bint = True
        one: u128 = 1
        c: cython.int
        v: cython.longlong
        while rest:
            c = lowest(rest)
            rest ^= one << c
            if (p >> c) & 1:
                v = self.exact(p & ~self.near[c], q & ~(one << c))
                if v >> 1 > below:
                    below, pass_below = v >> 1, not v & 1
                elif v >> 1 == below and not v & 1:
                    pass_below = True
            if (q >> c) & 1:
                v = self.exact(p & ~(one << c), q & ~self.near[c])
                if v >> 1 < above:
                    above, pass_above = v >> 1, not v & 1
                elif v >> 1 == above and not v & 1:
                    pass_above = True
        star: cython.int = below == above and (pass_below or pass_above)
        v = below if star else self.simplest(below, pass_below, above, pass_above)
        self.low = self.high = sign * v
        self.low_meets = self.high_meets = STAR if star else PLAIN
        self.store(key_p, key_q, 1)
        return 2 * v + star

    @cython.cfunc
    @cython.exceptval(check=False)
    def simplest(
        self, below: cython.longlong, pass_below: cython.bint, above: cython.longlong, pass_above: cython.bint
    ) -> cython.longlong:
        """The simplest number between two others: nearest to 0 if whole, else with the least denominator."""
        if below + pass_below <= 0 <= above - pass_above:
            return 0
        if above <= 0:
            return -self.simplest(-above, pass_above, -below, pass_below)
        step: cython.longlong = UNIT
        v: cython.longlong
        while True:
            v = below // step * step
            if v < below or pass_below:
                v += step
            if v + pass_above <= above:
                return v
            step >>= 1

    # Bounds

    @cython.cfunc
    @cython.exceptval(check=False)
    def runs(self, p: u128) -> cython.int:
        """The most cells, no two side by side, in rows that do not touch: half of each run, rounded up."""
        starts: u128 = p & ~(p << 1) & self.even_bits
        even: u128 = p & ~(p + starts)  # adding its first cell carries a run away
        return popcount(even & self.even_bits) + popcount(p & ~even & ~self.even_bits)

    @cython.cfunc
    @cython.exceptval(check=False)
    def cover(self, p: u128) -> cython.int:
        """At least as many as the tokens that one player can ever place: cells covered by cliques."""
        a: cython.int
        b: cython.int
        if self.king:  # two rows at a time, in squares
            a = self.runs((p | (p >> self.down)) & self.even_rows)
            b = self.runs((p | (p >> self.down)) & self.odd_rows) + self.runs(p & self.top)
            return a if a < b else b
        a = self.runs(p & self.even_rows) + self.runs(p & self.odd_rows)
        b = 0
        bit: u128
        while p:
            bit = p & (0 - p)
            p ^= bit
            b += 1
            if (bit << 1) & p & self.not_left:
                p ^= bit << 1
            else:
                p &= ~(bit << self.down)
        return a if a < b else b

    @cython.cfunc
    @cython.exceptval(check=False)
    def ceiling(self, p: u128, q: u128) -> cython.longlong:
        """A number the value does not exceed: one for each clique of p, less what q surely has against them."""
        halves: cython.longlong = 2 * self.cover(p)
        own: u128 = q & ~p
        c: cython.int
        while own:
            c = lowest(own)
            own &= ~self.near[c]
            q &= ~self.near[c]
            halves -= 2
        q &= p
        while q:
            q &= ~self.near[lowest(q)]
            halves -= 1
        return halves * (UNIT // 2)

    @cython.cfunc
    @cython.exceptval(check=False)
    def block_ceiling(self, p: u128, q: u128, scheme: cython.int) -> cython.longlong:
        """Twice a number, plus one for a star, that the value does not exceed.

        Cutting p's edges helps p, and so does taking cells from q: do both until nothing joins two blocks.
        """
        kept: u128 = 0
        block: u128
        c: cython.int
        room: u128 = q & ~p
        while room:
            kept |= room & (0 - room)
            room &= ~self.near[lowest(room)]
        room = q & ~self.around(kept)
        while room:
            kept |= room & (0 - room)
            room &= ~self.near[lowest(room)]
        total: cython.longlong = 0
        v: cython.longlong
        i: cython.int = scheme * 72
        while self.blocks[i]:
            block = self.blocks[i]
            room = q & block & ~self.around(kept & ~block)
            kept |= room
            c = self.pattern(p & block, self.corners[i]) * 256 + self.pattern(room, self.corners[i])
            v = self.block_values[c]
            if v == BIG:
                v = self.exact(p & block, room)
                self.block_values[c] = v
            total = (total + (v & -2)) ^ (v & 1)
            i += 1
        return total

    @cython.cfunc
    @cython.exceptval(check=False)
    def pattern(self, p: u128, corner: cython.int) -> cython.int:
        """The cells of a 2x4 block as eight bits."""
        p >>= corner
        low: u128 = p & self.top & 15
        return cython.cast(cython.int, low | (((p >> (self.cols - 1)) >> 1) << 4))

    # Cells and moves that nobody needs

    @cython.cfunc
    @cython.exceptval(check=False)
    def guarded(self, d: cython.int, p: u128, q: u128) -> cython.bint:
        """Whether p's owner will have a cell that closes no more than d does for as long as d is open to them.

        The opponent cannot take a cell of p alone, nor two shared neighbours without leaving one of them to p alone.
        """
        rivals: u128 = p & self.near[d]
        shared: u128 = 0
        one: u128 = 1
        c: cython.int
        rivals &= ~(one << d)
        while rivals:
            c = lowest(rivals)
            rivals ^= one << c
            if not self.near[c] & p & ~self.near[d]:
                if not (q >> c) & 1 or shared & self.near[c]:
                    return True
                shared |= one << c
        return False

    @cython.cfunc
    @cython.exceptval(check=False)
    def needed(self, p: u128, q: u128) -> u128:
        """The open cells, less those that change nothing: guarded for every player who may use them."""
        rest: u128 = p | q
        one: u128 = 1
        bit: u128
        d: cython.int
        while rest:
            d = lowest(rest)
            bit = one << d
            rest ^= bit
            if (not p & bit or self.guarded(d, p, q)) and (not q & bit or self.guarded(d, q, p)):
                p &= ~bit
                q &= ~bit
        return p | q

    @cython.cfunc
    @cython.exceptval(check=False)
    def worthwhile(self, p: u128, q: u128) -> u128:
        """The moves of p, less those that another one betters.

        c betters d if it closes no more to p, and takes at least as much from q: d is not open to q, or both are and c
        closes no more to q than d does.
        """
        moves: u128 = p
        rest: u128 = p
        rivals: u128
        one: u128 = 1
        c: cython.int
        d: cython.int
        cares: u128
        while rest:
            d = lowest(rest)
            rest ^= one << d
            rivals = moves & self.near[d] & ~(one << d)
            cares = p
            if (q >> d) & 1:
                rivals &= q
                cares |= q
            while rivals:
                c = lowest(rivals)
                rivals ^= one << c
                if not self.near[c] & cares & ~self.near[d]:
                    moves ^= one << d
                    break
        return moves

    # The search

    @cython.cfunc
    @cython.exceptval(-2)
    def wins(self, p: u128, q: u128, x: cython.longlong, depth: cython.int) -> cython.int:
        """Whether the mover wins with the number x added; -1 if tick asked to stop."""
        self.searched += 1
        if self.searched >= self.next_tick:
            self.next_tick = self.searched + self.pause
            if self.tick(self.searched):
                return -1
        start: cython.longlong = self.searched
        passed: cython.int = 0
        part: u128
        v: cython.longlong
        i: cython.int
        if self.prune:
            part = self.needed(p, q)
            p &= part
            q &= part
        if self.regions:
            rest: u128 = p | q
            star: cython.longlong = 0
            while rest:
                part = self.region(p & rest, q & rest)
                rest &= ~part
                if popcount(part) <= SMALL:
                    v = self.exact_region(p & part, q & part)
                    x += v >> 1
                    star ^= v & 1
                    p &= ~part
                    q &= ~part
            if star:
                # No move is better than taking the star, so this is the opponent's turn without it.
                passed = 1
                p, q, x = q, p, -x
        if not p | q:
            return (x > 0) ^ passed
        if self.bounds:
            if self.ceiling(p, q) + x <= 0:
                return passed
            if x > self.ceiling(q, p):
                return 1 ^ passed
        self.canonical(p, q)
        if self.nil == 2 or (self.nil == 1 and x):
            return (x > 0) ^ passed
        key_p: u128 = self.key_p
        key_q: u128 = self.key_q
        sign: cython.int = self.sign
        if self.remember:
            self.recall(key_p, key_q)
            if sign < 0:
                self.negate()
            if self.low > -x or (self.low == -x and not self.low_meets & PLAIN):
                return 1 ^ passed
            if self.high < -x or (self.high == -x and not self.high_meets & STAR):
                return passed
        if self.use_blocks:
            for i in range(SCHEMES):
                v = self.block_ceiling(p, q, i)
                if (v >> 1) + x < 0 or v == -2 * x:
                    return passed
                v = self.block_ceiling(q, p, i)
                if x > v >> 1 or v == 2 * x + 1:
                    return 1 ^ passed
        won: cython.int = self.expand(p, q, x, depth)
        if won >= 0 and self.remember:
            self.note(key_p, key_q, sign, x, won, self.searched - start)
            if self.entry_work and self.searched - start >= self.entry_work:
                self.entries.append((key_p, key_q, x, won) if sign > 0 else (key_q, key_p, x, won))
        return won if won < 0 else won ^ passed

    @cython.cfunc
    @cython.exceptval(-2)
    def expand(self, p: u128, q: u128, x: cython.longlong, depth: cython.int) -> cython.int:
        """Whether some move wins: one on the board, best guess first, or else one in the number."""
        moves: u128 = self.worthwhile(p, q) if self.dominance else p
        one: u128 = 1
        c: cython.int
        k: cython.int
        count: cython.int = 0
        first: cython.int = depth * 128
        result: cython.int
        score: cython.longlong
        high: cython.longlong
        low: cython.longlong
        after_p: u128
        after_q: u128
        while moves:
            c = lowest(moves)
            moves ^= one << c
            after_p = q & ~(one << c)
            after_q = p & ~self.near[c]
            high = self.ceiling(after_p, after_q)
            low = -self.ceiling(after_q, after_p)
            if self.bounds and high <= x:
                return 1
            if self.bounds and low > x:
                continue
            score = c
            if self.order:
                score += 128 * self.outlook(after_p, after_q)
                if not self.king:
                    score += (high + low) // 4
            k = first + count
            while k > first and self.waiting[k - 1] > score:
                self.waiting[k] = self.waiting[k - 1]
                k -= 1
            self.waiting[k] = score
            count += 1
        for k in range(first, first + count):
            c = cython.cast(cython.int, self.waiting[k] & 127)
            result = self.wins(q & ~(one << c), p & ~self.near[c], -x, depth + 1)
            if result <= 0:
                return 1 if result == 0 else result
        step: cython.longlong = x & -x
        if step > UNIT:
            step = UNIT
        if x <= 0 and (step == UNIT or not x):
            return 0
        # In a number the mover gives up one step of its denominator (a whole number must be positive).
        result = self.wins(q, p, step - x, depth + 1)
        return result if result < 0 else 1 - result

    @cython.cfunc
    @cython.exceptval(check=False)
    def outlook(self, p: u128, q: u128) -> cython.longlong:
        """A guess at how good a position is for its mover: room to place tokens, and the number of open cells."""
        return 64 * (popcount(p) - popcount(q)) + (self.room(p) - self.room(q)) // 16

    @cython.cfunc
    @cython.exceptval(check=False)
    def room(self, p: u128) -> cython.longlong:
        """About how many tokens of one player fit into p, times 2520: each cell counts for its share of those near."""
        total: cython.longlong = 0
        rest: u128 = p
        one: u128 = 1
        c: cython.int
        while rest:
            c = lowest(rest)
            rest ^= one << c
            total += self.shares[popcount(p & self.near[c])]
        return total
