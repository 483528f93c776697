"""Write records that prove that positions are lost, for games in which a marker may go on any open cell.

The kernels determine which positions are lost and which replies to try. The records contain only reasons that the rules
for certificates allow.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from gridlock.certificates.patterns import TURNS
from gridlock.certificates.placing import UNIT, Claim, Placing, show
from gridlock.core.grid import Bitboard, Cell, cells_of
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.engine.certify_bounds import Bounds
from gridlock.engine.certify_forms import canonical
from gridlock.engine.kernels.interface import COL, SNORT, Tick, win_loss
from gridlock.engine.record_text import Reason, Records, Stopped, reference
from gridlock.engine.search import memory_for

SMALL = 8  # regions up to this size are valued exactly and immediately


class PlacingProver:
    """The prover for one game on one board."""

    def __init__(self, variant: Variant, memory: int, tick: Tick) -> None:
        grid, shape = variant.grid, variant.shape
        assert shape is not None  # callers have checked
        self.grid, self.shape, self.is_col, self.tick = grid, shape, shape == COL, tick
        self.rules = Placing(grid, shape, 0)
        self.records = Records(tick)
        self._proved: dict[tuple[Bitboard, ...], list[tuple[int, int, int]]] = {}  # x, star, record
        self._lost: dict[Claim, bool] = {}  # whether positions that no kernel supports are lost
        kind = win_loss(shape)
        self._kernel: Any = kind and kind.make(grid, memory_for(grid.size, memory), kind.everything)
        self.bounds = Bounds(self.rules, self._kernel)
        self._blocks: dict[Claim, Reason] = {}  # references to records of small patterns, in their places

    def at_once(self, position: Position) -> Reason | None:
        """Return a reason why the player to move loses, or None if no simple reason is found.

        A simple reason does not cite the recorded proof of another lost position.
        """
        return self.bounds.reason(self._claim(position), 0)

    def loses(self, position: Position) -> Reason | None:
        """Return the reason why the player to move loses, or None if they win."""
        claim = self._claim(position)
        return self._reason(claim) if self._loses(claim) else None

    def _claim(self, position: Position) -> Claim:
        return self.rules.reduced(Claim(*self.shape.open_to_both(self.grid, position)))

    # -- the oracle -------------------------------------------------------------------------------------------------

    def _ask(self, p: Bitboard, q: Bitboard, x: int) -> bool:
        """Return whether a kernel says that the player to move wins."""
        found = self._kernel.solve(p, q, self.tick, x)
        if found < 0:
            raise Stopped
        return bool(found)

    def _loses(self, claim: Claim) -> bool:
        """Return whether a claim is true."""
        p, q, x, star = claim
        if not p | q:
            return x < 0 or (x == 0 and not star)
        if self.is_col:
            return self._ask(q, p, -x) if star else not self._ask(p, q, x)
        if self.shape == SNORT and not star:
            return not self._ask(p, q, x // UNIT)
        if claim not in self._lost:
            self._lost[claim] = all(self._answered(after) for after in self._options(claim))
        return self._lost[claim]

    def _options(self, claim: Claim) -> Iterator[Claim]:
        """Yield every position that the player to move can reach in one move."""
        for cell in cells_of(claim.p):
            yield self.rules.reduced(self.rules.left(claim, cell))
        if claim.star:
            yield claim._replace(star=0)
        if claim.x > 0:
            yield claim._replace(x=claim.x - UNIT)

    def _answered(self, claim: Claim) -> bool:
        """Return whether the opponent, moving first, would win."""
        replies = (self.rules.reduced(self.rules.right(claim, cell)) for cell in cells_of(claim.q))
        return (
            any(self._loses(reply) for reply in replies)
            or (claim.star == 1 and self._loses(claim._replace(star=0)))
            or (claim.x < 0 and self._loses(claim._replace(x=claim.x + UNIT)))
        )

    # -- reasons ----------------------------------------------------------------------------------------------------

    def _reason(self, claim: Claim) -> Reason:
        """Return a reason for a true claim; if the reason refers to new records, add them to the certificate.

        The position in the claim must have no isolated cells.
        """
        return self._quick(claim, 0) or self._by_regions(claim) or self._without_spare(claim) or self._record(claim)

    def _quick(self, claim: Claim, turn: int) -> Reason | None:
        """Return a reason that proves a claim without a search, or None if there is none."""
        return self.bounds.reason(claim, turn) or self._by_blocks(claim, turn)

    def _by_blocks(self, claim: Claim, turn: int) -> Reason | None:
        """Cut the board into blocks (cutting can only help the mover); return the blocks if the mover still loses."""
        p, q, x, star = claim
        if not self.is_col or (p | q).bit_count() <= SMALL:
            return None
        blocks = self._kernel.cut(p, q, x, star ^ turn)
        return blocks and self._joined(_valued(*block) for block in blocks)

    def _without_spare(self, claim: Claim) -> Reason | None:
        """Prove a claim after removing irrelevant cells from the position; return None if no cells are removed."""
        if not self.is_col:
            return None
        p, q = self._kernel.without_spare(claim.p, claim.q)
        if (p, q) == (claim.p, claim.q) or self.bounds.exchanged(claim):  # images are good replies
            return None
        main = self.rules.reduced(claim._replace(p=p, q=q))
        alone = [Claim(p & 1 << cell, q & 1 << cell) for cell in cells_of((p | q) & ~(main.p | main.q))]
        parts = [_valued(*one[:2], self._kernel.value(*one[:2])) for one in alone]
        return self._joined([*parts, main] if main.p | main.q else parts)

    def _by_regions(self, claim: Claim) -> Reason | None:
        """If a position has several regions, return a reason based on the sum of their values."""
        parts, main = self._parts(claim)
        if not parts:
            return None
        return self._joined([*parts, main] if main.p | main.q else parts)

    def _parts(self, claim: Claim) -> tuple[list[Claim], Claim]:
        """Split a claim into claims about the exact values of some regions and one claim about the remaining regions.

        The exact value of the largest region is used only if that region has at most SMALL cells.
        """
        p, q, x, star = claim
        regions = self._regions(claim)
        if len(regions) < 2:
            return [], claim
        if regions[-1].bit_count() > SMALL:
            regions.pop()
        parts: list[Claim] = []
        for region in regions:
            a, b = p & region, q & region
            value = self._kernel.value(a, b) if region.bit_count() <= SMALL else self._kernel.number(a, b, self.tick)
            if value is None:  # too fine, or stopped
                continue
            parts.append(_valued(a, b, value))
            p, q, x, star = p & ~region, q & ~region, x + (value >> 1), star ^ value & 1
        return parts, Claim(p, q, x, star)

    def _regions(self, claim: Claim) -> list[Bitboard]:
        """Return the regions of a position, largest last, if their values can be found and added up."""
        found: list[Bitboard] = self._kernel.regions(claim.p, claim.q) if self.is_col else []
        return found

    def _joined(self, parts: Iterable[Claim]) -> Reason:
        """Return a reason that combines several claims, each given as a reference to its record."""
        return "+".join(map(self._placed, parts)) or "."

    def _placed(self, claim: Claim) -> Reason:
        """Return a reference that gives a claim's record and the top-left cell of the claim's bounding box."""
        found = self._blocks.get(claim)
        if found is None:
            box = self.rules.patterns.box(claim.p | claim.q)
            found = f"{self._record(claim)}@{box.row * self.grid.cols + box.col}"
            if (claim.p | claim.q).bit_count() <= SMALL:
                self._blocks[claim] = found
        return found

    # -- records ----------------------------------------------------------------------------------------------------

    def _record(self, claim: Claim) -> Reason:
        """Return a reference to a record that proves a claim."""
        x, star = claim.x, claim.star
        p, q, turn = self._form(claim.p, claim.q)
        known = self._proved.setdefault((p, q), [])
        for proved, its_star, number in known:
            if proved > x or (proved == x and its_star == star):
                return reference(number, turn)
        body = self._body(Claim(p, q, x, star))
        number = self.records.add(f"{p:x} {q:x} {show(x, star)} {body}")
        known.append((x, star, number))
        return reference(number, turn)

    def _form(self, p: Bitboard, q: Bitboard) -> tuple[Bitboard, Bitboard, str]:
        """Return the canonical form of a pattern, and the symmetry that maps this form back to the pattern."""
        if self.is_col and p | q:
            p, q, turn = self._kernel.form(p, q)
            return p, q, TURNS[turn] if turn else ""
        (p, q), letter = canonical(self.rules.patterns, (p, q))
        return p, q, letter

    def _body(self, claim: Claim) -> str:
        """Return the body of a record: a reason why a claim holds, or an answer to every move."""
        small = self.rules.reduced(claim)
        if small != claim:
            return self._reason(small)
        reason = self._quick(claim, 0) or self._by_regions(claim) or self._without_spare(claim)
        if reason is not None:
            return reason
        if self.is_col and claim.star:
            return f"t {self._answer(claim._replace(star=0))}"
        better, images = self._dominated(claim), self.bounds.exchanged(claim)
        words = ["m"]
        for cell in cells_of(claim.p):
            if cell in better:
                words.append(f"<{better[cell]}")
            else:
                words.append(self._answer(self.rules.left(claim, cell), images.get(cell)))
        if claim.star:
            words.append(self._answer(claim._replace(star=0)))
        step = _step(claim.x)
        if claim.x > 0 or step < UNIT:
            words.append(self._answer(claim._replace(x=claim.x - step)))
        return " ".join(words)

    def _dominated(self, claim: Claim) -> dict[Cell, Cell]:
        """Return the moves that the certificate can omit, each mapped to a move that is at least as good.

        An omitted move needs no answer, because the certificate answers a move that is at least as good.
        """
        found: dict[Cell, Cell] = {}
        for cell in cells_of(claim.p):
            for other in cells_of(claim.p & self.rules.zone[cell] if self.is_col else claim.p):
                if other not in found and self.rules.is_better(claim, other, cell):
                    found[cell] = other
                    break
        kept: dict[Cell, Cell] = {}
        for cell, other in found.items():  # a move that is worse only than omitted moves is answered itself
            while other in found:
                other = found[other]
            if self.rules.is_better(claim, other, cell):
                kept[cell] = other
        named = set(kept.values())
        return {cell: other for cell, other in kept.items() if cell not in named}

    def _answer(self, claim: Claim, first: Cell | None = None) -> str:
        """Return a winning answer to a move, given the position after that move."""
        small = self.rules.reduced(claim)
        reason = self._quick(small, 1) or self._exactly(small)
        if reason is not None:
            return f">{reason}"
        if claim.star and self._loses(self.rules.reduced(claim._replace(star=0))):
            return f"*{self._reason(self.rules.reduced(claim._replace(star=0)))}"
        for cell in self._replies(claim, first):
            then = self.rules.reduced(self.rules.right(claim, cell))
            if self._loses(then):
                return f"{cell}={self._reason(then)}"
        return f">{self._reason(self.rules.reduced(claim._replace(x=claim.x + _step(claim.x))))}"

    def _exactly(self, claim: Claim) -> Reason | None:
        """Return the regions' values as proof that the opponent, moving first, would win.

        Return None if there is only one region, if a region is too large, or if the regions' values do not prove that
        the opponent would win.
        """
        regions = self._regions(claim)
        if len(regions) < 2 or regions[-1].bit_count() > SMALL:
            return None
        parts, main = self._parts(claim)
        if not (main.x < 0 or (main.x == 0 and main.star)):
            return None
        return self._joined(parts)

    def _replies(self, claim: Claim, first: Cell | None) -> Iterator[Cell]:
        """Yield replies, most promising first."""
        if self.is_col and (cell := self._kernel.easy_reply(claim.p, claim.q, claim.x, claim.star)) >= 0:
            yield cell
        if first is not None and claim.q >> first & 1:
            yield first
        cells: list[Cell] = [] if self._kernel is None else self._kernel.moves(claim.q, claim.p)
        yield from (cell for cell in cells if cell != first)
        yield from sorted(set(cells_of(claim.q)) - set(cells) - {first})


def _valued(p: Bitboard, q: Bitboard, value: int) -> Claim:
    """Return the claim that a position has a given value, which is encoded as 2 * number + star."""
    return Claim(p, q, -(value >> 1), value & 1)


def _step(x: int) -> int:
    """Return how much a player loses by moving in a number."""
    return x & -x if x % UNIT else UNIT
