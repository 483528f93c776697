"""Solve Tron: two pawns walk, every cell left behind is walled off, and the player who cannot move loses.

A position is (free, me, them): the unused cells, the pawn of the player to move, and the other pawn. The pages in
docs/engine explain why each technique is sound and how much it helps.
"""

from gridlock.core.shape import Follow, Shape

try:
    import cython
except ImportError:
    from . import interpreted as cython
if not cython.compiled:
    from .interpreted import around, bit, lowest, plain, popcount, u128

    BoardSearch, Table = plain("board_search").BoardSearch, plain("board_search").Table

TAKES = Shape(follows=Follow.NEAR, pawn=True)

TABLE = cython.declare(cython.int, 1)  # remember positions already decided
ORDER = cython.declare(cython.int, 2)  # first try the moves that leave the mover the most territory
SYMMETRY = cython.declare(cython.int, 4)  # rotate or reflect every position into canonical form before the lookup
MIRROR = cython.declare(cython.int, 8)  # the player to move loses if the other can copy every move
RACE = cython.declare(cython.int, 16)  # compare longest paths once the pawns cannot meet
WALL = cython.declare(cython.int, 32)  # find a walk that the opponent cannot hinder and that is long enough
BLOCKS = cython.declare(cython.int, 64)  # bound longest paths through the tree of blocks that cut cells leave
CHEQUER = cython.declare(cython.int, 128)  # bound longest paths by the colours of the cells (4 neighbours only)
PATHS = cython.declare(cython.int, 256)  # remember longest paths already searched
LOOK = cython.declare(cython.int, 512)  # once a search has taken long, order moves by territory two plies later
TECHNIQUES = {
    "TABLE": TABLE, "ORDER": ORDER, "SYMMETRY": SYMMETRY, "MIRROR": MIRROR, "RACE": RACE,
    "WALL": WALL, "BLOCKS": BLOCKS, "CHEQUER": CHEQUER, "PATHS": PATHS, "LOOK": LOOK,
}  # fmt: skip
ALL = sum(TECHNIQUES.values())

STOPPED = cython.declare(cython.int, -1)  # results of a search besides 0 and 1
UNDECIDED = cython.declare(cython.int, 2)
RESULT = cython.declare(cython.int, 6)  # the bit of the result in a table entry
SHORTEST = cython.declare(cython.int, 6)  # bounds on the longest path: the fewest moves it has ...
MOST = cython.declare(cython.int, 14)  # ... and the most
AHEAD = cython.declare(cython.int, 2)  # plies to look ahead after a move
STUCK = cython.declare(cython.int, -900)  # the lead in territory of a player who cannot move
FAR = cython.declare(cython.int, 999)  # beyond any lead
WORTH_IT = cython.declare(cython.longlong, 300)  # looking ahead is worth this much work
PATIENCE = 1 << 18  # the work after which a search is hard
LEARNED = 1 << 40  # a learned position counts as this much work, so that it is the last to be replaced


