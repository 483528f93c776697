// Solve Trails on a GPU.
//
//     nvcc -O3 -arch=sm_90 -std=c++17 -DROWS=7 -DCOLS=9 -DKING=1 trails.cu -o trails && ./trails 600 125
//     c++ -O2 -std=c++17 -x c++ -DROWS=5 -DCOLS=5 -DKING=1 trails.cu -o trails && ./trails 60 1
//
// The first command uses a GPU; the second needs none. The numbers after ./trails are the time limit for the search,
// in seconds, and the size of its table, in gigabytes. Boards of more than 63 cells need -DWIDE.
//
// The techniques WALL and LOOK can be switched off (-DWALL=0, -DLOOK=99). If at least LOOK cells are free, moves are
// ordered by looking two moves further ahead. docs/engine/trails.md explains why the techniques are sound.
#ifndef WALL
#define WALL 1
#endif
#ifndef LOOK
#define LOOK 40
#endif
#include "lanes.cuh"
#include <cstdlib>

enum { DEEP = CELLS + 2, STUCK = -900, WARPS = 4, RESIDENT = 8, RESULT = 16, SHORTEST = 16, MOST = 24 };
#ifdef __CUDACC__
enum { PARALLEL = 32 };
#else
enum { PARALLEL = 1 };
#endif

struct Position {
    Set free;
    int me, them;
};
struct Frame {
    Set free;
    u64 moves;  // cells in order, one byte each
    u32 start;
    u8 me, them, left, need;
};
struct PathFrame {
    Set region, moves;
    u32 start;
    u8 cell, shortest, most, need;
};
struct Workspace {
    Frame frames[DEEP];
    PathFrame path[DEEP];
    int scores[8], leads[8];
};
struct Job {
    Position at;
    int result;  // 1: the player to move wins, 0: loses, -1: not known
    u32 work;
};

BOTH Key key_of(Set free, int me, int them) {
#ifdef WIDE
    return {u64(free), u64(free >> 64), u64(me | them << 8)};
#else
    return {free, u64(me | them << 8), 0};
#endif
}

// Return the free cells that can be reached from the start.
BOTH Set flood(Set start, Set free) {
    Set seen = 0, fresh = around(start) & free;
    while (fresh) {
        seen |= fresh;
        fresh = around(fresh) & free & ~seen;
    }
    return seen;
}

// Return a position's standard form: the rotation or reflection that gives the pawns' cells the lowest numbers; in a tie,
// the free cells decide.
BOTH Position standard(Position at) {
    Position best = at;
    for (int symmetry = 1; symmetry < 4; symmetry++) {
        int me = cell_image(at.me, symmetry), them = cell_image(at.them, symmetry);
        if (me * 128 + them > best.me * 128 + best.them) continue;
        Set free = image(at.free, symmetry);
        if (me * 128 + them < best.me * 128 + best.them || free < best.free) best = {free, me, them};
    }
    return best;
}

// Return the first player's lead in territory: a cell belongs to the player who can reach it sooner or, in a tie, to
// the first player.
BOTH int territory(Set free, Set first, Set second) {
    int lead = 0;
    while (first | second) {
        first = around(first) & free;
        free ^= first;
        second = around(second) & free;
        free ^= second;
        lead += count(first) - count(second);
    }
    return lead;
}

BOTH int score(const Position &at, int v) {
    int rows = abs(v / COLS - at.them / COLS), cols = abs(v % COLS - at.them % COLS);
    Set free = at.free ^ bit(v);
    return 8 * territory(free, bit(at.them), bit(v)) + 2 * (rows > cols ? rows : cols) + count(around(bit(v)) & free);
}

// Return an upper bound on the number of moves from v through a region. If part of the region can be reached from v only
// through one cell, a path from v that enters that part cannot leave it again.
BOTH int bound(Set region, int v) {
    Set cutting = where([=](int cell) {
        Set rest = region & ~bit(cell);
        return has(region, cell) && flood(bit(v), rest) != rest;
    });
    if (!cutting) return count(region);
    Set usable[(CELLS + LANES - 1) / LANES];  // by the cell where a path ends, for this lane's cells
    for (int end = LANE; end < CELLS; end += LANES) usable[end / LANES] = region;
    for (Set rest = cutting; rest; rest &= rest - 1) {
        Set without = region & ~bit(lowest(rest)), behind = without & ~flood(bit(v), without);
        for (int end = LANE; end < CELLS; end += LANES)
            if (!has(behind, end)) usable[end / LANES] &= ~behind;
    }
    u32 best = 0;
    for (int end = LANE; end < CELLS; end += LANES)
        if (has(region, end) && u32(count(usable[end / LANES])) > best) best = count(usable[end / LANES]);
    return int(greatest(best));
}

