"""Positions as PNG pictures, drawn like the SVG ones and written with nothing but zlib."""

import struct
import zlib
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from gridlock.core.game import Game
from gridlock.core.grid import cells_of

Colour = tuple[int, int, int]
Distance = Callable[[float, float], float]  # from the edge of a shape, negative inside; a cell is 60 by 60 units
Layer = tuple[Distance, Colour]

LONGEST = 960  # pixels along a side of the board, about
LARGEST = 64  # pixels along a side of a cell
PAGE, BOARD, LINES, EDGE, LABEL, SHADE = (
    (244, 240, 230),
    (255, 253, 248),
    (211, 202, 182),
    (143, 134, 111),
    (101, 93, 76),
    (235, 228, 211),
)
SIDES: tuple[Colour, Colour] = ((27, 75, 122), (176, 63, 20))
OPEN, LAST, GOLD = (125, 118, 96), (253, 238, 185), (143, 106, 0)

# Five columns by seven rows: each row is five bits.
_GLYPHS = {
    "0": "0E11131519110E",
    "1": "040C040404040E",
    "2": "0E11010204081F",
    "3": "1F02040201110E",
    "4": "02060A121F0202",
    "5": "1F101E0101110E",
    "6": "0608101E11110E",
    "7": "1F010204080808",
    "8": "0E11110E11110E",
    "9": "0E11110F01020C",
    "A": "0E11111F111111",
    "B": "1E11111E11111E",
    "C": "0E11101010110E",
    "D": "1C12111111121C",
    "E": "1F10101E10101F",
    "F": "1F10101E101010",
    "G": "0E11101711110F",
    "H": "1111111F111111",
    "I": "0E04040404040E",
    "J": "0702020202120C",
    "K": "11121418141211",
    "L": "1010101010101F",
    "M": "111B1515111111",
    "N": "11111915131111",
    "O": "0E11111111110E",
    "P": "1E11111E101010",
    "Q": "0E11111115120D",
    "R": "1E11111E141211",
    "S": "0F10100E01011E",
    "T": "1F040404040404",
    "U": "1111111111110E",
    "V": "11111111110A04",
    "W": "1111111515150A",
    "X": "11110A040A1111",
    "Y": "1111110A040404",
    "Z": "1F01020408101F",
}


class Tile(NamedTuple):
    """Everything that a cell shows."""

    mark: str = ""  # a marker, if one stands there
    side: int = 0  # whose it is: 1 or 2
    blocked: int = 0  # the side whose pawn has left the cell behind
    last: bool = False
    open: bool = False


