// The search of one hard position: a tree of its first moves on the host, whose leaves are searched on the GPU.
//
// The file for each game defines Position, Job, Workspace, solve, SIZE_MATTERS, LEAD_MATTERS and the functions that are
// declared below.
#pragma once
#include "host.cuh"
#include <algorithm>
#include <cmath>
#include <unordered_map>

u64 hash_of(const Position &at);
bool same(const Position &one, const Position &two);
int size_of(const Position &at);  // smaller after every move
bool stuck(const Position &at);  // whether the player to move cannot move
float lead_of(const Position &at);  // how good the position looks for the player to move
std::vector<Position> moves_from(const Position &at);  // the positions after each move that matters
Position start();
bool read(const char *line, Position &at);  // a position as text

#ifdef __CUDACC__
__global__ void __launch_bounds__(32 * WARPS, RESIDENT) search(Table table, Workspace *spaces, Job *jobs, u32 number, u32 budget) {
    u32 i = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (i < number) solve(table, spaces[i], jobs[i], budget);
}
#endif

// The tree of positions. The work needed to prove a leaf won or lost is estimated from the leaf's size, and from the lead
// of the player to move.
const float OTHERS = 0.5f;  // how much the other moves count, beside the hardest one, if a position is lost
const float SHARP = 2;  // how strictly the tokens follow the estimates
const u32 SPLIT = 4;  // a leaf with this many tokens is replaced with its moves

enum State : u8 { LEAF, OPEN, WON, LOST };
struct Node {
    Position at;
    float lead, win, loss;  // the estimated work to prove that the player to move wins, and loses
    u32 children, number, parents, tokens;
    bool dirty, taken;  // taken: this leaf is being searched
    State state;
};
struct Edge {
    u32 node, next;
};
const float NEVER = 1e30f;
const u32 NONE = ~0u;

struct Tree {
    std::vector<Node> nodes;
    std::vector<u32> children;
    std::vector<Edge> parents;
    std::unordered_multimap<u64, u32> known;
    std::vector<std::vector<u32>> changed, given;  // by size
    u64 decided = 0;

    u32 node(const Position &at) {
        u64 hash = hash_of(at);
        auto range = known.equal_range(hash);
        for (auto one = range.first; one != range.second; ++one)
            if (same(nodes[one->second].at, at)) return one->second;
        float ahead = std::max(-25.0f, std::min(25.0f, lead_of(at))), size = SIZE_MATTERS * size_of(at);
        Node made = {at, ahead, expf(size - LEAD_MATTERS * ahead), expf(size + LEAD_MATTERS * ahead), 0, 0, NONE, 0, false, false, LEAF};
        if (stuck(at)) made.state = LOST, made.win = NEVER, made.loss = 0, decided++;
        nodes.push_back(made);
        known.emplace(hash, u32(nodes.size() - 1));
        return u32(nodes.size() - 1);
    }

    void expand(u32 index) {
        std::vector<u32> found;
        for (const Position &next : moves_from(nodes[index].at)) found.push_back(node(next));
        std::sort(found.begin(), found.end());
        found.erase(std::unique(found.begin(), found.end()), found.end());
        std::stable_sort(found.begin(), found.end(), [this](u32 a, u32 b) { return nodes[a].lead < nodes[b].lead; });
        nodes[index].children = u32(children.size()), nodes[index].number = u32(found.size()), nodes[index].state = OPEN;
        for (u32 child : found) {
            children.push_back(child);
            parents.push_back({index, nodes[child].parents});
            nodes[child].parents = u32(parents.size() - 1);
        }
        touch(index);
    }

    void touch(u32 index) {
        if (nodes[index].dirty) return;
        nodes[index].dirty = true;
        changed[size_of(nodes[index].at)].push_back(index);
    }

    void touch_parents(u32 index) {
        for (u32 edge = nodes[index].parents; edge != NONE; edge = parents[edge].next) touch(parents[edge].node);
    }

    void settle(u32 index, bool won) {
        Node &node = nodes[index];
        if (node.state >= WON) return;
        node.state = won ? WON : LOST, node.win = won ? 0 : NEVER, node.loss = won ? NEVER : 0, decided++;
        touch_parents(index);
    }

