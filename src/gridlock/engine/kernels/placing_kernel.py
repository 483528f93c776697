"""Exact scores of games in which a marker may go on any cell that other markers have not closed.

The search removes from the board every cell that cannot influence any other cell. A free move is a move to a cell that
is open to only one player and that no other move can affect. The search stores only how many more free moves one player
has than the other. A lone cell is open to both players and cannot influence any other cell. Each free move of one
player cancels one of the other player's free moves. Two lone cells also cancel each other out, because a player can
answer a move on one of them with a move on the other. Cancelling a pair of moves shortens the game by two moves, but
does not change the winner. Each state stores a number x: LEVEL, plus twice the mover's lead in free moves, plus 1 if
there is a lone cell.

In some games, each marker closes the surrounding cells to both players; in others, it closes them to neither. In both
kinds of game, the two players always have the same open cells, and only the number of moves left matters.
"""

try:
    import cython
except ImportError:
    from . import interpreted as cython
if not cython.compiled:
    from .interpreted import around, beside, bit, lowest, plain, popcount, u128

    Distances = plain("distances").Distances

LEVEL = cython.declare(cython.int, 512)
FREE = cython.declare(cython.int, 128)  # moves that are no longer on the board: a free move ...
STAR = cython.declare(cython.int, 129)  # ... and a lone cell open to both players


class PlacingDistances(Distances):
    """A search that computes exact scores for one placement game on one board."""

    def __init__(self, shape, grid, memory):
        Distances.__init__(self, shape, grid, memory)
        if not shape.placing:
            raise ValueError("This search supports only games in which a marker may go on any open cell.")
        if not cython.compiled:
            self.lattices = [0] * 4
        self.own_only = shape.closes_own and not shape.closes_other
        self.other_only = shape.closes_other and not shape.closes_own
        self.most_closed = 9 if self.edges.king else 5
        for cell in range(grid.size):
            row, col = divmod(cell, grid.cols)
            self.lattices[row % 2 * 2 + col % 2 if self.edges.king else (row + col) % 2] |= 1 << cell

    def enter(self, position):
        """Turn a position into a state, and return the legal moves."""
        self.a, self.b = self.shape.open_to_both(self.grid, position)
        self.x = LEVEL
        return self.a

    def step(self, a, b, x, move):
        """Set `a`, `b` and `x` to the unsimplified state after a move, from the opponent's perspective."""
        self.x = 2 * LEVEL - x + 2 * (x & 1)  # the free moves from the other player's perspective
        self.a, self.b = b, a
        if move == STAR:
            self.x -= 1
        elif move == FREE:
            self.x += 2
        else:
            self.a, self.b = b & self.leaves[move], a & self.keeps[move]
        return 0

    def settle(self, a, b, x):
        """Remove free moves and lone cells, and return the number of pairs of moves that cancel out.

        The method also sets bounds on the number of moves that each player has left.
        """
        ahead: cython.int = (x >> 1) - LEVEL // 2
        mine: cython.int = max(ahead, 0)
        theirs: cython.int = mine - ahead
        lone: cython.int = x & 1
        pairs: cython.int = 0
        my_free: u128 = 0
        their_free: u128 = 0
        if self.other_only:
            my_free = a & ~around(self.edges, b)
            their_free = b & ~around(self.edges, a)
            a &= ~my_free
            b &= ~their_free
        else:
            loners: u128 = a & b
            if self.closes_own:
                loners &= ~beside(self.edges, a | b)
            a &= ~loners
            b &= ~loners
            lone += popcount(loners)
            pairs = lone >> 1
            lone &= 1
        if self.own_only:
            contested: u128 = around(self.edges, a & b)
            my_free = self.private(a, a & ~contested)
            their_free = self.private(b, b & ~contested)
            a &= ~around(self.edges, my_free)
            b &= ~around(self.edges, their_free)
        mine += popcount(my_free)
        theirs += popcount(their_free)
        less: cython.int = min(mine, theirs)
        mine -= less
        theirs -= less
        self.a, self.b, self.x = a, b, LEVEL + 2 * (mine - theirs) + lone
        if self.other_only:
            self.my_least, self.my_most = mine, mine + popcount(a)
            self.their_least, self.their_most = theirs, theirs + popcount(b)
        elif self.own_only:
            self.my_least, self.my_most = mine + self.sure(a, b, lone + 1), mine + lone + self.cover(a)
            self.their_least, self.their_most = theirs + self.sure(b, a, lone), theirs + lone + self.cover(b)
        else:  # the players alternate on shared moves
            least: cython.int = lone + (popcount(a) + self.most_closed - 1) // self.most_closed
            most: cython.int = lone + self.cover(a)
            self.my_least, self.my_most = (least + 1) >> 1, (most + 1) >> 1
            self.their_least, self.their_most = least >> 1, most >> 1
        return pairs + less

    def private(self, own, cells):
        """Return the cells of one side that are worth one free move each.

        The method applies only to games in which players may not move next to their own markers. If the method returns
        a cell, that cell and its open neighbours all touch one another, so the player can place only one marker on
        them. A marker on a cell that the method returns closes no more cells to its owner than a marker on any open
        neighbour of that cell.
        """
        found: u128 = 0
        todo: u128 = cells
        while todo:
            cell: cython.int = lowest(todo)
            todo &= todo - 1
            clique: u128 = self.zone[cell] & own
            left: u128 = clique
            while left and clique & ~self.zone[lowest(left)] == 0:
                left &= left - 1
            if left == 0:
                found |= bit(cell)
                own &= ~clique
                todo = cells & own
        return found

    def sure(self, own, other, extra):
        """Return the number of moves that a player is guaranteed.

        The moves on each of the four lattices are counted separately, and the largest count is returned. The count is
        valid because a marker on a lattice closes no other cell of that lattice.
        """
        most: cython.int = 0
        for i in range(4):
            here: u128 = own & self.lattices[i]
            most = max(most, popcount(here & ~other) + ((popcount(here & other) + extra) >> 1))
        return most

    def worthwhile(self, a, b, x):
        """Return the cells on the board that are worth trying.

        If a lone cell or a free move is also worth trying, store it in `extra`.
        """
        if x & 1:
            self.extra = STAR
        elif self.own_only and x > LEVEL:
            self.extra = FREE
        if self.other_only:
            return self.most_closing(a, b)
        # A move on a cell that is open only to the mover merely gains time. A free move or a move on a lone cell gains
        # time without closing other cells. If the mover has a free move or there is a lone cell, cells that are open
        # only to the mover need not be tried.
        return self.least_closing(a, b, a & b if x & 1 or x > LEVEL else a) if self.own_only else a

    def promise(self):
        """Return a heuristic value for the move that led to the current state.

        The value is high if the opponent has few cells and the mover has many, especially safe cells.
        """
        a: u128 = self.a
        b: u128 = self.b
        if self.own_only:
            return popcount(b) - popcount(a)
        if not self.other_only:
            return -popcount(a)
        safe: cython.int = popcount(b & ~around(self.edges, a)) - popcount(a & ~around(self.edges, b))
        return popcount(b) - popcount(a) + 2 * safe
