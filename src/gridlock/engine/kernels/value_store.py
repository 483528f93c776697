"""Exact values of games, each as a number and a shape, in a store that remembers sums and comparisons.

A value is one integer: a number in parts of a move, times SPAN, plus a shape. Shape 0 stands for the number alone. Any
other shape is the canonical form of a game that is not a number, shifted so that its left stop is 0. Adding a number to
a game only shifts all its options, so one shape serves for all. See docs/engine/values.md for the reasons.

The same code stores cooled values: every comparison is then one part more generous, which ignores infinitesimals.
"""

from array import array

from .walls import GaveUp

try:
    import cython
except ImportError:
    from . import interpreted as cython
if not cython.compiled:
    UNIT, BITS = 1 << 20, 22  # one move; the bits of a shape
    SPAN, MASK = 1 << BITS, (1 << BITS) - 1

PAUSE = cython.declare(cython.longlong, 16384 if cython.compiled else 256)  # work between two calls of tick
MISSING = cython.declare(cython.longlong, -(1 << 62))  # no value
FAR = cython.declare(cython.longlong, 1 << 34)  # beyond every number
FIRST = cython.declare(cython.longlong, 256)  # entries of the smallest map
ROOMY = cython.declare(cython.longlong, 4096)  # the most entries of the memo
BELOW = cython.declare(cython.longlong, 1)  # marks of a shape: it is at most its left stop
ABOVE = cython.declare(cython.longlong, 2)  # ... at least its right stop
COUNTED = cython.declare(cython.int, 2)  # bits of the marks below the number of left options
ENTRY = cython.declare(cython.longlong, 16 if cython.compiled else 160)  # bytes of an entry of a map
OFFSETS = cython.declare(cython.int, 31)  # bits of a threshold
NEVER = cython.declare(cython.longlong, (1 << 31) - 1)  # the largest threshold


def longer(old, room):
    """Return a longer copy of an array of numbers."""
    made = array("q")
    made.frombytes(memoryview(old).cast("B"))
    made.frombytes(bytes(8 * (room - len(made))))
    return made


class Map:
    """A map from numbers to numbers, which only grows; plain Python uses a dictionary."""

    def __init__(self):
        self.count, self.room, self.entries = 0, FIRST, {}
        if cython.compiled:
            self.pairs = array("q", bytes(16 * FIRST))

    def empty(self):
        """Remove all entries, and keep the room."""
        if not cython.compiled:
            self.entries.clear()
        elif self.count:
            i: cython.longlong
            for i in range(self.room):
                self.pairs[2 * i] = 0
        self.count = 0
        return 0

    def slot(self, key):
        """Return the index of a key, or of the empty place for it."""
        golden: cython.ulonglong = 0x9E3779B97F4A7C15
        mix: cython.ulonglong = cython.cast(cython.ulonglong, key) * golden
        last: cython.longlong = 2 * self.room - 2
        at: cython.longlong = cython.cast(cython.longlong, mix >> 31) & last
        while self.pairs[at] and self.pairs[at] != key:
            at = (at + 2) & last
        return at

    def find(self, key):
        """Return the word for a key, or MISSING."""
        if not cython.compiled:
            return self.entries.get(key, MISSING)
        at: cython.longlong = self.slot(2 * key + 1)  # 0 is an empty place
        return self.pairs[at + 1] if self.pairs[at] else MISSING

    def put(self, key, word):
        """Set the word for a key; the caller leaves room for it."""
        if not cython.compiled:
            self.entries[key] = word
            self.count = len(self.entries)
            return 0
        at: cython.longlong = self.slot(2 * key + 1)
        self.count += not self.pairs[at]
        self.pairs[at], self.pairs[at + 1] = 2 * key + 1, word
        return 0

    def grow(self):
        """Double the room."""
        self.room *= 2
        if not cython.compiled:
            return 0
        old: cython.longlong[::1] = self.pairs
        self.pairs = array("q", bytes(16 * self.room))
        i: cython.longlong
        for i in range(0, self.room, 2):
            if old[i]:
                at: cython.longlong = self.slot(old[i])
                self.pairs[at], self.pairs[at + 1] = old[i], old[i + 1]
        return 0


