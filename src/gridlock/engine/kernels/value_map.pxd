# C types for value_map.py.
cimport cython

@cython.final
cdef class Map:
    cdef long long[::1] pairs  # [slot][key or word]
    cdef dict entries  # in their place if not compiled
    cdef readonly long long count, room
    cdef long long slot(self, long long key) noexcept
    cdef long long find(self, long long key) noexcept
    cdef int put(self, long long key, long long word) except -1
    cdef long long needs(self) noexcept
    cdef int grow(self) except -1

@cython.final
cdef class PairMap:
    cdef long long[::1] words  # [slot][first set, second set or word]
    cdef dict entries  # in their place if not compiled
    cdef readonly long long count, room
    cdef long long slot(self, long long p, long long q) noexcept
    cdef long long find(self, long long p, long long q) noexcept
    cdef int put(self, long long p, long long q, long long word) except -1
    cdef long long needs(self) noexcept
    cdef int grow(self) except -1

@cython.final
cdef class PairCache:
    cdef long long[::1] words  # [slot][first set, second set or word]
    cdef dict entries  # in their place if not compiled
    cdef int bits
    cdef long long find(self, long long p, long long q) noexcept
    cdef int put(self, long long p, long long q, long long word) except -1

cdef unsigned long long mixed(long long p, long long q) noexcept
