"""Prove that positions are lost, and write the proofs as records.

This module is for games in which the mover's own pawn or the opponent's last marker restricts the next move.
"""

from gridlock.certificates.patterns import TURNS, Patterns, Refused
from gridlock.certificates.walking import Spot, Walking
from gridlock.core.grid import Bitboard, Cell, cells_of
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.engine.certify_forms import canonical
from gridlock.engine.kernels.interface import Tick, win_loss
from gridlock.engine.matching import Matching
from gridlock.engine.record_text import Reason, Records, Stopped, reference
from gridlock.engine.search import memory_for


class PawnProver:
    """A prover for one pawn game on one board."""

    def __init__(self, variant: Variant, memory: int, tick: Tick) -> None:
        grid, shape = variant.grid, variant.shape
        assert shape is not None  # callers have checked
        self.grid, self.tick = grid, tick
        self.rules = Walking(grid, shape, 0)
        self.patterns: Patterns = self.rules.patterns
        self.records = Records(tick)
        self._proved: dict[Spot, int] = {}
        self._paths: dict[Spot, tuple[int, int]] = {}  # the bound of a path, and its record
        self._longer: dict[Spot, int] = {}  # some path has more moves than this
        kind = win_loss(shape)
        assert kind is not None
        self._kernel: object = kind.make(grid, memory_for(grid.size, memory), kind.everything)

    def at_once(self, position: Position) -> Reason | None:
        """Return a reason why the player to move loses, or None if no simple reason is found.

        A simple reason does not cite the recorded proof of another lost position.
        """
        return self._quick(self._spot(position))

    def loses(self, position: Position) -> Reason | None:
        """Return the reason why the player to move loses, or None if they win."""
        spot = self._spot(position)
        return self._reason(spot) if self._loses(spot) else None

    def _spot(self, position: Position) -> Spot:
        state = position.mine, position.theirs, position.my_head, position.their_head
        return self.rules.reduced(self.rules.start(*state, None))

    def _loses(self, spot: Spot) -> bool:
        """Return whether the kernel says that the player to move loses."""
        me, them = spot.mine.bit_length() - 1, spot.theirs.bit_length() - 1
        found = self._kernel.solve(spot.free, me, them, self.tick)  # type: ignore[attr-defined]
        if found < 0:
            raise Stopped
        return not found

    def _reason(self, spot: Spot) -> Reason:
        """Return a reason why a position is lost; add a record if the reason needs one."""
        quick = self._quick(spot)
        if quick is not None:
            return quick
        sets, turn = canonical(self.patterns, spot)
        form = Spot(*sets)
        if form not in self._proved:
            words = []
            for cell in cells_of(self.rules.moves(form)):
                words.append(self._answer(self.rules.after(form, cell)))
            me, them = form.mine.bit_length() - 1, form.theirs.bit_length() - 1
            self._proved[form] = self.records.add(" ".join([f"{form.free:x} {me} {them} m", *words]))
        return reference(self._proved[form], turn)

    def _answer(self, spot: Spot) -> str:
        """Return a winning reply and the reason why it wins.

        If possible, the reason does not cite the recorded proof of another lost position.
        """
        me, them = spot.mine.bit_length() - 1, spot.theirs.bit_length() - 1
        replies = self._kernel.moves(spot.free, me, them)  # type: ignore[attr-defined]
        after = {cell: self.rules.reduced(self.rules.after(spot, cell)) for cell in replies}
        winning = [(cell, then) for cell, then in after.items() if self._loses(then)]
        for cell, then in winning:
            quick = self._quick(then)
            if quick is not None:
                return f"{cell}={quick}"
        cell, then = winning[0]
        return f"{cell}={self._reason(then)}"

    def _quick(self, spot: Spot) -> Reason | None:
        """Return a mirror strategy or a walk that decides a position, or None if there is none."""
        if not self.rules.moves(spot):
            return "w"
        box = self.patterns.box(spot.free | spot.mine | spot.theirs)
        for turn in (3, 1, 2, 4, 7):
            try:
                self.rules.mirror(spot, box, turn)
            except Refused:
                continue
            return f"/{TURNS[turn]}"
        walk = self._walk(spot)
        return self._race(spot) if walk is None else "w" + "".join(f"{cell:02x}" for cell in walk)

    def _race(self, spot: Spot) -> Reason | None:
        """Return the other pawn's longest walk, and a reason why the mover's walk cannot be longer."""
        mine = self.rules.reduced(Spot(spot.free, spot.mine, 0)).free
        theirs = self.rules.reduced(Spot(spot.free, spot.theirs, 0)).free
        if mine & theirs:
            return None
        walk: list[Cell] | None = None
        for need in range(self.rules.most(theirs, spot.theirs), -1, -1):
            walk = self._path(theirs, spot.theirs, need)
            if walk is not None:
                break
        assert walk is not None  # a walk of no moves always exists
        why = self._bounded(mine, spot.mine, len(walk))
        return None if why is None else f"w{''.join(f'{cell:02x}' for cell in walk)}:{why}"

    def _bounded(self, room: Bitboard, at: Bitboard, most: int) -> Reason | None:
        """Return a reason why no path has more than a given number of moves, or None if there may be a longer path."""
        spot = self.rules.reduced(Spot(room, at, 0))
        if self.rules.most(spot.free, at) <= most:
            return "."
        sets, turn = canonical(self.patterns, spot)
        form = Spot(*sets)
        known = self._paths.get(form)
        if known is not None and known[0] <= most:
            return reference(known[1], turn)
        if most <= self._longer.get(form, -1):
            return None
        words = []
        for cell in cells_of(self.rules.moves(form)):
            why = self._bounded(form.free & ~(1 << cell), 1 << cell, most - 1)
            if why is None:
                self._longer[form] = most
                return None
            words.append(why)
        number = self.records.add(" ".join([f"{form.free:x} {form.mine.bit_length() - 1} ={most} m", *words]))
        self._paths[form] = most, number
        return reference(number, turn)

    def _walk(self, spot: Spot) -> list[Cell] | None:
        """Return a walk for the opponent's pawn: one that the player to move can neither hinder nor outlast."""
        touch = self.patterns.touch
        free, area, at, walk = spot.free, spot.mine, spot.theirs, list[Cell]()
        area |= touch(area) & free
        while True:
            options = touch(at) & free & ~area
            if not options:
                break
            best = max(cells_of(options), key=lambda cell: self._lead(free & ~(area | 1 << cell), area, 1 << cell))
            walk.append(best)
            at = 1 << best
            free ^= at
            grown = area | touch(area) & free
            if grown == area:
                break
            area = grown
        while (grown := area | touch(area) & free) != area:
            area = grown
        need = self.rules.most(area & ~spot.mine, spot.mine) - len(walk)
        if need > 0:
            more = self._path(free & ~area, at, need)
            if more is None:
                return None
            walk += more
        return walk

    def _lead(self, free: Bitboard, first: Bitboard, second: Bitboard) -> int:
        """Count the cells that each pawn reaches before the other, and return the second pawn's lead."""
        lead = 0
        while first or second:
            first = self.patterns.touch(first) & free
            free ^= first
            second = self.patterns.touch(second) & free
            free ^= second
            lead += second.bit_count() - first.bit_count()
        return lead

    def _path(self, region: Bitboard, at: Bitboard, need: int) -> list[Cell] | None:
        """Return a path of a given length through a region, if one is found in a few thousand steps."""
        left = [3000]

        def search(region: Bitboard, at: Bitboard, need: int) -> list[Cell] | None:
            if need <= 0:
                return []
            left[0] -= 1
            spot = self.rules.reduced(Spot(region, at, at))
            if left[0] < 0 or self.rules.most(spot.free, at) < need:
                return None
            cells = cells_of(self.patterns.touch(at) & spot.free)
            for cell in sorted(cells, key=lambda c: (self.patterns.touch(1 << c) & spot.free).bit_count()):
                found = search(spot.free & ~(1 << cell), 1 << cell, need - 1)
                if found is not None:
                    return [cell, *found]
            return None

        return search(region, at, need)


