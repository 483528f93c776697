"""Monte Carlo tree search for the most promising move, with estimates at the leaves in place of random games.

Every simulation descends from the root and, at each node, chooses the move that is most worth trying. At a leaf, the
simulation adds a node for each legal move, and updates all nodes on its path with an estimate of the leaf's value. For
an explanation and measurements, see docs/engine/tree.md. Boards can be of any size, because positions are stored as
arrays of bytes rather than as bitboards of a fixed size.
"""

from array import array

from gridlock.core.position import Position
from gridlock.core.shape import Follow, Shape
from gridlock.engine.kernels.board_search import CELLS
from gridlock.engine.kernels.col_kernel import TAKES

try:
    import cython
except ImportError:
    from . import interpreted as cython
if cython.compiled:
    from cython.cimports.libc.math import exp, sqrt
else:
    from math import exp, sqrt

    from .interpreted import bit, plain

    Outlook = plain("outlook_kernel").Outlook

TELLING = (
    *(Shape(closes_own=own, closes_other=not own) for own in (False, True)),
    *(Shape(own, other, Follow.NEAR, pawn=True) for own in (False, True) for other in (False, True)),
)  # in other shapes, open cells do not show who is ahead

ALIKE = cython.declare(cython.double, 0.05)  # how soon a move's own results outweigh its results as a later move
EXPLORE = cython.declare(cython.double, 1.0)  # the bonus for a rarely tried move
FAVOUR = cython.declare(cython.double, 0.5)  # the extra bonus for each cell that a move closes to the opponent
LEAD = cython.declare(cython.double, 1.5)  # the weight of a lead: in moves ...
ROOM = cython.declare(cython.double, 0.5)  # ... in room ...
TERRITORY = cython.declare(cython.double, 0.3)  # ... and in territory
PAUSE = cython.declare(cython.int, 2048)  # cells processed between two calls of tick
WIDTH = cython.declare(cython.int, 9)  # the slots for a cell's neighbours
NODE = 45  # bytes per node
REGIONS = 1 << 22  # bytes for the values of small regions
LOST = cython.declare(cython.int, -1)  # the proved result of a node, for the player who moved there
WON = cython.declare(cython.int, 1)


