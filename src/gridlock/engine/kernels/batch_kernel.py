"""The loops behind `gridlock.envs.batch`, which play many copies of a game in lockstep on boards of up to 128 cells.

The state of all games is held in an array that the caller owns. Each game is stored in five 64-bit words. Two words
hold the cells that each side may still use, and two hold the cells that each side has taken; in each pair, the first
word is for the side to move. The fifth word holds each side's head (the cell that the side took last) and the side to
move. On boards of more than 64 cells, four more words contain the upper halves of the four sets. The results are
bit-for-bit identical to those of `gridlock.envs.numbers`, which uses NumPy.
"""

from array import array

try:
    import cython
except ImportError:
    from . import interpreted as cython
if not cython.compiled:
    from .interpreted import has_deposit, nth, nth_of_two, octets, popcount, spread, spread_one, stirred, words

    u64 = int

COMPILED = cython.compiled
NEAR = cython.declare(cython.longlong, 400)  # games per chunk, so that stuck games are settled while still in the cache
NOWHERE = cython.declare(cython.int, 128)  # the head before the first move, from which the next move may go anywhere


class Lockstep:
    """The loops over a batch of games with the same rules and board size."""

    def __init__(self, keeps, leaves, reach, start, passes, follows, pawn, size, state, deposit=True):
        """Store the starting state, the array of states, and three tables that define the rules.

        For each move, the tables list the cells that stay open to the mover (`keeps`), the cells that stay open to the
        opponent (`leaves`), and the cells that the next move may take if it must follow this one (`reach`).
        """
        if not cython.compiled:
            self.keeps, self.leaves, self.reach = ([[0] * 129, [0] * 129] for _ in range(3))
        for word in range(len(reach)):
            for cell in range(NOWHERE + 1):
                self.keeps[word][cell], self.leaves[word][cell] = int(keeps[word][cell]), int(leaves[word][cell])
                self.reach[word][cell] = int(reach[word][cell])
        self.wide = size > 64
        self.step_size = 9 if self.wide else 5
        self.passes, self.followed, self.size = passes, (0 if pawn else 8) if follows else -1, size
        self.deposit = deposit and has_deposit()
        self.state, self.games, self.at = state, len(state), words(state)
        self.list = array("Q", [0]) * (self.games + 1)
        self.stuck = words(self.list)
        self.start_words = array("Q", self.packed(start))
        self.start = words(self.start_words)

    def packed(self, row):
        """Pack one game into words: each side's open cells, taken cells and last move, and the turn."""
        *sets, my_head, their_head, turn = row
        heads = my_head | their_head << 8 | turn << 16
        low = [cells & 0xFFFFFFFFFFFFFFFF for cells in sets]
        return [*low, heads, *(cells >> 64 for cells in sets)][: self.step_size]

    def begin(self, rows):
        """Set all games to the given states."""
        for game, row in enumerate(rows):
            for place, word in enumerate(self.packed(row)):
                self.at[self.step_size * game + place] = word

    def arrays(self):
        """Return the arrays that change during play."""
        return (self.state,)

    def saved(self):
        """Return a copy of the state of all games."""
        return [self.state.copy()]

    def restore(self, saved, games=slice(None)):
        """Restore some games to their saved state."""
        self.state[games] = saved[0][games]

    @cython.locals(game=cython.longlong, place=cython.int)
    def reset(self):
        """Restart all games."""
        for game in range(self.games):
            for place in range(self.step_size):
                self.at[self.step_size * game + place] = self.start[place]

    def turns(self, out):
        """Store in `out` which side is to move in each game."""
        to = octets(out)
        game: cython.longlong
        for game in range(self.games):
            to[game] = cython.cast(cython.uchar, self.at[self.step_size * game + 4] >> 16)

    def game(self, game: cython.longlong):
        """Return a game: both sides' cells and latest moves (the side to move comes first), and whose turn it is."""
        place: cython.longlong = self.step_size * game
        heads = self.at[place + 4]
        mine, theirs = int(self.at[place + 2]), int(self.at[place + 3])
        if self.wide:
            mine, theirs = mine | int(self.at[place + 7]) << 64, theirs | int(self.at[place + 8]) << 64
        return mine, theirs, heads & 255, heads >> 8 & 255, heads >> 16

    def legal(self, at, place, followed):
        """Return the legal moves among cells 0 to 63 as a bit set, for the game whose state begins at `place`."""
        if followed < 0:
            return at[place]
        return at[place] & self.reach[0][at[place + 4] >> followed & 255]

    def legal_above(self, at, place, followed):
        """Return the legal moves among cells 64 to 127 as a bit set, for the game whose state begins at `place`."""
        if followed < 0:
            return at[place + 5]
        return at[place + 5] & self.reach[1][at[place + 4] >> followed & 255]

    def play(self, at, place, cell, followed, wide):
        """Take a cell, and return whether the opponent is then stuck."""
        theirs: u64 = at[place] & self.keeps[0][cell]
        mine: u64 = at[place + 1] & self.leaves[0][cell]
        one: u64 = 1
        none: u64 = 0
        taken: u64 = at[place + 2] | (none if wide and cell >= 64 else one << (cell & 63))
        last: u64 = cell
        heads: u64 = at[place + 4]
        above: u64 = 0
        heads = heads >> 8 & 255 | last << 8 | (heads ^ 0x30000) & 0x30000
        at[place] = mine
        at[place + 1] = theirs
        at[place + 2] = at[place + 3]
        at[place + 3] = taken
        at[place + 4] = heads
        if wide:
            theirs = at[place + 5] & self.keeps[1][cell]
            above = at[place + 6] & self.leaves[1][cell]
            taken = at[place + 7] | (one << (cell & 63) if cell >= 64 else none)
            at[place + 5] = above
            at[place + 6] = theirs
            at[place + 7] = at[place + 8]
            at[place + 8] = taken
        if followed >= 0:
            mine &= self.reach[0][heads >> followed & 255]
            if wide:
                above &= self.reach[1][heads >> followed & 255]
        return not mine | above

    def settle(self, at, count, won):
        """Settle the games in which the side to move is stuck: restart those that are over, and pass in the others.

        We cannot know in advance which of two states is needed, so both are computed, and an all-ones or all-zeros mask
        selects one.
        """
        none: u64 = 0
        word: u64 = 0xFFFFFFFFFFFFFFFF
        first: u64 = self.start[0]  # local variables are not read again after every write
        second: u64 = self.start[1]
        third: u64 = self.start[2]
        fourth: u64 = self.start[3]
        fifth: u64 = self.start[4]
        stuck, size = self.stuck, self.step_size
        if not self.passes:
            for index in range(count):
                game = stuck[index]
                place = size * game
                won[game] = cython.cast(cython.uchar, at[place + 4] >> 16 ^ 3)
                for part in range(size):
                    at[place + part] = self.start[part]
            return
        for index in range(count):
            game = stuck[index]
            place = size * game
            heads = at[place + 4]
            after = heads >> 8 & 255 | (heads & 255) << 8 | (heads ^ 0x30000) & 0x30000
            others = at[place + 1] | at[place + 6] if self.wide else at[place + 1]
            on = none - cython.cast(u64, others != 0) & word  # all ones if the other side continues
            off = ~on & word
            won[game] = cython.cast(cython.uchar, (heads >> 16 ^ 3) & off)
            mine, taken = at[place], at[place + 2]
            at[place] = at[place + 1] & on | first & off
            at[place + 1] = mine & on | second & off
            at[place + 2] = at[place + 3] & on | third & off
            at[place + 3] = taken & on | fourth & off
            at[place + 4] = after & on | fifth & off
            if self.wide:
                for part in (5, 7):
                    mine = at[place + part]
                    at[place + part] = at[place + part + 1] & on | self.start[part] & off
                    at[place + part + 1] = mine & on | self.start[part + 1] & off

    def chosen(self, at, game, dice, followed, deposit, wide):
        """Return a random move for one game, chosen as uniformly as 32 random bits allow."""
        odd: u64 = 0x9E3779B97F4A7C15  # the increment of SplitMix64
        word: u64 = 0xFFFFFFFFFFFFFFFF
        place: cython.longlong = (9 if wide else 5) * game
        cells: u64 = self.legal(at, place, followed)
        above: u64 = self.legal_above(at, place, followed) if wide else 0
        count: cython.int = popcount(cells) + popcount(above) if wide else popcount(cells)
        bits: u64 = stirred(dice + odd * cython.cast(u64, game) & word)
        index: cython.int = cython.cast(cython.int, (bits >> 32) * cython.cast(u64, count) >> 32)
        if wide:
            return nth_of_two(cells, above, index, deposit)
        return nth(cells, index, deposit)

    def step(self, actions, winners):
        """Make one move in every game, or none at all if any move is illegal.

        Return the index of the first game whose move is illegal, or -1 if all moves are legal.
        """
        at, stuck, cells, won = self.at, self.stuck, octets(actions), octets(winners)
        count: cython.longlong = 0
        game: cython.longlong
        size: cython.longlong = self.step_size
        followed: cython.int = self.followed
        wide: cython.bint = self.wide
        one: u64 = 1
        open_cells: u64
        for game in range(self.games):
            if wide and cells[game] >= 64:
                open_cells = self.legal_above(at, size * game, followed)
            else:
                open_cells = self.legal(at, size * game, followed)
            if cells[game] >= self.size or not open_cells & one << (cells[game] & 63):
                return game
        for game in range(self.games):
            won[game] = 0
            stuck[count] = game
            if wide:  # literal flags, so that separate code is compiled for each
                count += self.play(at, size * game, cells[game], followed, True)
            else:
                count += self.play(at, size * game, cells[game], followed, False)
        self.settle(at, count, won)
        return -1

    def choose(self, dice: cython.ulonglong, actions):
        """Choose a random legal move for every game, with all legal moves equally likely."""
        at, cells = self.at, octets(actions)
        game: cython.longlong
        followed: cython.int = self.followed
        deposit: cython.bint = self.deposit
        wide: cython.bint = self.wide
        for game in range(self.games):
            if wide:
                cells[game] = self.chosen(at, game, dice, followed, deposit, True)
            else:
                cells[game] = self.chosen(at, game, dice, followed, deposit, False)

    def step_random(self, dice: cython.ulonglong, actions, winners):
        """Choose a random legal move for every game, and make it."""
        at, cells, won = self.at, octets(actions), octets(winners)
        count: cython.longlong
        begin: cython.longlong
        end: cython.longlong = 0
        while end < self.games:
            begin, end = end, min(end + NEAR, self.games)
            if self.wide:  # literals, so that a separate loop is compiled for each kind
                count = self.some(begin, end, dice, cells, won, self.followed, True)
            elif self.followed < 0:
                count = self.some(begin, end, dice, cells, won, -1, False)
            else:
                count = self.some(begin, end, dice, cells, won, self.followed, False)
            self.settle(at, count, won)

    def some(self, begin, end, dice, cells, won, followed, wide):
        """Make a random move in each game of a range; list and count the games in which the opponent is then stuck."""
        at, stuck = self.at, self.stuck
        count: cython.longlong = 0
        deposit: cython.bint = self.deposit
        for game in range(begin, end):
            cell = self.chosen(at, game, dice, followed, deposit, wide)
            cells[game] = cell
            won[game] = 0
            stuck[count] = game  # no branch, because mispredictions would cost time
            count += self.play(at, (9 if wide else 5) * game, cell, followed, wide)
        return count

    def mask(self, out):
        """Write the legal moves of every game, one byte per cell."""
        at, to = self.at, octets(out)
        game: cython.longlong
        followed: cython.int = self.followed  # local, so that it is not read again after every write
        size: cython.int = self.size
        if not self.wide:
            for game in range(self.games):
                spread(to, game * size, self.legal(at, 5 * game, followed), size)
            return
        for game in range(self.games):
            spread(to, game * size, self.legal(at, 9 * game, followed), 64)
            spread(to, game * size + 64, self.legal_above(at, 9 * game, followed), size - 64)

    @cython.locals(game=cython.longlong, place=cython.longlong, start=cython.longlong, heads=u64)
    def planes(self, out):
        """Write the planes of every game as `gridlock.envs.planes` defines them, one byte per cell."""
        at, to = self.at, octets(out)
        size: cython.int = self.size
        per_game: cython.longlong = self.step_size
        wide: cython.bint = self.wide
        low: cython.int = 64 if wide else size
        for game in range(self.games):
            start, place = per_game * game, game * 4 * size
            heads = at[start + 4]
            spread(to, place, at[start + 2], low)
            if wide:
                spread(to, place + 64, at[start + 7], size - 64)
            spread(to, place + size, at[start + 3], low)
            if wide:
                spread(to, place + size + 64, at[start + 8], size - 64)
            spread_one(to, place + 2 * size, heads & 255, size)
            spread_one(to, place + 3 * size, heads >> 8 & 255, size)