    // Bring all estimates up to date, starting with the smallest positions.
    void update() {
        for (auto &level : changed) {
            for (u32 index : level) {
                Node &node = nodes[index];
                node.dirty = false;
                if (node.state != OPEN) continue;
                float win = NEVER, sum = 0, most = 0;
                for (u32 i = 0; i < node.number; i++) {
                    const Node &child = nodes[children[node.children + i]];
                    win = std::min(win, child.loss), sum += child.win, most = std::max(most, child.win);
                }
                float loss = std::min(most + OTHERS * (sum - most), NEVER / 8);
                if (win == 0 || sum == 0) {
                    settle(index, win == 0);
                } else if (win != node.win || loss != node.loss) {
                    node.win = win, node.loss = loss;
                    touch_parents(index);
                }
            }
            level.clear();
        }
    }

    // Distribute tokens, which stand for search effort, from the root down; most tokens go to the moves that are easiest
    // to prove. A leaf that gets at least SPLIT tokens (units of search effort) is expanded, so that its tokens go to
    // its moves. A leaf that gets fewer tokens is added to `leaves`, the positions to be searched.
    void share(u32 tokens, std::vector<u32> &leaves) {
        std::vector<std::pair<float, u32>> open;
        nodes[0].tokens = tokens;
        given[size_of(nodes[0].at)].push_back(0);
        for (size_t level = given.size(); level-- > 0; given[level].clear()) {
            for (size_t at = 0; at < given[level].size(); at++) {
                u32 index = given[level][at], left = nodes[index].tokens, all = left;
                nodes[index].tokens = 0;
                if (nodes[index].taken || nodes[index].state >= WON) continue;
                if (nodes[index].state == LEAF && left >= SPLIT) expand(index);
                if (nodes[index].state == LEAF) {
                    leaves.push_back(index);
                    continue;
                }
                open.clear();
                float total = 0;
                for (u32 i = 0; i < nodes[index].number; i++) {
                    u32 child = children[nodes[index].children + i];
                    if (nodes[child].state < WON) open.push_back({nodes[child].loss, child});
                }
                std::sort(open.begin(), open.end());
                float best = open[0].first;
                for (auto &one : open) total += one.first = powf(best / one.first, SHARP);  // from now on its weight
                for (auto &one : open) {
                    u32 part = std::min(left, u32(ceilf(all * one.first / total)));
                    if (!part) break;
                    Node &child = nodes[one.second];
                    if (!child.tokens) given[size_of(child.at)].push_back(one.second);
                    child.tokens += part, left -= part;
                }
            }
        }
    }
};

// Searches that run at the same time

struct Batch {
    std::vector<u32> leaves;
    Job *jobs;
    bool busy = false;
#ifdef __CUDACC__
    Job *jobs_there;
    Workspace *spaces;
    cudaStream_t stream;
#endif
};

struct Machine {
    Table table;
    u32 most, budget;
    std::vector<Batch> batches;

    Machine(double gigabytes, u32 most, u32 number, u32 budget) : table(cleared(gigabytes)), most(most), budget(budget), batches(number) {
#ifdef __CUDACC__
        for (Batch &batch : batches) {
            CHECK(cudaMallocHost(&batch.jobs, sizeof(Job) * most));
            CHECK(cudaMalloc(&batch.jobs_there, sizeof(Job) * most));
            CHECK(cudaMalloc(&batch.spaces, sizeof(Workspace) * most));
            CHECK(cudaStreamCreateWithFlags(&batch.stream, cudaStreamNonBlocking));
        }
#else
        for (Batch &batch : batches) batch.jobs = (Job *)calloc(sizeof(Job), most);
#endif
    }

    void begin(Batch &batch, u32 number) {
        batch.busy = true;
#ifdef __CUDACC__
        CHECK(cudaMemcpyAsync(batch.jobs_there, batch.jobs, sizeof(Job) * number, cudaMemcpyHostToDevice, batch.stream));
        search<<<(number + WARPS - 1) / WARPS, 32 * WARPS, 0, batch.stream>>>(table, batch.spaces, batch.jobs_there, number, budget);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpyAsync(batch.jobs, batch.jobs_there, sizeof(Job) * number, cudaMemcpyDeviceToHost, batch.stream));
#else
        static Workspace space;
        for (u32 i = 0; i < number; i++) solve(table, space, batch.jobs[i], budget);
#endif
    }

    // Return true if a batch of searches has finished since the last call; the batch can then be used again.
    bool ended(Batch &batch) {
        if (!batch.busy) return false;
#ifdef __CUDACC__
        cudaError_t state = cudaStreamQuery(batch.stream);
        if (state == cudaErrorNotReady) return false;
        CHECK(state);
#endif
        batch.busy = false;
        return true;
    }
};

