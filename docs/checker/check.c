/* Check a GridLock certificate: cc -O2 -o check check.c && ./check FILE
   It knows the rules of docs/certificates.md and shares no code with the program that writes certificates.
   Exit status 0: every step follows. 1: it does not, and a line says where. 2: a usage error. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef unsigned __int128 Set; /* bit n stands for cell n = row * cols + column */
typedef struct { Set a, b, c; long long x; int star; } Claim; /* placing: p, q; walking: free cells, two heads */
typedef struct { Claim claim; int used; } Slot;
static int rows, cols, size, king, own, other, near, away, pawn, follows; /* follows: near or away */
static Set all, inner, dark, zone[128];
static Slot *slots; static long long slot_count, line_number; static char line[65540];
static void refuse(const char *why) { printf("Line %lld: %s.\n", line_number, why); exit(1); }
static void need(int so, const char *why) { if (!so) refuse(why); }
static Set bit(int cell) { return (Set)1 << cell; }
static int has(Set s, int cell) { return (int)(s >> cell & 1); }
static int count(Set s) { return __builtin_popcountll((unsigned long long)s) + __builtin_popcountll((unsigned long long)(s >> 64)); }
static int first(Set s) {
    return (unsigned long long)s ? __builtin_ctzll((unsigned long long)s) : 64 + __builtin_ctzll((unsigned long long)(s >> 64)); }
static Set touch(Set s) { /* the cells that have a neighbour in s */
    Set sides = (s << 1 & inner) | (s & inner) >> 1, tall = king ? s | sides : s;
    return (sides | tall << cols | tall >> cols) & all; }
static Set reach(int cell) { return near ? zone[cell] & ~bit(cell) : all & ~(away ? zone[cell] : bit(cell)); }
/* -- reading -- */
static long long decimal(const char *s, const char **end, long long most) {
    long long n = 0; const char *at = s; while (*at >= '0' && *at <= '9' && at - s < 18) n = 10 * n + (*at++ - '0');
    need(at > s && (*s != '0' || at == s + 1) && n <= most, "a number is missing, too large or has a leading zero");
    *end = at; return n; }
static long long whole(const char *s, long long most) {
    const char *end; long long n = decimal(s, &end, most); need(!*end, "a number is followed by something else"); return n; }
static int digit(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; }
static Set set(const char *s) {
    Set n = 0; need(*s && (*s != '0' || !s[1]) && strlen(s) <= 32, "a set of cells is missing or has leading zeros");
    for (; *s; s++) { need(digit(*s) >= 0, "a set of cells is not hexadecimal"); n = n << 4 | (Set)digit(*s); }
    need(!(n & ~all), "a cell is not on the board"); return n; }
static int list(const char *s, size_t length, int *cells) {
    need(length % 2 == 0 && length < 8192, "a list of cells needs two digits for each");
    for (size_t i = 0; i < length; i += 2) {
        int high = digit(s[i]), low = high < 0 ? -1 : digit(s[i + 1]);
        need(low >= 0 && 16 * high + low < size, "a list of cells has something that is not a cell");
        cells[i / 2] = 16 * high + low; }
    return (int)(length / 2); }
static void number(const char *s, Claim *claim) {
    const char *end; int minus = *s == '-'; long long top = decimal(s + minus, &end, (1LL << 26) - 1), bottom = 1;
    if (*end == '/') {
        bottom = decimal(end + 1, &end, 65536);
        need(bottom > 1 && !(bottom & (bottom - 1)) && top % 2, "a fraction is not in lowest terms"); }
    need(top < 1024 * bottom && !(minus && !top), "a number is too large, or minus zero"); claim->star = *end == '*';
    need(!end[claim->star], "a number is followed by something else");
    claim->x = (minus ? -1 : 1) * top * (65536 / bottom); }
/* -- patterns in every place and orientation -- */
static void box(Set s, int *row, int *col, int *height, int *width) {
    int top = rows, left = cols, bottom = -1, right = -1;
    for (; s; s &= s - 1) {
        int r = first(s) / cols, c = first(s) % cols; if (r < top) top = r; if (r > bottom) bottom = r;
        left = c < left ? c : left, right = c > right ? c : right; }
    if (bottom < 0) top = left = bottom = right = 0;
    *row = top, *col = left, *height = bottom - top, *width = right - left; }
