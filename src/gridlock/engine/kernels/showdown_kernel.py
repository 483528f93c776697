"""Who wins a position of showdown, which is Snort on the board's graph, by an exact search.

A position is (p, q, k): the cells open to the player to move, the cells open to the opponent, and how many free moves
the player to move has more than the opponent. N[c] is a cell with its neighbours. Three facts carry everything below:

1. Taking a cell away from a player never helps that player. (Copy the moves of one game in the other.)
2. A move is never worse than a free move: after playing c, the position and one free move are together at least as good
   as the position before. (Copy again; once the opponent plays c in the other game, the two are the same and the free
   move is left over.) So nobody spends a free move while there is a cell to play, and once there is none, the player
   to move wins exactly when k > 0.
3. So c is at least as good as d if it closes all the cells to the opponent that d would: afterwards d is a free move.
"""

from __future__ import annotations

import mmap

try:
    import cython
except ImportError:
    from . import interpreted as cython
if cython.compiled:
    from cython.cimports.gridlock.engine.kernels.bits import lowest, popcount, u128
else:
    from .interpreted import lowest, popcount

    u128 = int

REDUCE = 1  # count the cells that only one player can ever close as free moves
ORDER = 2  # try first what leaves the opponent least
PACKING = 4  # bounds from cells that do not disturb each other
DOMINANCE = 8  # skip moves that another move betters
SYMMETRY = 16  # one table entry for all turned and reflected positions
MIRROR = 32  # a position that is its own mirror image with the players exchanged is worth nothing to anybody
ALL = 63

CELLS = 128
WAITING = CELLS * (CELLS + 1) // 2 + 2  # all moves of all the positions on one line of play
# Four table entries share a place. Each has five words: p, q, low halves first, then the work and bounds on k + 256.
BUCKET = 4 * 5 * 8
PAUSE = 16384 if cython.compiled else 256  # positions between two ticks


