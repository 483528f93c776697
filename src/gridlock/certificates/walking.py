"""The rules for games in which the mover's own pawn or the opponent's last marker restricts the next move.

A record claims that a position is lost for the player to move. The position consists of the free cells, and the cell of
the pawn or marker that restricts the next move. In games with pawns, the position also includes the cell of the
opponent's pawn.
"""

from typing import NamedTuple

from gridlock.certificates.patterns import TURNS, Box, Patterns, Refused, board_set, decimal, turn_of
from gridlock.core.grid import Bitboard, Cell, Grid, cells_of
from gridlock.core.shape import Shape


class Spot(NamedTuple):
    """A position from the perspective of the player to move, as three sets of cells.

    The set `mine` holds the cell of the pawn or marker that restricts the next move, if there is one. In games with
    pawns, the set `theirs` holds the cell of the opponent's pawn.
    """

    free: Bitboard
    mine: Bitboard
    theirs: Bitboard


class Stored(NamedTuple):
    """A proved claim, with its cells moved to the corner of the board."""

    sets: Spot
    height: int
    width: int
    most: int | None  # the most moves in a path from the first head; None for a lost position


class Walking:
    """The record checker for one game on one board."""

    def __init__(self, grid: Grid, shape: Shape, slots: int) -> None:
        self.grid, self.shape = grid, shape
        self.patterns = Patterns(grid)
        self.reach = [shape.reach(grid, cell) for cell in range(grid.size)]
        self.dark = sum(1 << cell for cell in range(grid.size) if sum(divmod(cell, grid.cols)) % 2)
        self.slots: list[Stored | None] = [None] * slots

    # -- the game ---------------------------------------------------------------------------------------------------

    def moves(self, spot: Spot) -> Bitboard:
        """Return the cells that the player to move can go to."""
        return spot.free & (self.reach[spot.mine.bit_length() - 1] if spot.mine else self.grid.cells)

    def after(self, spot: Spot, cell: Cell) -> Spot:
        """Return the position after a move, from the next player's perspective."""
        place = 1 << cell
        return Spot(spot.free & ~place, spot.theirs, place) if self.shape.pawn else Spot(spot.free & ~place, place, 0)

    def reduced(self, spot: Spot) -> Spot:
        """Return the position without the cells that no pawn can reach."""
        if not self.shape.pawn:
            return spot
        seen, new = 0, self.patterns.touch(spot.mine | spot.theirs) & spot.free
        while new:
            seen |= new
            new = self.patterns.touch(new) & spot.free & ~seen
        return Spot(seen, spot.mine, spot.theirs)

    # -- records ----------------------------------------------------------------------------------------------------

    def start(
        self, mine: Bitboard, theirs: Bitboard, my_head: Cell | None, their_head: Cell | None, wins: Cell | None
    ) -> Spot:
        """Return the claim to be proved.

        The claim is that `wins` is a winning move or, if `wins` is None, that the player to move loses.
        """
        if self.shape.pawn and (my_head is None or their_head is None):
            raise Refused("a pawn is missing")
        heads = [0 if head is None else 1 << head for head in (my_head, their_head)]
        if heads[0] & ~mine or heads[1] & ~theirs:
            raise Refused("a head is not on a marker of its side")
        free = self.grid.cells & ~(mine | theirs)
        spot = Spot(free, *heads) if self.shape.pawn else Spot(free, heads[1], 0)
        if wins is None:
            return spot
        if not self.moves(spot) >> wins & 1:
            raise Refused("the winning move is not legal")
        return self.after(spot, wins)

    def record(self, words: list[str]) -> None:
        """Check a record, and store its claim in the slot that the record names."""
        if len(words) < 5:
            raise Refused("a record needs a slot, the free cells, two heads and a reason")
        slot = decimal(words[0], len(self.slots) - 1, "a slot")
        if self.shape.pawn and words[3].startswith("="):
            self._path_record(slot, words)
            return
        spot = Spot(board_set(words[1], self.grid), self._head(words[2]), self._head(words[3]))
        if self.shape.pawn != bool(spot.theirs) or spot.mine == spot.theirs or (spot.mine | spot.theirs) & spot.free:
            raise Refused("the heads do not fit this game")
        if words[4] == "m":
            cells = cells_of(self.moves(spot))
            if len(words) - 5 != len(cells):
                raise Refused(f"{len(words) - 5} answers do not match the moves")
            for cell, answer in zip(cells, words[5:], strict=True):
                reply, _, reason = answer.partition("=")
                then, to = self.after(spot, cell), decimal(reply, self.grid.size - 1, "a cell of the board")
                if not self.moves(then) >> to & 1:
                    raise Refused(f"the answer {to} to {cell} is not a move")
                self.holds(self.after(then, to), reason)
        elif len(words) == 5:
            self.holds(spot, words[4])
        else:
            raise Refused(f"'{words[4][:20]}' is not a reason for a record with several words")
        self._store(slot, spot, None)

    def _path_record(self, slot: int, words: list[str]) -> None:
        """Check a record that bounds the number of moves in a path."""
        room, at = board_set(words[1], self.grid), self._head(words[2])
        most = decimal(words[3][1:], self.grid.size, "a number of moves")
        if not at or room & at:
            raise Refused("a path starts on a cell that is not free")
        if words[4] == "m":
            cells = cells_of(self.moves(Spot(room, at, 0)))
            if len(words) - 5 != len(cells):
                raise Refused(f"{len(words) - 5} reasons do not match the steps")
            for cell, reason in zip(cells, words[5:], strict=True):
                self.path(room & ~(1 << cell), 1 << cell, most - 1, reason)
        elif len(words) == 5:
            self.path(room, at, most, words[4])
        else:
            raise Refused(f"'{words[4][:20]}' is not a reason for a record with several words")
        self._store(slot, Spot(room, at, 0), most)

    def _store(self, slot: int, spot: Spot, most: int | None) -> None:
        spot = self.reduced(spot)
        box = self.patterns.box(spot.free | spot.mine | spot.theirs)
        shift = box.row * self.grid.cols + box.col
        self.slots[slot] = Stored(Spot(*(bits >> shift for bits in spot)), box.height, box.width, most)

    def _head(self, text: str) -> Bitboard:
        return 0 if text == "-" else 1 << decimal(text, self.grid.size - 1, "a cell of the board")

    # -- reasons ----------------------------------------------------------------------------------------------------

    def holds(self, spot: Spot, reason: str) -> None:
        """Check a reason why the player to move loses."""
        spot = self.reduced(spot)
        box = self.patterns.box(spot.free | spot.mine | spot.theirs)
        if reason.startswith("/"):
            self.mirror(spot, box, turn_of(reason[1:]))
        elif reason.startswith("w"):
            walk, colon, why = reason[1:].partition(":")
            self._wall(spot, self.patterns.cells(walk), why if colon else ".")
        elif reason.startswith("p"):
            self.pairs(spot, self.patterns.cells(reason[1:]))
        elif self._referred(spot, box, reason) is not None:
            raise Refused("a record about a path does not decide a position")

    def _referred(self, spot: Spot, box: Box, reason: str) -> int | None:
        """Check that a record describes the given position or path; return its bound on the path's length, if any."""
        letter = reason[-1:] if reason and reason[-1] in TURNS else ""
        slot = decimal(reason.removesuffix(letter), len(self.slots) - 1, "a slot")
        stored = self.slots[slot]
        if stored is None:
            raise Refused(f"slot {slot} is empty")
        turn = turn_of(letter) if letter else 0
        sets = self.patterns.turned(stored.sets, stored.height, stored.width, turn)
        shift = self.patterns.shift_to(box.row, box.col, stored.height, stored.width, turn)
        if tuple(bits << shift for bits in sets) != spot:
            raise Refused(f"slot {slot} is about another position")
        return stored.most

    def path(self, room: Bitboard, at: Bitboard, most: int, reason: str) -> None:
        """Check that no path from a cell through a given set of cells has more than a given number of moves."""
        spot = self.reduced(Spot(room, at, 0))
        if reason == ".":
            if self.most(spot.free, at) > most:
                raise Refused(f"a path may have more than {most} moves")
            return
        bound = self._referred(spot, self.patterns.box(spot.free | at), reason)
        if bound is None or bound > most:
            raise Refused("the record is not about a path, or its bound is too weak")

    def mirror(self, spot: Spot, box: Box, turn: int) -> None:
        """Check that the other pawn can copy every move."""
        if not self.shape.pawn:
            raise Refused("the rule / does not apply")
        image = self.patterns.mirrored
        if image(spot.mine, box, turn) != spot.theirs or image(spot.free, box, turn) != spot.free:
            raise Refused("the position is not its own image")
        if any(image(1 << cell, box, turn) == 1 << cell for cell in cells_of(spot.free)):
            raise Refused("the image of a move is no answer to it")

    def _wall(self, spot: Spot, walk: list[Cell], why: str) -> None:
        """Check that the player to move cannot block the other pawn's walk, or make more moves than that walk has."""
        if not self.shape.pawn:
            raise Refused("the rule w does not apply")
        free, area, at = spot.free, spot.mine, spot.theirs
        for cell in walk:
            area |= self.patterns.touch(area) & free
            if not self.patterns.touch(at) & free & ~area & 1 << cell:
                raise Refused(f"the walk cannot be sure of cell {cell}")
            at = 1 << cell
            free ^= at
        while (grown := area | self.patterns.touch(area) & free) != area:
            area = grown
        self.path(area & ~spot.mine, spot.mine, len(walk), why)

    def most(self, room: Bitboard, at: Bitboard) -> int:
        """Return an upper bound on the number of moves in a path from a cell through a given set of cells.

        A path passes through the blocks between cut cells, and never returns to a block that it has left. For each
        cell, `onward` is an upper bound on the number of moves that a path can still make if it leaves its block
        through that cell.
        """
        region, seen, low, onward, pile = (
            room | at,
            dict[Cell, int](),
            dict[Cell, int](),
            dict[Cell, int](),
            list[Cell](),
        )

        def visit(cell: Cell) -> None:
            link = now = seen[cell] = len(seen)
            pile.append(cell)
            best = 0
            for other in cells_of(self.grid.near[cell] & region):
                if other in seen:
                    link = min(link, seen[other])
                    continue
                visit(other)
                link = min(link, low[other])
                if low[other] >= now:  # the cell cuts off a block: the cells at the end of the pile
                    at = pile.index(other)
                    inside = pile[at:]
                    del pile[at:]
                    block = 1 << cell | sum(1 << one for one in inside)
                    best = max(best, self._through(block, cell, None))
                    best = max(
                        best, *(self._through(block, cell, one) + onward[one] for one in inside if onward[one]), 0
                    )
            low[cell], onward[cell] = link, best

        start = at.bit_length() - 1
        visit(start)
        return onward[start]

    def _through(self, block: Bitboard, start: Cell, end: Cell | None) -> int:
        """Return an upper bound on the number of moves in a path within a block.

        With orthogonal adjacency, the bound can be lower, because the cells of a path alternate between the two colours
        of a chequerboard.
        """
        total = block.bit_count()
        if self.grid.adjacency == "king":
            return total - 1
        same = (block & (self.dark if self.dark >> start & 1 else ~self.dark)).bit_count()
        if end is None:
            return min(2 * same - 1, 2 * (total - same))
        alike = (self.dark >> start ^ self.dark >> end) & 1 == 0
        return 2 * min(same - 1, total - same) if alike else 2 * min(same, total - same) - 1

    def pairs(self, spot: Spot, cells: list[Cell]) -> None:
        """Check that the pairs of cells give the opponent a reply to every move by the player whose turn it is."""
        if self.shape.pawn or len(cells) % 2:
            raise Refused("the rule p does not apply")
        partner: dict[Cell, Cell] = {}
        for one, two in zip(cells[::2], cells[1::2], strict=True):
            pair = 1 << one | 1 << two
            if one == two or pair & ~spot.free or one in partner or two in partner or not self.reach[one] >> two & 1:
                raise Refused(f"{one} and {two} are not a pair")
            partner |= {one: two, two: one}
        seen, todo = 0, self.moves(spot)
        while todo:
            cell = (todo & -todo).bit_length() - 1
            if cell not in partner:
                raise Refused(f"cell {cell} has no partner")
            seen |= 1 << cell
            todo = (todo | self.reach[partner[cell]] & spot.free) & ~seen
