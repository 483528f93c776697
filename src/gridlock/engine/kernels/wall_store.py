"""Thermographs of the shapes in a store, each computed only once, on demand.

A wall consists of line segments that join (temperature, value) points. Both coordinates of a point are integers, but
their unit is smaller than the unit in which a `ShapeStore` stores numbers. Above its last point, a wall is vertical. A
wall either rises with slopes of 0 and 1, or falls with slopes of 0 and -1. This module computes the same walls as
`gridlock.values.walls`, but uses only integers.
"""

from .walls import GaveUp

try:
    import cython
except ImportError:
    from . import interpreted as cython
if not cython.compiled:
    from .interpreted import plain
    from .walls import BITS, FINER, MASK

    made = plain("shape_store")
    FACTS, MARKS, START, COUNTED, ShapeStore = made.FACTS, made.MARKS, made.START, made.COUNTED, made.ShapeStore
    longer, zeros = plain("value_map").longer, plain("value_map").zeros
else:
    from .value_map import longer, zeros

WORD = cython.declare(cython.longlong, 8 if cython.compiled else 40)  # bytes per number in an array
FIRST = cython.declare(cython.longlong, 256)  # the initial room for shapes and points


class WallStore(ShapeStore):
    """Shapes with their thermographs."""

    def __init__(self, memory, remembers):
        ShapeStore.__init__(self, memory, remembers)
        self.place_room = self.point_room = self.line_room = FIRST
        self.places, self.points, self.pointed = zeros(FIRST), zeros(FIRST), 1
        self.ours, self.theirs, self.other, self.joined = zeros(FIRST), zeros(FIRST), zeros(FIRST), zeros(FIRST)

    def walls_of(self, shape):
        """Return the left and right walls of a shape that is not a number; raise GaveUp if the time is up."""
        self.draw(shape)
        at = self.places[shape]
        middle = at + 2 + 2 * self.points[at]
        end = middle + 2 * self.points[at + 1]
        return tuple(
            tuple((self.points[i], self.points[i + 1]) for i in range(*part, 2))
            for part in ((at + 2, middle), (middle, end))
        )

    def draw(self, shape):
        """Compute the walls of all options of a shape, and then the walls of the shape itself."""
        if shape < self.place_room and self.places[shape]:
            return 0
        self.step()
        start: cython.longlong = self.facts[FACTS * shape + START]
        middle: cython.longlong = start + (self.facts[FACTS * shape + MARKS] >> COUNTED)
        end: cython.longlong = self.facts[FACTS * shape + FACTS + START]
        i: cython.longlong
        for i in range(start, end):
            if self.pool[i] & MASK:
                self.draw(self.pool[i] & MASK)
        # Combine the right walls of Left's options and the negated left walls of Right's options. As the temperature
        # rises, the value of a right wall or of a negated left wall never decreases.
        our_end: cython.longlong = self.highest(start, middle, True)
        self.ours, self.theirs = self.theirs, self.ours
        their_end: cython.longlong = self.highest(middle, end, False)
        self.meet(shape, our_end, their_end)
        return 0

    # Combining the walls of a shape's options (`ours`, `theirs`, `other` and `joined` are work arrays)

    def load(self, value, left):
        """Copy a left option's right wall, or a right option's negated left wall, to `other`; return its length."""
        number: cython.longlong = (value >> BITS) << FINER
        if not value & MASK:
            self.other[0], self.other[1] = 0, number if left else -number
            return 2
        at: cython.longlong = self.places[value & MASK]
        first: cython.longlong = at + 2
        count: cython.longlong = self.points[at]
        if left:
            first += 2 * count
            count = self.points[at + 1]
        self.fit(2 * count)
        i: cython.longlong
        for i in range(0, 2 * count, 2):
            x: cython.longlong = self.points[first + i + 1] + number
            self.other[i], self.other[i + 1] = self.points[first + i], x if left else -x
        return 2 * count

    def fit(self, count):
        """Enlarge the work arrays if they have room for fewer than `count` numbers."""
        while count > self.line_room:
            self.claim(4 * WORD * self.line_room)
            self.line_room *= 2
            self.ours, self.theirs = longer(self.ours, self.line_room), longer(self.theirs, self.line_room)
            self.other, self.joined = longer(self.other, self.line_room), longer(self.joined, self.line_room)
        return 0

    def highest(self, begin, end, left):
        """Store the upper envelope of some options' thermograph walls in `theirs`, and return the envelope's length."""
        size: cython.longlong = 0
        i: cython.longlong
        for i in range(begin, end):
            more: cython.longlong = self.load(self.pool[i], left)
            if size and self.theirs[1] >= self.other[more - 1]:
                continue  # this wall starts at least as high as the other wall ends
            if not size or self.other[1] >= self.theirs[size - 1]:
                self.theirs, self.other, size = self.other, self.theirs, more
            else:
                self.fit(2 * (size + more))
                size = self.join(size, more)
                self.theirs, self.joined = self.joined, self.theirs
        return size

    def join(self, size, more):
        """Store in `joined` the upper envelope of `theirs` and `other`, and return the envelope's length."""
        i: cython.longlong = 2
        j: cython.longlong = 2
        t: cython.longlong = 0
        a: cython.longlong = self.theirs[1]
        b: cython.longlong = self.other[1]
        end: cython.longlong = 0
        while True:
            self.joined[end], self.joined[end + 1] = t, a if a >= b else b
            end += 2
            if i == size and j == more:
                return simplified(self.joined, end)
            first: cython.bint = i < size
            second: cython.bint = j < more
            here: cython.longlong = self.theirs[i] if first else self.other[j]
            if first and second and self.other[j] < here:
                here = self.other[j]
            next_a: cython.longlong = a + here - t if first and self.theirs[i + 1] != self.theirs[i - 1] else a
            next_b: cython.longlong = b + here - t if second and self.other[j + 1] != self.other[j - 1] else b
            if (a < b and next_a > next_b) or (a > b and next_a < next_b):  # the lower wall rises to the other
                self.joined[end], self.joined[end + 1] = t + (b - a if a < b else a - b), b if a < b else a
                end += 2
            if first and self.theirs[i] == here:
                i += 2
            if second and self.other[j] == here:
                j += 2
            t, a, b = here, next_a, next_b

    def meet(self, shape, our_end, their_end):
        """Subtract the tax from the best options' walls, cut the walls off where they meet, and store the walls."""
        i: cython.longlong = 2
        j: cython.longlong = 2
        low: cython.longlong = 0
        a: cython.longlong = self.ours[1]
        b: cython.longlong = self.theirs[1]
        gap: cython.longlong = a + b
        while gap > 0:
            first: cython.bint = i < our_end
            second: cython.bint = j < their_end
            rises_a: cython.longlong = first and self.ours[i + 1] != self.ours[i - 1]
            rises_b: cython.longlong = second and self.theirs[j + 1] != self.theirs[j - 1]
            rises: cython.longlong = rises_a + rises_b
            step: cython.longlong = gap if rises == 1 else gap // 2  # until the walls meet
            halved: cython.bint = not rises and gap & 1 != 0
            if rises == 2 or (first and self.ours[i] - low <= step):
                step, halved = self.ours[i] - low, False
            if second and self.theirs[j] - low <= step:
                step, halved = self.theirs[j] - low, False
            if halved:
                raise GaveUp("The game's thermograph cannot be stored exactly.")
            low += step
            a += rises_a * step
            b += rises_b * step
            gap = a + b - 2 * low
            if first and self.ours[i] == low:
                i += 2
            if second and self.theirs[j] == low:
                j += 2
        mean: cython.longlong = a - low
        ours: cython.longlong = taxed(self.ours, our_end, low, mean, 1)
        theirs: cython.longlong = taxed(self.theirs, their_end, low, mean, -1)
        self.keep_walls(shape, ours, theirs)
        return 0

    def keep_walls(self, shape, our_end, their_end):
        """Store the two walls of a shape's thermograph."""
        while shape >= self.place_room:
            self.claim(WORD * self.place_room)
            self.place_room *= 2
            self.places = longer(self.places, self.place_room)
        while self.pointed + 2 + our_end + their_end > self.point_room:
            self.claim(WORD * self.point_room)
            self.point_room *= 2
            self.points = longer(self.points, self.point_room)
        at: cython.longlong = self.pointed
        self.points[at], self.points[at + 1] = our_end // 2, their_end // 2
        i: cython.longlong
        for i in range(our_end):
            self.points[at + 2 + i] = self.ours[i]
        for i in range(their_end):
            self.points[at + 2 + our_end + i] = self.theirs[i]
        self.pointed += 2 + our_end + their_end
        self.places[shape] = at
        return 0


def taxed(line, size, end, mean, sign):
    """Subtract the tax from one wall of a thermograph, cut the wall off at the temperature `end`; return its length."""
    kept: cython.longlong = 0
    while kept < size and line[kept] < end:
        line[kept + 1] = sign * (line[kept + 1] - line[kept])
        kept += 2
    line[kept], line[kept + 1] = end, mean
    return simplified(line, kept + 2)


def simplified(line, size):
    """Leave out points that lie on the line between their neighbours; return the new size."""
    kept: cython.longlong = 2
    before: cython.int = -1  # whether the last piece is slanted; -1 before the first piece
    i: cython.longlong
    for i in range(2, size, 2):
        slanted: cython.int = line[i + 1] != line[kept - 1]
        if slanted == before:
            kept -= 2
        line[kept], line[kept + 1] = line[i], line[i + 1]
        kept += 2
        before = slanted
    return kept
