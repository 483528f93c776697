# C types for value_store.py, and for the compiled kernel that builds on it.
cimport cython
from gridlock.engine.kernels.board_search cimport simplest
from gridlock.engine.kernels.shape_store cimport (
    ABOVE, BELOW, BITS, COUNTED, FACTS, MARKS, MASK, NEVER, OPPOSITE, RIGHT, SPAN, START, UNIT, Cache, longlong,
)
from gridlock.engine.kernels.value_map cimport Map
from gridlock.engine.kernels.wall_store cimport WallStore

cdef enum:
    THRESHOLDS = 8  # remember comparisons, as thresholds in the number
    SUMMANDS = 16  # moves in one summand do not dominate each other, so they are not compared
    RANKING = 32  # compare the most promising options first

@cython.final
cdef class ValueStore(WallStore):
    cdef readonly long long cooled, ulp
    cdef int techniques
    cdef Map sums
    cdef Cache memo
    cdef long long game  # the number of the game under construction, which marks its entries in the memo
    # The game under construction: its options on the stack, its left and right stops, and two flags. The
    # flags say whether the game is at most its left stop, and whether it is at least its right stop.
    cdef long long g_left, g_left_end, g_right, g_right_end, g_low, g_high
    cdef bint g_below, g_above

    cdef longlong make(self, long long base, long long left_split, long long middle, long long right_split) except? -1
    cdef bint beats(self, long long one, long long other, bint left) except? -1
    cdef longlong undominated(self, long long start, long long split, long long end, bint left) except? -1
    cdef int rank(self, long long start, long long end, bint left) noexcept
    @cython.locals(k=longlong)
    cdef int bypass(self, long long start, long long end, bint left) except -1
    cdef bint under(self, long long x) except? -1
    cdef bint over(self, long long x) except? -1
    cdef longlong negate_shape(self, long long shape) except? -1
    cdef longlong negated(self, long long value) except? -1
    cdef bint opposite(self, long long s, long long t) except? -1
    cdef longlong plus(self, long long a, long long b) except? -1
    cdef int push_sums(self, long long s, long long t, bint left) except -1
