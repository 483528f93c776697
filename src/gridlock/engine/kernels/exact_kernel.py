"""Who wins a position of any of the five games, and after how many moves, by an exact search.

A score is 1000 - distance for a win of the player to move and distance - 1000 for a loss, the distance being the
number of moves until the loser is stuck: the winner hurries, the loser delays. It says how many moves the loser still
makes: m of them are 2m + 1 moves in all if the winner is to move, else 2m. All bounds are bounds of that number.

In scatter and showdown a state is the cells open to the player to move and those open to the other. Whatever cannot
influence the rest is taken off the board: a free move (a cell of one's own that no move can touch) is only counted,
and one free move of each player's, or two lone cells open to both, cancel: whoever starts on such a pair is answered
in it, so that it changes nothing but makes the loser's game one move longer. In keepaway, chain and trails a state is
the empty cells that can still be reached and where the next steps start.
"""

from __future__ import annotations

import mmap

from gridlock.grid import Adjacency, Grid, cells_of, set_of

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
STUCK = 1000  # -STUCK is the score of a player who cannot move

NOWHERE = 128  # no cell: where the steps start before the first move, or the second walker of a game with only one
FREE, STAR = 128, 129  # moves that are no longer on the board: a free move, a lone cell open to both players
LEVEL = 512  # scatter, showdown: the rest of a state is LEVEL + 2 * free moves ahead + 1 if there is a lone cell
WORDS = 5  # of 64 bits to an entry of the table: the two sets, and the rest of the state with what is known of it


