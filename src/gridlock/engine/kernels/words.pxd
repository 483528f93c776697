# Sets of up to 64 cells for the compiled kernels that play random games. `interpreted.py` has the Python equivalents.
cdef extern from *:
    """
    #include <string.h>
    typedef unsigned long long gl_word;
    /* pdep puts the n-th bit where the n-th cell of a set is: one instruction, written in assembly so that it needs no
       compiler flag. On AMD processors before Zen 3 it is microcode, and the loop is faster. */
    #if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
    static inline gl_word gl_deposit(gl_word bits, gl_word cells) {
        gl_word found;
        __asm__("pdepq %2, %1, %0" : "=r"(found) : "r"(bits), "r"(cells));
        return found;
    }
    static int gl_has_deposit(void) {
        __builtin_cpu_init();
        return __builtin_cpu_supports("bmi2") && !__builtin_cpu_is("amdfam17h");
    }
    #else
    #define gl_deposit(bits, cells) (bits)
    #define gl_has_deposit() 0
    #endif
    static inline int gl_nth(gl_word cells, int index, int deposit) {
        if (deposit)
            return __builtin_ctzll(gl_deposit(1ULL << index, cells));
        while (index--)
            cells &= cells - 1;
        return __builtin_ctzll(cells);
    }
    /* The same in two words. Which of them has the cell is unpredictable, and a misprediction costs time, so both are
       looked up and one is selected without a branch. */
    static inline int gl_nth_of_two(gl_word low, gl_word high, int index, int deposit) {
        int beyond = index - __builtin_popcountll(low);
        if (deposit) {
            gl_word one = gl_deposit(1ULL << (index & 63), low), two = gl_deposit(1ULL << (beyond & 63), high);
            gl_word found = beyond < 0 ? one : two;
            return __builtin_ctzll(found) + (beyond < 0 ? 0 : 64);
        }
        return gl_nth(beyond < 0 ? low : high, beyond < 0 ? index : beyond, 0) + (beyond < 0 ? 0 : 64);
    }
    #define gl_count(cells) __builtin_popcountll(cells)
    static inline gl_word gl_stirred(gl_word bits) {
        bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9ULL;
        bits = (bits ^ bits >> 27) * 0x94D049BB133111EBULL;
        return bits ^ bits >> 31;
    }
    static gl_word *gl_buffer(PyObject *array) {  /* the caller keeps the array alive, and it never moves */
        Py_buffer view;
        if (PyObject_GetBuffer(array, &view, PyBUF_WRITABLE) < 0)
            return NULL;
        PyBuffer_Release(&view);
        return (gl_word *)view.buf;
    }
    #define gl_bytes(array) ((unsigned char *)gl_buffer(array))
    static inline gl_word gl_eight(gl_word cells) {  /* eight cells, a byte for each */
        gl_word ones = 0x0101010101010101ULL;
        gl_word each = (cells & 255) * ones & 0x8040201008040201ULL;  /* only bit n in byte n */
        each = (each + 0x7F7F7F7F7F7F7F7FULL) >> 7 & ones;
    #if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        each = __builtin_bswap64(each);
    #endif
        return each;
    }
    static inline void gl_spread(unsigned char *out, long long at, gl_word cells, int size) {
        gl_word each;
        for (out += at; size >= 8; size -= 8, out += 8, cells >>= 8) {
            each = gl_eight(cells);
            memcpy(out, &each, 8);
        }
        for (; size; size--, cells >>= 1)
            *out++ = cells & 1;
    }
    static inline void gl_spread_one(unsigned char *out, long long at, int cell, int size) {
        memset(out + at, 0, size);
        if (cell < size)
            out[at + cell] = 1;
    }
    """
    ctypedef unsigned long long u64 "gl_word"
    bint has_deposit "gl_has_deposit"() noexcept nogil
    int nth "gl_nth"(u64 cells, int index, bint deposit) noexcept nogil
    int nth_of_two "gl_nth_of_two"(u64 low, u64 high, int index, bint deposit) noexcept nogil
    int popcount "gl_count"(u64 cells) noexcept nogil
    u64 stirred "gl_stirred"(u64 bits) noexcept nogil
    u64 *words "gl_buffer"(object array) except NULL
    unsigned char *octets "gl_bytes"(object array) except NULL
    void spread "gl_spread"(unsigned char *out, long long at, u64 cells, int size) noexcept nogil
    void spread_one "gl_spread_one"(unsigned char *out, long long at, int cell, int size) noexcept nogil