static Set moved(Set s, int r0, int c0, int h, int w, int turn, int row, int col) { /* a box at r0, c0 to row, col */
    Set found = 0; int tall = turn & 4 ? w : h, wide = turn & 4 ? h : w;
    need(row + tall < rows && col + wide < cols, "a pattern leaves the board");
    for (; s; s &= s - 1) {
        int r = first(s) / cols - r0, c = first(s) % cols - c0; if (turn & 1) r = h - r; if (turn & 2) c = w - c;
        found |= turn & 4 ? bit((row + c) * cols + col + r) : bit((row + r) * cols + col + c); }
    return found; }
static Set mirrored(Set s, Set whole_set, int turn) {
    int r, c, h, w; box(whole_set, &r, &c, &h, &w);
    need((turn >= 1 && turn <= 3) || ((turn == 4 || turn == 7) && h == w), "this turn is not its own inverse");
    return moved(s, r, c, h, w, turn, r, c); }
static int turn_of(char letter) { need(letter >= 'a' && letter <= 'h', "a turn is a letter from a to h"); return letter - 'a'; }
static Claim refer(const char **text, Set where, int row, int col) { /* a slot, a turn, a place */
    int r, c, h, w, turn = 0; long long slot = decimal(*text, text, slot_count - 1);
    need(slots[slot].used, "a slot is empty"); if (**text >= 'a' && **text <= 'h') turn = turn_of(*(*text)++);
    if (row < 0 && **text == '@') {
        long long corner = decimal(*text + 1, text, size - 1); row = (int)corner / cols, col = (int)corner % cols;
    } else box(where, &row, &col, &h, &w);
    Claim claim = slots[slot].claim; box(claim.a | claim.b | claim.c, &r, &c, &h, &w);
    claim.a = moved(claim.a, r, c, h, w, turn, row, col); claim.b = moved(claim.b, r, c, h, w, turn, row, col);
    claim.c = moved(claim.c, r, c, h, w, turn, row, col); return claim; }
/* -- games in which a marker may go on any open cell: G(a, b) + x + star <= 0 -- */
static Claim played(Claim g, int cell, int mine) { /* by the player to move, or by the other */
    Set keeps = ~(own ? zone[cell] : bit(cell)), leaves = ~(other ? zone[cell] : bit(cell));
    g.a &= mine ? keeps : leaves; g.b &= mine ? leaves : keeps; return g; }
static Claim reduced(Claim g) {
    Set p = touch(g.a), q = touch(g.b), hit = (g.a & ((own ? p : 0) | (other ? q : 0))) | (g.b & ((own ? q : 0) | (other ? p : 0)));
    Set alone = (g.a | g.b) & ~hit; g.x += 65536LL * (count(alone & g.a & ~g.b) - count(alone & g.b & ~g.a));
    g.star ^= count(alone & g.a & g.b) & 1; g.a &= ~alone, g.b &= ~alone; return g; }
static int better(Claim g, int best, int cell) {
    if (best == cell || !has(g.a, best)) return 0;
    if (own && !other) {
        if (!has(g.b, cell)) return !(zone[best] & g.a & ~zone[cell] & ~bit(best));
        return has(g.b & zone[cell], best) && !(zone[best] & (g.a | g.b) & ~zone[cell]); }
    return other && !own && !(zone[cell] & g.b & ~zone[best]); }
static void switches(Claim g, const char *text, int turn) {
    int cells[128 * 64], gain[128], loss[128], n; Set used = 0;
    need(other && !own && strlen(text) <= 256, "the rule k does not apply"); n = list(text, strlen(text), cells);
    for (int i = 0; i < n; i++) {
        Set group = zone[cells[i]] & g.a;
        need(has(g.b, cells[i]) && group && !(group & used), "the chosen cells are not open or close the same cell");
        used |= group; Set rest = g.a & ~group; gain[i] = count(group) - 1;
        loss[i] = count(g.b & ~bit(cells[i]) & touch(group) & ~touch(rest) & ~rest); }
    g.x += 65536LL * count(g.a & ~used);
    for (; n; n--) {
        int best = 0; for (int i = 1; i < n; i++) if (gain[i] + loss[i] > gain[best] + loss[best]) best = i;
        g.x += 65536LL * (turn ? -loss[best] : gain[best]); gain[best] = gain[n - 1], loss[best] = loss[n - 1]; turn = !turn; }
    need(g.x < 0 || (g.x == 0 && turn == g.star), "the chosen cells are not enough"); }
