# Sets of cells in an 8x8 square, for the compiled kernels. `interpreted.py` has the Python equivalents.
from gridlock.engine.kernels.bits cimport u128

cdef extern from *:
    """
    typedef unsigned long long gl_square;
    static inline gl_square gl_squeezed(u128 cells, int cols, int rows) {  /* a row of the board to each byte */
        gl_square found = 0, line = cols < 8 ? (1 << cols) - 1 : 255;
        for (int row = 0; row < rows; row++, cells >>= cols)
            found |= ((gl_square)cells & line) << 8 * row;
        return found;
    }
    static inline u128 gl_widened(gl_square cells, int cols) {
        u128 found = 0;
        for (int at = 0; cells; at += cols, cells >>= 8)
            found |= (u128)(cells & 255) << at;
        return found;
    }
    static inline gl_square gl_flipped(gl_square x, int rows) {
        return __builtin_bswap64(x) >> (64 - 8 * rows);
    }
    static inline gl_square gl_mirrored(gl_square x, int cols) {
        x = (x >> 1 & 0x5555555555555555ULL) | (x & 0x5555555555555555ULL) << 1;
        x = (x >> 2 & 0x3333333333333333ULL) | (x & 0x3333333333333333ULL) << 2;
        x = (x >> 4 & 0x0F0F0F0F0F0F0F0FULL) | (x & 0x0F0F0F0F0F0F0F0FULL) << 4;
        return x >> (8 - cols);
    }
    static inline gl_square gl_transposed(gl_square x) {
        gl_square t = (x ^ x >> 7) & 0x00AA00AA00AA00AAULL;
        x ^= t ^ t << 7;
        t = (x ^ x >> 14) & 0x0000CCCC0000CCCCULL;
        x ^= t ^ t << 14;
        t = (x ^ x >> 28) & 0x00000000F0F0F0F0ULL;
        return x ^ t ^ t << 28;
    }
    """
    ctypedef unsigned long long u64 "gl_square"
    u64 squeezed "gl_squeezed"(u128 cells, int cols, int rows) noexcept nogil
    u128 widened "gl_widened"(u64 cells, int cols) noexcept nogil
    u64 flipped "gl_flipped"(u64 cells, int rows) noexcept nogil
    u64 mirrored "gl_mirrored"(u64 cells, int cols) noexcept nogil
    u64 transposed "gl_transposed"(u64 cells) noexcept nogil
