cimport cython
from gridlock.engine.kernels.bits cimport bit, lowest, popcount, u128
from gridlock.engine.kernels.col_kernel cimport ColSearch

@cython.final
cdef class Outlook:
    cdef ColSearch search
    cdef public double packed, roomy, turn  # what bounds and room count in a lead, and the turn against it
    cdef double[10] worth  # of a cell, by how many moves could take it away
    cdef int decided  # who wins the position looked at last: 1 the mover, -1 the opponent, 0 not known

    cdef double lead(self, u128 p, u128 q) noexcept
    cdef double room(self, u128 p, u128 q) noexcept