static void cliques(Claim *g, const char *text) { /* adds the bound to x and star */
    int cells[4096]; const char *dot = strchr(text, '.'), *dot2 = dot ? strchr(dot + 1, '.') : NULL;
    need(own && !other && dot2 && strlen(text) < 8192, "the rule b does not apply"); Set kept = 0, rest = g->a;
    int n = list(dot2 + 1, strlen(dot2 + 1), cells);
    for (int i = 0; i < n; i++) {
        need(has(g->b & ~kept & ~touch(kept), cells[i]), "the cells kept are not open, or touch");
        kept |= bit(cells[i]); if (!has(g->a, cells[i])) g->x -= 65536; }
    for (int down = 0; down < 2; down++) {
        n = down ? list(dot + 1, (size_t)(dot2 - dot - 1), cells) : list(text, (size_t)(dot - text), cells);
        for (int i = 0; i < n; i++) {
            Set group = bit(cells[i]); if (!down && (cells[i] + 1) % cols) group |= group << 1;
            if (down || king) group |= group << cols;
            group &= rest; rest &= ~group;
            if (count(group) == 1 && group & kept) g->star ^= 1;
            else if (group) g->x += group & kept ? 32768 : 65536; } }
    need(!rest, "the groups do not cover the open cells"); }
static void placed(Claim g, const char *reason, int turn) { /* turn 1: the other player is to move, and wins */
    g = reduced(g); if (*reason == 'k') { switches(g, reason + 1, turn); return; }
    if (*reason == 'b') cliques(&g, reason + 1);
    else if (*reason == '/' || *reason == 'o') {
        int by = turn_of(reason[1]), fixed = -1, strays = 0; Set image = mirrored(g.a, g.a | g.b, by);
        need(!(image & ~g.b), "the image of an open cell is not open to the other player");
        for (Set s = g.a; s; s &= s - 1) {
            Set there = mirrored(bit(first(s)), g.a | g.b, by);
            if (there == bit(first(s)) || (other && there & zone[first(s)])) strays++, fixed = first(s); }
        if (*reason == '/') need(!strays && !reason[2], "the image of a move is no answer to it");
        else {
            int waiting = (int)whole(reason + 2, size - 1);
            need(own && !other && strays == 1 && waiting != fixed, "the centre rule does not apply");
            need(has(image & zone[fixed], waiting) && !(zone[waiting] & image & ~zone[fixed]), "the answer to the centre is not valid"); }
    } else {
        Set mine = 0, theirs = 0;
        if (strcmp(reason, ".")) for (;;) {
            Claim part = refer(&reason, g.a | g.b, -1, 0);
            need(!((part.a | part.b) & (mine | theirs)), "two parts of a sum overlap");
            need(!(own && touch(part.b) & theirs) && !(other && (touch(part.b) & mine || touch(part.a) & theirs)), "two parts of a sum affect each other");
            mine |= part.a, theirs |= part.b; g.x -= part.x, g.star ^= part.star; if (!*reason) break;
            need(*reason++ == '+', "a reference is followed by something else"); }
        for (Set s = g.a & ~mine & ~theirs; own && !other && s; s &= s - 1) /* spare cells: a neighbour does as well */
            for (Set t = g.a & zone[first(s)] & ~bit(first(s)) & ~theirs; t; t &= t - 1) if (!(zone[first(t)] & g.a & ~zone[first(s)])) {
                g.a &= ~bit(first(s)); break; }
        need(!(g.a & ~mine) && !(theirs & ~g.b), "the records referred to do not cover the position"); }
    need(g.x < 0 || (g.x == 0 && g.star == turn), "the bound is too weak"); }
