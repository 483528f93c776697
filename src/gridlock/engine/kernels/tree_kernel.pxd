cimport cython
from gridlock.engine.kernels.bits cimport bit, u128
from gridlock.engine.kernels.outlook_kernel cimport Outlook

@cython.final
cdef class TreeSearch:
    cdef object shape, grid
    cdef int cells, capacity, used, depth
    cdef bint closes_own, closes_other, pawn
    cdef Outlook outlook  # a better estimate, for the boards and the shape that it supports
    cdef bint looks  # whether there is an outlook
    cdef u128[2] sets, first_sets  # the cells of `open` as sets, by side, for the outlook
    cdef int[::1] near  # [cell][which]: its neighbours, then -1
    cdef double[18] worth  # the value of a cell, by the number of moves that could take it away
    # The current and first positions of a simulation: [side][cell] is 1 if the side may play in the cell.
    cdef signed char[::1] open, first_open
    cdef signed char[::1] taker  # [cell]: the side that took the cell in this simulation, or -1
    cdef int[2] heads, first_heads  # where the pawns are
    cdef int[::1] moves, path, queue
    # The tree, with one entry per node: the move that leads to the node, and the move's value for the mover.
    cdef int[::1] cell, visits, first, count, alike
    cdef double[::1] value, prior, alike_value
    cdef signed char[::1] proved
    cdef readonly long long nodes

    @cython.locals(i=int)
    cdef void simulate(self) noexcept
    @cython.locals(score=double, weight=double, n=double, m=double, child=int)
    cdef int select(self, int node) noexcept
    @cython.locals(i=int, child=int)
    cdef int expand(self, int node, int side) noexcept
    @cython.locals(i=int)
    cdef int list_moves(self, int side) noexcept
    cdef void take(self, int side, int cell) noexcept
    cdef int gain(self, int side, int cell) noexcept
    @cython.locals(lead=double)
    cdef double estimate(self, int node, int side) noexcept
    cdef double worth_of(self, int node) noexcept
    @cython.locals(own=int, other=int, cell=int, i=int)
    cdef double room(self, int side) noexcept
    @cython.locals(i=int)
    cdef double territory(self, int side) noexcept
    @cython.locals(i=int, child=int, node=int)
    cdef void learn(self, double value) noexcept
    @cython.locals(node=int, child=int, i=int)
    cdef void conclude(self) noexcept
