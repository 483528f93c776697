# C types and bit tricks for the compiled kernels. `interpreted.py` holds their Python twins.
cdef extern from *:
    """
    typedef unsigned __int128 u128;
    static inline int gl_popcount(u128 x) {
        return __builtin_popcountll((unsigned long long)x) + __builtin_popcountll((unsigned long long)(x >> 64));
    }
    static inline int gl_lowest(u128 x) {
        unsigned long long low = (unsigned long long)x;
        return low ? __builtin_ctzll(low) : 64 + __builtin_ctzll((unsigned long long)(x >> 64));
    }
    """
    ctypedef unsigned long long u128
    int popcount "gl_popcount"(u128 x) noexcept nogil
    int lowest "gl_lowest"(u128 x) noexcept nogil
