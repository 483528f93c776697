cimport cython
from gridlock.engine.kernels.bits cimport around, lowest, popcount, u128
from gridlock.engine.kernels.distances cimport Distances

@cython.final
cdef class WalkingDistances(Distances):
    cdef bint pawn, closes

    cdef int walk(self, u128 cells, int at) except -1
    cdef u128 region(self, u128 cells, int at) noexcept
    cdef int take_turns(self, u128 a, u128 b, int at) noexcept
    cdef int most_steps(self, u128 cells, int at) noexcept
