// What the host needs: a clock, error checks for CUDA, and memory for the table.
#pragma once
#include "lanes.cuh"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

#ifdef __CUDACC__
#define CHECK(call) check((call), #call)
void check(cudaError_t error, const char *call) {
    if (error == cudaSuccess) return;
    fprintf(stderr, "%s: %s\n", call, cudaGetErrorString(error));
    exit(1);
}
#endif

double now() {
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

// Return an empty table.
Table cleared(double gigabytes) {
    Table table;
    table.buckets = u64(gigabytes * 1e9 / (2 * WAYS * sizeof(ulonglong2)));
    size_t bytes = table.buckets * 2 * WAYS * sizeof(ulonglong2);
#ifdef __CUDACC__
    CHECK(cudaMalloc(&table.entries, bytes));
    CHECK(cudaMemset(table.entries, 0, bytes));
#else
    table.entries = (ulonglong2 *)calloc(bytes, 1);
#endif
    return table;
}
