cimport cython
from gridlock.engine.kernels.bits cimport u128
from gridlock.engine.kernels.words cimport has_deposit, nth, nth_of_two, popcount, stirred, u64

@cython.final
cdef class Playouts:
    cdef object shape, grid
    cdef bint pawn
    cdef bint follows  # whether a move limits the next one
    cdef bint small  # whether one word holds all cells
    cdef bint deposit  # whether the processor can find the n-th cell of a set in one step
    cdef u64 keeps[2][129]  # what a move on a cell leaves to the player who made it, in two words
    cdef u64 leaves[2][129]  # what it leaves to the opponent
    cdef u64 reach[2][129]  # where a move that follows it may go
    cdef unsigned long long dice
    cdef u128 a, b  # the cells that the player to move may still use, and those of the opponent
    cdef int at, other  # the cell of the marker that the next move follows, and of the opponent's pawn, if any

    @cython.locals(turns=cython.longlong, _game=cython.longlong)
    cpdef tuple play(self, u128 a, u128 b, int at, int other, long long games)
    cdef inline long long one(self, u128 a, u128 b, int at, int other, bint follows, bint pawn) noexcept
    @cython.locals(cell=int, open_low=u64, open_high=u64)
    cdef inline long long game(self, u128 a, u128 b, int here, int there, bint follows, bint pawn, bint small) noexcept
    cdef inline int below(self, unsigned long long count) noexcept
    cdef inline unsigned long long random(self) noexcept
