"""Who wins a position of any of the five games, and after how many moves, by an exact search.

A score is 1000 - distance for a win of the player to move and distance - 1000 for a loss, the distance being the
number of moves until the loser is stuck: the winner hurries, the loser delays. The distance says how many moves the
loser still makes (m of them: 2m + 1 moves in all if the winner is to move, else 2m), so the search is about that number.

In scatter and showdown a position is the cells open to the player to move and those open to the other, and whatever
cannot influence the rest is taken off the board: a free move (a cell of one's own that no move can touch) is only
counted, and one free move of each player's, or two lone cells open to both, cancel: whoever starts on such a pair is
answered in it, so that it changes nothing but makes the loser's game one move longer. In keepaway, chain and trails a
position is the empty cells that can still be reached and where the next steps start.
"""

from __future__ import annotations

import mmap

try:
    import cython
except ImportError:
    from . import interpreted as cython
if cython.compiled:
    from cython.cimports.gridlock.engine.kernels.bits import lowest, popcount, u128
else:
    from .interpreted import lowest, popcount

    u128 = int

KEEPAWAY, CHAIN, SCATTER, TRAILS, SHOWDOWN = range(5)
STUCK = 1000  # the player to move has lost: -STUCK

NOWHERE = 128  # no such cell: before the first move of keepaway and chain, and where a game has one walker only
FREE, STAR = 128, 129  # moves that are no longer on the board: a free move, a lone cell open to both players
LEVEL = 512  # scatter, showdown: the extra part of a state is LEVEL + 2 * free moves ahead + 1 if there is a lone cell
WORDS = 5  # of 64 bits to an entry: the two sets, and the rest


