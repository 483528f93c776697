"""Exact values of games, in canonical form, and their sums; `shape_store` describes how a value is stored.

This module also stores cooled values. Comparisons of cooled values tolerate a difference of one unit in the last place,
and so ignore infinitesimals.
"""

from .walls import GaveUp

try:
    import cython
except ImportError:
    from . import interpreted as cython
if not cython.compiled:
    from .interpreted import plain
    from .walls import BITS, MASK, UNIT

    made = plain("shape_store")
    FACTS, RIGHT, MARKS, START, OPPOSITE = made.FACTS, made.RIGHT, made.MARKS, made.START, made.OPPOSITE
    ABOVE, BELOW, COUNTED, NEVER, SPAN = made.ABOVE, made.BELOW, made.COUNTED, made.NEVER, made.SPAN
    Cache, WallStore = made.Cache, plain("wall_store").WallStore
    Map, simplest = plain("value_map").Map, plain("board_search").simplest

    THRESHOLDS, SUMMANDS, RANKING = 8, 16, 32  # techniques, in addition to the kernel's

MISSING = cython.declare(cython.longlong, -(1 << 62))  # no value
FAR = cython.declare(cython.longlong, 1 << 34)  # beyond every number
CACHED = cython.declare(cython.int, 12)  # the cache remembers 2 ** CACHED results about one game


