// Sets of cells, and functions for the lanes of a warp. The lanes of a warp work together on one position.
//
// A loop whose index starts at LANE and grows by LANES does its work in parallel on the GPU. The functions below combine
// the results of a warp's lanes. On the host there is only one lane, so that the same code can be compiled as plain C++.
#pragma once
#include <cstddef>
#include <cstdint>

#ifndef __CUDACC__
#define __host__
#define __device__
#define __forceinline__ inline
struct ulonglong2 { unsigned long long x, y; };
#endif
#define BOTH __host__ __device__ __forceinline__
#ifdef __CUDA_ARCH__
#define LANE int(threadIdx.x & 31)
#define LANES 32
#else
#define LANE 0
#define LANES 1
#endif

typedef unsigned long long u64;
typedef unsigned u32;
typedef unsigned char u8;

enum { CELLS = ROWS * COLS };
#ifdef WIDE
typedef unsigned __int128 Set;
#else
typedef u64 Set;
#endif
static_assert(CELLS <= 8 * int(sizeof(Set)) - (sizeof(Set) > 8), "Compile with -DWIDE for boards of more than 64 cells.");

const Set ALL = ~Set(0) >> (8 * sizeof(Set) - CELLS);
constexpr Set column(int rows) { return rows ? column(rows - 1) << COLS | 1 : 0; }
const Set LEFT = column(ROWS), NOT_LEFT = ALL & ~LEFT, NOT_RIGHT = ALL & ~(LEFT << (COLS - 1));

BOTH void together() {
#ifdef __CUDA_ARCH__
    __syncwarp();
#endif
}
BOTH u32 least(u32 x) {
#ifdef __CUDA_ARCH__
    x = __reduce_min_sync(~0u, x);
#endif
    return x;
}
BOTH u32 greatest(u32 x) {
#ifdef __CUDA_ARCH__
    x = __reduce_max_sync(~0u, x);
#endif
    return x;
}
BOTH bool any_lane(bool x) {
#ifdef __CUDA_ARCH__
    x = __any_sync(~0u, x);
#endif
    return x;
}

#ifdef WIDE
// With nvcc 13.0, an H200 computed wrong results for `Set(1) << cell` in loops in which the lanes take different ways.
// compare.cu shows whether the GPU and the host agree.
BOTH Set bit(int cell) { return cell < 64 ? Set(1ull << cell) : Set(1ull << (cell - 64)) << 64; }
BOTH bool has(Set cells, int cell) { return (cell < 64 ? u64(cells) >> cell : u64(cells >> 64) >> (cell - 64)) & 1; }
#else
BOTH Set bit(int cell) { return Set(1) << cell; }
BOTH bool has(Set cells, int cell) { return cells >> cell & 1; }
#endif

BOTH int count_word(u64 x) {
#ifdef __CUDA_ARCH__
    return __popcll(x);
#else
    return __builtin_popcountll(x);
#endif
}
BOTH int lowest_of_word(u64 x) {
#ifdef __CUDA_ARCH__
    return __ffsll(x) - 1;
#else
    return __builtin_ctzll(x);
#endif
}
BOTH int count(Set x) {
#ifdef WIDE
    return count_word(u64(x)) + count_word(u64(x >> 64));
#else
    return count_word(x);
#endif
}
// Return whether a set has any cells.
BOTH bool any(Set x) {
#ifdef WIDE
    return (u64(x) | u64(x >> 64)) != 0;
#else
    return x != 0;
#endif
}
BOTH int lowest(Set x) {
#ifdef WIDE
    return u64(x) ? lowest_of_word(u64(x)) : 64 + lowest_of_word(u64(x >> 64));
#else
    return lowest_of_word(x);
#endif
}

// Return the set of all cells for which the test is true.
template <class Test> BOTH Set where(Test test) {
    Set found = 0;
#ifdef __CUDA_ARCH__
#pragma unroll
    for (int first = 0; first < CELLS; first += 32)
        found |= Set(__ballot_sync(~0u, first + LANE < CELLS && test(first + LANE))) << first;
#else
    for (int cell = 0; cell < CELLS; cell++)
        if (test(cell)) found |= bit(cell);
#endif
    return found;
}

// Return the neighbours of all cells in the set x. The result can also contain bits beyond the board. With king
// adjacency, the result also contains the cells of the set x.
BOTH Set around(Set x) {
    Set side = (x << 1 & NOT_LEFT) | (x >> 1 & NOT_RIGHT);
#if KING
    side |= x;
    return side | side << COLS | side >> COLS;
#else
    return side | x << COLS | x >> COLS;
#endif
}