class TreeSearch:
    """The tree search for one game on one board; every position gets a new tree."""

    def __init__(self, shape, grid, memory):
        if shape not in TELLING:
            raise ValueError("In this game, the score of a position cannot be estimated.")
        self.shape, self.grid, self.cells = shape, grid, grid.size
        self.closes_own, self.closes_other, self.pawn = shape.closes_own, shape.closes_other, shape.pawn
        self.near = array("i", [-1]) * (WIDTH * grid.size)
        for cell in range(grid.size):
            for i, other in enumerate(grid.neighbours(cell)):
                self.near[WIDTH * cell + i] = other
        if not cython.compiled:
            self.heads, self.first_heads, self.worth = [0] * 2, [0] * 2, [0.0] * 18
            self.sets, self.first_sets = [0] * 2, [0] * 2
        self.looks = shape == TAKES and grid.size <= CELLS
        if self.looks:
            self.outlook = Outlook(grid, REGIONS)
        for takers in range(18):
            self.worth[takers] = 1 / sqrt(1 + takers)
        self.taker = array("b", [-1]) * grid.size
        self.open, self.first_open = (array("b", [0]) * (2 * grid.size) for _ in range(2))
        self.moves, self.path, self.queue = (array("i", [0]) * (grid.size + 2) for _ in range(3))
        self.capacity = max(1 + grid.size, memory // NODE)
        self.cell, self.visits, self.alike, self.first, self.count = (array("i", [0]) * self.capacity for _ in range(5))
        self.value, self.alike_value, self.prior = (array("d", [0.0]) * self.capacity for _ in range(3))
        self.proved = array("b", [0]) * self.capacity
        self.nodes = 0

    def search(self, mine, theirs, my_head, their_head, simulations, tick):
        """Return each legal move with its visit count, proved result (1, -1, or 0 if none) and chance of winning."""
        a, b = self.shape.open_to_both(self.grid, Position(mine, theirs, None, None, 1))
        for cell in range(self.cells):
            self.first_open[cell], self.first_open[self.cells + cell] = a >> cell & 1, b >> cell & 1
        if self.looks:
            self.first_sets[0], self.first_sets[1] = a, b
        self.first_heads[0], self.first_heads[1] = my_head, their_head
        self.used = 1
        self.visits[0] = self.count[0] = self.proved[0] = 0
        self.value[0] = 0.0
        done: cython.longlong = 0
        pause: cython.longlong = 1 + PAUSE // self.cells
        while done < simulations and not self.proved[0]:
            self.simulate()
            done += 1
            self.nodes += 1
            if done % pause == 0 and tick(self.nodes):
                break
        children = range(self.first[0], self.first[0] + self.count[0])
        return [(self.cell[child], self.visits[child], self.proved[child], self.worth_of(child)) for child in children]

    def worth_of(self, node):
        """Return the estimated chance of winning for the player whose move led to a node."""
        if self.proved[node]:
            return 1.0 if self.proved[node] == WON else 0.0
        return self.value[node] / self.visits[node] if self.visits[node] else 0.0

    def simulate(self):
        """Descend the tree, expand it by one position, and record the estimate."""
        side: cython.int = 0
        node: cython.int = 0
        for i in range(2 * self.cells):
            self.open[i] = self.first_open[i]
        self.heads[0], self.heads[1] = self.first_heads[0], self.first_heads[1]
        self.sets[0], self.sets[1] = self.first_sets[0], self.first_sets[1]
        self.depth = 0
        self.path[0] = 0
        while self.count[node] or not self.depth or self.visits[node]:
            if not self.count[node]:
                if not self.expand(node, side):
                    self.proved[node] = WON  # the player to move is stuck
                    break
                if not self.count[node]:  # the memory is full
                    break
            node = self.select(node)
            self.take(side, self.cell[node])
            side = 1 - side
            self.depth += 1
            self.path[self.depth] = node
        self.learn(self.estimate(node, side))
        if self.proved[node]:
            self.conclude()

    def estimate(self, node, side):
        """Return the chance that the player to move wins; mark the node as proved if its result is certain."""
        if self.proved[node]:
            lead = 0.0
        elif self.looks:
            lead = LEAD * self.outlook.lead(self.sets[side], self.sets[1 - side])
            if self.depth:  # even a decided root needs a move
                self.proved[node] = -self.outlook.decided
        else:
            lead = TERRITORY * self.territory(side) if self.pawn else ROOM * self.room(side)
        if self.proved[node]:
            return 0.0 if self.proved[node] == WON else 1.0
        return 1 / (1 + exp(-lead))

    def learn(self, value):
        """Add the leaf's value to each node on the path.

        In games without pawns, also credit the moves that were made later on the path. If the player to move at a node
        takes a cell at that node or later on the path, the node's child for the cell is credited with the leaf's value.
        """
        for i in range(self.depth, -1, -1):
            node = self.path[i]
            if not self.pawn:  # value is for the player to move here
                for child in range(self.first[node], self.first[node] + self.count[node]):
                    if self.taker[self.cell[child]] == i & 1:
                        self.alike[child] += 1
                        self.alike_value[child] += value
            value = 1 - value
            self.visits[node] += 1
            self.value[node] += value
        for i in range(1, self.depth + 1):
            self.taker[self.cell[self.path[i]]] = -1

    def select(self, node):
        """Return the move to try next: a move that has done well so far, or a promising move with few visits."""
        best: cython.int = -1
        highest: cython.double = -1.0
        curious: cython.double = EXPLORE * sqrt(1 + self.visits[node])
        usual: cython.double = 1 - self.value[node] / self.visits[node] if self.visits[node] else 0.5
        for child in range(self.first[node], self.first[node] + self.count[node]):
            if self.proved[child]:  # a lost move; if it were won, this node would be decided
                continue
            n = self.visits[child]
            m = self.alike[child]
            score = self.value[child] / n if n else usual
            if m:
                weight = m / (n + m + ALIKE * n * m)
                score += weight * (self.alike_value[child] / m - score)
            score += curious * self.prior[child] / (1 + n)
            if score > highest:
                highest = score
                best = child
        return best

    def expand(self, node, side):
        """Add a node for every move if there is enough memory, and return the number of moves."""
        count: cython.int = self.list_moves(side)
        if self.used + count > self.capacity:
            return count
        total: cython.double = 0.0
        for i in range(count):
            child = self.used + i
            self.cell[child] = self.moves[i]
            self.visits[child] = self.alike[child] = self.count[child] = self.proved[child] = 0
            self.value[child] = self.alike_value[child] = 0.0
            self.prior[child] = exp(FAVOUR * self.gain(side, self.moves[i]))
            total += self.prior[child]
        for i in range(count):
            self.prior[self.used + i] /= total
        self.first[node], self.count[node] = self.used, count
        self.used += count
        return count

    def list_moves(self, side):
        """Put the legal moves into `moves`, and return their number."""
        count: cython.int = 0
        base: cython.int = side * self.cells
        if self.pawn:
            i = WIDTH * self.heads[side]
            while self.near[i] >= 0:
                if self.open[base + self.near[i]]:
                    self.moves[count] = self.near[i]
                    count += 1
                i += 1
            return count
        for i in range(self.cells):
            if self.open[base + i]:
                self.moves[count] = i
                count += 1
        return count

    def take(self, side, cell):
        """Make a move."""
        self.open[cell] = self.open[self.cells + cell] = 0
        self.heads[side] = cell
        self.taker[cell] = side
        if self.looks:
            self.sets[side] &= ~self.outlook.search.zone[cell]
            self.sets[1 - side] &= ~bit(cell)
        i: cython.int = WIDTH * cell
        while self.near[i] >= 0:
            if self.closes_own:
                self.open[side * self.cells + self.near[i]] = 0
            if self.closes_other:
                self.open[(1 - side) * self.cells + self.near[i]] = 0
            i += 1

    def gain(self, side, cell):
        """Return how many cells a move closes to the opponent, minus how many it closes to the mover.

        If the cell that a move takes was open to the opponent, it is counted among the cells closed to the opponent.
        The cell that a move takes is never counted among the cells closed to the mover.
        """
        mine: cython.int = side * self.cells
        theirs: cython.int = self.cells - mine
        found: cython.int = self.open[theirs + cell]
        i: cython.int = WIDTH * cell
        while self.near[i] >= 0:
            if self.closes_other:
                found += self.open[theirs + self.near[i]]
            if self.closes_own:
                found -= self.open[mine + self.near[i]]
            i += 1
        return found

    def room(self, side):
        """Return how much more room the mover has than the opponent.

        The more moves there are that could take or close a player's open cell, the less that cell counts.
        """
        lead: cython.double = 0.0
        mine: cython.int = side * self.cells
        theirs: cython.int = self.cells - mine
        for cell in range(self.cells):
            if not (self.open[mine + cell] or self.open[theirs + cell]):
                continue
            own = other = 0  # cells beside it that are open to the player to move, and to the opponent
            i = WIDTH * cell
            while self.near[i] >= 0:
                own += self.open[mine + self.near[i]]
                other += self.open[theirs + self.near[i]]
                i += 1
            if self.open[mine + cell]:
                lead += self.worth[self.open[theirs + cell] + (own if self.closes_own else other)]
            if self.open[theirs + cell]:
                lead -= self.worth[self.open[mine + cell] + (other if self.closes_own else own)]
        return lead

    def territory(self, side):
        """Return the mover's lead in territory, which consists of the cells that a player reaches first."""
        lead: cython.int = 0
        begin: cython.int = 0
        end: cython.int = 2
        wave: cython.int = 1  # where the steps of one player end and those of the other begin
        first: cython.int = side
        self.queue[0], self.queue[1] = self.heads[side], self.heads[1 - side]
        while begin < end:
            after: cython.int = end
            while begin < wave:
                i = WIDTH * self.queue[begin]
                begin += 1
                while self.near[i] >= 0:
                    if self.open[side * self.cells + self.near[i]]:
                        self.open[self.near[i]] = self.open[self.cells + self.near[i]] = 0
                        self.queue[end] = self.near[i]
                        end += 1
                        lead += 1 if side == first else -1
                    i += 1
            wave = after
            side = 1 - side
        return lead

    def conclude(self):
        """Propagate the result of a newly proved node to the nodes above it."""
        for i in range(self.depth - 1, -1, -1):
            node = self.path[i]
            if self.proved[self.path[i + 1]] == WON:
                self.proved[node] = LOST
                continue
            for child in range(self.first[node], self.first[node] + self.count[node]):
                if self.proved[child] != LOST:
                    return
            self.proved[node] = WON
