cimport cython
from gridlock.engine.kernels.bits cimport around, beside, bit, lowest, popcount, u128
from gridlock.engine.kernels.distances cimport Distances

@cython.final
cdef class PlacingDistances(Distances):
    cdef bint own_only, other_only
    cdef int most_closed  # cells that a move takes from the players, if it closes any
    cdef u128[4] lattices  # sets of cells that do not touch each other; together they are the whole board

    cdef u128 private(self, u128 own, u128 cells) noexcept
    @cython.locals(i=int)
    cdef int sure(self, u128 own, u128 other, int extra) noexcept
