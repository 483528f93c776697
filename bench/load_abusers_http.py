"""Misuse over HTTP: slow, excessive, endless or invalid requests, and expensive work for the engine."""

import asyncio
import itertools
import json
import random
from urllib.parse import quote

from bench.load_abuser import Abuser, Kind

MOVES = [f"{row},{col + half}" for row in range(1, 30) for col in range(1, 16) for half in (0, 15)]
LARGE = {"game": "keepaway", "board": "30x30", "moves": MOVES}  # about 100 KB as a complete answer
HARD = {"game": "scatter", "board": "9x9", "adjacency": "orthogonal", "moves": ["1,1"]}  # not solved in 10 seconds
NEXT_DOOR = tuple(f"127.30.0.{number}" for number in range(1, 5))  # addresses that honest players also use


async def _silent(_abuser: Abuser) -> None:
    """Connect, and send nothing."""


async def _slow_header(abuser: Abuser) -> None:
    """Send a request byte by byte."""
    await abuser.send(b"GET / HTTP/1.1\r\nX: ")
    while True:
        await asyncio.sleep(1)
        await abuser.send(b"x")


async def _slow_body(abuser: Abuser) -> None:
    """Send a request's body byte by byte."""
    await abuser.send(b"POST /api/position HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n")
    while True:
        await asyncio.sleep(1)
        await abuser.send(b" ")


async def _asking(abuser: Abuser) -> None:
    """Request large positions again and again."""
    body = json.dumps({"setup": LARGE}).encode()
    while True:
        await abuser.ask("POST", "/api/position", body)
        await abuser.answer()


_CORNERS = itertools.cycle(f"{row},{col}" for row in range(1, 31) for col in range(1, 31))


async def _picturing(abuser: Abuser) -> None:
    """Request pictures of the largest board, each with a different move, so that none of them is in the cache."""
    while True:
        await abuser.ask("GET", f"/picture.png?at=chain/30x30/king/1/0/{next(_CORNERS)}")
        await abuser.answer()


_PAGES = itertools.count()


async def _pages(abuser: Abuser) -> None:
    """Request pages, and sometimes pictures, for games on the largest board; every request names a new game."""
    while True:
        name = f"page_{next(_PAGES)}"
        shape = {"closes_own": True, "closes_other": True}
        definition = {"name": name, "title": name, "board": "30x30", "shape": shape}
        page = "/picture.png" if random.random() < 0.1 else "/analyse"
        more = quote(json.dumps({"definition": definition}))
        await abuser.ask("GET", f"{page}?at={name}/30x30/king/1/0/1,1_30,30/{more}")
        await abuser.answer()
        await asyncio.sleep(0.02)


async def _hit_and_run(abuser: Abuser) -> None:
    """Send a request, and disconnect before the server can answer."""
    abuser.reset()
    await abuser.ask("GET", "/api/games")


# -- the engine ---------------------------------------------------------------------------------------------------


async def _analysing(abuser: Abuser) -> None:
    """Keep asking the engine questions that take the maximum time."""
    while True:
        await abuser.ask("POST", "/api/analyse", {"setup": HARD, "seconds": 10})
        await abuser.answer()


_BOARDS = itertools.cycle(f"{rows}x{cols}" for rows in range(6, 12) for cols in range(6, 12))


async def _valuing(abuser: Abuser) -> None:
    """Request the values of a different board each time, in order to fill a worker's memory."""
    while True:
        setup = {"game": "showdown", "board": next(_BOARDS), "moves": ["1,1", "4,4", "6,6"]}
        for path, more in (("/api/regions", {}), ("/api/region", {"cell": 35, "path": [[1, 35]]})):
            await abuser.ask("POST", path, {"setup": setup, "seconds": 5, **more})
            await abuser.answer()


_QUESTIONS = itertools.cycle(
    [
        ("/api/analyse", {"setup": HARD, "seconds": 10}),
        ("/api/analyse", {"setup": HARD, "seconds": 10, "distances": True}),
        ("/api/review", {"setup": HARD}),
        ("/api/regions", {"setup": HARD, "seconds": 5}),
    ]
)