class ValueStore:
    """Values, their sums and their order; `cooled` is the temperature they are cooled by, in parts of a move."""

    def __init__(self, memory, cooled):
        self.memory, self.cooled, self.ulp = memory, cooled, 1 if cooled else 0
        self.sums, self.orders, self.interned, self.memo = Map(), Map(), Map(), Map()
        self.room = self.pool_room = self.stack_room = FIRST
        self.right, self.marks, self.first, self.negative = (array("q", bytes(8 * FIRST)) for _ in range(4))
        self.pool, self.stack = array("q", bytes(8 * FIRST)), array("q", bytes(8 * FIRST))
        self.shapes, self.pooled, self.top, self.steps, self.used = 1, 0, 0, 0, 0
        self.marks[0] = BELOW | ABOVE  # the shape of numbers
        self.game = 0
        self.walls = {}

    def options(self, shape):
        """Return the left and the right options of a shape, as values."""
        values = [self.pool[i] for i in range(self.first[shape], self.first[shape + 1])]
        lefts = self.marks[shape] >> COUNTED
        return values[:lefts], values[lefts:]

    def compares(self, a, b):
        """Return whether a >= b; if cooled, up to infinitesimals."""
        return bool(self.at_least(a, b - self.ulp * SPAN))

    def pause(self):
        """Count some work done elsewhere, and raise GaveUp if the time is up."""
        self.steps += 63
        self.step()

    # The clock and the memory

    def begin(self, tick):
        """Start the clock; tick returns whether to stop."""
        self.tick, self.top = tick, 0
        self.next_tick = self.steps + PAUSE
        return 0

    def step(self):
        """Count a piece of work, and raise GaveUp if the time is up."""
        self.steps += 1
        if self.steps >= self.next_tick:
            self.next_tick = self.steps + PAUSE
            if self.tick(self.steps):
                raise GaveUp("The time is up.")
        return 0

    def claim(self, more):
        """Take more memory, in bytes, or raise GaveUp."""
        if self.used + more > self.memory:
            raise GaveUp("The store is full.")
        self.used += more
        return 0

    def keep(self, where, key, word):
        """Set the word for a key in a map, which grows if it must.

        Comparisons are quickly repeated: if they have taken their share of the room, they begin anew.
        """
        if where.count * 8 >= where.room * 5:
            if (where is self.orders and where.room * ENTRY * 4 > self.memory) or (
                where is self.memo and where.room >= ROOMY
            ):
                where.empty()
            else:
                self.claim(where.room * ENTRY)
                where.grow()
        where.put(key, word)
        return 0

    def push(self, value):
        """Put a value on the stack."""
        if self.top == self.stack_room:
            self.claim(self.stack_room * 8)
            self.stack_room *= 2
            self.stack = longer(self.stack, self.stack_room)
        self.stack[self.top] = value
        self.top += 1
        return 0

    # Comparisons

    def at_least(self, a, b):
        """Return whether a >= b."""
        s: cython.longlong = a & MASK
        t: cython.longlong = b & MASK
        d: cython.longlong = (b >> BITS) - (a >> BITS)
        if not t:  # a number, which only the right stop of a can reach
            return self.right[s] > d or (self.right[s] == d and self.marks[s] & ABOVE != 0)
        if not s:
            return d < 0 or (d == 0 and self.marks[t] & BELOW != 0)
        return self.order(s, t, d)

    def order(self, a, b, d):
        """Return whether a >= b + d for shapes that are no numbers. Stops decide most; then the table of thresholds."""
        if a == b:
            return d <= 0
        low: cython.longlong = self.right[a]
        gap: cython.longlong = low - self.right[b]
        if d > 0 or d > gap:
            return False
        if low > d or (low == d and self.marks[a] & ABOVE and self.marks[b] & BELOW):
            return True
        if d == 0 and self.marks[a] & BELOW and not self.marks[b] & BELOW:
            return False
        if d == gap and self.marks[b] & ABOVE and not self.marks[a] & ABOVE:
            return False
        # More is never easier to reach: the largest d known to be reached, plus one, and the least known not to be.
        key: cython.longlong = a << BITS | b
        known: cython.longlong = self.orders.find(key)
        holds: cython.longlong = 0
        fails: cython.longlong = NEVER
        offset: cython.longlong = d - low
        if known != MISSING:
            holds, fails = known >> OFFSETS, known & NEVER
            if offset < holds:
                return True
            if offset >= fails:
                return False
        result: cython.bint = self.compare(a, b, d)
        known = self.orders.find(key)  # the comparison may have changed it
        if known != MISSING:
            holds, fails = known >> OFFSETS, known & NEVER
        if result:
            holds = offset + 1
        else:
            fails = offset
        self.keep(self.orders, key, holds << OFFSETS | fails)
        return result

    def compare(self, a, b, d):
        """Return whether a >= b + d by definition: no right option of a is <= b + d, no left option of that is >= a."""
        self.step()
        i: cython.longlong
        for i in range(self.first[a] + (self.marks[a] >> COUNTED), self.first[a + 1]):
            if self.at_least(d * SPAN + b, self.pool[i]):
                return False
        for i in range(self.first[b], self.first[b] + (self.marks[b] >> COUNTED)):
            if self.at_least(self.pool[i] + d * SPAN, a):
                return False
        return True

    def under(self, x):
        """Return whether x is at most the game under construction."""
        s: cython.longlong = x & MASK
        n: cython.longlong = x >> BITS
        if n > self.g_low or n + self.right[s] > self.g_high:
            return False
        if n < self.g_high or (n == self.g_high and self.marks[s] & BELOW and self.g_above):
            return True
        if not s:
            return False
        known: cython.longlong = self.memo.find(2 * x)
        if known >> 1 == self.game:
            return known & 1
        self.step()
        found: cython.bint = True
        i: cython.longlong = self.first[s]
        end: cython.longlong = i + (self.marks[s] >> COUNTED)
        while found and i < end:
            found = not self.over(self.pool[i] + n * SPAN)
            i += 1
        i = self.g_right
        while found and i < self.g_right_end:
            found = not self.at_least(x, self.stack[i])
            i += 1
        self.keep(self.memo, 2 * x, 2 * self.game + found)
        return found

    def over(self, x):
        """Return whether x is at least the game under construction."""
        s: cython.longlong = x & MASK
        n: cython.longlong = x >> BITS
        low: cython.longlong = n + self.right[s]
        if n < self.g_low or low < self.g_high:
            return False
        if low > self.g_low or (low == self.g_low and self.marks[s] & ABOVE and self.g_below):
            return True
        if not s:
            return False
        known: cython.longlong = self.memo.find(2 * x + 1)
        if known >> 1 == self.game:
            return known & 1
        self.step()
        found: cython.bint = True
        i: cython.longlong = self.first[s] + (self.marks[s] >> COUNTED)
        while found and i < self.first[s + 1]:
            found = not self.under(self.pool[i] + n * SPAN)
            i += 1
        i = self.g_left
        while found and i < self.g_left_end:
            found = not self.at_least(self.stack[i], x)
            i += 1
        self.keep(self.memo, 2 * x + 1, 2 * self.game + found)
        return found

    # Canonical forms

    def make(self, base, middle):
        """Return the value of a game, and take its options off the stack: left ones from `base`, right from `middle`.

        If the game is cooled, and was frozen to a number that its options do not tell, return MISSING.
        """
        self.step()
        low: cython.longlong = -FAR
        high: cython.longlong = FAR
        pass_low: cython.bint = False  # whether a number must be beyond the stop, not only reach it
        pass_high: cython.bint = False
        i: cython.longlong
        for i in range(base, middle):
            s: cython.longlong = self.stack[i] & MASK
            stop: cython.longlong = (self.stack[i] >> BITS) + self.right[s]
            if stop > low:
                low, pass_low = stop, False
            if stop == low and self.marks[s] & ABOVE:
                pass_low = True
        for i in range(middle, self.top):
            s = self.stack[i] & MASK
            stop = self.stack[i] >> BITS
            if stop < high:
                high, pass_high = stop, False
            if stop == high and self.marks[s] & BELOW:
                pass_high = True
        if low <= high and self.cooled:
            self.top = base
            return low * SPAN if low == high else MISSING
        if low < high or (low == high and not pass_low and not pass_high):
            self.top = base
            return self.simplest(low, pass_low, high, pass_high) * SPAN
        if low - high >= NEVER:
            raise GaveUp("The stops are too far apart.")
        self.g_low, self.g_high, self.g_below, self.g_above = low, high, not pass_low, not pass_high
        self.g_left, self.g_left_end = base, self.undominated(base, middle, True)
        self.g_right, self.g_right_end = middle, self.undominated(middle, self.top, False)
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

    def simplest(self, low, pass_low, high, pass_high):
        """Return the simplest number between two others: an integer nearest to 0, else the least denominator."""
        if low + pass_low <= 0 <= high - pass_high:
            return 0
        if high <= 0:
            return -self.simplest(-high, pass_high, -low, pass_low)
        step: cython.longlong = UNIT
        while step > 1:  # the last part is for cooled values
            v: cython.longlong = low // step * step
            if v < low or pass_low:
                v += step
            if v + pass_high <= high:
                return v
            step >>= 1
        raise GaveUp("A number is too fine for the store.")

    def undominated(self, start, end, left):
        """Keep only the best options of a part of the stack, which gets shorter; return its new end."""
        kept: cython.longlong = start
        ulp: cython.longlong = self.ulp * SPAN
        i: cython.longlong
        for i in range(start, end):
            new: cython.longlong = self.stack[i]
            j: cython.longlong = start
            while j < kept:
                old: cython.longlong = self.stack[j]
                if old == new or (self.at_least(old, new - ulp) if left else self.at_least(new, old - ulp)):
                    break
                if self.at_least(new, old - ulp) if left else self.at_least(old, new - ulp):
                    kept -= 1
                    self.stack[j] = self.stack[kept]
                else:
                    j += 1
            if j == kept:
                self.stack[kept] = new
                kept += 1
        return kept

    def bypass(self, start, end, left):
        """Push the options of the game under construction, with the reversible ones replaced.

        An option that reverses to a number needs no replacement: the number's options are dominated.
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
            middle: cython.longlong = self.first[s] + (self.marks[s] >> COUNTED)
            for j in range(middle if left else self.first[s], self.first[s + 1] if left else middle):
                reply: cython.longlong = self.pool[j] + v - s
                if self.under(reply - self.ulp * SPAN) if left else self.over(reply + self.ulp * SPAN):
                    reversed = True
                    self.top -= 1
                    self.stack[i] = self.stack[self.top]
                    i -= 1
                    s = reply & MASK
                    middle = self.first[s] + (self.marks[s] >> COUNTED)
                    for k in range(self.first[s] if left else middle, middle if left else self.first[s + 1]):
                        self.push(self.pool[k] + reply - s)
                    break
            i += 1
        if reversed:
            self.top = self.undominated(base, self.top, left)
        return 0

    def sort(self, start, end):
        """Sort a part of the stack, which is short."""
        i: cython.longlong
        for i in range(start + 1, end):
            v: cython.longlong = self.stack[i]
            j: cython.longlong = i
            while j > start and self.stack[j - 1] > v:
                self.stack[j] = self.stack[j - 1]
                j -= 1
            self.stack[j] = v
        return 0

    def intern(self, start, middle, right, bits):
        """Return the shape with these canonical options on the stack: left from `start`, right from `middle`."""
        self.sort(start, middle)
        self.sort(middle, self.top)
        word: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
        golden: cython.ulonglong = 0x9E3779B97F4A7C15
        mix: cython.ulonglong = 0
        i: cython.longlong
        for i in range(start, self.top):
            mix = (mix ^ cython.cast(cython.ulonglong, self.stack[i] & word)) * golden & word
            mix ^= (mix >> 29) + (i == middle)
        key: cython.longlong = cython.cast(cython.longlong, mix >> 4)
        marks: cython.longlong = (middle - start) << COUNTED | bits
        while True:
            shape: cython.longlong = self.interned.find(key)
            if shape == MISSING:
                break
            i = self.first[shape] if self.marks[shape] == marks else -1
            if i >= 0 and self.first[shape + 1] - i == self.top - start:
                j: cython.longlong = start
                while j < self.top and self.pool[i + j - start] == self.stack[j]:
                    j += 1
                if j == self.top:
                    return shape
            key += 1
        return self.add_shape(key, start, marks, right)

    def add_shape(self, key, start, marks, right):
        """Add a shape whose options are on the stack."""
        if self.shapes + 2 >= self.room:
            if self.shapes + 2 >= SPAN:
                raise GaveUp("The store is full.")
            self.claim(self.room * 32)
            self.room *= 2
            self.right, self.marks = longer(self.right, self.room), longer(self.marks, self.room)
            self.first, self.negative = longer(self.first, self.room), longer(self.negative, self.room)
        while self.pooled + self.top - start > self.pool_room:
            self.claim(self.pool_room * 8)
            self.pool_room *= 2
            self.pool = longer(self.pool, self.pool_room)
        shape: cython.longlong = self.shapes
        self.keep(self.interned, key, shape)
        self.shapes += 1
        self.right[shape], self.marks[shape] = right, marks
        i: cython.longlong
        for i in range(start, self.top):
            self.pool[self.pooled] = self.stack[i]
            self.pooled += 1
        self.first[self.shapes] = self.pooled
        return shape

    # Arithmetic

    def negate_shape(self, shape):
        """Return the shape of the negative of a shape."""
        if not shape or self.negative[shape]:
            return self.negative[shape]
        shift: cython.longlong = self.right[shape] * SPAN
        start: cython.longlong = self.top
        middle: cython.longlong = self.first[shape] + (self.marks[shape] >> COUNTED)
        i: cython.longlong
        for i in range(middle, self.first[shape + 1]):
            self.push(self.negated(self.pool[i]) + shift)
        split: cython.longlong = self.top
        for i in range(self.first[shape], middle):
            self.push(self.negated(self.pool[i]) + shift)
        marks: cython.longlong = self.marks[shape]
        bits: cython.longlong = (ABOVE if marks & BELOW else 0) | (BELOW if marks & ABOVE else 0)
        other: cython.longlong = self.intern(start, split, self.right[shape], bits)
        self.top = start
        self.negative[shape], self.negative[other] = other, shape
        return other

    def negated(self, value):
        """Return the negative of a value."""
        shape: cython.longlong = value & MASK
        return -(value >> BITS) * SPAN - self.right[shape] * SPAN + self.negate_shape(shape)

    def plus(self, a, b):
        """Return the sum of two values."""
        s: cython.longlong = a & MASK
        t: cython.longlong = b & MASK
        if not s or not t:
            return a + b  # one has no shape
        if s > t:
            s, t = t, s
        moved: cython.longlong = a + b - s - t
        key: cython.longlong = s << BITS | t
        known: cython.longlong = self.sums.find(key)
        if known != MISSING:
            return known + moved
        lefts: cython.longlong = self.marks[s] >> COUNTED
        others: cython.longlong = self.marks[t] >> COUNTED
        if (
            self.right[s] == self.right[t]
            and lefts == self.first[t + 1] - self.first[t] - others
            and others == self.first[s + 1] - self.first[s] - lefts
            and self.negate_shape(s) == t
        ):
            return self.right[s] * SPAN + moved
        base: cython.longlong = self.top
        i: cython.longlong
        for i in range(self.first[s], self.first[s] + lefts):
            self.push(self.plus(self.pool[i], t))
        for i in range(self.first[t], self.first[t] + others):
            self.push(self.plus(self.pool[i], s))
        middle: cython.longlong = self.top
        for i in range(self.first[s] + lefts, self.first[s + 1]):
            self.push(self.plus(self.pool[i], t))
        for i in range(self.first[t] + others, self.first[t + 1]):
            self.push(self.plus(self.pool[i], s))
        known = self.make(base, middle)
        assert known != MISSING  # only opposite shapes add up to a number
        self.keep(self.sums, key, known)
        return known + moved
