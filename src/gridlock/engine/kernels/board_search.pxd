# C types for board_search.py, and for the compiled kernels that build on it.
cimport cython
from gridlock.engine.kernels.bits cimport Edges, bit, lowest, popcount, u128

@cython.final
cdef class Table:
    cdef unsigned long long[::1] words
    cdef unsigned long long buckets, tag
    cdef unsigned long long find(self, u128 a, u128 b, unsigned long long tag) noexcept
    cdef int keep(self, u128 a, u128 b, unsigned long long known, long long work) noexcept
    cdef long long locate(self, u128 a, u128 b, unsigned long long tag) noexcept

cdef class BoardSearch:
    cdef object grid, tick
    cdef readonly long long nodes, steps  # positions searched, and other work that the clock counts
    cdef readonly list journal  # the positions that took much work, each in the form that learn() expects
    cdef public long long journal_work  # the least work that puts a position into the journal; 0 for no journal
    cdef int rows, cols, cells, symmetries, techniques
    cdef u128 board, top, even_rows, even_bits, dark
    cdef bint chequered  # whether every step changes the colour of the cell
    cdef Edges edges  # for around() and beside()
    cdef u128[128] near, zone  # the neighbours of a cell, without it and with it
    cdef int[1032] moved  # [symmetry][cell]: the image of a cell; 128, which is no cell, stays
    cdef u128[32768] images  # [symmetry][byte of a set][value of the byte]
    cdef Table table
    cdef long long next_tick
    cdef int box_rows, box_cols  # what corner() found

    @cython.locals(symmetry=int, cell=int, row=int, col=int, byte=int, bits=int, at=int)
    cdef int tabulate_images(self) except -1
    cdef u128 image(self, u128 cells, int symmetry) noexcept
    cdef u128 most_closing(self, u128 p, u128 q) noexcept
    cdef u128 least_closing(self, u128 p, u128 q, u128 moves) noexcept
    cdef int cover(self, u128 p) noexcept
    cdef int longest(self, u128 cells, int at) noexcept
    cdef int corner(self, u128 cells) noexcept
    cdef int begin(self, object tick) except -1
    cdef int stop(self) except -1

cdef int runs(u128 p, u128 even_bits) noexcept
cdef unsigned long long hashed(u128 a, u128 b, unsigned long long tag) noexcept
cdef long long simplest(long long low, bint pass_low, long long high, bint pass_high, long long unit) noexcept
