cimport cython
from gridlock.engine.kernels.bits cimport around, bit, lowest, popcount, u128
from gridlock.engine.kernels.board_search cimport BoardSearch

@cython.final
cdef class ColSearch(BoardSearch):
    cdef u128[288] blocks  # [scheme][block]; an empty block ends a scheme
    cdef int[288] corners
    cdef long long[::1] block_values  # [owner's cells][other's cells], BIG until it is needed
    cdef long long[16] shares
    cdef u128 left, diagonal
    cdef bint king
    cdef long long[::1] waiting  # [depth][rank]: moves still to be searched, best first
    # Second results of canonical(): the form, whether it is the position (1) or its negative (-1), and whether the
    # value is known (BALANCED, SELF_NEGATIVE, or 0 for not).
    cdef u128 key_p, key_q
    cdef int sign, nil
    # What is known of a value: low <= number <= high, and whether plain and star may meet each bound.
    cdef long long low, high
    cdef int low_meets, high_meets

    cdef u128 region(self, u128 p, u128 q) noexcept
    cdef int offer(self, u128 p, u128 q, int sign) noexcept
    cdef int canonical(self, u128 p, u128 q) noexcept
    cdef int recall(self, u128 p, u128 q) noexcept
    cdef int store(self, u128 p, u128 q, long long work) noexcept
    cdef int negate(self) noexcept
    cdef int note(self, u128 p, u128 q, int sign, long long x, int won, long long work) noexcept
    cdef long long exact(self, u128 p, u128 q) noexcept
    cdef long long exact_region(self, u128 p, u128 q) noexcept
    cdef long long simplest(self, long long below, bint pass_below, long long above, bint pass_above) noexcept
    cdef long long ceiling(self, u128 p, u128 q) noexcept
    cdef long long block_ceiling(self, u128 p, u128 q, int scheme) noexcept
    cdef int pattern(self, u128 p, int corner) noexcept
    cdef bint guarded(self, int d, u128 p, u128 q) noexcept
    cdef u128 needed(self, u128 p, u128 q) noexcept
    cdef u128 worthwhile(self, u128 p, u128 q) noexcept
    cdef int wins(self, u128 p, u128 q, long long x, int depth) except? -2
    cdef int expand(self, u128 p, u128 q, long long x, int depth) except? -2
    cdef long long outlook(self, u128 p, u128 q) noexcept
    cdef long long room(self, u128 p) noexcept