// Return whether a path of `need` moves leads from v through a region, or -1 if the budget is used up.
BOTH int has_path(const Table &table, PathFrame *frames, Set region, int v, int need, u32 &work, u32 budget) {
    int depth = 0, result = -2;  // -2: not known yet
    for (;;) {
        PathFrame &here = frames[depth];
        if (result == -2) {  // a new position
            if (++work > budget) return -1;
            u64 known = 0;
            int shortest = 0, most = 0;
            region = flood(bit(v), region);
            if (need <= 0 || count(region) < need) {
                result = need <= 0;
            } else {
                known = recall(table, key_of(region, v, v));
                shortest = known >> SHORTEST & 255, most = known ? int(known >> MOST & 255) : bound(region, v);
                if (need <= shortest) result = 1;
                else if (need > most) result = 0;
            }
            if (result == -2) {
                together();
                if (LANE == 0) here = {region, around(bit(v)) & region, work, u8(v), u8(shortest), u8(most), u8(need)};
                together();
            }
        } else {  // back from a move
            need = here.need, v = here.cell, region = here.region;
            if (result == 1 || !here.moves) {
                u64 shortest = result ? need : here.shortest, most = result ? here.most : need - 1;
                remember(table, key_of(region, v, v), shortest << SHORTEST | most << MOST, work - here.start);
            } else {
                result = -2;
            }
        }
        if (result != -2) {
            if (depth-- == 0) return result;
            continue;
        }
        u32 best = ~0u;  // first the cell with the fewest exits
        Set moves = here.moves, rest = moves;
        for (int i = 0; rest; i++, rest &= rest - 1) {
            if (i % LANES != LANE) continue;
            u32 exits = count(around(bit(lowest(rest))) & region) * 128 + lowest(rest);
            best = exits < best ? exits : best;
        }
        v = least(best) & 127;
        if (LANE == 0) here.moves = moves & ~bit(v);
        together();
        region ^= bit(v);
        need--, depth++;
    }
}

// Decide a position in which the pawns cannot meet: the mover wins if the mover's longest path is longer than the
// opponent's. Return -1 if the budget is used up.
BOTH int race(const Table &table, PathFrame *frames, Set mine, int me, Set theirs, int them, u32 &work, u32 budget) {
    int most = bound(mine, me), rival = bound(theirs, them);
    for (;;) {
        if (most > rival) {
            int found = has_path(table, frames, mine, me, rival + 1, work, budget);
            if (found) return found;
            most = rival;
        }
        int found = has_path(table, frames, theirs, them, most, work, budget);
        if (found) return found == 1 ? 0 : -1;
        rival = most - 1;
    }
}

// Return whether the walker wins with a predetermined walk, whatever the rival does, or -1 if the budget is used up.
BOTH int wall(const Table &table, PathFrame *frames, Set free, int walker, int rival, bool first, u32 &work, u32 budget) {
    Set area = bit(rival);  // the cells that the rival may have reached by now
    int walked = 0;
    if (!first) area |= around(area) & free;
    for (;;) {
        Set moves = around(bit(walker)) & free & ~area, rest = moves;
        if (!moves) return 0;
        u32 best = ~0u;
        for (int i = 0; rest; i++, rest &= rest - 1) {
            if (i % LANES != LANE) continue;
            int v = lowest(rest), lead = territory(free & ~(area | bit(v)), area, bit(v));
            u32 value = (8 * (lead + 200) + count(around(bit(v)) & free & ~area)) * 128 + v;
            best = value < best ? value : best;
        }
        walker = least(best) & 127;
        free ^= bit(walker);
        walked++;
        Set grown = area | (around(area) & free);
        if (grown == area) break;
        area = grown;
    }
    int need = bound(area & ~bit(rival), rival) + first - walked;
    return has_path(table, frames, free & ~area, walker, need, work, budget);
}

// For each move, look two more moves ahead: store the opponent's lead in territory once the opponent has replied, and the
// player has answered the reply, each with the best move.
BOTH void look(int *leads, const Position &at, Set moves) {
    together();
    for (int i = LANE; i < 8; i += LANES) leads[i] = STUCK;
    together();
    int pair = 0;
    for (int i = 0; moves; i++, moves &= moves - 1) {
        int v = lowest(moves);
        Set free = at.free ^ bit(v);
        for (Set replies = around(bit(at.them)) & free; replies; replies &= replies - 1, pair++) {
            if (pair % LANES != LANE) continue;
            int w = lowest(replies), worst = -STUCK;
            Set left = free ^ bit(w);
            for (Set next = around(bit(v)) & left; next; next &= next - 1) {
                int lead = territory(left ^ bit(lowest(next)), bit(w), bit(lowest(next)));
                worst = lead < worst ? lead : worst;
            }
#ifdef __CUDA_ARCH__
            atomicMax(&leads[i], worst);
#else
            leads[i] = worst > leads[i] ? worst : leads[i];
#endif
        }
    }
    together();
}

