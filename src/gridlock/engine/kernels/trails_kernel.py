"""Win or loss in trails: two pawns, each move walls off the cell left behind, whoever cannot move loses."""

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

ORDER = 1
SEPARATE = 2
TRIM = 4
SYMMETRY = 8
MIRROR = 16
WALL = 32
CHEQUER = 64
MEMO = 128
ETC = 256
WALLM = 512
ALL = 1023

WORD = 0xFFFFFFFFFFFFFFFF


@cython.cclass
class TrailsSearch:
    near: u128[128]
    board: u128
    inner_left: u128
    inner_right: u128
    dark: u128
    cols: cython.int
    step: cython.int
    cells: cython.int
    king: cython.bint
    techniques: cython.int
    nodes = cython.declare(cython.longlong, visibility="public")
    path_nodes = cython.declare(cython.longlong, visibility="public")
    walls = cython.declare(cython.longlong, visibility="public")
    wallhits = cython.declare(cython.longlong, visibility="public")
    margin = cython.declare(cython.int, visibility="public")
    p1 = cython.declare(cython.int, visibility="public")
    p2 = cython.declare(cython.int, visibility="public")
    journal = cython.declare(list, visibility="public")
    journal_work = cython.declare(cython.longlong, visibility="public")
    next_tick: cython.longlong
    tick: object
    table: cython.ulonglong[::1]
    buckets: cython.ulonglong
    paths: cython.ulonglong[::1]
    path_slots: cython.ulonglong
    turned: cython.uchar[:, ::1]
    canon: cython.uchar[::1]
    swap: cython.uchar[::1]
    fixed: u128[8]
    images: u128[8 * 16 * 256]
    region: u128
    unseen: u128
    clock: cython.int
    top: cython.int
    seen_at: cython.int[128]
    low: cython.int[128]
    reach: cython.int[128]
    trail: cython.int[128]

    def __init__(self, rows, cols, king, memory, techniques):
        if not cython.compiled:
            self.near = [0] * 128
            self.fixed = [0] * 8
            self.images = [0] * (8 * 16 * 256)
            self.seen_at = [0] * 128
            self.low = [0] * 128
            self.reach = [0] * 128
            self.trail = [0] * 128
        self.cols = cols
        self.step = cols if rows > 1 else 0
        self.cells = rows * cols
        self.king = king
        self.techniques = techniques
        full = (1 << rows * cols) - 1
        self.board = full
        left = sum(1 << r * cols for r in range(rows))
        self.inner_left = full & ~left
        self.inner_right = full & ~(left << (cols - 1))
        dark = 0
        for r in range(rows):
            for c in range(cols):
                if (r + c) % 2 == 0:
                    dark |= 1 << r * cols + c
                around = 0
                for i in range(max(0, r - 1), min(rows, r + 2)):
                    for j in range(max(0, c - 1), min(cols, c + 2)):
                        if (i, j) != (r, c) and (king or i == r or j == c):
                            around |= 1 << i * cols + j
                self.near[r * cols + c] = around
        self.dark = dark
        self.nodes = 0
        self.path_nodes = 0
        self.walls = 0
        self.wallhits = 0
        self.margin = 0
        self.p1 = 0
        self.p2 = 0
        self.journal = []
        self.journal_work = 0
        self.next_tick = 0
        self.buckets = max(1, memory * 7 // 8 // 48)
        self.table = array("Q", bytes(48 * self.buckets))
        self.path_slots = max(1, memory // 8 // 24)
        self.paths = array("Q", bytes(24 * self.path_slots))
        self.fill_symmetries(rows, cols)

    @cython.cfunc
    def fill_symmetries(self, rows, cols):
        maps = []
        for flips in range(8 if rows == cols else 4):
            image = []
            for r in range(rows):
                for c in range(cols):
                    i = rows - 1 - r if flips & 1 else r
                    j = cols - 1 - c if flips & 2 else c
                    image.append(j * cols + i if flips & 4 else i * cols + j)
            maps.append(image)
        n = self.cells
        self.turned = memoryview(bytearray(b"".join(bytes(m) for m in maps))).cast("B", (len(maps), n))
        canon = bytearray(n * n)
        swap = bytearray(n * n)
        for a in range(n):
            for b in range(n):
                pairs = [(m[a], m[b]) for m in maps]
                best = min(pairs)
                for s, m in enumerate(maps):
                    if pairs[s] == best:
                        canon[a * n + b] |= 1 << s
                    if m[a] == b and m[b] == a:
                        swap[a * n + b] |= 1 << s
        self.canon = canon
        self.swap = swap
        s: cython.int
        k: cython.int
        v: cython.int
        for s, m in enumerate(maps):
            self.fixed[s] = sum(1 << c for c in range(n) if m[c] == c)
            for k in range((n + 7) // 8):
                for v in range(256):
                    self.images[(s * 16 + k) * 256 + v] = sum(
                        1 << m[8 * k + i] for i in range(8) if v >> i & 1 and 8 * k + i < n
                    )

    @cython.cfunc
    def image(self, cells: u128, s: cython.int) -> u128:
        out: u128 = 0
        base: cython.int = s * 16 * 256
        while cells:
            out |= self.images[base + cython.cast(cython.int, cells & 255)]
            cells >>= 8
            base += 256
        return out

    @cython.cfunc
    @cython.inline
    def spread(self, x: u128) -> u128:
        side: u128 = x | (x & self.inner_right) << 1 | (x & self.inner_left) >> 1
        if self.king:
            return side | side << self.step | side >> self.step
        return side | x << self.step | x >> self.step

    @cython.cfunc
    def flood(self, start: u128, free: u128) -> u128:
        seen: u128 = 0
        new: u128 = self.spread(start) & free
        while new:
            seen |= new
            new = self.spread(new) & free & ~seen
        return seen

    @cython.cfunc
    def territory(self, free: u128, first: u128, second: u128) -> cython.int:
        mine: u128 = 0
        theirs: u128 = 0
        while first or second:
            first = self.spread(first) & free
            free ^= first
            mine |= first
            second = self.spread(second) & free
            free ^= second
            theirs |= second
        return popcount(mine) - popcount(theirs)

    # ---- longest path bound
    @cython.cfunc
    def bound(self, region: u128, start: cython.int) -> cython.int:
        one: u128 = 1
        self.region = region | one << start
        self.unseen = region & ~(one << start)
        self.clock = 0
        self.top = 0
        self.visit(start)
        return self.reach[start]

    @cython.cfunc
    def visit(self, v: cython.int) -> cython.int:
        one: u128 = 1
        self.clock += 1
        now: cython.int = self.clock
        self.seen_at[v] = now
        lowest_link: cython.int = now
        best: cython.int = 0
        around: u128 = self.near[v] & self.region
        block: u128
        w: cython.int
        u: cython.int
        here: cython.int
        there: cython.int
        value: cython.int
        exits: u128
        self.trail[self.top] = v
        self.top += 1
        while around:
            w = lowest(around)
            around &= around - 1
            if not self.unseen >> w & 1:
                if self.seen_at[w] < lowest_link:
                    lowest_link = self.seen_at[w]
                continue
            self.unseen ^= one << w
            self.visit(w)
            if self.low[w] < lowest_link:
                lowest_link = self.low[w]
            if self.low[w] >= now:
                block = one << v
                exits = 0
                while True:
                    self.top -= 1
                    u = self.trail[self.top]
                    block |= one << u
                    if self.reach[u]:
                        exits |= one << u
                    if u == w:
                        break
                value = self.inside(block, v, -1)
                while exits:
                    u = lowest(exits)
                    exits &= exits - 1
                    there = self.inside(block, v, u) + self.reach[u]
                    if there > value:
                        value = there
                if value > best:
                    best = value
        self.low[v] = lowest_link
        self.reach[v] = best
        return 0

    @cython.cfunc
    @cython.inline
    def inside(self, block: u128, v: cython.int, u: cython.int) -> cython.int:
        if self.king or not self.techniques & CHEQUER:
            return popcount(block) - 1
        same: cython.int = popcount(block & self.dark)
        other: cython.int = popcount(block) - same
        if not self.dark >> v & 1:
            same, other = other, same
        if u >= 0:
            if (self.dark >> v ^ self.dark >> u) & 1:
                return 2 * min(same, other) - 1
            return 2 * min(same - 1, other)
        return 2 * other if same > other else 2 * same - 1

    @cython.cfunc
    def has_path(self, region: u128, v: cython.int, need: cython.int) -> cython.int:
        """1 if there is a path of `need` moves from v inside region, 0 if not, -1 if stopped."""
        one: u128 = 1
        if need <= 0:
            return 1
        self.path_nodes += 1
        if self.nodes + self.path_nodes >= self.next_tick and self.stop():
            return -1
        region = self.flood(one << v, region & ~(one << v))
        if popcount(region) < need:
            return 0
        slot: cython.ulonglong = 0
        lo: cython.int = 0
        hi: cython.int = -1
        low_word: cython.ulonglong = cython.cast(cython.ulonglong, region & WORD)
        high_word: cython.ulonglong = cython.cast(cython.ulonglong, region >> 64)
        meta: cython.ulonglong
        if self.techniques & MEMO:
            slot = 3 * (self.mix(low_word, high_word, v + 1) % self.path_slots)
            meta = self.paths[slot + 2]
            if self.paths[slot] == low_word and self.paths[slot + 1] == high_word and (meta & 255) == v + 1:
                lo = meta >> 8 & 255
                hi = meta >> 16 & 255
        if need <= lo:
            return 1
        if hi < 0:
            hi = self.bound(region, v)
        if need > hi:
            return 0
        moves: u128 = self.near[v] & region
        result: cython.int = 0
        best: cython.int
        c: cython.int
        w: cython.int
        count: cython.int
        rest: u128
        while moves:
            best = 99
            w = -1
            rest = moves
            while rest:
                c = lowest(rest)
                rest &= rest - 1
                count = popcount(self.near[c] & region)
                if count < best:
                    best = count
                    w = c
            moves ^= one << w
            result = self.has_path(region ^ one << w, w, need - 1)
            if result:
                break
        if result < 0:
            return -1
        if result:
            lo = need
        else:
            hi = need - 1
        if self.techniques & MEMO:
            self.paths[slot] = low_word
            self.paths[slot + 1] = high_word
            self.paths[slot + 2] = cython.cast(cython.ulonglong, v + 1) | cython.cast(cython.ulonglong, lo) << 8 | cython.cast(cython.ulonglong, hi) << 16
        return result

    @cython.cfunc
    def race(self, mine: u128, me: cython.int, theirs: u128, them: cython.int) -> cython.int:
        """The pawns cannot meet any more: the mover wins if its longest path is longer."""
        most: cython.int = self.bound(mine, me)
        rival: cython.int = self.bound(theirs, them)
        found: cython.int
        while True:
            if most > rival:
                found = self.has_path(mine, me, rival + 1)
                if found:
                    return found
                most = rival
            found = self.has_path(theirs, them, most)
            if found:
                return 0 if found > 0 else -1
            rival = most - 1

    @cython.cfunc
    def wall(self, free: u128, walker: cython.int, rival: cython.int, first: cython.bint) -> cython.int:
        """1 if a fixed walk of the walker, whatever the rival does, certainly wins."""
        one: u128 = 1
        taken: u128 = one << rival
        grown: u128
        walked: cython.int = 0
        v: cython.int = walker
        moves: u128
        c: cython.int
        w: cython.int
        best: cython.int
        score: cython.int
        most: cython.int
        self.walls += 1
        if not first:
            taken |= self.spread(taken) & free
        while True:
            # the walker is to move; `taken` is wherever the rival may have been
            moves = self.near[v] & free & ~taken
            if not moves:
                break
            w = -1
            best = -999
            if not moves & (moves - 1):
                w = lowest(moves)
                moves = 0
            while moves:
                c = lowest(moves)
                moves &= moves - 1
                score = -self.territory(free & ~taken & ~(one << c), taken, one << c) * 8 - popcount(self.near[c] & free & ~taken)
                if score > best:
                    best = score
                    w = c
            v = w
            free &= ~(one << v)
            walked += 1
            grown = taken | self.spread(taken) & free
            if grown == taken:
                break
            taken = grown
        taken |= self.flood(taken, free)
        most = self.bound(taken & ~(one << rival), rival)
        if first:
            most += 1
        if walked >= most:
            return 1
        return self.has_path(free & ~taken, v, most - walked)

    @cython.cfunc
    def stop(self) -> cython.int:
        self.next_tick = self.nodes + self.path_nodes + 16384
        return 1 if self.tick(self.nodes) else 0

    @cython.cfunc
    @cython.inline
    def mix(self, low_word: cython.ulonglong, high_word: cython.ulonglong, pawns: cython.ulonglong) -> cython.ulonglong:
        h: cython.ulonglong = (low_word ^ pawns << 48) * 0x9E3779B97F4A7C15 & WORD
        h = ((h ^ h >> 29) + high_word) * 0xBF58476D1CE4E5B9 & WORD
        h = ((h ^ h >> 32) + pawns) * 0x94D049BB133111EB & WORD
        return h ^ h >> 31

    @cython.cfunc
    def probe(self, free: u128, me: cython.int, them: cython.int) -> cython.int:
        low_word: cython.ulonglong = cython.cast(cython.ulonglong, free & WORD)
        high_word: cython.ulonglong = cython.cast(cython.ulonglong, free >> 64)
        pawns: cython.ulonglong = 1 + me + 128 * them
        at: cython.ulonglong = self.mix(low_word, high_word, pawns) % self.buckets * 6
        i: cython.int
        for i in range(2):
            if self.table[at] == low_word and self.table[at + 1] == high_word and (self.table[at + 2] & 0xFFFF) == pawns:
                return cython.cast(cython.int, self.table[at + 2] >> 16 & 1)
            at += 3
        return -1

    @cython.cfunc
    def store(self, free: u128, me: cython.int, them: cython.int, result: cython.int, work: cython.longlong) -> cython.int:
        low_word: cython.ulonglong = cython.cast(cython.ulonglong, free & WORD)
        high_word: cython.ulonglong = cython.cast(cython.ulonglong, free >> 64)
        pawns: cython.ulonglong = 1 + me + 128 * them
        at: cython.ulonglong = self.mix(low_word, high_word, pawns) % self.buckets * 6
        if cython.cast(cython.ulonglong, work) >= self.table[at + 2] >> 17:
            if self.table[at + 2]:
                self.table[at + 3] = self.table[at]
                self.table[at + 4] = self.table[at + 1]
                self.table[at + 5] = self.table[at + 2]
        else:
            at += 3
        self.table[at] = low_word
        self.table[at + 1] = high_word
        self.table[at + 2] = pawns | cython.cast(cython.ulonglong, result) << 16 | cython.cast(cython.ulonglong, work) << 17
        return 0

    @cython.cfunc
    @cython.exceptval(-2)
    def search(self, free: u128, me: cython.int, them: cython.int) -> cython.int:
        one: u128 = 1
        t: cython.int = self.techniques
        self.nodes += 1
        if self.nodes + self.path_nodes >= self.next_tick and self.stop():
            return -1
        moves: u128 = self.near[me] & free
        if not moves:
            return 0
        begun: cython.longlong = self.nodes + self.path_nodes
        mine: u128 = self.flood(one << me, free)
        theirs: u128 = self.flood(one << them, free)
        if not mine & theirs and t & SEPARATE:
            return self.race(mine, me, theirs, them)
        if t & TRIM:
            free = mine | theirs
        n: cython.int = self.cells
        choices: cython.int
        s: cython.int
        other: u128
        image: u128
        if t & MIRROR:
            choices = self.swap[me * n + them]
            while choices:
                s = lowest(choices)
                choices &= choices - 1
                if not free & self.fixed[s] and self.image(free, s) == free:
                    return 0
        if t & SYMMETRY:
            choices = self.canon[me * n + them]
            if choices != 1:
                s = lowest(choices)
                choices &= choices - 1
                image = self.image(free, s)
                while choices:
                    c: cython.int = lowest(choices)
                    choices &= choices - 1
                    other = self.image(free, c)
                    if other < image:
                        image = other
                        s = c
                free = image
                me = self.turned[s, me]
                them = self.turned[s, them]
                moves = self.near[me] & free
        result: cython.int = self.probe(free, me, them)
        if result >= 0:
            return result
        result = 0
        terr: cython.int
        if t & WALL:
            terr = self.territory(free, one << me, one << them)
            if terr < self.margin:
                result = self.wall(free, them, me, False)
                if result < 0:
                    return -1
                if result:
                    self.wallhits += 1
                    self.store(free, me, them, 0, 1)
                    return 0
            if terr >= -self.margin and t & WALLM:
                result = self.wall(free, me, them, True)
                if result < 0:
                    return -1
                if result:
                    self.wallhits += 1
                    self.store(free, me, them, 1, 1)
                    return 1
        cell: cython.int[8]
        value: cython.int[8]
        if not cython.compiled:
            cell = [0] * 8
            value = [0] * 8
        count: cython.int = 0
        i: cython.int
        v: cython.int
        rest: u128
        while moves:
            v = lowest(moves)
            moves &= moves - 1
            rest = free ^ one << v
            i = count
            score: cython.int = 0
            if t & ORDER:
                score = -self.territory(rest, one << them, one << v)
            while i > 0 and value[i - 1] < score:
                value[i] = value[i - 1]
                cell[i] = cell[i - 1]
                i -= 1
            value[i] = score
            cell[i] = v
            count += 1
        for i in range(count):
            v = cell[i]
            result = self.search(free ^ one << v, them, v)
            if result < 0:
                return -1
            result = 1 - result
            if result:
                break
        self.store(free, me, them, result, self.nodes + self.path_nodes - begun)
        return result

    def solve(self, free, me, them, tick):
        self.tick = tick
        self.next_tick = self.nodes + self.path_nodes + 16384
        return self.search(free, me, them)
