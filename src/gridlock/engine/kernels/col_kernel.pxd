cimport cython
from gridlock.engine.kernels.bits cimport around, bit, lowest, popcount, u128
from gridlock.engine.kernels.board_search cimport BoardSearch, simplest

@cython.final
cdef class ColSearch(BoardSearch):
    cdef u128[288] blocks  # [scheme][block]; an empty block ends a scheme
    cdef int[288] corners
    cdef long long[::1] block_values  # [owner's cells][other's cells], BIG until it is needed
    cdef long long[16] shares
    cdef u128 diagonal
    cdef bint mirrors_first  # whether the first reply is the image of a move
    cdef long long[::1] waiting  # [depth][rank]: moves still to be searched, best first
    cdef u128 key_p, key_q  # the form that canonical() found
    cdef bint balanced  # and whether its value is 0
    cdef int turn  # and the sum of a cell and its image, if the half-turn exchanges the players; else -1
    cdef long long low, high  # bounds of a value: twice the number, plus one for a star

    cdef u128 region(self, u128 p, u128 q) noexcept
    @cython.locals(i=int)
    cdef int canonical(self, u128 p, u128 q) noexcept
    cdef int restoring(self, u128 p, u128 q) noexcept
    cdef bint decides(self, int symmetry, u128 p, u128 q, int rows, int cols) noexcept
    cdef int recall(self, u128 p, u128 q) noexcept
    cdef int store(self, u128 p, u128 q, long long work) noexcept
    cdef int note(self, u128 p, u128 q, long long x, int won, long long work) noexcept
    cdef long long exact(self, u128 p, u128 q) noexcept
    cdef long long exact_region(self, u128 p, u128 q) noexcept
    cdef long long bisect(self, u128 p, u128 q, int depth) except *
    cdef u128 apart(self, u128 p, u128 q) noexcept
    cdef long long ceiling(self, u128 p, u128 q) noexcept
    cdef long long block_ceiling(self, u128 p, u128 q, u128 kept, int scheme) noexcept
    cdef int pattern(self, u128 p, int corner) noexcept
    cdef bint guarded(self, int d, u128 p, u128 q) noexcept
    cdef bint useless(self, int d, u128 p, u128 q) noexcept
    cdef u128 needed(self, u128 p, u128 q) noexcept
    @cython.locals(i=int)
    cdef int wins(self, u128 p, u128 q, long long x, int depth, int reply) except? -2
    cdef int split(self, u128 p, u128 q, u128 others, long long x, int depth) except? -2
    cdef int expand(self, u128 p, u128 q, long long x, int depth, int turn) except? -2
    cdef long long outlook(self, u128 p, u128 q) noexcept
    cdef long long room(self, u128 p) noexcept
