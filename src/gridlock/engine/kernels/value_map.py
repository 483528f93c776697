"""A map from numbers to numbers, which only grows, and arrays that do."""

import mmap

try:
    import cython
except ImportError:
    from . import interpreted as cython

MISSING = cython.declare(cython.longlong, -(1 << 62))  # no value
FIRST = cython.declare(cython.longlong, 256)  # entries of the smallest map
ENTRY = cython.declare(cython.longlong, 16 if cython.compiled else 160)  # bytes of an entry


def zeros(count):
    """Return an array of so many zeros, which costs nothing until it is used."""
    return memoryview(mmap.mmap(-1, 8 * count)).cast("q")


def longer(old, count):
    """Return a longer copy of an array of numbers."""
    made = zeros(count)
    made[: len(old)] = memoryview(old).cast("B").cast("q")
    return made


class Map:
    """A map from numbers to numbers, which only grows; plain Python uses a dictionary."""

    def __init__(self):
        self.count, self.room, self.entries = 0, FIRST, {}
        if cython.compiled:
            self.pairs = zeros(2 * FIRST)

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

    def needs(self):
        """Return how many bytes another entry would take; mostly none."""
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
