"""Abusive WebSocket clients, which send nothing, read nothing, vanish, flood the server or send invalid messages."""

import asyncio
import itertools
import socket

from bench.load_abuser import FAREWELL, Abuser, Kind
from bench.load_abusers_http import LARGE


async def _mute(abuser: Abuser) -> None:
    """Open a WebSocket without saying hello."""
    await abuser.upgrade()


async def _vanished(abuser: Abuser) -> None:
    """Enter a game, and then stop responding, even to pings."""
    await abuser.hello()


async def _deaf(abuser: Abuser) -> None:
    """Request large responses without exceeding the rate limit, but never read them."""
    await abuser.hello()
    while True:
        await abuser.say(type="look", ply=900)
        await asyncio.sleep(0.1)


async def _flooding(abuser: Abuser) -> None:
    """Send a thousand messages per second."""
    await abuser.hello()
    while True:
        for _ in range(10):
            await abuser.say(type="ping")
        await asyncio.sleep(0.01)


async def _looking(abuser: Abuser) -> None:
    """Request a position of a large game as often as the server allows on one connection, and read every answer."""
    await abuser.enter()
    while True:
        await abuser.say(type="look", ply=900)
        await abuser.hear_of("position", "refused")
        await asyncio.sleep(0.055)


_ENTERED: list[tuple[str, str]] = []  # large games, with their tokens, that no client is in at the moment


async def _stale(abuser: Abuser) -> None:
    """Open a large game that is not in the server's memory, send a move that will be rejected, and leave."""
    if not _ENTERED:
        status, made = await abuser.asked("POST", "/api/games", {"setup": LARGE, "opponent": "screen"})
        if status != 201:
            await asyncio.sleep(0.5)
            return
        _ENTERED.append((made["id"], made["token"]))
    game, token = _ENTERED.pop()
    try:
        state = await abuser.enter(game, token)
        await abuser.say(type="move", ply=state["ply"], line=state["line"] + 1, cell=0)
        await abuser.hear_of("refused")
    finally:
        _ENTERED.append((game, token))


_PLAYED: list[tuple[str, str]] = []  # games, with their tokens, that can continue with a rematch


async def _rematching(abuser: Abuser) -> None:
    """Enter a game played on one screen, resign, ask for a rematch and leave; the next connection plays the rematch."""
    if not _PLAYED:
        wish = {"setup": {"game": "chain"}, "opponent": "screen"}
        status, made = await abuser.asked("POST", "/api/games", wish)
        if status != 201:
            await asyncio.sleep(0.5)
            return
        abuser.tally.games += 1
        _PLAYED.append((made["id"], made["token"]))
    game, token = _PLAYED.pop()
    state = await abuser.enter(game, token)
    await abuser.say(type="resign")
    await abuser.say(type="ask", what="rematch", ply=state["ply"], line=state["line"])
    while state["rematch"] is None:
        message = await abuser.hear_of("state", "refused")
        if message["type"] == "refused":
            await asyncio.sleep(0.5)
            return
        state = message
    abuser.tally.games += 1
    _PLAYED.append((state["rematch"], token))


async def _challenging(abuser: Abuser) -> None:
    """Offer a public game, check that it is listed, and leave."""
    wish = {"setup": {"game": "chain"}, "opponent": "link", "public": True, "name": "W" * 32}
    status, made = await abuser.asked("POST", "/api/games", wish)
    if status != 201:
        await asyncio.sleep(0.5)
        return
    abuser.tally.games += 1
    for _ in range(20):
        await abuser.asked("GET", "/api/lobby")
    await abuser.enter(made["id"], made["token"])


async def _reacting(abuser: Abuser) -> None:
    """Send messages without a pause, far faster than the other side can read."""
    await abuser.enter()
    while True:
        await abuser.say(type="react", what="wow")
        await abuser.say(type="away", away=True)
        await abuser.say(type="away", away=False)
        await asyncio.sleep(0.02)


# -- messages that are none ---------------------------------------------------------------------------------------

_ODD_MESSAGES = itertools.cycle(
    [
        b"\xff\xfe\xfd",
        b'{"type": "move", "ply": 0, "line": 0, "cell": 1e999}',
        b'{"type": "\\ud800"}',
        b'{"type": "look", "ply": ' + b"9" * 4000 + b"}",
        b"[" * 4000,
        b'{"type": "hello", "game": "\xed\xa0\x80"}',
        b"null",
        b"",
    ]
)


async def _odd_messages(abuser: Abuser) -> None:
    """Enter a game, and send invalid messages or binary frames."""
    await abuser.enter()
    await abuser.frame(next(_ODD_MESSAGES))
    while True:  # until the server closes
        await abuser.hear()


_ENDINGS = itertools.cycle(
    [
        FAREWELL,
        b"\xc1\x80" + bytes(4),  # compressed, although no compression was negotiated
        b"\x81\xfe\x20\x00" + bytes(4) + b" " * 8192,  # too long
        b"\x81\x81" + bytes(4) + b"\xff",  # not UTF-8
    ]
)


async def _after_the_end(abuser: Abuser) -> None:
    """Leave large answers unread and close the connection, so that the server writes to a closed connection."""
    abuser.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    await abuser.hello()
    for _ in range(5):
        await abuser.say(type="look", ply=900)
    await asyncio.sleep(0.3)
    for _ in range(20):
        await abuser.say(type="ping")
    await abuser.send(next(_ENDINGS))
    await abuser.say(type="look", ply=900)
    await asyncio.sleep(0.3)
    abuser.reset()


KINDS = {
    "mute": Kind(_mute, 50, 21),
    "vanished": Kind(_vanished, 50, 43),
    "deaf": Kind(_deaf, 20, 43),
    "flooding": Kind(_flooding, 20, 21),
    "looking": Kind(_looking, 90),
    "crowding": Kind(_mute, 500, 21, pause=2.0, most=100),
    "stale": Kind(_stale, 10, pause=0.05, leaves=True),
    "rematching": Kind(_rematching, 2, pause=0.0, leaves=True, games=200),
    "challenging": Kind(_challenging, 2, pause=0.0, leaves=True, games=200),
    "reacting": Kind(_reacting, 20, 21),
    "odd messages": Kind(_odd_messages, 4, 21, pause=0.2),
    "after the end": Kind(_after_the_end, 4, pause=0.2, leaves=True),
}
