"""Growable arrays, and maps that store numbers; the keys of a map are either numbers or pairs of cell sets."""

import mmap

try:
    import cython
except ImportError:
    from . import interpreted as cython

MISSING = cython.declare(cython.longlong, -(1 << 62))  # no value
FIRST = cython.declare(cython.longlong, 256)  # entries of the smallest map
ENTRY = cython.declare(cython.longlong, 16 if cython.compiled else 160)  # bytes per entry


def zeros(count):
    """Return an array of `count` zeros, which takes up no memory until it is used.

    In plain Python, return a list instead, because a list is faster there.
    """
    return memoryview(mmap.mmap(-1, 8 * count)).cast("q") if cython.compiled else [0] * count


def longer(old, count):
    """Return a longer copy of an array of numbers."""
    if not cython.compiled:
        return old + [0] * (count - len(old))
    made = zeros(count)
    made[: len(old)] = memoryview(old).cast("B").cast("q")
    return made


class Map:
    """A hash map from integers to integers, without deletion; in plain Python, a dictionary."""

    def __init__(self):
        self.count, self.room, self.entries = 0, FIRST, {}
        if cython.compiled:
            self.pairs = zeros(2 * FIRST)

    def slot(self, key):
        """Return the index of a key, or of the empty slot in which it belongs."""
        golden: cython.ulonglong = 0x9E3779B97F4A7C15
        mix: cython.ulonglong = cython.cast(cython.ulonglong, key) * golden
        last: cython.longlong = 2 * self.room - 2
        at: cython.longlong = cython.cast(cython.longlong, mix >> 31) & last
        while self.pairs[at] and self.pairs[at] != key:
            at = (at + 2) & last
        return at

    def find(self, key):
        """Return the number for a key, or MISSING."""
        if not cython.compiled:
            return self.entries.get(key, MISSING)
        at: cython.longlong = self.slot(2 * key + 1)  # 0 marks an empty slot
        return self.pairs[at + 1] if self.pairs[at] else MISSING

    def put(self, key, word):
        """Set the number for a key; the caller makes sure that there is room."""
        if not cython.compiled:
            self.entries[key] = word
            self.count = len(self.entries)
            return 0
        at: cython.longlong = self.slot(2 * key + 1)
        self.count += not self.pairs[at]
        self.pairs[at], self.pairs[at + 1] = 2 * key + 1, word
        return 0

    def needs(self):
        """Return how many more bytes another entry would take, which is usually 0."""
        return self.room * ENTRY if self.count * 8 >= self.room * 5 else 0

    def grow(self):
        """Double the room."""
        self.room *= 2
        if not cython.compiled:
            return 0
        old: cython.longlong[::1] = self.pairs
        self.pairs = zeros(2 * self.room)
        i: cython.longlong
        for i in range(0, self.room, 2):
            if old[i]:
                at: cython.longlong = self.slot(old[i])
                self.pairs[at], self.pairs[at + 1] = old[i], old[i + 1]
        return 0


def mixed(p, q):
    """Return a hash of two sets of up to 64 cells."""
    golden: cython.ulonglong = 0x9E3779B97F4A7C15
    other: cython.ulonglong = 0xC2B2AE3D27D4EB4F
    mix: cython.ulonglong = cython.cast(cython.ulonglong, p) * golden + cython.cast(cython.ulonglong, q) * other
    return (mix ^ mix >> 32) * golden


class PairCache:
    """A fixed-size map from pairs of cell sets to numbers; a new entry may replace an old one.

    Each set has at most 64 cells. The map is small enough to fit in the processor's cache. Plain Python uses a
    dictionary, which is emptied when it is full.
    """

    def __init__(self, bits):
        self.bits, self.entries = bits, {}
        if cython.compiled:
            self.words = zeros(3 << bits)

    def find(self, p, q):
        """Return the number stored for a pair of cell sets, or MISSING."""
        if not cython.compiled:
            return self.entries.get((p, q), MISSING)
        at: cython.longlong = cython.cast(cython.longlong, mixed(p, q) >> (64 - self.bits)) * 3
        return self.words[at + 2] if self.words[at] == p and self.words[at + 1] == q else MISSING

    def put(self, p, q, word):
        """Store a number for a pair of cell sets."""
        if not cython.compiled:
            if len(self.entries) >> self.bits:
                self.entries.clear()
            self.entries[p, q] = word
            return 0
        at: cython.longlong = cython.cast(cython.longlong, mixed(p, q) >> (64 - self.bits)) * 3
        self.words[at], self.words[at + 1], self.words[at + 2] = p, q, word
        return 0


class PairMap:
    """A hash map from pairs of sets of cells to numbers.

    Each set has at most 64 cells, and the first set of a pair is never empty.
    """

    def __init__(self):
        self.count, self.room, self.entries = 0, FIRST, {}
        if cython.compiled:
            self.words = zeros(3 * FIRST)

    def slot(self, p, q):
        """Return the index of a pair, or of the empty slot in which it belongs."""
        at: cython.longlong = cython.cast(cython.longlong, mixed(p, q) >> 24) & (self.room - 1)
        while self.words[3 * at] and (self.words[3 * at] != p or self.words[3 * at + 1] != q):
            at = (at + 1) & (self.room - 1)
        return 3 * at

    def find(self, p, q):
        """Return the number stored for a pair of cell sets, or MISSING."""
        if not cython.compiled:
            return self.entries.get((p, q), MISSING)
        at: cython.longlong = self.slot(p, q)
        return self.words[at + 2] if self.words[at] else MISSING

    def put(self, p, q, word):
        """Store a number for a pair of cell sets; the caller must ensure that the map has room."""
        if not cython.compiled:
            self.entries[p, q] = word
            self.count = len(self.entries)
            return 0
        at: cython.longlong = self.slot(p, q)
        self.count += not self.words[at]
        self.words[at], self.words[at + 1], self.words[at + 2] = p, q, word
        return 0

    def needs(self):
        """Return how many more bytes another entry would take, which is usually 0."""
        return self.room * (ENTRY + 8) if self.count * 8 >= self.room * 5 else 0

    def grow(self):
        """Double the room."""
        self.room *= 2
        if not cython.compiled:
            return 0
        old: cython.longlong[::1] = self.words
        self.words = zeros(3 * self.room)
        i: cython.longlong
        for i in range(0, self.room // 2 * 3, 3):
            if old[i]:
                at: cython.longlong = self.slot(old[i], old[i + 1])
                self.words[at], self.words[at + 1], self.words[at + 2] = old[i], old[i + 1], old[i + 2]
        return 0