@cython.cclass
class ExactSearch:
    """Exact scores of positions of one game on one board, with a memory of what it has found so far."""

    game: cython.int
    placing: cython.bint  # scatter and showdown
    grid: object
    cols: cython.int
    king: cython.bint
    chequered: cython.bint  # every step changes the colour of the cell
    board: u128
    dark: u128
    not_left: u128
    near: u128[128]  # a cell and its neighbours
    reach: u128[129]  # the cells that a step may lead to
    lattices: u128[4]  # scatter: sets of cells that do not touch, the whole board together
    block: u128[128]  # scatter: cells that all touch each other, of which this one comes first
    other_block: u128[128]
    symmetries: cython.int
    image: u128[4096]  # what becomes of any four cells in a row under each symmetry
    moved: cython.int[1032]  # what becomes of one cell
    gain: u128[128]
    order: cython.int[17160]  # the moves of every position on the way, each with what speaks for it
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
        grid = self.grid = Grid(rows, cols, Adjacency.KING if king else Adjacency.ORTHOGONAL)
        if grid.size > 128:
            raise ValueError("a board for this search has at most 128 cells")
        if not cython.compiled:
            self.near, self.reach, self.gain, self.image = [0] * 128, [0] * 129, [0] * 128, [0] * 4096
            self.moved, self.order, self.lattices = [0] * 1032, [0] * 17160, [0] * 4
            self.block, self.other_block = [0] * 128, [0] * 128
        self.game, self.cols, self.king, self.board = game_code, cols, king, grid.cells
        self.placing = game_code in (SCATTER, SHOWDOWN)
        self.chequered = game_code in (CHAIN, TRAILS) and not king
        self.dark = set_of(cell for cell in range(grid.size) if (cell // cols + cell % cols) % 2)
        self.not_left = set_of(cell for cell in range(grid.size) if cell % cols)
        self.reach[NOWHERE] = grid.cells
        for cell, near in enumerate(grid.near):
            row, col = divmod(cell, cols)
            closed = near | 1 << cell
            self.near[cell] = closed
            self.reach[cell] = grid.cells & ~closed if game_code == KEEPAWAY else near
            self.lattices[row % 2 * 2 + col % 2 if king else (row + col) % 2] |= 1 << cell
            later = {divmod(other, cols) for other in cells_of(closed) if other >= cell}
            right = {(row, col), (row, col + 1), *([(row + 1, col), (row + 1, col + 1)] if king else [])}
            below = {(row, col), (row + 1, col), (row + 1, col - 1)}
            self.block[cell] = set_of(r * cols + c for r, c in right & later)
            self.other_block[cell] = set_of(r * cols + c for r, c in below & later)
        self.prepare_symmetries(rows, cols)
        self.visited = 0
        self.pulse = 16384 if cython.compiled else 256
        self.buckets = max(1, memory // (2 * WORDS * 8))
        self.table = memoryview(mmap.mmap(-1, self.buckets * 2 * WORDS * 8)).cast("Q")

    def prepare_symmetries(self, rows, cols):
        """Tabulate what becomes of the cells under each symmetry of the board."""
        board = [[row * cols + col for col in range(cols)] for row in range(rows)]
        across = [list(column) for column in zip(*board, strict=True)]
        views = []
        for one in (board, across) if rows == cols else (board,):
            for two in (one, one[::-1]):
                views += [two, [row[::-1] for row in two]]
        maps = list(dict.fromkeys(tuple(cell for row in view for cell in row) for view in views))
        self.symmetries = len(maps)
        for index, to in enumerate(maps):
            self.moved[index * 129 + NOWHERE] = NOWHERE
            for cell in range(rows * cols):
                self.moved[index * 129 + cell] = to[cell]
            for start in range(0, rows * cols, 4):
                for four in range(16):
                    found = set_of(to[start + bit] for bit in cells_of(four) if start + bit < rows * cols)
                    self.image[index * 512 + start * 4 + four] = found

    @property
    def nodes(self):
        """How many positions have been searched so far."""
        return self.visited

    def solve(self, mine, theirs, my_head, their_head, low, high, tick):
        """The score for the player to move; at most `low` or at least `high` says no more than that; 0: stopped."""
        self.begin(mine, theirs, my_head, their_head, tick)
        return self.score(self.a, self.b, self.x, low, high)

    def all_moves(self, mine, theirs, my_head, their_head, tick):
        """Every legal move with its exact score for the player who makes it, or None if stopped."""
        self.begin(mine, theirs, my_head, their_head, tick)
        a: u128 = self.a
        b: u128 = self.b
        x: cython.int = self.x
        moves: u128 = a if self.placing else a & self.reach[x & 255]
        scores = []
        while moves:
            cell: cython.int = lowest(moves)
            moves &= moves - 1
            self.step(a, b, x, cell)
            score: cython.int = self.score(self.a, self.b, self.x, -STUCK - 1, STUCK + 1)
            if self.stopped:
                return None
            scores.append((cell, -shallower(score, 1)))
        return scores

    def begin(self, mine, theirs, my_head, their_head, tick):
        """Turn a position as the rule books have it into a state, and wind the clock."""
        empty = self.grid.cells & ~(mine | theirs)
        if self.placing:
            own, other = empty & ~self.grid.around(mine), empty & ~self.grid.around(theirs)
            self.a, self.b = (own, other) if self.game == SCATTER else (other, own)
            self.x = LEVEL
        else:
            last = NOWHERE if their_head < 0 else their_head
            self.a, self.b = empty, 0
            self.x = my_head | their_head << 8 if self.game == TRAILS else last | NOWHERE << 8
        self.tick = tick
        self.stopped = False
        self.next_tick = self.visited + self.pulse

    @cython.cfunc
    @cython.exceptval(-32768)
    def score(self, a: u128, b: u128, x: cython.int, low: cython.int, high: cython.int) -> cython.int:
        """Close in on the score: first who wins, then from the shortest game up."""
        bottom: cython.int = -STUCK
        top: cython.int = STUCK
        goal: cython.int = low + 1 if low >= 0 else high if high < 0 else 0
        while bottom < top and bottom < high and top > low:
            found: cython.int = self.search(0, a, b, x, goal)
            if self.stopped:
                return 0
            if found >= goal:
                bottom = found
            else:
                top = found
            goal = (top if top < high else high) if bottom > 0 else (bottom if bottom > low else low) + 1
        return top if top <= low else bottom

    @cython.cfunc
    @cython.exceptval(-32768)
    def search(self, ply: cython.int, a: u128, b: u128, x: cython.int, goal: cython.int) -> cython.int:
        """A lower bound of the score that reaches the goal, or else an upper bound."""
        pairs: cython.int = self.settle(a, b, x)
        if self.watch():
            return 0
        return shallower(self.explore(ply, deeper(goal, 2 * pairs)), 2 * pairs)

    @cython.cfunc
    @cython.exceptval(-1)
    def watch(self) -> cython.int:
        """Count a position, look at the clock now and then, and say whether to stop."""
        self.visited += 1
        if self.visited >= self.next_tick and not self.stopped:
            self.next_tick = self.visited + self.pulse
            self.stopped = bool(self.tick(self.visited))
        return self.stopped

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
        if popcount(self.a | self.b) >= 6:  # below that, looking at all images costs more than it saves
            self.turn()
        a: u128 = self.a
        b: u128 = self.b
        x: cython.int = self.x
        bucket: cython.longlong = self.bucket(a, b, x)
        slot: cython.longlong = self.find(bucket, a, b, x)
        hint: cython.int = 255
        value: cython.int
        if slot >= 0:
            known: cython.ulonglong = self.table[slot + 4]
            value = cython.cast(cython.int, known >> 16 & 2047) - 1024
            bottom = value if value > bottom else bottom
            value = cython.cast(cython.int, known >> 27 & 2047) - 1024
            top = value if value < top else top
            if bottom >= goal:
                return bottom
            if top < goal:
                return top
            hint = cython.cast(cython.int, known >> 38 & 255)
        before: cython.longlong = self.visited
        base: cython.int = ply * 132
        count: cython.int = self.list_moves(base, a, b, x, hint)
        best: cython.int = bottom
        i: cython.int
        for i in range(count):
            move: cython.int = self.next_move(base + i, base + count)
            self.step(a, b, x, move)
            value = -shallower(self.search(ply + 1, self.a, self.b, self.x, 1 - deeper(goal, 1)), 1)
            if self.stopped:
                return 0
            if value > best:
                best = value
                hint = move
            if best >= goal:
                break
        if best >= goal:
            bottom = best
        else:
            top = best
        self.keep(bucket, a, b, x, bottom, top, hint, self.visited - before)
        return best

    @cython.cfunc
    @cython.exceptval(check=False)
    def next_move(self, start: cython.int, end: cython.int) -> cython.int:
        """Bring the best of the moves still to be tried to the front."""
        best: cython.int = start
        i: cython.int
        for i in range(start + 1, end):
            if self.order[i] > self.order[best]:
                best = i
        move: cython.int = self.order[best]
        self.order[best] = self.order[start]
        return move & 255

    @cython.cfunc
    @cython.exceptval(check=False)
    def step(self, a: u128, b: u128, x: cython.int, move: cython.int) -> cython.void:
        """Make a move: the state the opponent then has, not yet settled."""
        one: u128 = 1
        turned: cython.int = 2 * LEVEL - x + 2 * (x & 1)  # the free moves seen by the other player
        if not self.placing:
            self.a, self.b = a & ~(one << move), 0
            self.x = (x >> 8 | move << 8) if self.game == TRAILS else (move | NOWHERE << 8)
        elif move == STAR:
            self.a, self.b, self.x = b, a, turned - 1
        elif move == FREE:
            self.a, self.b, self.x = b, a, turned + 2
        elif self.game == SCATTER:
            self.a, self.b, self.x = b & ~(one << move), a & ~self.near[move], turned
        else:
            self.a, self.b, self.x = b & ~self.near[move], a & ~(one << move), turned

    @cython.cfunc
    @cython.exceptval(-1)
    def settle(self, a: u128, b: u128, x: cython.int) -> cython.int:
        """Leave only what matters of a state, bound the moves to come, and say how many pairs cancelled."""
        if self.placing:
            return self.settle_open_cells(a, b, x)
        at: cython.int = x & 255
        other: cython.int = x >> 8
        mine: u128 = self.region(a, at)
        moves: cython.int = self.longest(mine, at)
        self.my_least, self.their_least = 1 if moves else 0, 0
        if other == NOWHERE:
            self.a = mine
            self.my_most, self.their_most = (moves + 1) >> 1, moves >> 1
        else:
            theirs: u128 = self.region(a, other)
            self.a = mine | theirs
            self.my_most, self.their_most = moves, self.longest(theirs, other)
            if mine & theirs == 0:  # nobody is in the other's way any more
                self.my_least = self.my_most = self.walk(mine, at)
                self.their_least = self.their_most = self.walk(theirs, other)
        self.b, self.x = 0, x
        return 0

    @cython.cfunc
    @cython.exceptval(-1)
    def walk(self, cells: u128, at: cython.int) -> cython.int:
        """How many steps a pawn alone can make."""
        cells = self.region(cells, at)
        most: cython.int = self.longest(cells, at)
        moves: u128 = cells & self.reach[at]
        best: cython.int = 0
        if most < 2 or self.watch():
            return most
        bucket: cython.longlong = self.bucket(cells, 0, at | NOWHERE << 8)
        slot: cython.longlong = self.find(bucket, cells, 0, at | NOWHERE << 8)
        if slot >= 0:
            return cython.cast(cython.int, self.table[slot + 4] >> 16 & 2047) - 1024
        before: cython.longlong = self.visited
        one: u128 = 1
        while moves and best < most:
            steps: cython.int = 1 + self.walk(cells & ~(one << lowest(moves)), lowest(moves))
            best = steps if steps > best else best
            moves &= moves - 1
        if not self.stopped:
            self.keep(bucket, cells, 0, at | NOWHERE << 8, best, best, 255, self.visited - before)
        return best

    @cython.cfunc
    @cython.exceptval(check=False)
    def region(self, empty: u128, at: cython.int) -> u128:
        """The empty cells that steps from a cell lead to."""
        seen: u128 = self.reach[at] & empty
        todo: u128 = seen
        while todo and seen != empty:
            more: u128 = self.reach[lowest(todo)] & empty & ~seen
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
    def settle_open_cells(self, a: u128, b: u128, x: cython.int) -> cython.int:
        """The same for scatter and showdown: count the free moves and take them off the board."""
        ahead: cython.int = (x >> 1) - LEVEL // 2
        mine: cython.int = ahead if ahead > 0 else 0
        theirs: cython.int = mine - ahead
        lone: cython.int = x & 1
        pairs: cython.int = 0
        if self.game == SHOWDOWN:
            my_free: u128 = a & ~self.around(b)
            their_free: u128 = b & ~self.around(a)
            a &= ~my_free
            b &= ~their_free
        else:
            loners: u128 = a & b & ~self.beside(a | b)
            a &= ~loners
            b &= ~loners
            lone += popcount(loners)
            pairs = lone >> 1
            lone &= 1
            contested: u128 = self.around(a & b)
            my_free = self.private(a, a & ~contested)
            their_free = self.private(b, b & ~contested)
            a &= ~self.around(my_free)
            b &= ~self.around(their_free)
        mine += popcount(my_free)
        theirs += popcount(their_free)
        less: cython.int = mine if mine < theirs else theirs
        mine -= less
        theirs -= less
        self.a, self.b, self.x = a, b, LEVEL + 2 * (mine - theirs) + lone
        if self.game == SHOWDOWN:
            self.my_least, self.my_most = mine, mine + popcount(a)
            self.their_least, self.their_most = theirs, theirs + popcount(b)
        else:
            self.my_least, self.my_most = mine + self.sure(a, b, lone + 1), mine + lone + self.cover(a)
            self.their_least, self.their_most = theirs + self.sure(b, a, lone), theirs + lone + self.cover(b)
        return pairs + less

    @cython.cfunc
    @cython.exceptval(check=False)
    def private(self, own: u128, cells: u128) -> u128:
        """Scatter: those of some uncontested cells that make one free move with all they touch.

        What such a cell touches all touches each other, so one token goes there, and it does least harm on this cell.
        """
        found: u128 = 0
        one: u128 = 1
        todo: u128 = cells
        while todo:
            cell: cython.int = lowest(todo)
            todo &= todo - 1
            clique: u128 = self.near[cell] & own
            left: u128 = clique
            while left and clique & ~self.near[lowest(left)] == 0:
                left &= left - 1
            if left == 0:
                found |= one << cell
                own &= ~clique
                todo = cells & own
        return found

    @cython.cfunc
    @cython.exceptval(check=False)
    def sure(self, own: u128, other: u128, extra: cython.int) -> cython.int:
        """Scatter: how many moves a player is sure of, since the opponent takes one cell of a lattice at a time."""
        most: cython.int = 0
        i: cython.int
        for i in range(4):
            here: u128 = own & self.lattices[i]
            count: cython.int = popcount(here & ~other) + ((popcount(here & other) + extra) >> 1)
            most = count if count > most else most
        return most

    @cython.cfunc
    @cython.exceptval(check=False)
    def cover(self, own: u128) -> cython.int:
        """Scatter: at most how many tokens still go there, since no two go into one block of touching cells."""
        count: cython.int = 0
        while own:
            one: u128 = own & self.block[lowest(own)]
            two: u128 = own & self.other_block[lowest(own)]
            own &= ~(one if popcount(one) >= popcount(two) else two)
            count += 1
        return count

    @cython.cfunc
    @cython.exceptval(check=False)
    def list_moves(self, base: cython.int, a: u128, b: u128, x: cython.int, hint: cython.int) -> cython.int:
        """List the moves worth trying, each with what speaks for it, and say how many."""
        count: cython.int = 0
        moves: u128
        if not self.placing:
            moves = a & self.reach[x & 255]
        elif self.game == SHOWDOWN:
            moves = self.best_in_showdown(a, b)
        else:
            moves = self.best_in_scatter(a, b, x)
            if x & 1 or x > LEVEL:
                extra: cython.int = STAR if x & 1 else FREE
                self.order[base] = (2000 if hint == extra else 500) << 8 | extra
                count = 1
        while moves:
            cell: cython.int = lowest(moves)
            moves &= moves - 1
            self.step(a, b, x, cell)
            worth: cython.int = 2000 if hint == cell else 1000 + self.promise(self.a, self.b, self.x)
            self.order[base + count] = worth << 8 | cell
            count += 1
        return count

    @cython.cfunc
    @cython.exceptval(check=False)
    def promise(self, a: u128, b: u128, x: cython.int) -> cython.int:
        """What speaks for a move that leaves a state: few replies, and when placing, many cells of one's own."""
        if not self.placing:
            return -popcount(a & self.reach[x & 255])
        if self.game == SCATTER:
            return popcount(b) - popcount(a)
        return popcount(b) - popcount(a) + 2 * (popcount(b & ~self.around(a)) - popcount(a & ~self.around(b)))

    @cython.cfunc
    @cython.exceptval(check=False)
    def best_in_showdown(self, a: u128, b: u128) -> u128:
        """Leave out a cell if another one closes all that it closes: once that is played, the cell is safe.

        A free move closes nothing, so it need not be tried while there is any cell.
        """
        kept: u128 = a
        todo: u128 = a
        one: u128 = 1
        while todo:
            self.gain[lowest(todo)] = self.near[lowest(todo)] & b
            todo &= todo - 1
        todo = a
        while todo:
            cell: cython.int = lowest(todo)
            todo &= todo - 1
            rivals: u128 = kept & ~(one << cell)
            while rivals and self.gain[cell] & ~self.gain[lowest(rivals)]:
                rivals &= rivals - 1
            if rivals:
                kept &= ~(one << cell)
        return kept

    @cython.cfunc
    @cython.exceptval(check=False)
    def best_in_scatter(self, a: u128, b: u128, x: cython.int) -> u128:
        """Leave out a cell if another one closes no more of one's own.

        If the cell is closed to the opponent, it waits. If it is open to both, the other must be so too, next to it,
        and be no better for the opponent. A free or lone cell closes nothing, so either makes all that wait needless.
        """
        both: u128 = a & b
        one: u128 = 1
        kept: u128 = both if x & 1 or x > LEVEL else a
        todo: u128 = kept
        while todo:
            cell: cython.int = lowest(todo)
            todo &= todo - 1
            mine: u128 = self.near[cell] & a
            theirs: u128 = self.near[cell] & b
            shared: cython.bint = both >> cell & 1
            rivals: u128 = kept & ~(one << cell)
            if shared:
                rivals &= mine & theirs
            while rivals:
                rival: cython.int = lowest(rivals)
                if self.near[rival] & a & ~(one << rival | mine) == 0 and not (
                    shared and self.near[rival] & b & ~theirs
                ):
                    kept &= ~(one << cell)
                    break
                rivals &= rivals - 1
        return kept

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def around(self, cells: u128) -> u128:
        """These cells and all that touch them."""
        return cells | self.beside(cells)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def beside(self, cells: u128) -> u128:
        """The cells that touch one of these."""
        wide: u128 = cells << 1 & self.not_left | (cells & self.not_left) >> 1
        tall: u128 = cells | wide if self.king else cells
        if self.cols < 128:
            wide |= tall << self.cols | tall >> self.cols
        return wide & self.board

    @cython.cfunc
    @cython.exceptval(check=False)
    def turn(self) -> cython.void:
        """Turn or mirror the state at hand so that all its images become one."""
        a: u128 = self.a
        b: u128 = self.b
        x: cython.int = self.x
        extra: cython.int = x
        i: cython.int
        for i in range(1, self.symmetries):
            image: u128 = self.map_cells(a, i)
            if image <= self.a:
                other: u128 = self.map_cells(b, i)
                if not self.placing:
                    extra = self.moved[i * 129 + (x & 255)] | self.moved[i * 129 + (x >> 8)] << 8
                if image < self.a or other < self.b or (other == self.b and extra < self.x):
                    self.a, self.b, self.x = image, other, extra

    @cython.cfunc
    @cython.exceptval(check=False)
    def map_cells(self, cells: u128, symmetry: cython.int) -> u128:
        """What becomes of a set of cells under one of the symmetries."""
        base: cython.int = symmetry * 512
        found: u128 = 0
        while cells:
            found |= self.image[base + cython.cast(cython.int, cells & 15)]
            cells >>= 4
            base += 16
        return found

    @cython.cfunc
    @cython.exceptval(check=False)
    def bucket(self, a: u128, b: u128, x: cython.int) -> cython.longlong:
        """Where in the table the two entries are that may hold a state."""
        word: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
        stir: cython.ulonglong = 0x9E6C63D0876A9A55
        key: cython.ulonglong = (cython.cast(cython.ulonglong, a & word) ^ x) * stir & word
        key = (key ^ key >> 29 ^ cython.cast(cython.ulonglong, a >> 64)) * stir & word
        key = (key ^ key >> 31 ^ cython.cast(cython.ulonglong, b & word)) * stir & word
        key = (key ^ key >> 29 ^ cython.cast(cython.ulonglong, b >> 64)) * stir & word
        return cython.cast(cython.longlong, (key >> 20) % self.buckets) * 2 * WORDS

    @cython.cfunc
    @cython.exceptval(check=False)
    def find(self, bucket: cython.longlong, a: u128, b: u128, x: cython.int) -> cython.longlong:
        """Which entry holds a state, or -1."""
        word: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
        slot: cython.longlong
        for slot in range(bucket, bucket + 2 * WORDS, WORDS):
            if (
                self.table[slot + 4]
                and cython.cast(cython.int, self.table[slot + 4] & 65535) == x
                and self.table[slot] == cython.cast(cython.ulonglong, a & word)
                and self.table[slot + 1] == cython.cast(cython.ulonglong, a >> 64)
                and self.table[slot + 2] == cython.cast(cython.ulonglong, b & word)
                and self.table[slot + 3] == cython.cast(cython.ulonglong, b >> 64)
            ):
                return slot
        return -1

    @cython.cfunc
    @cython.exceptval(check=False)
    def keep(
        self,
        bucket: cython.longlong,
        a: u128,
        b: u128,
        x: cython.int,
        bottom: cython.int,
        top: cython.int,
        move: cython.int,
        work: cython.longlong,
    ) -> cython.void:
        """Remember both bounds of a state and its best move, in place of a state that took less work."""
        word: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
        effort: cython.ulonglong = 0  # the number of digits of the work
        while work:
            effort += 1
            work >>= 1
        slot: cython.longlong = self.find(bucket, a, b, x)
        if slot < 0:
            slot = bucket if self.table[bucket + 4] >> 46 <= effort else bucket + WORDS
        known: cython.ulonglong = cython.cast(cython.ulonglong, bottom + 1024) | effort << 30
        known |= cython.cast(cython.ulonglong, top + 1024) << 11 | cython.cast(cython.ulonglong, move) << 22
        self.table[slot] = cython.cast(cython.ulonglong, a & word)
        self.table[slot + 1] = cython.cast(cython.ulonglong, a >> 64)
        self.table[slot + 2] = cython.cast(cython.ulonglong, b & word)
        self.table[slot + 3] = cython.cast(cython.ulonglong, b >> 64)
        self.table[slot + 4] = known << 16 | cython.cast(cython.ulonglong, x)


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
