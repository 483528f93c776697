# What the compiled kernels that build on a table and a board see of them.
cimport cython
from gridlock.engine.kernels.bits cimport Edges, lowest, u128

@cython.final
cdef class Table:
    cdef unsigned long long[::1] words
    cdef unsigned long long buckets, tag
    cdef unsigned long long find(self, u128 a, u128 b, unsigned long long tag) noexcept
    cdef int keep(self, u128 a, u128 b, unsigned long long known, long long work) noexcept
    cdef long long locate(self, u128 a, u128 b, unsigned long long tag) noexcept

cdef class BoardSearch:
    cdef object grid, tick
    cdef int rows, cols, cells, symmetries, techniques
    cdef u128 board
    cdef Edges edges  # for around() and beside()
    cdef u128[128] near, zone  # the neighbours of a cell, without it and with it
    cdef int[1032] moved  # [symmetry][cell]: where it goes; one that is no cell stays
    cdef u128[32768] images  # [symmetry][byte of a set][value of the byte]
    cdef Table table
    cdef long long searched, steps  # positions, and other work that counts for the clock
    cdef long long pause, next_tick
    cdef list entries  # the journal
    cdef long long entry_work

    cdef u128 image(self, u128 cells, int symmetry) noexcept
    cdef int begin(self, object tick) except -1
    cdef int stop(self) except -1
