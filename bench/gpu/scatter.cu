// Solve Scatter on a GPU.
//
//     nvcc -O3 -arch=sm_90 -std=c++17 -DROWS=9 -DCOLS=9 -DKING=1 -DWIDE scatter.cu -o scatter && ./scatter 600 130
//     c++ -O2 -std=c++17 -DROWS=5 -DCOLS=7 -DKING=0 -DBLOCK_ROWS=3 -x c++ scatter.cu -o scatter && ./scatter 60 1
//
// The first command uses a GPU; the second needs none. The numbers after ./scatter are the time limit for the search,
// in seconds, and the size of its table, in gigabytes. Boards of more than 64 cells need -DWIDE.
//
// Another table holds the values of all positions that fit into a block of BLOCK_ROWS x BLOCK_COLS cells. It takes 9 GB
// for 4x4, 2 GB for 5x3, and 34 MB for 3x4. The techniques REPLY, CENTRE, DOMINANCE, REGIONS and BLOCKS can be switched
// off (-DBLOCKS=0).
#ifndef REGIONS
#define REGIONS 1
#endif
#ifndef BLOCKS
#define BLOCKS 1
#endif
#include "positions.cuh"

enum { WARPS = 4, RESIDENT = 4, DEEP = 2 * CELLS, HIGH = 6, LOW = 32, BOUND = (1 << 26) - 1, CHECKED = 64 };
#ifdef __CUDACC__
const u32 PARALLEL = 132 * WARPS * RESIDENT;  // one search for each warp that an H200 can run at a time
#else
const u32 PARALLEL = 1;
#endif

struct Position {
    Set p, q;  // the cells open to the player to move, and the cells open to the opponent
};
struct Sum {
    Set p, q;
    int x;  // a number that is added to the position
    bool passed;  // whether the player to move has taken a star, so that the opponent is to move
    bool attacks;  // whether the player to move is the one who is to move at the root
    Key key;
};
enum Stage : u8 { REPLIED, NOT_ARRANGED, MOVES, NUMBER };
struct Frame {
    Key key;
    Set p, q;
    u64 start;
    int x;
    Stage stage;
    bool passed, attacks, mirrored;
    u8 next, number, moves[CELLS];
};
// The state of one search, which can be interrupted and continued.
struct Search {
    Sum at;
    int result, depth, reply;
    u32 seed;
    u64 work;
    int found;  // 1: the player to move at the root wins, 0: loses, -1: not known yet, -2: the search is too deep
    Frame frames[DEEP];
    int scores[CELLS];
};

// The search

// Return 1 or 0 if the table says that the player to move wins or loses the sum of a position and x; otherwise return -1.
BOTH int looked_up(const Table &table, Key key, int x) {
    u64 known = recall(table, key);
    if (!known) return -1;
    if (int(known >> LOW) - 2 * BIG > -2 * x) return 1;
    return int(known >> HIGH & BOUND) - 2 * BIG <= -2 * x ? 0 : -1;
}

// Store what a search has shown: the value is greater than -x, or at most -x (star aside).
BOTH void note(const Table &table, Key key, int x, bool won, u64 work) {
    u64 known = recall(table, key);
    int low = known ? int(known >> LOW) - 2 * BIG : -2 * BIG, high = known ? int(known >> HIGH & BOUND) - 2 * BIG : 2 * BIG - 1;
    if (won) low = 1 - 2 * x > low ? 1 - 2 * x : low;
    else high = -2 * x < high ? -2 * x : high;
    u32 effort = work < ~0u ? u32(work) : ~0u;
    remember(table, key, u64(low + 2 * BIG) << LOW | u64(high + 2 * BIG) << HIGH, effort);
}

// Remove cells that do not matter, and regions whose values are known. Return 1 if the player to move wins, 0 if the
// player loses, and -1 if a search must decide; the results are those of the player to move after `passed`.
BOTH int judge(const Table &table, Sum &at) {
    prune(at.p, at.q);
    at.passed = false;
    if (REGIONS) {
        bool star = false;
        for (Set rest = at.p | at.q; any(rest);) {
            Set part = region_of(at.p & rest, at.q & rest);
            rest &= ~part;
            if (count(part) > BLOCK) continue;
            Box box = box_of(part);
            if (box.rows > BLOCK_ROWS || box.cols > BLOCK_COLS) continue;
            int v = value(pattern(at.p & part, box.top, box.left, box.cols), pattern(at.q & part, box.top, box.left, box.cols));
            at.x += v >> 1, star ^= v & 1;
            at.p &= ~part, at.q &= ~part;
        }
        if (star) {  // to take a star is always a best move
            Set p = at.p;
            at.p = at.q, at.q = p, at.x = -at.x, at.passed = true, at.attacks = !at.attacks;
        }
    }
    if (!any(at.p | at.q)) return at.x > 0;
    int found = bounded(at.p, at.q, at.x);
    if (found >= 0) return found;
    if (standardise(at.p, at.q, at.key)) return at.x > 0;
    found = looked_up(table, at.key, at.x);
    if (found >= 0) return found;
    return BLOCKS ? bounded_by_blocks(at.p, at.q, at.x) : -1;
}

