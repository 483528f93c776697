"""Games as animated GIFs with a frame for each move, in the same shapes and light colours as the SVG pictures.

Each possible picture of a cell is computed only once. A frame stores only the cells that change, so the picture of a
long game is small and quick to make.
"""

import re
import struct
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from math import hypot
from typing import NamedTuple

from gridlock.core.game import SWAP, Game, Termination
from gridlock.core.grid import Cell, Grid, cells_of
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant

LARGEST = 480  # pixels of the board's longer side, unless its cells would be too small
CELLS = (6, 48)  # smallest and largest side of a cell, in pixels
MOST_FRAMES = 250  # in a longer game, several moves share a frame
PACE = (12, 70)  # shortest and longest time of a frame, in hundredths of a second
LENGTH = 3000  # the total time of all frames, in hundredths of a second
PAUSE = 400  # the pause before the game starts again, in hundredths of a second

Colour = tuple[int, int, int]
_PAGE, _BOARD, _LINE, _EDGE = (244, 240, 230), (255, 253, 248), (211, 202, 182), (143, 134, 111)
_SHADE, _LAST, _GOLD = (235, 228, 211), (253, 238, 185), (143, 106, 0)
_SIDES = ((27, 75, 122), (176, 63, 20))
_LEVELS = 4  # steps from a shape's edge to its inside
_LETTERS = {  # strokes from point to point, each a column (0 to 4) and a row (0 to 6)
    "A": "062046 1434", "B": "0006 003041423303 3344453606", "C": "4130100105163645", "D": "0006 003041453606",
    "E": "40000646 0333", "F": "400006 0333", "G": "41301001051636454323", "H": "0006 4046 0343",
    "I": "1030 2026 1636", "J": "4045361605", "K": "0006 4003 0346", "L": "000646", "M": "0600234046",
    "N": "06004640", "O": "103041453616050110", "P": "06003041423303", "Q": "103041453616050110 2446",
    "R": "06003041423303 2346", "S": "413010010213334445361605", "T": "0040 2026", "U": "000516364540",
    "V": "002640", "W": "0016233640", "X": "0046 4006", "Y": "002340 2326", "Z": "00400646",
}  # fmt: skip


class Pixels(NamedTuple):
    """A picture: a palette with three bytes (red, green, blue) for each colour, and a colour number for each pixel."""

    width: int
    height: int
    palette: bytes
    numbers: bytes


def board_pixels(variant: Variant, position: Position, last: Cell | None, is_over: bool) -> Pixels:
    """Return the picture of one position, drawn like a frame of an animated game."""
    grid = variant.grid
    painter = _same_painter(variant.book.marks, _side(grid))
    board, margin = _blank(grid, painter)
    for cell, contents in enumerate(_contents(variant, position, last, is_over)):
        row, col = divmod(cell, grid.cols)
        at = margin + 1 + col * painter.side, margin + 1 + row * painter.side
        board.paste(*at, painter.cell(*contents), painter.side)
    return Pixels(board.width, board.height, _palette(painter.colours), bytes(board.pixels))


