cimport cython
from gridlock.engine.kernels.bits cimport bit, lowest, popcount, u128
from gridlock.engine.kernels.col_kernel cimport ColSearch

@cython.final
cdef class Outlook:
    cdef ColSearch search
    cdef public double packed, roomy, turn  # weights of the bounds and of the room in a lead, and the cost of the turn
    cdef double[10] worth  # the value of a cell, by the number of moves that could take it away
    cdef int decided  # the winner of the last position: 1 the mover, -1 the opponent, 0 unknown

    cdef double lead(self, u128 p, u128 q) noexcept
    cdef double room(self, u128 p, u128 q) noexcept
