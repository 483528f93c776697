"""The rules for games in which a marker may go on any open cell.

A record claims that a position is lost for the player to move. The position consists of the cells open to the player to
move (p), the cells open to the other player (q), a number x (measured in moves) and possibly a star. A star is a single
move that either player may make. As an inequality between games, the claim is G(p, q) + x + star <= 0.

A record proves its claim by giving a reply to each move, by applying the rule for switches, or by giving an upper bound
on G(p, q), the value of the open cells. The upper bound is a number, possibly plus a star. The claim holds if
bound + x + star <= 0. If bound + x + star is negative or equals a single star, the player who is not to move would also
win when moving first.
"""

from typing import NamedTuple

from gridlock.certificates.patterns import TURNS, Patterns, Refused, board_set, decimal, turn_of
from gridlock.core.grid import Bitboard, Cell, Grid, cells_of
from gridlock.core.shape import Shape

UNIT = 1 << 16  # one move, because numbers are multiples of 1/65536
MOST = UNIT << 10  # numbers are below 1,024 moves


class Claim(NamedTuple):
    """The claim that the player who may take the cells p loses when moving first: G(p, q) + x + star <= 0."""

    p: Bitboard
    q: Bitboard
    x: int = 0
    star: int = 0


class Bound(NamedTuple):
    """An upper bound on a position's value: a number, possibly plus a star."""

    number: int = 0
    star: int = 0


class Stored(NamedTuple):
    """A proved claim, with its cells moved to the corner of the board."""

    p: Bitboard
    q: Bitboard
    bound: Bound  # the bound that the claim implies for the position alone
    height: int
    width: int


