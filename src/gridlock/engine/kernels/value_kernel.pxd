cimport cython
from gridlock.engine.kernels.bits cimport around, bit, lowest, popcount, u128
from gridlock.engine.kernels.board_search cimport BoardSearch
from gridlock.engine.kernels.shape_store cimport SPAN, UNIT, longlong
from gridlock.engine.kernels.squares cimport flipped, mirrored, squeezed, transposed, u64, widened
from gridlock.engine.kernels.value_map cimport PairCache, PairMap
from gridlock.engine.kernels.value_store cimport RANKING, SUMMANDS, THRESHOLDS, ValueStore

@cython.final
cdef class SnortValues(BoardSearch):
    cdef readonly ValueStore store
    cdef readonly SnortValues warmer  # the same values cooled by less
    cdef readonly str failure  # why the last value is not known
    cdef u128 key_p, key_q  # the form that standard() found
    cdef u64 square_p, square_q  # the same if it is small
    cdef PairMap small  # values of small regions by their standard form
    cdef PairCache recent  # the same by any form, for the regions seen last
    cdef bint exchanged, balanced  # whether its players are exchanged, and whether that makes no difference

    @cython.locals(i=int)
    cdef int standard(self, u128 p, u128 q) noexcept
    @cython.locals(i=int)
    cdef int standard_square(self, u64 p, u64 q, int rows, int cols) noexcept
    cdef u128 region(self, u128 p, u128 q) noexcept
    cdef longlong total(self, u128 p, u128 q) except? -1
    cdef longlong region_value(self, u128 p, u128 q) except? -1
    cdef longlong small_value(self, u128 p, u128 q) except? -1
    cdef longlong expand(self, u128 p, u128 q, bint balanced) except? -1
