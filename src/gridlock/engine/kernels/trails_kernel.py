"""Who wins a trails position: two pawns, every cell left behind is walled off, and who cannot move loses.

A position is (free, me, them): the cells nobody has used, the pawn of the player to move, the other pawn.
`docs/engine/trails.md` says why each technique is sound and what it buys.
"""

from __future__ import annotations

import mmap

try:
    import cython
except ImportError:
    from . import interpreted as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.gridlock.engine.kernels.bits import lowest, popcount, u128
else:
    from .interpreted import lowest, popcount

    u128 = int

TABLE = 1  # remember positions already decided
ORDER = 2  # try first the moves that leave the mover most territory
TRIM = 4  # forget free cells that neither pawn can reach
SYMMETRY = 8  # turn and flip every position into one form before looking it up
MIRROR = 16  # the player to move loses where the other can copy every move
RACE = 32  # compare longest paths once the pawns cannot meet
WALL = 64  # look for a walk that the rival cannot hinder and that is already long enough
BLOCKS = 128  # bound longest paths through the tree of blocks that cut cells leave
CHEQUER = 256  # bound longest paths by the colours of the cells (4 neighbours only)
PATHS = 512  # remember longest paths already searched
ALL = 1023

LEARNED = 1 << 40  # a learned position counts as this much work, so that it is the last to be replaced
PAUSE = 16384 if cython.compiled else 256  # steps between two calls of tick


