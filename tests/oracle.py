"""A second, deliberately naive implementation of the five games, against which the real implementation is checked.

Cells are (row, column) pairs, numbered from 0, and a dictionary maps each occupied cell to the player whose marker is
there. This module does not import gridlock.
"""

from itertools import combinations


class NaiveGame:
    """One game in progress: the markers, each player's last cell, and whose turn it is."""

    passes = False

    def __init__(self, rows, cols, king, starts=1):
        self.rows, self.cols, self.king = rows, cols, king
        self.owner = {}
        self.last = {1: None, 2: None}
        self.last_mover = None
        self.turn = starts
        self.set_up()

    def set_up(self):
        """Set up the starting position, which in most games is an empty board."""

    def pawns_in_corners(self):
        """Put one player's pawn in the first corner and the other player's pawn in the last corner."""
        for player, corner in ((1, (0, 0)), (2, (self.rows - 1, self.cols - 1))):
            self.owner[corner] = player
            self.last[player] = corner

    def touching(self, cell):
        """Return the cells adjacent to a cell."""
        row, col = cell
        found = set()
        for down in (-1, 0, 1):
            for right in (-1, 0, 1):
                if (down, right) == (0, 0) or (down and right and not self.king):
                    continue
                if 0 <= row + down < self.rows and 0 <= col + right < self.cols:
                    found.add((row + down, col + right))
        return found

    def blockers(self, player, cell):
        """Return the cells whose markers keep a player from taking an empty cell."""
        raise NotImplementedError

    def why_not(self, cell, player=None):
        """Return None if a cell may be played; otherwise, return the reason why not, and the cells responsible."""
        row, col = cell
        if not (0 <= row < self.rows and 0 <= col < self.cols):
            return "outside", set()
        if cell in self.owner:
            return "taken", {cell}
        blockers = self.blockers(player or self.turn, cell)
        return ("adjacency", blockers) if blockers else None

    def legal(self, player=None):
        """Return the cells that a player (by default, the player to move) may take, in row order."""
        cells = [(row, col) for row in range(self.rows) for col in range(self.cols)]
        return [cell for cell in cells if self.why_not(cell, player) is None]

    def must_pass(self):
        """Return whether the player to move is stuck while the opponent can still move."""
        return self.passes and not self.legal() and bool(self.legal(3 - self.turn))

    def over(self):
        """Return whether the game has ended."""
        return not self.legal() and not (self.passes and self.legal(3 - self.turn))

    def winner(self):
        """Return the winner of a finished game."""
        if not self.over():
            return None
        return self.last_mover if self.passes else 3 - self.turn

    def skip(self):
        """Pass."""
        self.turn = 3 - self.turn

    def play(self, cell):
        """Take a cell, without checking that it is legal."""
        self.owner[cell] = self.turn
        self.last[self.turn] = cell
        self.last_mover = self.turn
        self.turn = 3 - self.turn

    def copy(self):
        """Return a copy of the game."""
        twin = type(self)(self.rows, self.cols, self.king)
        twin.owner, twin.last = dict(self.owner), dict(self.last)
        twin.last_mover, twin.turn = self.last_mover, self.turn
        return twin


class Keepaway(NaiveGame):
    def blockers(self, player, cell):
        return {self.last[3 - player]} & self.touching(cell)


class Chain(NaiveGame):
    def blockers(self, _player, cell):
        if self.last_mover is None:
            return set()
        return {self.last[self.last_mover]} - self.touching(cell)


class Scatter(NaiveGame):
    passes = True

    def blockers(self, player, cell):
        return {near for near in self.touching(cell) if self.owner.get(near) == player}


class Trails(NaiveGame):
    def set_up(self):
        self.pawns_in_corners()

    def blockers(self, player, cell):
        return {self.last[player]} - self.touching(cell)


class Showdown(NaiveGame):
    def blockers(self, player, cell):
        return {near for near in self.touching(cell) if self.owner.get(near) == 3 - player}


GAMES = {"keepaway": Keepaway, "chain": Chain, "scatter": Scatter, "trails": Trails, "showdown": Showdown}


class Shaped(NaiveGame):
    """Any game that is defined by `closes_own`, `closes_other`, `follows` and `pawn`."""

    closes_own = closes_other = pawn = False
    follows = None

    def set_up(self):
        if self.pawn:
            self.pawns_in_corners()

    def blockers(self, player, cell):
        near = self.touching(cell)
        closed = {player: self.closes_own, 3 - player: self.closes_other}
        found = {marker for marker, owner in self.owner.items() if marker in near and closed[owner]}
        followed = self.last[player] if self.pawn else self.last[3 - player]
        if followed is not None and (
            (self.follows == "near" and followed not in near) or (self.follows == "away" and followed in near)
        ):
            found.add(followed)
        return found


def shaped(own, other, follows, pawn, passing=False):
    """Return the naive model of the game with the given marker rules."""

    class Model(Shaped):
        closes_own, closes_other, passes = own, other, passing

    Model.follows, Model.pawn = follows, pawn
    return Model


def perft(game, depth):
    """Return the number of move sequences of each length up to a depth, counting only sequences without passes."""
    counts = [0] * depth

    def descend(here, ply):
        for cell in here.legal():
            counts[ply] += 1
            if ply + 1 < depth:
                after = here.copy()
                after.play(cell)
                descend(after, ply + 1)

    if depth:
        descend(game, 0)
    return counts


def positions(game, first, second):
    """Count the positions of scatter or showdown in which each side has a given number of markers."""
    cells = [(row, col) for row in range(game.rows) for col in range(game.cols)]
    touching = {cell: game.touching(cell) for cell in cells}
    apart = isinstance(game, Scatter)  # one player's markers may not touch; in showdown, opposing markers may not

    def stand(markers):
        return not apart or all(near not in touching[cell] for cell, near in combinations(markers, 2))

    def closed_by(markers):
        return set(markers) if apart else set(markers).union(*(touching[cell] for cell in markers))

    found = 0
    for mine in combinations(cells, first):
        if stand(mine):
            closed = closed_by(mine)
            found += sum(map(stand, combinations([cell for cell in cells if cell not in closed], second)))
    return found
