# C types for distances.py, and for the compiled kernels that build on it.
cimport cython
from gridlock.engine.kernels.bits cimport around, lowest, popcount, u128
from gridlock.engine.kernels.board_search cimport BoardSearch

cdef class Distances(BoardSearch):
    cdef object shape
    cdef bint closes_own, closes_other, walks, stopped
    cdef u128[129] keeps, leaves, reach  # cells a move leaves to its owner and to the opponent, and where the next may go
    cdef int[17160] order  # the moves of every position on the current line, each with its heuristic value
    cdef u128 a, b  # the state that enter(), step() and settle() leave
    cdef int x, extra
    # Bounds on the number of moves that each player still has
    cdef int my_least, my_most, their_least, their_most

    cdef u128 enter(self, object position) except? 0
    cdef int settle(self, u128 a, u128 b, int x) except -1
    cdef int step(self, u128 a, u128 b, int x, int move) except -1
    cdef u128 worthwhile(self, u128 a, u128 b, int x) except? 0
    cdef int promise(self) except? -32768
    cdef int list_moves(self, int base, u128 a, u128 b, int x, int hint) except -1
    cdef int score(self, u128 a, u128 b, int x, int low, int high) except? -32768
    cdef int search(self, int ply, u128 a, u128 b, int x, int goal) except? -32768
    cdef int watch(self) except -1
    @cython.locals(i=int)
    cdef int explore(self, int ply, int goal) except? -32768
    @cython.locals(i=int)
    cdef int next_move(self, int start, int end) noexcept
    @cython.locals(i=int)
    cdef int turn(self) noexcept
    cdef int floor(self, u128 a, u128 b, int x) noexcept
    cdef int note(self, u128 a, u128 b, int x, int bottom, int top, int move, long long work) noexcept

cdef int deeper(int score, int moves) noexcept
cdef int shallower(int score, int moves) noexcept
