// Positions of Scatter: their regions, bounds on their values, their moves, and their standard forms.
//
// A position consists of the cells open to the player to move (p) and the cells open to the opponent (q). The techniques
// are those of the engine (docs/engine/scatter.md), and can be switched off in the same way.
#pragma once
#include "blocks.cuh"

#ifndef REPLY
#define REPLY 1
#endif
#ifndef CENTRE
#define CENTRE 1
#endif
#ifndef DOMINANCE
#define DOMINANCE 1
#endif
#ifndef CHOICES
#define CHOICES 5  // how often the bounds from blocks are computed with other cells removed
#endif

enum { LONGER = ROWS > COLS ? ROWS : COLS, SHORTER = ROWS + COLS - LONGER };
const bool MIRRORS = REPLY && (KING || 2 * LONGER < 3 * SHORTER);  // as in the engine's search
const Set ROW = (Set(1) << COLS) - 1;
constexpr Set diagonal(int cells) { return cells ? diagonal(cells - 1) << (COLS + 1) | 1 : 0; }
const Set DIAGONAL = diagonal(ROWS < COLS ? ROWS : COLS);

BOTH Key key_of(Set p, Set q) {
#ifdef WIDE
    static_assert(CELLS <= 96, "The table's keys have room for 96 cells.");
    return {u64(p), u64(q), u64(p >> 64) | u64(q >> 64) << 32};
#else
    return {p, q, 0};
#endif
}

// Regions

BOTH Set region_of(Set p, Set q) {
    Set all = p | q, found = all & (0 - all);
    for (;;) {
        Set more = found | (around(found & p) & p) | (around(found & q) & q);
        if (more == found) return found;
        found = more;
    }
}

// Return the columns of a set of cells, as a row.
BOTH u32 columns(Set cells) {
    Set line = cells;
    for (int row = 1; row < ROWS; row++) line |= cells >> row * COLS;
    return u32(line & ROW);
}

BOTH int highest(Set cells) {
#ifdef __CUDA_ARCH__
#ifdef WIDE
    return u64(cells >> 64) ? 127 - __clzll(u64(cells >> 64)) : 63 - __clzll(u64(cells));
#else
    return 63 - __clzll(cells);
#endif
#else
    int last = CELLS - 1;
    while (!has(cells, last)) last--;
    return last;
#endif
}

// Return the image under the half-turn.
BOTH Set turned(Set cells) {
#ifdef __CUDA_ARCH__
#ifdef WIDE
    return (Set(__brevll(u64(cells))) << 64 | __brevll(u64(cells >> 64))) >> (128 - CELLS);
#else
    return __brevll(cells) >> (64 - CELLS);
#endif
#else
    return image(cells, 3);
#endif
}

// The smallest rectangle around a set of cells.
struct Box {
    int top, left, rows, cols;
};
BOTH Box box_of(Set cells) {
    u32 line = columns(cells);
    int top = lowest(cells) / COLS, left = lowest_of_word(line);
    return {top, left, highest(cells) / COLS - top + 1, highest(Set(line)) - left + 1};
}

// Return the cells of a block as bits.
BOTH u32 pattern(Set cells, int row, int col, int width) {
    u32 found = 0, mask = (1u << width) - 1;
    cells >>= row * COLS + col;
    for (int line = 0; line < BLOCK_ROWS; line++) found |= (u32(cells >> line * COLS) & mask) << line * BLOCK_COLS;
    return found;
}

// Bounds

// Return how many cells can be chosen so that no two are horizontal neighbours.
const Set EVEN = Set(0x5555555555555555ull) | (sizeof(Set) > 8 ? Set(0x5555555555555555ull) << (4 * sizeof(Set)) : 0);
BOTH int runs(Set p) {
    Set starts = p & ~(p << 1) & EVEN, even = p & ~(p + starts);
    return count(even & EVEN) + count(p & ~even & ~EVEN);
}

constexpr Set even_rows(int row) { return row < 0 ? 0 : even_rows(row - 2) | ROW << row * COLS; }
const Set EVEN_ROWS = even_rows((ROWS - 1) / 2 * 2), ODD_ROWS = ALL & ~EVEN_ROWS;