static void answered(Claim g, const char *answer) { /* the other player is to move, and wins */
    if (*answer == '>') { placed(g, answer + 1, 1); return; }
    if (*answer == '*' && g.star) { g.star = 0; placed(g, answer + 1, 0); return; }
    const char *end; int cell = (int)decimal(answer, &end, size - 1);
    need(*end == '=' && has(g.b, cell), "an answer is not open, or not an answer");
    placed(played(g, cell, 0), end + 1, 0); }
/* -- games in which a move follows a marker -- */
static Set moves(Claim g) { return g.a & (g.b ? reach(first(g.b)) : all); }
static Claim stepped(Claim g, int cell) {
    Claim then = {g.a & ~bit(cell), pawn ? g.c : bit(cell), pawn ? bit(cell) : 0, 0, 0}; return then; }
static Claim reached(Claim g) {
    Set seen = 0, new = touch(g.b | g.c) & g.a; for (; pawn && new; new = touch(new) & g.a & ~seen) seen |= new;
    g.a = pawn ? seen : g.a; return g; }
static int through(Set block, int v, int u) { /* most moves of a path in a block, to u or, if it is -1, anywhere */
    int total = count(block), same = count(block & (has(dark, v) ? dark : ~dark)), rest = total - same;
    if (king) return total - 1;
    if (u < 0) return 2 * same - 1 < 2 * rest ? 2 * same - 1 : 2 * rest;
    if (has(dark, v) == has(dark, u)) return 2 * (same - 1 < rest ? same - 1 : rest);
    return 2 * (same < rest ? same : rest) - 1; }
static int seen_at[128], low[128], onward[128], pile[128], height, now;
static int visit(Set region, int v) { /* a path passes through the blocks between cut cells, and returns to none */
    int mine = ++now, w, u; low[v] = seen_at[v] = mine; onward[v] = 0; pile[height++] = v;
    for (Set s = zone[v] & region & ~bit(v); s; s &= s - 1) {
        int seen = seen_at[w = first(s)], link = seen ? seen : (visit(region, w), low[w]);
        if (link < low[v]) low[v] = link;
        if (seen || link < mine) continue;
        Set block = bit(v); do block |= bit(u = pile[--height]); while (u != w);
        if (through(block, v, -1) > onward[v]) onward[v] = through(block, v, -1);
        for (Set e = block & ~bit(v); e; e &= e - 1)
            if (onward[u = first(e)] && through(block, v, u) + onward[u] > onward[v]) onward[v] = through(block, v, u) + onward[u]; }
    return onward[v]; }
static int most(Set room, Set at) {
    memset(seen_at, 0, sizeof seen_at); now = height = 0; return visit(room | at, first(at)); }
static void bounded(Set room, Set at, long long n, const char *reason) { /* a path from a cell has at most n moves */
    Claim g = reached((Claim){room, at, 0, 0, 0});
    if (!strcmp(reason, ".")) { need(most(g.a, at) <= n, "a path may be too long"); return; }
    Claim same = refer(&reason, g.a | at, 0, 0);
    need(!*reason && same.x && same.x - 1 <= n && same.a == g.a && same.b == at, "a record is about another path"); }
