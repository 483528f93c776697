"""Fast single-core random playouts for every game that is described by a shape.

All legal moves are equally likely. The random numbers come from SplitMix64, which increases a counter by a fixed odd
step and mixes each value with two multiplications. To draw a number below n, the kernel multiplies the upper 32 bits of
a random number by n, and keeps the upper half of the product. The few random numbers that would introduce a bias are
rejected. The same seed gives the same games, whether or not the kernel is compiled.
"""

from gridlock.core.kernel import cells_of
from gridlock.core.position import Position

try:
    import cython
except ImportError:
    from . import interpreted as cython
if not cython.compiled:
    from .interpreted import has_deposit, nth, nth_of_two, popcount, stirred

    u64 = int

NOWHERE = 128  # the start of a walk that may begin on any cell
WORD = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)


def _halves(cells):
    """Return a set of cells as two 64-bit words, lower half first."""
    return cells & WORD, cells >> 64


class Playouts:
    """Random play of one game on one board."""

    def __init__(self, shape, grid, deposit=True):
        if grid.size > NOWHERE:
            raise ValueError(f"{grid} is too large for random games: the limit is {NOWHERE} cells.")
        if not cython.compiled:
            self.keeps, self.leaves, self.reach = ([[0] * 129, [0] * 129] for _ in range(3))
        self.shape, self.grid, self.pawn, self.follows = shape, grid, shape.pawn, shape.follows is not None
        self.small, self.deposit = grid.size <= 64, deposit and has_deposit()
        for cell in range(grid.size):
            self.keeps[0][cell], self.keeps[1][cell] = _halves(shape.keeps(grid, cell))
            self.leaves[0][cell], self.leaves[1][cell] = _halves(shape.leaves(grid, cell))
            self.reach[0][cell], self.reach[1][cell] = _halves(shape.reach(grid, cell))
        self.reach[0][NOWHERE], self.reach[1][NOWHERE] = _halves(grid.cells)

    def run(self, mine, theirs, my_head, their_head, games: int, seed: int):
        """Play games from a position; return how often the player to move won, and the total number of moves."""
        self.enter(mine, theirs, my_head, their_head)
        self.dice = seed & 0xFFFFFFFFFFFFFFFF
        return self.play(self.a, self.b, self.at, self.other, games)

    def move_wins(self, mine, theirs, my_head, their_head, games_per_move: int, seed: int):
        """For each legal move, play random games from the resulting position, and count the mover's wins."""
        self.enter(mine, theirs, my_head, their_head)
        self.dice = seed & 0xFFFFFFFFFFFFFFFF
        shape, grid, a, b, other = self.shape, self.grid, int(self.a), int(self.b), self.other
        wins = []
        for cell in cells_of(a & (grid.cells if self.at == NOWHERE else shape.reach(grid, self.at))):
            after = b & shape.leaves(grid, cell), a & shape.keeps(grid, cell), other if self.pawn else cell, cell
            lost, _steps = self.play(*after, games_per_move)
            wins.append((cell, games_per_move - lost))
        return wins

    def enter(self, mine, theirs, my_head, their_head):
        """Turn a position into the sets and cells that the random games need."""
        position = Position(mine, theirs, None, None, 1)
        self.a, self.b = self.shape.open_to_both(self.grid, position)
        at, other = (my_head, their_head) if self.pawn else (their_head, my_head)
        self.at = NOWHERE if at < 0 else at
        self.other = NOWHERE if other < 0 else other

    def play(self, a, b, at, other, games):
        """Play games from a state; return how often the player to move won, and the total number of moves."""
        wins: cython.longlong = 0
        steps: cython.longlong = 0
        for _game in range(games):
            if not self.follows:  # literal flags, so that a separate loop is compiled for each kind
                turns = self.one(a, b, at, other, False, False)
            elif self.pawn:
                turns = self.one(a, b, at, other, True, True)
            else:
                turns = self.one(a, b, at, other, True, False)
            wins += turns & 1  # the player now to move is stuck; after an odd number of moves, this is the opponent
            steps += turns
        return wins, steps

    def one(self, a, b, at, other, follows, pawn):
        """Play one game, and return the number of moves made."""
        if self.small:
            return self.game(a, b, at, other, follows, pawn, True)
        return self.game(a, b, at, other, follows, pawn, False)

    def game(self, a, b, here, there, follows, pawn, small):
        """Play one game, and return the number of moves made; `small` means that all cells fit into a machine word."""
        turns: cython.longlong = 0
        low: u64 = cython.cast(u64, a & WORD)
        high: u64 = cython.cast(u64, a >> 64)
        their_low: u64 = cython.cast(u64, b & WORD)
        their_high: u64 = cython.cast(u64, b >> 64)
        while True:
            open_low, open_high = low, 0 if small else high
            if follows:
                open_low &= self.reach[0][here]
                open_high &= self.reach[1][here]
            if not open_low | open_high:
                return turns
            if small:
                cell = nth(open_low, self.below(popcount(open_low)), self.deposit)
            else:
                cell = nth_of_two(
                    open_low, open_high, self.below(popcount(open_low) + popcount(open_high)), self.deposit
                )
                high, their_high = their_high & self.leaves[1][cell], high & self.keeps[1][cell]
            turns += 1
            low, their_low = their_low & self.leaves[0][cell], low & self.keeps[0][cell]
            here = there if pawn else cell
            there = cell

    def below(self, count):
        """Return a random number from 0 to `count` - 1, with all numbers equally likely."""
        half: cython.ulonglong = 0xFFFFFFFF
        product: cython.ulonglong = (self.random() >> 32) * count
        if product & half < count:
            while product & half < (half + 1 - count) % count:
                product = (self.random() >> 32) * count
        return cython.cast(cython.int, product >> 32)

    def random(self):
        """Return the next 64 random bits."""
        word: cython.ulonglong = 0xFFFFFFFFFFFFFFFF  # a local constant is faster than the module's
        step: cython.ulonglong = 0x9E3779B97F4A7C15
        self.dice = self.dice + step & word
        return stirred(self.dice)
