"""Solve Col by a search that uses exact values; in Col, players may not move next to their own markers.

A position is (p, q): the cells open to the player to move, and the cells open to the opponent. The value of a position
is a number, possibly plus a star (a single move that either player may make). Values are measured in moves; a positive
value is good for the player to move. A position splits into regions whose values add up. For each position, the table
stores an interval that contains the value. For the theory, see docs/engine.
"""

from gridlock.core.grid import cells_of
from gridlock.core.shape import Shape
from gridlock.engine.kernels.col_bounds import BY_BOUNDS
from gridlock.engine.kernels.col_values import BY_IMAGES

try:
    import cython
except ImportError:
    from . import interpreted as cython
if not cython.compiled:
    from .interpreted import bit, lowest, plain, popcount, u128

    ColReasons = plain("col_reasons").ColReasons

TAKES = Shape(closes_own=True)

REGIONS = cython.declare(cython.int, 4)  # remove small regions and add their values
PRUNE = cython.declare(cython.int, 8)  # remove cells that neither player ever needs
TABLE = cython.declare(cython.int, 256)  # remember proved results
REPLY = cython.declare(cython.int, 512)  # reply to a move with its image first
SPLIT = cython.declare(cython.int, 2048)  # find the numbers of all large regions except the largest
TECHNIQUES = {
    **BY_IMAGES, **BY_BOUNDS, "REGIONS": REGIONS, "PRUNE": PRUNE, "TABLE": TABLE, "REPLY": REPLY, "SPLIT": SPLIT,
}  # fmt: skip
ALL = sum(TECHNIQUES.values())

SMALL = cython.declare(cython.int, 8)  # regions up to this size are valued exactly
UNIT = cython.declare(cython.longlong, 1 << 16)  # as in col_values
BIG = cython.declare(cython.longlong, 1 << 23)
HALF_TURN = cython.declare(cython.int, 3)
STOPPED = cython.declare(cython.longlong, 1 << 40)  # returned instead of a value
TOO_FINE = cython.declare(cython.longlong, 1 << 41)  # returned instead of a value