class Placing:
    """The record checker for one game on one board."""

    def __init__(self, grid: Grid, shape: Shape, slots: int) -> None:
        self.grid, self.shape = grid, shape
        self.patterns = Patterns(grid)
        self.own, self.other = shape.closes_own, shape.closes_other
        self.zone = [near | 1 << cell for cell, near in enumerate(grid.near)]
        self.keeps = [shape.keeps(grid, cell) for cell in range(grid.size)]
        self.leaves = [shape.leaves(grid, cell) for cell in range(grid.size)]
        self.slots: list[Stored | None] = [None] * slots

    # -- the game ---------------------------------------------------------------------------------------------------

    def left(self, claim: Claim, cell: Cell) -> Claim:
        """Return the position after a move by the player to move, still from that player's perspective."""
        return Claim(claim.p & self.keeps[cell], claim.q & self.leaves[cell], claim.x, claim.star)

    def right(self, claim: Claim, cell: Cell) -> Claim:
        """Return the position after the opponent's move, still from the perspective of the player who did not move."""
        return Claim(claim.p & self.leaves[cell], claim.q & self.keeps[cell], claim.x, claim.star)

    def reduced(self, claim: Claim) -> Claim:
        """Replace each isolated cell with a free move, or with a star if both players may take it."""
        p, q, x, star = claim
        near_p, near_q = self.patterns.touch(p), self.patterns.touch(q)
        mine = (near_p if self.own else 0) | (near_q if self.other else 0)
        theirs = (near_q if self.own else 0) | (near_p if self.other else 0)
        alone = (p | q) & ~(p & mine | q & theirs)
        if not alone:
            return claim
        x += UNIT * ((alone & p & ~q).bit_count() - (alone & q & ~p).bit_count())
        return Claim(p & ~alone, q & ~alone, x, star ^ (alone & p & q).bit_count() & 1)

    # -- records ----------------------------------------------------------------------------------------------------

    def start(self, mine: Bitboard, theirs: Bitboard, wins: Cell | None) -> Claim:
        """Return the claim to be proved.

        The claim is that `wins` is a winning move or, if `wins` is None, that the player to move loses.
        """
        empty = self.grid.cells & ~(mine | theirs)
        around_mine, around_theirs = self.patterns.touch(mine), self.patterns.touch(theirs)
        p = empty & ~((around_mine if self.own else 0) | (around_theirs if self.other else 0))
        q = empty & ~((around_theirs if self.own else 0) | (around_mine if self.other else 0))
        if wins is None:
            return Claim(p, q)
        if not p >> wins & 1:
            raise Refused("the winning move is not legal")
        after = self.left(Claim(p, q), wins)
        return Claim(after.q, after.p)

    def record(self, words: list[str]) -> None:
        """Check a record, and store its claim in the slot that the record names."""
        if len(words) < 5:
            raise Refused("a record needs a slot, two sets of cells, a number and a reason")
        slot = decimal(words[0], len(self.slots) - 1, "a slot")
        p, q = board_set(words[1], self.grid), board_set(words[2], self.grid)
        claim = Claim(p, q, *number(words[3]))
        if words[4] == "m":
            self._moves(claim, words[5:])
        elif words[4] == "t":
            self._star(claim, words[5:])
        elif len(words) == 5:
            self.holds(claim, words[4])
        else:
            raise Refused(f"'{words[4][:20]}' is not a reason for a record with several words")
        box = self.patterns.box(p | q)
        shift = box.row * self.grid.cols + box.col
        self.slots[slot] = Stored(p >> shift, q >> shift, Bound(-claim.x, claim.star), box.height, box.width)

    def _moves(self, claim: Claim, answers: list[str]) -> None:
        """Check one answer for each possible move.

        The answers to moves on the cells of p come first, in ascending order of the cells, then the answer to taking
        the star, and then the answer to a move in the number x.
        """
        cells = cells_of(claim.p)
        step = claim.x & -claim.x if claim.x % UNIT else UNIT
        in_number = claim.x > 0 or step < UNIT
        if len(answers) != len(cells) + claim.star + in_number:
            raise Refused(f"{len(answers)} answers do not match the moves")
        skipped, kept = 0, 0
        for cell, answer in zip(cells, answers, strict=False):
            if answer.startswith("<"):
                better = self._cell(answer[1:])
                if not self.is_better(claim, better, cell):
                    raise Refused(f"cell {better} is not shown to be at least as good as cell {cell}")
                skipped |= 1 << cell
                kept |= 1 << better
            else:
                self._answer(self.left(claim, cell), answer)
        if skipped & kept:
            raise Refused("a move is left out for one that is itself left out")
        rest = answers[len(cells) :]
        if claim.star:
            self._answer(claim._replace(star=0), rest[0])
        if in_number:
            self._answer(claim._replace(x=claim.x - step), rest[-1])

    def _answer(self, claim: Claim, answer: str) -> None:
        """Check that the given answer proves a win for the opponent, who is to move."""
        if answer.startswith(">"):
            self.holds(claim, answer[1:], turn=1)
        elif answer.startswith("*") and claim.star:
            self.holds(claim._replace(star=0), answer[1:])
        else:
            reply, equals, reason = answer.partition("=")
            cell = self._cell(reply)
            if not equals or not claim.q >> cell & 1:
                raise Refused(f"'{answer[:20]}' is not an answer, or its cell is not open")
            self.holds(self.right(claim, cell), reason)

    def _star(self, claim: Claim, answers: list[str]) -> None:
        """Check a claim that includes a star: if the star is removed, the opponent must win when moving first.

        Rule t applies only to games in which a marker closes cells to its owner and not to the opponent, because in
        such games the value of every position is a number, possibly plus a star.
        """
        if self.other or not self.own or not claim.star or len(answers) != 1:
            raise Refused("the rule t does not apply")
        self._answer(claim._replace(star=0), answers[0])

    def _cell(self, text: str) -> Cell:
        return decimal(text, self.grid.size - 1, "a cell of the board")

    def is_better(self, claim: Claim, better: Cell, cell: Cell) -> bool:
        """Return whether one move is provably at least as good as another for the player to move."""
        p, q, zone = claim.p, claim.q, self.zone
        if not p >> better & 1 or better == cell:
            return False
        if self.own and not self.other:
            if not q >> cell & 1:
                return not zone[better] & p & ~zone[cell] & ~(1 << better)
            return bool(q & zone[cell] & 1 << better) and not zone[better] & (p | q) & ~zone[cell]
        return self.other and not self.own and not zone[cell] & q & ~zone[better]

    # -- reasons ----------------------------------------------------------------------------------------------------

    def holds(self, claim: Claim, reason: str, turn: int = 0) -> None:
        """Check that a reason proves the claim that the player to move loses.

        If `turn` is 1, check instead that the reason proves that the opponent wins when moving first.
        """
        claim = self.reduced(claim)
        if reason.startswith("k"):
            if not self.switched(claim, self.patterns.cells(reason[1:]), turn):
                raise Refused("the cells chosen are not open, close the same cell, or are not enough")
            return
        if reason.startswith("b"):
            bound = self.cliques(claim, reason[1:])
        elif reason.startswith("/"):
            bound = self._mirror(claim, reason[1:])
        elif reason.startswith("o"):
            bound = self._centre(claim, reason[1:])
        else:
            bound = self._sum(claim, reason)
        total, star = bound.number + claim.x, bound.star ^ claim.star
        if total > 0 or (total == 0 and star != turn):
            raise Refused(f"the bound by '{reason[:20]}' is too weak by {show(total)}")

    def _sum(self, claim: Claim, reason: str) -> Bound:
        """Check that the records named in `reason` cover the claimed position; return the sum of their upper bounds."""
        p, q, grid = claim.p, claim.q, self.grid
        total, star, seen, parts = 0, 0, 0, []
        for word in reason.split("+") if reason != "." else []:
            name, at, corner = word.partition("@")
            turn = turn_of(name[-1]) if name[-1:] in TURNS and name else 0
            slot = decimal(name.rstrip(TURNS), len(self.slots) - 1, "a slot")
            if len(name) > len(str(slot)) + 1:
                raise Refused(f"'{word[:20]}' is not a reference")
            stored = self.slots[slot]
            if stored is None:
                raise Refused(f"slot {slot} is empty")
            if at:
                row, col = divmod(self._cell(corner), grid.cols)
            else:
                row, col, *_ = self.patterns.box(p | q)
            a, b = self.patterns.turned((stored.p, stored.q), stored.height, stored.width, turn)
            shift = self.patterns.shift_to(row, col, stored.height, stored.width, turn)
            a, b = a << shift, b << shift
            if (a | b) & seen:
                raise Refused("two parts of a sum overlap")
            seen |= a | b
            parts.append((a, b))
            total += stored.bound.number
            star ^= stored.bound.star
        mine = theirs = 0
        for a, b in parts:
            if (self.own and self.patterns.touch(b) & theirs) or (
                self.other and (self.patterns.touch(b) & mine or self.patterns.touch(a) & theirs)
            ):
                raise Refused("two parts of a sum affect each other")
            mine |= a
            theirs |= b
        if self.without_spare(p, mine, theirs) & ~mine or theirs & ~q:
            raise Refused("the records referred to do not cover the position")
        return Bound(total, star)

    def without_spare(self, p: Bitboard, mine: Bitboard, theirs: Bitboard) -> Bitboard:
        """Return the set p of cells without the spare cells, which a sum of records need not cover.

        A cell is spare if no record covers it and a neighbouring cell is at least as good a move.
        """
        if self.other or not self.own:
            return p
        for cell in cells_of(p & ~mine & ~theirs):
            around = self.zone[cell]
            if any(not self.zone[one] & p & ~around for one in cells_of(p & around & ~theirs & ~(1 << cell))):
                p ^= 1 << cell
        return p

    def _mirror(self, claim: Claim, text: str) -> Bound:
        """Check that the opponent can answer every move with the image of that move."""
        p, turn = claim.p, turn_of(text)
        box = self.patterns.box(p | claim.q)
        image = self.patterns.mirrored(p, box, turn)
        if image & ~claim.q:
            raise Refused("the image of an open cell is not open to the other player")
        for cell in cells_of(p & (image | self.patterns.touch(image))):
            there = self.patterns.image(cell, box, turn)
            if there == cell or (self.other and self.zone[cell] >> there & 1):
                raise Refused("the image of a move is no answer to it")
        return Bound()

    def _centre(self, claim: Claim, text: str) -> Bound:
        """Check that the centre rule applies.

        The opponent of the player to move answers a move in the centre with a move next to the centre, and any other
        move with its image under a rotation or reflection.
        """
        p, turn, waiting = claim.p, turn_of(text[:1]), self._cell(text[1:])
        box = self.patterns.box(p | claim.q)
        image = self.patterns.mirrored(p, box, turn)
        fixed = [cell for cell in cells_of(p & image) if self.patterns.image(cell, box, turn) == cell]
        if self.other or not self.own or image & ~claim.q or len(fixed) != 1:
            raise Refused("the centre rule does not apply")
        around = self.zone[fixed[0]]
        if waiting == fixed[0] or not image & around & 1 << waiting or self.zone[waiting] & image & ~around:
            raise Refused("the answer to the centre is not valid")
        return Bound()

    def cliques(self, claim: Claim, text: str) -> Bound:
        """Check a bound: one move for each group of touching cells, minus the opponent's guaranteed moves."""
        lists = text.split(".")
        if self.other or not self.own or len(lists) != 3:
            raise Refused("the rule b does not apply")
        king = self.grid.adjacency == "king"
        rest, total, star, kept = claim.p, 0, 0, 0
        for cell in self.patterns.cells(lists[2]):
            if not claim.q & ~(self.patterns.touch(kept) | kept) & 1 << cell:
                raise Refused("the cells kept are not open, or touch")
            kept |= 1 << cell
            total -= UNIT * (not claim.p >> cell & 1)
        for down, some in enumerate(lists[:2]):
            for cell in self.patterns.cells(some):
                group = 1 << cell
                across = (not down) and (cell + 1) % self.grid.cols
                group |= group << 1 if across else 0
                group |= group << self.grid.cols if down or king else 0
                group &= rest
                rest &= ~group
                alone = bool(group & kept) and not group & (group - 1)
                star ^= alone
                total += 0 if alone or not group else UNIT // 2 if group & kept else UNIT
        if rest:
            raise Refused("the groups do not cover the open cells")
        return Bound(total, star)

    def switched(self, claim: Claim, chosen: list[Cell], turn: int) -> bool:
        """Return whether the rule for switches proves that the player to move loses (see docs/certificates.md).

        Each chosen cell must close at least one cell that is open to the player to move, and no two chosen cells may
        close the same cell. In the language of combinatorial game theory, each chosen cell is a switch. The players
        take the switches in turn, highest stakes first.
        """
        p, q = claim.p, claim.q
        if self.own or not self.other:
            return False
        stakes, used, total = [], 0, claim.x
        for cell in chosen:
            group = self.zone[cell] & p
            if not q >> cell & 1 or not group or group & used:
                return False
            used |= group
            freed = q & ~(1 << cell) & self.patterns.touch(group) & ~self.patterns.touch(p & ~group) & ~(p & ~group)
            stakes.append((UNIT * (group.bit_count() - 1), UNIT * freed.bit_count()))
        total += UNIT * ((p & ~used).bit_count())
        for mine, theirs in sorted(stakes, key=sum, reverse=True):
            total += -theirs if turn else mine
            turn = 1 - turn
        return total < 0 or (total == 0 and turn == claim.star)


def number(text: str) -> tuple[int, int]:
    """Read a number such as 2, -1/2 or 0*; return the number in units of 1/UNIT, and whether it has a star."""
    plain = text.removesuffix("*")
    above, slash, below = plain.removeprefix("-").partition("/")
    top = decimal(above, MOST - 1, "a number")
    bottom = decimal(below, UNIT, "a denominator") if slash else 1
    if (
        bottom < 1
        or bottom & (bottom - 1)
        or (slash and (bottom == 1 or not top & 1))
        or top >= (MOST // UNIT) * bottom
    ):
        raise Refused(f"'{text[:20]}' is not a number of moves in lowest terms")
    if plain.startswith("-") and not top:
        raise Refused(f"'{text[:20]}' is not a number of moves")
    return top * (UNIT // bottom) * (-1 if plain.startswith("-") else 1), int(text.endswith("*"))


def show(x: int, star: int = 0) -> str:
    """Return a number in the form that certificates use."""
    step = min(abs(x) & -abs(x), UNIT) if x else UNIT
    below = UNIT // step
    return f"{x // step}{f'/{below}' if below > 1 else ''}{'*' * star}"
