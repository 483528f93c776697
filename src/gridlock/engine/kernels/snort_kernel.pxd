cimport cython
from gridlock.engine.kernels.bits cimport around, bit, lowest, popcount, u128
from gridlock.engine.kernels.board_search cimport BoardSearch

@cython.final
cdef class SnortSearch(BoardSearch):
    cdef u128[8] clash  # the cells that a symmetry maps to themselves or a neighbour, or does not map back
    # A stack of positions waiting to be searched, in which the replies to a position are above that position.
    cdef u128[8258] ps, qs
    cdef int[8258] ks, scores
    cdef u128[10] levels  # for packed()
    cdef int[64] gains

    @cython.locals(i=int)
    cdef int search(self, int slot) except -2
    cdef void place(self, int slot, u128 p, u128 q, int k) noexcept
    cdef int judge(self, int slot) noexcept
    @cython.locals(w=int, gain=int)
    cdef bint packed(self, u128 a, u128 b, int n, bint turn) noexcept
    @cython.locals(symmetry=int)
    cdef int look_up(self, int slot) noexcept
    cdef void store(self, int slot, int result, long long work) noexcept
