"""The base class of the exact searches, which find a position's winner and the number of moves until the game ends.

The score is 1000 - distance if the player to move wins, and distance - 1000 if they lose. The distance is the number of
moves until the loser is stuck, if the winner plays the fastest win and the loser the longest defence. If the loser
makes m more moves, the distance is 2m + 1 if the winner is to move, and 2m otherwise. The search determines m. To
narrow m down, the search computes bounds on the number of moves that each player can still make.

A state is (a, b, x): the cells still open to the player to move, the cells still open to the opponent, and a number
whose meaning depends on the kind of game. Subclasses implement the five methods that raise NotImplementedError in this
class.
"""

from gridlock.core.position import Position

try:
    import cython
except ImportError:
    from . import interpreted as cython
if not cython.compiled:
    from .interpreted import lowest, plain, popcount, u128

    BoardSearch = plain("board_search").BoardSearch

STUCK = cython.declare(cython.int, 1000)  # -STUCK is the score of a player who cannot move
NO_HINT = cython.declare(cython.int, 255)

# The index of each field's lowest bit in a table entry. The fields are x (part of the key), the lower and upper score
# bounds, and the best move.
REST = cython.declare(cython.int, 6)
BOTTOM = cython.declare(cython.int, 22)
TOP = cython.declare(cython.int, 33)
HINT = cython.declare(cython.int, 44)
ZERO = cython.declare(cython.int, 1024)  # added to every stored score


