# C types for col_reasons.py, and for the compiled kernel that builds on it.
cimport cython
from gridlock.engine.kernels.bits cimport around, bit, lowest, popcount, u128
from gridlock.engine.kernels.col_bounds cimport ColBounds

cdef class ColReasons(ColBounds):
    cdef list king_cover(self, u128 p, int way)
    cdef list pair_cover(self, u128 p, int way)
    cdef bint is_easy(self, u128 p, u128 q, long long x, int star) noexcept
    @cython.locals(scheme=int)
    cdef int good_cut(self, u128 p, u128 q, u128 kept, long long x, int star) noexcept
