"""Games for a dataset, with exact labels for their positions.

In half of the games, both sides move at random, and in the other half, both sides play well. A side that plays well
chooses a winning move, if there is one, with a probability of 80%, and otherwise chooses from all legal moves at
random. A game ends when the side to move has no legal move.
"""

from __future__ import annotations

from array import array
from random import Random
from typing import NamedTuple, Protocol

from gridlock.core.grid import Cell, cells_of
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.core.shape import Follow
from gridlock.datasets.rows import LOSES, NONE, Rows, markers
from gridlock.engine.clock import MEBIBYTE
from gridlock.engine.engine import Engine
from gridlock.engine.evidence import Method, Proof, Verdict
from gridlock.engine.kernels.matching_kernel import Matcher
from gridlock.units.worker import stopping

MEMORY = 64 * MEBIBYTE  # for the tables of a search
GOOD_GAMES = 0.5  # share of the games in which both sides play well
GOOD_MOVES = 0.8  # in good games, the share of moves for which a winning move is chosen if one exists


class Games(Protocol):
    """A source of labelled positions of one game on one board."""

    left_out: int  # positions that were too hard to label

    def play(self, rng: Random, rows: Rows) -> None:
        """Play a game, and add its labelled positions to `rows`."""


def games(variant: Variant, nodes: int, distances: bool) -> Games:
    """Return the fastest source of labelled positions for a game on a board."""
    shape = variant.shape
    if shape is not None and shape.geography and shape.follows is Follow.NEAR and not distances:
        return PairedGames(variant)
    return SearchedGames(variant, nodes, distances)


class PairedGames:
    """Games in which each move must be next to the previous one.

    The winner is found from a pairing of the cells, which is updated after each move.
    """

    def __init__(self, variant: Variant) -> None:
        grid = variant.grid
        self.size = grid.size
        self.left_out = 0
        self._near = [cells_of(near) for near in grid.near]
        starts = array("i", [0])
        for near in self._near:
            starts.append(starts[-1] + len(near))
        self._graph = starts, array("i", [cell for near in self._near for cell in near])

    def play(self, rng: Random, rows: Rows) -> None:
        """Play a game, and add its labelled positions to `rows`."""
        size, near, choice = self.size, self._near, rng.choice
        good = rng.random() < GOOD_GAMES
        matcher = Matcher(*self._graph, bytearray(b"\1" * size))
        board, turn, heads = bytearray(size), 1, (NONE, NONE)
        legal = list(range(size))
        while legal:
            spare, values = matcher.spare(), bytearray(size)
            winning = [cell for cell in legal if spare[cell]]
            for cell in legal:
                values[cell] = 1 if spare[cell] else LOSES
            move = choice(winning) if winning and good and rng.random() < GOOD_MOVES else choice(legal)
            best = NONE if not winning else move if spare[move] else winning[0]
            if best >= 0:
                matcher.remove(best)
            rows.add(board, turn, heads, values, Method.MATCHING, best, matcher.mates())
            if best != move:
                if best >= 0:
                    matcher.restore(best)
                matcher.remove(move)
            board[move] = turn & LOSES
            turn, heads = -turn, (heads[1], move)
            legal = [cell for cell in near[move] if not board[cell]]


class Label(NamedTuple):
    """A position's label: the verdict on each move, the distances (if computed), and the proof (if any)."""

    wins: dict[Cell, bool]
    distances: dict[Cell, int]
    proof: Proof | None


class SearchedGames:
    """Random games with any rules; the engine labels their positions, except those that take too much work.

    The positions of a random game are labelled in reverse order, until one is too hard to label. Late positions are
    easy to label, and their labels help with earlier positions. A second game, with mostly good moves, begins at
    the earliest labelled position of the random game.
    """

    def __init__(self, variant: Variant, nodes: int, distances: bool) -> None:
        self.variant = variant
        self.nodes = nodes
        self.left_out = 0
        self._distances = distances
        self._engine = Engine(variant, MEMORY)
        self._known: dict[Position, Label] = {}  # the positions added so far

    def play(self, rng: Random, rows: Rows) -> None:
        """Play a random game and then a game with mostly good moves, and add the positions of both games."""
        line = [self.variant.start()]
        while cells := self.variant.legal_cells(line[-1]):
            line.append(line[-1].after(rng.choice(cells)))
        position, label = None, None
        for earlier in reversed(line[:-1]):
            found = self._added(rows, earlier)
            if found is None:
                break
            position, label = earlier, found
        while position is not None and label is not None:
            winning = [cell for cell, wins in label.wins.items() if wins]
            good = winning and rng.random() < GOOD_MOVES
            position = position.after(rng.choice(winning if good else list(label.wins)))
            label = self._added(rows, position) if self.variant.legal(position) else None

    def _added(self, rows: Rows, position: Position) -> Label | None:
        """Add a position to `rows` if it is new, and return its label; return None if labelling takes too much work."""
        label = self._known.get(position)
        if label is None:
            label = self.label(position)
            if label is None:
                self.left_out += 1
                return None
            self._known[position] = label
            self._add(rows, position, label)
        return label

    def label(self, position: Position) -> Label | None:
        """Return the exact label of a position that has a legal move, or None if labelling takes too much work."""
        engine = self._engine
        before = engine.nodes

        def tick(_nodes: int) -> bool:
            return engine.nodes - before >= self.nodes or stopping()

        proof = engine.prove(position, tick)
        distances = engine.distances.of_moves(position, tick) if self._distances else {}
        if distances:
            return Label({cell: score > 0 for cell, score in distances.items()}, distances, proof)
        before = engine.nodes  # verdicts have their own limit, so counting distances leaves out no position
        winning = set(proof.winning) if proof else set()
        wins: dict[Cell, bool] = {}
        for cell in self.variant.legal_cells(position):
            if cell in winning or (proof and proof.complete):
                wins[cell] = cell in winning
                continue
            verdict = engine.judge(position.after(cell), tick).verdict
            if verdict is Verdict.UNKNOWN:
                return None
            wins[cell] = verdict is Verdict.LOSS
        return Label(wins, {}, proof)

    def _add(self, rows: Rows, position: Position, label: Label) -> None:
        size, proof = self.variant.grid.size, label.proof
        values, partner = bytearray(size), array("i", [NONE]) * size
        for cell, wins in label.wins.items():
            values[cell] = 1 if wins else LOSES
        winning = [cell for cell, wins in label.wins.items() if wins]
        best = min(winning, key=lambda cell: (label.distances.get(cell, 0), cell)) if winning else NONE
        if proof:
            best = proof.best if winning and proof.best is not None else best
            for cell, other in proof.partners.items():
                partner[cell] = other
        mine, theirs = (NONE if head is None else head for head in (position.my_head, position.their_head))
        method = proof.method if proof else Method.SEARCH
        rows.add(markers(position, size), 1, (mine, theirs), values, method, best, partner.tobytes())
        if self._distances:
            rows.add_distances(label.distances)
