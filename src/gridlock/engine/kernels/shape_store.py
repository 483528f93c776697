"""A store of shapes, which are the canonical forms of games; the store can also compare games.

A value is stored as the integer `number * SPAN + shape`. The number is measured in units of 1/UNIT of a move, and the
shape is given by its index. Index 0 means that the game is a number. Any other index stands for the canonical form of a
game that is not a number, shifted so that its left stop is 0. If a number is added to a game that is not itself a
number, all the game's options shift by that number. Games that differ only by a number (such as G and G + 1) therefore
share one shape. For the theory, see docs/engine/values.md.
"""

from .walls import GaveUp

try:
    import cython
except ImportError:
    from . import interpreted as cython
if not cython.compiled:
    from .interpreted import plain
    from .walls import BITS, MASK

    SPAN = MASK + 1
    FACTS, RIGHT, MARKS, START, OPPOSITE = 4, 0, 1, 2, 3  # facts per shape, and their indices
    BELOW, ABOVE, COUNTED = 1, 2, 2
    OFFSETS, NEVER = 31, (1 << 31) - 1
    Map, longer, zeros = (getattr(plain("value_map"), name) for name in ("Map", "longer", "zeros"))
else:
    from .value_map import longer, zeros

PAUSE = cython.declare(cython.longlong, 16384 if cython.compiled else 256)  # work between two calls of tick
MISSING = cython.declare(cython.longlong, -(1 << 62))  # no value
WORD = cython.declare(cython.longlong, 8 if cython.compiled else 40)  # bytes per number in an array
FIRST = cython.declare(cython.longlong, 256)  # the initial room for shapes
CACHED = cython.declare(cython.int, 13 if cython.compiled else 18)  # the cache remembers 2 ** CACHED comparisons


class Cache:
    """A fixed-size map from nonzero numbers to numbers; a new entry may replace an old one.

    The table is small enough to fit in the processor's cache. Plain Python uses a dictionary, which is emptied when it
    is full.
    """

    def __init__(self, bits):
        self.bits, self.entries = bits, {}
        if cython.compiled:
            self.pairs = zeros(2 << bits)

    def slot(self, key):
        """Return the index of the only slot that can hold a given key."""
        golden: cython.ulonglong = 0x9E3779B97F4A7C15
        mix: cython.ulonglong = cython.cast(cython.ulonglong, key) * golden
        return cython.cast(cython.longlong, mix >> (64 - self.bits)) * 2

    def find(self, key):
        """Return the number for a key, or MISSING."""
        if not cython.compiled:
            return self.entries.get(key, MISSING)
        at: cython.longlong = self.slot(key)
        return self.pairs[at + 1] if self.pairs[at] == key else MISSING

    def put(self, key, word):
        """Store the number for a key."""
        if not cython.compiled:
            if len(self.entries) >> self.bits:
                self.entries.clear()
            self.entries[key] = word
            return 0
        at: cython.longlong = self.slot(key)
        self.pairs[at], self.pairs[at + 1] = key, word
        return 0