BOTH u32 mixed(u64 x) {
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ x >> 27) * 0x94D049BB133111EBull;
    return u32(x >> 32);
}

// Return the index of the move to try next. Many searches of one position run at once, and share one table. The player
// who moves first at the root is expected to lose, so that all moves of this player must be searched. Each search tries
// them in a random order of its own, and finds in the table what other searches have proved.
BOTH int chosen(const Search &space, const Frame &here, u64 work) {
    int left = here.number - here.next;
    return here.next + (here.attacks && space.seed ? int(mixed(u64(space.seed) << 40 ^ work) % left) : 0);
}

// Begin the search of a position.
BOTH void begin(Search &space, Position root, u32 seed) {
    space.at = {root.p, root.q, 0, false, true, {0, 0, 0}};
    space.result = space.found = -1, space.depth = 0, space.work = 0, space.seed = seed;
    space.reply = -2;  // not known yet
}

// Continue a search for up to `budget` positions.
BOTH void advance(const Table &table, Search &space, u64 budget) {
    if (space.found != -1) return;
    Sum at = space.at;
    int depth = space.depth, result = space.result, reply = space.reply, found = -1;
    u64 work = space.work, end = work + budget, check = work + CHECKED;
    if (reply == -2) reply = restoring(at.p, at.q);
    while (work < end) {
        if (depth == DEEP - 1) {
            found = -2;
            break;
        }
        if (work >= check) {  // has another search decided a position that this search is busy with?
            check = work + CHECKED;
            for (int i = 0; i < depth; i++) {
                int known = looked_up(table, space.frames[i].key, space.frames[i].x);
                if (known < 0) continue;
                depth = i - 1, result = known ^ space.frames[i].passed;
                break;
            }
            if (depth < 0) {
                found = result;
                break;
            }
        }
        Frame &here = space.frames[depth];
        bool decided = true;
        if (result < 0) {  // a new position
            work++;
            Sum whole = at;
            result = judge(table, at);
            if (result >= 0) {
                result ^= at.passed;
            } else {
                bool replies = reply >= 0 && has(whole.p, reply);
                bool mirrored = MIRRORS && (KING || turned(at.p) == at.q);
                together();
                if (LANE == 0) {
                    here.key = at.key, here.p = at.p, here.q = at.q, here.x = at.x, here.start = work;
                    here.stage = replies ? REPLIED : NOT_ARRANGED;
                    here.passed = at.passed, here.attacks = at.attacks, here.mirrored = mirrored;
                }
                together();
                if (replies) {
                    at = {whole.q & ~bit(reply), whole.p & ~zone(reply), -whole.x, false, !whole.attacks, {0, 0, 0}};
                    reply = -1, depth++;
                    continue;
                }
                decided = false;
            }
        } else {  // back from a move
            Stage stage = here.stage;
            if (stage == NUMBER) result = !result;
            else if (!result) result = stage == REPLIED ? 1 ^ here.passed : 1;
            else decided = false;
            together();
            if (stage == REPLIED && LANE == 0) here.stage = NOT_ARRANGED;
            together();
            if (decided) {
                note(table, here.key, here.x, result, work - here.start + 1);
                result ^= here.passed;
            }
        }
        if (!decided) {
            Set p = here.p, q = here.q;
            int x = here.x;
            if (here.stage == NOT_ARRANGED) {
                int number = arrange(space.scores, here.moves, p, q, x);
                together();
                if (LANE == 0) here.stage = MOVES, here.next = 0, here.number = number < 0 ? 0 : u8(number);
                together();
                if (number < 0) result = 1, decided = true;
            }
            if (!decided && here.next < here.number) {
                int next = here.next, k = chosen(space, here, work), c = here.moves[k];
                together();
                if (LANE == 0) here.moves[k] = here.moves[next], here.next = u8(next + 1);
                together();
                at = {q & ~bit(c), p & ~zone(c), -x, false, !here.attacks, {0, 0, 0}};
                reply = here.mirrored ? CELLS - 1 - c : -1;
                result = -1, depth++;
                continue;
            }
            int step = x & -x;
            if (step > UNIT) step = UNIT;
            if (!decided && x <= 0 && (step == UNIT || !x)) result = 0, decided = true;
            if (!decided) {
                together();
                if (LANE == 0) here.stage = NUMBER;
                together();
                at = {q, p, step - x, false, !here.attacks, {0, 0, 0}};
                reply = result = -1, depth++;
                continue;
            }
            note(table, here.key, x, result, work - here.start + 1);
            result ^= here.passed;
        }
        if (depth-- == 0) {
            found = result;
            break;
        }
    }
    together();
    if (LANE == 0) {
        space.at = at, space.depth = depth, space.result = result, space.reply = reply, space.work = work;
        space.found = found;
    }
}

