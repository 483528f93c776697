cimport cython
from gridlock.engine.kernels.words cimport (
    has_deposit, nth, nth_of_two, octets, popcount, spread, spread_one, stirred, u64, words
)

@cython.final
cdef class Lockstep:
    cdef object state  # a reference, since the pointer is into it
    cdef long long games
    cdef int size
    cdef bint wide  # whether sets of cells need two words
    cdef int step_size  # words for each game
    cdef int followed  # the shift of the head that a move follows in the word of heads; -1 if none
    cdef bint passes
    cdef bint deposit  # whether the processor can find the n-th cell of a set in one step
    cdef u64 keeps[2][129]  # what a move on a cell leaves to the player who made it, in two words
    cdef u64 leaves[2][129]  # what it leaves to the opponent
    cdef u64 reach[2][129]  # where a move that follows it may go
    cdef object start_words  # a reference, likewise
    cdef u64 *start
    cdef u64 *at
    cdef object list  # the games in which the last move left the opponent stuck
    cdef u64 *stuck

    cdef inline u64 legal(self, u64 *at, long long place, int followed) noexcept
    cdef inline u64 legal_above(self, u64 *at, long long place, int followed) noexcept
    cdef inline long long play(self, u64 *at, long long place, int cell, int followed, bint wide) noexcept
    @cython.locals(game=cython.longlong, place=cython.longlong, index=cython.longlong, part=int, size=int)
    @cython.locals(heads=u64, after=u64, mine=u64, taken=u64, others=u64, on=u64, off=u64)
    cdef void settle(self, u64 *at, long long count, unsigned char *won) noexcept
    cdef inline int chosen(self, u64 *at, long long game, u64 dice, int followed, bint deposit, bint wide) noexcept
    @cython.locals(game=cython.longlong, cell=int)
    cdef inline long long some(
        self, long long begin, long long end, u64 dice, unsigned char *cells, unsigned char *won, int followed, bint wide
    ) noexcept
