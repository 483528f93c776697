"""Play many games of one shape in lockstep, on boards of up to 64 cells: the loops behind `gridlock.envs.batch`.

The state of all games is in an array that belongs to the caller, five words for each game: the cells that the
side to move may still use, those of the other side, the cells that each has taken, and a word with both heads and the
turn. The results are bit for bit those of `gridlock.envs.numbers`, which uses NumPy.
"""

from array import array

try:
    import cython
except ImportError:
    from . import interpreted as cython
if not cython.compiled:
    from .interpreted import has_deposit, nth, octets, popcount, spread, spread_one, stirred, words

    u64 = int

COMPILED = cython.compiled
NEAR = cython.declare(cython.longlong, 400)  # games per chunk, so that stuck games are settled while still in the cache
NOWHERE = cython.declare(cython.int, 64)  # the head before the first move, from which the next move may go anywhere


class Lockstep:
    """The loops for one shape on one board, over the state of one batch."""

    def __init__(self, keeps, leaves, reach, start, passes, follows, pawn, size, state, deposit=True):
        """Take what a move on each cell keeps, leaves and reaches, the start of a game, and the array of states."""
        if not cython.compiled:
            self.keeps, self.leaves, self.reach, self.start = [0] * 65, [0] * 65, [0] * 65, [0] * 5
        for cell in range(NOWHERE + 1):
            self.keeps[cell], self.leaves[cell] = int(keeps[cell]), int(leaves[cell])
            self.reach[cell] = int(reach[cell])
        for place in range(4):
            self.start[place] = start[place]
        self.start[4] = start[4] | start[5] << 8 | 1 << 16
        self.passes, self.followed, self.size = passes, (0 if pawn else 8) if follows else -1, size
        self.deposit = deposit and has_deposit()
        self.state, self.games, self.at = state, len(state), words(state)
        self.list = array("Q", [0]) * (self.games + 1)
        self.stuck = words(self.list)

    def arrays(self):
        """Return the arrays that change."""
        return (self.state,)

    @cython.locals(game=cython.longlong, place=cython.int)
    def reset(self):
        """Restart all games."""
        for game in range(self.games):
            for place in range(5):
                self.at[5 * game + place] = self.start[place]

    def turns(self, out):
        """Write the side to move of every game."""
        to = octets(out)
        game: cython.longlong
        for game in range(self.games):
            to[game] = cython.cast(cython.uchar, self.at[5 * game + 4] >> 16)

    def game(self, game: cython.longlong):
        """Return one game: the cells taken by the side to move and by the other, their heads, and whose turn it is."""
        heads = self.at[5 * game + 4]
        return self.at[5 * game + 2], self.at[5 * game + 3], heads & 255, heads >> 8 & 255, heads >> 16

    def legal(self, at, game, followed):
        """Return the legal moves of a game."""
        if followed < 0:
            return at[5 * game]
        return at[5 * game] & self.reach[at[5 * game + 4] >> followed & 255]

    def play(self, at, game, cell, followed):
        """Take a cell, and return whether the opponent is then stuck."""
        place: cython.longlong = 5 * game
        theirs: u64 = at[place] & self.keeps[cell]
        mine: u64 = at[place + 1] & self.leaves[cell]
        one: u64 = 1
        taken: u64 = at[place + 2] | one << cell
        last: u64 = cell
        heads: u64 = at[place + 4]
        heads = heads >> 8 & 255 | last << 8 | (heads ^ 0x30000) & 0x30000
        at[place] = mine
        at[place + 1] = theirs
        at[place + 2] = at[place + 3]
        at[place + 3] = taken
        at[place + 4] = heads
        if followed < 0:
            return not mine
        return not mine & self.reach[heads >> followed & 255]

    def settle(self, at, count, won):
        """Let the other side move in games whose side to move is stuck, or restart them if they are over.

        Which one is needed is unpredictable, so both are computed and an all-ones or all-zeros mask selects one.
        """
        none: u64 = 0
        word: u64 = 0xFFFFFFFFFFFFFFFF
        first: u64 = self.start[0]  # local, or they would be read again after every write
        second: u64 = self.start[1]
        third: u64 = self.start[2]
        fourth: u64 = self.start[3]
        fifth: u64 = self.start[4]
        stuck = self.stuck
        if not self.passes:
            for index in range(count):
                game = stuck[index]
                place = 5 * game
                won[game] = cython.cast(cython.uchar, at[place + 4] >> 16 ^ 3)
                for part in range(5):
                    at[place + part] = self.start[part]
            return
        for index in range(count):
            game = stuck[index]
            place = 5 * game
            heads = at[place + 4]
            after = heads >> 8 & 255 | (heads & 255) << 8 | (heads ^ 0x30000) & 0x30000
            on = none - cython.cast(u64, at[place + 1] != 0) & word  # all ones if the other side continues
            off = ~on & word
            won[game] = cython.cast(cython.uchar, (heads >> 16 ^ 3) & off)
            mine, taken = at[place], at[place + 2]
            at[place] = at[place + 1] & on | first & off
            at[place + 1] = mine & on | second & off
            at[place + 2] = at[place + 3] & on | third & off
            at[place + 3] = taken & on | fourth & off
            at[place + 4] = after & on | fifth & off

    def chosen(self, at, game, dice, followed, deposit):
        """Return the random move for one game, drawn from 32 random bits as evenly as possible."""
        odd: u64 = 0x9E3779B97F4A7C15  # the increment of SplitMix64
        word: u64 = 0xFFFFFFFFFFFFFFFF
        cells: u64 = self.legal(at, game, followed)
        bits: u64 = stirred(dice + odd * cython.cast(u64, game) & word)
        return nth(cells, cython.cast(cython.int, (bits >> 32) * cython.cast(u64, popcount(cells)) >> 32), deposit)

    def step(self, actions, winners):
        """Make one move in every game and return -1, or make none and return the first game whose move is illegal."""
        at, stuck, cells, won = self.at, self.stuck, octets(actions), octets(winners)
        count: cython.longlong = 0
        game: cython.longlong
        followed: cython.int = self.followed
        one: u64 = 1
        for game in range(self.games):
            if cells[game] >= self.size or not self.legal(at, game, followed) & one << cells[game]:
                return game
        for game in range(self.games):
            won[game] = 0
            stuck[count] = game
            count += self.play(at, game, cells[game], followed)
        self.settle(at, count, won)
        return -1

    def choose(self, dice: cython.ulonglong, actions):
        """Choose a random legal move for every game, each equally likely."""
        at, cells = self.at, octets(actions)
        game: cython.longlong
        followed: cython.int = self.followed
        deposit: cython.bint = self.deposit
        for game in range(self.games):
            cells[game] = self.chosen(at, game, dice, followed, deposit)

    def step_random(self, dice: cython.ulonglong, actions, winners):
        """Choose a random legal move for every game, and make it."""
        at, cells, won = self.at, octets(actions), octets(winners)
        count: cython.longlong
        begin: cython.longlong
        end: cython.longlong = 0
        while end < self.games:
            begin, end = end, min(end + NEAR, self.games)
            if self.followed < 0:  # a literal, so that a separate loop is compiled for it
                count = self.some(begin, end, dice, cells, won, -1)
            else:
                count = self.some(begin, end, dice, cells, won, self.followed)
            self.settle(at, count, won)

    def some(self, begin, end, dice, cells, won, followed):
        """Make a random legal move in some games, list those that are then stuck, and return their number."""
        at, stuck = self.at, self.stuck
        count: cython.longlong = 0
        deposit: cython.bint = self.deposit
        for game in range(begin, end):
            cell = self.chosen(at, game, dice, followed, deposit)
            cells[game] = cell
            won[game] = 0
            stuck[count] = game  # no branch: which games end is unpredictable, and mispredictions cost time
            count += self.play(at, game, cell, followed)
        return count

    def mask(self, out):
        """Write the legal moves of every game, one byte per cell."""
        at, to = self.at, octets(out)
        game: cython.longlong
        followed: cython.int = self.followed
        for game in range(self.games):
            spread(to, game * self.size, self.legal(at, game, followed), self.size)

    @cython.locals(game=cython.longlong, place=cython.longlong, heads=u64)
    def planes(self, out):
        """Write the planes of every game as `gridlock.envs.planes` defines them, one byte per cell."""
        at, to = self.at, octets(out)
        size: cython.int = self.size
        for game in range(self.games):
            place = game * 4 * size
            heads = at[5 * game + 4]
            spread(to, place, at[5 * game + 2], size)
            spread(to, place + size, at[5 * game + 3], size)
            spread_one(to, place + 2 * size, heads & 255, size)
            spread_one(to, place + 3 * size, heads >> 8 & 255, size)