// Return an upper bound on how many cells can be chosen so that no two touch.
BOTH int cover(Set p) {
#if KING
    Set squares = p | p >> COLS;
    int a = runs(squares & EVEN_ROWS), b = runs(squares & ODD_ROWS) + runs(p & ROW);
#else
    int a = runs(p & EVEN_ROWS) + runs(p & ODD_ROWS), b = 0;
    for (; any(p); b++) {
        Set first = p & (0 - p), right = first << 1 & p & NOT_LEFT;
        p &= ~(first | (any(right) ? right : first << COLS));
    }
#endif
    return a < b ? a : b;
}

// Return cells of q, no two of which touch; cells outside p come first.
BOTH Set apart(Set p, Set q) {
    Set kept = 0;
    while (any(q)) {
        Set first = any(q & ~p) ? q & ~p : q;
        first &= 0 - first;
        kept |= first;
        q &= ~(first | around(first));
    }
    return kept;
}

// Return an upper bound on twice the number of moves that the position is worth to the player to move.
BOTH int ceiling(Set p, Set q) {
    Set kept = apart(p, q);
    return 2 * cover(p) - count(kept) - count(kept & ~p);
}

// Return 1 if the player to move wins, and 0 if the player loses; return -1 if the bounds decide nothing.
BOTH int bounded(Set p, Set q, int x) {
    u32 found = 0;
    for (int side = LANE; side < 2; side += LANES) {
        int high = ceiling(side ? q : p, side ? p : q) * (UNIT / 2);
        if (side ? x > high : high + x <= 0) found = side + 1;
    }
    return int(greatest(found)) - 1;
}

// Cut the board into blocks, the first of which are `rows` high and `cols` wide, and return an upper bound on the value.
BOTH int block_ceiling(Set p, Set q, Set kept, int rows, int cols) {
    int total = 0;
    for (int row = rows - BLOCK_ROWS; row < ROWS; row += BLOCK_ROWS) {
        int top = row < 0 ? 0 : row, end = row + BLOCK_ROWS < ROWS ? row + BLOCK_ROWS : ROWS;
        if (end <= 0) continue;
        Set band = (ALL >> (CELLS - end * COLS)) & ~((Set(1) << top * COLS) - 1);
        for (int col = cols - BLOCK_COLS; col < COLS; col += BLOCK_COLS) {
            int left = col < 0 ? 0 : col, right = col + BLOCK_COLS < COLS ? col + BLOCK_COLS : COLS;
            if (right <= 0) continue;
            Set block = band & LEFT * (((Set(1) << (right - left)) - 1) << left);
            Set room = q & block & ~around(kept & ~block);
            kept |= room;
            int v = value(pattern(p & block, top, left, right - left), pattern(room, top, left, right - left));
            total = (total + (v & -2)) ^ (v & 1);
        }
    }
    return total;
}

constexpr Set odd_columns(int col) { return col < 0 ? 0 : odd_columns(col - 1) | (col % 2 ? LEFT << col : Set(0)); }
const Set ODD_COLUMNS = odd_columns(COLS - 1), EVEN_COLUMNS = ALL & ~ODD_COLUMNS;
const Set LIGHT = (EVEN_ROWS & EVEN_COLUMNS) | (ODD_ROWS & ODD_COLUMNS);

// Return some cells of q, no two of which touch; there are several ways to choose them.
BOTH Set chosen_cells(int choice, Set p, Set q) {
    if (choice == 0) return apart(p, q);
#if KING
    return q & (choice & 1 ? EVEN_ROWS : ODD_ROWS) & (choice & 2 ? EVEN_COLUMNS : ODD_COLUMNS);
#else
    if (choice == 1) return turned(apart(turned(p), turned(q)));
    return choice == 2 ? q & LIGHT : choice == 3 ? q & ~LIGHT : 0;
#endif
}

// Decide as `bounded` does, by the values of blocks: for each player, cut the board in every way.
BOTH int bounded_by_blocks(Set p, Set q, int x) {
    enum { ACROSS = BLOCK_COLS < COLS ? BLOCK_COLS : 1, DOWN = BLOCK_ROWS < ROWS ? BLOCK_ROWS : 1, CUTS = ACROSS * DOWN };
    u32 found = 0;
    for (int way = LANE; way < 2 * CUTS * CHOICES; way += LANES) {
        int side = way & 1, cut = way / 2 % CUTS;
        Set mine = side ? q : p, theirs = side ? p : q, kept = chosen_cells(way / 2 / CUTS, mine, theirs);
        int v = block_ceiling(mine, theirs, kept, BLOCK_ROWS - cut % DOWN, BLOCK_COLS - cut / DOWN);
        if (side ? (v ^ 1) <= 2 * x : v <= -2 * x) found = side + 1;
    }
    int code = int(greatest(found));
    return code ? code - 1 : -1;
}