class Distances(BoardSearch):
    """A search that finds exact scores in one game on one board, with a table of proved results."""

    def __init__(self, shape, grid, memory):
        BoardSearch.__init__(self, grid, memory, 0)
        if not cython.compiled:
            self.keeps, self.leaves, self.reach, self.order = [0] * 129, [0] * 129, [0] * 129, [0] * 17160
        self.table.tag = 0xFFFF << REST
        self.shape, self.walks = shape, not shape.placing
        self.closes_own, self.closes_other = shape.closes_own, shape.closes_other
        self.reach[128] = grid.cells  # there is nothing to follow yet
        for cell in range(grid.size):
            self.keeps[cell], self.leaves[cell] = shape.keeps(grid, cell), shape.leaves(grid, cell)
            self.reach[cell] = shape.reach(grid, cell)

    def solve(self, mine, theirs, my_head, their_head, low, high, tick):
        """Return the score for the player to move, or 0 if the search was stopped.

        A score that is not between `low` and `high` is only a bound.
        """
        self.start(mine, theirs, my_head, their_head, tick)
        return self.score(self.a, self.b, self.x, low, high)

    def all_moves(self, mine, theirs, my_head, their_head, tick):
        """Return each legal move and its exact score for the player who makes it, or None if the search was stopped."""
        moves: u128 = self.start(mine, theirs, my_head, their_head, tick)
        a: u128 = self.a
        b: u128 = self.b
        x: cython.int = self.x
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

    def start(self, mine, theirs, my_head, their_head, tick):
        """Start the clock, turn a position into a state, and return the legal moves."""
        self.begin(tick)
        self.stopped = False
        heads = (None if head < 0 else head for head in (my_head, their_head))
        return self.enter(Position(mine, theirs, *heads, 1))

    # Methods that each kind of game implements

    def enter(self, position):
        """Turn a position into a state, and return the legal moves."""
        raise NotImplementedError

    def settle(self, a, b, x):
        """Simplify a state, compute bounds on the number of moves left, and return how many pairs of moves cancel."""
        raise NotImplementedError

    def step(self, a, b, x, move):
        """Set `a`, `b` and `x` to the unsimplified state after a move, from the opponent's perspective."""
        raise NotImplementedError

    def worthwhile(self, a, b, x):
        """Return the cells on the board that are worth trying.

        In some searches, cells that affect no other cell are removed from the board. If a move on a removed cell is
        also worth trying, store that move in `extra`.
        """
        raise NotImplementedError

    def promise(self):
        """Return a heuristic value for the move that led to the current state."""
        raise NotImplementedError

    # The search

    def score(self, a, b, x, low, high):
        """Narrow down the score: find out who wins, and then raise a lower bound on the game's length step by step."""
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

    def search(self, ply, a, b, x, goal):
        """Return a lower bound on the score if the score reaches the goal, or else an upper bound."""
        pairs: cython.int = self.settle(a, b, x)
        if self.watch():
            return 0
        return shallower(self.explore(ply, deeper(goal, 2 * pairs)), 2 * pairs)

    def watch(self):
        """Count a position, check the clock now and then, and return whether to stop."""
        self.nodes += 1
        if self.nodes >= self.next_tick and not self.stopped:
            self.stopped = self.stop()
        return self.stopped

    def explore(self, ply, goal):
        """Return a lower bound on the simplified state's score if the score reaches the goal, else an upper bound."""
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
        if popcount(self.a | self.b) >= 6:  # with fewer cells, trying all images costs more than it saves
            self.turn()
        a: u128 = self.a
        b: u128 = self.b
        x: cython.int = self.x
        known: cython.ulonglong = self.table.find(a, b, cython.cast(cython.ulonglong, x) << REST)
        hint: cython.int = NO_HINT
        if known:
            bottom = max(bottom, cython.cast(cython.int, known >> BOTTOM & 2047) - ZERO)
            top = min(top, cython.cast(cython.int, known >> TOP & 2047) - ZERO)
            if bottom >= goal:
                return bottom
            if top < goal:
                return top
            hint = cython.cast(cython.int, known >> HINT & 255)
        before: cython.longlong = self.nodes
        base: cython.int = ply * 132
        count: cython.int = self.list_moves(base, a, b, x, hint)
        best: cython.int = bottom
        for i in range(count):
            move: cython.int = self.next_move(base + i, base + count)
            self.step(a, b, x, move)
            value: cython.int = -shallower(self.search(ply + 1, self.a, self.b, self.x, 1 - deeper(goal, 1)), 1)
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
        self.note(a, b, x, bottom, top, hint, self.nodes - before)
        return best

    def list_moves(self, base, a, b, x, hint):
        """List the moves worth trying, each with its heuristic value, and return their number."""
        count: cython.int = 0
        self.extra = NO_HINT
        moves: u128 = self.worthwhile(a, b, x)
        if self.extra != NO_HINT:
            self.order[base] = (2000 if hint == self.extra else 500) << 8 | self.extra
            count = 1
        while moves:
            cell: cython.int = lowest(moves)
            moves &= moves - 1
            self.step(a, b, x, cell)
            worth: cython.int = 2000 if hint == cell else 1000 + self.promise()
            self.order[base + count] = worth << 8 | cell
            count += 1
        return count

    def next_move(self, start, end):
        """Return the best untried move."""
        best: cython.int = start
        for i in range(start + 1, end):
            if self.order[i] > self.order[best]:
                best = i
        move: cython.int = self.order[best]
        self.order[best] = self.order[start]
        return move & 255

    def turn(self):
        """Put the current state into canonical form, which is the same for all its rotations and reflections."""
        a: u128 = self.a
        b: u128 = self.b
        x: cython.int = self.x
        extra: cython.int = x
        for i in range(1, self.symmetries):
            image: u128 = self.image(a, i)
            if image <= self.a:
                other: u128 = self.image(b, i)
                if self.walks:
                    extra = self.moved[i * 129 + (x & 255)] | self.moved[i * 129 + (x >> 8)] << 8
                if image < self.a or other < self.b or (other == self.b and extra < self.x):
                    self.a, self.b, self.x = image, other, extra
        return 0

    def floor(self, a, b, x):
        """Return the table's lower bound on a state's score, or a number far below any score if there is no bound."""
        known: cython.ulonglong = self.table.find(a, b, cython.cast(cython.ulonglong, x) << REST)
        return cython.cast(cython.int, known >> BOTTOM & 2047) - ZERO

    def note(self, a, b, x, bottom, top, move, work):
        """Store both bounds on a state's score, and the best move."""
        known: cython.ulonglong = cython.cast(cython.ulonglong, x) << REST
        known |= cython.cast(cython.ulonglong, bottom + ZERO) << BOTTOM
        known |= cython.cast(cython.ulonglong, top + ZERO) << TOP
        known |= cython.cast(cython.ulonglong, move) << HINT
        return self.table.keep(a, b, known, work)


def deeper(score, moves):
    """Convert a position's score to the corresponding score `moves` moves later, for the same player."""
    return score + moves if score > 0 else score - moves if score < 0 else 0


def shallower(score, moves):
    """Convert a position's score to the corresponding score `moves` moves earlier, for the same player."""
    return score - moves if score > 0 else score + moves
