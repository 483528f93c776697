"""Who wins Col (a marker closes the cells around it to its owner): a search that works with exact values.

A position is (p, q): the cells open to the player to move and to the opponent. Its value is a number, or a number plus
star (a move that either player may take, once), counted in moves to the good of the first. So a position falls into
regions whose values add up, and what is known of a value is an interval. The notes in docs/engine have the reasons.
"""

from array import array
from itertools import pairwise

from gridlock.shape import Shape

try:
    import cython
except ImportError:
    from . import interpreted as cython
if not cython.compiled:
    from .interpreted import around, bit, lowest, plain, popcount, u128

    BoardSearch = plain("board_search").BoardSearch

TAKES = Shape(closes_own=True)

SYMMETRY = cython.declare(cython.int, 1)  # one table entry for a pattern wherever it lies and however it is turned
SWAP = cython.declare(cython.int, 2)  # one table entry for a position and the same with the players exchanged
MIRROR = cython.declare(
    cython.int, 4
)  # a reflection or half-turn that exchanges the players and moves every shared cell
REGIONS = cython.declare(cython.int, 8)  # take out small regions and add their values
PRUNE = cython.declare(cython.int, 16)  # take out cells that nobody ever needs
DOMINANCE = cython.declare(cython.int, 32)  # skip moves that another move betters
BOUNDS = cython.declare(cython.int, 64)  # independent sets against clique covers
BLOCKS = cython.declare(cython.int, 128)  # bounds from the values of 2x4 blocks
ORDER = cython.declare(cython.int, 256)  # try first what leaves the opponent least room
TABLE = cython.declare(cython.int, 512)  # remember what has been proved
TECHNIQUES = {
    "SYMMETRY": SYMMETRY, "SWAP": SWAP, "MIRROR": MIRROR, "REGIONS": REGIONS, "PRUNE": PRUNE,
    "DOMINANCE": DOMINANCE, "BOUNDS": BOUNDS, "BLOCKS": BLOCKS, "ORDER": ORDER, "TABLE": TABLE,
}  # fmt: skip
ALL = sum(TECHNIQUES.values())

SMALL = cython.declare(cython.int, 8)  # regions up to this size are valued at once
VALUED = cython.declare(cython.int, 16)  # the largest region that value() takes; its denominators fit into UNIT
UNIT = cython.declare(cython.longlong, 1 << 16)  # one move
BIG = cython.declare(cython.longlong, 1 << 23)  # more than any value
SCHEMES = cython.declare(cython.int, 4)  # ways to cut the board into blocks
PLAIN = cython.declare(cython.int, 1)  # a bound may be met by the number itself
STAR = cython.declare(cython.int, 2)  # a bound may be met by the number plus star
BALANCED = cython.declare(cython.int, 2)  # a position is worth nothing
SELF_NEGATIVE = cython.declare(cython.int, 1)  # it is worth nothing, or a star
UPSIDE_DOWN = cython.declare(cython.int, 1)  # symmetries of the board
LEFT_TO_RIGHT = cython.declare(cython.int, 2)
ACROSS = cython.declare(cython.int, 4)

# What the table knows of a value, above the effort: what may meet either bound, and the bounds, each plus BIG.
HIGH_MEETS = cython.declare(cython.int, 10)
LOW_MEETS = cython.declare(cython.int, 12)
HIGH = cython.declare(cython.int, 14)
LOW = cython.declare(cython.int, 39)
BOUND = cython.declare(cython.ulonglong, (1 << 25) - 1)