@cython.cclass
class ExactSearch:
    """Exact scores of positions of one game on one board, with a memory of what it has found so far."""

    game: cython.int
    placing: cython.bint  # scatter and showdown
    size: cython.int
    cols: cython.int
    king: cython.bint
    chequered: cython.bint  # every step changes the colour of the cell
    board: u128
    dark: u128
    not_left: u128
    near: u128[128]  # a cell and its neighbours
    reach: u128[129]  # the cells that a step may lead to
    lattices: u128[9]  # sets of cells so far apart that no two of them are touched by one move
    lattice_count: cython.int
    block: u128[128]  # cells that all touch each other, of which this one comes first
    other_block: u128[128]
    image: u128[4096]  # what becomes of four cells in a row under each symmetry of the board
    moved: cython.int[1032]  # what becomes of each cell
    symmetries: cython.int
    order: cython.int[17160]  # the moves of every position on the way, each with what speaks for it
    gain: u128[130]
    a: u128  # the state that `step` and `settle` leave
    b: u128
    x: cython.int
    my_least: cython.int  # how many moves each player is sure to make yet, and can make at most
    my_most: cython.int
    their_least: cython.int
    their_most: cython.int
    buckets: cython.ulonglong
    table: cython.ulonglong[::1]
    tick: object
    pulse: cython.longlong
    next_tick: cython.longlong
    stopped: cython.bint
    visited: cython.longlong

    def __init__(self, game_code, rows, cols, king, memory):
        if not cython.compiled:
            self.near, self.reach, self.gain, self.image = [0] * 128, [0] * 129, [0] * 130, [0] * 4096
            self.moved, self.order, self.lattices = [0] * 1032, [0] * 17160, [0] * 9
            self.block, self.other_block = [0] * 128, [0] * 128
        size = rows * cols
        if size > 128:
            raise ValueError("a board for this search has at most 128 cells")
        self.game, self.size, self.cols, self.king = game_code, size, cols, king
        self.placing = game_code in (SCATTER, SHOWDOWN)
        self.chequered = game_code in (CHAIN, TRAILS) and not king
        cells = [(row, col) for row in range(rows) for col in range(cols)]
        number = {place: cell for cell, place in enumerate(cells)}

        def bits(chosen):
            return sum(1 << number[place] for place in chosen)

        self.board = bits(cells)
        self.dark = bits((row, col) for row, col in cells if (row + col) % 2)
        self.not_left = bits((row, col) for row, col in cells if col)
        for cell, (row, col) in enumerate(cells):
            near = bits(
                (r, c)
                for r, c in cells
                if (max(abs(r - row), abs(c - col)) if king else abs(r - row) + abs(c - col)) <= 1
            )
            self.near[cell] = near
            self.reach[cell] = bits(cells) & ~near if game_code == KEEPAWAY else near & ~(1 << cell)
        self.reach[NOWHERE] = bits(cells)
        self.prepare_bounds(rows, cols, bits)
        self.prepare_symmetries(rows, cols, cells, number)
        self.visited = 0
        self.pulse = 16384 if cython.compiled else 256
        buckets = 1
        while buckets * 4 * WORDS * 8 <= memory:
            buckets *= 2
        self.buckets = buckets
        self.table = memoryview(mmap.mmap(-1, buckets * 2 * WORDS * 8)).cast("Q")

    @property
    def nodes(self):
        """How many positions have been searched so far."""
        return self.visited

    def prepare_bounds(self, rows, cols, bits):
        """Find the lattices and blocks that bound how many moves a player has."""
        places = [(row, col) for row in range(rows) for col in range(cols)]
        if self.king:
            step = 2 if self.game == SCATTER else 3
            classes = [
                [(r, c) for r, c in places if (r % step, c % step) == k]
                for k in sorted({(r % step, c % step) for r, c in places})
            ]
        elif self.game == SCATTER:
            classes = [[(r, c) for r, c in places if (r + c) % 2 == k] for k in range(2)]
        else:
            classes = [[(r, c) for r, c in places if (r + 2 * c) % 5 == k] for k in range(5)]
        self.lattice_count = len(classes)
        for index, one in enumerate(classes):
            self.lattices[index] = bits(one)
        for cell, (row, col) in enumerate(places):
            right, below = (row, col + 1), (row + 1, col)
            one = {(row, col), right, below, (row + 1, col + 1)} if self.king else {(row, col), right}
            two = {(row, col), below, (row + 1, col - 1)} if self.king else {(row, col), below}
            self.block[cell] = bits(one.intersection(places))
            self.other_block[cell] = bits(two.intersection(places))

    def prepare_symmetries(self, rows, cols, cells, number):
        """Tabulate the board's symmetries, four cells at a time."""
        turns = [lambda r, c: (r, c), lambda r, c: (rows - 1 - r, c)]
        turns += [lambda r, c: (r, cols - 1 - c), lambda r, c: (rows - 1 - r, cols - 1 - c)]
        if rows == cols:
            turns += [lambda r, c: (c, r), lambda r, c: (cols - 1 - c, r)]
            turns += [lambda r, c: (c, rows - 1 - r), lambda r, c: (cols - 1 - c, rows - 1 - r)]
        maps = list(dict.fromkeys(tuple(number[turn(row, col)] for row, col in cells) for turn in turns))
        self.symmetries = len(maps)
        for index, image in enumerate(maps):
            self.moved[index * 129 + NOWHERE] = NOWHERE
            for cell, to in enumerate(image):
                self.moved[index * 129 + cell] = to
            for start in range(0, len(cells), 4):
                for four in range(16):
                    self.image[(index * 32 + start // 4) * 16 + four] = sum(
                        1 << to for bit, to in enumerate(image[start : start + 4]) if four >> bit & 1
                    )

    def solve(self, mine, theirs, my_head, their_head, low, high, tick):
        """The score for the player to move; at most `low` or at least `high` means no more than that; 0: stopped."""
        self.enter(mine, theirs, my_head, their_head)
        self.tick = tick
        self.stopped = False
        self.next_tick = self.visited + self.pulse
        return self.score(self.a, self.b, self.x, low, high)

    def all_moves(self, mine, theirs, my_head, their_head, tick):
        """Every legal move with its exact score for the player who makes it, or None if stopped."""
        self.enter(mine, theirs, my_head, their_head)
        self.tick = tick
        self.stopped = False
        self.next_tick = self.visited + self.pulse
        a: u128 = self.a
        b: u128 = self.b
        x: cython.int = self.x
        moves: u128 = a if self.placing else a & self.reach[x & 255]
        cell: cython.int
        scores = []
        while moves:
            cell = lowest(moves)
            moves &= moves - 1
            self.step(a, b, x, cell)
            score = self.score(self.a, self.b, self.x, -STUCK - 1, STUCK)
            if self.stopped:
                return None
            scores.append((cell, -shallower(score, 1)))
        return scores

    @cython.cfunc
    def enter(self, mine: u128, theirs: u128, my_head: cython.int, their_head: cython.int) -> cython.void:
        """Turn a position as the rule books have it into a state."""
        empty: u128 = self.board & ~(mine | theirs)
        self.a = empty
        self.b = 0
        if self.placing:
            self.x = LEVEL
            if self.game == SCATTER:
                self.a = empty & ~self.around(mine)
                self.b = empty & ~self.around(theirs)
            else:
                self.a = empty & ~self.around(theirs)
                self.b = empty & ~self.around(mine)
        elif self.game == TRAILS:
            self.x = my_head | their_head << 8
        else:
            self.x = (NOWHERE if their_head < 0 else their_head) | NOWHERE << 8

    @cython.cfunc
    @cython.exceptval(-32768)
    def score(self, a: u128, b: u128, x: cython.int, low: cython.int, high: cython.int) -> cython.int:
        """Close in on the score: first who wins, then from the shortest game up."""
        bottom: cython.int = -STUCK
        top: cython.int = STUCK
        goal: cython.int = 0
        found: cython.int
        if low >= 0:
            goal = low + 1
        elif high <= 0:
            goal = high
        while bottom < top and bottom < high and top > low:
            found = self.search(0, a, b, x, goal)
            if self.stopped:
                return 0
            if found >= goal:
                bottom = found
            else:
                top = found
            if bottom > 0:
                goal = top if top < high else high
            elif top < 0:
                goal = (bottom if bottom > low else low) + 1
            elif goal > 0:
                goal = 0 if low < 0 else goal
            else:
                goal = 0
        return bottom if bottom >= high else top if top <= low else bottom

    @cython.cfunc
    @cython.exceptval(-32768)
    def search(self, ply: cython.int, a: u128, b: u128, x: cython.int, goal: cython.int) -> cython.int:
        """A lower bound of the score that is at least the goal, or else an upper bound."""
        self.visited += 1
        if self.visited >= self.next_tick:
            self.next_tick = self.visited + self.pulse
            if self.tick(self.visited):
                self.stopped = True
        if self.stopped:
            return 0
        pairs: cython.int = self.settle(a, b, x)
        if pairs == 0:
            return self.explore(ply, goal)
        return shallower(self.explore(ply, deeper(goal, 2 * pairs)), 2 * pairs)

    @cython.cfunc
    @cython.exceptval(-32768)
    def explore(self, ply: cython.int, goal: cython.int) -> cython.int:
        """The same for the state just settled."""
        bottom: cython.int = 2 * self.my_least - STUCK
        top: cython.int = STUCK - 1 - 2 * self.their_least
        if self.my_least > self.their_most:
            bottom = STUCK - 1 - 2 * self.their_most
        elif self.their_least >= self.my_most:
            top = 2 * self.my_most - STUCK
        if bottom >= goal:
            return bottom
        if top < goal:
            return top
        if popcount(self.a | self.b) >= 6:
            self.turn()
        a: u128 = self.a
        b: u128 = self.b
        x: cython.int = self.x
        slot: cython.longlong = self.slot(a, b, x)
        entry: cython.ulonglong = self.entry(slot, a, b, x)
        hint: cython.int = -1
        value: cython.int
        if entry:
            value = cython.cast(cython.int, entry >> 16 & 2047) - 1024
            if value > bottom:
                bottom = value
            value = cython.cast(cython.int, entry >> 27 & 2047) - 1024
            if value < top:
                top = value
            if bottom >= goal:
                return bottom
            if top < goal:
                return top
            hint = cython.cast(cython.int, entry >> 38 & 255)
        before: cython.longlong = self.visited
        base: cython.int = ply * 132
        count: cython.int = self.list_moves(base, a, b, x, hint)
        best: cython.int = bottom
        move: cython.int = 255
        target: cython.int = 1 - deeper(goal, 1)
        i: cython.int
        j: cython.int
        pick: cython.int
        for i in range(count):
            pick = i
            for j in range(i + 1, count):
                if self.order[base + j] > self.order[base + pick]:
                    pick = j
            chosen: cython.int = self.order[base + pick]
            self.order[base + pick] = self.order[base + i]
            self.step(a, b, x, chosen & 255)
            value = -shallower(self.search(ply + 1, self.a, self.b, self.x, target), 1)
            if self.stopped:
                return 0
            if value > best:
                best = value
                move = chosen & 255
            if best >= goal:
                break
        if best >= goal:
            bottom = best
        else:
            top = best
        self.keep(slot, a, b, x, bottom, top, move, self.visited - before)
        return best

    @cython.cfunc
    @cython.exceptval(check=False)
    def step(self, a: u128, b: u128, x: cython.int, move: cython.int) -> cython.void:
        """Make a move: the state the opponent then has, not yet settled."""
        one: u128 = 1
        if not self.placing:
            self.a = a & ~(one << move)
            self.b = 0
            self.x = (x >> 8 | move << 8) if self.game == TRAILS else (move | NOWHERE << 8)
        elif move == STAR:
            self.a, self.b, self.x = b, a, 2 * LEVEL - x + 1
        elif move == FREE:
            self.a, self.b, self.x = b, a, 2 * LEVEL - x + 2 + 2 * (x & 1)
        elif self.game == SCATTER:
            self.a, self.b, self.x = b & ~(one << move), a & ~self.near[move], 2 * LEVEL - x + 2 * (x & 1)
        else:
            self.a, self.b, self.x = b & ~self.near[move], a & ~(one << move), 2 * LEVEL - x

    @cython.cfunc
    @cython.exceptval(check=False)
    def settle(self, a: u128, b: u128, x: cython.int) -> cython.int:
        """Leave only what matters of a state, bound the moves to come, and say how many pairs cancelled."""
        if self.placing:
            return self.settle_open_cells(a, b, x)
        at: cython.int = x & 255
        other: cython.int = x >> 8
        mine: u128 = self.region(a, at)
        moves: cython.int = self.longest(mine, at)
        if other == NOWHERE:
            self.my_most = (moves + 1) >> 1
            self.their_most = moves >> 1
            self.a = mine
        else:
            theirs: u128 = self.region(a, other)
            self.my_most = moves
            self.their_most = self.longest(theirs, other)
            self.a = mine | theirs
        self.my_least = 1 if a & self.reach[at] else 0
        if self.my_least == 0:
            self.my_most = 0
        self.their_least = 0
        self.b = 0
        self.x = x
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def settle_open_cells(self, a: u128, b: u128, x: cython.int) -> cython.int:
        """Count the free moves of scatter and showdown and take them off the board."""
        ahead: cython.int = (x >> 1) - LEVEL // 2
        mine: cython.int = ahead if ahead > 0 else 0
        theirs: cython.int = -ahead if ahead < 0 else 0
        lone: cython.int = x & 1
        pairs: cython.int = 0
        rest: u128
        both: u128
        if self.game == SHOWDOWN:
            rest = a & ~self.around(b)
            both = b & ~self.around(a)
            mine += popcount(rest)
            theirs += popcount(both)
            a &= ~rest
            b &= ~both
        else:
            both = a & b
            rest = both & ~self.beside(a | b)
            lone += popcount(rest)
            a &= ~rest
            b &= ~rest
            pairs = lone >> 1
            lone &= 1
            both = self.around(a & b)
            rest = self.private(a, a & ~both)
            mine += popcount(rest)
            a &= ~self.around(rest)
            rest = self.private(b, b & ~both)
            theirs += popcount(rest)
            b &= ~self.around(rest)
        ahead = mine if mine < theirs else theirs
        pairs += ahead
        mine -= ahead
        theirs -= ahead
        self.a = a
        self.b = b
        self.x = LEVEL + 2 * (mine - theirs) + lone
        self.my_least = mine + self.sure(a, b, lone, 1)
        self.their_least = theirs + self.sure(b, a, lone, 0)
        if self.game == SHOWDOWN:
            self.my_most = mine + popcount(a)
            self.their_most = theirs + popcount(b)
        else:
            self.my_most = mine + lone + self.cover(a)
            self.their_most = theirs + lone + self.cover(b)
        return pairs

    @cython.cfunc
    @cython.exceptval(check=False)
    def private(self, own: u128, cells: u128) -> u128:
        """Scatter: cells of one's own whose open neighbours all touch each other, all of them closed to the opponent."""
        found: u128 = 0
        one: u128 = 1
        todo: u128 = cells
        clique: u128
        left: u128
        cell: cython.int
        while todo:
            cell = lowest(todo)
            todo &= todo - 1
            clique = self.near[cell] & own
            left = clique
            while left and clique & ~self.near[lowest(left)] == 0:
                left &= left - 1
            if left == 0:
                found |= one << cell
                own &= ~clique
                todo = cells & own
        return found

    @cython.cfunc
    @cython.exceptval(check=False)
    def sure(self, own: u128, other: u128, lone: cython.int, first: cython.int) -> cython.int:
        """How many moves a player is sure of: on a lattice the opponent spoils one cell with a move, at most."""
        most: cython.int = 0
        here: u128
        count: cython.int
        i: cython.int
        for i in range(self.lattice_count):
            here = own & self.lattices[i]
            if self.game == SCATTER:
                count = popcount(here & ~other) + ((popcount(here & other) + lone + first) >> 1)
            else:
                count = (popcount(here) + first) >> 1
            if count > most:
                most = count
        return most

    @cython.cfunc
    @cython.exceptval(check=False)
    def cover(self, own: u128) -> cython.int:
        """Scatter: at most how many tokens still go there, since no two go into one block of touching cells."""
        count: cython.int = 0
        first: u128
        second: u128
        while own:
            first = own & self.block[lowest(own)]
            second = own & self.other_block[lowest(own)]
            own &= ~(first if popcount(first) >= popcount(second) else second)
            count += 1
        return count

    @cython.cfunc
    @cython.exceptval(check=False)
    def region(self, empty: u128, at: cython.int) -> u128:
        """The empty cells that steps from a cell lead to."""
        seen: u128 = self.reach[at] & empty
        todo: u128 = seen
        more: u128
        while todo and seen != empty:
            more = self.reach[lowest(todo)] & empty & ~seen
            todo = (todo & (todo - 1)) | more
            seen |= more
        return seen

    @cython.cfunc
    @cython.exceptval(check=False)
    def longest(self, cells: u128, at: cython.int) -> cython.int:
        """At most how many steps lead from a cell through a region: on a chequered board the colours take turns."""
        total: cython.int = popcount(cells)
        if not self.chequered or at == NOWHERE:
            return total
        dark: cython.int = popcount(cells & self.dark)
        same: cython.int = dark if self.dark >> at & 1 else total - dark
        return 2 * same + 1 if same < total - same else 2 * (total - same)

    @cython.cfunc
    @cython.exceptval(check=False)
    def list_moves(self, base: cython.int, a: u128, b: u128, x: cython.int, hint: cython.int) -> cython.int:
        """List the moves worth trying, each with what speaks for it, and say how many."""
        one: u128 = 1
        count: cython.int = 0
        cell: cython.int
        moves: u128
        worth: cython.int
        if not self.placing:
            moves = a & self.reach[x & 255]
        elif self.game == SHOWDOWN:
            moves = self.best_in_showdown(a, b)
        else:
            moves = self.best_in_scatter(a, b, x)
            if x & 1:
                self.order[base] = (2000 if hint == STAR else 1000) << 8 | STAR
                count = 1
            elif x > LEVEL:
                self.order[base] = (2000 if hint == FREE else 500) << 8 | FREE
                count = 1
        while moves:
            cell = lowest(moves)
            moves &= moves - 1
            if cell == hint:
                worth = 2000
            else:
                self.step(a, b, x, cell)
                worth = 1000 + self.promise(self.a, self.b, self.x)
            self.order[base + count] = worth << 8 | cell
            count += 1
        return count

    @cython.cfunc
    @cython.exceptval(check=False)
    def promise(self, a: u128, b: u128, x: cython.int) -> cython.int:
        """What speaks for a move that leads to a state: few replies, and in the placing games many moves of one's own."""
        if not self.placing:
            return -popcount(a & self.reach[x & 255])
        worth: cython.int = popcount(b) - popcount(a)
        if self.game == SHOWDOWN:
            worth += 2 * (popcount(b & ~self.around(a)) - popcount(a & ~self.around(b)))
        return worth

    @cython.cfunc
    @cython.exceptval(check=False)
    def best_in_showdown(self, a: u128, b: u128) -> u128:
        """Leave out a cell if another one closes all that it closes: played first, that one makes it safe."""
        kept: u128 = a
        todo: u128 = a
        rivals: u128
        cell: cython.int
        one: u128 = 1
        while todo:
            cell = lowest(todo)
            self.gain[cell] = self.near[cell] & b
            todo &= todo - 1
        todo = a
        while todo:
            cell = lowest(todo)
            todo &= todo - 1
            rivals = kept & ~(one << cell)
            while rivals:
                if self.gain[cell] & ~self.gain[lowest(rivals)] == 0:
                    kept &= ~(one << cell)
                    break
                rivals &= rivals - 1
        return kept

    @cython.cfunc
    @cython.exceptval(check=False)
    def best_in_scatter(self, a: u128, b: u128, x: cython.int) -> u128:
        """Leave out a cell if another one costs less: of those closed to the opponent, and of those open to both."""
        both: u128 = a & b
        one: u128 = 1
        kept: u128 = both if x & 1 or x > LEVEL + 1 else a
        todo: u128 = kept
        rivals: u128
        cost: u128
        mine: u128
        theirs: u128
        cell: cython.int
        rival: cython.int
        while todo:
            cell = lowest(todo)
            todo &= todo - 1
            mine = self.near[cell] & a
            theirs = self.near[cell] & b
            if both >> cell & 1:
                rivals = kept & mine & theirs & ~(one << cell)
            else:
                rivals = kept & ~(one << cell)
            while rivals:
                rival = lowest(rivals)
                rivals &= rivals - 1
                cost = self.near[rival] & a & ~(one << rival)
                if cost & ~mine == 0 and (not both >> cell & 1 or self.near[rival] & b & ~theirs == 0):
                    kept &= ~(one << cell)
                    break
        return kept

    @cython.cfunc
    @cython.inline
    def around(self, cells: u128) -> u128:
        """These cells and all that touch them."""
        return cells | self.beside(cells)

    @cython.cfunc
    @cython.inline
    def beside(self, cells: u128) -> u128:
        """The cells that touch one of these."""
        wide: u128 = cells << 1 & self.not_left | (cells & self.not_left) >> 1
        tall: u128 = cells | wide if self.king else cells
        return (wide | tall << self.cols | tall >> self.cols) & self.board

    @cython.cfunc
    @cython.exceptval(check=False)
    def turn(self) -> cython.void:
        """Turn or mirror the state at hand so that all its images become one."""
        a: u128 = self.a
        b: u128 = self.b
        x: cython.int = self.x
        image: u128
        other: u128
        extra: cython.int
        i: cython.int
        for i in range(1, self.symmetries):
            image = self.map_cells(a, i)
            if image > self.a:
                continue
            other = self.map_cells(b, i) if self.placing else 0
            extra = x
            if not self.placing:
                extra = self.moved[i * 129 + (x & 255)] | self.moved[i * 129 + (x >> 8)] << 8
            if image < self.a or other < self.b or (other == self.b and extra < self.x):
                self.a, self.b, self.x = image, other, extra

    @cython.cfunc
    @cython.exceptval(check=False)
    def map_cells(self, cells: u128, symmetry: cython.int) -> u128:
        """What becomes of a set of cells under one of the board's symmetries."""
        base: cython.int = symmetry * 512
        image: u128 = 0
        while cells:
            image |= self.image[base + cython.cast(cython.int, cells & 15)]
            cells >>= 4
            base += 16
        return image

    @cython.cfunc
    @cython.exceptval(check=False)
    def slot(self, a: u128, b: u128, x: cython.int) -> cython.longlong:
        """Where in the table the two entries are that may hold a state."""
        word: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
        stir: cython.ulonglong = 0x5851F42D4C957F2D
        key: cython.ulonglong = cython.cast(cython.ulonglong, a & word) ^ x
        key = key * stir & word
        key = (key ^ key >> 29 ^ cython.cast(cython.ulonglong, b & word)) * stir & word
        if self.size > 64:
            key = (key ^ key >> 31 ^ cython.cast(cython.ulonglong, a >> 64)) * stir & word
            key = (key ^ key >> 29 ^ cython.cast(cython.ulonglong, b >> 64)) * stir & word
        key = (key ^ key >> 32) * stir & word
        return cython.cast(cython.longlong, (key >> 24) % self.buckets) * 2 * WORDS

    @cython.cfunc
    @cython.exceptval(check=False)
    def entry(self, slot: cython.longlong, a: u128, b: u128, x: cython.int) -> cython.ulonglong:
        """What is known of a state, or 0: its key part, then both bounds, the best move and the work."""
        word: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
        i: cython.int
        for i in range(2):
            if (
                self.table[slot + 4]
                and cython.cast(cython.int, self.table[slot + 4] & 65535) == x
                and self.table[slot] == cython.cast(cython.ulonglong, a & word)
                and self.table[slot + 1] == cython.cast(cython.ulonglong, b & word)
                and self.table[slot + 2] == cython.cast(cython.ulonglong, a >> 64)
                and self.table[slot + 3] == cython.cast(cython.ulonglong, b >> 64)
            ):
                return self.table[slot + 4]
            slot += WORDS
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def keep(
        self,
        slot: cython.longlong,
        a: u128,
        b: u128,
        x: cython.int,
        bottom: cython.int,
        top: cython.int,
        move: cython.int,
        work: cython.longlong,
    ) -> cython.void:
        """Remember the bounds of a state, in place of an older one that took less work."""
        word: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
        effort: cython.ulonglong = 0
        while work:
            effort += 1
            work >>= 1
        known: cython.ulonglong = self.entry(slot, a, b, x)
        if self.table[slot + 4] != known or not known:
            if known or self.table[slot + 4] >> 46 > effort:
                slot += WORDS
        packed: cython.ulonglong = cython.cast(cython.ulonglong, bottom + 1024) << 16 | effort << 46
        packed |= cython.cast(cython.ulonglong, top + 1024) << 27 | cython.cast(cython.ulonglong, move) << 38
        self.table[slot] = cython.cast(cython.ulonglong, a & word)
        self.table[slot + 1] = cython.cast(cython.ulonglong, b & word)
        self.table[slot + 2] = cython.cast(cython.ulonglong, a >> 64)
        self.table[slot + 3] = cython.cast(cython.ulonglong, b >> 64)
        self.table[slot + 4] = packed | cython.cast(cython.ulonglong, x)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def deeper(score: cython.int, moves: cython.int) -> cython.int:
    """The score of the same end seen that many moves later."""
    return score + moves if score > 0 else score - moves if score < 0 else 0


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def shallower(score: cython.int, moves: cython.int) -> cython.int:
    """The score of the same end seen that many moves earlier."""
    return score - moves if score > 0 else score + moves
