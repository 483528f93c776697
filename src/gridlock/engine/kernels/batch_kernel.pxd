cimport cython
from gridlock.engine.kernels.words cimport (
    has_deposit, nth, octets, popcount, spread, spread_one, stirred, u64, words
)

@cython.final
cdef class Lockstep:
    cdef object state  # a reference, since the pointer is into it
    cdef long long games
    cdef int size
    cdef int followed  # the shift of the head that a move follows in the word of heads; -1 if none
    cdef bint passes
    cdef bint deposit  # whether the processor can find the n-th cell of a set in one step
    cdef u64[65] keeps, leaves  # what a move on a cell leaves to the player who made it, and to the opponent
    cdef u64[65] reach  # where a move that follows it may go
    cdef u64[5] start
    cdef u64 *at
    cdef object list  # the games in which the last move left the opponent stuck
    cdef u64 *stuck

    cdef inline u64 legal(self, u64 *at, long long game, int followed) noexcept
    cdef inline long long play(self, u64 *at, long long game, int cell, int followed) noexcept
    @cython.locals(game=cython.longlong, place=cython.longlong, index=cython.longlong, part=int)
    @cython.locals(heads=u64, after=u64, mine=u64, taken=u64, on=u64, off=u64)
    cdef void settle(self, u64 *at, long long count, unsigned char *won) noexcept
    cdef inline int chosen(self, u64 *at, long long game, u64 dice, int followed, bint deposit) noexcept
    @cython.locals(game=cython.longlong, cell=int)
    cdef inline long long some(
        self, long long begin, long long end, u64 dice, unsigned char *cells, unsigned char *won, int followed
    ) noexcept
