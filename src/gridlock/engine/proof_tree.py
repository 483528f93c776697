"""A tree of the first moves from a hard position; its leaves are searched in parallel.

Equivalent positions share one node. Each leaf is handed out to a worker only once. If the worker returns the leaf
without a verdict, the leaf gets children, which are then handed out in its place. The tree therefore grows where a
search takes a long time.

To prove that a position is won, one winning move is enough; to prove that a position is lost, every move must be
refuted. Therefore, if a position is expected to be lost, its moves are searched in parallel. If a position is expected
to be won, its most promising moves are searched first. Leaves whose paths depart least from the most promising moves
are handed out first.
"""

from collections.abc import Iterator
from math import inf
from operator import itemgetter

from gridlock.core.grid import Bitboard
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.engine.evidence import Verdict
from gridlock.engine.kernels.interface import state_of
from gridlock.engine.mirror import symmetries
from gridlock.engine.search import Search

Key = tuple[int, ...]


class Node:
    """A position, with its moves if it has been expanded."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.verdict = Verdict.UNKNOWN
        self.children: list[Node] | None = None  # best first
        self.parents: list[Node] = []
        self.taken = False  # handed out, and not yet returned


class ProofTree:
    """A search tree that starts with a position and its moves."""

    def __init__(self, search: Search, start: Position) -> None:
        self._search = search
        self._keys = Keys(search.variant)
        self._nodes: dict[Key, Node] = {}
        self._taken: dict[str, Node] = {}  # the leaves handed out, by their numbers
        self._number = 0
        self._signs = 0  # solved leaves that suggest a win from the start, minus those that suggest a loss
        self.solved = 0  # the number of solved positions
        self.proved: list[tuple[Position, Verdict]] = []  # the positions that their moves have decided
        self.root = self._node(start)
        self._expand(self.root)

    @property
    def verdict(self) -> Verdict:
        """The verdict on the starting position."""
        return self.root.verdict

    @property
    def open(self) -> int:
        """The number of leaves that are not solved."""
        return sum(node.children is None and node.verdict is Verdict.UNKNOWN for node in self._nodes.values())

    @property
    def taken(self) -> int:
        """The number of leaves that have been handed out to workers and not yet returned."""
        return len(self._taken)

    def take(self) -> tuple[str, Position] | None:
        """Hand out a leaf with an identifying number; return None if all needed leaves have been handed out."""
        _, leaf = self._best(self.root, self._signs >= 0, 0, inf, {})
        if leaf is None:
            return None
        self._number += 1
        leaf.taken = True
        self._taken[str(self._number)] = leaf
        return str(self._number), leaf.position

    def settle(self, number: str, verdict: Verdict) -> None:
        """Record the verdict on a leaf; if the verdict is unknown, expand the leaf."""
        leaf = self._taken.pop(number)
        leaf.taken = False
        if leaf.verdict is not Verdict.UNKNOWN:
            return
        if verdict is Verdict.UNKNOWN:
            self._expand(leaf)
            return
        like_start = leaf.position.turn == self.root.position.turn
        self._signs += 1 if (verdict is Verdict.WIN) == like_start else -1
        self._prove(leaf, verdict)

    def _best(self, node: Node, wins: bool, cost: int, limit: float, seen: dict[int, int]) -> tuple[float, Node | None]:
        """Return the cost of the best leaf below a node, and the leaf itself; skip leaves that a worker is searching.

        The cost of a leaf is counted along its path: each position that is expected to be won adds the number of
        unsolved moves in it that are more promising than the move on the path. The best leaf has the lowest cost.
        `wins` says whether the node is expected to be won, and `cost` is the cost of the path to the node.
        """
        if node.verdict is not Verdict.UNKNOWN or cost >= limit or seen.get(id(node), inf) <= cost:
            return inf, None
        seen[id(node)] = cost
        if node.children is None:
            return (inf, None) if node.taken else (cost, node)
        least: float = inf
        found: Node | None = None
        for child in node.children:
            if child.verdict is not Verdict.UNKNOWN:
                continue
            price, leaf = self._best(child, not wins, cost, min(limit, least), seen)
            if price < least:
                least, found = price, leaf
            cost += wins
            if least <= cost:
                break
        return least, found

    def _node(self, position: Position) -> Node:
        return self._nodes.setdefault(self._keys.of(position), Node(position))

    def _expand(self, node: Node) -> None:
        """Give a leaf its children."""
        cells = self._search.moves(node.position)
        node.children = list(dict.fromkeys(self._node(node.position.after(cell)) for cell in cells))
        for child in node.children:
            child.parents.append(node)
        self._update(node)

    def _prove(self, node: Node, verdict: Verdict) -> None:
        """Record a verdict, and what follows from it further up the tree."""
        node.verdict = verdict
        self.solved += 1
        for parent in node.parents:
            self._update(parent)

    def _update(self, node: Node) -> None:
        """Decide a node if the verdicts on its children determine its verdict."""
        if node.verdict is not Verdict.UNKNOWN:
            return
        verdicts = {child.verdict for child in node.children or ()}
        if Verdict.LOSS in verdicts or verdicts <= {Verdict.WIN}:
            verdict = Verdict.of(Verdict.LOSS in verdicts)
            self.proved.append((node.position, verdict))
            self._prove(node, verdict)


class Keys:
    """Position keys, which are equal only for positions that are equivalent under the board's symmetries."""

    def __init__(self, variant: Variant) -> None:
        self._variant = variant
        last = variant.grid.size - 1
        self._images = [itemgetter(*(last - cell for cell in reversed(image))) for image in symmetries(variant.grid)]

    def of(self, position: Position) -> Key:
        """Return the key of a position."""
        shape, grid = self._variant.shape, self._variant.grid
        if shape is None:  # its rules may do anything
            return state_of(position)
        heads = (position.my_head if shape.pawn else None, position.their_head if shape.follows else None)
        sets = [*shape.open_to_both(grid, position), *(0 if head is None else 1 << head for head in heads)]
        return min(self._turned(sets))

    def _turned(self, sets: list[Bitboard]) -> Iterator[Key]:
        """Yield the images of the given sets of cells under each symmetry of the board."""
        digits = [f"{bits:0{self._variant.grid.size}b}" for bits in sets]
        for image in self._images:
            yield tuple(int("".join(image(one)), 2) for one in digits)