#ifdef __CUDACC__
__global__ void __launch_bounds__(32 * WARPS, RESIDENT) search(Table table, Search *spaces, u32 number, u64 budget) {
    u32 i = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (i < number) advance(table, spaces[i], budget);
}
#endif

// Read a position: for each cell, b if it is open to both players, m if only to the player to move, o if only to the
// opponent, and # if it is closed.
bool read(const char *line, Position &at) {
    char cells[129];
    if (sscanf(line, "%128s", cells) != 1 || strlen(cells) != CELLS || strspn(cells, "bmo#") != CELLS) return false;
    at.p = at.q = 0;
    for (int i = 0; i < CELLS; i++) {
        if (strchr("bm", cells[i])) at.p |= bit(i);
        if (strchr("bo", cells[i])) at.q |= bit(i);
    }
    return true;
}

// Searches that run at the same time.
struct Machine {
    Table table;
    std::vector<Search> searches;
#ifdef __CUDACC__
    Search *there;
#endif

    Machine(double gigabytes, const std::vector<Position> &roots) : table(cleared(gigabytes)), searches(roots.size()) {
        for (size_t i = 0; i < roots.size(); i++) begin(searches[i], roots[i], u32(i));
#ifdef __CUDACC__
        CHECK(cudaMalloc(&there, sizeof(Search) * searches.size()));
        CHECK(cudaMemcpy(there, searches.data(), sizeof(Search) * searches.size(), cudaMemcpyHostToDevice));
#endif
    }

    void advance_all(u64 budget) {
#ifdef __CUDACC__
        u32 number = u32(searches.size());
        search<<<(number + WARPS - 1) / WARPS, 32 * WARPS>>>(table, there, number, budget);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy2D(searches.data(), sizeof(Search), there, sizeof(Search), offsetof(Search, frames), number, cudaMemcpyDeviceToHost));
#else
        for (Search &one : searches) advance(table, one, budget);
#endif
    }
};

// Search the positions on standard input, one per line, and print 1 for a win of the player to move, or 0.
int check_positions(double gigabytes) {
    char line[256];
    std::vector<Position> positions;
    for (Position at; fgets(line, sizeof line, stdin);) {
        if (!read(line, at)) return fprintf(stderr, "This is not a position: %s", line), 2;
        positions.push_back(at);
    }
    Machine machine(gigabytes, positions);
    for (bool open = true; open;) {
        machine.advance_all(10000);
        open = false;
        for (const Search &one : machine.searches) open |= one.found == -1;
    }
    for (const Search &one : machine.searches) printf("%d\n", one.found);
    return 0;
}

// Search the empty board until it is decided or the time is up.
int search_board(double seconds, double gigabytes, u32 number, u64 budget) {
    double begun = now(), said = 0;
    Machine machine(gigabytes, std::vector<Position>(number, {ALL, ALL}));
    int found = -1;
    u64 positions = 0;
    while (found < 0 && now() - begun < seconds) {
        machine.advance_all(budget);
        positions = 0;
        int depth = 0;
        for (const Search &one : machine.searches) {
            positions += one.work, depth = one.depth > depth ? one.depth : depth;
            if (one.found != -1) found = one.found;
        }
        if (found == -2) return fprintf(stderr, "The search is too deep.\n"), 1;
        if (now() - said > 10) {
            said = now();
            fprintf(stderr, "%.0f s: %.3f billion positions, depth %d\n", said - begun, positions * 1e-9, depth);
        }
    }
    const char *winner = found == 1 ? "The first player wins" : found == 0 ? "The second player wins" : "The winner is not known";
    printf("%s on %dx%d (%s): %llu positions, %.1f s.\n", winner, ROWS, COLS, KING ? "king" : "orthogonal", positions, now() - begun);
    return found >= 0 ? 0 : 5;
}

int main(int argc, char **argv) {
    bool checks = argc == 3 && !strcmp(argv[1], "check");
    if (!checks && (argc < 3 || argc > 5 || atof(argv[1]) <= 0)) {
        fprintf(stderr, "usage: %s SECONDS GIGABYTES [SEARCHES BUDGET], or %s check GIGABYTES\n", argv[0], argv[0]);
        return 2;
    }
    prepare();
    if (checks) return check_positions(atof(argv[2]));
    return search_board(atof(argv[1]), atof(argv[2]), argc > 3 ? u32(atof(argv[3])) : PARALLEL, argc > 4 ? u64(atof(argv[4])) : 2000);
}
