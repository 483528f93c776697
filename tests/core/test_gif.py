"""Tests of animated GIFs of games.

The GIFs are read by a simple decoder, which shares no code with the encoder.
"""

import struct
from dataclasses import replace
from random import Random

import pytest

from gridlock import Game, variant
from gridlock.core.grid import cells_of
from gridlock.core.rules import RULE_BOOKS
from gridlock.drawing.gif import MOST_FRAMES, PAUSE, compressed, game_gif

Frame = tuple[int, list[bytes]]  # how long it is shown, in hundredths of a second, and its rows of RGB pixels

BOARD, SHADE, LAST = (255, 253, 248), (235, 228, 211), (253, 238, 185)
SIDES = ((27, 75, 122), (176, 63, 20))


def unpacked(data: bytes, bits: int) -> bytes:
    """Decompress LZW data one code at a time, as the specification describes."""
    clear, end = 1 << bits, (1 << bits) + 1
    stream, at, width = int.from_bytes(data, "little"), 0, bits + 1
    table: list[bytes] = []
    out, before = bytearray(), b""
    while True:
        code = stream >> at & (1 << width) - 1
        at += width
        if code == end:
            assert at <= 8 * len(data) < at + 8
            return bytes(out)
        if code == clear:
            table = [bytes([one]) for one in range(clear)] + [b"", b""]
            width, before = bits + 1, b""
            continue
        entry = table[code] if code < len(table) else before + before[:1]
        if before:
            table.append(before + entry[:1])
        out += entry
        before = entry
        if len(table) == 1 << width and width < 12:
            width += 1


def decoded(gif: bytes) -> list[Frame]:
    """Return all frames of a picture as they look on the screen."""
    assert gif[:6] == b"GIF89a"
    width, height, flags = struct.unpack("<HHB", gif[6:11])
    size = 2 << (flags & 7)
    palette = [gif[13 + 3 * one : 16 + 3 * one] for one in range(size)]
    at = 13 + 3 * size
    screen = [[b""] * width for _ in range(height)]
    frames, time, transparent = [], 0, -1

    def blocks() -> bytes:
        nonlocal at
        data = b""
        while gif[at]:
            data += gif[at + 1 : at + 1 + gif[at]]
            at += 1 + gif[at]
        at += 1
        return data

    while gif[at] != 0x3B:
        kind, at = gif[at], at + 1
        if kind == 0x21:
            label, at = gif[at], at + 1
            data = blocks()
            if label == 0xF9:
                flags, time, transparent = struct.unpack("<BHB", data)
                assert flags == 5  # left in place, with a transparent colour
            else:
                assert data == b"NETSCAPE2.0\x01\0\0"  # forever
            continue
        assert kind == 0x2C
        left, top, wide, high, flags, bits = struct.unpack("<HHHHBB", gif[at : at + 10])
        at += 10
        pixels = unpacked(blocks(), bits)
        assert (len(pixels), flags) == (wide * high, 0)
        for number, pixel in enumerate(pixels):
            if pixel != transparent:
                screen[top + number // wide][left + number % wide] = palette[pixel]
        frames.append((time, [b"".join(row) for row in screen]))
    assert at == len(gif) - 1
    return frames


def middle(frame: Frame, row: int, col: int, side: int = 48, off: int = 0) -> tuple[int, ...]:
    """Return the colour near the middle of a cell on a small board."""
    x, y = 13 + col * side + side // 2 + off, 13 + row * side + side // 2
    return tuple(frame[1][y][3 * x : 3 * x + 3])


@pytest.mark.parametrize("bits", [2, 3, 8])
def test_whatever_is_compressed_can_be_read_back(bits: int) -> None:
    seed = Random().randrange(10**9)
    random = Random(seed)
    for length in (*range(1, 30), *range(1, 30), *range(1, 30), 700, 20_000):  # some end just where codes become longer
        flat = bytes(length)
        noise = bytes(random.randrange(1 << bits) for _ in range(length))
        runs = b"".join(bytes([random.randrange(1 << bits)]) * random.randrange(1, 40) for _ in range(length))[:length]
        for pixels in (flat, noise, runs):
            assert unpacked(compressed(pixels, bits), bits) == pixels, f"seed {seed}, {length} pixels"


def test_every_move_has_a_frame() -> None:
    game = Game(variant("showdown", "1x7"), swap=True)
    for move in ("1,2", "swap", "1,7", "1,5"):
        game.push(move)
    assert game.is_over
    frames = decoded(game_gif(game))
    assert len(frames) == 4  # the empty board and three markers; the swap changes nothing
    assert [time for time, _ in frames] == [70, 70, 70, PAUSE]
    for number, col in enumerate([1, 6, 4]):
        assert middle(frames[number], 0, col) == BOARD
        assert middle(frames[number + 1], 0, col, off=12 * (number % 2)) == SIDES[number % 2]  # a cross or a ring
    assert middle(frames[1], 0, 1, off=17) == LAST
    assert middle(frames[2], 0, 1, off=17) == BOARD  # only the last move is framed
    assert middle(frames[2], 0, 0) == BOARD
    assert middle(frames[3], 0, 0) == SHADE  # at the end, cells are closed


def test_a_pawn_leaves_a_hatched_cell_behind() -> None:
    game = Game(variant("trails", "3x3"))
    before = decoded(game_gif(game))
    assert len(before) == 1
    game.push("0,1")
    frame = decoded(game_gif(game))[-1]
    assert middle(frame, 0, 1, off=-17) == SIDES[0]  # the disc
    assert middle(frame, 0, 0) == SIDES[0]  # a line of the hatching
    assert middle(frame, 0, 0, off=-6) == SHADE


def test_every_letter_can_be_drawn_and_looks_different() -> None:
    book = RULE_BOOKS["showdown"]
    letters = "ABCDEFGHIJKLMNPQRSTUVWYZ"  # without X and O, which are drawn as shapes
    seen = set()
    for mark in letters:
        game = Game(variant(replace(book, name="marked", marks=(mark, "X")), "1x2"))
        game.push(0)
        frame = decoded(game_gif(game))[-1]
        seen.add(b"".join(row[3 * 13 : 3 * 61] for row in frame[1]))
    assert len(seen) == len(letters)


@pytest.mark.parametrize(
    ("name", "board"), [("scatter", "20x20"), ("chain", "30x30"), ("trails", "1x2"), ("scatter", "1x90")]
)
def test_a_long_game_stays_small(name: str, board: str) -> None:
    random = Random(3)
    game = Game(variant(name, board))
    while not game.is_over:
        game.push(random.choice(cells_of(game.legal)))
    gif = game_gif(game)
    assert len(gif) < 150_000
    width, height = struct.unpack("<HH", gif[6:10])
    assert max(width, height) < 600


def test_a_very_long_game_has_several_moves_in_a_frame() -> None:
    game = Game(variant("scatter", "20x40", "orthogonal"))
    while not game.is_over:
        game.push(cells_of(game.legal)[0])
    assert len(game.moves) > MOST_FRAMES
    frames = decoded(game_gif(game))
    assert len(frames) <= MOST_FRAMES + 1