// Return the moves in the order in which they are tried, one byte each.
BOTH u64 arranged(Workspace &space, const Position &at, Set moves) {
    bool looks = count(at.free) >= LOOK;
    if (looks) look(space.leads, at, moves);
    int number = 0;
    for (Set rest = moves; rest; number++, rest &= rest - 1) {
        if (number % LANES != LANE) continue;
        int v = lowest(rest);
        space.scores[number] = ((looks ? space.leads[number] * 4096 : 0) + score(at, v)) * 128 + v;
    }
    together();
    u64 order = 0;
    for (int last = -2147483647 - 1, i = 0; i < number; i++) {
        int next = 2147483647;
        for (int k = 0; k < number; k++)
            if (space.scores[k] > last && space.scores[k] < next) next = space.scores[k];
        order |= u64(next & 127) << 8 * i;
        last = next;
    }
    together();
    return order;
}

// Search a position, and store the result.
BOTH void solve(const Table &table, Workspace &space, Job &job, u32 budget) {
    int depth = 0, result = -2;
    u32 work = 0;
    Position at = job.at;
    for (;;) {
        Frame &here = space.frames[depth];
        if (result == -2) {  // a new position
            bool over = ++work > budget;
            Set moves = around(bit(at.me)) & at.free;
            if (!over && !moves) {
                result = 0;
            } else if (!over) {
                Set mine = flood(bit(at.me), at.free), theirs = flood(bit(at.them), at.free);
                u32 begun = work;
                if (!(mine & theirs)) {
                    result = race(table, space.path, mine, at.me, theirs, at.them, work, budget);
                } else {
                    at.free = mine | theirs;
                    at = standard(at);
                    if (u64 known = recall(table, key_of(at.free, at.me, at.them))) result = known >> RESULT & 1;
                }
                if (WALL && result == -2) {  // for the player with more territory
                    bool ahead = territory(at.free, bit(at.me), bit(at.them)) >= 0;
                    int found = ahead ? wall(table, space.path, at.free, at.me, at.them, true, work, budget)
                                      : wall(table, space.path, at.free, at.them, at.me, false, work, budget);
                    if (found) result = found < 0 ? -1 : ahead;
                    if (found > 0) remember(table, key_of(at.free, at.me, at.them), u64(ahead) << RESULT, work - begun);
                }
            }
            if (over || result == -1) {
                if (LANE == 0) job.result = -1, job.work = work;
                return;
            }
            if (result == -2) {
                moves = around(bit(at.me)) & at.free;
                u64 order = arranged(space, at, moves);
                if (LANE == 0) here = {at.free, order, work, u8(at.me), u8(at.them), u8(count(moves)), 0};
                together();
            }
        } else {  // back from a move
            at = {here.free, here.me, here.them};
            if (result == 0 || !here.left) {
                result = !result;
                remember(table, key_of(at.free, at.me, at.them), u64(result) << RESULT, work - here.start);
            } else {
                result = -2;
            }
        }
        if (result != -2) {
            if (depth-- == 0) break;
            continue;
        }
        int v = here.moves & 255;
        together();
        if (LANE == 0) here.moves >>= 8, here.left--;
        together();
        at = {at.free ^ bit(v), at.them, v};
        depth++;
    }
    if (LANE == 0) job.result = result, job.work = work;
}

const float SIZE_MATTERS = 0.3f, LEAD_MATTERS = 0.15f;
#include "search.cuh"

u64 hash_of(const Position &at) { return hashed(key_of(at.free, at.me, at.them)); }
bool same(const Position &one, const Position &two) {
    return one.free == two.free && one.me == two.me && one.them == two.them;
}
int size_of(const Position &at) { return count(at.free); }
bool stuck(const Position &at) { return !(around(bit(at.me)) & at.free); }
float lead_of(const Position &at) { return territory(at.free, bit(at.me), bit(at.them)); }

std::vector<Position> moves_from(const Position &at) {
    std::vector<Position> found;
    for (Set moves = around(bit(at.me)) & at.free; moves; moves &= moves - 1) {
        Set free = at.free ^ (moves & -moves);
        int v = lowest(moves);
        free = flood(bit(at.them), free) | flood(bit(v), free);
        found.push_back(standard({free, at.them, v}));
    }
    return found;
}

Position start() { return {ALL & ~bit(0) & ~bit(CELLS - 1), 0, CELLS - 1}; }

// Read a board (. for a free cell, # for a blocked one), the mover's cell and the opponent's cell.
bool read(const char *line, Position &at) {
    char cells[129];
    if (sscanf(line, "%128s %d %d", cells, &at.me, &at.them) != 3 || strlen(cells) != CELLS) return false;
    at.free = 0;
    for (int i = 0; i < CELLS; i++)
        if (cells[i] == '.') at.free |= bit(i);
    return at.me >= 0 && at.me < CELLS && at.them >= 0 && at.them < CELLS && !has(at.free, at.me) && !has(at.free, at.them);
}
