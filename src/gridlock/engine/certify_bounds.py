"""Mirroring and counting arguments for certificates of games in which a marker may go on any open cell.

Mirroring and counting arguments do not refer to other records in the certificate.
"""

from collections.abc import Iterator
from typing import Any

from gridlock.certificates.patterns import ACROSS, TURNS, Box
from gridlock.certificates.placing import Claim, Placing
from gridlock.core.grid import Cell, cells_of
from gridlock.engine.kernels.interface import COL, SNORT
from gridlock.engine.record_text import Reason


class Bounds:
    """Mirroring and counting arguments for one game on one board, in a form that `rules` can check."""

    def __init__(self, rules: Placing, kernel: Any) -> None:
        self.kernel, self.is_col = kernel, rules.shape == COL
        self.rules, self.patterns, self.grid, self.shape = rules, rules.patterns, rules.grid, rules.shape

    def reason(self, claim: Claim, turn: int) -> Reason | None:
        """Return a mirror or a bound that proves that the player to move loses, or None if there is no such proof.

        If `turn` is 1, prove instead that the opponent, moving first, wins. The claim must not contain isolated cells.
        """
        p, q, x, star = claim
        settled = x < 0 or (x == 0 and star == turn)
        if not p | q:
            return "." if settled else None
        if settled and p.bit_count() <= q.bit_count():
            found = self._mirror(claim)
            if found is not None:
                return found
        if self.is_col:
            return self._counted(claim, turn)
        return self._switches(claim, turn) if self.shape == SNORT else None

    def exchanged(self, claim: Claim) -> dict[Cell, Cell]:
        """Find a symmetry that exchanges the players, and return the image of each cell open to the player to move.

        The result is empty if there is no such symmetry.
        """
        if claim.p.bit_count() != claim.q.bit_count():
            return {}
        box = self.patterns.box(claim.p | claim.q)
        for turn in self._turns(box):
            if self.patterns.mirrored(claim.p, box, turn) == claim.q:
                return {cell: self.patterns.image(cell, box, turn) for cell in cells_of(claim.p)}
        return {}

    def _turns(self, box: Box) -> Iterator[int]:
        """Yield the rotations and reflections of a box that are their own inverses, starting with the half-turn."""
        for turn in (3, 1, 2, 4, 7) if box.height == box.width else (3, 1, 2):
            if not (turn & ACROSS and (box.height >= self.grid.cols or box.width >= self.grid.rows)):
                yield turn

    def _mirror(self, claim: Claim) -> Reason | None:
        """Return a proof, by the mirror or centre rule, that the player to move loses; None if neither rule applies."""
        p, q, _, _ = claim
        box = self.patterns.box(p | q)
        for turn in self._turns(box):
            image = self.patterns.mirrored(p, box, turn)
            if image & ~q:
                continue
            stray = [
                cell
                for cell in cells_of(p & (image | self.patterns.touch(image)))
                if self._clashes(cell, self.patterns.image(cell, box, turn))
            ]
            if not stray:
                return f"/{TURNS[turn]}"
            if len(stray) == 1 and self.is_col:
                around = self.rules.zone[stray[0]]
                for cell in cells_of(image & around & ~(1 << stray[0])):
                    if not self.rules.zone[cell] & image & ~around:
                        return f"o{TURNS[turn]}{cell}"
        return None

    def _clashes(self, cell: Cell, image: Cell) -> bool:
        """Return whether taking a cell prevents the opponent from taking the cell's image in reply."""
        return image == cell or (self.rules.other and bool(self.rules.zone[cell] >> image & 1))

    def _counted(self, claim: Claim, turn: int) -> Reason | None:
        """Return a bound based on cliques and nonadjacent cells, or None if the bound is not good enough."""
        lists = self.kernel.count(claim.p, claim.q, claim.x, claim.star ^ turn)
        return lists and f"b{'.'.join(map(listed, lists))}"

    def _switches(self, claim: Claim, turn: int) -> Reason | None:
        """Use the rule for switches to prove that the player to move loses; return None if that rule gives no proof.

        A switch is a cell where a marker placed by the opponent would close at least one cell that is open to the
        player to move. Switches where the opponent's marker would close the most cells are chosen first. A switch is
        skipped if its marker would close a cell that the marker on a chosen switch would close.
        """
        p, q, _, _ = claim
        zone, used, chosen = self.rules.zone, 0, []
        for cell in sorted(cells_of(q), key=lambda cell: -(zone[cell] & p).bit_count()):
            group = zone[cell] & p
            if group and not group & used:
                used |= group
                chosen.append(cell)
        return f"k{listed(chosen)}" if self.rules.switched(claim, chosen, turn) else None


def listed(cells: list[Cell]) -> str:
    """Return a list of cells in the form that certificates use."""
    return bytes(cells).hex()
