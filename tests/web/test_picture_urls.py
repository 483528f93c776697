"""Tests of picture URLs, link previews, the embedded board, and compressed responses."""

import gzip
import re
import socket
import struct
import time
import zlib
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from itertools import pairwise
from string import ascii_uppercase
from urllib.parse import quote

import pytest
from web_server import Served

from gridlock import Game, variant
from gridlock.core.errors import BadGame
from gridlock.core.rulebook import are_marks
from gridlock.core.rules import RULE_BOOKS
from gridlock.drawing.gif import game_gif
from gridlock.drawing.png import png_of
from gridlock.drawing.svg import CELL
from gridlock.play.puzzle_sources import puzzle_of
from gridlock.web.pages import files
from gridlock.web.wire.setups import game_at

pytestmark = pytest.mark.slow

AT = "showdown/5x5/king/1/0/3,3_1,1"
MARKS = '{"definition":{"title":"A & B","name":"ab","board":"3x3","marks":["W","Q"],"shape":{"closes_own":true}}}'


BOARD, SIDES, GOLD, PAGE = (255, 253, 248), ((27, 75, 122), (176, 63, 20)), (143, 106, 0), (244, 240, 230)


def pixels(png: bytes) -> list[list[tuple[int, ...]]]:
    """Return a picture as rows of colours, after checking that no pixel is transparent."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    chunks: dict[bytes, bytes] = {}
    at = 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        kind, data = png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        assert struct.unpack(">I", png[at + 8 + length : at + 12 + length]) == (zlib.crc32(kind + data),)
        chunks[kind] = chunks.get(kind, b"") + data
        at += 12 + length
    width, height, *form = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert form == [8, 6, 0, 0, 0]
    raw = zlib.decompress(chunks[b"IDAT"])
    wide = 4 * width
    assert len(raw) == height * (wide + 1)
    rows, above = [], bytes(wide)
    for y in range(height):
        above = unfiltered(raw[y * (wide + 1)], raw[y * (wide + 1) + 1 :][:wide], above)
        assert set(above[3::4]) == {255}
        rows.append(list(zip(above[::4], above[1::4], above[2::4], strict=True)))
    return rows


def unfiltered(kind: int, line: bytes, above: bytes) -> bytes:
    """Undo the PNG filter of one row, given the row above it, and return the original bytes."""
    if kind == 0:
        return line
    if kind == 2:
        return bytes([(byte + up) & 255 for byte, up in zip(line, above, strict=True)])
    row = bytearray(4)  # the row, with an all-zero pixel before it
    for byte, up, corner in zip(line, above, bytes(4) + above[:-4], strict=True):
        left = row[-4]
        if kind == 1:
            guess = left
        elif kind == 3:
            guess = (left + up) // 2
        elif left == corner:
            guess = up
        else:
            near = left + up - corner
            guess = min((left, up, corner), key=lambda one, near=near: abs(near - one))
        row.append((byte + guess) & 255)
    return bytes(row[4:])


def drawn(game: Game) -> list[list[tuple[int, ...]]]:
    """Return a game's picture as rows of pixels."""
    return pixels(png_of(game.svg()))


def cell(rows: list[list[tuple[int, ...]]], row: int, col: int, left: int = 33, top: int = 40) -> list[tuple[int, ...]]:
    """Return all pixels of one cell of a small board."""
    return [one for line in rows[top + row * CELL :][:CELL] for one in line[left + col * CELL :][:CELL]]


# -- pictures -----------------------------------------------------------------------------------------------------