class ColSearch(ColReasons):
    """The search for one board, with a table of proved results."""

    def __init__(self, grid, memory, techniques):
        ColReasons.__init__(self, grid, memory, techniques)
        # On long orthogonal boards, replying to a move with its half-turn image often leads to longer proofs.
        compact = 2 * max(grid.rows, grid.cols) < 3 * min(grid.rows, grid.cols)
        self.mirrors_first = techniques & REPLY != 0 and (grid.adjacency == "king" or compact)

    def solve(self, p, q, tick, x=0):
        """Return 1 if the mover wins the position with the number x added, 0 if not, or -1 if the search is stopped."""
        self.check(p | q)
        if not -BIG // 2 < x < BIG // 2:
            raise ValueError(f"{x} is too large for this search.")
        self.begin(tick)
        return self.wins(p, q, x, 0, self.restoring(p, q))

    def learn(self, p, q, added, result):
        """Restore a journal entry.

        The entry has the sets p and q, the number added to the position (in fractions of a move), and the result.
        """
        self.check(p | q)
        if self.techniques & TABLE and p | q:
            self.canonical(p, q)
            self.note(self.key_p, self.key_q, added, result, self.journal_work)

    def moves(self, p, q):
        """Return the moves that matter in a position, in the order in which a search tries them."""
        self.check(p | q)
        found = []
        for cell in cells_of(self.least_closing(p, q, p) if self.techniques & BY_BOUNDS["DOMINANCE"] else p):
            found.append((self.outlook(q & ~(1 << cell), p & ~self.zone[cell]), cell))
        cells = [cell for _, cell in sorted(found)]
        first: cython.int = self.restoring(p, q)
        return cells if first < 0 else [first, *(cell for cell in cells if cell != first)]

    def number(self, p, q, tick):
        """Return the value of a position of any size; None if `tick` stops the search or the value cannot be stored."""
        self.check(p | q)
        self.begin(tick)
        found: cython.longlong = self.bisect(p, q, 0)
        return found if found < STOPPED else None

    def restoring(self, p, q):
        """Return a move after which the half-turn exchanges the players, or -1."""
        rest: u128 = p if self.mirrors_first else 0
        while rest:
            c: cython.int = lowest(rest)
            rest ^= bit(c)
            if self.image(p & ~self.zone[c], HALF_TURN) == q & ~bit(c):
                return c
        return -1

    def bisect(self, p, q, depth):
        """Return a position's value, STOPPED if `tick` stops the search, or TOO_FINE if the value cannot be stored.

        A value consists of a number and possibly a star. For each guess, two searches show whether the number is
        smaller than, equal to or larger than the guess. If a guess equals the number in the position's value, the two
        searches with this guess also show whether the value includes a star. The first guesses are 0, 1, 2, 4 and so on
        (or their negatives), until the number lies between two guesses. Each later guess lies between those two
        guesses.
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

    # The search

    def wins(self, p, q, x, depth, reply):
        """Return whether the player to move wins the sum of the position and x, or -1 if `tick` stops the search.

        If `reply` is not -1, it is the move to try first.
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
                # A star is a single move that either player may take. Taking an available star is always a best move,
                # so let the player to move take the star, and give the turn to the opponent.
                passed = 1
                p, q, x = q, p, -x
        if not p | q:
            return (x > 0) ^ passed
        decided: cython.int = self.bounded(p, q, x)
        if decided >= 0:
            return decided ^ passed
        self.canonical(p, q)
        if self.balanced:
            return (x > 0) ^ passed
        key_p: u128 = self.key_p
        key_q: u128 = self.key_q
        if self.techniques & TABLE:
            self.recall(key_p, key_q)
            if self.low > -2 * x:
                return 1 ^ passed
            if self.high <= -2 * x:
                return passed
        decided = self.bounded_by_blocks(p, q, x)
        if decided >= 0:
            return decided ^ passed
        won: cython.int = 1
        if reply >= 0 and (whole_p >> reply) & 1:  # no cells were removed, so the reply restores the symmetry
            won = self.wins(whole_q & ~bit(reply), whole_p & ~self.zone[reply], -whole_x, depth + 1, -1)
        if won < 0:
            return -1
        if not won:
            won = 1 ^ passed
        elif others and self.techniques & SPLIT:
            won = self.split(p, q, others, x, depth)
        else:
            won = self.expand(p, q, x, depth)
        if won >= 0 and self.techniques & TABLE:
            self.note(key_p, key_q, x, won, self.nodes - start)
            if self.journal_work and self.nodes - start >= self.journal_work:
                self.journal.append((key_p, key_q, x, won))
        return won if won < 0 else won ^ passed

    def split(self, p, q, others, x, depth):
        """Replace some regions with their exact values, add these values to x, and return whether the mover wins."""
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
                return self.expand(whole_p, whole_q, whole_x, depth)
            x += v >> 1
            star ^= v & 1
            p &= ~part
            q &= ~part
        if star:
            star = self.wins(q, p, -x, depth + 1, -1)
            return star if star < 0 else 1 - star
        return self.wins(p, q, x, depth + 1, -1)

    def expand(self, p, q, x, depth):
        """Return whether any move wins.

        The player to move may move on the board, or replace x, the number that is added to the position, with a smaller
        number. Try the moves on the board first, starting with the most promising, and only then try to replace x.
        """
        # With orthogonal adjacency, the half-turn image of a move is a good reply only if the half-turn swaps the
        # players' open cells.
        mirrored: cython.bint = self.mirrors_first and (self.edges.king or self.image(p, HALF_TURN) == q)
        first: cython.int = depth * 128
        count: cython.int = self.arrange(p, q, x, first)
        if count < 0:
            return 1
        for k in range(first, first + count):
            c: cython.int = cython.cast(cython.int, self.waiting[k] & 127)
            twin: cython.int = self.cells - 1 - c if mirrored else -1
            result: cython.int = self.wins(q & ~bit(c), p & ~self.zone[c], -x, depth + 1, twin)
            if result <= 0:
                return 1 if result == 0 else result
        step: cython.longlong = x & -x
        if step > UNIT:
            step = UNIT
        if x <= 0 and (step == UNIT or not x):
            return 0
        # A move in x subtracts 1/d, where d is the denominator of x. If x is a whole number, the player to move can
        # move in x only if x is positive.
        result = self.wins(q, p, step - x, depth + 1, -1)
        return result if result < 0 else 1 - result