static void walked(Claim g, const char *reason) {
    int cells[4096], partner[128], n; const char *end = reason; g = reached(g);
    if (*reason == '/' && pawn) {
        Set whole_set = g.a | g.b | g.c; int by = turn_of(reason[1]);
        need(!reason[2] && mirrored(g.b, whole_set, by) == g.c && mirrored(g.a, whole_set, by) == g.a, "the position is not its own image");
        for (Set s = g.a; s; s &= s - 1) need(mirrored(bit(first(s)), whole_set, by) != bit(first(s)), "the image of a move is no answer to it");
    } else if (*reason == 'w' && pawn) {
        Set open = g.a, area = g.b, at = g.c, grown; end = strchr(reason, ':');
        n = list(reason + 1, end ? (size_t)(end - reason - 1) : strlen(reason + 1), cells);
        for (int i = 0; i < n; i++) {
            area |= touch(area) & open;
            need(has(touch(at) & open & ~area, cells[i]), "the walk cannot be sure of a cell"); at = bit(cells[i]); open &= ~at; }
        for (; (grown = area | (touch(area) & open)) != area; area = grown);
        bounded(area & ~g.b, g.b, n, end ? end + 1 : ".");
    } else if (*reason == 'p' && !pawn) {
        memset(partner, -1, sizeof partner); n = list(reason + 1, strlen(reason + 1), cells);
        need(n % 2 == 0, "a cell has no partner");
        for (int i = 0; i < n; i += 2) {
            int a = cells[i], b = cells[i + 1];
            need(a != b && has(g.a, a) && has(g.a, b) && partner[a] < 0 && partner[b] < 0 && has(reach(a), b), "two cells are not a pair");
            partner[a] = b, partner[b] = a; }
        Set seen = 0, todo = moves(g);
        while (todo) {
            int cell = first(todo); need(partner[cell] >= 0, "a cell has no partner"); seen |= bit(cell);
            todo = (todo | (reach(partner[cell]) & g.a)) & ~seen; }
    } else {
        Claim same = refer(&end, g.a | g.b | g.c, 0, 0);
        need(!*end && !same.x && same.a == g.a && same.b == g.b && same.c == g.c, "a record is about another position"); } }
/* -- records -- */
static char *words[4096];
static int split(void) { /* the next line that is not a comment, in words */
    do {
        line_number++; if (!fgets(line, sizeof line, stdin)) refuse("the certificate ends before its result");
        size_t length = strlen(line);
        need(length && line[length - 1] == '\n' && length <= 65536, "the line is cut off or too long");
        line[length - 1] = 0;
    } while (*line == '#');
    int n = 0;
    for (char *at = line;; *at++ = 0) {
        need(*at && *at != ' ' && n < 4095, "words are separated by single spaces"); words[n++] = at;
        while (*at && *at != ' ') at++;
        if (!*at) break; }
    words[n] = NULL; return n; }
static void said(int n, const char *name, int wanted) { need(n == wanted && !strcmp(words[0], name), "a line of the head is missing"); }
static Set head(const char *s) { return strcmp(s, "-") ? bit((int)whole(s, size - 1)) : 0; }
static void hold(Claim g, const char *reason) {
    if (!follows) placed(g, reason, 0); else if (g.x) bounded(g.a, g.b, g.x - 1, reason); else walked(g, reason); }
static void moves_of(Claim g, int n) {
    char **answer = words + 5; long long low = g.x & -g.x, step = g.x % 65536 ? low : 65536;
    int numbers = !follows && (g.x > 0 || step < 65536); Set cells = follows ? moves(g) : g.a, skipped = 0, kept = 0;
    need(n - 5 == count(cells) + (follows ? 0 : g.star + numbers), "the answers do not match the moves");
    for (; cells; cells &= cells - 1, answer++) {
        int cell = first(cells); const char *end;
        if (follows && g.x) bounded(g.a & ~bit(cell), bit(cell), g.x - 2, *answer);
        else if (follows) {
            Claim then = stepped(g, cell); int reply = (int)decimal(*answer, &end, size - 1);
            need(*end == '=' && has(moves(then), reply), "an answer is not a move");
            walked(stepped(then, reply), end + 1);
        } else if (**answer == '<') {
            int best = (int)whole(*answer + 1, size - 1);
            need(better(g, best, cell), "a move is left out for one that is not better");
            skipped |= bit(cell), kept |= bit(best);
        } else answered(played(g, cell, 1), *answer); }
    need(!(skipped & kept), "a move is left out for one that is itself left out"); if (follows) return;
    Claim then = g; if (then.star) { then.star = 0; answered(then, *answer++); } g.x -= step;
    if (numbers) answered(g, *answer); }