async def _abandoning(abuser: Abuser) -> None:
    """Ask the engine a question, and disconnect while the engine is working on it."""
    abuser.reset()
    path, body = next(_QUESTIONS)
    await abuser.ask("POST", path, body)
    await asyncio.sleep(0.3)


# -- games without end --------------------------------------------------------------------------------------------


async def _creating(abuser: Abuser) -> None:
    """Keep creating new games."""
    while True:
        status, _ = await abuser.asked("POST", "/api/games", {"setup": {"game": "chain"}, "opponent": "screen"})
        abuser.tally.games += status == 201


# -- what is no request -------------------------------------------------------------------------------------------

_TAGS = '{{"GridLock": "1", "Game": "{}", "Board": "{}", "Adjacency": "{}", "Moves": []}}'
_HALF = "\\ud800"  # half of a surrogate pair, which JSON can encode
_RECORDS = [_TAGS.format(*("x" if place != at else _HALF for place in range(3))) for at in range(3)]
_ODD_PATHS = ("/api/games/%00", "/api/games/%ff%fe", "/api/games/..%2f..%2f", "/pictures/%00.svg", "/static/%00")
_BAD_CHUNKS = b"POST %s HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n%s\r\n"
_ODD_REQUESTS = itertools.cycle(
    [
        *(("POST", f"/api/{where}", {"record": record}) for where in ("position", "review") for record in _RECORDS),
        *(("POST", f"/api/{where}", {"text": "\ud800", "setup": {"game": "\ud800"}}) for where in ("position", "why")),
        *(("GET", path, None) for path in _ODD_PATHS),
        ("POST", "/api/position", b"[" * 60000),
        ("POST", "/api/position", b'{"setup": {"game": "\xff"}}'),
    ]
)
_ODD_BYTES = itertools.cycle(
    [
        *(_BAD_CHUNKS % (path, data) for path in (b"/nothing", b"/api/position") for data in (b"ZZ", b"-1", b"f" * 40)),
        b"GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\nabc",
        b"GET / HTTP/9.9\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200),  # TLS
        b"GET /\xff\xfe HTTP/1.1\r\nHost: \xff\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ]
)


async def _odd_requests(abuser: Abuser) -> None:
    """Send invalid texts, paths and records; the server must reject them without an internal error."""
    for method, path, body in itertools.islice(_ODD_REQUESTS, 5):
        await abuser.ask(method, path, body)
        status, _, _ = await abuser.answer()
        if status > 500 and path in _ODD_PATHS:
            abuser.tally.broken[f"{status} for {path}"] += 1


async def _odd_bytes(abuser: Abuser) -> None:
    """Send a malformed HTTP request, or the first bytes of another protocol."""
    await abuser.send(next(_ODD_BYTES))
    await abuser.answer()


async def _foreign_host(abuser: Abuser) -> None:
    """Send a request that names another host, and check whether the server redirects the client to that host."""
    await abuser.send(b"GET /play/ HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n")
    _, headers, _ = await abuser.answer()
    if b"elsewhere.example" in headers:
        abuser.tally.broken["redirects to another host"] += 1


KINDS = {
    "silent": Kind(_silent, 150, 10, most=100),  # more than the 100 connections that one client may have
    "slow header": Kind(_slow_header, 50, 10),
    "slow body": Kind(_slow_body, 50, 20),
    "asking": Kind(_asking, 50),
    "picturing": Kind(_picturing, 20),
    "pages": Kind(_pages, 8, addresses=tuple(f"127.21.3.{number}" for number in range(1, 5))),
    "hit and run": Kind(_hit_and_run, 20, pause=0.06, leaves=True),
    "flood next door": Kind(_hit_and_run, 20, pause=0.06, leaves=True, addresses=NEXT_DOOR),
    "asking next door": Kind(_asking, 8, addresses=NEXT_DOOR),
    "analysing": Kind(_analysing, 10),
    "valuing": Kind(_valuing, 10),
    "abandoning": Kind(_abandoning, 10, pause=0.2, leaves=True),
    "creating": Kind(_creating, 4, games=200),
    "odd requests": Kind(_odd_requests, 4, pause=0.2, leaves=True),
    "odd bytes": Kind(_odd_bytes, 4, pause=0.2, leaves=True),
    "foreign host": Kind(_foreign_host, 1, pause=0.5, leaves=True),
}
