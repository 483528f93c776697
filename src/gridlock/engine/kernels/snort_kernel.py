"""Solve Snort by an exact search on the board's graph.

In Snort, a marker closes the surrounding cells to the opponent. A position is (p, q, k): the cells open to the player
to move, the cells open to the opponent, and the number of free moves by which the player to move is ahead. N[c] is the
set that contains the cell c and its neighbours. The search rests on three facts, which are proved in docs/engine:

1. Taking a cell away from a player never helps that player.
2. Playing a cell c is never worse than using a free move. In other words, if a player who has played c is given one
   free move, the position is at least as good for that player as it was before c was played. Therefore neither player
   needs to use a free move while they can still take a cell. If no cell can be taken, the player to move wins if and
   only if k > 0.
3. A move c is at least as good as a move d if every cell that d would close to the opponent is also closed by c. After
   c is played, d is still available as a free move.
"""

from gridlock.core.grid import cells_of
from gridlock.core.shape import Shape

try:
    import cython
except ImportError:
    from . import interpreted as cython
if not cython.compiled:
    from .interpreted import around, bit, lowest, plain, popcount, u128

    BoardSearch = plain("board_search").BoardSearch

TAKES = Shape(closes_other=True)

REDUCE = cython.declare(cython.int, 1)  # count the cells that the opponent can never close as free moves
ORDER = cython.declare(cython.int, 2)  # first try the moves that leave the opponent worst off
PACKING = cython.declare(cython.int, 4)  # bounds from cells that do not affect each other
DOMINANCE = cython.declare(cython.int, 8)  # skip dominated moves
SYMMETRY = cython.declare(cython.int, 16)  # one table entry for all rotations and reflections
MIRROR = cython.declare(cython.int, 32)  # a position that a mirror maps to itself with the players swapped is lost
TECHNIQUES = {
    "REDUCE": REDUCE, "ORDER": ORDER, "PACKING": PACKING, "DOMINANCE": DOMINANCE, "SYMMETRY": SYMMETRY, "MIRROR": MIRROR
}  # fmt: skip
ALL = sum(TECHNIQUES.values())

UNDECIDED = cython.declare(cython.int, -1)
WAITING = 128 * 129 // 2 + 2  # all moves of all the positions on one line of play

# The table's known word: the least k that wins and the largest k that loses, each plus LEVEL.
LEVEL = cython.declare(cython.int, 256)
WINS = cython.declare(cython.int, 6)
LOSES = cython.declare(cython.int, 15)
MOST = cython.declare(cython.ulonglong, 511)


