"""Misuse of games: endless events, a crowded lobby, nagging, and unjustified claims."""

import asyncio
import itertools
import secrets
import time

from bench.load_abuser import Abuser, Kind, Prey

GANG = "Abuser"  # the abusers' name in the lobby
_STARTED = time.monotonic()


# -- games with as many events as the server allows ---------------------------------------------------------------

_GROWING = 1 / 2  # the share of a run after which the games are opened again and again
_PAIRS = 15  # moves in a batch, each taken back at once
_GROWS = asyncio.Lock()  # one client at a time adds a batch, because it must know the state of the game
_POISONS: list[tuple[str, str]] = []  # games and their tokens; the last game grows
_FULL: set[str] = set()  # games to which the server adds no more events
_OPENINGS = itertools.count()


async def _poison_game(abuser: Abuser) -> None:
    """Fill games with events until the server accepts no more events; then open these games again and again."""
    if time.monotonic() < _STARTED + _GROWING * abuser.target.seconds:
        async with _GROWS:
            await _grow(abuser)
    elif _POISONS:
        await abuser.enter(*_POISONS[next(_OPENINGS) % len(_POISONS)])
        abuser.tally.told["opened"] += 1
        abuser.reset()


async def _grow(abuser: Abuser) -> None:
    if not _POISONS or _POISONS[-1][0] in _FULL:
        wish = {"setup": {"game": "showdown"}, "opponent": "screen"}
        status, made = await abuser.asked("POST", "/api/games", wish)
        if status != 201:
            await asyncio.sleep(0.5)
            return
        abuser.tally.games += 1
        _POISONS.append((made["id"], made["token"]))
    state = await abuser.enter(*_POISONS[-1])
    ply, line = state["ply"], state["line"]
    for _ in range(2 * _PAIRS):
        if ply:
            await abuser.say(type="ask", what="takeback", ply=ply, line=line)
            ply, line = ply - 1, line + 1
        else:
            await abuser.say(type="move", cell=12, ply=ply, line=line)
            ply += 1
    answers = [await abuser.hear_of("accepted", "refused") for _ in range(2 * _PAIRS)]
    if {answer["reason"] for answer in answers if answer["type"] == "refused"} - {"pace", "stale", "storage"}:
        _FULL.add(_POISONS[-1][0])


# -- the lobby ----------------------------------------------------------------------------------------------------

_FILLING = 1 / 3  # the share of a run after which challenges are joined as well
_JOINERS = 10  # connections of one address, which join every challenge of other players
_FILLERS = 10  # addresses that fill the list
_EACH = 4  # games that each of these addresses offers
_ON_TOP = 5.0  # seconds until an address reconnects, to be the newest in the list
_OFFERED: dict[int, tuple[str, str]] = {}  # the games in the list and their tokens, by connection


async def _lobby(abuser: Abuser) -> None:
    """Fill the list of challenges, or join other players' challenges without ever making a move.

    The first `_JOINERS` connections join challenges after a fraction of the run (`_FILLING`) has passed. All
    connections except the first `_JOINERS` try to keep the list of challenges full throughout the run.
    """
    await (_join(abuser) if abuser.number < _JOINERS else _fill(abuser))


async def _join(abuser: Abuser) -> None:
    if time.monotonic() < _STARTED + _FILLING * abuser.target.seconds:
        await asyncio.sleep(0.5)
        return
    status, lobby = await abuser.asked("GET", "/api/lobby")
    for challenge in lobby["challenges"] if status == 200 else ():
        if challenge["name"] == GANG:
            continue
        path, bearer = f"/api/games/{challenge['game']}/join", f"Authorization: Bearer {challenge['invitation']}"
        wish = {"name": GANG, "nonce": secrets.token_urlsafe(24)}
        status, seat = await abuser.asked("POST", path, wish, bearer)
        if status == 200:
            tally = abuser.tally
            tally.told["joined"] += 1
            tally.seats += 1
            tally.most_seats = max(tally.most_seats, tally.seats)
            try:
                await abuser.enter(seat["id"], seat["token"])
                await _listen(abuser)
            finally:
                tally.seats -= 1
    await asyncio.sleep(0.5)


async def _fill(abuser: Abuser) -> None:
    if abuser.number not in _OFFERED:
        wish = {"setup": {"game": "chain"}, "opponent": "link", "public": True, "name": GANG}
        status, made = await abuser.asked("POST", "/api/games", wish)
        if status != 201:
            await asyncio.sleep(5)
            return
        abuser.tally.games += 1
        _OFFERED[abuser.number] = made["id"], made["token"]
    await abuser.enter(*_OFFERED[abuser.number])
    await asyncio.sleep(_ON_TOP)


