# C types for col_values.py, and for the compiled kernels that build on it.
cimport cython
from gridlock.engine.kernels.bits cimport around, bit, lowest, popcount, u128
from gridlock.engine.kernels.board_search cimport BoardSearch, simplest

cdef class ColValues(BoardSearch):
    cdef u128 diagonal
    cdef u128 key_p, key_q  # the form that canonical() found
    cdef int key_turn  # and the turn that maps it back to the position
    cdef bint balanced  # and whether its value is 0
    cdef long long low, high  # bounds on a value

    cdef u128 region(self, u128 p, u128 q) noexcept
    @cython.locals(i=int)
    cdef int canonical(self, u128 p, u128 q) noexcept
    cdef bint decides(self, int symmetry, u128 p, u128 q, int rows, int cols) noexcept
    cdef int recall(self, u128 p, u128 q) noexcept
    cdef int store(self, u128 p, u128 q, long long work) noexcept
    cdef int note(self, u128 p, u128 q, long long x, int won, long long work) noexcept
    cdef long long exact(self, u128 p, u128 q) noexcept
    cdef long long exact_region(self, u128 p, u128 q) noexcept