@cython.cclass
class TrailsSearch:
    """Decides trails positions on one board, and remembers what it has found out."""

    near: u128[128]
    board: u128
    not_left: u128
    not_right: u128
    dark: u128
    cells: cython.int
    cols: cython.int
    down: cython.int
    king: cython.bint

    use_table: cython.bint
    use_order: cython.bint
    use_trim: cython.bint
    use_symmetry: cython.bint
    use_mirror: cython.bint
    use_race: cython.bint
    use_wall: cython.bint
    use_blocks: cython.bint
    use_chequer: cython.bint
    use_paths: cython.bint

    symmetries: cython.int
    turned: cython.int[1024]
    images: u128[32768]
    fixed: u128[8]
    best_turns: cython.uchar[::1]
    swaps: cython.uchar[::1]

    table: cython.ulonglong[::1]
    buckets: cython.ulonglong
    paths: cython.ulonglong[::1]
    path_slots: cython.ulonglong
    word: cython.ulonglong  # as attributes, since C code would make Python objects of numbers this large
    salt: cython.ulonglong

    searched: cython.longlong
    steps: cython.longlong
    pause: cython.longlong
    next_tick: cython.longlong
    tick: object
    entries: list
    entry_work: cython.longlong

    region: u128
    unseen: u128
    clock: cython.int
    height: cython.int
    seen_at: cython.int[128]
    low: cython.int[128]
    onward: cython.int[128]
    pile: cython.int[128]

    def __init__(self, rows: int, cols: int, king: bool, memory: int, techniques: int) -> None:
        if rows * cols > 128:
            raise ValueError("the trails search takes boards of at most 128 cells")
        if not cython.compiled:
            self.near, self.seen_at, self.low, self.onward, self.pile = ([0] * 128 for _ in range(5))
            self.turned, self.images, self.fixed = [0] * 1024, [0] * 32768, [0] * 8
        self.cells = rows * cols
        self.cols = cols
        self.down = cols if rows > 1 else 0  # a single row may be 128 wide, and no shift may be that far
        self.king = king
        everything = (1 << rows * cols) - 1
        left = sum(1 << row * cols for row in range(rows))
        self.board = everything
        self.not_left = everything & ~left
        self.not_right = everything & ~(left << cols - 1)
        cells = [(row, col) for row in range(rows) for col in range(cols)]
        self.dark = sum(1 << row * cols + col for row, col in cells if (row + col) % 2 == 0)
        for row, col in cells:
            self.near[row * cols + col] = sum(
                1 << r * cols + c
                for r in range(max(0, row - 1), min(rows, row + 2))
                for c in range(max(0, col - 1), min(cols, col + 2))
                if (r, c) != (row, col) and (king or r == row or c == col)
            )
        self.use_table = techniques & TABLE != 0
        self.use_order = techniques & ORDER != 0
        self.use_trim = techniques & TRIM != 0
        self.use_symmetry = techniques & SYMMETRY != 0
        self.use_mirror = techniques & MIRROR != 0
        self.use_race = techniques & RACE != 0
        self.use_wall = techniques & WALL != 0
        self.use_blocks = techniques & BLOCKS != 0
        self.use_chequer = techniques & CHEQUER != 0 and not king
        self.use_paths = techniques & PATHS != 0
        # Anonymous maps come zeroed and cost nothing until they are used.
        self.buckets = max(1, memory // 8 * 7 // 48)
        self.table = memoryview(mmap.mmap(-1, 48 * self.buckets)).cast("Q")
        self.path_slots = max(1, memory // 8 // 24)
        self.paths = memoryview(mmap.mmap(-1, 24 * self.path_slots)).cast("Q")
        self.word = 0xFFFFFFFFFFFFFFFF
        self.salt = 0x9E3779B97F4A7C15
        self.searched = 0
        self.steps = 0
        self.pause = PAUSE
        self.next_tick = 0
        self.entries = []
        self.entry_work = 0
        self.find_symmetries(rows, cols)

    @property
    def nodes(self) -> int:
        """Positions searched so far."""
        return self.searched

    @property
    def path_nodes(self) -> int:
        """Steps taken so far in searches for longest paths."""
        return self.steps

    @property
    def journal(self) -> list:
        """The positions that took much work, as (free, me, them, result)."""
        return self.entries

    @property
    def journal_work(self) -> int:
        """The least work (positions and path steps) that puts a position into the journal; 0 for none."""
        return self.entry_work

    @journal_work.setter
    def journal_work(self, work: int) -> None:
        self.entry_work = work

    def solve(self, free: int, me: int, them: int, tick) -> int:
        """Say whether the player to move wins (1) or loses (0), or -1 if tick asked to stop."""
        self.check(free, me, them)
        self.tick = tick
        self.next_tick = self.searched + self.steps + self.pause
        return self.search(free, me, them)

    def first_wins_pairs(self, tick) -> int:
        """Count the ordered pairs of starting cells from which the first mover wins, or -1 if stopped."""
        wins = 0
        for me in range(self.cells):
            for them in range(self.cells):
                turns = self.best_turns[me * self.cells + them]
                if me == them or not turns & 1:  # one pair stands for all its images
                    continue
                result = self.solve(self.board & ~(1 << me | 1 << them), me, them, tick)
                if result == -1:
                    return -1
                wins += result * (self.symmetries // turns.bit_count())
        return wins

    def learn(self, free: int, me: int, them: int, result: int) -> None:
        """Put a decided position into the table."""
        self.check(free, me, them)
        if self.use_trim:
            free = self.flood(1 << me | 1 << them, free)
        if self.use_symmetry:
            turn: cython.int = self.best_turn(free, me, them)
            free = self.image(free, turn)
            me = self.turned[128 * turn + me]
            them = self.turned[128 * turn + them]
        self.store(free, me, them, result, LEARNED)

    @cython.cfunc
    def check(self, free: object, me: object, them: object) -> cython.bint:
        """Refuse what is not a position."""
        pawns = 1 << me | 1 << them
        if me == them or (free | pawns) & ~self.board or free & pawns:
            raise ValueError("two pawns on different cells of the board, neither on a free cell")
        return True

    @cython.cfunc
    def find_symmetries(self, rows: object, cols: object) -> cython.bint:
        """Tabulate the board's turns and flips, and what they do to pairs of cells and to sets of cells."""
        n: cython.int = self.cells
        turn: cython.int
        cell: cython.int
        a: cython.int
        b: cython.int
        byte: cython.int
        bits: cython.int
        one: u128 = 1
        self.symmetries = 8 if rows == cols else 4
        self.best_turns = bytearray(n * n)
        self.swaps = bytearray(n * n)
        for turn in range(self.symmetries):
            self.fixed[turn] = 0
            for cell in range(n):
                a = rows - 1 - cell // cols if turn & 1 else cell // cols
                b = cols - 1 - cell % cols if turn & 2 else cell % cols
                self.turned[128 * turn + cell] = b * cols + a if turn & 4 else a * cols + b
                if self.turned[128 * turn + cell] == cell:
                    self.fixed[turn] |= one << cell
            for byte in range((n + 7) // 8):
                for bits in range(1, 256):
                    cell = 8 * byte + lowest(bits)
                    if cell < n:
                        at: cython.int = 4096 * turn + 256 * byte
                        self.images[at + bits] = (
                            self.images[at + (bits & bits - 1)] | one << self.turned[128 * turn + cell]
                        )
        for a in range(n):
            for b in range(n):
                best: cython.int = n * n
                for turn in range(self.symmetries):
                    key: cython.int = self.turned[128 * turn + a] * n + self.turned[128 * turn + b]
                    if key < best:
                        best = key
                        self.best_turns[a * n + b] = 0
                    if key == best:
                        self.best_turns[a * n + b] |= 1 << turn
                    # Two different cells are swapped by no quarter turn, so a swap is its own inverse.
                    if key == b * n + a:
                        self.swaps[a * n + b] |= 1 << turn
        return True

    @cython.cfunc
    @cython.exceptval(check=False)
    def image(self, cells: u128, turn: cython.int) -> u128:
        """The set of cells after a turn of the board."""
        result: u128 = 0
        base: cython.int = 4096 * turn
        while cells:
            result |= self.images[base + cython.cast(cython.int, cells & 255)]
            cells >>= 8
            base += 256
        return result

    @cython.cfunc
    @cython.exceptval(check=False)
    def best_turn(self, free: u128, me: cython.int, them: cython.int) -> cython.int:
        """The turn that puts the pawns on the first possible cells; of those, the least free set."""
        turns: cython.int = self.best_turns[me * self.cells + them]
        best: cython.int = lowest(turns)
        turns &= turns - 1
        if turns:
            least: u128 = self.image(free, best)
            while turns:
                turn: cython.int = lowest(turns)
                turns &= turns - 1
                other: u128 = self.image(free, turn)
                if other < least:
                    least = other
                    best = turn
        return best

    @cython.cfunc
    @cython.exceptval(check=False)
    def mirrored(self, free: u128, me: cython.int, them: cython.int) -> cython.bint:
        """Whether some flip or half-turn swaps the pawns, keeps the free cells, and leaves none in place."""
        turns: cython.int = self.swaps[me * self.cells + them]
        while turns:
            turn: cython.int = lowest(turns)
            turns &= turns - 1
            if not free & self.fixed[turn] and self.image(free, turn) == free:
                return True
        return False

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def spread(self, cells: u128) -> u128:
        """The cells and their neighbours; bits beyond the board may be set, so the caller masks."""
        row: u128 = cells | (cells & self.not_right) << 1 | (cells & self.not_left) >> 1
        if self.king:
            return row | row << self.down | row >> self.down
        return row | cells << self.down | cells >> self.down

    @cython.cfunc
    @cython.exceptval(check=False)
    def flood(self, start: u128, free: u128) -> u128:
        """The free cells that can be reached from the start."""
        seen: u128 = 0
        new: u128 = self.spread(start) & free
        while new:
            seen |= new
            new = self.spread(new) & free & ~seen
        return seen

    @cython.cfunc
    @cython.exceptval(check=False)
    def territory(self, free: u128, first: u128, second: u128) -> cython.int:
        """How many more cells the first, who moves now, reaches before the second than the other way round."""
        lead: cython.int = 0
        while first or second:
            first = self.spread(first) & free
            free ^= first
            second = self.spread(second) & free
            free ^= second
            lead += popcount(first) - popcount(second)
        return lead

    @cython.cfunc
    @cython.exceptval(check=False)
    def bound(self, region: u128, start: cython.int) -> cython.int:
        """No path from the start through cells of the region, all within its reach, has more moves than this."""
        one: u128 = 1
        self.region = region | one << start
        if not self.use_blocks:
            return self.through(self.region, start, -1)
        self.unseen = region
        self.clock = 0
        self.height = 0
        self.visit(start)
        return self.onward[start]

    @cython.cfunc
    @cython.exceptval(check=False)
    def visit(self, v: cython.int) -> cython.int:
        """Walk the region depth first from v; each block found adds its best path to its entrance's `onward`."""
        one: u128 = 1
        best: cython.int = 0
        around: u128 = self.near[v] & self.region
        self.clock += 1
        now: cython.int = self.clock
        link: cython.int = now
        self.seen_at[v] = now
        self.pile[self.height] = v
        self.height += 1
        while around:
            w: cython.int = lowest(around)
            around &= around - 1
            if not self.unseen >> w & 1:
                link = min(link, self.seen_at[w])
                continue
            self.unseen ^= one << w
            self.visit(w)
            link = min(link, self.low[w])
            if self.low[w] < now:
                continue
            block: u128 = one << v  # v cuts off all that was piled up since w: a block, entered at v
            exits: u128 = 0
            u: cython.int = -1
            while u != w:
                self.height -= 1
                u = self.pile[self.height]
                block |= one << u
                if self.onward[u]:
                    exits |= one << u
            best = max(best, self.through(block, v, -1))
            while exits:
                u = lowest(exits)
                exits &= exits - 1
                best = max(best, self.through(block, v, u) + self.onward[u])
        self.low[v] = link
        self.onward[v] = best
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def through(self, block: u128, v: cython.int, u: cython.int) -> cython.int:
        """The most moves from v to u inside a block; to any cell if u is -1."""
        size: cython.int = popcount(block)
        if not self.use_chequer:
            return size - 1
        same: cython.int = popcount(block & self.dark)
        if not self.dark >> v & 1:
            same = size - same
        other: cython.int = size - same
        if u < 0:
            return 2 * other if same > other else 2 * same - 1
        if (self.dark >> v ^ self.dark >> u) & 1:
            return 2 * min(same, other) - 1
        return 2 * min(same - 1, other)

    @cython.cfunc
    def has_path(self, region: u128, v: cython.int, need: cython.int) -> cython.int:
        """Whether a path of `need` moves leads from v through the region (1 or 0; -1 if stopped)."""
        if need <= 0:
            return 1
        self.steps += 1
        if self.searched + self.steps >= self.next_tick and self.stop():
            return -1
        one: u128 = 1
        region = self.flood(one << v, region)
        if popcount(region) < need:
            return 0
        shortest: cython.int = 0
        most: cython.int = -1
        low_word: cython.ulonglong = cython.cast(cython.ulonglong, region & self.word)
        high_word: cython.ulonglong = cython.cast(cython.ulonglong, region >> 64)
        pawn: cython.ulonglong = v + 1
        slot: cython.ulonglong = 0
        if self.use_paths:
            slot = self.mix(low_word, high_word, pawn) % self.path_slots * 3
            if (
                self.paths[slot] == low_word
                and self.paths[slot + 1] == high_word
                and (self.paths[slot + 2] & 255) == pawn
            ):
                shortest = self.paths[slot + 2] >> 8 & 255
                most = self.paths[slot + 2] >> 16
        if need <= shortest:
            return 1
        if most < 0:
            most = self.bound(region, v)
        if need > most:
            return 0
        moves: u128 = self.near[v] & region
        w: cython.int = 0
        found: cython.int = 0
        while moves and not found:
            fewest: cython.int = 9
            left: u128 = moves
            while left:  # first the cell with fewest ways on, as in a knight's tour
                c: cython.int = lowest(left)
                left &= left - 1
                exits: cython.int = popcount(self.near[c] & region)
                if exits < fewest:
                    fewest = exits
                    w = c
            moves ^= one << w
            found = self.has_path(region ^ one << w, w, need - 1)
        if found == -1:
            return -1
        if self.use_paths:
            if found:
                shortest = need
            else:
                most = need - 1
            self.paths[slot] = low_word
            self.paths[slot + 1] = high_word
            self.paths[slot + 2] = pawn | shortest << 8 | most << 16
        return found

    @cython.cfunc
    def race(self, mine: u128, me: cython.int, theirs: u128, them: cython.int) -> cython.int:
        """Decide a position whose pawns cannot meet: the mover needs the longer path."""
        most: cython.int = self.bound(mine, me)
        rival: cython.int = self.bound(theirs, them)
        while True:
            found: cython.int
            if most > rival:
                found = self.has_path(mine, me, rival + 1)
                if found:
                    return found
                most = rival
            found = self.has_path(theirs, them, most)
            if found:
                return 0 if found == 1 else -1
            rival = most - 1

    @cython.cfunc
    def wall(self, free: u128, walker: cython.int, rival: cython.int, first: cython.bint) -> cython.int:
        """Whether one walk, played whatever the rival does, is sure to win (1 or 0; -1 if stopped)."""
        one: u128 = 1
        haunt: u128 = one << rival  # wherever the rival may have been by now
        walked: cython.int = 0
        if not first:
            haunt |= self.spread(haunt) & free
        while True:
            moves: u128 = self.near[walker] & free & ~haunt
            if not moves:  # too short: the rival, whose haunt grew with every step, had as many moves
                return 0
            best: cython.int = -9999
            while moves:
                v: cython.int = lowest(moves)
                moves &= moves - 1
                score: cython.int = -8 * self.territory(free & ~(haunt | one << v), haunt, one << v)
                score -= popcount(self.near[v] & free & ~haunt)
                if score > best:
                    best = score
                    walker = v
            free ^= one << walker
            walked += 1
            grown: u128 = haunt | self.spread(haunt) & free
            if grown == haunt:
                break
            haunt = grown
        need: cython.int = self.bound(haunt & ~(one << rival), rival) + first - walked
        return self.has_path(free & ~haunt, walker, need)

    @cython.cfunc
    def stop(self) -> cython.int:
        """Ask the caller whether to stop."""
        self.next_tick = self.searched + self.steps + self.pause
        return 1 if self.tick(self.searched) else 0

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def mix(self, low_word: cython.ulonglong, high_word: cython.ulonglong, pawns: cython.ulonglong) -> cython.ulonglong:
        """Scatter a key over 64 bits; the entries hold the whole key, so this need not be perfect."""
        h: cython.ulonglong = (low_word ^ pawns << 40) * self.salt & self.word
        h = (h ^ h >> 29 ^ high_word) * self.salt & self.word
        h = (h ^ h >> 32) * self.salt & self.word
        return h ^ h >> 31

    @cython.cfunc
    @cython.exceptval(check=False)
    def probe(self, free: u128, me: cython.int, them: cython.int) -> cython.int:
        """The result in the table, or UNKNOWN."""
        low_word: cython.ulonglong = cython.cast(cython.ulonglong, free & self.word)
        high_word: cython.ulonglong = cython.cast(cython.ulonglong, free >> 64)
        pawns: cython.ulonglong = 1 + me + 128 * them
        slot: cython.ulonglong = self.mix(low_word, high_word, pawns) % self.buckets * 6
        end: cython.ulonglong = slot + 6
        while slot < end:
            if (
                self.table[slot] == low_word
                and self.table[slot + 1] == high_word
                and (self.table[slot + 2] & 0xFFFF) == pawns
            ):
                return self.table[slot + 2] >> 16 & 1
            slot += 3
        return 2

    @cython.cfunc
    @cython.exceptval(check=False)
    def store(
        self, free: u128, me: cython.int, them: cython.int, result: cython.int, work: cython.ulonglong
    ) -> cython.int:
        """Put a result into the table: the first entry of a bucket is for the costliest, the second for the newest."""
        low_word: cython.ulonglong = cython.cast(cython.ulonglong, free & self.word)
        high_word: cython.ulonglong = cython.cast(cython.ulonglong, free >> 64)
        pawns: cython.ulonglong = 1 + me + 128 * them
        slot: cython.ulonglong = self.mix(low_word, high_word, pawns) % self.buckets * 6
        if work < self.table[slot + 2] >> 17:
            slot += 3
        else:
            self.table[slot + 3] = self.table[slot]
            self.table[slot + 4] = self.table[slot + 1]
            self.table[slot + 5] = self.table[slot + 2]
        self.table[slot] = low_word
        self.table[slot + 1] = high_word
        self.table[slot + 2] = pawns | cython.cast(cython.ulonglong, result) << 16 | work << 17
        return 0

    @cython.cfunc
    def search(self, free: u128, me: cython.int, them: cython.int) -> cython.int:
        """1 if the player to move wins, 0 if not, -1 if stopped."""
        self.searched += 1
        begun: cython.longlong = self.searched + self.steps
        if begun >= self.next_tick and self.stop():
            return -1
        if not self.near[me] & free:
            return 0
        one: u128 = 1
        mine: u128 = self.flood(one << me, free)
        theirs: u128 = self.flood(one << them, free)
        if self.use_race and not mine & theirs:
            return self.race(mine, me, theirs, them)
        if self.use_trim:
            free = mine | theirs
        if self.use_mirror and self.mirrored(free, me, them):
            return 0
        if self.use_symmetry:
            turn: cython.int = self.best_turn(free, me, them)
            free = self.image(free, turn)
            me = self.turned[128 * turn + me]
            them = self.turned[128 * turn + them]
        result: cython.int = self.probe(free, me, them) if self.use_table else 2
        if result < 2:
            return result
        result = self.walled(free, me, them) if self.use_wall else 2
        if result == 2:
            result = self.try_moves(free, me, them)
        if result < 0:
            return -1
        work: cython.longlong = self.searched + self.steps - begun + 1
        if self.use_table:
            self.store(free, me, them, result, work)
        if self.entry_work and work >= self.entry_work:
            self.entries.append((free, me, them, result))
        return result

    @cython.cfunc
    def walled(self, free: u128, me: cython.int, them: cython.int) -> cython.int:
        """Whether the player with more territory wins by a wall: 1 the mover, 0 the other, 2 not known."""
        one: u128 = 1
        found: cython.int
        if self.territory(free, one << me, one << them) < 0:
            found = self.wall(free, them, me, False)
            return 0 if found == 1 else 2 if found == 0 else -1
        found = self.wall(free, me, them, True)
        return 2 if found == 0 else found

    @cython.cfunc
    def try_moves(self, free: u128, me: cython.int, them: cython.int) -> cython.int:
        """Search the moves one by one until one wins."""
        one: u128 = 1
        moves: u128 = self.near[me] & free
        cell: cython.int[8]
        value: cython.int[8]
        if not cython.compiled:
            cell, value = [0] * 8, [0] * 8
        count: cython.int = 0
        score: cython.int = 0
        while moves:
            v: cython.int = lowest(moves)
            moves &= moves - 1
            if self.use_order:
                score = self.promise(free ^ one << v, v, them)
            i: cython.int = count
            while i > 0 and value[i - 1] < score:
                value[i] = value[i - 1]
                cell[i] = cell[i - 1]
                i -= 1
            value[i] = score
            cell[i] = v
            count += 1
        for i in range(count):
            v = cell[i]
            result: cython.int = self.search(free ^ one << v, them, v)
            if result <= 0:
                return 1 if result == 0 else -1
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def promise(self, free: u128, v: cython.int, them: cython.int) -> cython.int:
        """How good a move to v looks: territory, then closeness to the rival, then few ways on."""
        one: u128 = 1
        rows: cython.int = abs(v // self.cols - them // self.cols)
        cols: cython.int = abs(v % self.cols - them % self.cols)
        lead: cython.int = self.territory(free, one << them, one << v)
        return -8 * lead - 2 * max(rows, cols) - popcount(self.near[v] & free)