async def _listen(abuser: Abuser) -> None:
    """Read all messages until the server closes the connection."""
    while True:
        await abuser.hear()


# -- nagging ------------------------------------------------------------------------------------------------------

_SPECTATORS = 40


async def _nagging(abuser: Abuser) -> None:
    """Keep asking for takebacks and reporting a player's page as hidden or visible, while many spectators watch."""
    prey = abuser.target.prey["nagging"]
    if abuser.number > 1:
        await abuser.enter(prey.game, prey.watch)
        await _listen(abuser)
    state = await abuser.enter(prey.game, prey.token)
    now = {"ply": state["ply"], "line": state["line"]}
    await abuser.say(type="away", away=True)  # so that only the seat's other page counts
    while abuser.number == 0:
        await abuser.say(type="ask", what="takeback", **now)
        await abuser.hear_of("accepted", "refused")
        await abuser.say(type="answer", accept=False, **now)
        await abuser.hear_of("accepted", "refused")
        await asyncio.sleep(0.1)
    while True:
        await abuser.say(type="away", away=False)
        await abuser.say(type="away", away=True)
        await abuser.say(type="ping")  # so that everything before the answer to this ping is read
        while (await abuser.hear())["type"] != "pong":
            pass
        await asyncio.sleep(0.15)


# -- claims -------------------------------------------------------------------------------------------------------

SHARED = "127.21.5.3"  # the address that abusers share with an honest player, to keep that player out
_WATCHERS = 110  # connections from this address; a client may have 100, so every free place is taken at once
_LONG_GONE = 61.5  # seconds without a connection; an opponent may have a right to claim after 60
_BRIEFLY = 8.0  # seconds for which an abuser who was also away stays and claims without having a right to
_gone_since: float | None = None  # when the honest player left, as a spectator sees it


async def _claims(abuser: Abuser) -> None:
    """Try to claim wins that the abuser is not entitled to.

    The abuser claims a win on its own turn, after both players have left, or while the opponent cannot reconnect.
    """
    prey, number = abuser.target.prey, abuser.number
    if number == 0:
        await _claim(abuser, prey["no clock"])
    elif number == 1:
        await _watch_for_absence(abuser, prey["both gone"])
    elif number == 2:
        if _gone_since is not None and time.monotonic() - _gone_since > _LONG_GONE:
            await _claim(abuser, prey["both gone"], _BRIEFLY)
        await asyncio.sleep(1)
    elif number == 3:
        await _claim(abuser, prey["same address"])
    else:
        await abuser.enter(prey["no clock"].game, prey["no clock"].watch)
        await _listen(abuser)


async def _claim(abuser: Abuser, prey: Prey, seconds: float = float("inf")) -> None:
    await abuser.enter(prey.game, prey.token)
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        await abuser.say(type="claim")
        await abuser.hear_of("accepted", "refused")
        await asyncio.sleep(1)


async def _watch_for_absence(abuser: Abuser, prey: Prey) -> None:
    """Watch a game, and note when the honest player (who moves second) leaves."""
    global _gone_since
    await abuser.enter(prey.game, prey.watch)
    while True:
        message = await abuser.hear()
        if message["type"] == "presence":
            gone = message["seats"][1] == "gone"
            _gone_since = (_gone_since or time.monotonic()) if gone else None


KINDS = {
    "poison game": Kind(
        _poison_game, 6, pause=0.05, leaves=True, addresses=tuple(f"127.21.1.{number}" for number in range(1, 7))
    ),
    "lobby": Kind(
        _lobby,
        _JOINERS + _FILLERS * _EACH,
        pause=0.2,
        leaves=True,
        seats=3,
        addresses=("127.21.2.1",) * _JOINERS
        + tuple(f"127.21.2.{number}" for number in range(2, _FILLERS + 2) for _ in range(_EACH)),
    ),
    "nagging": Kind(_nagging, 2 + _SPECTATORS, addresses=("127.21.4.1", "127.21.4.2", *["127.21.4.3"] * _SPECTATORS)),
    "claims": Kind(
        _claims,
        4 + _WATCHERS,
        pause=0.2,
        leaves=True,
        addresses=("127.21.5.1", "127.21.5.2", "127.21.5.2", *[SHARED] * (1 + _WATCHERS)),
    ),
}
