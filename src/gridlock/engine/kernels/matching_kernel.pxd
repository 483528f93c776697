cimport cython

@cython.final
cdef class Matcher:
    cdef int cells, tree_size, queued, marks
    cdef int[::1] starts, neighbours, mate, parent, base, tree, queue, mark
    cdef unsigned char[::1] present, fresh, even

    @cython.locals(c=int, w=int, i=int)
    cdef void pair_greedily(self) noexcept
    @cython.locals(c=int)
    cdef void plant_again(self) noexcept
    @cython.locals(root=int)
    cdef void grow_all(self) noexcept
    @cython.locals(v=int, w=int, i=int, meet=int, head=int)
    cdef void grow(self, int root) noexcept
    cdef void take(self, int c) noexcept
    cdef void make_even(self, int c) noexcept
    @cython.locals(i=int, c=int)
    cdef void fell(self) noexcept
    @cython.locals(even=int, after=int)
    cdef void switch(self, int end) noexcept
    cdef int find(self, int c) noexcept
    cdef int meeting(self, int a, int b) noexcept
    @cython.locals(odd=int)
    cdef void shrink(self, int c, int across, int meet) noexcept
