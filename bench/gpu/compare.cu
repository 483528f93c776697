// Check that the functions for positions of Scatter return the same results on the GPU and on the host.
//
//     nvcc -O3 -arch=sm_90 -std=c++17 -DROWS=9 -DCOLS=9 -DKING=1 -DWIDE -DBLOCK_ROWS=2 compare.cu -o compare && ./compare
//
// The program prints each function whose results differ, with the first position that shows it.
#include "positions.cuh"
#include <random>

enum { POSITIONS = 3000 };
const char *const NAMES[] = {
    "around", "zone", "lowest", "highest", "count", "turned", "image 1", "image 2", "image 3",
    "prune p", "prune q", "region_of", "box_of top", "box_of left", "box_of rows", "box_of cols",
    "runs", "cover", "apart", "ceiling", "bounded", "block_ceiling", "bounded_by_blocks", "undominated",
    "room", "outlook", "balanced", "key a", "key b", "key c", "restoring",
};
enum { RESULTS = sizeof NAMES / sizeof *NAMES };
struct Row {
    Set p, q, results[RESULTS];
};

BOTH void compute(Row &row, Set *results) {
    Set p = row.p, q = row.q, left_p = p, left_q = q, region = region_of(p, q);
    prune(left_p, left_q);
    Box box = box_of(region);
    Key key = {0, 0, 0};
    bool balanced = standardise(p, q, key);
    Set found[] = {
        around(p), zone(lowest(p)), Set(lowest(p)), Set(highest(p)), Set(count(p)), turned(p), image(p, 1), image(p, 2), image(p, 3),
        left_p, left_q, region, Set(box.top), Set(box.left), Set(box.rows), Set(box.cols),
        Set(runs(p)), Set(cover(p)), apart(p, q), Set(ceiling(p, q)), Set(bounded(p, q, 0)),
        Set(block_ceiling(p, q, apart(p, q), 1, 2)), Set(bounded_by_blocks(p, q, 0)), undominated(p, q),
        Set(room(p)), Set(outlook(p, q)), Set(balanced), key.a, key.b, key.c, Set(restoring(p, q)),
    };
    static_assert(sizeof found == sizeof row.results, "Each result has a name.");
    for (int i = 0; i < RESULTS; i++) results[i] = found[i];
}

__global__ void compute_all(Row *rows) {
    for (int i = 0; i < POSITIONS; i++) {
        Set results[RESULTS];
        compute(rows[i], results);
        together();
        if (LANE == 0)
            for (int k = 0; k < RESULTS; k++) rows[i].results[k] = results[k];
        together();
    }
}

int main() {
    static Row rows[POSITIONS], answers[POSITIONS];
    std::mt19937_64 dice(7);
    auto some = [&] {
        Set one = dice(), two = dice();
        one = one << 32 << 28 ^ dice(), two = two << 32 << 28 ^ dice();
        return (dice() & 1 ? one & two : one | two) & ALL;
    };
    for (Row &row : rows) {
        row.p = some() | bit(int(dice() % CELLS));
        row.q = dice() % 4 ? some() : image(row.p, 3);
    }
    prepare();
    tabulate();
    Row *there;
    CHECK(cudaMalloc(&there, sizeof rows));
    CHECK(cudaMemcpy(there, rows, sizeof rows, cudaMemcpyHostToDevice));
    compute_all<<<1, 32>>>(there);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(answers, there, sizeof rows, cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int k = 0; k < RESULTS; k++) {
        int first = -1, number = 0;
        for (int i = 0; i < POSITIONS; i++) {
            Set results[RESULTS];
            compute(rows[i], results);
            if (results[k] == answers[i].results[k]) continue;
            if (!number++) first = i;
        }
        if (!number) continue;
        wrong++;
        printf("%s differs on %d of %d positions, first on ", NAMES[k], number, int(POSITIONS));
        for (int cell = 0; cell < CELLS; cell++) putchar("#mob"[has(rows[first].p, cell) + 2 * has(rows[first].q, cell)]);
        printf("\n");
    }
    if (!wrong) printf("The GPU and the host agree on %d positions.\n", int(POSITIONS));
    return wrong != 0;
}