class PairingProver:
    """The prover for games that are decided by a matching."""

    def __init__(self, variant: Variant, tick: Tick) -> None:
        assert variant.shape is not None  # callers have checked
        self.rules = Walking(variant.grid, variant.shape, 0)
        self.geography = Matching(variant).geography
        self.records = Records(tick)

    def at_once(self, position: Position) -> Reason | None:
        """Return a reason why the player to move loses, or None if no simple reason is found.

        A simple reason does not cite the recorded proof of another lost position.
        """
        return self._paired(self._spot(position))

    def loses(self, position: Position) -> Reason | None:
        """Return the reason why the player to move loses, or None if they win."""
        spot = self._spot(position)
        return None if self._winning(spot) else self._reason(spot)

    def _spot(self, position: Position) -> Spot:
        return self.rules.start(position.mine, position.theirs, position.my_head, position.their_head, None)

    def _winning(self, spot: Spot) -> Bitboard:
        """Return all winning moves."""
        return self.geography.winning_moves(spot.free, spot.mine.bit_length() - 1 if spot.mine else None)

    def _paired(self, spot: Spot) -> Reason | None:
        """Return pairs of cells that give the opponent an answer to every move, or None if no such pairs are found."""
        if self._winning(spot):
            return None
        pairs = [(one, two) for one, two in enumerate(self.geography.pairing(spot.free)) if one < two]
        cells = [cell for pair in pairs for cell in pair]
        try:
            self.rules.pairs(spot, cells)
        except Refused:  # the way to a cell without a partner uses a cell twice
            return None
        return "p" + "".join(f"{cell:02x}" for cell in cells)

    def _reason(self, spot: Spot) -> Reason:
        """Return a reason why a position is lost; add a record if the reason needs one."""
        paired = self._paired(spot)
        if paired is not None:
            return paired
        words = []
        for cell in cells_of(self.rules.moves(spot)):
            then = self.rules.after(spot, cell)
            reply = cells_of(self._winning(then))[0]
            words.append(f"{reply}={self._reason(self.rules.after(then, reply))}")
        head = spot.mine.bit_length() - 1 if spot.mine else "-"
        return reference(self.records.add(" ".join([f"{spot.free:x} {head} - m", *words])))
