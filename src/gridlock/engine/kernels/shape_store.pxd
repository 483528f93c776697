# C types for shape_store.py, and for the compiled store that builds on it.
cimport cython
from gridlock.engine.kernels.value_map cimport Map

# The return type of functions that may raise exceptions. With a plain long long, Cython would write the value
# that signals an exception as "-1LLLL", which is not valid C.
cdef extern from *:
    ctypedef long longlong "long long"

cdef enum:
    UNIT = 1048576  # one move
    BITS = 26  # the bits of a shape in a value
    SPAN = 67108864
    MASK = 67108863
    FACTS = 4  # numbers about a shape:
    RIGHT = 0  # its right stop
    MARKS = 1  # the number of left options, and two bits
    START = 2  # its first option in the pool
    OPPOSITE = 3  # the shape of its negative, or 0 if that is not known
    BELOW = 1  # the bits: it is at most its left stop
    ABOVE = 2  # ... at least its right stop
    COUNTED = 2  # bits of the marks below the number of left options
    OFFSETS = 31  # bits of a threshold
    NEVER = 2147483647  # the largest threshold

@cython.final
cdef class Cache:
    cdef long long[::1] pairs  # [slot][key or word]
    cdef dict entries  # in their place if not compiled
    cdef int bits
    cdef long long slot(self, long long key) noexcept
    cdef long long find(self, long long key) noexcept
    cdef int put(self, long long key, long long word) except -1

cdef class ShapeStore:
    cdef readonly long long memory, used, shapes, steps
    cdef bint remembers  # whether comparisons are remembered
    cdef object tick
    cdef long long next_tick, room, pool_room, pooled, stack_room, top
    cdef Map interned
    cdef Cache orders
    cdef long long[::1] facts, pool, stack

    cdef int begin(self, object tick) except -1
    @cython.final
    cdef int step(self) except -1
    cdef int claim(self, long long more) except -1
    cdef int keep(self, Map where, long long key, long long word) except -1
    cdef int push(self, long long value) except -1
    @cython.final
    cdef bint at_least(self, long long a, long long b) except? -1
    @cython.final
    cdef bint order(self, long long a, long long b, long long d) except? -1
    @cython.final
    cdef bint compare(self, long long a, long long b, long long d) except? -1
    cdef long long mixed(self, long long start, long long middle) noexcept
    cdef longlong intern(self, long long start, long long middle, long long right, long long bits) except? -1
    cdef longlong add_shape(self, long long key, long long start, long long marks, long long right) except? -1
    @cython.final
    cdef int sort(self, long long start, long long end) noexcept
