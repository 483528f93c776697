cimport cython
from gridlock.engine.kernels.bits cimport around, lowest, popcount, u128
from gridlock.engine.kernels.distances cimport Distances

@cython.final
cdef class WalkingDistances(Distances):
    cdef bint pawn, closes
    cdef bint chequered  # every step changes the colour of the cell

    cdef int bound_pawns(self, u128 mine, u128 theirs, int at, int other) except -1
    cdef int walk(self, u128 cells, int at) except -1
    cdef u128 region(self, u128 cells, int at) noexcept
    cdef int take_turns(self, u128 a, u128 b, int at) noexcept
    cdef int longest(self, u128 cells, int at) noexcept