// Search the positions on standard input, one per line, and print 1 for a win of the player to move, or 0.
int check_positions(Machine &machine) {
    char line[256];
    std::vector<Position> positions;
    for (Position at; fgets(line, sizeof line, stdin);) {
        if (!read(line, at)) return fprintf(stderr, "This is not a position: %s", line), 2;
        positions.push_back(at);
    }
    Batch &batch = machine.batches[0];
    for (size_t first = 0; first < positions.size(); first += machine.most) {
        u32 number = u32(std::min(positions.size() - first, size_t(machine.most)));
        for (u32 i = 0; i < number; i++) batch.jobs[i] = Job{positions[first + i], 0, 0};
        machine.begin(batch, number);
        while (!machine.ended(batch)) {}
        for (u32 i = 0; i < number; i++) printf("%d\n", batch.jobs[i].result);
    }
    return 0;
}

// Search one position until it is decided or the time is up.
int search_position(Machine &machine, Tree &tree, double seconds, u32 tokens) {
    double begun = now(), said = 0;
    u64 positions = 0, searches = 0;
    u32 running = 0;
    std::vector<u32> leaves;
    tree.changed.resize(size_of(tree.nodes[0].at) + 1), tree.given.resize(size_of(tree.nodes[0].at) + 1);
    while (tree.nodes[0].state < WON && now() - begun < seconds) {
        size_t idle = 0, next = 0;
        for (Batch &batch : machine.batches) {
            if (machine.ended(batch)) {
                for (size_t i = 0; i < batch.leaves.size(); i++) {
                    const Job &job = batch.jobs[i];
                    u32 leaf = batch.leaves[i];
                    positions += job.work, searches++, running--;
                    tree.nodes[leaf].taken = false;
                    if (job.result >= 0) tree.settle(leaf, job.result);
                    else tree.expand(leaf);
                }
            }
            idle += !batch.busy;
        }
        if (!idle) continue;
        tree.update();
        leaves.clear();
        tree.share(tokens, leaves);
        tree.update();
        for (Batch &batch : machine.batches) {
            if (batch.busy || next == leaves.size()) continue;
            size_t number = std::min({leaves.size() - next, size_t(machine.most), std::max(size_t(256), leaves.size() / idle)});
            batch.leaves.assign(leaves.begin() + next, leaves.begin() + next + number);
            next += number, running += u32(number);
            for (size_t i = 0; i < number; i++) {
                Node &leaf = tree.nodes[batch.leaves[i]];
                batch.jobs[i] = Job{leaf.at, 0, 0}, leaf.taken = true;
            }
            machine.begin(batch, u32(number));
        }
        if (now() - said > 10) {
            said = now();
            fprintf(stderr, "%.0f s: %.3f billion positions, %llu searches, %u running, %zu nodes, %llu decided, win %.3g, loss %.3g\n",
                said - begun, positions * 1e-9, searches, running, tree.nodes.size(), tree.decided, tree.nodes[0].win, tree.nodes[0].loss);
        }
    }
    State state = tree.nodes[0].state;
    const char *winner = state == WON ? "The first player wins" : state == LOST ? "The second player wins" : "The winner is not known";
    printf("%s on %dx%d (%s): %llu positions, %.1f s.\n", winner, ROWS, COLS, KING ? "king" : "orthogonal", positions, now() - begun);
    fflush(stdout);
    _Exit(state >= WON ? 0 : 5);  // without waiting for the searches that still run
}

int main(int argc, char **argv) {
    bool checks = argc == 3 && !strcmp(argv[1], "check");
    if (!checks && (argc < 3 || argc > 5 || atof(argv[1]) <= 0)) {
        fprintf(stderr, "usage: %s SECONDS GIGABYTES [TOKENS BUDGET], or %s check GIGABYTES\n", argv[0], argv[0]);
        return 2;
    }
    Machine machine(atof(argv[2]), 2048, checks ? 1 : PARALLEL, checks ? NONE : argc > 4 ? u32(atof(argv[4])) : 20000);
    if (checks) return check_positions(machine);
    Tree tree;
    tree.node(start());
    return search_position(machine, tree, atof(argv[1]), argc > 3 ? u32(atof(argv[3])) : 16384);
}
