"""Exact scores of games in which each move is limited by the opponent's last marker or by the player's own pawn.

A state includes a number x, which is `at` + 256 * `other`. `at` is the cell of the marker that limits the next move.
In a game with pawns, `other` is the cell of the opponent's pawn. If there is no such marker or pawn, the value is
NOWHERE. If a marker closes only the cell it is on, the same cells are open to both players, so a state stores them
only once, and its second set of open cells is empty.
"""

try:
    import cython
except ImportError:
    from . import interpreted as cython
if not cython.compiled:
    from .interpreted import around, lowest, plain, popcount, u128

    Distances = plain("distances").Distances

NOWHERE = cython.declare(cython.int, 128)
ALONE = cython.declare(cython.int, 129)  # in place of the other cell: a walk that the opponent cannot disturb
NO_HINT = cython.declare(cython.int, 255)


class WalkingDistances(Distances):
    """A search that finds exact scores for one walking game on one board."""

    def __init__(self, shape, grid, memory):
        Distances.__init__(self, shape, grid, memory)
        if shape.placing:
            raise ValueError("This search does not support games in which a marker may go on any open cell.")
        self.pawn, self.closes = shape.pawn, shape.closes
        self.chequered = shape.follows == "near" and not self.edges.king

    def enter(self, position):
        """Turn a position into a state, and return the legal moves."""
        self.a, self.b = self.shape.open_to_both(self.grid, position)
        if not self.closes:
            self.b = 0
        at, other = (position.my_head, position.their_head) if self.pawn else (position.their_head, None)
        self.x = (NOWHERE if at is None else at) | (NOWHERE if other is None else other) << 8
        return self.a & self.reach[self.x & 255]

    def step(self, a, b, x, move):
        """Set `a`, `b` and `x` to the unsimplified state after a move, from the opponent's perspective."""
        self.a, self.b = a & self.keeps[move], 0
        if self.closes:
            self.a, self.b = b & self.leaves[move], self.a
        self.x = x >> 8 | move << 8 if self.pawn else move | NOWHERE << 8
        return 0

    def worthwhile(self, a, _b, x):
        """Return all moves."""
        return a & self.reach[x & 255]

    def promise(self):
        """Return a heuristic value for the last move: the fewer replies it leaves, the higher the value."""
        return -popcount(self.a & self.reach[self.x & 255])

    def settle(self, a, b, x):
        """Drop the cells that neither player can reach, and bound each player's number of remaining moves."""
        at: cython.int = x & 255
        self.x = x
        self.my_least, self.their_least = 1 if a & self.reach[at] else 0, 0
        if self.pawn:
            self.a, self.b = self.region(a, at), self.region(b if self.closes else a, x >> 8)
            if self.a & (around(self.edges, self.b) if self.closes_other else self.b):
                self.my_most, self.their_most = self.most_steps(self.a, at), self.most_steps(self.b, x >> 8)
            else:  # neither player can get in the other's way
                self.my_least = self.my_most = self.walk(self.a, at)
                self.their_least = self.their_most = self.walk(self.b, x >> 8)
            if not self.closes:
                self.a, self.b = self.a | self.b, 0
        elif self.closes:
            self.take_turns(a, b, at)
        else:
            self.a, self.b = self.region(a, at), 0
            moves: cython.int = self.most_steps(self.a, at)
            self.my_most, self.their_most = (moves + 1) >> 1, moves >> 1
        return 0

    def walk(self, cells, at):
        """Return the maximum number of steps that a pawn can take if the opponent cannot interfere."""
        cells = self.region(cells, at)
        most: cython.int = self.most_steps(cells, at)
        moves: u128 = cells & self.reach[at]
        best: cython.int = 0
        if most < 2 or self.watch():
            return most
        alone: cython.int = at | ALONE << 8
        known: cython.int = self.floor(cells, 0, alone)
        if known >= 0:
            return known
        before: cython.longlong = self.nodes
        while moves and best < most:
            best = max(best, 1 + self.walk(cells & self.keeps[lowest(moves)], lowest(moves)))
            moves &= moves - 1
        if not self.stopped:
            self.note(cells, 0, alone, best, best, NO_HINT, self.nodes - before)
        return best

    def region(self, cells, at):
        """Return the cells that can be reached from a cell through the given cells."""
        seen: u128 = self.reach[at] & cells
        todo: u128 = seen
        while todo and seen != cells:
            more: u128 = self.reach[lowest(todo)] & cells & ~seen
            todo = (todo & (todo - 1)) | more
            seen |= more
        return seen

    def take_turns(self, a, b, at):
        """For each player, keep only the cells within reach, and bound the player's number of moves from above."""
        mine: u128 = self.reach[at] & a
        theirs: u128 = 0
        todo: u128 = mine  # reachable cells of the player to move, still to be expanded ...
        answers: u128 = 0  # ... and those of the opponent
        while todo | answers:
            if todo:
                answers |= self.reach[lowest(todo)] & b & ~theirs
                theirs |= answers
                todo &= todo - 1
            else:
                todo = self.reach[lowest(answers)] & a & ~mine
                mine |= todo
                answers &= answers - 1
        self.a, self.b = mine, theirs
        both: cython.int = popcount(mine | theirs)
        most: cython.int = self.cover(mine) if self.closes_own else popcount(mine)
        replies: cython.int = self.cover(theirs) if self.closes_own else popcount(theirs)
        self.my_most = min(most, replies + 1, (both + 1) >> 1)
        self.their_most = min(replies, most, both >> 1)
        return 0

    def most_steps(self, cells, at):
        """Return an upper bound on the length of a path through a region, from a cell or from NOWHERE."""
        if self.closes_own:
            return self.cover(cells)
        return self.longest(cells, at) if at != NOWHERE else popcount(cells)
