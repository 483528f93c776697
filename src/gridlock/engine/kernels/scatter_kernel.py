"""Who wins a `scatter` position: an exact search that adds up the regions the board falls into."""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:
    from . import interpreted as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.gridlock.engine.kernels.bits import lowest, popcount, u128
else:
    from .interpreted import lowest, popcount

    u128 = int

SYMMETRY = 1
SWAP = 2
MIRROR = 4
COMPONENTS = 8
PRUNE = 16
DOMINANCE = 32
BOUNDS = 64
ORDER = 128
TABLE = 256
PROBE = 512
ALL = 1023

UNIT = cython.declare(cython.longlong, 1 << 16)
BIG = cython.declare(cython.longlong, 1 << 23)
BIAS = cython.declare(cython.longlong, 1 << 24)
WORDS = cython.declare(cython.longlong, 5)
import os
PW = cython.declare(cython.int, int(os.environ.get('PW','1')))
W1 = cython.declare(cython.int, int(os.environ.get('W1','1')))
W2 = cython.declare(cython.int, int(os.environ.get('W2','1')))
W3 = cython.declare(cython.int, int(os.environ.get('W3','0')))


@cython.cclass
class ScatterSearch:
    near: u128[128]
    flips: u128[3 * 16 * 256]
    full: u128
    even_rows: u128
    not_first: u128
    not_last: u128
    even_bits: u128
    rows: cython.int
    cols: cython.int
    chunks: cython.int
    king: cython.bint
    techniques: cython.int
    use_symmetry: cython.bint
    use_swap: cython.bint
    use_mirror: cython.bint
    use_components: cython.bint
    use_prune: cython.bint
    use_dominance: cython.bint
    use_bounds: cython.bint
    use_order: cython.bint
    use_table: cython.bint
    use_probe: cython.bint
    small: cython.int
    nodes: cython.longlong
    next_tick: cython.longlong
    tick_gap: cython.longlong
    word: cython.ulonglong
    mixers: cython.ulonglong[4]
    buckets: cython.ulonglong
    table: cython.ulonglong[::1]
    order: cython.longlong[::1]
    key_p: u128
    key_q: u128
    key_sign: cython.int
    key_zero: cython.int
    low: cython.longlong
    low_ok: cython.int
    high: cython.longlong
    high_ok: cython.int
    tick: object
    journal: list
    journal_work: cython.longlong

    def __init__(self, rows, cols, king, memory, techniques, small=8):
        if not cython.compiled:
            self.near = [0] * 128
            self.flips = [0] * (3 * 16 * 256)
            self.mixers = [0] * 4
        self.rows = rows
        self.cols = cols
        self.king = king
        self.techniques = techniques
        self.use_symmetry = techniques & SYMMETRY != 0
        self.use_swap = techniques & SWAP != 0
        self.use_mirror = techniques & MIRROR != 0
        self.use_components = techniques & COMPONENTS != 0
        self.use_prune = techniques & PRUNE != 0
        self.use_dominance = techniques & DOMINANCE != 0
        self.use_bounds = techniques & BOUNDS != 0
        self.use_order = techniques & ORDER != 0
        self.use_table = techniques & TABLE != 0
        self.use_probe = techniques & PROBE != 0
        self.small = small
        self.nodes = 0
        self.tick_gap = 16384 if cython.compiled else 512
        self.journal = []
        self.journal_work = 0
        self.word = (1 << 64) - 1
        cells = rows * cols
        self.chunks = (cells + 7) // 8
        self.full = (1 << cells) - 1
        row = (1 << cols) - 1
        self.even_rows = sum(row << r * cols for r in range(0, rows, 2))
        self.not_first = sum((row & ~1) << r * cols for r in range(rows))
        self.not_last = sum((row >> 1) << r * cols for r in range(rows))
        self.even_bits = sum(1 << i for i in range(0, 128, 2))
        for i, odd in enumerate((0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93)):
            self.mixers[i] = odd
        for c in range(cells):
            y, x = divmod(c, cols)
            self.near[c] = sum(
                1 << v * cols + w
                for v in range(rows)
                for w in range(cols)
                if (max(abs(v - y), abs(w - x)) if king else abs(v - y) + abs(w - x)) <= 1
            )
        for kind in range(3):
            for chunk in range(self.chunks):
                for byte in range(256):
                    image = 0
                    for bit in range(8):
                        c = chunk * 8 + bit
                        if byte >> bit & 1 and c < cells:
                            y, x = divmod(c, cols)
                            if kind == 0:
                                x = cols - 1 - x
                            elif kind == 1:
                                y = rows - 1 - y
                            else:
                                y, x = x, y
                            if y < rows and x < cols:
                                image |= 1 << y * cols + x
                    self.flips[(kind * 16 + chunk) * 256 + byte] = image
        self.buckets = 1
        while self.buckets * 2 * 4 * WORDS * 8 <= memory:
            self.buckets *= 2
        self.table = array("Q", bytes(8 * WORDS * 4 * self.buckets))
        self.order = array("q", bytes(8 * 128 * 300))

    @property
    def nodes_searched(self):
        return self.nodes

    # geometry

    @cython.cfunc
    def flip(self, kind: cython.int, p: u128) -> u128:
        out: u128 = 0
        i: cython.int
        base: cython.int = kind * 4096
        for i in range(self.chunks):
            out |= self.flips[base + cython.cast(cython.int, p & 255)]
            p >>= 8
            base += 256
        return out

    @cython.cfunc
    def around(self, p: u128) -> u128:
        """The cells of a set and all their neighbours."""
        h: u128 = p | ((p << 1) & self.not_first) | ((p >> 1) & self.not_last)
        if self.king:
            return (h | (h << self.cols) | (h >> self.cols)) & self.full
        return (h | (p << self.cols) | (p >> self.cols)) & self.full

    @cython.cfunc
    def region(self, p: u128, q: u128) -> u128:
        """The connected part of the lowest open cell under the edges that matter."""
        one: u128 = 1
        seen: u128 = one << lowest(p | q)
        grown: u128
        while True:
            grown = seen | (self.around(seen & p) & p) | (self.around(seen & q) & q)
            if grown == seen:
                return seen
            seen = grown

    # canonical form and table

    @cython.cfunc
    def offer(self, p: u128, q: u128, first: cython.bint) -> cython.int:
        """Keep (p, q), or with SWAP its negative, if it comes before the best form so far."""
        if first or p < self.key_p or (p == self.key_p and q < self.key_q):
            self.key_p = p
            self.key_q = q
            self.key_sign = 1
        if self.use_swap and (q < self.key_p or (q == self.key_p and p < self.key_q)):
            self.key_p = q
            self.key_q = p
            self.key_sign = -1
        return 0

    @cython.cfunc
    def canonical(self, p: u128, q: u128) -> cython.int:
        """Set key_p, key_q, key_sign; key_zero is 2 if the value is 0, 1 if it is 0 or star, else 0."""
        every: u128 = p | q
        rows: cython.int = 0
        cols: cython.int = 0
        line: u128
        i: cython.int
        self.key_zero = 0
        if not self.use_symmetry:
            self.offer(p, q, True)
            return 0
        # move the open cells into the corner of the board: only their shape matters
        i = lowest(every) // self.cols * self.cols
        every >>= i
        p >>= i
        q >>= i
        line = 0
        while every:
            line |= every
            every >>= self.cols
            rows += 1
        one: u128 = 1
        line &= (one << self.cols) - 1
        i = lowest(line)
        p >>= i
        q >>= i
        line >>= i
        while line:
            line >>= 1
            cols += 1
        across: cython.int = self.cols - cols
        down: cython.int = (self.rows - rows) * self.cols
        p1: u128 = self.flip(0, p) >> across
        q1: u128 = self.flip(0, q) >> across
        p2: u128 = self.flip(1, p) >> down
        q2: u128 = self.flip(1, q) >> down
        p3: u128 = self.flip(1, p1) >> down
        q3: u128 = self.flip(1, q1) >> down
        self.offer(p, q, True)
        self.offer(p1, q1, False)
        self.offer(p2, q2, False)
        self.offer(p3, q3, False)
        turned: cython.bint = rows <= self.cols and cols <= self.rows
        t: u128 = 0
        t3: u128 = 0
        if turned:
            t = self.flip(2, p)
            t3 = self.flip(2, p3)
            self.offer(t, self.flip(2, q), False)
            self.offer(self.flip(2, p1), self.flip(2, q1), False)
            self.offer(self.flip(2, p2), self.flip(2, q2), False)
            self.offer(t3, self.flip(2, q3), False)
        if popcount(p) != popcount(q):
            return 0
        both: u128 = p & q
        if self.use_mirror:
            if p1 == q and not self.fixed(both, 0, rows, cols):
                self.key_zero = 2
            elif p2 == q and not self.fixed(both, 1, rows, cols):
                self.key_zero = 2
            elif p3 == q and not self.fixed(both, 2, rows, cols):
                self.key_zero = 2
            elif turned and t == q and not self.fixed(both, 3, rows, cols):
                self.key_zero = 2
            elif turned and t3 == q and not self.fixed(both, 4, rows, cols):
                self.key_zero = 2
        if self.use_swap and not self.key_zero and (
            p == q or p1 == q or p2 == q or p3 == q
            or (turned and (t == q or t3 == q or self.flip(2, p1) == q or self.flip(2, p2) == q))
        ):
            self.key_zero = 1
        return 0

    @cython.cfunc
    def fixed(self, both: u128, kind: cython.int, rows: cython.int, cols: cython.int) -> cython.bint:
        """Whether a reflection or half-turn of a rows by cols box leaves one of these cells in place."""
        one: u128 = 1
        c: cython.int
        y: cython.int
        x: cython.int
        while both:
            c = lowest(both)
            both ^= one << c
            y = c // self.cols
            x = c % self.cols
            if kind == 0:
                if 2 * x == cols - 1:
                    return True
            elif kind == 1:
                if 2 * y == rows - 1:
                    return True
            elif kind == 2:
                if 2 * x == cols - 1 and 2 * y == rows - 1:
                    return True
            elif kind == 3:
                if x == y:
                    return True
            elif x == rows - 1 - y and rows == cols:
                return True
        return False

    @cython.cfunc
    def slot(self, p: u128, q: u128) -> cython.longlong:
        """The first word of the bucket a position belongs to."""
        a: cython.ulonglong = cython.cast(cython.ulonglong, p & self.word)
        b: cython.ulonglong = cython.cast(cython.ulonglong, p >> 64)
        c: cython.ulonglong = cython.cast(cython.ulonglong, q & self.word)
        d: cython.ulonglong = cython.cast(cython.ulonglong, q >> 64)
        h: cython.ulonglong
        h = (a * self.mixers[0] + b * self.mixers[1]) & self.word
        h = ((h ^ (h >> 29)) * self.mixers[2] + c * self.mixers[3] + d) & self.word
        h = ((h ^ (h >> 32)) * self.mixers[1]) & self.word
        h ^= h >> 31
        return cython.cast(cython.longlong, h & (self.buckets - 1)) * (4 * WORDS)

    @cython.cfunc
    def probe(self, p: u128, q: u128) -> cython.longlong:
        """Load what is known of a canonical position into low and high; the place of its entry, or -1."""
        at: cython.longlong
        k: cython.int
        info: cython.ulonglong
        self.low = -BIG
        self.high = BIG
        self.low_ok = 3
        self.high_ok = 3
        at = self.slot(p, q)
        for k in range(4):
            if (
                self.table[at] == (p & self.word)
                and self.table[at + 2] == (q & self.word)
                and self.table[at + 1] == (p >> 64)
                and self.table[at + 3] == (q >> 64)
            ):
                info = self.table[at + 4]
                self.low = cython.cast(cython.longlong, info >> 39) - BIAS
                self.high = cython.cast(cython.longlong, (info >> 14) & 0x1FFFFFF) - BIAS
                self.low_ok = cython.cast(cython.int, (info >> 12) & 3)
                self.high_ok = cython.cast(cython.int, (info >> 10) & 3)
                return at
            at += WORDS
        return -1

    @cython.cfunc
    def store(self, p: u128, q: u128, work: cython.longlong) -> cython.int:
        """Write low and high for a canonical position, over the entry that cost least to find."""
        at: cython.longlong = self.slot(p, q)
        best: cython.longlong = at
        least: cython.ulonglong = 99
        k: cython.int
        size: cython.ulonglong = 1
        info: cython.ulonglong
        while work > 1 and size < 62:
            work >>= 1
            size += 1
        for k in range(4):
            info = self.table[at + 4]
            if (
                self.table[at] == (p & self.word)
                and self.table[at + 2] == (q & self.word)
                and self.table[at + 1] == (p >> 64)
                and self.table[at + 3] == (q >> 64)
            ):
                best = at
                if info & 63 > size:
                    size = info & 63
                break
            if info & 63 < least:
                least = info & 63
                best = at
            at += WORDS
        self.table[best] = cython.cast(cython.ulonglong, p & self.word)
        self.table[best + 1] = cython.cast(cython.ulonglong, p >> 64)
        self.table[best + 2] = cython.cast(cython.ulonglong, q & self.word)
        self.table[best + 3] = cython.cast(cython.ulonglong, q >> 64)
        self.table[best + 4] = (
            (cython.cast(cython.ulonglong, self.low + BIAS) << 39)
            | (cython.cast(cython.ulonglong, self.high + BIAS) << 14)
            | (cython.cast(cython.ulonglong, self.low_ok) << 12)
            | (cython.cast(cython.ulonglong, self.high_ok) << 10)
            | size
        )
        return 0

    # what is known of a value: low <= number <= high, and at an end only the star allowed there (1 none, 2 star)

    @cython.cfunc
    def raise_low(self, z: cython.longlong, ok: cython.int) -> cython.int:
        if z > self.low:
            self.low = z
            self.low_ok = ok
        elif z == self.low:
            self.low_ok &= ok
        return self.meet()

    @cython.cfunc
    def lower_high(self, z: cython.longlong, ok: cython.int) -> cython.int:
        if z < self.high:
            self.high = z
            self.high_ok = ok
        elif z == self.high:
            self.high_ok &= ok
        return self.meet()

    @cython.cfunc
    def meet(self) -> cython.int:
        if self.low == self.high:
            self.low_ok &= self.high_ok
            self.high_ok = self.low_ok
        return 0

    @cython.cfunc
    def negate(self) -> cython.int:
        z: cython.longlong = self.low
        self.low = -self.high
        self.high = -z
        ok: cython.int = self.low_ok
        self.low_ok = self.high_ok
        self.high_ok = ok
        return 0

    @cython.cfunc
    def decided(self, x: cython.longlong) -> cython.int:
        """Whether the mover wins with x added, from low and high alone; -1 if they do not tell."""
        if self.low > -x or (self.low == -x and not self.low_ok & 1):
            return 1
        if self.high < -x or (self.high == -x and not self.high_ok & 2):
            return 0
        return -1

    # exact values of small regions

    @cython.cfunc
    def exact(self, p: u128, q: u128) -> cython.longlong:
        """Twice the number, plus one for a star, of a position whose regions are all small."""
        total: cython.longlong = 0
        v: cython.longlong
        star: cython.longlong = 0
        part: u128
        while p | q:
            part = self.region(p, q)
            v = self.exact_region(p & part, q & part)
            star ^= v & 1
            total += v >> 1
            p &= ~part
            q &= ~part
        return 2 * total + star

    @cython.cfunc
    def exact_region(self, p: u128, q: u128) -> cython.longlong:
        """The same for one region."""
        every: u128 = p | q
        one: u128 = 1
        bit: u128
        c: cython.int
        v: cython.longlong
        if not every & (every - 1):
            if p == q:
                return 1
            return 2 * UNIT if p else -2 * UNIT
        self.canonical(p, q)
        kp: u128 = self.key_p
        kq: u128 = self.key_q
        sign: cython.int = self.key_sign
        if self.key_zero == 2:
            return 0
        if self.probe(kp, kq) >= 0 and self.low == self.high:
            if self.low_ok == 1:
                return 2 * sign * self.low
            if self.low_ok == 2:
                return 2 * sign * self.low + 1
        left: cython.longlong = -BIG
        right: cython.longlong = BIG
        left_open: cython.bint = True
        right_open: cython.bint = True
        while every:
            c = lowest(every)
            bit = one << c
            every ^= bit
            if p & bit:
                v = self.exact(p & ~self.near[c], q & ~bit)
                if (v >> 1) > left:
                    left = v >> 1
                    left_open = not v & 1
                elif (v >> 1) == left and not v & 1:
                    left_open = True
            if q & bit:
                v = self.exact(p & ~bit, q & ~self.near[c])
                if (v >> 1) < right:
                    right = v >> 1
                    right_open = not v & 1
                elif (v >> 1) == right and not v & 1:
                    right_open = True
        star: cython.int = 0
        z: cython.longlong
        if left == right and (left_open or right_open):
            z = left
            star = 1
        else:
            z = self.simplest(left, left_open, right, right_open)
        self.low = self.high = sign * z
        self.low_ok = self.high_ok = 2 if star else 1
        self.store(kp, kq, 1)
        return 2 * z + star

    @cython.cfunc
    def simplest(
        self, left: cython.longlong, left_open: cython.bint, right: cython.longlong, right_open: cython.bint
    ) -> cython.longlong:
        """The simplest number between two others; an end that is not open counts as between."""
        if (left < 0 or (left == 0 and not left_open)) and (right > 0 or (right == 0 and not right_open)):
            return 0
        if right <= 0:
            return -self.simplest(-right, right_open, -left, left_open)
        step: cython.longlong = UNIT
        z: cython.longlong
        while True:
            z = (left // step) * step
            if z < left or left_open:
                z += step
            if z < right or (z == right and not right_open):
                return z
            step >>= 1

    # bounds

    @cython.cfunc
    def in_lines(self, m: u128) -> cython.int:
        """The most cells, no two side by side, in runs of cells; rows must be apart from each other."""
        starts: u128 = m & ~(m << 1) & self.even_bits
        runs: u128 = m & ~(m + starts)
        return popcount(runs & self.even_bits) + popcount(m & ~runs & ~self.even_bits)

    @cython.cfunc
    def cover(self, p: u128) -> cython.int:
        """No player can ever place more than this many tokens on p: a cover by cliques."""
        a: cython.int
        b: cython.int
        one: u128 = 1
        first: u128 = (one << self.cols) - 1
        if self.king:
            a = self.in_lines((p | (p >> self.cols)) & self.even_rows)
            b = self.in_lines(((p | (p >> self.cols)) & (self.even_rows << self.cols))) + self.in_lines(p & first)
            return a if a < b else b
        a = self.in_lines(p & self.even_rows) + self.in_lines(p & ~self.even_rows)
        b = 0
        bit: u128
        while p:
            bit = p & (0 - p)
            p ^= bit
            b += 1
            if (bit << 1) & p & self.not_first:
                p ^= bit << 1
            elif (bit << self.cols) & p:
                p ^= bit << self.cols
        return a if a < b else b

    @cython.cfunc
    def upper(self, p: u128, q: u128) -> cython.longlong:
        """A number the value never exceeds."""
        total: cython.longlong = 2 * self.cover(p)
        c: cython.int
        mine: u128 = q & ~p
        while mine:
            c = lowest(mine)
            mine &= ~self.near[c]
            q &= ~self.near[c]
            total -= 2
        q &= p
        while q:
            c = lowest(q)
            q &= ~self.near[c]
            total -= 1
        return total * (UNIT // 2)

    @cython.cfunc
    def wei(self, p: u128) -> cython.longlong:
        r: u128 = p
        t: cython.longlong = 0
        c: cython.int
        one: u128 = 1
        while r:
            c = lowest(r)
            r ^= one << c
            t += 2520 // popcount(p & self.near[c])
        return t

    # pruning

    @cython.cfunc
    def guarded(self, d: cython.int, p: u128, q: u128) -> cython.bint:
        """Whether the owner of p can always play something at least as good as the cell d."""
        one: u128 = 1
        room: u128 = self.near[d]
        rivals: u128 = p & room & ~(one << d)
        shared: u128 = 0
        c: cython.int
        while rivals:
            c = lowest(rivals)
            rivals ^= one << c
            if not self.near[c] & p & ~room:
                if not (q >> c) & 1 or shared & self.near[c]:
                    return True
                shared |= one << c
        return False

    @cython.cfunc
    def prune(self, p: u128, q: u128) -> u128:
        """The open cells, less those that no player ever needs."""
        left: u128 = p | q
        one: u128 = 1
        bit: u128
        d: cython.int
        while left:
            d = lowest(left)
            bit = one << d
            left ^= bit
            if (not p & bit or self.guarded(d, p, q)) and (not q & bit or self.guarded(d, q, p)):
                p &= ~bit
                q &= ~bit
        return p | q

    @cython.cfunc
    def worthwhile(self, p: u128, q: u128) -> u128:
        """The moves that no other move makes pointless."""
        out: u128 = p
        left: u128 = p
        rivals: u128
        one: u128 = 1
        c: cython.int
        d: cython.int
        shared: cython.bint
        while left:
            d = lowest(left)
            left ^= one << d
            shared = (q >> d) & 1 != 0
            rivals = out & self.near[d] & ~(one << d)
            if shared:
                rivals &= q
            while rivals:
                c = lowest(rivals)
                rivals ^= one << c
                if not self.near[c] & p & ~self.near[d] and not (shared and self.near[c] & q & ~self.near[d]):
                    out &= ~(one << d)
                    break
        return out

    # search

    def solve(self, p, q, tick):
        self.tick = tick
        self.next_tick = self.nodes + self.tick_gap
        return self.wins(p, q, 0, 0, False)

    @cython.cfunc
    @cython.exceptval(-2)
    def wins(self, p: u128, q: u128, x: cython.longlong, depth: cython.int, peek: cython.bint) -> cython.int:
        """Whether the mover wins the position with the number x added (-1: stopped)."""
        if not peek:
            self.nodes += 1
        if self.nodes >= self.next_tick:
            self.next_tick = self.nodes + self.tick_gap
            if self.tick(self.nodes):
                return -1
        start: cython.longlong = self.nodes
        flipped: cython.int = 0
        part: u128
        rest_p: u128
        rest_q: u128
        z: cython.longlong
        star: cython.longlong = 0
        if self.use_prune:
            part = self.prune(p, q)
            p &= part
            q &= part
        if self.use_components:
            rest_p = rest_q = 0
            while p | q:
                part = self.region(p, q)
                if popcount(part) <= self.small:
                    z = self.exact_region(p & part, q & part)
                    x += z >> 1
                    star ^= z & 1
                else:
                    rest_p |= p & part
                    rest_q |= q & part
                p &= ~part
                q &= ~part
            p = rest_p
            q = rest_q
            if star:
                if not p | q:
                    return x >= 0
                # taking the star is as good as any other move
                flipped = 1
                rest_p = p
                p = q
                q = rest_p
                x = -x
        if not p | q:
            return (x > 0) ^ flipped
        if self.use_bounds:
            z = self.upper(p, q)
            if z + x <= 0:
                return flipped
            z = -self.upper(q, p)
            if z + x > 0:
                return 1 ^ flipped
        kp: u128 = p
        kq: u128 = q
        sign: cython.int = 1
        known: cython.int
        if self.use_table or self.use_mirror or self.use_swap:
            self.canonical(p, q)
            kp = self.key_p
            kq = self.key_q
            sign = self.key_sign
            if self.key_zero == 2 or (self.key_zero == 1 and x):
                return (x > 0) ^ flipped
            if self.use_table and self.probe(kp, kq) >= 0:
                if sign < 0:
                    self.negate()
                known = self.decided(x)
                if known >= 0:
                    return known ^ flipped
        if peek:
            return -3
        known = self.expand(p, q, x, depth)
        if known < 0:
            return known
        if self.use_table:
            self.probe(kp, kq)
            if sign < 0:
                self.negate()
            if known:
                self.raise_low(-x, 2)
            else:
                self.lower_high(-x, 1)
            if sign < 0:
                self.negate()
            self.store(kp, kq, self.nodes - start)
        return known ^ flipped

    @cython.cfunc
    @cython.exceptval(-2)
    def expand(self, p: u128, q: u128, x: cython.longlong, depth: cython.int) -> cython.int:
        """Try every move worth trying."""
        moves: u128 = self.worthwhile(p, q) if self.use_dominance else p
        one: u128 = 1
        bit: u128
        child_p: u128
        child_q: u128
        c: cython.int
        n: cython.int = 0
        k: cython.int
        base: cython.int = depth * 128
        result: cython.int
        high: cython.longlong
        low: cython.longlong
        entry: cython.longlong
        while moves:
            c = lowest(moves)
            bit = one << c
            moves ^= bit
            entry = c
            if self.use_order:
                child_p = q & ~bit
                child_q = p & ~self.near[c]
                high = self.upper(child_p, child_q)
                low = -self.upper(child_q, child_p)
                if self.use_bounds:
                    if high - x <= 0:
                        return 1
                    if low - x > 0:
                        continue
                entry += (W1 * (high + low) // (UNIT // 2) * 64 + W2 * 32 * (popcount(child_p) - popcount(child_q)) + W3 * (self.wei(child_p) - self.wei(child_q)) // 16) * 128
            k = n
            while k > 0 and self.order[base + k - 1] > entry:
                self.order[base + k] = self.order[base + k - 1]
                k -= 1
            self.order[base + k] = entry
            n += 1
        if self.use_probe and popcount(p) > PW:
            m: cython.int = 0
            for k in range(n):
                c = cython.cast(cython.int, self.order[base + k] & 127)
                bit = one << c
                result = self.wins(q & ~bit, p & ~self.near[c], -x, depth + 1, True)
                if result == 0:
                    return 1
                if result == -3:
                    self.order[base + m] = self.order[base + k]
                    m += 1
            n = m
        for k in range(n):
            c = cython.cast(cython.int, self.order[base + k] & 127)
            bit = one << c
            result = self.wins(q & ~bit, p & ~self.near[c], -x, depth + 1, False)
            if result < 0:
                return result
            if not result:
                return 1
        # a move in the number added: to its own simplest smaller neighbour
        low = x & -x
        if x > 0 and low >= UNIT:
            low = UNIT
        if x and (low < UNIT or x > 0):
            result = self.wins(q, p, low - x, depth + 1, False)
            if result < 0:
                return result
            return 1 - result
        return 0

    def value(self, p, q):
        v = self.exact(p, q)
        z = v >> 1
        scale = 16
        while scale and not z & 1:
            z >>= 1
            scale -= 1
        return z, scale, v & 1
