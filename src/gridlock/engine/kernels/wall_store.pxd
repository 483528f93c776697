# C types for wall_store.py, and for the compiled store that builds on it.
cimport cython
from gridlock.engine.kernels.shape_store cimport BITS, COUNTED, FACTS, MARKS, MASK, START, ShapeStore, longlong

cdef enum:
    FINER = 20  # how many more bits points have than numbers, because lines may meet between two numbers

cdef class WallStore(ShapeStore):
    # For each shape (the canonical form of a game), the index in `points` at which its thermograph begins. A
    # thermograph is stored as the number of points in its left wall, the number of points in its right wall, and then
    # the points.
    cdef long long[::1] places, points
    cdef long long pointed, place_room, point_room, line_room
    cdef long long[::1] ours, theirs, other, joined  # the walls being computed

    cdef int draw(self, long long shape) except -1
    cdef longlong load(self, long long value, bint left) except? -1
    cdef int fit(self, long long count) except -1
    cdef longlong highest(self, long long begin, long long end, bint left) except? -1
    cdef long long join(self, long long size, long long more) noexcept
    cdef int meet(self, long long shape, long long our_end, long long their_end) except -1
    cdef int keep_walls(self, long long shape, long long our_end, long long their_end) except -1

cdef long long taxed(long long[::1] line, long long size, long long end, long long mean, int sign) noexcept
cdef long long simplified(long long[::1] line, long long size) noexcept