class ColSearch(BoardSearch):
    """The search for one board; its table remembers what it has proved."""

    def __init__(self, grid, memory, techniques):
        BoardSearch.__init__(self, grid, memory, techniques)
        if not cython.compiled:
            self.shares, self.blocks, self.corners = [0] * 16, [0] * 288, [0] * 288
        self.king = self.edges.king
        rows, cols = grid.rows, grid.cols
        self.left = self.grid.cells & ~self.edges.not_left
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
        self.waiting = array("q", [0]) * (128 * 130)

    def solve(self, p, q, tick):
        """Say whether the player to move wins (1) or loses (0), or -1 if tick asked to stop."""
        self.check(p | q)
        self.begin(tick)
        return self.wins(p, q, 0, 0)

    def learn(self, p, q, added, result):
        """Put an entry of a journal, (p, q, number added in parts of a move, result), back into the table."""
        self.check(p | q)
        if self.techniques & TABLE and p | q:
            self.canonical(p, q)
            self.note(self.key_p, self.key_q, self.sign, added, result, self.journal_work)

    def value(self, p, q):
        """The exact value for the first player, as (numerator, log2 of the denominator, star); None if too large."""
        self.check(p | q)
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

    # The board

    def region(self, p, q):
        """All that hangs together with the first open cell: neighbours matter if one player has both."""
        found: u128 = (p | q) & (0 - (p | q))
        while True:
            more: u128 = found | (around(self.edges, found & p) & p) | (around(self.edges, found & q) & q)
            if more == found:
                return found
            found = more

    def offer(self, p, q, sign):
        """Take this form if it comes before the one we have; the same form with both signs is its own negative."""
        if p < self.key_p or (p == self.key_p and q < self.key_q):
            self.key_p, self.key_q, self.sign, self.nil = p, q, sign, 0
        elif p == self.key_p and q == self.key_q and sign != self.sign:
            self.nil = SELF_NEGATIVE
        if sign > 0 and self.techniques & SWAP:
            self.offer(q, p, -1)
        return 0

    def canonical(self, p, q):
        """Find the form under which the table knows this position (not empty), and whether it balances itself."""
        self.key_p, self.key_q, self.sign, self.nil = p, q, 1, 0
        if not self.techniques & SYMMETRY and not self.techniques & MIRROR:
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
        a1: u128 = self.image(a, LEFT_TO_RIGHT) >> across
        a2: u128 = self.image(a, UPSIDE_DOWN) >> up
        a3: u128 = self.image(a1, UPSIDE_DOWN) >> up
        balanced: cython.bint = False
        if self.techniques & MIRROR and popcount(a) == popcount(b):
            column: u128 = self.left << (cols >> 1) if cols & 1 else 0
            row: u128 = self.top << ((rows >> 1) * self.cols) if rows & 1 else 0
            shared: u128 = a & b
            balanced = (
                (a1 == b and not shared & column)
                or (a2 == b and not shared & row)
                or (a3 == b and not shared & column & row)
                or (turns and not shared & self.diagonal and self.image(a, ACROSS) == b)
            )
        if self.techniques & SYMMETRY:
            b1: u128 = self.image(b, LEFT_TO_RIGHT) >> across
            b2: u128 = self.image(b, UPSIDE_DOWN) >> up
            b3: u128 = self.image(b1, UPSIDE_DOWN) >> up
            self.key_p, self.key_q = a, b
            self.offer(a, b, 1)
            self.offer(a1, b1, 1)
            self.offer(a2, b2, 1)
            self.offer(a3, b3, 1)
            if turns:
                self.offer(self.image(a, ACROSS), self.image(b, ACROSS), 1)
                self.offer(self.image(a1, ACROSS), self.image(b1, ACROSS), 1)
                self.offer(self.image(a2, ACROSS), self.image(b2, ACROSS), 1)
                self.offer(self.image(a3, ACROSS), self.image(b3, ACROSS), 1)
        else:
            self.offer(p, q, 1)
        if balanced:
            self.nil = BALANCED
        return 0

    # The table

    def recall(self, p, q):
        """Set low and high to what the table knows of a form."""
        known: cython.ulonglong = self.table.find(p, q, 0)
        self.low, self.high, self.low_meets, self.high_meets = -BIG, BIG, PLAIN | STAR, PLAIN | STAR
        if known:
            self.low = cython.cast(cython.longlong, known >> LOW) - BIG
            self.high = cython.cast(cython.longlong, known >> HIGH & BOUND) - BIG
            self.low_meets = cython.cast(cython.int, known >> LOW_MEETS & 3)
            self.high_meets = cython.cast(cython.int, known >> HIGH_MEETS & 3)
        return 0

    def store(self, p, q, work):
        """Write low and high for a form."""
        known: cython.ulonglong = cython.cast(cython.ulonglong, self.low + BIG) << LOW
        known |= cython.cast(cython.ulonglong, self.high + BIG) << HIGH
        known |= cython.cast(cython.ulonglong, self.low_meets) << LOW_MEETS
        known |= cython.cast(cython.ulonglong, self.high_meets) << HIGH_MEETS
        return self.table.keep(p, q, known, work)

    def negate(self):
        self.low, self.high = -self.high, -self.low
        self.low_meets, self.high_meets = self.high_meets, self.low_meets
        return 0

    def note(self, p, q, sign, x, won, work):
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
        if self.nil == BALANCED:
            return 0
        key_p: u128 = self.key_p
        key_q: u128 = self.key_q
        sign: cython.int = self.sign
        self.recall(key_p, key_q)
        if self.low == self.high and self.low_meets != PLAIN | STAR:
            return 2 * sign * self.low + (self.low_meets == STAR)
        # The best options; a number itself must be passed, while a number with a star may be met.
        below: cython.longlong = -BIG
        above: cython.longlong = BIG
        pass_below: cython.bint = True
        pass_above: cython.bint = True
        while rest:
            c: cython.int = lowest(rest)
            rest ^= bit(c)
            if (p >> c) & 1:
                v: cython.longlong = self.exact(p & ~self.zone[c], q & ~bit(c))
                if v >> 1 > below:
                    below, pass_below = v >> 1, not v & 1
                elif v >> 1 == below and not v & 1:
                    pass_below = True
            if (q >> c) & 1:
                v = self.exact(p & ~bit(c), q & ~self.zone[c])
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

    def simplest(self, below, pass_below, above, pass_above):
        """The simplest number between two others: nearest to 0 if whole, else with the least denominator."""
        if below + pass_below <= 0 <= above - pass_above:
            return 0
        if above <= 0:
            return -self.simplest(-above, pass_above, -below, pass_below)
        step: cython.longlong = UNIT
        while True:
            v: cython.longlong = below // step * step
            if v < below or pass_below:
                v += step
            if v + pass_above <= above:
                return v
            step >>= 1

    # Bounds

    def ceiling(self, p, q):
        """A number the value does not exceed: one for each clique of p, less what q surely has against them."""
        halves: cython.longlong = 2 * self.cover(p)
        own: u128 = q & ~p
        while own:
            c: cython.int = lowest(own)
            own &= ~self.zone[c]
            q &= ~self.zone[c]
            halves -= 2
        q &= p
        while q:
            q &= ~self.zone[lowest(q)]
            halves -= 1
        return halves * (UNIT // 2)

    def block_ceiling(self, p, q, scheme):
        """Twice a number, plus one for a star, that the value does not exceed.

        Cutting p's edges helps p, and so does taking cells from q: do both until nothing joins two blocks.
        """
        kept: u128 = 0
        room: u128 = q & ~p
        while room:
            kept |= room & (0 - room)
            room &= ~self.zone[lowest(room)]
        room = q & ~around(self.edges, kept)
        while room:
            kept |= room & (0 - room)
            room &= ~self.zone[lowest(room)]
        total: cython.longlong = 0
        i: cython.int = scheme * 72
        while self.blocks[i]:
            block: u128 = self.blocks[i]
            room = q & block & ~around(self.edges, kept & ~block)
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
        """The cells of a 2x4 block as eight bits."""
        p >>= corner
        low: u128 = p & self.top & 15
        return cython.cast(cython.int, low | (((p >> (self.cols - 1)) >> 1) << 4))

    # Cells and moves that nobody needs

    def guarded(self, d, p, q):
        """Whether p's owner will have a cell that closes no more than d does for as long as d is open to them.

        The opponent cannot take a cell of p alone, nor two shared neighbours without leaving one of them to p alone.
        """
        rivals: u128 = p & self.zone[d]
        shared: u128 = 0
        rivals &= ~bit(d)
        while rivals:
            c: cython.int = lowest(rivals)
            rivals ^= bit(c)
            if not self.zone[c] & p & ~self.zone[d]:
                if not (q >> c) & 1 or shared & self.zone[c]:
                    return True
                shared |= bit(c)
        return False

    def needed(self, p, q):
        """The open cells, less those that change nothing: guarded for every player who may use them."""
        rest: u128 = p | q
        while rest:
            d: cython.int = lowest(rest)
            cell: u128 = bit(d)
            rest ^= cell
            if (not p & cell or self.guarded(d, p, q)) and (not q & cell or self.guarded(d, q, p)):
                p &= ~cell
                q &= ~cell
        return p | q

    def worthwhile(self, p, q):
        """The moves of p, less those that another one betters.

        c betters d if it closes no more to p, and takes at least as much from q: d is not open to q, or both are and c
        closes no more to q than d does.
        """
        moves: u128 = p
        rest: u128 = p
        while rest:
            d: cython.int = lowest(rest)
            rest ^= bit(d)
            rivals: u128 = moves & self.zone[d] & ~bit(d)
            cares: u128 = p
            if (q >> d) & 1:
                rivals &= q
                cares |= q
            while rivals:
                c: cython.int = lowest(rivals)
                rivals ^= bit(c)
                if not self.zone[c] & cares & ~self.zone[d]:
                    moves ^= bit(d)
                    break
        return moves

    # The search

    def wins(self, p, q, x, depth):
        """Whether the mover wins with the number x added; -1 if tick asked to stop."""
        self.nodes += 1
        if self.nodes >= self.next_tick and self.stop():
            return -1
        start: cython.longlong = self.nodes
        passed: cython.int = 0
        i: cython.int
        if self.techniques & PRUNE:
            part: u128 = self.needed(p, q)
            p &= part
            q &= part
        if self.techniques & REGIONS:
            rest: u128 = p | q
            star: cython.longlong = 0
            while rest:
                part = self.region(p & rest, q & rest)
                rest &= ~part
                if popcount(part) <= SMALL:
                    v: cython.longlong = self.exact_region(p & part, q & part)
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
        if self.techniques & BOUNDS:
            if self.ceiling(p, q) + x <= 0:
                return passed
            if x > self.ceiling(q, p):
                return 1 ^ passed
        self.canonical(p, q)
        if self.nil == BALANCED or (self.nil == SELF_NEGATIVE and x):
            return (x > 0) ^ passed
        key_p: u128 = self.key_p
        key_q: u128 = self.key_q
        sign: cython.int = self.sign
        if self.techniques & TABLE:
            self.recall(key_p, key_q)
            if sign < 0:
                self.negate()
            if self.low > -x or (self.low == -x and not self.low_meets & PLAIN):
                return 1 ^ passed
            if self.high < -x or (self.high == -x and not self.high_meets & STAR):
                return passed
        if self.techniques & BLOCKS:
            for i in range(SCHEMES):
                v = self.block_ceiling(p, q, i)
                if (v >> 1) + x < 0 or v == -2 * x:
                    return passed
                v = self.block_ceiling(q, p, i)
                if x > v >> 1 or v == 2 * x + 1:
                    return 1 ^ passed
        won: cython.int = self.expand(p, q, x, depth)
        if won >= 0 and self.techniques & TABLE:
            self.note(key_p, key_q, sign, x, won, self.nodes - start)
            if self.journal_work and self.nodes - start >= self.journal_work:
                self.journal.append((key_p, key_q, x, won) if sign > 0 else (key_q, key_p, x, won))
        return won if won < 0 else won ^ passed

    def expand(self, p, q, x, depth):
        """Whether some move wins: one on the board, best guess first, or else one in the number."""
        moves: u128 = self.worthwhile(p, q) if self.techniques & DOMINANCE else p
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
                if not self.king:
                    score += (high + low) // 4
            k: cython.int = first + count
            while k > first and self.waiting[k - 1] > score:
                self.waiting[k] = self.waiting[k - 1]
                k -= 1
            self.waiting[k] = score
            count += 1
        for k in range(first, first + count):
            c = cython.cast(cython.int, self.waiting[k] & 127)
            result: cython.int = self.wins(q & ~bit(c), p & ~self.zone[c], -x, depth + 1)
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

    def outlook(self, p, q):
        """A guess at how good a position is for its mover: room to place tokens, and the number of open cells."""
        return 64 * (popcount(p) - popcount(q)) + (self.room(p) - self.room(q)) // 16

    def room(self, p):
        """About how many tokens of one player fit into p, times 2520: each cell counts for its share of those near."""
        total: cython.longlong = 0
        rest: u128 = p
        while rest:
            c: cython.int = lowest(rest)
            rest ^= bit(c)
            total += self.shares[popcount(p & self.zone[c])]
        return total