// Cells and moves that matter to neither player, or are no better than others

BOTH bool guarded(int d, Set p, Set q) {
    Set closed = zone(d), shared = 0;
    for (Set rivals = p & closed & ~bit(d); any(rivals); rivals &= rivals - 1) {
        int c = lowest(rivals);
        Set near = zone(c);
        if (any(near & p & ~closed)) continue;
        if (!has(q, c) || any(shared & near)) return true;
        shared |= bit(c);
    }
    return false;
}
BOTH bool useless(int d, Set p, Set q) { return (!has(p, d) || guarded(d, p, q)) && (!has(q, d) || guarded(d, q, p)); }

// Remove cells that neither player needs. If the half-turn exchanges the players, it still does so afterwards.
BOTH void prune(Set &p, Set &q) {
    bool symmetric = MIRRORS && count(p) == count(q) && turned(p) == q;
    Set left = p | q;
    for (;;) {
        Set found = where([=](int cell) { return has(left, cell) && useless(cell, p, q); });
        if (!any(found)) break;
        int d = lowest(found);
        Set cells = bit(d);
        left &= ~cells;
        if (symmetric) {
            int twin = CELLS - 1 - d;
            if (!useless(twin, p & ~cells, q & ~cells)) continue;
            cells |= bit(twin);
            left &= ~cells;
        }
        p &= ~cells, q &= ~cells;
    }
}

// Return the moves that no other move dominates. A move that dominates another closes no more of the mover's cells;
// if it closes as many, only a cell with a lower number may dominate, so that no two moves rule each other out.
BOTH Set undominated(Set p, Set q) {
    if (!DOMINANCE) return p;
    Set alone = where([=](int c) { return has(p, c) && !any(zone(c) & p & ~bit(c)); });
    return where([=](int d) {
        if (!has(p, d)) return false;
        Set closed = zone(d), rivals = p & ~bit(d), cares = p;
        if (has(q, d)) rivals &= q & closed, cares |= q;
        else rivals &= around(around(closed)) | (alone & (0 - alone));
        int most = count(closed & p);
        for (; any(rivals); rivals &= rivals - 1) {
            int c = lowest(rivals);
            Set near = zone(c);
            if (any(near & cares & ~closed & ~bit(c))) continue;
            int closes = count(near & p);
            if (closes < most || (closes == most && c < d)) return false;
        }
        return true;
    });
}

// Order

// Estimate how many tokens fit into p, in units of 1/2520. A cell with n neighbours in p counts as 1/(n + 1).
BOTH int room(Set p) {
    Set ones = 0, twos = 0, fours = 0, eights = 0;  // the number of each cell's neighbours, one binary digit in each set
    auto add = [&](Set x) {
        Set carry = ones & x;
        ones ^= x, x = twos & carry, twos ^= carry, carry = fours & x, fours ^= x, eights |= carry;
    };
    Set left = p << 1 & NOT_LEFT, right = p >> 1 & NOT_RIGHT;
    add(left), add(right), add(p << COLS), add(p >> COLS);
#if KING
    add(left << COLS), add(left >> COLS), add(right << COLS), add(right >> COLS);
#endif
    Set few = p & ~fours & ~eights, many = p & fours;
    int total = 2520 * count(few & ~twos & ~ones) + 1260 * count(few & ~twos & ones) + 840 * count(few & twos & ~ones) +
                630 * count(few & twos & ones) + 504 * count(many & ~twos & ~ones);
#if KING
    total += 420 * count(many & ~twos & ones) + 360 * count(many & twos & ~ones) + 315 * count(many & twos & ones) +
             280 * count(p & eights);
#endif
    return total;
}
BOTH int outlook(Set p, Set q) { return (room(p) - room(q)) / 16 + 64 * (count(p) - count(q)); }