class SnortSearch(BoardSearch):
    """The search for one board, with a table of proved results."""

    def __init__(self, grid, memory, techniques):
        BoardSearch.__init__(self, grid, memory, techniques)
        if not cython.compiled:
            self.clash, self.levels, self.gains = [0] * 8, [0] * 10, [0] * 64
            self.ps, self.qs, self.ks, self.scores = ([0] * WAITING for _ in range(4))
        for symmetry in range(self.symmetries):
            goal = [self.moved[symmetry * 129 + cell] for cell in range(grid.size)]
            self.clash[symmetry] = sum(
                1 << cell for cell, there in enumerate(goal) if self.zone[cell] >> there & 1 or goal[there] != cell
            )

    def solve(self, p, q, tick, k=0):
        """Return 1 if the mover wins with a lead of k free moves, 0 if not, and -1 if `tick` stops the search."""
        self.check(p | q)
        if not -LEVEL // 2 < k < LEVEL // 2:
            raise ValueError(f"The search cannot handle {k} free moves.")
        self.begin(tick)
        self.place(0, p, q, k)
        verdict: cython.int = self.judge(0)
        if verdict == UNDECIDED:
            verdict = self.look_up(0)
        return verdict if verdict != UNDECIDED else self.search(0)

    def learn(self, p, q, k, result):
        """Add an entry from the journal to the table."""
        self.check(p | q)
        self.place(0, p, q, k)
        if self.judge(0) == UNDECIDED and self.look_up(0) == UNDECIDED:
            self.store(0, result, self.journal_work)

    def moves(self, p, q):
        """Return the moves that matter in a position, in the order in which a search tries them."""
        self.check(p | q)
        self.place(0, p, q, 0)
        p, q, k = self.ps[0], self.qs[0], self.ks[0]
        found = []
        for cell in cells_of(self.most_closing(p, q) if self.techniques & DOMINANCE else p):
            self.place(1, q & ~self.zone[cell], p & ~(1 << cell), -k)
            found.append((3 * self.ks[1] + 2 * (popcount(self.ps[1]) - popcount(self.qs[1])), cell))
        return [cell for _, cell in sorted(found)]

    def search(self, slot):
        """Decide a position that neither the bounds nor the table decides."""
        self.nodes += 1
        if self.nodes >= self.next_tick and self.stop():
            return -1
        began: cython.longlong = self.nodes
        p: u128 = self.ps[slot]
        q: u128 = self.qs[slot]
        moves: u128 = self.most_closing(p, q) if self.techniques & DOMINANCE else p
        top: cython.int = slot + 1
        result: cython.int = 0
        while moves and not result:
            cell: cython.int = lowest(moves)
            moves &= moves - 1
            self.place(top, q & ~self.zone[cell], p & ~bit(cell), -self.ks[slot])
            verdict: cython.int = self.judge(top)
            if verdict == 0:
                result = 1
            elif verdict < 0:
                self.scores[top] = 0
                if self.techniques & ORDER:
                    self.scores[top] = 3 * self.ks[top] + 2 * (popcount(self.ps[top]) - popcount(self.qs[top]))
                top += 1
        while top > slot + 1 and not result:
            best: cython.int = slot + 1
            for i in range(slot + 2, top):
                if self.scores[i] < self.scores[best]:
                    best = i
            top -= 1
            self.ps[best], self.ps[top] = self.ps[top], self.ps[best]
            self.qs[best], self.qs[top] = self.qs[top], self.qs[best]
            self.ks[best], self.ks[top] = self.ks[top], self.ks[best]
            self.scores[best] = self.scores[top]
            verdict = self.look_up(top)
            if verdict < 0:
                verdict = self.search(top)
            if verdict < 0:
                return verdict
            result = 1 - verdict
        self.store(slot, result, self.nodes - began + 1)
        if self.journal_work and self.nodes - began + 1 >= self.journal_work:
            self.journal.append((self.ps[slot], self.qs[slot], self.ks[slot], result))
        return result

    def place(self, slot, p, q, k):
        """Put a position in a slot, counting the cells beyond the opponent's reach as free moves."""
        if self.techniques & REDUCE:
            mine: u128 = p & ~around(self.edges, q)
            theirs: u128 = q & ~around(self.edges, p)
            k += popcount(mine) - popcount(theirs)
            p &= ~mine
            q &= ~theirs
        self.ps[slot], self.qs[slot], self.ks[slot] = p, q, k

    def judge(self, slot):
        """Return 1 if the bounds show that the player to move wins, 0 if they show a loss, and -1 otherwise."""
        p: u128 = self.ps[slot]
        q: u128 = self.qs[slot]
        k: cython.int = self.ks[slot]
        mine: cython.int = popcount(p)
        theirs: cython.int = popcount(q)
        if mine == 0:
            return k > 0
        if self.techniques & PACKING:
            # To save time, skip the bound if it is unlikely to decide the position, given the numbers of cells and free
            # moves.
            if 2 * k + mine - theirs <= 0 and self.packed(q, p, -k, False):
                return 0
            if 2 * k + mine - theirs >= -4 and self.packed(p, q, k, True):
                return 1
        return -1

    def packed(self, a, b, n, turn):
        """Return whether the owner of the set `a` wins by playing only cells that are far apart.

        The owner of the set `a` is `n` free moves ahead. The cells c are chosen so that the sets N[c] & b are disjoint,
        which makes each set N[c] & b a separate small game. Let w be the number of cells in N[c] & b. Let f be the
        number of cells of `a`, other than c, that have neighbours in `b`, all of them in N[c]. If the owner of `a`
        plays c, the opponent loses w cells, and the owner of `a` gains f free moves. If the opponent moves first in
        N[c] & b, the cell c may be lost, and the opponent has w - 1 moves left in N[c] & b. The stake of a small game
        is f + w - 1. The players take turns, always moving in the small game with the highest stake.
        """
        active: u128 = a & around(self.edges, b)
        rest: u128 = active
        blocked: u128 = 0
        used: u128 = 0
        for w in range(10):
            self.levels[w] = 0
        while rest:
            cell: cython.int = lowest(rest)
            rest &= rest - 1
            self.levels[popcount(self.zone[cell] & b)] |= bit(cell)
        for gain in range(40):
            self.gains[gain] = 0
        for w in range(9, 0, -1):
            open_to_me: u128 = self.levels[w] & ~blocked
            while open_to_me:
                group: u128 = self.zone[lowest(open_to_me)] & b
                used |= group
                blocked |= around(self.edges, group)
                open_to_me &= ~blocked
                self.gains[popcount(active & ~around(self.edges, b & ~group)) + w - 2] += 1
                n -= w - 1
        n -= popcount(b & ~used)
        for gain in range(39, -1, -1):
            w = self.gains[gain]
            if w:
                n += gain * ((w + turn) // 2)
                turn ^= w & 1
        return n >= turn

    def look_up(self, slot):
        """Put a position into canonical form; return 1 for a known win, 0 for a known loss, and -1 otherwise."""
        p: u128 = self.ps[slot]
        q: u128 = self.qs[slot]
        k: cython.int = self.ks[slot]
        for symmetry in range(1, self.symmetries):
            turned: u128 = self.image(p, symmetry)
            if self.techniques & MIRROR and turned == q and not p & self.clash[symmetry]:
                return k > 0  # the opponent answers every move with its mirror image and moves last
            if self.techniques & SYMMETRY and turned <= self.ps[slot]:
                other: u128 = self.image(q, symmetry)
                if turned < self.ps[slot] or other < self.qs[slot]:
                    self.ps[slot], self.qs[slot] = turned, other
        known: cython.ulonglong = self.table.find(self.ps[slot], self.qs[slot], 0)
        if known:
            if LEVEL + k >= cython.cast(cython.int, known >> WINS & MOST):
                return 1
            if LEVEL + k <= cython.cast(cython.int, known >> LOSES & MOST):
                return 0
        return UNDECIDED

    def store(self, slot, result, work):
        """Store a position's result, which may also decide the same position with more or fewer free moves.

        A won position stays won if the player to move gets more free moves. A lost position stays lost if the player to
        move gets fewer free moves.
        """
        known: cython.ulonglong = self.table.find(self.ps[slot], self.qs[slot], 0)
        wins: cython.ulonglong = known >> WINS & MOST if known else MOST
        loses: cython.ulonglong = known >> LOSES & MOST
        k: cython.ulonglong = LEVEL + self.ks[slot]
        if result:
            wins = min(wins, k)
        else:
            loses = max(loses, k)
        self.table.keep(self.ps[slot], self.qs[slot], wins << WINS | loses << LOSES, work)
