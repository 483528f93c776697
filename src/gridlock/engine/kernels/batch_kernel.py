"""Many games of one shape in lockstep, on boards of up to 64 cells: the loops behind `gridlock.envs.batch`.

The state of all games lies in an array that belongs to whoever made it, five words for each game: the cells that the
side to move may still use, those of the other side, the cells that each has taken, and a word with both heads and the
turn. What is done with it is what `gridlock.envs.numbers` does with NumPy, to the last bit.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:
    from . import interpreted as cython
if cython.compiled:
    from cython.cimports.gridlock.engine.kernels.words import (
        has_deposit,
        nth,
        octets,
        popcount,
        spread,
        spread_one,
        stirred,
        u64,
        words,
    )
else:
    from .interpreted import has_deposit, nth, octets, popcount, spread, spread_one, stirred, words

    u64 = int

COMPILED = cython.compiled
NEAR = cython.declare(cython.longlong, 400)  # games that move before those stuck are settled, still in the cache
NOWHERE = cython.declare(cython.int, 64)  # where a head is before the first move: what follows it may go anywhere


@cython.cclass
class Lockstep:
    """The loops for one shape on one board, over the state of one batch."""

    state: object  # kept, since the pointer is into it
    games: cython.longlong
    size: cython.int
    followed: cython.int  # where the word of heads has the one that a move follows; -1: moves follow none
    passes: cython.bint
    deposit: cython.bint  # whether the processor finds the n-th cell of a set at once
    keeps: u64[65]  # what a move on a cell leaves to the player who made it
    leaves: u64[65]  # what it leaves to the opponent
    reach: u64[65]  # where a move that follows it may go
    start: u64[5]
    at: cython.p_ulonglong
    list: object  # of the games in which a move has left the opponent stuck
    stuck: cython.p_ulonglong

    def __init__(self, keeps, leaves, reach, start, passes, follows, pawn, size, state, deposit=True):
        """What a move on every cell keeps, leaves and reaches, one game's start, and where the state lies."""
        if not cython.compiled:
            self.keeps, self.leaves, self.reach, self.start = [0] * 65, [0] * 65, [0] * 65, [0] * 5
        for cell in range(NOWHERE + 1):
            self.keeps[cell], self.leaves[cell], self.reach[cell] = (
                int(keeps[cell]),
                int(leaves[cell]),
                int(reach[cell]),
            )
        for place in range(4):
            self.start[place] = start[place]
        self.start[4] = start[4] | start[5] << 8 | 1 << 16
        self.passes, self.followed, self.size = passes, (0 if pawn else 8) if follows else -1, size
        self.deposit = deposit and has_deposit()
        self.state, self.games, self.at = state, len(state), words(state)
        self.list = array("Q", [0]) * (self.games + 1)
        self.stuck = words(self.list)

    def arrays(self):
        """Everything that changes."""
        return (self.state,)

    def reset(self):
        """Begin all games anew."""
        game: cython.longlong
        place: cython.int
        for game in range(self.games):
            for place in range(5):
                self.at[5 * game + place] = self.start[place]

    def turns(self, out):
        """Write whose turn it is in every game."""
        to = octets(out)
        game: cython.longlong
        for game in range(self.games):
            to[game] = cython.cast(cython.uchar, self.at[5 * game + 4] >> 16)

    def game(self, game: cython.longlong):
        """One game: the cells that the side to move and the other have taken, their heads, and whose turn it is."""
        heads = self.at[5 * game + 4]
        return self.at[5 * game + 2], self.at[5 * game + 3], heads & 255, heads >> 8 & 255, heads >> 16

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def legal(self, at: cython.p_ulonglong, game: cython.longlong, followed: cython.int) -> u64:
        """The cells that may be played now."""
        if followed < 0:
            return at[5 * game]
        return at[5 * game] & self.reach[at[5 * game + 4] >> followed & 255]

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def play(
        self, at: cython.p_ulonglong, game: cython.longlong, cell: cython.int, followed: cython.int
    ) -> cython.longlong:
        """Take a cell, and tell whether the opponent is stuck then."""
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

    @cython.cfunc
    @cython.exceptval(check=False)
    def settle(self, at: cython.p_ulonglong, count: cython.longlong, won: cython.p_uchar) -> cython.void:
        """Let the games whose side to move is stuck go on with the other side, or begin again.

        Which of the two cannot be foreseen either: both are made ready, and a mask of ones or none takes one.
        """
        game: cython.longlong
        place: cython.longlong
        index: cython.longlong
        part: cython.int
        heads: u64
        after: u64
        mine: u64
        taken: u64
        on: u64  # all ones if the other side goes on
        off: u64
        none: u64 = 0
        word: u64 = 0xFFFFFFFFFFFFFFFF
        first: u64 = self.start[0]  # by name, or they would be read again after everything written
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
            on = none - cython.cast(u64, at[place + 1] != 0) & word
            off = ~on & word
            won[game] = cython.cast(cython.uchar, (heads >> 16 ^ 3) & off)
            mine, taken = at[place], at[place + 2]
            at[place] = at[place + 1] & on | first & off
            at[place + 1] = mine & on | second & off
            at[place + 2] = at[place + 3] & on | third & off
            at[place + 3] = taken & on | fourth & off
            at[place + 4] = after & on | fifth & off

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def chosen(
        self, at: cython.p_ulonglong, game: cython.longlong, dice: u64, followed: cython.int, deposit: cython.bint
    ) -> cython.int:
        """The move that the dice give one game: of 32 random bits, as many for each move as can be."""
        odd: u64 = 0x9E3779B97F4A7C15  # how far SplitMix64 counts with each number
        word: u64 = 0xFFFFFFFFFFFFFFFF
        cells: u64 = self.legal(at, game, followed)
        bits: u64 = stirred(dice + odd * cython.cast(u64, game) & word)
        return nth(cells, cython.cast(cython.int, (bits >> 32) * cython.cast(u64, popcount(cells)) >> 32), deposit)

    def step(self, actions, winners):
        """Make one move in every game: -1, or the first game whose move is not possible (none is then made)."""
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
        """A random legal move for every game, each equally likely."""
        at, cells = self.at, octets(actions)
        game: cython.longlong
        followed: cython.int = self.followed
        deposit: cython.bint = self.deposit
        for game in range(self.games):
            cells[game] = self.chosen(at, game, dice, followed, deposit)

    def step_random(self, dice: cython.ulonglong, actions, winners):
        """The same, and make these moves."""
        at, cells, won = self.at, octets(actions), octets(winners)
        count: cython.longlong
        begin: cython.longlong
        end: cython.longlong = 0
        while end < self.games:
            begin, end = end, min(end + NEAR, self.games)
            if self.followed < 0:  # said outright, so that a loop of its own is compiled for it
                count = self.some(begin, end, dice, cells, won, -1)
            else:
                count = self.some(begin, end, dice, cells, won, self.followed)
            self.settle(at, count, won)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def some(
        self,
        begin: cython.longlong,
        end: cython.longlong,
        dice: cython.ulonglong,
        cells: cython.p_uchar,
        won: cython.p_uchar,
        followed: cython.int,
    ) -> cython.longlong:
        """Make a random legal move in some games, write down those that are stuck then, and count them."""
        at, stuck = self.at, self.stuck
        count: cython.longlong = 0
        game: cython.longlong
        cell: cython.int
        deposit: cython.bint = self.deposit
        for game in range(begin, end):
            cell = self.chosen(at, game, dice, followed, deposit)
            cells[game] = cell
            won[game] = 0
            stuck[count] = game  # no branch: nobody can foresee which games end, and guessing wrong costs time
            count += self.play(at, game, cell, followed)
        return count

    def mask(self, out):
        """Write the legal moves of every game, a byte for each cell."""
        at, to = self.at, octets(out)
        game: cython.longlong
        followed: cython.int = self.followed
        for game in range(self.games):
            spread(to, game * self.size, self.legal(at, game, followed), self.size)

    def planes(self, out):
        """Write the planes of every game as `gridlock.envs.planes` defines them, a byte for each cell."""
        at, to = self.at, octets(out)
        size: cython.int = self.size
        game: cython.longlong
        place: cython.longlong
        heads: u64
        for game in range(self.games):
            place = game * 4 * size
            heads = at[5 * game + 4]
            spread(to, place, at[5 * game + 2], size)
            spread(to, place + size, at[5 * game + 3], size)
            spread_one(to, place + 2 * size, heads & 255, size)
            spread_one(to, place + 3 * size, heads >> 8 & 255, size)