@cython.cclass
class ShowdownSearch:
    """The search for one board; its table remembers what it has proved."""

    near: u128[128]
    images: u128[32768]  # [symmetry][byte of the set][value of the byte]
    pairs: cython.bint[8]  # whether a symmetry undoes itself
    clash: u128[8]  # the cells that a symmetry sends to themselves or a neighbour
    symmetries: cython.int
    board: u128
    not_left: u128
    not_right: u128
    down: cython.int
    king: cython.bint
    use_reduce: cython.bint
    use_order: cython.bint
    use_packing: cython.bint
    use_dominance: cython.bint
    use_symmetry: cython.bint
    use_mirror: cython.bint
    # Positions waiting to be searched: a position's replies stand above it.
    ps: u128[8258]
    qs: u128[8258]
    ks: cython.int[8258]
    scores: cython.int[8258]
    levels: u128[10]
    gains: cython.int[64]
    table: cython.ulonglong[::1]
    buckets: cython.ulonglong
    pause: cython.longlong
    found: cython.bint
    searched: cython.longlong
    next_tick: cython.longlong
    tick: object
    entries: list
    entry_work: cython.longlong

    def __init__(self, rows: int, cols: int, king: bool, memory: int, techniques: int) -> None:
        if rows * cols > CELLS:
            raise ValueError(f"A board of {rows}x{cols} is too large for this search: it takes {CELLS} cells.")
        if not cython.compiled:
            self.near, self.images = [0] * CELLS, [0] * 32768
            self.pairs, self.clash = [False] * 8, [0] * 8
            self.ps, self.qs, self.ks, self.scores = ([0] * WAITING for _ in range(4))
            self.levels, self.gains = [0] * 10, [0] * 64
        everything = (1 << rows * cols) - 1
        left = sum(1 << row * cols for row in range(rows))
        self.board = everything
        self.not_left = everything & ~left
        self.not_right = everything & ~(left << cols - 1)
        self.down = cols if rows > 1 else 0  # a single row may be 128 wide, and no shift may be that far
        self.king = king
        self.use_reduce = techniques & REDUCE != 0
        self.use_order = techniques & ORDER != 0
        self.use_packing = techniques & PACKING != 0
        self.use_dominance = techniques & DOMINANCE != 0
        self.use_symmetry = techniques & SYMMETRY != 0
        self.use_mirror = techniques & MIRROR != 0
        for row in range(rows):
            for col in range(cols):
                self.near[row * cols + col] = sum(
                    1 << r * cols + c
                    for r in range(max(0, row - 1), min(rows, row + 2))
                    for c in range(max(0, col - 1), min(cols, col + 2))
                    if king or r == row or c == col
                )
        self.find_symmetries(rows, cols)
        self.searched = 0
        self.pause = PAUSE
        self.entries = []
        self.entry_work = 0
        self.buckets = 1
        while self.buckets * 2 * BUCKET <= memory:
            self.buckets *= 2
        # An anonymous map comes zeroed and costs nothing until it is used.
        self.table = memoryview(mmap.mmap(-1, self.buckets * BUCKET)).cast("Q")

    def find_symmetries(self, rows: int, cols: int) -> None:
        """Tabulate the board's turns and reflections, eight cells at a time; number 0 leaves all as it is."""
        self.symmetries = 8 if rows == cols else 4
        for symmetry in range(self.symmetries):
            goal = []
            for row in range(rows):
                for col in range(cols):
                    r, c = (col, row) if symmetry & 4 else (row, col)
                    r, c = rows - 1 - r if symmetry & 1 else r, cols - 1 - c if symmetry & 2 else c
                    goal.append(r * cols + c)
            self.pairs[symmetry] = all(goal[there] == cell for cell, there in enumerate(goal))
            self.clash[symmetry] = sum(1 << cell for cell, there in enumerate(goal) if self.near[cell] >> there & 1)
            for cell, there in enumerate(goal):
                first = symmetry * 4096 + (cell >> 3) * 256
                for value in range(256):
                    if value >> (cell & 7) & 1:
                        self.images[first + value] |= 1 << there

    @property
    def nodes(self) -> int:
        """Positions searched so far."""
        return self.searched

    @property
    def journal(self) -> list:
        """The positions that took much work, as (p, q, k, result)."""
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
        self.place(0, p, q, 0)
        verdict: cython.int = self.judge(0)
        if verdict < 0:
            verdict = self.look_up(0)
        return verdict if verdict >= 0 else self.search(0)

    def learn(self, p: int, q: int, k: int, result: int) -> None:
        """Put a result from the journal into the table."""
        self.check(p, q)
        self.place(0, p, q, k)
        if self.judge(0) < 0 and self.look_up(0) < 0:
            self.store(0, result, self.entry_work)

    def check(self, p: int, q: int) -> None:
        """Refuse cells that are not on the board."""
        if (p | q) & ~int(self.board):
            raise ValueError("These cells are not all on the board.")

    @cython.cfunc
    @cython.exceptval(-2, check=False)
    def search(self, slot: cython.int) -> cython.int:
        """Decide a position that neither the bounds nor the table decide."""
        self.searched += 1
        if self.searched >= self.next_tick:
            self.next_tick = self.searched + self.pause
            if self.tick(self.searched):
                return -1
        began: cython.longlong = self.searched
        one: u128 = 1
        p: u128 = self.ps[slot]
        q: u128 = self.qs[slot]
        moves: u128 = self.undominated(p, q) if self.use_dominance else p
        top: cython.int = slot + 1
        best: cython.int
        i: cython.int
        cell: cython.int
        verdict: cython.int
        result: cython.int = 0
        while moves and not result:
            cell = lowest(moves)
            moves &= moves - 1
            self.place(top, q & ~self.near[cell], p & ~(one << cell), -self.ks[slot])
            verdict = self.judge(top)
            if verdict == 0:
                result = 1
            elif verdict < 0:
                self.scores[top] = 0
                if self.use_order:
                    self.scores[top] = 3 * self.ks[top] + 2 * (popcount(self.ps[top]) - popcount(self.qs[top]))
                top += 1
        while top > slot + 1 and not result:
            best = slot + 1
            for i in range(slot + 2, top):
                if self.scores[i] < self.scores[best]:
                    best = i
            top -= 1
            self.swap(best, top)
            verdict = self.look_up(top)
            if verdict < 0:
                verdict = self.search(top)
            if verdict < 0:
                return verdict
            result = 1 - verdict
        self.store(slot, result, self.searched - began + 1)
        if self.entry_work and self.searched - began + 1 >= self.entry_work:
            self.entries.append((self.ps[slot], self.qs[slot], self.ks[slot], result))
        return result

    @cython.cfunc
    @cython.exceptval(check=False)
    def swap(self, a: cython.int, b: cython.int) -> cython.void:
        """Exchange two waiting positions."""
        self.ps[a], self.ps[b] = self.ps[b], self.ps[a]
        self.qs[a], self.qs[b] = self.qs[b], self.qs[a]
        self.ks[a], self.ks[b] = self.ks[b], self.ks[a]
        self.scores[a], self.scores[b] = self.scores[b], self.scores[a]

    @cython.cfunc
    @cython.exceptval(check=False)
    def spread(self, cells: u128) -> u128:
        """The cells and their neighbours."""
        side: u128 = ((cells << 1) & self.not_left) | ((cells >> 1) & self.not_right)
        if self.king:
            cells |= side
            side = cells
        return (cells | side | (cells << self.down) | (cells >> self.down)) & self.board

    @cython.cfunc
    @cython.exceptval(check=False)
    def place(self, slot: cython.int, p: u128, q: u128, k: cython.int) -> cython.void:
        """Put a position in a slot, with the cells that are out of the opponent's reach counted as free moves."""
        mine: u128
        theirs: u128
        if self.use_reduce:
            mine = p & ~self.spread(q)
            theirs = q & ~self.spread(p)
            k += popcount(mine) - popcount(theirs)
            p &= ~mine
            q &= ~theirs
        self.ps[slot] = p
        self.qs[slot] = q
        self.ks[slot] = k

    @cython.cfunc
    @cython.exceptval(check=False)
    def undominated(self, p: u128, q: u128) -> u128:
        """The moves that no other move betters; of equal moves, the first."""
        one: u128 = 1
        moves: u128 = p
        rest: u128 = p
        closed: u128
        left: u128
        rivals: u128
        cell: cython.int
        while rest:
            cell = lowest(rest)
            rest &= rest - 1
            closed = self.near[cell] & q
            rivals = p & ~(one << cell)
            left = closed
            while left and rivals:
                rivals &= self.near[lowest(left)]
                left &= left - 1
            if rivals & ((one << cell) - 1):
                moves &= ~(one << cell)
            else:
                while rivals and self.near[lowest(rivals)] & q == closed:
                    rivals &= rivals - 1
                if rivals:
                    moves &= ~(one << cell)
        return moves

    @cython.cfunc
    @cython.exceptval(check=False)
    def judge(self, slot: cython.int) -> cython.int:
        """Whether the player to move wins (1) or loses (0) as the bounds show, or -1."""
        p: u128 = self.ps[slot]
        q: u128 = self.qs[slot]
        k: cython.int = self.ks[slot]
        mine: cython.int = popcount(p)
        theirs: cython.int = popcount(q)
        if mine == 0:
            return k > 0
        if self.use_packing:
            # The bound seldom shows what the count makes unlikely, and not asking saves time.
            if 2 * k + mine - theirs <= 0 and self.packed(q, p, -k, False):
                return 0
            if 2 * k + mine - theirs >= -4 and self.packed(p, q, k, True):
                return 1
        return -1

    @cython.cfunc
    @cython.exceptval(check=False)
    def packed(self, a: u128, b: u128, n: cython.int, turn: cython.bint) -> cython.bint:
        """Whether the player with the cells a and n more free moves wins by playing only cells that are far apart.

        The cells c are chosen so that the sets N[c] & b have no cell in common. Then each is a small game of its own:
        if I play c, then all w cells there are closed, and the f cells of mine that border on nothing else become free
        moves; if the opponent plays there first, c may be lost and w - 1 moves are left there. Such switches are played
        in the order of what is at stake, f + w - 1, by turns.
        """
        one: u128 = 1
        active: u128 = a & self.spread(b)
        rest: u128 = active
        open_to_me: u128
        group: u128
        blocked: u128 = 0
        used: u128 = 0
        cell: cython.int
        w: cython.int
        gain: cython.int
        for w in range(10):
            self.levels[w] = 0
        while rest:
            cell = lowest(rest)
            rest &= rest - 1
            self.levels[popcount(self.near[cell] & b)] |= one << cell
        for gain in range(40):
            self.gains[gain] = 0
        for w in range(9, 0, -1):
            open_to_me = self.levels[w] & ~blocked
            while open_to_me:
                group = self.near[lowest(open_to_me)] & b
                used |= group
                blocked |= self.spread(group)
                open_to_me &= ~blocked
                self.gains[popcount(active & ~self.spread(b & ~group)) + w - 2] += 1
                n -= w - 1
        n -= popcount(b & ~used)
        for gain in range(39, -1, -1):
            w = self.gains[gain]
            if w:
                n += gain * ((w + turn) // 2)
                turn ^= w & 1
        return n >= turn

    @cython.cfunc
    @cython.exceptval(check=False)
    def image(self, cells: u128, symmetry: cython.int) -> u128:
        """The cells turned or reflected."""
        turned: u128 = 0
        at: cython.int = symmetry * 4096
        while cells:
            turned |= self.images[at + cython.cast(cython.int, cells & 255)]
            cells >>= 8
            at += 256
        return turned

    @cython.cfunc
    @cython.exceptval(check=False)
    def look_up(self, slot: cython.int) -> cython.int:
        """Turn a position into its standard form, and say what a mirror or the table knows of it: 1, 0 or -1."""
        p: u128 = self.ps[slot]
        q: u128 = self.qs[slot]
        k: cython.int = self.ks[slot]
        turned: u128
        other: u128
        symmetry: cython.int
        if self.use_symmetry or self.use_mirror:
            for symmetry in range(1, self.symmetries):
                turned = self.image(p, symmetry)
                if self.use_mirror and turned == q and self.pairs[symmetry] and not p & self.clash[symmetry]:
                    return k > 0  # whoever answers every move with its mirror image moves last
                if self.use_symmetry and turned <= self.ps[slot]:
                    other = self.image(q, symmetry)
                    if turned < self.ps[slot] or other < self.qs[slot]:
                        self.ps[slot] = turned
                        self.qs[slot] = other
        at: cython.longlong = self.find(slot)
        if self.found:
            if 256 + k >= cython.cast(cython.int, self.table[at + 4] & 511):
                return 1
            if 256 + k <= cython.cast(cython.int, self.table[at + 4] >> 9 & 511):
                return 0
        return -1

    @cython.cfunc
    @cython.exceptval(check=False)
    def find(self, slot: cython.int) -> cython.longlong:
        """Where the table has a position; if it has not (found is false), the entry that took the least work."""
        word: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
        salt: cython.ulonglong = 0x9E3779B97F4A7C15
        p_low: cython.ulonglong = cython.cast(cython.ulonglong, self.ps[slot] & word)
        p_high: cython.ulonglong = cython.cast(cython.ulonglong, self.ps[slot] >> 64)
        q_low: cython.ulonglong = cython.cast(cython.ulonglong, self.qs[slot] & word)
        q_high: cython.ulonglong = cython.cast(cython.ulonglong, self.qs[slot] >> 64)
        key: cython.ulonglong = p_low * salt & word
        key = ((key ^ key >> 32) + q_low) * salt & word
        key = ((key ^ key >> 29) + p_high) * salt & word
        key = ((key ^ key >> 32) + q_high) * salt & word
        key ^= key >> 32
        at: cython.longlong = cython.cast(cython.longlong, (key & self.buckets - 1) * 20)
        least: cython.longlong = at
        _way: cython.int
        for _way in range(4):
            if (
                self.table[at] == p_low
                and self.table[at + 1] == p_high
                and self.table[at + 2] == q_low
                and self.table[at + 3] == q_high
            ):
                self.found = True
                return at
            if self.table[at + 4] >> 18 < self.table[least + 4] >> 18:
                least = at
            at += 5
        self.found = False
        return least

    @cython.cfunc
    @cython.exceptval(check=False)
    def store(self, slot: cython.int, result: cython.int, work: cython.longlong) -> cython.void:
        """Remember a result; with more free moves a won position is still won, with fewer a lost one still lost."""
        word: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
        at: cython.longlong = self.find(slot)
        wins: cython.ulonglong = 511
        loses: cython.ulonglong = 0
        k: cython.ulonglong = 256 + self.ks[slot]
        effort: cython.ulonglong = work
        if self.found:
            wins = self.table[at + 4] & 511
            loses = self.table[at + 4] >> 9 & 511
            effort += self.table[at + 4] >> 18
        if result and k < wins:
            wins = k
        if not result and k > loses:
            loses = k
        self.table[at] = cython.cast(cython.ulonglong, self.ps[slot] & word)
        self.table[at + 1] = cython.cast(cython.ulonglong, self.ps[slot] >> 64)
        self.table[at + 2] = cython.cast(cython.ulonglong, self.qs[slot] & word)
        self.table[at + 3] = cython.cast(cython.ulonglong, self.qs[slot] >> 64)
        self.table[at + 4] = effort << 18 | loses << 9 | wins