class ValueStore(WallStore):
    """Values and their sums; `cooled` is the temperature by which they are cooled, in units of 1/UNIT."""

    def __init__(self, memory, cooled, techniques):
        WallStore.__init__(self, memory, techniques & THRESHOLDS)
        self.cooled, self.ulp, self.techniques = cooled, 1 if cooled else 0, techniques
        self.sums, self.memo, self.game = Map(), Cache(CACHED), 0

    def compares(self, a, b):
        """Return whether a >= b; infinitesimals are ignored if the values are cooled."""
        return bool(self.at_least(a, b - self.ulp * SPAN))

    # Canonical forms

    def make(self, base, left_split, middle, right_split):
        """Take a game's options off the stack, and return the game's value.

        The left options start at `base`, and the right options start at `middle`. `left_split` divides the left options
        into two groups, and `right_split` divides the right options. If a player's options are divided into two
        nonempty groups, two options are compared only if they belong to different groups, so the caller must ensure
        that no option dominates another option in the same group. If the first of a player's groups is empty, all of
        the player's options are compared with one another. If cooling turns the game into a number, and the game's
        options do not determine that number, return MISSING.
        """
        self.step()
        low: cython.longlong = -FAR
        high: cython.longlong = FAR
        pass_low: cython.bint = False  # whether a number must be beyond the stop, not just equal to it
        pass_high: cython.bint = False
        i: cython.longlong
        for i in range(base, middle):
            s: cython.longlong = FACTS * (self.stack[i] & MASK)
            stop: cython.longlong = (self.stack[i] >> BITS) + self.facts[s + RIGHT]
            if stop > low:
                low, pass_low = stop, False
            if stop == low and self.facts[s + MARKS] & ABOVE:
                pass_low = True
        for i in range(middle, self.top):
            s = FACTS * (self.stack[i] & MASK)
            stop = self.stack[i] >> BITS
            if stop < high:
                high, pass_high = stop, False
            if stop == high and self.facts[s + MARKS] & BELOW:
                pass_high = True
        if low <= high and self.cooled:
            self.top = base
            return low * SPAN if low == high else MISSING
        if low < high or (low == high and not pass_low and not pass_high):
            self.top = base
            number: cython.longlong = simplest(low, pass_low, high, pass_high, UNIT)
            if number & 1:  # the finest part is reserved for cooled values
                raise GaveUp("The game's value cannot be stored exactly.")
            return number * SPAN
        if low - high >= NEVER:
            raise GaveUp("The game's left and right stops are too far apart.")
        self.g_low, self.g_high, self.g_below, self.g_above = low, high, not pass_low, not pass_high
        self.g_left, self.g_left_end = base, self.undominated(base, left_split, middle, True)
        self.g_right, self.g_right_end = middle, self.undominated(middle, right_split, self.top, False)
        self.game += 1
        start: cython.longlong = self.top
        self.bypass(self.g_left, self.g_left_end, True)
        middle = self.top
        self.bypass(self.g_right, self.g_right_end, False)
        for i in range(start, self.top):
            self.stack[i] -= low * SPAN
        bits: cython.longlong = (0 if pass_low else BELOW) | (0 if pass_high else ABOVE)
        s = self.intern(start, middle, high - low, bits)
        self.top = base
        return low * SPAN + s

    def beats(self, one, other, left):
        """Return whether one option is at least as good as another for Left, or for Right if `left` is false."""
        ulp: cython.longlong = self.ulp * SPAN
        return self.at_least(one, other - ulp) if left else self.at_least(other, one - ulp)

    def undominated(self, start, split, end, left):
        """Remove dominated options from a part of the stack, and return the new end of that part.

        If `split` is after `start`, it divides the options into two groups, and options in the same group are not
        compared with each other.
        """
        apart: cython.bint = split > start
        if not apart and self.techniques & RANKING:
            self.rank(start, end, left)
        rim: cython.longlong = split  # the end of the options with which others are compared
        kept: cython.longlong = split
        i: cython.longlong
        for i in range(split, end):
            new: cython.longlong = self.stack[i]
            j: cython.longlong = start
            while j < rim:
                old: cython.longlong = self.stack[j]
                if old == new or self.beats(old, new, left):
                    break
                if self.beats(new, old, left):
                    rim -= 1
                    self.stack[j] = self.stack[rim]
                else:
                    j += 1
            if j == rim and apart:
                self.stack[kept] = new
                kept += 1
            elif j == rim:
                self.stack[rim] = new
                rim += 1
        for i in range(split, kept):
            self.stack[rim] = self.stack[i]
            rim += 1
        return rim

    def rank(self, start, end, left):
        """Sort options by their stops, best first, so that dominated options are found early."""
        i: cython.longlong
        for i in range(start + 1, end):
            v: cython.longlong = self.stack[i]
            mean: cython.longlong = 2 * (v >> BITS) + self.facts[FACTS * (v & MASK) + RIGHT]
            j: cython.longlong = i
            while j > start:
                w: cython.longlong = self.stack[j - 1]
                other: cython.longlong = 2 * (w >> BITS) + self.facts[FACTS * (w & MASK) + RIGHT]
                if other >= mean if left else other <= mean:
                    break
                self.stack[j] = w
                j -= 1
            self.stack[j] = v
        return 0

    def bypass(self, start, end, left):
        """Push the options of the game under construction onto the stack, replacing reversible options.

        An option that is reversible through a number is simply dropped, because the number's options are dominated.
        """
        base: cython.longlong = self.top
        reversed: cython.bint = False
        i: cython.longlong
        j: cython.longlong
        for i in range(start, end):
            self.push(self.stack[i])
        i = base
        while i < self.top:
            v: cython.longlong = self.stack[i]
            s: cython.longlong = v & MASK
            begin: cython.longlong = self.facts[FACTS * s + START]
            end = self.facts[FACTS * s + FACTS + START]
            middle: cython.longlong = begin + (self.facts[FACTS * s + MARKS] >> COUNTED)
            for j in range(middle if left else begin, end if left else middle):
                reply: cython.longlong = self.pool[j] + v - s
                if self.under(reply - self.ulp * SPAN) if left else self.over(reply + self.ulp * SPAN):
                    reversed = True
                    self.top -= 1
                    self.stack[i] = self.stack[self.top]
                    i -= 1
                    s = reply & MASK
                    begin = self.facts[FACTS * s + START]
                    end = self.facts[FACTS * s + FACTS + START]
                    middle = begin + (self.facts[FACTS * s + MARKS] >> COUNTED)
                    for k in range(begin if left else middle, middle if left else end):
                        self.push(self.pool[k] + reply - s)
                    break
            i += 1
        if reversed:
            self.top = self.undominated(base, base, self.top, left)
        return 0

    def under(self, x):
        """Return whether the value x is less than or equal to the game under construction."""
        s: cython.longlong = FACTS * (x & MASK)
        n: cython.longlong = x >> BITS
        if n > self.g_low or n + self.facts[s + RIGHT] > self.g_high:
            return False
        if n < self.g_high or (n == self.g_high and self.facts[s + MARKS] & BELOW and self.g_above):
            return True
        if not s:
            return False
        known: cython.longlong = self.memo.find(2 * x)
        if known >> 1 == self.game:
            return known & 1
        self.step()
        found: cython.bint = True
        i: cython.longlong = self.facts[s + START]
        end: cython.longlong = i + (self.facts[s + MARKS] >> COUNTED)
        while found and i < end:
            found = not self.over(self.pool[i] + n * SPAN)
            i += 1
        i = self.g_right
        while found and i < self.g_right_end:
            found = not self.at_least(x, self.stack[i])
            i += 1
        self.memo.put(2 * x, 2 * self.game + found)
        return found

    def over(self, x):
        """Return whether the value x is greater than or equal to the game under construction."""
        s: cython.longlong = FACTS * (x & MASK)
        n: cython.longlong = x >> BITS
        low: cython.longlong = n + self.facts[s + RIGHT]
        if n < self.g_low or low < self.g_high:
            return False
        if low > self.g_low or (low == self.g_low and self.facts[s + MARKS] & ABOVE and self.g_below):
            return True
        if not s:
            return False
        known: cython.longlong = self.memo.find(2 * x + 1)
        if known >> 1 == self.game:
            return known & 1
        self.step()
        found: cython.bint = True
        i: cython.longlong = self.facts[s + START] + (self.facts[s + MARKS] >> COUNTED)
        while found and i < self.facts[s + FACTS + START]:
            found = not self.under(self.pool[i] + n * SPAN)
            i += 1
        i = self.g_left
        while found and i < self.g_left_end:
            found = not self.at_least(self.stack[i], x)
            i += 1
        self.memo.put(2 * x + 1, 2 * self.game + found)
        return found

    # Arithmetic

    def negate_shape(self, shape):
        """Return the shape of a game's negative, given the game's shape."""
        s: cython.longlong = FACTS * shape
        if not shape or self.facts[s + OPPOSITE]:
            return self.facts[s + OPPOSITE]
        right: cython.longlong = self.facts[s + RIGHT]
        marks: cython.longlong = self.facts[s + MARKS]
        start: cython.longlong = self.top
        middle: cython.longlong = self.facts[s + START] + (marks >> COUNTED)
        i: cython.longlong
        for i in range(middle, self.facts[s + FACTS + START]):
            self.push(self.negated(self.pool[i]) + right * SPAN)
        split: cython.longlong = self.top
        for i in range(self.facts[s + START], middle):
            self.push(self.negated(self.pool[i]) + right * SPAN)
        bits: cython.longlong = (ABOVE if marks & BELOW else 0) | (BELOW if marks & ABOVE else 0)
        other: cython.longlong = self.intern(start, split, right, bits)
        self.top = start
        self.facts[s + OPPOSITE], self.facts[FACTS * other + OPPOSITE] = other, shape
        return other

    def negated(self, value):
        """Return the negative of a value."""
        shape: cython.longlong = value & MASK
        return -(value >> BITS) * SPAN - self.facts[FACTS * shape + RIGHT] * SPAN + self.negate_shape(shape)

    def opposite(self, s, t):
        """Return whether adding a number to one of two shapes makes it the negative of the other."""
        a: cython.longlong = FACTS * s
        b: cython.longlong = FACTS * t
        lefts: cython.longlong = self.facts[a + MARKS] >> COUNTED
        others: cython.longlong = self.facts[b + MARKS] >> COUNTED
        return (
            self.facts[a + RIGHT] == self.facts[b + RIGHT]
            and lefts == self.facts[b + FACTS + START] - self.facts[b + START] - others
            and others == self.facts[a + FACTS + START] - self.facts[a + START] - lefts
            and self.negate_shape(s) == t
        )

    def plus(self, a, b):
        """Return the sum of two values."""
        s: cython.longlong = a & MASK
        t: cython.longlong = b & MASK
        if not s or not t:
            return a + b  # one of the two is a number
        if s > t:
            s, t = t, s
        moved: cython.longlong = a + b - s - t
        key: cython.longlong = s << BITS | t
        known: cython.longlong = self.sums.find(key)
        if known != MISSING:
            return known + moved
        if self.opposite(s, t):
            return self.facts[FACTS * s + RIGHT] * SPAN + moved
        # In the sum, no move dominates another in the same summand, because the summand alone has no dominated moves.
        base: cython.longlong = self.top
        self.push_sums(s, t, True)
        left_split: cython.longlong = self.top if self.techniques & SUMMANDS else base
        self.push_sums(t, s, True)
        middle: cython.longlong = self.top
        self.push_sums(s, t, False)
        right_split: cython.longlong = self.top if self.techniques & SUMMANDS else middle
        self.push_sums(t, s, False)
        known = self.make(base, left_split, middle, right_split)
        assert known != MISSING  # only opposite shapes add up to a number
        self.keep(self.sums, key, known)
        return known + moved

    def push_sums(self, s, t, left):
        """For each of a player's moves in the first of two shapes, push the value of the shapes' sum after the move."""
        i: cython.longlong = self.facts[FACTS * s + START]
        middle: cython.longlong = i + (self.facts[FACTS * s + MARKS] >> COUNTED)
        end: cython.longlong = middle if left else self.facts[FACTS * s + FACTS + START]
        if not left:
            i = middle
        while i < end:
            self.push(self.plus(self.pool[i], t))
            i += 1
        return 0