class TronSearch(BoardSearch):
    """The search for one board, with a table of proved results."""

    def __init__(self, grid, memory, techniques):
        BoardSearch.__init__(self, grid, memory // 8 * 7, techniques)
        self.chequered = techniques & CHEQUER and not self.edges.king
        if not cython.compiled:
            self.seen_at, self.low, self.onward, self.pile = ([0] * 128 for _ in range(4))
            self.fixed = [0] * 8
            self.spent, self.tried = [0] * 129, [0] * 129
        self.paths = Table(memory // 8, 0)
        self.hard, self.patience = False, PATIENCE
        for cells in range(129):
            self.spent[cells] = self.tried[cells] = 0
        for turn in range(self.symmetries):
            self.fixed[turn] = sum(1 << cell for cell in range(grid.size) if self.moved[129 * turn + cell] == cell)

    def solve(self, free, me, them, tick):
        """Return 1 if the player to move wins, 0 if that player loses, or -1 if `tick` stops the search."""
        self.check(free, me, them)
        limit: cython.longlong = self.nodes + self.steps + self.patience

        def impatient(nodes):
            if tick(nodes):
                return True
            self.hard = self.nodes + self.steps >= limit
            return self.hard

        self.hard = self.patience == 0
        self.begin(tick if self.hard or not self.techniques & LOOK else impatient)
        result = self.search(free, me, them)
        if result != STOPPED or not self.hard or self.patience == 0:
            return result
        self.begin(tick)  # again from the root, where the order matters most; the table has what was decided
        return self.search(free, me, them)

    def learn(self, free: int, me: int, them: int, result: int) -> None:
        """Put a decided position into the table."""
        self.check(free, me, them)
        self.turn(self.flood(1 << me | 1 << them, free), me, them)
        self.table.keep(self.free, 1 + self.pawns, result << RESULT, LEARNED)

    def moves(self, free, me, them):
        """Return the moves in the order in which a search tries them."""
        self.check(free, me, them)
        order: cython.int[8]
        if not cython.compiled:
            order = [0] * 8
        self.hard = True
        count: cython.int = self.arrange(self.flood(1 << me | 1 << them, free), me, them, order)
        return [order[i] & 127 for i in range(count)]

    def check(self, free, me, them):
        """Reject invalid positions."""
        pawns = 1 << me | 1 << them
        if me == them or (free | pawns) & ~self.board or free & pawns:
            raise ValueError("two pawns on different cells of the board, neither on a free cell")
        return True

    def turn(self, free, me, them):
        """Set `free` and `pawns` to the symmetric image with the lowest `pawns` and, among those, the lowest `free`.

        Return True immediately if a symmetry shows that the mover loses: a reflection or half-turn that swaps the
        pawns and maps the set of free cells to itself, but leaves no free cell in place.
        """
        self.free, self.pawns = free, 128 * me + them
        for turn in range(1, self.symmetries):
            pawns: cython.int = 128 * self.moved[129 * turn + me] + self.moved[129 * turn + them]
            swaps: cython.bint = self.techniques & MIRROR and pawns == 128 * them + me and not free & self.fixed[turn]
            better: cython.bint = self.techniques & SYMMETRY and pawns <= self.pawns
            if swaps or better:
                image: u128 = self.image(free, turn)
                if swaps and image == free:
                    return True
                if better and (pawns < self.pawns or image < self.free):
                    self.free, self.pawns = image, pawns
        return False

    def flood(self, start, free):
        """Return the free cells that can be reached from the start."""
        seen: u128 = 0
        new: u128 = around(self.edges, start) & free
        while new:
            seen |= new
            new = around(self.edges, new) & free & ~seen
        return seen

    def territory(self, free, first, second):
        """Return the number of cells that the mover reaches first, minus the number that the opponent reaches first."""
        lead: cython.int = 0
        while first or second:
            first = around(self.edges, first) & free
            free ^= first
            second = around(self.edges, second) & free
            free ^= second
            lead += popcount(first) - popcount(second)
        return lead

    def bound(self, region, start):
        """Return an upper bound on the number of moves in a path that leads from the start through the region.

        Every cell of the region must be reachable from the start.
        """
        self.region = region | bit(start)
        if not self.techniques & BLOCKS:
            return self.through(self.region, start, -1)
        self.unseen = region
        self.clock = 0
        self.height = 0
        self.visit(start)
        return self.onward[start]

    def visit(self, v):
        """Search the region depth-first from v, and divide it into blocks.

        Store in `onward[v]` an upper bound on the number of moves from v into the blocks that are entered at v.
        """
        best: cython.int = 0
        around: u128 = self.near[v] & self.region
        self.clock += 1
        now: cython.int = self.clock
        link: cython.int = now
        self.seen_at[v] = now
        self.pile[self.height] = v
        self.height += 1
        while around:
            w: cython.int = lowest(around)
            around &= around - 1
            if not self.unseen >> w & 1:
                link = min(link, self.seen_at[w])
                continue
            self.unseen ^= bit(w)
            self.visit(w)
            link = min(link, self.low[w])
            if self.low[w] < now:
                continue
            block: u128 = bit(v)  # v cuts off the cells stacked since w: a block, entered at v
            exits: u128 = 0
            u: cython.int = -1
            while u != w:
                self.height -= 1
                u = self.pile[self.height]
                block |= bit(u)
                if self.onward[u]:
                    exits |= bit(u)
            best = max(best, self.through(block, v, -1))
            while exits:
                u = lowest(exits)
                exits &= exits - 1
                best = max(best, self.through(block, v, u) + self.onward[u])
        self.low[v] = link
        self.onward[v] = best
        return 0

    def through(self, block, v, u):
        """Return an upper bound on the moves from v to u inside a block, or to any cell if u is -1."""
        if u < 0 or not self.chequered:
            return self.longest(block & ~bit(v), v)
        same: cython.int = popcount(block & (self.dark if self.dark >> v & 1 else ~self.dark))
        other: cython.int = popcount(block) - same
        return 2 * min(same - 1, other) if (self.dark >> v ^ ~self.dark >> u) & 1 else 2 * min(same, other) - 1

    def has_path(self, region, v, need):
        """Return 1 if a path of `need` moves leads from v through the region, or 0 if there is no such path.

        Return -1 if the search was stopped.
        """
        if need <= 0:
            return 1
        self.steps += 1
        if self.nodes + self.steps >= self.next_tick and self.stop():
            return -1
        region = self.flood(bit(v), region)
        if popcount(region) < need:
            return 0
        known: cython.ulonglong = self.paths.find(region, v + 1, 0) if self.techniques & PATHS else 0
        shortest: cython.int = cython.cast(cython.int, known >> SHORTEST & 255)
        most: cython.int = cython.cast(cython.int, known >> MOST & 255)
        if need <= shortest:
            return 1
        if not known:
            most = self.bound(region, v)
        if need > most:
            return 0
        moves: u128 = self.near[v] & region
        w: cython.int = 0
        found: cython.int = 0
        while moves and not found:
            fewest: cython.int = 9
            left: u128 = moves
            while left:  # first the cell with the fewest exits, as in a knight's tour
                c: cython.int = lowest(left)
                left &= left - 1
                exits: cython.int = popcount(self.near[c] & region)
                if exits < fewest:
                    fewest = exits
                    w = c
            moves ^= bit(w)
            found = self.has_path(region ^ bit(w), w, need - 1)
        if found == -1:
            return -1
        if self.techniques & PATHS:
            if found:
                shortest = need
            else:
                most = need - 1
            known = cython.cast(cython.ulonglong, shortest) << SHORTEST | cython.cast(cython.ulonglong, most) << MOST
            self.paths.keep(region, v + 1, known, need)
        return found

    def race(self, mine, me, theirs, them):
        """Decide a position in which the pawns cannot meet: the mover wins if it has the longer path."""
        most: cython.int = self.bound(mine, me)
        rival: cython.int = self.bound(theirs, them)
        while True:
            if most > rival:
                found: cython.int = self.has_path(mine, me, rival + 1)
                if found:
                    return found
                most = rival
            found = self.has_path(theirs, them, most)
            if found:
                return 0 if found == 1 else -1
            rival = most - 1

    def wall(self, free, walker, rival, first):
        """Return 1 if a walk fixed in advance is found to beat every defence, 0 if not, -1 if the search stopped."""
        area: u128 = bit(rival)  # the cells the rival may have reached by now
        walked: cython.int = 0
        if not first:
            area |= around(self.edges, area) & free
        while True:
            moves: u128 = self.near[walker] & free & ~area
            if not moves:  # too short, because the rival's area grew with every step
                return 0
            best: cython.int = -9999
            while moves:
                v: cython.int = lowest(moves)
                moves &= moves - 1
                score: cython.int = -8 * self.territory(free & ~(area | bit(v)), area, bit(v))
                score -= popcount(self.near[v] & free & ~area)
                if score > best:
                    best = score
                    walker = v
            free ^= bit(walker)
            walked += 1
            grown: u128 = area | around(self.edges, area) & free
            if grown == area:
                break
            area = grown
        need: cython.int = self.bound(area & ~bit(rival), rival) + first - walked
        return self.has_path(free & ~area, walker, need)

    def search(self, free, me, them):
        """Return whether the player to move wins (1 or 0; -1 if stopped)."""
        self.nodes += 1
        begun: cython.longlong = self.nodes + self.steps
        if begun >= self.next_tick and self.stop():
            return -1
        if not self.near[me] & free:
            return 0
        mine: u128 = self.flood(bit(me), free)
        theirs: u128 = self.flood(bit(them), free)
        if self.techniques & RACE and not mine & theirs:
            return self.race(mine, me, theirs, them)
        if self.turn(mine | theirs, me, them):  # cells that neither pawn can reach are dropped
            return 0
        free = self.free
        pawns: cython.int = self.pawns
        me, them = pawns >> 7, pawns & 127
        known: cython.ulonglong = self.table.find(free, 1 + pawns, 0) if self.techniques & TABLE else 0
        if known:
            return known >> RESULT & 1
        result: cython.int = UNDECIDED
        tries: cython.bint = False
        if self.techniques & WALL:  # for the player with more territory
            ahead: cython.bint = self.territory(free, bit(me), bit(them)) >= 0
            result = self.wall(free, me, them, True) if ahead else self.wall(free, them, me, False)
            if result >= 0:
                result = ahead if result else UNDECIDED
        if result == UNDECIDED:
            tries = True
            result = self.try_moves(free, me, them)
        if result == STOPPED:
            return STOPPED
        work: cython.longlong = self.nodes + self.steps - begun + 1
        if tries:
            self.spent[popcount(free)] += work
            self.tried[popcount(free)] += 1
        if self.techniques & TABLE:
            self.table.keep(free, 1 + pawns, cython.cast(cython.ulonglong, result) << RESULT, work)
        if self.journal_work and work >= self.journal_work:
            self.journal.append((free, me, them, result))
        return result

    def outlook(self, free, v, them):
        """Score a move to v; a lower score is better.

        The score of a move depends on the opponent's lead in territory after the move, the distance between the pawns,
        and the number of free cells next to the mover's pawn.
        """
        rows: cython.int = abs(v // self.cols - them // self.cols)
        cols: cython.int = abs(v % self.cols - them % self.cols)
        lead: cython.int = self.territory(free ^ bit(v), bit(them), bit(v))
        return 8 * lead + 2 * max(rows, cols) + popcount(self.near[v] & free)

    def ahead(self, free, me, them, plies, low, high):
        """Return the mover's lead after `plies` moves of best play.

        A lead that is not between `low` and `high` is only a bound.
        """
        moves: u128 = self.near[me] & free
        if not moves:
            return STUCK
        if not plies:
            return self.territory(free, bit(me), bit(them))
        best: cython.int = STUCK - 1
        while moves and best < high:
            v: cython.int = lowest(moves)
            moves &= moves - 1
            best = max(best, -self.ahead(free ^ bit(v), them, v, plies - 1, -high, -max(low, best)))
        return best

    def looks(self, free):
        """Return whether to look ahead before ordering the moves of a position.

        Looking ahead pays off only in hard searches (which have already taken much work), and only if the positions
        with the same number of free cells have taken much work on average.
        """
        cells: cython.int = popcount(free)
        return self.techniques & LOOK and self.hard and self.spent[cells] >= WORTH_IT * self.tried[cells]

    def arrange(self, free, me, them, order):
        """Put the moves into `order`, most promising first, and return the number of moves.

        The lowest 7 bits of each entry hold the cell.
        """
        moves: u128 = self.near[me] & free
        count: cython.int = 0
        looks: cython.bint = self.looks(free)
        while moves:
            v: cython.int = lowest(moves)
            moves &= moves - 1
            score: cython.int = v
            if self.techniques & ORDER:
                score += 128 * self.outlook(free, v, them)
                if looks:
                    score += (1 << 20) * self.ahead(free ^ bit(v), them, v, AHEAD, -FAR, FAR)
            i: cython.int = count
            while i > 0 and order[i - 1] > score:
                order[i] = order[i - 1]
                i -= 1
            order[i] = score
            count += 1
        return count

    def try_moves(self, free, me, them):
        """Search the moves one by one until one of them wins."""
        order: cython.int[8]
        if not cython.compiled:
            order = [0] * 8
        count: cython.int = self.arrange(free, me, them, order)
        for i in range(count):
            v: cython.int = order[i] & 127
            result: cython.int = self.search(free ^ bit(v), them, v)
            if result <= 0:
                return 1 if result == 0 else -1
        return 0
