"""Solve Col (a marker closes the cells around it to its owner) by a search that works with exact values.

A position is (p, q): the cells open to the player to move and to the opponent. Its value is a number, or a number plus
star (a move that either player may take, once), counted in moves in favour of the first. So a position falls into
regions whose values add up, and the known part of a value is an interval. See docs/engine for the reasons.
"""

from array import array
from itertools import pairwise

from gridlock.core.grid import cells_of
from gridlock.core.shape import Shape

try:
    import cython
except ImportError:
    from . import interpreted as cython
if not cython.compiled:
    from .interpreted import around, bit, lowest, plain, popcount, u128

    BoardSearch, simplest = plain("board_search").BoardSearch, plain("board_search").simplest

TAKES = Shape(closes_own=True)

SYMMETRY = cython.declare(cython.int, 1)  # one table entry for a pattern in every place and orientation
MIRROR = cython.declare(cython.int, 2)  # find a reflection that swaps the players and moves all shared cells
REGIONS = cython.declare(cython.int, 4)  # remove small regions and add their values
PRUNE = cython.declare(cython.int, 8)  # remove cells that neither player ever needs
DOMINANCE = cython.declare(cython.int, 16)  # skip dominated moves
BOUNDS = cython.declare(cython.int, 32)  # independent sets against clique covers
BLOCKS = cython.declare(cython.int, 64)  # bounds from the values of 2x4 blocks
ORDER = cython.declare(cython.int, 128)  # try first the moves that leave the opponent least room
TABLE = cython.declare(cython.int, 256)  # remember proved results
REPLY = cython.declare(cython.int, 512)  # in a position that the half-turn exchanges, reply with the image first
CENTRE = cython.declare(cython.int, 1024)  # let a reflection leave one shared cell in place, by the centre rule
SPLIT = cython.declare(cython.int, 2048)  # find the numbers of all large regions but the largest
TECHNIQUES = {
    "SYMMETRY": SYMMETRY, "MIRROR": MIRROR, "REGIONS": REGIONS, "PRUNE": PRUNE, "DOMINANCE": DOMINANCE,
    "BOUNDS": BOUNDS, "BLOCKS": BLOCKS, "ORDER": ORDER, "TABLE": TABLE, "REPLY": REPLY, "CENTRE": CENTRE,
    "SPLIT": SPLIT,
}  # fmt: skip
ALL = sum(TECHNIQUES.values())

SMALL = cython.declare(cython.int, 8)  # regions up to this size are valued exactly
VALUED = cython.declare(cython.int, 16)  # the most cells value() takes; the denominators fit into UNIT
UNIT = cython.declare(cython.longlong, 1 << 16)  # one move
STOPPED = cython.declare(cython.longlong, 1 << 40)  # instead of a value
TOO_FINE = cython.declare(cython.longlong, 1 << 41)  # likewise
BIG = cython.declare(cython.longlong, 1 << 23)  # more than any value
DEEPEST = cython.declare(cython.int, 256)  # moves of a line: one for each cell, others in numbers, and splits
SCHEMES = cython.declare(cython.int, 4)  # ways to cut the board into blocks
UPSIDE_DOWN = cython.declare(cython.int, 1)  # symmetries of the board
LEFT_TO_RIGHT = cython.declare(cython.int, 2)
HALF_TURN = cython.declare(cython.int, 3)
ACROSS = cython.declare(cython.int, 4)

# The table's known word, above the effort: bounds of the value, each plus 2 * BIG.
HIGH = cython.declare(cython.int, 6)
LOW = cython.declare(cython.int, 32)
BOUND = cython.declare(cython.ulonglong, (1 << 26) - 1)