// Write the moves to `order`, the most promising first, and return their number; return -1 if a move wins.
BOTH int arrange(int *scores, u8 *order, Set p, Set q, int x) {
    Set moves = undominated(p, q);
    bool wins = false;
    Set kept = 0;
    for (int c = LANE; c < CELLS; c += LANES) {
        if (!has(moves, c)) continue;
        Set after_p = q & ~bit(c), after_q = p & ~zone(c);
        int high = ceiling(after_p, after_q), low = -ceiling(after_q, after_p);
        if (high * (UNIT / 2) <= x) wins = true;
        if (low * (UNIT / 2) > x) continue;
        kept |= bit(c);
        scores[c] = 128 * (outlook(after_p, after_q) + (KING ? 0 : 8192 * (high + low))) + c;
    }
    if (any_lane(wins)) return -1;
    together();
    moves = where([=](int c) { return has(kept, c); });
    for (int c = LANE; c < CELLS; c += LANES) {
        if (!has(kept, c)) continue;
        int rank = 0, score = scores[c];
        for (Set rest = moves; any(rest); rest &= rest - 1) rank += scores[lowest(rest)] < score;
        order[rank] = u8(c);
    }
    together();
    return count(moves);
}

// Return the move after which the position is closest to being symmetric under the half-turn, or -1 if no move helps.
BOTH int restoring(Set p, Set q) {
    if (!MIRRORS) return -1;
    u32 now = count(turned(p) ^ q), best = ~0u;
    for (int c = LANE; c < CELLS; c += LANES) {
        if (!has(p, c)) continue;
        u32 cost = u32(count(turned(p & ~zone(c)) ^ (q & ~bit(c)))) * 128 + c;
        best = cost < best ? cost : best;
    }
    best = least(best);
    return best != ~0u && (KING ? best / 128 < now : best < 128) ? int(best % 128) : -1;
}

// Return whether a symmetry that exchanges the players shows that the value is 0. All shared cells must move; by the
// centre rule, one may stay if the opponent has a cell next to it whose token closes no more of the opponent's cells.
BOTH bool decides(int symmetry, Set p, Set q, const Box &box) {
    Set fixed = p & q;
    if (symmetry & 1) fixed &= box.rows & 1 ? ROW << (box.rows >> 1) * COLS : 0;
    if (symmetry & 2) fixed &= box.cols & 1 ? LEFT << (box.cols >> 1) : 0;
    if (symmetry & 4) fixed &= DIAGONAL;
    if (!any(fixed)) return true;
    if (!CENTRE || any(fixed & (fixed - 1))) return false;
    Set closed = around(fixed) | fixed;
    for (Set spare = closed & q & ~fixed; any(spare); spare &= spare - 1)
        if (!any(zone(lowest(spare)) & q & ~closed)) return true;
    return false;
}

// Find a position's standard form: it is moved into the corner of the board, and then reflected or rotated. Return true if
// a reflection or half-turn shows that the value is 0.
BOTH bool standardise(Set p, Set q, Key &key) {
    Box box = box_of(p | q);
    int rows = box.rows, cols = box.cols;
    p >>= box.top * COLS + box.left, q >>= box.top * COLS + box.left;
    const Set first_p = p, first_q = q;
    Set best_p = p, best_q = q;
    bool alike = count(p) == count(q), balanced = false;
    for (int across = 0; across < (ROWS == COLS ? 8 : 4); across += 4) {
        if (across) p = image(p, 4), q = image(q, 4), rows = box.cols, cols = box.rows;
        Set down_p = image(p, 1), down_q = image(q, 1);
        for (int flips = 0; flips < 4; flips++) {
            int symmetry = across | flips, shift = (flips & 1 ? (ROWS - rows) * COLS : 0) + (flips & 2 ? COLS - cols : 0);
            Set a = (flips == 0 ? p : flips == 1 ? down_p : turned(flips == 2 ? down_p : p)) >> shift;
            if (alike && a == first_q && symmetry && symmetry <= 4) balanced |= decides(symmetry, first_p, first_q, box);
            if (a > best_p) continue;
            Set b = (flips == 0 ? q : flips == 1 ? down_q : turned(flips == 2 ? down_q : q)) >> shift;
            if (a < best_p || b < best_q) best_p = a, best_q = b;
        }
    }
    key = key_of(best_p, best_q);
    return balanced;
}