class ShapeStore:
    """Store, build and compare the shapes of games."""

    def __init__(self, memory, remembers):
        self.memory, self.remembers = memory, remembers
        self.interned, self.orders = Map(), Cache(CACHED)
        self.room = self.pool_room = self.stack_room = FIRST
        self.facts, self.pool, self.stack = zeros(FACTS * FIRST), zeros(FIRST), zeros(FIRST)
        self.shapes, self.pooled, self.top, self.steps, self.used = 1, 0, 0, 0, 0
        self.facts[MARKS] = BELOW | ABOVE  # the shape of numbers

    def options(self, shape):
        """Return the left and the right options of a shape, as values."""
        start, end = self.facts[FACTS * shape + START], self.facts[FACTS * shape + FACTS + START]
        middle = start + (self.facts[FACTS * shape + MARKS] >> COUNTED)
        return [self.pool[i] for i in range(start, middle)], [self.pool[i] for i in range(middle, end)]

    # The clock and the memory limit

    def pause(self):
        """Count work done outside this class, and raise GaveUp if the time is up."""
        self.steps += 63
        self.step()

    def begin(self, tick):
        """Start the clock; the function `tick` returns whether to stop."""
        self.tick, self.top = tick, 0
        self.next_tick = self.steps + PAUSE
        return 0

    def step(self):
        """Count a unit of work, and raise GaveUp if the time is up."""
        self.steps += 1
        if self.steps >= self.next_tick:
            self.next_tick = self.steps + PAUSE
            if self.tick(self.steps):
                raise GaveUp("Time is up.")
        return 0

    def claim(self, more):
        """Claim this many more bytes of memory, or raise GaveUp if that would exceed the store's memory limit."""
        if self.used + more > self.memory:
            raise GaveUp("The store of game values is full.")
        self.used += more
        return 0

    def keep(self, where, key, word):
        """Set the word for a key in a map, which grows if necessary."""
        more: cython.longlong = where.needs()
        if more:
            self.claim(more)
            where.grow()
        where.put(key, word)
        return 0

    def push(self, value):
        """Push a value onto the stack."""
        if self.top == self.stack_room:
            self.claim(self.stack_room * WORD)
            self.stack_room *= 2
            self.stack = longer(self.stack, self.stack_room)
        self.stack[self.top] = value
        self.top += 1
        return 0

    # The order

    def at_least(self, a, b):
        """Return whether a >= b."""
        s: cython.longlong = FACTS * (a & MASK)
        t: cython.longlong = FACTS * (b & MASK)
        d: cython.longlong = (b >> BITS) - (a >> BITS)
        if not t:  # b is a number, so the right stop of a decides
            return self.facts[s + RIGHT] > d or (self.facts[s + RIGHT] == d and self.facts[s + MARKS] & ABOVE != 0)
        if not s:
            return d < 0 or (d == 0 and self.facts[t + MARKS] & BELOW != 0)
        if s == t:
            return d <= 0
        # The stops decide most comparisons, and `order` decides the rest.
        low: cython.longlong = self.facts[s + RIGHT]
        gap: cython.longlong = low - self.facts[t + RIGHT]
        if d > 0 or d > gap:
            return False
        above: cython.longlong = self.facts[s + MARKS]
        below: cython.longlong = self.facts[t + MARKS]
        if low > d or (low == d and above & ABOVE and below & BELOW):
            return True
        if d == 0 and above & BELOW and not below & BELOW:
            return False
        if d == gap and below & ABOVE and not above & ABOVE:
            return False
        return self.order(a & MASK, b & MASK, d)

    def order(self, a, b, d):
        """Return whether a >= b + d, where a and b are shapes (canonical forms) and d is a number.

        The caller has found that the stops of a and b do not settle the comparison.
        """
        if not self.remembers:
            return self.compare(a, b, d)
        # If a >= b + d is true for one number d, it is true for every smaller d. Two thresholds are therefore stored
        # for a pair of shapes a and b: a >= b + d is known to be true for every d below the first threshold, and known
        # to be false for every d that is equal to or above the second threshold.
        key: cython.longlong = a << BITS | b
        known: cython.longlong = self.orders.find(key) if cython.compiled else self.orders.entries.get(key, MISSING)
        holds: cython.longlong = 0
        fails: cython.longlong = NEVER
        offset: cython.longlong = d - self.facts[FACTS * a + RIGHT]
        if known != MISSING:
            holds, fails = known >> OFFSETS, known & NEVER
            if offset < holds:
                return True
            if offset >= fails:
                return False
        result: cython.bint = self.compare(a, b, d)
        if result:
            holds = offset + 1
        else:
            fails = offset
        self.orders.put(key, holds << OFFSETS | fails)
        return result

    def compare(self, a, b, d):
        """Return whether a >= b + d: no right option of a is <= b + d, and no left option of b + d is >= a."""
        self.step()
        s: cython.longlong = FACTS * a
        t: cython.longlong = FACTS * b
        shift: cython.longlong = d * SPAN
        other: cython.longlong = shift + b
        i: cython.longlong
        for i in range(self.facts[s + START] + (self.facts[s + MARKS] >> COUNTED), self.facts[s + FACTS + START]):
            if self.at_least(other, self.pool[i]):
                return False
        i = self.facts[t + START]
        end: cython.longlong = i + (self.facts[t + MARKS] >> COUNTED)
        while i < end:
            if self.at_least(self.pool[i] + shift, a):
                return False
            i += 1
        return True

    # Shapes

    def sort(self, start, end):
        """Sort a short part of the stack."""
        i: cython.longlong
        for i in range(start + 1, end):
            v: cython.longlong = self.stack[i]
            j: cython.longlong = i
            while j > start and self.stack[j - 1] > v:
                self.stack[j] = self.stack[j - 1]
                j -= 1
            self.stack[j] = v
        return 0

    def mixed(self, start, middle):
        """Return a hash of the options on the stack."""
        golden: cython.ulonglong = 0x9E3779B97F4A7C15
        mix: cython.ulonglong = 0
        i: cython.longlong
        for i in range(start, self.top):
            mix = (mix ^ cython.cast(cython.ulonglong, self.stack[i])) * golden
            mix ^= (mix >> 29) + (i == middle)
        return cython.cast(cython.longlong, mix >> 4)

    def intern(self, start, middle, right, bits):
        """Return the shape whose canonical options are on the stack: Left's from `start`, Right's from `middle`."""
        self.sort(start, middle)
        self.sort(middle, self.top)
        key: cython.longlong = (
            self.mixed(start, middle) if cython.compiled else hash(tuple(self.stack[start : self.top]))
        )
        marks: cython.longlong = (middle - start) << COUNTED | bits
        while True:
            shape: cython.longlong = self.interned.find(key)
            if shape == MISSING:
                break
            s: cython.longlong = FACTS * shape
            i = self.facts[s + START]
            if self.facts[s + MARKS] == marks and self.facts[s + FACTS + START] - i == self.top - start:
                j: cython.longlong = start
                while j < self.top and self.pool[i + j - start] == self.stack[j]:
                    j += 1
                if j == self.top:
                    return shape
            key += 1
        return self.add_shape(key, start, marks, right)

    def add_shape(self, key, start, marks, right):
        """Store a new shape (a canonical form) whose options are on the stack, and return the shape's index."""
        if self.shapes + 2 >= self.room:
            if self.shapes + 2 >= SPAN:
                raise GaveUp("The store of game values is full.")
            self.claim(self.room * WORD * FACTS)
            self.room *= 2
            self.facts = longer(self.facts, FACTS * self.room)
        while self.pooled + self.top - start > self.pool_room:
            self.claim(self.pool_room * WORD)
            self.pool_room *= 2
            self.pool = longer(self.pool, self.pool_room)
        shape: cython.longlong = self.shapes
        self.keep(self.interned, key, shape)
        self.shapes += 1
        self.facts[FACTS * shape + RIGHT], self.facts[FACTS * shape + MARKS] = right, marks
        i: cython.longlong
        for i in range(start, self.top):
            self.pool[self.pooled] = self.stack[i]
            self.pooled += 1
        self.facts[FACTS * shape + FACTS + START] = self.pooled
        return shape
