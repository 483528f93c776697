"""Pair up as many neighbouring cells as possible, and find the cells that some maximum pairing leaves out.

The module implements Edmonds' blossom algorithm, with one search tree at a time. A tree grows from an unpaired cell,
its root, along paths that alternate between edges outside the pairing and edges in the pairing. A cell is even if an
alternating path of even length leads to it from the root, and odd if only paths of odd length have reached it. An edge
from an even cell to an unpaired cell outside the tree completes an augmenting path, which adds a pair to the pairing.
An edge between two even cells closes an odd cycle, called a blossom. Each cell of a blossom can be reached by a path of
even length, in one direction or the other, so the algorithm treats the blossom as a single cell. A blossom is
identified by its base, which is the cell where the tree enters the blossom.

If the search for an augmenting path fails, its tree is kept, and later searches skip the cells of that tree. No later
augmenting path can pass through a kept tree, because every neighbour of the tree's even cells is in that tree or in a
tree that was kept earlier. At the end, the even cells of all kept trees are exactly the cells that some maximum pairing
leaves out (the set D of the Gallai-Edmonds theorem).
"""

from __future__ import annotations

from array import array


class Matcher:
    """A maximum pairing of some cells of a graph, computed on construction and updated when a cell is added or removed.

    The neighbours of cell c are `neighbours[starts[c]:starts[c + 1]]`. The cells to pair are those for which
    `present` is 1.
    """

    def __init__(self, starts: array[int], neighbours: array[int], present: bytearray) -> None:
        self.starts = starts
        self.neighbours = neighbours
        self.cells = len(present)
        self.present = bytearray(present)
        self.mate = array("i", [-1]) * self.cells
        self.fresh = bytearray(present)  # present, and in no tree yet
        self.even = bytearray(self.cells)
        self.parent = array("i", [-1]) * self.cells  # the way to the root: the mate, then its parent
        self.base = array("i", range(self.cells))  # leads to the base in one or more steps, see find()
        self.tree = array("i", [0]) * self.cells
        self.tree_size = 0
        self.queue = array("i", [0]) * self.cells
        self.queued = 0
        self.mark = array("i", [0]) * self.cells
        self.marks = 0
        self.pair_greedily()
        self.grow_all()

    def remove(self, cell: int) -> None:
        """Remove a cell, and update the pairing."""
        mate = self.mate[cell]
        if mate >= 0:
            self.mate[mate] = -1
            self.mate[cell] = -1
        self.present[cell] = False
        self.plant_again()

    def restore(self, cell: int) -> None:
        """Put back a cell that was removed."""
        self.present[cell] = True
        self.plant_again()

    def partners(self) -> list[int]:
        """Return the partner of every cell, or -1 for a cell without a partner."""
        return [self.mate[c] for c in range(self.cells)]

    def mates(self) -> bytes:
        """Return the partners as the bytes of C integers, without creating a list."""
        return bytes(self.mate)

    def spare(self) -> bytes:
        """Return one byte per cell: 1 if some maximum pairing leaves the cell out, otherwise 0."""
        return bytes(self.even)

    def pair_greedily(self):
        """Pair each cell with its first free neighbour; this quickly pairs most of the cells."""
        for c in range(self.cells):
            if not self.fresh[c] or self.mate[c] >= 0:
                continue
            for i in range(self.starts[c], self.starts[c + 1]):
                w = self.neighbours[i]
                if self.fresh[w] and self.mate[w] < 0:
                    self.mate[c] = w
                    self.mate[w] = c
                    break

    def plant_again(self):
        """Forget all trees, and grow new ones for the current pairing."""
        for c in range(self.cells):
            self.fresh[c] = self.present[c]
            self.even[c] = False
            self.base[c] = c
        self.grow_all()

    def grow_all(self):
        """Grow a tree from every unpaired cell that is in no tree."""
        for root in range(self.cells):
            if self.fresh[root] and self.mate[root] < 0:
                self.grow(root)

    def grow(self, root):
        """Grow a tree from an unpaired cell until the cell is paired or the tree cannot grow any further."""
        head = 0
        self.tree_size = 0
        self.queued = 0
        self.take(root)
        self.make_even(root)
        while head < self.queued:
            v = self.queue[head]
            head += 1
            for i in range(self.starts[v], self.starts[v + 1]):
                w = self.neighbours[i]
                if self.fresh[w]:
                    self.parent[w] = v
                    if self.mate[w] < 0:
                        self.switch(w)
                        self.fell()
                        return
                    self.take(w)
                    self.take(self.mate[w])
                    self.make_even(self.mate[w])
                elif self.even[w] and self.find(v) != self.find(w):
                    meet = self.meeting(v, w)
                    self.shrink(v, w, meet)
                    self.shrink(w, v, meet)

    def take(self, c):
        """Add a new cell to the tree."""
        self.fresh[c] = False
        self.tree[self.tree_size] = c
        self.tree_size += 1

    def make_even(self, c):
        """Mark a cell that is an even number of steps from the root, so that the tree may grow from it."""
        self.even[c] = True
        self.queue[self.queued] = c
        self.queued += 1

    def fell(self):
        """Remove the tree, freeing its cells for other trees."""
        for i in range(self.tree_size):
            c = self.tree[i]
            self.fresh[c] = True
            self.even[c] = False
            self.base[c] = c

    def switch(self, end):
        """On the path from an unpaired cell back to the root, swap the edges in the pairing with those outside it."""
        while end >= 0:
            even = self.parent[end]
            after = self.mate[even]
            self.mate[end] = even
            self.mate[even] = end
            end = after

    def find(self, c):
        """Return the base of the largest blossom around a cell, or the cell itself if it is in no blossom."""
        while self.base[c] != c:
            self.base[c] = self.base[self.base[c]]  # path halving
            c = self.base[c]
        return c

    def meeting(self, a, b):
        """Return the first common base on the paths from a and from b to the root."""
        self.marks += 1
        while True:
            if a >= 0:
                a = self.find(a)
                if self.mark[a] == self.marks:
                    return a
                self.mark[a] = self.marks
                a = self.parent[self.mate[a]] if self.mate[a] >= 0 else -1
            a, b = b, a

    def shrink(self, c, across, meet):
        """Merge one side of a new blossom, from c downwards, into its base.

        `across` is the even cell at the other end of the edge that closed the ring. The odd cells on the merged side of
        the blossom become even, because each of them now has another path to the root. The new path leads from the odd
        cell to its mate, round the blossom to the edge that closed the ring, and across that edge. The new path is
        stored in `parent`.
        """
        while self.find(c) != meet:
            self.parent[c] = across
            odd = self.mate[c]
            if not self.even[odd]:
                self.make_even(odd)
            if self.base[c] == c:
                self.base[c] = meet
            if self.base[odd] == odd:
                self.base[odd] = meet
            across = odd
            c = self.parent[odd]
