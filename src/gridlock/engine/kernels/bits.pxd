# C types and bit tricks for the compiled kernels. `interpreted.py` has the Python equivalents.
cdef extern from *:
    """
    typedef unsigned __int128 u128;
    typedef struct { u128 not_left; int down; int king; } gl_edges;
    static inline u128 gl_bit(int cell) {
        return (u128)1 << cell;
    }
    static inline int gl_popcount(u128 x) {
        return __builtin_popcountll((unsigned long long)x) + __builtin_popcountll((unsigned long long)(x >> 64));
    }
    static inline int gl_lowest(u128 x) {
        unsigned long long low = (unsigned long long)x;
        return low ? __builtin_ctzll(low) : 64 + __builtin_ctzll((unsigned long long)(x >> 64));
    }
    static inline u128 gl_beside_(const gl_edges *edges, u128 x) {
        u128 wide = (x << 1 & edges->not_left) | (x & edges->not_left) >> 1;
        u128 tall = edges->king ? x | wide : x;
        return wide | tall << edges->down | tall >> edges->down;
    }
    static inline u128 gl_around_(const gl_edges *edges, u128 x) {
        return x | gl_beside_(edges, x);
    }
    #define gl_beside(edges, x) gl_beside_(&(edges), x)  /* not to copy the edges every time */
    #define gl_around(edges, x) gl_around_(&(edges), x)
    """
    ctypedef unsigned long long u128
    ctypedef struct Edges "gl_edges":
        u128 not_left
        int down
        bint king
    u128 bit "gl_bit"(int cell) noexcept nogil
    int popcount "gl_popcount"(u128 x) noexcept nogil
    int lowest "gl_lowest"(u128 x) noexcept nogil
    u128 beside "gl_beside"(Edges edges, u128 x) noexcept nogil
    u128 around "gl_around"(Edges edges, u128 x) noexcept nogil
