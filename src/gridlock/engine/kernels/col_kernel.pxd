cimport cython
from gridlock.engine.kernels.bits cimport bit, lowest, popcount, u128
from gridlock.engine.kernels.col_reasons cimport ColReasons

@cython.final
cdef class ColSearch(ColReasons):
    cdef int restoring(self, u128 p, u128 q) noexcept
    cdef long long bisect(self, u128 p, u128 q, int depth) except *
    cdef int wins(self, u128 p, u128 q, long long x, int depth, int reply) except? -2
    cdef int split(self, u128 p, u128 q, u128 others, long long x, int depth) except? -2
    cdef int expand(self, u128 p, u128 q, long long x, int depth) except? -2
