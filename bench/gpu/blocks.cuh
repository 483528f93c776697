// The exact values of all positions of Scatter that fit into a block of BLOCK_ROWS x BLOCK_COLS cells, and the zones of
// the board's cells.
//
// As in the engine, a value is stored as one integer: twice the number of units, plus one for a star. One move is UNIT units.
#pragma once
#include "host.cuh"

#ifndef BLOCK_ROWS
#define BLOCK_ROWS 4
#endif
#ifndef BLOCK_COLS
#define BLOCK_COLS 4
#endif
enum { BLOCK = BLOCK_ROWS * BLOCK_COLS, UNIT = 1024, BIG = 1 << 23 };
static_assert(BLOCK <= 16 && BLOCK_ROWS <= ROWS && BLOCK_COLS <= COLS, "A block has at most 16 cells, and fits on the board.");

Set zones_here[CELLS];
#ifdef __CUDACC__
__device__ Set zones_there[CELLS];
#endif
// Return the cells that a token on a cell closes to its owner.
BOTH Set zone(int cell) {
#ifdef __CUDA_ARCH__
    return zones_there[cell];
#else
    return zones_here[cell];
#endif
}

short *values_here;  // by the cells open to the player to move, followed by the cells open to the opponent
#ifdef __CUDACC__
__device__ short *values_there;
#endif
BOTH int value(u32 p, u32 q) {
#ifdef __CUDA_ARCH__
    return values_there[u64(p) << BLOCK | q];
#else
    return values_here[u64(p) << BLOCK | q];
#endif
}

// Return the cells that a token on a block's cell closes to its owner.
BOTH u32 block_zone(int cell) {
    u32 found = 0;
    for (int row = 0; row < BLOCK_ROWS; row++)
        for (int col = 0; col < BLOCK_COLS; col++) {
            int down = row - cell / BLOCK_COLS, right = col - cell % BLOCK_COLS;
            bool near = KING ? down * down < 2 && right * right < 2 : down * down + right * right < 2;
            if (near) found |= 1 << (row * BLOCK_COLS + col);
        }
    return found;
}

// Stop the program: a value needs a finer unit.
BOTH void fail() {
#ifdef __CUDA_ARCH__
    __trap();
#else
    abort();
#endif
}

// Return the simplest number in an interval (as in the engine).
BOTH int simplest(int low, bool pass_low, int high, bool pass_high) {
    if (low + pass_low <= 0 && 0 <= high - pass_high) return 0;
    bool negative = high <= 0;
    if (negative) {
        int least = -high;
        bool pass_least = pass_high;
        high = -low, pass_high = pass_low, low = least, pass_low = pass_least;
    }
    for (int unit = UNIT;; unit >>= 1) {
        int v = low / unit * unit;
        if (v < low || pass_low) v += unit;
        if (v + pass_high <= high) return negative ? -v : v;
        if (unit == 1) fail();
    }
}

// Find the value of a position in a block from the values of the positions after each move.
BOTH int block_value(u32 p, u32 q) {
    int below = 1 - 2 * BIG, above = 2 * BIG;
    for (int c = 0; c < BLOCK; c++) {
        u32 closed = block_zone(c);
        if (p >> c & 1) {
            int v = value(p & ~closed, q & ~(1u << c)) ^ 1;
            below = v > below ? v : below;
        }
        if (q >> c & 1) {
            int v = value(p & ~(1u << c), q & ~closed);
            above = v < above ? v : above;
        }
    }
    if (below >> 1 != above >> 1 || (!(below & 1) && (above & 1)))
        return 2 * simplest(below >> 1, below & 1, above >> 1, !(above & 1));
    return 2 * (below >> 1) + 1;
}

#ifdef __CUDACC__
__global__ void fill(short *values, int open) {
    for (u64 at = blockIdx.x * u64(blockDim.x) + threadIdx.x; at >> 2 * BLOCK == 0; at += u64(gridDim.x) * blockDim.x)
        if (count_word(at) == open) values[at] = short(block_value(u32(at >> BLOCK), u32(at) & ((1u << BLOCK) - 1)));
}
#endif

// Tabulate the values on the host.
void tabulate() {
    u64 number = u64(1) << 2 * BLOCK;
    values_here = (short *)calloc(number, sizeof(short));
    // Every move leads to a smaller pair of sets.
    for (u64 at = 0; at < number; at++) values_here[at] = short(block_value(u32(at >> BLOCK), u32(at) & ((1u << BLOCK) - 1)));
}

// Tabulate the zones of all cells, and the values of all positions in a block, where the search needs them.
void prepare() {
    for (int cell = 0; cell < CELLS; cell++) zones_here[cell] = (around(bit(cell)) | bit(cell)) & ALL;
#ifdef __CUDACC__
    short *values;
    CHECK(cudaMemcpyToSymbol(zones_there, zones_here, sizeof zones_here));
    CHECK(cudaMalloc(&values, sizeof(short) << 2 * BLOCK));
    CHECK(cudaMemcpyToSymbol(values_there, &values, sizeof values));
    for (int open = 0; open <= 2 * BLOCK; open++) fill<<<132 * 16, 256>>>(values, open);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
#else
    tabulate();
#endif
}
