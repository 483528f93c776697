cimport cython
from gridlock.engine.kernels.bits cimport around, bit, lowest, popcount, u128
from gridlock.engine.kernels.board_search cimport BoardSearch, Table

@cython.final
cdef class TronSearch(BoardSearch):
    cdef u128[8] fixed  # the cells that a symmetry leaves in place
    cdef u128 free  # the image that turn() found, ...
    cdef int pawns  # ... 128 * the mover's cell + the other's
    cdef Table paths
    cdef public long long patience  # the work after which a search is hard
    cdef bint hard  # whether this search is hard
    cdef long long[129] spent, tried  # work, and positions whose moves were tried, by the number of free cells
    # Variables for traversing the tree of blocks
    cdef u128 region, unseen
    cdef int clock, height
    cdef int[128] seen_at, low, onward, pile

    cdef bint check(self, object free, object me, object them) except? -1
    @cython.locals(turn=int)
    cdef bint turn(self, u128 free, int me, int them) noexcept
    cdef u128 flood(self, u128 start, u128 free) noexcept
    cdef int territory(self, u128 free, u128 first, u128 second) noexcept
    cdef int bound(self, u128 region, int start) noexcept
    cdef int visit(self, int v) noexcept
    cdef int through(self, u128 block, int v, int u) noexcept
    cdef int has_path(self, u128 region, int v, int need) except? -1
    cdef int race(self, u128 mine, int me, u128 theirs, int them) except? -1
    cdef int wall(self, u128 free, int walker, int rival, bint first) except? -1
    cdef int search(self, u128 free, int me, int them) except? -1
    cdef int outlook(self, u128 free, int v, int them) noexcept
    cdef int ahead(self, u128 free, int me, int them, int plies, int low, int high) noexcept
    cdef bint looks(self, u128 free) noexcept
    cdef int arrange(self, u128 free, int me, int them, int* order) noexcept
    cdef int try_moves(self, u128 free, int me, int them) except? -1