// Return the image of a cell, or of a set of cells, under a symmetry of the board. If bit 0 of `symmetry` is set, the
// board is flipped top to bottom; if bit 1 is set, it is flipped left to right. If bit 2 is set, which requires a square
// board, rows and columns are exchanged afterwards (for a set of cells; for a single cell, first).
BOTH int cell_image(int cell, int symmetry) {
    int row = cell / COLS, col = cell % COLS;
    if (symmetry & 4) row = cell % COLS, col = cell / COLS;
    return (symmetry & 1 ? ROWS - 1 - row : row) * COLS + (symmetry & 2 ? COLS - 1 - col : col);
}
BOTH Set image(Set cells, int symmetry) {
    return where([=](int cell) { return has(cells, cell_image(cell, symmetry)); });
}

// A lock-free hash table in the GPU's memory. Each word of an entry's key is stored XORed with a hash of the
// whole key and the entry's last word. Therefore, if two warps write the same entry at the same time and their words are
// interleaved, the entry matches no key.

struct Key {
    u64 a, b, c;
};
struct Table {
    ulonglong2 *entries;  // two for each key
    u64 buckets;
};
enum { WAYS = 4, EFFORT_BITS = 6 };  // the lowest bits of a stored word hold the bit length of the work

BOTH u64 high_product(u64 a, u64 b) {
#ifdef __CUDA_ARCH__
    return __umul64hi(a, b);
#else
    return u64((unsigned __int128)a * b >> 64);
#endif
}
BOTH u64 hashed(Key key) {
    u64 x = key.a * 0x9E3779B97F4A7C15ull + key.b;
    x = (x ^ x >> 29) * 0xBF58476D1CE4E5B9ull + key.c;
    x = (x ^ x >> 32) * 0x94D049BB133111EBull;
    x = (x ^ x >> 29) * 0xC2B2AE3D27D4EB4Full;
    return x ^ x >> 32;
}
BOTH ulonglong2 loaded(const ulonglong2 *at) {
#ifdef __CUDA_ARCH__
    return __ldcg(at);
#else
    return *at;
#endif
}
BOTH u64 sealed(u64 hash, u64 word, int part) { return ((word ^ hash) + part) * 0xD6E8FEB86659FD93ull ^ word >> 31; }

// Return the word of entry `i` of a bucket if it belongs to the key, or 0.
BOTH u64 matching(const ulonglong2 *bucket, int i, Key key, u64 hash, u64 &word) {
    ulonglong2 one = loaded(bucket + 2 * i), two = loaded(bucket + 2 * i + 1);
    word = two.y;
    bool same = (one.x ^ sealed(hash, word, 0)) == key.a && (one.y ^ sealed(hash, word, 1)) == key.b && (two.x ^ sealed(hash, word, 2)) == key.c;
    return same ? word : 0;
}

// Return the word stored for a key, or 0.
BOTH u64 recall(const Table &table, Key key) {
    u64 hash = hashed(key), word, found = 0;
    const ulonglong2 *bucket = table.entries + high_product(hash, table.buckets) * (2 * WAYS);
    for (int i = LANE; i < WAYS; i += LANES)
        if (u64 known = matching(bucket, i, key, hash, word)) found = known;
#ifdef __CUDA_ARCH__
    u32 lanes = __ballot_sync(~0u, found != 0);
    found = lanes ? __shfl_sync(~0u, found, __ffs(lanes) - 1) : 0;
#endif
    return found;
}

// Store a word that is not 0. In a full bucket, the new entry replaces the entry whose result took the least work.
BOTH void remember(const Table &table, Key key, u64 word, u32 work) {
    u64 hash = hashed(key), effort = 1, known;
    ulonglong2 *bucket = table.entries + high_product(hash, table.buckets) * (2 * WAYS);
    while (work > 1) work >>= 1, effort++;
    word |= effort;
    u32 worst = ~0u;
    for (int i = LANE; i < WAYS; i += LANES) {
        bool same = matching(bucket, i, key, hash, known) != 0;
        u32 cost = same ? i : (u32(known & ((1 << EFFORT_BITS) - 1)) + 1) * WAYS + i;
        worst = cost < worst ? cost : worst;
    }
    ulonglong2 *entry = bucket + 2 * (least(worst) % WAYS);
    if (LANE == 0) {
        entry[0] = {key.a ^ sealed(hash, word, 0), key.b ^ sealed(hash, word, 1)};
        entry[1] = {key.c ^ sealed(hash, word, 2), word};
    }
    together();
}
