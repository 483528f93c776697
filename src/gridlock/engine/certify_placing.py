"""Prove lost positions in records, for games in which a marker may go on any open cell.

The kernels say which positions are lost and which replies to try; everything written is then a step that the rules of a
certificate allow.
"""

from collections.abc import Iterator

from gridlock.certificates.patterns import ACROSS, LEFT_RIGHT, TURNS, UP_DOWN, Patterns
from gridlock.certificates.placing import UNIT, Claim, Placing, show
from gridlock.core.grid import Bitboard, Cell, cells_of
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.engine.kernels.interface import COL, SNORT, Tick, win_loss
from gridlock.engine.record_text import Reason, Stopped, reference
from gridlock.engine.search import memory_for

SMALL = 8  # regions up to this size are valued exactly and proved once


class PlacingProver:
    """The prover for one game on one board."""

    def __init__(self, variant: Variant, memory: int, tick: Tick) -> None:
        grid, shape = variant.grid, variant.shape
        assert shape is not None  # callers have checked
        self.grid, self.shape, self.tick = grid, shape, tick
        self.rules = Placing(grid, shape, 0)
        self.patterns: Patterns = self.rules.patterns
        self.records: list[str] = []
        self._proved: dict[tuple[Bitboard, Bitboard], list[tuple[int, int, int]]] = {}  # x, star, record
        self._lost: dict[Claim, bool] = {}  # of positions that no kernel takes
        kind = win_loss(shape)
        self._kernel: object = kind and kind.make(grid, memory_for(grid.size, memory), kind.everything)
        self.nodes = 0

    def at_once(self, position: Position) -> Reason | None:
        """Return a reason why the player to move loses a position that needs no record, if there is one."""
        return self._quick(self._claim(position), 0)

    def loses(self, position: Position) -> Reason | None:
        """Return the reason why the player to move loses a position, or None if they win."""
        claim = self._claim(position)
        return self._reason(claim) if self._loses(claim) else None

    def _claim(self, position: Position) -> Claim:
        return self.rules.reduced(Claim(*self.shape.open_to_both(self.grid, position)))

    # -- the oracle -------------------------------------------------------------------------------------------------

    def _ask(self, p: Bitboard, q: Bitboard, x: int) -> bool:
        """Return whether a kernel says that the player to move wins."""
        found = self._kernel.solve(p, q, self.tick, x)  # type: ignore[attr-defined]
        if found < 0:
            raise Stopped
        return bool(found)

    def _loses(self, claim: Claim) -> bool:
        """Return whether a claim is true."""
        p, q, x, star = claim
        if not p | q:
            return x < 0 or (x == 0 and not star)
        if self.shape == COL:
            return self._ask(q, p, -x) if star else not self._ask(p, q, x)
        if self.shape == SNORT and not star:
            return not self._ask(p, q, x // UNIT)
        if claim not in self._lost:
            self._lost[claim] = all(self._answered(after) for after in self._options(claim))
        return self._lost[claim]

    def _options(self, claim: Claim) -> Iterator[Claim]:
        """Yield the positions after each move of the player to move."""
        for cell in cells_of(claim.p):
            yield self.rules.reduced(self.rules.left(claim, cell))
        if claim.star:
            yield claim._replace(star=0)
        if claim.x > 0:
            yield claim._replace(x=claim.x - UNIT)

    def _answered(self, claim: Claim) -> bool:
        """Return whether the other player wins if they are to move."""
        replies = (self.rules.reduced(self.rules.right(claim, cell)) for cell in cells_of(claim.q))
        return (
            any(self._loses(reply) for reply in replies)
            or (claim.star == 1 and self._loses(claim._replace(star=0)))
            or (claim.x < 0 and self._loses(claim._replace(x=claim.x + UNIT)))
        )

    # -- reasons ----------------------------------------------------------------------------------------------------

    def _reason(self, claim: Claim) -> Reason:
        """Return a reason for a true claim without cells that stand alone, with a record if it needs one."""
        quick = self._quick(claim, 0)
        if quick is not None:
            return quick
        parts, main = self._parts(claim)
        if not parts:
            return self._record(claim)
        if main.p | main.q:
            parts.append((main.p, main.q, main))
        return self._joined(parts)

    def _joined(self, parts: list[tuple[Bitboard, Bitboard, Claim]]) -> Reason:
        """Return the reason for a sum of positions, given what is claimed about each."""
        words = []
        for p, q, claim in parts:
            box = self.patterns.box(p | q)
            words.append(f"{self._record(claim)}@{box.row * self.grid.cols + box.col}")
        return "+".join(words) or "."

    def _parts(self, claim: Claim) -> tuple[list[tuple[Bitboard, Bitboard, Claim]], Claim]:
        """Take the small regions out of a position, each with a claim about its exact value."""
        p, q, x, star = claim
        parts: list[tuple[Bitboard, Bitboard, Claim]] = []
        if self.shape != COL:
            return parts, claim
        rest = p | q
        while rest:
            region = self._region(p & rest, q & rest)
            rest &= ~region
            if region.bit_count() <= SMALL and (region != p | q or parts):
                value = self._kernel.value(p & region, q & region)  # type: ignore[attr-defined]
                parts.append((p & region, q & region, Claim(p & region, q & region, -(value >> 1), value & 1)))
                x += value >> 1
                star ^= value & 1
        taken = 0
        for a, b, _ in parts:
            taken |= a | b
        return parts, Claim(p & ~taken, q & ~taken, x, star)

    def _region(self, p: Bitboard, q: Bitboard) -> Bitboard:
        """Return the region of the first open cell; neighbours are connected if one player has both."""
        touch = self.patterns.touch
        found = (p | q) & -(p | q)
        while (more := found | touch(found & p) & p | touch(found & q) & q) != found:
            found = more
        return found

    def _quick(self, claim: Claim, turn: int) -> Reason | None:
        """Return a reason that needs no new record, if there is one."""
        p, q, x, star = claim
        settled = x < 0 or (x == 0 and star == turn)
        if not p | q:
            return "." if settled else None
        if settled and p.bit_count() <= q.bit_count():
            found = self._mirror(claim)
            if found is not None:
                return found
        return self._bound(claim, turn)

    def _mirror(self, claim: Claim) -> Reason | None:
        """Return a mirror or the centre rule, if one applies."""
        p, q, _, _ = claim
        box = self.patterns.box(p | q)
        for turn in (3, 1, 2, 4, 7) if box.height == box.width else (3, 1, 2):
            if (turn & ACROSS) and (box.height >= self.grid.cols or box.width >= self.grid.rows):
                continue
            image = self.patterns.mirrored(p, box, turn)
            if image & ~q:
                continue
            stray = [
                cell
                for cell in cells_of(p & (image | self.patterns.touch(image)))
                if self._clashes(cell, self.patterns.mirrored(1 << cell, box, turn))
            ]
            if not stray:
                return f"/{TURNS[turn]}"
            if len(stray) == 1 and self.shape == COL:
                around = self.rules.zone[stray[0]]
                for cell in cells_of(image & around & ~(1 << stray[0])):
                    if not self.rules.zone[cell] & image & ~around:
                        return f"o{TURNS[turn]}{cell}"
        return None

    def _clashes(self, cell: Cell, image: Bitboard) -> bool:
        """Return whether the image of a cell is no answer to it."""
        return image == 1 << cell or (self.shape.closes_other and bool(image & self.rules.zone[cell]))

    def _bound(self, claim: Claim, turn: int) -> Reason | None:
        """Return a bound by counting, if one is good enough."""
        if self.shape == COL:
            return self._counted(claim, turn)
        return self._switches(claim, turn) if self.shape == SNORT else None

    def _counted(self, claim: Claim, turn: int) -> Reason | None:
        p, q, x, star = claim
        kept, left, touch = 0, q, self.rules.zone
        while left:
            first = left & ~p or left
            cell = (first & -first).bit_length() - 1
            kept |= 1 << cell
            left &= ~touch[cell]
        sure = 2 * (kept & ~p).bit_count() + (kept & p).bit_count()
        for across, down in self._covers(p):
            # the least it can be is a half for each shared cell kept; single ones are stars, which add up at the end
            if (2 * (len(across) + len(down)) - sure - (kept & p).bit_count()) * UNIT // 2 + x > 0:
                continue
            text = "".join(f"{cell:02x}" for cell in across) + "." + "".join(f"{cell:02x}" for cell in down)
            text += "." + "".join(f"{cell:02x}" for cell in cells_of(kept))
            bound = self.rules.cliques(claim, text)
            total = bound.number + x
            if total < 0 or (total == 0 and bound.star ^ star == turn):
                return f"b{text}"
        return None

    def _covers(self, p: Bitboard) -> Iterator[tuple[list[Cell], list[Cell]]]:
        """Yield covers of some cells by cliques: squares (or pairs across), and pairs down."""
        cols, rows = self.grid.cols, self.grid.rows
        row = (1 << cols) - 1
        if self.grid.adjacency == "king":
            for first in (0, 1):
                squares: list[Cell] = []
                if first:
                    _run(p & row, 0, squares)
                for r in range(first, rows, 2):
                    _run((p >> r * cols | p >> (r + 1) * cols) & row, r * cols, squares)
                yield squares, []
            return
        pairs: list[Cell] = []
        for r in range(rows):
            _run(p >> r * cols & row, r * cols, pairs)
        yield pairs, []
        across, down = [], []
        while p:
            cell = (p & -p).bit_length() - 1
            p &= p - 1
            if (cell + 1) % cols and p >> cell + 1 & 1:
                across.append(cell)
                p &= ~(2 << cell)
            else:
                down.append(cell)
                p &= ~(1 << cell + cols)
        yield across, down

    def _switches(self, claim: Claim, turn: int) -> Reason | None:
        """Choose cells of the other player that close disjoint sets, those first that close most."""
        p, q, _, _ = claim
        zone, used, chosen = self.rules.zone, 0, []
        for cell in sorted(cells_of(q), key=lambda cell: -(zone[cell] & p).bit_count()):
            group = zone[cell] & p
            if group and not group & used:
                used |= group
                chosen.append(cell)
        if not self.rules.switched(claim, chosen, turn):
            return None
        return "k" + "".join(f"{cell:02x}" for cell in chosen)

    # -- records ----------------------------------------------------------------------------------------------------

    def _canonical(self, p: Bitboard, q: Bitboard) -> tuple[Bitboard, Bitboard, int]:
        """Return the form of a pattern that all its images share, and the turn that leads back from it."""
        box = self.patterns.box(p | q)
        shift = box.row * self.grid.cols + box.col
        p, q = p >> shift, q >> shift
        best, found = (p, q), 0
        turns = 8 if box.height < self.grid.cols and box.width < self.grid.rows else 4
        for turn in range(1, turns):
            image = self.patterns.turned((p, q), box.height, box.width, turn)
            if image < best:
                best, found = (image[0], image[1]), turn
        if found & ACROSS:  # the inverse exchanges the two flips
            found = ACROSS | (LEFT_RIGHT if found & UP_DOWN else 0) | (UP_DOWN if found & LEFT_RIGHT else 0)
        return *best, found

    def _known(self, key: tuple[Bitboard, Bitboard], x: int, star: int) -> int | None:
        """Return a record that proves a claim about a form."""
        for proved, its_star, number in self._proved.get(key, ()):
            if proved > x or (proved == x and its_star == star):
                return number
        return None

    def _record(self, claim: Claim) -> Reason:
        """Return a reference to a record of a claim."""
        p, q, turn = self._canonical(claim.p, claim.q)
        x, star = claim.x, claim.star
        number = self._known((p, q), x, star)
        if number is None:
            form = Claim(p, q, x, star)
            quick = self._quick(form, 0)
            body = quick if quick is not None else self._written(form)
            number = len(self.records)
            self.records.append(f"{p:x} {q:x} {show(x, star)} {body}")
            self._proved.setdefault((p, q), []).append((x, star, number))
        return reference(number, TURNS[turn] if turn else "")

    def _written(self, claim: Claim) -> str:
        """Return the body of a record that answers every move."""
        self.nodes += 1
        if self.shape == COL and claim.star:
            return f"t {self._answer(claim._replace(star=0))}"
        better = self._dominated(claim)
        mirror = self._swapped(claim)
        words = []
        for cell in cells_of(claim.p):
            if cell in better:
                words.append(f"<{better[cell]}")
            else:
                words.append(self._answer(self.rules.left(claim, cell), mirror.get(cell)))
        if claim.star:
            words.append(self._answer(claim._replace(star=0)))
        step = claim.x & -claim.x if claim.x % UNIT else UNIT
        if claim.x > 0 or step < UNIT:
            words.append(self._answer(claim._replace(x=claim.x - step)))
        return " ".join(["m", *words])

    def _swapped(self, claim: Claim) -> dict[Cell, Cell]:
        """Return the image of every cell, if a mirror exchanges the players."""
        if claim.p.bit_count() != claim.q.bit_count():
            return {}
        box = self.patterns.box(claim.p | claim.q)
        for turn in (3, 1, 2, 4, 7) if box.height == box.width else (3, 1, 2):
            if (turn & ACROSS) and (box.height >= self.grid.cols or box.width >= self.grid.rows):
                continue
            if self.patterns.mirrored(claim.p, box, turn) == claim.q:
                return {
                    cell: self.patterns.mirrored(1 << cell, box, turn).bit_length() - 1 for cell in cells_of(claim.p)
                }
        return {}

    def _dominated(self, claim: Claim) -> dict[Cell, Cell]:
        """Return moves that need no answer, each with one that is at least as good and is answered."""
        found: dict[Cell, Cell] = {}
        cells = cells_of(claim.p)
        for cell in cells:
            for other in cells:
                if other not in found and other != cell and self.rules.is_better(claim, other, cell):
                    found[cell] = other
                    break
        return _resolved(found, self.rules, claim)

    def _answer(self, claim: Claim, first: Cell | None = None) -> str:
        """Return an answer to a move: the other player is to move, and wins."""
        small = self.rules.reduced(claim)
        quick = self._quick(small, 1)
        if quick is not None:
            return f">{quick}"
        exact = self._exactly(small)
        if exact is not None:
            return f">{exact}"
        if claim.star and self._loses(self.rules.reduced(claim._replace(star=0))):
            return f"*{self._reason(self.rules.reduced(claim._replace(star=0)))}"
        for cell in self._replies(claim, first):
            then = self.rules.reduced(self.rules.right(claim, cell))
            if self._loses(then):
                return f"{cell}={self._reason(then)}"
        step = claim.x & -claim.x if claim.x % UNIT else UNIT
        return f">{self._reason(self.rules.reduced(claim._replace(x=claim.x + step)))}"

    def _exactly(self, claim: Claim) -> Reason | None:
        """Return the exact values of all regions, if all are small and they decide the other player's turn."""
        parts, main = self._parts(claim)
        if main.p | main.q or not (main.x < 0 or (main.x == 0 and main.star)):
            return None
        return self._joined(parts)

    def _replies(self, claim: Claim, first: Cell | None) -> Iterator[Cell]:
        """Yield replies, the most promising first."""
        if first is not None and claim.q >> first & 1:
            yield first
        cells: list[Cell] = []
        if self._kernel is not None:
            cells = self._kernel.moves(claim.q, claim.p)  # type: ignore[attr-defined]
        yield from (cell for cell in cells if cell != first)
        rest = set(cells_of(claim.q)) - set(cells) - {first}
        yield from sorted(rest)


def _run(line: Bitboard, shift: int, found: list[Cell]) -> None:
    """Add the first cells of pairs that cover the cells of a row."""
    while line:
        cell = (line & -line).bit_length() - 1
        found.append(shift + cell)
        line &= ~(3 << cell)


def _resolved(found: dict[Cell, Cell], rules: Placing, claim: Claim) -> dict[Cell, Cell]:
    """Name only moves that are answered; a move that is worse only than such as are left out is answered itself."""
    kept: dict[Cell, Cell] = {}
    for cell, other in found.items():
        while other in found:
            other = found[other]
        if rules.is_better(claim, other, cell):
            kept[cell] = other
    named = set(kept.values())
    return {cell: other for cell, other in kept.items() if cell not in named}