def test_a_png_shows_what_stands_where() -> None:
    game = Game(variant("showdown", "2x2"))
    game.push(0)
    rows = drawn(game)
    assert rows[0][0] == PAGE
    marked, empty = cell(rows, 0, 0), cell(rows, 1, 1)
    assert marked[CELL // 2 * CELL + CELL // 2] == SIDES[0]  # the cross
    assert GOLD in marked  # the frame around the last move
    assert set(empty[CELL // 2 * CELL :][10:50]) == {BOARD}  # a closed cell next to the marker stays empty


def test_a_png_has_letters_of_its_own() -> None:
    rows = drawn(Game(variant("trails", "3x3")))
    for col in range(3):
        number = [one for line in rows[:36] for one in line[33 + col * CELL :][:CELL]]
        assert number.count((101, 93, 76)) > 5, col
    letter = [line[33 + 20 : 33 + 40] for line in rows[40 + 20 : 40 + 40]]
    assert {SIDES[0], BOARD} <= {one for line in letter for one in line}


def test_the_system_s_fonts_are_not_used() -> None:
    """Pictures must look the same on systems without fonts, such as slim Docker images.

    All characters that are missing from our font look the same.
    """
    text = '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="60"><text x="9" y="40">{}</text></svg>'
    missing, ours = png_of(text.format("é")), png_of(text.format("4"))
    assert missing == png_of(text.format("ß"))
    assert ours not in (missing, png_of(text.format("7")))


def test_every_mark_that_a_game_may_have_can_be_drawn() -> None:
    """Every letter that a rule book may use as a mark is in our fonts, so no two look alike in a PNG."""
    allowed = [mark for mark in map(chr, range(0x2700)) if are_marks((mark, "B" if mark == "A" else "A"))]
    assert allowed == list(ascii_uppercase)
    pictures: tuple[set[tuple[tuple[int, ...], ...]], ...] = (set(), set())
    for marks in pairwise([*allowed, "A"]):
        game = Game(variant(replace(RULE_BOOKS["showdown"], name="marked", marks=marks), "2x3"))
        game.push(0)
        game.push(5)
        assert [char for char in str(game) if char.isalpha()] == list(marks)
        svg = game.svg()
        assert "{} on 1,1. {} on 2,3.".format(*marks) in svg
        assert all(f">{mark}</text>" in svg for mark in marks if mark not in "XO"), "X and O are strokes"
        rows = drawn(game)
        for seen, place in zip(pictures, ((0, 0), (1, 2)), strict=True):
            seen.add(tuple(cell(rows, *place)))
    assert [len(seen) for seen in pictures] == [26, 26]


@pytest.mark.parametrize("mark", ["a", "1", "É", "Ω", "☃", "AB", ""])
def test_no_other_mark_is_taken(mark: str) -> None:
    with pytest.raises(BadGame, match="two different capital letters"):
        replace(RULE_BOOKS["showdown"], name="marked", marks=("A", mark))


@pytest.mark.parametrize("board", ["1x1", "1x30", "30x1", "30x30"])
@pytest.mark.parametrize("name", ["chain", "scatter"])
def test_a_png_of_any_board_can_be_read(name: str, board: str) -> None:
    png = png_of(Game(variant(name, board)).svg())
    assert max(struct.unpack(">II", png[16:24])) <= 960


def test_picture_urls(server: Served) -> None:
    status, headers, body = server.raw("GET", f"/picture.svg?at={AT}")
    assert (status, headers["content-type"]) == (200, "image/svg+xml")
    assert b"X on 3,3. O on 1,1. Last move: 1,1." in body
    status, headers, body = server.raw("GET", f"/picture.png?at={AT}")
    assert (status, headers["content-type"]) == (200, "image/png")
    assert headers["cache-control"] == "public, max-age=86400"
    assert headers["cross-origin-resource-policy"] == "cross-origin"
    assert cell(pixels(body), 2, 2)[CELL // 2 * CELL + CELL // 2] == SIDES[0]
    assert server.raw("GET", f"/picture.png?at={AT}", If_None_Match=headers["etag"])[0] == 304
    own = quote(f"ab/3x3/king/1/0/1,1/{MARKS}", safe="/,_")
    assert server.raw("GET", f"/picture.png?at={own}")[0] == 200
    assert b"W on 1,1." in server.raw("GET", f"/picture.svg?at={own}")[2]
    status, headers, body = server.raw("GET", f"/picture.gif?at={AT}")
    assert (status, headers["content-type"], body[:6]) == (200, "image/gif", b"GIF89a")
    assert headers["cache-control"] == "public, max-age=86400"
    assert body == game_gif(game_at(AT))
    assert server.raw("GET", "/picture.png?day=2026-11-16")[0] == 200
    said = server.raw("GET", "/picture.svg?day=2026-11-16")[2]
    assert puzzle_of(date(2026, 11, 16)).game.variant.book.title.encode() in said


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("", 400),
        ("at=x&day=y", 400),
        ("at=", 422),
        ("at=showdown", 422),
        ("at=showdown/5x5/king/3/0/", 422),
        ("at=showdown/500x500/king/1/0/", 422),
        ("at=showdown/5x5/king/1/0/9,9", 422),
        ("at=showdown/5x5/king/1/0//{", 422),
        ("at=showdown/5x5/king/1/0//" + "[" * 5000, 422),
        ("at=%ff%00/5x5/king/1/0/", 422),
        ("at=chain/30x30/king/1/0/" + "_".join(["1,1"] * 2000), 422),
        ("day=tomorrow", 400),
    ],
)
def test_an_invalid_position_has_no_picture(server: Served, query: str, status: int) -> None:
    assert server.raw("GET", f"/picture.png?{query}")[0] == status


def test_a_flood_of_pictures_is_refused_and_those_drawn_are_still_there(serve: Callable[..., Served]) -> None:
    server = serve()
    forms = ("svg", "gif")  # both formats count towards the same limit
    statuses = [server.raw("GET", f"/picture.{forms[n % 2]}?at=chain/{n}x{n}/king/1/0/")[0] for n in range(1, 31)]
    assert statuses[0] == 200
    assert 429 in statuses
    assert server.raw("GET", "/picture.gif?at=chain/1x1/king/1/0/")[0] == 200


# -- previews -----------------------------------------------------------------------------------------------------


def tags(server: Served, path: str, **headers: str) -> dict[str, str]:
    body = server.raw("GET", path, **headers)[2].decode()
    return dict(re.findall(r'<meta property="([^"]+)" content="([^"]*)">', body))


def test_a_link_preview_describes_the_page(serve: Callable[..., Served]) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    public = f"http://127.0.0.1:{port}"
    server = serve("--port", str(port), "--origin", public)
    found = tags(server, f"/analyse?at={AT}", Host="elsewhere.example")
    assert found["og:title"] == "Showdown, 5x5, after 2 moves"
    assert found["og:description"].startswith("Player 1 (X) is to move.")
    assert found["og:image"] == f"{public}/picture.png?at={AT}"
    assert tags(server, "/puzzles?day=2026-11-16")["og:image"].endswith("/picture.png?day=2026-11-16")
    assert tags(server, "/play")["og:title"] == "A game of GridLock"
    own = tags(server, "/analyse?at=" + quote(f"ab/3x3/king/1/0/1,1/{MARKS}", safe="/,_"))
    assert own["og:title"] == "A &amp; B (custom game), 3x3, after 1 moves"
    assert tags(server, "/analyse?at=nothing") == {}
    assert tags(server, "/") == {}


def test_a_flood_of_links_gets_pages_without_previews(serve: Callable[..., Served]) -> None:
    server = serve()
    links = [f"/analyse?at=chain/{rows}x{cols}/king/1/0/" for rows in range(1, 31) for cols in (7, 8)]
    previews = ["og:title" in tags(server, link) for link in links]
    assert all(previews[:20])
    assert not all(previews)
    assert "og:title" in tags(server, links[0])  # a preview that was drawn stays available
    assert all(server.raw("GET", link)[0] == 200 for link in links)


def test_the_service_worker_is_made_once_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    original = files.static
    monkeypatch.setattr(files, "static", lambda name: read.append(name) or original(name))
    monkeypatch.setattr(time, "monotonic", lambda: 1e9)
    made = [files.service_worker(["/"]) for _ in range(5)]
    assert len(read) == len(set(read))
    assert len(set(made)) == 1
    monkeypatch.setattr(time, "monotonic", lambda: 1e9 + 1)
    files.service_worker(["/"])
    assert len(read) == 2 * len(set(read))


def test_a_server_without_a_configured_origin_gives_no_address(server: Served) -> None:
    assert "og:title" in tags(server, f"/analyse?at={AT}", Host="elsewhere.example")
    assert "og:image" not in tags(server, f"/analyse?at={AT}", Host="elsewhere.example")


# -- a board for other pages --------------------------------------------------------------------------------------


def test_only_the_board_for_other_pages_may_be_framed(server: Served) -> None:
    _, headers, _ = server.raw("GET", f"/embed?at={AT}")
    assert "frame-ancestors *" in headers["content-security-policy"]
    assert "x-frame-options" not in headers
    for path in ("/", "/play", "/analyse", "/puzzles", "/embed/", "/api/games"):
        _, headers, _ = server.raw("GET", path)
        assert "frame-ancestors 'none'" in headers["content-security-policy"], path
        assert headers["x-frame-options"] == "DENY", path


def test_the_board_for_other_pages_loads_nothing_that_remembers() -> None:
    loaded, left = set(), ["embed.js"]
    while left:
        name = left.pop()
        loaded.add(name)
        file = files.static(name)
        assert file is not None
        left += [one for one in re.findall(r'from "\./([\w-]+\.js)"', file.body.decode()) if one not in loaded]
        assert b"Storage" not in file.body, name
    assert "board.js" in loaded
    assert not loaded & {"storage.js", "progress.js", "connection.js"}


# -- compression --------------------------------------------------------------------------------------------------


def packed(server: Served, method: str, path: str, body: bytes | None = None, token: str = "") -> tuple[bool, bytes]:
    _, headers, said = server.raw(method, path, body, token, Accept_Encoding="gzip, br")
    assert int(headers["content-length"]) == len(said)
    if headers.get("content-encoding") != "gzip":
        return False, said
    assert "Accept-Encoding" in headers["vary"]
    return True, gzip.decompress(said)


@pytest.mark.parametrize("path", ["/", "/static/style.css", "/static/board.js", "/pictures/chain.svg", "/api/lessons"])
def test_texts_are_sent_compressed(server: Served, path: str) -> None:
    is_packed, said = packed(server, "GET", path)
    _, headers, plain = server.raw("GET", path)
    assert is_packed
    assert said == plain
    assert "content-encoding" not in headers
    assert server.raw("GET", path, Accept_Encoding="gzip;q=0")[2] == plain
    if "etag" in headers:
        assert server.raw("GET", path, If_None_Match=headers["etag"])[0] == 304


def test_what_may_hold_a_token_is_not_compressed(server: Served) -> None:
    assert packed(server, "POST", "/api/position", b'{"setup": {"game": "chain", "board": "20x20"}}')[0]
    name = b"a" * 200
    wish = b'{"setup": {"game": "chain"}, "opponent": "link", "name": "%s"}' % name
    assert not packed(server, "POST", "/api/games", wish)[0]
    made = server.create("chain")
    assert not packed(server, "GET", f"/api/games/{made['id']}", token=made["token"])[0]