def _side(grid: Grid) -> int:
    """Return the side length of a cell, in pixels."""
    return max(CELLS[0], min(CELLS[1], LARGEST // max(grid.rows, grid.cols)))


def _blank(grid: Grid, painter: "_Painter") -> tuple["_Picture", int]:
    """Return a picture of a blank board with an edge around its cells, and the width of the picture's margin."""
    side = painter.side
    margin = max(4, side // 4)
    width, height = grid.cols * side + 2 * margin + 1, grid.rows * side + 2 * margin + 1
    board = _Picture(width, height, painter.index(_PAGE))
    board.fill(margin - 2, margin - 2, width - margin + 2, height - margin + 2, painter.index(_EDGE))
    return board, margin


def game_gif(game: Game) -> bytes:
    """Return a looping GIF animation of a game."""
    grid = game.variant.grid
    side = _side(grid)
    painter = _Painter(game.variant.book.marks, side)
    board, margin = _blank(grid, painter)
    step = -(-len(game.moves) // MOST_FRAMES) or 1
    plies = [*range(0, len(game.moves), step), len(game.moves)]
    frames: list[tuple[int, int, _Picture]] = []  # where each frame goes, and what it shows
    before: list[tuple[str, int, bool]] | None = None
    for ply in plies:
        now = _contents_after(game, ply)
        changed = [cell for cell, one in enumerate(now) if before is None or one != before[cell]]
        before = now
        if not changed:  # a swap
            continue
        places = [divmod(cell, grid.cols) for cell in changed]
        top, left = min(row for row, _ in places), min(col for _, col in places)
        high, wide = max(row for row, _ in places) - top + 1, max(col for _, col in places) - left + 1
        drawn = board if not frames else _Picture(wide * side, high * side, 0)
        x, y = (margin + 1, margin + 1) if drawn is board else (0, 0)
        for cell, (row, col) in zip(changed, places, strict=True):
            drawn.paste(x + (col - left) * side, y + (row - top) * side, painter.cell(*now[cell]), side)
        at = (0, 0) if drawn is board else (margin + 1 + left * side, margin + 1 + top * side)
        frames.append((*at, drawn))
    pace = max(PACE[0], min(PACE[1], LENGTH // len(frames)))
    return b"".join(_file(board.width, board.height, painter.colours, frames, pace))


def _contents_after(game: Game, ply: int) -> list[tuple[str, int, bool]]:
    outcome = game.outcome if ply == len(game.moves) else None
    is_over = outcome is not None and outcome.termination is Termination.STUCK
    last = next((move for move in reversed(game.moves[:ply]) if move != SWAP), None)
    return _contents(game.variant, game.positions[ply], last, is_over)


def _contents(variant: Variant, position: Position, last: Cell | None, is_over: bool) -> list[tuple[str, int, bool]]:
    """Return what to draw on each cell: the kind of content, its owner (a side) and whether the cell was taken last."""
    cells = [("closed" if is_over else "", 0, False)] * variant.grid.size
    for side in (1, 2):
        for cell in cells_of(position.markers(side)):
            is_trail = variant.book.pawns and cell != position.head(side)
            cells[cell] = ("trail" if is_trail else "marker", side, False)
    if last is not None:
        cells[last] = (*cells[last][:2], True)
    return cells


class _Painter:
    """A painter for single cells, which also collects the colours that it uses."""

    def __init__(self, marks: tuple[str, str], side: int) -> None:
        self.marks = marks
        self.side = side
        self.colours: dict[Colour | None, int] = {None: 0}  # None is transparent
        self._cells: dict[tuple[str, int, bool], bytes] = {}

    def index(self, colour: Colour) -> int:
        """Return a colour's number."""
        return self.colours.setdefault(colour, len(self.colours))

    def cell(self, kind: str, owner: int, last: bool) -> bytes:
        """Return the pixels of a cell, row by row, including the lines to the right of the cell and below it."""
        key = (kind, owner, last)
        if key not in self._cells:
            self._cells[key] = bytes(self._pixels(*key))
        return self._cells[key]

    def _pixels(self, kind: str, owner: int, last: bool) -> Iterator[int]:
        layers = [(_levels(shape, self.side), ink) for shape, ink in self._layers(kind, owner, last)]
        for row in range(self.side):
            for col in range(self.side):
                colour = _LINE if self.side - 1 in (row, col) else _BOARD
                for levels, ink in layers:
                    colour = _mixed(colour, ink, levels[row * self.side + col])
                yield self.index(colour)

    def _layers(self, kind: str, owner: int, last: bool) -> Iterator[tuple["_Shape", Colour]]:
        """Yield a cell's shapes in drawing order, each with its colour."""
        if kind in ("closed", "trail"):
            yield _Square(25, 0), _SHADE
        if last:
            yield _Square(27, 10), _GOLD
            yield _Square(23, 6), _LAST
        if not owner:
            return
        ink, mark = _SIDES[owner - 1], self.marks[owner - 1]
        if kind == "trail":
            yield _hatch(owner), ink
        elif mark == "X":
            yield _Strokes(((-13, -13, 13, 13), (13, -13, -13, 13)), 4.5), ink
        elif mark == "O":
            yield _Ring(15, 4.5), ink
        else:
            yield _Ring(0, 22), ink
            if owner == 2:
                yield _Ring(0, 18), _BOARD
            yield _letter(mark), _BOARD if owner == 1 else ink


_same_painter = lru_cache(maxsize=8)(_Painter)  # a painter remembers the cells it has painted


# -- shapes: a point's distance from a shape (negative inside), in units of a sixtieth of a cell -------------------


class _Square(NamedTuple):
    """A square around the middle of the cell, with rounded corners."""

    half: float
    radius: float

    def distance(self, x: float, y: float) -> float:
        inner = self.half - self.radius
        right, down = abs(x) - inner, abs(y) - inner
        return hypot(max(right, 0), max(down, 0)) + min(max(right, down), 0) - self.radius


class _Ring(NamedTuple):
    """A ring around the middle of the cell, or a disc if its radius is 0."""

    radius: float
    half: float

    def distance(self, x: float, y: float) -> float:
        return abs(hypot(x, y) - self.radius) - self.half


class _Strokes(NamedTuple):
    """Straight strokes with round ends."""

    strokes: tuple[tuple[float, float, float, float], ...]
    half: float

    def distance(self, x: float, y: float) -> float:
        return min(_from_stroke(x, y, *stroke) for stroke in self.strokes) - self.half


_Shape = _Square | _Ring | _Strokes


def _from_stroke(x: float, y: float, left: float, top: float, right: float, bottom: float) -> float:
    across, down = right - left, bottom - top
    along = ((x - left) * across + (y - top) * down) / (across * across + down * down)
    along = max(0.0, min(1.0, along))
    return hypot(x - left - along * across, y - top - along * down)


@lru_cache(maxsize=64)
def _levels(shape: _Shape, side: int) -> bytes:
    """Return how much of each pixel in a cell is covered by a shape, from 0 to _LEVELS."""
    scale = 60 / side
    places = [(one + 0.5) * scale - 30 for one in range(side)]
    return bytes(
        round(_LEVELS * max(0.0, min(1.0, 0.5 - shape.distance(x, y) / scale))) for y in places for x in places
    )


def _hatch(owner: int) -> _Strokes:
    """Return the hatching of the cells that a pawn has left: rising for the first side, falling for the second."""
    rising = [(-22, -6, -6, -22), (-22, 8, 8, -22), (-22, 22, 22, -22), (-8, 22, 22, -8), (6, 22, 22, 6)]
    way = 1 if owner == 1 else -1
    return _Strokes(tuple((way * left, top, way * right, bottom) for left, top, right, bottom in rising), 1.5)


def _letter(mark: str) -> _Strokes:
    """Return the strokes that draw a letter in the middle of a cell."""
    strokes: list[tuple[float, float, float, float]] = []
    for line in _LETTERS[mark].split():
        points = [((int(col) - 2) * 3.5, (int(row) - 3) * 3.3) for col, row in zip(line[::2], line[1::2], strict=True)]
        strokes += [(*one, *other) for one, other in pairwise(points)]
    return _Strokes(tuple(strokes), 2.4)


def _mixed(ground: Colour, ink: Colour, level: int) -> Colour:
    """Return a mixture of two colours."""
    red, green, blue = (low + (high - low) * level // _LEVELS for low, high in zip(ground, ink, strict=True))
    return red, green, blue


# -- the file --------------------------------------------------------------------------------------------------------


class _Picture:
    """An indexed-colour picture, in which each pixel is the number of a colour in a palette."""

    def __init__(self, width: int, height: int, colour: int) -> None:
        self.width, self.height = width, height
        self.pixels = bytearray([colour]) * (width * height)

    def fill(self, left: int, top: int, right: int, bottom: int, colour: int) -> None:
        """Fill a rectangle."""
        for row in range(top, bottom):
            self.pixels[row * self.width + left : row * self.width + right] = bytes([colour]) * (right - left)

    def paste(self, left: int, top: int, picture: bytes, side: int) -> None:
        """Paste a square picture with its top-left corner at the given coordinates."""
        for row in range(side):
            at = (top + row) * self.width + left
            self.pixels[at : at + side] = picture[row * side : (row + 1) * side]


def _file(
    width: int, height: int, colours: dict[Colour | None, int], frames: list[tuple[int, int, _Picture]], pace: int
) -> Iterator[bytes]:
    bits = max(2, (len(colours) - 1).bit_length())
    yield b"GIF89a" + struct.pack("<HHBBB", width, height, 0x80 | bits - 1, 0, 0)
    yield _palette(colours).ljust(3 << bits, b"\0")
    yield b"\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0"  # start again, forever
    for number, (left, top, picture) in enumerate(frames, 1):
        time = pace if number < len(frames) else PAUSE
        yield b"\x21\xf9\x04" + struct.pack("<BHBB", 0x05, time, 0, 0)  # drawn over the last frame; 0 is transparent
        yield b"\x2c" + struct.pack("<HHHHB", left, top, picture.width, picture.height, 0) + bytes([bits])
        packed = compressed(bytes(picture.pixels), bits)
        for at in range(0, len(packed), 255):
            part = packed[at : at + 255]
            yield bytes([len(part)]) + part
        yield b"\0"
    yield b"\x3b"


def _palette(colours: dict[Colour | None, int]) -> bytes:
    return b"".join(bytes(colour or (0, 0, 0)) for colour in colours)


def compressed(pixels: bytes, bits: int) -> bytes:
    """Compress pixels of at most 2**bits colours with LZW, as GIF requires.

    Most of a picture consists of runs of a single colour. The codes of single-colour runs are stored by length, so that
    a whole run is matched at once, rather than pixel by pixel.
    """
    clear = 1 << bits
    codes = _Codes(bits + 1)
    codes.put(clear)
    known: dict[tuple[int, int], int] = {}  # maps the code of some pixels and the next pixel to the code of all
    repeats: dict[int, list[int]] = {}  # the codes of runs of a colour, by length
    newest = clear + 1
    runs = [(run[0][0], len(run[0])) for run in re.finditer(rb"(.)\1*", pixels, re.DOTALL)]
    at, left = 0, runs[0][1]
    while at < len(runs):
        colour = runs[at][0]
        repeat = repeats.setdefault(colour, [colour])
        length = min(left, len(repeat))
        code, left = repeat[length - 1], left - length
        while not left:  # the run is used up: match what follows it
            at += 1
            if at == len(runs):
                break
            left = runs[at][1]
            while left and (code, runs[at][0]) in known:
                code, left = known[code, runs[at][0]], left - 1
        codes.put(code)
        if at == len(runs):
            break
        newest += 1
        if newest == 4096:
            codes.put(clear)
            codes.width, newest, repeats = bits + 1, clear + 1, {}
            known.clear()
            continue
        if runs[at][0] == colour and code == repeat[-1]:
            repeat.append(newest)
        else:
            known[code, runs[at][0]] = newest
        if newest == 1 << codes.width:
            codes.width += 1
    if newest + 1 == 1 << codes.width < 4096:  # a reader has counted the last code, and expects the end to be longer
        codes.width += 1
    codes.put(clear + 1)
    return codes.bytes()


class _Codes:
    """Codes of increasing bit length, packed into bytes."""

    def __init__(self, width: int) -> None:
        self.width = width
        self._packed = bytearray()
        self._rest = self._count = 0

    def put(self, code: int) -> None:
        """Add a code."""
        self._rest |= code << self._count
        self._count += self.width
        while self._count >= 8:
            self._packed.append(self._rest & 255)
            self._rest >>= 8
            self._count -= 8

    def bytes(self) -> bytes:
        """Return all codes."""
        return bytes(self._packed) + (bytes([self._rest]) if self._count else b"")
