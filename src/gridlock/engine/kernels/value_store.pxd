# C types for value_store.py, and for the compiled kernel that builds on it.
cimport cython

# What functions return that may raise. Cython writes the exceptional value of a plain long long as "-1LLLL".
cdef extern from *:
    ctypedef long longlong "long long"

cdef enum:
    UNIT = 1048576
    BITS = 22
    SPAN = 4194304
    MASK = 4194303

@cython.final
cdef class Map:
    cdef long long[::1] pairs  # [slot][key or word]
    cdef dict entries  # in their place if not compiled
    cdef readonly long long count, room
    cdef long long slot(self, long long key) noexcept
    cdef long long find(self, long long key) noexcept
    cdef int put(self, long long key, long long word) except -1
    cdef int grow(self) except -1
    cdef int empty(self) noexcept

@cython.final
cdef class ValueStore:
    cdef readonly long long memory, used, cooled, ulp, shapes, steps
    cdef readonly dict walls  # thermographs by shape, those computed so far
    cdef object tick
    cdef long long next_tick, room, pool_room, pooled, stack_room, top
    cdef Map sums, orders, interned, memo
    cdef long long[::1] right, marks, first, negative, pool, stack
    cdef long long game  # the number of the game under construction, which marks its entries in the memo
    # The game under construction: its options on the stack, its stops, and whether it is <= the left one, >= the right.
    cdef long long g_left, g_left_end, g_right, g_right_end, g_low, g_high
    cdef bint g_below, g_above

    cdef int begin(self, object tick) except -1
    cdef int step(self) except -1
    cdef int claim(self, long long more) except -1
    cdef int keep(self, Map where, long long key, long long word) except -1
    cdef int push(self, long long value) except -1
    cdef bint at_least(self, long long a, long long b) except? -1
    cdef bint order(self, long long a, long long b, long long d) except? -1
    cdef bint compare(self, long long a, long long b, long long d) except? -1
    cdef bint under(self, long long x) except? -1
    cdef bint over(self, long long x) except? -1
    cdef longlong make(self, long long base, long long middle) except? -1
    cdef longlong simplest(self, long long low, bint pass_low, long long high, bint pass_high) except? -1
    cdef longlong undominated(self, long long start, long long end, bint left) except? -1
    @cython.locals(k=longlong)
    cdef int bypass(self, long long start, long long end, bint left) except -1
    cdef longlong intern(self, long long start, long long middle, long long right, long long bits) except? -1
    cdef longlong add_shape(self, long long key, long long start, long long marks, long long right) except? -1
    cdef int sort(self, long long start, long long end) noexcept
    cdef longlong negate_shape(self, long long shape) except? -1
    cdef longlong negated(self, long long value) except? -1
    cdef longlong plus(self, long long a, long long b) except? -1
