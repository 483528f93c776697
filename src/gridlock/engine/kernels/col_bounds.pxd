# C types for col_bounds.py, and for the compiled kernel that builds on it.
cimport cython
from gridlock.engine.kernels.bits cimport around, bit, lowest, popcount, u128
from gridlock.engine.kernels.col_values cimport ColValues

cdef class ColBounds(ColValues):
    cdef u128[288] blocks  # [scheme][block]; an empty block ends a scheme
    cdef int[288] corners
    cdef long long[::1] block_values  # [owner's cells][other's cells], BIG until it is needed
    cdef long long[16] shares
    cdef bint mirrors_first  # whether the first reply is the image of a move
    cdef long long[::1] waiting  # [depth][rank]: moves still to be searched, best first

    cdef int bounded(self, u128 p, u128 q, long long x) noexcept
    @cython.locals(i=int)
    cdef int bounded_by_blocks(self, u128 p, u128 q, long long x) noexcept
    cdef int arrange(self, u128 p, u128 q, long long x, int first) noexcept
    cdef long long ceiling(self, u128 p, u128 q) noexcept
    cdef u128 apart(self, u128 p, u128 q) noexcept
    cdef long long block_ceiling(self, u128 p, u128 q, u128 kept, int scheme) noexcept
    cdef int pattern(self, u128 p, int corner) noexcept
    cdef bint guarded(self, int d, u128 p, u128 q) noexcept
    cdef bint useless(self, int d, u128 p, u128 q) noexcept
    cdef u128 needed(self, u128 p, u128 q) noexcept
    cdef long long outlook(self, u128 p, u128 q) noexcept
    cdef long long room(self, u128 p) noexcept