def board_png(game: Game) -> bytes:
    """A picture of the position of a game: its last move framed, and a dot on each legal cell."""
    grid, origin = game.variant.grid, game.variant.book.origin
    size = max(16, min(LARGEST, LONGEST // max(grid.rows, grid.cols)))
    scale = max(1, size // 20)  # of the letters beside the board
    margin = 26 * scale
    width, height = grid.cols * size + margin + 10 * scale, grid.rows * size + margin + 10 * scale
    rows = [bytearray(bytes(PAGE) * width) for _ in range(height)]
    tiles = _tiles(game)
    for row in range(grid.rows):
        drawn = [_drawn(tile, size) for tile in tiles[row * grid.cols : (row + 1) * grid.cols]]
        for y in range(size):
            rows[margin + row * size + y][margin * 3 : (margin + grid.cols * size) * 3] = b"".join(
                tile[y] for tile in drawn
            )
    _frame(rows, margin, grid.rows * size, grid.cols * size, max(2, size // 20))
    step = 1 if size >= 24 else 5
    for col in range(-origin % step, grid.cols, step):
        _write(rows, str(col + origin), margin + col * size + size // 2, margin - 12 * scale, scale)
    for row in range(-origin % step, grid.rows, step):
        _write(rows, str(row + origin), margin - 14 * scale, margin + row * size + size // 2, scale)
    return _png(width, height, rows)


def _tiles(game: Game) -> list[Tile]:
    variant, position = game.variant, game.position
    tiles = [Tile()] * variant.grid.size
    for cell in () if game.outcome else cells_of(game.legal):
        tiles[cell] = Tile(open=True)
    for side in (1, 2):
        head, mark = position.head(side), variant.book.mark(side)
        for cell in cells_of(position.markers(side)):
            blocked = variant.book.pawns and cell != head
            tiles[cell] = Tile(blocked=side) if blocked else Tile(mark, side)
    last = game.last_cell
    if last is not None:
        tiles[last] = tiles[last]._replace(last=True)
    return tiles


# -- shapes ---------------------------------------------------------------------------------------------------------


def _circle(radius: float) -> Distance:
    return lambda x, y: ((x - 30) ** 2 + (y - 30) ** 2) ** 0.5 - radius


def _box(half: float, corner: float) -> Distance:
    def distance(x: float, y: float) -> float:
        across, down = abs(x - 30) - half + corner, abs(y - 30) - half + corner
        outside: float = (max(across, 0.0) ** 2 + max(down, 0.0) ** 2) ** 0.5
        return outside + min(max(across, down), 0.0) - corner

    return distance


def _line(x1: float, y1: float, x2: float, y2: float, wide: float) -> Distance:
    along, up = x2 - x1, y2 - y1
    length = along * along + up * up

    def distance(x: float, y: float) -> float:
        part = max(0.0, min(1.0, ((x - x1) * along + (y - y1) * up) / length))
        away: float = ((x - x1 - part * along) ** 2 + (y - y1 - part * up) ** 2) ** 0.5
        return away - wide / 2

    return distance


def _outline(shape: Distance, wide: float) -> Distance:
    return lambda x, y: abs(shape(x, y)) - wide / 2


def _any(*shapes: Distance) -> Distance:
    return lambda x, y: min(shape(x, y) for shape in shapes)


def _letter(mark: str) -> Distance:
    dots = _dots(mark)

    def distance(x: float, y: float) -> float:
        return -1.0 if (int((x - 22.5) // 3), int((y - 19.5) // 3)) in dots else 1.0

    return distance


_HATCH = [(8, 24, 24, 8), (8, 38, 38, 8), (8, 52, 52, 8), (22, 52, 52, 22), (36, 52, 52, 36)]


def _layers(tile: Tile) -> list[Layer]:
    """What lies on a cell, the lowest first."""
    layers: list[Layer] = [(_any(_line(0, 0, 60, 0, 2), _line(0, 0, 0, 60, 2)), LINES)]
    if tile.blocked:
        ways = [(60 - a, b, 60 - c, d) if tile.blocked == 2 else (a, b, c, d) for a, b, c, d in _HATCH]
        layers += [(_box(25, 0), SHADE), (_any(*(_line(*way, 3) for way in ways)), SIDES[tile.blocked - 1])]
    if tile.last:
        layers += [(_box(25, 8), LAST), (_outline(_box(25, 8), 4), GOLD)]
    if tile.open:
        layers.append((_circle(4.5), OPEN))
    if tile.mark:
        layers += _marker(tile.mark, tile.side)
    return layers


def _marker(mark: str, side: int) -> list[Layer]:
    colour = SIDES[side - 1]
    if mark == "X":
        return [(_any(_line(17, 17, 43, 43, 9), _line(43, 17, 17, 43, 9)), colour)]
    if mark == "O":
        return [(_outline(_circle(15), 9), colour)]
    filled = side == 1
    return [
        (_circle(22), colour),
        *([] if filled else [(_circle(18), BOARD)]),
        (_letter(mark), BOARD if filled else colour),
    ]


@lru_cache(maxsize=512)
def _drawn(tile: Tile, size: int) -> tuple[bytes, ...]:
    """A cell as rows of pixels, its edges smooth."""
    layers, unit = _layers(tile), 60 / size
    rows = []
    for y in range(size):
        row = bytearray()
        for x in range(size):
            red, green, blue = BOARD
            for shape, colour in layers:
                cover = 0.5 - shape((x + 0.5) * unit, (y + 0.5) * unit) / unit
                if cover > 0:
                    part = min(1.0, cover)
                    red += round((colour[0] - red) * part)
                    green += round((colour[1] - green) * part)
                    blue += round((colour[2] - blue) * part)
            row += bytes((red, green, blue))
        rows.append(bytes(row))
    return tuple(rows)


# -- the rest of the picture ----------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _dots(character: str) -> frozenset[tuple[int, int]]:
    """The dots of a letter or digit: column and row."""
    rows = bytes.fromhex(_GLYPHS[character])
    return frozenset((col, row) for row, bits in enumerate(rows) for col in range(5) if bits >> (4 - col) & 1)


def _write(rows: list[bytearray], text: str, x: int, y: int, scale: int) -> None:
    """Write a number around a place."""
    left, top = x - (6 * len(text) - 1) * scale // 2, y - 7 * scale // 2
    for index, character in enumerate(text):
        for col, row in _dots(character):
            at = left + (6 * index + col) * scale
            for line in rows[top + row * scale : top + (row + 1) * scale]:
                line[at * 3 : (at + scale) * 3] = bytes(LABEL) * scale


def _frame(rows: list[bytearray], margin: int, height: int, width: int, wide: int) -> None:
    for y in range(margin - wide, margin + height + wide):
        inside = margin <= y < margin + height
        for left, right in (
            [(margin - wide, margin), (margin + width, margin + width + wide)]
            if inside
            else [(margin - wide, margin + width + wide)]
        ):
            rows[y][left * 3 : right * 3] = bytes(EDGE) * (right - left)


def _png(width: int, height: int, rows: list[bytearray]) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    pixels = zlib.compress(b"".join(b"\0" + bytes(row) for row in rows), 6)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