int main(int argc, char **argv) {
    if (argc != 2 || !freopen(argv[1], "r", stdin)) { fprintf(stderr, "Usage: check FILE\n"); return 2; }
    need(split() == 3 && !strcmp(words[0], "gridlock") && !strcmp(words[1], "certificate") && !strcmp(words[2], "1"), "this is not a certificate");
    said(split(), "board", 4);
    rows = (int)whole(words[1], 100), cols = (int)whole(words[2], 100), king = !strcmp(words[3], "king");
    size = rows * cols; need(size >= 1 && size <= 128 && (king || !strcmp(words[3], "orthogonal")), "this is not a board of 1 to 128 cells");
    all = size == 128 ? ~(Set)0 : bit(size) - 1;
    for (int cell = 0; cell < size; cell++) {
        inner |= cell % cols ? bit(cell) : 0; dark |= (cell / cols + cell % cols) % 2 ? bit(cell) : 0; }
    for (int cell = 0; cell < size; cell++) zone[cell] = touch(bit(cell)) | bit(cell);
    int n = split(), i = 1; need(n > 1 && !strcmp(words[0], "marker"), "a line of the head is missing");
    own = i < n && !strcmp(words[i], "own") ? i++ : 0; other = i < n && !strcmp(words[i], "other") ? i++ : 0;
    near = i < n && !strcmp(words[i], "near") ? i++ : 0; away = i < n && !strcmp(words[i], "away") ? i++ : 0;
    pawn = i < n && !strcmp(words[i], "pawn") ? i++ : 0; if (n == 2 && !strcmp(words[1], "none")) i = n;
    follows = near || away; need(i == n && !(near && away) && !(follows && (own || other)) && !(pawn && !near), "there are no rules for such a marker");
    said(split(), "position", 5);
    Set mine = set(words[1]), theirs = set(words[2]), my_head = head(words[3]), their_head = head(words[4]), empty = all & ~(mine | theirs);
    need(!(mine & theirs) && (!follows || (!(my_head & ~mine) && !(their_head & ~theirs))), "the markers do not fit");
    need(!pawn || (my_head && their_head), "a pawn is missing"); said(split(), "slots", 2);
    slot_count = whole(words[1], 1LL << 26); slots = calloc((size_t)slot_count + 1, sizeof *slots);
    need(slots != NULL, "there is not enough memory"); long long records = 0;
    while (n = split(), strcmp(words[0], "loses") && strcmp(words[0], "wins")) {
        need(n >= 5, "a record is too short"); Slot *slot = slots + whole(words[0], slot_count - 1);
        Claim g = {set(words[1]), 0, 0, 0, 0}; if (follows) {
            g.b = head(words[2]); if (pawn && *words[3] == '=') g.x = whole(words[3] + 1, size) + 1; else g.c = head(words[3]);
            need(!pawn == !(g.c || g.x) && g.b != g.c && !((g.b | g.c) & g.a), "the heads do not fit this game");
        } else g.b = set(words[2]), number(words[3], &g);
        if (!strcmp(words[4], "m")) moves_of(g, n);
        else if (!strcmp(words[4], "t") && !follows) {
            Claim bare = g; need(own && !other && g.star && n == 6, "the rule t does not apply"); bare.star = 0;
            answered(bare, words[5]);
        } else { need(n == 5, "this reason takes one word"); hold(g, words[4]); }
        slot->claim = follows ? reached(g) : g; slot->used = 1; records++; }
    int win = !strcmp(words[0], "wins"); need(n == 2 + win, "the result needs a reason");
    Claim start = {empty, pawn ? my_head : their_head, pawn ? their_head : 0, 0, 0};
    if (!follows) {
        Set p = touch(mine), q = touch(theirs);
        start.a = empty & ~((own ? p : 0) | (other ? q : 0)), start.b = empty & ~((own ? q : 0) | (other ? p : 0)), start.c = 0; }
    if (win) {
        int cell = (int)whole(words[1], size - 1); need(has(follows ? moves(start) : start.a, cell), "the winning move is not legal");
        Claim then = follows ? stepped(start, cell) : played(start, cell, 1);
        if (!follows) { Set p = then.a; then.a = then.b, then.b = p; }
        start = then; }
    hold(start, words[1 + win]);
    while (line_number++, fgets(line, sizeof line, stdin)) need(*line == '#' && strchr(line, '\n'), "there is a line after the result");
    printf("Every step is valid: the player to move %s (%lld records).\n", win ? "wins" : "loses", records); return 0; }