class ColSearch(BoardSearch):
    """The search for one board; its table remembers what it has proved."""

    def __init__(self, grid, memory, techniques):
        BoardSearch.__init__(self, grid, memory, techniques)
        if not cython.compiled:
            self.shares, self.blocks, self.corners = [0] * 16, [0] * 288, [0] * 288
        rows, cols = grid.rows, grid.cols
        # On long boards with few neighbours, other orders of moves find shorter proofs.
        compact = 2 * max(rows, cols) < 3 * min(rows, cols)
        self.mirrors_first = techniques & REPLY != 0 and (grid.adjacency == "king" or compact)
        self.diagonal = sum(1 << i * cols + i for i in range(min(rows, cols)))
        for i in range(1, 10):
            self.shares[i] = 2520 // i
        for scheme in range(SCHEMES):
            ys = [0, *range(2 - scheme % 2, rows, 2), rows]
            xs = [0, *range(4 - scheme // 2 * 2, cols, 4), cols]
            cuts = [(y, v, x, w) for y, v in pairwise(ys) for x, w in pairwise(xs)]
            for i, (y, v, x, w) in enumerate(cuts):
                self.blocks[scheme * 72 + i] = sum(1 << r * cols + c for r in range(y, v) for c in range(x, w))
                self.corners[scheme * 72 + i] = y * cols + x
        self.block_values = array("q", [BIG]) * 65536
        self.waiting = array("q", [0]) * (128 * DEEPEST)

    def solve(self, p, q, tick, x=0):
        """Return whether the player to move wins (1) or loses (0) with the number x added, or -1 if stopped by tick."""
        self.check(p | q)
        if not -BIG // 2 < x < BIG // 2:
            raise ValueError(f"{x} is too large a number for this search.")
        self.begin(tick)
        return self.wins(p, q, x, 0, self.restoring(p, q))

    def learn(self, p, q, added, result):
        """Put an entry of a journal, (p, q, number added in parts of a move, result), back into the table."""
        self.check(p | q)
        if self.techniques & TABLE and p | q:
            self.canonical(p, q)
            self.note(self.key_p, self.key_q, added, result, self.journal_work)

    def moves(self, p, q):
        """Return the moves that matter in a position, in the order in which a search tries them."""
        self.check(p | q)
        found = []
        for cell in cells_of(self.least_closing(p, q, p) if self.techniques & DOMINANCE else p):
            found.append((self.outlook(q & ~(1 << cell), p & ~self.zone[cell]), cell))
        cells = [cell for _, cell in sorted(found)]
        first: cython.int = self.restoring(p, q)
        return cells if first < 0 else [first, *(cell for cell in cells if cell != first)]

    def value(self, p, q):
        """Return the exact value for the first player: twice the number in parts of a move, plus one for a star."""
        self.check(p | q)
        return None if popcount(p | q) > VALUED else self.exact(p, q)

    def number(self, p, q, tick):
        """Return the value of a position of any size, as value() does, or None if stopped by tick or too fine."""
        self.check(p | q)
        self.begin(tick)
        found: cython.longlong = self.bisect(p, q, 0)
        return found if found < STOPPED else None

    # The board

    def region(self, p, q):
        """Return the region of the first open cell; neighbours are connected if one player has both."""
        found: u128 = (p | q) & (0 - (p | q))
        while True:
            more: u128 = found | (around(self.edges, found & p) & p) | (around(self.edges, found & q) & q)
            if more == found:
                return found
            found = more

    def canonical(self, p, q):
        """Set the key to the canonical form of a nonempty position, and `balanced` if a reflection decides it.

        If the half-turn exchanges the players, set `turn` to the sum of a cell and its image, else to -1.
        """
        self.key_p, self.key_q, self.balanced, self.turn = p, q, False, -1
        if not self.techniques & (SYMMETRY | MIRROR | REPLY | CENTRE):
            return 0
        # Move the open cells into the corner of the board: only their shape matters.
        shift: cython.int = self.corner(p | q)
        rows: cython.int = self.box_rows
        cols: cython.int = self.box_cols
        p >>= shift
        q >>= shift
        if self.techniques & SYMMETRY:
            self.key_p, self.key_q = p, q
        turns: cython.bint = rows <= self.cols and cols <= self.rows
        turn: cython.int = 2 * shift + (rows - 1) * self.cols + cols - 1
        alike: cython.bint = self.techniques & (MIRROR | REPLY | CENTRE) and popcount(p) == popcount(q)
        exchanged: u128 = q
        for i in range(8 if turns else 4):
            if i == ACROSS:  # the other way round: first rows and columns exchanged, then turned over
                p, q, rows, cols = self.image(p, ACROSS), self.image(q, ACROSS), cols, rows
            shift = (self.rows - rows) * self.cols if i & UPSIDE_DOWN else 0
            shift += self.cols - cols if i & LEFT_TO_RIGHT else 0
            a: u128 = self.image(p, i & 3) >> shift
            if alike and a == exchanged and i <= ACROSS:  # beyond, some are quarter turns
                self.balanced |= self.decides(i, p, q, rows, cols)
                if i == HALF_TURN:
                    self.turn = turn
            if self.techniques & SYMMETRY and a <= self.key_p:
                b: u128 = self.image(q, i & 3) >> shift
                if a < self.key_p or b < self.key_q:
                    self.key_p, self.key_q = a, b
        return 0

    def restoring(self, p, q):
        """Return a move after which the half-turn exchanges the players, or -1."""
        rest: u128 = p if self.mirrors_first else 0
        while rest:
            c: cython.int = lowest(rest)
            rest ^= bit(c)
            if self.image(p & ~self.zone[c], HALF_TURN) == q & ~bit(c):
                return c
        return -1

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
        # Whoever takes the centre closes every cell to themselves whose image the answer next to it closes.
        centre: cython.int = lowest(fixed)
        spare: u128 = self.near[centre] & q
        while spare:
            if not self.zone[lowest(spare)] & q & ~self.zone[centre]:
                return True
            spare &= spare - 1
        return False

    # The table

    def recall(self, p, q):
        """Set low and high to the table's bounds for a form."""
        known: cython.ulonglong = self.table.find(p, q, 0)
        self.low, self.high = -2 * BIG, 2 * BIG
        if known:
            self.low = cython.cast(cython.longlong, known >> LOW & BOUND) - 2 * BIG
            self.high = cython.cast(cython.longlong, known >> HIGH & BOUND) - 2 * BIG
        return 0

    def store(self, p, q, work):
        """Store low and high as the bounds for a form."""
        known: cython.ulonglong = cython.cast(cython.ulonglong, self.low + 2 * BIG) << LOW
        known |= cython.cast(cython.ulonglong, self.high + 2 * BIG) << HIGH
        return self.table.keep(p, q, known, work)

    def note(self, p, q, x, won, work):
        """Tighten the bounds for a form, given that the mover wins it with x added, or does not.

        A win means that the number is above -x, or -x with a star; a loss, that it is below -x, or -x without one.
        """
        self.recall(p, q)
        if won:
            self.low = max(self.low, 1 - 2 * x)
        else:
            self.high = min(self.high, -2 * x)
        return self.store(p, q, work)

    # Exact values: twice the number, plus one for a star

    def exact(self, p, q):
        total: cython.longlong = 0
        while p | q:
            part: u128 = self.region(p, q)
            v: cython.longlong = self.exact_region(p & part, q & part)
            total = (total + (v & -2)) ^ (v & 1)
            p &= ~part
            q &= ~part
        return total

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
        # The best options, odd below and even above if they must be passed: a number must, one with a star may be met.
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

    def bisect(self, p, q, depth):
        """Return the value of a position of any size, or STOPPED by tick, or TOO_FINE.

        Two searches tell whether the number is below a guess, above it, or equal to it with or without a star. The
        guesses descend from 0 to the simplest numbers on one side, then to those between two.
        """
        guess: cython.longlong = 0
        low: cython.longlong = -BIG
        high: cython.longlong = BIG
        while True:
            above: cython.int = self.wins(p, q, -guess, depth, -1)
            below: cython.int = self.wins(q, p, guess, depth, -1) if above >= 0 else -1
            if below < 0:
                return STOPPED
            if above == below:
                return 2 * guess + above
            if above:
                low = guess
            else:
                high = guess
            if high == BIG or low == -BIG:
                guess = 2 * guess if guess else UNIT if above else -UNIT
            elif high - low > UNIT:
                guess = (low + high) // (2 * UNIT) * UNIT
            elif high - low > 1:
                guess = (low + high) // 2
            else:
                return TOO_FINE

    # Bounds

    def ceiling(self, p, q):
        """Return an upper bound of the value: one for each clique of p, less the moves q is sure of."""
        kept: u128 = self.apart(p, q)
        halves: cython.longlong = 2 * self.cover(p) - popcount(kept) - popcount(kept & ~p)
        return halves * (UNIT // 2)

    def apart(self, p, q):
        """Return nonadjacent cells of q, chosen greedily, first those not open to p."""
        kept: u128 = 0
        while q:
            c: cython.int = lowest(q & ~p if q & ~p else q)
            kept |= bit(c)
            q &= ~self.zone[c]
        return kept

    def block_ceiling(self, p, q, kept, scheme):
        """Return an upper bound of the value: twice a number, plus one for a star.

        Cutting p's edges helps p, and so does taking cells from q, except those kept: do both until no edge joins two
        blocks.
        """
        total: cython.longlong = 0
        i: cython.int = scheme * 72
        while self.blocks[i]:
            block: u128 = self.blocks[i]
            room: u128 = q & block & ~around(self.edges, kept & ~block)
            kept |= room
            c: cython.int = self.pattern(p & block, self.corners[i]) * 256 + self.pattern(room, self.corners[i])
            v: cython.longlong = self.block_values[c]
            if v == BIG:
                v = self.exact(p & block, room)
                self.block_values[c] = v
            total = (total + (v & -2)) ^ (v & 1)
            i += 1
        return total

    def pattern(self, p, corner):
        """Return the cells of a 2x4 block as eight bits."""
        p >>= corner
        low: u128 = p & self.top & 15
        return cython.cast(cython.int, low | (((p >> (self.cols - 1)) >> 1) << 4))

    # Cells and moves that neither player needs

    def guarded(self, d, p, q):
        """Return whether p's owner has a cell that closes no more than d for as long as d is open to them.

        The opponent cannot take a cell of p alone, nor two shared neighbours without leaving one of them to p alone.
        """
        rivals: u128 = p & self.near[d]
        shared: u128 = 0
        while rivals:
            c: cython.int = lowest(rivals)
            rivals ^= bit(c)
            if not self.zone[c] & p & ~self.zone[d]:
                if not (q >> c) & 1 or shared & self.zone[c]:
                    return True
                shared |= bit(c)
        return False

    def useless(self, d, p, q):
        """Return whether a cell is guarded for every player who may use it."""
        return (not p & bit(d) or self.guarded(d, p, q)) and (not q & bit(d) or self.guarded(d, q, p))

    def needed(self, p, q):
        """Return the open cells without useless ones; if the half-turn exchanges the players, then it still does."""
        rest: u128 = p | q
        turned: cython.bint = self.mirrors_first and popcount(p) == popcount(q) and self.image(p, HALF_TURN) == q
        while rest:
            d: cython.int = lowest(rest)
            cell: u128 = bit(d)
            rest ^= cell
            if self.useless(d, p, q):
                if turned:
                    twin: cython.int = self.cells - 1 - d
                    if not self.useless(twin, p & ~cell, q & ~cell):
                        continue
                    cell |= bit(twin)
                p &= ~cell
                q &= ~cell
        return p | q

    # The search

    def wins(self, p, q, x, depth, reply):
        """Return whether the mover wins with the number x added, or -1 if stopped by tick.

        The reply, if it is not -1, is the move to try first.
        """
        self.nodes += 1
        if self.nodes >= self.next_tick and self.stop():
            return -1
        start: cython.longlong = self.nodes
        passed: cython.int = 0
        whole_p: u128 = p
        whole_q: u128 = q
        whole_x: cython.longlong = x
        if self.techniques & PRUNE:
            part: u128 = self.needed(p, q)
            p &= part
            q &= part
        others: u128 = 0  # regions that are neither small nor the largest
        if self.techniques & REGIONS:
            rest: u128 = p | q
            star: cython.longlong = 0
            largest: u128 = 0
            while rest:
                part = self.region(p & rest, q & rest)
                rest &= ~part
                if popcount(part) <= SMALL:
                    v: cython.longlong = self.exact_region(p & part, q & part)
                    x += v >> 1
                    star ^= v & 1
                    p &= ~part
                    q &= ~part
                elif popcount(part) > popcount(largest):
                    others |= largest
                    largest = part
                else:
                    others |= part
            if star:
                # Taking the star is the best move, so it is the opponent's turn without it.
                passed = 1
                p, q, x = q, p, -x
        if not p | q:
            return (x > 0) ^ passed
        if self.techniques & BOUNDS:
            if self.ceiling(p, q) + x <= 0:
                return passed
            if x > self.ceiling(q, p):
                return 1 ^ passed
        self.canonical(p, q)
        if self.balanced:
            return (x > 0) ^ passed
        turn: cython.int = self.turn if self.mirrors_first else -1
        key_p: u128 = self.key_p
        key_q: u128 = self.key_q
        if self.techniques & TABLE:
            self.recall(key_p, key_q)
            if self.low > -2 * x:
                return 1 ^ passed
            if self.high <= -2 * x:
                return passed
        if self.techniques & BLOCKS:
            mine: u128 = self.apart(q, p)
            theirs: u128 = self.apart(p, q)
            for i in range(SCHEMES):
                if self.block_ceiling(p, q, theirs, i) <= -2 * x:
                    return passed
                if self.block_ceiling(q, p, mine, i) ^ 1 <= 2 * x:
                    return 1 ^ passed
        won: cython.int = 1
        if reply >= 0 and (whole_p >> reply) & 1:  # nothing has been removed, so the position is symmetric again
            won = self.wins(whole_q & ~bit(reply), whole_p & ~self.zone[reply], -whole_x, depth + 1, -1)
        if won < 0:
            return -1
        if not won:
            won = 1 ^ passed
        elif others and self.techniques & SPLIT:
            won = self.split(p, q, others, x, depth)
        else:
            won = self.expand(p, q, x, depth, turn)
        if won >= 0 and self.techniques & TABLE:
            self.note(key_p, key_q, x, won, self.nodes - start)
            if self.journal_work and self.nodes - start >= self.journal_work:
                self.journal.append((key_p, key_q, x, won))
        return won if won < 0 else won ^ passed

    def split(self, p, q, others, x, depth):
        """Return whether the mover wins, by adding the numbers of some regions to x."""
        star: cython.int = 0
        whole_p: u128 = p
        whole_q: u128 = q
        whole_x: cython.longlong = x
        while others:
            part: u128 = self.region(p & others, q & others)
            others &= ~part
            v: cython.longlong = self.bisect(p & part, q & part, depth + 1)
            if v == STOPPED:
                return -1
            if v == TOO_FINE:
                return self.expand(whole_p, whole_q, whole_x, depth, -1)
            x += v >> 1
            star ^= v & 1
            p &= ~part
            q &= ~part
        if star:
            star = self.wins(q, p, -x, depth + 1, -1)
            return star if star < 0 else 1 - star
        return self.wins(p, q, x, depth + 1, -1)

    def expand(self, p, q, x, depth, turn):
        """Return whether a move wins: one on the board, best guess first, or else one in the number.

        If turn is not -1, the half-turn exchanges the players, and the first reply to a move is its image.
        """
        moves: u128 = self.least_closing(p, q, p) if self.techniques & DOMINANCE else p
        count: cython.int = 0
        first: cython.int = depth * 128
        while moves:
            c: cython.int = lowest(moves)
            moves ^= bit(c)
            after_p: u128 = q & ~bit(c)
            after_q: u128 = p & ~self.zone[c]
            high: cython.longlong = self.ceiling(after_p, after_q)
            low: cython.longlong = -self.ceiling(after_q, after_p)
            if self.techniques & BOUNDS and high <= x:
                return 1
            if self.techniques & BOUNDS and low > x:
                continue
            score: cython.longlong = c
            if self.techniques & ORDER:
                score += 128 * self.outlook(after_p, after_q)
                if not self.edges.king:
                    score += (high + low) // 4
            k: cython.int = first + count
            while k > first and self.waiting[k - 1] > score:
                self.waiting[k] = self.waiting[k - 1]
                k -= 1
            self.waiting[k] = score
            count += 1
        for k in range(first, first + count):
            c = cython.cast(cython.int, self.waiting[k] & 127)
            result: cython.int = self.wins(q & ~bit(c), p & ~self.zone[c], -x, depth + 1, turn - c if turn >= 0 else -1)
            if result <= 0:
                return 1 if result == 0 else result
        step: cython.longlong = x & -x
        if step > UNIT:
            step = UNIT
        if x <= 0 and (step == UNIT or not x):
            return 0
        # If the value is a number, moving in it costs one step of its denominator (a whole number must be positive).
        result = self.wins(q, p, step - x, depth + 1, -1)
        return result if result < 0 else 1 - result

    def outlook(self, p, q):
        """Estimate the mover's prospects: the number of open cells, and room to place tokens."""
        return (self.room(p) - self.room(q)) // 16 + 64 * (popcount(p) - popcount(q))

    def room(self, p):
        """Estimate how many tokens of one player fit into p, times 2520: each cell counts as a share of its zone."""
        total: cython.longlong = 0
        rest: u128 = p
        while rest:
            c: cython.int = lowest(rest)
            rest ^= bit(c)
            total += self.shares[popcount(p & self.zone[c])]
        return total
